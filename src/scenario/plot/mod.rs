//! The plots of a scenario: what they show, how they are drawn, and how both are written in a file.

mod kind;
pub(super) mod schema;
pub mod style;

pub use kind::{Axis, Plane2, Plot};
