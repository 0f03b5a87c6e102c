//! The members of an island by position: finds those in reach of another one.
//!
//! Each member is a ball here that contains it wherever it may move within its reach. Balls of similar size are in one
//! table. The cell of a centre is found by hashing (Teschner, Heidelberger, Müller, Pomerantes & Gross, *Optimized
//! spatial hashing for collision detection of deformable objects*, VMV 2003). So space has no bounds, and sizes may
//! differ by any factor.

use glam::DVec3;

use crate::dynamics::broadphase::hash_grid::level::{cell, cells_between};
use crate::geometry::Aabb;

/// The balls of all members.
pub(super) struct MemberGrid {
    levels: Vec<Level>,
    /// The largest radius, m.
    reach: f64,
}

/// Balls whose radii differ by less than a factor of two.
struct Level {
    /// A power of two above all radii, m.
    radius: f64,
    /// In the order of their buckets.
    balls: Vec<Ball>,
    /// The first ball of each bucket, and the number of balls.
    starts: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Ball {
    center: DVec3,
    radius: f64,
    cell: [i64; 3],
    place: usize,
}

impl MemberGrid {
    /// Centre and radius of each member's ball, in the order of the members, m. Radii are positive.
    pub(super) fn new(balls: impl Iterator<Item = (DVec3, f64)>) -> Self {
        let mut levels: Vec<Level> = Vec::new();
        for (place, (center, radius)) in balls.enumerate() {
            let above = power_above(radius);
            let row = levels.iter().position(|level| level.radius == above).unwrap_or_else(|| {
                levels.push(Level { radius: above, balls: Vec::new(), starts: Vec::new() });
                levels.len() - 1
            });
            let cell = cell(center, levels[row].edge());
            levels[row].balls.push(Ball { center, radius, cell, place });
        }
        levels.iter_mut().for_each(Level::sort);
        let reach = levels.iter().map(|level| level.radius).fold(0.0, f64::max);
        Self { levels, reach }
    }

    /// At least the largest radius, m.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Calls `found` with the place of every member whose ball overlaps the ball inscribed in `bounds`, in no
    /// particular order.
    pub(super) fn overlapping(&self, bounds: &Aabb, mut found: impl FnMut(usize)) {
        let (center, radius) = (bounds.center(), bounds.half().max_element());
        for level in &self.levels {
            level.around(bounds, |ball| {
                let reach = radius + ball.radius;
                if ball.center.distance_squared(center) <= reach * reach {
                    found(ball.place);
                }
            });
        }
    }
}

impl Level {
    /// Edge of a cell, m.
    fn edge(&self) -> f64 {
        2.0 * self.radius
    }

    /// Sorts the balls by bucket.
    fn sort(&mut self) {
        self.starts = vec![0; self.balls.len().next_power_of_two() + 1];
        for ball in &self.balls {
            let bucket = self.bucket(ball.cell);
            self.starts[bucket + 1] += 1;
        }
        (1..self.starts.len()).for_each(|row| self.starts[row] += self.starts[row - 1]);
        let (unsorted, mut next) = (self.balls.clone(), self.starts.clone());
        for ball in unsorted {
            let row = &mut next[self.bucket(ball.cell)];
            self.balls[*row as usize] = ball;
            *row += 1;
        }
    }

    /// Calls `found` with all balls whose centres are in the box enlarged by their radii, and perhaps with others.
    #[inline]
    fn around(&self, bounds: &Aabb, mut found: impl FnMut(&Ball)) {
        let [low, high] = [bounds.min - self.radius, bounds.max + self.radius].map(|corner| cell(corner, self.edge()));
        if cells_between(low, high) > self.balls.len() as f64 {
            return self.balls.iter().for_each(found);
        }
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let (cell, bucket) = ([x, y, z], self.bucket([x, y, z]));
                    let balls = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
                    self.balls[balls].iter().filter(|ball| ball.cell == cell).for_each(&mut found);
                }
            }
        }
    }

    #[inline]
    fn bucket(&self, cell: [i64; 3]) -> usize {
        let [x, y, z] = cell.map(|number| number as u64);
        let hash = x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ z.wrapping_mul(83_492_791);
        hash as usize & (self.starts.len() - 2)
    }
}

/// The next power of two above a positive number.
fn power_above(number: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    2.0 * f64::from_bits(number.to_bits() & !MANTISSA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn all_balls_in_reach_are_found_whatever_their_sizes_and_places() {
        for (seed, count, edge, sizes) in [
            (1, 300, 3.0, [0.1, 0.2]),
            (2, 300, 3.0, [0.01, 1.5]),
            (3, 200, 1e-9, [1e-10, 2e-10]),
            (4, 40, 1e60, [0.5, 2.0]),
            (5, 1, 1.0, [1.0, 1.0]),
        ] {
            let mut random = Random::new(seed);
            let balls: Vec<(DVec3, f64)> =
                (0..count).map(|_| (random.vector(edge), random.between(sizes[0], sizes[1]))).collect();
            let grid = MemberGrid::new(balls.iter().copied());
            assert!(balls.iter().all(|ball| ball.1 <= grid.reach()));
            for _ in 0..50 {
                let (center, radius) = (random.vector(edge), random.between(sizes[0], sizes[1]));
                let mut found = Vec::new();
                grid.overlapping(&Aabb::around(center, DVec3::splat(radius)), |place| found.push(place));
                found.sort_unstable();
                let overlaps = |&place: &usize| balls[place].0.distance(center) <= balls[place].1 + radius;
                assert_eq!(found, (0..balls.len()).filter(overlaps).collect::<Vec<_>>(), "{seed}");
            }
        }
    }
}
