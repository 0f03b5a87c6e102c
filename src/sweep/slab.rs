//! A point on a straight line and a box around the origin: the slabs of the three axes, intersected.
//!
//! Kay & Kajiya, *Ray tracing complex scenes*, SIGGRAPH 1986. The axis whose slab is entered last is the
//! one that the point meets the box with; of slabs entered at the very same time it is the first.

use glam::DVec3;

use crate::motion::Relative;
use crate::numeric::Interval;

/// When a point is in a box, and through which face it comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passage {
    pub(super) interval: Interval,
    /// The axis entered last.
    pub(super) axis: usize,
}

/// The passage of a straight motion through the box that reaches `reach` from the origin, if it has
/// interior in [0, `until`]. Through a thin box it may last an instant.
#[inline]
pub(super) fn passage(reach: DVec3, motion: &Relative, until: f64) -> Option<Passage> {
    // NaN and infinities meet nothing.
    let sum = (motion.position + motion.velocity).element_sum();
    if !sum.is_finite() {
        return None;
    }
    let (mut common, mut has_instant) = (Passage { interval: Interval::ALL, axis: 0 }, false);
    for axis in 0..3 {
        let (d, v, reach) = (motion.position[axis], motion.velocity[axis], reach[axis]);
        // The quickest no: beyond the slab and not coming back.
        if d.abs() >= reach && d * v >= 0.0 {
            return None;
        }
        if v == 0.0 {
            continue;
        }
        let (low, high) = ((-reach - d) / v, (reach - d) / v);
        let (enter, leave) = if v > 0.0 { (low, high) } else { (high, low) };
        has_instant |= enter == leave;
        if enter > common.interval.enter {
            common.interval.enter = enter;
            common.axis = axis;
        }
        common.interval.leave = if leave < common.interval.leave { leave } else { common.interval.leave };
    }
    let Interval { enter, leave } = common.interval;
    let overlaps = enter < leave || (enter == leave && has_instant);
    (overlaps && leave > 0.0 && enter <= until).then_some(common)
}
