//! Ray casts: where a ray meets a shape at rest.
//!
//! One file per pair, each a closed form. A ray is the way of a point: its parameter t counts in lengths of the direction,
//! from 0 at its origin, as time does for a moving point. So a cast gives what the [`sweep`](mod@crate::sweep) of a ball of
//! radius 0 gives, by the same rules:
//!
//! | the ray | answer |
//! |---|---|
//! | comes from outside and goes into the solid by `until`, which counts | `Start::Apart`, 0 < enter ≤ leave |
//! | starts on the surface and goes in | `Start::Touching`, enter = 0 |
//! | starts inside | `Start::Inside`, enter = 0 |
//! | only touches the solid | no answer |
//! | starts on the surface and goes out | no answer |
//! | passes by, turns its back, or comes later than `until` | no answer |
//! | has a number that is NaN or infinite, or meets a shape that has one | no answer |
//! | has a direction of length 0 | no answer |
//!
//! `leave` is the true end, beyond `until` if need be, and infinite if the ray never comes out. The normal is the outward
//! one of the surface where the ray enters; if it starts inside, that of the shortest way out. In a sweep the normal points
//! from `a` to `b`, so there it is the opposite.
//!
//! Through what is thinner than the parameters tell apart the ray passes all the same, with enter = leave.
//!
//! A sheet (a plane taken as such, a triangle) has no interior. A ray meets it where it passes through to the other side:
//! in one point, with the normal on the side that it comes from. The edges and vertices of a triangle belong to it.
//!
//! Lengths are safe from 1e-70 to 1e70, of the shape, of the way to it and of the direction: products of four of them
//! neither overflow nor vanish. A ray that passes within rounding of a border may be judged either way, but one that
//! passes through two triangles' common edge or vertex never slips between them. Nor does one that runs along the common
//! face of two boxes: a ray in the plane of a face counts as inside as far as that axis goes.

mod aabb;
mod plane;
mod round;
mod triangle;

pub use aabb::{AabbCaster, ray_aabb};
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
    /// How the ray's origin lies to the solid.
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

/// Whether all six numbers are finite, if none of them is beyond all sense.
#[inline]
fn is_sound(a: DVec3, b: DVec3) -> bool {
    (a + b).element_sum().is_finite()
}
