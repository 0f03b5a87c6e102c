//! Ray casts: where a ray meets a shape at rest.
//!
//! One file a pair, each a closed form. Shapes are closed: a ray that only touches one meets it. A parameter t counts
//! in lengths of the ray's direction, from 0 at its origin; nothing behind the origin is met.
//!
//! | the ray | answer |
//! |---|---|
//! | comes from outside a solid | `Origin::Outside`, 0 < enter ≤ leave; equal if it touches in one point |
//! | starts on the surface and goes in | `Origin::Surface`, enter = 0 |
//! | starts on the surface and goes out | `Origin::Surface`, leave = 0: it touches with its origin alone |
//! | starts inside | `Origin::Inside`, enter < 0 < leave |
//! | passes by, or turns its back | no answer |
//! | has a number that is NaN or infinite, or meets a shape that has one | no answer |
//! | has a direction of length 0 | no answer |
//!
//! Lengths are safe from 1e-70 to 1e70, of the shape, of the way to it and of the direction: products of four of them
//! neither overflow nor vanish. A ray that passes within rounding of a border may be judged either way, but one that
//! passes through two triangles' common edge or vertex never slips between them.

mod aabb;
mod plane;
mod round;
mod triangle;

pub use aabb::{AabbCaster, AabbCrossing, ray_aabb};
pub use plane::{PlaneCast, ray_plane};
pub use round::{ray_circle, ray_sphere};
pub use triangle::{TriangleCaster, TriangleHit, ray_triangle};

use glam::DVec3;

/// Where a ray begins, seen from a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// With a gap between them.
    Outside,
    /// On its surface.
    Surface,
    /// In its interior.
    Inside,
}

/// The part of a ray's line within a solid, of which some lies on the ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Where the line enters; negative, behind the origin, if that is inside.
    pub enter: f64,
    /// Where the line leaves; neither negative nor less than `enter`.
    pub leave: f64,
    /// Where the ray begins.
    pub origin: Origin,
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
