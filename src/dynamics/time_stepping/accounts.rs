//! The energy balance of a time step: the work of gravity, impulses and friction, and what is logged and counted.
//!
//! A step gives each body its final velocity at the beginning of the step. So the energy balance uses the height that
//! the body will have at the end of the step. If a step is interrupted, the increments for its remaining time are taken
//! back first.

use super::island::{Increment, ListedPair, PairList, SteppedIsland};
use super::problem::StepProblem;
use crate::dynamics::BodyId;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::error::RunError;
use crate::dynamics::log::event::{Event, EventKind};
use crate::dynamics::parts::Parts;
use crate::dynamics::prediction::pair_event::Meeting;
use crate::dynamics::solver::SolverBody;
use crate::motion::Spin;
use glam::DVec3;

/// Adds a time step to the balance, and logs its visible impacts: the rows with a positive restitution in `met`.
pub(super) fn book_step(parts: &mut Parts, island: &mut SteppedIsland, problem: &StepProblem, met: &[f64]) {
    (island.lost, island.work) = (-problem.energy_change(), problem.work_of_walls());
    parts.log.audit.work += island.work;
    for place in 0..problem.free {
        let before = problem.before[place];
        let (kick, mass) = (problem.gravity * problem.length, 1.0 / before.inverse_mass);
        parts.log.audit.impulse += kick * mass;
        let displacement = problem.after(place).linear * problem.length;
        parts.log.audit.rubbed -= mass * (kick.dot(before.linear + kick * 0.5) - problem.gravity.dot(displacement));
    }
    parts.counters.groups.begin_instant(parts.scene.now);
    parts.counters.groups.count += 1;
    parts.counters.time_steps.count_step(problem.free);
    let deepest = problem.candidates.iter().map(|candidate| problem.overlap - candidate.gap).fold(0.0, f64::max);
    parts.log.audit.deepest = parts.log.audit.deepest.max(deepest);
    for row in 0..problem.listed.len() {
        book_row(parts, &island.list, problem, row, met.get(row).is_some_and(|&restitution| restitution > 0.0));
    }
}

/// Adds the impulse of a contact to the balance.
fn book_row(parts: &mut Parts, list: &PairList, problem: &StepProblem, row: usize, is_met: bool) {
    let impulse = problem.impulse(row);
    if impulse == DVec3::ZERO && problem.couple(row) == DVec3::ZERO {
        return;
    }
    let place = problem.listed[row] as usize;
    let (listed, loss) = (list.pairs[place], problem.loss(row));
    parts.log.add_outside_impulse(listed.pair, impulse, &parts.scene.rows);
    if !is_met {
        parts.log.audit.rubbed += loss;
        return;
    }
    parts.log.audit.dissipated += loss;
    let meeting = Meeting { time: 0.0, normal: problem.candidates[place].normal, part: listed.part };
    let (pair, approach) = (listed.pair.as_seen_from_path(&parts.scene.rows), problem.approach_speed(place));
    let event = parts.scene.event(pair, EventKind::Impact, &meeting, approach, impulse.length());
    parts.log.add(Event { loss, group: parts.counters.groups.count, ..event });
}

/// Takes back the increments of an island for the time from now on, if its step is not over.
pub(super) fn take_back_increments(parts: &mut Parts, island: &mut SteppedIsland) -> Result<(), RunError> {
    let (left, work) = (island.end.since(parts.scene.now), std::mem::take(&mut island.work));
    if left <= 0.0 {
        return Ok(());
    }
    let share = (left / island.length).min(1.0);
    parts.log.audit.work -= work * share;
    parts.log.audit.rubbed -= work * share;
    for place in 0..island.members.len() {
        let (id, step) = (island.members[place], island.increments[place]);
        let member = parts.scene.member(id, parts.scene.now);
        let back = step.taken_off(&member, share);
        // The new velocity lies between those before and after the step, so no energy is created.
        book_change(parts, &member, &back, left);
        let spin = Spin { velocity: back.angular, acceleration: DVec3::ZERO };
        parts.begin_path(id, back.linear, DVec3::ZERO, spin)?;
        island.increments[place] = Increment::default();
        island.list.moved[place] -= member.linear * left;
    }
    island.end = parts.scene.now;
    Ok(())
}

/// Adds the change of a body's velocity to the balance. Until now the balance used the height of the body `ahead`
/// seconds from now. From now on it uses the present height.
pub(super) fn book_change(parts: &mut Parts, from: &SolverBody, to: &SolverBody, ahead: f64) {
    let (mass, displacement) = (1.0 / from.inverse_mass, from.linear * ahead);
    parts.log.audit.impulse += (to.linear - from.linear) * mass;
    parts.log.audit.rubbed += from.energy() - to.energy() - mass * parts.scene.settings.gravity.dot(displacement);
}

/// Logs that a body joins or quits the time stepping, falls asleep or wakes, and counts members and bodies asleep.
pub(in crate::dynamics) fn log_member(parts: &mut Parts, kind: EventKind, id: BodyId) {
    let now = parts.scene.now;
    match kind {
        EventKind::Join => parts.counters.time_steps.add_member(now),
        EventKind::Quit | EventKind::Sleep => parts.counters.time_steps.remove_member(now),
        _ => {}
    }
    parts.time_stepping.asleep.set(id, kind == EventKind::Sleep);
    let event = parts.scene.event_of_body(id, kind);
    parts.log.add(event);
}

/// Logs that two bodies are no longer in contact.
pub(super) fn log_release(parts: &mut Parts, listed: &ListedPair) {
    let seen = listed.pair.as_seen_from_path(&parts.scene.rows);
    let normal = parts.scene.normal_of(seen, listed.part);
    let contact = Contact::new(listed.pair, listed.part, normal, Surface::Curved, parts.scene.now, None);
    log_contact(parts, EventKind::Release, &contact);
}

impl StepProblem {
    /// The work of bodies of prescribed motion, J.
    fn work_of_walls(&self) -> f64 {
        let work = |row: usize| {
            let impulse = self.impulse(row);
            let [a, b] = self.relaxation.rows[row].ends.map(|end| end as usize);
            let by = |end: usize, push: DVec3| if end < self.free { 0.0 } else { push.dot(self.before[end].linear) };
            by(a, impulse) + by(b, -impulse)
        };
        (0..self.listed.len()).map(work).sum()
    }

    /// The energy that the impulse of a row removes, J. By Kelvin's theorem, the work of an impulse is its product with
    /// the mean of the relative velocities before and after.
    fn loss(&self, row: usize) -> f64 {
        let of = &self.relaxation.rows[row];
        let [a, b] = of.ends.map(|end| end as usize);
        let contact = |place: usize, member: &SolverBody, sign: f64| {
            let radius = self.radii.get(place).copied().unwrap_or(0.0);
            member.at(of.normal * (sign * radius))
        };
        let after = |place: usize| if place < self.free { self.after(place) } else { self.before[place] };
        let relative = |before: [SolverBody; 2]| contact(b, &before[1], -1.0) - contact(a, &before[0], 1.0);
        let mean = (relative([self.alone(a), self.alone(b)]) + relative([after(a), after(b)])) * 0.5;
        -self.impulse(row).dot(mean) - self.couple_work(row, after)
    }

    /// The work of the couple of a row, J.
    fn couple_work(&self, row: usize, after: impl Fn(usize) -> SolverBody) -> f64 {
        let [a, b] = self.relaxation.rows[row].ends.map(|end| end as usize);
        let turning = self.alone(b).angular - self.alone(a).angular + after(b).angular - after(a).angular;
        self.couple(row).dot(turning * 0.5)
    }
}
