//! Blocks: up to eight bodies of one cell, with one array per coordinate.
//!
//! Queries are bound by memory, so a box is stored in steps of its cell: its faces are within half a cell of it. It is
//! rounded outwards, so the stored box contains the given one. All eight boxes are compared with the probe at once, in
//! integers and without branches, so the compiler generates vector code.

use glam::DVec3;
use prefetch_index::prefetch_index;

use super::level::LevelKey;
use crate::dynamics::BodyId;
use crate::geometry::Aabb;

/// Bodies per block.
pub(super) const ROWS: usize = 8;

/// Steps per edge of a cell: so few that the squared distance of three cells, in half steps, fits into 31 bits.
const STEPS: f64 = 4096.0;

/// Distance in half steps at which two balls may still touch. Each face of an entry is rounded outwards by up to three
/// steps, so the entry's centre is off by less than two along each axis, and the probe's by one.
const ROUND_SLACK: i32 = 12;

/// Largest absolute number of a cell: with the steps it fits into an `f64`.
pub(super) const CELL_MAX: f64 = 1_073_741_824.0;

/// Limit of cell numbers for probes, twice that of entries.
const FAR: f64 = 2.0 * CELL_MAX;

/// No block.
pub(super) const NONE: u32 = u32::MAX;

/// Up to eight bodies of one cell.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Block {
    cell: [i32; 3],
    /// The next block in the same chain of the table.
    pub(super) next: u32,
    level: LevelKey,
    count: u16,
    /// Faces, in steps from half an edge before the cell's corner.
    low: [[u16; ROWS]; 3],
    high: [[u16; ROWS]; 3],
    ids: [BodyId; ROWS],
}

/// The region of a query, compared with the blocks of a level.
pub(super) trait Probe: Copy {
    /// Its position along an axis, in steps of a cell.
    type Seen: Copy + Default;

    /// Its position along an axis, relative to a cell in reach.
    fn seen_from(&self, axis: usize, number: i64) -> Self::Seen;

    /// Whether it is too far to overlap any entry of a cell. Axes not yet known are left at their default.
    fn is_far(&self, seen: &[Self::Seen; 3]) -> bool;

    /// Writes a negative number for each row that overlaps the probe.
    fn compare(&self, block: &Block, seen: &[Self::Seen; 3], misses: &mut [i32; ROWS]);
}

/// A box as a probe, in steps like an entry of cell number 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxProbe {
    low: [i64; 3],
    high: [i64; 3],
}

impl BoxProbe {
    pub(super) fn new(bounds: &Aabb, edge: f64) -> Self {
        let steps = |x: f64| ((x / edge).clamp(-FAR, FAR) * STEPS) as i64 + STEPS as i64 / 2;
        let [low, high] = [bounds.min, bounds.max].map(|corner| corner.to_array().map(steps));
        Self { low, high }
    }
}

impl Probe for BoxProbe {
    /// The range along an axis, in steps.
    type Seen = [i32; 2];

    /// The range is clamped to a little more than the reach of the cell's entries.
    #[inline(always)]
    fn seen_from(&self, axis: usize, number: i64) -> [i32; 2] {
        let start = number * STEPS as i64;
        let low = (self.low[axis] - start).max(-4 * STEPS as i64) as i32;
        let high = (self.high[axis] - start).min(4 * STEPS as i64) as i32;
        // Two steps on each side for the rounding of the steps.
        [low - 2, high + 2]
    }

    #[inline(always)]
    fn is_far(&self, _: &[[i32; 2]; 3]) -> bool {
        false
    }

    #[inline(always)]
    fn compare(&self, block: &Block, seen: &[[i32; 2]; 3], misses: &mut [i32; ROWS]) {
        for (row, miss) in misses.iter_mut().enumerate() {
            // Negative if one range ends before the other begins.
            let mut overlap = 0;
            for (axis, [from, to]) in seen.iter().enumerate() {
                overlap |= to - i32::from(block.low[axis][row]);
                overlap |= i32::from(block.high[axis][row]) - from;
            }
            *miss = !overlap;
        }
    }
}

/// A ball as a probe, compared with balls. It is no larger than a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct BallProbe {
    /// In half steps from half an edge before the corner of cell number 0.
    middle: [i64; 3],
    /// In half steps, with the slack for rounding.
    diameter: i32,
}

/// The position of a ball along an axis, in half steps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Along {
    middle: i32,
    /// Squared distance from the centre of any entry of the cell, at least.
    gap: i32,
}

