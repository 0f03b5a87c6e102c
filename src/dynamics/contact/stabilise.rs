//! Stabilisation: contacts hold velocities that would drift by rounding.
//!
//! Opening too slow to be seen, and slip that has ended, is removed from all bodies of an island at once. So a body at
//! rest has a velocity of exactly zero.

use glam::DVec3;

use super::lifecycle::log_contact;
use super::settling::{Settling, book_pushes};
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver;
use crate::dynamics::solver::{FrictionModel, SolverBody};

/// Removes the remaining opening speeds, and the slip of contacts that stick.
pub(in crate::dynamics) fn stabilise(parts: &mut Parts, settling: &mut Settling) {
    let Settling { island, constraints, members, rounding, .. } = settling;
    let mut dirty = false;
    let mut slides = Vec::with_capacity(constraints.len());
    for (constraint, &row) in constraints.iter_mut().zip(&island.contacts) {
        let slip = constraint.slip(members);
        let contact = parts.scene.contacts.get(row);
        let rubs = parts.scene.friction(contact.pair) > 0.0;
        let holds = rubs && (slip.length() <= *rounding || contact.halts == Some(parts.scene.now));
        (constraint.holds, constraint.bound) = (true, 0.0);
        constraint.friction = if holds { FrictionModel::Bilateral } else { FrictionModel::None };
        dirty |= constraint.opening(members) != 0.0 || (holds && slip != DVec3::ZERO);
        slides.push(if rubs && !holds { Some(slip / slip.length()) } else { None });
    }
    if dirty {
        stop_drifts(parts, settling, &mut slides);
    }
    for (&row, slides) in settling.island.contacts.iter().zip(slides) {
        note_slides(parts, row, slides);
    }
    parts.scene.snap(settling);
    settling.constraints.iter_mut().for_each(|constraint| constraint.holds = false);
}

/// Solves for velocities without opening and without slip at sticking contacts. Contacts that slide nevertheless get a
/// direction in `slides`.
fn stop_drifts(parts: &mut Parts, settling: &mut Settling, slides: &mut [Option<DVec3>]) {
    let Settling { constraints, members, fastest, rounding, .. } = settling;
    let mut solution = solver::solve(members, constraints, &[]);
    if !solution.as_ref().is_ok_and(|found| found.meets(*fastest)) {
        // Slips that nearly contradict each other cannot all be stopped.
        let grips: Vec<bool> =
            constraints.iter().map(|constraint| constraint.friction == FrictionModel::Bilateral).collect();
        constraints.iter_mut().for_each(|constraint| constraint.friction = FrictionModel::None);
        solution = solver::solve(members, constraints, &[]);
        let after = solution.as_ref().map_or(&*members, |found| &found.members);
        for place in (0..constraints.len()).filter(|&place| grips[place]) {
            let slip = constraints[place].slip(after);
            slides[place] = (slip.length() > *rounding).then(|| slip / slip.length());
        }
    }
    // Where no solution exists, as when two supports separate, nothing is held.
    if let Ok(solution) = solution {
        book_pushes(parts, settling, &solution.members, &solution.pushes);
        settling.members = solution.members;
    }
}

/// Records whether a contact slides, and in which direction.
fn note_slides(parts: &mut Parts, row: u32, slides: Option<DVec3>) {
    let contact = *parts.scene.contacts.get(row);
    let kept = parts.scene.contacts.get_mut(row);
    (kept.slides, kept.struck) = (slides, None);
    match (contact.slides, slides) {
        (None, Some(_)) if contact.met.is_none() => log_contact(parts, EventKind::Slip, &contact),
        (Some(_), None) => log_contact(parts, EventKind::Stick, &contact),
        _ => {}
    }
}

impl Scene {
    /// Makes velocities equal that differ by rounding only. Each body takes the velocity of a body in contact with it,
    /// beginning at the bodies that are not free.
    fn snap(&self, settling: &mut Settling) {
        let Settling { island, constraints, members, rounding, .. } = settling;
        let mut known: Vec<bool> = (0..members.len()).map(|place| place >= island.free).collect();
        let near = |x: f64, y: f64| (x - y).abs() <= *rounding;
        let mut grows = true;
        while grows {
            grows = false;
            for constraint in constraints.iter() {
                let (from, to) = match (known[constraint.a], known[constraint.b]) {
                    (true, false) => (constraint.a, constraint.b),
                    (false, true) => (constraint.b, constraint.a),
                    _ => continue,
                };
                let radius = constraint.arms[0].abs().max_element().max(constraint.arms[1].abs().max_element());
                let given = members[from].linear;
                let SolverBody { linear, angular, .. } = &mut members[to];
                let rests = (0..3).all(|axis| near(given[axis], linear[axis]));
                for axis in 0..3 {
                    let along = constraint.normal[axis].abs() == 1.0 && near(given[axis], linear[axis]);
                    linear[axis] = if rests || along { given[axis] } else { linear[axis] };
                    angular[axis] = if near(angular[axis] * radius, 0.0) { 0.0 } else { angular[axis] };
                }
                (known[to], grows) = (true, true);
            }
        }
    }
}
