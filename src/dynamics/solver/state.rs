//! The state of the solver: velocities, and the impulses that led to them.
//!
//! Inverse masses are relative to the largest of them, so a body alone on its supports, or each of several equal
//! bodies, has exactly one. Impulses are scaled accordingly.

use glam::DVec3;

use super::problem::{ContactImpulse, Solution, worse};
use super::{ContactConstraint, FrictionModel, SolverBody};

pub(super) struct SolverState<'a> {
    pub(super) constraints: &'a [ContactConstraint],
    pub(super) members: Vec<SolverBody>,
    pub(super) pushes: Vec<ContactImpulse>,
    /// Change of the normal component of b − a per unit impulse. Zero: no impulse has an effect.
    pub(super) compliances: Vec<f64>,
    /// The largest inverse mass, 1/kg.
    pub(super) unit: f64,
    /// The largest of the given velocities and bounds, m/s or m/s²; rounding is relative to it.
    pub(super) scale: f64,
}

impl<'a> SolverState<'a> {
    pub(super) fn new(members: &[SolverBody], constraints: &'a [ContactConstraint]) -> Self {
        let largest = members.iter().fold(0.0, |unit: f64, member| unit.max(member.inverse_mass));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let scaled = |member: &SolverBody| SolverBody {
            inverse_mass: member.inverse_mass / unit,
            inverse_inertia: member.inverse_inertia / unit,
            ..*member
        };
        let members: Vec<SolverBody> = members.iter().map(scaled).collect();
        let compliance = |constraint: &ContactConstraint| match constraint.a == constraint.b {
            true => 0.0,
            false => members[constraint.a].inverse_mass + members[constraint.b].inverse_mass,
        };
        let compliances = constraints.iter().map(compliance).collect();
        let size = |constraint: &ContactConstraint| {
            let fastest = |member: usize| members[member].linear.abs().max_element();
            fastest(constraint.a).max(fastest(constraint.b)).max(constraint.bound.abs())
        };
        let scale = constraints.iter().map(size).fold(0.0, f64::max);
        Self {
            constraints,
            members,
            pushes: vec![ContactImpulse::default(); constraints.len()],
            compliances,
            unit,
            scale,
        }
    }

    /// Applies the impulses of a similar problem (warm start): all of them, or only the tangential ones.
    pub(super) fn begin(&mut self, start: &[ContactImpulse], with_normal: bool) {
        for (row, push) in start.iter().enumerate().take(self.constraints.len()) {
            if with_normal {
                self.apply_normal(row, push.normal * self.unit);
            }
            if matches!(self.constraints[row].friction, FrictionModel::Coulomb { .. }) {
                self.apply_tangential(row, push.tangential * self.unit);
            }
        }
        for row in 0..self.constraints.len() {
            if let FrictionModel::Kinetic { friction, direction } = self.constraints[row].friction {
                self.apply_tangential(row, direction * (-friction * self.pushes[row].normal.max(0.0)));
            }
        }
    }

    /// The normal component of b − a minus its bound.
    #[inline]
    pub(super) fn slack(&self, row: usize) -> f64 {
        self.constraints[row].slack(&self.members)
    }

    /// Change of the slip per unit tangential impulse.
    pub(super) fn tangential_compliance(&self, row: usize) -> f64 {
        let constraint = &self.constraints[row];
        let turning = |member: usize, arm: DVec3| self.members[member].inverse_inertia * arm.length_squared();
        self.compliances[row] + turning(constraint.a, constraint.arms[0]) + turning(constraint.b, constraint.arms[1])
    }

    /// The tangential impulse that makes the slip `wanted`, limited to the length `most`.
    pub(super) fn stopping(&self, row: usize, wanted: DVec3, most: f64) -> DVec3 {
        let slip = self.constraints[row].slip(&self.members) - wanted;
        shortened(self.pushes[row].tangential - slip / self.tangential_compliance(row), most)
    }

    /// Adds to the normal impulse of a constraint.
    #[inline]
    pub(super) fn apply_normal(&mut self, row: usize, size: f64) {
        let ContactConstraint { a, b, normal, .. } = self.constraints[row];
        self.pushes[row].normal += size;
        let [to_a, to_b] = [a, b].map(|member| size * self.members[member].inverse_mass);
        self.members[a].linear -= normal * to_a;
        self.members[b].linear += normal * to_b;
    }

    /// Adds to the tangential impulse of a constraint.
    pub(super) fn apply_tangential(&mut self, row: usize, push: DVec3) {
        self.pushes[row].tangential += push;
        self.constraints[row].give(&mut self.members, push);
    }

    /// Change of the normal component of b − a at constraint `at`, per unit normal impulse at constraint `of`.
    #[inline]
    pub(super) fn coupling(&self, at: usize, of: usize) -> f64 {
        let (p, q) = (&self.constraints[at], &self.constraints[of]);
        let mut share = 0.0;
        for (mine, my_sign) in [(p.a, -1.0), (p.b, 1.0)] {
            for (other, other_sign) in [(q.a, -1.0), (q.b, 1.0)] {
                if mine == other {
                    share += my_sign * other_sign * self.members[mine].inverse_mass;
                }
            }
        }
        if share == 0.0 { 0.0 } else { share * p.normal.dot(q.normal) }
    }

    /// The residual of a constraint: 0 if it is met by an impulse of the right sign and size.
    pub(super) fn residual_of(&self, row: usize) -> f64 {
        let constraint = &self.constraints[row];
        let excess = self.slack(row);
        let pushed = self.pushes[row].normal * self.compliances[row];
        let normal = if constraint.holds { excess.abs() } else { excess.min(pushed).abs() };
        let (wanted, most) = match constraint.friction {
            FrictionModel::None | FrictionModel::Kinetic { .. } => return normal,
            FrictionModel::Bilateral => (DVec3::ZERO, f64::INFINITY),
            FrictionModel::Coulomb { friction, wanted } => (wanted, friction * self.pushes[row].normal.max(0.0)),
        };
        let compliance = self.tangential_compliance(row);
        if compliance == 0.0 {
            return normal;
        }
        let better = self.stopping(row, wanted, most);
        normal.max((better - self.pushes[row].tangential).length() * compliance)
    }

    pub(super) fn residual(&self) -> f64 {
        (0..self.constraints.len()).map(|row| self.residual_of(row)).fold(0.0, worse)
    }

    pub(super) fn solution(mut self) -> Solution {
        let residual = self.residual();
        for member in &mut self.members {
            member.inverse_mass *= self.unit;
            member.inverse_inertia *= self.unit;
        }
        for push in &mut self.pushes {
            *push = ContactImpulse { normal: push.normal / self.unit, tangential: push.tangential / self.unit };
        }
        Solution { members: self.members, pushes: self.pushes, residual }
    }
}

/// `push`, shortened to at most the length `most`.
fn shortened(push: DVec3, most: f64) -> DVec3 {
    let squared = push.length_squared();
    if squared <= most * most { push } else { push * (most / squared.sqrt()) }
}
