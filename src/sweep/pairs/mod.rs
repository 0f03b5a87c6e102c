//! The pairs of moving solids, one file per pair. Each returns the [`Overlap`](super::Overlap) of its two solids.

pub mod box_box;
pub mod box_plane;
pub mod box_triangle;
pub mod circle_circle;
pub mod sphere_arc;
pub mod sphere_box;
pub mod sphere_plane;
pub mod sphere_sphere;
pub mod sphere_triangle;
