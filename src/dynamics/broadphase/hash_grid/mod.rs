//! A hierarchical hash grid of boxes: finds the boxes in a region, for sizes that differ by any factor.
//!
//! A box is stored once, at its centre, in the level with the smallest cells that are not smaller than the box
//! (Ericson, *Real-Time Collision Detection*, 2005, § 7.2). A query visits all levels in use and, in each level, the
//! cells in reach. If these are more than the boxes of the level, it visits the boxes instead. Cells are found by
//! hashing, so space has no bounds. No result depends on the order of a query's answers.

mod batch;
mod block;
pub(in crate::dynamics) mod level;
mod nearest;
mod ray_walk;
mod table;

use glam::DVec3;

use crate::dynamics::BodyId;
use crate::geometry::Aabb;
use crate::numeric::lane::machine;
use crate::numeric::tolerance::CELL_ROOM;
use block::{BallProbe, Block, BoxProbe, CELL_MAX, NONE, Probe};
use level::{COARSE, FINE, LevelKey, cell, cells_between, short};
use table::Table;

pub(in crate::dynamics) use ray_walk::CarriedBox;

/// All boxes of one level.
#[derive(Debug, Clone)]
struct Level {
    key: LevelKey,
    /// Edge of a cell, m.
    edge: f64,
    members: Vec<BodyId>,
    /// Bounding box of all boxes since the level was last empty.
    bounds: Aabb,
    /// The first and the last cell along each axis that had a box since then.
    cells: [[i64; 3]; 2],
}

/// Where the box of a body is stored.
#[derive(Debug, Clone, Copy)]
struct Place {
    level: LevelKey,
    /// [`NONE`] if the body has no box in the grid.
    block: u32,
    /// Its rank among the members of its level.
    member: u32,
}

impl Place {
    const NONE: Self = Self { level: LevelKey(0), block: NONE, member: 0 };
}

/// The boxes of bodies, found by position.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct HashGrid {
    places: Vec<Place>,
    table: Table,
    /// Sorted by key.
    levels: Vec<Level>,
    /// Low bits of a cell edge that are not used.
    unused: u64,
    /// The vector instructions of the machine.
    machine: pulp::Arch,
}

impl Default for HashGrid {
    fn default() -> Self {
        Self::with_bodies(0)
    }
}

impl HashGrid {
    /// Space for `count` bodies, all without a box.
    pub(in crate::dynamics) fn with_bodies(count: usize) -> Self {
        let (places, table) = (vec![Place::NONE; count], Table::with_bodies(count));
        Self { places, table, levels: Vec::new(), unused: COARSE, machine: machine() }
    }

    /// The same for boxes of nearly equal sizes: the size of the cells is closer to that of the boxes, so different
    /// sizes need more levels.
    pub(in crate::dynamics) fn fine(count: usize) -> Self {
        Self { unused: FINE, ..Self::with_bodies(count) }
    }

