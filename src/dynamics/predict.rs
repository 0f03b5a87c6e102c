//! What two bodies will do next if nothing else happens to them.
//!
//! A prediction is a function of the two paths (and of the state of a contact or of a passage through a
//! sensor), never of when it is asked. So it does not matter how often the broadphase asks, in which
//! order, or at which timestep: the answer has the same bits.

use std::collections::BTreeMap;

use glam::DVec3;

use super::contact::{Contact, Footing, Surface};
use super::pair::Pair;
use super::queue::{Kind, Prediction};
use super::rows::{Dealing, Rows};
use super::{BodyId, Settings};
use crate::geometry::{Radius, Shape, gap};
use crate::motion::{Relative, SimTime};
use crate::numeric::tolerance::TIME_MAX;
use crate::numeric::{Interval, Intervals};
use crate::sweep::{self, Rates, Start};

/// Where a body stands with a sensor, and since when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passage {
    pub(super) inside: bool,
    pub(super) since: SimTime,
}

/// Everything a prediction may look at: the physical state of a world.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) settings: Settings,
    pub(super) rows: Rows,
    pub(super) footings: Vec<Footing>,
    /// By the pair's [`absolute`](Pair::absolute) image.
    pub(super) passages: BTreeMap<Pair, Passage>,
}

/// When and how two colliding bodies meet, the time in seconds from the start of their motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meeting {
    pub(super) time: f64,
    /// From `a` to `b`.
    pub(super) normal: DVec3,
}

impl Scene {
    /// The next thing between the two bodies of `pair`, not looking beyond `horizon`.
    pub(super) fn predict(&self, pair: Pair, horizon: Option<SimTime>) -> Option<Prediction> {
        let (kind, time) = match self.rows.dealing(pair.a, pair.b)? {
            Dealing::Collide => match self.contact(pair) {
                Some((body, contact)) => (Kind::Release, self.release_time(pair, body, contact)?),
                None => (Kind::Impact, self.impact_time(pair, horizon)?),
            },
            Dealing::Sense { .. } => self.passage_event(pair)?,
        };
        let stamps = [pair.a, pair.b].map(|id| self.rows.stamps[id.index()]);
        Some(Prediction { time, kind, pair, stamps })
    }

    /// How the two bodies meet next; the time counts from their common epoch.
    pub(super) fn meeting(&self, pair: Pair, until: f64) -> Option<Meeting> {
        let motion = pair.motion(&self.rows, &self.settings.space, pair.epoch(&self.rows));
        let [a, b] = [pair.a, pair.b].map(|id| &self.rows.shapes[id.index()]);
        if motion.is_straight() { straight_meeting(a, b, &motion, until) } else { curved_meeting(a, b, &motion, until) }
    }

    fn impact_time(&self, pair: Pair, horizon: Option<SimTime>) -> Option<SimTime> {
        let epoch = pair.epoch(&self.rows);
        let until = horizon.map_or(TIME_MAX, |horizon| horizon.since(epoch));
        Some(epoch.plus(self.meeting(pair, until)?.time))
    }

    /// The contact between the two, and which of them rests on the other.
    fn contact(&self, pair: Pair) -> Option<(BodyId, &Contact)> {
        let pair = pair.absolute(&self.rows);
        [pair.a, pair.b].into_iter().find_map(|body| {
            let rests = |c: &&Contact| c.support == pair.other(body) && Pair::new(body, c.support, c.image) == pair;
            self.footings[body.index()].contacts.iter().find(rests).map(|contact| (body, contact))
        })
    }

    /// When the body has moved past the end of its support.
    fn release_time(&self, pair: Pair, body: BodyId, contact: &Contact) -> Option<SimTime> {
        let epoch = pair.epoch(&self.rows);
        let motion = pair.motion(&self.rows, &self.settings.space, epoch);
        let leave = match contact.surface {
            Surface::Flat { reach } => first_leave(tangential_pieces(reach, contact.normal, &motion).as_slice()),
            Surface::Curved => self.curved_leave(pair, body, &motion),
        };
        (leave <= TIME_MAX).then(|| epoch.plus(leave))
    }

