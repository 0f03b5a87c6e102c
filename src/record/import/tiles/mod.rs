//! Maps of tiles: of the editors Tiled and LDtk.

mod grid;
pub(super) mod ldtk;
pub(super) mod tiled;
