//! The constraints of a time step, and the loop that solves them.
//!
//! If a solution would add energy, the solve is repeated with less: without restitution, without recovery of gaps, or
//! without friction.

use glam::DVec3;

use super::freeze::quiet;
use super::problem::{
    CandidatePair, ConstraintSet, Obstacle, Solution, SolveOptions, StepProblem, StepSolution, end_gap,
};
use super::relaxation::row::Tolerance;
use super::state::StepContact;
use crate::dynamics::BodyId;
use crate::dynamics::error::RunError;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::solver::{ContactConstraint, FrictionModel};

/// Part of a gap that may be lost in a step, beyond the bound.
const MISS: f64 = 0.5;

/// Fraction of the smallest gap kept that counts as zero.
const FINEST: f64 = 1.0 / 67_108_864.0;

/// Allowed residual of contacts between frozen bodies, as a fraction of the freezing speed.
const HELD_MISS: f64 = 0.25;

/// Finds velocities with which no bodies overlap at the end of the step.
pub(super) fn keep_apart(parts: &Parts, problem: &StepProblem) -> Result<Result<StepSolution, Obstacle>, RunError> {
    let is_asked = |row: usize| parts.scene.may_meet(problem, row) && parts.scene.bystander(problem, row).is_none();
    let mut asked: Vec<bool> = (0..problem.candidates.len()).map(is_asked).collect();
    let mut pushes = last_pushes(parts, problem);
    let mut how = SolveOptions { bouncing: true, rubbing: true, recovering: true, held: quiet(parts, problem) };
    loop {
        let rows: Vec<usize> = (0..asked.len()).filter(|&row| asked[row]).collect();
        let asking = parts.scene.asking(problem, rows, &how);
        let solution = match asking.relax(&problem.alone, &pushes) {
            // Where there is no space left, gaps only must not shrink, and there is no rebound.
            Err(_) if how.recovering || how.bouncing => {
                (how.recovering, how.bouncing) = (false, how.recovering && how.bouncing);
                continue;
            }
            solution => solution.map_err(|row| parts.scene.jammed(problem, row))?,
        };
        if how.is_more() && asking.gains(problem, &solution, &how) {
            how.ask_less();
            continue;
        }
        asking.keep(&solution.pushes, &mut pushes);
        let woken = parts.scene.woken(problem, &asking, &solution, &how);
        if !woken.is_empty() {
            woken.into_iter().for_each(|place| how.held[place] = false);
            continue;
        }
        let Some(solution) = parts.scene.around_held(problem, &asking, solution, &how, &mut pushes) else {
            how.held.fill(false);
            continue;
        };
        if let Some(speed) = too_fast(problem, &solution) {
            return Ok(Err(Obstacle::Speed(2.0 * speed)));
        }
        let closing = |&row: &usize| {
            !asked[row] && end_gap(&problem.candidates[row], &solution.members, problem.tick) < 0.5 * problem.room
        };
        let more: Vec<usize> = (0..asked.len()).filter(closing).collect();
        let bystanders: Vec<BodyId> = more.iter().filter_map(|&row| parts.scene.bystander(problem, row)).collect();
        if !bystanders.is_empty() {
            return Ok(Err(Obstacle::Bystanders(bystanders)));
        }
        if more.is_empty() {
            return Ok(Ok(StepSolution { asking, solution, held: how.held }));
        }
        more.into_iter().for_each(|row| asked[row] = true);
    }
}

/// The contact impulses of the last step, scaled to the length of this one, by the rows of `candidates` (warm start).
fn last_pushes(parts: &Parts, problem: &StepProblem) -> Vec<ContactImpulse> {
    let known = |near: &CandidatePair| {
        let key = (near.pair.absolute(&parts.scene.rows), near.part);
        StepContact::find(&parts.time_stepping.touches, key).map(|touch| touch.push)
    };
    let over = |push: ContactImpulse| ContactImpulse {
        normal: push.normal * problem.tick,
        tangential: push.tangential * problem.tick,
    };
    problem.candidates.iter().map(|near| over(known(near).unwrap_or_default())).collect()
}

impl Scene {
    /// The constraints of some candidate pairs.
    pub(super) fn asking(&self, problem: &StepProblem, rows: Vec<usize>, how: &SolveOptions) -> ConstraintSet {
        let constraints = rows.iter().map(|&row| self.constraint(problem, row, how)).collect();
        let goals = rows.iter().map(|&row| goal(problem, &problem.candidates[row], how)).collect();
        ConstraintSet { rows, constraints, goals }
    }

