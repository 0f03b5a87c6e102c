//! What the rows show of impacts: the first of each body, and the restitution of those that stand alone.

mod first;
mod jumps;
mod restitution;

pub(super) use first::first;
pub(super) use restitution::restitution;
