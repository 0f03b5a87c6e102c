//! The event queue: for every body the earliest thing predicted for it, and a heap that knows the earliest
//! of all.
//!
//! One slot a body, not one a pair, keeps the queue as small as the world (Lubachevsky, *How to simulate
//! billiards and similar systems*, J. Comput. Phys. 94, 1991). A slot holds what the body awaits together with another
//! one, and apart from that what it does alone, if that is earlier. What is awaited may be out of date, for
//! the other body need not say that its path has changed; it is looked at when its time comes. Ties are broken by kind
//! and then by the ids, so the order is total.

use std::cmp::Ordering;

use super::BodyId;
use super::pair::Pair;
use crate::motion::SimTime;

/// What is predicted. The order is that in which things at the same instant are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The body leaves its domain; nothing physical happens.
    Domain,
    Leave,
    Release,
    Enter,
    Impact,
    /// What the body touches is looked at: at the end of an instant that changed it, and as it moves on a curved surface.
    Settle,
}

/// Something that will happen unless a path changes before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prediction {
    pub(super) time: SimTime,
    pub(super) kind: Kind,
    /// Whose. For a domain, the body twice.
    pub(super) pair: Pair,
}

impl Prediction {
    /// Something that a body does by itself.
    #[inline]
    pub(super) fn alone(id: BodyId, time: SimTime, kind: Kind) -> Self {
        Self { time, kind, pair: Pair::new(id, id, [0; 3]) }
    }

    /// Whether it is about these two bodies.
    pub(super) fn is_between(&self, a: BodyId, b: BodyId) -> bool {
        (self.pair.a, self.pair.b) == (a, b)
    }

    #[inline]
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let rest = |p: &Self| (p.kind, p.pair);
        self.time.cmp(&other.time).then_with(|| rest(self).cmp(&rest(other)))
    }

    #[inline]
    pub(super) fn precedes(&self, other: Option<&Self>) -> bool {
        other.is_none_or(|other| self.order(other).is_lt())
    }
}

/// Children of a heap node. Four keep the heap shallow and a node's children in one or two cache lines.
const ARITY: usize = 4;

/// The place of a body that has no prediction.
const NOWHERE: u32 = u32::MAX;

/// What a body awaits together with another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Awaited {
    pub(super) prediction: Prediction,
    /// Whether, when it was predicted, nothing else was to come within the longest instant.
    pub(super) lone: bool,
}

/// What is predicted for a body, in few bytes.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// Of what it awaits with another one; [never](SimTime::NEVER) if that is nothing.
    time: SimTime,
    /// Of the pair, as the body with the smaller id sees it.
    image: [i32; 3],
    other: BodyId,
    kind: Kind,
    lone: bool,
    /// What it does alone, if that comes first.
    alone: Option<Kind>,
}

impl Slot {
    const EMPTY: Self =
        Self { time: SimTime::NEVER, image: [0; 3], other: BodyId(0), kind: Kind::Domain, lone: false, alone: None };

    #[inline]
    fn new(id: BodyId, awaited: Option<Awaited>, alone: Option<Kind>) -> Self {
        awaited.map_or(
            Self { alone, ..Self::EMPTY },
            |Awaited { prediction: Prediction { time, kind, pair }, lone }| Self {
                time,
                image: pair.image,
                other: pair.other(id),
                kind,
                lone,
                alone,
            },
        )
    }

    /// What the body of this slot awaits.
    #[inline]
    fn awaited(&self, id: BodyId) -> Option<Awaited> {
        let &Self { time, image, other, kind, lone, .. } = self;
        let pair = Pair { a: id.min(other), b: id.max(other), image };
        (time != SimTime::NEVER).then_some(Awaited { prediction: Prediction { time, kind, pair }, lone })
    }
}

/// A body in the heap.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// When its first prediction comes, as [words](SimTime::words).
    time: [u64; 2],
    id: BodyId,
}

/// One slot a body, and a heap of the bodies whose slot is filled.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    slots: Vec<Slot>,
    /// The time is repeated here so that most comparisons stay inside the heap.
    heap: Vec<Entry>,
    places: Vec<u32>,
}

