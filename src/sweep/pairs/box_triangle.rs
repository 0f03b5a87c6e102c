//! A moving axis-aligned box and a triangle: thirteen separating axes.
//!
//! They overlap while their projections overlap along thirteen axes: the triangle's normal, the box's three axes and
//! the nine cross products of their edges. Along one axis this is a condition on a single number, a quadratic function
//! of time. So the overlap is the intersection of thirteen sets of times (Ericson, *Real-Time Collision Detection*,
//! 2005, §§ 5.2.9 and 5.5.8). The normal is the axis that is entered last. If several axes are entered at the same
//! time, the first of this order counts: the triangle's normal, the box's axes, the products by edge and axis.
//!
//! After some axes have narrowed the time interval, along most other axes the two overlap throughout the rest. A test
//! of this takes the values at its ends and, for straight motion, no division. Such an axis is skipped.

use glam::DVec3;

use crate::geometry::triangle_gap::{self, Axes, Axis, EdgeAxes};
use crate::geometry::{Triangle, unit};
use crate::motion::Relative;
use crate::numeric::tolerance::INSTANT_SLACK;
use crate::numeric::{Interval, Intervals, Quadratic};
use crate::sweep::instant::{against_motion, cut, holds_for_instant};
use crate::sweep::{Overlap, Start, first, from_start, projected};

