//! Bodies, events and worlds: closed forms, rest, commands, queries, and promises that hold in any scene.

#[path = "../common/mod.rs"]
mod common;

mod contact;
mod impact;
mod invariants;
mod laws;
mod world;