impl Queue {
    /// Adds a body without a prediction.
    pub(super) fn push_body(&mut self) {
        self.slots.push(Slot::EMPTY);
        self.places.push(NOWHERE);
    }

    /// What a body awaits together with another one.
    #[inline]
    pub(super) fn awaited(&self, id: BodyId) -> Option<Awaited> {
        self.slots[id.index()].awaited(id)
    }

    /// The body whose prediction comes first, and the prediction.
    #[inline]
    pub(super) fn first(&self) -> Option<(BodyId, Prediction)> {
        let &Entry { time, id } = self.heap.first()?;
        self.of(id, SimTime::from_words(time)).map(|prediction| (id, prediction))
    }

    /// What comes first for a body that stands in the heap at `time`.
    #[inline]
    fn of(&self, id: BodyId, time: SimTime) -> Option<Prediction> {
        let slot = &self.slots[id.index()];
        match slot.alone {
            Some(kind) => Some(Prediction::alone(id, time, kind)),
            None => slot.awaited(id).map(|awaited| awaited.prediction),
        }
    }

    /// Reads a little of a body's slot, and of its place in the heap.
    #[inline]
    pub(super) fn call_up(&self, id: BodyId) -> u32 {
        let place = self.places[id.index()];
        let entry = self.heap.get(place as usize).map_or(0, |entry| entry.id.0);
        entry ^ u32::from(self.slots[id.index()].alone.is_some())
    }

    /// Whether something else than `pair` comes, or may come, no later than `latest`.
    pub(super) fn is_crowded(&self, pair: Pair, latest: SimTime) -> bool {
        self.any_until(latest.words(), 0, &mut |id| self.slots[id.index()].alone.is_some() || !self.is_lone(id, pair))
    }

    /// Whether a body awaits `pair` and nothing else within the longest instant.
    pub(super) fn is_lone(&self, id: BodyId, pair: Pair) -> bool {
        self.awaited(id).is_some_and(|next| next.prediction.pair == pair && next.lone)
    }

    fn any_until(&self, latest: [u64; 2], place: usize, test: &mut impl FnMut(BodyId) -> bool) -> bool {
        match self.heap.get(place) {
            Some(&Entry { time, id }) if time <= latest => {
                test(id) || (1..=ARITY).any(|child| self.any_until(latest, place * ARITY + child, test))
            }
            _ => false,
        }
    }

    /// The bodies whose predictions come no later than `latest`, by id.
    pub(super) fn until(&self, latest: SimTime) -> Vec<BodyId> {
        let mut found = Vec::new();
        self.any_until(latest.words(), 0, &mut |id| {
            found.push(id);
            false
        });
        found.sort_unstable();
        found
    }

    /// Replaces what is predicted for a body: what it awaits, and the first thing that it does alone.
    pub(super) fn set(&mut self, id: BodyId, awaited: Option<Awaited>, alone: Option<(SimTime, Kind)>) {
        let next = awaited.map(|awaited| (awaited.prediction.time, awaited.prediction.kind));
        let alone = alone.filter(|&alone| next.is_none_or(|next| alone < next));
        self.slots[id.index()] = Slot::new(id, awaited, alone.map(|(_, kind)| kind));
        let first = alone.or(next).map(|(time, _)| time.words());
        match (first, self.places[id.index()]) {
            (None, NOWHERE) => {}
            (None, place) => self.remove(place as usize),
            (Some(time), NOWHERE) => {
                self.heap.push(Entry { time, id });
                self.rise(self.heap.len() - 1);
            }
            (Some(time), place) => {
                self.heap[place as usize].time = time;
                self.settle(place as usize);
            }
        }
    }

    fn remove(&mut self, place: usize) {
        let Entry { id, .. } = self.heap.swap_remove(place);
        self.places[id.index()] = NOWHERE;
        if place < self.heap.len() {
            self.settle(place);
        }
    }

    fn settle(&mut self, place: usize) {
        if self.rise(place) == place {
            self.sink(place);
        }
    }

