//! A scene as neutral JSON, in SI units, for any engine.

use serde::Serialize;
use std::collections::BTreeSet;

use super::catalogue::Scene;
use super::catalogue::closed::ClosedForm;
use super::exact::Exact;
use crate::dynamics::{Body, MaterialId, Motion, Space};
use crate::geometry::{Mesh, Shape};
use crate::record::answers::as_json;
use crate::record::foreign::{COLUMNS, EVENT_COLUMNS, SPIN};
use crate::scenario::Scenario;
use glam::DVec3;

/// The JSON Schema of what [`neutral`] writes.
pub const SCHEMA_TEXT: &str = include_str!("scene.schema.json");

#[derive(Serialize)]
struct Neutral<'a> {
    schema: &'static str,
    name: &'a str,
    title: &'a str,
    family: &'static str,
    tests: &'a str,
    source: &'a str,
    duration: f64,
    output: Output,
    gravity: DVec3,
    plane: Option<&'static str>,
    combine: Combine,
    materials: Vec<Material>,
    pairs: Vec<Pair>,
    bodies: Vec<NeutralBody<'a>>,
    closed_forms: Vec<Closed>,
}

#[derive(Serialize)]
struct Output {
    timestep: f64,
    steps: u64,
    columns: [&'static str; 9],
    spins: [&'static str; 3],
    events: [&'static str; 4],
}

#[derive(Serialize)]
struct Combine {
    restitution: &'static str,
    friction: &'static str,
}

#[derive(Serialize)]
struct Material {
    restitution: Option<f64>,
    friction: f64,
}

#[derive(Serialize)]
struct Pair {
    a: usize,
    b: usize,
    #[serde(flatten)]
    material: Material,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum NeutralShape {
    Sphere { radius: f64 },
    Box { half_extents: DVec3 },
    Plane { normal: DVec3, offset: f64 },
    Triangles { vertices: Vec<DVec3>, triangles: Vec<[usize; 3]> },
    Other,
}

#[derive(Serialize)]
struct NeutralBody<'a> {
    name: &'a str,
    shape: NeutralShape,
    motion: &'static str,
    mass: Option<f64>,
    inertia: Option<f64>,
    material: usize,
    position: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

#[derive(Serialize)]
struct Closed {
    quantity: String,
    formula: &'static str,
    value: f64,
    unit: &'static str,
}

/// A scene of the catalogue as JSON, in lines. `scenario` is the scenario of the scene with the wanted timestep.
pub fn neutral(scene: &Scene, scenario: &Scenario, closed: &[ClosedForm]) -> String {
    let ranks: Vec<MaterialId> =
        scenario.bodies.iter().map(|named| named.body.material).collect::<BTreeSet<_>>().into_iter().collect();
    let rank = |id: MaterialId| ranks.iter().position(|&known| known == id).unwrap_or(0);
    let rules = &scenario.settings.materials;
    let between = |a: MaterialId, b: MaterialId| Material {
        restitution: rules.restitution(a, b).constant(),
        friction: rules.friction(a, b),
    };
    let pairs = (0..ranks.len()).flat_map(|a| (a..ranks.len()).map(move |b| (a, b)));
    let pairs = pairs.map(|(a, b)| Pair { a, b, material: between(ranks[a], ranks[b]) });
    let told = Neutral {
        schema: "carom-oracle-scene/1",
        name: scene.name,
        title: &scenario.title,
        family: scene.family.name(),
        tests: scene.tests,
        source: scene.source,
        duration: scenario.duration,
        output: Output {
            timestep: scenario.timestep,
            steps: (scenario.duration / scenario.timestep - 1e-9).ceil() as u64,
            columns: COLUMNS,
            spins: SPIN,
            events: EVENT_COLUMNS,
        },
        gravity: scenario.settings.gravity,
        plane: is_plane(scenario).then_some("xz"),
        combine: Combine { restitution: "min", friction: "min" },
        materials: ranks.iter().map(|&id| between(id, id)).collect(),
        pairs: pairs.collect(),
        bodies: scenario
            .bodies
            .iter()
            .map(|named| body(&named.name, &named.body, rank(named.body.material), &scenario.settings.space))
            .collect(),
        closed_forms: closed.iter().map(told_form).collect(),
    };
    as_json(&told)
}

fn told_form(form: &ClosedForm) -> Closed {
    Closed { quantity: form.quantity.to_string(), formula: form.formula, value: form.value, unit: form.quantity.unit() }
}

fn body<'a>(name: &'a str, body: &Body, material: usize, space: &Space) -> NeutralBody<'a> {
    let (motion, mass) = match body.motion {
        Motion::Free(mass) => ("free", Some(mass.get())),
        Motion::Fixed => ("fixed", None),
        Motion::Kinematic => ("kinematic", None),
    };
    let (shape, inertia) = match &body.shape {
        // A solid ball has 2/5 m r², a disc 1/2 m r².
        Shape::Sphere(radius) => {
            let radius = radius.get();
            let factor = 1.0 / space.inverse_inertia();
            (NeutralShape::Sphere { radius }, mass.map(|mass| factor * mass * radius * radius))
        }
        Shape::Box(half) => (NeutralShape::Box { half_extents: half.get() }, None),
        Shape::Plane(plane) => (NeutralShape::Plane { normal: plane.normal(), offset: plane.offset() }, None),
        Shape::Mesh(mesh) => (triangles(mesh), None),
        Shape::Arc(_) | Shape::Grid(_) => (NeutralShape::Other, None),
    };
    let Body { position, velocity, spin, .. } = *body;
    NeutralBody { name, shape, motion, mass, inertia, material, position, velocity, spin }
}

fn triangles(mesh: &Mesh) -> NeutralShape {
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut place = |corner: DVec3| {
        vertices.iter().position(|&known| known == corner).unwrap_or_else(|| {
            vertices.push(corner);
            vertices.len() - 1
        })
    };
    let triangles = mesh.triangles().iter().map(|triangle| triangle.vertices().map(&mut place)).collect();
    NeutralShape::Triangles { vertices, triangles }
}

/// Whether all motion is in the plane y = 0, so that engines of two dimensions can run the scene.
fn is_plane(scenario: &Scenario) -> bool {
    scenario.settings.gravity.y == 0.0
        && scenario.bodies.iter().all(|named| {
            let Body { position, velocity, spin, .. } = named.body;
            let is_across = match &named.body.shape {
                Shape::Plane(plane) => plane.normal().y != 0.0,
                Shape::Mesh(_) => true,
                _ => false,
            };
            position.y == 0.0 && velocity.y == 0.0 && spin.x == 0.0 && spin.z == 0.0 && !is_across
        })
}

impl Exact {
    /// The deviation of the exact course from a closed form: the difference over the magnitude of the value, or over 1
    /// if that is smaller.
    pub fn deviation(&self, form: &ClosedForm) -> Option<f64> {
        let found = form.quantity.of(self)?;
        Some((found - form.value).abs() / form.value.abs().max(1.0))
    }
}
