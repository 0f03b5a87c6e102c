//! How generators are written in a scenario, before anything is checked.
//!
//! The fields that all of them share are declared once.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::dynamics::Response;
use crate::scenario::numbers::{Counts, Range, Spin, Vector};
use crate::scenario::schema::Motion;
use crate::scenario::vessel::schema::Within;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Fill {
    Lattice(Lattice),
    Random(Random),
    Compressed(Compressed),
    Rack(Rack),
    FromFile(FromFile),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum FillShape {
    Sphere { radius: f64 },
    Spheres { radii: Range },
    Box { half_extents: Vector },
    Disc { radius: f64 },
    Discs { radii: Range },
}

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) enum Cell {
    #[default]
    SimpleCubic,
    FaceCentred,
    Hexagonal,
}

/// When growth ends.
#[derive(Clone, Copy, Deserialize)]
pub(super) enum Until {
    Packing(f64),
    Jammed,
}

/// Sizes by the name of their distribution.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Sizes {
    Equal,
    Uniform { min: f64, max: f64 },
    Normal { mean: f64, deviation: f64 },
    LogNormal { mean: f64, deviation: f64 },
    Shares(Vec<[f64; 2]>),
    FromFile(String),
}

/// Declares a generator: the fields of its own, and those that all generators share.
macro_rules! generator {
    ($name:ident { $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)? }) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            pub(super) name: String,
            $($(#[$meta])* pub(super) $field: $type,)*
            motion: Option<Motion>,
            response: Option<Response>,
            mass: Option<f64>,
            density: Option<f64>,
            material: Option<String>,
            color: Option<String>,
            layer: Option<String>,
            collides_with: Option<Vec<String>>,
            velocity: Option<Vector>,
            spin: Option<Spin>,
            temperature: Option<f64>,
            #[serde(default)]
            zero_momentum: bool,
            #[serde(default)]
            seed: u64,
        }

        impl $name {
            /// The fields that do not depend on the places of the bodies.
            pub(super) fn common(&self) -> Common<'_> {
                Common {
                    motion: self.motion,
                    response: self.response,
                    mass: self.mass,
                    density: self.density,
                    material: self.material.as_deref(),
                    color: self.color.as_deref(),
                    layer: self.layer.as_deref(),
                    collides_with: self.collides_with.as_deref(),
                    velocity: self.velocity,
                    spin: self.spin,
                    temperature: self.temperature,
                    zero_momentum: self.zero_momentum,
                    seed: self.seed,
                }
            }
        }
    };
}

generator!(Lattice {
    shape: FillShape,
    #[serde(default)]
    kind: Cell,
    counts: Counts,
    min: Vector,
    max: Option<Vector>,
    spacing: Option<f64>,
});

generator!(Random {
    shape: FillShape,
    count: u64,
    min: Option<Vector>,
    max: Option<Vector>,
});

generator!(Compressed {
    count: Option<u64>,
    within: Option<Within>,
    /// Read on its own, by its first character.
    sizes: Option<IgnoredAny>,
    until: Option<Until>,
    packing: Option<f64>,
    rate: Option<f64>,
    min: Option<Vector>,
    max: Option<Vector>,
});

generator!(Rack {
    radius: f64,
    rows: u64,
    apex: Vector,
    direction: Option<Vector>,
    across: Option<Vector>,
    #[serde(default)]
    gap: f64,
});

generator!(FromFile {
    file: String,
    shape: Option<FillShape>,
});

/// The fields that all generators share.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) motion: Option<Motion>,
    pub(super) response: Option<Response>,
    pub(super) mass: Option<f64>,
    pub(super) density: Option<f64>,
    pub(super) material: Option<&'a str>,
    pub(super) color: Option<&'a str>,
    pub(super) layer: Option<&'a str>,
    pub(super) collides_with: Option<&'a [String]>,
    pub(super) velocity: Option<Vector>,
    pub(super) spin: Option<Spin>,
    pub(super) temperature: Option<f64>,
    pub(super) zero_momentum: bool,
    pub(super) seed: u64,
}
