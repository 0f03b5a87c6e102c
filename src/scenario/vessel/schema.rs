//! How a vessel is written in a scenario, before anything is checked.

use serde::Deserialize;

use crate::scenario::numbers::{Range, Triple};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) enum Within {
    Box {
        #[serde(default)]
        min: Option<Triple>,
        #[serde(default)]
        max: Option<Triple>,
    },
    Cylinder {
        from: Triple,
        to: Triple,
        radius: f64,
    },
    Cone {
        from: Triple,
        to: Triple,
        radii: Range,
    },
    Sphere {
        center: Triple,
        radius: f64,
    },
    Mesh(String),
}
