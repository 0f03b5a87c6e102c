//! Freezing: members that have a velocity of exactly zero in a time step.
//!
//! In a heap that has nearly settled, most bodies hardly move, and the motion of a few changes all contact forces
//! slightly. A body is frozen if it has been slow for some time and the contact forces balance its weight up to a small
//! fraction. Forces between frozen bodies need little precision, and the others move around them as around walls.

use glam::DVec3;

use super::problem::{ConstraintSet, Solution, SolveOptions, StepProblem};
use super::sleep::is_quiet;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::solver::problem::ContactImpulse;

/// Smallest fraction of slow members for freezing: the search costs as much as a solve for the others.
const QUIET_LEAST: f64 = 0.25;

/// A frozen body.
const STILL: SolverBody =
    SolverBody { linear: DVec3::ZERO, angular: DVec3::ZERO, inverse_mass: 0.0, inverse_inertia: 0.0 };

/// The candidates for freezing, by their places in the problem.
pub(super) fn quiet(parts: &Parts, problem: &StepProblem) -> Vec<bool> {
    let quiet = |place: usize| place < problem.free && is_quiet(parts, problem.bodies[place]);
    let mut frozen: Vec<bool> = (0..problem.bodies.len()).map(quiet).collect();
    let count = frozen.iter().filter(|frozen| **frozen).count();
    if (count as f64) < QUIET_LEAST * problem.free as f64 {
        frozen.fill(false);
    }
    frozen
}

impl Scene {
    /// The places of frozen bodies that have to move: the forces move them, they have an impact, or a wall approaches.
    pub(super) fn woken(
        &self,
        problem: &StepProblem,
        constraint_set: &ConstraintSet,
        solution: &Solution,
        options: &SolveOptions,
    ) -> Vec<usize> {
        let is_pushed = |&place: &usize| {
            let radius = self.rows.shape(problem.bodies[place]).half_extents().max_element();
            let member = &solution.members[place];
            member.linear.length() + member.angular.length() * radius > problem.freeze_speed
        };
        let mut woken: Vec<usize> =
            (0..problem.free).filter(|&place| options.frozen[place]).filter(is_pushed).collect();
        for candidate in constraint_set.rows.iter().map(|&row| &problem.candidates[row]) {
            for [own, other] in [candidate.ends, [candidate.ends[1], candidate.ends[0]]] {
                let comes_near = || other >= problem.free && problem.alone[other].linear != DVec3::ZERO;
                if options.frozen[own] && (comes_near() || self.rebound(problem, candidate) > 0.0) {
                    woken.push(own);
                }
            }
        }
        woken
    }

    /// Solves for the other members around the frozen ones, if there are any. `impulses` are the impulses by the rows
    /// of `candidates`; they are updated. `None` if there is no solution.
    pub(super) fn solve_around_frozen(
        &self,
        problem: &StepProblem,
        constraint_set: &ConstraintSet,
        all: Solution,
        options: &SolveOptions,
        impulses: &mut [ContactImpulse],
    ) -> Option<Solution> {
        if !options.frozen.contains(&true) {
            return Some(all);
        }
        let fixed: Vec<SolverBody> = problem
            .alone
            .iter()
            .zip(&options.frozen)
            .map(|(member, &frozen)| if frozen { STILL } else { *member })
            .collect();
        let moves = |end: usize| end < problem.free && !options.frozen[end];
        let near_moving = |&row: &usize| problem.candidates[row].ends.into_iter().any(moves);
        // Between walls there may be no space to recover gaps, but zero velocity is always possible.
        let options = SolveOptions { recovering: false, frozen: options.frozen.clone(), ..*options };
        let some =
            self.constraint_set(problem, constraint_set.rows.iter().copied().filter(near_moving).collect(), &options);
        let mut relaxation = some.relaxation(&fixed, impulses);
        if !relaxation.solve() {
            return None;
        }
        let (members, around) = relaxation.into_solution();
        some.keep(&around, impulses);
        let (unfrozen, impulses) = constraint_set.relaxation(&problem.alone, impulses).into_solution();
        Some(Solution { members, impulses, unfrozen })
    }
}
