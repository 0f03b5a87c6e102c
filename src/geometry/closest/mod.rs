//! Closest points: the point of an object nearest to a given point, and the nearest points of two objects.
//!
//! Each kind has its own file and a closed form: project, then clamp to the extent of the object (Ericson, *Real-Time
//! Collision Detection*, 2005, § 5.1). For a ray and a segment, the result also contains the part on which it lies:
//!
//! | the foot of the perpendicular is | ray | segment |
//! |---|---|---|
//! | before the start, or the start itself | `Part::Start`, t = 0 | `Part::Start`, t = 0 |
//! | on it | `Part::Between`, t > 0 | `Part::Between`, 0 < t < 1 |
//! | at or beyond the end | has none | `Part::End`, t = 1, to the bit |
//!
//! If a query has a coordinate that is NaN, its distance from the result is NaN, so no comparison takes it for near.
//! Lengths are safe from 1e-60 to 1e70 m: products of four of them, and of the sine of an angle above rounding error,
//! neither overflow nor underflow.

mod aabb;
mod pair;
mod plane;
mod round;
mod straight;
pub(crate) mod triangle;

pub use aabb::point_on_aabb;
pub use pair::{Nearest, ray_ray, segment_segment};
pub use plane::{point_on_line2, point_on_plane};
pub use round::{OnCircle, OnSphere, point_on_circle, point_on_sphere};
pub use straight::{Foot, Foot2, Part, point_on_ray, point_on_ray2, point_on_segment, point_on_segment2};
pub use triangle::{Feature, TrianglePoint, point_on_triangle};

pub(in crate::geometry) use pair::are_parallel;
