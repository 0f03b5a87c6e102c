//! Independent tests of resting contacts. They state what heaps must do in any engine, and use only the public library
//! and their own geometry.
//!
//! `CAROM_THOROUGH=1` runs many more scenes. A scene that fails is written as a scenario into cargo's folder for tests
//! (`target/tmp/contact_engine`). Scenes worth keeping move into `tests/scenes`.

#[path = "../common/mod.rs"]
mod common;

mod geometry;
mod lattices;
mod locality;
mod membership;
mod random_scenes;
mod rest;
mod room_left;
mod same_bits;
mod scene;
mod started_again;
mod tilings;
