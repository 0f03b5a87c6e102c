//! Dynamics: bodies with mass, the events that change their paths, and the loop that takes them in order.

pub mod body;
mod broadphase;
mod changed;
pub mod command;
mod contact;
mod domain;
pub mod error;
mod impact;
pub mod log;
mod parts;
mod prediction;
mod prefetch;
pub mod query;
mod queue;
mod scene;
mod sensor;
pub mod settings;
pub mod snapshot;
mod solver;
pub mod state;
pub mod step;
mod time_stepping;

#[cfg(test)]
#[path = "../../tests/common/random.rs"]
mod random;

pub use log::audit::{Audit, Balance};

pub use body::coarseness::Coarseness;
pub use body::layer::Layers;
pub use body::material::{Friction, Material, MaterialId, Materials, Pairing, Restitution};
pub use body::{Body, BodyId, Mass, Motion, Response};
pub use command::CommandError;
pub(crate) use contact::Surface;
pub use error::{RunError, SetupError};
pub use log::event::{Event, EventKind, Knot};
pub use query::Sight;
pub use settings::{Impacts, Period, Settings, Space};
pub use snapshot::{RestoreError, Snapshot};
pub use state::{State, Stepper};
pub use step::Progress;
