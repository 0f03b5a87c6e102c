//! How a mesh is written in a scenario, before anything is checked.

use serde::Deserialize;

use crate::scenario::numbers::{PerAxis, Triple};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Mesh {
    pub(super) file: Option<String>,
    pub(super) vertices: Option<Vec<Triple>>,
    pub(super) triangles: Option<Vec<[u32; 3]>>,
    #[serde(default = "unscaled")]
    pub(super) scale: PerAxis<3>,
    #[serde(default)]
    pub(super) rotation: Vec<Rotation>,
    pub(super) translation: Option<Triple>,
    #[serde(default)]
    pub(super) flip: bool,
    #[serde(default)]
    pub(super) closed: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rotation {
    pub(super) axis: Triple,
    pub(super) degrees: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Heights {
    pub(super) cell: PerAxis<2>,
    pub(super) file: Option<String>,
    pub(super) rows: Option<Vec<Vec<f64>>>,
}

fn unscaled() -> PerAxis<3> {
    PerAxis::Same(1.0)
}
