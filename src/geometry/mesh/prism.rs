//! Meshes of lines and polygons in the plane z = 0, drawn out along z.

use std::collections::BTreeSet;

use glam::{DVec2, DVec3};

use super::{Mesh, MeshError};
use crate::geometry::polytope::convex_parts;

/// Most edges of a convex part of a polygon: as many as it has.
const WHOLE: usize = usize::MAX;

impl Mesh {
    /// A wall along the line through `points` (m), from `half_height` (m) below the plane z = 0 to as far above it. It
    /// can be met from both sides.
    ///
    /// ```
    /// use carom::geometry::Mesh;
    /// use carom::glam::{DVec2, DVec3};
    ///
    /// let corner = Mesh::wall(&[DVec2::Y * 3.0, DVec2::ZERO, DVec2::X * 4.0], 1.0).unwrap();
    /// assert_eq!((corner.triangles().len(), corner.facet_count()), (4, 2));
    /// assert!((corner.nearest(DVec3::new(1.0, 2.0, 0.0)).unwrap().1 - DVec3::Y * 2.0).length() < 1e-15);
    /// ```
    ///
    /// # Errors
    /// [`MeshError`] as of [`new`](Self::new): without two different points there is no area.
    pub fn wall(points: &[DVec2], half_height: f64) -> Result<Self, MeshError> {
        let edges = points.windows(2).map(|ends| [ends[0], ends[1]]);
        let corners: Vec<DVec3> = edges.flat_map(|edge| upright(edge, half_height)).collect();
        Self::new(&corners, &separate(corners.len()))
    }

    /// The solid between a polygon in the plane z = −`half_height` (m) and its copy in z = `half_height`. Its `corners`
    /// (m) may go around in either direction.
    ///
    /// ```
    /// use carom::geometry::Mesh;
    /// use carom::glam::{DVec2, DVec3};
    ///
    /// let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [1.0, 1.0]].map(DVec2::from);
    /// let prism = Mesh::prism(&corners, 0.5).unwrap();
    /// assert_eq!((prism.is_closed(), prism.facet_count()), (true, 6));
    /// assert!(prism.contains(DVec3::new(3.0, 1.0, 0.25)) && !prism.contains(DVec3::new(1.0, 2.0, 0.0)));
    /// ```
    ///
    /// # Errors
    /// [`MeshError::Outline`] for a polygon that crosses or touches itself or encloses no area, and those of
    /// [`closed`](Self::closed).
    pub fn prism(corners: &[DVec2], half_height: f64) -> Result<Self, MeshError> {
        let parts = convex_parts(corners, WHOLE)?;
        let edges = || parts.iter().flat_map(|part| (0..part.len()).map(|k| [part[k], part[(k + 1) % part.len()]]));
        let bits = |[from, to]: [DVec2; 2]| [from.x, from.y, to.x, to.y].map(f64::to_bits);
        let inner: BTreeSet<[u64; 4]> = edges().map(|[from, to]| bits([to, from])).collect();
        let sides = edges().filter(|&edge| !inner.contains(&bits(edge)));
        let mut places: Vec<DVec3> = sides.flat_map(|edge| upright(edge, half_height)).collect();
        for part in &parts {
            for k in 1..part.len() - 1 {
                let [a, b, c] = [part[0], part[k], part[k + 1]];
                places.extend([a, b, c].map(|corner| corner.extend(half_height)));
                places.extend([a, c, b].map(|corner| corner.extend(-half_height)));
            }
        }
        Ok(Self { ring: corners.to_vec(), ..Self::closed(&places, &separate(places.len()))? })
    }
}

/// The two triangles of a rectangle over an edge. It faces to the right of the edge.
fn upright([from, to]: [DVec2; 2], half_height: f64) -> [DVec3; 6] {
    let [low, high] = [-half_height, half_height];
    let [a, b, c, d] = [from.extend(low), to.extend(low), to.extend(high), from.extend(high)];
    [a, b, c, a, c, d]
}

/// Triangles of three corners each.
fn separate(corners: usize) -> Vec<[u32; 3]> {
    (0..corners as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::polytope::LassoError;

    #[test]
    fn every_polygon_is_a_closed_prism_with_upright_sides() {
        let rows: [&[[f64; 2]]; 4] = [
            &[[0.0, 0.0], [1.0, 0.0], [0.3, 0.7]],
            &[[-2.0, 2.0], [-1.0, 0.0], [-2.0, -2.0], [2.0, 0.0]],
            &[[0.0, 0.0], [5.0, 0.0], [5.0, 2.0], [4.0, 0.5], [3.0, 2.0], [2.0, 0.5], [1.0, 2.0], [0.0, 0.5]],
            // A point in the middle of an edge.
            &[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 1.1], [0.0, 1.7]],
        ];
        for row in rows {
            let mut corners: Vec<DVec2> = row.iter().copied().map(DVec2::from).collect();
            let area = |corners: &[DVec2]| -> f64 {
                (0..corners.len()).map(|k| 0.5 * corners[k].perp_dot(corners[(k + 1) % corners.len()])).sum()
            };
            let wanted = area(&corners).abs() * 0.7;
            for _ in 0..2 {
                let prism = Mesh::prism(&corners, 0.35).unwrap();
                let volume: f64 = prism
                    .triangles()
                    .iter()
                    .map(|t| t.vertices()[0].dot(t.vertices()[1].cross(t.vertices()[2])) / 6.0)
                    .sum();
                assert!((volume - wanted).abs() < 1e-14 * wanted.max(1.0), "{row:?} {volume} {wanted}");
                for facet in 0..prism.facet_count() as u32 {
                    let z = prism.facet(facet).normal.z;
                    assert!(z == 0.0 || z.abs() == 1.0, "{row:?} {z}");
                }
                corners.reverse();
            }
        }
    }

    #[test]
    fn what_is_no_polygon_is_named() {
        let of = |corners: &[[f64; 2]]| Mesh::prism(&corners.iter().copied().map(DVec2::from).collect::<Vec<_>>(), 1.0);
        let crossed = of(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]);
        assert!(matches!(crossed, Err(MeshError::Outline(LassoError::Crosses { .. }))), "{crossed:?}");
        assert_eq!(of(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), Err(MeshError::Outline(LassoError::NoArea)));
        assert_eq!(Mesh::wall(&[DVec2::ONE], 1.0), Err(MeshError::Empty));
        assert_eq!(Mesh::wall(&[DVec2::ONE, DVec2::ONE], 1.0), Err(MeshError::Empty));
    }
}
