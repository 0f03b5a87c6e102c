//! Neighbour lists: the neighbours of each body, in blocks of one array.
//!
//! A pair of neighbours has an entry in the lists of both bodies, and each entry has the row of the other. So a pair is
//! removed in constant time, even from a list of a hundred thousand. A list is in one block of an array that all lists
//! share. A list that outgrows its block moves to a larger one, and the old block is used again.

use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;
use crate::dynamics::body::sparse_column::Column;
use crate::dynamics::few::reserve;

/// An entry of a neighbour list.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Neighbour {
    pub(in crate::dynamics) id: BodyId,
    /// The row of the list's owner in this neighbour's list.
    back: u32,
    /// Periods from the neighbour's position in the periodic cell to its image near the list's owner.
    pub(in crate::dynamics) offset: [i8; 3],
}

/// Entries per cache line.
const IN_LINE: usize = 5;

/// Content of a block after the end of its list.
const VACANT: Neighbour = Neighbour { id: BodyId::NONE, back: 0, offset: [0; 3] };

/// Number of block sizes: 0, 1, 2, multiples of four up to 32, then two per octave.
const SIZES: usize = 64;

/// A list of n entries gets space for n/12 more.
const ROOM: u32 = 12;

/// The array is packed when more than 1/16 of it is vacant.
const VACANT_MAX: usize = 16;

/// The list of one body.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct List {
    start: u32,
    count: u32,
    /// Rank of the block's size, from 1; 0 without a block.
    size: u32,
}

/// The neighbour lists of all bodies.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct NeighbourLists {
    lists: Column<List>,
    blocks: Vec<Neighbour>,
    /// Starts of vacant blocks, by size.
    vacant: [Vec<u32>; SIZES],
    /// Number of entries in vacant blocks.
    vacant_rows: usize,
}

impl Default for NeighbourLists {
    fn default() -> Self {
        Self::with_bodies(0)
    }
}

impl NeighbourLists {
    pub(in crate::dynamics) fn with_bodies(count: usize) -> Self {
        let vacant = std::array::from_fn(|_| Vec::new());
        Self { lists: Column::new(List::default(), count), blocks: Vec::new(), vacant, vacant_rows: 0 }
    }

    /// Adds a body without neighbours.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.lists.push_row();
    }

    /// Number of neighbours of a body.
    #[inline]
    pub(in crate::dynamics) fn count(&self, id: BodyId) -> usize {
        self.lists.get(id).count as usize
    }

    /// The neighbours of a body.
    #[inline]
    pub(in crate::dynamics) fn of(&self, id: BodyId) -> &[Neighbour] {
        let List { start, count, .. } = *self.lists.get(id);
        &self.blocks[start as usize..][..count as usize]
    }

    /// Prefetches the location of a body's list.
    #[inline]
    pub(in crate::dynamics) fn prefetch_list(&self, id: BodyId) {
        self.lists.prefetch(id);
    }

    /// Prefetches the list of a body.
    #[inline]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        let List { start, count, .. } = *self.lists.get(id);
        (start..start + count).step_by(IN_LINE).for_each(|row| prefetch_index(&self.blocks, row as usize));
    }

    #[inline]
    fn of_mut(&mut self, id: BodyId) -> &mut [Neighbour] {
        let List { start, count, .. } = *self.lists.get(id);
        &mut self.blocks[start as usize..][..count as usize]
    }
    /// Makes two bodies neighbours; each is the last entry in the other's list.
    pub(in crate::dynamics) fn link(&mut self, id: BodyId, other: BodyId, offset: [i8; 3]) {
        let (row, back) = (self.count(id), self.count(other));
        self.push(id, Neighbour { id: other, back: back as u32, offset });
        self.push(other, Neighbour { id, back: row as u32, offset: offset.map(|periods| -periods) });
    }

    fn push(&mut self, id: BodyId, neighbour: Neighbour) {
        let List { count, size, .. } = *self.lists.get(id);
        if count == capacity(size) {
            self.grow(id);
        }
        self.lists.get_mut(id).count += 1;
        *self.of_mut(id).last_mut().expect("a list with one more") = neighbour;
    }

    /// Moves a list to a larger block.
    #[cold]
    fn grow(&mut self, id: BodyId) {
        let List { start, count, size } = *self.lists.get(id);
        let larger = size + 1;
        let (reused, end) = (self.vacant[larger as usize].pop(), self.blocks.len());
        match reused {
            Some(_) => self.vacant_rows -= capacity(larger) as usize,
            None => {
                reserve(&mut self.blocks, capacity(larger) as usize);
                self.blocks.resize(end + capacity(larger) as usize, VACANT);
            }
        }
        let place = reused.unwrap_or(u32::try_from(end).expect("at most 2³² neighbours"));
        self.blocks.copy_within(start as usize..(start + count) as usize, place as usize);
        if size > 0 {
            self.vacant[size as usize].push(start);
            self.vacant_rows += capacity(size) as usize;
        }
        *self.lists.get_mut(id) = List { start: place, count, size: larger };
        if reused.is_none() && VACANT_MAX * self.vacant_rows > self.blocks.len() {
            self.pack();
        }
    }

    /// Stores the lists one after the other, in the order of their bodies. Each block has space for at least one more
    /// entry, since a list may be about to get one.
    pub(in crate::dynamics) fn pack(&mut self) {
        let size_of = |list: &List| size_of_block(list.count + list.count / ROOM + 1);
        let space = self.lists.stored_mut().map(|list| capacity(size_of(list)) as usize).sum();
        let mut blocks = Vec::with_capacity(space);
        for list in self.lists.stored_mut() {
            let (start, size) = (blocks.len(), size_of(list));
            blocks.extend_from_slice(&self.blocks[list.start as usize..][..list.count as usize]);
            blocks.resize(start + capacity(size) as usize, VACANT);
            *list = List { start: start as u32, size, ..*list };
        }
        self.blocks = blocks;
        self.vacant.iter_mut().for_each(Vec::clear);
        self.vacant_rows = 0;
    }

    /// Removes the pair in a row of a body's list; the last entry takes that row.
    pub(in crate::dynamics) fn cut(&mut self, id: BodyId, row: usize) {
        let Neighbour { id: other, back, .. } = self.of(id)[row];
        self.remove(other, back as usize);
        self.remove(id, row);
    }

    fn remove(&mut self, id: BodyId, row: usize) {
        let list = self.of_mut(id);
        let moved = list[list.len() - 1];
        list[row] = moved;
        self.lists.get_mut(id).count -= 1;
        if row < self.count(id) {
            self.of_mut(moved.id)[moved.back as usize].back = row as u32;
        }
    }

    /// Moves the origin of a body's images by `moved` periods.
    pub(in crate::dynamics) fn move_to_image(&mut self, id: BodyId, moved: [i8; 3]) {
        if moved == [0; 3] {
            return;
        }
        for row in 0..self.count(id) {
            let neighbour = &mut self.of_mut(id)[row];
            neighbour.offset = std::array::from_fn(|axis| neighbour.offset[axis] - moved[axis]);
            let Neighbour { id: other, back, offset } = *neighbour;
            self.of_mut(other)[back as usize].offset = offset.map(|periods| -periods);
        }
    }
}

