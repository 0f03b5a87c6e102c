//! VTK: a folder with PolyData of each frame and lists that give them their times.

mod poly_data;
pub(super) mod series;
