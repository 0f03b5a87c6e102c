//! A moving ball and a circular wall.
//!
//! They overlap while the ball's centre is within its radius of the arc: between two circles, or around an end. The
//! path is cut where the nearest part of the arc changes. In each stretch the condition is that of a ball against a
//! point, for the two circles with the sum and the difference of the radii; the wall is not convex, so that there may
//! be several overlaps of straight motion, too.

use glam::DVec3;

use super::sphere_sphere::{inside, time_beyond_which_apart};
use crate::geometry::{ArcPart, CircleArc, Solid, gap};
use crate::motion::Relative;
use crate::numeric::{Interval, Intervals};
use crate::sweep::centrifugal::centrifugal;
use crate::sweep::cuts::{Cuts, inner_time};
use crate::sweep::instant::against_motion;
use crate::sweep::{Overlap, first, projected};

/// When a ball of radius `a` (m, not negative) overlaps the arc `b` in [0, `until`].
///
/// `motion` is that of the arc's body seen from the ball's centre.
///
/// ```
/// use carom::geometry::CircleArc;
/// use carom::glam::{DVec2, DVec3};
/// use carom::Relative;
/// use carom::sweep::sphere_arc::sphere_arc;
///
/// // From the middle of a whole circle, with 2 m/s to the right.
/// let circle = CircleArc::new(5.0, DVec2::X, DVec2::X).unwrap();
/// let motion = Relative { position: DVec3::ZERO, velocity: DVec3::X * -2.0, acceleration: DVec3::ZERO };
/// let met = sphere_arc(1.0, &circle, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, 3.0, DVec3::X));
/// ```
pub fn sphere_arc(a: f64, b: &CircleArc, motion: &Relative, until: f64) -> Option<Overlap> {
    let (interval, start) = first(&pieces(a, b, motion), until)?;
    let found = gap(Solid::Sphere(a), Solid::Arc(b), motion.position_at(interval.enter))?;
    let normal = against_motion(found.normal, interval, motion);
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times from 0 on at which a ball of radius `a` (m, not negative) overlaps the arc `b`.
///
/// `motion` is that of the arc's body seen from the ball's centre.
#[doc(hidden)]
pub fn pieces(a: f64, b: &CircleArc, motion: &Relative) -> Intervals {
    let centre = flat(motion);
    let mut pieces = Intervals::EMPTY;
    let last = time_beyond_which_apart(b.radius() + a, &centre);
    if !(last > 0.0 && centre.position.is_finite()) {
        return pieces;
    }
    changes(b, &centre, Interval { enter: 0.0, leave: last })
        .each(0.0, last, |stretch| append_stretch(a, b, &centre, stretch, &mut pieces));
    pieces
}

/// When the part of an arc that is nearest to a ball's centre may next change, no sooner than `from`; infinite if
/// never.
pub(crate) fn next_bend(b: &CircleArc, motion: &Relative, from: f64) -> f64 {
    changes(b, &flat(motion), Interval { enter: from, leave: f64::INFINITY }).first()
}

/// The part of the second derivative of the separation at time 0 that is due to motion along the arc or around an end,
/// m/s²: against an arc it is met from inside, it presses.
pub(crate) fn along_arc(b: &CircleArc, motion: &Relative) -> f64 {
    let centre = flat(motion);
    match b.part_at(centre.position) {
        ArcPart::Rim => {
            let outwards = centrifugal(centre.position, centre.velocity);
            if centre.position.length() < b.radius() { -outwards } else { outwards }
        }
        ArcPart::End(end) => centrifugal(centre.position - b.ends()[end], centre.velocity),
    }
}

/// The motion of the centre in the plane, seen from the arc.
fn flat(motion: &Relative) -> Relative {
    let Relative { position, velocity, acceleration } = motion.reversed();
    let [position, velocity, acceleration] = [position, velocity, acceleration].map(|vector| vector.with_z(0.0));
    Relative { position, velocity, acceleration }
}

/// The times in `range` at which the nearest part may change: where the centre crosses the lines through the middle of
/// the circle and the ends, and the line between the ends.
fn changes(b: &CircleArc, centre: &Relative, range: Interval) -> Cuts {
    let mut cuts = Cuts::new();
    if !b.is_circle() {
        let [from, to] = b.directions();
        for across in [from.perp(), to.perp(), to - from] {
            cuts.add_roots(&projected(centre, across.extend(0.0)), range);
        }
    }
    cuts
}

/// Appends the overlaps in a stretch with one nearest part.
fn append_stretch(a: f64, b: &CircleArc, centre: &Relative, stretch: Interval, pieces: &mut Intervals) {
    let seen_from = |place: DVec3| Relative { position: centre.position - place, ..*centre };
    let found = match b.part_at(centre.position_at(inner_time(stretch))) {
        ArcPart::End(end) => inside(a, &seen_from(b.ends()[end]), stretch),
        ArcPart::Rim => {
            let around = inside(b.radius() + a, centre, stretch);
            let hole = b.radius() - a;
            if hole > 0.0 { around.without(&inside(hole, centre, stretch)) } else { around }
        }
    };
    found.as_slice().iter().for_each(|piece| pieces.join(piece.enter, piece.leave));
}
