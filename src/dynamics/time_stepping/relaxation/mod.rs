//! Relaxation: solves for the impulses of a time step, contact by contact, until all residuals are within their
//! tolerances.
//!
//! Block projected Gauss–Seidel with conjugate directions, as for large islands ([`solver`](crate::dynamics::solver)).
//! Here each contact has a tolerance of its own that depends on its gap, and the data are small, so that a sweep over
//! thousands of contacts stays in the nearest cache.

mod conjugate;
pub(super) mod row;
pub(super) mod state;
mod worklist;

use glam::DVec3;

use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::solver::{ContactConstraint, FrictionModel, SolverBody};
use conjugate::ConjugateDirection;
use row::{Rough, Row, SolverVelocity, Tolerance, Turning};
use state::Relaxation;

/// Most rounds.
const ROUNDS_MAX: u32 = 2000;

/// Most rounds with friction.
const ROUNDS_ROUGH: u32 = 500;

/// Most rounds in sequence without a change half as large as the smallest before; further rounds would not help.
const ROUNDS_IDLE: u32 = 200;

/// Rounds between two checks of the tolerances.
const ROUNDS_PER_CHECK: u32 = 4;

impl Relaxation {
    /// The problem of `members` and `constraints`, with initial impulses `start` and one tolerance per constraint.
    pub(super) fn new(
        members: &[SolverBody],
        constraints: &[ContactConstraint],
        start: &[ContactImpulse],
        goals: &[Tolerance],
    ) -> Self {
        let row = |(constraint, goal): (&ContactConstraint, &Tolerance)| {
            let compliance = members[constraint.a].inverse_mass + members[constraint.b].inverse_mass;
            Row {
                ends: [constraint.a as u32, constraint.b as u32],
                normal: constraint.normal,
                bound: constraint.bound,
                inverse_compliance: if compliance > 0.0 { 1.0 / compliance } else { 0.0 },
                goal: goal.closing,
                push: 0.0,
            }
        };
        let rough = |constraint: &ContactConstraint| {
            let friction = match constraint.friction {
                FrictionModel::Coulomb { friction, .. } => friction,
                FrictionModel::None | FrictionModel::Bilateral | FrictionModel::Kinetic { .. } => 0.0,
            };
            let arms = constraint.arms.map(|arm| arm.dot(constraint.normal));
            let turning = |end: usize, arm: f64| members[end].inverse_mass + members[end].inverse_inertia * arm * arm;
            let compliance = turning(constraint.a, arms[0]) + turning(constraint.b, arms[1]);
            Rough { friction, arms, compliance, push: DVec3::ZERO }
        };
        let rows: Vec<Row> = constraints.iter().zip(goals).map(row).collect();
        let roughs: Vec<Rough> = constraints.iter().map(rough).collect();
        let smooth = roughs.iter().all(|rough| rough.friction == 0.0);
        let going = |member: &SolverBody| SolverVelocity { linear: member.linear, inverse_mass: member.inverse_mass };
        let turning =
            |member: &SolverBody| Turning { angular: member.angular, inverse_inertia: member.inverse_inertia };
        let drives = |end: u32| {
            let member = &members[end as usize];
            member.inverse_mass == 0.0 && member.linear != DVec3::ZERO
        };
        let mut relaxation = Self {
            going: members.iter().map(going).collect(),
            turning: members.iter().map(turning).collect(),
            openings: goals.iter().map(|goal| goal.opening).collect(),
            roughs: if smooth { Vec::new() } else { roughs },
            rubbed: Vec::new(),
            driven: (0..rows.len()).filter(|&row| rows[row].ends.into_iter().any(&drives)).collect(),
            rows,
        };
        for (row, push) in start.iter().enumerate() {
            relaxation.push(row, push.normal);
            if !smooth && relaxation.roughs[row].friction > 0.0 {
                relaxation.rub(row, push.tangential);
            }
        }
        relaxation
    }

    /// Relaxes until all tolerances are met. Returns whether they are.
    ///
    /// With friction that may not converge. Then the tangential impulses are fixed, and the rest is a convex problem.
    pub(super) fn solve(&mut self) -> bool {
        if self.relax_where_needed() {
            return true;
        }
        if !self.roughs.is_empty() {
            if self.relax_all(ROUNDS_ROUGH) {
                return true;
            }
            self.rubbed = self.roughs.drain(..).map(|rough| rough.push).collect();
        }
        self.relax_all(ROUNDS_MAX)
    }

