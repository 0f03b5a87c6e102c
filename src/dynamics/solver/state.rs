//! The state of a coupled problem on its way to the solution: motions, and the pushes that made them of the start.
//!
//! Inverse masses are counted in the largest of them, so that a body alone on its supports, and one of several equal
//! bodies, has exactly one; pushes are counted accordingly.

use glam::DVec3;

use super::{Joint, Member, Push, Rub, Solution, worse};

pub(super) struct Touch<'a> {
    pub(super) joints: &'a [Joint],
    pub(super) members: Vec<Member>,
    pub(super) pushes: Vec<Push>,
    /// The normal part of b − a, gained by a unit push. Zero: nothing can be done.
    pub(super) compliances: Vec<f64>,
    /// The largest inverse mass, 1/kg.
    pub(super) unit: f64,
    /// The size of the numbers given, m/s or m/s²; rounding is measured with it.
    pub(super) scale: f64,
}

impl<'a> Touch<'a> {
    pub(super) fn new(members: &[Member], joints: &'a [Joint]) -> Self {
        let largest = members.iter().fold(0.0, |unit: f64, member| unit.max(member.inverse_mass));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let scaled = |member: &Member| Member {
            inverse_mass: member.inverse_mass / unit,
            inverse_inertia: member.inverse_inertia / unit,
            ..*member
        };
        let members: Vec<Member> = members.iter().map(scaled).collect();
        let compliance = |joint: &Joint| match joint.a == joint.b {
            true => 0.0,
            false => members[joint.a].inverse_mass + members[joint.b].inverse_mass,
        };
        let compliances = joints.iter().map(compliance).collect();
        let size = |joint: &Joint| {
            let fastest = |member: usize| members[member].linear.abs().max_element();
            fastest(joint.a).max(fastest(joint.b)).max(joint.least.abs())
        };
        let scale = joints.iter().map(size).fold(0.0, f64::max);
        Self { joints, members, pushes: vec![Push::default(); joints.len()], compliances, unit, scale }
    }

    /// Adds the pushes of a similar problem: all of them, or else only the tangential ones.
    pub(super) fn begin(&mut self, start: &[Push], with_normal: bool) {
        for (row, push) in start.iter().enumerate().take(self.joints.len()) {
            if with_normal {
                self.push(row, push.normal * self.unit);
            }
            if matches!(self.joints[row].rub, Rub::Sticks { .. }) {
                self.rub(row, push.tangential * self.unit);
            }
        }
        for row in 0..self.joints.len() {
            if let Rub::Slides { friction, direction } = self.joints[row].rub {
                self.rub(row, direction * (-friction * self.pushes[row].normal.max(0.0)));
            }
        }
    }

    /// How much the normal part of b − a exceeds the least.
    #[inline]
    pub(super) fn excess(&self, row: usize) -> f64 {
        self.joints[row].excess(&self.members)
    }

    /// The slip gained by a unit tangential push.
    pub(super) fn tangential_compliance(&self, row: usize) -> f64 {
        let joint = &self.joints[row];
        let turning = |member: usize, arm: DVec3| self.members[member].inverse_inertia * arm.length_squared();
        self.compliances[row] + turning(joint.a, joint.arms[0]) + turning(joint.b, joint.arms[1])
    }

    /// The tangential push that makes the slip the `wanted` one, shortened to `most`.
    pub(super) fn stopping(&self, row: usize, wanted: DVec3, most: f64) -> DVec3 {
        let slip = self.joints[row].slip(&self.members) - wanted;
        shortened(self.pushes[row].tangential - slip / self.tangential_compliance(row), most)
    }

    /// Adds to a normal push.
    #[inline]
    pub(super) fn push(&mut self, row: usize, size: f64) {
        let Joint { a, b, normal, .. } = self.joints[row];
        self.pushes[row].normal += size;
        let [to_a, to_b] = [a, b].map(|member| size * self.members[member].inverse_mass);
        self.members[a].linear -= normal * to_a;
        self.members[b].linear += normal * to_b;
    }

    /// Adds to a tangential push.
    pub(super) fn rub(&mut self, row: usize, push: DVec3) {
        self.pushes[row].tangential += push;
        self.joints[row].give(&mut self.members, push);
    }

    /// What a normal push of one at joint `of` does to the normal part of b − a at joint `at`.
    #[inline]
    pub(super) fn coupling(&self, at: usize, of: usize) -> f64 {
        let (p, q) = (&self.joints[at], &self.joints[of]);
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

    /// By how much a joint misses its demands: 0 where it is met by a push of the right sign and size.
    pub(super) fn miss(&self, row: usize) -> f64 {
        let joint = &self.joints[row];
        let excess = self.excess(row);
        let pushed = self.pushes[row].normal * self.compliances[row];
        let normal = if joint.holds { excess.abs() } else { excess.min(pushed).abs() };
        let (wanted, most) = match joint.rub {
            Rub::Smooth | Rub::Slides { .. } => return normal,
            Rub::Grips => (DVec3::ZERO, f64::INFINITY),
            Rub::Sticks { friction, wanted } => (wanted, friction * self.pushes[row].normal.max(0.0)),
        };
        let compliance = self.tangential_compliance(row);
        if compliance == 0.0 {
            return normal;
        }
        let better = self.stopping(row, wanted, most);
        normal.max((better - self.pushes[row].tangential).length() * compliance)
    }

    pub(super) fn residual(&self) -> f64 {
        (0..self.joints.len()).map(|row| self.miss(row)).fold(0.0, worse)
    }

    pub(super) fn solution(mut self) -> Solution {
        let residual = self.residual();
        for member in &mut self.members {
            member.inverse_mass *= self.unit;
            member.inverse_inertia *= self.unit;
        }
        for push in &mut self.pushes {
            *push = Push { normal: push.normal / self.unit, tangential: push.tangential / self.unit };
        }
        Solution { members: self.members, pushes: self.pushes, residual }
    }
}

/// `push`, or as much of it as has the length `most`.
fn shortened(push: DVec3, most: f64) -> DVec3 {
    let squared = push.length_squared();
    if squared <= most * most { push } else { push * (most / squared.sqrt()) }
}
