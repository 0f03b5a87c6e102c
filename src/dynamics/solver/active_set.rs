//! Few constraints without friction: the solution to rounding in a bounded number of steps, or a proof that there is
//! none.
//!
//! Dual active-set method (Goldfarb & Idnani, *A numerically stable dual method for solving strictly convex quadratic
//! programs*, 1983). The constraint with the largest residual gets an impulse until it is satisfied; a constraint with
//! an impulse that would become negative on the way is removed from the active set. If a constraint depends linearly on
//! the active ones and none of them can be relieved, they contradict each other. The factor is Cholesky's of the
//! couplings among the active constraints. Velocities that rounding leaves after large impulses are removed by solving
//! again for the residuals, so their rounding is relative to their own size. The last of these corrections uses twice
//! the digits, so the result does not depend on the order ([`polish`]).

use glam::DVec3;

use super::ContactConstraint;
use super::problem::Unsolvable;
use super::refinement::polish;
use super::state::SolverState;
use crate::dynamics::few::Few;
use crate::numeric::tolerance::{PROJECTION_SLACK, ROUNDS_PER_CONSTRAINT};

/// The active constraints, in the order of activation, and the lower triangle of L with L·Lᵀ = couplings.
#[derive(Default)]
struct Active {
    rows: Few<usize>,
    /// Row after row, the diagonal entry last.
    factor: Few<f64>,
}

/// Adds impulses until no constraint has a residual.
pub(super) fn solve(state: &mut SolverState) -> Result<(), Unsolvable> {
    let free: Few<DVec3> = state.members.iter().map(|member| member.linear).collect();
    let mut active = Active::default();
    for _ in 0..ROUNDS_PER_CONSTRAINT * (state.constraints.len() + 1) {
        let Some(row) = worst(state, &active) else { break };
        satisfy(state, &mut active, row)?;
        refine(state, &active);
    }
    polish(state, &active.rows, &free, |residual| active.solve(residual));
    Ok(())
}

/// The inactive constraint with the largest residual beyond rounding.
fn worst(state: &SolverState, active: &Active) -> Option<usize> {
    let mut found = None;
    let mut most = PROJECTION_SLACK * state.scale;
    for row in 0..state.constraints.len() {
        let slack = state.slack(row);
        let residual = if state.constraints[row].holds { slack.abs() } else { -slack };
        if residual > most && !active.rows.contains(&row) {
            (found, most) = (Some(row), residual);
        }
    }
    found
}

/// Adds impulses at `row` until it is satisfied, and removes constraints that would have to pull from the active set.
fn satisfy(state: &mut SolverState, active: &mut Active, row: usize) -> Result<(), Unsolvable> {
    // An equality constraint may have to pull.
    let sign = if state.slack(row) > 0.0 { -1.0 } else { 1.0 };
    loop {
        let forward = active.forward(active.rows.iter().map(|&other| state.coupling(other, row)));
        let Reply { relief, pivot, independent } = reply(state, active, row, &forward);
        let blocking = first_to_pull(state, active, &relief, sign);
        let full = if independent { -sign * state.slack(row) / pivot } else { f64::INFINITY };
        let step = sign * full.min(blocking.map_or(f64::INFINITY, |(_, step)| step));
        if step.is_infinite() {
            return Err(Unsolvable { constraint: row });
        }
        state.apply_normal(row, step);
        for (&other, relief) in active.rows.iter().zip(&relief) {
            state.apply_normal(other, -step * relief);
        }
        match blocking {
            Some((place, bound)) if bound < full => {
                state.impulses[active.rows[place]].normal = 0.0;
                active.remove(state, place);
            }
            _ => {
                active.rows.push(row);
                active.factor.extend(forward);
                active.factor.push(pivot.sqrt());
                return Ok(());
            }
        }
    }
}

