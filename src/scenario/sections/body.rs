//! One body of the file, and the parts of it that generators share: shape, mass, place in space.

use glam::DVec3;

use super::colors::{Beside, color};
use super::course::{Moves, moves};
use super::layers::LayerNames;
use super::settings::MaterialNames;
use crate::dynamics::{Body, Mass, Motion, Response, Space};
use crate::geometry::{HalfExtents, Plane, Radius, Shape};
use crate::numeric::OutOfRange;
use crate::scenario::error_kinds::{Fault, MeshFault};
use crate::scenario::numbers::{Spin, Vector};
use crate::scenario::planar::shapes;
use crate::scenario::problem::check::AXES;
use crate::scenario::problem::syntax;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::text::locate;
use crate::scenario::{grid, names, schema};
use crate::world::Named;

/// The parts of a scenario that a body refers to.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) space: &'a Space,
    pub(crate) materials: &'a MaterialNames,
    pub(crate) layers: &'a LayerNames,
    /// The time at which it comes into the world, s.
    pub(crate) comes: f64,
}

/// Reads one body. Its name is empty when the file gives none.
pub(crate) fn lower(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    surroundings: &Surroundings<'_>,
    beside: &mut Beside,
) -> Option<Named> {
    let raw: schema::Body = syntax::read(entry, report)?;
    let name = raw.name.as_deref().map_or(Some(()), |name| names::check(report, entry, name));
    let kind = raw.motion.as_ref().map(schema::BodyMotion::kind).unwrap_or(match raw.shape {
        schema::Shape::Sphere { .. } | schema::Shape::Disc { .. } | schema::Shape::Box { .. } => schema::Motion::Free,
        _ => schema::Motion::Fixed,
    });
    shapes::check_kind(report, entry, &raw.shape)?;
    let shape = match &raw.shape {
        schema::Shape::Mesh(mesh) => beside.meshes.make(report, entry, mesh).map(Shape::Mesh),
        schema::Shape::Heights(heights) => beside.meshes.heights(report, entry, heights).map(Shape::Mesh),
        schema::Shape::Tiles(tiles) => grid::tiles(report, entry, tiles).map(|grid| Shape::Grid(grid.into())),
        schema::Shape::Voxels(voxels) => grid::voxels(report, entry, voxels).map(|grid| Shape::Grid(grid.into())),
        schema::Shape::Arc { radius, from, to } => shapes::arc(report, entry, *radius, [*from, *to]),
        schema::Shape::Segment { .. } | schema::Shape::Polygon { .. } => shapes::upright(report, entry, &raw.shape),
        simple => self::shape(report, entry, simple),
    };
    let motion = obstacle(report, entry, &raw, kind)
        .and_then(|()| load(report, entry, kind, raw.mass, raw.density))
        .zip(shape.as_ref())
        .and_then(|(load, shape)| load.motion(report, entry, shape));
    let position = report
        .vector_or_zero(entry, "position", raw.position)
        .and_then(|position| near(report, entry, position, surroundings.space));
    let velocity = velocity(report, entry, kind, raw.velocity);
    let moves = moves(report, entry, &raw, surroundings.comes, beside);
    let spin = spin(report, entry, kind, shape.as_ref(), raw.spin);
    let material = surroundings.materials.find(report, entry, "material", raw.material.as_deref());
    let layers = surroundings.layers.own(report, entry, raw.layer.as_deref());
    let collides_with = surroundings.layers.others(report, entry, raw.collides_with.as_deref());
    let color = color(report, entry, raw.color.as_deref());
    let fits = shape.as_ref().and_then(|shape| fits(report, entry, shape, surroundings.space));
    name.and(fits)?;
    let Moves { course, first } = moves?;
    let [position, velocity] = first.map_or([position, velocity], |first| first.map(Some));
    let body = Body {
        shape: shape?,
        motion: motion?,
        response: raw.response.unwrap_or(Response::Collide),
        position: position?,
        velocity: velocity?,
        course,
        spin: spin?,
        material: material?,
        layers: layers?,
        collides_with: collides_with?,
    };
    beside.colors.push(color?);
    Some(Named { name: raw.name.unwrap_or_default(), body })
}

