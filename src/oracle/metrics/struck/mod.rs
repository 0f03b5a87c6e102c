//! Impacts: the first impact of each body and the restitution of isolated impacts, both found in the rows; and the
//! impacts in a log of events.

mod first;
mod jumps;
mod restitution;
mod told;

pub(super) use first::first;
pub(super) use restitution::restitution;
pub(super) use told::{Told, told};
