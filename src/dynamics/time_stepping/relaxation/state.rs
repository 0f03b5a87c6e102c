//! The state of the relaxation: velocities, contacts and impulses.
//!
//! Velocities always include the impulses so far. So the state at any round is consistent, and the iteration can be
//! stopped after each.

use glam::DVec3;

use super::row::{FrictionRow, Row, SolverSpin, SolverVelocity};

/// Velocities, contacts and impulses on the way to the solution.
pub(in crate::dynamics::time_stepping) struct Relaxation {
    pub(in crate::dynamics::time_stepping) velocities: Vec<SolverVelocity>,
    pub(in crate::dynamics::time_stepping) spins: Vec<SolverSpin>,
    pub(in crate::dynamics::time_stepping) rows: Vec<Row>,
    /// Allowed opening speed of each contact with a positive impulse, m/s.
    pub(in crate::dynamics::time_stepping) openings: Vec<f64>,
    /// As many as `rows`, or none where there is no friction.
    pub(in crate::dynamics::time_stepping) frictions: Vec<FrictionRow>,
    /// Tangential impulses that are fixed.
    pub(in crate::dynamics::time_stepping) fixed_tangentials: Vec<DVec3>,
    /// The rows of contacts with a moving body of prescribed velocity.
    pub(in crate::dynamics::time_stepping) driven: Vec<usize>,
}
