//! The convex solids of the pair tests.
//!
//! A body's [`Shape`](crate::geometry::Shape) is one of them, or a mesh of many triangles, each of which is one. Like a
//! shape, a solid has no position; pair tests take the position or motion of the second solid relative to the first.

use glam::DVec3;

use crate::geometry::{Plane, Triangle};

/// One convex solid, as a reference to its data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Solid<'a> {
    /// The ball of this radius (m, not negative) around its position.
    Sphere(f64),
    /// The axis-aligned box with these half edges (m, not negative) around its position.
    Box(DVec3),
    /// The half-space behind the plane.
    Plane(&'a Plane),
    /// The thin sheet at the plane; it can be hit from both sides.
    Sheet(&'a Plane),
    /// The sheet between three vertices; it can be hit from both sides.
    Triangle(&'a Triangle),
}
