//! What an event changed: the bodies and pairs whose predictions no longer hold.
//!
//! Whatever resolves an event only notes here what it changed. The step loop then predicts all of it anew, so no resolver
//! can forget to.

use std::ops::Range;

use super::BodyId;
use super::body::pair::Pair;

/// A body that came into another domain.
#[derive(Debug, Clone)]
pub(super) struct Entered {
    pub(super) body: BodyId,
    /// The rows of its new neighbours in its neighbour list.
    pub(super) linked: Range<usize>,
    /// Whether it was a ballistic sphere before.
    pub(super) was_ballistic: bool,
}

/// What is to be predicted anew.
#[derive(Debug, Clone, Default)]
pub(super) struct Changed {
    /// Bodies for which everything is.
    pub(super) bodies: Vec<BodyId>,
    /// Bodies for which only their own event is: their next domain exit or contact update.
    pub(super) own_events: Vec<BodyId>,
    pub(super) pairs: Vec<Pair>,
    pub(super) entered: Option<Entered>,
}

impl Changed {
    /// A body has a new path, or is seen by others in another way.
    #[inline]
    pub(super) fn body(&mut self, id: BodyId) {
        self.bodies.push(id);
    }

    /// The contacts of a body are to be looked at at another instant.
    pub(super) fn own_event(&mut self, id: BodyId) {
        self.own_events.push(id);
    }

    /// Two bodies touch or part, or one has entered or left the other.
    pub(super) fn pair(&mut self, pair: Pair) {
        self.pairs.push(pair);
    }

    /// Nothing, in the same memory.
    #[inline]
    pub(super) fn emptied(mut self) -> Self {
        self.bodies.clear();
        self.own_events.clear();
        self.pairs.clear();
        Self { entered: None, ..self }
    }
}
