//! The impact law of one pair: the velocities after an impact.
//!
//! Newton's law of restitution along the normal; momentum is conserved and the tangential velocities do not change
//! (Goldsmith, *Impact*, 1960, ch. 1). A body of prescribed velocity has an inverse mass of zero, and the same formulas
//! hold.

use glam::DVec3;

use crate::numeric::exact::product;

/// One of the two bodies just before the impact.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct ContactPoint {
    /// m/s.
    pub(in crate::dynamics) velocity: DVec3,
    /// 1/kg; zero for a body of prescribed velocity.
    pub(in crate::dynamics) inverse_mass: f64,
}

/// The result of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) struct Outcome {
    /// Velocities after the impact, of `a` and of `b`, m/s.
    pub(in crate::dynamics) velocities: [DVec3; 2],
    /// Magnitude of the impulse, N·s.
    pub(in crate::dynamics) impulse: f64,
    /// Kinetic energy turned into heat, J.
    pub(in crate::dynamics) dissipated: f64,
    /// Energy that bodies of prescribed velocity give to free bodies, J.
    pub(in crate::dynamics) work: f64,
}

/// The approach speed of `a` and `b` along `normal`, the unit vector from `a` to `b`, m/s.
#[inline(always)]
pub(in crate::dynamics) fn approach_speed(a: ContactPoint, b: ContactPoint, normal: DVec3) -> f64 {
    (a.velocity - b.velocity).dot(normal)
}

/// Resolves an impact with approach speed `speed`, m/s, and restitution `restitution`.
///
/// At least one of the two bodies has a mass.
#[inline(always)]
pub(in crate::dynamics) fn resolve(
    a: ContactPoint,
    b: ContactPoint,
    normal: DVec3,
    speed: f64,
    restitution: f64,
) -> Outcome {
    let compliance = a.inverse_mass + b.inverse_mass;
    // Dividing by n·n, which is 1 to rounding, keeps the energy of many impacts from drifting with that rounding. A
    // plain quotient would drift too, by a seventh of it: n·n itself is rounded, and more coarsely above 1 than below.
    let jump = (1.0 + restitution) * speed;
    let jump = jump - jump * length_excess(normal);
    let [jump_a, jump_b] = shared(jump, a.inverse_mass, b.inverse_mass);
    let impulse = jump / compliance;
    Outcome {
        velocities: [a.velocity - normal * jump_a, b.velocity + normal * jump_b],
        impulse,
        dissipated: 0.5 * (1.0 - restitution * restitution) * speed * speed / compliance,
        work: work_of(a, -normal, impulse) + work_of(b, normal, impulse),
    }
}

/// n·n − 1, exact to far below the rounding of 1.
#[inline]
fn length_excess(normal: DVec3) -> f64 {
    let squares = [normal.x, normal.y, normal.z].map(|x| product(x, x));
    let [x, y, z] = squares.map(|(high, _)| high);
    let low = squares[0].1 + squares[1].1 + squares[2].1;
    let [x, y] = ordered(x, y);
    let [large, z] = ordered(x, z);
    let [next, last] = ordered(y, z);
    // The sum starts at −1 and adds the larger terms first, so that hardly anything is rounded.
    (((large - 1.0) + next) + last) + low
}

/// The larger of two numbers, then the smaller. The order is unpredictable, so the code has no branch.
#[inline]
fn ordered(x: f64, y: f64) -> [f64; 2] {
    [if x > y { x } else { y }, if x > y { y } else { x }]
}

/// The velocity jump, divided in proportion to the inverse masses; exact for equal masses and for a wall.
///
/// The larger part is the difference of the jump and the smaller part. Two rounded quotients would miss the sum by the
/// same rounding at every impact of the same two bodies, and their energy would drift. With the difference, the
/// rounding error varies from impact to impact.
#[inline]
fn shared(jump: f64, a: f64, b: f64) -> [f64; 2] {
    if a <= b {
        let smaller = jump * (a / (a + b));
        [smaller, jump - smaller]
    } else {
        let smaller = jump * (b / (a + b));
        [jump - smaller, smaller]
    }
}

