//! Meetings of bodies that courses move, and their passages through sensors.
//!
//! The separation along its present normal is at least as large as its value, its slope and the largest acceleration
//! allow: the separation of convex solids along any direction is a bound of their separation. So a step to the root of
//! that parabola passes no meeting, and near a meeting such steps converge as Newton's do.

use glam::DVec3;

use super::touching::Rounding;
use crate::dynamics::body::driven::Driven;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::contact::{Contact, Surface};
use crate::dynamics::queue::Kind;
use crate::dynamics::scene::Scene;
use crate::geometry::{Gap, HalfExtents, Shape, Solid, gap};
use crate::motion::{Relative, SimTime};
use crate::numeric::tolerance::{CALM_SLACK, DOMAIN_SLACK, INSTANT_MAX, TIME_MAX};
use crate::numeric::{Interval, safe_time};
use crate::sweep;

/// The motion of a pair in a span of time: `at` gives its parabola at any second of it.
#[derive(Clone, Copy)]
pub(super) struct Search<'a, F: Fn(f64) -> Relative> {
    solids: [Solid<'a>; 2],
    pub(super) at: F,
    /// The largest acceleration, m/s², without sign, as constant and as varying along these directions.
    accelerations: [(DVec3, f64); 3],
    rounding: Rounding,
}

/// The motion of a pair without its courses.
pub(super) struct Mean {
    pub(super) motion: Relative,
    /// How far the courses displace the two from it, along each axis, m.
    pub(super) reach: DVec3,
    /// When the search begins and ends, s.
    pub(super) from: f64,
    pub(super) last: f64,
}

impl Scene {
    /// The next meeting of a pair of which a course moves one body or both; its time counts from their common epoch.
    pub(super) fn driven_meeting(&self, pair: Pair, latest: SimTime) -> Option<Meeting> {
        let epoch = pair.epoch(&self.rows);
        let since = self.cells_since(pair).max(epoch);
        let (search, mean) = self.driven_search(pair, since, latest);
        if self.has_outline(pair) {
            return self.driven_outline_meeting(pair, &mean, &search);
        }
        self.first_driven(pair, &search, &mean)
    }

    /// When such a body next enters or leaves a sensor.
    pub(super) fn driven_passage(&self, pair: Pair, latest: SimTime) -> Option<(SimTime, Kind)> {
        let (state, epoch) = (self.passages.get(&pair.absolute(&self.rows)), pair.epoch(&self.rows));
        let (search, mean) = self.driven_search(pair, state.map_or(epoch, |it| it.since.max(epoch)), latest);
        let starts_inside = || search.look(mean.from).is_some_and(|(gap, _)| gap.separation < 0.0);
        let (kind, time) = if state.is_some_and(|passage| passage.inside) {
            (Kind::Leave, search.leave(mean.from, mean.last)?)
        } else if state.is_none() && starts_inside() {
            (Kind::Enter, mean.from)
        } else {
            (Kind::Enter, self.first_driven(pair, &search, &mean)?.time)
        };
        Some((epoch.plus(time), kind))
    }

    /// When a body in contact with a face has moved beyond its edge, s from `start`, where a course moves the two along
    /// the face; infinite if never. `None` if no course moves them so.
    pub(super) fn driven_leave(&self, pair: Pair, contact: &Contact, start: SimTime) -> Option<f64> {
        let (search, mean) = self.driven_search(pair, start, SimTime::NEVER);
        let [_, swings @ ..] = search.accelerations;
        let is_along = |along: DVec3| along.reject_from_normalized(contact.normal).abs().max_element() > CALM_SLACK;
        let stays = |motion: &Relative| match contact.surface {
            Surface::Flat { reach } => {
                let across = (0..3).filter(|&axis| contact.normal[axis] == 0.0);
                search.stay(motion, across.map(|axis| (DVec3::AXES[axis], [-reach[axis], reach[axis]])))
            }
            Surface::Facet => self.stay_on_facet(pair, contact, motion, &search),
            Surface::Endless | Surface::Curved => f64::INFINITY,
        };
        let leave = || search.until_beyond([mean.from, mean.last], stays) - start.since(pair.epoch(&self.rows));
        swings.iter().any(|&(along, _)| is_along(along)).then(leave)
    }

    fn first_driven<F: Fn(f64) -> Relative + Copy>(
        &self,
        pair: Pair,
        search: &Search<'_, F>,
        mean: &Mean,
    ) -> Option<Meeting> {
        let &Mean { from, last, .. } = mean;
        let spans = self.spans_within(pair, 0, mean);
        spans.iter().find_map(|span| search.first(span.enter.max(from), last.min(span.leave), |_, normal| Some(normal)))
    }

