//! The judge of resting contacts: claims about heaps that any engine must meet, on nothing but the public library and on
//! geometry of its own.
//!
//! `CAROM_THOROUGH=1` goes through many more scenes. A scene that fails is written as a scenario into cargo's folder for
//! tests (`target/tmp/contact_engine`); what is worth keeping moves into `tests/scenes`.

#[path = "../common/mod.rs"]
mod common;

mod geometry;
mod locality;
mod membership;
mod random_scenes;
mod rest;
mod room_left;
mod same_bits;
mod scene;
mod started_again;
