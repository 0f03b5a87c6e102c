//! The books of a run: what energy and momentum went where, and how deep any overlap was.

use glam::DVec3;

use super::event::EventKind;

/// What has gone in and out of the free bodies since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Audit {
    /// Kinetic energy turned into heat at impacts, J: the sum of the events' losses.
    pub dissipated: f64,
    /// Kinetic energy turned into heat by lasting contacts: sliding, and following curved surfaces, J.
    pub rubbed: f64,
    /// Work done on free bodies by bodies that keep their velocity, and what commands brought: the work of kicks, the kinetic
    /// and potential energy of bodies that came, less that of bodies that went, J.
    pub work: f64,
    /// Momentum given to free bodies by fixed and kinematic ones and by commands, kg·m/s. A body that comes at the time t
    /// brings m (v − g t), one that goes takes as much, so that this and the weight of all that are there over all the time
    /// since the start explain the momentum.
    pub impulse: DVec3,
    /// Collision virial of the free bodies, axis by axis, J·s: at each impact of two of them the way from the centre of
    /// the one to that of the other, of the image that it met, times the impulse that the other got. Impulses and
    /// forces of contacts that last do not count.
    pub virial: DVec3,
    /// Deepest overlap of two bodies at an instant at which they met, m.
    pub deepest: f64,
    /// How many events of each kind, in the order of [`EventKind::ALL`].
    pub counts: [u64; EventKind::ALL.len()],
}

impl Audit {
    /// How many events of `kind`.
    pub fn count(&self, kind: EventKind) -> u64 {
        self.counts[kind as usize]
    }
}

/// Energy and momentum of all free bodies at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Balance {
    /// ½ m v² + ½ I ω², J.
    pub kinetic: f64,
    /// −m g·x, J, with x counted through all periods.
    pub potential: f64,
    /// m v, kg·m/s.
    pub momentum: DVec3,
    /// Sum of |m v|, kg·m/s: what to compare the momentum's rounding with.
    pub momentum_scale: f64,
    /// Sum of the masses, kg.
    pub mass: f64,
}
