//! Shapes at rest and in motion: closest points, rays, overlaps and swept pairs, against independent computations.

#[path = "../common/mod.rs"]
mod common;

mod cases;
mod casts;
mod closest;
mod drawn;
mod meet;
mod mesh_filter;
mod one_convention;
mod polytope;
mod polytope_view;
mod polytope_volume;
mod ray_cases;
mod sweep_properties;
mod thin;
mod triangle_cases;
mod triangle_sweeps;
