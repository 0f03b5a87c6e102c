//! Traversal of the grid along a ray, or along the path of a box.
//!
//! A box is stored at its centre and reaches at most half a cell from it. So a box that touches a point of the ray has
//! its centre in one of the 2 × 2 × 2 cells around that point. As the point moves, this block grows by a layer of cells
//! whenever its leading face reaches the next border of cells. This is the traversal of Amanatides & Woo, *A fast voxel
//! traversal algorithm for ray tracing*, Eurographics 1987, on a grid shifted by half a cell. A moving box has a larger
//! block. Each cell is visited once, roughly in the order of the ray, so a walk ends soon after its first hit.

use glam::DVec3;

use super::batch::Batch;
use super::level::{LevelKey, cell, cells_between};
use super::{HashGrid, Level};
use crate::dynamics::BodyId;
use crate::geometry::cast::AabbCaster;
use crate::geometry::{Aabb, Ray};
use crate::numeric::tolerance::{CELL_ROOM, WALK_SLACK};
use crate::numeric::whole::floor;

/// A box moved along a part of a ray.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct CarriedBox {
    /// The path of its centre.
    pub(in crate::dynamics) ray: Ray,
    /// Half its edges, m; zero for a point.
    pub(in crate::dynamics) half: DVec3,
    /// The first parameter of the part.
    pub(in crate::dynamics) from: f64,
    /// The last parameter of the part.
    pub(in crate::dynamics) until: f64,
}

/// A walk through the cells of one level.
struct Walk<'a> {
    grid: &'a HashGrid,
    carried: &'a CarriedBox,
    caster: &'a AabbCaster,
    level: LevelKey,
    edge: f64,
    /// Largest distance from the ray to the centre of a box that touches the moving one, m.
    reach: DVec3,
    /// The block of cells in reach.
    low: [i64; 3],
    high: [i64; 3],
    /// Where the ray enters the bounds of the level, and where it has left all its boxes.
    enter: f64,
    leave: f64,
}

impl HashGrid {
    /// Calls `found` once with every body with a box that is touched on the way, roughly in order.
    ///
    /// `found` gets the present bound of the parameter and returns the new bound. Every body touched within the bound
    /// is found; other bodies may be found too.
    pub(in crate::dynamics) fn walk(&self, carried: &CarriedBox, mut found: impl FnMut(BodyId, f64) -> f64) -> f64 {
        let caster = AabbCaster::new(&carried.ray);
        let mut until = carried.until;
        for level in self.levels.iter().filter(|level| !level.members.is_empty()) {
            let around = widened(&level.bounds, carried.half);
            let enter = caster.entry(&around);
            if !is_within(enter, until) {
                continue;
            }
            let walk = Walk::new(self, carried, &caster, level, enter.max(carried.from));
            until = if walk.is_short(level, until) {
                walk.run(until, &mut found)
            } else {
                walk.through_members(level, until, &mut found)
            };
        }
        until
    }
}

impl<'a> Walk<'a> {
    fn new(grid: &'a HashGrid, carried: &'a CarriedBox, caster: &'a AabbCaster, level: &Level, enter: f64) -> Self {
        let edge = level.edge;
        let reach = carried.half + 0.5 * edge;
        let start = carried.ray.at(enter);
        let (low, high) = (cell(start - reach, edge), cell(start + reach, edge));
        let leave = last(&carried.ray, &widened(&level.bounds, reach));
        Self { grid, carried, caster, level: level.key, edge, reach, low, high, enter, leave }
    }

    /// Whether the cells on the way are fewer than the bodies of the level, and numbers are precise enough for cells.
    fn is_short(&self, level: &Level, until: f64) -> bool {
        let bounds = &level.bounds;
        let size = self.carried.ray.origin.abs() + self.carried.half + bounds.farthest();
        if size.max_element() * WALK_SLACK > CELL_ROOM * self.edge {
            return false;
        }
        let block = cells_between(self.low, self.high);
        let length = (until.min(self.leave) - self.enter).max(0.0);
        let steps = self.carried.ray.direction.abs() * (length / self.edge);
        let layers = (0..3).map(|axis| block / (self.high[axis] - self.low[axis] + 1) as f64 * steps[axis]);
        block + layers.sum::<f64>() <= level.members.len() as f64
    }

