//! A mesh: many triangles as one obstacle.
//!
//! Vertices at the same place are one vertex. So separate triangles (STL) have the same edges as an indexed list (OBJ).
//! Neighbouring triangles in one plane form a *facet*, which has one normal and one offset for all of them, so an edge
//! inside a facet has no effect on a body that slides or bounces there. A bounding volume tree finds the triangles near
//! a place, a ray or a motion.

mod error;
mod facets;
pub(crate) mod lines;
mod orient;
mod prism;
mod query;
#[cfg(feature = "serde")]
mod saved;
mod weld;

use glam::{DVec2, DVec3};

use super::{Aabb, Tree, Triangle};
use crate::numeric::quantity::is_moderate;

pub use error::MeshError;
pub use facets::Facet;
pub use lines::Lines;

/// Triangles that form one obstacle, relative to the position of their body.
///
/// ```
/// use carom::geometry::{Mesh, Outline, Ray};
/// use carom::glam::DVec3;
///
/// // The corner of a cube, cut off: a solid with four faces.
/// let vertices = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0, DVec3::Z * 4.0];
/// let mesh = Mesh::closed(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
/// assert!(mesh.contains(DVec3::ONE) && !mesh.contains(DVec3::splat(2.0)));
/// assert_eq!(Outline::Mesh(&mesh).depth_of(DVec3::new(1.0, 1.0, 0.5)), 0.5);
/// let up = Ray { origin: DVec3::new(1.0, 1.0, -3.0), direction: DVec3::Z };
/// let (triangle, hit) = mesh.cast_ray(&up, f64::INFINITY).unwrap();
/// assert_eq!((triangle, hit.t, hit.normal), (0, 3.0, -DVec3::Z));
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "saved::Saved", try_from = "saved::Saved")
)]
pub struct Mesh {
    triangles: Vec<Triangle>,
    /// The row of each triangle in the input list; triangles without an area are left out.
    sources: Vec<u32>,
    facet_of: Vec<u32>,
    facets: Vec<Facet>,
    tree: Tree,
    bounds: Aabb,
    closed: bool,
    /// In a planar world: its lines in the plane.
    flat: Option<Lines>,
    /// Of a prism its corners in the plane, as they were given; pictures count lengths along it.
    #[cfg_attr(not(feature = "plots"), expect(dead_code, reason = "only pictures show it"))]
    ring: Vec<DVec2>,
}

/// Two meshes are the same if their triangles are; all else that acts follows from these.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        (&self.triangles, &self.sources, self.closed) == (&other.triangles, &other.sources, other.closed)
    }
}

impl Mesh {
    /// The mesh of `triangles`, each given by the rows of its three `vertices` (m).
    ///
    /// Triangles without an area are left out: they are parts of edges of their neighbours.
    ///
    /// ```
    /// use carom::geometry::Mesh;
    /// use carom::glam::DVec3;
    ///
    /// // Two triangles that form a square are one facet.
    /// let vertices = [DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y];
    /// let mesh = Mesh::new(&vertices, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    /// assert_eq!((mesh.triangles().len(), mesh.facet_count()), (2, 1));
    /// assert_eq!(mesh.facet(0).normal, DVec3::Z);
    /// assert!(!mesh.is_closed());
    /// ```
    ///
    /// # Errors
    /// [`MeshError`] when a vertex is not finite, too large or missing, when no triangle has an area, or when there are
    /// too many triangles.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        check(vertices, triangles)?;
        let welded = weld::Welded::new(vertices, triangles);
        let bounds: Vec<_> = welded.triangles.iter().map(Triangle::bounds).collect();
        let Some((first, others)) = bounds.split_first() else { return Err(MeshError::Empty) };
        let (facet_of, facets) = facets::facets(&welded);
        Ok(Self {
            tree: Tree::new(&bounds),
            bounds: others.iter().fold(*first, |whole, part| whole.union(part)),
            triangles: welded.triangles,
            sources: welded.sources,
            facet_of,
            facets,
            closed: false,
            flat: None,
            ring: Vec::new(),
        })
    }

    /// Its lines in the plane z = 0, if every face is upright, or level at one height above or below the plane.
    pub(crate) fn lines(&self) -> Option<Lines> {
        let normal = |row: usize| self.facet(self.facet_of(row as u32)).normal;
        Lines::new(&self.triangles, normal, self.bounds.max.z)
    }

    /// The same mesh for a planar world, in which bodies meet its lines; as it is if it is not upright.
    pub(crate) fn flat(&self) -> Self {
        Self { flat: self.lines(), ..self.clone() }
    }

    /// The lines that bodies meet in a planar world.
    pub(crate) fn flat_lines(&self) -> Option<&Lines> {
        self.flat.as_ref()
    }

    /// Of a [`prism`](Self::prism) its corners in the plane, m, in the order in which they were given; else none.
    #[cfg(feature = "plots")]
    pub(crate) fn ring(&self) -> &[DVec2] {
        &self.ring
    }

    /// The triangles that have an area, in the order in which they were given.
    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    /// The row of a triangle in the list that the mesh was made from.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn source_row(&self, triangle: u32) -> u32 {
        self.sources[triangle as usize]
    }

    /// Which facet a triangle is part of.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub(crate) fn facet_of(&self, triangle: u32) -> u32 {
        self.facet_of[triangle as usize]
    }

    /// What all triangles of a facet have in common.
    ///
    /// # Panics
    /// When there is no such facet.
    #[inline]
    #[doc(hidden)]
    pub fn facet(&self, facet: u32) -> &Facet {
        &self.facets[facet as usize]
    }

    /// How many facets there are.
    #[doc(hidden)]
    pub fn facet_count(&self) -> usize {
        self.facets.len()
    }

    /// The bounding volume tree of the triangles.
    #[doc(hidden)]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The smallest box around all triangles, m.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Whether it is the closed surface of a solid.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

