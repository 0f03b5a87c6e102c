//! The impact law for all pairs that approach at one instant.
//!
//! Impacts that share a free body are one group. Without rebound, the velocities of a group would become the nearest
//! ones in which no pair approaches (see [`solver`](crate::dynamics::solver)). The group gets 1 + e times the impulses
//! for that. With e = 1 this reflects the velocities and keeps the energy (Smith, Kaufman, Vouga, Tamstorf, Grinspun,
//! *Reflections on Simultaneous Impact*, 2012, §4). Then tangential impulses, each at most μ times the normal one,
//! reduce the slips as far as they can (rough spheres without tangential restitution: Walton, *Numerical simulation of
//! inclined chute flows*, 1993), together with couples of at most a friction length times the normal impulse against
//! rolling and spinning. A single impact uses the arithmetic of [`pair_law`](super::pair_law).
//!
//! The loss of one impulse is its negative work: the impulse times the mean of the relative velocities before and after
//! (Kelvin's theorem). In a group, an impulse between two bodies that the others push apart adds energy. So the loss of
//! a group is distributed over its impacts in proportion to the positive ones ([`distribute`]).
//!
//! [`distribute`]: crate::dynamics::solver::problem::distribute

use glam::DVec3;

use super::constraint::{ImpactConstraint, ImpulseResult, apply_friction, constraint, contact_point};
use super::pair_law::{approach_speed, resolve};
use super::reflection::Group;
use crate::dynamics::few::Few;
use crate::dynamics::solver::SolverBody;
use crate::numeric::connected::{connect, root};

/// Resolves all impacts of one instant together and returns one result for each. Some pairs may approach afterwards;
/// they are resolved in another round.
///
/// If bodies of prescribed velocity squeeze a group, there are no velocities without approach. Then one impact of the
/// group is resolved, and the others have no impulse.
pub(in crate::dynamics) fn reflect(members: &mut [SolverBody], impacts: &[ImpactConstraint]) -> Few<ImpulseResult> {
    let mut results = Few::from_elem(ImpulseResult::default(), impacts.len());
    for rows in groups(members, impacts) {
        let squeezed = match rows[..] {
            [row] => Some(row),
            _ => Group::new(members, impacts, &rows).reflect(members, &mut results),
        };
        if let Some(row) = squeezed {
            let impact = &impacts[row];
            let struck = resolve_pair([members[impact.a], members[impact.b]], impact);
            ([members[impact.a], members[impact.b]], results[row]) = struck;
        }
    }
    results
}

/// The rows of the impacts, group by group, each in ascending order.
fn groups(members: &[SolverBody], impacts: &[ImpactConstraint]) -> Few<Few<usize>> {
    let mut parents: Few<usize> = (0..members.len()).collect();
    for impact in impacts {
        if members[impact.a].inverse_mass > 0.0 && members[impact.b].inverse_mass > 0.0 {
            connect(&mut parents, impact.a, impact.b);
        }
    }
    let mut place: Few<usize> = Few::from_elem(usize::MAX, members.len());
    let mut groups: Few<Few<usize>> = Few::new();
    for (row, impact) in impacts.iter().enumerate() {
        let free = if members[impact.a].inverse_mass > 0.0 { impact.a } else { impact.b };
        let root = root(&mut parents, free);
        if place[root] == usize::MAX {
            place[root] = groups.len();
            groups.push(Few::new());
        }
        groups[place[root]].push(row);
    }
    groups
}

