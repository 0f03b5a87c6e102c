//! Impacts: the first impact of each body and the restitution of isolated impacts, both found in the rows; and the
//! impacts in a log of events.

mod first;
mod jumps;
mod reported;
mod restitution;

pub(super) use first::first;
pub(super) use reported::{Reported, reported};
pub(super) use restitution::restitution;
