//! Predicted events and their order.
//!
//! The order is total: first the time, then the kind, then the pair. So the order in which events at the same instant
//! are resolved does not depend on the history.

use std::cmp::Ordering;

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::motion::SimTime;

/// The kind of a predicted event. Events at the same instant are taken in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dynamics) enum Kind {
    /// The body leaves its domain; nothing physical happens.
    Domain,
    Leave,
    Release,
    Enter,
    Impact,
    /// The contacts of the body are updated: at the end of an instant that changed them, and along curved surfaces.
    Settle,
}

/// An event that will happen unless a path changes before. Its time is [never](SimTime::NEVER) if there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct Prediction {
    pub(in crate::dynamics) time: SimTime,
    pub(in crate::dynamics) kind: Kind,
    /// The bodies of the event. For an own event, the same body twice.
    pub(in crate::dynamics) pair: Pair,
}

impl Prediction {
    /// No pair event.
    pub(in crate::dynamics) const fn never(id: BodyId) -> Self {
        Self { time: SimTime::NEVER, kind: Kind::Impact, pair: Pair { a: id, b: id, image: [0; 3] } }
    }

    /// An event of one body alone.
    #[inline]
    pub(in crate::dynamics) fn own_event(id: BodyId, time: SimTime, kind: Kind) -> Self {
        Self { time, kind, pair: Pair::new(id, id, [0; 3]) }
    }

    /// Whether it is an event of these two bodies.
    pub(in crate::dynamics) fn is_between(&self, a: BodyId, b: BodyId) -> bool {
        (self.pair.a, self.pair.b) == (a, b)
    }

    #[inline]
    pub(in crate::dynamics) fn order(&self, other: &Self) -> Ordering {
        let rest = |p: &Self| (p.kind, p.pair);
        self.time.cmp(&other.time).then_with(|| rest(self).cmp(&rest(other)))
    }

    #[inline]
    pub(in crate::dynamics) fn precedes(&self, other: &Self) -> bool {
        self.order(other).is_lt()
    }
}

/// The next pair event of a body; its time is [never](SimTime::NEVER) if there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct PairEvent {
    pub(in crate::dynamics) prediction: Prediction,
    /// Whether, at the time of prediction, no other pair event of the body was within the longest instant.
    pub(in crate::dynamics) is_isolated: bool,
}

impl PairEvent {
    pub(in crate::dynamics) const fn nothing(id: BodyId) -> Self {
        Self { prediction: Prediction::never(id), is_isolated: true }
    }
}
