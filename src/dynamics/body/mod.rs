//! The definition of a body, as it enters a world.
//!
//! A body is a shape with a motion (free, fixed or kinematic), a response, a state of motion, a material and collision
//! layers.

pub(super) mod altered;
pub(super) mod coarseness;
pub(super) mod driven;
pub mod friction;
pub(super) mod id;
pub mod layer;
pub mod material;
pub(super) mod pair;
pub(super) mod path_record;
mod rest_height;
pub mod restitution;
pub(super) mod sparse_column;
pub(super) mod table;

pub use id::BodyId;

use std::sync::Arc;

use glam::DVec3;

use super::{Layers, MaterialId};
use crate::geometry::{CircleArc, Grid, HalfExtents, Mesh, Plane, Radius, Shape};
use crate::motion::Course;
use crate::numeric::OutOfRange;
use crate::numeric::quantity::{is_moderate, is_positive};
use crate::numeric::tolerance::SPEED_PER_SIZE_MAX;
use crate::quantity;

quantity!(
    /// The mass of a free body, kg; positive, finite, and of a magnitude with a safe reciprocal.
    Mass, "mass", "a positive finite number of kilograms, from 1e-70 to 1e70", is_positive
);

/// What determines the motion of a body.
///
/// ```
/// use carom::geometry::{Radius, Shape};
/// use carom::{Body, Mass, Motion};
///
/// let ball = Body::new(Shape::Sphere(Radius::new(0.5).unwrap()), Motion::Free(Mass::new(2.0).unwrap()));
/// assert_eq!(ball, Body::sphere(0.5, 2.0).unwrap());
/// assert!(ball.is_free() && !ball.clone().kinematic().is_free());
/// assert_eq!(ball.fixed().motion, Motion::Fixed);
/// ```
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
    /// Position of its shape's origin, m, world frame; of a body on a course, without the displacement.
    pub position: DVec3,
    /// Velocity, m/s. Zero for a fixed body.
    pub velocity: DVec3,
    /// The course that determines its velocity and its displacement from its position; only of a kinematic body, of any
    /// shape but an arc.
    #[cfg_attr(feature = "serde", serde(default))]
    pub course: Option<Box<Course>>,
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
    /// ```
    /// use carom::Body;
    /// use carom::glam::DVec3;
    ///
    /// let ball = Body::sphere(0.5, 2.0).unwrap().at(DVec3::Z * 3.0).moving(DVec3::X);
    /// assert_eq!((ball.position, ball.velocity, ball.spin), (DVec3::Z * 3.0, DVec3::X, DVec3::ZERO));
    /// let wrong = Body::sphere(-1.0, 2.0).unwrap_err();
    /// assert_eq!((wrong.quantity, wrong.found), ("radius", -1.0));
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] when either is not positive and finite.
    pub fn sphere(radius: f64, mass: f64) -> Result<Self, OutOfRange> {
        Ok(Self::new(Shape::Sphere(Radius::new(radius)?), Motion::Free(Mass::new(mass)?)))
    }

    /// A circular wall around the origin, in a planar world; fixed.
    ///
    /// ```
    /// use carom::geometry::CircleArc;
    /// use carom::glam::{DVec2, DVec3};
    /// use carom::{Body, Settings, Space, World};
    ///
    /// // A disc in a circle bounces back and forth, 3 m from wall to wall.
    /// let circle = Body::arc(CircleArc::new(2.0, DVec2::X, DVec2::X).unwrap());
    /// let disc = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::Y);
    /// let space = Space { is_planar: true, ..Space::default() };
    /// let settings = Settings { space, ..Settings::default() };
    /// let mut world = World::new(settings, [("circle", circle), ("disc", disc)]).unwrap();
    /// world.step(6.0).unwrap();
    /// assert_eq!(world.events().len(), 2);
    /// assert_eq!(world.position(world.id("disc").unwrap()), DVec3::ZERO);
    /// ```
    pub fn arc(arc: CircleArc) -> Self {
        Self::new(Shape::Arc(arc), Motion::Fixed)
    }

    /// A free box with half edges `half` (m) and `mass` (kg) at rest at the origin.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// // A face is 1 m in front of its centre.
    /// let block = Body::cuboid(DVec3::new(1.0, 2.0, 3.0), 5.0).unwrap().moving(DVec3::X);
    /// let wall = Body::plane(-DVec3::X, -3.0).unwrap();
    /// let mut world = World::new(Settings::default(), [("block", block), ("wall", wall)]).unwrap();
    /// world.step(5.0).unwrap();
    /// assert_eq!(world.events()[0].time.seconds(), 2.0);
    /// assert_eq!(world.position(world.id("block").unwrap()).x, -1.0);
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] when a half edge or the mass is not positive and finite.
    pub fn cuboid(half: DVec3, mass: f64) -> Result<Self, OutOfRange> {
        Ok(Self::new(Shape::Box(HalfExtents::new(half)?), Motion::Free(Mass::new(mass)?)))
    }

    /// A fixed half-space: all points x with `normal`·x < `offset` (m).
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// // The ground fills all below z = 2 m.
    /// let world = World::new(Settings::default(), [("ground", Body::plane(DVec3::Z, 2.0).unwrap())]).unwrap();
    /// let height = |z: f64| world.closest_point(DVec3::Z * z, f64::INFINITY, &Filter::ALL).unwrap().separation;
    /// assert_eq!((height(5.0), height(1.0)), (3.0, -1.0));
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] when the normal has no length or a number is not finite.
    pub fn plane(normal: DVec3, offset: f64) -> Result<Self, OutOfRange> {
        Ok(Self::new(Shape::Plane(Plane::new(normal, offset)?), Motion::Fixed))
    }

    /// A fixed mesh.
    ///
    /// ```
    /// use carom::geometry::Mesh;
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let corners = [DVec3::new(-4.0, -4.0, 0.0), DVec3::new(4.0, -4.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
    /// let sheet = Body::mesh(Mesh::new(&corners, &[[0, 1, 2]]).unwrap());
    /// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::Z * 5.5);
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("ball", ball), ("sheet", sheet)]).unwrap();
    /// world.step(1.5).unwrap();
    /// assert_eq!(world.events()[0].time.seconds(), 1.0);
    /// ```
    pub fn mesh(mesh: impl Into<Arc<Mesh>>) -> Self {
        Self::new(Shape::Mesh(mesh.into()), Motion::Fixed)
    }

    /// A fixed grid: tiles or voxels. The lowest corner of its first cell is at the body's position.
    ///
    /// ```
    /// use carom::geometry::Grid;
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let floor = Body::grid(Grid::tiles(DVec3::ONE, &["#..#", "####"]).unwrap());
    /// // A box that slides along the floor, without friction, until it hits the wall.
    /// let hero = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(DVec3::new(1.5, 0.5, 1.5)).moving(DVec3::X);
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("floor", floor), ("hero", hero)]).unwrap();
    /// world.step(1.0).unwrap();
    /// let hero = world.state(world.id("hero").unwrap());
    /// // It bounced at 1 s.
    /// assert_eq!((hero.position, hero.velocity), (DVec3::new(2.5, 0.5, 1.5), -DVec3::X));
    /// ```
    pub fn grid(grid: impl Into<Arc<Grid>>) -> Self {
        Self::new(Shape::Grid(grid.into()), Motion::Fixed)
    }

    /// A perfectly elastic body of the first material, at rest at the origin.
    pub fn new(shape: Shape, motion: Motion) -> Self {
        Self {
            shape,
            motion,
            response: Response::Collide,
            position: DVec3::ZERO,
            velocity: DVec3::ZERO,
            course: None,
            spin: DVec3::ZERO,
            material: MaterialId::default(),
            layers: Layers::FIRST,
            collides_with: Layers::ALL,
        }
    }

    /// The same body at `position`, m.
    #[must_use]
    pub fn at(self, position: DVec3) -> Self {
        Self { position, ..self }
    }

    /// The same body with `velocity`, m/s.
    #[doc(alias("with_velocity", "linvel"))]
    #[must_use]
    pub fn moving(self, velocity: DVec3) -> Self {
        Self { velocity, ..self }
    }

    /// The same body with angular velocity `spin`, rad/s. Only free spheres rotate.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// // The moment of inertia is 2/5 m r² = 2 kg·m².
    /// let top = Body::sphere(1.0, 5.0).unwrap().spinning(DVec3::Z * 3.0);
    /// let world = World::new(Settings::default(), [("top", top)]).unwrap();
    /// assert_eq!(world.balance().kinetic, 9.0);
    /// ```
    #[must_use]
    pub fn spinning(self, spin: DVec3) -> Self {
        Self { spin, ..self }
    }

    /// The same body of another material.
    #[must_use]
    pub fn made_of(self, material: MaterialId) -> Self {
        Self { material, ..self }
    }

    /// The same body in other layers.
    #[must_use]
    pub fn in_layers(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The same body, which collides only with bodies in `layers`.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Layers, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let ghost = ball(0.0).moving(DVec3::X).in_layers(Layers::one(1)).colliding_with(Layers::one(1));
    /// let mut world = World::new(Settings::default(), [("ghost", ghost), ("rock", ball(3.0))]).unwrap();
    /// // It goes through the rock.
    /// world.step(6.0).unwrap();
    /// assert_eq!(world.position(world.id("ghost").unwrap()), DVec3::X * 6.0);
    /// assert_eq!(world.position(world.id("rock").unwrap()), DVec3::X * 3.0);
    /// ```
    #[must_use]
    pub fn colliding_with(self, layers: Layers) -> Self {
        Self { collides_with: layers, ..self }
    }

    /// The same body with a prescribed velocity, which no impact changes.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let bodies = [("piston", ball(0.0).moving(DVec3::X).kinematic()), ("ball", ball(2.0))];
    /// let mut world = World::new(Settings::default(), bodies).unwrap();
    /// world.step(2.0).unwrap();
    /// // The impact at 1 s makes the ball twice as fast as the piston.
    /// assert_eq!(world.state(world.id("ball").unwrap()).velocity, DVec3::X * 2.0);
    /// assert_eq!(world.state(world.id("piston").unwrap()).velocity, DVec3::X);
    /// ```
    #[must_use]
    pub fn kinematic(self) -> Self {
        Self { motion: Motion::Kinematic, ..self }
    }

    /// The same body on a course around its position, of any shape but an arc. No impact changes its motion.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Course, EventKind, Settings, World};
    ///
    /// // A plate that swings by 1 cm at 20 Hz and begins at its lowest point, where a ball lies on it. The ball is
    /// // thrown up as soon as the plate falls away faster than gravity can follow.
    /// let swing = Course::sine(DVec3::Z, 0.01, 20.0, 0.75).unwrap();
    /// let plate = Body::plane(DVec3::Z, 0.0).unwrap().along(swing);
    /// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::Z * 0.49);
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("ball", ball), ("plate", plate)]).unwrap();
    /// world.step(0.03).unwrap();
    /// let thrown = world.events().iter().find(|event| event.kind == EventKind::Release).unwrap();
    /// let rate = 40.0 * std::f64::consts::PI;
    /// let phase = rate * thrown.time.seconds() - 0.5 * std::f64::consts::PI;
    /// assert!((phase - (10.0 / (0.01 * rate * rate)).asin()).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn along(self, course: Course) -> Self {
        Self { motion: Motion::Kinematic, velocity: DVec3::ZERO, course: Some(Box::new(course)), ..self }
    }

    /// The same body, fixed at its position.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { motion: Motion::Fixed, velocity: DVec3::ZERO, course: None, ..self }
    }

    /// The same body as a sensor: other bodies pass, and the log has when they enter and leave.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, EventKind, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let bodies = [("ball", ball(0.0).moving(DVec3::X)), ("gate", ball(3.0).fixed().sensor())];
    /// let mut world = World::new(Settings::default(), bodies).unwrap();
    /// world.step(5.0).unwrap();
    /// let log = world.events().iter().map(|event| (event.kind, event.time.seconds()));
    /// assert_eq!(log.collect::<Vec<_>>(), [(EventKind::Enter, 2.0), (EventKind::Leave, 4.0)]);
    /// ```
    #[doc(alias = "trigger")]
    #[must_use]
    pub fn sensor(self) -> Self {
        Self { response: Response::Sense, ..self }
    }

    /// Whether gravity and impacts determine its motion.
    pub fn is_free(&self) -> bool {
        matches!(self.motion, Motion::Free(_))
    }

    /// Whether it has a spin: it is a free ball or disc.
    #[doc(hidden)]
    pub fn can_turn(&self) -> bool {
        self.is_free() && matches!(self.shape, Shape::Sphere(_))
    }
}

/// Whether a body of this shape moves so far between two ticks of the clock that it might pass through others.
pub(super) fn is_too_fast(shape: &Shape, velocity: DVec3) -> bool {
    let half = shape.half_extents();
    // A sheet may be flat.
    let size = if shape.outline().is_some() { half.max_element() } else { half.min_element() };
    velocity.length() > SPEED_PER_SIZE_MAX * size
}

pub(super) fn moderate(v: DVec3) -> bool {
    is_moderate(v.x) & is_moderate(v.y) & is_moderate(v.z)
}
