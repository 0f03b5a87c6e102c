//! Small heaps: bodies poured into a box overlap nowhere and gain no energy.

mod common;

use carom::dynamics::Body;
use common::scene::{Run, ball, cuboid, plane, settings};
use glam::DVec3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// Edge of the room that each body has to itself at the start, m.
const CELL: f64 = 0.6;

/// A floor and four walls, open above, three cells wide.
fn open_box() -> Vec<Body> {
    let wide = 1.5 * CELL;
    vec![plane(Z, 0.0), plane(X, -wide), plane(-X, -wide), plane(Y, -wide), plane(-Y, -wide)]
}

/// The middle of a cell of a lattice of nine to a layer.
fn cell(n: usize) -> DVec3 {
    DVec3::new((n % 3) as f64 - 1.0, (n / 3 % 3) as f64 - 1.0, (n / 9) as f64 + 0.5) * CELL
}

/// A ball or a box of half width up to 0.25 m, off the middle of its cell by up to 0.05 m.
fn body() -> impl Strategy<Value = Body> {
    let half = prop::array::uniform3(0.05..0.25f64);
    let place = prop::array::uniform3(-0.05..0.05f64);
    let velocity = prop::array::uniform3(-1.0..1.0f64);
    (any::<bool>(), half, place, velocity, 0.1..10.0f64).prop_map(|(round, half, place, velocity, mass)| {
        let body = if round { ball(half[0], mass) } else { cuboid(DVec3::from_array(half), mass) };
        body.at(DVec3::from_array(place)).moving(DVec3::from_array(velocity))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 50, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn a_heap_overlaps_nowhere_and_gains_no_energy(
        poured in prop::collection::vec(body(), 2..=6), restitution in 0.0..0.9f64,
    ) {
        let mut bodies = open_box();
        bodies.extend(poured.into_iter().enumerate().map(|(n, body)| {
            let place = cell(n) + body.position;
            body.at(place)
        }));
        let smallest = bodies.iter().map(|body| body.shape.half_extents().min_element()).fold(f64::INFINITY, f64::min);
        let mut run = Run::new(&settings(Z * -10.0, restitution, 0.0), &bodies);
        let (start, mut energy) = (run.energy(), run.energy());
        // On curved surfaces the weights' work over a rest length goes to and fro.
        let allowed = 1e-12 * start + 2.0 * run.stepper.balance().mass * 10.0 * run.stepper.settings().rest_length;
        let mut told = Vec::new();
        for look in 1..=100 {
            told.extend(run.until(0.05 * f64::from(look)));
            prop_assert!(run.overlap() <= 1e-9, "{:e} at look {look}", run.overlap());
            let now = run.energy();
            prop_assert!(now <= energy + allowed, "{:e} J more at look {look}", now - energy);
            energy = now;
        }
        prop_assert!(run.stepper.audit().deepest <= 1e-9 * smallest, "{:e}", run.stepper.audit().deepest);
        run.check_books(1e-12 * 1000.0, "heap");
        run.check_losses(&told, "heap");
    }
}
