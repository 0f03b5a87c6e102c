//! The contact problem: its bodies, its constraints, and its solution.
//!
//! Linear and angular quantities are velocities in one use of the solver and accelerations in the other; impulses are
//! then forces.

use glam::DVec3;

use crate::dynamics::few::Few;
use crate::numeric::tolerance::{COUPLED_TOLERANCE, NEGLIGIBLE};

/// A body of the problem (a member).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct SolverBody {
    /// Velocity of the centre, m/s, or its acceleration, m/s².
    pub(in crate::dynamics) linear: DVec3,
    /// Angular velocity, rad/s, or its rate, rad/s².
    pub(in crate::dynamics) angular: DVec3,
    /// 1/kg; zero for a body of prescribed motion.
    pub(in crate::dynamics) inverse_mass: f64,
    /// 1/(kg·m²); zero for a body that does not rotate.
    pub(in crate::dynamics) inverse_inertia: f64,
}

impl SolverBody {
    /// The same body with another velocity and another spin.
    pub(in crate::dynamics) fn moving(self, [linear, angular]: [DVec3; 2]) -> Self {
        Self { linear, angular, ..self }
    }

    /// Kinetic energy of a body that has a mass, J.
    pub(in crate::dynamics) fn energy(&self) -> f64 {
        let turning =
            if self.inverse_inertia > 0.0 { self.angular.length_squared() / self.inverse_inertia } else { 0.0 };
        0.5 * (self.linear.length_squared() / self.inverse_mass + turning)
    }

    /// How much more kinetic energy it has than `other`, the same body with another velocity, J. The difference is
    /// computed from that of the velocities, so it has the rounding of the difference.
    pub(in crate::dynamics) fn energy_above(&self, other: &Self) -> f64 {
        let linear = (self.linear - other.linear).dot(self.linear + other.linear) / self.inverse_mass;
        let turning = (self.angular - other.angular).dot(self.angular + other.angular);
        0.5 * (linear + if self.inverse_inertia > 0.0 { turning / self.inverse_inertia } else { 0.0 })
    }

    /// The velocity (acceleration) of the point that lies at `arm` from the centre.
    pub(in crate::dynamics) fn at(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }
}

/// Friction against one mode at a contact. For rolling and spinning, the impulse is a couple, the slip is the angular
/// velocity of b relative to a, and `friction` is a length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) enum FrictionModel {
    None,
    /// The slip of b over a becomes `wanted` (tangential) if an impulse of at most `friction` times the normal one
    /// suffices. If not, it becomes as close to `wanted` as such an impulse allows.
    Coulomb {
        friction: f64,
        wanted: DVec3,
    },
    /// The slip becomes zero, without a limit on the impulse.
    Bilateral,
    /// b slides (turns) over a along the unit vector `direction`. Its tangential impulse is opposite to that,
    /// `friction` times the normal one.
    Kinetic {
        friction: f64,
        direction: DVec3,
    },
}

impl FrictionModel {
    /// Coulomb's law with this coefficient, for motion that is to end.
    pub(in crate::dynamics) fn holding(friction: f64) -> Self {
        Self::with(friction, DVec3::ZERO)
    }

    /// Coulomb's law with this coefficient, for motion that is to become `wanted`.
    pub(in crate::dynamics) fn with(friction: f64, wanted: DVec3) -> Self {
        if friction > 0.0 { Self::Coulomb { friction, wanted } } else { Self::None }
    }
}

/// No friction against any mode.
pub(in crate::dynamics) const SMOOTH: [FrictionModel; 3] = [FrictionModel::None; 3];

/// A contact between two members. The normal component of b − a becomes `bound` or more; the impulse is positive only
/// at `bound`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct ContactConstraint {
    pub(in crate::dynamics) a: usize,
    pub(in crate::dynamics) b: usize,
    /// Unit vector from a to b.
    pub(in crate::dynamics) normal: DVec3,
    /// From the centres of a and b to the contact point, m: along the normal for a ball, zero for a body that does not
    /// rotate. So the normal component does not depend on rotation.
    pub(in crate::dynamics) arms: [DVec3; 2],
    /// Smallest normal component of b − a, m/s or m/s².
    pub(in crate::dynamics) bound: f64,
    /// Equality: the normal component becomes exactly `bound`, and the impulse may be negative.
    pub(in crate::dynamics) holds: bool,
    /// Friction against each mode, in the order of [`Mode::ALL`](crate::dynamics::body::friction::Mode::ALL).
    pub(in crate::dynamics) friction: [FrictionModel; 3],
}

impl ContactConstraint {
    /// A contact without friction, which may open and may not close.
    pub(in crate::dynamics) fn smooth(a: usize, b: usize, normal: DVec3, arms: [DVec3; 2]) -> Self {
        Self { a, b, normal, arms, bound: 0.0, holds: false, friction: SMOOTH }
    }

    /// Whether nothing but the normal impulse acts.
    pub(in crate::dynamics) fn is_smooth(&self) -> bool {
        self.friction == SMOOTH
    }

