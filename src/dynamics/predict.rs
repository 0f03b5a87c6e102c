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
use crate::geometry::{Solid, gap};
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
    /// Which triangle of a mesh is met; 0 if there is none.
    pub(super) part: u32,
}

/// A contact that will end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    pub(super) time: SimTime,
    pub(super) body: BodyId,
    /// Of the contact in the body's footing.
    pub(super) row: usize,
}

impl Scene {
    /// The next thing between the two bodies of `pair`.
    pub(super) fn predict(&self, pair: Pair) -> Option<(SimTime, Kind)> {
        match self.rows.dealing(pair.a, pair.b)? {
            Dealing::Collide => {
                let impact = || Some((pair.epoch(&self.rows).plus(self.meeting(pair)?.time), Kind::Impact));
                if !self.may_rest(pair) || self.contacts(pair).next().is_none() {
                    return impact();
                }
                let release = self.release(pair).map(|ending| (ending.time, Kind::Release));
                // On one convex solid a body rests or not; on a mesh it may rest on one part and meet another.
                if self.has_mesh(pair) { release.into_iter().chain(impact()).min() } else { release }
            }
            Dealing::Sense { .. } => self.passage_event(pair),
        }
    }

    /// How the two bodies meet next; the time counts from their common epoch.
    pub(super) fn meeting(&self, pair: Pair) -> Option<Meeting> {
        let motion = pair.motion(&self.rows, &self.settings.space, pair.epoch(&self.rows));
        if self.has_mesh(pair) {
            return self.mesh_meeting(pair, &motion);
        }
        let [a, b] = self.solids(pair, 0);
        first_meeting(a, b, &motion, self.speeds(pair), |time| self.slides(pair, &motion, time))
    }

    pub(super) fn has_mesh(&self, pair: Pair) -> bool {
        [pair.a, pair.b].into_iter().any(|id| self.rows.mesh(id).is_some())
    }

    /// The solids of a pair; of a mesh, the triangle `part`.
    #[inline]
    pub(super) fn solids(&self, pair: Pair, part: u32) -> [Solid<'_>; 2] {
        [pair.a, pair.b].map(|id| self.rows.solid(id, part))
    }

