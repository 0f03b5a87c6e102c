//! What the ladder holds for a body, and who decides whether it still counts.

use std::cmp::Ordering;

use crate::dynamics::BodyId;

/// When something comes for a body, and in which of its turns that was put down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// s.
    pub(super) time: f64,
    pub(super) body: BodyId,
    pub(super) turn: u32,
}

/// What is known about bodies outside of the ladder.
pub(super) trait EntryOrder {
    /// Whether an entry is of the last turn of its body.
    fn holds(&self, entry: &Entry) -> bool;

    /// In which order what comes for two bodies is taken.
    fn order(&self, x: BodyId, y: BodyId) -> Ordering;
}
