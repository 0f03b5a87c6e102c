//! Who is held: bodies of the crowd that lie still for a tick, whatever the pushes on them.
//!
//! In a heap that has nearly settled most bodies hardly move, and what the few others do changes every push a little. A
//! body that has been slow for a while and whose weight the pushes balance but for a small part is held: its velocity
//! is exactly zero. What the pushes between those that are held amount to then need not be known well, and the others
//! move around them as around walls.

use glam::DVec3;

use super::problem::{ConstraintSet, Solution, SolveOptions, StepProblem};
use super::sleep::is_quiet;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::solver::problem::ContactImpulse;

/// Part of the crowd that must be slow: to look for who is held costs as much as to move the others.
const QUIET_LEAST: f64 = 0.25;

/// A body that is held.
const STILL: SolverBody =
    SolverBody { linear: DVec3::ZERO, angular: DVec3::ZERO, inverse_mass: 0.0, inverse_inertia: 0.0 };

/// Who might be held, by the places of the problem.
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
    /// The places of those that cannot be held: the pushes move them, they are hit, or a wall comes near.
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

    /// The motions of the others around those that are held, if there are any, with the `pushes` by the rows of `candidates` that
    /// go with them.
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
        // Among walls there may be no room to move apart, but there always is to lie still.
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