    /// Whether two bodies may be too near each other at the end of the step.
    fn may_meet(&self, problem: &StepProblem, row: usize) -> bool {
        let near = &problem.candidates[row];
        let [a, b] = near.ends.map(|end| problem.alone[end].linear);
        near.gap - ((b - a).length() + a.length() + b.length()) * problem.tick < problem.room
    }

    /// The free body of a pair that is no member.
    fn bystander(&self, problem: &StepProblem, row: usize) -> Option<BodyId> {
        let pair = problem.candidates[row].pair;
        self.free_of(pair).find(|&id| !self.in_crowd(id))
    }

    /// The constraint of two bodies: the gap is kept, and a fast impact has a rebound.
    fn constraint(&self, problem: &StepProblem, row: usize, how: &SolveOptions) -> ContactConstraint {
        let CandidatePair { pair, ends: [a, b], normal, gap, .. } = problem.candidates[row];
        let spare = gap - problem.room;
        let short = how.short(problem, &problem.candidates[row]);
        let bound = (short - spare.max(0.0)) / problem.tick;
        let rebound = if how.bouncing { self.rebound(problem, &problem.candidates[row]) } else { 0.0 };
        // During the step, gravity takes from the rebound what it has added to the approach.
        let [pull_a, pull_b] = [a, b].map(|end| problem.alone[end].linear - problem.before[end].linear);
        let pull = (pull_b - pull_a).dot(normal);
        let friction = self.friction(pair);
        let rub = if friction > 0.0 && how.rubbing {
            FrictionModel::Coulomb { friction, wanted: DVec3::ZERO }
        } else {
            FrictionModel::None
        };
        let arms = self.arms([pair.a, pair.b], normal);
        ContactConstraint {
            a,
            b,
            normal,
            arms,
            bound: if rebound > 0.0 { (rebound + pull).max(bound) } else { bound },
            holds: false,
            friction: rub,
        }
    }

    /// The separation speed of two bodies after a visible impact, m/s; otherwise 0.
    pub(super) fn rebound(&self, problem: &StepProblem, near: &CandidatePair) -> f64 {
        let approach = self.approach_speed(problem, near);
        let fall = self.settings.gravity.length();
        let met = end_gap(near, &problem.alone, problem.tick) < problem.room;
        if met && self.rebounds(near.pair, fall, approach) { self.restitution(near.pair) * approach } else { 0.0 }
    }

    /// The approach speed of two bodies before the step, m/s; negative if they separate.
    pub(super) fn approach_speed(&self, problem: &StepProblem, near: &CandidatePair) -> f64 {
        let [a, b] = near.ends.map(|end| problem.before[end].linear);
        (a - b).dot(near.normal)
    }

    fn jammed(&self, problem: &StepProblem, row: usize) -> RunError {
        let pair = problem.candidates[row].pair;
        let body = if self.rows.is_free(pair.a) { pair.a } else { pair.b };
        let outside = problem.candidates.iter().filter_map(|near| {
            let (a, b) = (self.in_crowd(near.pair.a), self.in_crowd(near.pair.b));
            if a && b { None } else { Some(if a { (near.pair.b, near.normal) } else { (near.pair.a, -near.normal) }) }
        });
        self.squeezed_by(body, &outside.collect::<Vec<_>>())
    }
}

/// Allowed residual of the relative velocity of two bodies. Within it, they do not overlap at the end of the step, and
/// contact forces of opening gaps do no more work in a step than over a part of the smallest gap kept.
fn goal(problem: &StepProblem, near: &CandidatePair, how: &SolveOptions) -> Tolerance {
    let left = near.gap.max(0.0) + how.short(problem, near);
    let missed = |most: f64| MISS * left.clamp(FINEST * problem.least_room, most) / problem.tick;
    let loose = if how.is_still(problem, near) { HELD_MISS * problem.hold } else { 0.0 };
    Tolerance { closing: missed(problem.room).max(loose), opening: missed(problem.least_room).max(loose) }
}

/// The speed of the fastest member, if it exceeds the bound assumed for the step, m/s.
fn too_fast(problem: &StepProblem, solution: &Solution) -> Option<f64> {
    let speeds = solution.members[..problem.free].iter().map(|member| member.linear.length());
    Some(speeds.fold(0.0, f64::max)).filter(|&fastest| fastest > problem.fastest)
}
