//! Neighbour lists: who could meet whom, in blocks of one array.
//!
//! A link stands in the lists of both its bodies, and each side knows where the other one stands; so a link is
//! cut in constant time, even if one of the two has a hundred thousand. A list lies in one block of an array that all
//! share; one that outgrows its block moves to a larger one, and the old one is used again.

use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;
use crate::dynamics::body::sparse_column::Column;

/// One side of a link.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Neighbour {
    pub(in crate::dynamics) id: BodyId,
    /// Where the list's owner stands in this neighbour's list.
    back: u32,
    /// Periods from the neighbour's place in the periodic cell to the image that is near the list's owner.
    pub(in crate::dynamics) offset: [i8; 3],
}

/// Neighbours in a cache line.
const IN_LINE: usize = 5;

/// What fills a block beyond its list.
const VACANT: Neighbour = Neighbour { id: BodyId::NOBODY, back: 0, offset: [0; 3] };

/// Sizes of blocks: multiples of four up to 32, then two in each octave.
const SIZES: usize = 62;

/// A list gets room for this part of it to be added.
const ROOM: u32 = 12;

/// Part of the array that may lie idle before all lists are put down anew.
const VACANT_MAX: usize = 16;

/// A body's list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct List {
    start: u32,
    count: u32,
    /// The rank of the block's size, from 1; 0 if it has none.
    size: u32,
}

/// The neighbours of all bodies.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct NeighbourLists {
    lists: Column<List>,
    blocks: Vec<Neighbour>,
    /// Where blocks of each size start that nobody uses.
    vacant: [Vec<u32>; SIZES],
    /// BodyTable in them.
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

    /// One more body, without neighbours.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.lists.push_row();
    }

    /// How many neighbours a body has.
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

    /// Prefetches where the list of a body is.
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

    /// Prefetches where the lists of a body's neighbours are.
    pub(in crate::dynamics) fn prefetch_lists_of_neighbours(&self, id: BodyId) {
        self.of(id).iter().for_each(|neighbour| self.prefetch_list(neighbour.id));
    }

    /// Prefetches where the neighbours of a body know it from, and for the last of their lists, which takes that place if they
    /// are neighbours no more.
    pub(in crate::dynamics) fn prefetch_neighbours_of(&self, id: BodyId) {
        for neighbour in self.of(id) {
            let List { start, count, .. } = *self.lists.get(neighbour.id);
            prefetch_index(&self.blocks, (start + neighbour.back) as usize);
            prefetch_index(&self.blocks, (start + count - 1) as usize);
        }
    }

    #[inline]
    fn of_mut(&mut self, id: BodyId) -> &mut [Neighbour] {
        let List { start, count, .. } = *self.lists.get(id);
        &mut self.blocks[start as usize..][..count as usize]
    }
    /// Makes two bodies neighbours; each stands last in the other's list.
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
            None => self.blocks.resize(end + capacity(larger) as usize, VACANT),
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

    /// Puts the lists one behind another, in the order of their bodies, each in a block with some room to grow: at least a row,
    /// for one of them may be about to get it.
    pub(in crate::dynamics) fn pack(&mut self) {
        let sizes: Vec<u32> =
            self.lists.rows().iter().map(|list| size_of_block(list.count + list.count / ROOM + 1)).collect();
        let mut blocks = Vec::with_capacity(sizes.iter().map(|&size| capacity(size) as usize).sum());
        for (list, size) in self.lists.rows_mut().iter_mut().zip(sizes) {
            let start = blocks.len();
            blocks.extend_from_slice(&self.blocks[list.start as usize..][..list.count as usize]);
            blocks.resize(start + capacity(size) as usize, VACANT);
            *list = List { start: start as u32, size, ..*list };
        }
        self.blocks = blocks;
        self.vacant.iter_mut().for_each(Vec::clear);
        self.vacant_rows = 0;
    }

    /// Cuts the link in a row of a body's list; the last row takes its place.
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

    /// A body's place in the periodic cell is now counted from `moved` periods farther on, and so are its images.
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
    /// Whether this is a body with its image `offset` periods away.
    #[inline]
    pub(in crate::dynamics) fn is(&self, (id, offset): (BodyId, [i8; 3])) -> bool {
        (self.id == id) & (self.offset == offset)
    }
}

/// The least size of a block for so many rows.
fn size_of_block(count: u32) -> u32 {
    (0..SIZES as u32).find(|&size| capacity(size) >= count).expect("at most 2³² neighbours")
}

/// BodyTable in a block of a size: 0, 4, 8 … 32, 48, 64, 96, 128 …
fn capacity(size: u32) -> u32 {
    match size {
        0..=8 => 4 * size,
        _ => (4 - size % 2) << (4 + (size - 9) / 2),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dynamics::random::Random;

    #[test]
    fn lists_hold_what_was_linked_and_not_cut() {
        const BODIES: u32 = 40;
        let mut random = Random::from_state(3);
        let mut any = |below: u32| (random.unit() * f64::from(below)) as u32;
        let (mut links, mut wanted) = (NeighbourLists::with_bodies(BODIES as usize), BTreeSet::new());
        for step in 0..40_000 {
            let (a, b) = (any(BODIES), any(BODIES));
            // Long lists and short ones in turn.
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
