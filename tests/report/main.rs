//! Plots of runs.

mod diagrams;
mod meshes;
mod plots;
mod runs;
mod styles;
