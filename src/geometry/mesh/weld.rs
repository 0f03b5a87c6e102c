//! Triangles with shared vertices and edges.

use std::cmp::Ordering;

use glam::DVec3;

use super::error::MeshError;
use crate::geometry::{Triangle, unit};

/// Triangles with an area, and the numbers of their corners. Equal numbers mean equal places.
pub(super) struct Welded {
    pub(super) triangles: Vec<Triangle>,
    pub(super) sources: Vec<u32>,
    corners: Vec<[u32; 3]>,
}

/// One side of one triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// Its two ends, the smaller number first.
    ends: [u32; 2],
    pub(super) triangle: u32,
    /// Whether the triangle runs from the smaller end to the larger.
    upwards: bool,
}

impl Welded {
    /// `triangles` must refer to existing vertices.
    pub(super) fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        // Adding zero turns −0 into 0, which is the same place.
        let places: Vec<DVec3> = vertices.iter().map(|&vertex| vertex + DVec3::ZERO).collect();
        let number = numbers(&places);
        let mut welded = Self { triangles: Vec::new(), sources: Vec::new(), corners: Vec::new() };
        for (row, corners) in triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|corner| places[corner as usize]);
            let triangle = Triangle { a, b, c };
            if unit(triangle.cross()).is_some() {
                welded.triangles.push(triangle);
                welded.sources.push(row as u32);
                welded.corners.push(corners.map(|corner| number[corner as usize]));
            }
        }
        welded
    }

    /// The sides of all triangles. Those along the same edge are next to each other.
    pub(super) fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<Side> = Vec::with_capacity(3 * self.corners.len());
        for (row, corners) in self.corners.iter().enumerate() {
            for start in 0..3 {
                let (from, to) = (corners[start], corners[(start + 1) % 3]);
                let ends = [from.min(to), from.max(to)];
                sides.push(Side { ends, triangle: row as u32, upwards: from < to });
            }
        }
        sides.sort_unstable();
        sides
    }

    /// Whether along every edge as many triangles run in one direction as in the other.
    pub(super) fn check_closed(&self) -> Result<(), MeshError> {
        let sides = self.sides();
        for same in sides.chunk_by(|one, other| one.ends == other.ends) {
            let upwards = same.iter().filter(|side| side.upwards).count();
            if 2 * upwards != same.len() {
                let lonely = same.iter().find(|side| side.upwards == (2 * upwards > same.len())).unwrap_or(&same[0]);
                return Err(self.not_closed(lonely));
            }
        }
        Ok(())
    }

    fn not_closed(&self, side: &Side) -> MeshError {
        let row = side.triangle as usize;
        let end = |number: u32| {
            let place = self.corners[row].iter().position(|&corner| corner == number).unwrap_or_default();
            self.triangles[row].vertices()[place]
        };
        let [low, high] = side.ends.map(end);
        let (from, to) = if side.upwards { (low, high) } else { (high, low) };
        MeshError::NotClosed { triangle: self.sources[row] as usize, from, to }
    }

    /// Pairs of triangles that share an edge which no other triangle has.
    pub(super) fn neighbours(&self) -> Vec<[u32; 2]> {
        let sides = self.sides();
        let edges = sides.chunk_by(|one, other| one.ends == other.ends);
        edges.filter(|same| same.len() == 2).map(|same| [same[0].triangle, same[1].triangle]).collect()
    }
}

/// A number for every place: the first row with an equal place.
fn numbers(places: &[DVec3]) -> Vec<u32> {
    let order = |x: &DVec3, y: &DVec3| {
        let by_axis = x.x.total_cmp(&y.x).then(x.y.total_cmp(&y.y));
        by_axis.then(x.z.total_cmp(&y.z))
    };
    let mut rows: Vec<u32> = (0..places.len() as u32).collect();
    rows.sort_unstable_by(|&x, &y| order(&places[x as usize], &places[y as usize]).then(x.cmp(&y)));
    let mut numbers = vec![0; places.len()];
    for same in rows.chunk_by(|&x, &y| order(&places[x as usize], &places[y as usize]) == Ordering::Equal) {
        same.iter().for_each(|&row| numbers[row as usize] = same[0]);
    }
    numbers
}
