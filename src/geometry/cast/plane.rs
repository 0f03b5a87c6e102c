//! A ray and a plane: as a sheet without thickness, or as the face of a solid half-space.
//!
//! The distance to the plane decreases linearly along the ray, so it is 0 at the parameter distance / (decrease per
//! unit of t) (Ericson, *Real-Time Collision Detection*, 2005, § 5.3.1). The ray is parallel only if this decrease is
//! exactly 0; there is no tolerance. A ray that rounding keeps from being parallel meets the plane far away.

use glam::DVec3;

use super::{Crossing, Faces, Side};
use crate::geometry::{Plane, Ray, Start};

/// Position of a ray relative to a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaneCast {
    /// It meets the plane in one point.
    Hit {
        /// Its parameter, not negative; 0 if the ray starts on the plane.
        t: f64,
        /// The side it comes from.
        side: Side,
        /// The plane's unit normal on that side.
        normal: DVec3,
    },
    /// It runs beside the plane at a constant distance.
    Parallel,
    /// The whole ray lies in the plane.
    Coincident,
    /// It goes away from the plane, meets it later than `until`, comes from a side that does not count, or has a number
    /// that is NaN or infinite.
    Miss,
}

/// Where a ray from one of the `faces` meets a plane, up to and including the parameter `until`.
///
/// A ray that starts on the plane comes from the side opposite to its direction. A direction counts as parallel if its
/// product with the normal, n·v, is 0 as computed; so does one of length 0.
///
/// ```
/// use carom::geometry::cast::{Faces, PlaneCast, Side, ray_plane};
/// use carom::geometry::{Plane, Ray};
/// use carom::glam::DVec3;
///
/// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
/// let down = Ray { origin: DVec3::Z * 4.0, direction: DVec3::new(1.0, 0.0, -2.0) };
/// let hit = PlaneCast::Hit { t: 2.0, side: Side::Front, normal: DVec3::Z };
/// assert_eq!(ray_plane(&down, &floor, Faces::Front, f64::INFINITY), hit);
/// let along = Ray { direction: DVec3::X, ..down };
/// assert_eq!(ray_plane(&along, &floor, Faces::Front, f64::INFINITY), PlaneCast::Parallel);
/// ```
#[inline]
pub fn ray_plane(ray: &Ray, plane: &Plane, faces: Faces, until: f64) -> PlaneCast {
    let distance = plane.distance(ray.origin);
    let fall = -plane.normal().dot(ray.direction);
    if fall == 0.0 {
        return match distance {
            0.0 => PlaneCast::Coincident,
            distance if distance.is_finite() => PlaneCast::Parallel,
            _ => PlaneCast::Miss,
        };
    }
    let t = distance / fall;
    let (side, normal) = if fall > 0.0 { (Side::Front, plane.normal()) } else { (Side::Back, -plane.normal()) };
    let counts = side == Side::Front || faces == Faces::Both;
    if counts && fall.is_finite() && (0.0..f64::INFINITY).contains(&t) && t <= until {
        // Turns −0 into 0.
        PlaneCast::Hit { t: t + 0.0, side, normal }
    } else {
        PlaneCast::Miss
    }
}

