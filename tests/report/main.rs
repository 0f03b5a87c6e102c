//! Plots of runs.

mod diagrams;
mod meshes;
mod overlays;
mod physics;
mod plots;
mod runs;
mod styles;
mod values;
