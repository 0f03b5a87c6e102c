//! Solids in motion: when does a pair overlap?
//!
//! One file a pair. Each answers with an [`Overlap`]: the interval of time in which the two solids share
//! interior, and the normal where they meet. The motion is that of `b` seen from `a`, so one function
//! serves two moving solids; it may be ballistic with any relative acceleration.
//!
//! What comes back, for a window [0, `until`]:
//!
//! | the pair | answer |
//! |---|---|
//! | meets in the window, its end included, and then overlaps | `Start::Apart`, enter ≥ 0 |
//! | touches at 0 and overlaps just after, be it by acceleration alone | `Start::Touching`, enter = 0 |
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
//! A sheet (a triangle, or a plane taken as [`Solid::Sheet`]) is met from both sides. A body
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
pub mod box_box;
pub mod box_plane;
pub mod box_triangle;
pub mod circle_circle;
mod cuts;
pub mod mesh;
mod point;
pub mod rates;
mod slab;
pub mod solids;
pub mod sphere_box;
pub mod sphere_plane;
pub mod sphere_sphere;
pub mod sphere_triangle;

pub use rates::{Rates, rates, rates_along};
pub use solids::{normal_at_entry, overlap, overlap_of_paths, pieces};

use glam::DVec3;

use crate::geometry::{Solid, gap};
use crate::motion::Relative;
use crate::numeric::tolerance::{INSTANT_SLACK, SEAM_SLACK, TURNING_SLACK};
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

/// The normal of an overlap, turned against the way of `b` where the way through is as short as rounding: that cannot tell on
/// which side of so thin a solid the other one is, but it comes from the side from which it moves. A path that turns back
/// there has come no farther, and one that overlaps at 0 is where it is.
pub(crate) fn against_motion(normal: DVec3, overlap: Interval, motion: &Relative) -> DVec3 {
    let speed = normal.dot(motion.velocity_at(overlap.enter));
    if speed <= 0.0 || overlap.enter <= 0.0 {
        return normal;
    }
    let t = overlap.enter;
    let slow = TURNING_SLACK * (motion.velocity.length() + motion.acceleration.length() * t);
    let is_thin = speed * (overlap.leave - overlap.enter) <= INSTANT_SLACK * terms_at(motion, t);
    if speed > slow && is_thin { -normal } else { normal }
}

/// When a pair whose overlap is as short as rounding counts as meeting: as soon as rounding cannot tell that they have not
/// met, so that where they are then is surely on the side from which they come.
pub(crate) fn in_front(time: f64, normal: DVec3, overlap: Interval, motion: &Relative) -> f64 {
    let speed = -normal.dot(motion.velocity_at(time));
    if time != overlap.enter || speed <= 0.0 {
        return time;
    }
    let grain = INSTANT_SLACK * terms_at(motion, time);
    if speed * (overlap.leave - overlap.enter) <= grain { (time - grain / speed).max(0.0) } else { time }
}

/// What the place at `t` is the sum of, m: rounding is relative to it.
fn terms_at(motion: &Relative, t: f64) -> f64 {
    let terms = motion.position.abs() + (motion.velocity * t).abs() + (motion.acceleration * (t * t)).abs();
    terms.max_element()
}

/// Whether the coordinate stays between `low` and `high`, to rounding, during an overlap that lasts an instant.
pub(crate) fn holds_for_instant(coordinate: &Quadratic, [low, high]: [f64; 2], overlap: Interval) -> bool {
    let holds = |t: f64| {
        let terms = coordinate.c0.abs() + (coordinate.c1 * t).abs() + (coordinate.c2 * t * t).abs();
        let grain = SEAM_SLACK * (terms + low.abs() + high.abs());
        (low - grain..=high + grain).contains(&coordinate.at(t))
    };
    holds(overlap.enter) && holds(overlap.leave)
}

/// Whether `a` and `b` are no farther apart than rounding during an overlap that lasts an instant.
pub(crate) fn touch_for_instant(a: Solid<'_>, b: Solid<'_>, size: f64, motion: &Relative, overlap: Interval) -> bool {
    let grain = SEAM_SLACK * (terms_at(motion, overlap.enter) + size);
    gap(a, b, motion.position_at(overlap.enter)).is_some_and(|gap| gap.separation <= grain)
}

/// The part of `common` in which the coordinate is between `low` and `high`. What lasts an instant stays whole or goes.
pub(crate) fn cut(common: &Intervals, coordinate: &Quadratic, [low, high]: [f64; 2]) -> Intervals {
    let within = coordinate.between(low, high);
    let mut left = Intervals::EMPTY;
    for &piece in common.as_slice() {
        if !piece.is_instant() {
            let parts = Intervals::one(piece.enter, piece.leave).intersection(&within);
            parts.as_slice().iter().for_each(|part| left.push(part.enter, part.leave));
        } else if holds_for_instant(coordinate, [low, high], piece) {
            left.push(piece.enter, piece.leave);
        }
    }
    left
}

/// The coordinates of `motion`, one polynomial an axis.
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
