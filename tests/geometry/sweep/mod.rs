//! Shapes in motion: times of impact.

mod drawn;
mod mesh_filter;
mod sweep_properties;
mod thin;
mod triangle_sweeps;