    /// When the supporting surface has fallen behind the tangent plane by the rest length.
    fn curved_leave(&self, pair: Pair, body: BodyId, motion: &Relative) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.shapes[id.index()]);
        let rest_length = self.settings.rest_length;
        let (a, b) = if body == pair.a { (widened(a, rest_length), b) } else { (a, widened(b, rest_length)) };
        first_leave(sweep::pieces(&a, &b, motion).as_slice())
    }

    /// When the body next enters or leaves the sensor.
    fn passage_event(&self, pair: Pair) -> Option<(Kind, SimTime)> {
        let state = self.passages.get(&pair.absolute(&self.rows));
        let epoch = pair.epoch(&self.rows);
        let start = state.map_or(epoch, |passage| epoch.max(passage.since));
        let motion = pair.motion(&self.rows, &self.settings.space, start);
        let [a, b] = [pair.a, pair.b].map(|id| &self.rows.shapes[id.index()]);
        let (kind, time) = if state.is_some_and(|passage| passage.inside) {
            (Kind::Leave, first_leave(sweep::pieces(a, b, &motion).as_slice()))
        } else if state.is_none() && gap(a, b, motion.position).is_some_and(|gap| gap.separation < 0.0) {
            (Kind::Enter, 0.0)
        } else if motion.is_straight() {
            (Kind::Enter, straight_meeting(a, b, &motion, TIME_MAX)?.time)
        } else {
            (Kind::Enter, curved_meeting(a, b, &motion, TIME_MAX)?.time)
        };
        (time <= TIME_MAX).then(|| (kind, start.plus(time)))
    }
}

/// The first instant at which the separation is not positive and the pair closes, for straight motion.
///
/// Solids that overlap at the start, by a rounding or because they were struck into each other, meet at once if
/// they close, and let each other go if they do not: convex solids on a line meet only once.
#[inline]
fn straight_meeting(a: &Shape, b: &Shape, motion: &Relative, until: f64) -> Option<Meeting> {
    let overlap = sweep::overlap(a, b, motion, until)?;
    let closes = overlap.start != Start::Inside || overlap.normal.dot(motion.velocity) < 0.0;
    closes.then_some(Meeting { time: overlap.enter, normal: overlap.normal })
}

/// The same under relative acceleration, which may bring a pair back.
fn curved_meeting(a: &Shape, b: &Shape, motion: &Relative, until: f64) -> Option<Meeting> {
    let pieces = sweep::pieces(a, b, motion);
    let ahead = pieces.as_slice().iter().filter(|piece| piece.leave > 0.0);
    for piece in ahead.take_while(|piece| piece.enter <= until) {
        if piece.enter >= 0.0 {
            let normal = sweep::normal_at_entry(a, b, motion, piece.enter);
            return Some(Meeting { time: piece.enter, normal });
        }
        let rates = sweep::rates(a, b, motion)?;
        let time = time_of_closing(&rates);
        if time < piece.leave {
            return (time <= until).then_some(Meeting { time, normal: rates.normal });
        }
    }
    None
}

/// When a pair that overlaps begins to close: now, or when the acceleration has turned it. Infinite if never.
fn time_of_closing(rates: &Rates) -> f64 {
    let &Rates { speed, acceleration, .. } = rates;
    if speed < 0.0 || (speed == 0.0 && acceleration < 0.0) {
        0.0
    } else if acceleration < 0.0 {
        speed / -acceleration
    } else {
        f64::INFINITY
    }
}

/// The end of the first piece that lasts beyond 0; 0 if there is none.
fn first_leave(pieces: &[Interval]) -> f64 {
    pieces.iter().map(|piece| piece.leave).find(|&leave| leave > 0.0).unwrap_or(0.0)
}

/// When the centres differ by less than `reach` along the two axes across an axis-parallel `normal`, or along
/// all three if the normal is of another direction.
fn tangential_pieces(reach: DVec3, normal: DVec3, motion: &Relative) -> Intervals {
    let coordinates = sweep::coordinates(motion);
    let across = (0..3).filter(|&axis| normal[axis].abs() != 1.0 && reach[axis].is_finite());
    across.fold(Intervals::ALL, |common, axis| common.intersection(&coordinates[axis].within(reach[axis])))
}

/// The shape with `margin` more on every side; planes stay as they are.
fn widened(shape: Shape, margin: f64) -> Shape {
    match shape {
        Shape::Sphere(radius) => Shape::Sphere(Radius::new(radius.get() + margin).unwrap_or(radius)),
        Shape::Box(_) | Shape::Plane(_) => shape,
    }
}
