//! The point of a ray or a segment that is closest to a given point.
//!
//! The foot of the perpendicular has the parameter (q − start)·d / d·d. If that is outside the extent, the result is
//! the end beyond which it lies (Ericson, *Real-Time Collision Detection*, 2005, § 5.1.2).

use glam::{DVec2, DVec3};

use crate::geometry::{Ray, Ray2, Segment, Segment2};

/// The part of a ray or a segment on which a point lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The origin of a ray, or the first end of a segment.
    Start,
    /// Neither end.
    Between,
    /// The second end of a segment; a ray has none.
    End,
}

/// A point of a ray or a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot {
    /// Its parameter: start + t direction, or start + t (end − start).
    pub t: f64,
    /// Where it is, m.
    pub point: DVec3,
    /// The part it lies on.
    pub part: Part,
}

/// A point of a ray or a segment in the plane; as [`Foot`], in two dimensions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot2 {
    /// Its parameter: start + t direction, or start + t (end − start).
    pub t: f64,
    /// Where it is, m.
    pub point: DVec2,
    /// The part it lies on.
    pub part: Part,
}

/// The point of `ray` closest to `point`.
///
/// - For a `point` at or behind the origin, seen along the direction, the result is the origin to the bit:
///   [`Part::Start`].
/// - If the direction has no length, the ray is only its origin.
///
/// ```
/// use carom::geometry::Ray;
/// use carom::geometry::closest::{Foot, Part, point_on_ray};
/// use carom::glam::DVec3;
///
/// let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X * 2.0 };
/// let found = point_on_ray(DVec3::new(6.0, 1.0, 0.0), &ray);
/// assert_eq!(found, Foot { t: 3.0, point: DVec3::X * 6.0, part: Part::Between });
/// assert_eq!(point_on_ray(DVec3::new(-6.0, 1.0, 0.0), &ray).part, Part::Start);
/// ```
#[inline]
pub fn point_on_ray(point: DVec3, ray: &Ray) -> Foot {
    let t = parameter(point - ray.origin, ray.direction);
    if t > 0.0 {
        Foot { t, point: ray.at(t), part: Part::Between }
    } else {
        Foot { t: 0.0, point: ray.origin, part: Part::Start }
    }
}

/// The point of `segment` closest to `point`.
///
/// - For a `point` whose foot is an end or beyond it, the result is that end to the bit: [`Part::Start`] or
///   [`Part::End`].
/// - For a segment without length, the result is its start.
///
/// ```
/// use carom::geometry::Segment;
/// use carom::geometry::closest::{Foot, Part, point_on_segment};
/// use carom::glam::DVec3;
///
/// let segment = Segment { start: DVec3::ZERO, end: DVec3::X * 4.0 };
/// let found = point_on_segment(DVec3::new(3.0, 9.0, 0.0), &segment);
/// assert_eq!(found, Foot { t: 0.75, point: DVec3::X * 3.0, part: Part::Between });
/// assert_eq!(point_on_segment(DVec3::new(9.0, 9.0, 0.0), &segment).part, Part::End);
/// ```
#[inline]
pub fn point_on_segment(point: DVec3, segment: &Segment) -> Foot {
    let way = segment.end - segment.start;
    let t = parameter(point - segment.start, way);
    if t >= 1.0 {
        Foot { t: 1.0, point: segment.end, part: Part::End }
    } else if t > 0.0 {
        Foot { t, point: segment.start + way * t, part: Part::Between }
    } else {
        Foot { t: 0.0, point: segment.start, part: Part::Start }
    }
}

