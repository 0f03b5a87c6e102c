//! What keeps the bodies of a crowd apart in a tick.

use crate::dynamics::scene::Scene;
use crate::dynamics::time_stepping::freeze::quiet;
use glam::DVec3;

use super::StepContact;
use super::candidates::{CandidatePair, StepProblem};
use super::relaxation::Relaxation;
use crate::dynamics::BodyId;
use crate::dynamics::error::RunError;
use crate::dynamics::parts::Parts;
use crate::dynamics::solver;
use crate::dynamics::solver::{ContactConstraint, ContactImpulse, FrictionModel, SolverBody};

/// Part of a gap that may be lost in a tick, beyond what is asked for.
const MISS: f64 = 0.5;

/// Part of the least room below which a gap is too small.
const SMALL: f64 = 0.75;

/// Part of the least room that is nothing.
const FINEST: f64 = 1.0 / 67_108_864.0;

/// Part of the way to what is not too small that a gap gets back in a tick.
const RECOVERY: f64 = 0.0625;

/// Least part of a tick that is gone where bodies overlap.
const SHARE_LEAST: f64 = 1.0 / 32.0;

/// Part of the speed up to which bodies are held by which contacts among them may be missed.
const HELD_MISS: f64 = 0.25;

/// By how much a contact may be missed, m/s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// How fast it may close beyond what is asked for.
    pub(super) closing: f64,
    /// How fast it may open while it pushes. What a push does there is energy from nowhere.
    pub(super) opening: f64,
}

/// Pairs of which it is asked that they keep apart.
pub(super) struct ConstraintSet {
    /// Rows of `candidates`, one per constraint.
    pub(super) rows: Vec<usize>,
    pub(super) constraints: Vec<ContactConstraint>,
    goals: Vec<Tolerance>,
}

impl ConstraintSet {
    /// Solves for the motions of a tick, or says which row of `candidates` has no solution. The pushes by those rows are where
    /// it begins.
    fn relax(&self, members: &[SolverBody], pushes: &[ContactImpulse]) -> Result<Solution, usize> {
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
    fn gains(&self, problem: &StepProblem, solution: &Solution, how: &SolveOptions) -> bool {
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

/// Finds velocities with which nobody runs into anybody.
pub(super) fn keep_apart(parts: &Parts, problem: &StepProblem) -> Result<Result<StepSolution, Obstacle>, RunError> {
    let is_asked = |row: usize| parts.scene.may_meet(problem, row) && parts.scene.bystander(problem, row).is_none();
    let mut asked: Vec<bool> = (0..problem.candidates.len()).map(is_asked).collect();
    let mut pushes = last_pushes(parts, problem);
    let mut how = SolveOptions { bouncing: true, rubbing: true, recovering: true, held: quiet(parts, problem) };
    loop {
        let rows: Vec<usize> = (0..asked.len()).filter(|&row| asked[row]).collect();
        let asking = parts.scene.asking(problem, rows, &how);
        let solution = match asking.relax(&problem.alone, &pushes) {
            // Where there is no room to spare, nobody may come nearer, and nobody bounces.
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

/// The pushes of the last tick over this one, by the rows of `candidates`.
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
    /// What is asked of some of the pairs.
    pub(super) fn asking(&self, problem: &StepProblem, rows: Vec<usize>, how: &SolveOptions) -> ConstraintSet {
        let constraints = rows.iter().map(|&row| self.constraint(problem, row, how)).collect();
        let goals = rows.iter().map(|&row| goal(problem, &problem.candidates[row], how)).collect();
        ConstraintSet { rows, constraints, goals }
    }

    /// Whether two bodies might be too near each other in the end.
    fn may_meet(&self, problem: &StepProblem, row: usize) -> bool {
        let near = &problem.candidates[row];
        let [a, b] = near.ends.map(|end| problem.alone[end].linear);
        near.gap - ((b - a).length() + a.length() + b.length()) * problem.tick < problem.room
    }

    /// The free body of a pair that is not in the crowd.
    fn bystander(&self, problem: &StepProblem, row: usize) -> Option<BodyId> {
        let pair = problem.candidates[row].pair;
        self.free_of(pair).find(|&id| !self.in_crowd(id))
    }

    /// What is asked of two bodies: that they keep their room, and that they bounce if they meet fast.
    fn constraint(&self, problem: &StepProblem, row: usize, how: &SolveOptions) -> ContactConstraint {
        let CandidatePair { pair, ends: [a, b], normal, gap, .. } = problem.candidates[row];
        let spare = gap - problem.room;
        let short = how.short(problem, &problem.candidates[row]);
        let bound = (short - spare.max(0.0)) / problem.tick;
        let rebound = if how.bouncing { self.rebound(problem, &problem.candidates[row]) } else { 0.0 };
        // On the way of the tick gravity takes from the rebound what it has given to the approach.
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

    /// The speed with which two bodies part that met visibly, m/s, or 0.
    pub(super) fn rebound(&self, problem: &StepProblem, near: &CandidatePair) -> f64 {
        let approach = self.approach_speed(problem, near);
        let fall = self.settings.gravity.length();
        let met = end_gap(near, &problem.alone, problem.tick) < problem.room;
        if met && self.rebounds(near.pair, fall, approach) { self.restitution(near.pair) * approach } else { 0.0 }
    }

    /// How fast two bodies were closing before the tick, m/s; negative if they were not.
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
    fn is_more(&self) -> bool {
        self.bouncing || self.rubbing || self.recovering
    }

    /// Does without what most likely gives energy.
    fn ask_less(&mut self) {
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
    fn short(&self, problem: &StepProblem, near: &CandidatePair) -> f64 {
        let recovers = self.recovering && !self.is_still(problem, near);
        if recovers { RECOVERY * (SMALL * problem.least_room - near.gap).max(0.0) } else { 0.0 }
    }
}

/// By how much the relative velocity of two bodies may be off: not so much that they overlap in the end, nor that pushes which
/// open gaps do more work in a tick than over a part of the least room.
fn goal(problem: &StepProblem, near: &CandidatePair, how: &SolveOptions) -> Tolerance {
    let left = near.gap.max(0.0) + how.short(problem, near);
    let missed = |most: f64| MISS * left.clamp(FINEST * problem.least_room, most) / problem.tick;
    let loose = if how.is_still(problem, near) { HELD_MISS * problem.hold } else { 0.0 };
    Tolerance { closing: missed(problem.room).max(loose), opening: missed(problem.least_room).max(loose) }
}

/// The speed of the fastest body, if it is faster than was thought, m/s.
fn too_fast(problem: &StepProblem, solution: &Solution) -> Option<f64> {
    let speeds = solution.members[..problem.free].iter().map(|member| member.linear.length());
    Some(speeds.fold(0.0, f64::max)).filter(|&fastest| fastest > problem.fastest)
}

/// The gap of two bodies at the end of the tick, to first order, m: never more than the true one.
pub(super) fn end_gap(near: &CandidatePair, members: &[SolverBody], tick: f64) -> f64 {
    let [a, b] = near.ends.map(|end| members[end].linear);
    near.gap + near.normal.dot(b - a) * tick
}