    /// The velocities, and the impulses that lead to them.
    pub(super) fn into_solution(self) -> (Vec<SolverBody>, Vec<ContactImpulse>) {
        let member = |(going, turning): (&SolverVelocity, &Turning)| SolverBody {
            linear: going.linear,
            inverse_mass: going.inverse_mass,
            angular: turning.angular,
            inverse_inertia: turning.inverse_inertia,
        };
        let rubbed = |row: usize| self.rubbed.get(row).copied().unwrap_or_default();
        let tangential = |row: usize| self.roughs.get(row).map_or_else(|| rubbed(row), |rough| rough.push);
        let push = |(row, of): (usize, &Row)| ContactImpulse { normal: of.push, tangential: tangential(row) };
        (self.going.iter().zip(&self.turning).map(member).collect(), self.rows.iter().enumerate().map(push).collect())
    }

    /// The contacts whose impulses still grow most. Where there is no solution, they contradict each other.
    pub(super) fn growing(&mut self, count: usize) -> Vec<usize> {
        let before: Vec<f64> = self.rows.iter().map(|row| row.push).collect();
        (0..ROUNDS_IDLE).for_each(|_| self.symmetric_sweep());
        let gained = |row: usize| (self.rows[row].push - before[row]).abs();
        let mut rows: Vec<usize> = (0..before.len()).filter(|&row| gained(row) > 0.0).collect();
        rows.sort_by(|&p, &q| gained(q).total_cmp(&gained(p)).then(p.cmp(&q)));
        rows.truncate(count);
        rows
    }

    fn meets_goals(&self) -> bool {
        !(0..self.rows.len()).any(|row| self.is_missed(row, 1.0))
    }

    /// Sweeps over all contacts, with conjugate directions in between. Returns whether all tolerances are met.
    fn relax_all(&mut self, rounds: u32) -> bool {
        let mut way = ConjugateDirection::new(self);
        let (mut bound, mut idle) = (f64::INFINITY, 0);
        for round in 0..rounds {
            way.begin(self);
            self.symmetric_sweep();
            if round % ROUNDS_PER_CHECK == 0 && self.meets_goals() {
                return true;
            }
            let size = way.go_on(self);
            idle += 1;
            if size < 0.5 * bound {
                (bound, idle) = (size, 0);
            }
            if idle == ROUNDS_IDLE {
                break;
            }
        }
        self.meets_goals()
    }

    pub(super) fn symmetric_sweep(&mut self) {
        (0..self.rows.len()).for_each(|row| self.relax(row));
        (0..self.rows.len()).rev().for_each(|row| self.relax(row));
    }

    /// Satisfies one contact.
    #[inline]
    pub(super) fn relax(&mut self, row: usize) {
        let Row { ends: [a, b], normal, bound, inverse_compliance, push, .. } = self.rows[row];
        let (a, b) = (a as usize, b as usize);
        let (of_a, of_b) = (self.going[a], self.going[b]);
        let excess = normal.dot(of_b.linear - of_a.linear) - bound;
        let after = (push - excess * inverse_compliance).max(0.0);
        if after != push {
            let impulse = normal * (after - push);
            self.going[a].linear = of_a.linear - impulse * of_a.inverse_mass;
            self.going[b].linear = of_b.linear + impulse * of_b.inverse_mass;
            self.rows[row].push = after;
        }
        if let Some(&Rough { friction, push, .. }) = self.roughs.get(row)
            && friction > 0.0
            && inverse_compliance > 0.0
        {
            self.rub(row, self.stopping(row) - push);
        }
    }

    /// The normal component of b − a minus its bound.
    #[inline]
    fn slack(&self, row: usize) -> f64 {
        let Row { ends: [a, b], normal, bound, .. } = self.rows[row];
        normal.dot(self.going[b as usize].linear - self.going[a as usize].linear) - bound
    }