    /// Space for one more body.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.places.push(Place::NONE);
        self.table.reserve(self.places.len());
    }

    /// Whether there is no box.
    pub(in crate::dynamics) fn is_empty(&self) -> bool {
        self.levels.iter().all(|level| level.members.is_empty())
    }

    /// Largest distance from the centre of a box to its faces, m.
    pub(in crate::dynamics) fn reach(&self) -> f64 {
        self.levels.last().map_or(0.0, |level| 0.5 * level.edge)
    }

    /// Stores the finite box of a body, in place of the one before. If it is `round`, only the ball in it counts.
    pub(in crate::dynamics) fn place(&mut self, id: BodyId, bounds: Aabb, round: bool) {
        self.remove(id);
        let edge = cell_edge(&bounds, self.unused);
        let (key, cell) = (LevelKey::new(edge, round), cell(bounds.center(), edge));
        let block = self.table.put(id, &bounds, key, short(cell));
        let level = self.level(key);
        let member = level.members.len() as u32;
        if member == 0 {
            (level.bounds, level.cells) = (bounds, [cell; 2]);
        }
        let (around, [low, high]) = (level.bounds, level.cells);
        level.bounds = around.union(&bounds);
        level.cells = [
            std::array::from_fn(|axis| low[axis].min(cell[axis])),
            std::array::from_fn(|axis| high[axis].max(cell[axis])),
        ];
        level.members.push(id);
        self.places[id.index()] = Place { level: key, block, member };
    }

    /// Removes the box of a body.
    pub(in crate::dynamics) fn remove(&mut self, id: BodyId) {
        let Place { level, block, member } = std::mem::replace(&mut self.places[id.index()], Place::NONE);
        if block == NONE {
            return;
        }
        self.table.take(id, block);
        let level = self.level(level);
        level.members.swap_remove(member as usize);
        if let Some(&moved) = level.members.get(member as usize) {
            self.places[moved.index()].member = member;
        }
    }

    /// A box around all boxes, perhaps larger than necessary; `None` if there are none.
    pub(in crate::dynamics) fn bounds(&self) -> Option<Aabb> {
        let used = self.levels.iter().filter(|level| !level.members.is_empty());
        used.map(|level| level.bounds).reduce(|x, y| x.union(&y))
    }

    /// Calls `found` once with every body with a box that overlaps `bounds`, and perhaps with bodies that miss it
    /// narrowly, in no particular order. If `round`, the region is the ball in `bounds`, and it is compared with
    /// the balls in boxes that are round too.
    pub(in crate::dynamics) fn query(&self, bounds: &Aabb, round: bool, mut found: impl FnMut(BodyId)) {
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            let margin = DVec3::splat(0.5 * level.edge);
            // Beyond the border of a periodic cell there are no boxes, only their images.
            let least = (bounds.min - margin).max(level.bounds.min);
            let most = (bounds.max + margin).min(level.bounds.max);
            if !least.cmple(most).all() {
                continue;
            }
            let [low, high] = level.used(cell(least, level.edge), cell(most, level.edge));
            if cells_between(low, high) > level.members.len() as f64 {
                self.query_members(bounds, level, &mut found);
            } else {
                let (level, edge, cells) = (level.key, level.edge, [low, high]);
                match BallProbe::new(bounds, edge).filter(|_| round && level.is_round()) {
                    Some(probe) => self.ask(Query { table: &self.table, level, probe, cells, found: &mut found }),
                    None => {
                        let probe = BoxProbe::new(bounds, edge);
                        self.ask(Query { table: &self.table, level, probe, cells, found: &mut found });
                    }
                }
            }
        }
    }

    #[inline]
    fn ask<P: Probe>(&self, query: Query<'_, P, impl FnMut(BodyId)>) {
        self.machine.dispatch(query);
    }

    /// Visits all bodies of a level that has fewer bodies than cells in reach.
    fn query_members(&self, bounds: &Aabb, level: &Level, found: &mut impl FnMut(BodyId)) {
        let members = level.members.iter().filter(|&&id| self.bounds_of(id).touches(bounds));
        members.for_each(|&id| found(id));
    }

    /// The bodies in a cell, each with a box that contains its own.
    ///
    /// A chain may have bodies of other cells. They are skipped, so that each body is found in its own cell only.
    #[inline]
    fn entries(&self, level: LevelKey, cell: [i64; 3]) -> impl Iterator<Item = (BodyId, Aabb)> {
        let cell = short(cell);
        let blocks = self.table.of_cell(self.table.first(level, cell), level, cell);
        blocks.flat_map(Block::entries)
    }

    /// A box that contains that of a body.
    fn bounds_of(&self, id: BodyId) -> Aabb {
        self.table.block(self.places[id.index()].block).bounds_of(id)
    }

    fn level(&mut self, key: LevelKey) -> &mut Level {
        let row = match self.levels.binary_search_by_key(&key, |level| level.key) {
            Ok(row) => row,
            Err(row) => {
                let bounds = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
                let level = Level { key, edge: key.edge(), members: Vec::new(), bounds, cells: [[0; 3]; 2] };
                self.levels.insert(row, level);
                row
            }
        };
        &mut self.levels[row]
    }
}

impl Level {
    /// The part of a block of cells that may have boxes.
    fn used(&self, low: [i64; 3], high: [i64; 3]) -> [[i64; 3]; 2] {
        let [least, most] = self.cells;
        [std::array::from_fn(|axis| low[axis].max(least[axis])), std::array::from_fn(|axis| high[axis].min(most[axis]))]
    }
}

/// A query of all cells of a block, for the instruction set of the machine.
struct Query<'a, P, F> {
    table: &'a Table,
    level: LevelKey,
    probe: P,
    cells: [[i64; 3]; 2],
    found: &'a mut F,
}

