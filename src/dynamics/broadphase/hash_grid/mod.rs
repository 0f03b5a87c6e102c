//! A hierarchical grid of boxes: who lies near whom, for sizes that differ by any factor.
//!
//! A box is entered once, by its centre, at the level whose cells are just as large as the box (Ericson,
//! *Real-Time Collision Detection*, 2005, § 7.2). A question goes through the levels in use and, at each,
//! through the cells in reach; where those would be more than the boxes of the level, it goes through the
//! boxes. Cells are found by hashing, so space has no bounds. Nothing depends on the order of answers.

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

/// All boxes of one kind.
#[derive(Debug, Clone)]
struct Level {
    key: LevelKey,
    /// Edge of a cell, m.
    edge: f64,
    members: Vec<BodyId>,
    /// Around all boxes that were members since there was none.
    bounds: Aabb,
    /// The first and the last cell along each axis that had a member since then.
    cells: [[i64; 3]; 2],
}

/// Where a body is entered.
#[derive(Debug, Clone, Copy)]
struct Place {
    level: LevelKey,
    /// None if the body is not entered.
    block: u32,
    /// Its rank among the members of its level.
    member: u32,
}

impl Place {
    const NONE: Self = Self { level: LevelKey(0), block: NONE, member: 0 };
}

/// Boxes of bodies, found by place.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct HashGrid {
    places: Vec<Place>,
    table: Table,
    /// Sorted by key.
    levels: Vec<Level>,
    /// Bits of an edge that are not used.
    unused: u64,
    /// Which vector instructions there are.
    machine: pulp::Arch,
}

impl Default for HashGrid {
    fn default() -> Self {
        Self::with_bodies(0)
    }
}

impl HashGrid {
    /// Domain for `count` bodies, none of them entered.
    pub(in crate::dynamics) fn with_bodies(count: usize) -> Self {
        let (places, table) = (vec![Place::NONE; count], Table::with_bodies(count));
        Self { places, table, levels: Vec::new(), unused: COARSE, machine: machine() }
    }

    /// The same for boxes of hardly different sizes: with cells that are closer to those, and so more levels for others.
    pub(in crate::dynamics) fn fine(count: usize) -> Self {
        Self { unused: FINE, ..Self::with_bodies(count) }
    }

    /// Domain for one more body.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.places.push(Place::NONE);
        self.table.make_room(self.places.len());
    }

    /// Whether no body is entered.
    pub(in crate::dynamics) fn is_empty(&self) -> bool {
        self.levels.iter().all(|level| level.members.is_empty())
    }

    /// How far any entered box may reach from its centre, m.
    pub(in crate::dynamics) fn reach(&self) -> f64 {
        self.levels.last().map_or(0.0, |level| 0.5 * level.edge)
    }

    /// Enters a body's finite box, in place of the one before. If it is `round`, only the ball in it is meant.
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
        level.bounds = Aabb { min: around.min.min(bounds.min), max: around.max.max(bounds.max) };
        level.cells = [
            std::array::from_fn(|axis| low[axis].min(cell[axis])),
            std::array::from_fn(|axis| high[axis].max(cell[axis])),
        ];
        level.members.push(id);
        self.places[id.index()] = Place { level: key, block, member };
    }

    /// A body is entered no more.
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

    /// The box around all entered boxes, and perhaps some more; `None` if there are none.
    pub(in crate::dynamics) fn bounds(&self) -> Option<Aabb> {
        let used = self.levels.iter().filter(|level| !level.members.is_empty());
        used.map(|level| level.bounds).reduce(|x, y| Aabb { min: x.min.min(y.min), max: x.max.max(y.max) })
    }

    /// Calls `found` with every entered body whose box touches `bounds`, and perhaps some that miss it narrowly, each
    /// once, in no particular order. If it is `round`, the ball in the box is asked for, and of two balls those in the boxes
    /// touch.
    pub(in crate::dynamics) fn query(&self, bounds: &Aabb, round: bool, mut found: impl FnMut(BodyId)) {
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            let margin = DVec3::splat(0.5 * level.edge);
            // Beyond the border of a periodic cell there is nobody; only its images are.
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

    /// Goes through all bodies of a level, of which there are fewer than cells in reach.
    fn query_members(&self, bounds: &Aabb, level: &Level, found: &mut impl FnMut(BodyId)) {
        let members = level.members.iter().filter(|&&id| self.bounds_of(id).touches(bounds));
        members.for_each(|&id| found(id));
    }

    /// The bodies entered in a cell, with a box around the one of each.
    ///
    /// A chain may hold bodies of other cells; those are left to their own cell, so that none is found twice.
    #[inline]
    fn entries(&self, level: LevelKey, cell: [i64; 3]) -> impl Iterator<Item = (BodyId, Aabb)> {
        let cell = short(cell);
        let blocks = self.table.of_cell(self.table.first(level, cell), level, cell);
        blocks.flat_map(Block::entries)
    }

    /// A box around that of an entered body.
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
    /// The part of a block of cells in which something may be entered.
    fn used(&self, low: [i64; 3], high: [i64; 3]) -> [[i64; 3]; 2] {
        let [least, most] = self.cells;
        [std::array::from_fn(|axis| low[axis].max(least[axis])), std::array::from_fn(|axis| high[axis].min(most[axis]))]
    }
}

/// A question to all cells of a block, as it is handed to code for the machine at hand.
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

/// The smallest number without some of its last bits that is no smaller than any edge of the box, has some room beside it, and
/// makes cells whose numbers are short.
fn cell_edge(bounds: &Aabb, unused: u64) -> f64 {
    let size = (bounds.max - bounds.min).max_element() * (1.0 + CELL_ROOM);
    let size = size.max(bounds.center().abs().max_element() / CELL_MAX);
    let floor = size.to_bits() >> unused << unused;
    f64::from_bits(if f64::from_bits(floor) < size { floor + (1 << unused) } else { floor })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_finds_what_a_walk_over_all_finds() {
        let mut state = 12345u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut any_box = move || {
            let size = 10f64.powf(4.0 * random() - 3.0);
            let center = DVec3::new(random(), random(), random()) * 20.0 - 10.0;
            Aabb::around(center, DVec3::new(1.0, random(), random()) * size)
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
                // The largest cells have edges of 32 m, five steps of which are 4 cm.
                let near = touching(0.04);
                assert!(found.iter().all(|row| near.contains(row)), "{found:?}");
            }
        }
    }
}