/// The point of `ray` closest to `point`, in the plane; as [`point_on_ray`] in every case.
///
/// ```
/// use carom::geometry::Ray2;
/// use carom::geometry::closest::{Foot2, Part, point_on_ray2};
/// use carom::glam::DVec2;
///
/// let ray = Ray2 { origin: DVec2::ONE, direction: DVec2::Y * 2.0 };
/// let found = point_on_ray2(DVec2::new(5.0, 4.0), &ray);
/// assert_eq!(found, Foot2 { t: 1.5, point: DVec2::new(1.0, 4.0), part: Part::Between });
/// ```
#[inline]
pub fn point_on_ray2(point: DVec2, ray: &Ray2) -> Foot2 {
    let ray = Ray { origin: ray.origin.extend(0.0), direction: ray.direction.extend(0.0) };
    flattened(&point_on_ray(point.extend(0.0), &ray))
}

/// The point of `segment` closest to `point`, in the plane; as [`point_on_segment`] in every case.
///
/// ```
/// use carom::geometry::Segment2;
/// use carom::geometry::closest::{Foot2, Part, point_on_segment2};
/// use carom::glam::DVec2;
///
/// let segment = Segment2 { start: DVec2::ONE, end: DVec2::new(5.0, 1.0) };
/// let found = point_on_segment2(DVec2::new(2.0, 9.0), &segment);
/// assert_eq!(found, Foot2 { t: 0.25, point: DVec2::new(2.0, 1.0), part: Part::Between });
/// ```
#[inline]
pub fn point_on_segment2(point: DVec2, segment: &Segment2) -> Foot2 {
    let segment = Segment { start: segment.start.extend(0.0), end: segment.end.extend(0.0) };
    flattened(&point_on_segment(point.extend(0.0), &segment))
}

fn flattened(foot: &Foot) -> Foot2 {
    Foot2 { t: foot.t, point: foot.point.truncate(), part: foot.part }
}

/// Parameter of the foot of the perpendicular from `to` on the line along `way`, in lengths of `way`; NaN if `way` has
/// no length.
#[inline]
pub(super) fn parameter(to: DVec3, way: DVec3) -> f64 {
    to.dot(way) / way.length_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A query, and its results for the segment from (1, 1) to (5, 1) and for the ray along it: t, point, part.
    #[test]
    fn every_part() {
        use Part::{Between, End, Start};
        let rows = [
            ([-3.0, 2.0], (0.0, [1.0, 1.0], Start), (0.0, [1.0, 1.0], Start)),
            ([1.0, 9.0], (0.0, [1.0, 1.0], Start), (0.0, [1.0, 1.0], Start)),
            ([2.0, 9.0], (0.25, [2.0, 1.0], Between), (0.25, [2.0, 1.0], Between)),
            ([4.0, 1.0], (0.75, [4.0, 1.0], Between), (0.75, [4.0, 1.0], Between)),
            ([5.0, -7.0], (1.0, [5.0, 1.0], End), (1.0, [5.0, 1.0], Between)),
            ([9.0, -7.0], (1.0, [5.0, 1.0], End), (2.0, [9.0, 1.0], Between)),
            ([f64::NAN, 1.0], (0.0, [1.0, 1.0], Start), (0.0, [1.0, 1.0], Start)),
        ];
        let segment = Segment2 { start: DVec2::ONE, end: DVec2::new(5.0, 1.0) };
        let ray = Ray2 { origin: segment.start, direction: segment.end - segment.start };
        let foot = |(t, point, part): (f64, [f64; 2], Part)| Foot2 { t, point: point.into(), part };
        for (query, on_segment, on_ray) in rows {
            assert_eq!(point_on_segment2(query.into(), &segment), foot(on_segment), "{query:?}");
            assert_eq!(point_on_ray2(query.into(), &ray), foot(on_ray), "{query:?}");
        }
    }

    #[test]
    fn without_length_it_is_its_start() {
        let at = DVec3::new(1.0, 2.0, 3.0);
        let start = Foot { t: 0.0, point: at, part: Part::Start };
        for query in [DVec3::ZERO, at, DVec3::ONE * 9.0] {
            assert_eq!(point_on_segment(query, &Segment { start: at, end: at }), start);
            assert_eq!(point_on_ray(query, &Ray { origin: at, direction: DVec3::ZERO }), start);
        }
    }
}
