//! Solids in motion: the times at which a pair overlaps.
//!
//! Each pair of shapes has its own file. Each returns an [`Overlap`]: the interval of time in which the two solids
//! share interior, and the normal where they meet. The input is the motion of `b` seen from `a`, so one function serves
//! two moving solids. The motion may have any constant relative acceleration.
//!
//! Results for a window of time [0, `until`]:
//!
//! | the pair | result |
//! |---|---|
//! | meets in the window, its end included, and then overlaps | `Start::Apart`, enter ≥ 0 |
//! | touches at 0 and overlaps just after, even if by acceleration alone | `Start::Touching`, enter = 0 |
//! | overlaps at 0 | `Start::Inside`, enter = 0 |
//! | touches and turns back, slides along, or stays in contact at rest | `None`, or a later overlap |
//! | touches at 0 and separates | `None`, or a later overlap |
//! | meets later than `until`, or never | `None` |
//! | has a coordinate that is NaN | `None` |
//!
//! `leave` is the actual end of the overlap. It may lie beyond the window, and it is infinite if the overlap never
//! ends. An overlap that is shorter than the resolution of floating-point numbers has `enter` = `leave`. Whether such
//! thin solids meet is tested at that instant; a separation within rounding error counts as a hit. The normal points
//! from `a` to `b`, where they touch at `enter`. If they overlap at 0, it points along the shortest way apart.
//!
//! A [`cast`](mod@crate::geometry::cast) of a ray follows the same rules. It gives the result of the sweep of a ball of
//! radius 0 along the ray, within rounding error, with two differences. The normal of a cast points out of the solid
//! that is hit, from `b` to `a`. A ray in the plane of a face of a box counts as inside the box, whereas a moving point
//! slides along there.
//!
//! A sheet (a triangle, or a plane taken as [`Solid::Sheet`](crate::geometry::Solid::Sheet)) can be hit from both
//! sides. A body overlaps the sheet while the sheet cuts the interior of the body. A ball of radius 0 has no interior:
//! it meets the sheet at the instant at which it passes through to the other side, and then enter = leave.
//!
//! [`overlap`] takes the motion of `b` seen from `a`, which [`Relative::between`] computes from two paths;
//! [`overlap_of_paths`] takes the paths themselves.
//!
//! Straight motion has a closed form for every pair. Ballistic motion has one where the separation is quadratic in time
//! (planes, box faces). Against round features the condition is a quartic polynomial, and its root is bracketed to
//! neighbouring floats.

mod ball;
mod centrifugal;
mod cuts;
mod instant;
#[doc(hidden)]
pub mod outline;
#[doc(hidden)]
pub mod pairs;
mod point;
#[doc(hidden)]
pub mod rates;
mod slab;
#[doc(hidden)]
pub mod solids;

pub(crate) use cuts::inner_time;
pub(crate) use instant::{against_motion, in_front};
pub use pairs::{
    box_box, box_plane, box_triangle, circle_circle, sphere_arc, sphere_box, sphere_plane, sphere_sphere,
    sphere_triangle,
};
pub use rates::{Rates, rates, rates_along};
pub(crate) use solids::{deeper, later_stretches, next_bend};
pub use solids::{normal_at_entry, overlap, overlap_of_paths, pieces};

use glam::DVec3;

use crate::motion::Relative;
use crate::numeric::{Interval, Intervals, Quadratic};

pub use crate::geometry::Start;

/// The interval of time in which a pair overlaps, s from the start of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// When they meet; 0 if they overlap at the start.
    pub enter: f64,
    /// When they separate; infinite if never. Equal to `enter` where a ball of radius 0 passes through a sheet.
    pub leave: f64,
    /// Unit vector from `a` to `b` where they touch at `enter`. If they overlap at the start it points
    /// along the shortest way apart.
    pub normal: DVec3,
    /// State of the pair at the start.
    pub start: Start,
}

/// The first of the sorted `pieces` that ends after 0 and begins by `until`, and the state of the pair at 0.
///
/// Pieces that share an end have one common `leave`, because the pair touches at the shared end.
pub(crate) fn first(pieces: &Intervals, until: f64) -> Option<(Interval, Start)> {
    let pieces = pieces.as_slice();
    let row = pieces.iter().position(|piece| piece.leave > 0.0 && piece.enter <= until)?;
    let Interval { enter, mut leave } = pieces[row];
    for next in &pieces[row + 1..] {
        if next.enter == leave {
            leave = next.leave;
        }
    }
    Some(from_start(Interval { enter, leave }))
}

/// The part of an overlap from 0 on, and the state of the pair at 0.
#[inline]
fn from_start(Interval { enter, leave }: Interval) -> (Interval, Start) {
    let (enter, start) = Start::of(enter);
    (Interval { enter, leave }, start)
}

/// The coordinates of `motion`, one polynomial per axis.
#[inline]
pub(crate) fn coordinates(motion: &Relative) -> [Quadratic; 3] {
    let Relative { position: p, velocity: v, acceleration: a } = *motion;
    [
        Quadratic { c0: p.x, c1: v.x, c2: 0.5 * a.x },
        Quadratic { c0: p.y, c1: v.y, c2: 0.5 * a.y },
        Quadratic { c0: p.z, c1: v.z, c2: 0.5 * a.z },
    ]
}

/// The motion of a point projected on `direction`.
#[inline]
pub(crate) fn projected(motion: &Relative, direction: DVec3) -> Quadratic {
    Quadratic {
        c0: direction.dot(motion.position),
        c1: direction.dot(motion.velocity),
        c2: 0.5 * direction.dot(motion.acceleration),
    }
}
