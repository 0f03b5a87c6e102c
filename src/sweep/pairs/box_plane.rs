//! A moving axis-aligned box and a plane: as the face of a solid half-space, or as a thin sheet.
//!
//! A box reaches Σ |nₖ| hₖ from its centre along the normal n (Ericson, *Real-Time Collision Detection*, 2005,
//! § 5.2.3). So it meets a plane at the same times as a ball of this radius.

use super::sphere_plane::{self, sphere_plane, sphere_sheet};
use crate::sweep::Overlap;
use glam::DVec3;

use crate::geometry::Plane;
use crate::motion::Relative;
use crate::numeric::Intervals;

/// When a box with half edges `a` (m, not negative) overlaps the half-space behind a plane `b` in [0, `until`].
///
/// `motion` is that of the plane's body seen from the box's centre.
///
/// ```
/// use carom::geometry::Plane;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::box_plane::box_plane;
///
/// // The centre begins 7 m above the floor. The box falls with 2 m/s, so the floor rises.
/// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
/// let motion = Relative { position: DVec3::Z * -7.0, velocity: DVec3::Z * 2.0, acceleration: DVec3::ZERO };
/// let met = box_plane(DVec3::new(1.0, 2.0, 3.0), &floor, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, f64::INFINITY, -DVec3::Z));
/// ```
#[inline]
pub fn box_plane(a: DVec3, b: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    sphere_plane(b.reach_of(a), b, motion, until)
}

/// When a box with half edges `a` overlaps the thin sheet at a plane `b`, from either side, in [0, `until`].
///
/// ```
/// use carom::geometry::Plane;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::box_plane::box_sheet;
///
/// let sheet = Plane::new(DVec3::Z, 0.0).unwrap();
/// let motion = Relative { position: DVec3::Z * -7.0, velocity: DVec3::Z * 2.0, acceleration: DVec3::ZERO };
/// let met = box_sheet(DVec3::new(1.0, 2.0, 3.0), &sheet, &motion, 10.0).unwrap();
/// // It lasts until the whole box, 6 m high, is through.
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, 5.0, -DVec3::Z));
/// ```
pub fn box_sheet(a: DVec3, b: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    sphere_sheet(b.reach_of(a), b, motion, until)
}

/// All times at which a box overlaps the half-space.
#[doc(hidden)]
pub fn pieces(a: DVec3, b: &Plane, motion: &Relative) -> Intervals {
    sphere_plane::pieces(b.reach_of(a), b, motion)
}
