//! The sizes of the bodies of a generator.

use glam::DVec3;

use super::draws::Draws;
use super::schema;
use crate::geometry::{HalfExtents, Radius, Shape};
use crate::scenario::planar::shapes;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::schema::Shape as RawShape;
use crate::scenario::sections::body;

/// Their sizes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sizes {
    /// All equal.
    Same(Shape),
    /// Balls with radii that are uniformly distributed between two bounds.
    Radii(Radius, Radius),
    /// One for each body, all balls or all boxes.
    Each(Vec<Shape>),
}

/// Checks the field `shape`.
pub(super) fn sizes(report: &mut Report<'_>, entry: Entry<'_>, raw: schema::FillShape) -> Option<Sizes> {
    let kind = match raw {
        schema::FillShape::Spheres { radii: [radius, _] } => RawShape::Sphere { radius },
        schema::FillShape::Discs { radii: [radius, _] } => RawShape::Disc { radius },
        schema::FillShape::Sphere { radius } => RawShape::Sphere { radius },
        schema::FillShape::Disc { radius } => RawShape::Disc { radius },
        schema::FillShape::Box { half_extents } => RawShape::Box { half_extents },
    };
    shapes::check_kind(report, entry, &kind)?;
    let (schema::FillShape::Spheres { radii: [min, max] } | schema::FillShape::Discs { radii: [min, max] }) = raw
    else {
        return body::shape(report, entry, &kind).map(Sizes::Same);
    };
    let min = report.quantity(entry, "shape.radii[0]", Radius::new(min));
    let max = report.quantity(entry, "shape.radii[1]", Radius::new(max));
    let (min, max) = (min?, max?);
    if min > max {
        return report.refuse(entry, "shape.radii", "the smaller radius, then the larger");
    }
    Some(Sizes::Radii(min, max))
}

impl Sizes {
    pub(super) fn smallest(&self) -> Shape {
        match self {
            Self::Same(shape) => shape.clone(),
            Self::Radii(min, _) => Shape::Sphere(*min),
            Self::Each(shapes) => bound(shapes, DVec3::min),
        }
    }

    pub(super) fn largest(&self) -> Shape {
        match self {
            Self::Same(shape) => shape.clone(),
            Self::Radii(_, max) => Shape::Sphere(*max),
            Self::Each(shapes) => bound(shapes, DVec3::max),
        }
    }

    /// The shape of the body `row`, drawn if it is random.
    pub(super) fn of(&self, row: usize, draws: &mut Draws) -> Shape {
        match self {
            Self::Same(shape) => shape.clone(),
            Self::Radii(min, max) => {
                let radius = draws.between(min.get(), max.get());
                Shape::Sphere(Radius::new(radius).expect("between two radii"))
            }
            Self::Each(shapes) => shapes[row].clone(),
        }
    }
}

/// A shape of the kind of `shapes` that `pick` makes of their half edges.
fn bound(shapes: &[Shape], pick: fn(DVec3, DVec3) -> DVec3) -> Shape {
    let half = shapes.iter().map(Shape::half_extents).reduce(pick).expect("a list has bodies");
    match shapes[0] {
        Shape::Sphere(_) => Shape::Sphere(Radius::new(half.x).expect("the radius of one of them")),
        _ => Shape::Box(HalfExtents::new(half).expect("half edges of some of them")),
    }
}
