//! Who leaves the crowd: bodies without company, and those that lie still.

use glam::DVec3;

use super::super::BodyId;
use super::super::contact::{Contact, Footing, is_rest};
use super::super::coupled::Push;
use super::super::event::EventKind;
use super::super::pair::Pair;
use super::super::settings::Settings;
use super::super::stepper::{RunError, Stepper};
use super::gather::Throng;
use super::{LOOKS_MAX_ALONE, LOOKS_MAX_NOW, Touch};
use crate::geometry::gap;
use crate::motion::{SimTime, Spin};

/// A body that could not rise by a rest length and has not become faster for so many of the longest ticks is stopped, and
/// lies still when all that are near it could be stopped too.
const TICKS_SLOW: f64 = 64.0;

/// A body that has been slow for so many of them may be held.
const TICKS_QUIET: f64 = 16.0;

/// One that was wedged between walls stays for so many of them: it comes to rest, or goes where nothing wedges it.
const TICKS_WEDGED: f64 = 2.0 * TICKS_SLOW;

/// By how much it may have become faster all the same: what solving leaves.
const FASTER: f64 = 1.0625;

/// Part of the speed of a fall through the rest length below which speeds are not told from each other.
const SLOWEST: f64 = 1.0 / 16.0;

/// For how long a body has been slow.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Calm {
    /// Since when it was slow and became no faster.
    since: SimTime,
    /// How fast it was then, m/s.
    speed: f64,
    /// When it was last stopped, or began to be slow.
    stopped: SimTime,
}

impl Calm {
    /// From `now` on a body is no faster than `speed`, m/s.
    pub(super) fn from(now: SimTime, speed: f64) -> Self {
        Self { since: now, speed, stopped: now }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.speed.is_finite()
    }
}

impl Stepper {
    /// Whether a body has been slow for long enough to be held.
    pub(super) fn is_quiet(&self, id: BodyId) -> bool {
        let Some([_, tick]) = self.scene.settings.ticks() else { return false };
        self.now.since(self.crowd.calm.get(id).since) >= TICKS_QUIET * tick
    }

    /// Who has nobody but walls around, was not wedged between them and goes on in time.
    pub(super) fn lonely(&self, throng: &Throng) -> Vec<BodyId> {
        let (mut company, mut rubbing) = (vec![false; throng.free], vec![0_u32; throng.free]);
        for near in &throng.nears {
            let (free, rubs) = (self.free_of(near.pair).count() == 2, self.scene.friction(near.pair) > 0.0);
            for end in near.ends.into_iter().filter(|&end| end < throng.free) {
                company[end] |= free;
                rubbing[end] += u32::from(rubs);
            }
        }
        let stays = |place: usize| {
            let id = throng.bodies[place];
            company[place] || self.stands_still(id) || (rubbing[place] > 1 && self.was_wedged(id))
        };
        (0..throng.free).filter(|&place| !stays(place)).map(|place| throng.bodies[place]).collect()
    }

    /// Whether a body was looked at too often, not so long ago that it would be at rest.
    fn was_wedged(&self, id: BodyId) -> bool {
        let Some([_, tick]) = self.scene.settings.ticks() else { return false };
        let looks = self.crowd.looks.get(id);
        looks.count > LOOKS_MAX_ALONE && self.now.since(looks.since) < TICKS_WEDGED * tick
    }

    /// Whether a body has been looked at again and again at this instant.
    fn stands_still(&self, id: BodyId) -> bool {
        self.looks.of(id, self.now) > LOOKS_MAX_NOW
    }

    /// Puts to rest those of whom everybody near is slow.
    pub(super) fn put_to_rest(&mut self, throng: &Throng) -> Result<(), RunError> {
        self.note_calm(throng);
        let Some([_, tick]) = self.scene.settings.ticks() else { return Ok(()) };
        let is_slow = |id: &BodyId| self.now.since(self.crowd.calm.get(*id).since) >= TICKS_SLOW * tick;
        let slow: Vec<bool> = throng.bodies[..throng.free].iter().map(is_slow).collect();
        if !slow.contains(&true) {
            return Ok(());
        }
        let roots = clusters(throng);
        let mut still = vec![true; throng.free];
        slow.iter().zip(&roots).for_each(|(slow, &root)| still[root] &= slow);
        let resting = (0..throng.free).filter(|&place| still[roots[place]]).map(|place| throng.bodies[place]);
        self.lie_down(&resting.collect::<Vec<_>>())
    }

    /// Counts for how long everybody has been slow.
    fn note_calm(&mut self, throng: &Throng) {
        let fall = self.scene.settings.slowest_visible();
        for &id in &throng.bodies[..throng.free] {
            // Nothing resists a spin on the spot: it ends when the body is stopped.
            let speed = self.scene.rows.path(id).velocity_at(self.now).length();
            let calm = self.crowd.calm.get_mut(id);
            if speed > fall.min(FASTER * calm.speed.max(SLOWEST * fall)) {
                *calm = Calm::from(self.now, speed);
            }
        }
    }

    /// Stops who has been slow for long.
    ///
    /// As with a rebound that nobody would see: a body of a crowd that could not rise by a rest length and does not become
    /// faster is stopped. Else a ball in a smooth hollow would swing for ever.
    pub(super) fn stop_slow(&mut self) -> Result<(), RunError> {
        let Some([_, tick]) = self.scene.settings.ticks() else { return Ok(()) };
        for place in 0..self.crowd.members.len() {
            let id = self.crowd.members[place];
            let calm = self.crowd.calm.get_mut(id);
            if self.now.since(calm.stopped) >= TICKS_SLOW * tick {
                (calm.stopped, calm.speed) = (self.now, 0.0);
                self.stop(id)?;
            }
        }
        Ok(())
    }

