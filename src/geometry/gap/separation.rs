//! The signed gap, and the axis along which it is largest.

use glam::DVec3;

/// The signed gap of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Separation, m; negative means overlap.
    pub separation: f64,
    /// Unit vector from `a` to `b` along the shortest way.
    pub normal: DVec3,
}

impl Gap {
    pub(super) fn reversed(self) -> Self {
        Self { normal: -self.normal, ..self }
    }
}

/// The axis of the largest component; of equal ones the first.
#[inline]
pub(crate) fn largest(v: DVec3) -> usize {
    if v.x >= v.y && v.x >= v.z { 0 } else { 1 + usize::from(v.z > v.y) }
}

/// The axis as a unit vector towards the side on which `offset` lies.
pub(crate) fn side(offset: DVec3, axis: usize) -> DVec3 {
    DVec3::AXES[axis] * if offset[axis] < 0.0 { -1.0 } else { 1.0 }
}
