//! The definition of a body, as it enters a world.
//!
//! A body is a shape with a motion (free, fixed or kinematic), a response, a state of motion, a material and collision
//! layers.

pub(super) mod coarseness;
pub mod friction;
pub(super) mod id;
pub mod layer;
pub mod material;
pub(super) mod pair;
pub(super) mod path_record;
mod rest_height;
pub(super) mod sparse_column;
pub(super) mod table;

pub use id::BodyId;

use std::sync::Arc;

use glam::DVec3;

use super::error::SetupError;
use super::{Layers, MaterialId, Settings};
use crate::geometry::{HalfExtents, Mesh, Plane, Radius, Shape};
use crate::numeric::OutOfRange;
use crate::numeric::quantity::{is_moderate, is_positive};
use crate::numeric::tolerance::SPEED_PER_SIZE_MAX;
use crate::quantity;

quantity!(
    /// The mass of a free body, kg; positive, finite, and of a magnitude with a safe reciprocal.
    Mass, "mass", "a positive finite number of kilograms, from 1e-70 to 1e70", is_positive
);

/// What determines the motion of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Motion {
    /// Gravity, impacts and contacts.
    Free(Mass),
    /// Nothing: the body stays at its position.
    Fixed,
    /// A prescribed velocity, which no impact changes: pistons, closing walls.
    Kinematic,
}

/// The effect of a body on others in contact with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Response {
    /// They collide.
    Collide,
    /// Others pass through it, and the log has the times at which each enters and leaves.
    Sense,
}

/// A body as it enters a world.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// The solid.
    pub shape: Shape,
    /// What determines its motion.
    pub motion: Motion,
    /// Its effect on others.
    pub response: Response,
    /// Position of its shape's origin, m, world frame.
    pub position: DVec3,
    /// Velocity, m/s. Zero for a fixed body.
    pub velocity: DVec3,
    /// Angular velocity, rad/s, along the axis of rotation by the right-hand rule. Only free spheres rotate.
    pub spin: DVec3,
    /// Its row in the world's [`Materials`](super::Materials).
    pub material: MaterialId,
    /// The layers it is in.
    pub layers: Layers,
    /// The layers it collides with: two bodies interact if each is in a layer that the other collides with.
    pub collides_with: Layers,
}

impl Body {
    /// A free ball of `radius` (m) and `mass` (kg) at rest at the origin.
    ///
    /// # Errors
    /// [`OutOfRange`] when either is not positive and finite.
    pub fn sphere(radius: f64, mass: f64) -> Result<Self, OutOfRange> {
        Ok(Self::new(Shape::Sphere(Radius::new(radius)?), Motion::Free(Mass::new(mass)?)))
    }

    /// A free box with half edges `half` (m) and `mass` (kg) at rest at the origin.
    ///
    /// # Errors
    /// [`OutOfRange`] when a half edge or the mass is not positive and finite.
    pub fn cuboid(half: DVec3, mass: f64) -> Result<Self, OutOfRange> {
        Ok(Self::new(Shape::Box(HalfExtents::new(half)?), Motion::Free(Mass::new(mass)?)))
    }

    /// A fixed half-space: all points x with `normal`·x < `offset` (m).
    ///
    /// # Errors
    /// [`OutOfRange`] when the normal has no length or a number is not finite.
    pub fn plane(normal: DVec3, offset: f64) -> Result<Self, OutOfRange> {
        Ok(Self::new(Shape::Plane(Plane::new(normal, offset)?), Motion::Fixed))
    }

    /// A fixed mesh.
    pub fn mesh(mesh: impl Into<Arc<Mesh>>) -> Self {
        Self::new(Shape::Mesh(mesh.into()), Motion::Fixed)
    }

    /// A perfectly elastic body of the first material, at rest at the origin.
    pub fn new(shape: Shape, motion: Motion) -> Self {
        Self {
            shape,
            motion,
            response: Response::Collide,
            position: DVec3::ZERO,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            material: MaterialId::default(),
            layers: Layers::FIRST,
            collides_with: Layers::ALL,
        }
    }

    /// The same body at `position`, m.
    pub fn at(self, position: DVec3) -> Self {
        Self { position, ..self }
    }

    /// The same body with `velocity`, m/s.
    pub fn moving(self, velocity: DVec3) -> Self {
        Self { velocity, ..self }
    }

    /// The same body with angular velocity `spin`, rad/s. Only free spheres rotate.
    pub fn spinning(self, spin: DVec3) -> Self {
        Self { spin, ..self }
    }

    /// The same body of another material.
    pub fn made_of(self, material: MaterialId) -> Self {
        Self { material, ..self }
    }

    /// The same body in other layers.
    pub fn in_layers(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The same body, which collides only with bodies in `layers`.
    pub fn colliding_with(self, layers: Layers) -> Self {
        Self { collides_with: layers, ..self }
    }

    /// The same body with a prescribed velocity, which no impact changes.
    pub fn kinematic(self) -> Self {
        Self { motion: Motion::Kinematic, ..self }
    }

    /// The same body, fixed at its position.
    pub fn fixed(self) -> Self {
        Self { motion: Motion::Fixed, velocity: DVec3::ZERO, ..self }
    }

    /// The same body as a sensor: other bodies pass, and the log has when they enter and leave.
    pub fn sensor(self) -> Self {
        Self { response: Response::Sense, ..self }
    }

    /// Whether gravity and impacts determine its motion.
    pub fn is_free(&self) -> bool {
        matches!(self.motion, Motion::Free(_))
    }
}

/// Refuses a body that no step could move.
pub(super) fn check_body(id: BodyId, body: &Body, settings: &Settings) -> Result<(), SetupError> {
    if !moderate(body.position) || !moderate(body.velocity) || !moderate(body.spin) {
        return Err(SetupError::NotFinite { body: id });
    }
    if is_too_fast(&body.shape, body.velocity) {
        return Err(SetupError::TooFast { body: id });
    }
    if !settings.space.is_countable(body.position) {
        return Err(SetupError::TooFar { body: id });
    }
    if body.is_free() && matches!(body.shape, Shape::Plane(_)) {
        return Err(SetupError::FreePlane { body: id });
    }
    let obstacle = body.motion == Motion::Fixed && body.response == Response::Collide;
    if matches!(body.shape, Shape::Mesh(_)) && !obstacle {
        return Err(SetupError::MeshNotFixed { body: id });
    }
    if !settings.materials.has(body.material) {
        return Err(SetupError::NoSuchMaterial { body: id });
    }
    Ok(())
}

/// Whether a body of this shape moves so far between two ticks of the clock that it might pass through others.
pub(super) fn is_too_fast(shape: &Shape, velocity: DVec3) -> bool {
    velocity.length() > SPEED_PER_SIZE_MAX * shape.half_extents().min_element()
}

pub(super) fn moderate(v: DVec3) -> bool {
    is_moderate(v.x) & is_moderate(v.y) & is_moderate(v.z)
}
