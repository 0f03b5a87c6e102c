//! The ray and the segment, in parametric form.

use glam::DVec3;

/// All points `origin` + t `direction` with t ≥ 0.
///
/// The direction may have any length but 0; a parameter t is in units of it, so with a unit direction t is a distance
/// in m and with a velocity a time in s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it begins, m.
    pub origin: DVec3,
    /// Where it goes.
    pub direction: DVec3,
}

impl Ray {
    /// The point with parameter `t`, m.
    #[inline]
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }

    /// Whether its direction has a length to divide by. That of less than about 1.5e-154 has a square that is not a normal
    /// number.
    pub fn has_direction(&self) -> bool {
        self.direction.length_squared() >= f64::MIN_POSITIVE
    }
}

/// All points between two ends, the ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Its first end, m.
    pub start: DVec3,
    /// Its second end, m.
    pub end: DVec3,
}
