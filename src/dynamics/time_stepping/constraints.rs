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
const GAP_LOSS: f64 = 0.5;

/// Fraction of the smallest gap kept that counts as zero.
const GAP_MIN: f64 = 1.0 / 67_108_864.0;

/// Allowed residual of contacts between frozen bodies, as a fraction of the freezing speed.
const FROZEN_RESIDUAL: f64 = 0.25;

/// Finds velocities with which no bodies overlap at the end of the step.
pub(super) fn keep_apart(parts: &Parts, problem: &StepProblem) -> Result<Result<StepSolution, Obstacle>, RunError> {
    let is_asked = |row: usize| parts.scene.may_meet(problem, row) && parts.scene.bystander(problem, row).is_none();
    let mut asked: Vec<bool> = (0..problem.candidates.len()).map(is_asked).collect();
    let mut impulses = last_impulses(parts, problem);
    let mut options = SolveOptions { bouncing: true, rubbing: true, recovering: true, frozen: quiet(parts, problem) };
    loop {
        let rows: Vec<usize> = (0..asked.len()).filter(|&row| asked[row]).collect();
        let constraint_set = parts.scene.constraint_set(problem, rows, &options);
        let solution = match constraint_set.relax(&problem.alone, &impulses) {
            // Where there is no space left, gaps only must not shrink, and there is no rebound.
            Err(_) if options.recovering || options.bouncing => {
                (options.recovering, options.bouncing) = (false, options.recovering && options.bouncing);
                continue;
            }
            solution => solution.map_err(|row| parts.scene.jammed(problem, row))?,
        };
        if options.is_more() && constraint_set.gains(problem, &solution, &options) {
            options.ask_less();
            continue;
        }
        constraint_set.keep(&solution.impulses, &mut impulses);
        let woken = parts.scene.woken(problem, &constraint_set, &solution, &options);
        if !woken.is_empty() {
            woken.into_iter().for_each(|place| options.frozen[place] = false);
            continue;
        }
        let Some(solution) =
            parts.scene.solve_around_frozen(problem, &constraint_set, solution, &options, &mut impulses)
        else {
            options.frozen.fill(false);
            continue;
        };
        if let Some(speed) = too_fast(problem, &solution) {
            return Ok(Err(Obstacle::Speed(2.0 * speed)));
        }
        let closing = |&row: &usize| {
            !asked[row]
                && end_gap(&problem.candidates[row], &solution.members, problem.step_length) < 0.5 * problem.gap_kept
        };
        let more: Vec<usize> = (0..asked.len()).filter(closing).collect();
        let bystanders: Vec<BodyId> = more.iter().filter_map(|&row| parts.scene.bystander(problem, row)).collect();
        if !bystanders.is_empty() {
            return Ok(Err(Obstacle::Bystanders(bystanders)));
        }
        if more.is_empty() {
            return Ok(Ok(StepSolution { constraint_set, solution, frozen: options.frozen }));
        }
        more.into_iter().for_each(|row| asked[row] = true);
    }
}

/// The contact impulses of the last step, scaled to the length of this one, by the rows of `candidates` (warm start).
fn last_impulses(parts: &Parts, problem: &StepProblem) -> Vec<ContactImpulse> {
    let known = |candidate: &CandidatePair| {
        let key = (candidate.pair.absolute(&parts.scene.rows), candidate.part);
        StepContact::find(&parts.time_stepping.contacts, key).map(|step_contact| step_contact.push)
    };
    let over = |push: ContactImpulse| ContactImpulse {
        normal: push.normal * problem.step_length,
        tangential: push.tangential * problem.step_length,
    };
    problem.candidates.iter().map(|candidate| over(known(candidate).unwrap_or_default())).collect()
}

impl Scene {
    /// The constraints of some candidate pairs.
    pub(super) fn constraint_set(
        &self,
        problem: &StepProblem,
        rows: Vec<usize>,
        options: &SolveOptions,
    ) -> ConstraintSet {
        let constraints = rows.iter().map(|&row| self.constraint(problem, row, options)).collect();
        let goals = rows.iter().map(|&row| goal(problem, &problem.candidates[row], options)).collect();
        ConstraintSet { rows, constraints, goals }
    }

