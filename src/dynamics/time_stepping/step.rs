//! One time step: gather the pairs, solve the constraints, begin the new paths.
//!
//! The order is fixed: take back what remains of the last step, admit new members, gather candidate pairs, solve, add
//! to the balance, begin the paths, log contacts that ended, put clusters to sleep.

use glam::DVec3;

use super::accounts::{book_step, log_release, take_back_increments};
use super::candidates::gather;
use super::constraints::keep_apart;
use super::members::admit;
use super::problem::{Obstacle, StepProblem, StepSolution};
use super::sleep::{isolated, put_to_rest, set_free, stop_slow};
use super::state::{Increment, STRIDE, StepContact};
use crate::dynamics::contact::Reaction;
use crate::dynamics::error::RunError;
use crate::dynamics::parts::Parts;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::motion::Spin;

/// Gives all members new velocities until the next step.
pub(in crate::dynamics) fn time_step(parts: &mut Parts) -> Result<(), RunError> {
    take_back_increments(parts)?;
    let joining = std::mem::take(&mut parts.time_stepping.joining);
    admit(parts, &joining);
    stop_slow(parts)?;
    let (mut fastest, mut first) = (0.0, true);
    let (problem, result) = loop {
        let step_length = next_step_length(parts);
        let problem = gather(parts, step_length, fastest);
        let isolated = if first { isolated(parts, &problem) } else { Vec::new() };
        first = false;
        if !isolated.is_empty() {
            set_free(parts, &isolated)?;
            continue;
        }
        match keep_apart(parts, &problem)? {
            Ok(result) => break (problem, result),
            Err(Obstacle::Speed(speed)) => fastest = speed,
            Err(Obstacle::Bystanders(bystanders)) => admit(parts, &bystanders),
        }
    };
    book_step(parts, &problem, &result);
    go(parts, &problem, &result)?;
    update_contacts(parts, &problem, &result);
    put_to_rest(parts, &problem)
}

/// The length of the next step, s.
fn next_step_length(parts: &Parts) -> f64 {
    let Some([least, most]) = parts.scene.settings.step_lengths() else { return 0.0 };
    let (mut fastest, mut smallest) = (0.0, f64::INFINITY);
    for &id in &parts.time_stepping.members {
        fastest = f64::max(fastest, parts.scene.rows.path(id).velocity_at(parts.scene.now).length());
        smallest = f64::min(smallest, parts.scene.rows.shape(id).half_extents().min_element());
    }
    (STRIDE * smallest / fastest).clamp(least, most)
}

/// Begins the new paths of all members.
fn go(parts: &mut Parts, problem: &StepProblem, result: &StepSolution) -> Result<(), RunError> {
    let gravity = parts.scene.settings.gravity;
    let due = parts.scene.now.plus(result.span(problem));
    for (place, &id) in problem.bodies[..problem.free].iter().enumerate() {
        let member = result.solution.members[place];
        let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
        parts.begin_path(id, member.linear, DVec3::ZERO, spin)?;
        // The velocity already includes gravity for the whole step, so this reaction cancels it in the balance during
        // the step.
        let gravity_reaction = -gravity / problem.before[place].inverse_mass;
        parts.put_reaction(id, Reaction { outside: gravity_reaction, ..Reaction::none(parts.scene.now) });
        parts.scene.set_due(id, due);
        parts.time_stepping.velocity_until.set(id, problem.end);
        let (linear, angular) =
            (member.linear - problem.before[place].linear, member.angular - problem.before[place].angular);
        parts.time_stepping.increments.set(id, Increment { linear, angular, step_length: problem.step_length });
    }
    for &id in &problem.bodies[..problem.free] {
        parts.changed.body(id);
    }
    Ok(())
}

/// Updates the contacts of the time stepping, and logs those that ended.
fn update_contacts(parts: &mut Parts, problem: &StepProblem, result: &StepSolution) {
    let old = std::mem::take(&mut parts.time_stepping.contacts);
    let mut contacts = Vec::with_capacity(old.len());
    let mut impulses = vec![ContactImpulse::default(); problem.candidates.len()];
    for (&row, push) in result.constraint_set.rows.iter().zip(&result.solution.impulses) {
        impulses[row] = ContactImpulse {
            normal: push.normal / problem.step_length,
            tangential: push.tangential / problem.step_length,
        };
    }
    for (candidate, push) in problem.candidates.iter().zip(impulses) {
        let (pair, part) = (candidate.pair.absolute(&parts.scene.rows), candidate.part);
        let is_logged = StepContact::find(&old, (pair, part)).is_some_and(|step_contact| step_contact.is_logged);
        let step_contact = StepContact { pair, part, push, is_logged };
        if push.normal > 0.0 || (step_contact.is_logged && candidate.gap <= parts.scene.settings.rest_length) {
            contacts.push(step_contact);
        }
    }
    contacts.sort_by_key(StepContact::key);
    let ended = |step_contact: &&StepContact| {
        step_contact.is_logged && StepContact::find(&contacts, step_contact.key()).is_none()
    };
    let ended: Vec<StepContact> = old.iter().filter(ended).copied().collect();
    parts.time_stepping.contacts = contacts;
    ended.iter().for_each(|step_contact| log_release(parts, step_contact));
}
