//! A contact and a body as the relaxation reads them: small, so that thousands stay in the fastest memory.

use glam::DVec3;

/// A contact in the bytes of a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) ends: [u32; 2],
    pub(super) normal: DVec3,
    pub(super) bound: f64,
    /// Zero where nothing can be done.
    pub(super) inverse_compliance: f64,
    /// How fast it may close, m/s.
    pub(super) goal: f64,
    pub(super) push: f64,
}

/// What a contact with friction has besides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rough {
    pub(super) friction: f64,
    /// From the centres to the contact along the normal, m; zero for what does not turn.
    pub(super) arms: [f64; 2],
    /// How fast a tangential push of 1 N s makes it slip, m/s.
    pub(super) compliance: f64,
    pub(super) push: DVec3,
}

/// How a body moves on, in half a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolverVelocity {
    pub(super) linear: DVec3,
    pub(super) inverse_mass: f64,
}

/// How it turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turning {
    pub(super) angular: DVec3,
    pub(super) inverse_inertia: f64,
}
