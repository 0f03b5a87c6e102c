//! What is predicted for bodies, and in which order it happens.

use std::cmp::Ordering;

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::motion::SimTime;

/// What is predicted. The order is that in which things at the same instant are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dynamics) enum Kind {
    /// The body leaves its domain; nothing physical happens.
    Domain,
    Leave,
    Release,
    Enter,
    Impact,
    /// What the body touches is looked at: at the end of an instant that changed it, and as it moves on a curved surface.
    Settle,
}

/// Something that will happen unless a path changes before; [never](SimTime::NEVER), if its time says so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct Prediction {
    pub(in crate::dynamics) time: SimTime,
    pub(in crate::dynamics) kind: Kind,
    /// Whose. For a domain, the body twice.
    pub(in crate::dynamics) pair: Pair,
}

impl Prediction {
    /// Nothing that a body does with another one.
    pub(in crate::dynamics) const fn never(id: BodyId) -> Self {
        Self { time: SimTime::NEVER, kind: Kind::Impact, pair: Pair { a: id, b: id, image: [0; 3] } }
    }

    /// Something that a body does by itself.
    #[inline]
    pub(in crate::dynamics) fn own_event(id: BodyId, time: SimTime, kind: Kind) -> Self {
        Self { time, kind, pair: Pair::new(id, id, [0; 3]) }
    }

    /// Whether it is about these two bodies.
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

/// What a body awaits together with another one, or that it [never](SimTime::NEVER) comes to that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct PairEvent {
    pub(in crate::dynamics) prediction: Prediction,
    /// Whether, when it was predicted, nothing else was to come within the longest instant.
    pub(in crate::dynamics) lone: bool,
}

impl PairEvent {
    pub(in crate::dynamics) const fn nothing(id: BodyId) -> Self {
        Self { prediction: Prediction::never(id), lone: true }
    }
}
