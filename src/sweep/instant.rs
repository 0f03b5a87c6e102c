//! Overlaps that last an instant, or not longer than rounding errors. For these, the computed times do not show whether
//! the pair meets, and from which side.

use glam::DVec3;

use crate::geometry::{Solid, gap};
use crate::motion::Relative;
use crate::numeric::tolerance::{INSTANT_MAX, INSTANT_SLACK, SEAM_SLACK, TURNING_SLACK};
use crate::numeric::{Interval, Intervals, Quadratic};

/// The normal of an overlap. It is reversed if the velocity of `b` points along it and the path through the solid is as
/// short as rounding error. In that case the computed position may be on either side of the thin solid, but `b` comes
/// from the side opposite to its velocity. The normal is kept if the speed along it is so small that the path may turn
/// back there, and if the pair overlaps at 0.
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

/// The time of impact of a pair, s. If the overlap is as short as rounding error, the pair counts as meeting at the
/// earliest time that rounding error allows. Then each body is certainly still on the side from which it comes. This
/// time is at most [`INSTANT_MAX`] before the overlap: a pair that slides along a surface approaches at a speed as
/// small as rounding error, and would otherwise meet much too early.
pub(crate) fn in_front(time: f64, normal: DVec3, overlap: Interval, motion: &Relative) -> f64 {
    let speed = -normal.dot(motion.velocity_at(time));
    if time != overlap.enter || speed <= 0.0 {
        return time;
    }
    let grain = INSTANT_SLACK * terms_at(motion, time);
    if speed * (overlap.leave - overlap.enter) <= grain {
        (time - (grain / speed).min(INSTANT_MAX)).max(0.0)
    } else {
        time
    }
}

/// Size of the terms whose sum is the position at `t`, m; the rounding error is relative to it.
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

/// The part of `common` in which the coordinate is between `low` and `high`. An interval that lasts an instant is kept
/// whole or dropped.
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
