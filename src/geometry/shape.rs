//! The shape of a body, relative to its position.

use std::sync::Arc;

use glam::DVec3;

use crate::geometry::{CircleArc, Grid, HalfExtents, Mesh, Outline, Plane, Radius, Solid};

/// The shape of a body, without its position.
///
/// ```
/// use carom::geometry::{Plane, Radius, Shape, Solid};
/// use carom::glam::DVec3;
///
/// let ball = Shape::Sphere(Radius::new(0.5).unwrap());
/// assert_eq!(ball.half_extents(), DVec3::splat(0.5));
/// assert_eq!(ball.solid(), Some(Solid::Sphere(0.5)));
/// let floor = Shape::Plane(Plane::new(DVec3::Z, 0.0).unwrap());
/// assert_eq!(floor.half_extents(), DVec3::INFINITY);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// A ball around the body's position.
    Sphere(Radius),
    /// An axis-aligned box around the body's position. It never rotates.
    Box(HalfExtents),
    /// The half-space behind a plane, given for a body at the origin; the body's position shifts it.
    Plane(Plane),
    /// Triangles, given for a body at the origin; the body's position shifts them. Many bodies may share one mesh.
    Mesh(Arc<Mesh>),
    /// A circular wall around the body's position, in a planar world.
    Arc(CircleArc),
    /// Solid and empty cells, given for a body at the origin; the body's position shifts them.
    Grid(Arc<Grid>),
}

impl Shape {
    /// The shape as one solid, or `None` for a mesh or a grid, which consist of many.
    #[inline]
    pub fn solid(&self) -> Option<Solid<'_>> {
        match self {
            Self::Sphere(radius) => Some(Solid::Sphere(radius.get())),
            Self::Box(half) => Some(Solid::Box(half.get())),
            Self::Plane(plane) => Some(Solid::Plane(plane)),
            Self::Arc(arc) => Some(Solid::Arc(arc)),
            Self::Mesh(_) | Self::Grid(_) => None,
        }
    }

    /// The surface of a mesh or a grid; `None` for one solid.
    #[inline]
    #[doc(hidden)]
    pub fn outline(&self) -> Option<Outline<'_>> {
        match self {
            Self::Mesh(mesh) => Some(Outline::of(mesh)),
            Self::Grid(grid) => Some(Outline::Grid(grid)),
            Self::Sphere(_) | Self::Box(_) | Self::Plane(_) | Self::Arc(_) => None,
        }
    }

    /// A mesh, that of a grid's surface, or that of chords of an arc; `None` for a ball, a box and a half-space, and
    /// for a grid without a solid cell.
    #[doc(hidden)]
    pub fn to_mesh(&self) -> Option<Arc<Mesh>> {
        match self {
            Self::Mesh(mesh) => Some(Arc::clone(mesh)),
            Self::Grid(grid) => {
                let (corners, triangles) = grid.triangles();
                Mesh::new(&corners, &triangles).ok().map(Arc::new)
            }
            Self::Arc(arc) => Mesh::wall(&arc.chords(), arc.radius()).ok().map(Arc::new),
            Self::Sphere(_) | Self::Box(_) | Self::Plane(_) => None,
        }
    }

    /// How far the shape reaches from its position along each axis, to either side, m; infinite for a plane.
    #[inline]
    pub fn half_extents(&self) -> DVec3 {
        match self {
            Self::Sphere(radius) => DVec3::splat(radius.get()),
            Self::Box(half) => half.get(),
            Self::Plane(_) => DVec3::INFINITY,
            Self::Arc(arc) => DVec3::splat(arc.radius()),
            Self::Mesh(mesh) => mesh.bounds().farthest(),
            Self::Grid(grid) => grid.bounds().max,
        }
    }

    /// The widths of the box around the shape, m; infinite for a plane.
    pub(crate) fn widths(&self) -> DVec3 {
        let bounds = match self {
            Self::Arc(_) => self.to_mesh().map(|chords| *chords.bounds()),
            _ => self.outline().map(|outline| *outline.bounds()),
        };
        bounds.map_or(2.0 * self.half_extents(), |bounds| bounds.max - bounds.min)
    }
}
