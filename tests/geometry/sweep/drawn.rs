//! Random numbers and motions for properties of sweeps, and checks of the intervals that a sweep returns.

use carom::motion::Relative;
use carom::numeric::Intervals;
use glam::DVec3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

/// A number on a grid, a few ulps beside the grid, or of any magnitude up to 10 · 10^`power`.
pub(crate) fn number(power: i32) -> impl Strategy<Value = f64> {
    let grid = (-8i32..=8).prop_map(|n| f64::from(n) / 2.0);
    let wide = (-10.0..10.0f64, -6i32..=power).prop_map(|(x, power)| x * 10f64.powi(power));
    let near = (-8i32..=8, -3i64..=3).prop_map(|(n, ulps)| {
        let x = f64::from(n) / 2.0;
        (0..ulps.abs()).fold(x, |x, _| if ulps < 0 { x.next_down() } else { x.next_up() })
    });
    prop_oneof![4 => grid, 3 => wide, 2 => near, 1 => Just(-0.0)]
}

pub(crate) fn vector(power: i32) -> impl Strategy<Value = DVec3> {
    (number(power), number(power), number(power)).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

pub(crate) fn size() -> impl Strategy<Value = f64> {
    prop_oneof![3 => (1i32..=6).prop_map(|n| f64::from(n) / 2.0), 1 => 0.01..2.0f64, 1 => Just(1e-6), 1 => Just(100.0)]
}

pub(crate) fn motion(power: i32) -> impl Strategy<Value = Relative> {
    let acceleration = prop_oneof![Just(DVec3::ZERO), vector(power), Just(DVec3::NEG_Z * 10.0)];
    (vector(power), vector(power), acceleration).prop_map(|(position, velocity, acceleration)| Relative {
        position,
        velocity,
        acceleration,
    })
}

/// Whether `t` is in one of the pieces.
fn covers(found: &Intervals, t: f64) -> bool {
    found.as_slice().iter().any(|piece| piece.enter <= t && t <= piece.leave)
}

/// Compares the pieces with the separation, which is known to rounding: not positive inside, not negative outside, and
/// 0 at the ends of the pieces.
pub(crate) fn check_pieces(
    found: &Intervals,
    motion: &Relative,
    span: f64,
    separation: impl Fn(f64) -> f64,
    grain: impl Fn(f64) -> f64,
) -> Result<(), TestCaseError> {
    for step in 0..=64 {
        let t = span * f64::from(step) / 64.0;
        let (separation, grain) = (separation(t), grain(t));
        if covers(found, t) {
            prop_assert!(separation <= grain, "outside by {separation:e} at {t}: {found:?}");
        } else {
            prop_assert!(separation >= -grain, "missed {separation:e} at {t}: {found:?}");
        }
    }
    for two in found.as_slice().windows(2) {
        prop_assert!(two[0].leave <= two[1].enter, "{found:?}");
    }
    for piece in found.as_slice().iter().filter(|piece| piece.leave > 0.0) {
        for end in [piece.enter, piece.leave].into_iter().filter(|&end| end > 0.0 && end < 1e6) {
            // The error of a root is one or two ulps of the time.
            let moved = (motion.velocity_at(end).length() + motion.acceleration.length() * end) * end;
            let slack = grain(end) + 4.0 * f64::EPSILON * moved;
            let at_end = separation(end);
            prop_assert!(at_end.abs() <= slack, "{at_end:e} at the end {end}, allowed {slack:e}");
        }
    }
    Ok(())
}
