//! Geometry at rest: what the solids are, and how they lie to each other at one instant.

pub mod aabb;
pub mod gap;
pub mod plane;
pub mod polytope;
pub mod ray;
pub mod shape;
pub mod sphere;
pub mod touch;
pub mod triangle;
pub mod unit;

pub use aabb::{Aabb, HalfExtents};
pub use gap::{Gap, gap};
pub use plane::Plane;
pub use polytope::Polytope;
pub use ray::{Ray, Segment};
pub use shape::Shape;
pub use sphere::Radius;
pub use touch::touch_point;
pub use triangle::Triangle;
pub use unit::unit;