/// How a unit impulse at a constraint changes the impulses of the active ones, so that these stay satisfied.
struct Reply {
    relief: Few<f64>,
    /// The resulting change at the constraint itself. It is computed as an energy, since a difference of nearly equal
    /// numbers would lose digits.
    pivot: f64,
    /// Whether the pivot is more than rounding.
    independent: bool,
}

fn reply(state: &SolverState, active: &Active, row: usize, forward: &[f64]) -> Reply {
    let mut relief = active.backward(Few::from_slice(forward));
    let (mut sums, _) = momenta(state, active, row, &relief);
    // Corrects the residuals that rounding has left at the active constraints.
    let left = active.rows.iter().map(|&other| {
        let ContactConstraint { a, b, normal, .. } = state.constraints[other];
        normal.dot(sums[b] * state.members[b].inverse_mass - sums[a] * state.members[a].inverse_mass)
    });
    let more = active.backward(active.forward(left));
    relief.iter_mut().zip(more).for_each(|(relief, more)| *relief += more);
    let size;
    (sums, size) = momenta(state, active, row, &relief);
    let pivot = sums.iter().zip(&state.members).map(|(sum, member)| sum.length_squared() * member.inverse_mass).sum();
    Reply { relief, pivot, independent: pivot > PROJECTION_SLACK * size }
}

/// The momentum that a unit impulse at `row` and the relief of the active constraints give to each member, and the
/// scale of its rounding.
fn momenta(state: &SolverState, active: &Active, row: usize, relief: &[f64]) -> (Few<DVec3>, f64) {
    let mut sums = Few::from_elem(DVec3::ZERO, state.members.len());
    let mut size = 0.0;
    for (row, impulse) in std::iter::once((row, 1.0)).chain(active.rows.iter().zip(relief).map(|(&row, r)| (row, -r))) {
        let ContactConstraint { a, b, normal, .. } = state.constraints[row];
        sums[a] -= normal * impulse;
        sums[b] += normal * impulse;
        size += impulse * impulse * state.compliances[row];
    }
    (sums, size)
}

/// The active constraint whose impulse vanishes first: its place in the active set, and the step at which the impulse
/// vanishes.
fn first_to_pull(state: &SolverState, active: &Active, relief: &[f64], sign: f64) -> Option<(usize, f64)> {
    let mut first: Option<(usize, f64)> = None;
    for (place, &row) in active.rows.iter().enumerate() {
        let rate = sign * relief[place];
        if state.constraints[row].holds || rate <= PROJECTION_SLACK {
            continue;
        }
        let step = state.impulses[row].normal / rate;
        if first.is_none_or(|(_, bound)| step < bound) {
            first = Some((place, step));
        }
    }
    first
}

/// Removes the residuals of the active constraints that rounding has left.
fn refine(state: &mut SolverState, active: &Active) {
    let residual = active.rows.iter().map(|&row| -state.slack(row)).collect();
    let more = active.solve(residual);
    for (&row, more) in active.rows.iter().zip(more) {
        if more != 0.0 {
            state.apply_normal(row, more);
        }
    }
}

impl Active {
    fn row(&self, place: usize) -> &[f64] {
        let first = place * (place + 1) / 2;
        &self.factor[first..=first + place]
    }

    /// Solves L·y = `right`.
    fn forward(&self, right: impl Iterator<Item = f64>) -> Few<f64> {
        let mut solved: Few<f64> = Few::with_capacity(self.rows.len());
        for (place, right) in right.enumerate() {
            let row = self.row(place);
            let known: f64 = row.iter().zip(&solved).map(|(l, y)| l * y).sum();
            solved.push((right - known) / row[place]);
        }
        solved
    }

    /// Solves Lᵀ·y = `right`.
    fn backward(&self, mut right: Few<f64>) -> Few<f64> {
        for place in (0..right.len()).rev() {
            let row = self.row(place);
            let value = right[place] / row[place];
            right[place] = value;
            for (other, l) in row[..place].iter().enumerate() {
                right[other] -= l * value;
            }
        }
        right
    }

