//! The camera: the region that it sees, and the region behind an outline drawn in its picture, as polytopes.
//!
//! The picture reaches from −1 (left, bottom) to 1 (right, top). A straight line of the picture, a X + b Y + c = 0 with
//! X and Y in units of the lens, corresponds to a plane of the world. In a perspective projection this plane goes
//! through the eye and has the normal a right + b up + c forward. In an orthographic projection it is parallel to the
//! view and has the normal a right + b up. The same line in the opposite direction gives the negated plane to the bit,
//! so the parts of a lasso have no gap between them.

use std::cmp::Ordering;

use glam::{DVec2, DVec3};
use thiserror::Error;

use super::convex::{LassoError, convex_parts};
use super::{PLANES_MAX, Polytope, is_moderate_vector};
use crate::geometry::{Plane, unit};
use crate::numeric::exact::product_difference;
use crate::numeric::quantity::is_positive;
use crate::numeric::tolerance::PROJECTION_SLACK;
use crate::numeric::{OutOfRange, shown};

/// Position and orientation of a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the eye, m.
    pub eye: DVec3,
    /// Direction of view; of any length.
    pub forward: DVec3,
    /// Upward direction in the picture; of any length, and not along `forward`. Only its part perpendicular to
    /// `forward` counts.
    pub up: DVec3,
}

/// How a camera projects.
///
/// ```
/// use carom::geometry::polytope::Lens;
///
/// // An angle of view of 90° in height, in a picture twice as wide as high.
/// let lens = Lens::perspective(1.0, 2.0);
/// assert_eq!(lens, Lens::Perspective { half_width: 2.0, half_height: 1.0 });
/// assert_eq!(lens, Lens::perspective_at(0.5, 1.0, 0.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// Lines of sight meet in the eye.
    Perspective {
        /// Half the picture's width over its distance: the tangent of half the horizontal angle of view.
        half_width: f64,
        /// Half the picture's height over its distance: the tangent of half the vertical angle of view.
        half_height: f64,
    },
    /// Lines of sight are parallel.
    Orthographic {
        /// Half the width seen, m.
        half_width: f64,
        /// Half the height seen, m.
        half_height: f64,
    },
}

impl Lens {
    /// A perspective lens from the tangent of half its vertical angle of view, and width over height.
    pub fn perspective(half_height: f64, aspect: f64) -> Self {
        Self::Perspective { half_width: half_height * aspect, half_height }
    }

    /// A perspective lens from half the width and half the height, m, seen at the distance `near`, m.
    pub fn perspective_at(near: f64, half_width: f64, half_height: f64) -> Self {
        Self::Perspective { half_width: half_width / near, half_height: half_height / near }
    }

    fn half_sizes(self) -> DVec2 {
        let (Self::Perspective { half_width, half_height } | Self::Orthographic { half_width, half_height }) = self;
        DVec2::new(half_width, half_height)
    }
}

/// The range of distances from the eye, along `forward`, that a camera sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depth {
    /// Where it begins, m; positive for a perspective lens.
    pub near: f64,
    /// Where it ends, m; may be infinite, and then the view has no far plane.
    pub far: f64,
}

/// Why a camera cannot be created.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ViewError {
    /// A number is NaN, infinite or out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A direction has no length, or the two are parallel.
    #[error("`forward` and `up` must be two directions, found {forward} and {up}; turn `up` away from `forward`")]
    NoOrientation {
        /// The direction of view given.
        forward: DVec3,
        /// The upward direction given.
        up: DVec3,
    },
    /// The view ends before it begins.
    #[error("`far` must be larger than `near` = {} m, found {} m", shown(*near), shown(*far))]
    NoDepth {
        /// Where it begins, m.
        near: f64,
        /// Where it ends, m.
        far: f64,
    },
}

/// A camera with its picture.
///
/// ```
/// use carom::geometry::polytope::{Depth, Lens, Pose, View};
/// use carom::glam::{DVec2, DVec3};
///
/// // Looks along y, with an angle of view of 90°.
/// let pose = Pose { eye: DVec3::ZERO, forward: DVec3::Y, up: DVec3::Z };
/// let view = View::new(pose, Lens::perspective(1.0, 1.0), Depth { near: 0.5, far: 10.0 }).unwrap();
/// assert_eq!(view.project(DVec3::new(1.0, 4.0, 2.0)), Some(DVec2::new(0.25, 0.5)));
/// assert!(view.frustum().contains(DVec3::new(1.0, 4.0, 2.0)));
/// assert!(!view.frustum().contains(DVec3::new(5.0, 4.0, 2.0)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    eye: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    lens: Lens,
    depth: Depth,
    frustum: Polytope,
}