/// The velocities after a single impact, and its result.
#[inline(always)]
pub(in crate::dynamics) fn resolve_pair(
    [a, b]: [SolverBody; 2],
    impact: &ImpactConstraint,
) -> ([SolverBody; 2], ImpulseResult) {
    let (one, other) = (contact_point(&a, DVec3::ZERO), contact_point(&b, DVec3::ZERO));
    // Rounding may make the speed of a very slow approach negative. The impulse must not be negative.
    let speed = approach_speed(one, other, impact.normal).max(0.0);
    let outcome = resolve(one, other, impact.normal, speed, impact.restitution);
    let [linear_a, linear_b] = outcome.velocities;
    let members = [SolverBody { linear: linear_a, ..a }, SolverBody { linear: linear_b, ..b }];
    let result = ImpulseResult {
        approach_speed: speed,
        impulse: outcome.impulse,
        normal_impulse: outcome.impulse,
        tangential: DVec3::ZERO,
        loss: outcome.dissipated,
        work: outcome.work,
    };
    if impact.frictions.act() {
        let (mut members, mut result) = (members, result);
        apply_friction(
            &mut members,
            &[constraint(impact, 0, 1)],
            &[impact.frictions],
            std::slice::from_mut(&mut result),
        );
        return (members, result);
    }
    (members, result)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::dynamics::body::friction::Frictions;

    pub(in crate::dynamics::impact) const FIXED: SolverBody =
        SolverBody { linear: DVec3::ZERO, angular: DVec3::ZERO, inverse_mass: 0.0, inverse_inertia: 0.0 };

    pub(in crate::dynamics::impact) fn member(linear: DVec3, mass: f64) -> SolverBody {
        SolverBody { linear, inverse_mass: 1.0 / mass, ..FIXED }
    }

    /// A solid ball of radius 1.
    pub(in crate::dynamics::impact) fn ball(linear: DVec3, angular: DVec3, mass: f64) -> SolverBody {
        SolverBody { linear, angular, inverse_mass: 1.0 / mass, inverse_inertia: 2.5 / mass }
    }

    pub(in crate::dynamics::impact) fn impact(a: usize, b: usize, normal: DVec3, restitution: f64) -> ImpactConstraint {
        ImpactConstraint { a, b, normal, arms: [DVec3::ZERO; 2], restitution, frictions: Frictions::default() }
    }

    /// Two balls of radius 1. The arm of a fixed body has no effect.
    pub(in crate::dynamics::impact) fn rough(
        a: usize,
        b: usize,
        normal: DVec3,
        restitution: f64,
        friction: f64,
    ) -> ImpactConstraint {
        ImpactConstraint { a, b, normal, arms: [normal, -normal], restitution, frictions: Frictions::sliding(friction) }
    }

    fn kinetic(members: &[SolverBody]) -> f64 {
        members.iter().filter(|m| m.inverse_mass > 0.0).map(SolverBody::energy).sum()
    }

    /// Resolves the impacts, checks the energy balance, and returns the velocities.
    pub(in crate::dynamics::impact) fn after(
        mut members: Vec<SolverBody>,
        impacts: &[ImpactConstraint],
    ) -> (Vec<SolverBody>, Few<ImpulseResult>) {
        let before = members.clone();
        let results = reflect(&mut members, impacts);
        let (loss, work): (f64, f64) =
            results.iter().fold((0.0, 0.0), |s, result| (s.0 + result.loss, s.1 + result.work));
        let scale = kinetic(&before) + kinetic(&members) + results.iter().map(|result| result.work.abs()).sum::<f64>();
        let open = kinetic(&before) + work - kinetic(&members) - loss;
        // Roundings of energies of this size, some per impact.
        let roundings = 16.0 * (impacts.len() as f64 + 1.0);
        assert!(open.abs() <= roundings * f64::EPSILON * scale, "{open:e} of {scale:e}: {before:?} {impacts:?}");
        assert!(loss >= -roundings * f64::EPSILON * scale, "{loss:e} gained: {before:?} {impacts:?}");
        for (old, new) in before.iter().zip(&members).filter(|(old, _)| old.inverse_mass == 0.0) {
            assert_eq!(old, new);
        }
        (members, results)
    }

    #[test]
    fn a_single_closing_has_the_bits_of_one_impact() {
        let normal = DVec3::new(2.0, -1.0, 2.0) / 3.0;
        for (mass, restitution) in [(0.3, 1.0), (7.1, 0.6), (1.0, 0.0)] {
            let members = vec![member(normal * 0.7 + DVec3::X, 1.3), member(-normal * 0.1, mass), FIXED];
            let [a, b] = [0, 1].map(|i: usize| contact_point(&members[i], DVec3::ZERO));
            let outcome = resolve(a, b, normal, approach_speed(a, b, normal), restitution);
            let (found, results) = after(members, &[impact(0, 1, normal, restitution)]);
            assert_eq!([found[0].linear, found[1].linear], outcome.velocities);
            assert_eq!((results[0].impulse, results[0].loss), (outcome.impulse, outcome.dissipated));
        }
    }

    #[test]
    fn separate_groups_are_independent() {
        let z = DVec3::Z;
        let members = vec![FIXED, member(-z, 1.0), member(-z * 2.0, 3.0), member(-z * 3.0, 0.1)];
        let apart = [impact(0, 1, z, 0.5), impact(0, 2, z, 1.0), impact(0, 3, z, 0.0)];
        let (together, results) = after(members.clone(), &apart);
        for row in 0..3 {
            let (alone, result) = after(members.clone(), &apart[row..=row]);
            assert_eq!(together[row + 1], alone[row + 1]);
            assert_eq!(results[row], result[0]);
        }
    }

    #[test]
    fn a_ball_squeezed_by_two_walls_is_struck_by_one() {
        let walls = [SolverBody { linear: DVec3::X, ..FIXED }, SolverBody { linear: -DVec3::X, ..FIXED }];
        let impacts = [impact(0, 2, DVec3::X, 1.0), impact(1, 2, -DVec3::X, 1.0)];
        let (found, results) = after(vec![walls[0], walls[1], member(DVec3::ZERO, 1.0)], &impacts);
        assert_eq!(found[2].linear.abs(), DVec3::X * 2.0);
        assert_eq!(results.iter().filter(|result| result.impulse > 0.0).count(), 1);
    }
}
