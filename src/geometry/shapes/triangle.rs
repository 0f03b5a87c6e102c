//! The triangle: a sheet without thickness that can be hit from both sides.

use glam::DVec3;

use crate::geometry::Aabb;

/// All points between three vertices, edges and vertices included.
///
/// Seen from the side from which a, b, c are counterclockwise, its normal points to the viewer. A triangle whose
/// vertices lie on one line has no normal.
///
/// ```
/// use carom::geometry::Triangle;
/// use carom::glam::DVec3;
///
/// // Its area is 4 m².
/// let triangle = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 2.0 };
/// assert_eq!(triangle.cross(), DVec3::Z * 8.0);
/// assert_eq!(triangle.bounds().max, DVec3::new(4.0, 2.0, 0.0));
/// assert_eq!(triangle.shifted(DVec3::Z).b, DVec3::new(4.0, 0.0, 1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// First vertex, m.
    pub a: DVec3,
    /// Second vertex, m.
    pub b: DVec3,
    /// Third vertex, m.
    pub c: DVec3,
}

impl Triangle {
    /// The three vertices in order.
    #[inline]
    pub fn vertices(&self) -> [DVec3; 3] {
        [self.a, self.b, self.c]
    }

    /// (b − a) × (c − a): along the normal, twice the area long, m².
    #[inline]
    #[doc(hidden)]
    pub fn cross(&self) -> DVec3 {
        (self.b - self.a).cross(self.c - self.a)
    }

    /// The smallest box around it.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        Aabb { min: self.a.min(self.b).min(self.c), max: self.a.max(self.b).max(self.c) }
    }

    /// The triangle shifted by the vector `by`, m.
    #[must_use]
    #[inline]
    #[doc(hidden)]
    pub fn shifted(&self, by: DVec3) -> Self {
        Self { a: self.a + by, b: self.b + by, c: self.c + by }
    }
}
