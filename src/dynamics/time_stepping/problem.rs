//! The problem of one time step: its bodies, candidate pairs, constraints and options.
//!
//! Times are in seconds from the beginning of the step; gaps are those at its beginning.

use glam::DVec3;

use super::relaxation::row::Tolerance;
use super::relaxation::state::Relaxation;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::solver::{ContactConstraint, SolverBody};
use crate::dynamics::{BodyId, solver};
use crate::motion::SimTime;

/// Two bodies that may touch within the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct CandidatePair {
    pub(super) pair: Pair,
    pub(super) part: u32,
    /// The places of the two among the bodies of the problem.
    pub(super) ends: [usize; 2],
    /// From a to b.
    pub(super) normal: DVec3,
    /// Gap at the beginning of the step, m.
    pub(super) gap: f64,
}

/// The members and the bodies near them at the beginning of a step.
#[derive(Debug)]
pub(super) struct StepProblem {
    /// The members by id, and after them the others.
    pub(super) bodies: Vec<BodyId>,
    pub(super) free: usize,
    /// Velocities before the step.
    pub(super) before: Vec<SolverBody>,
    /// Velocities at the end of the step without any contact.
    pub(super) alone: Vec<SolverBody>,
    pub(super) candidates: Vec<CandidatePair>,
    /// Length of the step, s.
    pub(super) step_length: f64,
    /// The end of the step.
    pub(super) end: SimTime,
    /// Upper bound assumed for the speeds of the members, m/s.
    pub(super) fastest: f64,
    /// The gap that is kept, m.
    pub(super) gap_kept: f64,
    /// The smallest value of that gap, for bodies at rest, m.
    pub(super) gap_kept_min: f64,
    /// Freezing speed: a slow member that would not become faster than this is frozen, m/s.
    pub(super) freeze_speed: f64,
}

/// Fraction of the smallest gap kept below which a gap is too small.
pub(super) const SMALL: f64 = 0.75;

/// Fraction of a missing gap that is recovered per step.
pub(super) const RECOVERY: f64 = 0.0625;

/// Smallest fraction of a step that is advanced where bodies would overlap.
pub(super) const SHARE_LEAST: f64 = 1.0 / 32.0;

/// The candidate pairs that have constraints.
pub(super) struct ConstraintSet {
    /// Rows of `candidates`, one per constraint.
    pub(super) rows: Vec<usize>,
    pub(super) constraints: Vec<ContactConstraint>,
    pub(super) goals: Vec<Tolerance>,
}

impl ConstraintSet {
    /// Solves for the velocities of a step. The error is a row of `candidates` for which there is no solution.
    /// `impulses` are the initial impulses, by the rows of `candidates`.
    pub(super) fn relax(&self, members: &[SolverBody], impulses: &[ContactImpulse]) -> Result<Solution, usize> {
        let mut relaxation = self.relaxation(members, impulses);
        if !relaxation.solve() {
            let suspects = relaxation.growing(solver::CONSTRAINTS_MAX);
            let few: Vec<ContactConstraint> = suspects.iter().map(|&place| self.constraints[place]).collect();
            if let Some(constraint) = solver::contradiction(members, &few) {
                return Err(self.rows[suspects[constraint]]);
            }
        }
        let (members, impulses) = relaxation.into_solution();
        Ok(Solution { unfrozen: members.clone(), members, impulses })
    }

    pub(super) fn relaxation(&self, members: &[SolverBody], impulses: &[ContactImpulse]) -> Relaxation {
        let start: Vec<ContactImpulse> = self.rows.iter().map(|&row| impulses[row]).collect();
        Relaxation::new(members, &self.constraints, &start, &self.goals)
    }

    /// Copies the impulses found to those by the rows of `candidates`.
    pub(super) fn keep(&self, found: &[ContactImpulse], impulses: &mut [ContactImpulse]) {
        self.rows.iter().zip(found).for_each(|(&row, push)| impulses[row] = *push);
    }

