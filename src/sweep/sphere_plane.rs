//! A moving ball and a plane: as the face of a solid half-space, or as a thin sheet.
//!
//! The distance of the centre from the plane is a quadratic of time, so both answers are closed forms at
//! any acceleration (Ericson, *Real-Time Collision Detection*, 2005, § 5.5.3).

use glam::DVec3;

use super::{Overlap, Start, first, projected};
use crate::geometry::Plane;
use crate::motion::Relative;
use crate::numeric::{Intervals, Quadratic};

/// When a ball of radius `a` (m, not negative) overlaps the half-space behind a plane `b` in [0, `until`].
///
/// `motion` is that of the plane's body seen from the ball's centre.
#[inline]
pub fn sphere_plane(a: f64, b: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    half_space_overlap(a, b, motion, until)
}

/// When a ball of radius `a` touches the thin sheet at a plane `b`, from either side, in [0, `until`].
pub fn sphere_sheet(a: f64, b: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    sheet_overlap(a, b, motion, until)
}

/// When a solid that reaches `reach` from its centre towards the plane overlaps the half-space.
pub(super) fn half_space_overlap(reach: f64, plane: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    let (interval, start) = first(&half_space_pieces(reach, plane, motion), until)?;
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal: -plane.normal(), start })
}

/// All times at which such a solid overlaps the half-space.
pub(super) fn half_space_pieces(reach: f64, plane: &Plane, motion: &Relative) -> Intervals {
    height(plane, motion).plus(-reach).not_above_zero()
}

/// When such a solid touches the sheet.
pub(super) fn sheet_overlap(reach: f64, plane: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    let height = height(plane, motion);
    let (interval, start) = first(&height.within(reach), until)?;
    let above = match start {
        Start::Apart => height.at(interval.enter) > 0.0,
        Start::Touching | Start::Inside => height.c0 > 0.0,
    };
    let normal: DVec3 = if above { -plane.normal() } else { plane.normal() };
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times at which a ball overlaps the half-space.
pub fn pieces(a: f64, b: &Plane, motion: &Relative) -> Intervals {
    half_space_pieces(a, b, motion)
}

/// Signed distance of the solid's centre from the plane as time goes on.
fn height(plane: &Plane, motion: &Relative) -> Quadratic {
    projected(&motion.reversed(), plane.normal()).plus(-plane.offset())
}
