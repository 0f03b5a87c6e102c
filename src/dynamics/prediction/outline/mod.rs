//! Predictions for a body and the outline of a mesh or a grid: meetings with its parts, and the end of a contact with a
//! facet.
//!
//! An outline is one surface, not a set of separate parts. Where a ball meets a part at an edge that is a seam, it is
//! in contact with the face of the next part, so the normal is that of the face. A body that is below a facet by no
//! more than rounding slides on that facet, also across parts. A meeting at a seam counts only if the pair approaches
//! along the facet's normal. So a seam does not act as a bump, and a real edge keeps its own normal.

mod approach;
mod driven;
mod facing;

use glam::DVec3;

use self::approach::Approach;
use self::facing::Facing;
use super::pair_event::lies_in;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::few::Few;
use crate::dynamics::scene::Scene;
use crate::geometry::{Aabb, Facet, Outline, Shape, Solid, gap};
use crate::motion::Relative;
use crate::numeric::tolerance::{CLOSING_SLACK, SEAM_SLACK, TIME_MAX};
use crate::numeric::{Interval, Intervals, Quadratic};
use crate::sweep::outline::parts_on_way;
use crate::sweep::{self, Rates, Start};

impl Scene {
    /// The next meeting of the two bodies of `pair`, one of which has an outline, if it is no later than `latest`, s
    /// from the start of `motion`. Parts in contact with the body are skipped.
    pub(in crate::dynamics) fn outline_meeting(&self, pair: Pair, motion: &Relative, latest: f64) -> Option<Meeting> {
        let (mut approach, flipped) = self.approach(pair, motion)?;
        let contacts = self.contacts_between(pair);
        let is_ball = matches!(approach.body, Solid::Sphere(_));
        let curved = contacts.iter().filter(|contact| is_ball && contact.surface == Surface::Curved);
        approach.edges = curved.map(|contact| contact.part).collect();
        approach.since = self.cells_since(pair).since(pair.epoch(&self.rows));
        let first = approach.first_part(approach.body, latest, &contacts, |part, _| approach.meeting(part));
        let (since, sign) = (approach.since, if flipped { -1.0 } else { 1.0 });
        first.map(|met| Meeting { time: met.time.max(since), normal: met.normal * sign, ..met })
    }

    fn contacts_between(&self, pair: Pair) -> Few<&Contact> {
        self.contacts.between(pair, &self.rows).map(|row| self.contacts.get(row)).collect()
    }

