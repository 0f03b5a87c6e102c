//! A point on a straight path and a box around the origin: the intersection of the slabs of the three axes.
//!
//! Kay & Kajiya, *Ray tracing complex scenes*, SIGGRAPH 1986. The point meets the box at a face of the axis whose slab
//! it enters last. Of slabs that are entered at the same time, the first axis counts.

use glam::DVec3;

use crate::motion::Relative;
use crate::numeric::Interval;

/// When a point is in a box, and the axis of the face through which it enters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passage {
    pub(super) interval: Interval,
    /// The axis entered last.
    pub(super) axis: usize,
}

/// The passage of a straight motion through the box with half edges `reach` around the origin, if it ends after 0 and
/// begins by `until`. The passage through a thin box may last only an instant.
#[inline]
pub(super) fn passage(reach: DVec3, motion: &Relative, until: f64) -> Option<Passage> {
    // NaN and infinite coordinates give no passage.
    let sum = (motion.position + motion.velocity).element_sum();
    if !sum.is_finite() {
        return None;
    }
    let (mut common, mut has_instant) = (Passage { interval: Interval::ALL, axis: 0 }, false);
    for axis in 0..3 {
        let (d, v, reach) = (motion.position[axis], motion.velocity[axis], reach[axis]);
        // Early exit: beyond the slab and not approaching it.
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
