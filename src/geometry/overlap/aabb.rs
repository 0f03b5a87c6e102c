//! A ball and a box, or two boxes, at rest.
//!
//! A ball meets a box if the closest point of the box is no farther from the ball's centre than the radius (Ericson,
//! *Real-Time Collision Detection*, 2005, § 5.2.5). Two boxes meet if they overlap or touch along every axis (§ 4.2.1).

use glam::DVec3;

use crate::geometry::closest::point_on_aabb;
use crate::geometry::{Aabb, Radius};

/// Relative position of a closed ball and a closed box. `point` is the point of the box closest to the centre, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SphereAabb {
    /// They have no point in common.
    Apart {
        /// Closest point of the box, m.
        point: DVec3,
        /// Its distance from the ball, m; positive.
        gap: f64,
    },
    /// They touch in one point.
    Touching {
        /// That point, m.
        point: DVec3,
    },
    /// They share interior; the centre is outside the box.
    Overlapping {
        /// Closest point of the box, m.
        point: DVec3,
        /// Depth of this point inside the ball, m; positive. Moving the ball by this distance away from the point makes
        /// them touch.
        depth: f64,
    },
    /// The centre is in the box or on its surface.
    CenterInside {
        /// How far the ball must be moved through the nearest face to touch the box from outside, m; positive.
        depth: f64,
    },
}

/// The relative position of the ball around `center` (m) and the box.
///
/// A centre that is NaN or infinite is [`SphereAabb::Apart`]; so is a box with a corner that is NaN or infinite, or one
/// that is turned inside out (`min` above `max`), with a gap of NaN.
///
/// ```
/// use carom::geometry::overlap::{SphereAabb, sphere_aabb};
/// use carom::geometry::{Aabb, Radius};
/// use carom::glam::DVec3;
///
/// let (radius, cube) = (Radius::new(2.0).unwrap(), Aabb::around(DVec3::ZERO, DVec3::ONE));
/// let found = sphere_aabb(DVec3::X * 4.0, radius, &cube);
/// assert_eq!(found, SphereAabb::Apart { point: DVec3::X, gap: 1.0 });
/// // The shortest way out is through the nearest face: half a metre, and the radius.
/// assert_eq!(sphere_aabb(DVec3::X * 0.5, radius, &cube), SphereAabb::CenterInside { depth: 2.5 });
/// ```
pub fn sphere_aabb(center: DVec3, radius: Radius, bounds: &Aabb) -> SphereAabb {
    let point = point_on_aabb(center, bounds);
    let is_box = bounds.min.is_finite() && bounds.max.is_finite() && bounds.min.cmple(bounds.max).all();
    if !is_box {
        return SphereAabb::Apart { point, gap: f64::NAN };
    }
    let radius = radius.get();
    if point == center {
        let to_face = (center - bounds.min).min(bounds.max - center).min_element();
        return SphereAabb::CenterInside { depth: radius + to_face };
    }
    let squared = point.distance_squared(center);
    let outside = squared - radius * radius;
    if outside == 0.0 {
        SphereAabb::Touching { point }
    } else if outside < 0.0 {
        SphereAabb::Overlapping { point, depth: -outside / (squared.sqrt() + radius) }
    } else {
        SphereAabb::Apart { point, gap: outside / (squared.sqrt() + radius) }
    }
}

/// All points that two closed boxes have in common, m: a box.
///
/// - `None` if they are apart, if a coordinate is NaN or infinite, or if one is turned inside out (`min` above `max`).
/// - Boxes that touch share a box without interior: its `min` and `max` agree along at least one axis. So do boxes of
///   which one has no interior itself.
///
/// ```
/// use carom::geometry::Aabb;
/// use carom::geometry::overlap::aabb_aabb;
/// use carom::glam::DVec3;
///
/// let cube = |x: f64| Aabb::around(DVec3::X * x, DVec3::ONE);
/// let common = Aabb { min: DVec3::new(0.5, -1.0, -1.0), max: DVec3::ONE };
/// assert_eq!(aabb_aabb(&cube(0.0), &cube(1.5)), Some(common));
/// assert_eq!(aabb_aabb(&cube(0.0), &cube(2.5)), None);
/// ```
#[inline]
pub fn aabb_aabb(a: &Aabb, b: &Aabb) -> Option<Aabb> {
    let finite = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite();
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    (finite(a) && finite(b) && min.cmple(max).all()).then_some(Aabb { min, max })
}
