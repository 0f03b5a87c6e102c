//! One face for both engines: a step, and where the bodies are after it.

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
    /// With boxes as walls, which take it less time than half-spaces.
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

/// Why a step did not come to its end.
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
    /// When the engine refuses the scene.
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
    /// When the engine cannot go on, or has computed for longer than `limit`, where it can be stopped.
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
