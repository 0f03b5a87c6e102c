//! Short lists of bodies: with whom each has to do, in one cache line or two.
//!
//! Who stands in a list has its owner in his own. Lists are short, so a name is looked for in all rows at once, and nobody
//! needs to know where he stands in the list of another. What does not fit in is rare and stands in a column of its own.

use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;
use crate::dynamics::column::Column;
use crate::numeric::lane::machine;

/// Rows of a list: with their count they fill two cache lines.
const ROWS: usize = WORDS - 1;
const WORDS: usize = 32;

/// The place in a list where nobody is.
pub(super) const NOBODY: BodyId = BodyId(u32::MAX);

/// One body's list: how many are in it, those that do not fit in included, and those who are, without gaps.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct List([BodyId; WORDS]);

impl List {
    const EMPTY: Self = {
        let mut words = [NOBODY; WORDS];
        words[0] = BodyId(0);
        Self(words)
    };

    #[inline(always)]
    fn count(&self) -> usize {
        self.0[0].0 as usize
    }

    /// The word of somebody who is in it no more than once; 0 if he is not.
    #[inline(always)]
    fn word(&self, id: BodyId) -> usize {
        let mut word = 0;
        for (rank, &other) in self.0.iter().enumerate() {
            word += if other == id { rank as u32 } else { 0 };
        }
        word as usize
    }
}

/// The lists of all bodies.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    lists: Vec<List>,
    /// Of each body, those that do not fit in.
    more: Column<Vec<BodyId>>,
    /// Which vector instructions there are.
    machine: pulp::Arch,
}

impl Lists {
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { lists: vec![List::EMPTY; count], more: Column::new(Vec::new(), count), machine: machine() }
    }

    /// One more body, with an empty list.
    pub(super) fn push_body(&mut self) {
        self.lists.push(List::EMPTY);
        self.more.push_row();
    }

    #[inline]
    pub(super) fn count(&self, id: BodyId) -> usize {
        self.lists[id.index()].count()
    }

    /// The list of a body: what fits in, and the rest.
    #[inline]
    pub(super) fn of(&self, id: BodyId) -> [&[BodyId]; 2] {
        let list = &self.lists[id.index()];
        match list.0.get(1..=list.count()) {
            Some(ids) => [ids, &[]],
            None => [&list.0[1..], self.more.get(id)],
        }
    }

    /// Calls for the list of a body.
    #[inline]
    pub(super) fn call(&self, id: BodyId) {
        prefetch_index(&self.lists, id.index());
        prefetch_index(self.lists[id.index()].0.as_slice(), WORDS - 1);
    }

    /// Puts each of two bodies last into the list of the other.
    #[inline(always)]
    pub(super) fn link(&mut self, one: BodyId, other: BodyId) {
        self.push(one, other);
        self.push(other, one);
    }

    /// Takes a body out of the lists of others, and them out of its own; the last one takes the row of whoever goes.
    #[inline]
    pub(super) fn cut_each(&mut self, id: BodyId, others: &[BodyId]) {
        self.machine.dispatch(CutEach { lists: self, id, others });
    }

    /// Takes a body out of all lists, and empties its own.
    pub(super) fn cut_all(&mut self, id: BodyId) {
        while let Some(&other) = self.of(id)[0].last() {
            self.cut_each(id, &[other]);
        }
    }

    #[inline(always)]
    fn push(&mut self, id: BodyId, other: BodyId) {
        let list = &mut self.lists[id.index()];
        list.0[0].0 += 1;
        let last = list.count();
        match list.0.get_mut(last) {
            Some(word) => *word = other,
            None => self.more.get_mut(id).push(other),
        }
    }

    #[inline(always)]
    fn remove(&mut self, id: BodyId, other: BodyId) {
        let list = &mut self.lists[id.index()];
        let (word, last) = (list.word(other), list.count());
        list.0[0].0 -= 1;
        if last <= ROWS {
            list.0[word] = list.0[last];
            list.0[last] = NOBODY;
        } else {
            self.remove_from_long(id, other, word);
        }
    }

    /// The same from a list that does not fit in; the count is right already.
    #[cold]
    fn remove_from_long(&mut self, id: BodyId, other: BodyId, word: usize) {
        let (list, more) = (&mut self.lists[id.index()], self.more.get_mut(id));
        let moved = more.pop().expect("a list that does not fit in has a rest");
        if word > 0 {
            list.0[word] = moved;
        } else {
            more.iter_mut().filter(|row| **row == other).for_each(|row| *row = moved);
        }
    }
}

/// What is to be cut, as it is handed to code for the machine at hand.
struct CutEach<'a> {
    lists: &'a mut Lists,
    id: BodyId,
    others: &'a [BodyId],
}

impl pulp::NullaryFnOnce for CutEach<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { lists, id, others } = self;
        for &other in others {
            lists.remove(other, id);
            lists.remove(id, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dynamics::random::Random;

    #[test]
    fn lists_hold_what_was_linked_and_not_cut() {
        const BODIES: u32 = 80;
        let mut random = Random::from_state(4);
        let mut any = |below: u32| (random.unit() * f64::from(below)) as u32;
        let (mut lists, mut wanted) = (Lists::with_bodies(BODIES as usize - 1), BTreeSet::new());
        lists.push_body();
        for step in 0..20_000 {
            let (a, b) = (any(BODIES), any(BODIES));
            if a != b && wanted.insert((a.min(b), a.max(b))) {
                lists.link(BodyId(a), BodyId(b));
            }
            // Lists beyond two cache lines and short ones in turn.
            let cuts = if step / 5_000 % 2 == 0 { step % 2 } else { 3 };
            for _ in 0..cuts {
                let (a, b) = (any(BODIES), any(BODIES));
                if wanted.remove(&(a.min(b), a.max(b))) {
                    lists.cut_each(BodyId(a), &[BodyId(b)]);
                }
            }
            if step % 1_000 == 999 {
                let id = any(BODIES);
                lists.cut_all(BodyId(id));
                wanted.retain(|&(a, b)| a != id && b != id);
            }
            if step % 10 == 0 {
                let all = |id: u32| lists.of(BodyId(id)).concat().into_iter().map(move |other| (id, other.0));
                let found: BTreeSet<(u32, u32)> = (0..BODIES).flat_map(all).filter(|(a, b)| a < b).collect();
                let rows: usize = (0..BODIES).map(|id| lists.count(BodyId(id))).sum();
                assert!(found == wanted && rows == 2 * wanted.len(), "step {step}");
            }
        }
        assert_eq!(size_of::<List>(), 128);
    }
}
