//! A hierarchical grid of boxes: who lies near whom, for sizes that differ by any factor.
//!
//! A box is entered once, by its centre, at the level whose cells are just as large as the box (Ericson,
//! *Real-Time Collision Detection*, 2005, § 7.2). A question goes through the levels in use and, at each,
//! through the cells in reach; where those would be more than the boxes of the level, it goes through the
//! boxes. Cells are found by hashing, so space has no bounds. Nothing depends on the order of answers.

mod batch;
mod entry;
mod near;
mod walk;

use glam::DVec3;

use super::BodyId;
use crate::geometry::Aabb;
use crate::numeric::tolerance::CELL_ROOM;
use crate::numeric::whole::floor;

use entry::{CELL_MAX, Entry, Probe, level};
pub(super) use walk::Way;

/// The place of a body that is not entered.
const NOWHERE: u32 = u32::MAX;

/// All boxes whose cells have edges of one power of two.
#[derive(Debug, Clone)]
struct Level {
    /// Edge of a cell, m.
    edge: f64,
    members: Vec<BodyId>,
    /// Around all boxes that were members since there was none.
    bounds: Aabb,
}

/// Where a body is entered.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Edge of its level's cells, m.
    edge: f64,
    bucket: u32,
    /// Its rank among the members of its level.
    member: u32,
}

impl Place {
    const NONE: Self = Self { edge: 0.0, bucket: NOWHERE, member: NOWHERE };
}

/// Boxes of bodies, found by place.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    places: Vec<Place>,
    /// A power of two of them. The entries of a bucket lie side by side: walking through a chain of
    /// them would wait for memory at every step.
    buckets: Vec<Vec<Entry>>,
    /// Sorted by edge.
    levels: Vec<Level>,
}

impl Grid {
    /// Room for `count` bodies, none of them entered.
    pub(super) fn with_bodies(count: usize) -> Self {
        let buckets = count.next_power_of_two();
        Self { places: vec![Place::NONE; count], buckets: vec![Vec::new(); buckets], levels: Vec::new() }
    }

    /// Room for one more body. When there are many more of them than buckets, these become twice as many.
    pub(super) fn push_body(&mut self) {
        self.places.push(Place::NONE);
        if self.places.len() <= 2 * self.buckets.len() {
            return;
        }
        let twice = vec![Vec::new(); 2 * self.buckets.len()];
        for entry in std::mem::replace(&mut self.buckets, twice).into_iter().flatten() {
            let bucket = entry.bucket(self);
            self.buckets[bucket as usize].push(entry);
            self.places[entry.id.index()].bucket = bucket;
        }
    }

    /// How far any entered box may reach from its centre, m.
    pub(super) fn reach(&self) -> f64 {
        self.levels.last().map_or(0.0, |level| 0.5 * level.edge)
    }

    /// Enters a body's finite box, in place of the one before. If it is `round`, only the ball in it is meant.
    pub(super) fn place(&mut self, id: BodyId, bounds: Aabb, round: bool) {
        self.remove(id);
        let edge = cell_edge(&bounds);
        let cell = short(cell(bounds.center(), edge));
        let bucket = self.bucket(level(edge), cell);
        self.buckets[bucket as usize].push(Entry::new(id, &bounds, round, edge, cell));
        let level = self.level(edge);
        let member = level.members.len() as u32;
        let around = if member == 0 { bounds } else { level.bounds };
        level.bounds = Aabb { min: around.min.min(bounds.min), max: around.max.max(bounds.max) };
        level.members.push(id);
        self.places[id.index()] = Place { edge, bucket, member };
    }

    /// A body is entered no more.
    pub(super) fn remove(&mut self, id: BodyId) {
        let Place { edge, bucket, member } = std::mem::replace(&mut self.places[id.index()], Place::NONE);
        if bucket == NOWHERE {
            return;
        }
        let entries = &mut self.buckets[bucket as usize];
        let row = entries.iter().position(|entry| entry.id == id).expect("the bucket holds its bodies");
        entries.swap_remove(row);
        let level = self.level(edge);
        level.members.swap_remove(member as usize);
        if let Some(&moved) = level.members.get(member as usize) {
            self.places[moved.index()].member = member;
        }
    }

