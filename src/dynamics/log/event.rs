//! The events of the log: plain data, written in the step loop and read afterwards.
//!
//! An [`Event`] is one line of the log. A [`Knot`] is the beginning of a path of a tracked body. Both are complete: no
//! reader needs the state of the world.

use std::fmt;
use std::str::FromStr;

use glam::DVec3;
use thiserror::Error;

use crate::dynamics::BodyId;
use crate::motion::{Path, SimTime, Spin};

/// What happened at an event.
///
/// ```
/// use carom::EventKind;
///
/// assert_eq!("impact".parse(), Ok(EventKind::Impact));
/// assert_eq!(EventKind::Sleep.to_string(), "sleep");
/// let one_body = EventKind::ALL.into_iter().filter(|kind| kind.has_one_body()).map(EventKind::name);
/// assert_eq!(one_body.collect::<Vec<_>>(), ["join", "quit", "sleep", "wake"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EventKind {
    /// Velocities jumped: `a` and `b` had an impact with a rebound.
    Impact,
    /// `a` began to overlap the sensor `b`.
    Enter,
    /// `a` no longer overlaps the sensor `b`.
    Leave,
    /// `a` had an impact with `b` too slow to bounce visibly. It rests or slides on `b` from now on.
    Rest,
    /// `a` is no longer in contact with `b`: it slid off, was lifted, or had an impact.
    Release,
    /// `a` no longer slides on `b`: it rolls or sticks from now on.
    Stick,
    /// `a`, which rolled or stuck, slides on `b` from now on.
    Slip,
    /// `a` and `b` had an impact so soon after others that their bounces would follow without end. This impact has no
    /// rebound.
    Collapse,
    /// `a` is advanced by time steps from now on, also if it slept until now.
    Join,
    /// `a` is no longer advanced by time steps: it goes on by events, or is despawned.
    Quit,
    /// `a`, which was advanced by time steps, sleeps: it has a velocity of exactly zero until its contacts change.
    Sleep,
    /// `a` no longer sleeps: its contacts have changed and it goes on by events, or it is despawned.
    Wake,
}

impl EventKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 12] = [
        Self::Impact,
        Self::Enter,
        Self::Leave,
        Self::Rest,
        Self::Release,
        Self::Stick,
        Self::Slip,
        Self::Collapse,
        Self::Join,
        Self::Quit,
        Self::Sleep,
        Self::Wake,
    ];

    /// The word of each of [all](Self::ALL), which are in the order of their declaration.
    const NAMES: [&str; 12] =
        ["impact", "enter", "leave", "rest", "release", "stick", "slip", "collapse", "join", "quit", "sleep", "wake"];

    /// The word in the log.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether such an event has one body only: `a`.
    #[doc(hidden)]
    pub const fn has_one_body(self) -> bool {
        matches!(self, Self::Join | Self::Quit | Self::Sleep | Self::Wake)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no kind of event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no kind of event is called `{0}`")]
pub struct UnknownEventKind(String);

impl FromStr for EventKind {
    type Err = UnknownEventKind;

    fn from_str(text: &str) -> Result<Self, UnknownEventKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| UnknownEventKind(text.to_owned()))
    }
}

/// One line of the event log.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, EventKind, Settings, World};
///
/// let ball = |x: f64| Body::sphere(0.5, 3.0).unwrap().at(DVec3::X * x);
/// let bodies = [("cue", ball(0.0).moving(DVec3::X)), ("eight", ball(2.0))];
/// let mut world = World::new(Settings::default(), bodies).unwrap();
/// world.step(2.0).unwrap();
/// let event = world.take_events()[0];
/// assert_eq!((event.kind, event.time.seconds()), (EventKind::Impact, 1.0));
/// assert_eq!((world.name(event.a), event.partner()), ("cue", world.id("eight")));
/// assert_eq!((event.point, event.normal), (DVec3::X * 1.5, DVec3::X));
/// // The cue ball gives all its momentum, and nothing becomes heat.
/// assert_eq!((event.approach_speed, event.impulse, event.loss), (1.0, 3.0, 0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// When it happened.
    pub time: SimTime,
    /// What happened.
    pub kind: EventKind,
    /// The first body: of two that collide, the one with the first name; otherwise the body that enters, leaves, rests
    /// or is released.
    pub a: BodyId,
    /// The second body; `a` again if the event has one body only ([`Event::partner`]).
    pub b: BodyId,
    /// The contact point, m, world frame. In a periodic space it is the image next to `a`. If the event has one body
    /// only, it is the position of that body.
    pub point: DVec3,
    /// Unit normal at that point, from `a` to `b`; zero if the event has one body only.
    pub normal: DVec3,
    /// Approach speed just before, m/s.
    pub approach_speed: f64,
    /// Magnitude of the impulse, N·s.
    pub impulse: f64,
    /// Kinetic energy turned into heat, J.
    pub loss: f64,
    /// The group of simultaneous impacts that it belongs to, counted from 1; 0 for other events.
    pub group: u64,
}

impl Event {
    /// The second body, if the event has one.
    pub fn partner(&self) -> Option<BodyId> {
        (!self.kind.has_one_body()).then_some(self.b)
    }

    /// The same event with the two bodies exchanged.
    pub(in crate::dynamics) fn seen_from_b(self) -> Self {
        Self { a: self.b, b: self.a, normal: -self.normal, ..self }
    }
}

/// The beginning of a path. From one knot of a body to the next, its motion is the polynomial of the path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Knot {
    /// The body.
    pub body: BodyId,
    /// The new path; its epoch is the time of the knot.
    pub path: Path,
    /// How the body turns along it.
    pub spin: Spin,
}
