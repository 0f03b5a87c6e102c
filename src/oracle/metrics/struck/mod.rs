//! Impacts: what the rows show of them, the first of each body and the restitution of those that stand alone, and what a log of
//! events tells.

mod first;
mod jumps;
mod restitution;
mod told;

pub(super) use first::first;
pub(super) use restitution::restitution;
pub(super) use told::{Told, told};
