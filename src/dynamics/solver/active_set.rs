//! Few joints without friction: the solution to rounding in a bounded number of steps, or that there is none.
//!
//! Dual active set (Goldfarb & Idnani, *A numerically stable dual method for solving strictly convex quadratic
//! programs*, 1983): the joint missed most is pushed until it is satisfied; a joint whose push would become negative on
//! the way is let go. A joint that depends on those that push, and cannot relieve any of them, contradicts them. The
//! factor is Cholesky's of the couplings among the pushing joints. What rounding leaves of a motion after large pushes
//! is taken off by solving again for what is missed, so a motion is as clean as its own size; in the end with twice the
//! digits, so that no order shows ([`polish`]).

use glam::DVec3;

use super::ContactConstraint;
use super::problem::Unsolvable;
use super::refinement::polish;
use super::state::SolverState;
use crate::numeric::tolerance::PROJECTION_SLACK;

/// How many joints are few: the work grows with the cube.
pub(in crate::dynamics) const CONSTRAINTS_MAX: usize = 128;

/// How many rounds a joint takes at most, on average; more means that rounding makes it go in circles.
const ROUNDS_PER_JOINT: usize = 8;

/// The joints that push, in the order of their coming, and the lower triangle of L with L·Lᵀ = couplings.
#[derive(Default)]
struct Active {
    rows: Vec<usize>,
    /// Row after row, the diagonal last.
    factor: Vec<f64>,
}

/// Pushes until no joint is missed.
pub(super) fn solve(state: &mut SolverState) -> Result<(), Unsolvable> {
    let free: Vec<DVec3> = state.members.iter().map(|member| member.linear).collect();
    let mut active = Active::default();
    for _ in 0..ROUNDS_PER_JOINT * (state.constraints.len() + 1) {
        let Some(row) = worst(state, &active) else { break };
        satisfy(state, &mut active, row)?;
        refine(state, &active);
    }
    polish(state, &active.rows, &free, |missed| active.solve(missed));
    Ok(())
}

/// The joint that is missed most, beyond rounding.
fn worst(state: &SolverState, active: &Active) -> Option<usize> {
    let mut found = None;
    let mut most = PROJECTION_SLACK * state.scale;
    for row in 0..state.constraints.len() {
        let excess = state.slack(row);
        let missed = if state.constraints[row].holds { excess.abs() } else { -excess };
        if missed > most && !active.rows.contains(&row) {
            (found, most) = (Some(row), missed);
        }
    }
    found
}

/// Pushes at `row` until it is satisfied, and lets go those that would have to pull.
fn satisfy(state: &mut SolverState, active: &mut Active, row: usize) -> Result<(), Unsolvable> {
    // A joint that holds may have to be pulled.
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
                state.pushes[active.rows[place]].normal = 0.0;
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

/// How a unit push at a joint relieves the active ones, so that these stay satisfied.
struct Reply {
    relief: Vec<f64>,
    /// What it does at the joint itself, with that; an energy, not a difference of numbers that may be nearly equal.
    pivot: f64,
    /// Whether that is more than rounding.
    independent: bool,
}

fn reply(state: &SolverState, active: &Active, row: usize, forward: &[f64]) -> Reply {
    let mut relief = active.backward(forward.to_vec());
    let (mut sums, _) = momenta(state, active, row, &relief);
    // Once more for what rounding has left at the active joints.
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

/// What a unit push at `row` and the relief of the active joints give to each member, and the size of it all.
fn momenta(state: &SolverState, active: &Active, row: usize, relief: &[f64]) -> (Vec<DVec3>, f64) {
    let mut sums = vec![DVec3::ZERO; state.members.len()];
    let mut size = 0.0;
    for (row, push) in std::iter::once((row, 1.0)).chain(active.rows.iter().zip(relief).map(|(&row, r)| (row, -r))) {
        let ContactConstraint { a, b, normal, .. } = state.constraints[row];
        sums[a] -= normal * push;
        sums[b] += normal * push;
        size += push * push * state.compliances[row];
    }
    (sums, size)
}

/// The place among the active of the one whose push ends first, and the step at which it does.
fn first_to_pull(state: &SolverState, active: &Active, relief: &[f64], sign: f64) -> Option<(usize, f64)> {
    let mut first: Option<(usize, f64)> = None;
    for (place, &row) in active.rows.iter().enumerate() {
        let rate = sign * relief[place];
        if state.constraints[row].holds || rate <= PROJECTION_SLACK {
            continue;
        }
        let step = state.pushes[row].normal / rate;
        if first.is_none_or(|(_, bound)| step < bound) {
            first = Some((place, step));
        }
    }
    first
}

/// Takes off what the active joints miss by rounding.
fn refine(state: &mut SolverState, active: &Active) {
    let missed = active.rows.iter().map(|&row| -state.slack(row)).collect();
    let more = active.solve(missed);
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
    fn forward(&self, right: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut solved: Vec<f64> = Vec::with_capacity(self.rows.len());
        for (place, right) in right.enumerate() {
            let row = self.row(place);
            let known: f64 = row.iter().zip(&solved).map(|(l, y)| l * y).sum();
            solved.push((right - known) / row[place]);
        }
        solved
    }

    /// Solves Lᵀ·y = `right`.
    fn backward(&self, mut right: Vec<f64>) -> Vec<f64> {
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

    /// The pushes that change the motions at the joints by `changes`.
    fn solve(&self, changes: Vec<f64>) -> Vec<f64> {
        self.backward(self.forward(changes.into_iter()))
    }

    /// Lets one go; the factor is made anew from its place on.
    fn remove(&mut self, state: &SolverState, place: usize) {
        let later = self.rows.split_off(place);
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
    use crate::dynamics::random::Random;
    use crate::dynamics::solver::{FrictionModel, SolverBody, solve};

    /// Up to six bodies with masses from a gram to a hundred kilograms on one from outside; every third has all its
    /// normals along few directions, so that many joints depend on each other.
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
            ContactConstraint { a, b, normal, arms: [DVec3::ZERO; 2], bound, holds, friction: FrictionModel::None }
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
            let Ok(solution) = solve(&members, &constraints, &[]) else {
                unsolvable += 1;
                continue;
            };
            // Nearly dependent normals make motions a hundred times as fast as those given.
            assert!(solution.residual <= 100.0 * f64::EPSILON, "{round}: {:e}", solution.residual);
            let pulls = |row: usize| solution.pushes[row].normal < 0.0 && !constraints[row].holds;
            assert!(!(0..constraints.len()).any(pulls), "{round} pulls");
        }
        assert!((100..1000).contains(&unsolvable), "{unsolvable}");
    }

    #[test]
    fn what_few_joints_contradict_sweeps_do_not_solve() {
        let mut random = Random::from_state(5);
        for round in 0..600 {
            let (members, constraints) = problem(&mut random, round);
            if solve(&members, &constraints, &[]).is_err() {
                // The same joints so many times over that they count as many.
                let many: Vec<ContactConstraint> =
                    (0..=CONSTRAINTS_MAX).map(|row| constraints[row % constraints.len()]).collect();
                let found = solve(&members, &many, &[]).map(|solution| solution.residual);
                // Among so many of the same the few that prove it may not be found; solved it is never.
                assert!(found.is_err() || found.is_ok_and(|residual| residual > 1e-6), "{round}: {found:?}");
            }
        }
    }
}
