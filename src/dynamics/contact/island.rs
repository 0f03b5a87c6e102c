//! Islands: free bodies connected by contacts, written as one problem.
//!
//! Bodies that are not free transmit nothing, so an island ends at them. Its bodies are in the order of their ids and
//! its contacts in the order of their pairs, independent of the history.

use glam::DVec3;

use super::Contact;
use crate::dynamics::BodyId;
use crate::dynamics::body::friction::Frictions;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::few::{Few, insert};
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::{ContactConstraint, SolverBody};
use crate::geometry::Shape;
use crate::motion::SimTime;

/// Bodies connected by contacts.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct Island {
    /// The free bodies by id, and after them the bodies that are not free.
    pub(in crate::dynamics) bodies: Few<BodyId>,
    /// How many are free.
    pub(in crate::dynamics) free: usize,
    /// Rows of the contacts, in the order of their pairs.
    pub(in crate::dynamics) contacts: Few<u32>,
    /// The places of each contact's bodies among `bodies`.
    pub(in crate::dynamics) ends: Few<[usize; 2]>,
}

impl Scene {
    /// The island of a free body.
    pub(in crate::dynamics) fn island(&self, from: BodyId) -> Island {
        let mut free: Few<BodyId> = Few::from_iter([from]);
        let mut outside: Few<BodyId> = Few::new();
        let mut contacts: Few<((Pair, u32, SimTime), u32)> = Few::new();
        let mut left = free.clone();
        while let Some(id) = left.pop() {
            for &row in self.contacts.of(id) {
                let contact = self.contacts.get(row);
                contacts.push((contact.key(), row));
                let other = contact.pair.other(id);
                if !self.rows.is_free(other) {
                    insert(&mut outside, other);
                } else if insert(&mut free, other) {
                    left.push(other);
                }
            }
        }
        // A contact of two free bodies is in the lists of both.
        contacts.sort_unstable();
        contacts.dedup();
        let place = |id: BodyId| {
            let (among, start) = if self.rows.is_free(id) { (&free, 0) } else { (&outside, free.len()) };
            start + among.binary_search(&id).expect("every end of a contact is in the island")
        };
        let ends = contacts.iter().map(|((pair, ..), _)| [place(pair.a), place(pair.b)]).collect();
        let bodies = free.iter().chain(&outside).copied().collect();
        Island { free: free.len(), ends, contacts: contacts.into_iter().map(|(_, row)| row).collect(), bodies }
    }

    /// A body with its velocity at an instant, as input of the solver.
    pub(in crate::dynamics) fn member(&self, id: BodyId, now: SimTime) -> SolverBody {
        let path = self.rows.path(id);
        SolverBody {
            linear: path.velocity_at(now),
            angular: self.rows.spin_at(id, now),
            inverse_mass: self.rows.inverse_mass(id),
            inverse_inertia: self.rows.inverse_inertia(id),
        }
    }

    /// From the centres of two bodies in contact along `normal` to the contact point, m; zero for a body that does not
    /// rotate.
    pub(in crate::dynamics) fn arms(&self, [a, b]: [BodyId; 2], normal: DVec3) -> [DVec3; 2] {
        let arm = |id: BodyId, direction: DVec3| match self.rows.shape(id) {
            Shape::Sphere(radius) if self.rows.is_free(id) => direction * radius.get(),
            _ => DVec3::ZERO,
        };
        [arm(a, normal), arm(b, -normal)]
    }

    /// Friction at a contact. Only bodies that rotate have friction against rolling and spinning.
    pub(in crate::dynamics) fn frictions_at(&self, row: u32) -> Frictions {
        let pair = self.contacts.get(row).pair;
        let frictions = self.frictions(pair);
        let rotates = [pair.a, pair.b].into_iter().any(|id| self.rows.inverse_inertia(id) > 0.0);
        if rotates { frictions } else { Frictions { rolling: 0.0, spinning: 0.0, ..frictions } }
    }

    /// The contacts of an island as constraints.
    pub(in crate::dynamics) fn constraints(&self, island: &Island) -> Few<ContactConstraint> {
        let rows = island.contacts.iter().zip(&island.ends);
        let constraint = |(&row, &[a, b]): (&u32, &[usize; 2])| {
            let Contact { pair, normal, .. } = *self.contacts.get(row);
            let arms = self.arms([pair.a, pair.b], normal);
            ContactConstraint::smooth(a, b, normal, arms)
        };
        rows.map(constraint).collect()
    }
}
