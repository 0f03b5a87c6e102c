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
    pub(super) tick: f64,
    /// The end of the tick.
    pub(super) end: SimTime,
    /// Upper bound assumed for the speeds of the members, m/s.
    pub(super) fastest: f64,
    /// The gap that is kept, m.
    pub(super) room: f64,
    /// The smallest value of that gap, for bodies at rest, m.
    pub(super) least_room: f64,
    /// Freezing speed: a slow member that would not become faster than this is frozen, m/s.
    pub(super) hold: f64,
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
    /// Solves for the velocities of a step. The error is a row of `candidates` for which there is no solution. `pushes`
    /// are the initial impulses, by the rows of `candidates`.
    pub(super) fn relax(&self, members: &[SolverBody], pushes: &[ContactImpulse]) -> Result<Solution, usize> {
        let mut relaxation = self.relaxation(members, pushes);
        if !relaxation.solve() {
            let suspects = relaxation.growing(solver::CONSTRAINTS_MAX);
            let few: Vec<ContactConstraint> = suspects.iter().map(|&place| self.constraints[place]).collect();
            if let Some(constraint) = solver::contradiction(members, &few) {
                return Err(self.rows[suspects[constraint]]);
            }
        }
        let (members, pushes) = relaxation.into_solution();
        Ok(Solution { pushed: members.clone(), members, pushes })
    }

    pub(super) fn relaxation(&self, members: &[SolverBody], pushes: &[ContactImpulse]) -> Relaxation {
        let start: Vec<ContactImpulse> = self.rows.iter().map(|&row| pushes[row]).collect();
        Relaxation::new(members, &self.constraints, &start, &self.goals)
    }

    /// Copies the impulses found to those by the rows of `candidates`.
    pub(super) fn keep(&self, found: &[ContactImpulse], pushes: &mut [ContactImpulse]) {
        self.rows.iter().zip(found).for_each(|(&row, push)| pushes[row] = *push);
    }

    /// Whether the step would increase the energy by more than the recovery of gaps needs. Rebounds of unequal
    /// restitution may cause it, inexact friction, or bodies so wedged that they separate only by large motions.
    ///
    /// The increase of kinetic and potential energy is the work of the impulses with the velocities after the step,
    /// minus the kinetic energy of the change of velocity (Acary & Brogliato 2008, §10.1, for a scheme implicit in the
    /// velocity).
    pub(super) fn gains(&self, problem: &StepProblem, solution: &Solution, how: &SolveOptions) -> bool {
        let work = |(constraint, push): (&ContactConstraint, &ContactImpulse)| {
            push.vector(constraint.normal).dot(constraint.relative(&solution.pushed))
        };
        let brought: f64 = self.constraints.iter().zip(&solution.pushes).map(work).sum();
        let changed = problem.before[..problem.free].iter().zip(&solution.pushed).map(|(before, after)| {
            let (linear, angular) = (after.linear - before.linear, after.angular - before.angular);
            SolverBody { linear, angular, ..*before }.energy()
        });
        let lift = if how.recovering { RECOVERY * SMALL * problem.least_room } else { 0.0 };
        let weights = problem.before[..problem.free]
            .iter()
            .zip(&problem.alone)
            .map(|(before, alone)| (alone.linear - before.linear).length() / (problem.tick * before.inverse_mass));
        brought - changed.sum::<f64>() > lift * weights.sum::<f64>()
    }
}

/// Velocities at the end of the step, and the impulses that lead to them.
pub(super) struct Solution {
    pub(super) members: Vec<SolverBody>,
    pub(super) pushes: Vec<ContactImpulse>,
    /// Velocities that the impulses would give if no body were frozen.
    pub(super) pushed: Vec<SolverBody>,
}

/// The result of a time step.
pub(super) struct StepSolution {
    pub(super) asking: ConstraintSet,
    pub(super) solution: Solution,
    /// The frozen bodies, by their places in the problem.
    pub(super) held: Vec<bool>,
}

impl StepSolution {
    /// For how long the bodies may move with these velocities, s: a step, or less where some would overlap because of
    /// residuals.
    pub(super) fn span(&self, problem: &StepProblem) -> f64 {
        let mut share: f64 = 1.0;
        for (&row, goal) in self.asking.rows.iter().zip(&self.asking.goals) {
            let near = &problem.candidates[row];
            let end = end_gap(near, &self.solution.members, problem.tick);
            if end < near.gap.min(0.0) - goal.closing * problem.tick {
                share = share.min((near.gap / (near.gap - end)).max(SHARE_LEAST));
            }
        }
        if share < 1.0 { 0.5 * share * problem.tick } else { problem.tick }
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
    pub(super) held: Vec<bool>,
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
    pub(super) fn is_still(&self, problem: &StepProblem, near: &CandidatePair) -> bool {
        near.ends
            .into_iter()
            .all(|end| self.held[end] || (end >= problem.free && problem.alone[end].linear == DVec3::ZERO))
    }

    /// The distance by which two bodies are moved apart in a step because their gap is too small, m.
    pub(super) fn short(&self, problem: &StepProblem, near: &CandidatePair) -> f64 {
        let recovers = self.recovering && !self.is_still(problem, near);
        if recovers { RECOVERY * (SMALL * problem.least_room - near.gap).max(0.0) } else { 0.0 }
    }
}

/// The gap of two bodies at the end of the step, to first order, m: never more than the true one.
pub(super) fn end_gap(near: &CandidatePair, members: &[SolverBody], tick: f64) -> f64 {
    let [a, b] = near.ends.map(|end| members[end].linear);
    near.gap + near.normal.dot(b - a) * tick
}
