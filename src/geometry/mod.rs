//! Geometry at rest: the solids, and their relative position at one instant.

pub mod cast;
pub mod closest;
mod exact;
pub mod gap;
pub mod meet;
pub mod mesh;
pub mod overlap;
pub mod polytope;
pub mod shapes;
pub mod side;
pub mod start;
pub mod touch;
pub mod tree;
pub mod unit;

pub use gap::{Gap, gap, triangle_gap};
pub use mesh::{Facet, Mesh, MeshError};
pub use polytope::Polytope;
pub use shapes::aabb::{Aabb, HalfExtents};
pub use shapes::flat::{Line2, Ray2, Segment2};
pub use shapes::plane::Plane;
pub use shapes::ray::{Ray, Segment};
pub use shapes::shape::Shape;
pub use shapes::solid::Solid;
pub use shapes::sphere::Radius;
pub use shapes::triangle::Triangle;
pub use start::Start;
pub use touch::touch_point;
pub use tree::Tree;
pub use unit::unit;
