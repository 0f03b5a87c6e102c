//! Unit vectors by division.
//!
//! Multiplication by a rounded reciprocal would not turn (0, 0, 3) into exactly (0, 0, 1). Division gives every
//! axis-parallel vector its exact direction.

use glam::DVec3;

/// The direction of `v`, or `None` for a vector without length.
#[inline]
pub fn unit(v: DVec3) -> Option<DVec3> {
    let length = v.length();
    (length > 0.0).then(|| v / length)
}
