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