impl View {
    /// A camera at `pose` with the lens `lens` that sees the range `depth`.
    ///
    /// # Errors
    /// [`ViewError::OutOfRange`] for a half size that is not positive, a `near` that is not positive in perspective,
    /// or a plane beyond 1e70 m; [`ViewError::NoOrientation`] for directions that are NaN, without length or (to 1e-7)
    /// parallel; [`ViewError::NoDepth`] unless `far` is larger than `near`.
    pub fn new(pose: Pose, lens: Lens, depth: Depth) -> Result<Self, ViewError> {
        let Pose { eye, forward, up } = pose;
        let (forward, right, up) =
            oriented(forward, up).ok_or(ViewError::NoOrientation { forward: pose.forward, up })?;
        for found in lens.half_sizes().to_array() {
            check("half size of a picture", found)?;
        }
        if matches!(lens, Lens::Perspective { .. }) {
            check("near distance of a perspective view", depth.near)?;
        }
        // Neither is NaN beyond this point.
        if depth.near.partial_cmp(&depth.far) != Some(Ordering::Less) {
            return Err(ViewError::NoDepth { near: depth.near, far: depth.far });
        }
        let nothing = Polytope { planes: Vec::new(), reference: Plane::new(forward, forward.dot(eye) + depth.near)? };
        let mut view = Self { eye, right, up, forward, lens, depth, frustum: nothing };
        view.frustum = view.prism(&[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(DVec2::from))?;
        Ok(view)
    }

    /// What the camera sees. Planes: near, far (unless infinite), bottom, right, top, left. The near plane is the
    /// reference, so distances count from it into the picture.
    pub fn frustum(&self) -> &Polytope {
        &self.frustum
    }

    /// The position of a point in the picture, which may be outside the picture or its depth. `None` for NaN, or if a
    /// perspective view has the point beside or behind the eye.
    pub fn project(&self, point: DVec3) -> Option<DVec2> {
        let seen = point - self.eye;
        let distance = match self.lens {
            Lens::Perspective { .. } => seen.dot(self.forward),
            Lens::Orthographic { .. } => 1.0,
        };
        let at = DVec2::new(seen.dot(self.right), seen.dot(self.up)) / self.lens.half_sizes() / distance;
        (distance > 0.0 && at.is_finite()).then_some(at)
    }

    /// The region behind a closed outline drawn in the picture, in either direction, between `near` and `far`.
    ///
    /// The outline may reach beyond the picture. A convex outline gives one polytope. Any other outline is cut into
    /// convex parts without gap or overlap, and an object meets the lasso if it meets one of them. A point on a cut
    /// belongs to both sides. Planes and reference are those of [`frustum`](Self::frustum), with an edge of the outline
    /// for each side. Points may be repeated one after the other, the last may equal the first, and points may lie on a
    /// straight edge.
    ///
    /// ```
    /// use carom::geometry::polytope::{Depth, Lens, Pose, View};
    /// use carom::glam::{DVec2, DVec3};
    ///
    /// let pose = Pose { eye: DVec3::ZERO, forward: DVec3::Y, up: DVec3::Z };
    /// let view = View::new(pose, Lens::perspective(1.0, 1.0), Depth { near: 0.5, far: 10.0 }).unwrap();
    /// // Around the left half of the picture.
    /// let outline = [(-1.0, -1.0), (0.0, -1.0), (0.0, 1.0), (-1.0, 1.0)].map(DVec2::from);
    /// let parts = view.lasso(&outline).unwrap();
    /// assert_eq!(parts.len(), 1);
    /// assert!(parts[0].contains(DVec3::new(-1.0, 4.0, 0.0)) && !parts[0].contains(DVec3::new(1.0, 4.0, 0.0)));
    /// ```
    ///
    /// # Errors
    /// [`LassoError`] with the faulty point or edges.
    pub fn lasso(&self, outline: &[DVec2]) -> Result<Vec<Polytope>, LassoError> {
        let parts = convex_parts(outline, PLANES_MAX - 2)?;
        parts.iter().map(|part| Ok(self.prism(part)?)).collect()
    }

    /// The region behind a convex polygon of the picture with counterclockwise corners.
    fn prism(&self, polygon: &[DVec2]) -> Result<Polytope, OutOfRange> {
        let eye = self.forward.dot(self.eye);
        let near = Plane::new(self.forward, eye + self.depth.near)?;
        let mut planes = vec![near];
        if self.depth.far < f64::INFINITY {
            planes.push(Plane::new(-self.forward, -(eye + self.depth.far))?);
        }
        for (row, &start) in polygon.iter().enumerate() {
            planes.push(self.side(start, polygon[(row + 1) % polygon.len()])?);
        }
        Ok(Polytope { planes, reference: near })
    }

    /// The plane behind a line of the picture; its front is to the left of the line.
    fn side(&self, start: DVec2, end: DVec2) -> Result<Plane, OutOfRange> {
        let size = self.lens.half_sizes();
        let (p, q) = (start * size, end * size);
        let (a, b, c) = (p.y - q.y, q.x - p.x, product_difference([p.x, q.y], [q.x, p.y]));
        let across = self.right * a + self.up * b;
        match self.lens {
            Lens::Perspective { .. } => {
                let normal = across + self.forward * c;
                Plane::new(normal, normal.dot(self.eye))
            }
            Lens::Orthographic { .. } => Plane::new(across, across.dot(self.eye) - c),
        }
    }
}

fn check(quantity: &'static str, found: f64) -> Result<(), OutOfRange> {
    let allowed = "a positive finite number, from 1e-70 to 1e70";
    if is_positive(found) { Ok(()) } else { Err(OutOfRange { quantity, allowed, found }) }
}

/// Unit vectors forward, to the right and up.
fn oriented(forward: DVec3, up: DVec3) -> Option<(DVec3, DVec3, DVec3)> {
    if !(is_moderate_vector(forward) && is_moderate_vector(up)) {
        return None;
    }
    let (forward, up) = (unit(forward)?, unit(up)?);
    let right = forward.cross(up);
    if right.length_squared() <= PROJECTION_SLACK {
        return None;
    }
    let right = unit(right)?;
    Some((forward, right, unit(right.cross(forward))?))
}
