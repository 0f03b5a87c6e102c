//! Rays against a mesh, and whether a point is inside one that is closed.

use glam::DVec3;

use super::Mesh;
use crate::geometry::cast::{AabbCaster, Faces, Side, TriangleCaster, TriangleHit};
use crate::geometry::closest::point_on_triangle;
use crate::geometry::{Aabb, Ray};

impl Mesh {
    /// Where a ray, given in the frame of the mesh's body, first hits a triangle from either side, no farther than the
    /// parameter `until`: the triangle and the hit. If several triangles are hit at the same parameter, for example at
    /// a shared edge, the result is the first of them.
    pub fn cast_ray(&self, ray: &Ray, until: f64) -> Option<(u32, TriangleHit)> {
        let (boxes, triangles) = (AabbCaster::new(ray), TriangleCaster::new(ray));
        let mut first: Option<(u32, TriangleHit)> = None;
        self.tree.nearest_first(
            until,
            |bounds| boxes.entry(bounds),
            |triangle, until| {
                let Some(hit) = triangles.cast(&self.triangles[triangle as usize], Faces::Both, until) else {
                    return until;
                };
                if first.is_none_or(|(before, nearest)| (hit.t, triangle) < (nearest.t, before)) {
                    first = Some((triangle, hit));
                }
                hit.t
            },
        );
        first
    }

    /// The triangle nearest to `point`, given in the frame of the mesh's body, and its nearest point, m. If several
    /// triangles are equally near, the result is the first of them. `None` for a point that is not finite.
    pub fn nearest(&self, point: DVec3) -> Option<(u32, DVec3)> {
        let mut first: Option<(f64, u32, DVec3)> = None;
        self.tree.nearest_first(
            f64::INFINITY,
            |bounds| squared_distance(bounds, point),
            |triangle, best| {
                let near = point_on_triangle(point, &self.triangles[triangle as usize]).point;
                let squared = near.distance_squared(point);
                if first.is_none_or(|(least, before, _)| (squared, triangle) < (least, before)) {
                    first = Some((squared, triangle, near));
                    return squared;
                }
                best
            },
        );
        first.filter(|(squared, ..)| squared.is_finite()).map(|(_, triangle, near)| (triangle, near))
    }

    /// Whether `point`, given in the frame of the mesh's body, is inside a closed mesh or on its surface. Nothing is
    /// inside an open one.
    ///
    /// A ray is cast towards the middle of the nearest triangle, so it certainly hits a triangle. The side from which
    /// it hits the first triangle decides.
    pub fn contains(&self, point: DVec3) -> bool {
        let bounds = &self.bounds;
        let near = self.closed && point.cmpge(bounds.min).all() && point.cmple(bounds.max).all();
        let Some((nearest, place)) = near.then(|| self.nearest(point)).flatten() else { return false };
        let triangle = &self.triangles[nearest as usize];
        let direction = (triangle.a + triangle.b + triangle.c) / 3.0 - point;
        let hit = self.cast_ray(&Ray { origin: point, direction }, f64::INFINITY);
        place == point || hit.is_none_or(|(_, hit)| hit.side == Side::Back)
    }
}

/// Squared distance of a point from a box, m².
fn squared_distance(bounds: &Aabb, point: DVec3) -> f64 {
    point.clamp(bounds.min, bounds.max).distance_squared(point)
}
