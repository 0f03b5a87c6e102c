//! The shape of a scenario file: what may be written, before anything is checked.
//!
//! Every list and every field of the top is kept as text and read on its own, so that an error in one entry does not
//! hide an error in the next.

use std::fmt;

use ron::value::RawValue;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::numbers::{Range, Spin, Triple, Vector};
use crate::dynamics::Response;

pub(super) type Raw<'a> = &'a RawValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Scenario", bound(deserialize = "'de: 'a"))]
pub(super) struct Top<'a> {
    pub(super) format: Option<Raw<'a>>,
    pub(super) title: Option<Raw<'a>>,
    pub(super) gravity: Option<Raw<'a>>,
    pub(super) timestep: Raw<'a>,
    pub(super) duration: Raw<'a>,
    pub(super) space: Option<Raw<'a>>,
    pub(super) impacts: Option<Raw<'a>>,
    pub(super) rest_height: Option<Raw<'a>>,
    pub(super) flurry_max: Option<Raw<'a>>,
    pub(super) impacts_max: Option<Raw<'a>>,
    pub(super) layers: Option<Raw<'a>>,
    #[serde(default)]
    pub(super) materials: Pairs<'a>,
    pub(super) default_material: Option<Raw<'a>>,
    #[serde(default)]
    pub(super) pairs: Vec<Raw<'a>>,
    #[serde(default)]
    pub(super) bodies: Vec<Raw<'a>>,
    #[serde(default)]
    pub(super) fill: Vec<Raw<'a>>,
    pub(super) record: Option<Raw<'a>>,
    #[serde(default)]
    pub(super) observe: Vec<Raw<'a>>,
    #[serde(default)]
    pub(super) plots: Vec<Raw<'a>>,
    pub(super) style: Option<Raw<'a>>,
    #[serde(default)]
    pub(super) expect: Vec<Raw<'a>>,
    #[serde(default)]
    pub(super) commands: Vec<Raw<'a>>,
    #[serde(default)]
    pub(super) play: Vec<Raw<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
pub(super) enum Command<'a> {
    Kick { at: f64, body: String, impulse: Vector, offset: Option<Vector> },
    SetVelocity { at: f64, body: String, velocity: Vector },
    SetSpin { at: f64, body: String, spin: Spin },
    SetPosition { at: f64, body: String, position: Vector },
    SetMaterial { at: f64, body: String, material: String },
    SetLayers { at: f64, body: String, layer: Option<String>, collides_with: Option<Vec<String>> },
    SetGravity { at: f64, gravity: Vector },
    Spawn { at: f64, body: Raw<'a> },
    Despawn { at: f64, body: String },
    SetCell { at: f64, body: String, cell: [u32; 3], solid: bool },
}

/// A map in the order of the file, equal keys included.
#[derive(Default)]
pub(super) struct Pairs<'a>(pub(super) Vec<(String, Raw<'a>)>);

impl<'a, 'de: 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map in `{ }`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Space {
    Open,
    Periodic { min: Option<Triple>, max: Option<Triple>, x: Option<Range>, y: Option<Range>, z: Option<Range> },
    Planar { x: Option<Range>, y: Option<Range> },
}

/// A restitution that is not a number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Law {
    BySpeed(Vec<Range>),
    Viscoelastic(f64),
    Power { v0: f64, exponent: f64, max: f64 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
pub(super) struct Material<'a> {
    pub(super) color: Option<String>,
    pub(super) restitution: Raw<'a>,
    pub(super) friction: Option<f64>,
    pub(super) rolling_friction: Option<f64>,
    pub(super) spinning_friction: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Pair", bound(deserialize = "'de: 'a"))]
pub(super) struct MaterialPair<'a> {
    pub(super) between: (String, String),
    pub(super) restitution: Option<Raw<'a>>,
    pub(super) friction: Option<f64>,
    pub(super) rolling_friction: Option<f64>,
    pub(super) spinning_friction: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Shape {
    Sphere {
        radius: f64,
    },
    Box {
        half_extents: Vector,
    },
    Plane {
        normal: Vector,
        offset: f64,
    },
    Mesh(super::mesh::schema::Mesh),
    Tiles(super::grid::schema::Tiles),
    Voxels(super::grid::schema::Voxels),
    Heights(super::mesh::schema::Heights),
    Disc {
        radius: f64,
    },
    Segment {
        from: Range,
        to: Range,
    },
    Polygon {
        corners: Vec<Range>,
    },
    Arc {
        radius: f64,
        #[serde(default)]
        from: f64,
        #[serde(default = "whole_turn")]
        to: f64,
    },
}

/// Degrees.
fn whole_turn() -> f64 {
    360.0
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
pub(super) enum Motion {
    Free,
    Fixed,
    Kinematic,
}

#[derive(Clone, PartialEq, Deserialize)]
#[serde(rename = "Motion")]
pub(super) enum BodyMotion {
    Free,
    Fixed,
    Kinematic,
    Along(Course),
}

#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Course {
    Sine {
        axis: Vector,
        amplitude: f64,
        frequency: f64,
        #[serde(default)]
        phase: f64,
    },
    Polynomial {
        axis: Vector,
        coefficients: Vec<f64>,
        until: f64,
    },
    Knots(Vec<(f64, Vector)>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    pub(super) name: Option<String>,
    pub(super) shape: Shape,
    pub(super) motion: Option<BodyMotion>,
    pub(super) response: Option<Response>,
    pub(super) mass: Option<f64>,
    pub(super) density: Option<f64>,
    pub(super) position: Option<Vector>,
    pub(super) velocity: Option<Vector>,
    pub(super) spin: Option<Spin>,
    pub(super) material: Option<String>,
    pub(super) color: Option<String>,
    pub(super) layer: Option<String>,
    pub(super) collides_with: Option<Vec<String>>,
}
