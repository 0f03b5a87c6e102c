//! A hierarchical grid of boxes: who lies near whom, for sizes that differ by any factor.
//!
//! A box is entered once, by its centre, at the level whose cells are just as large as the box (Ericson,
//! *Real-Time Collision Detection*, 2005, § 7.2). A question goes through the levels in use and, at each,
//! through the cells in reach; where those would be more than the boxes of the level, it goes through the
//! boxes. Cells are found by hashing, so space has no bounds. Nothing depends on the order of answers.

mod near;
mod walk;

use glam::DVec3;

use super::BodyId;
use crate::geometry::Aabb;
use crate::numeric::tolerance::CELL_ROOM;
use crate::numeric::whole::floor;

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

/// A body as its cell knows it.
#[derive(Debug, Clone, Copy)]
struct Entry {
    bounds: Aabb,
    /// Edge of its level's cells, m.
    edge: f64,
    cell: [i64; 3],
    id: BodyId,
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
        let nowhere = Place { edge: 0.0, bucket: NOWHERE, member: NOWHERE };
        let buckets = (2 * count).next_power_of_two();
        Self { places: vec![nowhere; count], buckets: vec![Vec::new(); buckets], levels: Vec::new() }
    }

    /// How far any entered box may reach from its centre, m.
    pub(super) fn reach(&self) -> f64 {
        self.levels.last().map_or(0.0, |level| 0.5 * level.edge)
    }

    /// Enters a body's finite box, in place of the one before.
    pub(super) fn place(&mut self, id: BodyId, bounds: Aabb) {
        self.remove(id);
        let edge = cell_edge(&bounds);
        let cell = cell(bounds.center(), edge);
        let bucket = self.bucket(edge, cell);
        self.buckets[bucket as usize].push(Entry { bounds, edge, cell, id });
        let level = self.level(edge);
        let member = level.members.len() as u32;
        let around = if member == 0 { bounds } else { level.bounds };
        level.bounds = Aabb { min: around.min.min(bounds.min), max: around.max.max(bounds.max) };
        level.members.push(id);
        self.places[id.index()] = Place { edge, bucket, member };
    }

    fn remove(&mut self, id: BodyId) {
        let Place { edge, bucket, member } = self.places[id.index()];
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

    /// Calls `found` with every entered body whose box touches `bounds`, in no particular order.
    pub(super) fn query(&self, bounds: &Aabb, mut found: impl FnMut(BodyId)) {
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            let margin = DVec3::splat(0.5 * level.edge);
            let (low, high) = (cell(bounds.min - margin, level.edge), cell(bounds.max + margin, level.edge));
            if cells_between(low, high) > level.members.len() as f64 {
                self.query_members(level, bounds, &mut found);
            } else {
                self.query_cells(bounds, level.edge, [low, high], &mut found);
            }
        }
    }

    fn query_cells(&self, bounds: &Aabb, edge: f64, [low, high]: [[i64; 3]; 2], found: &mut impl FnMut(BodyId)) {
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    self.query_cell(bounds, edge, [x, y, z], found);
                }
            }
        }
    }

    /// A bucket may hold bodies of other cells; those are left to their own cell, so that none is found twice.
    #[inline]
    fn query_cell(&self, bounds: &Aabb, edge: f64, wanted: [i64; 3], found: &mut impl FnMut(BodyId)) {
        for entry in &self.buckets[self.bucket(edge, wanted) as usize] {
            if entry.cell == wanted && entry.edge == edge && entry.bounds.touches(bounds) {
                found(entry.id);
            }
        }
    }

    /// Goes through all bodies of a level, of which there are fewer than cells in reach.
    fn query_members(&self, level: &Level, bounds: &Aabb, found: &mut impl FnMut(BodyId)) {
        level.members.iter().filter(|&&id| self.bounds_of(id).touches(bounds)).for_each(|&id| found(id));
    }

    /// The box of an entered body.
    fn bounds_of(&self, id: BodyId) -> Aabb {
        let entries = &self.buckets[self.places[id.index()].bucket as usize];
        entries.iter().find(|entry| entry.id == id).expect("the bucket holds its bodies").bounds
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

    fn bucket(&self, edge: f64, cell: [i64; 3]) -> u32 {
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let hash = cell.iter().fold(edge.to_bits(), |hash, &word| mix(hash, word as u64));
        (mix(hash, 0) as usize & (self.buckets.len() - 1)) as u32
    }
}

/// The smallest power of two that is no smaller than any edge of the box and has some room beside it.
fn cell_edge(bounds: &Aabb) -> f64 {
    let size = (bounds.max - bounds.min).max_element() * (1.0 + CELL_ROOM);
    let floor = f64::from_bits(size.to_bits() & !((1 << 52) - 1));
    if floor < size { 2.0 * floor } else { floor }
}

/// Which cell holds a point. Far out the numbers saturate, and many points share the outermost cell.
#[inline]
fn cell(point: DVec3, edge: f64) -> [i64; 3] {
    (point / edge).to_array().map(floor)
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
                    grid.place(BodyId(row as u32), *bounds);
                }
            }
            for bounds in &boxes {
                let mut found = Vec::new();
                grid.query(bounds, |id| found.push(id.index()));
                found.sort_unstable();
                let wanted: Vec<_> = (0..300).filter(|&row| boxes[row].touches(bounds)).collect();
                assert_eq!(found, wanted);
            }
        }
    }
}
