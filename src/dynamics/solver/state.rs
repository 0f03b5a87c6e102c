//! The state of the solver: velocities, and the impulses that led to them.
//!
//! Inverse masses are relative to the largest of them, so a body alone on its supports, or each of several equal
//! bodies, has exactly one. Impulses are scaled accordingly.

use glam::DVec3;

use super::problem::{ContactImpulse, Solution, worse};
use super::{ContactConstraint, FrictionModel, SolverBody};
use crate::dynamics::body::friction::Mode;
use crate::dynamics::few::Few;

pub(super) struct SolverState<'a> {
    pub(super) constraints: &'a [ContactConstraint],
    pub(super) members: Few<SolverBody>,
    pub(super) impulses: Few<ContactImpulse>,
    /// Change of the normal component of b − a per unit impulse. Zero: no impulse has an effect.
    pub(super) compliances: Few<f64>,
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
        let members: Few<SolverBody> = members.iter().map(scaled).collect();
        let compliance = |of: &ContactConstraint| members[of.a].inverse_mass + members[of.b].inverse_mass;
        let compliances = constraints.iter().map(compliance).collect();
        let size = |constraint: &ContactConstraint| {
            let fastest = |member: usize| members[member].linear.abs().max_element();
            fastest(constraint.a).max(fastest(constraint.b)).max(constraint.bound.abs())
        };
        let scale = constraints.iter().map(size).fold(0.0, f64::max);
        Self {
            constraints,
            members,
            impulses: Few::from_elem(ContactImpulse::default(), constraints.len()),
            compliances,
            unit,
            scale,
        }
    }

    /// The scale of tolerances, m/s or m/s². It includes turning where friction resists it, because slip and rolling of
    /// one contact depend on each other.
    pub(super) fn turning_scale(&self) -> f64 {
        let resisting = self.constraints.iter().filter(|constraint| constraint.resists_turning());
        let size = |constraint: &ContactConstraint| {
            let turning = |member: usize| self.members[member].angular.abs().max_element();
            turning(constraint.a).max(turning(constraint.b)) * constraint.lever(Mode::Rolling)
        };
        resisting.map(size).fold(self.scale, f64::max)
    }

    /// Applies the impulses of a similar problem (warm start): all of them, or only those of friction. Since then the
    /// normals may have turned: only the part of an impulse along the present surface is friction.
    pub(super) fn begin(&mut self, start: &[ContactImpulse], with_normal: bool) {
        for (row, impulse) in start.iter().enumerate().take(self.constraints.len()) {
            if with_normal {
                self.apply_normal(row, impulse.normal * self.unit);
            }
            for (mode, model) in self.resisted(row) {
                if matches!(model, FrictionModel::Coulomb { .. }) {
                    let impulse = self.constraints[row].impulse_against(impulse, mode);
                    self.apply(row, mode, self.constraints[row].part_of(impulse, mode) * self.unit);
                }
            }
        }
        for row in 0..self.constraints.len() {
            for (mode, model) in self.resisted(row) {
                if let FrictionModel::Kinetic { friction, direction } = model {
                    self.apply(row, mode, direction * (-friction * self.impulses[row].normal.max(0.0)));
                }
            }
        }
    }

    /// The normal component of b − a minus its bound.
    #[inline]
    pub(super) fn slack(&self, row: usize) -> f64 {
        self.constraints[row].slack(&self.members)
    }

    /// The modes of a constraint that friction resists, with its law.
    #[inline]
    pub(super) fn resisted(&self, row: usize) -> impl Iterator<Item = (Mode, FrictionModel)> + use<> {
        Mode::ALL.into_iter().zip(self.constraints[row].friction).filter(|(_, model)| *model != FrictionModel::None)
    }

    /// Change of a mode's motion per unit of the impulse against it.
    pub(super) fn compliance_against(&self, row: usize, mode: Mode) -> f64 {
        self.constraints[row].compliance_against(&self.members, mode)
    }

    /// The impulse against a mode that makes its motion `wanted`, limited to the length `most`.
    pub(super) fn stopping(&self, row: usize, mode: Mode, wanted: DVec3, most: f64) -> DVec3 {
        let constraint = &self.constraints[row];
        let motion = constraint.motion(&self.members, mode) - wanted;
        let impulse = constraint.impulse_against(&self.impulses[row], mode);
        shortened(impulse - motion / self.compliance_against(row, mode), most)
    }

    /// Adds to the normal impulse of a constraint.
    #[inline]
    pub(super) fn apply_normal(&mut self, row: usize, size: f64) {
        let ContactConstraint { a, b, normal, .. } = self.constraints[row];
        self.impulses[row].normal += size;
        let [to_a, to_b] = [a, b].map(|member| size * self.members[member].inverse_mass);
        self.members[a].linear -= normal * to_a;
        self.members[b].linear += normal * to_b;
    }

    /// Adds to the impulse of a constraint against a mode.
    pub(super) fn apply(&mut self, row: usize, mode: Mode, impulse: DVec3) {
        match mode {
            Mode::Slip => self.impulses[row].tangential += impulse,
            _ => self.impulses[row].couple += impulse,
        }
        self.constraints[row].give_against(&mut self.members, impulse, mode);
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
        let slack = self.slack(row);
        let pushed = self.impulses[row].normal * self.compliances[row];
        let normal = if constraint.holds { slack.abs() } else { slack.min(pushed).abs() };
        let mut most_of = normal;
        for (mode, model) in self.resisted(row) {
            let (wanted, most) = match model {
                FrictionModel::None | FrictionModel::Kinetic { .. } => continue,
                FrictionModel::Bilateral => (DVec3::ZERO, f64::INFINITY),
                FrictionModel::Coulomb { friction, wanted } => (wanted, friction * self.impulses[row].normal.max(0.0)),
            };
            let compliance = self.compliance_against(row, mode);
            if compliance == 0.0 {
                continue;
            }
            let change = self.stopping(row, mode, wanted, most) - constraint.impulse_against(&self.impulses[row], mode);
            most_of = most_of.max(change.length() * compliance * constraint.lever(mode));
        }
        most_of
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
        self.impulses.iter_mut().for_each(|impulse| *impulse = impulse.over(self.unit));
        Solution { members: self.members, impulses: self.impulses, residual, is_solved: true }
    }
}

/// `impulse`, shortened to at most the length `most`.
fn shortened(impulse: DVec3, most: f64) -> DVec3 {
    let squared = impulse.length_squared();
    if squared <= most * most { impulse } else { impulse * (most / squared.sqrt()) }
}