    /// Whether the step would increase the energy by more than the recovery of gaps needs. Rebounds of unequal
    /// restitution may cause it, inexact friction, or bodies so wedged that they separate only by large motions.
    ///
    /// The increase of kinetic and potential energy is the work of the impulses with the velocities after the step,
    /// minus the kinetic energy of the change of velocity (Acary & Brogliato 2008, §10.1, for a scheme implicit in the
    /// velocity).
    pub(super) fn gains(&self, problem: &StepProblem, solution: &Solution, options: &SolveOptions) -> bool {
        let work = |(constraint, push): (&ContactConstraint, &ContactImpulse)| {
            push.vector(constraint.normal).dot(constraint.relative(&solution.unfrozen))
        };
        let brought: f64 = self.constraints.iter().zip(&solution.impulses).map(work).sum();
        let changed = problem.before[..problem.free].iter().zip(&solution.unfrozen).map(|(before, after)| {
            let (linear, angular) = (after.linear - before.linear, after.angular - before.angular);
            SolverBody { linear, angular, ..*before }.energy()
        });
        let lift = if options.recovering { RECOVERY * SMALL * problem.gap_kept_min } else { 0.0 };
        let weights = problem.before[..problem.free].iter().zip(&problem.alone).map(|(before, alone)| {
            (alone.linear - before.linear).length() / (problem.step_length * before.inverse_mass)
        });
        brought - changed.sum::<f64>() > lift * weights.sum::<f64>()
    }
}

/// Velocities at the end of the step, and the impulses that lead to them.
pub(super) struct Solution {
    pub(super) members: Vec<SolverBody>,
    pub(super) impulses: Vec<ContactImpulse>,
    /// Velocities that the impulses would give if no body were frozen.
    pub(super) unfrozen: Vec<SolverBody>,
}

/// The result of a time step.
pub(super) struct StepSolution {
    pub(super) constraint_set: ConstraintSet,
    pub(super) solution: Solution,
    /// The frozen bodies, by their places in the problem.
    pub(super) frozen: Vec<bool>,
}

impl StepSolution {
    /// For how long the bodies may move with these velocities, s: a step, or less where some would overlap because of
    /// residuals.
    pub(super) fn span(&self, problem: &StepProblem) -> f64 {
        let mut share: f64 = 1.0;
        for (&row, goal) in self.constraint_set.rows.iter().zip(&self.constraint_set.goals) {
            let candidate = &problem.candidates[row];
            let end = end_gap(candidate, &self.solution.members, problem.step_length);
            if end < candidate.gap.min(0.0) - goal.closing * problem.step_length {
                share = share.min((candidate.gap / (candidate.gap - end)).max(SHARE_LEAST));
            }
        }
        if share < 1.0 { 0.5 * share * problem.step_length } else { problem.step_length }
    }
}

/// The reason why a problem has to be set up again.
pub(super) enum Obstacle {
    /// Free bodies that are no members and would overlap a member.
    Bystanders(Vec<BodyId>),
    /// A member becomes faster than the assumed bound, m/s.
    Speed(f64),
}

/// The effects that a solve includes beyond keeping gaps.
pub(super) struct SolveOptions {
    /// Rebounds of fast impacts.
    pub(super) bouncing: bool,
    /// Friction.
    pub(super) rubbing: bool,
    /// Recovery of gaps that are too small.
    pub(super) recovering: bool,
    /// The frozen bodies, by their places in the problem.
    pub(super) frozen: Vec<bool>,
}

impl SolveOptions {
    /// Whether there is an effect that could be left out.
    pub(super) fn is_more(&self) -> bool {
        self.bouncing || self.rubbing || self.recovering
    }

    /// Leaves out the effect that most likely adds energy.
    pub(super) fn ask_less(&mut self) {
        if self.bouncing {
            self.bouncing = false;
        } else if self.recovering {
            self.recovering = false;
        } else {
            self.rubbing = false;
        }
    }

    /// Whether both bodies are at rest in this step.
    pub(super) fn is_still(&self, problem: &StepProblem, candidate: &CandidatePair) -> bool {
        candidate
            .ends
            .into_iter()
            .all(|end| self.frozen[end] || (end >= problem.free && problem.alone[end].linear == DVec3::ZERO))
    }

    /// The distance by which two bodies are moved apart in a step because their gap is too small, m.
    pub(super) fn short(&self, problem: &StepProblem, candidate: &CandidatePair) -> f64 {
        let recovers = self.recovering && !self.is_still(problem, candidate);
        if recovers { RECOVERY * (SMALL * problem.gap_kept_min - candidate.gap).max(0.0) } else { 0.0 }
    }
}

/// The gap of two bodies at the end of the step, to first order, m: never more than the true one.
pub(super) fn end_gap(candidate: &CandidatePair, members: &[SolverBody], step_length: f64) -> f64 {
    let [a, b] = candidate.ends.map(|end| members[end].linear);
    candidate.gap + candidate.normal.dot(b - a) * step_length
}