    /// The impulses that change the normal velocities at the active constraints by `changes`.
    fn solve(&self, changes: Few<f64>) -> Few<f64> {
        self.backward(self.forward(changes.into_iter()))
    }

    /// Removes one constraint; the factor is computed again from its place on.
    fn remove(&mut self, state: &SolverState, place: usize) {
        let later: Few<usize> = self.rows.drain(place..).collect();
        self.factor.truncate(place * (place + 1) / 2);
        for &row in &later[1..] {
            let forward = self.forward(self.rows.iter().map(|&other| state.coupling(other, row)));
            let Reply { pivot, .. } = reply(state, self, row, &forward);
            self.rows.push(row);
            self.factor.extend(forward);
            self.factor.push(pivot.sqrt());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::solver::{SolverBody, solve};
    use crate::numeric::tolerance::CONSTRAINTS_MAX;
    use crate::random::Random;

    /// Up to six bodies, with masses from 10 g to 1 t, and one that is fixed. In every third problem all normals are
    /// along few directions, so that many constraints depend on each other.
    fn problem(random: &mut Random, round: usize) -> (Vec<SolverBody>, Vec<ContactConstraint>) {
        let count = 2 + random.below(6);
        let member = |random: &mut Random| SolverBody {
            linear: random.vector(0.5),
            angular: DVec3::ZERO,
            inverse_mass: [1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2][random.below(6)],
            inverse_inertia: 0.0,
        };
        let mut members: Vec<SolverBody> = (0..count).map(|_| member(random)).collect();
        members[0].inverse_mass = 0.0;
        let few = [DVec3::X, -DVec3::Y, DVec3::Z, DVec3::new(0.6, 0.8, 0.0), DVec3::new(-0.8, 0.6, 0.0)];
        let constraint = |random: &mut Random| {
            let a = random.below(count);
            let b = (a + 1 + random.below(count - 1)) % count;
            let any = random.vector(0.5);
            let normal = if round.is_multiple_of(3) { few[random.below(5)] } else { any / any.length() };
            let bound = (random.unit() - 0.7).max(0.0);
            let holds = random.unit() < 0.05;
            ContactConstraint { bound, holds, ..ContactConstraint::smooth(a, b, normal, [DVec3::ZERO; 2]) }
        };
        let constraints = (0..1 + random.below(12)).map(|_| constraint(random)).collect();
        (members, constraints)
    }

    #[test]
    fn random_problems_are_solved_to_rounding_or_have_no_solution() {
        let mut random = Random::from_state(20_261_121);
        let mut unsolvable = 0;
        for round in 0..4000 {
            let (members, constraints) = problem(&mut random, round);
            let Ok(solution) = solve(&members, &constraints) else {
                unsolvable += 1;
                continue;
            };
            // Nearly dependent normals make velocities a hundred times as large as the given ones.
            assert!(solution.residual <= 100.0 * f64::EPSILON, "{round}: {:e}", solution.residual);
            let pulls = |row: usize| solution.impulses[row].normal < 0.0 && !constraints[row].holds;
            assert!(!(0..constraints.len()).any(pulls), "{round} pulls");
        }
        assert!((100..1000).contains(&unsolvable), "{unsolvable}");
    }

    #[test]
    fn sweeps_do_not_solve_what_few_constraints_contradict() {
        let mut random = Random::from_state(5);
        for round in 0..600 {
            let (members, constraints) = problem(&mut random, round);
            if solve(&members, &constraints).is_err() {
                // The same constraints, repeated until they are too many for the active-set method.
                let many: Vec<ContactConstraint> =
                    (0..=CONSTRAINTS_MAX).map(|row| constraints[row % constraints.len()]).collect();
                let found = solve(&members, &many).map(|solution| solution.residual);
                // Among so many copies the few that prove the contradiction may not be found, but the problem is never
                // solved.
                assert!(found.is_err() || found.is_ok_and(|residual| residual > 1e-6), "{round}: {found:?}");
            }
        }
    }
}
