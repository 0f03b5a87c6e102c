//! Geometry at rest: what the solids are, and how they lie to each other at one instant.

pub mod aabb;
pub mod cast;
pub mod closest;
mod exact;
pub mod flat;
pub mod gap;
pub mod meet;
pub mod mesh;
pub mod overlap;
pub mod plane;
pub mod polytope;
pub mod ray;
pub mod shape;
pub mod side;
pub mod solid;
pub mod sphere;
pub mod touch;
pub mod tree;
pub mod triangle;
pub mod triangle_gap;
pub mod unit;

pub use aabb::{Aabb, HalfExtents};
pub use flat::{Line2, Ray2, Segment2};
pub use gap::{Gap, gap};
pub use mesh::{Facet, Mesh, MeshError};
pub use plane::Plane;
pub use polytope::Polytope;
pub use ray::{Ray, Segment};
pub use shape::Shape;
pub use solid::Solid;
pub use sphere::Radius;
pub use touch::touch_point;
pub use tree::Tree;
pub use triangle::Triangle;
pub use unit::unit;
