//! The normal impulses alone: sweeps through all contacts there and back, each followed by a conjugate direction.

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::batch::{Batches, Velocity};
use super::conjugate::ConjugateDirection;
use super::row::{Mover, Row};
use crate::numeric::lane::{LANES, machine};

/// The problem of the normal impulses, as the vector lanes need it.
#[derive(Debug, Default)]
pub(super) struct Normals {
    /// The velocities of the movers, and of a body at rest for lanes without a contact.
    pub(super) velocities: Vec<Velocity>,
    pub(super) contacts: Batches,
    direction: ConjugateDirection,
}

impl Normals {
    /// Solves until no contact changes its opening by more than `tolerance` (m/s). Returns the number of sweeps left of
    /// `sweeps_max`: zero if that was not enough.
    pub(super) fn solve(
        &mut self,
        movers: &mut [Mover],
        rows: &mut [Row],
        (tolerance, sweeps_max): (f64, usize),
    ) -> usize {
        self.load(movers, rows);
        let left = machine().dispatch(Solve { normals: self, tolerance, sweeps_max });
        self.store(movers, rows);
        left
    }

    pub(super) fn load(&mut self, movers: &[Mover], rows: &[Row]) {
        let velocity = |mover: &Mover| [mover.linear.x, mover.linear.y, mover.linear.z, mover.inverse_mass];
        self.velocities.clear();
        self.velocities.extend(movers.iter().map(velocity));
        self.velocities.push([0.0; 4]);
        self.contacts.fill(movers, rows);
    }

    pub(super) fn store(&self, movers: &mut [Mover], rows: &mut [Row]) {
        for (mover, velocity) in movers.iter_mut().zip(&self.velocities) {
            mover.linear = DVec3::new(velocity[0], velocity[1], velocity[2]);
        }
        for (row, impulse) in rows.iter_mut().zip(self.contacts.impulses()) {
            row.impulse = impulse;
        }
    }

    /// One sweep there and back. Returns the largest change of an opening on the way back, m/s.
    #[inline(always)]
    pub(super) fn sweep<S: Simd>(&mut self, simd: S) -> f64 {
        let mut most = [0.0; LANES];
        for batch in &mut self.contacts.batches {
            batch.relax(simd, &mut self.velocities, &mut most);
        }
        most = [0.0; LANES];
        for batch in self.contacts.batches.iter_mut().rev() {
            batch.relax(simd, &mut self.velocities, &mut most);
        }
        most.into_iter().fold(0.0, f64::max)
    }
}

/// The arguments of a solution, for the instruction set of the machine.
struct Solve<'a> {
    normals: &'a mut Normals,
    tolerance: f64,
    sweeps_max: usize,
}

impl WithSimd for Solve<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        let Self { normals, tolerance, sweeps_max } = self;
        normals.direction.reset(&normals.velocities, &normals.contacts.batches);
        for left in (0..sweeps_max).rev() {
            normals.direction.begin(&normals.velocities, &normals.contacts.batches);
            if normals.sweep(simd) <= tolerance || left == 0 {
                return left;
            }
            normals.direction.go_on(&mut normals.velocities, &mut normals.contacts.batches);
        }
        0
    }
}

#[cfg(test)]
mod tests;