    /// The outline of a pair as seen from the body, and whether it is that of the pair's first body.
    fn approach<'a>(&'a self, pair: Pair, motion: &Relative) -> Option<(Approach<'a>, bool)> {
        let rounding = self.rounding(pair);
        let (outline, body, flipped) = match (self.rows.outline(pair.a), self.rows.outline(pair.b)) {
            (None, Some(outline)) => (outline, pair.a, false),
            (Some(outline), None) => (outline, pair.b, true),
            _ => return None,
        };
        let motion = if flipped { motion.reversed() } else { *motion };
        let (solid, is_flat) = (self.rows.solid(body, 0), matches!(self.rows.shape(body), Shape::Box(_)));
        let floors = if is_flat { self.floors(body).collect() } else { Few::new() };
        let pulled = CLOSING_SLACK * self.settings.gravity.abs().max_element();
        let far = self.rows.reach(pair.a).max(self.rows.reach(pair.b));
        Some((
            Approach { body: solid, outline, motion, rounding, floors, edges: Few::new(), pulled, since: 0.0, far },
            flipped,
        ))
    }

    /// The outline of a pair as seen from the body, both at rest, when the second lies `offset` from the first, m.
    fn approach_at(&self, pair: Pair, offset: DVec3) -> Option<Approach<'_>> {
        let rest = Relative { position: offset, velocity: DVec3::ZERO, acceleration: DVec3::ZERO };
        self.approach(pair, &rest).map(|(approach, _)| approach)
    }

    /// The overlap of the two bodies of `pair` when the second lies `offset` from the first, m; 0 or less if they do
    /// not overlap.
    pub(in crate::dynamics) fn depth(&self, pair: Pair, offset: DVec3) -> f64 {
        let deep = |part: u32| {
            let [a, b] = self.solids(pair, part);
            gap(a, b, offset).map_or(0.0, |gap| -gap.separation)
        };
        let Some(approach) = self.approach_at(pair, offset) else { return deep(0) };
        let mut deepest = 0.0;
        approach.outline.touching(&approach.bounds(), |part| deepest = f64::max(deepest, deep(part)));
        // With its centre inside, a ball is deeper by its radius, and a box by half its smallest width at least.
        let inside = approach.outline.depth_of(-approach.motion.position);
        deepest.max(if inside > 0.0 { inside + approach.body.half_extents().min_element() } else { 0.0 })
    }

    /// The part of the facet of `part` that is nearest to a body; of equally near ones the first.
    pub(in crate::dynamics) fn nearest_part(&self, pair: Pair, offset: DVec3, part: u32) -> u32 {
        let Some(approach) = self.approach_at(pair, offset) else { return part };
        let Approach { body, outline, motion, .. } = approach;
        let separation =
            |part: u32| gap(body, outline.solid(part), motion.position).map_or(f64::INFINITY, |gap| gap.separation);
        let mut nearest = (separation(part), part);
        outline.touching(&approach.bounds(), |other| {
            if outline.facet_of(other) == outline.facet_of(part) {
                let found = (separation(other), other);
                nearest = if found < nearest { found } else { nearest };
            }
        });
        nearest.1
    }

    /// A part of the facet of `part`, which is gone, on which a body stands as well; of several the first.
    pub(in crate::dynamics) fn part_beside(&self, pair: Pair, offset: DVec3, part: u32) -> Option<u32> {
        let approach = self.approach_at(pair, offset)?;
        let Approach { body, outline, rounding, .. } = approach;
        let Aabb { min, max } = approach.bounds();
        let bounds = Aabb { min: min - rounding.depth, max: max + rounding.depth };
        outline.first_touching(&bounds, |other| {
            let is_same = outline.facet_of(other) == outline.facet_of(part);
            let slim = match body {
                Solid::Sphere(_) => body,
                // Faces that it touches only at their border do not carry it.
                _ => {
                    Solid::Box(body.half_extents() - (1.0 - outline.facet(other).normal.abs()) * (2.0 * rounding.depth))
                }
            };
            let touches = || gap(slim, outline.solid(other), approach.motion.position);
            is_same && touches().is_some_and(|gap| gap.separation <= rounding.depth)
        })
    }

    /// Whether a body on a facet stays on it for farther than rounding. One within rounding of the edge has come onto
    /// the facet if it moves inwards, and else is about to go over the edge.
    pub(in crate::dynamics) fn stays_on_facet(&self, pair: Pair, motion: &Relative, normal: DVec3, part: u32) -> bool {
        let rounding = 2.0 * self.rounding(pair).depth;
        let speed = motion.velocity.length().max(f64::MIN_POSITIVE);
        let ahead = Relative { position: motion.position + motion.velocity * (rounding / speed), ..*motion };
        let Some((approach, flipped)) = self.approach(pair, &ahead) else { return false };
        speed * approach.facet_leave(part, if flipped { -normal } else { normal }) > rounding
    }

    /// When a body in contact with a facet has moved beyond its edge, s from the start of `motion`.
    pub(in crate::dynamics) fn facet_leave(&self, pair: Pair, motion: &Relative, contact: &Contact) -> f64 {
        let Some((approach, flipped)) = self.approach(pair, motion) else { return 0.0 };
        let normal = if flipped { -contact.normal } else { contact.normal };
        approach.facet_leave(contact.part, normal)
    }
}

impl Contact {
    /// Whether a part of the outline belongs to this contact.
    fn holds(&self, part: u32, outline: Outline<'_>) -> bool {
        match self.surface {
            Surface::Facet => outline.facet_of(part) == outline.facet_of(self.part),
            Surface::Flat { .. } | Surface::Endless | Surface::Curved => part == self.part,
        }
    }
}

