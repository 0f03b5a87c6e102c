//! A cone that is cut off at both ends, or a cylinder: the vessels that are round about an axis.

use std::f64::consts::PI;

use glam::DVec3;

use crate::geometry::Aabb;

/// All points from one end to the other that are not farther from the axis than a radius, which changes linearly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    /// The middle of the first end, m.
    pub from: DVec3,
    /// Unit vector to the other end.
    pub axis: DVec3,
    /// Distance of the ends, m; positive.
    pub height: f64,
    /// The radii at the two ends, m. At most one of them is 0.
    pub radii: [f64; 2],
}

impl Frustum {
    /// How fast the radius changes along the axis; no unit.
    pub fn slope(&self) -> f64 {
        (self.radii[1] - self.radii[0]) / self.height
    }

    /// The distance between the axis and the wall over the distance between a point of the axis and the wall; no unit.
    pub fn secant(&self) -> f64 {
        (1.0 + self.slope() * self.slope()).sqrt()
    }

    /// Where a point is along the axis, m, and its distance from the axis as a vector, m.
    pub fn split(&self, point: DVec3) -> (f64, DVec3) {
        let offset = point - self.from;
        let along = offset.dot(self.axis);
        (along, offset - self.axis * along)
    }

    /// Distances to the two ends and to the side, m; negative outside.
    pub(super) fn gaps(&self, point: DVec3) -> [f64; 3] {
        let (along, across) = self.split(point);
        let side = (self.radii[0] + self.slope() * along - across.length()) / self.secant();
        [along, self.height - along, side]
    }

    pub(super) fn volume(&self) -> f64 {
        let [a, b] = self.radii;
        PI / 3.0 * self.height * (a * a + a * b + b * b)
    }

    pub(super) fn bounds(&self) -> Aabb {
        // A disc across the unit vector u reaches r √(1 − u²) along an axis.
        let reach = (DVec3::ONE - self.axis * self.axis).max(DVec3::ZERO).map(f64::sqrt);
        let ends = [(self.from, self.radii[0]), (self.from + self.axis * self.height, self.radii[1])];
        let [first, last] = ends.map(|(middle, radius)| Aabb::around(middle, reach * radius));
        first.union(&last)
    }
}