    /// How the meetings of such a pair are searched, from `since` on.
    fn driven_search(
        &self,
        pair: Pair,
        since: SimTime,
        latest: SimTime,
    ) -> (Search<'_, impl Fn(f64) -> Relative + Copy>, Mean) {
        let (rows, epoch) = (&self.rows, pair.epoch(&self.rows));
        let [a, b] = [pair.a, pair.b].map(|id| rows.driven(id));
        let base = |id, driven: Option<&Driven>| driven.map_or_else(|| rows.path(id), |driven| driven.base);
        let mean = pair.motion_of([&base(pair.a, a), &base(pair.b, b)], &self.settings.space, epoch);
        let swing = |driven: Option<&Driven>| {
            driven.map_or((DVec3::ZERO, 0.0), |driven| (driven.along, driven.largest().acceleration))
        };
        let mut swings = [swing(a), swing(b)];
        let mut reach: DVec3 = [a, b].into_iter().flatten().map(|it| it.along.abs() * it.largest().displacement).sum();
        if let (Some(a), Some(b)) = (a, b)
            && a.course == b.course
        {
            // Bodies that ride side by side do not move towards each other.
            swings = [(b.along - a.along, swings[0].1), (DVec3::ZERO, 0.0)];
            reach = (b.along - a.along).abs() * a.largest().displacement;
        }
        let latest = [pair.a, pair.b].into_iter().filter_map(|id| *self.due.get(id)).fold(latest, SimTime::min);
        // Times are rounded.
        let last = latest.since(epoch).min(TIME_MAX) * (1.0 + DOMAIN_SLACK) + 2.0 * INSTANT_MAX;
        let search = Search {
            solids: self.solids(pair, 0),
            at: move |t| pair.motion(rows, &self.settings.space, epoch.plus(t)),
            accelerations: [(mean.acceleration, 1.0), swings[0], swings[1]],
            rounding: self.rounding(pair),
        };
        let cycle = [a, b].into_iter().flatten().map(|driven| driven.course.cycle()).fold(0.0, f64::max);
        let stays = mean.velocity == DVec3::ZERO && mean.is_straight();
        let from = since.since(epoch).max(0.0);
        let last = if stays { last.min(from + 2.0 * cycle) } else { last };
        (search, Mean { motion: mean, reach, from, last })
    }

    /// The times at which the two bodies, with this part of an outline, can touch.
    pub(super) fn spans_within(&self, pair: Pair, part: u32, mean: &Mean) -> Vec<Interval> {
        let (Mean { motion: mean, reach, .. }, [a, b]) = (mean, self.solids(pair, part));
        let enlarged = widened(self.rows.shape(pair.a), *reach).map(|a| [a, b]);
        let enlarged = enlarged.or_else(|| widened(self.rows.shape(pair.b), *reach).map(|b| [a, b]));
        let everywhere = || vec![Interval { enter: 0.0, leave: TIME_MAX }];
        let Some([a, b]) = enlarged else { return everywhere() };
        if mean.velocity == DVec3::ZERO && mean.is_straight() {
            // At rest there are no pieces.
            let touches = gap(a, b, mean.position).is_none_or(|gap| gap.separation <= self.rounding(pair).depth);
            return if touches { everywhere() } else { Vec::new() };
        }
        let lengthened = |span: &Interval| {
            let slack = DOMAIN_SLACK * (1.0 + span.leave.min(TIME_MAX));
            Interval { enter: (span.enter - slack).max(0.0), leave: span.leave + slack }
        };
        sweep::pieces(a, b, mean).as_slice().iter().filter(|span| span.leave >= 0.0).map(lengthened).collect()
    }
}