/// Where a ray enters the half-space behind a plane, up to and including the parameter `until`, and where it leaves it.
///
/// A ray at a constant distance from the plane, as computed, is inside for ever or never. The normal is the plane's.
///
/// See [`cast`](super) for the meaning of the results.
///
/// ```
/// use carom::geometry::cast::ray_half_space;
/// use carom::geometry::{Plane, Ray, Start};
/// use carom::glam::DVec3;
///
/// // From 3 m below the ground straight up.
/// let ground = Plane::new(DVec3::Z, 0.0).unwrap();
/// let ray = Ray { origin: DVec3::Z * -3.0, direction: DVec3::Z };
/// let hit = ray_half_space(&ray, &ground, f64::INFINITY).unwrap();
/// assert_eq!((hit.enter, hit.leave, hit.start), (0.0, 3.0, Start::Inside));
/// ```
#[inline]
pub fn ray_half_space(ray: &Ray, plane: &Plane, until: f64) -> Option<Crossing> {
    let (height, climb) = (plane.distance(ray.origin), plane.normal().dot(ray.direction));
    let sound = ray.direction != DVec3::ZERO && height.is_finite() && climb.is_finite() && ray.direction.is_finite();
    let crossing = -height / climb;
    let (enter, leave) = match climb {
        climb if climb < 0.0 => (crossing, f64::INFINITY),
        climb if climb > 0.0 => (f64::NEG_INFINITY, crossing),
        _ if height < 0.0 => (f64::NEG_INFINITY, f64::INFINITY),
        _ => return None,
    };
    if !(sound && leave > 0.0 && enter <= until && enter < f64::INFINITY) {
        return None;
    }
    let (enter, start) = Start::of(enter);
    Some(Crossing { enter, leave, normal: plane.normal(), start })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plane z = 2 seen from both sides, and with its front alone.
    #[test]
    fn every_outcome() {
        let plane = Plane::new(DVec3::Z, 2.0).unwrap();
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let hit = |t, side| {
            let normal = if side == Side::Front { DVec3::Z } else { DVec3::NEG_Z };
            PlaneCast::Hit { t, side, normal }
        };
        let rows = [
            (5.0, [4.0, 0.0, -1.5], hit(2.0, Side::Front), true),
            (5.0, [0.0, 0.0, 1.0], PlaneCast::Miss, true),
            (0.0, [0.0, 1.0, 4.0], hit(0.5, Side::Back), false),
            (0.0, [0.0, 1.0, -4.0], PlaneCast::Miss, true),
            (2.0, [0.0, 1.0, -4.0], hit(0.0, Side::Front), true),
            (2.0, [0.0, 1.0, 4.0], hit(0.0, Side::Back), false),
            (2.0, [3.0, 1.0, 0.0], PlaneCast::Coincident, true),
            (2.0, [3.0, 1.0, -0.0], PlaneCast::Coincident, true),
            (3.0, [3.0, 1.0, -0.0], PlaneCast::Parallel, true),
            (3.0, [0.0, 0.0, 0.0], PlaneCast::Parallel, true),
            (nan, [0.0, 1.0, 0.0], PlaneCast::Miss, true),
            (inf, [0.0, 1.0, 0.0], PlaneCast::Miss, true),
        ];
        for (z, direction, expected, from_front) in rows {
            let ray = Ray { origin: DVec3::new(7.0, 8.0, z), direction: DVec3::from_array(direction) };
            assert_eq!(ray_plane(&ray, &plane, Faces::Both, inf), expected, "{ray:?}");
            let front = if from_front { expected } else { PlaneCast::Miss };
            assert_eq!(ray_plane(&ray, &plane, Faces::Front, inf), front, "{ray:?}");
            let PlaneCast::Hit { t, .. } = expected else { continue };
            assert!(t.is_sign_positive());
            assert_eq!(ray_plane(&ray, &plane, Faces::Both, t), expected, "{ray:?}");
            assert_eq!(ray_plane(&ray, &plane, Faces::Both, t.next_down()), PlaneCast::Miss, "{ray:?}");
            assert_eq!(ray_plane(&ray, &plane, Faces::Both, nan), PlaneCast::Miss, "{ray:?}");
        }
    }

    /// The half-space below z = 2.
    #[test]
    fn every_outcome_of_a_half_space() {
        use Start::{Apart, Inside, Touching};
        let plane = Plane::new(DVec3::Z, 2.0).unwrap();
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let rows = [
            (5.0, [4.0, 0.0, -1.5], Some((2.0, inf, Apart))),
            (5.0, [4.0, 0.0, 1.5], None),
            (5.0, [4.0, 0.0, 0.0], None),
            (2.0, [4.0, 0.0, -1.0], Some((0.0, inf, Touching))),
            (2.0, [4.0, 0.0, 0.0], None),
            (2.0, [4.0, 0.0, 1.0], None),
            (1.0, [4.0, 0.0, -1.0], Some((0.0, inf, Inside))),
            (1.0, [4.0, 0.0, -0.0], Some((0.0, inf, Inside))),
            (1.0, [4.0, 0.0, 0.5], Some((0.0, 2.0, Inside))),
            (1.0, [0.0, 0.0, 0.0], None),
            (nan, [0.0, 0.0, -1.0], None),
            (-inf, [0.0, 0.0, 1.0], None),
            (1.0, [inf, 0.0, 0.0], None),
            (5.0, [0.0, 0.0, -inf], None),
            (5.0, [0.0, nan, -1.0], None),
        ];
        for (z, direction, expected) in rows {
            let ray = Ray { origin: DVec3::new(7.0, 8.0, z), direction: DVec3::from_array(direction) };
            let found =
                |until| ray_half_space(&ray, &plane, until).map(|found| (found.enter, found.leave, found.start));
            assert_eq!(found(inf), expected, "{ray:?}");
            assert_eq!(found(nan), None, "{ray:?}");
            let Some((enter, ..)) = expected else { continue };
            assert_eq!(found(enter), expected, "{ray:?}");
            assert!(enter == 0.0 || found(enter.next_down()).is_none(), "{ray:?}");
        }
    }
}
