//! The solids of the pair tests.
//!
//! A body's [`Shape`](crate::geometry::Shape) is one of them, or a mesh of many triangles, each of which is one. Like a
//! shape, a solid has no position; pair tests take the position or motion of the second solid relative to the first.

use glam::DVec3;

use crate::geometry::{CircleArc, Plane, Triangle};

/// One solid, as a reference to its data. All but the arc are convex.
///
/// ```
/// use carom::geometry::{Plane, Solid, gap};
/// use carom::glam::DVec3;
///
/// // A ball of radius 1 m whose centre is 3 m below a plane: deep in the half-space, but clear of the sheet.
/// let plane = Plane::new(DVec3::Z, 0.0).unwrap();
/// let (ball, above) = (Solid::Sphere(1.0), DVec3::Z * 3.0);
/// assert_eq!(gap(ball, Solid::Plane(&plane), above).unwrap().separation, -4.0);
/// assert_eq!(gap(ball, Solid::Sheet(&plane), above).unwrap().separation, 2.0);
/// ```
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
    /// The thin circular wall; it can be hit from inside and from outside, by balls alone.
    Arc(&'a CircleArc),
    /// The sheet between three vertices; it can be hit from both sides.
    Triangle(&'a Triangle),
    /// The axis-aligned box with these half edges (m, not negative) around a place off the position: the face of a
    /// cell, which is flat along one axis.
    Patch {
        /// Its centre, from the position, m.
        center: DVec3,
        /// Half its edges, m.
        half: DVec3,
    },
}

impl Solid<'_> {
    /// Half the edges of the box around a ball or a box, m; 0 for the others.
    #[inline]
    pub(crate) fn half_extents(&self) -> DVec3 {
        match *self {
            Self::Sphere(radius) => DVec3::splat(radius),
            Self::Box(half) => half,
            _ => DVec3::ZERO,
        }
    }
}
