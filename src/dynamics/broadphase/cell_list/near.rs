//! Whether the neighbours of a body in the cell list are really near, and how many are.
//!
//! Along an open axis, cells far apart share a place. In a large space that is mostly empty, a body nearly always has
//! some bodies in the places around its own, but most are far away. They must not keep it in the cells: it would fly
//! cell by cell through the void.

use super::axis::{Numbers, are_near};
use super::{AHEAD, CellList, FEW};
use crate::dynamics::BodyId;

impl CellList {
    /// Whether a body in a cell has fewer neighbours than `FEW` in the cells around its own, together with `more`.
    pub(in crate::dynamics) fn has_few(&self, id: BodyId, more: usize) -> bool {
        self.cell(id).is_some_and(|cell| more + self.count_near(id, cell, FEW) < FEW)
    }

    /// Whether the bodies in the cells ahead of a body that enters a cell are as many as they usually are. At least one
    /// of them must be near: else the body would fly cell by cell through a void for bodies far away.
    #[inline]
    pub(super) fn new_ones_are_usual(&self, cell: Numbers) -> bool {
        let new = self.new.ids();
        new.len() <= self.many / AHEAD && new.iter().any(|&other| self.is_near(cell, other))
    }

    /// Number of neighbours of a body in the cells around its own, at most `most`. Bodies far away, in cells that share
    /// a place with one of these, are not among them.
    pub(super) fn count_near(&self, id: BodyId, cell: Numbers, most: usize) -> usize {
        self.neighbours(id).filter(|&other| self.is_near(cell, other)).take(most).count()
    }

    /// Whether a body in a place around that of a cell is near the cell, and not in one that shares this place. Along
    /// periodic axes no cells share a place.
    #[inline]
    fn is_near(&self, cell: Numbers, other: BodyId) -> bool {
        self.axes.iter().all(|axis| axis.repeats) || self.cell(other).is_some_and(|to| are_near(self.steps(cell, to)))
    }
}