/// Reports a half-space, an arc, a mesh or a grid that is more than an obstacle: one that is free, or a sensor that is
/// no solid.
fn obstacle(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Body, kind: schema::Motion) -> Option<()> {
    use schema::Shape::{Arc, Box, Disc, Plane, Sphere};
    let (path, fault) = match (&raw.shape, kind, raw.response) {
        (Sphere { .. } | Disc { .. } | Box { .. }, _, _) => return Some(()),
        (Plane { .. }, schema::Motion::Free, _) => ("motion", Fault::FreePlane),
        (Plane { .. }, _, _) => return Some(()),
        (Arc { .. }, schema::Motion::Free | schema::Motion::Kinematic, _) => {
            ("motion", Fault::Mesh(MeshFault::ArcMoves))
        }
        (_, schema::Motion::Free, _) => ("motion", Fault::Mesh(MeshFault::Free)),
        (_, _, Some(Response::Sense)) => ("response", Fault::Mesh(MeshFault::Senses)),
        _ => return Some(()),
    };
    report.fail(entry, path, fault)
}

/// The velocity; only a body that moves may have one.
pub(crate) fn velocity(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    kind: schema::Motion,
    raw: Option<Vector>,
) -> Option<DVec3> {
    let velocity = report.vector_or_zero(entry, "velocity", raw)?;
    if kind == schema::Motion::Fixed && velocity != DVec3::ZERO {
        let found = locate::one_line(entry.value("velocity"));
        return report.fail(entry, "velocity", Fault::FixedMoves { found });
    }
    Some(velocity)
}

/// The spin; only a free ball may have one.
pub(crate) fn spin(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    kind: schema::Motion,
    shape: Option<&Shape>,
    raw: Option<Spin>,
) -> Option<DVec3> {
    let spin = report.spin(entry, "spin", raw)?;
    let body = match (shape, kind) {
        (Some(shape), _) if !matches!(shape, Shape::Sphere(_)) => names::shape_noun(shape),
        (_, schema::Motion::Fixed) => "a `Fixed` body",
        (_, schema::Motion::Kinematic) => "a `Kinematic` body",
        (_, schema::Motion::Free) => return Some(spin),
    };
    if spin != DVec3::ZERO {
        let found = locate::one_line(entry.value("spin"));
        return report.fail(entry, "spin", Fault::NeverTurns { body, found });
    }
    Some(spin)
}

/// A shape that is given by a few numbers, which a mesh and a grid are not.
pub(crate) fn shape(report: &mut Report<'_>, entry: Entry<'_>, raw: &schema::Shape) -> Option<Shape> {
    match *raw {
        schema::Shape::Sphere { radius } | schema::Shape::Disc { radius } => {
            report.quantity(entry, "shape.radius", Radius::new(radius)).map(Shape::Sphere)
        }
        schema::Shape::Box { half_extents } => {
            let mut half_extents = report.numbers(entry, "shape.half_extents", half_extents)?;
            if report.is_planar {
                // Nothing depends on its height.
                half_extents[2] = half_extents[0].min(half_extents[1]);
            }
            let checked = HalfExtents::new(DVec3::from_array(half_extents));
            // Report the first component that is wrong by itself.
            let wrong = half_extents.iter().position(|&half| HalfExtents::new(DVec3::splat(half)).is_err());
            let path = format!("shape.half_extents[{}]", wrong.unwrap_or_default());
            report.quantity(entry, &path, checked).map(Shape::Box)
        }
        schema::Shape::Plane { normal, offset } => {
            let normal = report.in_world(entry, "shape.normal", normal)?;
            let checked = Plane::new(DVec3::from_array(normal), offset);
            let path = match &checked {
                Err(error) if error.quantity == "plane offset" => "shape.offset",
                _ => "shape.normal",
            };
            report.quantity(entry, path, checked).map(Shape::Plane)
        }
        _ => None,
    }
}

/// The motion of a body, as long as its volume is not known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Load {
    Unmoved(Motion),
    Mass(Mass),
    /// kg/m³, or kg/m² in a planar world.
    Density {
        density: f64,
        is_planar: bool,
    },
}

