//! The next event of two bodies if no path changes before.
//!
//! A prediction is a function of the two paths (and of the state of a contact or of a passage through a sensor), not of
//! the time at which it is computed. So it does not matter how often, in which order, or at which timestep it is
//! computed: the result has the same bits.

use glam::DVec3;

use super::touching::{Rounding, tangential_pieces};
use crate::dynamics::body::friction::Frictions;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::body::restitution::PairRestitution;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::contact::{Contact, Surface, is_rest};
use crate::dynamics::queue::Kind;
use crate::dynamics::scene::{NO_ISLAND, Scene};
use crate::geometry::{Solid, gap};
use crate::motion::{Relative, SimTime};
use crate::numeric::Interval;
use crate::numeric::tolerance::{DOMAIN_SLACK, GRAZING_SLACK, GROUP_SLACK, INSTANT_MAX, TIME_MAX};
use crate::sweep::sphere_sphere::sphere_sphere;
use crate::sweep::{self, Overlap, Rates, Start};

/// Up to this component of their unit normal, two ballistic spheres overlap along that axis by far more than rounding.
/// Their positions are at most 2²³ radii from the origin, so rounding is at most 2⁻²⁴ of their reach.
const AXIAL: f64 = 0.999;

impl Scene {
    /// The next event of the two bodies of `pair`. An event after `latest` may be left out, which saves time.
    pub(in crate::dynamics) fn predict(&self, pair: Pair, latest: SimTime) -> Option<(SimTime, Kind)> {
        match self.rows.interaction(pair.a, pair.b)? {
            Interaction::Collide if self.is_pair_time_stepped(pair) => None,
            Interaction::Collide => {
                let impact = || Some((pair.epoch(&self.rows).plus(self.meeting(pair, latest)?.time), Kind::Impact));
                if self.contacts.between(pair, &self.rows).next().is_none() {
                    return impact();
                }
                let struck = self.struck_contact(pair).map(|(time, _)| (time, Kind::Impact));
                let release = self.release(pair).map(|(time, _)| (time, Kind::Release));
                // On one convex solid a body has at most one contact; on an outline it may be in contact with one part
                // and meet another.
                let elsewhere = if self.has_outline(pair) { impact() } else { None };
                struck.into_iter().chain(release).chain(elsewhere).min()
            }
            Interaction::Sense { .. } if self.rows.drives(pair) => self.driven_passage(pair, latest),
            Interaction::Sense { .. } => self.passage_event(pair),
        }
    }

    /// Whether two bodies are members of one island that is advanced by time steps.
    #[inline]
    pub(in crate::dynamics) fn are_stepped_together(&self, pair: Pair) -> bool {
        let [a, b] = [pair.a, pair.b].map(|id| self.stepped_in[id.index()]);
        a == b && a != NO_ISLAND
    }

    /// Whether time steps keep two bodies apart: members of one island, or a member and a body that is not free.
    pub(in crate::dynamics) fn is_pair_time_stepped(&self, pair: Pair) -> bool {
        let [a, b] = [pair.a, pair.b].map(|id| self.stepped_in[id.index()]);
        match (a != NO_ISLAND, b != NO_ISLAND) {
            (true, true) => self.are_stepped_together(pair),
            (true, false) => !self.rows.is_free(pair.b),
            (false, true) => !self.rows.is_free(pair.a),
            (false, false) => false,
        }
    }

    /// The next meeting of the two bodies; the time counts from their common epoch. A meeting after `latest` may be
    /// left out.
    pub(in crate::dynamics) fn meeting(&self, pair: Pair, latest: SimTime) -> Option<Meeting> {
        if self.rows.drives(pair) {
            return self.driven_meeting(pair, latest);
        }
        let epoch = pair.epoch(&self.rows);
        let motion = pair.motion(&self.rows, &self.settings.space, epoch);
        if self.has_outline(pair) {
            // A meeting may be slightly before the overlap that is searched, and times are rounded.
            let latest = latest.since(epoch) * (1.0 + DOMAIN_SLACK) + 2.0 * INSTANT_MAX;
            return self.outline_meeting(pair, &motion, latest.min(TIME_MAX));
        }
        let [a, b] = self.solids(pair, 0);
        if self.stays_apart(pair, &motion, a, b) { None } else { self.meeting_on(pair, [a, b], &motion) }
    }

