//! The points of two rays, or of two segments, that are closest to each other.
//!
//! With directions v and w, n = v × w and r the vector between the starts, the lines are closest at t = (r × w)·n / n·n
//! (Ericson, *Real-Time Collision Detection*, 2005, § 5.1.8–9, has the same with dot products). This t is clamped to
//! the first extent. The foot of that point on the other line is clamped to the second extent. If this moves it, its
//! own foot is clamped to the first extent again. n is computed without cancellation, and the second parameter as a
//! foot. So the gap of nearly parallel lines is correct, too, within the rounding errors of the vectors between the
//! points.

use glam::DVec3;

use super::straight::parameter;
use crate::geometry::exact::cross;
use crate::geometry::{Ray, Segment};
use crate::numeric::tolerance::PARALLEL_SLACK;

/// The nearest points of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Parameter of the point on `a`: for a ray in lengths of its direction, for a segment from 0 to 1.
    pub t_a: f64,
    /// Parameter of the point on `b`.
    pub t_b: f64,
    /// The point on `a`, m.
    pub point_a: DVec3,
    /// The point on `b`, m.
    pub point_b: DVec3,
    /// Their distance, m.
    pub gap: f64,
}

/// The nearest points of two rays.
///
/// - Neither point lies behind its origin; a point that is an origin is that origin, to the bit.
/// - For rays that are parallel within [`PARALLEL_SLACK`], many pairs may be equally near. The result is the one with
///   the smallest `t_a`, and of those the one with the smallest `t_b`.
/// - If a direction has no length, the ray is only its origin.
/// - A number that is NaN or infinite gives a `gap` that is NaN or infinite.
///
/// ```
/// use carom::geometry::Ray;
/// use carom::geometry::closest::ray_ray;
/// use carom::glam::DVec3;
///
/// // The second ray passes 5 m above the first.
/// let a = Ray { origin: DVec3::ZERO, direction: DVec3::X };
/// let b = Ray { origin: DVec3::new(3.0, -2.0, 5.0), direction: DVec3::Y };
/// let nearest = ray_ray(&a, &b);
/// assert_eq!((nearest.t_a, nearest.t_b, nearest.gap), (3.0, 2.0, 5.0));
/// ```
#[inline]
pub fn ray_ray(a: &Ray, b: &Ray) -> Nearest {
    Stretches {
        between: b.origin - a.origin,
        a: Stretch { way: a.direction, last: f64::INFINITY },
        b: Stretch { way: b.direction, last: f64::INFINITY },
    }
    .nearest(|t| a.at(t), |t| b.at(t))
}

/// The nearest points of two segments.
///
/// - A point that is an end is that end, to the bit.
/// - For segments that are parallel within [`PARALLEL_SLACK`], many pairs may be equally near. The result is the one
///   with the smallest `t_a`, and of those the one with the smallest `t_b`.
/// - A segment without length is its start.
/// - A number that is NaN or infinite gives a `gap` that is NaN or infinite.
///
/// ```
/// use carom::geometry::Segment;
/// use carom::geometry::closest::segment_segment;
/// use carom::glam::DVec3;
///
/// // The first ends 2 m before the middle of the second.
/// let a = Segment { start: DVec3::ZERO, end: DVec3::X * 4.0 };
/// let b = Segment { start: DVec3::new(6.0, -1.0, 0.0), end: DVec3::new(6.0, 1.0, 0.0) };
/// let nearest = segment_segment(&a, &b);
/// assert_eq!((nearest.point_a, nearest.t_b, nearest.gap), (a.end, 0.5, 2.0));
/// ```
#[inline]
pub fn segment_segment(a: &Segment, b: &Segment) -> Nearest {
    let at = |segment: &Segment, t: f64| match t {
        1.0 => segment.end,
        t => segment.start + (segment.end - segment.start) * t,
    };
    Stretches {
        between: b.start - a.start,
        a: Stretch { way: a.end - a.start, last: 1.0 },
        b: Stretch { way: b.end - b.start, last: 1.0 },
    }
    .nearest(|t| at(a, t), |t| at(b, t))
}

/// Whether two directions with the cross product `n` are parallel or opposite, within [`PARALLEL_SLACK`].
#[inline]
pub(in crate::geometry) fn are_parallel(v: DVec3, w: DVec3, n: DVec3) -> bool {
    let least = PARALLEL_SLACK * PARALLEL_SLACK * (v.length_squared() * w.length_squared());
    n.length_squared() <= least
}

/// All points t `way` with t from 0 to `last`.
struct Stretch {
    way: DVec3,
    last: f64,
}

impl Stretch {
    /// `t` clamped to the extent. NaN, from a `way` without length, becomes the start.
    #[inline]
    fn clamp(&self, t: f64) -> f64 {
        if t >= self.last {
            self.last
        } else if t > 0.0 {
            t
        } else {
            0.0
        }
    }
}

/// Two stretches, and the vector `between` from the start of `a` to that of `b`.
struct Stretches {
    between: DVec3,
    a: Stretch,
    b: Stretch,
}

impl Stretches {
    #[inline]
    fn nearest(&self, at_a: impl Fn(f64) -> DVec3, at_b: impl Fn(f64) -> DVec3) -> Nearest {
        let (t_a, t_b) = self.parameters();
        let gap = (self.between + self.b.way * t_b - self.a.way * t_a).length();
        Nearest { t_a, t_b, point_a: at_a(t_a), point_b: at_b(t_b), gap }
    }

    #[inline]
    fn parameters(&self) -> (f64, f64) {
        let Self { between, a, b } = self;
        let n = cross(a.way, b.way);
        let parallel = are_parallel(a.way, b.way, n);
        let t_a = if parallel { 0.0 } else { a.clamp(cross(*between, b.way).dot(n) / n.length_squared()) };
        let t_b = parameter(a.way * t_a - *between, b.way);
        if (0.0..=b.last).contains(&t_b) {
            return (t_a, t_b);
        }
        let t_b = b.clamp(t_b);
        (a.clamp(parameter(*between + b.way * t_b, a.way)), t_b)
    }
}