/// The work that a body of prescribed velocity does on the other, J. `direction` is that of the impulse on it.
#[inline]
pub(in crate::dynamics) fn work_of(contact_point: ContactPoint, direction: DVec3, impulse: f64) -> f64 {
    if contact_point.inverse_mass == 0.0 { -impulse * direction.dot(contact_point.velocity) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact_point(velocity: DVec3, mass: f64) -> ContactPoint {
        ContactPoint { velocity, inverse_mass: if mass.is_finite() { 1.0 / mass } else { 0.0 } }
    }

    fn kinetic(parties: [ContactPoint; 2]) -> f64 {
        parties
            .iter()
            .filter(|p| p.inverse_mass > 0.0)
            .map(|p| 0.5 * p.velocity.length_squared() / p.inverse_mass)
            .sum()
    }

    #[test]
    fn equal_masses_exchange_their_velocities_exactly() {
        for mass in [0.1, 1.0, 3.0, 7.3e-5] {
            let (a, b) = (contact_point(DVec3::X * 0.3, mass), contact_point(DVec3::ZERO, mass));
            let outcome = resolve(a, b, DVec3::X, 0.3, 1.0);
            assert_eq!(outcome.velocities, [DVec3::ZERO, DVec3::X * 0.3], "{mass}");
        }
    }

    #[test]
    fn unequal_masses_do_not_drift() {
        // A million impacts of the same two bodies, alternately on both sides, as of a light body inside a heavy one.
        let (mut a, mut b) = (contact_point(DVec3::X, 3.0), contact_point(-DVec3::X, 7.0));
        let start = kinetic([a, b]);
        for _ in 0..1_000_000 {
            let speed = approach_speed(a, b, DVec3::X);
            let normal = if speed > 0.0 { DVec3::X } else { -DVec3::X };
            let after = resolve(a, b, normal, speed.abs(), 1.0).velocities;
            (a.velocity, b.velocity) = (after[0], after[1]);
        }
        let drift = (kinetic([a, b]) - start).abs() / start;
        // A random walk of a million steps of half a rounding.
        assert!(drift < 1000.0 * f64::EPSILON, "{drift:e}");
    }

    #[test]
    fn momentum_energy_and_restitution_hold() {
        let oblique = DVec3::new(2.0, -1.0, 2.0) / 3.0;
        let masses = [1e-6, 0.5, 1.0, 1e6, f64::INFINITY];
        for (mass_a, mass_b) in masses.iter().flat_map(|&a| masses.map(|b| (a, b))) {
            for restitution in [0.0, 0.3, 0.95, 1.0] {
                if mass_a.is_infinite() && mass_b.is_infinite() {
                    continue;
                }
                let (a, b) = (
                    contact_point(DVec3::new(3.0, 1.0, 0.5), mass_a),
                    contact_point(DVec3::new(-1.0, 0.25, 0.5), mass_b),
                );
                let speed = approach_speed(a, b, oblique);
                let outcome = resolve(a, b, oblique, speed, restitution);
                let [after_a, after_b] = outcome.velocities;
                let after = [ContactPoint { velocity: after_a, ..a }, ContactPoint { velocity: after_b, ..b }];
                let separation_speed = -approach_speed(after[0], after[1], oblique);
                assert!((separation_speed - restitution * speed).abs() < 1e-14);
                // Eight roundings of energies of this size.
                let scale = kinetic([a, b]) + outcome.work.abs();
                let book = kinetic(after) - kinetic([a, b]) + outcome.dissipated - outcome.work;
                assert!(book.abs() <= 8.0 * f64::EPSILON * scale, "{book:e} of {scale:e}, masses {mass_a} {mass_b}");
                if mass_a.is_finite() && mass_b.is_finite() {
                    let momentum = (after_a - a.velocity) * mass_a + (after_b - b.velocity) * mass_b;
                    assert!(momentum.length() <= 8.0 * f64::EPSILON * (mass_a.max(mass_b) * 4.0));
                }
            }
        }
    }
}