    fn rise(&mut self, mut place: usize) -> usize {
        let entry = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if !self.before(&entry, &self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, entry);
        place
    }

    fn sink(&mut self, mut place: usize) {
        let entry = self.heap[place];
        while let Some((child, least)) = self.least_child(place) {
            if !self.before(&least, &entry) {
                break;
            }
            self.put(place, least);
            place = child;
        }
        self.put(place, entry);
    }

    #[inline]
    fn least_child(&self, place: usize) -> Option<(usize, Entry)> {
        let first = place * ARITY + 1;
        let (&eldest, others) = self.heap.get(first..)?.split_first()?;
        let (mut least, mut place) = (eldest, first);
        for (row, child) in others.iter().take(ARITY - 1).enumerate() {
            if self.before(child, &least) {
                (least, place) = (*child, first + 1 + row);
            }
        }
        Some((place, least))
    }

    #[inline]
    fn put(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.places[entry.id.index()] = place as u32;
    }

    #[inline]
    fn before(&self, x: &Entry, y: &Entry) -> bool {
        let [one, other] = [x, y].map(|entry| (u128::from(entry.time[0]) << 64) | u128::from(entry.time[1]));
        one < other || (one == other && self.before_at_one_time(x, y))
    }

    #[cold]
    fn before_at_one_time(&self, x: &Entry, y: &Entry) -> bool {
        let time = SimTime::from_words(x.time);
        let (Some(a), Some(b)) = (self.of(x.id, time), self.of(y.id, time)) else { return x.id < y.id };
        a.order(&b).then(x.id.cmp(&y.id)).is_lt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(time: f64, kind: Kind, a: u32, b: u32) -> Prediction {
        let pair = Pair::new(BodyId(a), BodyId(b), [0; 3]);
        Prediction { time: SimTime::from_seconds(time), kind, pair }
    }

    fn drain(queue: &mut Queue) -> Vec<(BodyId, Prediction)> {
        std::iter::from_fn(|| {
            let first = queue.first()?;
            queue.set(first.0, None, None);
            Some(first)
        })
        .collect()
    }

    #[test]
    fn a_slot_is_short_and_says_what_it_was_told() {
        assert_eq!(size_of::<Slot>(), 40);
        for (a, b, id) in [(3, 7, 3), (3, 7, 7), (5, 5, 5)] {
            let pair = Pair { a: BodyId(a), b: BodyId(b), image: [1, -2, 0] };
            let prediction = Prediction { pair, ..prediction(2.5, Kind::Enter, a, b) };
            let awaited = Some(Awaited { prediction, lone: true });
            assert_eq!(Slot::new(BodyId(id), awaited, None).awaited(BodyId(id)), awaited);
        }
        assert_eq!(Slot::new(BodyId(1), None, Some(Kind::Settle)).awaited(BodyId(1)), None);
    }

    #[test]
    fn predictions_come_in_their_total_order() {
        let mut queue = Queue::default();
        (0..200).for_each(|_| queue.push_body());
        // A walk through the residues of 211 shuffles; many times coincide.
        let mut wanted = Vec::new();
        for step in 0..200u32 {
            let id = step * 83 % 200;
            let kind = if step % 3 == 0 { Kind::Enter } else { Kind::Impact };
            let prediction = prediction(f64::from(step * 57 % 40), kind, id, (id + step) % 200);
            queue.set(BodyId(id), Some(Awaited { prediction, lone: false }), None);
            wanted.push((BodyId(id), prediction));
        }
        // Move a third of them, and take some out.
        for row in (0..200).step_by(3) {
            wanted[row].1.time = SimTime::from_seconds(f64::from(row as u32 * 31 % 40));
            queue.set(wanted[row].0, Some(Awaited { prediction: wanted[row].1, lone: false }), None);
        }
        queue.set(wanted[7].0, None, None);
        wanted.remove(7);
        wanted.sort_by(|x, y| x.1.order(&y.1).then(x.0.cmp(&y.0)));
        assert_eq!(drain(&mut queue), wanted);
    }
}
