//! The faces of a grid near a place or a motion.

use std::ops::RangeInclusive;

use glam::DVec3;

use super::{FACES, Grid, SOLID, Side};
use crate::geometry::Aabb;

/// Up to this number of cells a search looks at all of them in turn. It is a question of speed only.
const SCANNED_MAX: u64 = 256;

/// The result so far, and what a search asks for.
struct Search<B, V> {
    best: f64,
    bound: B,
    visit: V,
}

impl<B: Fn(&Aabb) -> f64, V: FnMut(u32, f64) -> f64> Search<B, V> {
    /// Whether something in a box can be as good as the best result.
    #[inline]
    fn can_improve(&self, bound: f64) -> bool {
        bound <= self.best && bound < f64::INFINITY
    }

    #[inline]
    fn look_at_cell(&mut self, grid: &Grid, cell: [u32; 3]) {
        let n = grid.row(cell);
        let faces = grid.cells[n as usize] & FACES;
        if faces == 0 {
            return;
        }
        for side in Side::ALL.into_iter().filter(|side| faces & side.bit() != 0) {
            if self.can_improve((self.bound)(&grid.flat(cell, side))) {
                self.best = (self.visit)(6 * n + side.0, self.best);
            }
        }
    }
}

impl Grid {
    /// Visits faces of the surface roughly in the order of their bounds, and skips those that cannot improve the best
    /// result, as [`Tree::nearest_first`](crate::geometry::Tree::nearest_first) does with its items. Faces that do not
    /// touch `within` may be left out.
    #[inline]
    pub(crate) fn nearest_first(
        &self,
        within: &Aabb,
        best: f64,
        bound: impl Fn(&Aabb) -> f64,
        visit: impl FnMut(u32, f64) -> f64,
    ) {
        let Some([xs, ys, zs]) = self.range(within) else { return };
        let mut search = Search { best, bound, visit };
        let count = |range: &RangeInclusive<u32>| u64::from(range.end() - range.start()) + 1;
        if count(&xs) * count(&ys) * count(&zs) > SCANNED_MAX {
            return self.descend(&mut search, self.levels.count(), [0; 3]);
        }
        for z in zs {
            for y in ys.clone() {
                for x in xs.clone() {
                    search.look_at_cell(self, [x, y, z]);
                }
            }
        }
    }

    /// The nearest face to `point`, given in the frame of the grid's body, and its nearest point, m. `None` if nothing
    /// is solid, and for a point that is not finite.
    pub(crate) fn nearest(&self, point: DVec3) -> Option<(u32, DVec3)> {
        let near = |bounds: &Aabb| point.clamp(bounds.min, bounds.max);
        let squared = |bounds: &Aabb| near(bounds).distance_squared(point);
        let mut first: Option<(f64, u32)> = None;
        self.nearest_first(&self.bounds, f64::INFINITY, squared, |part, best| {
            let found = (squared(&self.face_box(part)), part);
            if first.is_none_or(|before| found < before) {
                first = Some(found);
                return found.0;
            }
            best
        });
        let (_, part) = first.filter(|_| point.is_finite())?;
        Some((part, near(&self.face_box(part))))
    }

    /// Whether `point`, given in the frame of the grid's body, is in a solid cell or on its surface.
    pub fn contains(&self, point: DVec3) -> bool {
        self.solid_around(point).is_some()
    }

    /// The number of the first solid cell that has `point` inside or on its surface.
    pub(crate) fn solid_around(&self, point: DVec3) -> Option<u32> {
        let [xs, ys, zs] = self.range(&Aabb { min: point, max: point })?;
        let rows = zs.flat_map(|z| ys.clone().map(move |y| (y, z)));
        let mut numbers = rows.flat_map(|(y, z)| xs.clone().map(move |x| self.row([x, y, z])));
        numbers.find(|&n| self.cells[n as usize] & SOLID != 0)
    }

    /// The cells that share a point with a box, along each axis; `None` if there are none.
    #[inline]
    fn range(&self, within: &Aabb) -> Option<[RangeInclusive<u32>; 3]> {
        if !within.touches(&self.bounds) {
            return None;
        }
        Some(std::array::from_fn(|axis| {
            let (low, mut high) = (within.min[axis].max(0.0), self.index_of(axis, within.max[axis]));
            let mut from = self.index_of(axis, low);
            // A cell that ends there touches, too.
            from -= u32::from(from > 0 && self.edge(axis, from) >= low);
            high = high.max(from);
            from..=high
        }))
    }

    /// Looks at a node of a level, or at a cell for level 0.
    fn descend<B, V>(&self, search: &mut Search<B, V>, level: usize, node: [u32; 3])
    where
        B: Fn(&Aabb) -> f64,
        V: FnMut(u32, f64) -> f64,
    {
        let Some(below) = level.checked_sub(1) else {
            return search.look_at_cell(self, node);
        };
        let mut near = [(f64::INFINITY, [0; 3]); 8];
        let mut count = 0;
        for child in self.levels.children(below, node) {
            let bound = (search.bound)(&self.block(below, child));
            if search.can_improve(bound) {
                let place = near[..count].partition_point(|(other, _)| *other <= bound);
                near.copy_within(place..count, place + 1);
                near[place] = (bound, child);
                count += 1;
            }
        }
        for &(bound, child) in &near[..count] {
            if search.can_improve(bound) {
                self.descend(search, below, child);
            }
        }
    }

    /// The box around all cells of a node.
    fn block(&self, level: usize, node: [u32; 3]) -> Aabb {
        let cell = |axis: usize, more: u32| {
            let index = u64::from(node[axis] + more) << level;
            index.min(u64::from(self.size[axis])) as u32
        };
        let corner = |more: u32| self.corner(std::array::from_fn(|axis| cell(axis, more)));
        Aabb { min: corner(0), max: corner(1) }
    }
}
