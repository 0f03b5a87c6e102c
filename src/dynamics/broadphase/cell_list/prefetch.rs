//! Prefetching of cells. No result depends on it.

use prefetch_index::prefetch_index;

use super::CellList;
use super::stencil::{RUN, Stencil};
use crate::dynamics::BodyId;

impl CellList {
    /// Prefetches the cell number of a body.
    #[inline]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        prefetch_index(&self.numbers, id.index());
    }

    /// Prefetches the cells around that of a body.
    #[inline]
    pub(in crate::dynamics) fn prefetch_around(&self, id: BodyId) {
        if let Some(cell) = self.cell(id) {
            for first in Stencil::new(&self.axes, cell).runs() {
                self.cells.prefetch(first);
                self.cells.prefetch(first + RUN - 1);
            }
        }
    }
}
