//! The balance of a run: how much energy and momentum it should have, and how much it has.

use serde::{Deserialize, Serialize};

use crate::dynamics::{Audit, Balance, Settings};

/// What the audit of a run found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RunBalance {
    /// Kinetic and potential energy at the start, J.
    pub energy_start: f64,
    /// Kinetic and potential energy at the end, J.
    pub energy_end: f64,
    /// Energy turned into heat at impacts, as the impact law says, J.
    pub dissipated: f64,
    /// Energy turned into heat by lasting contacts, J.
    pub contact_heat: f64,
    /// Work done by kinematic bodies and commands, J.
    pub work: f64,
    /// The change of energy that heat and work do not explain, over the largest energy of the run. That energy is at
    /// least the one of a fall of all bodies through the rest height; no unit.
    pub energy_drift: f64,
    /// Total momentum at the start, kg·m/s.
    pub momentum_start: [f64; 3],
    /// Total momentum at the end, kg·m/s.
    pub momentum_end: [f64; 3],
    /// The change of momentum that walls, supports and gravity do not explain, over the largest momentum of the run.
    pub momentum_drift: f64,
    /// Deepest overlap of two bodies at an instant at which they met, m.
    pub deepest_overlap: f64,
}

/// A balance that is open: what it needs of the run so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenBalance {
    start: Balance,
    energy_scale: f64,
    momentum_scale: f64,
}

impl OpenBalance {
    pub(super) fn open(start: Balance) -> Self {
        Self { start, energy_scale: start.kinetic, momentum_scale: start.momentum_scale }
    }

    /// Notes the energy and the momentum at one more instant.
    pub(super) fn note(&mut self, now: &Balance) {
        let in_play = now.kinetic + (now.potential - self.start.potential).abs();
        self.energy_scale = self.energy_scale.max(in_play);
        self.momentum_scale = self.momentum_scale.max(now.momentum_scale);
    }

    /// The balance after `seconds` in a world of these settings.
    pub(super) fn close(&self, end: &Balance, audit: &Audit, settings: &Settings, seconds: f64) -> RunBalance {
        let start = &self.start;
        let (energy_start, energy_end) = (start.kinetic + start.potential, end.kinetic + end.potential);
        // Like terms are subtracted first, because a potential counted from far away is large.
        let change = (end.kinetic - start.kinetic) + (end.potential - start.potential);
        let weight = settings.gravity * (end.mass * seconds);
        let momentum = end.momentum - start.momentum - audit.impulse - weight;
        // If nothing moves, the scale is the energy of a fall through the rest height, which is not visible in the run.
        let unseen = end.mass * settings.gravity.length() * settings.rest_height;
        let energy_scale =
            self.energy_scale.max(audit.dissipated + audit.contact_heat).max(audit.work.abs()).max(unseen);
        let momentum_scale = self.momentum_scale.max(weight.length());
        RunBalance {
            energy_start,
            energy_end,
            dissipated: audit.dissipated,
            contact_heat: audit.contact_heat,
            work: audit.work,
            energy_drift: share(change + audit.dissipated + audit.contact_heat - audit.work, energy_scale),
            momentum_start: start.momentum.to_array(),
            momentum_end: end.momentum.to_array(),
            momentum_drift: share(momentum.length(), momentum_scale),
            deepest_overlap: audit.deepest,
        }
    }
}

/// |part| / whole; 0 if the part is 0.
fn share(part: f64, whole: f64) -> f64 {
    if part == 0.0 { 0.0 } else { part.abs() / whole }
}
