//! The part of a second derivative that is due to motion around a point.

use glam::DVec3;

/// Second derivative of |r| that comes from the velocity across r: (|v|² − (v·r)²/|r|²)/|r|.
pub(super) fn centrifugal(r: DVec3, v: DVec3) -> f64 {
    let squared = r.length_squared();
    if squared > 0.0 { r.cross(v).length_squared() / (squared * squared.sqrt()) } else { 0.0 }
}