impl Approach<'_> {
    /// The box around the body at the start, seen from the outline.
    fn bounds(&self) -> Aabb {
        Aabb::around(-self.motion.position, self.body.half_extents())
    }

    /// The first meeting that `meet` finds with one of the parts that a solid may reach, no later than `latest`; of
    /// equally early ones that with the first part. Parts in contact are skipped. `meet` gets a part and the time up to
    /// which it counts.
    fn first_part(
        &self,
        solid: Solid<'_>,
        latest: f64,
        contacts: &[&Contact],
        meet: impl Fn(u32, f64) -> Option<Meeting>,
    ) -> Option<Meeting> {
        let mut first: Option<Meeting> = None;
        parts_on_way(solid, self.outline, &self.motion, latest, |part, until| {
            if contacts.iter().any(|contact| contact.holds(part, self.outline)) {
                return until;
            }
            if let Some(meeting) = meet(part, until)
                && meeting.time <= latest
                && first.is_none_or(|first| (meeting.time, part) < (first.time, first.part))
            {
                first = Some(meeting);
            }
            first.map_or(until, |first| first.time)
        });
        first
    }

    /// When the body first approaches a part from which it has no gap.
    fn meeting(&self, part: u32) -> Option<Meeting> {
        let solid = self.outline.solid(part);
        if self.motion.is_straight() {
            let overlap = sweep::overlap(self.body, solid, &self.motion, TIME_MAX)?;
            let began = if overlap.start == Start::Inside { f64::NEG_INFINITY } else { overlap.enter };
            let piece = Interval { enter: began, leave: overlap.leave };
            let met = if piece.leave < self.since { None } else { self.meeting_in(part, piece, overlap.normal) };
            return met.filter(|met| !self.slides(part, &self.motion.from(met.time)));
        }
        let pieces = sweep::pieces(self.body, solid, &self.motion);
        let is_ahead = |piece: &&Interval| piece.leave > self.since.max(0.0) && piece.enter <= TIME_MAX;
        let ahead = pieces.as_slice().iter().filter(is_ahead);
        let met = ahead.filter_map(|&piece| self.meeting_in(part, piece, self.own_normal(solid, piece)?));
        met.into_iter().find(|met| !self.slides(part, &self.motion.from(met.time)))
    }

    fn own_normal(&self, part: Solid<'_>, piece: Interval) -> Option<DVec3> {
        if piece.enter >= 0.0 {
            Some(sweep::normal_at_entry(self.body, part, &self.motion, piece))
        } else {
            gap(self.body, part, self.motion.position).map(|gap| gap.normal)
        }
    }

    /// The meeting in one overlap with a part. `own` is the normal of the part alone.
    fn meeting_in(&self, part: u32, piece: Interval, own: DVec3) -> Option<Meeting> {
        if let Some(met) = self.meeting_over_edge(part, piece) {
            return met;
        }
        let start = piece.enter.max(0.0);
        let here = self.motion.from(start);
        let Facing { normal, seam } = self.facing(part, &here, own)?;
        // A body that leaves a seam on which it grazes is in the surface only for a moment, but not on its other side.
        let normal = if seam { normal } else { sweep::against_motion(normal, piece, &self.motion) };
        let in_front = |time: f64| sweep::in_front(time, normal, piece, &self.motion);
        let met = |time: f64| Some(Meeting { time: in_front(time), normal, part });
        let rates = if seam {
            Rates { normal, speed: normal.dot(here.velocity), acceleration: normal.dot(here.acceleration) }
        } else {
            sweep::rates_along(self.body, self.outline.solid(part), &here, normal)
        };
        let enters = piece.enter > 0.0 && !seam && rates.speed <= 0.0;
        if enters && !self.rounding.turns(&rates) {
            return met(start);
        }
        let time = start + self.rounding.time_of_closing(&rates);
        if lies_in(time, &piece) && (time == start || self.motion.is_straight()) {
            return if time <= TIME_MAX { met(time) } else { None };
        }
        if self.motion.is_straight() {
            return None;
        }
        let deep = self.deep_in(part, piece, start);
        if lies_in(time, &piece) && time <= TIME_MAX && deep.is_none_or(|(deep, _)| time <= deep) {
            return met(time);
        }
        let (time, normal) = deep.filter(|&(time, _)| time <= TIME_MAX)?;
        Some(Meeting { time, normal, part })
    }

    /// When the body first overlaps a part by more than rounding in an overlap, and the normal there. What the rates
    /// at the start of the overlap hide, such as another feature of the part, is found then.
    fn deep_in(&self, part: u32, piece: Interval, start: f64) -> Option<(f64, DVec3)> {
        let solid = self.outline.solid(part);
        let own = |time: f64| gap(self.body, solid, self.motion.position_at(time));
        let before = own(start).map_or(0.0, |gap| -gap.separation).max(0.0);
        let time = sweep::deeper(self.body, solid, &self.motion, before + self.rounding.depth, piece)?;
        let Facing { normal, .. } = self.facing(part, &self.motion.from(time), own(time)?.normal)?;
        let speed = normal.dot(self.motion.velocity_at(time));
        (speed < 0.0).then(|| (self.closing_on_facet(part, normal, start, time), normal))
    }

    /// When a body that is too deep in a facet at `deep` began to close, not before `start`: when it came over the
    /// part, or when the acceleration turned its velocity.
    fn closing_on_facet(&self, part: u32, normal: DVec3, start: f64, deep: f64) -> f64 {
        let facet = self.outline.facet(part);
        if normal != facet.normal && normal != -facet.normal {
            return deep;
        }
        let times = self.times_on(part, &Footprint::of(self.body, normal, &self.motion));
        let Some(over) = times.as_slice().iter().find(|piece| piece.enter <= deep && deep <= piece.leave) else {
            return deep;
        };
        let (speed, pull) = (normal.dot(self.motion.velocity), -normal.dot(self.motion.acceleration));
        let turn = if pull > 0.0 { speed / pull } else { start };
        over.enter.max(turn).max(start).min(deep)
    }

    /// The end of the first uninterrupted time on the parts of a facet; 0 if the body is not on it.
    fn facet_leave(&self, part: u32, normal: DVec3) -> f64 {
        let footprint = Footprint::of(self.body, normal, &self.motion);
        let reach = Solid::Box(footprint.reach(&self.outline.facet(part)));
        let mut pieces: Vec<Interval> = Vec::new();
        parts_on_way(reach, self.outline, &footprint.seen, TIME_MAX, |other, until| {
            if self.outline.facet_of(other) == self.outline.facet_of(part) {
                pieces.extend(self.times_on(other, &footprint).as_slice());
            }
            until
        });
        pieces.sort_by(|x, y| x.enter.total_cmp(&y.enter));
        let ahead = pieces.iter().filter(|piece| piece.leave > 0.0);
        ahead.fold(0.0, |leave, piece| if piece.enter <= leave { piece.leave.max(leave) } else { leave })
    }

    /// When the footprint overlaps a part, both projected along the facet's normal.
    fn times_on(&self, part: u32, footprint: &Footprint) -> Intervals {
        let place = footprint.seen.reversed();
        let within = |(across, [low, high]): (DVec3, [f64; 2])| {
            let way = sweep::projected(&place, across);
            let back = Quadratic { c0: -way.c0, c1: -way.c1, c2: -way.c2 };
            way.plus(-high).not_above_zero().intersection(&back.plus(low).not_above_zero())
        };
        let ranges = self.ranges_on(part, footprint.half);
        ranges.fold(Intervals::ALL, |common, range| common.intersection(&within(range)))
    }

    /// The directions that can separate a footprint from a part, and the places of its centre along them where it is
    /// over the part. The part is enlarged by a rounding, so that seams have no gap.
    fn ranges_on(&self, part: u32, half: DVec3) -> impl Iterator<Item = (DVec3, [f64; 2])> + use<'_> {
        let (outline, size) = (self.outline, self.outline.bounds().farthest().max(DVec3::splat(self.far)));
        outline.separating_directions(part, half).into_iter().map(move |across| {
            let [low, high] = outline.range_along(part, across);
            let slack = across.abs().dot(half) + SEAM_SLACK * across.abs().dot(size);
            (across, [low - slack, high + slack])
        })
    }
}

/// The part of a body in contact with a plane: a point, an edge or a face.
struct Footprint {
    /// Half its widths along the axes, m.
    half: DVec3,
    /// The motion of the outline seen from its centre.
    seen: Relative,
}

impl Footprint {
    /// The part of the body farthest along `normal`, where the outline moves so, seen from the body.
    fn of(body: Solid<'_>, normal: DVec3, motion: &Relative) -> Self {
        let flat = normal.cmpeq(DVec3::ZERO);
        let (offset, half) = match body {
            Solid::Box(half) => {
                let offset = DVec3::select(flat, DVec3::ZERO, half * normal.signum());
                (offset, DVec3::select(flat, half, DVec3::ZERO))
            }
            Solid::Sphere(radius) => (normal * radius, DVec3::ZERO),
            _ => (DVec3::ZERO, DVec3::ZERO),
        };
        Self { half, seen: Relative { position: motion.position - offset, ..*motion } }
    }

    /// Half the widths of a box around it that reaches the facet: a body may rest at a small distance from it.
    fn reach(&self, facet: &Facet) -> DVec3 {
        self.half + facet.normal.abs() * facet.distance(-self.seen.position).abs()
    }
}
