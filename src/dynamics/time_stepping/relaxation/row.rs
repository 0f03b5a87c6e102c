//! The data of the relaxation per contact and per body: small, so that thousands stay in the nearest cache.

use glam::DVec3;

/// A contact, in one cache line.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Row {
    pub(in crate::dynamics::time_stepping) ends: [u32; 2],
    pub(in crate::dynamics::time_stepping) normal: DVec3,
    pub(in crate::dynamics::time_stepping) bound: f64,
    /// Zero where no impulse has an effect.
    pub(in crate::dynamics::time_stepping) inverse_compliance: f64,
    /// Allowed closing speed beyond the bound, m/s.
    pub(in crate::dynamics::time_stepping) goal: f64,
    pub(in crate::dynamics::time_stepping) push: f64,
}

/// Further data of a contact with friction.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Rough {
    pub(in crate::dynamics::time_stepping) friction: f64,
    /// From the centres to the contact point along the normal, m; zero for a body that does not rotate.
    pub(in crate::dynamics::time_stepping) arms: [f64; 2],
    /// Change of the slip per tangential impulse, 1/kg.
    pub(in crate::dynamics::time_stepping) compliance: f64,
    pub(in crate::dynamics::time_stepping) push: DVec3,
}

/// Velocity and inverse mass of a body, in half a cache line.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct SolverVelocity {
    pub(in crate::dynamics::time_stepping) linear: DVec3,
    pub(in crate::dynamics::time_stepping) inverse_mass: f64,
}

/// Angular velocity and inverse inertia of a body.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Turning {
    pub(in crate::dynamics::time_stepping) angular: DVec3,
    pub(in crate::dynamics::time_stepping) inverse_inertia: f64,
}

/// Allowed residuals of a contact, m/s.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Tolerance {
    /// Allowed closing speed beyond the bound.
    pub(in crate::dynamics::time_stepping) closing: f64,
    /// Allowed opening speed with a positive impulse. The work of that impulse is an energy error.
    pub(in crate::dynamics::time_stepping) opening: f64,
}
