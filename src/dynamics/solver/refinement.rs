//! The pushes of a few joints, rounded once: the same whatever the order of the joints, and mirrored where these are.
//!
//! Elimination rounds on its way, and in what depends on the order of the joints; two balls that are hit as mirror images
//! would leave a little differently. Here the pushes that are known to work are corrected for what they still miss, found
//! with twice the digits (iterative refinement: Wilkinson, *Rounding Errors in Algebraic Processes*, 1963, ch. 3). Sums are
//! exact before they are rounded, so no order shows in them.

use glam::DVec3;

use super::state::SolverState;
use crate::numeric::exact::{product, sum, total};

/// How often pushes are corrected. The first time finds the digits of a number, the second those of what it leaves.
const CORRECTIONS: usize = 2;

/// A number and what is left of it.
#[derive(Debug, Clone, Copy, Default)]
struct Fine {
    high: f64,
    low: f64,
}

impl Fine {
    fn of(terms: &mut Vec<f64>) -> Self {
        let high = total(terms.iter().copied());
        terms.push(-high);
        Self { high, low: total(terms.iter().copied()) }
    }

    /// The same but for the last digits, in which what is left of the order of the joints would show: to 2⁻⁸³ of itself.
    fn settled(self) -> Self {
        let round = 1.5 * self.high.abs() / (1u64 << 31) as f64;
        Self { low: (self.low + round) - round, ..self }
    }

    /// Its products with `factor`, which add up to the product.
    fn times(self, factor: f64) -> [f64; 3] {
        let (high, low) = product(self.high, factor);
        [high, low, self.low * factor]
    }
}

/// Gives the joints in `rows`, which push, the pushes that satisfy them, and the members their motions after all pushes from
/// the `free` ones on; `solve` finds the pushes for some changes at these joints.
pub(super) fn polish(state: &mut SolverState, rows: &[usize], free: &[DVec3], solve: impl Fn(Vec<f64>) -> Vec<f64>) {
    let mut pushes: Vec<Fine> = rows.iter().map(|&row| Fine { high: state.pushes[row].normal, low: 0.0 }).collect();
    for _ in 0..CORRECTIONS {
        let motions = motions(state, rows, &pushes, free);
        let missed = rows.iter().map(|&row| missed(state, row, &motions)).collect();
        for (push, more) in pushes.iter_mut().zip(solve(missed)) {
            let (high, low) = sum(push.high, push.low + more);
            *push = Fine { high, low };
        }
    }
    pushes.iter_mut().for_each(|push| *push = push.settled());
    let motions = motions(state, rows, &pushes, free);
    for (&row, push) in rows.iter().zip(&pushes) {
        state.pushes[row].normal = push.high;
    }
    for (member, motion) in state.members.iter_mut().zip(motions) {
        member.linear = DVec3::from_array(motion.map(|part| part.high));
    }
}

/// What the pushes make of the free motions.
fn motions(state: &SolverState, rows: &[usize], pushes: &[Fine], free: &[DVec3]) -> Vec<[Fine; 3]> {
    let mut terms: Vec<[Vec<f64>; 3]> = free.iter().map(|motion| motion.to_array().map(|part| vec![part])).collect();
    for (&row, push) in rows.iter().zip(pushes) {
        let constraint = &state.constraints[row];
        for (member, sign) in [(constraint.a, -1.0), (constraint.b, 1.0)] {
            let inverse_mass = sign * state.members[member].inverse_mass;
            for (axis, part) in constraint.normal.to_array().into_iter().enumerate() {
                let [high, low, rest] = push.times(part);
                terms[member][axis].extend(Fine { high, low: low + rest }.times(inverse_mass));
            }
        }
    }
    terms.into_iter().map(|member| member.map(|mut terms| Fine::of(&mut terms))).collect()
}

/// How much more the normal part of b − a must be at a joint.
fn missed(state: &SolverState, row: usize, motions: &[[Fine; 3]]) -> f64 {
    let constraint = &state.constraints[row];
    let mut terms = vec![constraint.bound];
    for (axis, part) in constraint.normal.to_array().into_iter().enumerate() {
        terms.extend(motions[constraint.a][axis].times(part));
        terms.extend(motions[constraint.b][axis].times(-part));
    }
    total(terms.into_iter())
}
