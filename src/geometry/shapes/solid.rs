//! The convex solids that pair tests are made for.
//!
//! A body's [`Shape`](crate::geometry::Shape) is one of them, or a mesh of many triangles, each of which is one. Like a shape, a
//! solid has no place; pair tests are told how the second lies or moves as seen from the first.

use glam::DVec3;

use crate::geometry::{Plane, Triangle};

/// One convex solid, as a view of the value that holds its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Solid<'a> {
    /// The ball of this radius (m, not negative) around its place.
    Sphere(f64),
    /// The axis-aligned box with these half edges (m, not negative) around its place.
    Box(DVec3),
    /// The half-space behind the plane.
    Plane(&'a Plane),
    /// The thin sheet at the plane, met from both sides.
    Sheet(&'a Plane),
    /// The sheet between three vertices, met from both sides.
    Triangle(&'a Triangle),
}
