//! The body nearest to a point, and the bodies in a region of any form.
//!
//! The cells around a point are visited in rings: each ring is the surface of a cube of cells. The search ends when no
//! box in a farther ring can be near enough. A region is found by bisection: a block of cells outside the region is
//! skipped, and any other block is cut in two (Ericson, *Real-Time Collision Detection*, 2005, § 7.3).

use glam::DVec3;

use super::level::{cell, cells_between};
use super::{HashGrid, Level};
use crate::dynamics::BodyId;
use crate::geometry::Aabb;
use crate::numeric::tolerance::{CELL_ROOM, WALK_SLACK};

impl HashGrid {
    /// Calls `found` with bodies in boxes no farther from `point` than `best`, m, roughly in order. The same body may
    /// occur twice. `found` gets the present bound of the distance and returns the new bound.
    pub(in crate::dynamics) fn nearest(
        &self,
        point: DVec3,
        best: f64,
        mut found: impl FnMut(BodyId, f64) -> f64,
    ) -> f64 {
        let mut best = best;
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            best = self.nearest_in_level(level, point, best, &mut found);
        }
        best
    }

    fn nearest_in_level(
        &self,
        level: &Level,
        point: DVec3,
        mut best: f64,
        found: &mut impl FnMut(BodyId, f64) -> f64,
    ) -> f64 {
        let around = &level.bounds;
        let size = point.abs().max(around.min.abs()).max(around.max.abs()).max_element();
        let few = level.members.len() as f64;
        if distance(around, point) > best.max(0.0) {
            return best;
        }
        let through_members = |best: f64, found: &mut _| {
            level.members.iter().fold(best, |best, &id| offer(id, &self.bounds_of(id), point, best, found))
        };
        if size * WALK_SLACK > CELL_ROOM * level.edge {
            return through_members(best, found);
        }
        let block = Block { low: cell(around.min, level.edge), high: cell(around.max, level.edge) };
        let center = cell(point, level.edge);
        let mut seen = 0.0;
        for ring in block.rings(center) {
            // Boxes of a ring reach back by half a cell, and the point may be at the border of its own cell.
            if (ring as f64 - 1.5) * level.edge > best.max(0.0) {
                return best;
            }
            seen += block.count_in_ring(center, ring);
            if seen > few {
                return through_members(best, found);
            }
            block.ring(center, ring, |wanted| {
                if cell_distance(wanted, level.edge, point) > best.max(0.0) {
                    return;
                }
                for (id, bounds) in self.entries(level.key, wanted) {
                    best = offer(id, &bounds, point, best, found);
                }
            });
        }
        best
    }

    /// Every body with a box that `meets` a region, once, in no particular order.
    ///
    /// `meets` may be true for a box outside the region. But for a large box outside it, it must be false for some of
    /// the small parts.
    pub(in crate::dynamics) fn meeting(&self, meets: impl Fn(&Aabb) -> bool) -> Vec<BodyId> {
        let mut found = Vec::new();
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            let before = found.len();
            // If there would be more tests of blocks than bodies, testing each body is cheaper.
            if self.halve(level, &meets, &mut found).is_none() {
                found.truncate(before);
                found.extend(level.members.iter().filter(|&&id| meets(&self.bounds_of(id))));
            }
        }
        found
    }

    /// Tests blocks of cells and their halves. `None` if that takes more tests than there are bodies.
    fn halve(&self, level: &Level, meets: &impl Fn(&Aabb) -> bool, found: &mut Vec<BodyId>) -> Option<()> {
        let Level { key, edge, bounds, members, .. } = level;
        let size = bounds.farthest().max_element();
        if size * WALK_SLACK > CELL_ROOM * edge {
            return None;
        }
        let mut blocks = vec![Block { low: cell(bounds.min, *edge), high: cell(bounds.max, *edge) }];
        let mut updates = 0;
        while let Some(block) = blocks.pop() {
            updates += 1;
            if updates > members.len() {
                return None;
            }
            if !meets(&block.bounds(*edge)) {
                continue;
            }
            if block.low != block.high {
                blocks.extend(block.halves());
                continue;
            }
            let entries = self.entries(*key, block.low).filter(|(_, bounds)| meets(bounds));
            found.extend(entries.map(|(id, _)| id));
        }
        Some(())
    }
}