    /// The next meeting of two bodies without an outline, given with their solids, on this relative motion.
    #[inline(always)]
    pub(in crate::dynamics) fn meeting_on(
        &self,
        pair: Pair,
        [a, b]: [Solid<'_>; 2],
        motion: &Relative,
    ) -> Option<Meeting> {
        let met = first_meeting(a, b, motion, || self.rounding(pair), |time| self.slides(pair, motion, time))?;
        let corner = || self.normal_at_corner(pair, motion, met.time, &[]);
        let normal = if let (Solid::Box(_), Solid::Box(_)) = (a, b) { corner() } else { None };
        Some(Meeting { normal: normal.unwrap_or(met.normal), ..met })
    }

    /// The same for two ballistic spheres with these radii and this motion from their common epoch on.
    #[inline]
    pub(in crate::dynamics) fn sphere_meeting(
        &self,
        pair: Pair,
        radii: [f64; 2],
        motion: &Relative,
    ) -> Option<Meeting> {
        let overlap = sphere_sphere(radii[0], radii[1], motion, TIME_MAX)?;
        let met = meeting_at(&overlap, radii.map(Solid::Sphere), motion, || self.rounding(pair))?;
        // Two balls slide only along an axis that is their normal.
        let axial = met.normal.abs().max_element() > AXIAL;
        (!axial || !self.slides(pair, motion, met.time)).then_some(met)
    }

    /// Whether two bodies are too far apart to meet before the next contact update of one of them.
    fn stays_apart(&self, pair: Pair, motion: &Relative, a: Solid<'_>, b: Solid<'_>) -> bool {
        let due = [pair.a, pair.b].into_iter().filter_map(|id| *self.due.get(id)).min();
        due.is_some_and(|due| {
            let span = due.since(pair.epoch(&self.rows));
            // What touches to rounding may meet at once, however short the span is.
            let reach = 2.0 * motion.way(span) + self.gap_rounding(pair, motion.position);
            gap(a, b, motion.position).is_some_and(|gap| gap.separation > reach)
        })
    }

    /// Whether one of the two bodies is a mesh or a grid.
    pub(in crate::dynamics) fn has_outline(&self, pair: Pair) -> bool {
        [pair.a, pair.b].into_iter().any(|id| self.rows.outline(id).is_some())
    }

    /// When a cell of one of the two bodies was last made solid or empty.
    #[inline]
    pub(in crate::dynamics) fn cells_since(&self, pair: Pair) -> SimTime {
        self.rows.cells_since(pair.a).max(self.rows.cells_since(pair.b))
    }

    /// The solids of a pair; of an outline, its `part`.
    #[inline]
    pub(in crate::dynamics) fn solids(&self, pair: Pair, part: u32) -> [Solid<'_>; 2] {
        [pair.a, pair.b].map(|id| self.rows.solid(id, part))
    }

    /// The sum of the two bodies' speeds when their paths began, m/s: the scale of the rounding of their velocities.
    #[inline]
    pub(in crate::dynamics) fn speeds(&self, pair: Pair) -> f64 {
        [pair.a, pair.b].map(|id| self.rows.speed(id)).iter().sum()
    }

    /// The first contact of a pair whose bodies approach, after an impact, so fast that they bounce.
    pub(in crate::dynamics) fn struck_contact(&self, pair: Pair) -> Option<(SimTime, u32)> {
        let mut rows = self.contacts.between(pair, &self.rows);
        rows.find_map(|row| Some((self.contacts.get(row).struck?, row)))
    }

    /// The acceleration with which the bodies of a contact would approach without its force (N), m/s².
    pub(in crate::dynamics) fn pressing(&self, pair: Pair, force: f64) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.inverse_mass(id));
        force * (a + b)
    }

    /// Rounding of the gap of a pair with the second body `offset` from the first, m.
    pub(in crate::dynamics) fn gap_rounding(&self, pair: Pair, offset: DVec3) -> f64 {
        let places = [pair.a, pair.b].map(|id| self.rows.reach(id));
        GROUP_SLACK * (places[0] + places[1] + offset.abs().max_element())
    }

    /// Whether the rebound of an impact at `speed` rises visibly against the acceleration `inward`.
    ///
    /// Where impacts lose energy, a rebound slower than a fall through the rest height is ignored, even if the two
    /// bodies are hardly pressed together. Otherwise a heap would bounce without end.
    pub(in crate::dynamics) fn rebounds(&self, pair: Pair, inward: f64, speed: f64) -> bool {
        let restitution = self.restitution(pair);
        let inward = if restitution.is_elastic() { inward } else { inward.max(self.settings.gravity.length()) };
        !is_rest(restitution.at(speed) * speed, inward, self.settings.rest_height)
    }

    #[inline]
    pub(in crate::dynamics) fn restitution(&self, pair: Pair) -> PairRestitution<'_> {
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.role(id).material);
        self.settings.materials.restitution(a, b)
    }

    pub(in crate::dynamics) fn frictions(&self, pair: Pair) -> Frictions {
        let [a, b] = [pair.a, pair.b].map(|id| self.rows.role(id).material);
        self.settings.materials.frictions(a, b)
    }

    /// The first contact of the pair that ends because one body has moved beyond the edge of the other: when, and its
    /// row.
    pub(in crate::dynamics) fn release(&self, pair: Pair) -> Option<(SimTime, u32)> {
        let rows = self.contacts.between(pair, &self.rows);
        let endings = rows.filter_map(|row| {
            let contact = self.contacts.get(row);
            // A new contact settles first. If it ended while its bodies approach, the same impact would follow at this
            // instant again.
            if contact.met.is_some() {
                return None;
            }
            // The contact may have begun after its bodies' paths, and a grid may have changed since.
            let start = pair.epoch(&self.rows).max(contact.since).max(self.cells_since(pair));
            let motion = pair.motion(&self.rows, &self.settings.space, start);
            let driven = if self.rows.drives(pair) { self.driven_leave(pair, contact, start) } else { None };
            // Bodies that do not move relative to each other stay in contact, even within rounding of an edge.
            if driven.is_none() && motion.velocity == DVec3::ZERO && motion.is_straight() {
                return None;
            }
            let leave = driven.unwrap_or_else(|| self.leave(pair, contact, &motion));
            (leave <= TIME_MAX).then(|| (start.plus(leave), row))
        });
        // Of equal times, the first.
        endings.reduce(|x, y| if y.0 < x.0 { y } else { x })
    }

    /// When a contact ends at an edge, s from the start of `motion`; infinite if never. A contact on a curved surface
    /// ends when its island settles.
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
            (Kind::Enter, first_meeting(a, b, &motion, || Rounding { speed: 0.0, depth: 0.0 }, |_| false)?.time)
        };
        (time <= TIME_MAX).then(|| (start.plus(time), kind))
    }
}

