//! The conjugate direction between two sweeps of a [`Relaxation`].
//!
//! The change by a symmetric sweep acts as a gradient of the energy that the impulses minimise, preconditioned by
//! symmetric Gauss–Seidel (Saad, *Iterative Methods for Sparse Linear Systems*, 2003, §10.2). The direction is made
//! conjugate to the last one, and its length minimises the energy along it (Hestenes & Stiefel 1952); both are computed
//! from the velocities. With friction there is no such energy: the coefficients are those of Fletcher & Reeves and the
//! length is one (Silcowitz, Niebe & Erleben 2010). Impulses that would become negative are set to zero.

use glam::DVec3;

use super::row::{SolverVelocity, Turning};
use super::state::Relaxation;

/// Largest length: where only rounding is left, the computed length is arbitrary.
const MOST: f64 = 64.0;

/// The state at the beginning of a round, and the last direction.
pub(super) struct ConjugateDirection {
    start: Vec<f64>,
    start_tangentials: Vec<DVec3>,
    start_going: Vec<SolverVelocity>,
    start_turning: Vec<Turning>,
    /// The direction as impulses.
    normals: Vec<f64>,
    tangentials: Vec<DVec3>,
    /// The direction as velocities.
    linears: Vec<DVec3>,
    angulars: Vec<DVec3>,
    /// Change of the last round, as an energy.
    size: f64,
}

impl ConjugateDirection {
    pub(super) fn new(of: &Relaxation) -> Self {
        Self {
            start: vec![0.0; of.rows.len()],
            start_tangentials: vec![DVec3::ZERO; of.roughs.len()],
            start_going: of.going.clone(),
            start_turning: of.turning.clone(),
            normals: vec![0.0; of.rows.len()],
            tangentials: vec![DVec3::ZERO; of.roughs.len()],
            linears: vec![DVec3::ZERO; of.going.len()],
            angulars: vec![DVec3::ZERO; of.turning.len()],
            size: f64::INFINITY,
        }
    }

    /// Saves the state at the beginning of a round.
    pub(super) fn begin(&mut self, of: &Relaxation) {
        self.start.iter_mut().zip(&of.rows).for_each(|(start, row)| *start = row.push);
        self.start_tangentials.iter_mut().zip(&of.roughs).for_each(|(start, rough)| *start = rough.push);
        self.start_going.copy_from_slice(&of.going);
        self.start_turning.copy_from_slice(&of.turning);
    }

    /// Replaces the round's change by a step along the direction; returns the change of the round, as an energy.
    pub(super) fn go_on(&mut self, of: &mut Relaxation) -> f64 {
        let size = self.change(of);
        let last = std::mem::replace(&mut self.size, size);
        let smooth = of.roughs.is_empty();
        let share = if smooth { self.conjugate_share(of) } else { size / last };
        if !smooth && (share.is_nan() || share > 1.0) {
            self.size = f64::INFINITY;
            self.forget();
            return size;
        }
        self.turn(of, share);
        if !smooth {
            self.go(of, 1.0);
            return size;
        }
        let (slope, curvature) = self.energy_along(of);
        let length = -slope / curvature;
        if !(length > 0.0 && length < MOST) {
            self.forget();
        } else if self.go(of, length) {
            self.go_where_left(of, length);
        }
        size
    }

    /// The change of the round, as an energy.
    fn change(&self, of: &Relaxation) -> f64 {
        let normal = of.rows.iter().zip(&self.start).map(|(row, start)| {
            let change = row.push - start;
            if row.inverse_compliance > 0.0 { change * change / row.inverse_compliance } else { 0.0 }
        });
        let rough = of
            .roughs
            .iter()
            .zip(&self.start_tangentials)
            .map(|(rough, start)| (rough.push - start).length_squared() * rough.compliance);
        normal.chain(rough).sum()
    }

    /// Discards the last direction.
    fn forget(&mut self) {
        self.normals.fill(0.0);
        self.tangentials.fill(DVec3::ZERO);
        self.linears.fill(DVec3::ZERO);
        self.angulars.fill(DVec3::ZERO);
    }