impl<F: Fn(f64) -> Relative + Copy> Search<'_, F> {
    /// The same for other solids, which must move alike.
    pub(super) fn of<'a>(&self, solids: [Solid<'a>; 2]) -> Search<'a, F> {
        let Self { at, accelerations, rounding, .. } = *self;
        Search { solids, at, accelerations, rounding }
    }

    /// The first meeting from one time to another, s. It may be a little after the second. `faces` gives the normal
    /// with which the bodies meet at a time where the solids have this one, and `None` where they do not meet there.
    pub(super) fn first(&self, from: f64, until: f64, faces: impl Fn(f64, DVec3) -> Option<DVec3>) -> Option<Meeting> {
        let (mut time, mut before, mut pause) = (from, from, 1.0);
        while before <= until && time <= TIME_MAX {
            let (Gap { separation, normal }, speed) = self.look(time)?;
            let (bend, Rounding { depth, speed: still }) = (self.acceleration_along(normal), self.rounding);
            let closes = separation <= 0.0 && speed < -still;
            let mut step = safe_time(separation.max(0.0), speed, bend);
            // The time in which a gap that rounding hides gets no deeper than that.
            let hidden = (2.0 * depth / bend).sqrt();
            if closes || (separation > depth || speed < -still) && time + step <= time {
                let met = if closes { self.meeting(before, time) } else { Meeting { time, normal, part: 0 } };
                if let Some(normal) = faces(met.time, met.normal) {
                    return Some(Meeting { normal, ..met });
                }
                (step, pause) = (pause * hidden, 2.0 * pause);
            } else if separation <= depth && speed >= -still {
                step = step.max(hidden);
            }
            (before, time) = (time, time + step);
        }
        None
    }

    /// When a body has moved beyond the edges of a face, s; infinite if not up to `until`. `stays` gives for how long
    /// it stays over the face at least, s.
    fn until_beyond(&self, [from, until]: [f64; 2], stays: impl Fn(&Relative) -> f64) -> f64 {
        let mut time = from;
        while time <= until {
            let next = time + stays(&(self.at)(time));
            if next <= time {
                return time;
            }
            time = next;
        }
        f64::INFINITY
    }

    /// For how long a place that moves so stays at least within these ranges along these directions, s; 0 if it is
    /// beyond one of them.
    pub(super) fn stay(&self, place: &Relative, ranges: impl Iterator<Item = (DVec3, [f64; 2])>) -> f64 {
        let within = |(across, [low, high]): (DVec3, [f64; 2])| {
            let (along, speed) = (across.dot(place.position), across.dot(place.velocity));
            let (bend, depth) = (self.acceleration_along(across), self.rounding.depth * across.length());
            let stays = |left: f64, opens: f64| {
                let soon = safe_time(left.max(0.0), opens, bend);
                let is_hidden = left.abs() <= depth && opens >= 0.0;
                if is_hidden { soon.max((2.0 * depth / bend).sqrt()) } else { soon }
            };
            if along < low - depth || along > high + depth {
                return 0.0;
            }
            stays(along - low, speed).min(stays(high - along, -speed))
        };
        ranges.map(within).fold(f64::INFINITY, f64::min)
    }

    /// When two solids that overlap have come apart, from one time to another, s. No point of one moves faster relative
    /// to the other than the present velocity and the largest acceleration allow, so the overlap lasts as long as its
    /// depth.
    fn leave(&self, from: f64, until: f64) -> Option<f64> {
        let bend: f64 = self.accelerations.iter().map(|(along, size)| along.length() * size).sum();
        let (mut time, mut before) = (from, from);
        while before <= until && time <= TIME_MAX {
            let (Gap { separation, .. }, speed) = self.look(time)?;
            if separation > 0.0 && speed >= 0.0 {
                return Some(first_without(before, time, |time| {
                    self.look(time).is_some_and(|(gap, _)| gap.separation <= 0.0)
                }));
            }
            let fast = (self.at)(time).velocity.length();
            let step = safe_time((-separation).max(self.rounding.depth), -fast, bend);
            (before, time) = (time, time + step);
        }
        None
    }

    /// The separation, the normal from the first to the second, and the speed at which they separate.
    fn look(&self, time: f64) -> Option<(Gap, f64)> {
        let motion = (self.at)(time);
        let found = gap(self.solids[0], self.solids[1], motion.position)?;
        Some((found, found.normal.dot(motion.velocity)))
    }

    /// The largest acceleration by courses, m/s².
    pub(super) fn largest_swing(&self) -> f64 {
        self.accelerations[1..].iter().map(|(along, size)| along.length() * size).sum()
    }

    /// The largest acceleration along a direction, m/s².
    fn acceleration_along(&self, normal: DVec3) -> f64 {
        self.accelerations.iter().map(|(along, size)| along.dot(normal).abs() * size).sum()
    }

    /// The meeting between a time before, at which the two do not close, and one at which they touch and approach.
    fn meeting(&self, before: f64, touching: f64) -> Meeting {
        // Where they part, the gap is still 0, or below it by rounding.
        let parts = self.look(before).is_some_and(|(_, speed)| speed > self.rounding.speed);
        let is_open =
            |time: f64| (parts && time <= before) || self.look(time).is_some_and(|(gap, _)| gap.separation > 0.0);
        let time = first_without(before, touching, is_open);
        let normal = self.look(time).map_or(DVec3::X, |(gap, _)| gap.normal);
        Meeting { time, normal, part: 0 }
    }
}

/// The first time after `low`, by bisection up to `high`, at which `still` no longer holds; `low` if it does not hold
/// there.
fn first_without(mut low: f64, mut high: f64, still: impl Fn(f64) -> bool) -> f64 {
    if !still(low) {
        return low;
    }
    loop {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            return high;
        }
        if still(middle) { low = middle } else { high = middle }
    }
}

/// A ball or a box with room for a displacement by up to `reach` along each axis.
pub(super) fn widened(shape: &Shape, reach: DVec3) -> Option<Solid<'static>> {
    match shape {
        Shape::Sphere(radius) => Some(Solid::Sphere(radius.get() + reach.length())),
        Shape::Box(half) => HalfExtents::new(half.get() + reach).ok().map(|half| Solid::Box(half.get())),
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => None,
    }
}
