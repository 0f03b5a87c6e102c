//! Prefetching of cells. No result depends on it.

use glam::DVec3;
use prefetch_index::prefetch_index;

use super::stencil::{RUN, Stencil, StencilAhead};
use super::{CellList, is_adjacent};
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

    /// Prefetches the cells that are new to a body when it leaves its domain at this position.
    pub(in crate::dynamics) fn prefetch_ahead(&self, id: BodyId, at: &DVec3) {
        if let Some(ahead) = self.ahead(id, at) {
            ahead.each(|place| self.cells.prefetch(place));
        }
    }

    /// The bodies in these cells.
    pub(in crate::dynamics) fn gather_ahead(&mut self, id: BodyId, at: &DVec3) -> &[BodyId] {
        match self.ahead(id, at) {
            Some(ahead) => self.new.gather_new_cells(&self.cells, &ahead, id),
            None => self.new.clear(),
        }
        self.new.ids()
    }

    fn ahead(&self, id: BodyId, at: &DVec3) -> Option<StencilAhead> {
        let (from, to) = (self.cell(id)?, self.at(*at)?);
        let steps = self.steps(from, to);
        is_adjacent(steps).then(|| StencilAhead { around: Stencil::new(&self.axes, to), steps })
    }
}
