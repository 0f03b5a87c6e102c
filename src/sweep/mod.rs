//! Solids in motion: when does a pair overlap?
//!
//! One file per pair. Each answers with an [`Overlap`]: the interval of time in which the two solids share
//! interior, and the normal where they meet. The motion is that of `b` seen from `a`, so one function
//! serves two moving solids; it may be ballistic with any relative acceleration.
//!
//! What comes back, for a window [0, `until`]:
//!
//! | the pair | answer |
//! |---|---|
//! | meets in the window, its end included, and then overlaps | `Start::Apart`, enter ≥ 0 |
//! | touches at 0 and overlaps just after, even if by acceleration alone | `Start::Touching`, enter = 0 |
//! | overlaps at 0 | `Start::Inside`, enter = 0 |
//! | touches and turns back, slides along, or rests in touch | no answer, or a later overlap |
//! | touches at 0 and separates | no answer, or a later overlap |
//! | meets later than `until`, or never | no answer |
//! | has a coordinate that is NaN | no answer |
//!
//! `leave` is the true end of the overlap, beyond the window if need be, and infinite if it never ends. An overlap that is
//! shorter than the numbers tell apart has `enter` = `leave`; whether so thin solids meet is judged at that instant, and
//! what is within rounding counts as a hit. The normal points
//! from `a` to `b`, where they touch at `enter`; if they overlap at 0, along the shortest way apart.
//!
//! A [`cast`](mod@crate::geometry::cast) follows the same rules for a ray: it gives what the sweep of a ball of radius 0
//! along it gives, to rounding, but for the normal, which there points out of what is hit, from `b` to `a`. And a ray in the
//! plane of a box's face counts as inside, where a point slides along.
//!
//! A sheet (a triangle, or a plane taken as [`Solid::Sheet`](crate::geometry::Solid::Sheet)) is met from both sides. A body
//! overlaps it while the sheet cuts its interior; a ball of radius 0, which has none, meets it at the one instant at which
//! it passes through to the other side, and then enter = leave.
//!
//! [`overlap`] takes the motion of `b` seen from `a`, which [`Relative::between`] makes of two paths;
//! [`overlap_of_paths`] takes the paths themselves.
//!
//! Straight motion has a closed form for every pair. Ballistic motion has one where the separation is
//! quadratic (planes, box faces); against round features it is quartic, and the root is bracketed to
//! neighbouring floats.

mod ball;
mod centrifugal;
mod cuts;
mod instant;
pub mod mesh;
pub mod pairs;
mod point;
pub mod rates;
mod slab;
pub mod solids;

pub(crate) use instant::{against_motion, in_front};
pub use pairs::{
    box_box, box_plane, box_triangle, circle_circle, sphere_box, sphere_plane, sphere_sphere, sphere_triangle,
};
pub use rates::{Rates, rates, rates_along};
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
    /// When they part; infinite if never, and `enter` where a ball of radius 0 passes through a sheet.
    pub leave: f64,
    /// Unit vector from `a` to `b` where they touch at `enter`. If they overlap at the start it points
    /// along the shortest way apart.
    pub normal: DVec3,
    /// How they lay at the start.
    pub start: Start,
}

/// The first of the sorted `pieces` that has interior in [0, `until`], and how the pair lies at 0.
///
/// Pieces that share an end are one overlap as to its `leave`, for the pair touches throughout.
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

/// An overlap cut to what lies ahead, and how the pair lies at 0.
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
