//! Bodies that touch one another: what their velocities (or accelerations) become when no contact may close.
//!
//! Among all motions that satisfy every joint the bodies take the one nearest to their free motion, as their masses
//! measure it (Gauss's principle of least constraint); the pushes are its multipliers, so a joint that opens does not
//! push (Acary & Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5 and 12). Without
//! friction and with few joints [`active`] finds it in a bounded number of steps, to rounding. Friction is no such
//! minimum, and many joints are too many for a dense matrix: then [`sweep`] goes from joint to joint.

mod active;
mod joint;
mod polish;
mod sweep;
mod touch;

pub(super) use active::JOINTS_MAX;
pub(super) use joint::{Joint, Member, Rub};

use glam::DVec3;

use touch::Touch;

use crate::numeric::tolerance::{COUPLED_TOLERANCE, PROJECTION_SLACK};

/// By how much a joint may be missed before a problem counts as one without a solution, relative to what moves it.
const UNSOUND: f64 = 1.0 / 1_048_576.0;

/// What a joint does to b; to a it does the opposite.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Push {
    /// Along the normal, N·s or N.
    pub(super) normal: f64,
    /// Across the normal, N·s or N.
    pub(super) tangential: DVec3,
}

impl Push {
    /// The whole push at a joint with this normal, N·s or N.
    pub(super) fn vector(&self, normal: DVec3) -> DVec3 {
        normal * self.normal + self.tangential
    }
}

/// The members with their new motion, and what brought it about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solution {
    pub(super) members: Vec<Member>,
    /// One for each joint. Where joints are redundant others would do as well; the motion is the same.
    pub(super) pushes: Vec<Push>,
    /// By how much the worst joint misses what it demands, or its motion what the pushes make of it, m/s or m/s².
    pub(super) residual: f64,
}

impl Solution {
    /// Whether it is one, where what is missed is compared with `scale`, m/s or m/s².
    pub(super) fn is_sound(&self, scale: f64) -> bool {
        self.residual <= UNSOUND * scale
    }

    /// Whether all joints are met, with the same scale: what is missed does not add up visibly.
    pub(super) fn meets(&self, scale: f64) -> bool {
        self.residual <= COUPLED_TOLERANCE * scale
    }
}

/// No motion satisfies all joints; `joint` is one of those that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unsolvable {
    pub(super) joint: usize,
}

/// Solves the problem; `start` are the pushes to begin with, one for each joint, or none.
pub(super) fn solve(members: &[Member], joints: &[Joint], start: &[Push]) -> Result<Solution, Unsolvable> {
    let mut touch = Touch::new(members, joints);
    let mut few = joints.len() <= active::JOINTS_MAX;
    if few && let Err(unsolvable) = active::solve(&mut touch) {
        if !standing_still_will_do(members, joints) {
            return Err(unsolvable);
        }
        // So there is a solution; joints that are all but redundant have hidden it.
        (touch, few) = (Touch::new(members, joints), false);
    }
    let smooth = joints.iter().all(|joint| joint.rub == Rub::Smooth);
    if !(few && smooth) {
        touch.begin(start, !few);
        let tolerance = if few { PROJECTION_SLACK } else { COUPLED_TOLERANCE };
        let solved = sweep::solve(&mut touch, members, tolerance);
        // Where standing still will do, what is left is rounding between joints that are all but redundant.
        if !standing_still_will_do(members, joints) {
            solved?;
        }
    }
    let solution = touch.solution();
    let residual =
        if few && smooth { solution.residual } else { worse(solution.residual, drift(&solution, members, joints)) };
    Ok(Solution { residual, ..solution })
}

