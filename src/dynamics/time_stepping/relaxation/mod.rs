//! Relaxation: the velocity problem of a time step, solved contact by contact (projected Gauss–Seidel).
//!
//! Each sweep goes through the contacts from the lowest to the highest and back. Normal impulses minimise an energy, so
//! a conjugate direction with its exact length follows each sweep ([`normals`]). Friction is staggered (Kaufman, Sueda,
//! James & Pai, *Staggered projections for frictional contact in multibody systems*, ACM Trans. Graph. 27, 2008): a few
//! sweeps find normal and tangential impulses and couples together, then the normal impulses alone are solved to the
//! tolerance while the others are held constant. Couples against rolling and spinning are bounded like friction, by a
//! length times the normal impulse (Todorov, Erez & Tassa, *MuJoCo: A physics engine for model-based control*, 2012).

mod batch;
mod conjugate;
mod normals;
pub(super) mod row;

use glam::DVec3;

use normals::Normals;
use row::{CoupleRow, FrictionRow, Mover, Row};

/// The velocity problem, with its present velocities and impulses.
#[derive(Debug, Default)]
pub(super) struct Relaxation {
    pub(super) movers: Vec<Mover>,
    pub(super) rows: Vec<Row>,
    /// One per row if any contact has friction; otherwise none.
    pub(super) frictions: Vec<FrictionRow>,
    /// One per row if any contact has friction against rolling or spinning; otherwise none.
    pub(super) couples: Vec<CoupleRow>,
    normals: Normals,
    /// The velocities without any contact.
    pub(super) alone: Vec<Mover>,
    /// Number of sweeps, one way.
    pub(super) sweeps: u64,
}

impl Relaxation {
    /// The problem of these bodies without contacts.
    pub(super) fn new(movers: Vec<Mover>) -> Self {
        Self { alone: movers.clone(), movers, ..Self::default() }
    }

    /// Adds a contact and gives its impulses to the bodies.
    pub(super) fn add(&mut self, row: Row, friction: Option<FrictionRow>, couple: Option<CoupleRow>) {
        row.give(&mut self.movers, row.impulse, friction.map_or(DVec3::ZERO, |friction| friction.impulse));
        if let Some(couple) = couple {
            couple.give(&row, &mut self.movers, couple.impulse);
        }
        self.rows.push(row);
        self.frictions.extend(friction);
        self.couples.extend(couple);
    }

    /// Sweeps for normal and tangential impulses and couples together: at least so many, and at most so many as long as
    /// one changes the velocities by more than `tolerance` (m/s). They also end where the change does not become
    /// smaller for as many sweeps as the least: friction that wedges bodies has no solution.
    pub(super) fn sweep_together(&mut self, [least, most]: [usize; 2], tolerance: f64) {
        let (mut smallest, mut found) = (f64::INFINITY, 0);
        for sweep in 1..=most {
            let rows = 0..self.rows.len();
            let change = rows.clone().chain(rows.rev()).fold(0.0, |most: f64, place| most.max(self.relax_all(place)));
            self.sweeps += 2;
            found = if change < smallest { sweep } else { found };
            smallest = change.min(smallest);
            if sweep >= least && (change <= tolerance || sweep >= found + least) {
                break;
            }
        }
    }

    /// Solves for the normal impulses, with the tangential ones as they are, until no contact changes its opening by
    /// more than `tolerance` (m/s). Returns the number of sweeps left of `sweeps_max`: zero if that was not enough.
    pub(super) fn solve_normals(&mut self, tolerance: f64, sweeps_max: usize) -> usize {
        let left = self.normals.solve(&mut self.movers, &mut self.rows, (tolerance, sweeps_max));
        self.sweeps += 2 * (sweeps_max - left) as u64;
        left
    }

    /// Computes the velocities from the impulses. After many sweeps with impulses far larger than the final ones, the
    /// two differ by rounding errors.
    pub(super) fn follow_impulses(&mut self) {
        self.movers.copy_from_slice(&self.alone);
        for (place, row) in self.rows.iter().enumerate() {
            let tangential = self.frictions.get(place).map_or(DVec3::ZERO, |friction| friction.impulse);
            row.give(&mut self.movers, row.impulse, tangential);
            if let Some(couple) = self.couples.get(place) {
                couple.give(row, &mut self.movers, couple.impulse);
            }
        }
    }

    /// Solves one contact alone: normal and tangential, and against turning. Returns the largest change of a velocity
    /// of the contact, m/s.
    fn relax_all(&mut self, place: usize) -> f64 {
        let row = &mut self.rows[place];
        let mut change = relax(row, &mut self.movers).abs();
        if self.frictions[place].friction > 0.0 {
            change = change.max(relax_slip(row, &mut self.frictions[place], &mut self.movers).length());
        }
        let change = change / row.inverse_compliance;
        match self.couples.get_mut(place) {
            Some(couple) if couple.rolling > 0.0 || couple.spinning > 0.0 => {
                let impulse = couple.stopping(row, &self.movers);
                let change = impulse - couple.impulse;
                couple.impulse = impulse;
                couple.give(row, &mut self.movers, change);
            }
            _ => {}
        }
        change
    }
}

/// Solves one contact alone, for its tangential impulse. Returns its change, N·s.
#[inline(always)]
fn relax_slip(row: &Row, friction: &mut FrictionRow, movers: &mut [Mover]) -> DVec3 {
    let slip = row.slip(movers) + friction.drive;
    let wanted = friction.impulse - slip * friction.inverse_compliance;
    let (size, most) = (wanted.length_squared(), friction.friction * row.impulse);
    let impulse = if size > most * most { wanted * (most / size.sqrt()) } else { wanted };
    let change = impulse - friction.impulse;
    friction.impulse = impulse;
    row.give(movers, 0.0, change);
    change
}

/// Solves one contact alone, for its normal impulse. Returns its change, N·s.
#[inline(always)]
fn relax(row: &mut Row, movers: &mut [Mover]) -> f64 {
    let miss = row.bound - row.opening(movers);
    let impulse = (row.impulse + miss * row.inverse_compliance).max(row.least);
    let change = impulse - row.impulse;
    row.impulse = impulse;
    for (end, sign) in [(row.ends[0], -1.0), (row.ends[1], 1.0)] {
        let mover = &mut movers[end as usize];
        mover.linear += row.normal * (sign * change * mover.inverse_mass);
    }
    change
}

#[cfg(test)]
mod tests;
