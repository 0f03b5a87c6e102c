//! Plots of runs.

mod meshes;
mod plots;
mod runs;
mod styles;