    /// Whether the residual of a contact exceeds `part` of its tolerance: it closes, it opens with a positive impulse,
    /// or its slip could be reduced. Even a small impulse would do work where bodies separate fast.
    #[inline]
    pub(super) fn is_missed(&self, row: usize, part: f64) -> bool {
        let Row { inverse_compliance, goal, push, .. } = self.rows[row];
        if inverse_compliance == 0.0 {
            return false;
        }
        let excess = self.slack(row);
        if excess < -part * goal || (push > 0.0 && excess > part * self.openings[row]) {
            return true;
        }
        let slips = |rough: &Rough| (self.stopping(row) - rough.push).length() * rough.compliance > part * goal;
        self.roughs.get(row).is_some_and(|rough| rough.friction > 0.0 && slips(rough))
    }

    /// The tangential impulse that stops the slip, limited by friction.
    fn stopping(&self, row: usize) -> DVec3 {
        let Row { ends, normal, push, .. } = self.rows[row];
        let Rough { friction, arms, compliance, push: rubbing } = self.roughs[row];
        let at = |end: u32, arm: f64| {
            self.going[end as usize].linear + self.turning[end as usize].angular.cross(normal * arm)
        };
        let relative = at(ends[1], arms[1]) - at(ends[0], arms[0]);
        let slip = relative - normal * normal.dot(relative);
        let wanted = rubbing - slip / compliance;
        let most = friction * push.max(0.0);
        let squared = wanted.length_squared();
        if squared <= most * most { wanted } else { wanted * (most / squared.sqrt()) }
    }

    /// The part of b − a that comes from bodies of prescribed velocity.
    pub(super) fn drive(&self, row: usize) -> DVec3 {
        let at = |end: u32| {
            let going = &self.going[end as usize];
            if going.inverse_mass > 0.0 { DVec3::ZERO } else { going.linear }
        };
        let [a, b] = self.rows[row].ends;
        at(b) - at(a)
    }

    #[inline]
    pub(super) fn push(&mut self, row: usize, size: f64) {
        let Row { ends: [a, b], normal, .. } = self.rows[row];
        self.rows[row].push += size;
        let impulse = normal * size;
        let a = &mut self.going[a as usize];
        a.linear -= impulse * a.inverse_mass;
        let b = &mut self.going[b as usize];
        b.linear += impulse * b.inverse_mass;
    }

