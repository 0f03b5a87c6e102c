//! Geometry at rest: what the solids are, and how they lie to each other at one instant.

pub mod aabb;
pub mod plane;
pub mod sphere;

pub use aabb::{Aabb, HalfExtents};
pub use plane::Plane;
pub use sphere::{Radius, Sphere};
