//! Levels of the grid: boxes of one size, and the cells that they are in.

use glam::DVec3;

use crate::numeric::whole::floor;

/// Bits of a number below its exponent, and below the three after that.
pub(in crate::dynamics) const COARSE: u64 = 52;

pub(in crate::dynamics) const FINE: u64 = 49;

/// What tells a level from others: the first bits of the edge of its cells, which has no others, and whether only the
/// balls in the boxes are meant.
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

/// Which cell holds a point. Far out the numbers saturate, and many points share the outermost cell.
#[inline]
pub(in crate::dynamics) fn cell(point: DVec3, edge: f64) -> [i64; 3] {
    (point / edge).to_array().map(floor)
}

/// The number of a cell in half the space; cells in which nothing is entered may get the number of another one.
#[inline]
pub(in crate::dynamics) fn short(cell: [i64; 3]) -> [i32; 3] {
    cell.map(|number| number as i32)
}

pub(in crate::dynamics) fn cells_between(low: [i64; 3], high: [i64; 3]) -> f64 {
    (0..3).map(|axis| high[axis] as f64 - low[axis] as f64 + 1.0).product()
}

/// Bodies whose rows, of some 350 bytes each, fill a cache of 16 MB.
pub(in crate::dynamics) const LARGE: usize = 50_000;
