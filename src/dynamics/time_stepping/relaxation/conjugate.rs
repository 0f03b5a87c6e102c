//! The conjugate direction between two sweeps of a relaxation.
//!
//! The change by a sweep there and back acts as a gradient of the energy that the normal impulses minimise,
//! preconditioned by symmetric Gauss–Seidel (Saad, *Iterative Methods for Sparse Linear Systems*, 2003, §10.2). The
//! direction is made conjugate to the last one, and its length minimises the energy along it (Hestenes & Stiefel 1952;
//! for contacts Silcowitz, Niebe & Erleben 2010). Both are computed from the velocities. Impulses that become too small
//! are raised to the least.
//!
//! Sums are accumulated separately for each component of a vector and each lane of a batch, and added up at the end.

use std::array::from_fn;

use super::batch::{Batch, Velocity};
use crate::numeric::lane::LANES;
use crate::numeric::tolerance::DIRECTION_MAX;

/// The state at the beginning of a round, and the last direction.
#[derive(Debug, Default)]
pub(super) struct ConjugateDirection {
    /// kg; zero for a body of prescribed motion.
    masses: Vec<f64>,
    start_impulses: Vec<[f64; LANES]>,
    start_velocities: Vec<Velocity>,
    /// The direction as impulses.
    impulses: Vec<[f64; LANES]>,
    /// The direction as velocities; the last number is zero.
    velocities: Vec<Velocity>,
}

impl ConjugateDirection {
    /// Begins with a new problem, without a last direction.
    pub(super) fn reset(&mut self, velocities: &[Velocity], batches: &[Batch]) {
        self.masses.clear();
        self.masses.extend(velocities.iter().map(|of| if of[3] > 0.0 { 1.0 / of[3] } else { 0.0 }));
        self.impulses.resize(batches.len(), [0.0; LANES]);
        self.velocities.resize(velocities.len(), [0.0; 4]);
        self.forget();
    }

    /// Discards the last direction.
    fn forget(&mut self) {
        self.impulses.fill([0.0; LANES]);
        self.velocities.fill([0.0; 4]);
    }

    /// Saves the state at the beginning of a round.
    #[inline(always)]
    pub(super) fn begin(&mut self, velocities: &[Velocity], batches: &[Batch]) {
        self.start_impulses.clear();
        self.start_impulses.extend(batches.iter().map(|batch| batch.impulse));
        self.start_velocities.clear();
        self.start_velocities.extend_from_slice(velocities);
    }

    /// Replaces the round's change by a step along the direction.
    #[inline(always)]
    pub(super) fn go_on(&mut self, velocities: &mut [Velocity], batches: &mut [Batch]) {
        let share = self.conjugate_share(velocities);
        let (mut slopes, mut curvatures, mut works) = ([0.0; 4], [0.0; 4], [0.0; LANES]);
        let bodies = velocities.iter().zip(&self.start_velocities).zip(&mut self.velocities).zip(&self.masses);
        for (((now, start), last), mass) in bodies {
            *last = from_fn(|axis| now[axis] - start[axis] + last[axis] * share);
            slopes = from_fn(|axis| slopes[axis] + last[axis] * start[axis] * mass);
            curvatures = from_fn(|axis| curvatures[axis] + last[axis] * last[axis] * mass);
        }
        for ((batch, start), last) in batches.iter().zip(&self.start_impulses).zip(&mut self.impulses) {
            *last = from_fn(|lane| batch.impulse[lane] - start[lane] + last[lane] * share);
            works = from_fn(|lane| works[lane] + last[lane] * batch.bound[lane]);
        }
        let work: f64 = works.into_iter().sum();
        let length = (work - sum(slopes)) / sum(curvatures);
        if !(length > 0.0 && length < DIRECTION_MAX) {
            self.forget();
            return;
        }
        for ((now, start), last) in velocities.iter_mut().zip(&self.start_velocities).zip(&self.velocities) {
            *now = from_fn(|axis| start[axis] + last[axis] * length);
        }
        for ((batch, start), last) in batches.iter_mut().zip(&self.start_impulses).zip(&self.impulses) {
            batch.impulse = from_fn(|lane| start[lane] + last[lane] * length);
            batch.raise(velocities);
        }
    }

    /// The coefficient of the last direction that makes the new one conjugate to it. It is at most 1; otherwise
    /// rounding differences between the impulses and the velocities of the direction would grow.
    #[inline(always)]
    fn conjugate_share(&self, velocities: &[Velocity]) -> f64 {
        let (mut across, mut along) = ([0.0; 4], [0.0; 4]);
        let bodies = velocities.iter().zip(&self.start_velocities).zip(&self.velocities).zip(&self.masses);
        for (((now, start), last), mass) in bodies {
            across = from_fn(|axis| across[axis] + (now[axis] - start[axis]) * last[axis] * mass);
            along = from_fn(|axis| along[axis] + last[axis] * last[axis] * mass);
        }
        let share = -sum(across) / sum(along);
        // 0/0 gives no coefficient.
        if share > 0.0 { share.min(1.0) } else { 0.0 }
    }
}

/// The sum of the components of a vector; the fourth number is not a component.
fn sum([x, y, z, _]: [f64; 4]) -> f64 {
    x + y + z
}
