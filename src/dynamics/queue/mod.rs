//! The event queue: the first predicted event of every body, and a [`ladder`] that finds the first of all.
//!
//! One slot per body, not per pair, keeps the queue as small as the world (Lubachevsky, *How to simulate billiards and
//! similar systems*, J. Comput. Phys. 94, 1991). A slot has the body's next pair event and, if that is earlier, its own
//! event (domain exit or contact update). A pair event may be stale, since a change of the other body's path does not
//! change this slot. It is checked when its time comes. Ties are broken by kind and then by ids, so the order is total.

pub(super) mod entry;
mod ladder;
mod prediction;
mod rung;

use std::cmp::Ordering;
use std::hint::select_unpredictable;

use prefetch_index::prefetch_index;

use super::BodyId;
use super::body::pair::Pair;
use super::few::Few;
use crate::motion::SimTime;
use entry::{Entry, EntryOrder};
use ladder::Ladder;

pub(super) use prediction::{Kind, PairEvent, Prediction};

/// The predictions of one body: one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Slot {
    /// Time of the first event; [never](SimTime::NEVER) if there is none.
    first: SimTime,
    /// Time of the pair event; [never](SimTime::NEVER) if there is none.
    time: SimTime,
    /// Image of the pair, counted from the body with the smaller id.
    image: [i32; 3],
    other: BodyId,
    kind: Kind,
    is_isolated: bool,
    /// Own event (domain exit or contact update) if it precedes the pair event.
    own_event: Option<Kind>,
    /// The number of changes of this slot.
    turn: u32,
}

impl Slot {
    const EMPTY: Self = Self {
        first: SimTime::NEVER,
        time: SimTime::NEVER,
        image: [0; 3],
        other: BodyId(0),
        kind: Kind::Domain,
        is_isolated: false,
        own_event: None,
        turn: 0,
    };

    /// The first of the two is unpredictable, so the code has no branch.
    #[inline(always)]
    fn new(id: BodyId, pair_event: &PairEvent, (exit, what): (SimTime, Kind), turn: u32) -> Self {
        let &PairEvent { prediction: Prediction { time, kind, pair }, is_isolated } = pair_event;
        let sooner = (exit < time) | ((exit == time) & (what < kind));
        let first = SimTime::choose(sooner, exit, time);
        let own_event = select_unpredictable(sooner, Some(what), None);
        Self { first, time, image: pair.image, other: pair.other(id), kind, is_isolated, own_event, turn }
    }

    /// Whether an event is predicted.
    #[inline(always)]
    fn waits(&self) -> bool {
        self.first != SimTime::NEVER
    }

    /// The pair of the pair event; `id` is the body of this slot.
    #[inline]
    fn pair(&self, id: BodyId) -> Pair {
        Pair { a: id.min(self.other), b: id.max(self.other), image: self.image }
    }

    /// The pair event; `id` is the body of this slot.
    #[inline]
    fn pair_event(&self, id: BodyId) -> PairEvent {
        let &Self { time, kind, is_isolated, .. } = self;
        PairEvent { prediction: Prediction { time, kind, pair: self.pair(id) }, is_isolated }
    }

    /// The first event; `id` is the body of this slot.
    #[inline]
    fn prediction(&self, id: BodyId) -> Prediction {
        match self.own_event {
            Some(kind) => Prediction::own_event(id, self.first, kind),
            None => Prediction { time: self.time, kind: self.kind, pair: self.pair(id) },
        }
    }
}

/// One slot per body, and the order of the first events.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    slots: Vec<Slot>,
    /// Number of bodies with a predicted event.
    waiting: usize,
    ladder: Ladder,
}

impl EntryOrder for Vec<Slot> {
    #[inline(always)]
    fn holds(&self, entry: &Entry) -> bool {
        self[entry.body.index()].turn == entry.turn
    }

    fn order(&self, x: BodyId, y: BodyId) -> Ordering {
        let [a, b] = [x, y].map(|id| self[id.index()].prediction(id));
        a.order(&b).then(x.cmp(&y))
    }
}

