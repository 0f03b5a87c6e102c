//! Primitives of the plane: the implicit line, the ray and the segment in two dimensions.

use glam::DVec2;

use crate::numeric::OutOfRange;
use crate::numeric::quantity::{MAGNITUDE_MIN, is_moderate};

/// All points p with `normal`·p = `offset`.
///
/// The coefficients are kept as they are given. Division by the normal's length would round them, and it could no
/// longer be decided exactly whether two lines are parallel. So `offset` is a distance only if the normal is a unit
/// vector.
///
/// ```
/// use carom::geometry::Line2;
/// use carom::glam::DVec2;
///
/// // 3 x + 4 y = 10. The normal is 5 long, so the line is 2 m from the origin.
/// let line = Line2::new(DVec2::new(3.0, 4.0), 10.0).unwrap();
/// assert_eq!(line.normal(), DVec2::new(3.0, 4.0));
/// assert_eq!(line.offset() / line.normal().length(), 2.0);
/// assert!(Line2::new(DVec2::ZERO, 10.0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line2 {
    normal: DVec2,
    offset: f64,
}

impl Line2 {
    /// The line `normal`·p = `offset`.
    ///
    /// # Errors
    /// [`OutOfRange`] when the normal has no length or when a number is not finite or too large.
    pub fn new(normal: DVec2, offset: f64) -> Result<Self, OutOfRange> {
        let largest = normal.abs().max_element();
        if !is_moderate(offset) {
            return Err(OutOfRange { quantity: "line offset", allowed: "finite, at most 1e70", found: offset });
        }
        if !normal.is_finite() || !is_moderate(largest) || largest < MAGNITUDE_MIN {
            let allowed = "a direction: finite, of a length from 1e-70 to 1e70";
            return Err(OutOfRange { quantity: "line normal", allowed, found: largest });
        }
        Ok(Self { normal, offset })
    }

    /// The normal, of any length but 0.
    pub const fn normal(&self) -> DVec2 {
        self.normal
    }

    /// The value of `normal`·p for every point p of the line.
    pub const fn offset(&self) -> f64 {
        self.offset
    }
}

/// All points `origin` + t `direction` with t ≥ 0.
///
/// The direction may have any length but 0; a parameter t is in units of it.
///
/// ```
/// use carom::geometry::Ray2;
/// use carom::glam::DVec2;
///
/// let ray = Ray2 { origin: DVec2::new(1.0, 2.0), direction: DVec2::new(3.0, 4.0) };
/// assert_eq!(ray.at(2.0), DVec2::new(7.0, 10.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray2 {
    /// Where it begins, m.
    pub origin: DVec2,
    /// Where it goes.
    pub direction: DVec2,
}

impl Ray2 {
    /// The point with parameter `t`, m.
    #[inline]
    pub fn at(&self, t: f64) -> DVec2 {
        self.origin + self.direction * t
    }
}

/// All points between two ends, the ends included.
///
/// ```
/// use carom::geometry::Segment2;
/// use carom::geometry::closest::{Part, point_on_segment2};
/// use carom::glam::DVec2;
///
/// let segment = Segment2 { start: DVec2::ZERO, end: DVec2::X * 4.0 };
/// let beyond = point_on_segment2(DVec2::new(7.0, 4.0), &segment);
/// assert_eq!((beyond.point, beyond.part), (segment.end, Part::End));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment2 {
    /// Its first end, m.
    pub start: DVec2,
    /// Its second end, m.
    pub end: DVec2,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_direction() {
        let rows = [
            ([0.0, 1e-70], 1e70, true),
            ([3.0, -4.0], 0.0, true),
            ([0.0, 0.0], 1.0, false),
            ([1e-71, 0.0], 1.0, false),
            ([1e71, 0.0], 1.0, false),
            ([1.0, 0.0], 1e71, false),
            ([1.0, f64::NAN], 1.0, false),
            ([f64::NAN, 1.0], 1.0, false),
            ([f64::INFINITY, 1.0], 1.0, false),
            ([1.0, 0.0], f64::NAN, false),
        ];
        for (normal, offset, allowed) in rows {
            assert_eq!(Line2::new(normal.into(), offset).is_ok(), allowed, "{normal:?} {offset}");
        }
    }
}