    /// Bodies that lie still get a velocity of exactly zero, and contacts.
    fn lie_down(&mut self, bodies: &[BodyId]) -> Result<(), RunError> {
        if bodies.is_empty() {
            return Ok(());
        }
        let theirs = self.take_touches(bodies);
        for &id in bodies {
            self.stop(id)?;
        }
        self.dismiss(bodies);
        for touch in &theirs {
            self.lay(touch);
        }
        bodies.iter().for_each(|&id| self.predict(id));
        Ok(())
    }

    /// Takes a body's last motion off.
    fn stop(&mut self, id: BodyId) -> Result<(), RunError> {
        let member = self.scene.member(id, self.now);
        self.book_change(&member, &member.stopped(), self.crowd.paid.get(id).since(self.now).max(0.0));
        self.begin_path(id, DVec3::ZERO, DVec3::ZERO, Spin::default())
    }

    /// A touch becomes a contact.
    fn lay(&mut self, touch: &Touch) {
        if touch.push.normal <= 0.0 {
            if touch.told {
                self.tell_end(touch);
            }
            return;
        }
        let seen = touch.pair.as_seen_from_path(&self.scene.rows);
        let normal = self.normal_of(seen, touch.part);
        let surface = self.surface(seen, normal, touch.part);
        let contact = Contact::new(touch.pair, touch.part, normal, surface, self.now, None);
        let contact = Contact { push: touch.push, ..contact };
        self.scene.contacts.add(contact, &self.scene.rows);
        self.free_of(touch.pair).for_each(|id| self.scene.rows.lines.set_general(id));
        if !touch.told {
            self.log_contact(EventKind::Rest, &contact);
        }
    }

    /// The direction in which two bodies touch.
    pub(super) fn normal_of(&self, pair: Pair, part: u32) -> DVec3 {
        let motion = pair.motion(&self.scene.rows, &self.scene.settings.space, self.now);
        let [a, b] = self.scene.solids(pair, part);
        gap(a, b, motion.position).map_or(DVec3::X, |gap| gap.normal)
    }

    /// Bodies without company go on by themselves, in touch with what they touched.
    pub(super) fn set_free(&mut self, bodies: &[BodyId]) -> Result<(), RunError> {
        let gravity = self.scene.settings.gravity;
        let theirs = self.take_touches(bodies);
        for &id in bodies {
            self.stop_invisible(id, &theirs)?;
            let member = self.scene.member(id, self.now);
            let spin = Spin { velocity: member.angular, acceleration: DVec3::ZERO };
            self.begin_path(id, member.linear, gravity, spin)?;
            self.put_footing(id, Footing::none(self.now));
        }
        self.dismiss(bodies);
        for touch in &theirs {
            // What pushed a body that is now far away pushes no more.
            let push = if self.free_of(touch.pair).count() == 2 { Push::default() } else { touch.push };
            self.lay(&Touch { push, ..*touch });
        }
        for &id in bodies {
            self.scene.set_due(id, self.now);
            self.predict(id);
        }
        Ok(())
    }

    /// The crowd's tick ends here, and a new one begins at this instant: something from outside has changed.
    pub(in crate::dynamics) fn interrupt_crowd(&mut self) -> Result<(), RunError> {
        self.recall_all()?;
        for id in self.crowd.members.clone() {
            self.scene.set_due(id, self.now);
            self.predict(id);
        }
        Ok(())
    }

    /// A body that will be no more leaves the crowd, and what it touched there.
    pub(in crate::dynamics) fn leave_crowd(&mut self, id: BodyId) {
        self.crowd.joining.retain(|&other| other != id);
        let ended = self.take_touches(&[id]);
        ended.iter().filter(|touch| touch.told).for_each(|touch| self.tell_end(touch));
        if self.in_crowd(id) {
            self.dismiss(&[id]);
        }
    }

    /// Stops a body that is pressed against others and could not rise by a rest length.
    fn stop_invisible(&mut self, id: BodyId, touches: &[Touch]) -> Result<(), RunError> {
        let Settings { gravity, rest_length, .. } = self.scene.settings;
        let pressed = touches.iter().any(|touch| (touch.pair.a == id || touch.pair.b == id) && touch.push.normal > 0.0);
        let speed = self.scene.member(id, self.now).linear.length();
        if pressed && is_rest(speed, gravity.length(), rest_length) { self.stop(id) } else { Ok(()) }
    }

    /// Takes the touches of some bodies out of the crowd.
    fn take_touches(&mut self, bodies: &[BodyId]) -> Vec<Touch> {
        let is_theirs = |id: BodyId| bodies.binary_search(&id).is_ok();
        let touches = std::mem::take(&mut self.crowd.touches);
        let (theirs, left) = touches.into_iter().partition(|touch| is_theirs(touch.pair.a) || is_theirs(touch.pair.b));
        self.crowd.touches = left;
        theirs
    }
}

/// For each body the least place among those that are near it, directly or through others.
fn clusters(throng: &Throng) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..throng.free).collect();
    for [one, other] in throng.nears.iter().map(|near| near.ends) {
        if one.max(other) < throng.free {
            let (a, b) = (root(&mut roots, one), root(&mut roots, other));
            let least = a.min(b);
            (roots[a], roots[b]) = (least, least);
        }
    }
    (0..throng.free).map(|place| root(&mut roots, place)).collect()
}

fn root(roots: &mut [usize], mut place: usize) -> usize {
    while roots[place] != place {
        roots[place] = roots[roots[place]];
        place = roots[place];
    }
    place
}
