//! A ray and a plane, taken as a sheet without thickness.
//!
//! The distance to the plane falls evenly along the ray, so it is 0 at distance over fall (Ericson, *Real-Time
//! Collision Detection*, 2005, § 5.3.1). Whether the ray is parallel is asked of the sign of the fall, without a
//! tolerance: a ray that rounding keeps from being parallel meets the plane far away.

use super::{Faces, Side};
use crate::geometry::{Plane, Ray};

/// How a ray lies to a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaneCast {
    /// It meets the plane in one point.
    Hit {
        /// Where, not negative; 0 if it starts on the plane.
        t: f64,
        /// The side it comes from.
        side: Side,
    },
    /// It runs beside the plane at a constant distance.
    Parallel,
    /// All of it lies in the plane.
    Coincident,
    /// It goes away from the plane, comes from a side that does not count, or has a number that is NaN or infinite.
    Miss,
}

/// Where a ray meets a plane, coming from one of the `faces`.
///
/// A ray that starts on the plane comes from the side that it does not go to. A direction counts as parallel if its
/// product with the normal, n·v, is 0 as computed; so does one of length 0.
#[inline]
pub fn ray_plane(ray: &Ray, plane: &Plane, faces: Faces) -> PlaneCast {
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
    let side = if fall > 0.0 { Side::Front } else { Side::Back };
    let counts = side == Side::Front || faces == Faces::Both;
    if counts && fall.is_finite() && (0.0..f64::INFINITY).contains(&t) {
        // Makes −0 a 0.
        PlaneCast::Hit { t: t + 0.0, side }
    } else {
        PlaneCast::Miss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// The plane z = 2 seen from both sides, and with its front alone.
    #[test]
    fn every_outcome() {
        let plane = Plane::new(DVec3::Z, 2.0).unwrap();
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let hit = |t, side| PlaneCast::Hit { t, side };
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
            (nan, [0.0, 1.0, -4.0], PlaneCast::Miss, true),
            (nan, [0.0, 1.0, 0.0], PlaneCast::Miss, true),
            (inf, [0.0, 1.0, -4.0], PlaneCast::Miss, true),
            (inf, [0.0, 1.0, 0.0], PlaneCast::Miss, true),
            (5.0, [0.0, 1.0, -inf], PlaneCast::Miss, true),
            (5.0, [inf, 1.0, -4.0], PlaneCast::Miss, true),
            (5.0, [nan, 1.0, -4.0], PlaneCast::Miss, true),
        ];
        for (z, direction, expected, from_front) in rows {
            let ray = Ray { origin: DVec3::new(7.0, 8.0, z), direction: DVec3::from_array(direction) };
            assert_eq!(ray_plane(&ray, &plane, Faces::Both), expected, "{ray:?}");
            let front = if from_front { expected } else { PlaneCast::Miss };
            assert_eq!(ray_plane(&ray, &plane, Faces::Front), front, "{ray:?}");
            let PlaneCast::Hit { t, .. } = expected else { continue };
            assert!(t.is_sign_positive());
        }
    }
}