impl BallProbe {
    /// The ball in a box, unless it is larger than a cell.
    pub(super) fn new(bounds: &Aabb, edge: f64) -> Option<Self> {
        let size = (bounds.max - bounds.min).max_element();
        (size <= edge).then(|| {
            let BoxProbe { low, high } = BoxProbe::new(bounds, edge);
            let diameter = (size / edge * STEPS) as i32 + ROUND_SLACK;
            Self { middle: std::array::from_fn(|axis| low[axis] + high[axis]), diameter }
        })
    }
}

impl Probe for BallProbe {
    type Seen = Along;

    #[inline(always)]
    fn seen_from(&self, axis: usize, number: i64) -> Along {
        let middle = (self.middle[axis] - number * (2 * STEPS as i64)) as i32;
        let gap = (STEPS as i32 - middle).max(middle - 3 * STEPS as i32).max(0);
        Along { middle, gap: gap * gap }
    }

    #[inline(always)]
    fn is_far(&self, [x, y, z]: &[Along; 3]) -> bool {
        // No entry is larger than the cell, except by rounding.
        let reach = self.diameter + STEPS as i32 + ROUND_SLACK;
        x.gap + y.gap + z.gap > reach * reach
    }

    /// The squared distance between the balls' centres minus their squared reach, in squared half steps, less one.
    #[inline(always)]
    fn compare(&self, block: &Block, seen: &[Along; 3], misses: &mut [i32; ROWS]) {
        for (row, miss) in misses.iter_mut().enumerate() {
            let (mut squared, mut reach) = (0, 0);
            for (axis, seen) in seen.iter().enumerate() {
                let (low, high) = (i32::from(block.low[axis][row]), i32::from(block.high[axis][row]));
                let offset = low + high - seen.middle;
                squared += offset * offset;
                reach = (high - low).max(reach);
            }
            *miss = squared - (reach + self.diameter) * (reach + self.diameter) - 1;
        }
    }
}

/// Rows of a block, one bit each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touched(u32);

impl Iterator for Touched {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let row = (self.0 != 0).then_some(self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        row
    }
}

impl Block {
    /// An empty block of a cell.
    pub(super) fn new(level: LevelKey, cell: [i32; 3], next: u32) -> Self {
        let (none, ids) = ([[0; ROWS]; 3], [BodyId(0); ROWS]);
        Self { cell, next, level, count: 0, low: none, high: none, ids }
    }

    /// Whether the block belongs to this cell of a level.
    #[inline]
    pub(super) fn is_of(&self, level: LevelKey, cell: [i32; 3]) -> bool {
        self.cell == cell && self.level == level
    }

