//! Region queries: the bodies in a box or a convex polytope.
//!
//! A box is compared with the solids directly. A polytope classifies spheres and boxes, and cuts the faces of boxes and
//! the parts of outlines to find a shared point.

use std::cell::Cell;

use glam::DVec3;

use super::{Candidate, Sight, Spot};
use crate::dynamics::Stepper;
use crate::geometry::polytope::{Bounded, Placement, Polytope, Quad};
use crate::geometry::{Aabb, Outline, Plane, Shape, Solid};
use crate::numeric::quantity::MAGNITUDE_MAX;

/// The farthest corner of space, m.
const FARTHEST: DVec3 = DVec3::splat(MAGNITUDE_MAX);

/// How much of a body is in the region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The whole body.
    Inside,
    /// They share points, but the body is not wholly in the region.
    Cut,
}

/// A body in a region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionHit {
    /// The body, and a point shared with the region. For a mesh or a grid, the first triangle or cell whose surface
    /// shares a point. If only the interior of a closed mesh shares a point, its first triangle, and of a grid the cell
    /// there.
    pub spot: Spot,
    /// How much of the body is in the region.
    pub extent: Extent,
}

impl Stepper {
    /// Every body that shares a point with the closed box, by id.
    ///
    /// Each body is returned once. If several of its periodic images are in the box, the image with the smallest number
    /// counts; of a box that begins 2³⁰ periods from the periodic cell, or farther, one near that cell. An inverted box
    /// (`min` above `max`) finds nothing. A box may be infinite; beyond 1e70 m there is nothing.
    pub fn overlapping(&self, bounds: &Aabb, sight: &Sight<'_>) -> Vec<RegionHit> {
        if !bounds.min.cmple(bounds.max).all() {
            return Vec::new();
        }
        let [min, max] = [bounds.min, bounds.max].map(|corner| corner.clamp(-FARTHEST, FARTHEST));
        let (bounds, floor) = (&Aabb { min, max }, Plane::new(DVec3::Z, 0.0));
        let Ok(region) = floor.and_then(|floor| Polytope::from_aabb(bounds, floor)) else { return Vec::new() };
        let mut hits = Vec::new();
        self.touching(bounds, sight, |found| {
            let hit = match self.sim.scene.rows.shape(found.id) {
                Shape::Sphere(radius) => sphere_in_box(&found, radius.get(), bounds),
                Shape::Box(half) => box_in_box(&found, half.get(), bounds),
                Shape::Plane(plane) => plane_in_box(&found, plane, bounds),
                shape @ Shape::Arc(_) => chords_in(&found, shape, &region),
                shape @ (Shape::Mesh(_) | Shape::Grid(_)) => outline_in(&found, shape, &region),
            };
            hits.extend(hit.map(|hit| (found.id, found.image, hit)));
        });
        hits.sort_unstable_by_key(|&(id, image, _)| (id, image));
        hits.dedup_by_key(|&mut (id, ..)| id);
        hits.into_iter().map(|(.., hit)| hit).collect()
    }

    /// Every body that shares a point with the polytope, by id.
    ///
    /// In a periodic space bodies count only at their positions in the periodic cell, as in a picture of the cell.
    /// Half-spaces are found only if the polytope has fewer planes than the maximum.
    pub fn inside(&self, region: &Polytope, sight: &Sight<'_>) -> Vec<RegionHit> {
        let planes = self.planes(sight).filter_map(|found| self.in_region(&found, region));
        let mut hits: Vec<RegionHit> = planes.collect();
        for image in self.images_at_home() {
            let shift = self.sim.scene.settings.space.shift(image);
            let meets = |bounds: &Aabb| {
                let seen = bounds.shifted(shift);
                self.is_near_home(&seen) && region.classify(&seen, region.mask()) != Bounded::Outside
            };
            for id in self.broadphase().grids(&self.sim.scene.rows).flat_map(|grid| grid.meeting(meets)) {
                let seen = sight.sees(id, &self.sim.scene.rows).then(|| self.standing(id, image));
                let home = seen.filter(|found| found.image == [0; 3]);
                hits.extend(home.and_then(|found| self.in_region(&found, region)));
            }
        }
        hits.sort_unstable_by_key(|hit| hit.spot.body);
        hits
    }

    fn in_region(&self, found: &Candidate, region: &Polytope) -> Option<RegionHit> {
        match self.sim.scene.rows.shape(found.id) {
            Shape::Sphere(radius) => {
                let extent = extent(region.sphere(found.position, *radius))?;
                Some(hit(found, 0, region.nearest(found.position)?, extent))
            }
            Shape::Box(half) => box_in(found, half.get(), region),
            Shape::Plane(plane) => plane_in(found, plane, region),
            shape @ Shape::Arc(_) => chords_in(found, shape, region),
            shape @ (Shape::Mesh(_) | Shape::Grid(_)) => outline_in(found, shape, region),
        }
    }
}

fn hit(found: &Candidate, primitive: u32, point: DVec3, extent: Extent) -> RegionHit {
    RegionHit { spot: Spot { body: found.id, primitive, position: found.position, point }, extent }
}

fn extent(placement: Placement) -> Option<Extent> {
    match placement {
        Placement::Outside => None,
        Placement::Cut => Some(Extent::Cut),
        Placement::Inside => Some(Extent::Inside),
    }
}

/// How much of a solid with the bounds `inner` is in `bounds`, if they share a point.
fn extent_in_box(inner: &Aabb, bounds: &Aabb) -> Extent {
    let holds = bounds.min.cmple(inner.min).all() && inner.max.cmple(bounds.max).all();
    if holds { Extent::Inside } else { Extent::Cut }
}

