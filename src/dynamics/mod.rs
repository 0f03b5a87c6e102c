//! Dynamics: bodies with mass, the events that change their paths, and the loop that takes them in order.

mod ahead;
pub mod audit;
pub mod body;
mod broadphase;
mod coarse;
mod column;
pub mod command;
mod contact;
mod coupled;
mod course;
mod crowd;
pub mod event;
mod follow;
mod foresee;
mod grid;
mod group;
mod hold;
mod idle;
mod impact;
mod island;
mod known;
mod ladder;
mod lanes;
mod lattice;
pub mod layer;
mod leave;
mod lines;
mod links;
mod lone;
pub mod material;
mod obstacle;
mod pair;
mod passages;
mod predict;
pub mod query;
mod queue;
#[cfg(test)]
#[path = "../../tests/common/random.rs"]
mod random;
mod renewal;
mod room;
mod rows;
pub mod settings;
mod settle;
mod slide;
pub mod snapshot;
mod stand;
pub mod step;
pub mod stepper;
mod strike;
mod tally;
mod touching;

pub use audit::{Audit, Balance};

pub use body::{Body, BodyId, Mass, Motion, Response};
pub use coarse::Coarseness;
pub use command::CommandError;
pub use event::{Event, EventKind, Knot};
pub use layer::Layers;
pub use material::{Friction, Material, MaterialId, Materials, Pairing, Restitution};
pub use query::Sight;
pub use settings::{Impacts, Period, Settings, Space};
pub use snapshot::{RestoreError, Snapshot};
pub use step::Progress;
pub use stepper::{RunError, SetupError, State, Stepper};
