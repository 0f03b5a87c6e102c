//! The conjugate direction between two sweeps of a relaxation.
//!
//! The change by a sweep there and back acts as a gradient of the energy that the normal impulses minimise,
//! preconditioned by symmetric Gauss–Seidel (Saad, *Iterative Methods for Sparse Linear Systems*, 2003, §10.2). The
//! direction is made conjugate to the last one, and its length minimises the energy along it (Hestenes & Stiefel 1952;
//! for contacts Silcowitz, Niebe & Erleben 2010). Both are computed from the velocities. Impulses that become too small
//! are corrected by the next sweep.

use glam::DVec3;

use super::row::{Mover, Row};
use crate::numeric::tolerance::DIRECTION_MAX;

/// The state at the beginning of a round, and the last direction.
#[derive(Debug, Default)]
pub(super) struct ConjugateDirection {
    start_pushes: Vec<f64>,
    start_velocities: Vec<DVec3>,
    /// The direction as impulses.
    pushes: Vec<f64>,
    /// The direction as velocities.
    velocities: Vec<DVec3>,
}

impl ConjugateDirection {
    /// Discards the last direction.
    pub(super) fn forget(&mut self, movers: &[Mover], rows: &[Row]) {
        self.pushes.clear();
        self.pushes.resize(rows.len(), 0.0);
        self.velocities.clear();
        self.velocities.resize(movers.len(), DVec3::ZERO);
    }

    /// Saves the state at the beginning of a round.
    pub(super) fn begin(&mut self, movers: &[Mover], rows: &[Row]) {
        self.start_pushes.clear();
        self.start_pushes.extend(rows.iter().map(|row| row.push));
        self.start_velocities.clear();
        self.start_velocities.extend(movers.iter().map(|mover| mover.linear));
    }

    /// Replaces the round's change by a step along the direction.
    pub(super) fn go_on(&mut self, movers: &mut [Mover], rows: &mut [Row]) {
        let share = self.conjugate_share(movers);
        let (mut slope, mut curvature) = (0.0, 0.0);
        for ((mover, start), last) in movers.iter().zip(&self.start_velocities).zip(&mut self.velocities) {
            *last = mover.linear - start + *last * share;
            if mover.inverse_mass > 0.0 {
                slope += last.dot(*start) / mover.inverse_mass;
                curvature += last.length_squared() / mover.inverse_mass;
            }
        }
        for ((row, start), last) in rows.iter().zip(&self.start_pushes).zip(&mut self.pushes) {
            *last = row.push - start + *last * share;
            slope -= *last * row.bound;
        }
        let length = -slope / curvature;
        if !(length > 0.0 && length < DIRECTION_MAX) {
            self.forget(movers, rows);
            return;
        }
        for ((mover, start), last) in movers.iter_mut().zip(&self.start_velocities).zip(&self.velocities) {
            mover.linear = start + *last * length;
        }
        for ((row, start), last) in rows.iter_mut().zip(&self.start_pushes).zip(&self.pushes) {
            row.push = start + *last * length;
        }
    }

    /// The coefficient of the last direction that makes the new one conjugate to it. It is at most 1; otherwise
    /// rounding differences between the impulses and the velocities of the direction would grow.
    fn conjugate_share(&self, movers: &[Mover]) -> f64 {
        let (mut across, mut along) = (0.0, 0.0);
        for ((mover, start), last) in movers.iter().zip(&self.start_velocities).zip(&self.velocities) {
            if mover.inverse_mass > 0.0 {
                across += (mover.linear - start).dot(*last) / mover.inverse_mass;
                along += last.length_squared() / mover.inverse_mass;
            }
        }
        let share = -across / along;
        // 0/0 is not a coefficient.
        if share > 0.0 { share.min(1.0) } else { 0.0 }
    }
}
