//! Sleep: members of the time stepping that leave it, because they have no neighbours or are at rest.
//!
//! A member without neighbours is advanced by events again. A cluster of slow bodies only falls asleep: its
//! bodies get a velocity of exactly zero and lasting contacts.

use glam::DVec3;

use super::accounts::{book_change, log_release, take_back_increments};
use super::members::dismiss;
use super::problem::StepProblem;
use super::state::{SleepTimer, StepContact, TimeStepping, UPDATES_MAX_ALONE, UPDATES_MAX_NOW};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::contact::lifecycle::log_contact;
use crate::dynamics::contact::{Contact, Reaction, is_rest};
use crate::dynamics::error::RunError;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::geometry::gap;
use crate::motion::Spin;

/// Sleep: a body too slow to rise by a rest length, and not accelerating, for so many of the longest steps is stopped.
/// It falls asleep if all bodies of its cluster may be stopped.
const STEPS_SLOW: f64 = 64.0;

/// A body that has been slow for so many of the longest steps may be frozen.
const STEPS_QUIET: f64 = 16.0;

/// A body that was wedged between walls remains a member for so many of the longest steps: it comes to rest, or moves
/// to where nothing wedges it.
const STEPS_WEDGED: f64 = 2.0 * STEPS_SLOW;

/// Factor by which a body may become faster and still count as slow: for the residuals of the solver.
const FASTER: f64 = 1.0625;

/// Fraction of the speed of a fall through the rest length below which speeds count as equal.
const SLOWEST: f64 = 1.0 / 16.0;

/// Whether a body has been slow for long enough to be frozen.
pub(super) fn is_quiet(parts: &Parts, id: BodyId) -> bool {
    let Some([_, step_length]) = parts.scene.settings.step_lengths() else { return false };
    parts.scene.now.since(parts.time_stepping.sleep_timers.get(id).since) >= STEPS_QUIET * step_length
}

/// The members that have no neighbours but walls, were not wedged between these, and move forward in time.
pub(super) fn isolated(parts: &Parts, problem: &StepProblem) -> Vec<BodyId> {
    let (mut company, mut rubbing) = (vec![false; problem.free], vec![0_u32; problem.free]);
    for candidate in &problem.candidates {
        let (free, rubs) =
            (parts.scene.free_of(candidate.pair).count() == 2, parts.scene.friction(candidate.pair) > 0.0);
        for end in candidate.ends.into_iter().filter(|&end| end < problem.free) {
            company[end] |= free;
            rubbing[end] += u32::from(rubs);
        }
    }
    let stays = |place: usize| {
        let id = problem.bodies[place];
        company[place] || stands_still(parts, id) || (rubbing[place] > 1 && was_wedged(parts, id))
    };
    (0..problem.free).filter(|&place| !stays(place)).map(|place| problem.bodies[place]).collect()
}

/// Whether a body had too many contact updates recently.
fn was_wedged(parts: &Parts, id: BodyId) -> bool {
    let Some([_, step_length]) = parts.scene.settings.step_lengths() else { return false };
    let updates = parts.time_stepping.updates.get(id);
    updates.count > UPDATES_MAX_ALONE && parts.scene.now.since(updates.since) < STEPS_WEDGED * step_length
}

/// Whether a body had too many contact updates at this instant.
fn stands_still(parts: &Parts, id: BodyId) -> bool {
    parts.counters.updates.of(id, parts.scene.now) > UPDATES_MAX_NOW
}

/// Puts each cluster to sleep in which all bodies are slow.
pub(super) fn put_to_rest(parts: &mut Parts, problem: &StepProblem) -> Result<(), RunError> {
    update_sleep_timers(parts, problem);
    let Some([_, step_length]) = parts.scene.settings.step_lengths() else { return Ok(()) };
    let is_slow = |id: &BodyId| {
        parts.scene.now.since(parts.time_stepping.sleep_timers.get(*id).since) >= STEPS_SLOW * step_length
    };
    let slow: Vec<bool> = problem.bodies[..problem.free].iter().map(is_slow).collect();
    if !slow.contains(&true) {
        return Ok(());
    }
    let roots = clusters(problem);
    let mut still = vec![true; problem.free];
    slow.iter().zip(&roots).for_each(|(slow, &root)| still[root] &= slow);
    let resting = (0..problem.free).filter(|&place| still[roots[place]]).map(|place| problem.bodies[place]);
    put_to_sleep(parts, &resting.collect::<Vec<_>>())
}

