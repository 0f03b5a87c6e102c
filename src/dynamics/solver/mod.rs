//! The contact solver: velocities (or accelerations) of bodies in contact with which no contact closes.
//!
//! Among all velocities that satisfy the constraints, the solution is the nearest to the free ones, in the metric of
//! the masses (Gauss's principle of least constraint). The impulses are the multipliers, so a contact that opens has no
//! impulse (Acary & Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5 and 12). Without
//! friction and with few constraints, [`active_set`] finds it in a bounded number of steps, to rounding. Coulomb
//! friction is not such a minimum, and many constraints are too many for a dense matrix; these are solved by
//! [`gauss_seidel`].

mod active_set;
mod friction;
mod gauss_seidel;
mod newton;
pub(super) mod problem;
mod refinement;
mod state;

pub(super) use problem::{ContactConstraint, FrictionModel, SMOOTH, SolverBody};

use glam::DVec3;

use crate::dynamics::body::friction::{Frictions, Mode};
use crate::dynamics::few::Few;
use crate::numeric::tolerance::{CONSTRAINTS_MAX, COUPLED_AIM, PROJECTION_SLACK};
use problem::{ContactImpulse, Solution, Unsolvable, worse};
use state::SolverState;

/// Solves the problem.
///
/// # Errors
/// [`Unsolvable`] if constraints contradict each other.
pub(super) fn solve(members: &[SolverBody], constraints: &[ContactConstraint]) -> Result<Solution, Unsolvable> {
    solve_from(members, constraints, &[], true)
}

/// The same from the initial impulses `start` (warm start), one per constraint, or none. Where no solution is needed
/// and the iteration does not converge, no contradiction is searched for.
pub(super) fn solve_from(
    members: &[SolverBody],
    constraints: &[ContactConstraint],
    start: &[ContactImpulse],
    is_needed: bool,
) -> Result<Solution, Unsolvable> {
    let (mut state, mut is_solved) = (SolverState::new(members, constraints), true);
    let mut few = constraints.len() <= CONSTRAINTS_MAX;
    if few && let Err(unsolvable) = active_set::solve(&mut state) {
        if !zero_motion_is_solution(members, constraints) {
            return Err(unsolvable);
        }
        // A solution exists; it was not found because of nearly redundant constraints.
        (state, few) = (SolverState::new(members, constraints), false);
    }
    let is_exact = few && constraints.iter().all(ContactConstraint::is_smooth);
    if !is_exact {
        state.begin(start, !few);
        let goal = if few { PROJECTION_SLACK } else { COUPLED_AIM } * state.turning_scale();
        is_solved = gauss_seidel::solve(&mut state, goal);
    }
    if !is_solved && is_needed {
        let found = gauss_seidel::find_contradiction(&mut state, members);
        // Where zero motion is a solution, the residual is rounding between nearly redundant constraints.
        if !zero_motion_is_solution(members, constraints) {
            found?;
        }
    }
    let solution = state.solution();
    let drift = if is_exact { 0.0 } else { drift(&solution, members, constraints) };
    Ok(Solution { residual: worse(solution.residual, drift), is_solved, ..solution })
}

/// The largest difference at a constraint between the velocities of the solution and those computed from `free` and the
/// impulses. Usually it is a rounding error. If impulses have become very large during the iteration, their larger
/// rounding errors stay in the velocities when the impulses decrease again. For example, no constraint removes a spin
/// at a sliding contact.
fn drift(solution: &Solution, free: &[SolverBody], constraints: &[ContactConstraint]) -> f64 {
    let mut members: Few<SolverBody> = Few::from_slice(free);
    for (constraint, impulse) in constraints.iter().zip(&solution.impulses) {
        constraint.give(&mut members, impulse.vector(constraint.normal));
        constraint.give_against(&mut members, impulse.couple, Mode::Rolling);
    }
    let off = |constraint: &ContactConstraint| {
        (constraint.relative(&solution.members) - constraint.relative(&members)).length()
    };
    constraints.iter().map(off).fold(0.0, worse)
}

