//! Geometry at rest: what the solids are, and how they lie to each other at one instant.

pub mod aabb;
pub mod gap;
pub mod plane;
pub mod shape;
pub mod sphere;
pub mod touch;
pub mod unit;

pub use aabb::{Aabb, HalfExtents};
pub use gap::{Gap, gap};
pub use plane::Plane;
pub use shape::Shape;
pub use sphere::Radius;
pub use touch::touch_point;
pub use unit::unit;
