//! What two bodies will do next if nothing else happens to them.
//!
//! A prediction is a function of the two paths (and of the state of a contact or of a passage through a
//! sensor), never of when it is asked. So it does not matter how often the broadphase asks, in which
//! order, or at which timestep: the answer has the same bits.

use glam::DVec3;

use super::column::Column;
use super::contact::{Contact, Contacts, Footing, Surface, is_rest};
use super::pair::Pair;
use super::passages::Passages;
use super::queue::Kind;
use super::rows::{Dealing, Rows};
use super::{BodyId, Settings};
use crate::geometry::{Solid, gap};
use crate::motion::{Relative, SimTime};
use crate::numeric::tolerance::{CLOSING_SLACK, GRAZING_SLACK, GROUP_SLACK, SLIDE_SLACK, TIME_MAX};
use crate::numeric::{Interval, Intervals};
use crate::sweep::sphere_sphere::sphere_sphere;
use crate::sweep::{self, Overlap, Rates, Start};

/// Part of a unit normal along an axis below which two plain balls are far from reaching each other along that axis. Their
/// places are no more than 2²³ radii away, so rounding hides no more than 2⁻²⁴ of their reach.
const AXIAL: f64 = 0.999;

/// Where a body stands with a sensor, and since when.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Passage {
    pub(super) inside: bool,
    pub(super) since: SimTime,
}

/// Everything a prediction may look at: the physical state of a world.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) settings: Settings,
    pub(super) rows: Rows,
    pub(super) contacts: Contacts,
    pub(super) footings: Column<Footing>,
    /// When the bodies' contacts are to be looked at. No path is followed beyond that.
    pub(super) due: Column<Option<SimTime>>,
    /// Who advances in common ticks ([`crowd`](super::crowd)).
    pub(super) crowded: Vec<bool>,
    /// By the pair's [`absolute`](Pair::absolute) image.
    pub(super) passages: Passages,
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
    /// Of the contact.
    pub(super) row: u32,
}

impl Scene {
    /// A body's contacts are to be looked at then; until it begins a path without that it is no plain ball.
    pub(super) fn set_due(&mut self, id: BodyId, due: SimTime) {
        self.due.set(id, Some(due));
        self.rows.lines.set_general(id);
    }

    /// The next thing between the two bodies of `pair`.
    pub(super) fn predict(&self, pair: Pair) -> Option<(SimTime, Kind)> {
        match self.rows.dealing(pair.a, pair.b)? {
            Dealing::Collide if self.is_ticking(pair) => None,
            Dealing::Collide => {
                let impact = || Some((pair.epoch(&self.rows).plus(self.meeting(pair)?.time), Kind::Impact));
                if self.contacts.between(pair, &self.rows).next().is_none() {
                    return impact();
                }
                let blow = self.struck_contact(pair).map(|(time, _)| (time, Kind::Impact));
                let release = self.release(pair).map(|ending| (ending.time, Kind::Release));
                // On one convex solid a body rests or not; on a mesh it may rest on one part and meet another.
                let elsewhere = if self.has_mesh(pair) { impact() } else { None };
                blow.into_iter().chain(release).chain(elsewhere).min()
            }
            Dealing::Sense { .. } => self.passage_event(pair),
        }
    }

    /// Whether the ticks of a crowd keep two bodies apart.
    pub(super) fn is_ticking(&self, pair: Pair) -> bool {
        let ticks = |id: BodyId| self.crowded[id.index()] || !self.rows.is_free(id);
        (self.crowded[pair.a.index()] && ticks(pair.b)) || (self.crowded[pair.b.index()] && ticks(pair.a))
    }

    /// How the two bodies meet next; the time counts from their common epoch.
    pub(super) fn meeting(&self, pair: Pair) -> Option<Meeting> {
        let motion = pair.motion(&self.rows, &self.settings.space, pair.epoch(&self.rows));
        if self.has_mesh(pair) {
            return self.mesh_meeting(pair, &motion);
        }
        let [a, b] = self.solids(pair, 0);
        if self.stays_apart(pair, &motion, a, b) {
            return None;
        }
        first_meeting(a, b, &motion, || self.grain(pair), |time| self.slides(pair, &motion, time))
    }

