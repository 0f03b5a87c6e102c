//! A closing pair as the impact law sees it, and what its impulse did.

use glam::DVec3;

use super::pair_law::{Party, kept_power};
use crate::dynamics::body::pair::Pair;
use crate::dynamics::prediction::pair_event::Meeting;
use crate::dynamics::solver;
use crate::dynamics::solver::{ContactConstraint, FrictionModel, SolverBody};
use crate::numeric::tolerance::PROJECTION_SLACK;

/// Two members that touch and close. At least one of them has a mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct ImpactConstraint {
    pub(in crate::dynamics) a: usize,
    pub(in crate::dynamics) b: usize,
    /// Unit vector from a to b.
    pub(in crate::dynamics) normal: DVec3,
    /// From the centres of a and b to the contact, m: along the normal for a ball, zero for what does not turn.
    pub(in crate::dynamics) arms: [DVec3; 2],
    pub(in crate::dynamics) restitution: f64,
    pub(in crate::dynamics) friction: f64,
}

/// What happened at one closing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::dynamics) struct ImpulseResult {
    /// Before, m/s.
    pub(in crate::dynamics) approach_speed: f64,
    /// Size of the whole impulse, N·s.
    pub(in crate::dynamics) impulse: f64,
    /// Impulse on b along the normal, N·s.
    pub(in crate::dynamics) normal_impulse: f64,
    /// Impulse on b across the normal, N·s.
    pub(in crate::dynamics) tangential: DVec3,
    /// Energy turned into heat, J. All losses of a group sum to what it loses.
    pub(in crate::dynamics) loss: f64,
    /// Energy that bodies which keep their velocity put into those that do not, J.
    pub(in crate::dynamics) work: f64,
}

/// Adds the tangential pushes that the normal ones of `blows` allow. Slips that are rounding stay.
pub(in crate::dynamics) fn apply_friction(
    members: &mut [SolverBody],
    constraints: &[ContactConstraint],
    frictions: &[f64],
    results: &mut [ImpulseResult],
) {
    let slips = |members: &[SolverBody]| -> Vec<DVec3> {
        constraints.iter().map(|constraint| constraint.slip(members)).collect()
    };
    let before = slips(members);
    let visible = |(constraint, slip): (&ContactConstraint, &DVec3)| {
        let ends = [(constraint.a, constraint.arms[0]), (constraint.b, constraint.arms[1])];
        let size = ends.map(|(member, arm)| members[member].at(arm).length());
        slip.length() > PROJECTION_SLACK * (size[0] + size[1])
    };
    let rubs = frictions.iter().any(|&friction| friction > 0.0);
    if !rubs || !constraints.iter().zip(&before).any(visible) {
        return;
    }
    let most: Vec<f64> =
        results.iter().zip(frictions).map(|(result, friction)| friction * result.normal_impulse).collect();
    let outside = members.to_vec();
    let pushes = solver::stop_slips(members, constraints, &most);
    for ((((constraint, result), push), before), after) in
        constraints.iter().zip(results).zip(pushes).zip(before).zip(slips(members))
    {
        if push != DVec3::ZERO {
            result.tangential = push;
            result.impulse = (result.normal_impulse * result.normal_impulse + push.length_squared()).sqrt();
            result.loss -= 0.5 * push.dot(before + after);
            result.work += given(&outside, constraint, push, 1.0);
        }
    }
}

/// The energy that bodies which keep their velocity give when b is pushed by `size` times `push`, and a against it.
pub(in crate::dynamics) fn given(
    members: &[SolverBody],
    constraint: &ContactConstraint,
    push: DVec3,
    size: f64,
) -> f64 {
    let [a, b] = [(constraint.a, constraint.arms[0]), (constraint.b, constraint.arms[1])]
        .map(|(row, arm)| party(&members[row], arm));
    kept_power(a, -push, size) + kept_power(b, push, size)
}

pub(in crate::dynamics) fn constraint(closing: &ImpactConstraint, a: usize, b: usize) -> ContactConstraint {
    let ImpactConstraint { normal, arms, .. } = *closing;
    ContactConstraint { a, b, normal, arms, bound: 0.0, holds: false, friction: FrictionModel::None }
}

/// Two bodies that close on each other at the present.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct ImpactContact {
    pub(in crate::dynamics) pair: Pair,
    pub(in crate::dynamics) meeting: Meeting,
    /// m/s.
    pub(in crate::dynamics) speed: f64,
    /// Their contact, if they touched before.
    pub(in crate::dynamics) row: Option<u32>,
    pub(in crate::dynamics) rebounds: bool,
    /// It has no rebound because there would be too many.
    pub(in crate::dynamics) collapse: bool,
}

/// A member's point of contact.
pub(in crate::dynamics) fn party(member: &SolverBody, arm: DVec3) -> Party {
    Party { velocity: member.at(arm), inverse_mass: member.inverse_mass }
}
