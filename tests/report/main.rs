//! Plots of runs.

mod meshes;
mod plots;
mod runs;
