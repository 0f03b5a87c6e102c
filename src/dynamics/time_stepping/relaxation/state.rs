//! The problem of a step on its way to the solution.

use glam::DVec3;

use super::row::{Rough, Row, SolverVelocity, Turning};

/// Bodies, contacts, and pushes on their way to the solution.
pub(in crate::dynamics::time_stepping) struct Relaxation {
    pub(in crate::dynamics::time_stepping) going: Vec<SolverVelocity>,
    pub(in crate::dynamics::time_stepping) turning: Vec<Turning>,
    pub(in crate::dynamics::time_stepping) rows: Vec<Row>,
    /// How fast each contact may open while it pushes, m/s.
    pub(in crate::dynamics::time_stepping) openings: Vec<f64>,
    /// As long as `rows`, or empty where nothing rubs.
    pub(in crate::dynamics::time_stepping) roughs: Vec<Rough>,
    /// Tangential pushes that are no longer looked for.
    pub(in crate::dynamics::time_stepping) rubbed: Vec<DVec3>,
    /// The rows of those that touch what moves but is not moved.
    pub(in crate::dynamics::time_stepping) driven: Vec<usize>,
}
