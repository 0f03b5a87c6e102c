//! A ray and a circular wall.

use glam::DVec3;

use super::ray_sphere;
use crate::geometry::{ArcPart, CircleArc, Ray, Start};

/// Where a ray first meets the arc around `center` (m), up to and including the parameter `until`, and the unit normal
/// of the side from which it comes. A tangent ray misses.
///
/// ```
/// use carom::geometry::cast::ray_arc;
/// use carom::geometry::{CircleArc, Ray};
/// use carom::glam::{DVec2, DVec3};
///
/// // The right half of a circle: the ray goes in through the opening.
/// let arc = CircleArc::new(2.0, -DVec2::Y, DVec2::Y).unwrap();
/// let ray = Ray { origin: DVec3::X * -5.0, direction: DVec3::X };
/// assert_eq!(ray_arc(&ray, DVec3::ZERO, &arc, 9.0), Some((7.0, -DVec3::X)));
/// ```
pub fn ray_arc(ray: &Ray, center: DVec3, arc: &CircleArc, until: f64) -> Option<(f64, DVec3)> {
    let seen = Ray { origin: (ray.origin - center).with_z(0.0), direction: ray.direction.with_z(0.0) };
    let disc = ray_sphere(&seen, DVec3::ZERO, arc.radius(), f64::INFINITY)?;
    let enters = (disc.start == Start::Apart).then_some((disc.enter, 1.0));
    let meets = |&(t, _): &(f64, f64)| (0.0..=until).contains(&t) && arc.part_at(seen.at(t)) == ArcPart::Rim;
    let (t, side) = enters.into_iter().chain([(disc.leave, -1.0)]).find(meets)?;
    Some((t, seen.at(t).normalize_or_zero() * side))
}
