//! From the written form of a vessel to a checked one.

use std::sync::Arc;

use glam::DVec3;

use super::bounds::Region;
use super::schema::Within;
use super::{Frustum, Vessel};
use crate::dynamics::Space;
use crate::geometry::{Mesh, MeshError, Shape};
use crate::scenario::error_kinds::{Fault, PackingFault};
use crate::scenario::numbers::Vector;
use crate::scenario::problem::{Entry, Report};
use crate::world::Named;

/// Checks the vessel in the field `within` of an entry; without one it is the whole period. A mesh is that of one of
/// `bodies`.
pub(in crate::scenario) fn within(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    raw: Option<&Within>,
    space: &Space,
    bodies: &[Named],
) -> Option<Vessel> {
    match *raw.unwrap_or(&Within::Box { min: None, max: None }) {
        Within::Box { min, max } => Region::check(report, (entry, "within."), [min, max], space).map(boxed),
        Within::Cylinder { from, to, radius } => {
            let radius = report.positive(entry, "within.radius", radius);
            frustum(report, entry, [from, to], [radius?; 2])
        }
        Within::Cone { from, to, radii: [first, last] } => {
            let first = report.not_negative(entry, "within.radii[0]", first);
            let last = report.not_negative(entry, "within.radii[1]", last);
            let radii = [first?, last?];
            if radii == [0.0; 2] {
                return report.refuse(entry, "within.radii", "two radii, of which one may be 0");
            }
            frustum(report, entry, [from, to], radii)
        }
        Within::Sphere { center, radius } => {
            let center = report.vector(entry, "within.center", center);
            let radius = report.positive(entry, "within.radius", radius);
            Some(Vessel::Sphere { center: center?, radius: radius? })
        }
        Within::Mesh(ref name) => {
            let made = enclosed(name, bodies).map(|mesh| Vessel::Mesh(Arc::new(mesh)));
            made.map_err(|fault| report.add(entry, "within", Fault::Packing(fault))).ok()
        }
    }
}

/// A region as a vessel.
pub(in crate::scenario) fn boxed(Region { ranges, endless, .. }: Region) -> Vessel {
    Vessel::Box { ranges, endless }
}

fn frustum(report: &mut Report<'_>, entry: Entry<'_>, [from, to]: [Vector; 2], radii: [f64; 2]) -> Option<Vessel> {
    let from = report.vector(entry, "within.from", from);
    let to = report.vector(entry, "within.to", to);
    let (from, way) = (from?, to? - from?);
    let height = way.length();
    if !(height > 0.0 && height.is_finite()) {
        return report.fail(entry, "within.to", Fault::Packing(PackingFault::Flat));
    }
    Some(Vessel::Frustum(Frustum { from, axis: way / height, height, radii }))
}

/// What the mesh of a body encloses. A sheet may face inwards.
fn enclosed(name: &str, bodies: &[Named]) -> Result<Mesh, PackingFault> {
    let body = bodies.iter().find(|named| named.name == name).map(|named| &named.body);
    let Some((Shape::Mesh(mesh), position)) = body.map(|body| (&body.shape, body.position)) else {
        return Err(PackingFault::NoMesh { name: name.to_owned() });
    };
    let corners: Vec<DVec3> = mesh.triangles().iter().flat_map(|t| t.shifted(position).vertices()).collect();
    let outwards: Vec<[u32; 3]> =
        (0..mesh.triangles().len() as u32).map(|row| [0, 1, 2].map(|n| 3 * row + n)).collect();
    Mesh::closed(&corners, &outwards)
        .or_else(|error| match error {
            MeshError::InsideOut { .. } => {
                let turned: Vec<[u32; 3]> = outwards.iter().map(|&[a, b, c]| [a, c, b]).collect();
                Mesh::closed(&corners, &turned)
            }
            error => Err(error),
        })
        .map_err(|error| PackingFault::Open { name: name.to_owned(), error })
}
