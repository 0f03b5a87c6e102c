//! Short lists of bodies: with whom each has to do, in one cache line or two.
//!
//! Who stands in a list has its owner in his own. Lists are short, so a name is looked for row by row, and nobody needs to
//! know where he stands in the list of another. What does not fit in is rare and stands in a column of its own.

use crate::dynamics::BodyId;
use crate::dynamics::column::Column;

/// Rows of a list: with their count they fill two cache lines.
const ROWS: usize = 31;

/// The place in a list where nobody is.
pub(super) const NOBODY: BodyId = BodyId(u32::MAX);

/// One body's list.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct List {
    /// With those that do not fit in.
    count: u32,
    /// Those that are there come first.
    ids: [BodyId; ROWS],
}

impl List {
    const EMPTY: Self = Self { count: 0, ids: [NOBODY; ROWS] };
}

/// The lists of all bodies.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    lists: Vec<List>,
    /// Of each body, those that do not fit in.
    more: Column<Vec<BodyId>>,
}

impl Lists {
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { lists: vec![List::EMPTY; count], more: Column::new(Vec::new(), count) }
    }

    /// One more body, with an empty list.
    pub(super) fn push_body(&mut self) {
        self.lists.push(List::EMPTY);
        self.more.push_row();
    }

    #[inline]
    pub(super) fn count(&self, id: BodyId) -> usize {
        self.lists[id.index()].count as usize
    }

    /// The list of a body: what fits in, and the rest.
    #[inline]
    pub(super) fn of(&self, id: BodyId) -> [&[BodyId]; 2] {
        let List { count, ids } = &self.lists[id.index()];
        match ids.get(..*count as usize) {
            Some(ids) => [ids, &[]],
            None => [ids, self.more.get(id)],
        }
    }

    /// Puts each of two bodies last into the list of the other.
    #[inline]
    pub(super) fn link(&mut self, one: BodyId, other: BodyId) {
        self.push(one, other);
        self.push(other, one);
    }

    /// Takes each of two bodies out of the list of the other; the last one takes his row.
    #[inline]
    pub(super) fn cut(&mut self, one: BodyId, other: BodyId) {
        self.remove(one, other);
        self.remove(other, one);
    }

    /// Takes a body out of all lists, and empties its own.
    pub(super) fn cut_all(&mut self, id: BodyId) {
        while let Some(&other) = self.of(id)[0].last() {
            self.cut(id, other);
        }
    }

    #[inline]
    fn push(&mut self, id: BodyId, other: BodyId) {
        let List { count, ids } = &mut self.lists[id.index()];
        match ids.get_mut(*count as usize) {
            Some(row) => *row = other,
            None => self.more.get_mut(id).push(other),
        }
        *count += 1;
    }

    #[inline]
    fn remove(&mut self, id: BodyId, other: BodyId) {
        let list = &mut self.lists[id.index()];
        list.count -= 1;
        let last = list.count as usize;
        let moved = match list.ids.get(last) {
            Some(&moved) => moved,
            None => self.more.get_mut(id).pop().expect("a list that does not fit in has a rest"),
        };
        match list.ids.iter_mut().take(last + 1).find(|row| **row == other) {
            Some(row) => *row = moved,
            None => {
                let rest = self.more.get_mut(id).iter_mut();
                rest.filter(|row| **row == other).for_each(|row| *row = moved);
            }
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
                    lists.cut(BodyId(a), BodyId(b));
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
