//! Ray casts: where a ray meets a shape at rest.
//!
//! One file per pair, each with a closed form. A ray is the path of a point: its parameter t counts in lengths of the
//! direction, from 0 at its origin, and corresponds to the time of a moving point. So a cast gives the result of the
//! [`sweep`](mod@crate::sweep) of a ball of radius 0, by the same rules:
//!
//! | the ray | result |
//! |---|---|
//! | enters the solid from outside at or before `until` | `Start::Apart`, 0 < enter ≤ leave |
//! | starts on the surface and goes inwards | `Start::Touching`, enter = 0 |
//! | starts inside | `Start::Inside`, enter = 0 |
//! | only touches the solid | `None` |
//! | starts on the surface and goes outwards | `None` |
//! | misses the solid, points away from it, or reaches it later than `until` | `None` |
//! | has a number that is NaN or infinite, or meets a shape that has one | `None` |
//! | has a direction of length 0 | `None` |
//!
//! `leave` is the actual end. It may lie beyond `until`, and it is infinite if the ray never leaves the solid. The
//! normal is the outward normal of the surface where the ray enters; if it starts inside, that of the shortest way out.
//! In a sweep the normal points from `a` to `b`, so there it has the opposite direction.
//!
//! If a solid is thinner than the resolution of the parameters, the ray still passes through it, with enter = leave.
//!
//! A sheet (a plane taken as such, a triangle) has no interior. A ray meets it where it passes through to the other
//! side: in one point, with the normal on the side from which the ray comes. The edges and vertices of a triangle
//! belong to it.
//!
//! Lengths are safe from 1e-70 to 1e70: those of the shape, of the vector to it and of the direction. Products of four
//! such lengths neither overflow nor underflow. The result for a ray that passes within rounding error of a border is
//! not certain. But a ray through the common edge or vertex of two triangles never slips between them. Nor does a ray
//! along the common face of two boxes: a ray in the plane of a face counts as inside along that axis.

mod aabb;
mod arc;
mod plane;
mod round;
mod triangle;

pub use aabb::{AabbCaster, ray_aabb};
pub use arc::ray_arc;
pub use plane::{PlaneCast, ray_half_space, ray_plane};
pub use round::{Crossing2, ray_circle, ray_sphere};
pub use triangle::{TriangleCaster, TriangleHit, ray_triangle};

use glam::DVec3;

use super::Start;

/// The part of a ray within a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Where the ray enters; 0 if it starts inside.
    pub enter: f64,
    /// Where it leaves; infinite if never.
    pub leave: f64,
    /// Outward unit normal of the surface at `enter`; if the ray starts inside, along the shortest way out.
    pub normal: DVec3,
    /// Position of the ray's origin relative to the solid.
    pub start: Start,
}

/// Which sides of a sheet can be hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faces {
    /// Only the front, to which the normal points.
    Front,
    /// Both.
    Both,
}

/// A side of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The side to which the normal points.
    Front,
    /// The other side.
    Back,
}

/// Whether all six numbers are finite, provided that their sum does not overflow.
#[inline]
fn is_sound(a: DVec3, b: DVec3) -> bool {
    (a + b).element_sum().is_finite()
}
