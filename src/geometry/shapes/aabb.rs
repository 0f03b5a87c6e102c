//! The axis-aligned box.

use glam::DVec3;

use crate::numeric::OutOfRange;
use crate::numeric::quantity::is_positive;

/// Half the edge lengths of a box, m; each positive and of a magnitude whose square is safe.
///
/// ```
/// use carom::geometry::HalfExtents;
/// use carom::glam::DVec3;
///
/// let half = HalfExtents::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
/// assert_eq!(half.get(), DVec3::new(1.0, 2.0, 3.0));
/// assert_eq!(HalfExtents::new(DVec3::new(1.0, -2.0, 3.0)).unwrap_err().found, -2.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "DVec3", into = "DVec3"))]
pub struct HalfExtents(DVec3);

impl From<HalfExtents> for DVec3 {
    fn from(half: HalfExtents) -> Self {
        half.0
    }
}

impl TryFrom<DVec3> for HalfExtents {
    type Error = OutOfRange;

    fn try_from(half: DVec3) -> Result<Self, OutOfRange> {
        Self::new(half)
    }
}

impl HalfExtents {
    /// Checks the three half edges.
    ///
    /// # Errors
    /// [`OutOfRange`] with the first half edge that is not positive or not finite.
    pub fn new(half: DVec3) -> Result<Self, OutOfRange> {
        let allowed = "a positive finite number of metres, from 1e-70 to 1e70";
        match half.to_array().into_iter().find(|&x| !is_positive(x)) {
            Some(found) => Err(OutOfRange { quantity: "half extent", allowed, found }),
            None => Ok(Self(half)),
        }
    }

    /// The plain vector.
    pub const fn get(self) -> DVec3 {
        self.0
    }
}

/// A closed box whose faces are normal to the axes: all points x with min ≤ x ≤ max.
///
/// ```
/// use carom::geometry::Aabb;
/// use carom::glam::DVec3;
///
/// let room = Aabb { min: DVec3::ZERO, max: DVec3::new(4.0, 6.0, 2.0) };
/// assert_eq!((room.center(), room.half()), (DVec3::new(2.0, 3.0, 1.0), DVec3::new(2.0, 3.0, 1.0)));
/// // A cube that touches the wall from outside.
/// let cube = Aabb::around(DVec3::new(5.0, 1.0, 1.0), DVec3::ONE);
/// assert!(room.touches(&cube));
/// assert_eq!(room.union(&cube), Aabb { min: DVec3::ZERO, max: DVec3::new(6.0, 6.0, 2.0) });
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates, m.
    pub min: DVec3,
    /// The corner with the largest coordinates, m.
    pub max: DVec3,
}

impl Aabb {
    /// The box around `center` that reaches `half` along each axis.
    pub fn around(center: DVec3, half: DVec3) -> Self {
        Self { min: center - half, max: center + half }
    }

    /// Centre, m.
    pub fn center(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    /// Half the edge lengths, m.
    pub fn half(&self) -> DVec3 {
        (self.max - self.min) * 0.5
    }

    /// The box moved by `by`, m.
    #[must_use]
    #[inline]
    pub(crate) fn shifted(&self, by: DVec3) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// The largest absolute coordinates of its points, m.
    #[inline]
    pub(crate) fn farthest(&self) -> DVec3 {
        self.min.abs().max(self.max.abs())
    }

    /// The corners that lie farthest opposite to `direction` and farthest along it.
    #[inline]
    pub(crate) fn extremes(&self, direction: DVec3) -> [DVec3; 2] {
        let along = direction.cmpge(DVec3::ZERO);
        [DVec3::select(along, self.min, self.max), DVec3::select(along, self.max, self.min)]
    }

    /// The smallest box that contains both.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the two boxes share a point; touching counts.
    #[inline]
    pub fn touches(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}
