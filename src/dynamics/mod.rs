//! Dynamics: bodies with mass, the events that change their paths, and the loop that resolves events in order.
//!
//! The layers in this folder, from the inside out: `body` and `solver`, then `scene` (the physical state), `prediction`
//! and `queue` (what happens next), `impact`, `contact`, `time_stepping`, `sensor` and `domain` (what events do), and
//! `step` (the loop). The code that resolves an event records its changes; only the loop predicts.

pub mod body;
mod broadphase;
pub mod command;
mod contact;
mod domain;
pub mod error;
mod few;
mod gas;
mod impact;
pub mod log;
mod prediction;
mod prefetch;
pub mod query;
mod queue;
mod scene;
mod sensor;
pub mod settings;
mod simulation;
pub mod snapshot;
mod solver;
pub mod state;
pub mod step;
mod time_stepping;
mod to_predict;
mod validity;

pub use log::audit::{Audit, Balance, SteppingTotals};

pub use crate::dynamics::body::id::BodyId;
pub use crate::dynamics::snapshot::check::RestoreError;
pub use body::Body;
pub use body::Mass;
pub use body::Motion;
pub use body::Response;
pub use body::coarseness::Coarseness;
pub use body::friction::{Friction, FrictionLength};
pub use body::layer::Layers;
pub use body::material::{Material, MaterialId, Materials, Pairing};
pub use body::restitution::{BadKnot, PairRestitution, Restitution};
pub use command::CommandError;
pub use contact::ContactInfo;
pub use error::{RunError, SetupError};
pub use log::event::{Event, EventKind, Knot};
pub use query::Sight;
pub use settings::{Impacts, Period, Settings, Space};
pub use snapshot::Snapshot;
pub use state::{State, Stepper};
pub use step::Progress;