impl Queue {
    /// A queue of `count` bodies without predictions.
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { slots: vec![Slot::EMPTY; count], waiting: 0, ladder: Ladder::default() }
    }

    /// Adds bodies without a prediction until there are `count`.
    pub(super) fn grow(&mut self, count: usize) {
        self.slots.resize(count, Slot::EMPTY);
    }

    /// The next pair event of a body.
    #[inline]
    pub(super) fn pair_event(&self, id: BodyId) -> PairEvent {
        self.slots[id.index()].pair_event(id)
    }

    /// The first event of all, and its body.
    #[inline(always)]
    pub(super) fn first(&mut self) -> Option<(BodyId, Prediction)> {
        let id = self.ladder.first(&self.slots)?;
        Some((id, self.slots[id.index()].prediction(id)))
    }

    /// The same, if it comes no later than `target`.
    #[inline(always)]
    pub(super) fn first_until(&mut self, target: SimTime) -> Option<(BodyId, Prediction)> {
        self.first().filter(|(_, first)| first.time <= target)
    }

    /// The bodies with events soon after the first: mostly the next ones, in order.
    pub(super) fn soon<const COUNT: usize>(&mut self) -> [Option<BodyId>; COUNT] {
        self.ladder.soon(&self.slots)
    }

    /// The partner of a body's first event, if that is a pair event.
    #[inline]
    pub(super) fn partner(&self, id: BodyId) -> Option<BodyId> {
        let Slot { time, other, own_event, .. } = self.slots[id.index()];
        (time != SimTime::NEVER && own_event.is_none()).then_some(other)
    }

    /// Prefetches the slot of a body.
    #[inline]
    pub(super) fn prefetch(&self, id: BodyId) {
        prefetch_index(&self.slots, id.index());
    }

    /// Whether an event other than that of `pair` is, or may be, no later than `latest`.
    #[inline]
    pub(super) fn has_other_before(&self, pair: Pair, latest: SimTime) -> bool {
        let may_come = |id: BodyId| {
            let slot = &self.slots[id.index()];
            slot.first <= latest && (slot.own_event.is_some() || !self.is_lone(id, pair))
        };
        may_come(pair.a) || may_come(pair.b) || self.any_until(latest, |id| id != pair.a && id != pair.b)
    }

    /// Whether the pair event of a body is that of `pair`, and no other is within the longest instant.
    #[inline]
    pub(super) fn is_lone(&self, id: BodyId, pair: Pair) -> bool {
        let slot = &self.slots[id.index()];
        let Pair { a, b, image } = slot.pair(id);
        (a == pair.a) & (b == pair.b) & (image == pair.image) & slot.is_isolated & (slot.time != SimTime::NEVER)
    }

    fn any_until(&self, latest: SimTime, mut test: impl FnMut(BodyId) -> bool) -> bool {
        let Self { slots, ladder, .. } = self;
        ladder.any_until(latest.seconds(), slots, |id| slots[id.index()].first <= latest && test(id))
    }

    /// The bodies with first events no later than `latest`, by id.
    pub(super) fn until(&self, latest: SimTime) -> Few<BodyId> {
        let mut found = Few::new();
        self.any_until(latest, |id| {
            found.push(id);
            false
        });
        found.sort_unstable();
        found
    }

    /// Removes the predictions of a body.
    pub(super) fn clear(&mut self, id: BodyId) {
        self.set(id, &PairEvent::nothing(id), (SimTime::NEVER, Kind::Domain));
    }

    /// Replaces the predictions of a body: its pair event and its first own event.
    #[inline(always)]
    pub(super) fn set(&mut self, id: BodyId, pair_event: &PairEvent, own_event: (SimTime, Kind)) {
        let Self { slots, waiting, ladder } = self;
        let slot = &mut slots[id.index()];
        let (waited, turn) = (slot.waits(), slot.turn.wrapping_add(1));
        *slot = Slot::new(id, pair_event, own_event, turn);
        *waiting = *waiting + usize::from(slot.waits()) - usize::from(waited);
        if slot.waits() {
            let entry = Entry { time: slot.first.seconds(), body: id, turn };
            ladder.put(entry, || slot.prediction(id));
            ladder.drop_stale(*waiting, slots);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(time: f64, kind: Kind, a: u32, b: u32) -> Prediction {
        let pair = Pair::new(BodyId(a), BodyId(b), [0; 3]);
        Prediction { time: SimTime::from_seconds(time), kind, pair }
    }

    const NEVER: (SimTime, Kind) = (SimTime::NEVER, Kind::Domain);

    fn drain(queue: &mut Queue) -> Vec<(BodyId, Prediction)> {
        std::iter::from_fn(|| {
            let first = queue.first()?;
            queue.clear(first.0);
            Some(first)
        })
        .collect()
    }

    #[test]
    fn a_slot_is_a_cache_line_and_holds_what_was_set() {
        assert_eq!(size_of::<Slot>(), 64);
        for (a, b, id) in [(3, 7, 3), (3, 7, 7), (5, 5, 5)] {
            let pair = Pair { a: BodyId(a), b: BodyId(b), image: [1, -2, 0] };
            let prediction = Prediction { pair, ..prediction(2.5, Kind::Enter, a, b) };
            let pair_event = PairEvent { prediction, is_isolated: true };
            assert_eq!(Slot::new(BodyId(id), &pair_event, NEVER, 5).pair_event(BodyId(id)), pair_event);
        }
        let slot = Slot::new(BodyId(1), &PairEvent::nothing(BodyId(1)), (SimTime::ZERO, Kind::Settle), 5);
        assert_eq!(slot.pair_event(BodyId(1)), PairEvent::nothing(BodyId(1)));
        assert_eq!(slot.prediction(BodyId(1)), Prediction::own_event(BodyId(1), SimTime::ZERO, Kind::Settle));
    }

    #[test]
    fn predictions_come_in_their_total_order() {
        let mut queue = Queue::default();
        queue.grow(200);
        // The multiplications modulo 200 and 40 shuffle the ids and the times; many times coincide.
        let mut wanted = Vec::new();
        for step in 0..200u32 {
            let id = step * 83 % 200;
            let kind = if step % 3 == 0 { Kind::Enter } else { Kind::Impact };
            let prediction = prediction(f64::from(step * 57 % 40), kind, id, (id + step) % 200);
            queue.set(BodyId(id), &PairEvent { prediction, is_isolated: false }, NEVER);
            wanted.push((BodyId(id), prediction));
        }
        // Changes the times of a third of them, and removes one.
        for row in (0..200).step_by(3) {
            wanted[row].1.time = SimTime::from_seconds(f64::from(row as u32 * 31 % 40));
            queue.set(wanted[row].0, &PairEvent { prediction: wanted[row].1, is_isolated: false }, NEVER);
        }
        queue.clear(wanted[7].0);
        wanted.remove(7);
        wanted.sort_by(|x, y| x.1.order(&y.1).then(x.0.cmp(&y.0)));
        assert_eq!(drain(&mut queue), wanted);
    }
}