    fn rub(&mut self, row: usize, push: DVec3) {
        let Row { ends, normal, .. } = self.rows[row];
        let rough = &mut self.roughs[row];
        rough.push += push;
        for (end, arm, push) in [(ends[0], rough.arms[0], -push), (ends[1], rough.arms[1], push)] {
            let going = &mut self.going[end as usize];
            going.linear += push * going.inverse_mass;
            let turning = &mut self.turning[end as usize];
            turning.angular += (normal * arm).cross(push) * turning.inverse_inertia;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::solver;

    const GOAL: f64 = 1e-9;
    const GOALS: Tolerance = Tolerance { closing: GOAL, opening: GOAL };

    fn member(linear: DVec3, mass: f64, radius: f64) -> SolverBody {
        let inverse_inertia = 1.0 / (0.4 * mass * radius * radius);
        SolverBody { linear, angular: DVec3::ZERO, inverse_mass: 1.0 / mass, inverse_inertia }
    }

    /// A pyramid of balls of unequal masses on a moving floor. Each layer falls onto the next; the top ball flies away.
    fn pyramid(friction: FrictionModel) -> (Vec<SolverBody>, Vec<ContactConstraint>) {
        let floor = SolverBody {
            linear: DVec3::new(0.3, 0.0, 0.0),
            angular: DVec3::ZERO,
            inverse_mass: 0.0,
            inverse_inertia: 0.0,
        };
        let (mut members, mut constraints) = (vec![floor], Vec::new());
        let mut below = Vec::new();
        for width in (1..=6).rev() {
            let layer: Vec<usize> = (0..width).map(|n| members.len() + n).collect();
            for n in 0..width {
                let (mass, sideways) = (1.0 + (7 * members.len() % 5) as f64, 0.1 * n as f64);
                let down = if width == 1 { -1.0 } else { 1.0 + 0.01 * (n * n) as f64 };
                members.push(member(DVec3::new(sideways, 0.0, -down), mass, 0.1));
            }
            let mut touch = |a: usize, b: usize, normal: DVec3| {
                let arms = [if a == 0 { DVec3::ZERO } else { normal * 0.1 }, normal * -0.1];
                constraints.push(ContactConstraint { a, b, normal, arms, bound: 0.0, holds: false, friction });
            };
            for (n, &b) in layer.iter().enumerate() {
                if below.is_empty() {
                    touch(0, b, DVec3::Z);
                } else {
                    touch(below[n], b, DVec3::new(0.6, 0.0, 0.8));
                    touch(below[n + 1], b, DVec3::new(-0.6, 0.0, 0.8));
                }
            }
            below = layer;
        }
        (members, constraints)
    }

    fn solved(members: &[SolverBody], constraints: &[ContactConstraint]) -> (Vec<SolverBody>, Vec<ContactImpulse>) {
        let start = vec![ContactImpulse::default(); constraints.len()];
        let mut relaxation = Relaxation::new(members, constraints, &start, &vec![GOALS; constraints.len()]);
        assert!(relaxation.solve());
        relaxation.into_solution()
    }

    #[test]
    fn smooth_pushes_are_those_of_the_exact_solver() {
        let (members, constraints) = pyramid(FrictionModel::None);
        let exact = solver::solve(&members, &constraints, &[]).unwrap();
        let (found, pushes) = solved(&members, &constraints);
        for (place, (found, exact)) in found.iter().zip(&exact.members).enumerate() {
            // The residuals of six layers add up.
            assert!((found.linear - exact.linear).length() <= 100.0 * GOAL, "{place}: {found:?} {exact:?}");
        }
        assert!(pushes.iter().any(|push| push.normal == 0.0) && pushes.iter().any(|push| push.normal > 0.0));
    }

    #[test]
    fn rough_pushes_obey_the_law_of_coulomb() {
        let friction = 0.4;
        let (members, constraints) = pyramid(FrictionModel::Coulomb { friction, wanted: DVec3::ZERO });
        let (found, pushes) = solved(&members, &constraints);
        let (mut sticking, mut slipping) = (0, 0);
        for (constraint, push) in constraints.iter().zip(&pushes) {
            let (excess, slip) = (constraint.slack(&found), constraint.slip(&found));
            assert!(push.normal >= 0.0 && excess >= -GOAL && (push.normal == 0.0 || excess <= GOAL), "{excess:e}");
            let (most, size) = (friction * push.normal, push.tangential.length());
            assert!(size <= most * (1.0 + 1e-12), "{size} of {most}");
            if slip.length() > 1e-6 && most > 0.0 {
                // The slip is opposite to the impulse, which is at its limit, up to the tolerance over the slip.
                assert!(size >= most - 1e-3 * most && push.tangential.dot(slip) <= -0.999 * size * slip.length());
                slipping += 1;
            } else {
                sticking += usize::from(most > 0.0);
            }
        }
        assert!(sticking > 0 && slipping > 0, "{sticking} stick, {slipping} slip");
    }

    #[test]
    fn what_friction_has_pushed_stays_in_the_books() {
        let (members, constraints) = pyramid(FrictionModel::Coulomb { friction: 0.4, wanted: DVec3::ZERO });
        let start = vec![ContactImpulse::default(); constraints.len()];
        let mut relaxation = Relaxation::new(&members, &constraints, &start, &vec![GOALS; constraints.len()]);
        (0..3).for_each(|_| relaxation.symmetric_sweep());
        relaxation.rubbed = relaxation.roughs.drain(..).map(|rough| rough.push).collect();
        assert!(relaxation.relax_all(ROUNDS_MAX));
        let (found, pushes) = relaxation.into_solution();
        let mut booked = members.clone();
        for (constraint, push) in constraints.iter().zip(&pushes) {
            let impulse = push.vector(constraint.normal);
            booked[constraint.a].linear -= impulse * members[constraint.a].inverse_mass;
            booked[constraint.b].linear += impulse * members[constraint.b].inverse_mass;
            assert!(constraint.slack(&found) >= -GOAL);
        }
        for (found, booked) in found.iter().zip(&booked) {
            assert!((found.linear - booked.linear).length() <= 1e-12, "{found:?} {booked:?}");
        }
    }
}