/// Updates for how long each body has been slow.
fn update_sleep_timers(parts: &mut Parts, problem: &StepProblem) {
    let fall = parts.scene.settings.slowest_visible();
    for &id in &problem.bodies[..problem.free] {
        // No contact resists a spin about the normal: it ends when the body is stopped.
        let speed = parts.scene.rows.path(id).velocity_at(parts.scene.now).length();
        let timer = parts.time_stepping.sleep_timers.get_mut(id);
        if speed > fall.min(FASTER * timer.speed.max(SLOWEST * fall)) {
            *timer = SleepTimer::from(parts.scene.now, speed);
        }
    }
}

/// Stops the members that have been slow for long.
///
/// This is the same cutoff as for rebounds: a member too slow to rise by a rest length, and not accelerating, is
/// stopped. Otherwise a ball in a smooth hollow would oscillate for ever.
pub(super) fn stop_slow(parts: &mut Parts) -> Result<(), RunError> {
    let Some([_, step_length]) = parts.scene.settings.step_lengths() else { return Ok(()) };
    for place in 0..parts.time_stepping.members.len() {
        let id = parts.time_stepping.members[place];
        let timer = parts.time_stepping.sleep_timers.get_mut(id);
        if parts.scene.now.since(timer.stopped) >= STEPS_SLOW * step_length {
            (timer.stopped, timer.speed) = (parts.scene.now, 0.0);
            stop(parts, id)?;
        }
    }
    Ok(())
}

/// Gives bodies at rest a velocity of exactly zero and lasting contacts.
fn put_to_sleep(parts: &mut Parts, bodies: &[BodyId]) -> Result<(), RunError> {
    if bodies.is_empty() {
        return Ok(());
    }
    let theirs = parts.time_stepping.take_contacts(bodies);
    for &id in bodies {
        stop(parts, id)?;
    }
    dismiss(parts, bodies);
    for step_contact in &theirs {
        add_resting_contact(parts, step_contact);
    }
    bodies.iter().for_each(|&id| parts.changed.body(id));
    Ok(())
}

/// Sets the velocity of a body to zero.
fn stop(parts: &mut Parts, id: BodyId) -> Result<(), RunError> {
    let member = parts.scene.member(id, parts.scene.now);
    book_change(
        parts,
        &member,
        &member.stopped(),
        parts.time_stepping.velocity_until.get(id).since(parts.scene.now).max(0.0),
    );
    parts.begin_path(id, DVec3::ZERO, DVec3::ZERO, Spin::default())
}

/// A contact of the time stepping becomes a lasting contact.
fn add_resting_contact(parts: &mut Parts, step_contact: &StepContact) {
    if step_contact.push.normal <= 0.0 {
        if step_contact.is_logged {
            log_release(parts, step_contact);
        }
        return;
    }
    let seen = step_contact.pair.as_seen_from_path(&parts.scene.rows);
    let normal = parts.scene.normal_of(seen, step_contact.part);
    let surface = parts.scene.surface(seen, normal, step_contact.part);
    let contact = Contact::new(step_contact.pair, step_contact.part, normal, surface, parts.scene.now, None);
    let contact = Contact { push: step_contact.push, ..contact };
    parts.scene.contacts.add(contact, &parts.scene.rows);
    parts.scene.free_of(step_contact.pair).for_each(|id| parts.scene.rows.records.mark_not_ballistic(id));
    if !step_contact.is_logged {
        log_contact(parts, EventKind::Rest, &contact);
    }
}

