//! Batches of cells on the way of a ray.
//!
//! The cells on the way are at arbitrary places in memory, and separate reads would cost one memory latency per cell.
//! Here the cells of a batch are read together, with a single latency. The bodies found are sorted, so that the first
//! hit comes early and ends the walk.

use super::HashGrid;
use super::block::{Block, NONE};
use super::level::{LevelKey, short};
use super::table::Table;
use crate::dynamics::BodyId;
use crate::geometry::Aabb;

/// Cells per batch: the block around the start of a ray, or two of its layers.
const CELLS: usize = 8;

/// Number of bodies on the way that are collected before they are passed on.
const BODIES: usize = 16;

/// Cells not yet searched, and the bodies found in others.
pub(super) struct Batch<'a> {
    table: &'a Table,
    level: LevelKey,
    /// Each cell, and the first block of its chain.
    cells: [([i32; 3], u32); CELLS],
    cell_count: usize,
    bodies: [(f64, BodyId); BODIES],
    body_count: usize,
}

impl<'a> Batch<'a> {
    /// An empty batch for a level.
    pub(super) fn new(grid: &'a HashGrid, level: LevelKey) -> Self {
        let cells = [([0; 3], 0); CELLS];
        Self { table: &grid.table, level, cells, cell_count: 0, bodies: [(0.0, BodyId(0)); BODIES], body_count: 0 }
    }

    /// Adds a cell; the batch must not be full.
    #[inline]
    pub(super) fn add(&mut self, cell: [i64; 3]) {
        let cell = short(cell);
        self.cells[self.cell_count] = (cell, self.table.first(self.level, cell));
        self.cell_count += 1;
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.cell_count == CELLS
    }

    /// Empties the batch: calls `found` with the bodies for which `enter` gives a parameter up to `until`, in the order
    /// of the parameter. `found` returns the new bound.
    #[inline]
    pub(super) fn search(
        &mut self,
        until: f64,
        enter: impl Fn(&Aabb, f64) -> Option<f64>,
        found: &mut impl FnMut(BodyId, f64) -> f64,
    ) -> f64 {
        self.prefetch();
        let mut until = until;
        for row in 0..self.cell_count {
            let (cell, first) = self.cells[row];
            for (id, bounds) in self.table.of_cell(first, self.level, cell).flat_map(Block::entries) {
                if let Some(t) = enter(&bounds, until) {
                    self.bodies[self.body_count] = (t, id);
                    self.body_count += 1;
                    if self.body_count == BODIES {
                        until = self.pass_on(until, found);
                    }
                }
            }
        }
        self.cell_count = 0;
        self.pass_on(until, found)
    }

    /// Reads a little of the first block of every cell. No result depends on it.
    #[inline]
    fn prefetch(&self) {
        let blocks = self.cells[..self.cell_count].iter().filter(|(_, first)| *first != NONE);
        std::hint::black_box(blocks.fold(0, |sum, &(_, first)| sum ^ self.table.block(first).next));
    }

    #[inline]
    fn pass_on(&mut self, mut until: f64, found: &mut impl FnMut(BodyId, f64) -> f64) -> f64 {
        let bodies = &mut self.bodies[..self.body_count];
        bodies.sort_unstable_by(|x, y| x.0.total_cmp(&y.0));
        for &(t, id) in bodies.iter() {
            if t <= until {
                until = found(id, until);
            }
        }
        self.body_count = 0;
        until
    }
}
