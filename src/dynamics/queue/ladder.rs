//! A priority queue of times. The next entries are sorted, later ones are in buckets, and the others are in no order.
//!
//! A ladder of one rung (Tang, Goh & Thng, *Ladder queue: an O(1) priority queue structure for large-scale discrete
//! event simulation*, ACM Trans. Model. Comput. Simul. 15, 2005; buckets for the impacts of balls: Paul, *A complexity
//! O(1) priority queue for event driven molecular dynamics simulations*, J. Comput. Phys. 221, 2007). The cost of an
//! insertion does not depend on the number of entries, and the entries after the first need no search. An entry is not
//! removed when the time of its body changes: it contains the turn of its body, and an entry of an earlier turn is
//! removed when it is the first. Times are compared as single numbers; where these are equal, [`EntryOrder`] decides.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::entry::{Entry, EntryOrder};
use super::prediction::Prediction;
use super::rung::Rung;
use crate::dynamics::BodyId;

/// Entries inserted, per waiting body and in total, before stale entries are removed.
const PUT_EACH: usize = 4;
const PUT_ALL: usize = 64;

/// An entry for a bucket that was taken before, with everything its order depends on.
#[derive(Debug, Clone, Copy)]
struct Late {
    entry: Entry,
    prediction: Prediction,
}

/// The entries of all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Ladder {
    /// Sorted, the first entry last.
    ready: Vec<Entry>,
    /// Entries inserted among the ready ones or before them.
    late: BinaryHeap<Reverse<Late>>,
    rung: Rung,
    /// Entries beyond the rung.
    far: Vec<Entry>,
    /// Insertions since stale entries were last removed.
    put: usize,
}

impl Ladder {
    /// Inserts an entry. `prediction` is computed only if the entry belongs to a bucket that was taken.
    #[inline(always)]
    pub(super) fn put(&mut self, entry: Entry, prediction: impl FnOnce() -> Prediction) {
        self.put += 1;
        if !self.rung.covers(entry.time) {
            self.far.push(entry);
        } else if !self.rung.put(entry) {
            self.late.push(Reverse(Late { entry, prediction: prediction() }));
        }
    }

    /// Removes stale entries if they may be the majority while `waiting` bodies have an entry.
    #[inline(always)]
    pub(super) fn drop_stale(&mut self, waiting: usize, slots: &impl EntryOrder) {
        if self.put > PUT_EACH * waiting + PUT_ALL {
            self.drop_old(slots);
        }
    }

    #[cold]
    fn drop_old(&mut self, slots: &impl EntryOrder) {
        self.put = 0;
        self.ready.retain(|entry| slots.holds(entry));
        self.late.retain(|Reverse(late)| slots.holds(&late.entry));
        self.rung.retain(|entry| slots.holds(entry));
        self.far.retain(|entry| slots.holds(entry));
    }

    /// The body of the first entry, if there is one.
    #[inline(always)]
    pub(super) fn first(&mut self, slots: &impl EntryOrder) -> Option<BodyId> {
        loop {
            while self.ready.pop_if(|entry| !slots.holds(entry)).is_some() {}
            let first = match self.ready.last() {
                Some(&first) if self.late.is_empty() => Some(first),
                first => self.first_of_late(first.copied(), slots),
            };
            if first.is_some() || !self.refill(slots) {
                return first.map(|entry| entry.body);
            }
        }
    }

    /// The first of `ready` and of the late entries.
    fn first_of_late(&mut self, ready: Option<Entry>, slots: &impl EntryOrder) -> Option<Entry> {
        while self.late.peek().is_some_and(|Reverse(late)| !slots.holds(&late.entry)) {
            self.late.pop();
        }
        let late = self.late.peek().map(|Reverse(late)| late.entry);
        match (ready, late) {
            (Some(one), Some(other)) if order(&other, &one, slots).is_lt() => late,
            _ => ready.or(late),
        }
    }

