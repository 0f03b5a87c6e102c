//! The shapes. Each file defines one solid, and contains nothing about pairs.

pub mod aabb;
pub mod circle_arc;
pub mod flat;
pub mod plane;
pub mod ray;
pub mod solid;
pub mod sphere;
pub mod triangle;