    /// The coefficient of the last direction that makes the new one conjugate to it. It is at most 1; otherwise
    /// rounding differences between the impulses and the velocities of the direction would grow.
    fn conjugate_share(&self, of: &Relaxation) -> f64 {
        let (mut across, mut along) = (0.0, 0.0);
        for ((now, start), last) in of.going.iter().zip(&self.start_going).zip(&self.linears) {
            if now.inverse_mass > 0.0 {
                across += (now.linear - start.linear).dot(*last) / now.inverse_mass;
                along += last.length_squared() / now.inverse_mass;
            }
        }
        let share = -across / along;
        // 0/0 is not a coefficient.
        if share > 0.0 { share.min(1.0) } else { 0.0 }
    }

    /// The new direction: the change of the round plus `share` times the last direction.
    fn turn(&mut self, of: &Relaxation, share: f64) {
        for ((now, start), last) in of.going.iter().zip(&self.start_going).zip(&mut self.linears) {
            *last = now.linear - start.linear + *last * share;
        }
        for ((now, start), last) in of.turning.iter().zip(&self.start_turning).zip(&mut self.angulars) {
            *last = now.angular - start.angular + *last * share;
        }
        for ((now, start), last) in of.rows.iter().zip(&self.start).zip(&mut self.normals) {
            *last = now.push - start + *last * share;
        }
        for ((now, start), last) in of.roughs.iter().zip(&self.start_tangentials).zip(&mut self.tangentials) {
            *last = now.push - start + *last * share;
        }
    }

    /// Slope and curvature of the energy along the direction, at the beginning of the round.
    fn energy_along(&self, of: &Relaxation) -> (f64, f64) {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (start, way) in self.start_going.iter().zip(&self.linears) {
            if start.inverse_mass > 0.0 {
                slope += way.dot(start.linear) / start.inverse_mass;
                curvature += way.length_squared() / start.inverse_mass;
            }
        }
        for (row, way) in of.rows.iter().zip(&self.normals) {
            slope -= way * row.bound;
        }
        // The work on bodies of prescribed velocity.
        for &row in &of.driven {
            slope += self.normals[row] * of.rows[row].normal.dot(of.drive(row));
        }
        (slope, curvature)
    }

    /// Moves `length` along the direction. Returns whether impulses were set to zero.
    fn go(&mut self, of: &mut Relaxation, length: f64) -> bool {
        for ((now, start), way) in of.going.iter_mut().zip(&self.start_going).zip(&self.linears) {
            now.linear = start.linear + *way * length;
        }
        for ((now, start), way) in of.turning.iter_mut().zip(&self.start_turning).zip(&self.angulars) {
            now.angular = start.angular + *way * length;
        }
        for ((now, start), way) in of.roughs.iter_mut().zip(&self.start_tangentials).zip(&self.tangentials) {
            now.push = start + *way * length;
        }
        let mut cut = false;
        for row in 0..self.normals.len() {
            let push = self.start[row] + self.normals[row] * length;
            of.rows[row].push = push;
            if push < 0.0 {
                of.push(row, -push);
                cut = true;
            }
        }
        cut
    }

    /// After impulses were set to zero, the direction becomes the change that was made. If the energy has not
    /// decreased, the round's own change is used instead.
    fn go_where_left(&mut self, of: &mut Relaxation, length: f64) {
        for ((now, start), way) in of.rows.iter().zip(&self.start).zip(&mut self.normals) {
            *way = (now.push - start) / length;
        }
        for ((now, start), way) in of.going.iter().zip(&self.start_going).zip(&mut self.linears) {
            *way = (now.linear - start.linear) / length;
        }
        let (slope, curvature) = self.energy_along(of);
        if slope + 0.5 * curvature * length >= 0.0 {
            of.rows.iter_mut().zip(&self.start).for_each(|(row, start)| row.push = *start);
            of.going.copy_from_slice(&self.start_going);
            of.symmetric_sweep();
            self.forget();
        }
    }
}