/// Whether zero motion satisfies all constraints.
fn zero_motion_is_solution(members: &[SolverBody], constraints: &[ContactConstraint]) -> bool {
    let stands = |member: &SolverBody| member.inverse_mass > 0.0 || member.linear == DVec3::ZERO;
    members.iter().all(stands) && constraints.iter().all(|constraint| constraint.bound <= 0.0)
}

/// Reduces slip, rolling and spinning of the `constraints` as far as impulses of at most `most` (N·s, N·m·s) can;
/// returns these impulses.
///
/// Of all such impulses, these leave the members with the least energy.
pub(super) fn stop_modes(
    members: &mut [SolverBody],
    constraints: &[ContactConstraint],
    most: &[Frictions],
) -> Few<ContactImpulse> {
    let mut state = SolverState::new(members, constraints);
    gauss_seidel::stop_modes(&mut state, most);
    let solution = state.solution();
    if !most.iter().any(Frictions::resist_turning) {
        members.copy_from_slice(&solution.members);
        return solution.impulses;
    }
    // Slip and rolling of one contact settle in many rounds, with many roundings. So the velocities are computed from
    // the impulses.
    for (constraint, impulse) in constraints.iter().zip(&solution.impulses) {
        constraint.give(members, impulse.tangential);
        constraint.give_against(members, impulse.couple, Mode::Rolling);
    }
    solution.impulses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tolerance::COUPLED_TOLERANCE;

    const FLOOR: SolverBody =
        SolverBody { linear: DVec3::ZERO, angular: DVec3::ZERO, inverse_mass: 0.0, inverse_inertia: 0.0 };
    const G: f64 = 9.81;

    fn body(linear: DVec3, mass: f64) -> SolverBody {
        SolverBody { linear, angular: DVec3::ZERO, inverse_mass: 1.0 / mass, inverse_inertia: 0.0 }
    }

    fn constraint(a: usize, b: usize, normal: DVec3) -> ContactConstraint {
        ContactConstraint::smooth(a, b, normal, [DVec3::ZERO; 2])
    }

    fn rough(slip: FrictionModel, constraint: ContactConstraint) -> ContactConstraint {
        ContactConstraint { friction: [slip, FrictionModel::None, FrictionModel::None], ..constraint }
    }

    fn falling(mass: f64) -> SolverBody {
        body(-DVec3::Z * G, mass)
    }

    /// `roundings` is the largest error, in roundings of `scale`.
    fn near(found: DVec3, expected: DVec3, scale: f64, roundings: f64) -> bool {
        (found - expected).length() <= roundings * f64::EPSILON * scale
    }

    #[test]
    fn one_constraint_on_an_axis_is_exact() {
        for mass in [1e-6, 0.1, 0.3, 1.0, 7.7, 1e6] {
            let floor = solve(&[FLOOR, falling(mass)], &[constraint(0, 1, DVec3::Z)]).unwrap();
            assert_eq!(floor.members[1].linear, DVec3::ZERO, "{mass}");
            assert!((floor.impulses[0].normal - mass * G).abs() <= 4.0 * f64::EPSILON * mass * G, "{mass}");
            // Equal masses share their momentum.
            let pair = solve(&[body(DVec3::X, mass), body(DVec3::ZERO, mass)], &[constraint(0, 1, DVec3::X)]).unwrap();
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
            let members: Vec<SolverBody> = std::iter::once(FLOOR).chain((0..30).map(|i| falling(mass(i)))).collect();
            let constraints: Vec<ContactConstraint> = (0..30).map(|i| constraint(i, i + 1, DVec3::Z)).collect();
            let solution = solve(&members, &constraints).unwrap();
            for (i, member) in solution.members.iter().enumerate() {
                assert!(near(member.linear, DVec3::ZERO, G, 1.0), "{case}: {i} {}", member.linear);
            }
            for (row, impulse) in solution.impulses.iter().enumerate() {
                let weight: f64 = (row..30).map(|i| mass(i) * G).sum();
                assert!((impulse.normal - weight).abs() <= 1e-12 * weight, "{case}: {row} {} {weight}", impulse.normal);
            }
        }
    }

    #[test]
    fn a_vice_has_no_solution() {
        let vice = [constraint(0, 1, DVec3::Z), ContactConstraint { bound: 1.0, ..constraint(1, 2, DVec3::Z) }];
        let found = solve(&[FLOOR, falling(2.0), FLOOR], &vice);
        assert!(found.is_err(), "{found:?}");
    }

    /// A grid of `side` × `side` towers of balls in `layers`, with different masses. Walls and neighbours support them.
    fn towers(side: usize, layers: usize, friction: FrictionModel) -> (Vec<SolverBody>, Vec<ContactConstraint>) {
        let name = |i: usize, j: usize, layer: usize| 1 + (layer * side + i) * side + j;
        let (mut members, mut constraints) = (vec![FLOOR], Vec::new());
        for (layer, i, j) in (0..layers).flat_map(|l| (0..side).flat_map(move |i| (0..side).map(move |j| (l, i, j)))) {
            members.push(falling(1.0 + ((layer + 2 * i + 3 * j) % 5) as f64));
            let below = if layer == 0 { 0 } else { name(i, j, layer - 1) };
            let mut touching = vec![(below, DVec3::Z)];
            if layer > 0 && i > 0 {
                touching.push((name(i - 1, j, layer - 1), DVec3::new(0.6, 0.0, 0.8)));
            }
            touching.extend([if i == 0 { (0, DVec3::X) } else { (name(i - 1, j, layer), DVec3::X) }]);
            touching.extend((i + 1 == side).then_some((0, -DVec3::X)));
            constraints.extend(touching.iter().map(|&(a, n)| rough(friction, constraint(a, name(i, j, layer), n))));
        }
        (members, constraints)
    }

    const STICKS: FrictionModel = FrictionModel::Coulomb { friction: 0.3, wanted: DVec3::ZERO };

    #[test]
    fn heaps_rest() {
        for (side, layers, friction) in
            [(3, 4, FrictionModel::None), (3, 4, STICKS), (6, 12, FrictionModel::None), (6, 12, STICKS)]
        {
            let (members, constraints) = towers(side, layers, friction);
            let few = constraints.len() <= CONSTRAINTS_MAX;
            let tolerance = if few { PROJECTION_SLACK } else { COUPLED_TOLERANCE };
            let solution = solve(&members, &constraints).unwrap();
            assert!(solution.residual <= tolerance * G, "{side} {layers}: {}", solution.residual);
            // Residuals add up over the layers.
            let fastest = solution.members.iter().map(|m| m.linear.length()).fold(0.0, f64::max);
            assert!(fastest <= (layers * layers) as f64 * tolerance * G, "{side} {layers}: {fastest:e}");
            let again = solve_from(&members, &constraints, &solution.impulses, true).unwrap();
            assert!(again.residual <= tolerance * G);
        }
    }

    /// A power of two changes no digit. So the results would differ if the solver contained any absolute speed.
    #[test]
    fn slow_motion_is_solved_as_exactly_as_fast_motion() {
        for (side, layers, friction) in [(2, 3, FrictionModel::None), (2, 3, STICKS), (6, 12, STICKS)] {
            let (members, constraints) = towers(side, layers, friction);
            let usual = solve(&members, &constraints).unwrap();
            for factor in [0.5_f64.powi(30), 0.5_f64.powi(9), 2.0_f64.powi(12)] {
                let scaled = |member: &SolverBody| SolverBody { linear: member.linear * factor, ..*member };
                let slow: Vec<SolverBody> = members.iter().map(scaled).collect();
                let solution = solve(&slow, &constraints).unwrap();
                let expected: Vec<SolverBody> = usual.members.iter().map(scaled).collect();
                assert!(solution.members[..] == expected[..], "{side} {layers} {factor}");
            }
        }
    }

    #[test]
    fn a_vice_in_a_heap_is_found() {
        for friction in [FrictionModel::None, STICKS] {
            let (mut members, mut constraints) = towers(6, 12, friction);
            let (lower, upper) = (members.len() - 1, members.len());
            members.push(SolverBody { linear: -DVec3::Z, ..FLOOR });
            constraints.push(constraint(lower, upper, DVec3::Z));
            let squeezed = solve(&members, &constraints).expect_err("the last tower is squeezed").constraint;
            // Towers with the same j are in contact with each other, and with no others.
            assert!(constraints[squeezed].b % 6 == 0 || constraints[squeezed].b == upper, "{squeezed}");
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
            let constraints: Vec<ContactConstraint> = normals.iter().map(|&normal| constraint(0, 1, normal)).collect();
            let solution = solve(&[FLOOR, body(free, 0.3)], &constraints).unwrap();
            let found = solution.members[1].linear;
            assert!(near(found, expected, 10.0, 2.0), "{normals:?} {found}");
            assert!(solution.impulses.iter().all(|impulse| impulse.normal >= 0.0));
        }
    }

    #[test]
    fn what_holds_may_pull() {
        let held = ContactConstraint { holds: true, ..constraint(0, 1, DVec3::Z) };
        for lift in [-3.0, 0.0, 3.0] {
            let solution = solve(&[FLOOR, body(DVec3::new(1.0, 0.0, lift), 2.0)], &[held]).unwrap();
            assert_eq!(solution.members[1].linear, DVec3::X);
            assert_eq!(solution.impulses[0].normal, -2.0 * lift);
        }
    }

    #[test]
    fn friction_has_its_closed_forms() {
        // A block on a slope of 3 : 4 : 5, and a solid ball of radius 1 that rolls down the same slope.
        let (normal, along) = (DVec3::new(0.0, -0.6, 0.8), DVec3::new(0.0, -0.8, -0.6));
        let block = body(-DVec3::Z * 10.0, 0.7);
        let ball = SolverBody { inverse_inertia: 2.5 / 0.7, ..block };
        let rolling = 6.0 * 5.0 / 7.0;
        let sticks = |friction| FrictionModel::Coulomb { friction, wanted: DVec3::ZERO };
        let slides = FrictionModel::Kinetic { friction: 0.5, direction: along };
        let rows = [
            (block, 0.0, sticks(0.76), 0.0),
            (block, 0.0, sticks(0.5), 6.0 - 0.5 * 8.0),
            (block, 0.0, slides, 2.0),
            (ball, 1.0, sticks(0.25), rolling),
            (ball, 1.0, sticks(0.1), 6.0 - 0.8),
            (block, 0.0, FrictionModel::Coulomb { friction: 9.0, wanted: along * 2.5 }, 2.5),
        ];
        for (member, radius, friction, expected) in rows {
            let touch = ContactConstraint { arms: [DVec3::ZERO, normal * -radius], ..constraint(0, 1, normal) };
            let solution = solve(&[FLOOR, member], &[rough(friction, touch)]).unwrap();
            let found = solution.members[1].linear;
            assert!(near(found, along * expected, 10.0, 4.0), "{friction:?}: {found}");
        }
    }

    #[test]
    fn couples_have_their_closed_forms() {
        // A solid ball of radius 1 on a slope of 3 : 4 : 5: it rolls with (6 − 8 δ)/(1 + 2/5), or rests. About the
        // normal it is slowed by 5/2 τ N/m.
        let (normal, along) = (DVec3::new(0.0, -0.6, 0.8), DVec3::new(0.0, -0.8, -0.6));
        let ball = SolverBody { inverse_inertia: 2.5 / 0.7, ..body(-DVec3::Z * 10.0, 0.7) };
        for (rolling, spinning) in [(0.1, 0.01), (0.7, 0.2), (0.76, 0.0), (5.0, 0.3)] {
            let spin = 3.0;
            let turning = SolverBody { angular: normal * spin, ..ball };
            let friction = [2.0, rolling, spinning].map(FrictionModel::holding);
            let constraint = ContactConstraint { friction, arms: [DVec3::ZERO, -normal], ..constraint(0, 1, normal) };
            let solution = solve(&[FLOOR, turning], &[constraint]).unwrap();
            let expected = f64::max(6.0 - 8.0 * rolling, 0.0) / 1.4;
            assert!(near(solution.members[1].linear, along * expected, 10.0, 32.0), "{rolling}: {solution:?}");
            let left = f64::max(spin - 2.5 * spinning * 8.0, 0.0);
            let angular = normal.cross(along) * expected + normal * left;
            assert!(near(solution.members[1].angular, angular, 10.0, 32.0), "{rolling} {spinning}: {solution:?}");
        }
    }
}
