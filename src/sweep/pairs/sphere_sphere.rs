//! Two moving balls.
//!
//! They overlap while |r| < R, with r the vector between the centres and R the sum of the radii. For straight motion r
//! = d + v t this condition is quadratic in t (Ericson, *Real-Time Collision Detection*, 2005, § 5.5.5). Its
//! discriminant is computed as R² v² − |d × v|². The error of this form is equivalent to a shift of a centre by a few
//! ulps. The error of the textbook form b² − a c is larger by the ratio of distance to size.

use glam::DVec3;

use crate::geometry::unit;
use crate::motion::Relative;
use crate::numeric::tolerance::{DOMAIN_SLACK, TIME_MAX};
use crate::numeric::{Interval, Intervals};
use crate::sweep::ball::Ball;
use crate::sweep::instant::against_motion;
use crate::sweep::{Overlap, coordinates, first, from_start};

/// When two moving balls of radius `a` and `b` (m, not negative) overlap in [0, `until`].
///
/// `motion` is that of the centre of `b` seen from `a`.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::sphere_sphere::sphere_sphere;
///
/// // The second comes from 5 m away, with 2 m/s.
/// let motion = Relative { position: DVec3::X * 5.0, velocity: DVec3::X * -2.0, acceleration: DVec3::ZERO };
/// let met = sphere_sphere(1.0, 2.0, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (1.0, 4.0, DVec3::X));
/// assert_eq!(sphere_sphere(1.0, 2.0, &motion, 0.5), None);
/// ```
#[inline(always)]
pub fn sphere_sphere(a: f64, b: f64, motion: &Relative, until: f64) -> Option<Overlap> {
    let reach = a + b;
    let (interval, start) = if motion.is_straight() {
        from_start(straight(reach, motion, until)?)
    } else {
        first(&ballistic_pieces(reach, motion), until)?
    };
    // Concentric balls have no unique shortest way apart; the direction of motion is used.
    let direction = unit(motion.position_at(interval.enter)).or_else(|| unit(motion.velocity));
    let normal = against_motion(direction.unwrap_or(DVec3::X), interval, motion);
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times at which the balls overlap, straight motion or not.
#[doc(hidden)]
pub fn pieces(a: f64, b: f64, motion: &Relative) -> Intervals {
    let reach = a + b;
    if motion.is_straight() {
        straight(reach, motion, f64::INFINITY).map_or(Intervals::EMPTY, |one| Intervals::one(one.enter, one.leave))
    } else {
        ballistic_pieces(reach, motion)
    }
}

/// The only overlap of straight motion, if it ends after 0 and begins by `until`.
#[inline]
fn straight(reach: f64, motion: &Relative, until: f64) -> Option<Interval> {
    // Early exit: apart and not approaching. NaN coordinates end here, too.
    let c = motion.position.length_squared() - reach * reach;
    if !(c < 0.0 || motion.position.dot(motion.velocity) < 0.0) {
        return None;
    }
    straight_within(reach * reach, motion).filter(|overlap| overlap.leave > 0.0 && overlap.enter <= until)
}

/// When a point on a straight path is in the ball around the origin whose squared radius is `reach_squared`.
#[inline]
pub(crate) fn straight_within(reach_squared: f64, motion: &Relative) -> Option<Interval> {
    let (d, v) = (motion.position, motion.velocity);
    let (a, b) = (v.length_squared(), d.dot(v));
    let c = d.length_squared() - reach_squared;
    if a == 0.0 {
        return (c < 0.0).then_some(Interval::ALL);
    }
    let discriminant = reach_squared * a - d.cross(v).length_squared();
    if discriminant <= 0.0 {
        // Rounding may give this for a point that is barely inside; it is still inside.
        return (c < 0.0).then_some(Interval { enter: f64::NEG_INFINITY, leave: (-b / a).max(f64::MIN_POSITIVE) });
    }
    let root = discriminant.sqrt();
    let (enter, leave) = if b < 0.0 { (c / (root - b), (root - b) / a) } else { (-(root + b) / a, -c / (root + b)) };
    // The sphere is crossed, even if the crossing is shorter than the resolution of the numbers.
    Some(Interval { enter, leave: leave.max(enter) })
}

/// When a point on its path is in the ball of radius `reach` around the origin, in a stretch from 0 or later to a
/// finite time. What began before 0 begins before 0 here.
pub(super) fn inside(reach: f64, motion: &Relative, stretch: Interval) -> Intervals {
    let mut pieces = Intervals::EMPTY;
    let Interval { enter, leave } = stretch;
    if motion.is_straight() {
        let range = Interval { enter: if enter == 0.0 { f64::NEG_INFINITY } else { enter }, leave };
        let within = straight_within(reach * reach, motion).and_then(|within| within.intersection(range));
        within.into_iter().for_each(|within| pieces.push(within.enter, within.leave));
    } else {
        let ball = Ball { point: coordinates(motion), radius_squared: reach * reach };
        ball.append_pieces(enter, leave, &mut pieces);
    }
    pieces
}

/// The overlaps from 0 on, for motion with acceleration.
fn ballistic_pieces(reach: f64, motion: &Relative) -> Intervals {
    let mut pieces = Intervals::EMPTY;
    let last = time_beyond_which_apart(reach, motion);
    if last > 0.0 && !passes_by(reach, motion, last) {
        Ball { point: coordinates(motion), radius_squared: reach * reach }.append_pieces(0.0, last, &mut pieces);
    }
    pieces
}

/// Whether the distance of the centres perpendicular to the acceleration exceeds `reach` until `last`, by more than
/// rounding error. In these directions the motion is a straight line. This test saves the search for roots for most
/// pairs.
fn passes_by(reach: f64, motion: &Relative, last: f64) -> bool {
    let Relative { position, velocity, acceleration } = *motion;
    let squared = acceleration.length_squared();
    let across = |vector: DVec3| vector - acceleration * (acceleration.dot(vector) / squared);
    let (d, v) = (across(position), across(velocity));
    let speed_squared = v.length_squared();
    let nearest = if speed_squared > 0.0 { (-d.dot(v) / speed_squared).clamp(0.0, last) } else { 0.0 };
    let terms = position.abs() + (velocity.abs() + acceleration.abs() * last) * last;
    // Margin for the rounding errors of the coordinates.
    let bound = reach + DOMAIN_SLACK * (reach + terms.element_sum());
    (d + v * nearest).length_squared() > bound * bound
}

/// A time after which the acceleration keeps the centres farther apart than `reach`; the latest time without one.
///
/// At every time of overlap, ½ |a| t² ≤ |v| t + |d| + R. The resulting bound is doubled to allow for rounding error. It
/// does not depend on the window, so the bracketed times do not depend on it either.
pub(super) fn time_beyond_which_apart(reach: f64, motion: &Relative) -> f64 {
    let (d, v, a) = (motion.position.length(), motion.velocity.length(), motion.acceleration.length());
    let bound = 2.0 * (v + (v * v + 2.0 * a * (d + reach)).sqrt()) / a;
    bound.min(TIME_MAX)
}
