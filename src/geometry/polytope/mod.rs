//! The convex polytope: the region in front of a few planes, and which objects belong to it.
//!
//! It has queries for points, segments, triangles and quadrilaterals, one or a slice of them, and for boxes and balls.
//! For example, it describes what a camera sees, what a lasso in its picture contains, or the content of a box.
//!
//! - Its planes point **inwards**: a point belongs to it if [`Plane::distance`] is not negative for any plane. As a
//!   solid, each [`Plane`] is the half-space on the other side.
//! - Everything is **closed**: objects that touch with a corner, an edge or a face meet. If the distances have no
//!   rounding error (whole numbers and planes along the axes, for instance), touching is decided exactly, otherwise
//!   within the rounding error of the distances.
//! - It may be unbounded (few planes, even none), flat, a line or a point, or empty: nothing meets an empty one.
//! - Coordinates that are NaN, infinite, or beyond 1e70 m meet nothing.
//! - The order of the planes affects only the beginning of the ring of points and the last bits of sums.

mod clip;
mod convex;
mod hit;
mod join;
mod mask;
mod quad;
mod query;
mod simple;
mod view;
mod volume;

pub use convex::LassoError;
pub(super) use convex::convex_parts;
pub use hit::{Hit, Meeting, POINTS_MAX, Points};
pub use mask::{Mask, PLANES_MAX};
pub use quad::Quad;
pub use view::{Depth, Lens, Pose, View, ViewError};
pub use volume::{Bounded, Placement};

use glam::DVec3;
use thiserror::Error;

use super::{Aabb, Plane};
use crate::numeric::OutOfRange;
use crate::numeric::quantity::is_moderate;

/// More planes than a polytope takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a polytope takes at most {PLANES_MAX} planes, found {found}; leave out those that bound it least")]
pub struct TooManyPlanes {
    /// How many were given.
    pub found: usize,
}

/// All points in front of all its planes, the planes included.
///
/// ```
/// use carom::geometry::{Plane, Polytope};
/// use carom::glam::DVec3;
///
/// // The quarter of space with x ≥ 0 and y ≥ 0.
/// let plane = |normal: DVec3| Plane::new(normal, 0.0).unwrap();
/// let quarter = Polytope::new([plane(DVec3::X), plane(DVec3::Y)], plane(DVec3::Z)).unwrap();
/// assert!(quarter.contains(DVec3::new(0.0, 2.0, -9.0)));
/// assert!(!quarter.contains(DVec3::new(-1.0, 2.0, 0.0)));
/// assert_eq!(quarter.nearest(DVec3::new(-3.0, -4.0, 5.0)), Some(DVec3::Z * 5.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Polytope {
    planes: Vec<Plane>,
    reference: Plane,
}

impl Polytope {
    /// The polytope in front of `planes`, whose normals point inwards. Distances of hits are measured from
    /// `reference`, which bounds nothing unless it is one of the planes as well.
    ///
    /// # Errors
    /// [`TooManyPlanes`] beyond [`PLANES_MAX`].
    pub fn new(planes: impl Into<Vec<Plane>>, reference: Plane) -> Result<Self, TooManyPlanes> {
        let planes = planes.into();
        match planes.len() {
            found if found > PLANES_MAX => Err(TooManyPlanes { found }),
            _ => Ok(Self { planes, reference }),
        }
    }

    /// The six faces of a box as planes that point inwards, in the order min x, max x, min y, …, max z.
    ///
    /// ```
    /// use carom::geometry::{Aabb, Plane, Polytope};
    /// use carom::glam::DVec3;
    ///
    /// let floor = Plane::new(DVec3::Z, -1.0).unwrap();
    /// let cube = Polytope::from_aabb(&Aabb::around(DVec3::ZERO, DVec3::ONE), floor).unwrap();
    /// assert_eq!(cube.planes()[1], Plane::new(-DVec3::X, -1.0).unwrap());
    /// // The distance of a hit counts from the floor.
    /// let hit = cube.point(DVec3::ZERO, cube.mask()).unwrap();
    /// assert_eq!(hit.centroid_distance, 1.0);
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] when a coordinate is NaN, infinite, or beyond 1e70 m.
    pub fn from_aabb(bounds: &Aabb, reference: Plane) -> Result<Self, OutOfRange> {
        let mut planes = Vec::with_capacity(6);
        for (axis, normal) in DVec3::AXES.into_iter().enumerate() {
            planes.push(Plane::new(normal, bounds.min[axis])?);
            planes.push(Plane::new(-normal, -bounds.max[axis])?);
        }
        Ok(Self { planes, reference })
    }

    /// Its planes in the order given.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// The plane from which distances of hits are measured.
    #[doc(hidden)]
    pub const fn reference(&self) -> &Plane {
        &self.reference
    }

    /// All its planes: the mask to start with.
    pub fn mask(&self) -> Mask {
        Mask::first(self.planes.len())
    }

    /// Whether a point belongs to it, its boundary included.
    #[inline]
    pub fn contains(&self, point: DVec3) -> bool {
        is_moderate_vector(point) && self.planes.iter().all(|plane| plane.distance(point) >= 0.0)
    }
}

/// Whether every coordinate is a number whose square is safe.
#[inline]
fn is_moderate_vector(v: DVec3) -> bool {
    is_moderate(v.x) && is_moderate(v.y) && is_moderate(v.z)
}
