//! Scenarios: which input is read, which is refused and why, and the expectations of the included scenarios.

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod commands;
mod compressed;
mod generators;
mod good_input;
mod grids;
mod lists;
mod meshes;
mod packings;
mod planar;
mod play;
mod settings;
mod shipped;
mod source;