fn sphere_in_box(found: &Candidate, radius: f64, bounds: &Aabb) -> Option<RegionHit> {
    let point = found.position.clamp(bounds.min, bounds.max);
    let touches = point.distance_squared(found.position) <= radius * radius;
    let around = Aabb::around(found.position, DVec3::splat(radius));
    touches.then(|| hit(found, 0, point, extent_in_box(&around, bounds)))
}

fn box_in_box(found: &Candidate, half: DVec3, bounds: &Aabb) -> Option<RegionHit> {
    let solid = Aabb::around(found.position, half);
    let common = Aabb { min: solid.min.max(bounds.min), max: solid.max.min(bounds.max) };
    solid.touches(bounds).then(|| hit(found, 0, common.center(), extent_in_box(&solid, bounds)))
}

fn plane_in_box(found: &Candidate, plane: &Plane, bounds: &Aabb) -> Option<RegionHit> {
    let deepest = DVec3::select(plane.normal().cmpgt(DVec3::ZERO), bounds.min, bounds.max);
    (plane.distance(deepest - found.position) <= 0.0).then(|| hit(found, 0, deepest, Extent::Cut))
}

fn box_in(found: &Candidate, half: DVec3, region: &Polytope) -> Option<RegionHit> {
    let solid = Aabb::around(found.position, half);
    let extent = extent(region.aabb(&solid))?;
    if extent == Extent::Inside {
        return Some(hit(found, 0, found.position, extent));
    }
    let faces = Quad::faces(&solid);
    let met = faces.iter().find_map(|face| region.quad(face, region.mask()));
    // If the box meets no face, it contains the region.
    let point = met.map(|met| met.centroid).or_else(|| region.nearest(found.position))?;
    Some(hit(found, 0, point, extent))
}

/// A half-space and a polytope share a point if the polytope cut by the half-space is not empty.
fn plane_in(found: &Candidate, plane: &Plane, region: &Polytope) -> Option<RegionHit> {
    let end = plane.normal().dot(found.position) + plane.offset();
    let turned = Plane::new(-plane.normal(), -end).ok()?;
    let planes: Vec<Plane> = region.planes().iter().copied().chain([turned]).collect();
    let point = Polytope::new(planes, turned).ok()?.nearest(found.position)?;
    let holds = |bound: &Plane| bound.normal() == turned.normal() && bound.offset() <= turned.offset();
    let extent = if region.planes().iter().all(holds) { Extent::Inside } else { Extent::Cut };
    Some(hit(found, 0, point, extent))
}

/// Tests the parts. If none shares a point, tests whether the region lies in something solid.
fn outline_in(found: &Candidate, shape: &Shape, region: &Polytope) -> Option<RegionHit> {
    // A region has heights, so a mesh counts whole in a planar world, too.
    let outline = if let Shape::Mesh(mesh) = shape { Outline::Mesh(mesh) } else { shape.outline()? };
    let place = |bounds: &Aabb| region.classify(&bounds.shifted(found.position), region.mask());
    let mut first: Option<(u32, DVec3)> = None;
    if place(outline.bounds()) == Bounded::Outside {
        return None;
    }
    outline.nearest_first(
        outline.bounds(),
        0.0,
        |bounds| if place(bounds) == Bounded::Outside { f64::INFINITY } else { 0.0 },
        |part, best| {
            if first.is_none_or(|(before, _)| part < before) {
                first = shared(outline, part, found.position, region).map(|point| (part, point)).or(first);
            }
            best
        },
    );
    let held = || {
        let point = region.nearest(found.position + outline.bounds().center())?;
        Some((outline.primitive_around(point - found.position)?, point))
    };
    let met = first.map(|(part, point)| (outline.primitive(part), point));
    let (primitive, point) = met.or_else(held)?;
    let extent = if is_all_inside(found, outline, region) { Extent::Inside } else { Extent::Cut };
    Some(hit(found, primitive, point, extent))
}

/// An arc counts with its chords, which are less than two degrees long.
fn chords_in(found: &Candidate, arc: &Shape, region: &Polytope) -> Option<RegionHit> {
    let hit = outline_in(found, &Shape::Mesh(arc.to_mesh()?), region)?;
    Some(RegionHit { spot: Spot { primitive: 0, ..hit.spot }, ..hit })
}

/// A point that a part shares with the region.
fn shared(outline: Outline<'_>, part: u32, position: DVec3, region: &Polytope) -> Option<DVec3> {
    let met = match outline.solid(part) {
        Solid::Triangle(triangle) => region.triangle(&triangle.shifted(position), region.mask())?,
        Solid::Patch { center, half } => {
            let face = Quad::faces(&Aabb::around(position + center, half))[part as usize % 6];
            region.quad(&face, region.mask())?
        }
        _ => return None,
    };
    Some(met.centroid)
}

/// Whether all vertices are inside all planes. Then everything is inside.
fn is_all_inside(found: &Candidate, outline: Outline<'_>, region: &Polytope) -> bool {
    let all_inside = Cell::new(true);
    let holds = |corner: DVec3| region.contains(corner + found.position);
    let in_region = |part: u32| match outline.solid(part) {
        Solid::Triangle(triangle) => triangle.vertices().into_iter().all(holds),
        Solid::Patch { center, half } => [center - half, center + half].into_iter().all(holds),
        _ => false,
    };
    let bound = |bounds: &Aabb| {
        let is_inside = region.classify(&bounds.shifted(found.position), region.mask()) == Bounded::Inside;
        if is_inside { f64::INFINITY } else { 0.0 }
    };
    let none_better = -1.0;
    outline.nearest_first(outline.bounds(), 0.0, bound, |part, best| {
        all_inside.set(all_inside.get() && in_region(part));
        if all_inside.get() { best } else { none_better }
    });
    all_inside.get()
}
