//! A moving ball and a plane: as the face of a solid half-space, or as a thin sheet.
//!
//! The distance of the centre from the plane is a quadratic function of time, so both cases have a closed form for any
//! acceleration (Ericson, *Real-Time Collision Detection*, 2005, § 5.5.3).

use crate::geometry::Plane;
use crate::motion::Relative;
use crate::numeric::{Interval, Intervals, Quadratic};
use crate::sweep::point::point_sheet;
use crate::sweep::{Overlap, Start, first, from_start, projected};

/// When a ball of radius `a` (m, not negative) overlaps the half-space behind a plane `b` in [0, `until`].
///
/// `motion` is that of the plane's body seen from the ball's centre.
///
/// ```
/// use carom::geometry::Plane;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::sphere_plane::sphere_plane;
///
/// // A ball falls 5 m. Seen from the ball, the floor comes up.
/// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
/// let motion = Relative { position: DVec3::Z * -5.5, velocity: DVec3::ZERO, acceleration: DVec3::Z * 10.0 };
/// let met = sphere_plane(0.5, &floor, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (1.0, f64::INFINITY, -DVec3::Z));
/// ```
#[inline]
pub fn sphere_plane(a: f64, b: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    let separation = height(b, motion).plus(-a);
    let (interval, start) = if separation.c2 == 0.0 {
        from_start(falling_line(&separation, until)?)
    } else {
        first(&separation.not_above_zero(), until)?
    };
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal: -b.normal(), start })
}

/// When a ball of radius `a` overlaps the thin sheet at a plane `b`, from either side, in [0, `until`].
///
/// ```
/// use carom::geometry::Plane;
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::sphere_plane::sphere_sheet;
///
/// // The sheet comes up from 4 m below the centre, with 2 m/s, and passes through the ball.
/// let sheet = Plane::new(DVec3::Z, 0.0).unwrap();
/// let motion = Relative { position: DVec3::Z * -4.0, velocity: DVec3::Z * 2.0, acceleration: DVec3::ZERO };
/// let met = sphere_sheet(1.0, &sheet, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (1.5, 2.5, -DVec3::Z));
/// ```
pub fn sphere_sheet(a: f64, b: &Plane, motion: &Relative, until: f64) -> Option<Overlap> {
    let height = height(b, motion);
    if a == 0.0 {
        return point_sheet(&height, b.normal(), until, |_| true);
    }
    let (interval, start) = first(&height.within(a), until)?;
    let above = match start {
        // The solid hits the upper side while it moves down, and the lower side while it moves up.
        Start::Apart => height.slope_at(interval.enter) < 0.0,
        Start::Touching | Start::Inside => height.c0 > 0.0,
    };
    let normal = if above { -b.normal() } else { b.normal() };
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// When a separation that is linear in time is not above zero, if this ends after 0 and begins by `until`.
#[inline]
fn falling_line(separation: &Quadratic, until: f64) -> Option<Interval> {
    let &Quadratic { c0, c1, .. } = separation;
    let interval = match -c0 / c1 {
        crossing if c1 < 0.0 => Interval { enter: crossing, ..Interval::ALL },
        crossing if c1 > 0.0 => Interval { leave: crossing, ..Interval::ALL },
        _ if c0 < 0.0 && c1 == 0.0 => Interval::ALL,
        _ => return None,
    };
    (interval.leave > 0.0 && interval.enter <= until).then_some(interval)
}

/// All times at which a ball overlaps the sheet.
pub(crate) fn sheet_pieces(a: f64, b: &Plane, motion: &Relative) -> Intervals {
    height(b, motion).within(a)
}

/// All times at which a ball overlaps the half-space.
#[doc(hidden)]
pub fn pieces(a: f64, b: &Plane, motion: &Relative) -> Intervals {
    height(b, motion).plus(-a).not_above_zero()
}

/// Signed distance of the solid's centre from the plane as a function of time.
fn height(plane: &Plane, motion: &Relative) -> Quadratic {
    projected(&motion.reversed(), plane.normal()).plus(-plane.offset())
}