    /// The same for two plain balls with these radii and this motion from their common epoch on.
    #[inline]
    pub(super) fn meeting_of_plain(&self, pair: Pair, radii: [f64; 2], motion: &Relative) -> Option<Meeting> {
        let overlap = sphere_sphere(radii[0], radii[1], motion, TIME_MAX)?;
        let met = meeting_at(&overlap, radii.map(Solid::Sphere), motion, || self.grain(pair))?;
        // Two balls slide along no axis but the one along which they meet.
        let axial = met.normal.abs().max_element() > AXIAL;
        (!axial || !self.slides(pair, motion, met.time)).then_some(met)
    }

    /// Whether two bodies are too far apart to meet before one of them is looked at anyway.
    fn stays_apart(&self, pair: Pair, motion: &Relative, a: Solid<'_>, b: Solid<'_>) -> bool {
        let due = [pair.a, pair.b].into_iter().filter_map(|id| *self.due.get(id)).min();
        due.is_some_and(|due| {
            let span = due.since(pair.epoch(&self.rows));
            let way = (motion.velocity.length() + 0.5 * span * motion.acceleration.length()) * span;
            gap(a, b, motion.position).is_some_and(|gap| gap.separation > 2.0 * way)
        })
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
        [pair.a, pair.b].map(|id| self.rows.path(id).velocity.abs().max_element()).iter().sum()
    }

    /// What rounding may make of the speed and the depth of a pair in touch.
    pub(super) fn grain(&self, pair: Pair) -> Grain {
        let depth = SLIDE_SLACK * (self.rows.extent(pair.a) + self.rows.extent(pair.b));
        Grain { speed: CLOSING_SLACK * self.speeds(pair), depth }
    }

    /// Whether two solids that meet at `time` only slide along each other: along some axis they overlap by no more
    /// than rounding, and do not move or move apart. Half-spaces have no such axis.
    fn slides(&self, pair: Pair, motion: &Relative, time: f64) -> bool {
        let bodies = [pair.a, pair.b];
        let [one, other] = bodies.map(|id| self.rows.shape(id).half_extents());
        let [a, b] = bodies.map(|id| self.rows.path(id).position.abs());
        let reach = one + other;
        let (offset, velocity) = (motion.position_at(time), motion.velocity_at(time));
        (0..3).any(|axis| {
            let places = a[axis] + b[axis];
            let fast = CLOSING_SLACK * (self.speeds(pair) + velocity.abs().max_element());
            let pulled = CLOSING_SLACK * self.settings.gravity.abs().max_element();
            reach[axis].is_finite()
                && reach[axis] - offset[axis].abs() <= SLIDE_SLACK * (places + reach[axis])
                && (velocity[axis] * offset[axis].signum() > fast
                    || (velocity[axis].abs() <= fast && motion.acceleration[axis].abs() <= pulled))
        })
    }

    /// The first contact of a pair whose bodies a blow made close so fast that they bounce.
    pub(super) fn struck_contact(&self, pair: Pair) -> Option<(SimTime, u32)> {
        let mut rows = self.contacts.between(pair, &self.rows);
        rows.find_map(|row| Some((self.contacts.get(row).struck?, row)))
    }

