//! Commands: kicks, changes of bodies and of gravity, bodies that come and go, at the present or at an exact later
//! time.
//!
//! A command takes effect at an instant, after the events of that instant and before their consequences.
//! [`advance`](super::World::advance) carries out a scheduled command exactly at its time, whatever the timestep.
//! Commands have no events of their own.

use std::ops::Deref;

use glam::DVec3;

use crate::dynamics::{Body, Layers, MaterialId};
use crate::motion::SimTime;

/// A body and its name.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Named {
    /// Unique in its world.
    pub name: String,
    /// The body.
    pub body: Body,
}

/// A named body is a body.
impl Deref for Named {
    type Target = Body;

    fn deref(&self) -> &Body {
        &self.body
    }
}

/// Something to be done to a world.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Command, Named, Settings, SimTime, Timed, World};
///
/// let mut world = World::new(Settings::default(), [("first", Body::sphere(0.5, 1.0).unwrap().fixed())]).unwrap();
/// let second = Named { name: "second".to_owned(), body: Body::plane(DVec3::Z, -1.0).unwrap() };
/// let timed = |at: f64, command| Timed { at: SimTime::from_seconds(at), command, origin: String::new() };
/// world.schedule(timed(1.0, Command::Spawn(second))).unwrap();
/// world.schedule(timed(2.0, Command::Despawn { body: "first".to_owned() })).unwrap();
/// world.step(1.5).unwrap();
/// assert_eq!(world.ids().map(|id| world.name(id)).collect::<Vec<_>>(), ["first", "second"]);
/// world.step(1.0).unwrap();
/// assert_eq!(world.ids().map(|id| world.name(id)).collect::<Vec<_>>(), ["second"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Command {
    /// Gives a free body an impulse.
    Kick {
        /// Its name.
        body: String,
        /// Impulse, N·s.
        impulse: DVec3,
        /// Where it acts, from the centre of the body, m; elsewhere than at the centre of a ball only.
        #[cfg_attr(feature = "serde", serde(default))]
        offset: DVec3,
    },
    /// Gives a free or kinematic body another velocity.
    SetVelocity {
        /// Its name.
        body: String,
        /// Velocity, m/s.
        velocity: DVec3,
    },
    /// Gives a free ball another spin.
    SetSpin {
        /// Its name.
        body: String,
        /// Spin, rad/s.
        spin: DVec3,
    },
    /// Puts a body at another position.
    SetPosition {
        /// Its name.
        body: String,
        /// Position, m; of a body on a course, the one without the displacement.
        position: DVec3,
    },
    /// Makes a body one of another material.
    SetMaterial {
        /// Its name.
        body: String,
        /// The material.
        material: MaterialId,
    },
    /// Puts a body into other layers, and lets it collide with others than before.
    SetLayers {
        /// Its name.
        body: String,
        /// The layers it is in.
        layers: Layers,
        /// The layers it collides with.
        collides_with: Layers,
    },
    /// Changes gravity.
    SetGravity {
        /// Acceleration, m/s².
        gravity: DVec3,
    },
    /// Adds a new body, as given.
    Spawn(Named),
    /// Removes a body.
    Despawn {
        /// Its name.
        body: String,
    },
    /// Makes a cell of a grid solid or empty.
    SetCell {
        /// The name of the grid.
        body: String,
        /// The cell, counted from 0 along x, y and z.
        cell: [u32; 3],
        /// Whether it is solid from now on.
        solid: bool,
    },
}

impl Command {
    /// An impulse, N·s, through the centre of a free body.
    pub fn kick(body: impl Into<String>, impulse: DVec3) -> Self {
        Self::Kick { body: body.into(), impulse, offset: DVec3::ZERO }
    }

    /// Whether it changes nothing but the velocity or the spin of one body.
    #[cfg(feature = "scenario")]
    pub(crate) const fn moves_one_body(&self) -> bool {
        matches!(self, Self::Kick { .. } | Self::SetVelocity { .. } | Self::SetSpin { .. })
    }

    /// The body that it adds.
    pub(crate) fn spawned(&self) -> Option<&Named> {
        if let Self::Spawn(named) = self { Some(named) } else { None }
    }
}

/// A command with its time.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timed {
    /// The time at which it is carried out.
    pub at: SimTime,
    /// The command.
    pub command: Command,
    /// Where it was given, for an error message: such as `scene.ron:12:9: commands[3]`.
    pub origin: String,
}