fn check(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    let count = vertices.len();
    let moderate = |v: &DVec3| is_moderate(v.x) && is_moderate(v.y) && is_moderate(v.z);
    if let Some(vertex) = vertices.iter().position(|vertex| !moderate(vertex)) {
        return Err(MeshError::NotFinite { vertex });
    }
    if triangles.len() > 1 << 30 {
        return Err(MeshError::TooMany { count: triangles.len() });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
            return Err(MeshError::NoSuchVertex { triangle, vertex, count });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners and triangles of the unit cube, its normals pointing out.
    fn cube() -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corner = |n: u32| DVec3::new(f64::from(n & 1), f64::from(n >> 1 & 1), f64::from(n >> 2));
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
        ((0..8).map(corner).collect(), quads.into_iter().flat_map(halves).collect())
    }

    #[test]
    fn a_cube_has_six_facets_and_is_closed() {
        let (vertices, triangles) = cube();
        let mesh = Mesh::closed(&vertices, &triangles).unwrap();
        assert_eq!(mesh.facet_count(), 6);
        assert_eq!(*mesh.bounds(), Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        for (row, normal) in [-DVec3::Z, DVec3::Z, -DVec3::Y, DVec3::Y, -DVec3::X, DVec3::X].into_iter().enumerate() {
            let [first, second] = [2 * row as u32, 2 * row as u32 + 1].map(|triangle| mesh.facet_of(triangle));
            assert_eq!(first, second, "the two halves of a face are one facet");
            assert_eq!(mesh.facet(first).normal, normal);
        }
    }

    #[test]
    fn a_soup_of_the_same_triangles_is_the_same_mesh() {
        let (vertices, triangles) = cube();
        let soup: Vec<DVec3> = triangles.iter().flatten().map(|&row| vertices[row as usize]).collect();
        let rows: Vec<[u32; 3]> = (0..12).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
        assert_eq!(Mesh::closed(&soup, &rows), Mesh::closed(&vertices, &triangles));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let (vertices, triangles) = cube();
        let open = Mesh::closed(&vertices, &triangles[1..]);
        assert!(matches!(open, Err(MeshError::NotClosed { .. })), "{open:?}");
        let mut turned = triangles.clone();
        turned[0].swap(0, 1);
        assert!(matches!(Mesh::closed(&vertices, &turned), Err(MeshError::NotClosed { .. })));
        assert!(Mesh::new(&vertices, &turned).is_ok(), "an open mesh may be turned as it likes");
        let missing = Mesh::new(&vertices, &[[0, 1, 8]]);
        assert_eq!(missing, Err(MeshError::NoSuchVertex { triangle: 0, vertex: 8, count: 8 }));
        let flat = [DVec3::ZERO, DVec3::X, DVec3::X * 3.0];
        assert_eq!(Mesh::new(&flat, &[[0, 1, 2]]), Err(MeshError::Empty));
        assert_eq!(Mesh::new(&[DVec3::X * f64::NAN], &[[0; 3]]), Err(MeshError::NotFinite { vertex: 0 }));
    }

    /// Cubes with these edges and centres, and whether each is turned inside out.
    fn cubes(cubes: &[(f64, DVec3, bool)]) -> Result<Mesh, MeshError> {
        let (corners, faces) = cube();
        let corner = |&(size, middle, _): &(f64, DVec3, bool)| {
            corners.iter().map(move |&corner| (corner - 0.5) * size + middle).collect::<Vec<_>>()
        };
        let vertices: Vec<DVec3> = cubes.iter().flat_map(corner).collect();
        let turned = |[a, b, c]: [u32; 3], turn: bool| if turn { [a, c, b] } else { [a, b, c] };
        let rows = cubes.iter().enumerate().flat_map(|(n, &(_, _, turn))| {
            faces.iter().map(move |&face| turned(face, turn).map(|corner| corner + 8 * n as u32))
        });
        Mesh::closed(&vertices, &rows.collect::<Vec<_>>())
    }

    #[test]
    fn a_closed_mesh_faces_outwards_but_around_its_cavities() {
        let (o, far) = (DVec3::splat(1e3), DVec3::X * 9.0);
        let near = o + DVec3::splat(0.125);
        /// Edge, centre, and whether it is turned inside out.
        type Cube = (f64, DVec3, bool);
        let rows: [(&[Cube], Option<usize>); 12] = [
            (&[(1.0, o, false)], None),
            (&[(1.0, o, true)], Some(0)),
            (&[(1.0, o, false), (1.0, o + far, false)], None),
            (&[(1.0, o, false), (1.0, o + far, true)], Some(12)),
            // A hollow cube, in either order, and inside out.
            (&[(4.0, o, false), (2.0, near, true)], None),
            (&[(2.0, near, true), (4.0, o, false)], None),
            (&[(4.0, o, true), (2.0, near, false)], Some(0)),
            (&[(4.0, o, true), (2.0, near, true)], Some(0)),
            // In the cavity there is a solid, and in that a cavity again.
            (&[(4.0, o, false), (2.0, near, true), (1.0, o, false), (0.5, near, true)], None),
            (&[(4.0, o, false), (2.0, near, true), (1.0, o, true)], Some(24)),
            (&[(4.0, o, false), (1.0, o - DVec3::X, true), (1.0, o + DVec3::X, true)], None),
            // Touching along an edge.
            (&[(1.0, o, false), (1.0, o + DVec3::new(1.0, 1.0, 0.0), true)], Some(12)),
        ];
        for (row, wanted) in rows {
            let error = wanted.map(|triangle| MeshError::InsideOut { triangle });
            assert_eq!(cubes(row).err(), error, "{row:?}");
        }
        let hollow = cubes(&[(4.0, o, false), (2.0, near, true)]).unwrap();
        assert!(hollow.contains(o + DVec3::X * 1.5) && !hollow.contains(o));
    }

    #[test]
    fn of_many_cavities_every_one_is_in_the_solid() {
        const COUNT: u32 = 4_000;
        let place = |n: u32| DVec3::new(f64::from(n % 20), f64::from(n / 20 % 20), f64::from(n / 400));
        let whole = (40.0, DVec3::splat(9.5), false);
        let mut rows: Vec<_> = (0..COUNT).map(|n| (0.5, place(n), true)).chain([whole]).collect();
        assert_eq!(cubes(&rows).err(), None);
        // One lies within another cavity, and one outside.
        for (row, stray) in [(1_234, (0.25, place(77), true)), (3_999, (0.5, DVec3::X * 99.0, true))] {
            let kept = std::mem::replace(&mut rows[row], stray);
            assert_eq!(cubes(&rows).err(), Some(MeshError::InsideOut { triangle: 12 * row }));
            rows[row] = kept;
        }
    }

    #[test]
    fn triangles_without_an_area_keep_their_row() {
        let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let mesh = Mesh::new(&vertices, &[[0, 0, 1], [0, 1, 2]]).unwrap();
        assert_eq!((mesh.triangles().len(), mesh.source_row(0)), (1, 1));
    }
}
