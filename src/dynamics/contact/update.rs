//! The state of an island while it is settled: what the solvers and the energy balance share.
//!
//! It is set up at the end of an instant in which a contact of the island changed. The steps of update (velocities,
//! end of contacts, stabilisation, forces) read it and change it in turn.

use glam::DVec3;

use super::Contact;
use super::island::Island;
use crate::dynamics::BodyId;
use crate::dynamics::few::{Few, insert};
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::problem::{ContactImpulse, distribute};
use crate::dynamics::solver::{ContactConstraint, SolverBody};

/// An island while it is settled.
pub(in crate::dynamics) struct Update {
    pub(in crate::dynamics) island: Island,
    pub(in crate::dynamics) constraints: Few<ContactConstraint>,
    pub(in crate::dynamics) turning: Few<Turning>,
    /// Gaps of the contacts, m.
    pub(in crate::dynamics) gaps: Few<f64>,
    /// Velocities at the present.
    pub(in crate::dynamics) members: Few<SolverBody>,
    /// The largest speed in the island, m/s.
    pub(in crate::dynamics) fastest: f64,
    /// Speeds up to this are rounding, m/s.
    pub(in crate::dynamics) rounding: f64,
    /// Contacts that have ended.
    pub(in crate::dynamics) ended: Vec<Contact>,
    /// Bodies with paths that have to be predicted again, by id.
    pub(in crate::dynamics) changed: Few<BodyId>,
    /// Whether its bodies have to be advanced by time steps from the next update on: also where no forces were found
    /// that prevent its contacts from getting deeper.
    pub(in crate::dynamics) is_wedged: bool,
}

/// How the directions of slip, rolling and spinning at a contact turn.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::dynamics) struct Turning {
    /// How the motions change because the normal turns, m/s² and rad/s².
    pub(in crate::dynamics) drift: [DVec3; 3],
    /// How they change up to the middle of the span in which friction is constant, relative to their size.
    pub(in crate::dynamics) lean: [DVec3; 3],
}

impl Update {
    /// The paths of these bodies have to be predicted again.
    pub(in crate::dynamics) fn change(&mut self, bodies: [BodyId; 2]) {
        bodies.into_iter().for_each(|id| _ = insert(&mut self.changed, id));
    }
}

/// Adds the impulses at the contacts to the balance and to the impacts that are not logged yet.
pub(in crate::dynamics) fn add_impulses(
    sim: &mut Simulation,
    update: &Update,
    after: &[SolverBody],
    impulses: &[ContactImpulse],
) {
    let loss =
        |(constraint, impulse): (&ContactConstraint, &ContactImpulse)| constraint.loss(impulse, &update.members, after);
    let mut losses: Few<f64> = update.constraints.iter().zip(impulses).map(loss).collect();
    let all = losses.iter().sum();
    distribute(&mut losses, all);
    for (place, (impulse, loss)) in impulses.iter().zip(losses).enumerate() {
        let constraint = &update.constraints[place];
        let straight = impulse.vector(constraint.normal);
        if straight == DVec3::ZERO && impulse.couple == DVec3::ZERO {
            continue;
        }
        let row = update.island.contacts[place];
        let pair = sim.scene.contacts.get(row).pair;
        for (id, end, impulse) in [(pair.a, constraint.a, straight), (pair.b, constraint.b, -straight)] {
            if !sim.scene.rows.is_free(id) {
                sim.log.audit.work += impulse.dot(after[end].linear);
            }
        }
        sim.log.add_outside_impulse(pair, straight, &sim.scene.rows);
        match &mut sim.scene.contacts.get_mut(row).met {
            Some(met) => {
                met.impulse += straight.length();
                met.loss += loss;
                sim.log.audit.dissipated += loss;
            }
            None => sim.log.audit.contact_heat += loss,
        }
    }
}
