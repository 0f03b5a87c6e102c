//! The state of the relaxation: velocities, contacts and impulses.

use glam::DVec3;

use super::row::{Rough, Row, SolverVelocity, Turning};

/// Velocities, contacts and impulses on the way to the solution.
pub(in crate::dynamics::time_stepping) struct Relaxation {
    pub(in crate::dynamics::time_stepping) going: Vec<SolverVelocity>,
    pub(in crate::dynamics::time_stepping) turning: Vec<Turning>,
    pub(in crate::dynamics::time_stepping) rows: Vec<Row>,
    /// Allowed opening speed of each contact with a positive impulse, m/s.
    pub(in crate::dynamics::time_stepping) openings: Vec<f64>,
    /// As many as `rows`, or none where there is no friction.
    pub(in crate::dynamics::time_stepping) roughs: Vec<Rough>,
    /// Tangential impulses that are fixed.
    pub(in crate::dynamics::time_stepping) rubbed: Vec<DVec3>,
    /// The rows of contacts with a moving body of prescribed velocity.
    pub(in crate::dynamics::time_stepping) driven: Vec<usize>,
}