    /// The box around all entered boxes, and perhaps some more; `None` if there are none.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        let used = self.levels.iter().filter(|level| !level.members.is_empty());
        used.map(|level| level.bounds).reduce(|x, y| Aabb { min: x.min.min(y.min), max: x.max.max(y.max) })
    }

    /// Calls `found` with every entered body whose box touches `bounds`, and perhaps some that miss it narrowly, each
    /// once, in no particular order.
    pub(super) fn query(&self, bounds: &Aabb, found: impl FnMut(BodyId)) {
        self.query_round(bounds, false, found);
    }

    /// The same; if it is `round`, the ball in the box is asked for, and of two balls those in the boxes touch.
    pub(super) fn query_round(&self, bounds: &Aabb, round: bool, mut found: impl FnMut(BodyId)) {
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            let margin = DVec3::splat(0.5 * level.edge);
            // Beyond the border of a periodic cell there is nobody; only its images are.
            let least = (bounds.min - margin).max(level.bounds.min);
            let most = (bounds.max + margin).min(level.bounds.max);
            if !least.cmple(most).all() {
                continue;
            }
            let (low, high) = (cell(least, level.edge), cell(most, level.edge));
            if cells_between(low, high) > level.members.len() as f64 {
                self.query_members(bounds, level, &mut found);
            } else {
                self.query_cells(&Probe::new(bounds, round, level.edge), level, [low, high], &mut found);
            }
        }
    }

    fn query_cells(&self, probe: &Probe, at: &Level, [low, high]: [[i64; 3]; 2], found: &mut impl FnMut(BodyId)) {
        let number = level(at.edge);
        let mut within = [[0; 2]; 3];
        for z in low[2]..=high[2] {
            within[2] = probe.in_cell(2, z);
            for y in low[1]..=high[1] {
                within[1] = probe.in_cell(1, y);
                for x in low[0]..=high[0] {
                    within[0] = probe.in_cell(0, x);
                    let cell = short([x, y, z]);
                    for entry in &self.buckets[self.bucket(number, cell) as usize] {
                        if entry.is_in_reach(cell, number, &within) && entry.meets(probe) {
                            found(entry.id);
                        }
                    }
                }
            }
        }
    }

    /// Goes through all bodies of a level, of which there are fewer than cells in reach.
    fn query_members(&self, bounds: &Aabb, level: &Level, found: &mut impl FnMut(BodyId)) {
        let members = level.members.iter().filter(|&&id| self.bounds_of(id, level.edge).touches(bounds));
        members.for_each(|&id| found(id));
    }

    /// The bodies entered in a cell, with a box around the one of each.
    ///
    /// A bucket may hold bodies of other cells; those are left to their own cell, so that none is found twice.
    #[inline]
    fn entries(&self, edge: f64, cell: [i64; 3]) -> impl Iterator<Item = (BodyId, Aabb)> {
        let (cell, level) = (short(cell), level(edge));
        let entries = self.buckets[self.bucket(level, cell) as usize].iter();
        entries.filter(move |entry| entry.is_in(cell, level)).map(move |entry| (entry.id, entry.bounds(edge)))
    }

    /// A box around that of an entered body.
    fn bounds_of(&self, id: BodyId, edge: f64) -> Aabb {
        let entries = &self.buckets[self.places[id.index()].bucket as usize];
        entries.iter().find(|entry| entry.id == id).expect("the bucket holds its bodies").bounds(edge)
    }

    fn level(&mut self, edge: f64) -> &mut Level {
        let row = match self.levels.binary_search_by(|level| level.edge.total_cmp(&edge)) {
            Ok(row) => row,
            Err(row) => {
                self.levels.insert(
                    row,
                    Level { edge, members: Vec::new(), bounds: Aabb { min: DVec3::ZERO, max: DVec3::ZERO } },
                );
                row
            }
        };
        &mut self.levels[row]
    }

    /// Multiply-shift hashing (Dietzfelbinger, Hagerup, Katajainen & Penttonen, *A reliable randomized algorithm for
    /// the closest-pair problem*, Journal of Algorithms 25, 1997); the odd factors are arbitrary. Cells in a row along x
    /// are neighbours in memory.
    #[inline]
    fn bucket(&self, level: u16, [x, y, z]: [i32; 3]) -> u32 {
        let word = |word: i32, factor: u64| (word as u64).wrapping_mul(factor);
        let sum = word(y, 0xC2B2_AE3D_27D4_EB4F)
            .wrapping_add(word(z, 0x1656_67B1_9E37_79F9))
            .wrapping_add(word(i32::from(level), 0x27D4_EB2F_1656_67C5));
        let first = ((sum >> 32) * self.buckets.len() as u64) >> 32;
        (first as u32).wrapping_add(x as u32) & (self.buckets.len() - 1) as u32
    }
}

/// The smallest power of two that is no smaller than any edge of the box, has some room beside it, and makes cells whose
/// numbers are short.
fn cell_edge(bounds: &Aabb) -> f64 {
    let size = (bounds.max - bounds.min).max_element() * (1.0 + CELL_ROOM);
    let size = size.max(bounds.center().abs().max_element() / CELL_MAX);
    let floor = f64::from_bits(size.to_bits() & !((1 << 52) - 1));
    if floor < size { 2.0 * floor } else { floor }
}

/// Which cell holds a point. Far out the numbers saturate, and many points share the outermost cell.
#[inline]
fn cell(point: DVec3, edge: f64) -> [i64; 3] {
    (point / edge).to_array().map(floor)
}

/// The number of a cell in half the space; cells in which nothing is entered may get the number of another one.
#[inline]
fn short(cell: [i64; 3]) -> [i32; 3] {
    cell.map(|number| number as i32)
}

fn cells_between(low: [i64; 3], high: [i64; 3]) -> f64 {
    (0..3).map(|axis| high[axis] as f64 - low[axis] as f64 + 1.0).product()
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
        let mut grid = Grid::with_bodies(300);
        let mut boxes: Vec<_> = (0..300).map(|_| any_box()).collect();
        for round in 0..3 {
            for (row, bounds) in boxes.iter_mut().enumerate() {
                if round == 0 || row % 2 == 0 {
                    *bounds = any_box();
                    grid.place(BodyId(row as u32), *bounds, false);
                }
            }
            for bounds in &boxes {
                let mut found = Vec::new();
                grid.query(bounds, |id| found.push(id.index()));
                found.sort_unstable();
                let touching = |by: f64| -> Vec<usize> {
                    let wide = Aabb { min: bounds.min - by, max: bounds.max + by };
                    (0..300).filter(|&row| boxes[row].touches(&wide)).collect()
                };
                assert!(found.windows(2).all(|two| two[0] < two[1]), "twice in {found:?}");
                assert!(touching(0.0).iter().all(|row| found.contains(row)), "{found:?}");
                // The largest cells have edges of 32 m, a step of which is 2 mm.
                let near = touching(0.01);
                assert!(found.iter().all(|row| near.contains(row)), "{found:?}");
            }
        }
    }
}
