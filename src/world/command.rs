//! Commands: kicks, other velocities, bodies that come and go, at the present or at an exact time to come.
//!
//! A command takes effect at an instant, between the events of that instant and what comes of it. One that is scheduled is
//! carried out by [`advance`](super::World::advance) at its very time; the timestep does not matter. Commands have no events of
//! their own.

use glam::DVec3;

use super::Named;
use crate::motion::SimTime;

/// Something to be done to a world.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Gives a free body an impulse through its centre.
    Kick {
        /// Its name.
        body: String,
        /// N·s.
        impulse: DVec3,
    },
    /// Gives a kinematic body another velocity.
    SetVelocity {
        /// Its name.
        body: String,
        /// m/s.
        velocity: DVec3,
    },
    /// A new body, where and as it is given.
    Spawn(Named),
    /// Takes a body out.
    Despawn {
        /// Its name.
        body: String,
    },
}

/// A command with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Timed {
    /// When.
    pub at: SimTime,
    /// What.
    pub command: Command,
    /// Where it was given, for the message if it cannot be carried out: such as `scene.ron:12:9: commands[3]`.
    pub origin: String,
}
