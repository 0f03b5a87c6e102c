//! One approaching pair as input of the impact law, and the result of its impulse.
//!
//! The impact law works on [`SolverBody`]s, by their place in a list, and on [`ImpactConstraint`]s between them.
//! Tangential impulses (Coulomb friction) and couples (rolling and spinning friction) are added here, after the normal
//! impulses are known.

use glam::DVec3;

use super::pair_law::{ContactPoint, work_of};
use crate::dynamics::body::friction::{Frictions, Mode};
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::few::Few;
use crate::dynamics::solver;
use crate::dynamics::solver::{ContactConstraint, SolverBody};
use crate::numeric::tolerance::PROJECTION_SLACK;

/// An approaching pair, by the places of its two solver bodies. At least one of them has a mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct ImpactConstraint {
    pub(in crate::dynamics) a: usize,
    pub(in crate::dynamics) b: usize,
    /// Unit vector from a to b.
    pub(in crate::dynamics) normal: DVec3,
    /// From the centres of a and b to the contact point, m: along the normal for a ball, zero for a body that does not
    /// rotate.
    pub(in crate::dynamics) arms: [DVec3; 2],
    pub(in crate::dynamics) restitution: f64,
    pub(in crate::dynamics) frictions: Frictions,
}

/// The impulse of one impact constraint, and its effect on the energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::dynamics) struct ImpulseResult {
    /// Before the impact, m/s.
    pub(in crate::dynamics) approach_speed: f64,
    /// Magnitude of the whole impulse, N·s.
    pub(in crate::dynamics) impulse: f64,
    /// Impulse on b along the normal, N·s.
    pub(in crate::dynamics) normal_impulse: f64,
    /// Impulse on b tangential to the contact, N·s.
    pub(in crate::dynamics) tangential: DVec3,
    /// Energy turned into heat, J. The losses of a group add up to the loss of the group.
    pub(in crate::dynamics) loss: f64,
    /// Energy that bodies of prescribed velocity give to free bodies, J.
    pub(in crate::dynamics) work: f64,
}

/// Adds the tangential impulses and the couples that the normal impulses in `results` allow. If all slip and turning
/// are below rounding, nothing changes.
pub(in crate::dynamics) fn apply_friction(
    members: &mut [SolverBody],
    constraints: &[ContactConstraint],
    frictions: &[Frictions],
    results: &mut [ImpulseResult],
) {
    if !frictions.iter().any(Frictions::act) {
        return;
    }
    let before: Few<SolverBody> = Few::from_slice(members);
    let visible = |(constraint, frictions): (&ContactConstraint, &Frictions)| {
        let ends = [(constraint.a, constraint.arms[0]), (constraint.b, constraint.arms[1])];
        let size = ends.map(|(member, arm)| before[member].at(arm).length());
        let slip = constraint.slip(&before).length();
        let turning = constraint.turning(&before).length() * constraint.lever(Mode::Rolling);
        let seen = if frictions.resist_turning() { slip.max(turning) } else { slip };
        seen > PROJECTION_SLACK * (size[0] + size[1])
    };
    if !constraints.iter().zip(frictions).any(visible) {
        return;
    }
    let most: Few<Frictions> =
        results.iter().zip(frictions).map(|(result, frictions)| frictions.times(result.normal_impulse)).collect();
    let impulses = solver::stop_modes(members, constraints, &most);
    for ((constraint, result), impulse) in constraints.iter().zip(results).zip(impulses) {
        let tangential = impulse.tangential;
        if tangential != DVec3::ZERO {
            result.tangential = tangential;
            result.impulse = (result.normal_impulse * result.normal_impulse + tangential.length_squared()).sqrt();
            result.loss -= 0.5 * tangential.dot(constraint.slip(&before) + constraint.slip(members));
            result.work += outside_work(&before, constraint, tangential, 1.0);
        }
        if impulse.couple != DVec3::ZERO {
            result.loss -= 0.5 * impulse.couple.dot(constraint.turning(&before) + constraint.turning(members));
        }
    }
}

/// The energy that bodies of prescribed velocity give, J, when an impulse of `size` along `direction` acts on b and its
/// opposite on a.
pub(in crate::dynamics) fn outside_work(
    members: &[SolverBody],
    constraint: &ContactConstraint,
    direction: DVec3,
    size: f64,
) -> f64 {
    let [a, b] = [(constraint.a, constraint.arms[0]), (constraint.b, constraint.arms[1])]
        .map(|(row, arm)| contact_point(&members[row], arm));
    work_of(a, -direction, size) + work_of(b, direction, size)
}

/// The impact as a frictionless contact constraint between the solver bodies `a` and `b`.
pub(in crate::dynamics) fn constraint(impact: &ImpactConstraint, a: usize, b: usize) -> ContactConstraint {
    ContactConstraint::smooth(a, b, impact.normal, impact.arms)
}

/// Two bodies that approach each other at the present, in contact or about to overlap.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct ImpactContact {
    pub(in crate::dynamics) pair: Pair,
    pub(in crate::dynamics) meeting: Meeting,
    /// Approach speed, m/s.
    pub(in crate::dynamics) speed: f64,
    /// The row of their contact, if they were in contact before.
    pub(in crate::dynamics) row: Option<u32>,
    /// Whether they separate with a rebound. If not, a contact begins.
    pub(in crate::dynamics) rebounds: bool,
    /// Whether there is no rebound because too many impacts followed one another (inelastic collapse).
    pub(in crate::dynamics) collapse: bool,
}

/// A solver body's velocity at the contact point, and its inverse mass.
pub(in crate::dynamics) fn contact_point(member: &SolverBody, arm: DVec3) -> ContactPoint {
    ContactPoint { velocity: member.at(arm), inverse_mass: member.inverse_mass }
}
