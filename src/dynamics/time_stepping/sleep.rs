//! Sleep: members of the time stepping that leave it, because they have no neighbours or are at rest.

use glam::DVec3;

use super::accounts::{book_change, recall_all, tell_end};
use super::members::dismiss;
use super::problem::StepProblem;
use super::state::{LOOKS_MAX_ALONE, LOOKS_MAX_NOW, SleepTimer, StepContact, TimeStepping};
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
const TICKS_SLOW: f64 = 64.0;

/// A body that has been slow for so many of the longest steps may be frozen.
const TICKS_QUIET: f64 = 16.0;

/// A body that was wedged between walls remains a member for so many of the longest steps: it comes to rest, or moves
/// to where nothing wedges it.
const TICKS_WEDGED: f64 = 2.0 * TICKS_SLOW;

/// Factor by which a body may become faster and still count as slow: for the residuals of the solver.
const FASTER: f64 = 1.0625;

/// Fraction of the speed of a fall through the rest length below which speeds count as equal.
const SLOWEST: f64 = 1.0 / 16.0;

/// Whether a body has been slow for long enough to be frozen.
pub(super) fn is_quiet(parts: &Parts, id: BodyId) -> bool {
    let Some([_, tick]) = parts.scene.settings.ticks() else { return false };
    parts.scene.now.since(parts.time_stepping.calm.get(id).since) >= TICKS_QUIET * tick
}