/// The motion that `motion`, `mass` and `density` give together.
pub(crate) fn load(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    kind: schema::Motion,
    mass: Option<f64>,
    density: Option<f64>,
) -> Option<Load> {
    let fault = match (kind, mass, density) {
        (schema::Motion::Free, Some(mass), None) => {
            return report.quantity(entry, "mass", Mass::new(mass)).map(Load::Mass);
        }
        (schema::Motion::Free, None, Some(density)) => {
            return report
                .positive(entry, "density", density)
                .map(|density| Load::Density { density, is_planar: report.is_planar });
        }
        (schema::Motion::Fixed, None, None) => return Some(Load::Unmoved(Motion::Fixed)),
        (schema::Motion::Kinematic, None, None) => return Some(Load::Unmoved(Motion::Kinematic)),
        (schema::Motion::Free, None, None) => Fault::MassMissing,
        (schema::Motion::Free, Some(_), Some(_)) => Fault::MassTwice,
        (schema::Motion::Fixed, ..) => Fault::MassUseless { motion: "`Fixed`" },
        (schema::Motion::Kinematic, ..) => Fault::MassUseless { motion: "`Kinematic`" },
    };
    let path = match fault {
        Fault::MassMissing => "",
        _ if mass.is_some() => "mass",
        _ => "density",
    };
    report.fail(entry, path, fault)
}

impl Load {
    /// The motion of a body with the volume of `shape`, or in a planar world with its area.
    pub(crate) fn motion(self, report: &mut Report<'_>, entry: Entry<'_>, shape: &Shape) -> Option<Motion> {
        report.quantity(entry, "density", self.of(shape))
    }

    /// The motion of a body with the volume of `shape`; an error only if the density gives a mass out of range.
    pub(crate) fn of(self, shape: &Shape) -> Result<Motion, OutOfRange> {
        match self {
            Self::Unmoved(motion) => Ok(motion),
            Self::Mass(mass) => Ok(Motion::Free(mass)),
            Self::Density { density, is_planar } => {
                let allowed = "a density whose mass is from 1e-70 kg to 1e70 kg";
                Mass::new(density * volume(shape, is_planar))
                    .map(Motion::Free)
                    .map_err(|error| OutOfRange { allowed, ..error })
            }
        }
    }
}

/// Volume, m³, or area in a planar world, m²; infinite for shapes that are always fixed.
pub(crate) fn volume(shape: &Shape, is_planar: bool) -> f64 {
    match shape {
        Shape::Sphere(radius) if is_planar => std::f64::consts::PI * (radius.get() * radius.get()),
        Shape::Sphere(radius) => sphere_volume(radius.get()),
        Shape::Box(half) if is_planar => 4.0 * half.get().x * half.get().y,
        Shape::Box(half) => 8.0 * half.get().element_product(),
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => f64::INFINITY,
    }
}

/// The volume of a sphere, m³.
pub(crate) const fn sphere_volume(radius: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * (radius * radius * radius)
}

/// Half the widths along the axes, m, or `None` for a half-space.
pub(crate) fn half_widths(shape: &Shape) -> Option<DVec3> {
    Some(shape.half_extents()).filter(|half| half.is_finite())
}

/// Checks that a body in a periodic space begins near enough to the cell to count the periods between them.
fn near(report: &mut Report<'_>, entry: Entry<'_>, position: DVec3, space: &Space) -> Option<DVec3> {
    if space.is_countable(position) {
        return Some(position);
    }
    report.fail(entry, "position", Fault::FarFromCell)
}

/// Checks that a body does not overlap its own image in a periodic space.
pub(crate) fn fits(report: &mut Report<'_>, entry: Entry<'_>, shape: &Shape, space: &Space) -> Option<()> {
    for (axis, period) in space.periods.iter().enumerate() {
        let Some(period) = period else { continue };
        let (width, period) = (shape.widths()[axis], period.length());
        let fault = match shape {
            Shape::Plane(plane) if plane.normal()[axis] != 0.0 => Fault::PlaneAcrossPeriod { axis: AXES[axis] },
            Shape::Plane(_) => continue,
            _ if width > period => Fault::WiderThanPeriod { axis: AXES[axis], width, period },
            _ => continue,
        };
        return report.fail(entry, "shape", fault);
    }
    Some(())
}
