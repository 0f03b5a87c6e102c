//! Rays through the scene.

use glam::DVec3;

use super::{Best, Found, Rank, Sight, Spot, Stepper, is_direction, is_place};
use crate::dynamics::grid::Way;
use crate::geometry::cast::{
    AabbCaster, Faces, Origin, PlaneCast, Side, TriangleCaster, ray_aabb, ray_plane, ray_sphere,
};
use crate::geometry::{Aabb, Mesh, Plane, Ray, Shape, Solid, gap, unit};

/// Where a ray meets a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// What is hit, and where.
    pub spot: Spot,
    /// The parameter of the ray, in lengths of its direction; 0 if it begins in the body.
    pub t: f64,
    /// Unit normal of the body's surface, out of the body; of a mesh's triangle, on the side from which the ray comes.
    /// If the ray begins in the body it points along the shortest way out.
    pub normal: DVec3,
    /// Where the ray begins, seen from the body. Nothing begins inside a mesh: its triangles are sheets.
    pub origin: Origin,
}

/// A hit as the solid itself sees it.
#[derive(Clone, Copy)]
struct Meeting {
    t: f64,
    normal: DVec3,
    origin: Origin,
}

impl Stepper {
    /// The first body that a ray meets, no farther than the parameter `until` (which counts, and may be infinite).
    ///
    /// Bodies are closed: a ray that only touches one meets it. One that begins in a body meets it at 0. A mesh is met
    /// from both sides, also if it is closed; a ray in the plane of a triangle passes it.
    pub fn cast_ray(&self, ray: &Ray, until: f64, sight: &Sight) -> Option<RayHit> {
        let mut best = Best(None);
        self.cast(ray, until, sight, |rank, hit, _| {
            best.offer(rank, hit);
            hit.t
        });
        best.answer()
    }

    /// All bodies that a ray meets, no farther than the parameter `until`, in the order in which it meets them.
    ///
    /// As [`cast_ray`](Self::cast_ray). Each body comes once, where the ray enters it; of a mesh come all triangles,
    /// both of two if the ray goes through their common edge.
    pub fn cast_ray_all(&self, ray: &Ray, until: f64, sight: &Sight) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.cast(ray, until, sight, |rank, hit, until| {
            hits.push((rank, hit));
            until
        });
        hits.sort_unstable_by(|x, y| x.0.order(&y.0));
        hits.dedup_by(|x, y| x.0 == y.0);
        hits.into_iter().map(|(_, hit)| hit).collect()
    }

    /// Calls `take` with hits and the parameter up to which it is looked; `take` returns the one that holds from now on.
    fn cast(&self, ray: &Ray, until: f64, sight: &Sight, mut take: impl FnMut(Rank, RayHit, f64) -> f64) {
        if !is_place(ray.origin) || !is_direction(ray.direction) || until.is_nan() || until < 0.0 {
            return;
        }
        let way = Way { ray: *ray, half: DVec3::ZERO, from: 0.0, until };
        self.on_way(&way, sight, |found, until| {
            let solid = match self.scene.rows.shape(found.id) {
                Shape::Sphere(radius) => meet_sphere(ray, found.position, radius.get()),
                Shape::Box(half) => meet_box(ray, found.position, half.get()),
                Shape::Plane(plane) => meet_half_space(ray, found.position, plane),
                Shape::Mesh(mesh) => return meet_mesh(ray, &found, mesh, until, &mut take),
            };
            match solid.filter(|met| met.t <= until) {
                Some(met) => offer(ray, &found, 0, met, until, &mut take),
                None => until,
            }
        });
    }
}

#[inline]
fn offer(
    ray: &Ray,
    found: &Found,
    primitive: u32,
    met: Meeting,
    until: f64,
    take: &mut impl FnMut(Rank, RayHit, f64) -> f64,
) -> f64 {
    let Meeting { t, normal, origin } = met;
    let spot = Spot { body: found.id, primitive, position: found.position, point: ray.at(t) };
    take(Rank::new(t, found, primitive), RayHit { spot, t, normal, origin }, until)
}

fn meet_sphere(ray: &Ray, center: DVec3, radius: f64) -> Option<Meeting> {
    let crossing = ray_sphere(ray, center, radius)?;
    if crossing.origin != Origin::Outside {
        return Some(at_start(ray, center, Solid::Sphere(radius), crossing.origin));
    }
    let normal = unit(ray.at(crossing.enter) - center).unwrap_or(DVec3::X);
    Some(Meeting { t: crossing.enter, normal, origin: Origin::Outside })
}

fn meet_box(ray: &Ray, center: DVec3, half: DVec3) -> Option<Meeting> {
    let crossing = ray_aabb(ray, &Aabb::around(center, half))?;
    if crossing.origin != Origin::Outside {
        return Some(at_start(ray, center, Solid::Box(half), crossing.origin));
    }
    Some(Meeting { t: crossing.enter, normal: crossing.normal, origin: Origin::Outside })
}

/// The meeting of a ray with the solid in which it begins.
fn at_start(ray: &Ray, center: DVec3, solid: Solid<'_>, origin: Origin) -> Meeting {
    let way_in = gap(Solid::Sphere(0.0), solid, center - ray.origin).map_or(DVec3::X, |gap| gap.normal);
    Meeting { t: 0.0, normal: -way_in, origin }
}

fn meet_half_space(ray: &Ray, position: DVec3, plane: &Plane) -> Option<Meeting> {
    let ray = Ray { origin: ray.origin - position, ..*ray };
    let height = plane.distance(ray.origin);
    let begin = |origin| Some(Meeting { t: 0.0, normal: plane.normal(), origin });
    match ray_plane(&ray, plane, Faces::Front) {
        _ if height < 0.0 => begin(Origin::Inside),
        _ if height == 0.0 => begin(Origin::Surface),
        PlaneCast::Hit { t, .. } => Some(Meeting { t, normal: plane.normal(), origin: Origin::Outside }),
        PlaneCast::Parallel | PlaneCast::Coincident | PlaneCast::Miss => None,
    }
}

/// Offers all triangles that are hit, the nearer part of the mesh first.
fn meet_mesh(
    ray: &Ray,
    found: &Found,
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
                let origin = if hit.t > 0.0 { Origin::Outside } else { Origin::Surface };
                let met = Meeting { t: hit.t, normal, origin };
                until = offer(ray, found, mesh.source_row(triangle), met, until, take);
            }
            until
        },
    );
    until
}
