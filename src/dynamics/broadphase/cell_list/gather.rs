//! Gathering the bodies of some cells into one array.
//!
//! The number of bodies per part is unpredictable. So the code copies all words of each part without a branch. The next
//! copy overwrites the words that are not ids.

use super::cells::{Cells, NONE, Part, ROWS, WORDS};
use super::stencil::{RUN, Stencil, StencilAhead};
use crate::dynamics::BodyId;
use crate::dynamics::broadphase::neighbour_blocks::NeighbourBlocks;
use crate::numeric::lane::LANES;

/// Space for one part of each of 27 cells, and for the padding of the last block.
const SPACE: usize = 128;

/// The bodies found in some cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    /// The ids found, then padding for the last block, then leftovers.
    ids: Vec<BodyId>,
    count: usize,
}

impl Gathered {
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn ids(&self) -> &[BodyId] {
        &self.ids[..self.count]
    }

    #[inline(always)]
    pub(super) fn others(&self) -> NeighbourBlocks<'_> {
        NeighbourBlocks::new(&self.ids, self.count)
    }

    /// Gathers all bodies in the 27 cells around a body, without the body itself.
    #[inline(always)]
    pub(super) fn look_around(&mut self, cells: &Cells, around: &Stencil, id: BodyId) {
        if self.look_into(cells, &around.runs()) {
            around.places().for_each(|place| self.look_further(cells, place));
        }
        self.remove(id);
        self.fill_up(id);
    }

    /// Gathers the first parts of all cells of some runs. Returns whether a cell has further parts, which is rare.
    ///
    /// The number of bodies in a part is unpredictable, so all its words are copied.
    #[inline(never)]
    fn look_into(&mut self, cells: &Cells, runs: &[usize]) -> bool {
        let (parts, mut count, mut tails) = (cells.parts(), 0, NONE << 2);
        let ids = self.space();
        for &first in runs {
            let [before, own, behind] = parts[first..].first_chunk::<RUN>().expect("a run is in a row");
            let to = ids[count..].first_chunk_mut::<{ RUN * WORDS }>().expect("there is space");
            let (first, second) = (own.count(), own.count() + before.count());
            to[..WORDS].copy_from_slice(&own.0);
            to[first..first + WORDS].copy_from_slice(&before.0);
            to[second..second + WORDS].copy_from_slice(&behind.0);
            count += second + behind.count();
            tails &= own.tail() & before.tail() & behind.tail();
        }
        self.count = count;
        tails < NONE << 2
    }

    /// Gathers the bodies in the cells that are new to a body, in the same way.
    #[inline(always)]
    pub(super) fn gather_new_cells(&mut self, cells: &Cells, ahead: &StencilAhead, id: BodyId) {
        let (parts, mut count, mut tails) = (cells.parts(), 0, NONE << 2);
        let ids = self.space();
        ahead.each(|place| {
            let part: &Part = &parts[place];
            ids[count..count + WORDS].copy_from_slice(&part.0);
            count += part.count();
            tails &= part.tail();
        });
        self.count = count;
        if tails < NONE << 2 {
            ahead.each(|place| self.look_further(cells, place));
        }
        self.fill_up(id);
    }

    /// Space for one part of each place of a stencil.
    #[inline(always)]
    fn space(&mut self) -> &mut [BodyId; SPACE] {
        if self.ids.len() < SPACE {
            self.grow(SPACE);
        }
        self.ids.first_chunk_mut().expect("there is space")
    }

    /// Adds the bodies in the further parts of a place. In large cells some places have further parts, but most do not.
    #[inline(always)]
    fn look_further(&mut self, cells: &Cells, place: usize) {
        if let Some(next) = cells.parts()[place].next() {
            self.follow(cells, next);
        }
    }

    /// Adds the bodies in a further part, and in those after it.
    #[inline(never)]
    fn follow(&mut self, cells: &Cells, first: usize) {
        let mut next = Some(first);
        while let Some(further) = next {
            let part = &cells.parts()[further];
            next = part.next();
            let end = self.count + WORDS;
            if end + LANES > self.ids.len() {
                self.grow(end + LANES);
            }
            self.ids[self.count..end].copy_from_slice(&part.0);
            self.count += part.count();
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.ids.resize(2 * end, BodyId::NONE);
    }

    /// Removes a body that is among those found; the last one takes its row. Mostly it is one of the first three; which
    /// one is unpredictable, so the code has no branch.
    #[inline(always)]
    fn remove(&mut self, id: BodyId) {
        let [first, second, third, ..] = self.space();
        let [first, second, third] = [*first != id, *second != id, *third != id].map(usize::from);
        let row = first + (first & second) + (first & second & third);
        let row = if row < ROWS { row } else { self.row(id) };
        self.count -= 1;
        self.ids[row] = self.ids[self.count];
    }

    /// The row of a body that is among those found.
    #[cold]
    fn row(&self, id: BodyId) -> usize {
        self.ids().iter().position(|&other| other == id).expect("the body is in its own cell")
    }

    /// Pads the last block with the id of a body.
    #[inline(always)]
    fn fill_up(&mut self, id: BodyId) {
        self.ids[self.count..][..LANES].fill(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::broadphase::cell_list::axis::Axis;
    use crate::dynamics::broadphase::cell_list::axis::Numbers;
    use crate::dynamics::broadphase::cell_list::axis::lay_out;
    use crate::dynamics::broadphase::cell_list::axis::places;
    use crate::dynamics::broadphase::cell_list::is_adjacent;
    use crate::dynamics::broadphase::cell_list::put;
    use crate::dynamics::broadphase::cell_list::take;
    use crate::dynamics::settings::Period;
    use crate::random::Random;

    const BODIES: usize = 120;

    /// Seven cells along each periodic axis, eight along the open one.
    fn axes() -> [Axis; 3] {
        let period = Some(Period { min: 0.0, max: 7.0 });
        let mut axes = [period, None, period].map(|period| Axis::new(1.0, period, 7.0).unwrap());
        lay_out(&mut axes);
        axes
    }

    fn sorted(ids: &[BodyId]) -> Vec<usize> {
        let mut rows: Vec<usize> = ids.iter().map(|id| id.index()).collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn exactly_the_bodies_around_are_found() {
        let (axes, mut random) = (axes(), Random::from_state(11));
        let mut any = |below: usize| (random.unit() * below as f64) as usize;
        let (mut cells, mut numbers) = (Cells::with_places(places(&axes)), [None; BODIES]);
        let mut found = Gathered::default();
        for step in 0..6_000 {
            let row = any(BODIES);
            let id = BodyId(row as u32);
            if let Some(cell) = numbers[row].take() {
                take(&axes, &mut cells, id, cell);
            }
            // Spread, or in a few cells on both sides of a border of the period.
            let span = if step / 1_000 % 2 == 0 { 7 } else { 2 };
            let cell: Numbers = std::array::from_fn(|_| (6 + any(span)) as i32 % 7);
            put(&axes, &mut cells, id, cell);
            numbers[row] = Some(cell);

            let steps =
                |to: Numbers| -> Numbers { std::array::from_fn(|axis| axes[axis].steps(cell[axis], to[axis]).0) };
            let around =
                |other: &usize| numbers[*other].is_some_and(|to| steps(to) == [0; 3] || is_adjacent(steps(to)));
            let wanted: Vec<usize> = (0..BODIES).filter(around).filter(|&other| other != row).collect();
            found.look_around(&cells, &Stencil::new(&axes, cell), id);
            assert_eq!(sorted(found.ids()), wanted, "step {step}: around {cell:?}");
            assert_eq!(found.others().ids(), found.ids());

            // As if the body came from the previous cell.
            let come = |other: &usize| wanted.contains(other) && numbers[*other].is_some_and(|to| steps(to)[0] == 1);
            let wanted: Vec<usize> = (0..BODIES).filter(come).collect();
            found.gather_new_cells(&cells, &StencilAhead { around: Stencil::new(&axes, cell), steps: [1, 0, 0] }, id);
            assert_eq!(sorted(found.ids()), wanted, "step {step}: ahead of {cell:?}");
        }
    }
}
