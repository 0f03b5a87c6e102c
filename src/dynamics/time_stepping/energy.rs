//! Restitution and energy of a time step: no step adds energy.
//!
//! With the velocity `v` after the step, the energy changes by Σ P·u − ½|Δv|²: `P` are the impulses, `u` the relative
//! velocities after the step at the contacts, Δv the changes of velocity, |·|² weighs with the masses. Exact impulses
//! have P·u ≤ 0, since no bound asks a gap to grow and friction opposes slip. Of inexact ones, all are scaled by one
//! factor so that Σ P·u ≤ 0. Restitution returns a part of the impulses of compression (Poisson's hypothesis); the share
//! that is returned is the largest one with which the energy does not grow. That energy is a quadratic of the share.

use glam::DVec3;

use super::problem::StepProblem;
use super::relaxation::row::{FrictionRow, Mover, Row};

/// Velocities and impulses, to return to.
pub(super) struct Saved {
    movers: Vec<Mover>,
    pushes: Vec<(f64, DVec3)>,
}

/// The change of the energy in a step along a line of solutions: c₀ + c₁ α + c₂ α², J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quadratic {
    pub(super) constant: f64,
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

impl Quadratic {
    /// The largest share up to 1 at which the energy has not grown; 0 if there is none.
    pub(super) fn largest_share(&self) -> f64 {
        let Self { constant, slope, curvature } = *self;
        if constant + slope + curvature <= 0.0 {
            return 1.0;
        }
        if constant > 0.0 {
            return 0.0;
        }
        // The larger root, without cancellation. The product of the roots is not positive.
        let root = (slope * slope - 4.0 * curvature * constant).max(0.0).sqrt();
        let share = if slope > 0.0 { -2.0 * constant / (slope + root) } else { (root - slope) / (2.0 * curvature) };
        if share > 0.0 { share.min(1.0) } else { 0.0 }
    }
}

impl StepProblem {
    pub(super) fn save(&self) -> Saved {
        let frictions = &self.relaxation.frictions;
        let push = |(row, of): (usize, &Row)| (of.push, frictions.get(row).map_or(DVec3::ZERO, |row| row.push));
        Saved {
            movers: self.relaxation.movers.clone(),
            pushes: self.relaxation.rows.iter().enumerate().map(push).collect(),
        }
    }

    /// Moves from the present solution a share of the way back: 1 is the present one, 0 the saved one. Contacts that
    /// were added since have had no impulse.
    pub(super) fn blend(&mut self, saved: &Saved, share: f64) {
        for (mover, from) in self.relaxation.movers.iter_mut().zip(&saved.movers) {
            mover.linear = from.linear + (mover.linear - from.linear) * share;
            mover.turning = from.turning + (mover.turning - from.turning) * share;
        }
        let before = |row: usize| saved.pushes.get(row).copied().unwrap_or_default();
        for (row, of) in self.relaxation.rows.iter_mut().enumerate() {
            of.push = before(row).0 + (of.push - before(row).0) * share;
        }
        for (row, of) in self.relaxation.frictions.iter_mut().enumerate() {
            of.push = before(row).1 + (of.push - before(row).1) * share;
        }
    }

    /// The change of the energy in the step, J.
    pub(super) fn energy_change(&self) -> f64 {
        let Quadratic { constant, slope, curvature } = self.energy_from(&self.unsolved());
        constant + slope + curvature
    }

    /// The velocities without any contact.
    pub(super) fn unsolved(&self) -> Saved {
        let mover = |(place, mover): (usize, &Mover)| match place < self.free {
            true => Mover {
                linear: self.alone(place).linear,
                turning: self.before[place].angular * self.radii[place],
                ..*mover
            },
            false => *mover,
        };
        Saved { movers: self.relaxation.movers.iter().enumerate().map(mover).collect(), pushes: Vec::new() }
    }

    /// Scales all impulses by the largest factor up to 1 with which the energy does not grow; returns the factor.
    pub(super) fn scale_impulses(&mut self) -> f64 {
        let alone = self.unsolved();
        let factor = self.energy_from(&alone).largest_share();
        if factor < 1.0 {
            self.blend(&alone, factor);
        }
        factor
    }

    /// The second phase: what was given to pairs that met comes back in part. `is_met` says which rows, and their
    /// restitution. The bounds from now on are what was given.
    pub(super) fn begin_restitution(&mut self, restitutions: &[f64]) {
        for (row, restitution) in restitutions.iter().enumerate() {
            let of = &mut self.relaxation.rows[row];
            let more = restitution * of.push;
            of.push += more;
            of.least = of.push;
            of.give(&mut self.relaxation.movers, more, DVec3::ZERO);
        }
    }

    /// The change of the energy along the line from the saved solution (share 0) to the present one (share 1), without
    /// the work of bodies of prescribed motion.
    pub(super) fn energy_from(&self, saved: &Saved) -> Quadratic {
        let (mut constant, mut slope, mut curvature) = (0.0, 0.0, 0.0);
        for (place, (from, to)) in saved.movers.iter().zip(&self.relaxation.movers).enumerate().take(self.free) {
            let before = (self.before[place].linear, self.before[place].angular * self.radii[place]);
            let (linear, turning) = (to.linear - from.linear, to.turning - from.turning);
            let weigh = |x: DVec3, inverse: f64| if inverse > 0.0 { x / inverse } else { DVec3::ZERO };
            let fall = self.gravity * self.length;
            constant += 0.5 * (from.norm(from.linear, from.turning) - from.norm(before.0, before.1))
                - weigh(fall, from.inverse_mass).dot(from.linear);
            slope += weigh(linear, from.inverse_mass).dot(from.linear - fall)
                + weigh(turning, from.inverse_inertia).dot(from.turning);
            curvature += 0.5 * from.norm(linear, turning);
        }
        for (row, of) in self.relaxation.rows.iter().enumerate() {
            let (normal, tangential) = saved.pushes.get(row).copied().unwrap_or_default();
            let walls = self.opening(self.listed[row] as usize) - of.opening(&self.relaxation.movers);
            constant += normal * walls;
            slope += (of.push - normal) * walls;
            if let Some(FrictionRow { push, drive, .. }) = self.relaxation.frictions.get(row) {
                constant += tangential.dot(*drive);
                slope += (*push - tangential).dot(*drive);
            }
        }
        Quadratic { constant, slope, curvature }
    }
}
