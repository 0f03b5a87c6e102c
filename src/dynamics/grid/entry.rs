//! A body as its cell knows it, in half a cache line.
//!
//! Queries spend their time waiting for memory, so a box is written in steps of its cell: it begins and ends within half
//! a cell of it. It is rounded outwards and read back exactly, so what is read holds the box that was written.

use glam::DVec3;

use super::{BodyId, Grid};
use crate::geometry::Aabb;

/// Steps in the edge of a cell. Twice as many and a few fit into 16 bits.
const STEPS: f64 = 16384.0;

/// Largest number of a cell, to either side: with the steps it fits into an `f64`.
pub(super) const CELL_MAX: f64 = 1_073_741_824.0;

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    cell: [i32; 3],
    /// In steps from half an edge before the cell's corner.
    low: [u16; 3],
    high: [u16; 3],
    pub(super) id: BodyId,
    level: u16,
    /// Whether the body is sure to be in the ball in the box, and not only in the box.
    round: bool,
}

/// What is looked for in a cell: a box, and if it is round the ball in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    bounds: Aabb,
    center: DVec3,
    radius: f64,
    round: bool,
    edge: f64,
    /// The box as that of an entry in the cell whose number is 0 is written.
    low: [f64; 3],
    high: [f64; 3],
}

impl Probe {
    pub(super) fn new(bounds: &Aabb, round: bool, edge: f64) -> Self {
        let steps = |x: f64| (x / edge + 0.5) * STEPS;
        let [low, high] = [bounds.min, bounds.max].map(|corner| corner.to_array().map(steps));
        let radius = bounds.half().max_element();
        Self { bounds: *bounds, center: bounds.center(), radius, round, edge, low, high }
    }

    /// The range of the box along an axis in steps of the cell of a number; beyond what entries reach it is cut.
    #[inline]
    pub(super) fn in_cell(&self, axis: usize, number: i64) -> [i32; 2] {
        let start = number as f64 * STEPS;
        // One step to either side for the rounding of the steps.
        let cut = |steps: f64| steps.clamp(-4.0 * STEPS, 4.0 * STEPS) as i32;
        [cut(self.low[axis] - start) - 1, cut(self.high[axis] - start) + 1]
    }
}

impl Entry {
    /// The entry of a box whose centre is in `cell` and that is no larger than its edge.
    pub(super) fn new(id: BodyId, bounds: &Aabb, round: bool, edge: f64, cell: [i32; 3]) -> Self {
        let steps = |x: f64, axis: usize| (x / edge - f64::from(cell[axis]) + 0.5) * STEPS;
        // A step more to either side makes up for the rounding of the steps themselves. Conversion stops at 0.
        let low = std::array::from_fn(|axis| (steps(bounds.min[axis], axis) - 1.0) as u16);
        let high = std::array::from_fn(|axis| (steps(bounds.max[axis], axis) + 2.0) as u16);
        Self { cell, low, high, id, level: level(edge), round }
    }

    /// Which bucket of a grid it belongs to.
    pub(super) fn bucket(&self, grid: &Grid) -> u32 {
        grid.bucket(self.level, self.cell)
    }

    /// Whether the body is entered in this cell of a level.
    #[inline]
    pub(super) fn is_in(&self, cell: [i32; 3], level: u16) -> bool {
        self.cell == cell && self.level == level
    }

    /// Whether the entry is in this cell of a level and touches a box there, whose ranges are in steps.
    #[inline]
    pub(super) fn is_in_reach(&self, cell: [i32; 3], level: u16, within: &[[i32; 2]; 3]) -> bool {
        let mut differs = u32::from(self.level ^ level);
        // Negative as soon as one range ends before the other begins.
        let mut overlap = 0;
        for axis in 0..3 {
            differs |= (self.cell[axis] ^ cell[axis]) as u32;
            overlap |= within[axis][1] - i32::from(self.low[axis]);
            overlap |= i32::from(self.high[axis]) - within[axis][0];
        }
        (overlap >= 0) & (differs == 0)
    }

    /// Whether the box or ball touches that of a probe, or misses it by a few steps.
    #[inline]
    pub(super) fn meets(&self, probe: &Probe) -> bool {
        let bounds = self.bounds(probe.edge);
        if !(self.round && probe.round) {
            return bounds.touches(&probe.bounds);
        }
        // Either side is written outwards by up to three steps, so the middle is off by less than two along each axis.
        let reach = probe.radius + bounds.half().max_element() + probe.edge * (4.0 / STEPS);
        (bounds.center() - probe.center).length_squared() <= reach * reach
    }

    /// A box around the one that was entered, larger by a few steps.
    #[inline]
    pub(super) fn bounds(&self, edge: f64) -> Aabb {
        let corner = DVec3::from_array(self.cell.map(f64::from)) - 0.5;
        let at = |steps: [u16; 3]| (corner + DVec3::from_array(steps.map(f64::from)) * (1.0 / STEPS)) * edge;
        Aabb { min: at(self.low), max: at(self.high) }
    }
}

/// A number for the level with cells of this edge, a power of two: its exponent.
#[inline]
pub(super) fn level(edge: f64) -> u16 {
    (edge.to_bits() >> 52) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::grid::{cell, cell_edge};

    #[test]
    fn an_entry_holds_its_box_closely() {
        assert_eq!(size_of::<Entry>(), 32);
        let sizes = [0.5, 1.0, 0.999_999, 1.0 - 1e-9, 0.75, 1e-3, 1e5];
        let places = [0.0, 0.5, -0.5, 1.0, 0.123, -7.9, 1e3, 1e9, -1e15, 1e60];
        for (size, place) in sizes.into_iter().flat_map(|size| places.map(|place| (size, place))) {
            let bounds = Aabb::around(DVec3::new(place, -place, 0.3), DVec3::new(0.5, 0.3, 0.01) * size);
            let edge = cell_edge(&bounds);
            let Aabb { min, max } =
                Entry::new(BodyId(7), &bounds, false, edge, cell(bounds.center(), edge).map(|n| n as i32)).bounds(edge);
            let grain = edge * (4.0 / STEPS);
            assert!(min.cmple(bounds.min).all() && bounds.max.cmple(max).all(), "{bounds:?} in {min} {max}");
            assert!((bounds.min - min).max_element() <= grain && (max - bounds.max).max_element() <= grain);
        }
    }
}
