//! The event queue: for every body the earliest thing predicted for it, and a [`ladder`] that knows
//! the earliest of all.
//!
//! One slot a body, not one a pair, keeps the queue as small as the world (Lubachevsky, *How to simulate
//! billiards and similar systems*, J. Comput. Phys. 94, 1991). A slot holds what the body awaits together with another
//! one, and apart from that what it does alone, if that is earlier. What is awaited may be out of date, for
//! the other body need not say that its path has changed; it is looked at when its time comes. Ties are broken by kind
//! and then by the ids, so the order is total.

pub(super) mod entry;
mod ladder;
mod prediction;
mod rung;

use std::cmp::Ordering;
use std::hint::select_unpredictable;

use prefetch_index::prefetch_index;

use super::BodyId;
use super::body::pair::Pair;
use crate::motion::SimTime;
use entry::{Entry, EntryOrder};
use ladder::Ladder;

pub(super) use prediction::{Kind, PairEvent, Prediction};

/// What is predicted for a body: one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Slot {
    /// Of what comes first; [never](SimTime::NEVER) if there is nothing.
    first: SimTime,
    /// Of what it awaits with another one; [never](SimTime::NEVER) if that is nothing.
    time: SimTime,
    /// Of the pair, as the body with the smaller id sees it.
    image: [i32; 3],
    other: BodyId,
    kind: Kind,
    lone: bool,
    /// What it does alone, if that comes first.
    own_event: Option<Kind>,
    /// How often something else was predicted.
    turn: u32,
}

impl Slot {
    const EMPTY: Self = Self {
        first: SimTime::NEVER,
        time: SimTime::NEVER,
        image: [0; 3],
        other: BodyId(0),
        kind: Kind::Domain,
        lone: false,
        own_event: None,
        turn: 0,
    };

    /// Which of the two comes first can seldom be guessed, so there is no branch.
    #[inline(always)]
    fn new(id: BodyId, awaited: &PairEvent, (exit, what): (SimTime, Kind), turn: u32) -> Self {
        let &PairEvent { prediction: Prediction { time, kind, pair }, lone } = awaited;
        let sooner = (exit < time) | ((exit == time) & (what < kind));
        let first = SimTime::choose(sooner, exit, time);
        let own_event = select_unpredictable(sooner, Some(what), None);
        Self { first, time, image: pair.image, other: pair.other(id), kind, lone, own_event, turn }
    }

    /// Whether anything is predicted.
    #[inline(always)]
    fn waits(&self) -> bool {
        self.first != SimTime::NEVER
    }

    /// The pair of the body of this slot and the one with which it awaits something.
    #[inline]
    fn pair(&self, id: BodyId) -> Pair {
        Pair { a: id.min(self.other), b: id.max(self.other), image: self.image }
    }

    /// What the body of this slot awaits.
    #[inline]
    fn awaited(&self, id: BodyId) -> PairEvent {
        let &Self { time, kind, lone, .. } = self;
        PairEvent { prediction: Prediction { time, kind, pair: self.pair(id) }, lone }
    }

    /// What comes first for the body of this slot.
    #[inline]
    fn prediction(&self, id: BodyId) -> Prediction {
        match self.own_event {
            Some(kind) => Prediction::own_event(id, self.first, kind),
            None => Prediction { time: self.time, kind: self.kind, pair: self.pair(id) },
        }
    }
}

