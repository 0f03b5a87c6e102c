//! Crowds: bodies that jostle so much that they advance in common ticks.
//!
//! In a heap that settles, thousands of impacts of micrometres a second follow on one another in a millisecond, and each
//! of them concerns everybody. Bodies that are looked at too often, and islands of too many contacts, therefore join
//! the crowd: its bodies get new velocities together, once a tick, and go straight in between (the time-stepping scheme
//! of Moreau, *Numerical aspects of the sweeping process*, Comput. Methods Appl. Mech. Eng. 177, 1999; Acary &
//! Brogliato 2008, ch. 10). What they must not run into is asked for as gaps at the end of the tick. The distance of
//! two convex bodies that go straight is a convex function of time, so gaps that are kept to first order are kept all
//! the way. With everybody else they meet exactly as before. Who has no company leaves, and who lies still rests.

mod around;
mod books;
mod close;
mod gather;
mod hold;
mod local;
mod relax;
mod rest;
mod state;
mod tick;
mod way;

use glam::DVec3;
use rest::Calm;
pub(super) use state::CrowdState;

use super::BodyId;
use super::column::Column;
use super::contact::{Contact, Footing, Surface};
use super::coupled::{JOINTS_MAX, Push};
use super::event::EventKind;
use super::island::Island;
use super::pair::Pair;
use super::settings::Settings;
use super::stepper::{RunError, Stepper};
use crate::motion::SimTime;
use crate::numeric::tolerance::TIME_MAX;

/// A tick takes at least as long as a fall through so many rest lengths, and at most as one through so many.
const FALL_LEAST: f64 = 4.0;
const FALL_MOST: f64 = 256.0;

/// In between, the fastest body goes this part of the smallest half extent in a tick.
const STRIDE: f64 = 1.0 / 16.0;

/// The gap that bodies of a crowd keep, in rest lengths, or as a part of what the fastest of them goes in a tick.
const GAP: f64 = 0.5;
const GAP_MOVING: f64 = 1.0 / 32.0;

/// The part of its weight up to which pushes leave a body still that is held: in a longest tick they would make it as fast
/// as a fall through the rest length.
const HELD: f64 = 1.0 / 16.0;

/// At how many instants in the time of a shortest tick a body may be looked at together with others.
pub(super) const LOOKS_MAX: u32 = 64;

/// The same where one of them goes round another or rubs: such ways have no closed form.
const LOOKS_MAX_HARD: u32 = 8;

/// Times these numbers at which it no longer waits for the next tick: friction that sticks and slips in turn may ask for a
/// look every few nanoseconds.
const PATIENCE: u32 = 4;

/// How often a body that rubs against nothing but walls may be looked at in that time. Between two of them friction may
/// wedge it: then slip that ends at one begins at the other, every few picoseconds.
const LOOKS_MAX_ALONE: u32 = PATIENCE * LOOKS_MAX_HARD;

/// How often a body may be looked at at one instant: then slips end and begin in turn, and time stands still.
const LOOKS_MAX_NOW: u32 = 32;

/// Who is in the crowd, and what holds between ticks.
#[derive(Debug, Clone)]
pub(super) struct Crowd {
    /// In the order of their ids.
    members: Vec<BodyId>,
    /// Who is in it from the next tick on.
    joining: Vec<BodyId>,
    /// Who pushed whom in the last tick, in the order of the pairs.
    touches: Vec<Touch>,
    /// For how long each body has been slow.
    calm: Column<Calm>,
    looks: Column<Looks>,
    /// Up to when gravity and pushes have given each member its motion.
    paid: Column<SimTime>,
    /// What they gave it for the present tick.
    given: Column<Given>,
}

/// How often a body was looked at together with others.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Looks {
    /// Instants.
    count: u32,
    since: SimTime,
    /// The last of them.
    last: Option<SimTime>,
}

impl Looks {
    const NONE: Self = Self { count: 0, since: SimTime::ZERO, last: None };
}

/// What a tick has added to a body's motion.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Given {
    /// m/s.
    linear: DVec3,
    /// rad/s.
    angular: DVec3,
    /// Length of the tick, s.
    tick: f64,
}

/// Two bodies of which at least one is in the crowd, and that touch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Touch {
    /// With the image counted through all periods ([`Pair::absolute`]).
    pair: Pair,
    part: u32,
    /// On b in the last tick, N.
    push: Push,
    /// Whether the log knows that they touch.
    told: bool,
}

impl Touch {
    fn key(&self) -> (Pair, u32) {
        (self.pair, self.part)
    }

    /// The one of this key among `touches`, which are in the order of their keys.
    fn find(touches: &[Self], key: (Pair, u32)) -> Option<&Self> {
        touches.binary_search_by_key(&key, Self::key).ok().map(|row| &touches[row])
    }
}

impl Settings {
    /// How long a tick of a crowd is at least and at most, s; none where nothing settles, or not in the time of the clock.
    fn ticks(&self) -> Option<[f64; 2]> {
        let fall = 2.0 * self.rest_length / self.gravity.length();
        let ticks = [FALL_LEAST, FALL_MOST].map(|lengths| (lengths * fall).sqrt());
        (ticks[0] > 0.0 && ticks[1] <= TIME_MAX).then_some(ticks)
    }

    /// The speed of a fall through the rest length: rebounds that are no faster are not seen, m/s.
    fn slowest_visible(&self) -> f64 {
        (2.0 * self.gravity.length() * self.rest_length).sqrt()
    }
}

