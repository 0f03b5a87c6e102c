//! Vessels: regions of space with walls around them, which balls are packed into and packings are measured in.

pub(super) mod bounds;
pub(super) mod check;
mod frustum;
pub(super) mod schema;

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::sync::Arc;

use glam::DVec3;

use crate::dynamics::Period;
use crate::geometry::closest::point_on_triangle;
use crate::geometry::{Aabb, Mesh};
use crate::numeric::tolerance::COARSENESS_MAX;

pub use frustum::Frustum;

/// A region of space and its walls.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Vessel {
    /// A box.
    Box {
        /// Its ends along each axis, m.
        ranges: [Period; 3],
        /// The axes along which it is a whole period, so that it has no walls there.
        endless: [bool; 3],
    },
    /// A cylinder or a cone.
    Frustum(Frustum),
    /// A ball.
    Sphere {
        /// Its centre, m.
        center: DVec3,
        /// m.
        radius: f64,
    },
    /// The solid that a closed mesh encloses, in the frame of the world.
    Mesh(Arc<Mesh>),
}

impl Vessel {
    /// The smallest box around it, m.
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Box { ranges: [x, y, z], .. } => {
                Aabb { min: DVec3::new(x.min, y.min, z.min), max: DVec3::new(x.max, y.max, z.max) }
            }
            Self::Frustum(frustum) => frustum.bounds(),
            Self::Sphere { center, radius } => Aabb::around(*center, DVec3::splat(*radius)),
            Self::Mesh(mesh) => *mesh.bounds(),
        }
    }

    /// m³.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Box { ranges, .. } => ranges.map(|range| range.max - range.min).into_iter().product(),
            Self::Frustum(frustum) => frustum.volume(),
            Self::Sphere { radius, .. } => 4.0 / 3.0 * PI * (radius * radius * radius),
            Self::Mesh(mesh) => {
                // The sum of tetrahedra between the triangles and one point.
                let apex = mesh.bounds().min;
                let six = mesh.triangles().iter().map(|triangle| (triangle.a - apex).dot(triangle.cross()));
                six.sum::<f64>() / 6.0
            }
        }
    }

    /// The axes along which it repeats.
    pub fn endless(&self) -> [bool; 3] {
        if let Self::Box { endless, .. } = self { *endless } else { [false; 3] }
    }

    /// How many of its walls a ball touches, with its centre inside and a gap of at most `gap`, m. In a mesh, facets
    /// are walls. A wall that cuts the ball, by more than rounding, is none.
    pub fn walls_at(&self, center: DVec3, radius: f64, gap: f64) -> usize {
        let touches = |distance: &f64| distance - radius <= gap && radius - distance <= radius * COARSENESS_MAX;
        match self {
            Self::Box { ranges, endless } => {
                let sides = |axis: usize| [center[axis] - ranges[axis].min, ranges[axis].max - center[axis]];
                (0..3).filter(|&axis| !endless[axis]).flat_map(sides).filter(touches).count()
            }
            Self::Frustum(frustum) => frustum.gaps(center).iter().copied().filter(touches).count(),
            Self::Sphere { .. } => usize::from(touches(&self.gap(center))),
            Self::Mesh(mesh) => {
                let mut facets = BTreeSet::new();
                mesh.tree().touching(&Aabb::around(center, DVec3::splat(radius + gap)), |row| {
                    let nearest = point_on_triangle(center, &mesh.triangles()[row as usize]).point;
                    if touches(&nearest.distance(center)) {
                        facets.insert(mesh.facet_of(row));
                    }
                });
                facets.len()
            }
        }
    }

    /// The distance from a point inside to the nearest wall, m. Negative outside, infinite without walls.
    pub fn gap(&self, point: DVec3) -> f64 {
        match self {
            Self::Box { ranges, endless } => (0..3)
                .filter(|&axis| !endless[axis])
                .map(|axis| (point[axis] - ranges[axis].min).min(ranges[axis].max - point[axis]))
                .fold(f64::INFINITY, f64::min),
            Self::Frustum(frustum) => frustum.gaps(point).into_iter().fold(f64::INFINITY, f64::min),
            Self::Sphere { center, radius } => radius - point.distance(*center),
            Self::Mesh(mesh) => {
                let distance = mesh.nearest(point).map_or(f64::NEG_INFINITY, |(_, place)| place.distance(point));
                if mesh.contains(point) { distance } else { -distance }
            }
        }
    }
}
