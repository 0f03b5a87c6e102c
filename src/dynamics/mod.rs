//! Dynamics: bodies with mass, the events that change their paths, and the loop that takes them in order.

pub mod audit;
pub mod body;
mod broadphase;
pub mod command;
mod contact;
mod counters;
pub mod event;
mod impact;
mod prediction;
mod prefetch;
pub mod query;
mod queue;
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

pub use audit::{Audit, Balance};

pub use body::coarseness::Coarseness;
pub use body::layer::Layers;
pub use body::material::{Friction, Material, MaterialId, Materials, Pairing, Restitution};
pub use body::{Body, BodyId, Mass, Motion, Response};
pub use command::CommandError;
pub(crate) use contact::Surface;
pub use event::{Event, EventKind, Knot};
pub use query::Sight;
pub use settings::{Impacts, Period, Settings, Space};
pub use snapshot::{RestoreError, Snapshot};
pub use state::{RunError, SetupError, State, Stepper};
pub use step::Progress;