/// The first instant at which the separation is not positive and the pair approaches. A meeting for which `slides` is
/// true is ignored.
#[inline(always)]
fn first_meeting(
    a: Solid<'_>,
    b: Solid<'_>,
    motion: &Relative,
    rounding: impl Fn() -> Rounding,
    slides: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    let is_concave = matches!(a, Solid::Arc(_)) || matches!(b, Solid::Arc(_));
    if motion.is_straight() && !is_concave {
        straight_meeting(a, b, motion, rounding).filter(|met| !slides(met.time))
    } else {
        curved_meeting(a, b, motion, &rounding(), slides)
    }
}

/// The meeting of straight motion.
///
/// Solids that overlap at the start, by rounding or after an impact, meet at once if they approach, and separate if
/// they do not: convex solids in straight relative motion meet only once. They approach only if the speed exceeds
/// rounding. Otherwise a pair without relative velocity after an impact with zero restitution would have that impact
/// again and again.
#[inline(always)]
fn straight_meeting(a: Solid<'_>, b: Solid<'_>, motion: &Relative, rounding: impl Fn() -> Rounding) -> Option<Meeting> {
    let overlap = sweep::overlap(a, b, motion, TIME_MAX)?;
    let met = meeting_at(&overlap, [a, b], motion, rounding)?;
    // Two balls have no sides: they pass each other, or one pushes the other ahead of it.
    let has_sides = !matches!((a, b), (Solid::Sphere(_), Solid::Sphere(_)));
    let piece = Interval { enter: overlap.enter, leave: overlap.leave };
    let time = if has_sides { sweep::in_front(met.time, met.normal, piece, motion) } else { met.time };
    Some(Meeting { time, ..met })
}

