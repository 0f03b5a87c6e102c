//! Changes: the bodies and pairs with predictions that an event has made invalid.
//!
//! The code that resolves an event only records its changes here. The step loop then predicts all of them again, so no
//! new prediction can be missed.

use std::ops::Range;

use super::BodyId;
use super::body::pair::Pair;

/// A body that got a new domain.
#[derive(Debug, Clone)]
pub(super) struct Entered {
    pub(super) body: BodyId,
    /// The rows of its new neighbours in its neighbour list.
    pub(super) listed: Range<usize>,
    /// Whether it was a ballistic sphere before, and its new neighbours are known separately from the others.
    pub(super) was_ballistic: bool,
}

/// The bodies and pairs that have to be predicted again.
#[derive(Debug, Clone, Default)]
pub(super) struct ToPredict {
    /// Bodies to predict with all their neighbours.
    pub(super) bodies: Vec<BodyId>,
    /// Bodies for which only the own event changed: domain exit or contact update.
    pub(super) own_events: Vec<BodyId>,
    pub(super) pairs: Vec<Pair>,
    pub(super) entered: Option<Entered>,
}

impl ToPredict {
    /// Records that a body has a new path, or that other bodies interact with it in another way.
    #[inline]
    pub(super) fn body(&mut self, id: BodyId) {
        self.bodies.push(id);
    }

    /// Records that the own event of a body has changed.
    pub(super) fn own_event(&mut self, id: BodyId) {
        self.own_events.push(id);
    }

    /// Records that two bodies are in contact or no longer in contact, or that one has entered or left the other.
    pub(super) fn pair(&mut self, pair: Pair) {
        self.pairs.push(pair);
    }

    /// Removes everything and keeps the memory.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.bodies.clear();
        self.own_events.clear();
        self.pairs.clear();
        self.entered = None;
    }
}
