//! The solids that take part in a simulation.

use glam::DVec3;

use super::{HalfExtents, Plane, Radius};

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

impl Shape {
    /// How far the solid reaches from its position along each axis, m; infinite for a plane.
    #[inline]
    pub fn half_extents(&self) -> DVec3 {
        match self {
            Self::Sphere(radius) => DVec3::splat(radius.get()),
            Self::Box(half) => half.get(),
            Self::Plane(_) => DVec3::INFINITY,
        }
    }
}
