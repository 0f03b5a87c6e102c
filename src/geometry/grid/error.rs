//! Errors of the construction of a grid.

use thiserror::Error;

/// Why cells cannot form a grid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum GridError {
    /// A cell without size, or a grid that reaches too far.
    #[error("an edge of a cell is {found} m, but must be positive, and the grid at most 1e70 m long")]
    Cell { found: f64 },
    /// No cells, or more than an index holds.
    #[error("a grid of {} × {} × {} cells has {}", size[0], size[1], size[2], if size.contains(&0) { "none" } else { "more than 2²⁹" })]
    Size { size: [u32; 3] },
    /// A row of tiles is shorter or longer than the first one.
    #[error("row {row} has {found} cells, but the first row has {wanted}")]
    Row { row: usize, found: usize, wanted: usize },
    /// A character that is neither a solid nor an empty cell.
    #[error("row {row} has {found:?} at column {column}; a solid cell is '#', an empty one '.' or ' '")]
    Character { row: usize, column: usize, found: char },
    /// Cells as they were saved, of another number than the size says.
    #[error("{found} cells were saved for a grid of {wanted}")]
    Saved { found: u64, wanted: u64 },
}