/// Members without neighbours are advanced by events again, with their contacts.
pub(super) fn set_free(parts: &mut Parts, bodies: &[BodyId]) -> Result<(), RunError> {
    let gravity = parts.scene.settings.gravity;
    let theirs = parts.time_stepping.take_contacts(bodies);
    for &id in bodies {
        stop_invisible(parts, id, &theirs)?;
        let member = parts.scene.member(id, parts.scene.now);
        let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
        parts.begin_path(id, member.linear, gravity, spin)?;
        parts.put_reaction(id, Reaction::none(parts.scene.now));
    }
    dismiss(parts, bodies);
    for step_contact in &theirs {
        // The force between two free bodies that are now far apart has ended.
        let push = if parts.scene.free_of(step_contact.pair).count() == 2 {
            ContactImpulse::default()
        } else {
            step_contact.push
        };
        add_resting_contact(parts, &StepContact { push, ..*step_contact });
    }
    for &id in bodies {
        parts.scene.set_due(id, parts.scene.now);
        parts.changed.body(id);
    }
    Ok(())
}

/// Ends the present time step, so that a new one begins at this instant, after a change from outside.
pub(in crate::dynamics) fn interrupt_time_step(parts: &mut Parts) -> Result<(), RunError> {
    take_back_increments(parts)?;
    for id in parts.time_stepping.members.clone() {
        parts.scene.set_due(id, parts.scene.now);
        parts.changed.body(id);
    }
    Ok(())
}

/// Removes a despawned body and its contacts from the time stepping.
pub(in crate::dynamics) fn leave_time_stepping(parts: &mut Parts, id: BodyId) {
    parts.time_stepping.joining.retain(|&other| other != id);
    let ended = parts.time_stepping.take_contacts(&[id]);
    ended
        .iter()
        .filter(|step_contact| step_contact.is_logged)
        .for_each(|step_contact| log_release(parts, step_contact));
    if parts.scene.is_time_stepped(id) {
        dismiss(parts, &[id]);
    }
}

/// Stops a body that is pressed against others and is too slow to rise by a rest length.
fn stop_invisible(parts: &mut Parts, id: BodyId, contacts: &[StepContact]) -> Result<(), RunError> {
    let Settings { gravity, rest_length, .. } = parts.scene.settings;
    let pressed = contacts
        .iter()
        .any(|step_contact| (step_contact.pair.a == id || step_contact.pair.b == id) && step_contact.push.normal > 0.0);
    let speed = parts.scene.member(id, parts.scene.now).linear.length();
    if pressed && is_rest(speed, gravity.length(), rest_length) { stop(parts, id) } else { Ok(()) }
}

impl Scene {
    /// The normal of two bodies at the present.
    pub(super) fn normal_of(&self, pair: Pair, part: u32) -> DVec3 {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let [a, b] = self.solids(pair, part);
        gap(a, b, motion.position).map_or(DVec3::X, |gap| gap.normal)
    }
}

impl TimeStepping {
    /// Removes and returns the contacts of some bodies.
    fn take_contacts(&mut self, bodies: &[BodyId]) -> Vec<StepContact> {
        let is_theirs = |id: BodyId| bodies.binary_search(&id).is_ok();
        let contacts = std::mem::take(&mut self.contacts);
        let (theirs, left) = contacts
            .into_iter()
            .partition(|step_contact| is_theirs(step_contact.pair.a) || is_theirs(step_contact.pair.b));
        self.contacts = left;
        theirs
    }
}

/// For each member the smallest place in its cluster: members are in one cluster if they are candidates directly or
/// through others.
fn clusters(problem: &StepProblem) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..problem.free).collect();
    for [one, other] in problem.candidates.iter().map(|candidate| candidate.ends) {
        if one.max(other) < problem.free {
            let (a, b) = (root(&mut roots, one), root(&mut roots, other));
            let least = a.min(b);
            (roots[a], roots[b]) = (least, least);
        }
    }
    (0..problem.free).map(|place| root(&mut roots, place)).collect()
}

fn root(roots: &mut [usize], mut place: usize) -> usize {
    while roots[place] != place {
        roots[place] = roots[roots[place]];
        place = roots[place];
    }
    place
}
