//! The plane, and the solid half-space behind it.

use glam::DVec3;

use crate::numeric::OutOfRange;
use crate::numeric::quantity::{MAGNITUDE_MIN, is_moderate};
use crate::numeric::tolerance::UNIT_SLACK;

/// A plane n·x = offset with a unit normal. As a solid it is the half-space n·x < offset.
///
/// ```
/// use carom::geometry::Plane;
/// use carom::glam::DVec3;
///
/// // All points with 2 z = 6.
/// let plane = Plane::new(DVec3::Z * 2.0, 6.0).unwrap();
/// assert_eq!((plane.normal(), plane.offset()), (DVec3::Z, 3.0));
/// assert_eq!(plane.distance(DVec3::new(7.0, 8.0, 5.0)), 2.0);
/// assert_eq!(plane.distance(DVec3::ZERO), -3.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "(DVec3, f64)", into = "(DVec3, f64)")
)]
pub struct Plane {
    normal: DVec3,
    offset: f64,
}

impl From<Plane> for (DVec3, f64) {
    fn from(plane: Plane) -> Self {
        (plane.normal, plane.offset)
    }
}

/// The normal, and the offset, m.
impl TryFrom<(DVec3, f64)> for Plane {
    type Error = OutOfRange;

    fn try_from((normal, offset): (DVec3, f64)) -> Result<Self, OutOfRange> {
        Self::new(normal, offset)
    }
}

impl Plane {
    /// The plane of all points x with `normal`·x = `offset`, after both are divided by the normal's length.
    ///
    /// A normal that is a unit vector within rounding error is kept unchanged, to the bit.
    ///
    /// # Errors
    /// [`OutOfRange`] when the normal has no length or when a number is not finite or too large.
    pub fn new(normal: DVec3, offset: f64) -> Result<Self, OutOfRange> {
        let largest = normal.abs().max_element();
        if !is_moderate(offset) {
            return Err(OutOfRange { quantity: "plane offset", allowed: "finite, at most 1e70", found: offset });
        }
        if !normal.is_finite() || !is_moderate(largest) || largest < MAGNITUDE_MIN {
            let allowed = "a direction: finite, of a length from 1e-70 to 1e70";
            return Err(OutOfRange { quantity: "plane normal", allowed, found: largest });
        }
        let squared = normal.length_squared();
        if (squared - 1.0).abs() <= UNIT_SLACK {
            return Ok(Self { normal, offset });
        }
        let length = squared.sqrt();
        Ok(Self { normal: normal / length, offset: offset / length })
    }

    /// The unit normal; it points out of the solid half-space.
    pub const fn normal(&self) -> DVec3 {
        self.normal
    }

    /// Signed distance of the plane from the origin along its normal, m.
    pub const fn offset(&self) -> f64 {
        self.offset
    }

    /// How far a box reaches from its centre along the normal, m: Σ |nₖ| hₖ.
    #[inline]
    #[doc(hidden)]
    pub fn reach_of(&self, half: DVec3) -> f64 {
        self.normal.abs().dot(half)
    }

    /// Signed distance of `point` from the plane, m; negative inside the half-space.
    #[inline]
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}
