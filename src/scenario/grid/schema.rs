//! How a grid is written in a scenario, before anything is checked.

use serde::Deserialize;

use crate::scenario::numbers::PerAxis;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Tiles {
    pub(super) cell: PerAxis<2>,
    pub(super) rows: Vec<String>,
    pub(super) depth: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Voxels {
    pub(super) cell: PerAxis<3>,
    pub(super) size: [u32; 3],
    #[serde(default)]
    pub(super) cells: Vec<[u32; 3]>,
    #[serde(default)]
    pub(super) blocks: Vec<([u32; 3], [u32; 3])>,
}
