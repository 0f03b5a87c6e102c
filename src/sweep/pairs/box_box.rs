//! Two moving axis-aligned boxes.
//!
//! They overlap while they overlap along every axis. Along one axis this is a condition on a single coordinate. So the
//! overlap is the intersection of three sets of times (Ericson, *Real-Time Collision Detection*, 2005, § 5.5.8). The
//! normal is the axis that is entered last. If several axes are entered at the same time, the first of x, y, z counts.

use glam::DVec3;

use crate::geometry::gap::{largest, side};
use crate::motion::Relative;
use crate::numeric::{Interval, Intervals, Quadratic};
use crate::sweep::instant::against_motion;
use crate::sweep::slab::passage;
use crate::sweep::{Overlap, Start, coordinates, first, from_start};

/// When two boxes with half edges `a` and `b` (m, not negative) overlap in [0, `until`].
///
/// `motion` is that of the centre of `b` seen from `a`.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::Relative;
/// use carom::sweep::box_box::box_box;
///
/// let position = DVec3::new(6.0, 1.0, 0.0);
/// let motion = Relative { position, velocity: DVec3::X * -2.0, acceleration: DVec3::ZERO };
/// let met = box_box(DVec3::ONE, DVec3::ONE, &motion, 10.0).unwrap();
/// assert_eq!((met.enter, met.leave, met.normal), (2.0, 4.0, DVec3::X));
/// ```
#[inline]
pub fn box_box(a: DVec3, b: DVec3, motion: &Relative, until: f64) -> Option<Overlap> {
    let reach = a + b;
    if motion.is_straight() {
        let passage = passage(reach, motion, until)?;
        let (interval, start) = from_start(passage.interval);
        let met = side(-motion.velocity, passage.axis);
        let normal = if start == Start::Inside { shortest_way_apart(reach, motion.position) } else { met };
        return Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start });
    }
    let (interval, start) = first(&pieces(a, b, motion), until)?;
    let normal = match start {
        Start::Inside => shortest_way_apart(reach, motion.position),
        Start::Apart | Start::Touching => normal_at_entry(reach, motion, interval),
    };
    Some(Overlap { enter: interval.enter, leave: interval.leave, normal, start })
}

/// All times at which the boxes overlap.
#[doc(hidden)]
pub fn pieces(a: DVec3, b: DVec3, motion: &Relative) -> Intervals {
    let reach = (a + b).to_array();
    let [x, y, z] = coordinates(motion);
    let common = x.within(reach[0]).intersection(&y.within(reach[1]));
    common.intersection(&z.within(reach[2]))
}

/// The axis along which the boxes began to overlap last, among the overlaps that hold when `piece` begins, as a unit
/// vector towards `b`.
pub(crate) fn normal_at_entry(reach: DVec3, motion: &Relative, piece: Interval) -> DVec3 {
    let enter = piece.enter;
    let mut latest = (f64::NEG_INFINITY, 0);
    for (axis, coordinate) in coordinates(motion).iter().enumerate() {
        let begin = begin_of_piece(coordinate, reach[axis], enter);
        if begin > latest.0 {
            latest = (begin, axis);
        }
    }
    against_motion(side(motion.position_at(enter), latest.1), piece, motion)
}

/// When the overlap along one axis that holds just after `enter` began; −∞ if there is none.
fn begin_of_piece(coordinate: &Quadratic, reach: f64, enter: f64) -> f64 {
    let pieces = coordinate.within(reach);
    let holding = pieces.as_slice().iter().rev().find(|piece| piece.enter <= enter);
    holding.map_or(f64::NEG_INFINITY, |piece| piece.enter)
}

/// The axis along which the boxes overlap least.
fn shortest_way_apart(reach: DVec3, position: DVec3) -> DVec3 {
    side(position, largest(position.abs() - reach))
}