    /// Visits layer after layer.
    fn run(mut self, mut until: f64, found: &mut impl FnMut(BodyId, f64) -> f64) -> f64 {
        let mut batch = Batch::new(self.grid, self.level);
        until = self.visit([self.low, self.high], until, &mut batch, found);
        let mut next: [f64; 3] = std::array::from_fn(|axis| self.next_layer(axis));
        loop {
            let axis = if next[0] <= next[1] && next[0] <= next[2] { 0 } else { 1 + usize::from(next[2] < next[1]) };
            let t = next[axis];
            if !(t <= until && t <= self.leave) {
                return until;
            }
            self.leave_behind(t);
            let (mut low, mut high) = (self.low, self.high);
            if self.carried.ray.direction[axis] > 0.0 {
                self.high[axis] += 1;
                (low[axis], high[axis]) = (self.high[axis], self.high[axis]);
            } else {
                self.low[axis] -= 1;
                (low[axis], high[axis]) = (self.low[axis], self.low[axis]);
            }
            until = self.visit([low, high], until, &mut batch, found);
            next[axis] = self.next_layer(axis);
        }
    }

    /// When the leading face of the block reaches the next border of cells along an axis; infinite if never.
    #[inline]
    fn next_layer(&self, axis: usize) -> f64 {
        let Ray { origin, direction } = self.carried.ray;
        let ahead = match direction[axis] {
            speed if speed > 0.0 => (self.high[axis] + 1) as f64 * self.edge - self.reach[axis],
            speed if speed < 0.0 => self.low[axis] as f64 * self.edge + self.reach[axis],
            _ => return f64::INFINITY,
        };
        (ahead - origin[axis]) / direction[axis]
    }

    /// Removes the cells that are out of reach at `t` from the rear of the block.
    #[inline]
    fn leave_behind(&mut self, t: f64) {
        let place = self.carried.ray.at(t);
        for axis in 0..3 {
            let speed = self.carried.ray.direction[axis];
            if speed > 0.0 {
                self.low[axis] = self.low[axis].max(floor((place[axis] - self.reach[axis]) / self.edge));
            } else if speed < 0.0 {
                self.high[axis] = self.high[axis].min(floor((place[axis] + self.reach[axis]) / self.edge));
            }
        }
    }

    /// Tests the bodies in a block of cells.
    #[inline]
    fn visit(
        &self,
        [low, high]: [[i64; 3]; 2],
        until: f64,
        batch: &mut Batch<'a>,
        found: &mut impl FnMut(BodyId, f64) -> f64,
    ) -> f64 {
        let enter = |bounds: &Aabb, until: f64| self.enter(bounds, until);
        let mut until = until;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    if batch.is_full() {
                        until = batch.search(until, enter, found);
                    }
                    batch.add([x, y, z]);
                }
            }
        }
        batch.search(until, enter, found)
    }

    /// Tests all bodies of a level.
    fn through_members(&self, level: &Level, mut until: f64, found: &mut impl FnMut(BodyId, f64) -> f64) -> f64 {
        for &id in &level.members {
            let bounds = self.grid.bounds_of(id);
            if self.enter(&bounds, until).is_some() {
                until = found(id, until);
            }
        }
        until
    }

    /// Where the ray enters a box enlarged by the carried one; `None` if that is not before `until`.
    #[inline]
    fn enter(&self, bounds: &Aabb, until: f64) -> Option<f64> {
        let enter = self.caster.entry(&widened(bounds, self.carried.half));
        is_within(enter, until).then_some(enter)
    }
}

/// Whether a parameter of entry is finite and no later than `until`.
#[inline]
fn is_within(enter: f64, until: f64) -> bool {
    enter <= until && enter < f64::INFINITY
}

#[inline]
fn widened(bounds: &Aabb, half: DVec3) -> Aabb {
    Aabb { min: bounds.min - half, max: bounds.max + half }
}

/// Where the ray leaves the box; infinite only if it does not move.
fn last(ray: &Ray, bounds: &Aabb) -> f64 {
    let leave = |axis: usize| match ray.direction[axis] {
        0.0 => f64::INFINITY,
        speed if speed > 0.0 => (bounds.max[axis] - ray.origin[axis]) / speed,
        speed => (bounds.min[axis] - ray.origin[axis]) / speed,
    };
    leave(0).min(leave(1)).min(leave(2))
}
