//! Scenarios: what is read, what is refused and why, and what the included ones expect.

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod commands;
mod compressed;
mod generators;
mod good_input;
mod meshes;
mod settings;
mod shipped;
mod source;
