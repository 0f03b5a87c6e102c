//! The first of many times: a tree whose nodes know the first of each of their two children.
//!
//! Selection by a tournament (Knuth, *The Art of Computer Programming*, vol. 3, § 5.4.1). A body has its leaf for good, so a
//! change writes on its way up and nowhere else. Who changes is mostly the first of all, so the way goes up to the root
//! without asking whether it could end: a few instructions a round, and none waits for more than a comparison of the round
//! before. Times are compared as single numbers; those that round to one are compared by whoever knows them exactly.

use std::hint::select_unpredictable;

use prefetch_index::prefetch_index;

use super::BodyId;
use super::pair::Pair;

/// The time of a body that awaits nothing.
pub(super) const NEVER: f64 = f64::INFINITY;

/// A time, and whose it is.
type Entry = (f64, BodyId);

/// Rounds from the leaves up that are called for; in the others few nodes are.
const CALLED: usize = 7;

/// In the widest full round that is no wider than this [`soon`](Tournament::soon) looks.
const WIDTH: usize = 16;

/// The times of all bodies.
#[derive(Debug, Clone)]
pub(super) struct Tournament {
    /// The first below each node: node 1 is the root, the children of node n are 2 n and 2 n + 1, and the leaf of a body is
    /// node `room` + id.
    times: Vec<f64>,
    /// Whose these times are.
    bodies: Vec<BodyId>,
    /// For so many bodies; even.
    room: usize,
    first: Entry,
}

impl Default for Tournament {
    fn default() -> Self {
        Self::with_room(0)
    }
}

impl Tournament {
    /// With room for so many bodies, or one more, that await nothing.
    pub(super) fn with_room(count: usize) -> Self {
        let room = count.next_multiple_of(2);
        Self { times: vec![NEVER; 2 * room], bodies: vec![BodyId(0); 2 * room], room, first: (NEVER, BodyId(0)) }
    }

    /// How many bodies there is room for.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Who is first, if anybody awaits anything.
    #[inline]
    pub(super) fn first(&self) -> Option<BodyId> {
        let (time, id) = self.first;
        (time < NEVER).then_some(id)
    }

    /// Who comes soon after the first: mostly the next three, in order; of those who come together, one.
    pub(super) fn soon(&self) -> [Option<BodyId>; 3] {
        let mut soon = [(NEVER, None); 3];
        let width = WIDTH.min(self.room.next_power_of_two() / 2);
        for (&time, &body) in self.times.iter().zip(&self.bodies).skip(width).take(width) {
            if time <= self.first.0 || time >= soon[2].0 || soon.iter().any(|other| other.0 == time) {
                continue;
            }
            let mut entry = (time, Some(body));
            for place in &mut soon {
                if entry.0 < place.0 {
                    std::mem::swap(&mut entry, place);
                }
            }
        }
        soon.map(|(_, id)| id)
    }

    /// Replaces the time of a body. Of two whose times are equal `before` tells which is first.
    #[inline]
    pub(super) fn set(&mut self, id: BodyId, time: f64, before: impl Fn(BodyId, BodyId) -> bool) {
        let count = self.times.len().min(self.bodies.len());
        let (times, bodies) = (&mut self.times[..count], &mut self.bodies[..count]);
        let (mut node, mut first) = (self.room + id.index(), (time, id));
        while node > 1 {
            (times[node], bodies[node]) = first;
            let other = (times[node ^ 1], bodies[node ^ 1]);
            if other.0 == first.0 && first.0 < NEVER {
                first = first_of_tied(first, other, &before);
            } else {
                // Which of the two is first cannot be guessed.
                let comes = other.0 < first.0;
                first = (if comes { other.0 } else { first.0 }, select_unpredictable(comes, other.1, first.1));
            }
            node /= 2;
        }
        self.first = first;
    }

    /// Whether somebody else than the two of `pair` may come no later than `latest`: one who is first beside the way of either
    /// to the root.
    #[inline]
    pub(super) fn has_others(&self, pair: Pair, latest: f64) -> bool {
        [pair.a, pair.b].into_iter().any(|id| {
            let mut node = self.room + id.index();
            let mut found = false;
            while node > 1 && !found {
                let beside = node ^ 1;
                found = self.times[beside] <= latest && ![pair.a, pair.b].contains(&self.bodies[beside]);
                node /= 2;
            }
            found
        })
    }

    /// Whether `test` says yes of one of those whose time is no later than `latest`; it is asked until it does.
    pub(super) fn any_until(&self, latest: f64, mut test: impl FnMut(BodyId) -> bool) -> bool {
        self.room > 0 && self.any_below(1, latest, &mut test)
    }

    fn any_below(&self, node: usize, latest: f64, test: &mut impl FnMut(BodyId) -> bool) -> bool {
        [2 * node, 2 * node + 1].into_iter().filter(|&child| self.times[child] <= latest).any(|child| {
            match child.checked_sub(self.room) {
                Some(row) => test(BodyId(row as u32)),
                None => self.any_below(child, latest, test),
            }
        })
    }

    /// Calls for the lower end of the way of a body to the root.
    #[inline]
    pub(super) fn call(&self, id: BodyId) {
        let leaf = self.room + id.index();
        for round in 0..CALLED {
            prefetch_index(&self.times, leaf >> round);
            prefetch_index(&self.bodies, leaf >> round);
        }
    }
}

/// The first of two whose times are equal.
#[cold]
fn first_of_tied(one: Entry, other: Entry, before: &impl Fn(BodyId, BodyId) -> bool) -> Entry {
    if before(other.1, one.1) { other } else { one }
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
