//! The entries of the ladder, and the properties of entries that depend on the slots.
//!
//! An entry is small: the time as one number, the body and its turn. The slots have the exact time and the prediction,
//! and so decide the order of entries with equal times.

use std::cmp::Ordering;

use crate::dynamics::BodyId;

/// The time of a body's first event. `turn` is the number of the change of the slot that made this entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Time, s.
    pub(super) time: f64,
    pub(super) body: BodyId,
    pub(super) turn: u32,
}

/// The properties of entries that depend on the slots of the queue.
pub(super) trait EntryOrder {
    /// Whether an entry is up to date: it has the last turn of its body.
    fn holds(&self, entry: &Entry) -> bool;

    /// The order of the first events of two bodies.
    fn order(&self, x: BodyId, y: BodyId) -> Ordering;
}
