//! Diagrams of the motion of a few bodies, one file each.

pub(super) mod boundary_map;
mod few;
pub(super) mod passages;
pub(super) mod phase;
pub(super) mod separation;
pub(super) mod space_time;
pub(super) mod speed;
mod speed_bands;
pub(super) mod strobe;
