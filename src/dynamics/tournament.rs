//! The first of many times: a tree whose nodes know the first of their eight children.
//!
//! Selection by a tournament (Knuth, *The Art of Computer Programming*, vol. 3, § 5.4.1). A body has its leaf for good, so a
//! change writes on its way up and nowhere else; and it goes up only as far as it changes who is first, which is mostly a
//! node or two. Times are compared as single numbers; those that round to one are compared by whoever knows them exactly.

use super::BodyId;

/// Children of a node: as many times as a cache line holds.
const FAN: usize = 8;

/// The time of a body that awaits nothing.
pub(super) const NEVER: f64 = f64::INFINITY;

/// A time, and whose it is.
type Entry = (f64, BodyId);

/// A node: the first of each of its children.
#[derive(Debug, Clone, Copy)]
struct Node {
    times: [f64; FAN],
    bodies: [BodyId; FAN],
}

impl Node {
    const EMPTY: Self = Self { times: [NEVER; FAN], bodies: [BodyId(0); FAN] };
}

/// The times of all bodies.
#[derive(Debug, Clone)]
pub(super) struct Tournament {
    /// Those of eight bodies in each.
    leaves: Vec<[f64; FAN]>,
    /// Rounds of nodes, from those above the leaves to the root.
    rounds: Vec<Vec<Node>>,
    count: usize,
    first: Entry,
}

impl Default for Tournament {
    fn default() -> Self {
        Self { leaves: Vec::new(), rounds: Vec::new(), count: 0, first: (NEVER, BodyId(0)) }
    }
}

impl Tournament {
    /// Adds a body that awaits nothing.
    pub(super) fn push(&mut self) {
        if self.count.is_multiple_of(FAN) {
            self.leaves.push([NEVER; FAN]);
        }
        self.count += 1;
        let mut nodes = self.leaves.len();
        for round in &mut self.rounds {
            nodes = nodes.div_ceil(FAN);
            round.resize(nodes, Node::EMPTY);
        }
        if nodes > 1 {
            let mut root = Node::EMPTY;
            (root.times[0], root.bodies[0]) = self.first;
            self.rounds.push(vec![root]);
        }
    }

    /// Who is first, if anybody awaits anything.
    #[inline]
    pub(super) fn first(&self) -> Option<BodyId> {
        let (time, id) = self.first;
        (time < NEVER).then_some(id)
    }

    /// Who comes soon after the first: mostly the next three, in order; of those who come together, one. They are looked for
    /// in the widest round that is no wider than eight nodes.
    pub(super) fn soon(&self) -> [Option<BodyId>; 3] {
        let mut soon = [(NEVER, None); 3];
        let Some(round) = self.rounds.iter().find(|round| round.len() <= FAN) else { return [None; 3] };
        for Node { times, bodies } in round {
            let mut later = which(times, |time| time > self.first.0 && time < soon[2].0);
            while later != 0 {
                let lane = later.trailing_zeros() as usize;
                later &= later - 1;
                let mut entry = (times[lane], Some(bodies[lane]));
                if soon.iter().any(|other| other.0 == entry.0) {
                    continue;
                }
                for place in &mut soon {
                    if entry.0 < place.0 {
                        std::mem::swap(&mut entry, place);
                    }
                }
            }
        }
        soon.map(|(_, id)| id)
    }

    /// Replaces the time of a body. Of two whose times are equal `before` tells which is first.
    #[inline]
    pub(super) fn set(&mut self, id: BodyId, time: f64, before: impl Fn(BodyId, BodyId) -> bool) {
        let mut place = id.index();
        let leaf = &mut self.leaves[place / FAN];
        leaf[place % FAN] = time;
        let eldest = place - place % FAN;
        let mut first = first_of(leaf, |lane| BodyId((eldest + lane) as u32), &before);
        place /= FAN;
        for round in &mut self.rounds {
            let (Node { times, bodies }, lane) = (&mut round[place / FAN], place % FAN);
            if (times[lane], bodies[lane]) == first && first.1 != id {
                return;
            }
            (times[lane], bodies[lane]) = first;
            first = first_of(times, |lane| bodies[lane], &before);
            place /= FAN;
        }
        self.first = first;
    }

    /// Whether `test` says yes of one of those whose time is no later than `latest`; it is asked until it does.
    pub(super) fn any_until(&self, latest: f64, mut test: impl FnMut(BodyId) -> bool) -> bool {
        !self.leaves.is_empty() && self.any_below(self.rounds.len(), 0, latest, &mut test)
    }

    fn any_below(&self, height: usize, place: usize, latest: f64, test: &mut impl FnMut(BodyId) -> bool) -> bool {
        let times = if height == 0 { &self.leaves[place] } else { &self.rounds[height - 1][place].times };
        let mut early = which(times, |time| time <= latest);
        while early != 0 {
            let child = place * FAN + early.trailing_zeros() as usize;
            early &= early - 1;
            let found =
                if height == 0 { test(BodyId(child as u32)) } else { self.any_below(height - 1, child, latest, test) };
            if found {
                return true;
            }
        }
        false
    }

    /// Calls for the leaf of a body.
    #[inline]
    pub(super) fn call(&self, id: BodyId) {
        prefetch_index::prefetch_index(&self.leaves, id.index() / FAN);
    }
}

/// The least of some times, and whose it is.
#[inline]
fn first_of(times: &[f64; FAN], whose: impl Fn(usize) -> BodyId, before: &impl Fn(BodyId, BodyId) -> bool) -> Entry {
    let less = |x: f64, y: f64| if y < x { y } else { x };
    let halves: [f64; FAN / 2] = std::array::from_fn(|lane| less(times[lane], times[lane + FAN / 2]));
    let least = less(less(halves[0], halves[2]), less(halves[1], halves[3]));
    let ties = which(times, |time| time == least);
    let one = whose(ties.trailing_zeros() as usize);
    if ties & (ties - 1) == 0 || least == NEVER { (least, one) } else { (least, first_of_tied(ties, whose, before)) }
}

/// For which times something holds, a bit each. Bits are added as numbers, for of that a compiler makes vector code.
#[inline]
fn which(times: &[f64; FAN], holds: impl Fn(f64) -> bool) -> u32 {
    const BITS: [f64; FAN] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];
    let bit = |lane: usize| if holds(times[lane]) { BITS[lane] } else { 0.0 };
    let halves: [f64; FAN / 2] = std::array::from_fn(|lane| bit(lane) + bit(lane + FAN / 2));
    ((halves[0] + halves[2]) + (halves[1] + halves[3])) as u32
}

/// The first of those whose times are equal, a bit each.
#[cold]
fn first_of_tied(ties: u32, whose: impl Fn(usize) -> BodyId, before: &impl Fn(BodyId, BodyId) -> bool) -> BodyId {
    let tied = (0..FAN).filter(|lane| ties >> lane & 1 == 1).map(whose);
    tied.reduce(|x, y| if before(y, x) { y } else { x }).expect("there are some")
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
                tournament.push();
                times.push(NEVER);
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
            assert!(!until_no && (found == all || least == NEVER), "step {step}");
            assert!(tournament.soon().into_iter().flatten().all(|id| times[id.index()] > least), "step {step}");
        }
    }
}
