//! The box of a frame.

use glam::DVec3;

use crate::dynamics::Space;

/// The ends of the box along each axis, m: those of the period, or along an open axis those of the bodies, which are
/// given by their places and half their extents. Without bodies they are 0 and 1.
pub(super) fn ends(space: &Space, bodies: &(impl Iterator<Item = (DVec3, DVec3)> + Clone)) -> [[f64; 2]; 3] {
    std::array::from_fn(|axis| match space.periods[axis] {
        Some(period) => [period.min, period.max],
        None => {
            let lows = bodies.clone().map(|(place, half)| place[axis] - half[axis]);
            let highs = bodies.clone().map(|(place, half)| place[axis] + half[axis]);
            let (low, high) = (lows.fold(f64::INFINITY, f64::min), highs.fold(f64::NEG_INFINITY, f64::max));
            if low < high { [low, high] } else { [0.0, 1.0] }
        }
    })
}
