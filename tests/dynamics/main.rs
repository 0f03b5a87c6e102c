//! Bodies, events and worlds: closed forms, rest, commands, queries, and promises that hold in any scene.

#[path = "../common/mod.rs"]
mod common;

mod collapse;
mod commands;
mod curved;
mod extremes;
mod friction;
mod galilean;
mod gas;
mod heap;
mod magnitudes;
mod meshes;
mod oracle;
mod physics;
mod piles;
mod promises;
mod queries;
mod random_scenes;
mod resting;
mod time_travel;
mod together;
mod worlds;
