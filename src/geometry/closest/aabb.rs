//! The point of a box that is closest to a given point.
//!
//! Each coordinate is clamped to the box (Ericson, *Real-Time Collision Detection*, 2005, § 5.1.3), so the result has
//! no rounding error.

use glam::DVec3;

use crate::geometry::Aabb;

/// The point of the closed, solid box closest to `point`, m.
///
/// - A `point` in the box is its own closest point, to the bit.
/// - For a `point` outside, the result lies on the boundary: its coordinates are those of `point` or of the box, to the
///   bit.
/// - A coordinate that is NaN stays NaN.
/// - For a box turned inside out (`min` above `max` along an axis), the result has that axis' `min` or `max`.
///
/// ```
/// use carom::geometry::Aabb;
/// use carom::geometry::closest::point_on_aabb;
/// use carom::glam::DVec3;
///
/// let cube = Aabb::around(DVec3::ZERO, DVec3::ONE);
/// let outside = DVec3::new(3.0, 0.5, -2.0);
/// assert_eq!(point_on_aabb(outside, &cube), DVec3::new(1.0, 0.5, -1.0));
/// ```
#[inline]
pub fn point_on_aabb(point: DVec3, bounds: &Aabb) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| match (point[axis], bounds.min[axis], bounds.max[axis]) {
        (x, min, _) if x < min => min,
        (x, _, max) if x > max => max,
        (x, _, _) => x,
    }))
}
