//! Commands: kicks, other velocities, bodies that come and go, at the present or at an exact later time.
//!
//! A command takes effect at an instant, after the events of that instant and before their consequences.
//! [`advance`](super::World::advance) carries out a scheduled command exactly at its time, whatever the timestep.
//! Commands have no events of their own.

use std::ops::Deref;

use glam::DVec3;

use crate::dynamics::Body;
use crate::motion::SimTime;

/// A body and its name.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Named {
    /// Unique in its world, and not empty.
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
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Command {
    /// Gives a free body an impulse through its centre.
    Kick {
        /// Its name.
        body: String,
        /// Impulse, N·s.
        impulse: DVec3,
    },
    /// Gives a free or kinematic body another velocity.
    SetVelocity {
        /// Its name.
        body: String,
        /// Velocity, m/s.
        velocity: DVec3,
    },
    /// Adds a new body, as given.
    Spawn(Named),
    /// Removes a body.
    Despawn {
        /// Its name.
        body: String,
    },
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