impl Crowd {
    pub(super) fn with_bodies(count: usize) -> Self {
        Self {
            members: Vec::new(),
            joining: Vec::new(),
            touches: Vec::new(),
            calm: Column::new(Calm::from(SimTime::ZERO, 0.0), count),
            looks: Column::new(Looks::NONE, count),
            paid: Column::new(SimTime::ZERO, count),
            given: Column::new(Given::default(), count),
        }
    }
}

impl Stepper {
    pub(super) fn in_crowd(&self, id: BodyId) -> bool {
        self.scene.crowded[id.index()]
    }

    /// The instant to which a body's height belongs if its velocity is that of now.
    pub(super) fn counted_until(&self, id: BodyId) -> SimTime {
        if self.in_crowd(id) { self.now.max(*self.crowd.paid.get(id)) } else { self.now }
    }

    /// Notes that some free bodies are looked at together, or one that may be wedged; returns how often one of them was in the
    /// time of a tick.
    pub(super) fn note_looks(&mut self, bodies: &[BodyId], wedged: bool) -> u32 {
        let Some([tick, _]) = self.scene.settings.ticks() else { return 0 };
        let mut most = 0;
        for id in bodies {
            let looks = self.crowd.looks.get_mut(*id);
            if self.now.since(looks.since) > tick {
                *looks = Looks { count: 0, since: self.now, last: None };
            }
            let together = bodies.len() > 1 && looks.last.replace(self.now) != Some(self.now);
            looks.count += u32::from(together || wedged);
            most = most.max(looks.count);
        }
        most
    }

    /// An island that is too much to be looked at by itself joins the crowd; whether it does so now, and not with the next
    /// tick.
    pub(super) fn joins_crowd(&mut self, island: &Island) -> bool {
        let free = &island.bodies[..island.free];
        let ticks = self.scene.settings.ticks().is_some();
        // The problem of so many is no longer solved to rounding.
        let many = island.contacts.len() > JOINTS_MAX && ticks;
        let touches = free.iter().any(|&id| self.in_crowd(id));
        let rubs = |row: u32| self.scene.friction(self.scene.contacts.get(row).pair) > 0.0;
        let is_hard = |&row: &u32| self.scene.contacts.get(row).surface == Surface::Curved || rubs(row);
        let hard = island.contacts.iter().any(is_hard);
        let wedged = free.len() == 1 && island.contacts.iter().filter(|&&row| rubs(row)).count() > 1;
        let allowed = match (hard, free.len()) {
            (true, 1) => LOOKS_MAX_ALONE,
            (true, _) => LOOKS_MAX_HARD,
            (false, _) => LOOKS_MAX,
        };
        let looks = self.note_looks(free, wedged);
        let stands_still = ticks && free.first().is_some_and(|&id| self.looks.count(id, self.now) > LOOKS_MAX_NOW);
        if !(looks > allowed || many || touches || stands_still) {
            return false;
        }
        self.crowd.joining.extend(free);
        touches || wedged || stands_still || self.crowd.members.is_empty() || looks > PATIENCE * allowed
    }

    pub(super) fn is_with_crowd(&self, pair: Pair) -> bool {
        self.in_crowd(pair.a) || self.in_crowd(pair.b)
    }

    /// Bodies run into the crowd: they join it, and the tick ends here. What its bodies have been given for the rest of the
    /// tick is not theirs yet, so that nothing can bounce off their velocities as they are.
    pub(super) fn run_into_crowd(&mut self, bodies: Vec<BodyId>) -> Result<(), RunError> {
        self.crowd.joining.extend(bodies);
        self.tick()
    }

    /// Free bodies join the crowd, with all that hangs together with them.
    pub(super) fn admit(&mut self, bodies: &[BodyId]) {
        let mut left: Vec<BodyId> = bodies.iter().copied().filter(|&id| !self.in_crowd(id)).collect();
        let mut joined = Vec::new();
        while let Some(id) = left.pop() {
            if std::mem::replace(&mut self.scene.crowded[id.index()], true) {
                continue;
            }
            self.scene.rows.lines.set_general(id);
            self.crowd.calm.set(id, Calm::from(self.now, 0.0));
            joined.push(id);
            for row in self.scene.contacts.of(id).to_vec() {
                let contact = self.part(row);
                left.extend(self.free_of(contact.pair));
                self.keep_touch(&contact);
            }
        }
        for &id in &joined {
            self.crowd.paid.set(id, self.now);
            self.put_footing(id, Footing::none(self.now));
        }
        self.crowd.members.extend(&joined);
        self.crowd.members.sort_unstable();
        self.crowd.touches.sort_by_key(Touch::key);
        joined.into_iter().for_each(|id| self.predict(id));
    }

    /// A contact becomes a touch.
    fn keep_touch(&mut self, contact: &Contact) {
        let told = contact.met.is_none_or(|met| met.again);
        if contact.met.is_some() {
            self.log_contact(EventKind::Impact, contact);
        }
        self.crowd.touches.push(Touch { pair: contact.pair, part: contact.part, push: contact.push, told });
    }

    /// Bodies leave the crowd; what comes next for them is yet to be predicted.
    fn dismiss(&mut self, bodies: &[BodyId]) {
        for id in bodies {
            self.scene.crowded[id.index()] = false;
            self.scene.due.set(*id, None);
            self.crowd.looks.set(*id, Looks { since: self.now, ..Looks::NONE });
        }
        let crowded = &self.scene.crowded;
        self.crowd.members.retain(|id| crowded[id.index()]);
    }
}