    /// Sorts the next bucket into `ready`. Returns whether there may be more entries.
    #[inline(never)]
    fn refill(&mut self, slots: &impl EntryOrder) -> bool {
        if self.rung.is_over() {
            if self.far.is_empty() {
                return false;
            }
            self.rung.lay_out(&mut self.far);
        }
        self.take_bucket(slots);
        true
    }

    /// Sorts the entries of the next bucket and places them after those in `ready`.
    fn take_bucket(&mut self, slots: &impl EntryOrder) {
        let mut sooner = std::mem::replace(&mut self.ready, self.rung.take());
        self.ready.retain(|entry| slots.holds(entry));
        self.ready.sort_unstable_by(|x, y| y.time.total_cmp(&x.time));
        let tied = self.ready.chunk_by_mut(|x, y| x.time == y.time).filter(|tied| tied.len() > 1);
        tied.for_each(|tied| tied.sort_unstable_by(|x, y| slots.order(y.body, x.body)));
        self.ready.append(&mut sooner);
        self.rung.keep(sooner);
    }

    /// The bodies of entries soon after the first, in order: mostly the next entries. Of entries at the same time, only
    /// one is used.
    pub(super) fn soon<const COUNT: usize>(&mut self, slots: &impl EntryOrder) -> [Option<BodyId>; COUNT] {
        // Most entries come in pairs, one per body of an impact.
        if self.ready.len() <= 2 * COUNT && !self.rung.is_over() {
            self.take_bucket(slots);
        }
        let mut last = None;
        let sooner = self.ready.iter().rev().take(4 * COUNT);
        let mut others = sooner.filter(|entry| last.replace(entry.time) != Some(entry.time)).skip(1);
        [(); COUNT].map(|()| others.next().map(|entry| entry.body))
    }

    /// Whether `test` is true for one of the entries no later than `latest`. The search stops at the first such entry.
    pub(super) fn any_until(&self, latest: f64, slots: &impl EntryOrder, mut test: impl FnMut(BodyId) -> bool) -> bool {
        let mut is_one = |entry: &Entry| entry.time <= latest && slots.holds(entry) && test(entry.body);
        self.ready.iter().rev().take_while(|entry| entry.time <= latest).any(&mut is_one)
            || any_late(self.late.as_slice(), 0, latest, &mut is_one)
            || self.rung.ahead(latest).any(&mut is_one)
            || (!self.rung.covers(latest) && self.far.iter().any(is_one))
    }
}

/// Whether `test` is true for one of the entries of a heap, from a row down, no later than `latest`.
fn any_late(heap: &[Reverse<Late>], row: usize, latest: f64, test: &mut impl FnMut(&Entry) -> bool) -> bool {
    let Some(Reverse(Late { entry, .. })) = heap.get(row).filter(|Reverse(late)| late.entry.time <= latest) else {
        return false;
    };
    test(entry) || [2 * row + 1, 2 * row + 2].into_iter().any(|row| any_late(heap, row, latest, test))
}

/// The order of two entries that are up to date.
fn order(x: &Entry, y: &Entry, slots: &impl EntryOrder) -> Ordering {
    x.time.total_cmp(&y.time).then_with(|| slots.order(x.body, y.body))
}

impl Ord for Late {
    fn cmp(&self, other: &Self) -> Ordering {
        self.prediction.order(&other.prediction).then(self.entry.body.cmp(&other.entry.body))
    }
}

impl PartialOrd for Late {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Late {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Late {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::queue::prediction::Kind;
    use crate::motion::SimTime;
    use crate::random::Random;

    /// The time of each body, s, and its turn.
    #[derive(Default)]
    struct Times(Vec<(Option<f64>, u32)>);

    impl EntryOrder for Times {
        fn holds(&self, entry: &Entry) -> bool {
            self.0[entry.body.index()].1 == entry.turn
        }

        fn order(&self, x: BodyId, y: BodyId) -> Ordering {
            x.cmp(&y)
        }
    }

