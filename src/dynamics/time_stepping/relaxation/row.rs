//! A contact and a body as the relaxation reads them: small, so that thousands stay in the fastest memory.

use glam::DVec3;

/// A contact in the bytes of a cache line.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Row {
    pub(in crate::dynamics::time_stepping) ends: [u32; 2],
    pub(in crate::dynamics::time_stepping) normal: DVec3,
    pub(in crate::dynamics::time_stepping) bound: f64,
    /// Zero where nothing can be done.
    pub(in crate::dynamics::time_stepping) inverse_compliance: f64,
    /// How fast it may close, m/s.
    pub(in crate::dynamics::time_stepping) goal: f64,
    pub(in crate::dynamics::time_stepping) push: f64,
}

/// What a contact with friction has besides.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Rough {
    pub(in crate::dynamics::time_stepping) friction: f64,
    /// From the centres to the contact along the normal, m; zero for what does not turn.
    pub(in crate::dynamics::time_stepping) arms: [f64; 2],
    /// How fast a tangential push of 1 N s makes it slip, m/s.
    pub(in crate::dynamics::time_stepping) compliance: f64,
    pub(in crate::dynamics::time_stepping) push: DVec3,
}

/// How a body moves on, in half a cache line.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct SolverVelocity {
    pub(in crate::dynamics::time_stepping) linear: DVec3,
    pub(in crate::dynamics::time_stepping) inverse_mass: f64,
}

/// How it turns.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Turning {
    pub(in crate::dynamics::time_stepping) angular: DVec3,
    pub(in crate::dynamics::time_stepping) inverse_inertia: f64,
}

/// By how much a contact may be missed, m/s.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics::time_stepping) struct Tolerance {
    /// How fast it may close beyond what is asked for.
    pub(in crate::dynamics::time_stepping) closing: f64,
    /// How fast it may open while it pushes. What a push does there is energy from nowhere.
    pub(in crate::dynamics::time_stepping) opening: f64,
}
