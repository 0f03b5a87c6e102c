//! Whether the surfaces of a closed mesh face outwards.
//!
//! A closed mesh consists of surfaces that share no edge. Each encloses a volume, which counts as positive when its
//! triangles are counterclockwise as seen from outside. A surface of negative volume bounds a cavity and must lie in
//! the solid of other surfaces. For example, a hollow ball is a surface that faces outwards and, inside it, one that
//! faces inwards. The surfaces around a surface are counted with their signs, so a ball inside a hollow ball may have a
//! cavity, too.

use glam::DVec3;

use super::Mesh;
use super::error::MeshError;
use super::weld::Welded;
use crate::geometry::{Aabb, Tree, Triangle};
use crate::numeric::connected::{connect, root};
use crate::numeric::tolerance::SEAM_SLACK;

impl Mesh {
    /// The mesh as the surface of a solid. Along every edge, as many triangles run in one direction as in the other; as
    /// a rule these are two triangles. The normals point out of the solid: triangles are counterclockwise as seen from
    /// outside. If there are several surfaces that share no edge, one within the solid of another may face inwards and
    /// bounds a cavity.
    ///
    /// # Errors
    /// [`MeshError::NotClosed`] with the first edge for which this does not hold, [`MeshError::InsideOut`] for a
    /// surface that faces inwards but bounds no cavity, and the errors of [`new`](Self::new).
    pub fn closed(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        let mesh = Self::new(vertices, triangles)?;
        let welded = Welded::new(vertices, triangles);
        welded.check_closed()?;
        check(&welded)?;
        Ok(Self { closed: true, ..mesh })
    }
}

/// Refuses a closed mesh if one of its surfaces faces inwards and bounds no cavity.
fn check(welded: &Welded) -> Result<(), MeshError> {
    let surfaces = surfaces(welded);
    let bounds: Vec<Aabb> = surfaces.iter().map(|surface| surface.bounds).collect();
    let tree = Tree::new(&bounds);
    // The solids of the surfaces, created when they are first needed. Surfaces that face inwards are reversed.
    let mut solids: Vec<Option<Mesh>> = surfaces.iter().map(|_| None).collect();
    for surface in surfaces.iter().filter(|surface| surface.faces_inwards) {
        let place = welded.triangles[surface.rows[0]].a;
        let mut depth = 0;
        tree.touching(&Aabb { min: place, max: place }, |row| {
            let other = &surfaces[row as usize];
            if other.rows[0] != surface.rows[0] && other.is_around(surface) {
                let solid = solids[row as usize].get_or_insert_with(|| other.solid(welded));
                depth += i64::from(solid.contains(place)) * if other.faces_inwards { -1 } else { 1 };
            }
        });
        if depth < 1 {
            return Err(MeshError::InsideOut { triangle: welded.sources[surface.rows[0]] as usize });
        }
    }
    Ok(())
}

/// Triangles that are connected by their edges.
struct Surface {
    /// Rows of its triangles in ascending order; never empty.
    rows: Vec<usize>,
    bounds: Aabb,
    /// Whether the volume that it encloses is negative by more than rounding.
    faces_inwards: bool,
}

impl Surface {
    fn new(welded: &Welded, rows: Vec<usize>) -> Self {
        let triangles = || rows.iter().map(|&row| &welded.triangles[row]);
        let bounds = triangles().map(Triangle::bounds).reduce(|whole, part| whole.union(&part));
        let bounds = bounds.expect("a surface has a triangle");
        let middle = bounds.center();
        // Six times the volume of the tetrahedron between the middle and each triangle.
        let parts = triangles().map(|triangle| (triangle.a - middle).dot(triangle.cross()));
        let (volume, size) = parts.fold((0.0, 0.0), |(sum, size), part| (sum + part, size + part.abs()));
        let grain = SEAM_SLACK * size * (rows.len() as f64).sqrt();
        Self { bounds, faces_inwards: volume < -grain, rows }
    }

    /// Whether its bounding box contains the bounding box of another one.
    fn is_around(&self, other: &Self) -> bool {
        self.bounds.min.cmple(other.bounds.min).all() && self.bounds.max.cmpge(other.bounds.max).all()
    }

    /// The solid that this surface alone encloses.
    fn solid(&self, welded: &Welded) -> Mesh {
        let corners = |&row: &usize| welded.triangles[row].vertices();
        let vertices: Vec<DVec3> = self.rows.iter().flat_map(corners).collect();
        let order = if self.faces_inwards { [0, 2, 1] } else { [0, 1, 2] };
        let triangle = |row: u32| order.map(|corner| 3 * row + corner);
        let triangles: Vec<[u32; 3]> = (0..self.rows.len() as u32).map(triangle).collect();
        let mesh = Mesh::new(&vertices, &triangles).expect("triangles of a mesh make a mesh");
        Mesh { closed: true, ..mesh }
    }
}

/// The surfaces of a mesh, in the order of their first triangles.
fn surfaces(welded: &Welded) -> Vec<Surface> {
    let count = welded.triangles.len();
    let mut first: Vec<usize> = (0..count).collect();
    for [one, other] in welded.neighbours() {
        connect(&mut first, one as usize, other as usize);
    }
    let mut place: Vec<Option<usize>> = vec![None; count];
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for row in 0..count {
        let start = root(&mut first, row);
        let at = *place[start].get_or_insert_with(|| {
            rows.push(Vec::new());
            rows.len() - 1
        });
        rows[at].push(row);
    }
    rows.into_iter().map(|rows| Surface::new(welded, rows)).collect()
}