    impl Times {
        fn set(&mut self, ladder: &mut Ladder, row: usize, time: Option<f64>) {
            let (turn, body) = (self.0[row].1 + 1, BodyId(row as u32));
            self.0[row] = (time, turn);
            if let Some(time) = time {
                let prediction = Prediction::own_event(body, SimTime::from_seconds(time), Kind::Domain);
                ladder.put(Entry { time, body, turn }, || prediction);
                ladder.drop_stale(self.0.iter().filter(|(time, _)| time.is_some()).count(), self);
            }
        }

        /// All times up to `latest`, in order.
        fn until(&self, latest: f64) -> Vec<(f64, usize)> {
            let all = self.0.iter().enumerate().filter_map(|(row, &(time, _))| Some((time?, row)));
            let mut found: Vec<_> = all.filter(|&(time, _)| time <= latest).collect();
            found.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            found
        }
    }

    /// Compares a ladder with a list of all times. Most steps set a new time for the first entry, as a run does. `next`
    /// gives the time from the present to the body's next event.
    fn compare(bodies: usize, steps: usize, mut next: impl FnMut(f64) -> f64) {
        let (mut ladder, mut times, mut random) = (Ladder::default(), Times::default(), Random::from_state(9));
        for step in 0..steps {
            if times.0.len() < bodies {
                times.0.push((None, 0));
            }
            let first = ladder.first(&times).map(BodyId::index);
            let all = times.until(f64::INFINITY);
            assert_eq!(first, all.first().map(|&(_, row)| row), "step {step}");
            let now = all.first().map_or(0.0, |&(time, _)| time);
            if step % 7 == 0 {
                let soon = ladder.soon::<4>(&times).map(|id| id.map(|id| times.0[id.index()].0));
                assert!(soon.into_iter().flatten().flatten().all(|time| time >= now), "step {step}: {soon:?}");
                assert_eq!(ladder.first(&times).map(BodyId::index), first);
            }
            let latest = if step % 50 == 0 { f64::INFINITY } else { now + 2.0 };
            let (mut found, wanted) = (Vec::new(), times.until(latest));
            let is_one = ladder.any_until(latest, &times, |id| {
                found.push(id.index());
                false
            });
            found.sort_unstable();
            let mut rows: Vec<usize> = wanted.iter().map(|&(_, row)| row).collect();
            rows.sort_unstable();
            assert!(!is_one && found == rows, "step {step}");
            for (row, share) in [(first.unwrap_or(0), 0.9), ((random.unit() * times.0.len() as f64) as usize, 0.5)] {
                let comes = random.unit() < share;
                times.set(&mut ladder, row, comes.then(|| now + next(random.unit())));
            }
        }
        let entries = ladder.ready.len() + ladder.late.len() + ladder.far.len();
        assert!(entries + ladder.rung.ahead(f64::INFINITY).count() <= (2 + PUT_EACH) * bodies + PUT_ALL);
    }

    /// As in a heap, all bodies have their events at one instant, then at the next.
    #[test]
    fn memory_grows_with_the_bodies_not_with_their_square() {
        let bodies = 1_000;
        let (mut ladder, mut times) = (Ladder::default(), Times(vec![(None, 0); bodies]));
        for step in 0..200 {
            (0..bodies).for_each(|row| times.set(&mut ladder, row, Some(f64::from(step))));
            assert_eq!(ladder.first(&times), Some(BodyId(0)), "step {step}");
        }
        assert!(ladder.rung.capacity() <= 16 * bodies, "{} entries", ladder.rung.capacity());
    }

    #[test]
    fn the_first_is_that_of_a_walk_over_all() {
        // Few and many bodies; times spread evenly, of all magnitudes, and whole numbers with many ties.
        for bodies in [1, 2, 30, 700] {
            compare(bodies, 4_000, |unit| unit * 20.0);
            compare(bodies, 4_000, |unit| 1e-9 / (1e-12 + unit));
            compare(bodies, 4_000, |unit| (unit * 5.0).floor());
        }
    }
}
