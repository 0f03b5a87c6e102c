//! Geometry at rest: the solids, and their relative position at one instant.

pub mod cast;
pub mod closest;
mod exact;
#[doc(hidden)]
pub mod gap;
mod grid;
pub mod meet;
#[doc(hidden)]
pub mod mesh;
mod outline;
pub mod overlap;
pub mod polytope;
mod shape;
#[doc(hidden)]
pub mod shapes;
pub mod side;
#[doc(hidden)]
pub mod start;
#[doc(hidden)]
pub mod touch;
#[doc(hidden)]
pub mod tree;
#[doc(hidden)]
pub mod unit;

pub use gap::{Gap, gap};
pub use grid::{Grid, GridError, GridHit};
pub use mesh::{Facet, Lines, Mesh, MeshError};
pub use shape::Shape;
pub use shapes::aabb::{Aabb, HalfExtents};
pub(crate) use shapes::circle_arc::ArcPart;
pub use shapes::circle_arc::CircleArc;
pub use shapes::flat::{Line2, Ray2, Segment2};
pub use shapes::plane::Plane;
pub use shapes::ray::{Ray, Segment};
pub use shapes::solid::Solid;
pub use shapes::sphere::Radius;
pub use shapes::triangle::Triangle;
pub use start::Start;
#[doc(hidden)]
pub use {gap::triangle_gap, outline::Outline, polytope::Polytope, touch::touch_point, tree::Tree, unit::unit};