impl Neighbour {
    /// Whether this is the entry of a body with its image `offset` periods away.
    #[inline]
    pub(in crate::dynamics) fn is(&self, (id, offset): (BodyId, [i8; 3])) -> bool {
        (self.id == id) & (self.offset == offset)
    }
}

/// The smallest size of block for so many entries.
fn size_of_block(count: u32) -> u32 {
    (0..SIZES as u32).find(|&size| capacity(size) >= count).expect("at most 2³² neighbours")
}

/// Entries in a block of a size: 0, 1, 2, 4, 8 … 32, 48, 64, 96, 128 …
fn capacity(size: u32) -> u32 {
    match size {
        0..=2 => size,
        3..=10 => 4 * (size - 2),
        _ => (4 - (size - 2) % 2) << (4 + (size - 11) / 2),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::random::Random;

    #[test]
    fn lists_hold_what_was_added_and_not_removed() {
        const BODIES: u32 = 40;
        let mut random = Random::from_state(3);
        let mut any = |below: u32| (random.unit() * f64::from(below)) as u32;
        let (mut links, mut wanted) = (NeighbourLists::with_bodies(BODIES as usize), BTreeSet::new());
        for step in 0..40_000 {
            let (a, b) = (any(BODIES), any(BODIES));
            // Long and short lists in turn.
            let many = step / 5_000 % 2 == 0;
            if a != b && wanted.insert((a.min(b), a.max(b))) {
                links.link(BodyId(a), BodyId(b), [0; 3]);
            }
            let id = BodyId(any(BODIES));
            let cuts = if many { 1 } else { 3 };
            for _ in 0..cuts.min(links.count(id)) {
                let other = links.of(id)[0].id;
                wanted.remove(&(id.0.min(other.0), id.0.max(other.0)));
                links.cut(id, 0);
            }
            let found: BTreeSet<(u32, u32)> = (0..BODIES)
                .flat_map(|id| links.of(BodyId(id)).iter().map(move |other| (id.min(other.id.0), id.max(other.id.0))))
                .collect();
            let rows: usize = (0..BODIES).map(|id| links.count(BodyId(id))).sum();
            assert!(found == wanted && rows == 2 * wanted.len(), "step {step}");
        }
    }
}
