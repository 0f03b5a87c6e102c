//! Two rays in space.
//!
//! Their nearest points decide ([`closest::ray_ray`](crate::geometry::closest::ray_ray)): both extents are respected,
//! so rays whose lines cross behind an origin do not meet.

use glam::DVec3;

use crate::geometry::closest::{self, Nearest, are_parallel};
use crate::geometry::exact::cross;
use crate::geometry::{Ray, Segment};
use crate::numeric::tolerance::MEETING_SLACK;

/// Relative position of two rays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rays {
    /// They have one point in common: their nearest points are no farther apart than rounding.
    Crossing(Nearest),
    /// They have no common point and are not parallel: their lines are skew, or cross behind an origin. Contains the
    /// nearest points.
    Skew(Nearest),
    /// They lie on parallel lines. Contains the nearest points; of equally near ones, those with the smallest
    /// parameters.
    Parallel(Nearest),
    /// They lie on one line.
    Coincident(Common),
}

/// What two rays on one line have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Common {
    /// They point the same way: the common part is the ray from the origin that is farther on, in the direction of `a`.
    Ray(Ray),
    /// They point at each other: the common part lies between the origins, from that of `a` to that of `b`.
    Segment(Segment),
    /// They point in opposite directions from one origin, m.
    Point(DVec3),
    /// They point away from each other.
    Nothing {
        /// How far the origins are apart, m.
        gap: f64,
    },
}

/// Where the rays `a` and `b` meet, or how they miss each other.
///
/// - Whether rays are parallel is decided by the directions alone, within `PARALLEL_SLACK`. Whether they point the same
///   way, and which origin is farther on, is decided by signs.
/// - Points no farther apart than `MEETING_SLACK` of the coordinates involved count as one. For a crossing, both
///   nearest points are given; either can be used.
/// - `None` if a number is NaN or infinite, or a direction has no length.
///
/// ```
/// use carom::geometry::meet::{Common, Rays, ray_ray};
/// use carom::geometry::{Ray, Segment};
/// use carom::glam::DVec3;
///
/// let a = Ray { origin: DVec3::ZERO, direction: DVec3::X };
/// let b = Ray { origin: DVec3::new(3.0, -2.0, 0.0), direction: DVec3::Y };
/// let Some(Rays::Crossing(at)) = ray_ray(&a, &b) else { panic!("they cross") };
/// assert_eq!((at.t_a, at.t_b, at.point_a), (3.0, 2.0, DVec3::X * 3.0));
/// let opposite = Ray { origin: DVec3::X * 5.0, direction: -DVec3::X };
/// let between = Segment { start: DVec3::ZERO, end: DVec3::X * 5.0 };
/// assert_eq!(ray_ray(&a, &opposite), Some(Rays::Coincident(Common::Segment(between))));
/// ```
pub fn ray_ray(a: &Ray, b: &Ray) -> Option<Rays> {
    let sound = |ray: &Ray| ray.origin.is_finite() && ray.direction.is_finite() && ray.direction != DVec3::ZERO;
    if !(sound(a) && sound(b)) {
        return None;
    }
    let nearest = closest::ray_ray(a, b);
    let coordinates = a.origin.length() + b.origin.length();
    if are_parallel(a.direction, b.direction, cross(a.direction, b.direction)) {
        let between = b.origin - a.origin;
        let distance = cross(between, a.direction).length() / a.direction.length();
        let coincident = distance <= MEETING_SLACK * coordinates;
        return Some(if coincident { Rays::Coincident(common(a, b)) } else { Rays::Parallel(nearest) });
    }
    let ways = a.direction.length() * nearest.t_a + b.direction.length() * nearest.t_b;
    let meet = nearest.gap <= MEETING_SLACK * (coordinates + ways);
    Some(if meet { Rays::Crossing(nearest) } else { Rays::Skew(nearest) })
}

/// What two rays on one line share.
fn common(a: &Ray, b: &Ray) -> Common {
    let between = b.origin - a.origin;
    let ahead = between.dot(a.direction);
    if a.direction.dot(b.direction) > 0.0 {
        let origin = if ahead > 0.0 { b.origin } else { a.origin };
        Common::Ray(Ray { origin, direction: a.direction })
    } else if ahead > 0.0 {
        Common::Segment(Segment { start: a.origin, end: b.origin })
    } else if ahead < 0.0 {
        Common::Nothing { gap: between.length() }
    } else {
        Common::Point(a.origin)
    }
}
