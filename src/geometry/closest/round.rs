//! The point of a circle or a sphere that is closest to a given point.
//!
//! These are the curve and the surface without the interior: for a query inside, the result is a point of the curve or
//! surface. For a disc or a ball, a query inside is its own closest point; this is the case if the distance is negative
//! or the query is the centre. For all other queries the results are the same.

use glam::{DVec2, DVec3};

use crate::geometry::Radius;

/// The point of a sphere closest to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OnSphere {
    /// There is one.
    Point {
        /// Where it is, m.
        point: DVec3,
        /// Signed distance of the query from the surface, m; negative inside.
        distance: f64,
    },
    /// The query is the centre: all points of the surface are equally near, one radius away.
    Everywhere,
}

/// The point of a circle closest to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OnCircle {
    /// There is one.
    Point {
        /// Where it is, m.
        point: DVec2,
        /// Signed distance of the query from the curve, m; negative inside.
        distance: f64,
    },
    /// The query is the centre: all points of the curve are equally near, one radius away.
    Everywhere,
}

/// The point of the sphere around `center` (m) closest to `point` (m).
///
/// - A query on the surface is its own closest point, to rounding.
/// - A query counts as the centre if its computed distance from it is 0; this holds within 1e-160 m of it.
/// - A query or centre that is NaN or infinite gets a `distance` of NaN or infinity.
///
/// ```
/// use carom::geometry::Radius;
/// use carom::geometry::closest::{OnSphere, point_on_sphere};
/// use carom::glam::DVec3;
///
/// let radius = Radius::new(2.0).unwrap();
/// let found = point_on_sphere(DVec3::Z * 5.0, DVec3::ZERO, radius);
/// assert_eq!(found, OnSphere::Point { point: DVec3::Z * 2.0, distance: 3.0 });
/// assert_eq!(point_on_sphere(DVec3::ZERO, DVec3::ZERO, radius), OnSphere::Everywhere);
/// ```
#[inline]
pub fn point_on_sphere(point: DVec3, center: DVec3, radius: Radius) -> OnSphere {
    let way = point - center;
    let length = way.length();
    if length == 0.0 {
        return OnSphere::Everywhere;
    }
    OnSphere::Point { point: center + way / length * radius.get(), distance: length - radius.get() }
}

/// The point of the circle around `center` (m) closest to `point` (m); as [`point_on_sphere`] in every case.
///
/// ```
/// use carom::geometry::Radius;
/// use carom::geometry::closest::{OnCircle, point_on_circle};
/// use carom::glam::DVec2;
///
/// // From a point inside.
/// let found = point_on_circle(DVec2::X * 3.0, DVec2::X, Radius::new(5.0).unwrap());
/// assert_eq!(found, OnCircle::Point { point: DVec2::X * 6.0, distance: -3.0 });
/// ```
#[inline]
pub fn point_on_circle(point: DVec2, center: DVec2, radius: Radius) -> OnCircle {
    match point_on_sphere(point.extend(0.0), center.extend(0.0), radius) {
        OnSphere::Point { point, distance } => OnCircle::Point { point: point.truncate(), distance },
        OnSphere::Everywhere => OnCircle::Everywhere,
    }
}
