//! An upright mesh in the plane z = 0: the lines in which its faces cut the plane.
//!
//! The triangles of an upright face have an edge across it, at an angle. In the plane there is no such edge: a part is
//! the whole line between two corners, as a triangle without area, and every normal is in the plane to the bit.

use glam::DVec3;

use crate::geometry::{Aabb, Tree, Triangle};

/// The lines of an upright mesh.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Lines {
    parts: Vec<Triangle>,
    /// The upright triangle that each of them is of.
    rows: Vec<u32>,
    tree: Tree,
}

/// The line under an upright triangle: its ends as a key, the row, and the line as a triangle.
fn line(triangle: &Triangle, row: usize) -> ([u64; 4], usize, Triangle) {
    let [a, b, c] = triangle.vertices().map(|vertex| vertex.with_z(0.0));
    let other = if b == a { c } else { b };
    let key = |place: DVec3| [place.x.to_bits(), place.y.to_bits()];
    let [one, two] = [key(a).min(key(other)), key(a).max(key(other))];
    ([one[0], one[1], two[0], two[1]], row, Triangle { a, b: other, c: other })
}

impl Lines {
    /// The lines of a mesh of `triangles` that reaches up to `height` (m), given with the normals of their facets, if
    /// every face is upright, or level at this height above or below the plane.
    pub(super) fn new(triangles: &[Triangle], normal: impl Fn(usize) -> DVec3, height: f64) -> Option<Self> {
        let is_prism = |row: usize| {
            let ends = triangles[row].vertices().into_iter().all(|vertex| vertex.z.abs() == height);
            ends && (normal(row).z == 0.0 || normal(row).z.abs() == 1.0)
        };
        if height <= 0.0 || !(0..triangles.len()).all(is_prism) {
            return None;
        }
        let upright = (0..triangles.len()).filter(|&row| normal(row).z == 0.0);
        let mut found: Vec<([u64; 4], usize, Triangle)> = upright.map(|row| line(&triangles[row], row)).collect();
        // Two triangles of one face give one line.
        found.sort_by_key(|&(ends, row, _)| (ends, row));
        found.dedup_by_key(|&mut (ends, ..)| ends);
        found.sort_by_key(|&(_, row, _)| row);
        let parts: Vec<Triangle> = found.iter().map(|&(.., part)| part).collect();
        let bounds: Vec<Aabb> = parts.iter().map(Triangle::bounds).collect();
        let rows = found.iter().map(|&(_, row, _)| row as u32).collect();
        (!parts.is_empty()).then(|| Self { tree: Tree::new(&bounds), parts, rows })
    }

    /// The lines, each as a triangle without area.
    pub(crate) fn parts(&self) -> &[Triangle] {
        &self.parts
    }

    /// The triangle that a line is of.
    pub(crate) fn row(&self, part: u32) -> u32 {
        self.rows[part as usize]
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }
}

/// The direction across a line in the plane, as the test of a box against it computes it.
pub(crate) fn across(line: &Triangle) -> DVec3 {
    let direction = (line.b - line.a).cross(DVec3::Z);
    direction / direction.length()
}
