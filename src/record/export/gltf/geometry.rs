//! Triangles with normals: a ball of radius 1, and the surfaces of other solids.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use crate::record::export::surface::Surface;

/// How often each triangle of an icosahedron is divided into four: 1280 triangles.
const DIVISIONS: usize = 3;

/// Corners, their normals, and triangles as indices of corners.
#[derive(Debug, Default)]
pub(super) struct Triangles {
    pub(super) corners: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) rows: Vec<u32>,
}

impl Triangles {
    /// A ball of radius 1: an icosahedron whose triangles are divided, with all corners moved to the sphere.
    pub(super) fn ball() -> Self {
        let (mut corners, mut triangles) = icosahedron();
        for _ in 0..DIVISIONS {
            let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
            let mut middle = |a: u32, b: u32| {
                *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    corners.push((corners[a as usize] + corners[b as usize]).normalize());
                    corners.len() as u32 - 1
                })
            };
            let divided = triangles.iter().flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            });
            triangles = divided.collect();
        }
        let corners: Vec<Vec3> = corners.into_iter().map(DVec3::as_vec3).collect();
        Self { normals: corners.clone(), corners, rows: triangles.into_iter().flatten().collect() }
    }

    /// Flat polygons, each with its own corners.
    pub(super) fn flat(surface: &Surface) -> Self {
        let mut all = Self::default();
        for polygon in &surface.polygons {
            let corners: Vec<DVec3> = polygon.iter().map(|&row| surface.corners[row as usize]).collect();
            let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let first = all.corners.len() as u32;
            all.normals.extend(corners.iter().map(|_| across.normalize().as_vec3().normalize()));
            all.corners.extend(corners.iter().map(|corner| corner.as_vec3()));
            all.rows.extend((1..corners.len() as u32 - 1).flat_map(|row| [first, first + row, first + row + 1]));
        }
        all
    }
}

/// Its corners on the unit sphere, at the corners of three golden rectangles, and its triangles seen from outside.
fn icosahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for (a, b) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
        corners.extend([DVec3::new(0.0, a, b), DVec3::new(a, b, 0.0), DVec3::new(b, 0.0, a)]);
    }
    let is_edge = |a: usize, b: usize| corners[a].distance(corners[b]) < 2.1;
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if is_edge(a, b) && is_edge(b, c) && is_edge(c, a) {
                    let outwards = corners[a].dot(corners[b].cross(corners[c])) > 0.0;
                    let [b, c] = if outwards { [b, c] } else { [c, b] };
                    triangles.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    (corners.into_iter().map(DVec3::normalize).collect(), triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_is_round_and_looks_outwards() {
        let ball = Triangles::ball();
        assert_eq!((ball.corners.len(), ball.rows.len()), (642, 3 * 1280));
        assert!(ball.corners.iter().all(|corner| (corner.length() - 1.0).abs() < 1e-6));
        for row in ball.rows.chunks(3) {
            let [a, b, c] = [row[0], row[1], row[2]].map(|row| ball.corners[row as usize]);
            assert!((b - a).cross(c - a).dot(a) > 0.0);
        }
    }
}
