//! One time step: gather the pairs, solve the constraints, begin the new paths.
//!
//! The order is fixed: take back what remains of the last step, admit new members, gather candidate pairs, solve, add
//! to the balance, begin the paths, log contacts that ended, put clusters to sleep.

use glam::DVec3;

use super::accounts::{book_tick, recall_all, tell_end};
use super::candidates::gather;
use super::constraints::keep_apart;
use super::members::admit;
use super::problem::{Obstacle, StepProblem, StepSolution};
use super::sleep::{lonely, put_to_rest, set_free, stop_slow};
use super::state::{Given, STRIDE, StepContact};
use crate::dynamics::contact::Reaction;
use crate::dynamics::error::RunError;
use crate::dynamics::parts::Parts;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::motion::Spin;

/// Gives all members new velocities until the next step.
pub(in crate::dynamics) fn time_step(parts: &mut Parts) -> Result<(), RunError> {
    recall_all(parts)?;
    let joining = std::mem::take(&mut parts.time_stepping.joining);
    admit(parts, &joining);
    stop_slow(parts)?;
    let (mut fastest, mut first) = (0.0, true);
    let (problem, going) = loop {
        let tick = tick_length(parts);
        let problem = gather(parts, tick, fastest);
        let lonely = if first { lonely(parts, &problem) } else { Vec::new() };
        first = false;
        if !lonely.is_empty() {
            set_free(parts, &lonely)?;
            continue;
        }
        match keep_apart(parts, &problem)? {
            Ok(going) => break (problem, going),
            Err(Obstacle::Speed(speed)) => fastest = speed,
            Err(Obstacle::Bystanders(bystanders)) => admit(parts, &bystanders),
        }
    };
    book_tick(parts, &problem, &going);
    go(parts, &problem, &going)?;
    keep_touches(parts, &problem, &going);
    put_to_rest(parts, &problem)
}

/// The length of the next step, s.
fn tick_length(parts: &Parts) -> f64 {
    let Some([least, most]) = parts.scene.settings.ticks() else { return 0.0 };
    let (mut fastest, mut smallest) = (0.0, f64::INFINITY);
    for &id in &parts.time_stepping.members {
        fastest = f64::max(fastest, parts.scene.rows.path(id).velocity_at(parts.scene.now).length());
        smallest = f64::min(smallest, parts.scene.rows.shape(id).half_extents().min_element());
    }
    (STRIDE * smallest / fastest).clamp(least, most)
}

/// Begins the new paths of all members.
fn go(parts: &mut Parts, problem: &StepProblem, going: &StepSolution) -> Result<(), RunError> {
    let gravity = parts.scene.settings.gravity;
    let due = parts.scene.now.plus(going.span(problem));
    for (place, &id) in problem.bodies[..problem.free].iter().enumerate() {
        let member = going.solution.members[place];
        let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
        parts.begin_path(id, member.linear, DVec3::ZERO, spin)?;
        // The velocity already includes gravity for the whole step, so this reaction cancels it in the balance during
        // the step.
        let hold = -gravity / problem.before[place].inverse_mass;
        parts.put_reaction(id, Reaction { outside: hold, ..Reaction::none(parts.scene.now) });
        parts.scene.set_due(id, due);
        parts.time_stepping.paid.set(id, problem.end);
        let (linear, angular) =
            (member.linear - problem.before[place].linear, member.angular - problem.before[place].angular);
        parts.time_stepping.given.set(id, Given { linear, angular, tick: problem.tick });
    }
    for &id in &problem.bodies[..problem.free] {
        parts.changed.body(id);
    }
    Ok(())
}

/// Updates the contacts of the time stepping, and logs those that ended.
fn keep_touches(parts: &mut Parts, problem: &StepProblem, going: &StepSolution) {
    let old = std::mem::take(&mut parts.time_stepping.touches);
    let mut touches = Vec::with_capacity(old.len());
    let mut pushes = vec![ContactImpulse::default(); problem.candidates.len()];
    for (&row, push) in going.asking.rows.iter().zip(&going.solution.pushes) {
        pushes[row] = ContactImpulse { normal: push.normal / problem.tick, tangential: push.tangential / problem.tick };
    }
    for (near, push) in problem.candidates.iter().zip(pushes) {
        let (pair, part) = (near.pair.absolute(&parts.scene.rows), near.part);
        let told = StepContact::find(&old, (pair, part)).is_some_and(|touch| touch.told);
        let touch = StepContact { pair, part, push, told };
        if push.normal > 0.0 || (touch.told && near.gap <= parts.scene.settings.rest_length) {
            touches.push(touch);
        }
    }
    touches.sort_by_key(StepContact::key);
    let ended = |touch: &&StepContact| touch.told && StepContact::find(&touches, touch.key()).is_none();
    let ended: Vec<StepContact> = old.iter().filter(ended).copied().collect();
    parts.time_stepping.touches = touches;
    ended.iter().for_each(|touch| tell_end(parts, touch));
}
