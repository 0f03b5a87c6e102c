//! Bodies in motion: their paths seen along an axis, and one coordinate over time.

pub(super) mod bodies;
pub(super) mod colour_key;
pub(super) mod concentration;
pub(super) mod curve;
pub(super) mod height;
pub(super) mod path;
pub(super) mod path_pieces;
pub(super) mod periodic;
pub(super) mod scene;
pub(super) mod track;
pub(super) mod view;
