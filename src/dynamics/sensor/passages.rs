//! Passages: the relation of bodies and sensors, inside or outside.
//!
//! A passage is kept after the body has left, with the time of leaving, so that its next event is predicted from that
//! time on.

use std::collections::{BTreeMap, BTreeSet};

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::motion::SimTime;

/// Whether a body is inside a sensor, and since when.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Passage {
    pub(in crate::dynamics) inside: bool,
    pub(in crate::dynamics) since: SimTime,
}

/// One passage per pair of a body and a sensor that has had an event, by the pair's [`absolute`](Pair::absolute) image.
#[derive(Debug, Clone, Default)]
pub(in crate::dynamics) struct Passages {
    by_pair: BTreeMap<Pair, Passage>,
    /// The same pairs, sorted by their second body, so that the passages of one body are found without a search through
    /// all pairs.
    by_second: BTreeSet<(BodyId, Pair)>,
}

impl Passages {
    pub(in crate::dynamics) fn get(&self, pair: &Pair) -> Option<&Passage> {
        self.by_pair.get(pair)
    }

    pub(in crate::dynamics) fn insert(&mut self, pair: Pair, passage: Passage) {
        self.by_pair.insert(pair, passage);
        self.by_second.insert((pair.b, pair));
    }

    pub(in crate::dynamics) fn remove(&mut self, pair: &Pair) {
        self.by_pair.remove(pair);
        self.by_second.remove(&(pair.b, *pair));
    }

    /// All passages, in the order of their pairs.
    pub(in crate::dynamics) fn iter(&self) -> impl Iterator<Item = (Pair, Passage)> {
        self.by_pair.iter().map(|(&pair, &passage)| (pair, passage))
    }

    /// The passages of one body, in the order of their pairs.
    pub(in crate::dynamics) fn of(&self, id: BodyId) -> Vec<(Pair, Passage)> {
        let least = |a: BodyId| Pair { a, b: BodyId(0), image: [i32::MIN; 3] };
        let as_second = self.by_second.range((id, least(BodyId(0)))..);
        let as_second = as_second.take_while(|(second, _)| *second == id).map(|(_, pair)| (*pair, self.by_pair[pair]));
        let as_first = self.by_pair.range(least(id)..).take_while(|(pair, _)| pair.a == id);
        // The first body of a pair has the smaller id, so the pairs with `id` second are before those with `id` first.
        as_second.chain(as_first.map(|(&pair, &passage)| (pair, passage))).collect()
    }
}

impl FromIterator<(Pair, Passage)> for Passages {
    fn from_iter<I: IntoIterator<Item = (Pair, Passage)>>(passages: I) -> Self {
        let mut all = Self::default();
        passages.into_iter().for_each(|(pair, passage)| all.insert(pair, passage));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passages_of_a_body_are_those_that_a_look_at_all_finds() {
        let passage = Passage { inside: true, since: SimTime::ZERO };
        let ids = || (0..6).map(BodyId);
        let pairs = ids().flat_map(|a| ids().map(move |b| (a, b))).filter(|(a, b)| a < b);
        let images = [[0; 3], [1, 0, -1], [i32::MIN, 0, i32::MAX]];
        let pairs = pairs.flat_map(|(a, b)| images.map(|image| Pair { a, b, image }));
        let all: Passages = pairs.enumerate().filter(|(n, _)| n % 3 != 1).map(|(_, pair)| (pair, passage)).collect();
        for id in ids() {
            let wanted: Vec<_> = all.iter().filter(|(pair, _)| pair.a == id || pair.b == id).collect();
            assert!(!wanted.is_empty() && all.of(id) == wanted, "{id:?}");
            let mut rest = all.clone();
            wanted.iter().for_each(|(pair, _)| rest.remove(pair));
            assert_eq!(rest.of(id), []);
            assert_eq!(
                (rest.by_pair.len(), rest.by_second.len()),
                (all.by_pair.len() - wanted.len(), rest.by_pair.len())
            );
        }
    }
}
