//! A hierarchical grid of boxes: who lies near whom, for sizes that differ by any factor.
//!
//! A box is entered once, by its centre, at the level whose cells are just as large as the box (Ericson,
//! *Real-Time Collision Detection*, 2005, § 7.2). A question goes through the levels in use and, at each,
//! through the cells in reach; where those would be more than the boxes of the level, it goes through the
//! boxes. Cells are found by hashing, so space has no bounds. Nothing depends on the order of answers.

use glam::DVec3;

use super::BodyId;
use crate::geometry::Aabb;

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// All boxes whose cells have edges of one power of two.
#[derive(Debug, Clone)]
struct Level {
    /// Edge of a cell, m.
    edge: f64,
    members: Vec<BodyId>,
}

/// Where one body is entered.
#[derive(Debug, Clone, Copy)]
struct Entry {
    bounds: Aabb,
    /// Edge of its level's cells, or 0 for a body that is not entered.
    edge: f64,
    bucket: u32,
    next: u32,
    previous: u32,
    /// Its place among the members of its level.
    place: u32,
}

impl Entry {
    const ABSENT: Self = Self {
        bounds: Aabb { min: DVec3::ZERO, max: DVec3::ZERO },
        edge: 0.0,
        bucket: NONE,
        next: NONE,
        previous: NONE,
        place: NONE,
    };
}

/// Boxes of bodies, found by place.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    entries: Vec<Entry>,
    /// First body of each bucket's chain; a power of two of them.
    heads: Vec<u32>,
    /// Sorted by edge.
    levels: Vec<Level>,
}

impl Grid {
    /// Room for `count` bodies, none of them entered.
    pub(super) fn with_bodies(count: usize) -> Self {
        let buckets = (2 * count).next_power_of_two();
        Self { entries: vec![Entry::ABSENT; count], heads: vec![NONE; buckets], levels: Vec::new() }
    }

    /// The box that was entered for a body.
    #[inline]
    pub(super) fn bounds(&self, id: BodyId) -> &Aabb {
        &self.entries[id.index()].bounds
    }

    /// How far any entered box may reach from its centre, m.
    pub(super) fn reach(&self) -> f64 {
        self.levels.last().map_or(0.0, |level| 0.5 * level.edge)
    }

    /// Enters a body's finite box, in place of the one before.
    pub(super) fn place(&mut self, id: BodyId, bounds: Aabb) {
        self.remove(id);
        let edge = cell_edge(&bounds);
        let bucket = self.bucket(edge, cell(bounds.center(), edge));
        let next = std::mem::replace(&mut self.heads[bucket as usize], id.0);
        if next != NONE {
            self.entries[next as usize].previous = id.0;
        }
        let level = self.level(edge);
        let place = level.members.len() as u32;
        level.members.push(id);
        self.entries[id.index()] = Entry { bounds, edge, bucket, next, previous: NONE, place };
    }

    fn remove(&mut self, id: BodyId) {
        let entry = self.entries[id.index()];
        if entry.edge == 0.0 {
            return;
        }
        match entry.previous {
            NONE => self.heads[entry.bucket as usize] = entry.next,
            previous => self.entries[previous as usize].next = entry.next,
        }
        if entry.next != NONE {
            self.entries[entry.next as usize].previous = entry.previous;
        }
        let level = self.level(entry.edge);
        level.members.swap_remove(entry.place as usize);
        if let Some(&moved) = level.members.get(entry.place as usize) {
            self.entries[moved.index()].place = entry.place;
        }
        self.entries[id.index()] = Entry::ABSENT;
    }

    /// Calls `found` with every entered body whose box touches `bounds`, in no particular order.
    pub(super) fn query(&self, bounds: &Aabb, mut found: impl FnMut(BodyId)) {
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            let margin = DVec3::splat(0.5 * level.edge);
            let (low, high) = (cell(bounds.min - margin, level.edge), cell(bounds.max + margin, level.edge));
            if cells_between(low, high) > level.members.len() as f64 {
                let touching = |id: &&BodyId| self.entries[id.index()].bounds.touches(bounds);
                level.members.iter().filter(touching).for_each(|&id| found(id));
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

    /// A chain may hold bodies of other cells; those are left to their own cell, so that none is found twice.
    #[inline]
    fn query_cell(&self, bounds: &Aabb, edge: f64, wanted: [i64; 3], found: &mut impl FnMut(BodyId)) {
        let mut body = self.heads[self.bucket(edge, wanted) as usize];
        while body != NONE {
            let entry = &self.entries[body as usize];
            if entry.edge == edge && entry.bounds.touches(bounds) && cell(entry.bounds.center(), edge) == wanted {
                found(BodyId(body));
            }
            body = entry.next;
        }
    }

    fn level(&mut self, edge: f64) -> &mut Level {
        let row = match self.levels.binary_search_by(|level| level.edge.total_cmp(&edge)) {
            Ok(row) => row,
            Err(row) => {
                self.levels.insert(row, Level { edge, members: Vec::new() });
                row
            }
        };
        &mut self.levels[row]
    }

    fn bucket(&self, edge: f64, cell: [i64; 3]) -> u32 {
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let hash = cell.iter().fold(edge.to_bits(), |hash, &word| mix(hash, word as u64));
        (mix(hash, 0) as usize & (self.heads.len() - 1)) as u32
    }
}

/// The smallest power of two that is no smaller than any edge of the box.
fn cell_edge(bounds: &Aabb) -> f64 {
    let size = (bounds.max - bounds.min).max_element();
    let floor = f64::from_bits(size.to_bits() & !((1 << 52) - 1));
    if floor < size { 2.0 * floor } else { floor }
}

/// Which cell holds a point. Far out the numbers saturate, and many points share the outermost cell.
#[inline]
fn cell(point: DVec3, edge: f64) -> [i64; 3] {
    (point / edge).floor().to_array().map(|x| x as i64)
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