    pub(super) fn is_full(&self) -> bool {
        usize::from(self.count) == ROWS
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The level and the cell numbers.
    pub(super) fn place(&self) -> (LevelKey, [i32; 3]) {
        (self.level, self.cell)
    }

    #[inline]
    pub(super) fn ids(&self) -> &[BodyId] {
        &self.ids[..usize::from(self.count)]
    }

    /// Adds a body with a box that is no larger than the cell and has its centre there.
    pub(super) fn push(&mut self, id: BodyId, bounds: &Aabb) {
        let (edge, row) = (self.level.edge(), usize::from(self.count));
        for axis in 0..3 {
            let steps = |x: f64| (x / edge - f64::from(self.cell[axis]) + 0.5) * STEPS;
            // One more step on each side covers the rounding of the steps. The conversion saturates at 0.
            self.low[axis][row] = (steps(bounds.min[axis]) - 1.0) as u16;
            self.high[axis][row] = (steps(bounds.max[axis]) + 2.0) as u16;
        }
        self.ids[row] = id;
        self.count += 1;
    }

    /// Removes a body; the last one takes its row.
    pub(super) fn remove(&mut self, id: BodyId) {
        let row = self.row(id);
        self.count -= 1;
        let last = usize::from(self.count);
        for axis in 0..3 {
            self.low[axis][row] = self.low[axis][last];
            self.high[axis][row] = self.high[axis][last];
        }
        self.ids[row] = self.ids[last];
    }

    fn row(&self, id: BodyId) -> usize {
        self.ids().iter().position(|&other| other == id).expect("a body is in its block")
    }

    /// A box that contains the given one, larger by some steps.
    #[inline]
    pub(super) fn bounds(&self, row: usize) -> Aabb {
        let edge = self.level.edge();
        let corner = DVec3::from_array(self.cell.map(f64::from)) - 0.5;
        let at = |steps: &[[u16; ROWS]; 3]| {
            let steps = DVec3::from_array(std::array::from_fn(|axis| f64::from(steps[axis][row])));
            (corner + steps * (1.0 / STEPS)) * edge
        };
        Aabb { min: at(&self.low), max: at(&self.high) }
    }

    /// The bodies, each with a box that contains the given one.
    #[inline]
    pub(super) fn entries(&self) -> impl Iterator<Item = (BodyId, Aabb)> {
        self.ids().iter().enumerate().map(|(row, &id)| (id, self.bounds(row)))
    }

    /// The same for one body of the block.
    pub(super) fn bounds_of(&self, id: BodyId) -> Aabb {
        self.bounds(self.row(id))
    }

    /// The rows that overlap the probe, or miss it by some steps.
    #[inline(always)]
    pub(super) fn touched<P: Probe>(&self, probe: &P, seen: &[P::Seen; 3]) -> Touched {
        let (mut misses, mut touched) = ([0; ROWS], 0);
        probe.compare(self, seen, &mut misses);
        // `black_box` writes the values to memory. Otherwise the compiler splits the loops before it can vectorise
        // them.
        for (row, miss) in std::hint::black_box(misses).into_iter().enumerate() {
            touched |= (miss as u32 >> 31) << row;
        }
        Touched(touched & ((1 << self.count) - 1))
    }

    /// Prefetches the whole block.
    #[inline(always)]
    pub(super) fn prefetch(&self) {
        prefetch_index(self.cell.as_slice(), 0);
        prefetch_index(self.high[0].as_slice(), 0);
        prefetch_index(self.ids.as_slice(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::broadphase::hash_grid::cell_edge;
    use crate::dynamics::broadphase::hash_grid::level::{COARSE, cell};
    use crate::random::Random;

    /// A block with one body, added as in [`HashGrid`](crate::dynamics::broadphase::hash_grid::HashGrid).
    fn block(bounds: &Aabb, round: bool) -> Block {
        let edge = cell_edge(bounds, COARSE);
        let mut block = Block::new(LevelKey::new(edge, round), cell(bounds.center(), edge).map(|n| n as i32), NONE);
        block.push(BodyId(7), bounds);
        block
    }

    /// Whether the only body of a block is found.
    fn finds<P: Probe>(probe: &P, block: &Block, cell: [i32; 3]) -> bool {
        let seen = std::array::from_fn(|axis| probe.seen_from(axis, i64::from(cell[axis])));
        let found = block.touched(probe, &seen).eq([0]);
        assert!(!found || !probe.is_far(&seen));
        found
    }

    #[test]
    fn an_entry_holds_its_box_closely() {
        let sizes = [0.5, 1.0, 0.999_999, 1.0 - 1e-9, 0.75, 1e-3, 1e5];
        let places = [0.0, 0.5, -0.5, 1.0, 0.123, -7.9, 1e3, 1e9, -1e15, 1e60];
        for (size, place) in sizes.into_iter().flat_map(|size| places.map(|place| (size, place))) {
            let bounds = Aabb::around(DVec3::new(place, -place, 0.3), DVec3::new(0.5, 0.3, 0.01) * size);
            let Aabb { min, max } = block(&bounds, false).bounds_of(BodyId(7));
            let rounding = cell_edge(&bounds, COARSE) * (4.0 / STEPS);
            assert!(min.cmple(bounds.min).all() && bounds.max.cmple(max).all(), "{bounds:?} in {min} {max}");
            assert!((bounds.min - min).max_element() <= rounding && (max - bounds.max).max_element() <= rounding);
        }
    }

    #[test]
    fn what_touches_is_found_and_what_is_apart_is_not() {
        let mut random = Random::from_state(11);
        let mut counts = [0; 3];
        for turn in 0..20_000 {
            let round = turn % 2 == 0;
            let half = |random: &mut Random| {
                let size = 0.3 + 0.2 * random.unit();
                if round { DVec3::splat(size) } else { DVec3::new(size, 0.9 * size, 0.5 * size) }
            };
            let place = random.vector(1.0) * 100.0;
            let own = Aabb::around(place, half(&mut random));
            let other = Aabb::around(place + random.vector(1.0) * 1.2, half(&mut random));
            let block = block(&own, round);
            let (level, cell) = block.place();
            let found = match BallProbe::new(&other, level.edge()).filter(|_| round) {
                Some(ball) => finds(&ball, &block, cell),
                None => finds(&BoxProbe::new(&other, level.edge()), &block, cell),
            };
            let touch = |by: f64| {
                let offset = (own.center() - other.center()).abs();
                let reach = own.half() + other.half() + by;
                if round { offset.length() <= reach.x } else { offset.cmple(reach).all() }
            };
            // Six steps of a cell, and the three by which either face is rounded outwards.
            let rounding = 10.0 * level.edge() / STEPS;
            assert!(found || !touch(0.0), "{own:?} {other:?}");
            assert!(!found || touch(rounding), "{own:?} {other:?}");
            counts[usize::from(found) + usize::from(found && round)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }
}