    /// Whether two bodies may be too near each other at the end of the step.
    fn may_meet(&self, problem: &StepProblem, row: usize) -> bool {
        let candidate = &problem.candidates[row];
        let [a, b] = candidate.ends.map(|end| problem.alone[end].linear);
        candidate.gap - ((b - a).length() + a.length() + b.length()) * problem.step_length < problem.gap_kept
    }

    /// The free body of a pair that is no member.
    fn bystander(&self, problem: &StepProblem, row: usize) -> Option<BodyId> {
        let pair = problem.candidates[row].pair;
        self.free_of(pair).find(|&id| !self.is_time_stepped(id))
    }

    /// The constraint of two bodies: the gap is kept, and a fast impact has a rebound.
    fn constraint(&self, problem: &StepProblem, row: usize, options: &SolveOptions) -> ContactConstraint {
        let CandidatePair { pair, ends: [a, b], normal, gap, .. } = problem.candidates[row];
        let spare = gap - problem.gap_kept;
        let short = options.short(problem, &problem.candidates[row]);
        let bound = (short - spare.max(0.0)) / problem.step_length;
        let rebound = if options.bouncing { self.rebound(problem, &problem.candidates[row]) } else { 0.0 };
        // During the step, gravity takes from the rebound what it has added to the approach.
        let [pull_a, pull_b] = [a, b].map(|end| problem.alone[end].linear - problem.before[end].linear);
        let pull = (pull_b - pull_a).dot(normal);
        let friction = self.friction(pair);
        let rub = if friction > 0.0 && options.rubbing {
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
    pub(super) fn rebound(&self, problem: &StepProblem, candidate: &CandidatePair) -> f64 {
        let approach = self.approach_speed(problem, candidate);
        let fall = self.settings.gravity.length();
        let met = end_gap(candidate, &problem.alone, problem.step_length) < problem.gap_kept;
        if met && self.rebounds(candidate.pair, fall, approach) {
            self.restitution(candidate.pair) * approach
        } else {
            0.0
        }
    }

    /// The approach speed of two bodies before the step, m/s; negative if they separate.
    pub(super) fn approach_speed(&self, problem: &StepProblem, candidate: &CandidatePair) -> f64 {
        let [a, b] = candidate.ends.map(|end| problem.before[end].linear);
        (a - b).dot(candidate.normal)
    }

    fn jammed(&self, problem: &StepProblem, row: usize) -> RunError {
        let pair = problem.candidates[row].pair;
        let body = if self.rows.is_free(pair.a) { pair.a } else { pair.b };
        let outside = problem.candidates.iter().filter_map(|candidate| {
            let (a, b) = (self.is_time_stepped(candidate.pair.a), self.is_time_stepped(candidate.pair.b));
            if a && b {
                None
            } else {
                Some(if a { (candidate.pair.b, candidate.normal) } else { (candidate.pair.a, -candidate.normal) })
            }
        });
        self.squeezed_by(body, &outside.collect::<Vec<_>>())
    }
}

/// Allowed residual of the relative velocity of two bodies. Within it, they do not overlap at the end of the step, and
/// contact forces of opening gaps do no more work in a step than over a part of the smallest gap kept.
fn goal(problem: &StepProblem, candidate: &CandidatePair, options: &SolveOptions) -> Tolerance {
    let left = candidate.gap.max(0.0) + options.short(problem, candidate);
    let residual = |most: f64| GAP_LOSS * left.clamp(GAP_MIN * problem.gap_kept_min, most) / problem.step_length;
    let loose = if options.is_still(problem, candidate) { FROZEN_RESIDUAL * problem.freeze_speed } else { 0.0 };
    Tolerance { closing: residual(problem.gap_kept).max(loose), opening: residual(problem.gap_kept_min).max(loose) }
}

/// The speed of the fastest member, if it exceeds the bound assumed for the step, m/s.
fn too_fast(problem: &StepProblem, solution: &Solution) -> Option<f64> {
    let speeds = solution.members[..problem.free].iter().map(|member| member.linear.length());
    Some(speeds.fold(0.0, f64::max)).filter(|&fastest| fastest > problem.fastest)
}