/// The members that have no neighbours but walls, were not wedged between these, and move forward in time.
pub(super) fn lonely(parts: &Parts, problem: &StepProblem) -> Vec<BodyId> {
    let (mut company, mut rubbing) = (vec![false; problem.free], vec![0_u32; problem.free]);
    for near in &problem.candidates {
        let (free, rubs) = (parts.scene.free_of(near.pair).count() == 2, parts.scene.friction(near.pair) > 0.0);
        for end in near.ends.into_iter().filter(|&end| end < problem.free) {
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
    let Some([_, tick]) = parts.scene.settings.ticks() else { return false };
    let looks = parts.time_stepping.looks.get(id);
    looks.count > LOOKS_MAX_ALONE && parts.scene.now.since(looks.since) < TICKS_WEDGED * tick
}

/// Whether a body had too many contact updates at this instant.
fn stands_still(parts: &Parts, id: BodyId) -> bool {
    parts.counters.looks.of(id, parts.scene.now) > LOOKS_MAX_NOW
}

/// Puts the clusters to sleep all of whose bodies are slow.
pub(super) fn put_to_rest(parts: &mut Parts, problem: &StepProblem) -> Result<(), RunError> {
    note_calm(parts, problem);
    let Some([_, tick]) = parts.scene.settings.ticks() else { return Ok(()) };
    let is_slow = |id: &BodyId| parts.scene.now.since(parts.time_stepping.calm.get(*id).since) >= TICKS_SLOW * tick;
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
fn note_calm(parts: &mut Parts, problem: &StepProblem) {
    let fall = parts.scene.settings.slowest_visible();
    for &id in &problem.bodies[..problem.free] {
        // No contact resists a spin about the normal: it ends when the body is stopped.
        let speed = parts.scene.rows.path(id).velocity_at(parts.scene.now).length();
        let calm = parts.time_stepping.calm.get_mut(id);
        if speed > fall.min(FASTER * calm.speed.max(SLOWEST * fall)) {
            *calm = SleepTimer::from(parts.scene.now, speed);
        }
    }
}

/// Stops the members that have been slow for long.
///
/// This is the same cutoff as for rebounds: a member too slow to rise by a rest length, and not accelerating, is
/// stopped. Otherwise a ball in a smooth hollow would oscillate for ever.
pub(super) fn stop_slow(parts: &mut Parts) -> Result<(), RunError> {
    let Some([_, tick]) = parts.scene.settings.ticks() else { return Ok(()) };
    for place in 0..parts.time_stepping.members.len() {
        let id = parts.time_stepping.members[place];
        let calm = parts.time_stepping.calm.get_mut(id);
        if parts.scene.now.since(calm.stopped) >= TICKS_SLOW * tick {
            (calm.stopped, calm.speed) = (parts.scene.now, 0.0);
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
    let theirs = parts.time_stepping.take_touches(bodies);
    for &id in bodies {
        stop(parts, id)?;
    }
    dismiss(parts, bodies);
    for touch in &theirs {
        add_resting_contact(parts, touch);
    }
    bodies.iter().for_each(|&id| parts.changed.body(id));
    Ok(())
}

/// Sets the velocity of a body to zero.
fn stop(parts: &mut Parts, id: BodyId) -> Result<(), RunError> {
    let member = parts.scene.member(id, parts.scene.now);
    book_change(parts, &member, &member.stopped(), parts.time_stepping.paid.get(id).since(parts.scene.now).max(0.0));
    parts.begin_path(id, DVec3::ZERO, DVec3::ZERO, Spin::default())
}

/// A contact of the time stepping becomes a lasting contact.
fn add_resting_contact(parts: &mut Parts, touch: &StepContact) {
    if touch.push.normal <= 0.0 {
        if touch.told {
            tell_end(parts, touch);
        }
        return;
    }
    let seen = touch.pair.as_seen_from_path(&parts.scene.rows);
    let normal = parts.scene.normal_of(seen, touch.part);
    let surface = parts.scene.surface(seen, normal, touch.part);
    let contact = Contact::new(touch.pair, touch.part, normal, surface, parts.scene.now, None);
    let contact = Contact { push: touch.push, ..contact };
    parts.scene.contacts.add(contact, &parts.scene.rows);
    parts.scene.free_of(touch.pair).for_each(|id| parts.scene.rows.records.mark_not_ballistic(id));
    if !touch.told {
        log_contact(parts, EventKind::Rest, &contact);
    }
}

/// Members without neighbours are advanced by events again, with their contacts.
pub(super) fn set_free(parts: &mut Parts, bodies: &[BodyId]) -> Result<(), RunError> {
    let gravity = parts.scene.settings.gravity;
    let theirs = parts.time_stepping.take_touches(bodies);
    for &id in bodies {
        stop_invisible(parts, id, &theirs)?;
        let member = parts.scene.member(id, parts.scene.now);
        let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
        parts.begin_path(id, member.linear, gravity, spin)?;
        parts.put_reaction(id, Reaction::none(parts.scene.now));
    }
    dismiss(parts, bodies);
    for touch in &theirs {
        // The force between two free bodies that are now far apart has ended.
        let push = if parts.scene.free_of(touch.pair).count() == 2 { ContactImpulse::default() } else { touch.push };
        add_resting_contact(parts, &StepContact { push, ..*touch });
    }
    for &id in bodies {
        parts.scene.set_due(id, parts.scene.now);
        parts.changed.body(id);
    }
    Ok(())
}

/// Ends the present time step, so that a new one begins at this instant, after a change from outside.
pub(in crate::dynamics) fn interrupt_crowd(parts: &mut Parts) -> Result<(), RunError> {
    recall_all(parts)?;
    for id in parts.time_stepping.members.clone() {
        parts.scene.set_due(id, parts.scene.now);
        parts.changed.body(id);
    }
    Ok(())
}

/// Removes a despawned body and its contacts from the time stepping.
pub(in crate::dynamics) fn leave_crowd(parts: &mut Parts, id: BodyId) {
    parts.time_stepping.joining.retain(|&other| other != id);
    let ended = parts.time_stepping.take_touches(&[id]);
    ended.iter().filter(|touch| touch.told).for_each(|touch| tell_end(parts, touch));
    if parts.scene.in_crowd(id) {
        dismiss(parts, &[id]);
    }
}

/// Stops a body that is pressed against others and is too slow to rise by a rest length.
fn stop_invisible(parts: &mut Parts, id: BodyId, touches: &[StepContact]) -> Result<(), RunError> {
    let Settings { gravity, rest_length, .. } = parts.scene.settings;
    let pressed = touches.iter().any(|touch| (touch.pair.a == id || touch.pair.b == id) && touch.push.normal > 0.0);
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
    fn take_touches(&mut self, bodies: &[BodyId]) -> Vec<StepContact> {
        let is_theirs = |id: BodyId| bodies.binary_search(&id).is_ok();
        let touches = std::mem::take(&mut self.touches);
        let (theirs, left) = touches.into_iter().partition(|touch| is_theirs(touch.pair.a) || is_theirs(touch.pair.b));
        self.touches = left;
        theirs
    }
}

/// For each member the smallest place in its cluster: members are in one cluster if they are candidates directly or
/// through others.
fn clusters(problem: &StepProblem) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..problem.free).collect();
    for [one, other] in problem.candidates.iter().map(|near| near.ends) {
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
