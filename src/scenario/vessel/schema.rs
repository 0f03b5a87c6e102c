//! How a vessel is written in a scenario, before anything is checked.

use serde::Deserialize;

use crate::scenario::numbers::{Range, Vector};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) enum Within {
    Box { min: Option<Vector>, max: Option<Vector> },
    Cylinder { from: Vector, to: Vector, radius: f64 },
    Cone { from: Vector, to: Vector, radii: Range },
    Sphere { center: Vector, radius: f64 },
    Mesh(String),
}
