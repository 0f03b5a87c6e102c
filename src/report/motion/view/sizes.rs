//! The boxes around solids.

use glam::DVec3;

use crate::geometry::{Aabb, Shape};

/// Half the edge lengths of the box around a solid, m; zero for a half-space, which has none.
pub(crate) fn half_size(shape: &Shape) -> DVec3 {
    bounds(shape, DVec3::ZERO).half()
}

/// The box around a solid at `position`, m; the position itself for a half-space.
pub(crate) fn bounds(shape: &Shape, position: DVec3) -> Aabb {
    match shape {
        Shape::Plane(_) => Aabb::around(position, DVec3::ZERO),
        Shape::Sphere(_) | Shape::Box(_) | Shape::Arc(_) => Aabb::around(position, shape.half_extents()),
        Shape::Mesh(mesh) => mesh.bounds().shifted(position),
        Shape::Grid(grid) => grid.bounds().shifted(position),
    }
}

/// From the position of a body along an axis to its middle, m. A mesh on a course has its corners where they are, and
/// its position counts from there.
pub(crate) fn middle(shape: &Shape, axis: usize) -> f64 {
    match shape {
        Shape::Mesh(mesh) => 0.5 * (mesh.bounds().min + mesh.bounds().max)[axis],
        Shape::Plane(_) | Shape::Sphere(_) | Shape::Box(_) | Shape::Arc(_) | Shape::Grid(_) => 0.0,
    }
}
