//! The first of several predicted events of a body, and whether another one is at the same instant.

use super::simd::first::{First, NEVER};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::path_record::PathRecords;
use crate::dynamics::queue::{Kind, PairEvent, Prediction};
use crate::dynamics::scene::Scene;
use crate::motion::SimTime;
use crate::numeric::tolerance::{DOMAIN_SLACK, INSTANT_MAX, TIME_MAX};

/// Two meetings are so close in time that their order must be decided with the exact times of the clock.
pub(super) struct TooClose;

/// The first of some pair events of a body, and the time of the second.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Earliest {
    first: Prediction,
    second: SimTime,
}

impl Earliest {
    /// No event.
    pub(in crate::dynamics) fn none(id: BodyId) -> Self {
        Self { first: Prediction::never(id), second: SimTime::NEVER }
    }

    /// The time of the first event.
    pub(super) fn time(&self) -> SimTime {
        self.first.time
    }

    pub(in crate::dynamics) fn add(&mut self, next: Prediction) {
        let later = if next.precedes(&self.first) { std::mem::replace(&mut self.first, next) } else { next };
        self.second = self.second.min(later.time);
    }

    /// The first event of these and of one more.
    #[cold]
    fn with(mut self, met: Prediction) -> PairEvent {
        self.add(met);
        self.pair_event()
    }

    pub(in crate::dynamics) fn pair_event(&self) -> PairEvent {
        let Self { first, second } = *self;
        PairEvent {
            prediction: first,
            is_isolated: second == SimTime::NEVER || second.since(first.time) > 2.0 * INSTANT_MAX,
        }
    }
}

/// The end of the time in which events matter, if the first event is at `first` or earlier. A later event is neither
/// the first nor at the same instant as the first.
pub(super) fn latest_of_first(first: SimTime) -> SimTime {
    if first == SimTime::NEVER { first } else { first.plus(4.0 * INSTANT_MAX) }
}

/// The first meetings found for a ballistic sphere.
pub(super) struct Seen {
    pub(super) id: BodyId,
    /// The first two meetings.
    first: First,
    /// The partner of the first meeting; the ball itself if there is none.
    other: BodyId,
    /// The first of the events that the vector code leaves undecided.
    pub(super) undecided: Option<Earliest>,
}

impl Seen {
    #[inline(always)]
    pub(super) fn new(id: BodyId) -> Self {
        Self { id, first: First::NONE, other: id, undecided: None }
    }

    /// Adds the meetings found with the neighbours `some`.
    #[inline(always)]
    pub(super) fn add(&mut self, found: &First, some: &[BodyId]) {
        let is_first = found.after < self.first.after;
        if is_first {
            self.other = some[found.row];
        }
        let (first, later) = if is_first { (*found, self.first.after) } else { (self.first, found.after) };
        self.first = First { second: first.second.min(later), ..first };
    }

    /// The first pair event, if it is clearly before the second.
    #[inline(always)]
    pub(super) fn pair_event(&self, scene: &Scene) -> Result<PairEvent, TooClose> {
        if self.first.is_close() {
            return Err(TooClose);
        }
        let met = self.met(scene);
        Ok(match &self.undecided {
            None => PairEvent { prediction: met, is_isolated: true },
            Some(undecided) => undecided.with(met),
        })
    }

    /// Whether the vector code has decided all pairs, and there is no meeting.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.undecided.is_none() && self.first.after == NEVER
    }

    /// Whether the vector code has decided all pairs, and its first meeting is clearly before the second.
    #[inline(always)]
    pub(super) fn is_clear(&self) -> bool {
        self.undecided.is_none() && !self.first.is_close()
    }

    /// A time no earlier than the first meeting of those found so far, with `found` among them.
    pub(super) fn time_of_first(&self, found: &First, records: &PathRecords) -> SimTime {
        let after = self.first.after.min(found.after);
        // A time near the end of the clock's range is not a useful bound.
        if after < 0.5 * TIME_MAX {
            records.get(self.id).epoch().plus(after * (1.0 + DOMAIN_SLACK))
        } else {
            SimTime::NEVER
        }
    }

    /// The first meeting of those found by the vector code.
    #[inline(always)]
    pub(super) fn met(&self, scene: &Scene) -> Prediction {
        let (records, now) = (&scene.rows.records, scene.now);
        let start = records.get(self.id).epoch().max(records.get(self.other).epoch());
        let meets = self.first.after < NEVER;
        let time = SimTime::choose(meets, start.plus(self.first.time), SimTime::NEVER);
        let pair = Pair::of_nearest(self.id, self.other, records, now);
        debug_assert!(
            !meets || self.first.is_close() || scene.predict(pair, time) == Some((time, Kind::Impact)),
            "the meeting of {pair:?} at {time:?} is not that of a single pair"
        );
        Prediction { time, kind: Kind::Impact, pair }
    }
}

impl PairEvent {
    /// The first of two pair events. It is isolated if they are not at one instant, or if they are the same event.
    pub(super) fn first(one: Self, other: Self) -> Self {
        let [x, y] = [one.prediction, other.prediction];
        if x == y {
            return Self { is_isolated: one.is_isolated && other.is_isolated, ..one };
        }
        let (first, second) = if y.precedes(&x) { (other, x) } else { (one, y) };
        let apart = second.time.since(first.prediction.time) > 2.0 * INSTANT_MAX;
        Self { is_isolated: first.is_isolated && apart, ..first }
    }
}

impl First {
    /// Whether the two meetings may have the opposite order on the clock, or may count as one instant. False if there
    /// is no second meeting.
    fn is_close(&self) -> bool {
        self.second - self.after <= 2.0 * INSTANT_MAX + DOMAIN_SLACK * self.after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_found_twice_is_as_lone_as_before() {
        let event = |seconds: f64, other: u32, is_isolated: bool| {
            let pair = Pair::new(BodyId(0), BodyId(other), [0; 3]);
            PairEvent {
                prediction: Prediction { time: SimTime::from_seconds(seconds), kind: Kind::Impact, pair },
                is_isolated,
            }
        };
        let nothing = PairEvent::nothing(BodyId(0));
        for (one, other, wanted) in [
            (event(1.0, 1, true), event(1.0, 1, true), event(1.0, 1, true)),
            (event(1.0, 1, true), event(1.0, 1, false), event(1.0, 1, false)),
            (event(1.0, 1, true), event(1.0, 2, true), event(1.0, 1, false)),
            (event(1.0, 1, true), event(2.0, 2, false), event(1.0, 1, true)),
            (event(1.0, 1, false), event(2.0, 2, true), event(1.0, 1, false)),
            (event(1.0, 1, true), nothing, event(1.0, 1, true)),
        ] {
            assert_eq!([PairEvent::first(one, other), PairEvent::first(other, one)], [wanted; 2]);
        }
    }
}