    /// Whether friction resists rolling or spinning.
    pub(in crate::dynamics) fn resists_turning(&self) -> bool {
        self.friction[1..] != SMOOTH[1..]
    }

    /// Applies this impulse or force to b at the contact point, and the opposite one to a, N·s or N.
    pub(in crate::dynamics) fn give(&self, members: &mut [SolverBody], impulse: DVec3) {
        for (member, arm, impulse) in [(self.a, self.arms[0], -impulse), (self.b, self.arms[1], impulse)] {
            let member = &mut members[member];
            member.linear += impulse * member.inverse_mass;
            member.angular += arm.cross(impulse) * member.inverse_inertia;
        }
    }

    /// The velocity (acceleration) of b relative to a at the contact point.
    pub(in crate::dynamics) fn relative(&self, members: &[SolverBody]) -> DVec3 {
        members[self.b].at(self.arms[1]) - members[self.a].at(self.arms[0])
    }

    /// The energy that an impulse on b removes, J. By Kelvin's theorem, the work of an impulse is its product with the
    /// mean of the relative velocities before and after.
    pub(in crate::dynamics) fn loss(
        &self,
        impulse: &ContactImpulse,
        before: &[SolverBody],
        after: &[SolverBody],
    ) -> f64 {
        let straight = impulse.vector(self.normal).dot((self.relative(before) + self.relative(after)) * 0.5);
        -straight - impulse.couple.dot((self.turning(before) + self.turning(after)) * 0.5)
    }

    /// Opening speed or opening acceleration of the gap.
    #[inline]
    pub(in crate::dynamics) fn opening(&self, members: &[SolverBody]) -> f64 {
        self.normal.dot(members[self.b].linear - members[self.a].linear)
    }

    /// The normal component of b − a minus its bound.
    #[inline]
    pub(in crate::dynamics) fn slack(&self, members: &[SolverBody]) -> f64 {
        self.opening(members) - self.bound
    }
}

/// The impulse, or force, of a contact on b; on a it is the opposite.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct ContactImpulse {
    /// Along the normal, N·s or N.
    pub(in crate::dynamics) normal: f64,
    /// Tangential, N·s or N.
    pub(in crate::dynamics) tangential: DVec3,
    /// The couple against rolling and spinning, N·m·s or N·m.
    pub(in crate::dynamics) couple: DVec3,
}

impl ContactImpulse {
    /// The whole impulse at a contact with this normal, N·s or N.
    pub(in crate::dynamics) fn vector(&self, normal: DVec3) -> DVec3 {
        normal * self.normal + self.tangential
    }

    /// The impulse divided by a number.
    pub(in crate::dynamics) fn over(&self, divisor: f64) -> Self {
        Self { normal: self.normal / divisor, tangential: self.tangential / divisor, couple: self.couple / divisor }
    }

    /// The impulse times a factor.
    pub(in crate::dynamics) fn scaled(&self, factor: f64) -> Self {
        Self { normal: self.normal * factor, tangential: self.tangential * factor, couple: self.couple * factor }
    }
}

/// Distributes the energy `all` that impulses remove together over their constraints. `losses` has the energy that each
/// removes ([`ContactConstraint::loss`]) and gets the shares. Where others push two bodies apart, an impulse between
/// them adds energy; then its share is zero.
pub(in crate::dynamics) fn distribute(losses: &mut [f64], all: f64) {
    let positive: f64 = losses.iter().map(|loss| loss.max(0.0)).sum();
    if positive > 0.0 {
        losses.iter_mut().for_each(|loss| *loss = loss.max(0.0) * (all / positive));
    }
}

/// The members with their new velocities, and the impulses that cause them.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::dynamics) struct Solution {
    pub(in crate::dynamics) members: Few<SolverBody>,
    /// One per constraint. Where constraints are redundant, the impulses are not unique; the velocities are.
    pub(in crate::dynamics) impulses: Few<ContactImpulse>,
    /// The largest residual of a constraint, or the largest difference between the velocities and those computed from
    /// the impulses, m/s or m/s².
    pub(in crate::dynamics) residual: f64,
    /// Whether the iteration converged, if there was one.
    pub(in crate::dynamics) is_solved: bool,
}

impl Solution {
    /// Whether it is a solution at all: the residual is compared with `scale`, m/s or m/s².
    pub(in crate::dynamics) fn is_sound(&self, scale: f64) -> bool {
        self.residual <= NEGLIGIBLE * scale
    }

    /// Whether all constraints are met, compared with the same scale: residuals do not add up visibly.
    pub(in crate::dynamics) fn meets(&self, scale: f64) -> bool {
        self.residual <= COUPLED_TOLERANCE * scale
    }
}

/// No velocities satisfy all constraints; `constraint` is one of those that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dynamics) struct Unsolvable {
    pub(in crate::dynamics) constraint: usize,
}

/// The larger of two residuals. NaN, where impulses have grown without bound, is the largest.
pub(in crate::dynamics) fn worse(most: f64, residual: f64) -> f64 {
    if most.is_nan() || residual <= most { most } else { residual }
}
