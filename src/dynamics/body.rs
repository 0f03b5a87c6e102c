//! What a body is, as it is given to the simulator.

use glam::DVec3;

use super::MaterialId;
use crate::geometry::{HalfExtents, Plane, Radius};
use crate::numeric::quantity::is_positive;
use crate::quantity;

quantity!(
    /// The mass of a free body, kg; positive, finite, and of a magnitude whose reciprocal is safe.
    Mass, "mass", "a positive finite number of kilograms, from 1e-70 to 1e70", is_positive
);

/// The rank of a body's name among all names of a world. Never reused within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

impl BodyId {
    /// The row of the body in any dense table.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A solid, without its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A ball around the body's position.
    Sphere(Radius),
    /// An axis-aligned box around the body's position. It never turns.
    Box(HalfExtents),
    /// The half-space behind a plane, given for a body at the origin; the body's position shifts it.
    Plane(Plane),
}

/// What moves a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// Gravity and impacts.
    Free(Mass),
    /// Nothing.
    Fixed,
    /// Its own velocity, which it keeps whatever hits it: pistons, closing walls.
    Kinematic,
}

/// What a body does to those that meet it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Response {
    /// They bounce.
    Collide,
    /// They pass through, and the log has the times at which each enters and leaves.
    Sense,
}

/// A body as it enters a world.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Unique in its world, and not empty.
    pub name: String,
    /// The solid.
    pub shape: Shape,
    /// What moves it.
    pub motion: Motion,
    /// What it does to others.
    pub response: Response,
    /// Where its shape's origin is, m, world frame.
    pub position: DVec3,
    /// Velocity, m/s. Zero for a fixed body.
    pub velocity: DVec3,
    /// Its row in the world's [`Materials`](super::Materials).
    pub material: MaterialId,
}
