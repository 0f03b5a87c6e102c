//! Dynamics: bodies with mass, the events that change their paths, and the loop that takes them in order.

pub mod body;
pub mod event;
pub mod material;
pub mod settings;

pub use body::{Body, BodyId, Mass, Motion, Response, Shape};
pub use event::{Event, EventKind};
pub use material::{MaterialId, Materials, Restitution};
pub use settings::{Period, Settings, Space};
