//! Pictures of motion: the paths of bodies seen along an axis, and one coordinate over time.

pub(super) mod bodies;
pub(super) mod concentration;
pub(super) mod height;
pub(super) mod path;
pub(super) mod path_pieces;
pub(super) mod periodic;