/// One slot a body, and who comes first.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    slots: Vec<Slot>,
    /// For how many bodies something is predicted.
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
    /// So many bodies without a prediction.
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { slots: vec![Slot::EMPTY; count], waiting: 0, ladder: Ladder::default() }
    }

    /// Adds bodies without a prediction until there are `count`.
    pub(super) fn grow(&mut self, count: usize) {
        self.slots.resize(count, Slot::EMPTY);
    }

    /// What a body awaits together with another one.
    #[inline]
    pub(super) fn awaited(&self, id: BodyId) -> PairEvent {
        self.slots[id.index()].awaited(id)
    }

    /// The body whose prediction comes first, and the prediction.
    #[inline]
    pub(super) fn first(&mut self) -> Option<(BodyId, Prediction)> {
        let id = self.ladder.first(&self.slots)?;
        Some((id, self.slots[id.index()].prediction(id)))
    }

    /// The same, if it comes no later than `target`.
    #[inline]
    pub(super) fn first_until(&mut self, target: SimTime) -> Option<(BodyId, Prediction)> {
        self.first().filter(|(_, first)| first.time <= target)
    }

    /// Who comes soon after the first: mostly the next ones, in order.
    pub(super) fn soon<const COUNT: usize>(&mut self) -> [Option<BodyId>; COUNT] {
        self.ladder.soon(&self.slots)
    }

    /// Whom a body is to meet next, unless it does something alone before.
    #[inline]
    pub(super) fn partner(&self, id: BodyId) -> Option<BodyId> {
        let Slot { time, other, own_event, .. } = self.slots[id.index()];
        (time != SimTime::NEVER && own_event.is_none()).then_some(other)
    }

    /// Prefetches what is predicted for a body.
    #[inline]
    pub(super) fn prefetch(&self, id: BodyId) {
        prefetch_index(&self.slots, id.index());
    }

    /// Whether something else than `pair` comes, or may come, no later than `latest`.
    #[inline]
    pub(super) fn is_crowded(&self, pair: Pair, latest: SimTime) -> bool {
        let may_come = |id: BodyId| {
            let slot = &self.slots[id.index()];
            slot.first <= latest && (slot.own_event.is_some() || !self.is_lone(id, pair))
        };
        may_come(pair.a) || may_come(pair.b) || self.any_until(latest, |id| id != pair.a && id != pair.b)
    }

    /// Whether a body awaits `pair` and nothing else within the longest instant.
    #[inline]
    pub(super) fn is_lone(&self, id: BodyId, pair: Pair) -> bool {
        let slot = &self.slots[id.index()];
        let Pair { a, b, image } = slot.pair(id);
        (a == pair.a) & (b == pair.b) & (image == pair.image) & slot.lone & (slot.time != SimTime::NEVER)
    }

    fn any_until(&self, latest: SimTime, mut test: impl FnMut(BodyId) -> bool) -> bool {
        let Self { slots, ladder, .. } = self;
        ladder.any_until(latest.seconds(), slots, |id| slots[id.index()].first <= latest && test(id))
    }

    /// The bodies whose predictions come no later than `latest`, by id.
    pub(super) fn until(&self, latest: SimTime) -> Vec<BodyId> {
        let mut found = Vec::new();
        self.any_until(latest, |id| {
            found.push(id);
            false
        });
        found.sort_unstable();
        found
    }

    /// Nothing is predicted for a body any more.
    pub(super) fn clear(&mut self, id: BodyId) {
        self.set(id, &PairEvent::nothing(id), (SimTime::NEVER, Kind::Domain));
    }

    /// Replaces what is predicted for a body: what it awaits, and the first thing that it does alone.
    #[inline(always)]
    pub(super) fn set(&mut self, id: BodyId, awaited: &PairEvent, own_event: (SimTime, Kind)) {
        let Self { slots, waiting, ladder } = self;
        let slot = &mut slots[id.index()];
        let (waited, turn) = (slot.waits(), slot.turn.wrapping_add(1));
        *slot = Slot::new(id, awaited, own_event, turn);
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
    fn a_slot_is_a_cache_line_and_says_what_it_was_told() {
        assert_eq!(size_of::<Slot>(), 64);
        for (a, b, id) in [(3, 7, 3), (3, 7, 7), (5, 5, 5)] {
            let pair = Pair { a: BodyId(a), b: BodyId(b), image: [1, -2, 0] };
            let prediction = Prediction { pair, ..prediction(2.5, Kind::Enter, a, b) };
            let awaited = PairEvent { prediction, lone: true };
            assert_eq!(Slot::new(BodyId(id), &awaited, NEVER, 5).awaited(BodyId(id)), awaited);
        }
        let slot = Slot::new(BodyId(1), &PairEvent::nothing(BodyId(1)), (SimTime::ZERO, Kind::Settle), 5);
        assert_eq!(slot.awaited(BodyId(1)), PairEvent::nothing(BodyId(1)));
        assert_eq!(slot.prediction(BodyId(1)), Prediction::own_event(BodyId(1), SimTime::ZERO, Kind::Settle));
    }

    #[test]
    fn predictions_come_in_their_total_order() {
        let mut queue = Queue::default();
        queue.grow(200);
        // A walk through the residues of 211 shuffles; many times coincide.
        let mut wanted = Vec::new();
        for step in 0..200u32 {
            let id = step * 83 % 200;
            let kind = if step % 3 == 0 { Kind::Enter } else { Kind::Impact };
            let prediction = prediction(f64::from(step * 57 % 40), kind, id, (id + step) % 200);
            queue.set(BodyId(id), &PairEvent { prediction, lone: false }, NEVER);
            wanted.push((BodyId(id), prediction));
        }
        // Move a third of them, and take some out.
        for row in (0..200).step_by(3) {
            wanted[row].1.time = SimTime::from_seconds(f64::from(row as u32 * 31 % 40));
            queue.set(wanted[row].0, &PairEvent { prediction: wanted[row].1, lone: false }, NEVER);
        }
        queue.clear(wanted[7].0);
        wanted.remove(7);
        wanted.sort_by(|x, y| x.1.order(&y.1).then(x.0.cmp(&y.0)));
        assert_eq!(drain(&mut queue), wanted);
    }
}
