//! Scenarios: what a RON file says, checked, as plain data that a world can be made from.

pub mod plan;

use crate::dynamics::Settings;
use crate::world::Named;

pub use plan::{Axis, Count, Expectation, Plane2, Plot, Recording};

/// Everything that a scenario file says, validated.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// One line that says what it shows.
    pub title: String,
    /// Gravity, space, materials and cutoffs.
    pub settings: Settings,
    /// Span between two looks at the world, s; positive.
    pub timestep: f64,
    /// Length of the run, s; positive. It need not be a multiple of the timestep.
    pub duration: f64,
    /// All bodies, those of generators included, in the order of the file.
    pub bodies: Vec<Named>,
    /// What is written down while it runs.
    pub record: Recording,
    /// What is drawn afterwards.
    pub plots: Vec<Plot>,
    /// What must hold in the end.
    pub expect: Vec<Expectation>,
}
