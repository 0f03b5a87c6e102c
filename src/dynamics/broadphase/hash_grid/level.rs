//! Levels of the grid: boxes of similar size, and the cells for them.
//!
//! A level has the cells of one edge length. A box belongs to the level with the smallest edge that is no shorter than
//! the box.

use glam::DVec3;

use crate::numeric::whole::floor;

/// Unused low bits of an edge: all below the exponent, or all below the three bits after it.
pub(in crate::dynamics) const COARSE: u64 = 52;

pub(in crate::dynamics) const FINE: u64 = 49;

/// The key of a level: the leading bits of its cell edge (the other bits are zero), and whether only the balls in the
/// boxes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dynamics) struct LevelKey(pub(super) u16);

impl LevelKey {
    pub(in crate::dynamics) fn new(edge: f64, round: bool) -> Self {
        Self(((edge.to_bits() >> FINE) << 1) as u16 | u16::from(round))
    }

    /// Edge of a cell, m.
    #[inline]
    pub(in crate::dynamics) fn edge(self) -> f64 {
        f64::from_bits(u64::from(self.0 >> 1) << FINE)
    }

    #[inline]
    pub(in crate::dynamics) fn is_round(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The cell that contains a point. Far from the origin the numbers saturate, and many points share the outermost cell.
#[inline]
pub(in crate::dynamics) fn cell(point: DVec3, edge: f64) -> [i64; 3] {
    (point / edge).to_array().map(floor)
}

/// The cell number in 32 bits. Cells without entries may get the number of another cell.
#[inline]
pub(in crate::dynamics) fn short(cell: [i64; 3]) -> [i32; 3] {
    cell.map(|number| number as i32)
}

/// Number of cells in a block of cells.
pub(in crate::dynamics) fn cells_between(low: [i64; 3], high: [i64; 3]) -> f64 {
    (0..3).map(|axis| high[axis] as f64 - low[axis] as f64 + 1.0).product()
}

/// Number of bodies with rows, of some 350 bytes each, that fill a cache of 16 MB.
pub(in crate::dynamics) const LARGE: usize = 50_000;
