//! Errors of the construction of a grid.

use thiserror::Error;

/// Why cells cannot form a grid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// A cell without size, or a grid that reaches too far.
    #[error("an edge of a cell is {found} m, but must be positive, and the grid at most 1e70 m long")]
    #[expect(missing_docs, reason = "the message says it")]
    Cell { found: f64 },
    /// No cells, or more than an index holds.
    #[error("{} × {} × {} cells are not between 1 and 2²⁹", size[0], size[1], size[2])]
    #[expect(missing_docs, reason = "the message says it")]
    Size { size: [u32; 3] },
    /// A row of tiles is shorter or longer than the first one.
    #[error("row {row} has {found} cells, but the first row has {wanted}")]
    #[expect(missing_docs, reason = "the message says it")]
    Row { row: usize, found: usize, wanted: usize },
    /// A character that is neither a solid nor an empty cell.
    #[error("row {row} has {found:?} at column {column}; a solid cell is '#', an empty one '.' or ' '")]
    #[expect(missing_docs, reason = "the message says it")]
    Character { row: usize, column: usize, found: char },
    /// Cells as they were saved, of another number than the size says.
    #[error("{found} cells were saved for a grid of {wanted}")]
    #[expect(missing_docs, reason = "the message says it")]
    Saved { found: u64, wanted: u64 },
}
