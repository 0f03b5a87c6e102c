//! On which side of a plane a solid lies.
//!
//! A box is classified by its two corners that are farthest in front and farthest behind (Greene, *Detecting
//! Intersection of a Rectangular Solid and a Convex Polyhedron*, 1994; Ericson, *Real-Time Collision Detection*, 2005,
//! § 5.2.3), a ball by the distance of its centre (§ 5.2.2).

use glam::DVec3;

use super::{Aabb, Plane, Radius};

/// Position of a solid relative to a plane. The plane's normal points to the front.
///
/// A solid that only touches the plane is on one side, with a gap of 0. A solid that lies entirely in the plane, such
/// as a box without thickness, counts as in front.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaneSide {
    /// No point is behind the plane.
    Front {
        /// Distance of the nearest point from the plane, m; 0 if it touches.
        gap: f64,
    },
    /// Points on both sides.
    Straddling {
        /// How far the solid reaches in front of the plane, m; positive.
        front: f64,
        /// How far it reaches behind the plane, m; positive.
        back: f64,
    },
    /// No point is in front of the plane, and some are behind.
    Back {
        /// Distance of the nearest point from the plane, m; 0 if it touches.
        gap: f64,
    },
}

/// On which side of `plane` the closed box lies.
///
/// `None` if a coordinate is NaN or infinite, or if the box is turned inside out (`min` above `max`).
///
/// ```
/// use carom::geometry::side::{PlaneSide, aabb_plane};
/// use carom::geometry::{Aabb, Plane};
/// use carom::glam::DVec3;
///
/// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
/// let tower = Aabb::around(DVec3::Z, DVec3::new(1.0, 1.0, 3.0));
/// assert_eq!(aabb_plane(&tower, &floor), Some(PlaneSide::Straddling { front: 4.0, back: 2.0 }));
/// ```
#[inline]
pub fn aabb_plane(bounds: &Aabb, plane: &Plane) -> Option<PlaneSide> {
    let is_box = bounds.min.is_finite() && bounds.max.is_finite() && bounds.min.cmple(bounds.max).all();
    let [back, front] = bounds.extremes(plane.normal()).map(|corner| plane.distance(corner));
    if is_box { between(back, front) } else { None }
}

/// On which side of `plane` the closed ball around `center` (m) lies.
///
/// `None` if a coordinate of the centre is NaN or infinite.
///
/// ```
/// use carom::geometry::side::{PlaneSide, sphere_plane};
/// use carom::geometry::{Plane, Radius};
/// use carom::glam::DVec3;
///
/// let (floor, radius) = (Plane::new(DVec3::Z, 0.0).unwrap(), Radius::new(2.0).unwrap());
/// assert_eq!(sphere_plane(DVec3::Z * 5.0, radius, &floor), Some(PlaneSide::Front { gap: 3.0 }));
/// // It touches the floor from below.
/// assert_eq!(sphere_plane(DVec3::Z * -2.0, radius, &floor), Some(PlaneSide::Back { gap: 0.0 }));
/// ```
#[inline]
pub fn sphere_plane(center: DVec3, radius: Radius, plane: &Plane) -> Option<PlaneSide> {
    let distance = plane.distance(center);
    between(distance - radius.get(), distance + radius.get())
}

/// The side of a solid whose points are from `back` to `front` in front of the plane.
#[inline]
fn between(back: f64, front: f64) -> Option<PlaneSide> {
    if !(back.is_finite() && front.is_finite()) {
        return None;
    }
    // Adding 0 turns −0 into 0.
    Some(if back >= 0.0 {
        PlaneSide::Front { gap: back + 0.0 }
    } else if front <= 0.0 {
        PlaneSide::Back { gap: 0.0 - front }
    } else {
        PlaneSide::Straddling { front, back: -back }
    })
}
