//! Shapes at rest and in motion: closest points, rays, overlaps and swept pairs, against independent computations.

#[path = "../common/mod.rs"]
mod common;

mod convex;
mod reference;
mod rest;
mod sweep;
