//! The overlap of bodies, computed from their positions alone, without data from an engine.

use carom::glam::DVec3;

use crate::scene::{Scene, Shape, Wall};

/// Deepest overlap of any two bodies at these positions, divided by the diameter. It is 0 if no bodies overlap.
pub(crate) fn deepest(scene: &Scene, positions: &[DVec3]) -> f64 {
    let grid = Grid::new(scene, positions);
    let mut deepest = 0.0f64;
    for (a, &position) in positions.iter().enumerate() {
        for wall in &scene.walls {
            deepest = deepest.max(into_wall(scene, a, position, wall));
        }
        for b in grid.near(position).filter(|&b| b < a) {
            deepest = deepest.max(pair(scene, (a, position), (b, positions[b])));
        }
    }
    deepest / (2.0 * scene.radius)
}

/// Overlap of a body and a wall, m; negative if they are apart.
fn into_wall(scene: &Scene, body: usize, position: DVec3, wall: &Wall) -> f64 {
    let reach = match scene.items[body].shape {
        Shape::Ball => scene.radius,
        Shape::Cube => scene.radius * wall.normal.abs().element_sum(),
    };
    reach + wall.offset - wall.normal.dot(position)
}

/// Overlap of two free bodies, m; negative if they are apart.
fn pair(scene: &Scene, (a, place_a): (usize, DVec3), (b, place_b): (usize, DVec3)) -> f64 {
    let (radius, away) = (scene.radius, (place_b - place_a).abs());
    match (scene.items[a].shape, scene.items[b].shape) {
        (Shape::Ball, Shape::Ball) => 2.0 * radius - away.length(),
        (Shape::Cube, Shape::Cube) => 2.0 * radius - away.max_element(),
        // The distance from the centre of the ball to the surface of the cube.
        _ => {
            let outside = away - radius;
            radius - outside.max(DVec3::ZERO).length() - outside.max_element().min(0.0)
        }
    }
}

/// A grid of cells. Each cell is as wide as a body.
struct Grid {
    low: DVec3,
    width: f64,
    cells: [usize; 3],
    /// The index of the first body of each cell, and the total number.
    starts: Vec<usize>,
    bodies: Vec<usize>,
}

impl Grid {
    /// Covers the positions at the start. A body outside this region belongs to a cell at the edge.
    fn new(scene: &Scene, positions: &[DVec3]) -> Self {
        let width = 2.0 * scene.radius;
        let starts = || scene.items.iter().map(|item| item.position);
        let low = starts().fold(DVec3::INFINITY, DVec3::min);
        let high = starts().fold(DVec3::NEG_INFINITY, DVec3::max);
        let cells = ((high - low) / width).to_array().map(|cells| cells as usize + 1);
        let mut grid = Self { low, width, cells, starts: vec![0; cells.iter().product::<usize>() + 1], bodies: vec![] };
        grid.fill(positions);
        grid
    }

    /// Sorts the bodies by cell.
    fn fill(&mut self, positions: &[DVec3]) {
        let cells: Vec<usize> = positions.iter().map(|&position| self.row(self.cell(position))).collect();
        for &cell in &cells {
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        let mut next = self.starts.clone();
        self.bodies = vec![0; positions.len()];
        for (body, &cell) in cells.iter().enumerate() {
            self.bodies[next[cell]] = body;
            next[cell] += 1;
        }
    }

    /// The cell at `position`, or the nearest one.
    fn cell(&self, position: DVec3) -> [usize; 3] {
        let place = ((position - self.low) / self.width).to_array();
        std::array::from_fn(|axis| (place[axis].max(0.0) as usize).min(self.cells[axis] - 1))
    }

    fn row(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    /// The bodies in the cells around `position`.
    fn near(&self, position: DVec3) -> impl Iterator<Item = usize> {
        let cell = self.cell(position);
        let [x, y, z] = [0, 1, 2].map(|axis| cell[axis].saturating_sub(1)..(cell[axis] + 2).min(self.cells[axis]));
        z.flat_map(move |z| y.clone().map(move |y| (y, z))).flat_map(move |(y, z)| {
            let (first, last) = (self.row([x.start, y, z]), self.row([x.end - 1, y, z]));
            self.bodies[self.starts[first]..self.starts[last + 1]].iter().copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Heap, Kind};

    #[test]
    fn the_grid_finds_what_all_pairs_have() {
        for kind in [Kind::Balls, Kind::Cubes, Kind::Mixed] {
            let scene = Scene::heap(&Heap { kind, count: 300, radius: 0.05, friction: 0.0 }, 1);
            let mut positions: Vec<DVec3> = scene.items.iter().map(|item| item.position * 0.8).collect();
            positions[7].z = -90.0;
            positions[8].z = 1e6;
            let count = positions.len();
            let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
            let of_pairs = pairs.map(|(a, b)| pair(&scene, (a, positions[a]), (b, positions[b]))).fold(0.0, f64::max);
            let without_walls = Scene { walls: vec![], ..scene.clone() };
            assert!(of_pairs > 0.0);
            assert_eq!(deepest(&without_walls, &positions), of_pairs / 0.1);
            assert_eq!(deepest(&scene, &positions), (90.0 + 0.05) / 0.1);
        }
    }

    #[test]
    fn overlaps_of_pairs() {
        let scene = Scene::heap(&Heap { kind: Kind::Mixed, count: 2, radius: 0.5, friction: 0.0 }, 1);
        let (ball, cube) = (0, 1);
        let at = |x, y, z| DVec3::new(x, y, z);
        let rows = [
            (ball, at(0.75, 0.0, 0.0), cube, 0.25),
            (ball, at(0.25, 0.0, 0.0), cube, 0.75),
            (ball, at(0.8, 0.9, 0.0), cube, 0.0),
            (ball, at(0.6, 0.0, 0.0), ball, 0.4),
            (cube, at(0.6, 0.9, 0.2), cube, 0.1),
        ];
        for (a, away, b, wanted) in rows {
            for away in [away, -away] {
                let found = pair(&scene, (a, away), (b, DVec3::ZERO));
                assert!((found - wanted).abs() < 1e-15, "{a} {away} {b}: {found}");
            }
        }
    }
}
