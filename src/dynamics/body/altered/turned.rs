//! The cells of a grid that commands have turned.

use std::collections::BTreeSet;

use crate::motion::SimTime;

/// The cells of a grid that commands have turned from solid to empty, or back.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct TurnedCells {
    /// When the last one was turned. Before, a path may have gone through a cell that is solid now.
    pub(in crate::dynamics) since: SimTime,
    /// The numbers of the cells that are not as they came.
    pub(in crate::dynamics) cells: BTreeSet<u32>,
}