/// The meeting at the beginning of an overlap in straight motion, if the pair approaches.
#[inline]
fn meeting_at(
    overlap: &Overlap,
    [a, b]: [Solid<'_>; 2],
    motion: &Relative,
    rounding: impl Fn() -> Rounding,
) -> Option<Meeting> {
    let speed = overlap.normal.dot(motion.velocity);
    let steep = speed < 0.0 && speed * speed > GRAZING_SLACK * motion.velocity.length_squared();
    // A grazing pair may seem to enter where it is about to leave.
    let closes = || {
        let rates = sweep::rates_along(a, b, &motion.from(overlap.enter), overlap.normal);
        rounding().time_of_closing(&rates) == 0.0
    };
    let meets = (overlap.start == Start::Apart && steep) || closes();
    meets.then_some(Meeting { time: overlap.enter, normal: overlap.normal, part: 0 })
}

/// The meeting under relative acceleration, which may bring a pair back, or with a wall that is not convex.
fn curved_meeting(
    a: Solid<'_>,
    b: Solid<'_>,
    motion: &Relative,
    rounding: &Rounding,
    slides: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    let pieces = sweep::pieces(a, b, motion);
    let ahead = pieces.as_slice().iter().filter(|piece| piece.leave > 0.0);
    let mut ahead = ahead.take_while(|piece| piece.enter <= TIME_MAX);
    let met = ahead.find_map(|piece| closing_in([a, b], motion, *piece, rounding, &slides))?;
    (met.time <= TIME_MAX).then_some(met)
}

/// When a pair first closes in an overlap.
///
/// Two derivatives of the separation say how it goes on until the nearest features change. Under acceleration it may
/// bend inwards there: a ball that rises over an edge falls on the face beyond. So the decision is made anew in each
/// stretch. What rounding hides is bounded: a pair that would get deeper than rounding meets then.
fn closing_in(
    [a, b]: [Solid<'_>; 2],
    motion: &Relative,
    piece: Interval,
    rounding: &Rounding,
    slides: impl Fn(f64) -> bool,
) -> Option<Meeting> {
    let (start, rates) = if piece.enter >= 0.0 {
        let normal = sweep::normal_at_entry(a, b, motion, piece);
        (piece.enter, sweep::rates_along(a, b, &motion.from(piece.enter), normal))
    } else {
        (0.0, sweep::rates(a, b, motion)?)
    };
    // A pair that has just separated may seem to enter while it opens or is about to open.
    let enters = start > 0.0 && rates.speed <= 0.0 && !rounding.turns(&rates);
    let time = if enters { start } else { start + rounding.time_of_closing(&rates) };
    let at_once = time == start && lies_in(time, &piece) && !slides(time);
    let later = if at_once && enters { Vec::new() } else { sweep::later_stretches(a, b, motion, piece) };
    if at_once && later.is_empty() {
        let time = sweep::in_front(time, rates.normal, piece, motion);
        return Some(Meeting { time, normal: rates.normal, part: 0 });
    }
    // A sensor has no depth that must not be exceeded, and in a short overlap it cannot be.
    let (bounded, deepens) = (rounding.depth > 0.0, motion.from(start).way(piece.leave - start) > rounding.depth);
    let deeper = || {
        let before = gap(a, b, motion.position_at(start)).map_or(0.0, |gap| -gap.separation).max(0.0);
        sweep::deeper(a, b, motion, before + rounding.depth, piece)
    };
    let deep = if bounded && deepens { deeper() } else { None };
    let first_ends = later.first().map_or(piece.leave, |(stretch, _)| stretch.enter);
    let first = (time < first_ends).then_some((time, rates.normal));
    let closing = |(stretch, rates): &(Interval, Rates)| {
        let time = stretch.enter + rounding.time_of_closing(rates);
        (time < stretch.leave).then_some((time, rates.normal))
    };
    let closings = first.into_iter().chain(later.iter().filter_map(closing));
    let mut closings = closings.filter(|&(time, _)| lies_in(time, &piece) && !slides(time));
    // Of several, the last one before the pair is deep: what closes before it opens again, within rounding.
    let met = match deep {
        Some(deep) => closings.filter(|&(time, _)| time <= deep).last(),
        None if later.is_empty() || !bounded => closings.next(),
        None => None,
    };
    if let Some((time, normal)) = met {
        return Some(Meeting { time, normal, part: 0 });
    }
    let time = deep.filter(|&time| !slides(time))?;
    Some(Meeting { time, normal: gap(a, b, motion.position_at(time))?.normal, part: 0 })
}

/// Whether an event is before the end of an overlap. An overlap of a single instant counts.
pub(in crate::dynamics) fn lies_in(time: f64, piece: &Interval) -> bool {
    time < piece.leave || (time == piece.enter && time == piece.leave)
}

/// The end of the piece at 0; 0 if none is there. Between two pieces, by rounding, the nearer one counts: a body that
/// has just left may come back later.
fn first_leave(pieces: &[Interval]) -> f64 {
    let next = pieces.partition_point(|piece| piece.leave <= 0.0);
    let since = if next > 0 { -pieces[next - 1].leave } else { f64::INFINITY };
    pieces.get(next).filter(|piece| piece.enter <= since).map_or(0.0, |piece| piece.leave)
}
