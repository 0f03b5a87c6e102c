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

#[cfg(test)]
mod tests {
    use super::*;

    /// The line 3 x + 4 y = 10, its multiples, and the plane through it along z.
    #[test]
    fn feet_of_perpendiculars() {
        let rows =
            [([0.0, 0.0], [1.2, 1.6]), ([1.2, 1.6], [1.2, 1.6]), ([5.0, 5.0], [2.0, 1.0]), ([2.0, 1.0], [2.0, 1.0])];
        // Each of some five operations rounds numbers no larger than 10.
        let near =
            |found: DVec2, expected: [f64; 2]| (found - DVec2::from(expected)).length() <= 16.0 * 10.0 * f64::EPSILON;
        for (query, expected) in rows {
            for scale in [1.0, -1.0, 0.5, 7.0, 1e60, 1e-60] {
                let line = Line2::new(DVec2::new(3.0, 4.0) * scale, 10.0 * scale).unwrap();
                assert!(near(point_on_line2(query.into(), &line), expected), "{query:?} {scale}");
            }
            let plane = Plane::new(DVec3::new(3.0, 4.0, 0.0), 10.0).unwrap();
            let found = point_on_plane(DVec2::from(query).extend(-3.0), &plane);
            assert!(near(found.truncate(), expected) && found.z == -3.0, "{query:?}");
        }
    }
}
