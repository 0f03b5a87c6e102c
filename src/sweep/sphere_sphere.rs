//! Two moving balls.
//!
//! They overlap while |r| < R, with r the vector between the centres and R the sum of the radii. For
//! straight motion r = d + v t that is a quadratic (Ericson, *Real-Time Collision Detection*, 2005,
//! § 5.5.5). We take its discriminant as R² v² − |d × v|², whose error is that of moving a centre by a few
//! ulps, where the textbook's b² − a c is worse by the ratio of distance to size.

use glam::DVec3;

use super::ball::Ball;
use super::{Overlap, Start, coordinates, first};
use crate::geometry::unit;
use crate::motion::Relative;
use crate::numeric::tolerance::TIME_MAX;
use crate::numeric::{Interval, Intervals};

/// When two moving balls of radius `a` and `b` (m, not negative) overlap in [0, `until`].
///
/// `motion` is that of the centre of `b` seen from `a`.
#[inline]
pub fn sphere_sphere(a: f64, b: f64, motion: &Relative, until: f64) -> Option<Overlap> {
    let reach = a + b;
    let (interval, start) = if motion.is_straight() {
        straight(reach, motion, until)?
    } else {
        first(&ballistic_pieces(reach, motion), until)?
    };
    // Concentric balls have no shortest way apart; they will part along their motion.
    let direction = unit(motion.position_at(interval.enter)).or_else(|| unit(motion.velocity));
    let normal = direction.unwrap_or(DVec3::X);
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times at which the balls overlap, straight motion or not.
pub fn pieces(a: f64, b: f64, motion: &Relative) -> Intervals {
    let reach = a + b;
    if motion.is_straight() {
        straight(reach, motion, f64::INFINITY)
            .map_or(Intervals::EMPTY, |(piece, _)| Intervals::one(piece.enter, piece.leave))
    } else {
        ballistic_pieces(reach, motion)
    }
}

/// The one overlap of straight motion.
#[inline]
fn straight(reach: f64, motion: &Relative, until: f64) -> Option<(Interval, Start)> {
    let (d, v) = (motion.position, motion.velocity);
    let b = d.dot(v);
    let c = d.length_squared() - reach * reach;
    // Apart or in touch, and not closing: the pair never meets. NaN ends here too.
    if !(c < 0.0 || b < 0.0) {
        return None;
    }
    let a = v.length_squared();
    let discriminant = reach * reach * a - d.cross(v).length_squared();
    if c < 0.0 {
        return Some((Interval { enter: 0.0, leave: leave_from_inside(a, b, c, discriminant) }, Start::Inside));
    }
    if discriminant <= 0.0 {
        return None;
    }
    let q = discriminant.sqrt() - b;
    let (enter, leave) = (c / q, q / a);
    if enter > until || enter >= leave {
        return None;
    }
    let start = if c == 0.0 { Start::Touching } else { Start::Apart };
    Some((Interval { enter, leave }, start))
}

/// Positive root of a t² + 2 b t + c for c < 0; infinite for a pair that does not move.
fn leave_from_inside(a: f64, b: f64, c: f64, discriminant: f64) -> f64 {
    let root = discriminant.max(0.0).sqrt();
    if a == 0.0 {
        f64::INFINITY
    } else if b > 0.0 {
        -c / (root + b)
    } else {
        (root - b) / a
    }
}

/// The overlaps from 0 on, for motion with acceleration.
fn ballistic_pieces(reach: f64, motion: &Relative) -> Intervals {
    let mut pieces = Intervals::EMPTY;
    let last = time_beyond_which_apart(reach, motion);
    if last > 0.0 {
        Ball { point: coordinates(motion), radius: reach }.append_pieces(0.0, last, &mut pieces);
    }
    pieces
}

/// A time after which the acceleration has carried the centres farther apart than `reach` for good.
///
/// From ½ |a| t² ≤ |v| t + |d| + R for every time of overlap; doubled against rounding. It depends on the
/// motion alone, so that the bracketed times do too.
fn time_beyond_which_apart(reach: f64, motion: &Relative) -> f64 {
    let (d, v, a) = (motion.position.length(), motion.velocity.length(), motion.acceleration.length());
    let bound = 2.0 * (v + (v * v + 2.0 * a * (d + reach)).sqrt()) / a;
    bound.min(TIME_MAX)
}