#[inline]
fn offer(id: BodyId, bounds: &Aabb, point: DVec3, best: f64, found: &mut impl FnMut(BodyId, f64) -> f64) -> f64 {
    // A body that contains the point may be nearer still, since separations are signed.
    if distance(bounds, point) <= best.max(0.0) { found(id, best) } else { best }
}

/// Distance of a point from a box, m; 0 inside.
#[inline]
fn distance(bounds: &Aabb, point: DVec3) -> f64 {
    (point.clamp(bounds.min, bounds.max) - point).length()
}

/// Lower bound of the distance of a point from any box of a cell, m.
#[inline]
fn cell_distance(cell: [i64; 3], edge: f64, point: DVec3) -> f64 {
    distance(&Block { low: cell, high: cell }.bounds(edge), point)
}

/// A block of cells, the last ones included.
#[derive(Clone, Copy)]
struct Block {
    low: [i64; 3],
    high: [i64; 3],
}

impl Block {
    /// Contains all boxes of the cells.
    #[inline]
    fn bounds(&self, edge: f64) -> Aabb {
        let low = DVec3::from_array(self.low.map(|n| n as f64 - 0.5));
        let high = DVec3::from_array(self.high.map(|n| n as f64 + 1.5));
        Aabb { min: low * edge, max: high * edge }
    }

    /// The two halves, cut across the longest side.
    fn halves(&self) -> [Self; 2] {
        let length = |axis: usize| self.high[axis] - self.low[axis];
        let longest = (1..3).fold(0, |longest, axis| if length(axis) > length(longest) { axis } else { longest });
        let (mut first, mut second) = (*self, *self);
        first.high[longest] = self.low[longest] + length(longest) / 2;
        second.low[longest] = first.high[longest] + 1;
        [first, second]
    }

    /// The rings around `center` that have cells of the block.
    fn rings(&self, center: [i64; 3]) -> std::ops::RangeInclusive<i64> {
        let before = |axis: usize| self.low[axis] - center[axis];
        let beyond = |axis: usize| center[axis] - self.high[axis];
        let first = (0..3).map(|axis| before(axis).max(beyond(axis)).max(0)).max().unwrap_or(0);
        let last = (0..3).map(|axis| -before(axis).min(beyond(axis))).max().unwrap_or(0);
        first..=last
    }

    /// The cells of the block that are no more than `ring` away from `center`; `low` above `high` if there are none.
    fn within(&self, center: [i64; 3], ring: i64) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].max(center[axis] - ring)),
            high: std::array::from_fn(|axis| self.high[axis].min(center[axis] + ring)),
        }
    }

    fn count_in_ring(&self, center: [i64; 3], ring: i64) -> f64 {
        let count = |ring: i64| {
            let Self { low, high } = self.within(center, ring);
            let is_some = ring >= 0 && (0..3).all(|axis| low[axis] <= high[axis]);
            if is_some { cells_between(low, high) } else { 0.0 }
        };
        count(ring) - count(ring - 1)
    }

    /// Calls `visit` with the cells of the block that are `ring` away from `center`.
    #[inline]
    fn ring(&self, center: [i64; 3], ring: i64, mut visit: impl FnMut([i64; 3])) {
        let Self { low, high } = self.within(center, ring);
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                let on_side = (x - center[0]).abs() == ring || (y - center[1]).abs() == ring;
                let ends = [center[2] - ring, center[2] + ring];
                if on_side {
                    (low[2]..=high[2]).for_each(|z| visit([x, y, z]));
                } else {
                    let inside = ends.into_iter().filter(|z| (low[2]..=high[2]).contains(z));
                    inside.for_each(|z| visit([x, y, z]));
                }
            }
        }
    }
}