/// When a box with half edges `a` (m, not negative) overlaps the triangle `b` in [0, `until`].
///
/// `motion` is that of the triangle's body seen from the box's centre. The triangle is a sheet without thickness: it
/// can be hit from both sides, and a box that it cuts overlaps it. The normal of an overlap at the start is that of
/// [`triangle_gap::box_triangle`].
///
/// ```
/// use carom::geometry::Triangle;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::box_triangle::box_triangle;
///
/// let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
/// // The centre begins 5 m above the face. The box falls with 2 m/s, so the triangle rises.
/// let position = DVec3::new(-1.0, -1.0, -5.0);
/// let motion = Relative { position, velocity: DVec3::Z * 2.0, acceleration: DVec3::ZERO };
/// let met = box_triangle(DVec3::ONE, &triangle, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, 3.0, -DVec3::Z));
/// ```
#[inline]
pub fn box_triangle(a: DVec3, b: &Triangle, motion: &Relative, until: f64) -> Option<Overlap> {
    let (interval, start, met) = if motion.is_straight() {
        let passage = straight(a, b, motion, until)?;
        let (interval, start) = from_start(passage.interval);
        (interval, start, unit(passage.normal).unwrap_or(DVec3::X))
    } else {
        let (interval, start) = first(&pieces(a, b, motion), until)?;
        (interval, start, normal_at_entry(a, b, motion, interval))
    };
    let shortest_way_apart = || triangle_gap::box_triangle(a, b, motion.position).normal;
    let normal = if start == Start::Inside { shortest_way_apart() } else { met };
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times at which the box overlaps the triangle.
#[doc(hidden)]
pub fn pieces(a: DVec3, b: &Triangle, motion: &Relative) -> Intervals {
    if motion.is_straight() {
        let passage = straight(a, b, motion, f64::INFINITY);
        return passage.map_or(Intervals::EMPTY, |one| Intervals::one(one.interval.enter, one.interval.leave));
    }
    if !is_finite(a, b, motion) {
        return Intervals::EMPTY;
    }
    let mut common = Intervals::ALL;
    Axes::new(a, b, motion.position).each(|axis| {
        let shift = shift(&axis, motion);
        if !common.is_empty() && !holds_throughout(&axis, &shift, &common) {
            common = cut(&common, &shift, [-axis.high, -axis.low]);
        }
    });
    common
}

/// Unit vector from the box to the triangle where they touch at the beginning of `piece`, one of their [`pieces`].
#[doc(hidden)]
pub fn normal_at_entry(a: DVec3, b: &Triangle, motion: &Relative, piece: Interval) -> DVec3 {
    let enter = piece.enter;
    let (mut latest, mut normal) = (f64::NEG_INFINITY, DVec3::X);
    Axes::new(a, b, motion.position).each(|axis| {
        let shift = shift(&axis, motion);
        // Once `latest` equals `enter`, no axis can be later.
        if latest < enter {
            let pieces = shift.between(-axis.high, -axis.low);
            let holding = pieces.as_slice().iter().rev().find(|piece| piece.enter <= enter);
            if let Some(piece) = holding.filter(|piece| piece.enter > latest) {
                (latest, normal) = (piece.enter, axis.towards(shift.at(enter)));
            }
        }
    });
    against_motion(unit(normal).unwrap_or(DVec3::X), piece, motion)
}

/// How far the triangle moves along an axis.
#[inline]
fn shift(axis: &Axis, motion: &Relative) -> Quadratic {
    Quadratic { c0: 0.0, ..projected(motion, axis.direction) }
}

/// Whether the two overlap along the axis at all times from the first to the last of `common`.
fn holds_throughout(axis: &Axis, shift: &Quadratic, common: &Intervals) -> bool {
    let (Some(first), Some(last)) = (common.as_slice().first(), common.as_slice().last()) else { return false };
    let turn = (-0.5 * shift.c1 / shift.c2).clamp(first.enter, last.leave);
    let holds = |t: f64| axis.low + shift.at(t) < 0.0 && axis.high + shift.at(t) > 0.0;
    holds(first.enter) && holds(last.leave) && holds(turn)
}

/// Whether no coordinate is NaN or infinite.
#[inline]
fn is_finite(half: DVec3, triangle: &Triangle, motion: &Relative) -> bool {
    let motion = motion.position + motion.velocity + motion.acceleration;
    (motion + half + triangle.a + triangle.b + triangle.c).element_sum().is_finite()
}

/// When a triangle on a straight path overlaps a box, and the axis along which they meet.
#[derive(Debug, Clone, Copy)]
struct Passage {
    interval: Interval,
    /// From the box to the triangle, not of unit length.
    normal: DVec3,
}

/// The passage of straight motion, if it ends after 0 and begins by `until`.
#[inline]
fn straight(half: DVec3, triangle: &Triangle, motion: &Relative, until: f64) -> Option<Passage> {
    if !is_finite(half, triangle, motion) {
        return None;
    }
    let axes = Axes::new(half, triangle, motion.position);
    let mut common = Passage { interval: Interval::ALL, normal: DVec3::X };
    for axis in 0..3 {
        common.narrow(&axes.box_axis(axis), motion.velocity, false)?;
    }
    if !(common.interval.leave > 0.0 && common.interval.enter <= until) {
        return None;
    }
    if let Some(axis) = axes.face() {
        common.narrow(&axis, motion.velocity, true)?;
    }
    for edge in 0..3 {
        let axes = axes.edge_axes(edge);
        if !common.is_within(&axes, motion.velocity) {
            for axis in axes.each() {
                common.narrow(&axis, motion.velocity, false)?;
            }
        }
    }
    let Interval { enter, leave } = common.interval;
    (leave > 0.0 && enter <= until).then_some(common)
}

impl Passage {
    /// Whether the two overlap throughout the passage along all three axes.
    #[inline]
    fn is_within(&self, axes: &EdgeAxes, velocity: DVec3) -> bool {
        let speed = axes.edge.cross(velocity);
        let holds = |t: f64| {
            (axes.low + speed * t).cmplt(DVec3::ZERO).all() && (axes.high + speed * t).cmpgt(DVec3::ZERO).all()
        };
        holds(self.interval.enter) && holds(self.interval.leave)
    }

    /// Cuts the passage to the times of overlap along one more axis; `None` if nothing is left. If this axis is entered
    /// at the same time as the others, it gives the normal only if `goes_before` is true.
    #[inline]
    fn narrow(&mut self, axis: &Axis, velocity: DVec3, goes_before: bool) -> Option<()> {
        let (low, high, speed) = (axis.low, axis.high, axis.direction.dot(velocity));
        if self.interval.is_instant() {
            let shift = Quadratic { c0: 0.0, c1: speed, c2: 0.0 };
            return holds_for_instant(&shift, [-high, -low], self.interval).then_some(());
        }
        if (low >= 0.0 && speed >= 0.0) || (high <= 0.0 && speed <= 0.0) {
            return None;
        }
        let Interval { enter, leave } = self.interval;
        let holds = |t: f64| low + speed * t < 0.0 && high + speed * t > 0.0;
        if speed == 0.0 || (holds(enter) && holds(leave)) {
            return Some(());
        }
        let (begin, end) = if speed < 0.0 { (-low / speed, -high / speed) } else { (-high / speed, -low / speed) };
        let normal = if speed < 0.0 { axis.direction } else { -axis.direction };
        let own = Interval { enter: begin, leave: end };
        if own.is_instant() {
            let grain = INSTANT_SLACK * begin.abs().max(end.abs());
            *self = Self { interval: own, normal };
            return (enter - grain <= end && begin <= leave + grain).then_some(());
        }
        if begin > enter || (begin == enter && goes_before) {
            self.interval.enter = begin;
            self.normal = normal;
        }
        if end < leave {
            self.interval.leave = end;
        }
        (self.interval.enter < self.interval.leave).then_some(())
    }
}
