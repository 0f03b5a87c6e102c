//! The impact law of everything that closes at one instant.
//!
//! Closings that share a free body are one group. Without rebound its bodies would take the motion nearest to theirs
//! in which nothing closes (`coupled`); they get the pushes for that 1 + e times over, which for e = 1 reflects
//! the motion and keeps the energy (Smith, Kaufman, Vouga, Tamstorf, Grinspun, *Reflections on Simultaneous Impact*,
//! 2012, §4). Then tangential pushes, each at most μ times the normal one, stop the slips as far as they can (rough
//! spheres without tangential restitution: Walton, *Numerical simulation of inclined chute flows*, 1993). A lone
//! closing has the arithmetic of [`impact`](super::pair_law).
//!
//! The loss of one push is its work with the sign turned, and that is push times the mean of the relative velocities
//! before and after (Kelvin's theorem); with one e in the group no loss is negative.

use glam::DVec3;

use super::reflection::Group;

use super::pair_law::{Party, approach_speed, kept_power, resolve};
use crate::dynamics::solver;
use crate::dynamics::solver::{Joint, Member, Rub};
use crate::numeric::tolerance::PROJECTION_SLACK;

/// Two members that touch and close. At least one of them has a mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct Closing {
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
pub(in crate::dynamics) struct Blow {
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

/// Resolves all `closings` of one instant together; one blow for each. Some may close afterwards: that is another round.
///
/// Where bodies that keep their velocity squeeze a group, no motion is without closing. Then one closing of the group
/// is resolved, and the others get no blow.
pub(in crate::dynamics) fn reflect(members: &mut [Member], closings: &[Closing]) -> Vec<Blow> {
    let mut blows = vec![Blow::default(); closings.len()];
    for rows in groups(members, closings) {
        let squeezed = match rows[..] {
            [row] => Some(row),
            _ => Group::new(members, closings, &rows).reflect(members, &mut blows),
        };
        if let Some(row) = squeezed {
            let closing = &closings[row];
            let struck = strike([members[closing.a], members[closing.b]], closing);
            ([members[closing.a], members[closing.b]], blows[row]) = struck;
        }
    }
    blows
}

/// The rows of the closings, group by group, each in ascending order.
fn groups(members: &[Member], closings: &[Closing]) -> Vec<Vec<usize>> {
    if closings.len() == 1 {
        return vec![vec![0]];
    }
    let mut parents: Vec<usize> = (0..members.len()).collect();
    for closing in closings {
        if members[closing.a].inverse_mass > 0.0 && members[closing.b].inverse_mass > 0.0 {
            let (a, b) = (root(&mut parents, closing.a), root(&mut parents, closing.b));
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut place = vec![usize::MAX; members.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (row, closing) in closings.iter().enumerate() {
        let free = if members[closing.a].inverse_mass > 0.0 { closing.a } else { closing.b };
        let root = root(&mut parents, free);
        if place[root] == usize::MAX {
            place[root] = groups.len();
            groups.push(Vec::new());
        }
        groups[place[root]].push(row);
    }
    groups
}

/// The first of those that are one with `member`.
fn root(parents: &mut [usize], mut member: usize) -> usize {
    while parents[member] != member {
        parents[member] = parents[parents[member]];
        member = parents[member];
    }
    member
}

/// A closing on its own: its two members afterwards, and its blow.
#[inline(always)]
pub(in crate::dynamics) fn strike([a, b]: [Member; 2], closing: &Closing) -> ([Member; 2], Blow) {
    let (one, other) = (party(&a, DVec3::ZERO), party(&b, DVec3::ZERO));
    // Rounding may turn the slowest approach into none; it never pulls the bodies together.
    let speed = approach_speed(one, other, closing.normal).max(0.0);
    let outcome = resolve(one, other, closing.normal, speed, closing.restitution);
    let [linear_a, linear_b] = outcome.velocities;
    let members = [Member { linear: linear_a, ..a }, Member { linear: linear_b, ..b }];
    let blow = Blow {
        approach_speed: speed,
        impulse: outcome.impulse,
        normal_impulse: outcome.impulse,
        tangential: DVec3::ZERO,
        loss: outcome.dissipated,
        work: outcome.work,
    };
    if closing.friction > 0.0 {
        let (mut members, mut blow) = (members, blow);
        rub(&mut members, &[joint(closing, 0, 1)], &[closing.friction], std::slice::from_mut(&mut blow));
        return (members, blow);
    }
    (members, blow)
}

/// Adds the tangential pushes that the normal ones of `blows` allow. Slips that are rounding stay.
pub(super) fn rub(members: &mut [Member], joints: &[Joint], frictions: &[f64], blows: &mut [Blow]) {
    let slips = |members: &[Member]| -> Vec<DVec3> { joints.iter().map(|joint| joint.slip(members)).collect() };
    let before = slips(members);
    let visible = |(joint, slip): (&Joint, &DVec3)| {
        let ends = [(joint.a, joint.arms[0]), (joint.b, joint.arms[1])];
        let size = ends.map(|(member, arm)| members[member].at(arm).length());
        slip.length() > PROJECTION_SLACK * (size[0] + size[1])
    };
    let rubs = frictions.iter().any(|&friction| friction > 0.0);
    if !rubs || !joints.iter().zip(&before).any(visible) {
        return;
    }
    let most: Vec<f64> = blows.iter().zip(frictions).map(|(blow, friction)| friction * blow.normal_impulse).collect();
    let outside = members.to_vec();
    let pushes = solver::stop_slips(members, joints, &most);
    for ((((joint, blow), push), before), after) in joints.iter().zip(blows).zip(pushes).zip(before).zip(slips(members))
    {
        if push != DVec3::ZERO {
            blow.tangential = push;
            blow.impulse = (blow.normal_impulse * blow.normal_impulse + push.length_squared()).sqrt();
            blow.loss -= 0.5 * push.dot(before + after);
            blow.work += given(&outside, joint, push, 1.0);
        }
    }
}

/// The energy that bodies which keep their velocity give when b is pushed by `size` times `push`, and a against it.
pub(super) fn given(members: &[Member], joint: &Joint, push: DVec3, size: f64) -> f64 {
    let [a, b] = [(joint.a, joint.arms[0]), (joint.b, joint.arms[1])].map(|(row, arm)| party(&members[row], arm));
    kept_power(a, -push, size) + kept_power(b, push, size)
}

/// A member's point of contact.
fn party(member: &Member, arm: DVec3) -> Party {
    Party { velocity: member.at(arm), inverse_mass: member.inverse_mass }
}

pub(super) fn joint(closing: &Closing, a: usize, b: usize) -> Joint {
    let Closing { normal, arms, .. } = *closing;
    Joint { a, b, normal, arms, least: 0.0, holds: false, rub: Rub::Smooth }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::dynamics::impact) const FIXED: Member =
        Member { linear: DVec3::ZERO, angular: DVec3::ZERO, inverse_mass: 0.0, inverse_inertia: 0.0 };

    pub(in crate::dynamics::impact) fn member(linear: DVec3, mass: f64) -> Member {
        Member { linear, inverse_mass: 1.0 / mass, ..FIXED }
    }

    /// A solid ball of radius 1.
    pub(in crate::dynamics::impact) fn ball(linear: DVec3, angular: DVec3, mass: f64) -> Member {
        Member { linear, angular, inverse_mass: 1.0 / mass, inverse_inertia: 2.5 / mass }
    }

    pub(in crate::dynamics::impact) fn closing(a: usize, b: usize, normal: DVec3, restitution: f64) -> Closing {
        Closing { a, b, normal, arms: [DVec3::ZERO; 2], restitution, friction: 0.0 }
    }

    /// Two balls of radius 1; a floor's arm has no meaning.
    pub(in crate::dynamics::impact) fn rough(
        a: usize,
        b: usize,
        normal: DVec3,
        restitution: f64,
        friction: f64,
    ) -> Closing {
        Closing { a, b, normal, arms: [normal, -normal], restitution, friction }
    }

    fn kinetic(members: &[Member]) -> f64 {
        members.iter().filter(|m| m.inverse_mass > 0.0).map(Member::energy).sum()
    }

    /// Resolves, checks that the books balance, and returns the velocities.
    pub(in crate::dynamics::impact) fn after(
        mut members: Vec<Member>,
        closings: &[Closing],
    ) -> (Vec<Member>, Vec<Blow>) {
        let before = members.clone();
        let blows = reflect(&mut members, closings);
        let (loss, work): (f64, f64) = blows.iter().fold((0.0, 0.0), |s, blow| (s.0 + blow.loss, s.1 + blow.work));
        let scale = kinetic(&before) + kinetic(&members) + blows.iter().map(|blow| blow.work.abs()).sum::<f64>();
        let open = kinetic(&before) + work - kinetic(&members) - loss;
        // Roundings of energies of this size, a few for each blow.
        let grains = 16.0 * (closings.len() as f64 + 1.0);
        assert!(open.abs() <= grains * f64::EPSILON * scale, "{open:e} of {scale:e}: {before:?} {closings:?}");
        assert!(loss >= -grains * f64::EPSILON * scale, "{loss:e} gained: {before:?} {closings:?}");
        for (old, new) in before.iter().zip(&members).filter(|(old, _)| old.inverse_mass == 0.0) {
            assert_eq!(old, new);
        }
        (members, blows)
    }

    #[test]
    fn a_single_closing_has_the_bits_of_one_impact() {
        let normal = DVec3::new(2.0, -1.0, 2.0) / 3.0;
        for (mass, restitution) in [(0.3, 1.0), (7.1, 0.6), (1.0, 0.0)] {
            let members = vec![member(normal * 0.7 + DVec3::X, 1.3), member(-normal * 0.1, mass), FIXED];
            let [a, b] = [0, 1].map(|i: usize| party(&members[i], DVec3::ZERO));
            let outcome = resolve(a, b, normal, approach_speed(a, b, normal), restitution);
            let (found, blows) = after(members, &[closing(0, 1, normal, restitution)]);
            assert_eq!([found[0].linear, found[1].linear], outcome.velocities);
            assert_eq!((blows[0].impulse, blows[0].loss), (outcome.impulse, outcome.dissipated));
        }
    }

    #[test]
    fn groups_apart_do_not_know_of_each_other() {
        let z = DVec3::Z;
        let members = vec![FIXED, member(-z, 1.0), member(-z * 2.0, 3.0), member(-z * 3.0, 0.1)];
        let apart = [closing(0, 1, z, 0.5), closing(0, 2, z, 1.0), closing(0, 3, z, 0.0)];
        let (together, blows) = after(members.clone(), &apart);
        for row in 0..3 {
            let (alone, blow) = after(members.clone(), &apart[row..=row]);
            assert_eq!(together[row + 1], alone[row + 1]);
            assert_eq!(blows[row], blow[0]);
        }
    }

    #[test]
    fn a_rough_ball_sticks_or_slips() {
        let floor_normal = DVec3::Z;
        let (fall, along) = (2.0, 3.0);
        for (e, friction) in [0.0, 0.5, 1.0].into_iter().flat_map(|e| [0.05, 0.2, 0.4, 1.0, 100.0].map(|mu| (e, mu))) {
            let before = ball(DVec3::new(along, 0.0, -fall), DVec3::ZERO, 0.3);
            let (found, blows) = after(vec![FIXED, before], &[rough(0, 1, floor_normal, e, friction)]);
            let sticks = friction >= 2.0 / 7.0 * along / ((1.0 + e) * fall);
            let slower = if sticks { 2.0 / 7.0 * along } else { friction * (1.0 + e) * fall };
            // The push at the lowest point turns the ball: ω = (5/2) × speed lost / radius.
            let expected = [DVec3::new(along - slower, 0.0, e * fall), DVec3::Y * (2.5 * slower)];
            for (found, expected) in [found[1].linear, found[1].angular].into_iter().zip(expected) {
                assert!(
                    (found - expected).length() <= 8.0 * f64::EPSILON * along,
                    "{e} {friction}: {found} {expected}"
                );
            }
            assert!((blows[0].tangential.length() - 0.3 * slower).abs() <= 4.0 * f64::EPSILON * along);
            assert!(blows[0].loss > 0.0);
        }
    }

    #[test]
    fn a_ball_squeezed_by_two_walls_is_struck_by_one() {
        let walls = [Member { linear: DVec3::X, ..FIXED }, Member { linear: -DVec3::X, ..FIXED }];
        let closings = [closing(0, 2, DVec3::X, 1.0), closing(1, 2, -DVec3::X, 1.0)];
        let (found, blows) = after(vec![walls[0], walls[1], member(DVec3::ZERO, 1.0)], &closings);
        assert_eq!(found[2].linear.abs(), DVec3::X * 2.0);
        assert_eq!(blows.iter().filter(|blow| blow.impulse > 0.0).count(), 1);
    }
}
