//! The first of many times: a tree whose nodes know the first of their children.
//!
//! Selection by a tournament (Knuth, *The Art of Computer Programming*, vol. 3, § 5.4.1). A body has its leaf for good, so a
//! change writes on its way up and nowhere else. Who changes is mostly the first of all, so the way goes up to the root
//! without asking whether it could end. Four play in a round, whose entries fill a cache line; the first of the three others
//! is found before one knows who comes up, so a round waits for no more than one comparison of the round before. Times are
//! compared as single numbers; those that round to one are compared by whoever knows them exactly.

use std::hint::select_unpredictable;

use prefetch_index::prefetch_index;

use super::BodyId;
use super::pair::Pair;

/// The time of a body that awaits nothing.
pub(super) const NEVER: f64 = f64::INFINITY;

/// A time, and whose it is.
#[derive(Debug, Clone, Copy)]
struct Entry {
    time: f64,
    body: BodyId,
}

impl Entry {
    /// The earlier one of two; this one if they are equal. Which that is cannot be guessed.
    #[inline(always)]
    fn or_earlier(self, other: Self) -> Self {
        let comes = other.time < self.time;
        let time = if comes { other.time } else { self.time };
        Self { time, body: select_unpredictable(comes, other.body, self.body) }
    }
}

/// How many play in a round.
const FOUR: usize = 4;

/// The entries of a round, in one cache line: their times side by side, to be compared at once.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Round {
    times: [f64; FOUR],
    bodies: [BodyId; FOUR],
}

impl Round {
    const EMPTY: Self = Self { times: [NEVER; FOUR], bodies: [BodyId(0); FOUR] };

    #[inline(always)]
    fn entry(&self, seat: usize) -> Entry {
        Entry { time: self.times[seat], body: self.bodies[seat] }
    }

    #[inline(always)]
    fn enter(&mut self, seat: usize, Entry { time, body }: Entry) {
        (self.times[seat], self.bodies[seat]) = (time, body);
    }

    /// Whether more than one of the four comes no later than `latest`.
    #[inline(always)]
    fn has_two_until(&self, latest: f64) -> bool {
        let [a, b, c, d] = self.times;
        // The second of all is the later one of the two that are first in their pairs, or the earlier one of the other two.
        let (first, third) = (less(a, c), more(a, c));
        let (second, fourth) = (less(b, d), more(b, d));
        less(more(first, second), less(third, fourth)) <= latest
    }
}

/// The place of the first of all.
const ROOT: usize = 3;

/// Rounds from the leaves up that are called for; there are few others.
const CALLED: usize = 4;

/// The first of the rounds in which [`soon`](Tournament::soon) looks: those of whoever plays against the first of all.
const LAST_ROUNDS: usize = 2;

/// The last bits of a time, as many as it takes to say who in those rounds it belongs to.
const WHO: u64 = (FOUR * FOUR - 1) as u64;

/// The place of whoever is first in the round of a place.
#[inline(always)]
fn parent(place: usize) -> usize {
    place / FOUR + ROOT - 1
}

#[inline(always)]
fn less(x: f64, y: f64) -> f64 {
    if y < x { y } else { x }
}

#[inline(always)]
fn more(x: f64, y: f64) -> f64 {
    if y > x { y } else { x }
}

/// The least of some numbers: halves are compared with each other, so that it takes few steps.
#[inline(always)]
fn least(all: [f64; FOUR * FOUR]) -> f64 {
    let eight: [f64; 8] = std::array::from_fn(|row| less(all[row], all[row + 8]));
    let four: [f64; 4] = std::array::from_fn(|row| less(eight[row], eight[row + 4]));
    less(less(four[0], four[2]), less(four[1], four[3]))
}

/// The times of all bodies.
#[derive(Debug, Clone)]
pub(super) struct Tournament {
    /// Node n, of those from the root on, which is 1, is at place n + 2. Its children are at the four places of round n, so the
    /// first round is that of the root alone.
    rounds: Vec<Round>,
}

impl Default for Tournament {
    fn default() -> Self {
        Self::with_room(0)
    }
}

impl Tournament {
    /// With room for at least so many bodies that await nothing.
    pub(super) fn with_room(count: usize) -> Self {
        // Each node that has children has four, and all but the root are somebody's.
        let nodes = count.saturating_sub(1).div_ceil(FOUR - 1);
        Self { rounds: vec![Round::EMPTY; nodes + 1] }
    }

    /// How many bodies there is room for.
    pub(super) fn room(&self) -> usize {
        (self.rounds.len() - 1) * (FOUR - 1) + 1
    }

    /// The place of the first leaf: behind those of the nodes that have children.
    #[inline]
    fn leaves(&self) -> usize {
        self.rounds.len() - 1 + ROOT
    }

    #[inline]
    fn root(&self) -> Entry {
        self.rounds[0].entry(ROOT)
    }

    /// Who is first, if anybody awaits anything.
    #[inline]
    pub(super) fn first(&self) -> Option<BodyId> {
        let Entry { time, body } = self.root();
        (time < NEVER).then_some(body)
    }

