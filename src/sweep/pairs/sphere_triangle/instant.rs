//! A stay in the slab that lasts an instant; rounding alone may decide whether it exists.

use crate::geometry::{Solid, Triangle};
use crate::motion::Relative;
use crate::numeric::Interval;
use crate::sweep::instant::touch_for_instant;

/// Whether the ball reaches the triangle, within rounding error, in a stay of an instant in the slab around the
/// triangle's plane.
pub(super) fn touches(radius: f64, triangle: &Triangle, centre: &Relative, stay: Interval) -> bool {
    let bounds = triangle.bounds();
    let size = bounds.farthest().max_element() + radius;
    touch_for_instant(Solid::Triangle(triangle), Solid::Sphere(radius), size, centre, stay)
}
