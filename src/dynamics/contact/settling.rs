//! An island on its way to rest: what the solvers and the bookkeeping of contacts share.

use std::collections::BTreeSet;

use glam::DVec3;

use super::Contact;
use super::island::Island;
use crate::dynamics::BodyId;
use crate::dynamics::parts::Parts;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::solver::{ContactConstraint, SolverBody};

/// An island on its way to rest.
pub(in crate::dynamics) struct Settling {
    pub(in crate::dynamics) island: Island,
    pub(in crate::dynamics) constraints: Vec<ContactConstraint>,
    /// Gaps of the contacts, m.
    pub(in crate::dynamics) gaps: Vec<f64>,
    /// Velocities.
    pub(in crate::dynamics) members: Vec<SolverBody>,
    /// The largest speed in play, m/s.
    pub(in crate::dynamics) fastest: f64,
    /// Speeds at or below this are none, m/s.
    pub(in crate::dynamics) rounding: f64,
    /// Contacts that have ended.
    pub(in crate::dynamics) ended: Vec<Contact>,
    /// Bodies for which something else is to be predicted.
    pub(in crate::dynamics) changed: BTreeSet<BodyId>,
}

/// Books what impulses at the contacts did.
pub(in crate::dynamics) fn book_pushes(
    parts: &mut Parts,
    settling: &Settling,
    after: &[SolverBody],
    pushes: &[ContactImpulse],
) {
    for (place, push) in pushes.iter().enumerate() {
        let constraint = &settling.constraints[place];
        let impulse = push.vector(constraint.normal);
        if impulse == DVec3::ZERO {
            continue;
        }
        let loss = constraint.loss(impulse, &settling.members, after);
        let row = settling.island.contacts[place];
        let pair = parts.scene.contacts.get(row).pair;
        for (id, end, push) in [(pair.a, constraint.a, impulse), (pair.b, constraint.b, -impulse)] {
            if !parts.scene.rows.is_free(id) {
                parts.log.audit.work += push.dot(after[end].linear);
            }
        }
        parts.log.note_outside_impulse(pair, impulse, &parts.scene.rows);
        match &mut parts.scene.contacts.get_mut(row).met {
            Some(met) => {
                met.impulse += impulse.length();
                met.loss += loss;
                parts.log.audit.dissipated += loss;
            }
            None => parts.log.audit.rubbed += loss,
        }
    }
}
