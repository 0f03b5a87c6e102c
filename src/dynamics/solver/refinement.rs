//! Iterative refinement: impulses of few constraints, rounded once.
//!
//! They do not depend on the order of the constraints, and mirrored constraints have mirrored impulses. Elimination
//! rounds on its way, and its rounding depends on the order: two balls hit as mirror images would get slightly
//! different velocities. Here the impulses found are corrected by their residuals, computed with twice the digits
//! (Wilkinson, *Rounding Errors in Algebraic Processes*, 1963, ch. 3). Sums are exact before they are rounded, so they
//! do not depend on the order.

use glam::DVec3;
use smallvec::SmallVec;

use super::state::SolverState;
use crate::dynamics::few::Few;
use crate::numeric::exact::{product, sum, total};

/// Number of corrections. The first gives the digits of `high`, the second those of `low`.
const CORRECTIONS: usize = 2;

/// The terms of a sum: for a body with two constraints there is space without an allocation.
type Terms = SmallVec<[f64; 8]>;

/// A number as the sum of two floats: the rounded number and its rounding error.
#[derive(Debug, Clone, Copy, Default)]
struct Fine {
    high: f64,
    low: f64,
}

impl Fine {
    fn of(terms: &mut Terms) -> Self {
        if let &[only] = terms.as_slice() {
            // Never −0.
            return Self { high: only + 0.0, low: 0.0 };
        }
        let high = total(terms);
        terms.push(-high);
        Self { high, low: total(terms) }
    }

    /// The same without the last digits, which depend on the order of the constraints: to 2⁻⁸³ of itself.
    fn settled(self) -> Self {
        let round = 1.5 * self.high.abs() / (1u64 << 31) as f64;
        Self { low: (self.low + round) - round, ..self }
    }

    /// Numbers that add up to the product with `factor`.
    fn times(self, factor: f64) -> [f64; 3] {
        let (high, low) = product(self.high, factor);
        [high, low, self.low * factor]
    }
}

/// Sets the impulses of the active constraints `rows` so that they satisfy them, and the velocities of the members
/// after all impulses, beginning at the velocities `free`. `solve` gives the impulses for some changes at these
/// constraints.
pub(super) fn polish(state: &mut SolverState, rows: &[usize], free: &[DVec3], solve: impl Fn(Few<f64>) -> Few<f64>) {
    let mut impulses: Few<Fine> = rows.iter().map(|&row| Fine { high: state.impulses[row].normal, low: 0.0 }).collect();
    for _ in 0..CORRECTIONS {
        let motions = motions(state, rows, &impulses, free);
        let residual = rows.iter().map(|&row| residual(state, row, &motions)).collect();
        for (impulse, more) in impulses.iter_mut().zip(solve(residual)) {
            let (high, low) = sum(impulse.high, impulse.low + more);
            *impulse = Fine { high, low };
        }
    }
    impulses.iter_mut().for_each(|impulse| *impulse = impulse.settled());
    let motions = motions(state, rows, &impulses, free);
    for (&row, impulse) in rows.iter().zip(&impulses) {
        state.impulses[row].normal = impulse.high;
    }
    for (member, motion) in state.members.iter_mut().zip(motions) {
        member.linear = DVec3::from_array(motion.map(|part| part.high));
    }
}

/// The velocities after the impulses, beginning at `free`.
fn motions(state: &SolverState, rows: &[usize], impulses: &[Fine], free: &[DVec3]) -> Few<[Fine; 3]> {
    let mut terms: Few<[Terms; 3]> =
        free.iter().map(|motion| motion.to_array().map(|part| Terms::from_iter([part]))).collect();
    for (&row, impulse) in rows.iter().zip(impulses) {
        let constraint = &state.constraints[row];
        for (member, sign) in [(constraint.a, -1.0), (constraint.b, 1.0)] {
            let inverse_mass = sign * state.members[member].inverse_mass;
            for (axis, part) in components(constraint.normal) {
                let [high, low, rest] = impulse.times(part);
                terms[member][axis].extend(Fine { high, low: low + rest }.times(inverse_mass));
            }
        }
    }
    terms.iter_mut().map(|member| member.each_mut().map(Fine::of)).collect()
}

/// The residual of a constraint: how much larger the normal component of b − a has to be.
fn residual(state: &SolverState, row: usize, motions: &[[Fine; 3]]) -> f64 {
    let constraint = &state.constraints[row];
    let mut terms: SmallVec<[f64; 19]> = SmallVec::from_iter([constraint.bound]);
    for (axis, part) in components(constraint.normal) {
        terms.extend(motions[constraint.a][axis].times(part));
        terms.extend(motions[constraint.b][axis].times(-part));
    }
    total(&terms)
}

/// The components of a vector that are not zero. Most normals are along an axis.
fn components(vector: DVec3) -> impl Iterator<Item = (usize, f64)> {
    vector.to_array().into_iter().enumerate().filter(|&(_, part)| part != 0.0)
}
