//! A common interface for both engines: a step, and the positions and velocities of the bodies after it.

use std::fmt;
use std::time::Duration;

use carom::glam::DVec3;

use crate::carom::Carom;
use crate::rapier::{Rapier, box_wall, half_space};
use crate::scene::Scene;

/// Simulated time of a step, s.
pub(crate) const STEP: f64 = 1.0 / 60.0;

/// Which engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    Carom,
    Rapier,
    /// Rapier with boxes as walls, with which it is faster than with half-spaces.
    RapierBoxWalls,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Carom => "carom",
            Self::Rapier => "Rapier",
            Self::RapierBoxWalls => "Rapier, box walls",
        })
    }
}

/// Why a step was not completed.
#[derive(Debug, Clone)]
pub(crate) enum Stop {
    OutOfTime,
    Failed(String),
}

/// A world in one of the engines.
pub(crate) enum Engine {
    Carom(Box<Carom>),
    Rapier(Box<Rapier>),
}

impl Engine {
    /// # Errors
    /// If the engine refuses the scene.
    pub(crate) fn new(name: Name, scene: &Scene) -> Result<Self, Stop> {
        match name {
            Name::Carom => Ok(Self::Carom(Box::new(Carom::new(scene)?))),
            Name::Rapier => Ok(Self::Rapier(Box::new(Rapier::new(scene, half_space)))),
            Name::RapierBoxWalls => Ok(Self::Rapier(Box::new(Rapier::new(scene, box_wall)))),
        }
    }

    /// Advances by [`STEP`].
    ///
    /// # Errors
    /// If the engine cannot continue, or, for an engine that can be stopped, if it has computed for longer than
    /// `limit`.
    pub(crate) fn step(&mut self, limit: Duration) -> Result<(), Stop> {
        match self {
            Self::Carom(carom) => carom.step(limit),
            Self::Rapier(rapier) => {
                rapier.step();
                Ok(())
            }
        }
    }

    /// Positions (m) and velocities (m/s) of the free bodies, in the order of the scene.
    pub(crate) fn states(&self) -> Vec<(DVec3, DVec3)> {
        match self {
            Self::Carom(carom) => carom.states().collect(),
            Self::Rapier(rapier) => rapier.states().collect(),
        }
    }
}
