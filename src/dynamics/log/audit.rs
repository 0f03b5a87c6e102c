//! The balance of a run: where energy and momentum went, and the deepest overlap.
//!
//! The balance closes: kinetic plus potential energy changes by `work` − `dissipated` − `rubbed`, and momentum by
//! weight and `impulse`, up to rounding. A run that violates it has an error in the dynamics.

use glam::DVec3;

use super::event::EventKind;

/// Energy and momentum that went into and out of the free bodies since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Audit {
    /// Kinetic energy turned into heat at impacts, J: the sum of the events' losses.
    pub dissipated: f64,
    /// Kinetic energy turned into heat by lasting contacts: sliding, motion along curved surfaces, and time steps, J.
    pub rubbed: f64,
    /// Work on free bodies by bodies of prescribed velocity and by commands, J. Commands count with the work of kicks,
    /// and with the kinetic and potential energy of spawned bodies less that of despawned ones.
    pub work: f64,
    /// Momentum given to free bodies by fixed and kinematic bodies and by commands, kg·m/s. A body spawned at the time
    /// t adds m (v − g t), and a body despawned at the time t subtracts it. So the momentum has changed since the start
    /// by the sum of this and the weight of all present bodies times the whole time since the start.
    pub impulse: DVec3,
    /// Collision virial of the free bodies, axis by axis, J·s. Each impact of two free bodies adds the vector from the
    /// centre of the first to the centre of the second (of the image at the impact) times the impulse on the second.
    /// Impulses and forces of lasting contacts do not count.
    pub virial: DVec3,
    /// Deepest overlap of two bodies at the instant of their impact, m.
    pub deepest: f64,
    /// Number of events of each kind, in the order of [`EventKind::ALL`].
    pub counts: [u64; EventKind::ALL.len()],
}

/// How much of a run was advanced by time steps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SteppingTotals {
    /// Number of time steps, each of one island.
    pub time_steps: u64,
    /// Sum over all bodies of the time during which they were advanced by time steps, s.
    pub body_seconds: f64,
    /// Largest number of bodies that one time step advanced.
    pub largest_island: u64,
    /// Number of bodies that sleep at the present.
    pub asleep: u64,
}

impl Audit {
    /// Number of events of `kind`.
    pub fn count(&self, kind: EventKind) -> u64 {
        self.counts[kind as usize]
    }
}

/// Energy and momentum of all free bodies at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Balance {
    /// ½ m v² + ½ I ω², J. In a time step it goes evenly from its value before the step to that after it, and the
    /// velocity does the same: so it is larger than that of the velocities by up to ⅛ m |Δv|².
    pub kinetic: f64,
    /// −m g·x, J, with x counted through all periods.
    pub potential: f64,
    /// m v, kg·m/s.
    pub momentum: DVec3,
    /// Sum of |m v|, kg·m/s: the scale of the rounding of the momentum.
    pub momentum_scale: f64,
    /// Sum of the masses, kg.
    pub mass: f64,
}
