//! Ray casts: the bodies that a ray meets, the first or all in order.
//!
//! Bodies stand still as they are at the present. The tests of a ray and a solid are in
//! [`geometry::cast`](crate::geometry::cast).

use std::collections::BTreeSet;

use glam::DVec3;

use super::{Best, Candidate, Rank, Sight, Spot, is_direction, moderate};
use crate::dynamics::Stepper;
use crate::dynamics::broadphase::hash_grid::CarriedBox;
use crate::geometry::cast::{
    AabbCaster, Crossing, Faces, Side, TriangleCaster, ray_aabb, ray_arc, ray_half_space, ray_sphere,
};
use crate::geometry::{Aabb, GridHit, Mesh, Ray, Shape, Start};

/// The point where a ray meets a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// The body, and the point.
    pub spot: Spot,
    /// The parameter of the ray, in lengths of its direction; 0 if it begins in the body.
    pub t: f64,
    /// Unit normal of the body's surface, out of the body; for a triangle of a mesh, on the side of the ray's origin.
    /// If the ray begins in the body, the normal is along the shortest way out.
    pub normal: DVec3,
    /// The relation of the ray's origin to the body. No ray begins inside a mesh: its triangles are surfaces.
    pub start: Start,
}

/// A hit without the body.
#[derive(Clone, Copy)]
struct RayMeeting {
    t: f64,
    normal: DVec3,
    start: Start,
}

impl From<Crossing> for RayMeeting {
    fn from(Crossing { enter: t, normal, start, .. }: Crossing) -> Self {
        Self { t, normal, start }
    }
}

impl Stepper {
    /// The first body that a ray meets, up to the parameter `until` (inclusive; may be infinite).
    ///
    /// A ray meets a body when it enters it: a ray that only touches a solid does not meet it, as in
    /// [`cast_sphere`](Self::cast_sphere), unless it runs in the plane of a box's face. A ray that begins in a body
    /// meets it at 0. A mesh is met from both sides, also if it is closed. A ray in the plane of a triangle does not
    /// meet the triangle. See [`cast`](crate::geometry::cast) for all cases.
    pub fn cast_ray(&self, ray: &Ray, until: f64, sight: &Sight<'_>) -> Option<RayHit> {
        let mut best = Best(None);
        self.cast(ray, until, sight, |rank, hit, _| {
            best.offer(rank, hit);
            hit.t
        });
        best.answer()
    }

    /// All bodies that a ray meets, up to the parameter `until`, in order.
    ///
    /// As [`cast_ray`](Self::cast_ray). Each body is returned once, with the point where the ray first meets it; in a
    /// periodic space, once for each of its images.
    pub fn cast_ray_all(&self, ray: &Ray, until: f64, sight: &Sight<'_>) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.cast(ray, until, sight, |rank, hit, until| {
            hits.push((rank, hit));
            until
        });
        hits.sort_unstable_by(|x, y| x.0.order(&y.0));
        let mut met = BTreeSet::new();
        hits.retain(|(rank, _)| met.insert(rank.body()));
        hits.into_iter().map(|(_, hit)| hit).collect()
    }

    /// Calls `take` with each hit and the present bound of the parameter; `take` returns the new bound.
    fn cast(&self, ray: &Ray, until: f64, sight: &Sight<'_>, mut take: impl FnMut(Rank, RayHit, f64) -> f64) {
        if !moderate(ray.origin) || !is_direction(ray.direction) || until.is_nan() || until < 0.0 {
            return;
        }
        let carried = CarriedBox { ray: *ray, half: DVec3::ZERO, from: 0.0, until };
        self.along(&carried, sight, |found, until| {
            let solid = match self.sim.scene.rows.shape(found.id) {
                Shape::Sphere(radius) => ray_sphere(ray, found.position, radius.get(), until),
                Shape::Box(half) => ray_aabb(ray, &Aabb::around(found.position, half.get()), until),
                Shape::Plane(plane) => {
                    ray_half_space(&Ray { origin: ray.origin - found.position, ..*ray }, plane, until)
                }
                Shape::Arc(arc) => {
                    let Some((t, normal)) = ray_arc(ray, found.position, arc, until) else { return until };
                    return offer(ray, &found, 0, RayMeeting { t, normal, start: Start::Apart }, until, &mut take);
                }
                Shape::Mesh(mesh) => return meet_mesh(ray, &found, mesh, until, &mut take),
                Shape::Grid(grid) => {
                    let seen = Ray { origin: ray.origin - found.position, ..*ray };
                    let Some(GridHit { t, cell, normal, start }) = grid.cast_ray(&seen, until) else { return until };
                    return offer(ray, &found, cell, RayMeeting { t, normal, start }, until, &mut take);
                }
            };
            match solid {
                Some(met) => offer(ray, &found, 0, met.into(), until, &mut take),
                None => until,
            }
        });
    }
}

#[inline]
fn offer(
    ray: &Ray,
    found: &Candidate,
    primitive: u32,
    met: RayMeeting,
    until: f64,
    take: &mut impl FnMut(Rank, RayHit, f64) -> f64,
) -> f64 {
    let RayMeeting { t, normal, start } = met;
    let spot = Spot { body: found.id, primitive, position: found.position, point: ray.at(t) };
    take(Rank::new(t, found, primitive), RayHit { spot, t, normal, start }, until)
}

/// Offers all triangles that are hit, the nearer part of the mesh first.
fn meet_mesh(
    ray: &Ray,
    found: &Candidate,
    mesh: &Mesh,
    until: f64,
    take: &mut impl FnMut(Rank, RayHit, f64) -> f64,
) -> f64 {
    let seen = Ray { origin: ray.origin - found.position, ..*ray };
    let (boxes, triangles) = (AabbCaster::new(&seen), TriangleCaster::new(&seen));
    let mut until = until;
    mesh.tree().nearest_first(
        until,
        |bounds| boxes.entry(bounds),
        |triangle, _| {
            let solid = &mesh.triangles()[triangle as usize];
            if let Some(hit) = triangles.cast(solid, Faces::Both, until) {
                let front = mesh.facet(mesh.facet_of(triangle)).normal;
                let normal = if hit.side == Side::Front { front } else { -front };
                let start = if hit.t > 0.0 { Start::Apart } else { Start::Touching };
                let met = RayMeeting { t: hit.t, normal, start };
                until = offer(ray, found, mesh.source_row(triangle), met, until, take);
            }
            until
        },
    );
    until
}