/// By how much motions differ from what the pushes make of `free`, at the joint where it is most: rounding, unless pushes
/// have grown without bound on the way. Then they leave motions behind when they fall again, and spin at a joint that slides
/// is in nobody's way.
fn drift(solution: &Solution, free: &[Member], joints: &[Joint]) -> f64 {
    let mut members = free.to_vec();
    for (joint, push) in joints.iter().zip(&solution.pushes) {
        joint.give(&mut members, push.vector(joint.normal));
    }
    let off = |joint: &Joint| (joint.relative(&solution.members) - joint.relative(&members)).length();
    joints.iter().map(off).fold(0.0, worse)
}

/// The larger of two misses; one that is no number, where pushes have grown without bound, stays in sight.
fn worse(most: f64, miss: f64) -> f64 {
    if most.is_nan() || miss <= most { most } else { miss }
}

/// Whether no motion at all satisfies some joints, few and without friction, and which of them is in the way.
pub(super) fn contradiction(members: &[Member], joints: &[Joint]) -> Option<usize> {
    if standing_still_will_do(members, joints) {
        return None;
    }
    let solved = active::solve(&mut Touch::new(members, joints));
    solved.err().map(|unsolvable| unsolvable.joint)
}

/// Whether all joints are satisfied if nothing moves.
fn standing_still_will_do(members: &[Member], joints: &[Joint]) -> bool {
    let stands = |member: &Member| member.inverse_mass > 0.0 || member.linear == DVec3::ZERO;
    members.iter().all(stands) && joints.iter().all(|joint| joint.least <= 0.0)
}

