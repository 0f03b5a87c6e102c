//! What a coupled problem consists of: bodies, and the places where they touch.

use crate::numeric::tolerance::{COUPLED_TOLERANCE, UNSOUND};
use glam::DVec3;

/// A body of the problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct SolverBody {
    /// Velocity of the centre, m/s, or its acceleration, m/s².
    pub(in crate::dynamics) linear: DVec3,
    /// Angular velocity, rad/s, or its rate, rad/s².
    pub(in crate::dynamics) angular: DVec3,
    /// 1/kg; zero for a body from outside, which keeps its motion.
    pub(in crate::dynamics) inverse_mass: f64,
    /// 1/(kg·m²); zero for a body that does not turn.
    pub(in crate::dynamics) inverse_inertia: f64,
}

impl SolverBody {
    /// The same body without motion.
    pub(in crate::dynamics) fn stopped(self) -> Self {
        Self { linear: DVec3::ZERO, angular: DVec3::ZERO, ..self }
    }

    /// Kinetic energy of a body that a push moves, J.
    pub(in crate::dynamics) fn energy(&self) -> f64 {
        let turning =
            if self.inverse_inertia > 0.0 { self.angular.length_squared() / self.inverse_inertia } else { 0.0 };
        0.5 * (self.linear.length_squared() / self.inverse_mass + turning)
    }

    /// The motion of the point that lies at `arm` from the centre.
    pub(in crate::dynamics) fn at(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }
}

/// Friction at a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) enum FrictionModel {
    None,
    /// The slip of b over a becomes `wanted` (tangential) if a push of at most `friction` times the normal one can do
    /// that, and else comes as near to it as such a push can bring it.
    Coulomb {
        friction: f64,
        wanted: DVec3,
    },
    /// The slip becomes none, whatever push that takes.
    Bilateral,
    /// b slips over a along the unit vector `direction`, and is pushed against it by `friction` times the normal push.
    Kinetic {
        friction: f64,
        direction: DVec3,
    },
}

/// A place where two members touch. The normal part of b − a becomes `least` or more, and only at `least` they push.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct ContactConstraint {
    pub(in crate::dynamics) a: usize,
    pub(in crate::dynamics) b: usize,
    /// Unit vector from a to b.
    pub(in crate::dynamics) normal: DVec3,
    /// From the centres of a and b to the contact, m: along the normal for a ball, zero for what does not turn. So the
    /// normal part does not depend on turning.
    pub(in crate::dynamics) arms: [DVec3; 2],
    /// m/s or m/s².
    pub(in crate::dynamics) bound: f64,
    /// The normal part becomes exactly `least`, and the members may pull.
    pub(in crate::dynamics) holds: bool,
    pub(in crate::dynamics) friction: FrictionModel,
}

impl ContactConstraint {
    /// Pushes b with this vector at the point of contact, and a with the opposite one, N·s or N.
    pub(in crate::dynamics) fn give(&self, members: &mut [SolverBody], push: DVec3) {
        for (member, arm, push) in [(self.a, self.arms[0], -push), (self.b, self.arms[1], push)] {
            let member = &mut members[member];
            member.linear += push * member.inverse_mass;
            member.angular += arm.cross(push) * member.inverse_inertia;
        }
    }

    /// The motion of b seen from a where they touch.
    pub(in crate::dynamics) fn relative(&self, members: &[SolverBody]) -> DVec3 {
        members[self.b].at(self.arms[1]) - members[self.a].at(self.arms[0])
    }

    /// The energy that an impulse on b takes, J: by Kelvin's theorem its work is its product with the mean of the velocities
    /// before and after.
    pub(in crate::dynamics) fn loss(&self, impulse: DVec3, before: &[SolverBody], after: &[SolverBody]) -> f64 {
        -impulse.dot((self.relative(before) + self.relative(after)) * 0.5)
    }

    /// How fast the gap opens, or with which acceleration.
    #[inline]
    pub(in crate::dynamics) fn opening(&self, members: &[SolverBody]) -> f64 {
        self.normal.dot(members[self.b].linear - members[self.a].linear)
    }

    /// How much the normal part of b − a exceeds the least.
    #[inline]
    pub(in crate::dynamics) fn slack(&self, members: &[SolverBody]) -> f64 {
        self.opening(members) - self.bound
    }

    /// The tangential part of b − a at the point of contact.
    pub(in crate::dynamics) fn slip(&self, members: &[SolverBody]) -> DVec3 {
        let all = self.relative(members);
        all - self.normal * (self.normal.dot(all) / self.normal.length_squared())
    }
}

/// What a joint does to b; to a it does the opposite.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct ContactImpulse {
    /// Along the normal, N·s or N.
    pub(in crate::dynamics) normal: f64,
    /// Across the normal, N·s or N.
    pub(in crate::dynamics) tangential: DVec3,
}

impl ContactImpulse {
    /// The whole push at a joint with this normal, N·s or N.
    pub(in crate::dynamics) fn vector(&self, normal: DVec3) -> DVec3 {
        normal * self.normal + self.tangential
    }
}

/// The members with their new motion, and what brought it about.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::dynamics) struct Solution {
    pub(in crate::dynamics) members: Vec<SolverBody>,
    /// One for each joint. Where joints are redundant others would do as well; the motion is the same.
    pub(in crate::dynamics) pushes: Vec<ContactImpulse>,
    /// By how much the worst joint misses what it demands, or its motion what the pushes make of it, m/s or m/s².
    pub(in crate::dynamics) residual: f64,
}

impl Solution {
    /// Whether it is one, where what is missed is compared with `scale`, m/s or m/s².
    pub(in crate::dynamics) fn is_sound(&self, scale: f64) -> bool {
        self.residual <= UNSOUND * scale
    }

    /// Whether all joints are met, with the same scale: what is missed does not add up visibly.
    pub(in crate::dynamics) fn meets(&self, scale: f64) -> bool {
        self.residual <= COUPLED_TOLERANCE * scale
    }
}

/// No motion satisfies all joints; `joint` is one of those that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dynamics) struct Unsolvable {
    pub(in crate::dynamics) constraint: usize,
}

/// The larger of two misses; one that is no number, where pushes have grown without bound, stays in sight.
pub(in crate::dynamics) fn worse(most: f64, miss: f64) -> f64 {
    if most.is_nan() || miss <= most { most } else { miss }
}
