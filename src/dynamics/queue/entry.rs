//! The entries of the ladder, and the order of entries that only the slots know.

use std::cmp::Ordering;

use crate::dynamics::BodyId;

/// The time of a body's first event. `turn` says by which change of the slot the entry was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Time, s.
    pub(super) time: f64,
    pub(super) body: BodyId,
    pub(super) turn: u32,
}

/// What the slots of the queue know about entries.
pub(super) trait EntryOrder {
    /// Whether an entry is up to date: of the last turn of its body.
    fn holds(&self, entry: &Entry) -> bool;

    /// The order of the first events of two bodies.
    fn order(&self, x: BodyId, y: BodyId) -> Ordering;
}