/// Stops the slips of the `joints` as far as tangential pushes of at most `most` can, and says what they are.
///
/// Of all such pushes they leave the members the least energy.
pub(super) fn stop_slips(members: &mut [Member], joints: &[Joint], most: &[f64]) -> Vec<DVec3> {
    let mut touch = Touch::new(members, joints);
    sweep::stop_slips(&mut touch, most);
    let solution = touch.solution();
    members.copy_from_slice(&solution.members);
    solution.pushes.iter().map(|push| push.tangential).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Member = Member { linear: DVec3::ZERO, angular: DVec3::ZERO, inverse_mass: 0.0, inverse_inertia: 0.0 };
    const G: f64 = 9.81;

    fn body(linear: DVec3, mass: f64) -> Member {
        Member { linear, angular: DVec3::ZERO, inverse_mass: 1.0 / mass, inverse_inertia: 0.0 }
    }

    fn joint(a: usize, b: usize, normal: DVec3) -> Joint {
        Joint { a, b, normal, arms: [DVec3::ZERO; 2], least: 0.0, holds: false, rub: Rub::Smooth }
    }

    fn falling(mass: f64) -> Member {
        body(-DVec3::Z * G, mass)
    }

    /// Grains of the largest number given, in which an answer may be off.
    fn near(found: DVec3, expected: DVec3, scale: f64, grains: f64) -> bool {
        (found - expected).length() <= grains * f64::EPSILON * scale
    }

    #[test]
    fn one_joint_on_an_axis_is_exact() {
        for mass in [1e-6, 0.1, 0.3, 1.0, 7.7, 1e6] {
            let floor = solve(&[FLOOR, falling(mass)], &[joint(0, 1, DVec3::Z)], &[]).unwrap();
            assert_eq!(floor.members[1].linear, DVec3::ZERO, "{mass}");
            assert!((floor.pushes[0].normal - mass * G).abs() <= 4.0 * f64::EPSILON * mass * G, "{mass}");
            // Equal masses share what they have.
            let pair = solve(&[body(DVec3::X, mass), body(DVec3::ZERO, mass)], &[joint(0, 1, DVec3::X)], &[]).unwrap();
            assert_eq!([0, 1].map(|i: usize| pair.members[i].linear), [DVec3::X * 0.5; 2], "{mass}");
        }
    }

    #[test]
    fn stacks_rest_whatever_their_masses() {
        let rising = |i: usize| 1000.0_f64.powf(i as f64 / 29.0);
        let ratios: [&dyn Fn(usize) -> f64; 5] = [
            &|_| 1.0,
            &|i| if i % 2 == 0 { 1.0 } else { 1000.0 },
            &|i| if i % 2 == 1 { 1.0 } else { 1000.0 },
            &rising,
            &|i| 1.0 / rising(i),
        ];
        for (case, mass) in ratios.iter().enumerate() {
            let members: Vec<Member> = std::iter::once(FLOOR).chain((0..30).map(|i| falling(mass(i)))).collect();
            let joints: Vec<Joint> = (0..30).map(|i| joint(i, i + 1, DVec3::Z)).collect();
            let solution = solve(&members, &joints, &[]).unwrap();
            for (i, member) in solution.members.iter().enumerate() {
                assert!(near(member.linear, DVec3::ZERO, G, 1.0), "{case}: {i} {}", member.linear);
            }
            for (row, push) in solution.pushes.iter().enumerate() {
                let weight: f64 = (row..30).map(|i| mass(i) * G).sum();
                assert!((push.normal - weight).abs() <= 1e-12 * weight, "{case}: {row} {} {weight}", push.normal);
            }
        }
    }

    #[test]
    fn a_vice_has_no_answer() {
        let vice = [joint(0, 1, DVec3::Z), Joint { least: 1.0, ..joint(1, 2, DVec3::Z) }];
        let found = solve(&[FLOOR, falling(2.0), FLOOR], &vice, &[]);
        assert!(found.is_err(), "{found:?}");
    }

    /// Balls in a grid of `side` × `side` towers, each held by walls and its neighbours: `layers` of them, of masses
    /// that alternate.
    fn towers(side: usize, layers: usize, rub: Rub) -> (Vec<Member>, Vec<Joint>) {
        let name = |i: usize, j: usize, layer: usize| 1 + (layer * side + i) * side + j;
        let (mut members, mut joints) = (vec![FLOOR], Vec::new());
        for (layer, i, j) in (0..layers).flat_map(|l| (0..side).flat_map(move |i| (0..side).map(move |j| (l, i, j)))) {
            members.push(falling(1.0 + ((layer + 2 * i + 3 * j) % 5) as f64));
            let below = if layer == 0 { 0 } else { name(i, j, layer - 1) };
            let mut touching = vec![(below, DVec3::Z)];
            if layer > 0 && i > 0 {
                touching.push((name(i - 1, j, layer - 1), DVec3::new(0.6, 0.0, 0.8)));
            }
            touching.extend([if i == 0 { (0, DVec3::X) } else { (name(i - 1, j, layer), DVec3::X) }]);
            touching.extend((i + 1 == side).then_some((0, -DVec3::X)));
            joints.extend(touching.iter().map(|&(a, n)| Joint { rub, ..joint(a, name(i, j, layer), n) }));
        }
        (members, joints)
    }

    const STICKS: Rub = Rub::Sticks { friction: 0.3, wanted: DVec3::ZERO };

    #[test]
    fn heaps_rest() {
        for (side, layers, rub) in [(3, 4, Rub::Smooth), (3, 4, STICKS), (6, 12, Rub::Smooth), (6, 12, STICKS)] {
            let (members, joints) = towers(side, layers, rub);
            let few = joints.len() <= active::JOINTS_MAX;
            let tolerance = if few { PROJECTION_SLACK } else { COUPLED_TOLERANCE };
            let solution = solve(&members, &joints, &[]).unwrap();
            assert!(solution.residual <= tolerance * G, "{side} {layers}: {}", solution.residual);
            // What is missed adds up over the layers.
            let fastest = solution.members.iter().map(|m| m.linear.length()).fold(0.0, f64::max);
            assert!(fastest <= (layers * layers) as f64 * tolerance * G, "{side} {layers}: {fastest:e}");
            let again = solve(&members, &joints, &solution.pushes).unwrap();
            assert!(again.residual <= tolerance * G);
        }
    }

    #[test]
    fn a_vice_in_a_heap_is_found() {
        for rub in [Rub::Smooth, STICKS] {
            let (mut members, mut joints) = towers(6, 12, rub);
            let (lower, upper) = (members.len() - 1, members.len());
            members.push(Member { linear: -DVec3::Z, ..FLOOR });
            joints.push(joint(lower, upper, DVec3::Z));
            let squeezed = solve(&members, &joints, &[]).expect_err("the last tower is squeezed").joint;
            // The towers of one j lean on each other, and on no others.
            assert!(joints[squeezed].b % 6 == 0 || joints[squeezed].b == upper, "{squeezed}");
        }
    }

    #[test]
    fn redundant_contacts_are_one() {
        let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
        let corner = [x, y, z, x, y, z];
        let slope = DVec3::new(0.0, -0.6, 0.8);
        let rows: [(&[DVec3], DVec3, DVec3); 5] = [
            (&[z; 4], -z * G, DVec3::ZERO),
            (&[z; 5], DVec3::new(1.0, 2.0, -G), DVec3::new(1.0, 2.0, 0.0)),
            (&corner, DVec3::new(-1.0, -2.0, -3.0), DVec3::ZERO),
            (&[slope; 5], -z * 10.0, DVec3::new(0.0, -4.8, -3.6)),
            (&[z, x], DVec3::new(1.0, 0.0, -G), x),
        ];
        for (normals, free, expected) in rows {
            let joints: Vec<Joint> = normals.iter().map(|&normal| joint(0, 1, normal)).collect();
            let solution = solve(&[FLOOR, body(free, 0.3)], &joints, &[]).unwrap();
            assert!(
                near(solution.members[1].linear, expected, 10.0, 2.0),
                "{normals:?} {}",
                solution.members[1].linear
            );
            assert!(solution.pushes.iter().all(|push| push.normal >= 0.0));
        }
    }

    #[test]
    fn what_holds_may_pull() {
        let held = Joint { holds: true, ..joint(0, 1, DVec3::Z) };
        for lift in [-3.0, 0.0, 3.0] {
            let solution = solve(&[FLOOR, body(DVec3::new(1.0, 0.0, lift), 2.0)], &[held], &[]).unwrap();
            assert_eq!(solution.members[1].linear, DVec3::X);
            assert_eq!(solution.pushes[0].normal, -2.0 * lift);
        }
    }

    #[test]
    fn friction_has_its_closed_forms() {
        // A block on a slope of 3 : 4 : 5, and a solid ball of radius 1 that rolls down the same.
        let (normal, along) = (DVec3::new(0.0, -0.6, 0.8), DVec3::new(0.0, -0.8, -0.6));
        let block = body(-DVec3::Z * 10.0, 0.7);
        let ball = Member { inverse_inertia: 2.5 / 0.7, ..block };
        let rolling = 6.0 * 5.0 / 7.0;
        let sticks = |friction| Rub::Sticks { friction, wanted: DVec3::ZERO };
        let slides = Rub::Slides { friction: 0.5, direction: along };
        let rows = [
            (block, 0.0, sticks(0.76), 0.0),
            (block, 0.0, sticks(0.5), 6.0 - 0.5 * 8.0),
            (block, 0.0, slides, 2.0),
            (ball, 1.0, sticks(0.25), rolling),
            (ball, 1.0, sticks(0.1), 6.0 - 0.8),
            (block, 0.0, Rub::Sticks { friction: 9.0, wanted: along * 2.5 }, 2.5),
        ];
        for (member, radius, rub, expected) in rows {
            let rough = Joint { rub, arms: [DVec3::ZERO, normal * -radius], ..joint(0, 1, normal) };
            let solution = solve(&[FLOOR, member], &[rough], &[]).unwrap();
            let found = solution.members[1].linear;
            assert!(near(found, along * expected, 10.0, 4.0), "{rub:?}: {found}");
        }
    }
}