    /// How hard the bodies of a contact are pressed together by the force `push` (N): the acceleration with which they would
    /// close without it, m/s².
    pub(super) fn pressing(&self, pair: Pair, push: f64) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.inverse_mass(id));
        push * (a + b)
    }

    /// What rounding may make of the gap of a pair whose second body lies `offset` from the first, m.
    pub(super) fn gap_grain(&self, pair: Pair, offset: DVec3) -> f64 {
        let places = [pair.a, pair.b].map(|id| self.rows.path(id).position.abs().max_element());
        GROUP_SLACK * (places[0] + places[1] + offset.abs().max_element())
    }

    /// Whether the rebound of two bodies that meet at `speed` rises visibly against the acceleration `inward`.
    ///
    /// Where impacts lose energy, one that is slower than a fall through the rest length is none, however little the two
    /// are pressed: else a heap would never have done with its bounces.
    pub(super) fn rebounds(&self, pair: Pair, inward: f64, speed: f64) -> bool {
        let restitution = self.restitution(pair);
        let inward = if restitution < 1.0 { inward.max(self.settings.gravity.length()) } else { inward };
        !is_rest(restitution * speed, inward, self.settings.rest_length)
    }

    pub(super) fn restitution(&self, pair: Pair) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.role(id).material);
        self.settings.materials.restitution(a, b)
    }

    pub(super) fn friction(&self, pair: Pair) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.role(id).material);
        self.settings.materials.friction(a, b)
    }

    /// The first contact of the pair that ends because one body has moved past the end of the other.
    pub(super) fn release(&self, pair: Pair) -> Option<Ending> {
        let rows = self.contacts.between(pair, &self.rows);
        let endings = rows.filter_map(|row| {
            let contact = self.contacts.get(row);
            // What has just met settles first: parted while it closes, it would meet again at this very instant.
            if contact.met.is_some() {
                return None;
            }
            // It may have begun in the middle of its bodies' paths.
            let start = pair.epoch(&self.rows).max(contact.since);
            let motion = pair.motion(&self.rows, &self.settings.space, start);
            let leave = self.leave(pair, contact, &motion);
            (leave <= TIME_MAX).then(|| Ending { time: start.plus(leave), row })
        });
        // The first of equal ones.
        endings.reduce(|x, y| if y.time < x.time { y } else { x })
    }

    /// When a contact ends, s from the start of `motion`; infinite if never. One that is curved is looked at when its
    /// bodies settle.
    fn leave(&self, pair: Pair, contact: &Contact, motion: &Relative) -> f64 {
        match contact.surface {
            Surface::Flat { reach } => first_leave(tangential_pieces(reach, contact.normal, motion).as_slice()),
            Surface::Facet => self.facet_leave(pair, motion, contact),
            Surface::Endless | Surface::Curved => f64::INFINITY,
        }
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
            (Kind::Enter, first_meeting(a, b, &motion, || Grain { speed: 0.0, depth: 0.0 }, |_| false)?.time)
        };
        (time <= TIME_MAX).then(|| (start.plus(time), kind))
    }
}

/// What counts as rounding where two bodies touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grain {
    /// m/s.
    pub(super) speed: f64,
    /// m.
    pub(super) depth: f64,
}

impl Grain {
    /// Whether the bodies, as they close, are turned round before they are deeper in each other than rounding.
    fn turns(&self, rates: &Rates) -> bool {
        rates.acceleration > 0.0 && rates.speed * rates.speed <= 2.0 * rates.acceleration * self.depth
    }

    /// When a pair in touch begins to close: now, or when the acceleration has turned it. Infinite if never.
    pub(super) fn time_of_closing(&self, rates: &Rates) -> f64 {
        let &Rates { speed, acceleration, .. } = rates;
        if (speed < -self.speed && !self.turns(rates)) || (speed <= 0.0 && acceleration < 0.0) {
            0.0
        } else if acceleration < 0.0 {
            speed / -acceleration
        } else {
            f64::INFINITY
        }
    }
}

/// The first instant at which the separation is not positive and the pair closes. A meeting that `slides` is none.
#[inline]
fn first_meeting(
    a: Solid<'_>,
    b: Solid<'_>,
    motion: &Relative,
    grain: impl Fn() -> Grain,
    slides: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    if motion.is_straight() {
        straight_meeting(a, b, motion, grain).filter(|met| !slides(met.time))
    } else {
        curved_meeting(a, b, motion, &grain(), slides)
    }
}

