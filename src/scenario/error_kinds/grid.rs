//! What can be wrong with a grid, in words, and what to do about it.

use thiserror::Error;

use crate::geometry::GridError;
use crate::scenario::limits::CELLS_MAX;

/// What is wrong with a grid.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum GridFault {
    /// Cells that are no grid.
    #[error(transparent)]
    NoGrid(GridError),
    /// More cells than the limit.
    #[error("the grid has {found} cells, more than the {CELLS_MAX} allowed")]
    TooManyCells { found: u64 },
    /// A cell beyond the size of the grid.
    #[error("there is no cell {} in a grid of size {}", triple(*cell), triple(*size))]
    NoSuchCell { cell: [u32; 3], size: [u32; 3] },
    /// A block whose first corner is beyond its last.
    #[error("a block goes from its lowest to its highest cell, found {} to {}", triple(*first), triple(*last))]
    Inverted { first: [u32; 3], last: [u32; 3] },
    /// Heights that are no rectangle of numbers.
    #[error("heights are a rectangle of at least 2 × 2 numbers: row {row} has {found}, the first row {wanted}")]
    Heights { row: usize, found: usize, wanted: usize },
}

fn triple([x, y, z]: [u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

impl GridFault {
    /// What to do about it, in a sentence.
    pub(in crate::scenario) fn help(&self) -> &'static str {
        match self {
            Self::NoGrid(GridError::Row { .. }) => "fill the row with `.`, so that all rows are equally long",
            Self::NoGrid(GridError::Character { .. }) => "write `#` for a solid cell and `.` for an empty one",
            Self::NoGrid(GridError::Size { .. }) => "a grid has at least one cell along each axis",
            Self::NoGrid(_) => "edges are positive numbers of metres",
            Self::TooManyCells { .. } => "divide it into several bodies",
            Self::NoSuchCell { .. } => "cells are counted from 0, or enlarge `size`",
            Self::Inverted { .. } => "write the lowest cell along each axis first",
            Self::Heights { .. } => "give every row the same number of heights",
        }
    }
}
