//! VTK: a folder with PolyData of each frame, and lists of the frames with their times.

mod poly_data;
pub(super) mod series;
