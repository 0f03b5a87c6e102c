//! The ray and the segment, in parametric form.

use glam::DVec3;

/// All points `origin` + t `direction` with t ≥ 0.
///
/// The direction may have any length but 0; a parameter t is in units of it, so with a unit direction t is a distance
/// in m and with a velocity a time in s.
///
/// ```
/// use carom::geometry::Ray;
/// use carom::glam::DVec3;
///
/// // With a velocity of 2 m/s downwards, the parameter is a time.
/// let ray = Ray { origin: DVec3::new(1.0, 0.0, 10.0), direction: DVec3::Z * -2.0 };
/// assert_eq!(ray.at(3.0), DVec3::new(1.0, 0.0, 4.0));
/// assert!(ray.has_direction());
/// ```
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

    /// Whether its direction has a length to divide by. That of less than about 1.5e-154 has a square that is not a
    /// normal number.
    #[doc(hidden)]
    pub fn has_direction(&self) -> bool {
        self.direction.length_squared() >= f64::MIN_POSITIVE
    }
}

/// All points between two ends, the ends included.
///
/// ```
/// use carom::geometry::Segment;
/// use carom::geometry::closest::{Part, point_on_segment};
/// use carom::glam::DVec3;
///
/// let segment = Segment { start: DVec3::ZERO, end: DVec3::X * 4.0 };
/// let before = point_on_segment(DVec3::new(-3.0, 4.0, 0.0), &segment);
/// assert_eq!((before.point, before.part), (segment.start, Part::Start));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Its first end, m.
    pub start: DVec3,
    /// Its second end, m.
    pub end: DVec3,
}
