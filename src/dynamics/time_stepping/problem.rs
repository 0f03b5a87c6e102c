//! The problem of one time step: bodies, pairs in reach, and what is asked of them.

use glam::DVec3;

use super::relaxation::row::Tolerance;
use super::relaxation::state::Relaxation;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::solver::{ContactConstraint, SolverBody};
use crate::dynamics::{BodyId, solver};
use crate::motion::SimTime;

/// Two bodies that could touch before the tick is over.
#[derive(Debug, Clone, Copy)]
pub(super) struct CandidatePair {
    pub(super) pair: Pair,
    pub(super) part: u32,
    /// Where the two stand among the bodies of the problem.
    pub(super) ends: [usize; 2],
    /// From a to b.
    pub(super) normal: DVec3,
    /// m.
    pub(super) gap: f64,
}

/// The crowd and all that is near it, at the beginning of a tick.
#[derive(Debug)]
pub(super) struct StepProblem {
    /// The crowd by id, and after it the others.
    pub(super) bodies: Vec<BodyId>,
    pub(super) free: usize,
    /// How they came here.
    pub(super) before: Vec<SolverBody>,
    /// How they would go on if nothing touched them.
    pub(super) alone: Vec<SolverBody>,
    pub(super) candidates: Vec<CandidatePair>,
    /// Length of the tick, s.
    pub(super) tick: f64,
    /// The end of the tick.
    pub(super) end: SimTime,
    /// No body of the crowd is thought to become faster than this, m/s.
    pub(super) fastest: f64,
    /// The gap that is kept, m.
    pub(super) room: f64,
    /// What it is at least, however slow everybody is, m.
    pub(super) least_room: f64,
    /// Who has been slow and would become no faster than this is held, m/s.
    pub(super) hold: f64,
}

/// Part of the least room below which a gap is too small.
pub(super) const SMALL: f64 = 0.75;

/// Part of the way to what is not too small that a gap gets back in a tick.
pub(super) const RECOVERY: f64 = 0.0625;

/// Least part of a tick that is gone where bodies overlap.
pub(super) const SHARE_LEAST: f64 = 1.0 / 32.0;

/// Pairs of which it is asked that they keep apart.
pub(super) struct ConstraintSet {
    /// Rows of `candidates`, one per constraint.
    pub(super) rows: Vec<usize>,
    pub(super) constraints: Vec<ContactConstraint>,
    pub(super) goals: Vec<Tolerance>,
}

impl ConstraintSet {
    /// Solves for the motions of a tick, or says which row of `candidates` has no solution. The pushes by those rows are where
    /// it begins.
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

    /// Writes the pushes that were found over those by the rows of `candidates`.
    pub(super) fn keep(&self, found: &[ContactImpulse], pushes: &mut [ContactImpulse]) {
        self.rows.iter().zip(found).for_each(|(&row, push)| pushes[row] = *push);
    }

    /// Whether the bodies have more energy after the tick than before, by more than it takes to lift them by what gaps are
    /// to recover: rebounds of unequal restitution may give it, friction that is not known well, or bodies so wedged that
    /// they can only part by going far aside.
    ///
    /// What the bodies gain in motion and height together is the work of the pushes on the motion after the tick, without
    /// the kinetic energy of what has changed (Acary & Brogliato 2008, §10.1, for a scheme implicit in the velocity).
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

/// Velocities at the end, and the impulses that lead to them.
pub(super) struct Solution {
    pub(super) members: Vec<SolverBody>,
    pub(super) pushes: Vec<ContactImpulse>,
    /// Where the pushes would lead if nobody were held.
    pub(super) pushed: Vec<SolverBody>,
}

/// How the crowd goes on.
pub(super) struct StepSolution {
    pub(super) asking: ConstraintSet,
    pub(super) solution: Solution,
    /// Who lies still in this tick, whatever the pushes.
    pub(super) held: Vec<bool>,
}

impl StepSolution {
    /// For how long the bodies may go on like this, s: a tick, or less where the velocities are so far off that some would
    /// overlap.
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

/// What stands in the way of an answer.
pub(super) enum Obstacle {
    /// Somebody outside would be run into.
    Bystanders(Vec<BodyId>),
    /// A body has become faster than this, m/s.
    Speed(f64),
}

/// What is asked for beyond gaps.
pub(super) struct SolveOptions {
    /// Those that meet fast bounce.
    pub(super) bouncing: bool,
    /// Those that are rough rub.
    pub(super) rubbing: bool,
    /// Those whose gap is too small are moved apart.
    pub(super) recovering: bool,
    /// Who lies still in this tick, by the places of the problem.
    pub(super) held: Vec<bool>,
}

impl SolveOptions {
    /// Whether less could be asked for.
    pub(super) fn is_more(&self) -> bool {
        self.bouncing || self.rubbing || self.recovering
    }

    /// Does without what most likely gives energy.
    pub(super) fn ask_less(&mut self) {
        if self.bouncing {
            self.bouncing = false;
        } else if self.recovering {
            self.recovering = false;
        } else {
            self.rubbing = false;
        }
    }

    /// Whether neither of two bodies moves in this tick.
    pub(super) fn is_still(&self, problem: &StepProblem, near: &CandidatePair) -> bool {
        near.ends
            .into_iter()
            .all(|end| self.held[end] || (end >= problem.free && problem.alone[end].linear == DVec3::ZERO))
    }

    /// How far two bodies are moved apart in a tick because their gap is too small, m.
    pub(super) fn short(&self, problem: &StepProblem, near: &CandidatePair) -> f64 {
        let recovers = self.recovering && !self.is_still(problem, near);
        if recovers { RECOVERY * (SMALL * problem.least_room - near.gap).max(0.0) } else { 0.0 }
    }
}

/// The gap of two bodies at the end of the tick, to first order, m: never more than the true one.
pub(super) fn end_gap(near: &CandidatePair, members: &[SolverBody], tick: f64) -> f64 {
    let [a, b] = near.ends.map(|end| members[end].linear);
    near.gap + near.normal.dot(b - a) * tick
}