    /// How fast the two bodies were when their paths began, m/s: what the rounding of their velocities scales with.
    #[inline]
    pub(super) fn speeds(&self, pair: Pair) -> f64 {
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

    /// Whether one of the two rests on anything but a free body: the quickest no to the question for their contacts.
    #[inline]
    fn may_rest(&self, pair: Pair) -> bool {
        let rests = |id: BodyId| !self.footings[id.index()].contacts.is_empty();
        !(self.rows.is_free(pair.a) && self.rows.is_free(pair.b)) && (rests(pair.a) || rests(pair.b))
    }

    /// Which of the two rests on the other, and the rows of its contacts. Only on a mesh are there more than one.
    pub(super) fn contacts(&self, pair: Pair) -> impl Iterator<Item = (BodyId, usize)> {
        let free = self.rows.is_free(pair.a) && self.rows.is_free(pair.b);
        let lasting = pair.absolute(&self.rows);
        let bodies = if free { [].iter() } else { [0, 1].iter() };
        bodies.map(move |&side: &usize| [pair.a, pair.b][side]).flat_map(move |body| {
            let contacts = self.footings[body.index()].contacts.iter().enumerate();
            let rests =
                move |c: &Contact| c.support == pair.other(body) && Pair::new(body, c.support, c.image) == lasting;
            contacts.filter(move |(_, contact)| rests(contact)).map(move |(row, _)| (body, row))
        })
    }

    /// The first contact of the pair that ends because the body has moved past the end of its support.
    pub(super) fn release(&self, pair: Pair) -> Option<Ending> {
        let epoch = pair.epoch(&self.rows);
        let motion = pair.motion(&self.rows, &self.settings.space, epoch);
        let endings = self.contacts(pair).map(|(body, row)| {
            let leave = self.leave(pair, body, &self.footings[body.index()].contacts[row], &motion);
            (leave, body, row)
        });
        // The first of equal ones.
        let first = endings.filter(|ending| ending.0 <= TIME_MAX).reduce(|x, y| if y.0 < x.0 { y } else { x });
        first.map(|(leave, body, row)| Ending { time: epoch.plus(leave), body, row })
    }

    /// When a contact ends, s from the start of `motion`; infinite if never.
    fn leave(&self, pair: Pair, body: BodyId, contact: &Contact, motion: &Relative) -> f64 {
        match contact.surface {
            Surface::Flat { reach } => first_leave(tangential_pieces(reach, contact.normal, motion).as_slice()),
            Surface::Facet => self.facet_leave(pair, motion, contact),
            Surface::Curved => self.curved_leave(pair, body, contact.part, motion),
        }
    }

    /// When the supporting surface has fallen behind the tangent plane by the rest length.
    fn curved_leave(&self, pair: Pair, body: BodyId, part: u32, motion: &Relative) -> f64 {
        let [a, b] = self.solids(pair, part);
        let rest_length = self.settings.rest_length;
        let (a, b) = if body == pair.a { (widened(a, rest_length), b) } else { (a, widened(b, rest_length)) };
        first_leave(sweep::pieces(a, b, motion).as_slice())
    }

    /// When the body next enters or leaves the sensor.
    fn passage_event(&self, pair: Pair) -> Option<(SimTime, Kind)> {
        let state = self.passages.get(&pair.absolute(&self.rows));
        let epoch = pair.epoch(&self.rows);
        let start = state.map_or(epoch, |passage| epoch.max(passage.since));
        let motion = pair.motion(&self.rows, &self.settings.space, start);
        let [a, b] = self.solids(pair, 0);
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
    a: Solid<'_>,
    b: Solid<'_>,
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
fn straight_meeting(a: Solid<'_>, b: Solid<'_>, motion: &Relative, speeds: f64) -> Option<Meeting> {
    let overlap = sweep::overlap(a, b, motion, TIME_MAX)?;
    let closes = overlap.start == Start::Apart || overlap.normal.dot(motion.velocity) < -CLOSING_SLACK * speeds;
    closes.then_some(Meeting { time: overlap.enter, normal: overlap.normal, part: 0 })
}

/// The meeting under relative acceleration, which may bring a pair back.
fn curved_meeting(
    a: Solid<'_>,
    b: Solid<'_>,
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
                return Some(Meeting { time: piece.enter, normal, part: 0 });
            }
            sweep::rates_along(a, b, motion, normal)
        } else {
            sweep::rates(a, b, motion)?
        };
        let time = time_of_closing(&rates, CLOSING_SLACK * speeds);
        if piece.enter <= 0.0 && time < piece.leave && !slides(time) {
            return (time <= TIME_MAX).then_some(Meeting { time, normal: rates.normal, part: 0 });
        }
    }
    None
}

/// When a pair in touch begins to close: now, or when the acceleration has turned it. Infinite if never. A speed of
/// no more than `grain` is none.
pub(super) fn time_of_closing(rates: &Rates, grain: f64) -> f64 {
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
pub(super) fn first_leave(pieces: &[Interval]) -> f64 {
    pieces.iter().map(|piece| piece.leave).find(|&leave| leave > 0.0).unwrap_or(0.0)
}

/// When the centres differ by less than `reach` along the two axes across an axis-parallel `normal`, or along
/// all three if the normal is of another direction.
fn tangential_pieces(reach: DVec3, normal: DVec3, motion: &Relative) -> Intervals {
    let coordinates = sweep::coordinates(motion);
    let across = (0..3).filter(|&axis| normal[axis].abs() != 1.0 && reach[axis].is_finite());
    across.fold(Intervals::ALL, |common, axis| common.intersection(&coordinates[axis].within(reach[axis])))
}

/// The solid with `margin` more on every side; half-spaces and triangles stay as they are.
fn widened(solid: Solid<'_>, margin: f64) -> Solid<'_> {
    match solid {
        Solid::Sphere(radius) => Solid::Sphere(radius + margin),
        Solid::Box(half) => Solid::Box(half + margin),
        Solid::Plane(_) | Solid::Triangle(_) => solid,
    }
}
