//! The result of a query: where a primitive and a polytope have points in common.

use glam::DVec3;

use super::PLANES_MAX;
use super::clip::RING_MAX;
use crate::geometry::Plane;

/// Most points of one hit: 70.
///
/// Cutting a convex polygon along one line removes at least one vertex and adds at most two. So a triangle cut by all
/// planes has at most 3 + 32 vertices; a quadrilateral is two triangles.
pub const POINTS_MAX: usize = 2 * RING_MAX;

const _: () = assert!(POINTS_MAX == 2 * (PLANES_MAX + 3), "each plane adds at most one vertex to each triangle");

/// How a primitive and the polytope meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// The whole primitive belongs to the polytope.
    Inside,
    /// A vertex or an edge of the primitive has points in the polytope, but not the whole primitive.
    Cut,
    /// The polytope passes through the interior of a triangle or quadrilateral and does not reach its edges.
    Pierced,
}

/// Up to [`POINTS_MAX`] points, m.
#[derive(Clone, Copy)]
pub struct Points {
    items: [DVec3; POINTS_MAX],
    count: usize,
}

impl Points {
    pub(super) const EMPTY: Self = Self { items: [DVec3::ZERO; POINTS_MAX], count: 0 };

    #[inline]
    pub(super) fn push(&mut self, point: DVec3) {
        self.items[self.count] = point;
        self.count += 1;
    }

    /// The points in order.
    #[inline]
    pub fn as_slice(&self) -> &[DVec3] {
        &self.items[..self.count]
    }
}

impl PartialEq for Points {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl std::fmt::Debug for Points {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.as_slice()).finish()
    }
}

/// The common points of a primitive and a polytope. They are a convex set, except for a bent quadrilateral.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Row of the primitive in the given slice; 0 for a single one.
    pub index: usize,
    /// How the two meet.
    pub meeting: Meeting,
    /// The vertices of the common part, at least one, going round it as the primitive's vertices do; where it begins
    /// depends on the order of the planes. Two may coincide where the common part has no area.
    pub points: Points,
    /// Mean of the points, m.
    pub centroid: DVec3,
    /// Signed distance from the reference plane, m, of the point of the common part that lies farthest in front of
    /// it; negative if all of it lies behind.
    pub farthest: f64,
    /// Signed distance of the centroid from the reference plane, m; positive in front of it.
    pub centroid_distance: f64,
}

impl Hit {
    /// `None` without points.
    pub(super) fn new(meeting: Meeting, points: Points, reference: &Plane) -> Option<Self> {
        let list = points.as_slice();
        let distances = list.iter().map(|&point| reference.distance(point));
        let farthest = distances.reduce(f64::max)?;
        let centroid = list.iter().sum::<DVec3>() / list.len() as f64;
        let centroid_distance = reference.distance(centroid);
        Some(Self { index: 0, meeting, points, centroid, farthest, centroid_distance })
    }
}