    /// Who comes soon after the first: mostly the next three, in order; of those who come together, one.
    pub(super) fn soon(&self) -> [Option<BodyId>; 3] {
        let Some((_, rounds)) = self.rounds.split_at_checked(LAST_ROUNDS) else { return [None; 3] };
        let Some(rounds) = rounds.first_chunk::<FOUR>() else { return [None; 3] };
        // In the last bits of a time is whose it is.
        let marked = |time: f64, rank: u64| f64::from_bits(less(time, f64::MAX).to_bits() & !WHO | rank);
        let keys: [f64; FOUR * FOUR] =
            std::array::from_fn(|rank| marked(rounds[rank / FOUR].times[rank % FOUR], rank as u64));
        let mut last = marked(self.root().time, WHO);
        [(); 3].map(|()| {
            let next = least(keys.map(|key| if key > last { key } else { NEVER }));
            let rank = (next.to_bits() & WHO) as usize;
            last = marked(next, WHO);
            (next < marked(f64::MAX, 0)).then(|| rounds[rank / FOUR].bodies[rank % FOUR])
        })
    }

    /// Replaces the time of a body. Of two whose times are equal `before` tells which is first.
    #[inline(never)]
    pub(super) fn set(&mut self, id: BodyId, time: f64, before: impl Fn(BodyId, BodyId) -> bool) {
        let (mut place, mut first) = (self.leaves() + id.index(), Entry { time, body: id });
        while place > ROOT {
            let (round, seat) = (&mut self.rounds[place / FOUR], place % FOUR);
            round.enter(seat, first);
            let [x, y, z] = [1, 2, 3].map(|other| round.entry(seat ^ other));
            let xy = x.or_earlier(y);
            let others = xy.or_earlier(z);
            let tied = (x.time == y.time) | (xy.time == z.time) | (others.time == first.time);
            first = first.or_earlier(others);
            if tied && first.time < NEVER {
                first = first_of_tied(round, first.time, &before);
            }
            place = parent(place);
        }
        self.rounds[0].enter(ROOT, first);
    }

    /// Whether somebody else than the two of `pair`, one of whom is the first of all, may come no later than `latest`: one who
    /// is in a round with either on the way to the root.
    #[inline]
    pub(super) fn has_others(&self, pair: Pair, latest: f64) -> bool {
        [pair.a, pair.b].into_iter().any(|id| {
            let mut place = self.leaves() + id.index();
            let mut found = false;
            while place > ROOT && !found {
                let round = &self.rounds[place / FOUR];
                if round.has_two_until(latest) {
                    let is_other = |entry: Entry| entry.time <= latest && ![pair.a, pair.b].contains(&entry.body);
                    found = (0..FOUR).map(|seat| round.entry(seat)).any(is_other);
                }
                place = parent(place);
            }
            found
        })
    }

    /// Whether `test` says yes of one of those whose time is no later than `latest`; it is asked until it does.
    pub(super) fn any_until(&self, latest: f64, mut test: impl FnMut(BodyId) -> bool) -> bool {
        self.any_below(ROOT, latest, &mut test)
    }

    fn any_below(&self, place: usize, latest: f64, test: &mut impl FnMut(BodyId) -> bool) -> bool {
        let entry = self.rounds[place / FOUR].entry(place % FOUR);
        if entry.time > latest {
            return false;
        }
        match place.checked_sub(self.leaves()) {
            Some(row) => test(BodyId(row as u32)),
            None => (0..FOUR).any(|seat| self.any_below((place + 1 - ROOT) * FOUR + seat, latest, test)),
        }
    }

    /// Calls for the lower end of the way of a body to the root.
    #[inline]
    pub(super) fn call(&self, id: BodyId) {
        let mut place = self.leaves() + id.index();
        for _ in 0..CALLED {
            prefetch_index(&self.rounds, place / FOUR);
            place = parent(place);
        }
    }
}

/// The first of those in a round whose time is `time`, who are several.
#[cold]
fn first_of_tied(round: &Round, time: f64, before: &impl Fn(BodyId, BodyId) -> bool) -> Entry {
    let tied = (0..FOUR).map(|seat| round.entry(seat)).filter(|entry| entry.time == time);
    let first = tied.reduce(|one, other| if before(other.body, one.body) { other } else { one });
    first.expect("the first is in the round")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::random::Random;

    #[test]
    fn the_first_is_that_of_a_walk_over_all() {
        let mut random = Random::from_state(9);
        let mut tournament = Tournament::default();
        let mut times: Vec<f64> = Vec::new();
        // Whole numbers, so that many tie; of those the larger id is to be first.
        for step in 0..6_000 {
            if step % 3 == 0 && times.len() < 700 {
                times.push(NEVER);
                if times.len() > tournament.room() {
                    tournament = Tournament::with_room(times.len());
                    (0..times.len()).for_each(|id| tournament.set(BodyId(id as u32), times[id], |x, y| x > y));
                }
            }
            let id = (random.unit() * times.len() as f64) as usize;
            times[id] = if random.unit() < 0.2 { NEVER } else { (random.unit() * 40.0).floor() + step as f64 / 100.0 };
            tournament.set(BodyId(id as u32), times[id], |x, y| x > y);
            let least = times.iter().copied().fold(NEVER, f64::min);
            let wanted = (0..times.len()).rev().find(|&id| times[id] == least && least < NEVER);
            assert_eq!(tournament.first().map(BodyId::index), wanted, "step {step}");
            let latest = least + 3.0;
            let mut found = Vec::new();
            let until_no = tournament.any_until(latest, |id| {
                found.push(id.index());
                false
            });
            let all: Vec<usize> = (0..times.len()).filter(|&id| times[id] <= latest).collect();
            found.sort_unstable();
            assert!(!until_no && (found == all || least == NEVER), "step {step}");
            assert!(tournament.soon().into_iter().flatten().all(|id| times[id.index()] > least), "step {step}");
        }
    }
}
