//! Plots of runs.

mod boundary_maps;
mod diagrams;
mod meshes;
mod overlays;
mod physics;
mod plots;
mod runs;
mod styles;
mod values;
