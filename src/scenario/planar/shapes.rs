//! The shapes of a planar world.

use glam::DVec2;

use crate::geometry::{CircleArc, Mesh, Shape};
use crate::numeric::quantity::is_moderate;
use crate::scenario::error_kinds::{Fault, MeshFault, PlanarFault};
use crate::scenario::mesh::placing::sine_cosine;
use crate::scenario::numbers::Range;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::schema;

/// Refuses a shape of another kind of world.
pub(in crate::scenario) fn check_kind(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Shape) -> Option<()> {
    use schema::Shape::{Arc, Box, Disc, Heights, Mesh, Plane, Polygon, Segment, Sphere, Tiles, Voxels};
    let only = |shape| PlanarFault::OnlyPlanar { shape };
    let no = |what, instead| PlanarFault::NotPlanar { what, instead };
    let outline = "draw its outline: Polygon(corners: [(0, 0), (2, 0), (2, 1)]), or Segment(from: (0, 0), to: (2, 1))";
    let fault = match (report.is_planar, raw) {
        (_, Box { .. } | Plane { .. }) | (true, Disc { .. } | Segment { .. } | Polygon { .. } | Arc { .. }) => {
            return Some(());
        }
        (false, Disc { .. }) => only("a `Disc`"),
        (false, Segment { .. }) => only("a `Segment`"),
        (false, Polygon { .. }) => only("a `Polygon`"),
        (false, Arc { .. }) => only("an `Arc`"),
        (false, _) => return Some(()),
        (true, Sphere { .. }) => no("`Sphere`", "write `Disc(radius: ...)`"),
        (true, Mesh(_)) => no("`Mesh`", outline),
        (true, Heights(_)) => no("`Heights`", outline),
        (true, Tiles(_)) => no("`Tiles`", outline),
        (true, Voxels(_)) => no("`Voxels`", outline),
    };
    report.fail(entry, "shape", Fault::Planar(fault))
}

/// An arc from one direction to another, in degrees counterclockwise from x.
pub(in crate::scenario) fn arc(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    radius: f64,
    [from, to]: [f64; 2],
) -> Option<Shape> {
    let ends = [("shape.from", from), ("shape.to", to)];
    let [Some(from), Some(to)] = ends.map(|(path, degrees)| report.number(entry, path, degrees)) else { return None };
    if to <= from || to - from > 360.0 {
        return report.refuse(entry, "shape.to", "an angle above `from`, and by at most 360 degrees");
    }
    let direction = |degrees: f64| {
        let (sine, cosine) = sine_cosine(degrees);
        DVec2::new(cosine, sine)
    };
    let first = direction(from);
    let last = if to - from == 360.0 { first } else { direction(to) };
    report.quantity(entry, "shape.radius", CircleArc::new(radius, first, last)).map(Shape::Arc)
}

/// A segment or a polygon, drawn out along z by as much as it is long.
pub(in crate::scenario) fn upright(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Shape) -> Option<Shape> {
    let (path, points, is_closed) = match raw {
        schema::Shape::Segment { from, to } => ("shape", vec![*from, *to], false),
        schema::Shape::Polygon { corners } => ("shape.corners", corners.clone(), true),
        _ => return None,
    };
    let points: Vec<DVec2> = points.into_iter().map(|point: Range| DVec2::from_array(point)).collect();
    if points.iter().any(|point| !is_moderate(point.x) || !is_moderate(point.y)) {
        return report.refuse(entry, path, "pairs of finite numbers of size at most 1e70");
    }
    let size = |from: DVec2| points.iter().map(|&to| (to - from).abs().max_element()).fold(0.0, f64::max);
    let half_height = points.first().map_or(0.0, |&first| size(first));
    let made = if is_closed { Mesh::prism(&points, half_height) } else { Mesh::wall(&points, half_height) };
    let no_mesh = |error| Fault::Mesh(MeshFault::NoMesh { file: None, error });
    made.map_err(|error| report.add(entry, path, no_mesh(error))).ok().map(|mesh| Shape::Mesh(mesh.into()))
}
