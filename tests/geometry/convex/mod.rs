//! Convex regions: polytopes, frusta and lassos.

mod polytope;
mod polytope_view;
mod polytope_volume;
