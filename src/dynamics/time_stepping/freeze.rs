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
    let mut held: Vec<bool> = (0..problem.bodies.len()).map(quiet).collect();
    let count = held.iter().filter(|held| **held).count();
    if (count as f64) < QUIET_LEAST * problem.free as f64 {
        held.fill(false);
    }
    held
}

impl Scene {
    /// The places of frozen bodies that have to move: the forces move them, they have an impact, or a wall approaches.
    pub(super) fn woken(
        &self,
        problem: &StepProblem,
        asking: &ConstraintSet,
        solution: &Solution,
        how: &SolveOptions,
    ) -> Vec<usize> {
        let is_pushed = |&place: &usize| {
            let radius = self.rows.shape(problem.bodies[place]).half_extents().max_element();
            let member = &solution.members[place];
            member.linear.length() + member.angular.length() * radius > problem.hold
        };
        let mut woken: Vec<usize> = (0..problem.free).filter(|&place| how.held[place]).filter(is_pushed).collect();
        for near in asking.rows.iter().map(|&row| &problem.candidates[row]) {
            for [own, other] in [near.ends, [near.ends[1], near.ends[0]]] {
                let comes_near = || other >= problem.free && problem.alone[other].linear != DVec3::ZERO;
                if how.held[own] && (comes_near() || self.rebound(problem, near) > 0.0) {
                    woken.push(own);
                }
            }
        }
        woken
    }

    /// Solves for the other members around the frozen ones, if there are any. `pushes` are the impulses by the rows of
    /// `candidates`; they are updated. `None` if there is no solution.
    pub(super) fn around_held(
        &self,
        problem: &StepProblem,
        asking: &ConstraintSet,
        all: Solution,
        how: &SolveOptions,
        pushes: &mut [ContactImpulse],
    ) -> Option<Solution> {
        if !how.held.contains(&true) {
            return Some(all);
        }
        let fixed: Vec<SolverBody> =
            problem.alone.iter().zip(&how.held).map(|(member, &held)| if held { STILL } else { *member }).collect();
        let moves = |end: usize| end < problem.free && !how.held[end];
        let near_moving = |&row: &usize| problem.candidates[row].ends.into_iter().any(moves);
        // Between walls there may be no space to recover gaps, but zero velocity is always possible.
        let how = SolveOptions { recovering: false, held: how.held.clone(), ..*how };
        let some = self.asking(problem, asking.rows.iter().copied().filter(near_moving).collect(), &how);
        let mut relaxation = some.relaxation(&fixed, pushes);
        if !relaxation.solve() {
            return None;
        }
        let (members, around) = relaxation.into_solution();
        some.keep(&around, pushes);
        let (pushed, pushes) = asking.relaxation(&problem.alone, pushes).into_solution();
        Some(Solution { members, pushes, pushed })
    }
}
