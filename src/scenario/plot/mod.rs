//! The plots of a scenario: what they show, how they are drawn, and how both are written in a file.

pub mod formula;
mod kind;
pub mod measured;
pub mod overlay;
mod rgb;
pub(super) mod schema;
pub mod style;

pub use kind::{Axis, Plane2, Plot};
