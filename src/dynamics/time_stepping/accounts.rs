//! The energy balance of a time step: the work of gravity, impulses and friction, and which impacts are logged.
//!
//! A time step gives a body the velocity of its end at once. So until then the balance counts the body's height at the
//! end of the step. If a step is interrupted, the rest of the increment is taken back first.

use glam::DVec3;

use super::problem::{CandidatePair, StepProblem, StepSolution};
use super::state::{Given, StepContact};
use crate::dynamics::BodyId;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::error::RunError;
use crate::dynamics::log::event::{Event, EventKind};
use crate::dynamics::parts::Parts;
use crate::dynamics::prediction::pair_event::Meeting;
use crate::dynamics::solver::SolverBody;
use crate::motion::Spin;

/// Adds a time step to the balance, and logs its visible impacts.
pub(super) fn book_tick(parts: &mut Parts, problem: &StepProblem, going: &StepSolution) {
    let gravity = parts.scene.settings.gravity;
    for (place, before) in problem.before[..problem.free].iter().enumerate() {
        let kick = problem.alone[place].linear - before.linear;
        let mass = 1.0 / before.inverse_mass;
        parts.log.audit.impulse += kick * mass;
        let way = going.solution.pushed[place].linear * problem.tick;
        parts.log.audit.rubbed -= mass * (kick.dot(before.linear + kick * 0.5) - gravity.dot(way));
        if going.held[place] {
            let pushed = going.solution.pushed[place];
            book_change(parts, &pushed, &pushed.stopped(), problem.tick);
        }
    }
    parts.counters.groups.come_to(parts.scene.now);
    parts.counters.groups.count += 1;
    let deepest = problem.candidates.iter().map(|near| -near.gap).fold(0.0, f64::max);
    parts.log.audit.deepest = parts.log.audit.deepest.max(deepest);
    for ((&row, constraint), push) in
        going.asking.rows.iter().zip(&going.asking.constraints).zip(&going.solution.pushes)
    {
        let impulse = push.vector(constraint.normal);
        if impulse == DVec3::ZERO {
            continue;
        }
        let near = problem.candidates[row];
        let loss = constraint.loss(impulse, &problem.alone, &going.solution.pushed);
        for (end, push) in [(constraint.a, impulse), (constraint.b, -impulse)] {
            if end >= problem.free {
                parts.log.audit.work += push.dot(problem.alone[end].linear);
            }
        }
        parts.log.note_outside_impulse(near.pair, impulse, &parts.scene.rows);
        let approach = parts.scene.approach_speed(problem, &near);
        if parts.scene.rebound(problem, &near) > 0.0 {
            parts.log.audit.dissipated += loss;
            tell_impact(parts, &near, approach, impulse.length(), loss);
        } else {
            parts.log.audit.rubbed += loss;
        }
    }
}

/// Takes back the increments of all members for the time from now on. A new step then begins before the last one is
/// over.
pub(super) fn recall_all(parts: &mut Parts) -> Result<(), RunError> {
    for place in 0..parts.time_stepping.members.len() {
        let id = parts.time_stepping.members[place];
        if *parts.time_stepping.paid.get(id) > parts.scene.now {
            let back = recall(parts, id);
            let spin = Spin { velocity: back.angular, acceleration: DVec3::ZERO };
            parts.begin_path(id, back.linear, DVec3::ZERO, spin)?;
        }
    }
    Ok(())
}

/// Takes back the part of a member's increment that belongs to the rest of its step, and counts its height at the
/// present. Returns its velocity without that part: between the velocities before and after, so that no energy is
/// created.
fn recall(parts: &mut Parts, id: BodyId) -> SolverBody {
    let member = parts.scene.member(id, parts.scene.now);
    let left = parts.time_stepping.paid.get(id).since(parts.scene.now);
    let Given { linear, angular, tick } = *parts.time_stepping.given.get(id);
    let share = left / tick;
    let back =
        SolverBody { linear: member.linear - linear * share, angular: member.angular - angular * share, ..member };
    book_change(parts, &member, &back, left);
    parts.time_stepping.paid.set(id, parts.scene.now);
    back
}

/// Adds a change of velocity to the balance, for a body whose height was counted `ahead` seconds from now and is
/// counted at the present from now on.
pub(super) fn book_change(parts: &mut Parts, from: &SolverBody, to: &SolverBody, ahead: f64) {
    let (mass, way) = (1.0 / from.inverse_mass, from.linear * ahead);
    parts.log.audit.impulse += (to.linear - from.linear) * mass;
    parts.log.audit.rubbed += from.energy() - to.energy() - mass * parts.scene.settings.gravity.dot(way);
}

fn tell_impact(parts: &mut Parts, near: &CandidatePair, approach: f64, impulse: f64, loss: f64) {
    let meeting = Meeting { time: 0.0, normal: near.normal, part: near.part };
    let event = parts.scene.event(near.pair, EventKind::Impact, &meeting, approach, impulse);
    parts.log.add(Event { loss, group: parts.counters.groups.count, ..event });
}

/// Logs that two bodies are no longer in contact.
pub(super) fn tell_end(parts: &mut Parts, touch: &StepContact) {
    let seen = touch.pair.as_seen_from_path(&parts.scene.rows);
    let normal = parts.scene.normal_of(seen, touch.part);
    let contact = Contact::new(touch.pair, touch.part, normal, Surface::Curved, parts.scene.now, None);
    log_contact(parts, EventKind::Release, &contact);
}