/// The meeting of straight motion.
///
/// Solids that overlap or touch at the start, by a rounding or because they were struck into each other, meet at
/// once if they close, and let each other go if they do not: convex solids on a line meet only once. They
/// close if they do so by more than rounding; without that a pair that clings together after a blow without
/// restitution would meet at that instant for ever.
#[inline]
fn straight_meeting(a: Solid<'_>, b: Solid<'_>, motion: &Relative, grain: impl Fn() -> Grain) -> Option<Meeting> {
    let overlap = sweep::overlap(a, b, motion, TIME_MAX)?;
    let met = meeting_at(&overlap, [a, b], motion, grain)?;
    // Two balls have no sides: they pass each other, or one pushes the other before it.
    let has_sides = !matches!((a, b), (Solid::Sphere(_), Solid::Sphere(_)));
    let piece = Interval { enter: overlap.enter, leave: overlap.leave };
    let time = if has_sides { sweep::in_front(met.time, met.normal, piece, motion) } else { met.time };
    Some(Meeting { time, ..met })
}

/// The meeting with which an overlap in straight motion begins, if they close.
#[inline]
fn meeting_at(
    overlap: &Overlap,
    [a, b]: [Solid<'_>; 2],
    motion: &Relative,
    grain: impl Fn() -> Grain,
) -> Option<Meeting> {
    let speed = overlap.normal.dot(motion.velocity);
    let steep = speed < 0.0 && speed * speed > GRAZING_SLACK * motion.velocity.length_squared();
    // One that hardly dips into the other may seem to enter where it is about to leave.
    let closes = || {
        let rates = sweep::rates_along(a, b, &motion.from(overlap.enter), overlap.normal);
        grain().time_of_closing(&rates) == 0.0
    };
    let meets = (overlap.start == Start::Apart && steep) || closes();
    meets.then_some(Meeting { time: overlap.enter, normal: overlap.normal, part: 0 })
}

/// The meeting under relative acceleration, which may bring a pair back.
fn curved_meeting(
    a: Solid<'_>,
    b: Solid<'_>,
    motion: &Relative,
    grain: &Grain,
    slides: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    let pieces = sweep::pieces(a, b, motion);
    let ahead = pieces.as_slice().iter().filter(|piece| piece.leave > 0.0);
    for piece in ahead.take_while(|piece| piece.enter <= TIME_MAX) {
        let (start, rates) = if piece.enter >= 0.0 {
            let normal = sweep::normal_at_entry(a, b, motion, *piece);
            (piece.enter, sweep::rates_along(a, b, &motion.from(piece.enter), normal))
        } else {
            (0.0, sweep::rates(a, b, motion)?)
        };
        // A pair that has hardly left the touch may seem to enter while it opens, or is about to.
        let enters = start > 0.0 && rates.speed <= 0.0 && !grain.turns(&rates);
        let time = if enters { start } else { start + grain.time_of_closing(&rates) };
        if lies_in(time, piece) && !slides(time) {
            let time = sweep::in_front(time, rates.normal, *piece, motion);
            return (time <= TIME_MAX).then_some(Meeting { time, normal: rates.normal, part: 0 });
        }
    }
    None
}

/// Whether something happens before an overlap ends; one that lasts an instant is over as it begins.
pub(super) fn lies_in(time: f64, piece: &Interval) -> bool {
    time < piece.leave || (time == piece.enter && time == piece.leave)
}

/// The end of the first piece that lasts beyond 0; 0 if there is none.
pub(super) fn first_leave(pieces: &[Interval]) -> f64 {
    pieces.iter().map(|piece| piece.leave).find(|&leave| leave > 0.0).unwrap_or(0.0)
}

/// When the centres differ by less than `reach` along the two axes across an axis-parallel `normal`, or along
/// all three if the normal is of another direction.
fn tangential_pieces(reach: DVec3, normal: DVec3, motion: &Relative) -> Intervals {
    let coordinates = sweep::coordinates(motion);
    let across = (0..3).filter(|&axis| normal[axis].abs() != 1.0);
    across.fold(Intervals::ALL, |common, axis| common.intersection(&coordinates[axis].within(reach[axis])))
}
