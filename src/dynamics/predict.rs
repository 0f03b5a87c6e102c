//! What two bodies will do next if nothing else happens to them.
//!
//! A prediction is a function of the two paths (and of the state of a contact or of a passage through a
//! sensor), never of when it is asked. So it does not matter how often the broadphase asks, in which
//! order, or at which timestep: the answer has the same bits.

use std::collections::BTreeMap;

use glam::DVec3;

use super::contact::{Contact, Footing, Surface};
use super::pair::Pair;
use super::queue::Kind;
use super::rows::{Dealing, Rows};
use super::{BodyId, Settings};
use crate::geometry::{Radius, Shape, gap};
use crate::motion::{Relative, SimTime};
use crate::numeric::tolerance::{CLOSING_SLACK, SLIDE_SLACK, TIME_MAX};
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
    /// The next thing between the two bodies of `pair`.
    pub(super) fn predict(&self, pair: Pair) -> Option<(SimTime, Kind)> {
        match self.rows.dealing(pair.a, pair.b)? {
            Dealing::Collide => match self.contact(pair) {
                Some((body, contact)) => Some((self.release_time(pair, body, contact)?, Kind::Release)),
                None => Some((pair.epoch(&self.rows).plus(self.meeting(pair)?.time), Kind::Impact)),
            },
            Dealing::Sense { .. } => self.passage_event(pair),
        }
    }

    /// How the two bodies meet next; the time counts from their common epoch.
    pub(super) fn meeting(&self, pair: Pair) -> Option<Meeting> {
        let motion = pair.motion(&self.rows, &self.settings.space, pair.epoch(&self.rows));
        let [a, b] = [pair.a, pair.b].map(|id| &self.rows.shapes[id.index()]);
        first_meeting(a, b, &motion, self.speeds(pair), |time| self.slides(pair, &motion, time))
    }

    /// How fast the two bodies were when their paths began, m/s: what the rounding of their velocities scales with.
    #[inline]
    fn speeds(&self, pair: Pair) -> f64 {
        [pair.a, pair.b].map(|id| self.rows.paths[id.index()].velocity.abs().max_element()).iter().sum()
    }

    /// Whether two solids that meet at `time` only slide along each other: along some axis they overlap by no more
    /// than rounding, and do not move. Half-spaces have no such axis.
    fn slides(&self, pair: Pair, motion: &Relative, time: f64) -> bool {
        let [a, b] = [pair.a, pair.b].map(BodyId::index);
        let reach = self.rows.shapes[a].half_extents() + self.rows.shapes[b].half_extents();
        let (offset, velocity) = (motion.position_at(time), motion.velocity_at(time));
        (0..3).any(|axis| {
            let places = self.rows.paths[a].position[axis].abs() + self.rows.paths[b].position[axis].abs();
            let fast = CLOSING_SLACK * (self.speeds(pair) + velocity.abs().max_element());
            let pulled = CLOSING_SLACK * self.settings.gravity.abs().max_element();
            reach[axis].is_finite()
                && reach[axis] - offset[axis].abs() <= SLIDE_SLACK * (places + reach[axis])
                && velocity[axis].abs() <= fast
                && motion.acceleration[axis].abs() <= pulled
        })
    }

    /// The contact between the two, and which of them rests on the other.
    fn contact(&self, pair: Pair) -> Option<(BodyId, &Contact)> {
        if self.rows.is_free(pair.a) && self.rows.is_free(pair.b) {
            return None;
        }
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
    fn passage_event(&self, pair: Pair) -> Option<(SimTime, Kind)> {
        let state = self.passages.get(&pair.absolute(&self.rows));
        let epoch = pair.epoch(&self.rows);
        let start = state.map_or(epoch, |passage| epoch.max(passage.since));
        let motion = pair.motion(&self.rows, &self.settings.space, start);
        let [a, b] = [pair.a, pair.b].map(|id| &self.rows.shapes[id.index()]);
        let (kind, time) = if state.is_some_and(|passage| passage.inside) {
            (Kind::Leave, first_leave(sweep::pieces(a, b, &motion).as_slice()))
        } else if state.is_none() && gap(a, b, motion.position).is_some_and(|gap| gap.separation < 0.0) {
            (Kind::Enter, 0.0)
        } else {
            (Kind::Enter, first_meeting(a, b, &motion, 0.0, |_| false)?.time)
        };
        (time <= TIME_MAX).then(|| (start.plus(time), kind))
    }
}

/// The first instant at which the separation is not positive and the pair closes. A meeting that `slides` is none.
#[inline]
fn first_meeting(
    a: &Shape,
    b: &Shape,
    motion: &Relative,
    speeds: f64,
    slides: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    if motion.is_straight() {
        straight_meeting(a, b, motion, speeds).filter(|met| !slides(met.time))
    } else {
        curved_meeting(a, b, motion, speeds, slides)
    }
}

/// The meeting of straight motion.
///
/// Solids that overlap or touch at the start, by a rounding or because they were struck into each other, meet at
/// once if they close, and let each other go if they do not: convex solids on a line meet only once. They
/// close if they do so by more than the rounding of their `speeds`; without that a pair that clings
/// together after a blow without restitution would meet at that instant for ever.
#[inline]
fn straight_meeting(a: &Shape, b: &Shape, motion: &Relative, speeds: f64) -> Option<Meeting> {
    let overlap = sweep::overlap(a, b, motion, TIME_MAX)?;
    let closes = overlap.start == Start::Apart || overlap.normal.dot(motion.velocity) < -CLOSING_SLACK * speeds;
    closes.then_some(Meeting { time: overlap.enter, normal: overlap.normal })
}

/// The meeting under relative acceleration, which may bring a pair back.
fn curved_meeting(
    a: &Shape,
    b: &Shape,
    motion: &Relative,
    speeds: f64,
    slides: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    let pieces = sweep::pieces(a, b, motion);
    let ahead = pieces.as_slice().iter().filter(|piece| piece.leave > 0.0);
    for piece in ahead.take_while(|piece| piece.enter <= TIME_MAX) {
        let rates = if piece.enter >= 0.0 {
            let normal = sweep::normal_at_entry(a, b, motion, piece.enter);
            if piece.enter > 0.0 && !slides(piece.enter) {
                return Some(Meeting { time: piece.enter, normal });
            }
            sweep::rates_along(a, b, motion, normal)
        } else {
            sweep::rates(a, b, motion)?
        };
        let time = time_of_closing(&rates, CLOSING_SLACK * speeds);
        if piece.enter <= 0.0 && time < piece.leave && !slides(time) {
            return (time <= TIME_MAX).then_some(Meeting { time, normal: rates.normal });
        }
    }
    None
}

/// When a pair in touch begins to close: now, or when the acceleration has turned it. Infinite if never. A speed of
/// no more than `grain` is none.
fn time_of_closing(rates: &Rates, grain: f64) -> f64 {
    let &Rates { speed, acceleration, .. } = rates;
    if speed < -grain || (speed <= 0.0 && acceleration < 0.0) {
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