impl<P: Probe, F: FnMut(BodyId)> pulp::NullaryFnOnce for Query<'_, P, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { table, level, probe, cells: [low, high], found } = self;
        if table.is_large() {
            table.prefetch(level, low, high);
        }
        for z in low[2]..high[2] + 1 {
            let deep = probe.seen_from(2, z);
            for y in low[1]..high[1] + 1 {
                let mut seen = [P::Seen::default(), probe.seen_from(1, y), deep];
                if probe.is_far(&seen) {
                    continue;
                }
                let row = table.row(level, y as i32, z as i32);
                for x in low[0]..high[0] + 1 {
                    seen[0] = probe.seen_from(0, x);
                    if probe.is_far(&seen) {
                        continue;
                    }
                    let cell = short([x, y, z]);
                    for block in table.of_cell(table.first_in_row(row, cell[0]), level, cell) {
                        for row in block.touched(&probe, &seen) {
                            found(block.ids()[row]);
                        }
                    }
                }
            }
        }
    }
}

/// The smallest number, among those with `unused` zero bits, that is no smaller than any edge of the box, leaves some
/// space, and gives cell numbers that fit their type.
fn cell_edge(bounds: &Aabb, unused: u64) -> f64 {
    let size = (bounds.max - bounds.min).max_element() * (1.0 + CELL_ROOM);
    let size = size.max(bounds.center().abs().max_element() / CELL_MAX);
    let floor = size.to_bits() >> unused << unused;
    f64::from_bits(if f64::from_bits(floor) < size { floor + (1 << unused) } else { floor })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_query_finds_what_a_walk_over_all_finds() {
        let mut random = Random::new(1);
        let mut any_box = move || {
            let size = 10f64.powf(random.between(-3.0, 1.0));
            Aabb::around(random.vector(10.0), DVec3::new(1.0, random.unit(), random.unit()) * size)
        };
        let mut grid = HashGrid::with_bodies(300);
        let mut boxes: Vec<_> = (0..300).map(|_| any_box()).collect();
        for round in 0..6 {
            if round == 3 {
                grid = HashGrid::fine(300);
            }
            for (row, bounds) in boxes.iter_mut().enumerate() {
                if round % 3 == 0 || row % 2 == 0 {
                    *bounds = any_box();
                    grid.place(BodyId(row as u32), *bounds, false);
                }
            }
            for bounds in &boxes {
                let mut found = Vec::new();
                grid.query(bounds, false, |id| found.push(id.index()));
                found.sort_unstable();
                let touching = |by: f64| -> Vec<usize> {
                    let wide = Aabb { min: bounds.min - by, max: bounds.max + by };
                    (0..300).filter(|&row| boxes[row].touches(&wide)).collect()
                };
                assert!(found.windows(2).all(|two| two[0] < two[1]), "twice in {found:?}");
                assert!(touching(0.0).iter().all(|row| found.contains(row)), "{found:?}");
                // The largest cells have edges of 32 m, of which five steps are 4 cm.
                let near = touching(0.04);
                assert!(found.iter().all(|row| near.contains(row)), "{found:?}");
            }
        }
    }

    #[test]
    fn all_balls_that_overlap_are_found_whatever_their_sizes_and_places() {
        for (seed, count, edge, sizes) in [
            (1, 300, 3.0, [0.1, 0.2]),
            (2, 300, 3.0, [0.01, 1.5]),
            (3, 200, 1e-9, [1e-10, 2e-10]),
            (4, 40, 1e60, [0.5, 2.0]),
            (5, 1, 1.0, [1.0, 1.0]),
        ] {
            let mut random = Random::new(seed);
            let mut any_ball = || (random.vector(edge), random.between(sizes[0], sizes[1]));
            let bounds = |(center, radius): (DVec3, f64)| Aabb::around(center, DVec3::splat(radius));
            let balls: Vec<(DVec3, f64)> = (0..count).map(|_| any_ball()).collect();
            let mut grid = HashGrid::with_bodies(count);
            balls.iter().enumerate().for_each(|(row, &ball)| grid.place(BodyId(row as u32), bounds(ball), true));
            assert!(balls.iter().all(|ball| ball.1 <= grid.reach()));
            for _ in 0..50 {
                let (center, radius) = any_ball();
                let mut found = Vec::new();
                grid.query(&bounds((center, radius)), true, |id| found.push(id.index()));
                found.sort_unstable();
                assert!(found.windows(2).all(|two| two[0] < two[1]), "{seed}: twice in {found:?}");
                let overlaps = |&place: &usize| balls[place].0.distance(center) <= balls[place].1 + radius;
                assert!((0..count).filter(overlaps).all(|place| found.contains(&place)), "{seed}: {found:?}");
                // The boxes around the others touch, but for five steps of the largest cells.
                let wide = bounds((center, radius + 0.01 * sizes[1]));
                assert!(found.iter().all(|&place| bounds(balls[place]).touches(&wide)), "{seed}: {found:?}");
            }
        }
    }
}
