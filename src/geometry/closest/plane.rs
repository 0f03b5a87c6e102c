//! The point of a plane, or of a line in the plane, that is closest to a given point.
//!
//! It is the foot of the perpendicular: q − n (n·q − d) / n·n (Ericson, *Real-Time Collision Detection*, 2005,
//! § 5.1.1).

use glam::{DVec2, DVec3};

use crate::geometry::{Line2, Plane};

/// The point of `plane` closest to `point`, both in m. Their distance is |[`Plane::distance`]|.
///
/// ```
/// use carom::geometry::Plane;
/// use carom::geometry::closest::point_on_plane;
/// use carom::glam::DVec3;
///
/// let plane = Plane::new(DVec3::Z, 2.0).unwrap();
/// assert_eq!(point_on_plane(DVec3::new(3.0, 4.0, 7.0), &plane), DVec3::new(3.0, 4.0, 2.0));
/// ```
#[inline]
pub fn point_on_plane(point: DVec3, plane: &Plane) -> DVec3 {
    point - plane.normal() * plane.distance(point)
}

/// The point of the implicit line n·p = d closest to `point`, both in m; n may have any length.
///
/// ```
/// use carom::geometry::Line2;
/// use carom::geometry::closest::point_on_line2;
/// use carom::glam::DVec2;
///
/// let line = Line2::new(DVec2::new(3.0, 4.0), 25.0).unwrap();
/// assert_eq!(point_on_line2(DVec2::ZERO, &line), DVec2::new(3.0, 4.0));
/// ```
#[inline]
pub fn point_on_line2(point: DVec2, line: &Line2) -> DVec2 {
    let n = line.normal();
    point - n * ((n.dot(point) - line.offset()) / n.length_squared())
}
