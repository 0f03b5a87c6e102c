//! A scene in a uniformly moving frame is the same scene, with the same impacts at the same times.

use carom::dynamics::{Body, Event};
use carom::motion::SimTime;
use glam::DVec3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::common::scene::{Run, ball, cuboid, plane, settings};

/// Edge of the cell of each body at the start, m.
const CELL: f64 = 1.0;
/// The number of bodies along an edge of the chamber.
const SIDE: usize = 3;

/// Six walls that move with the frame.
fn walls(frame: DVec3) -> Vec<Body> {
    let wide = 0.5 * CELL * SIDE as f64;
    let normals = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let wall = |normal| plane(normal, -wide);
    normals
        .map(|normal| if frame == DVec3::ZERO { wall(normal) } else { wall(normal).kinematic().moving(frame) })
        .collect()
}

fn body(n: usize) -> impl Strategy<Value = Body> {
    let cell = DVec3::new((n % SIDE) as f64, (n / SIDE % SIDE) as f64, (n / SIDE / SIDE) as f64) - 1.0;
    let (half, spin) = (prop::array::uniform3(0.15..0.4f64), prop::array::uniform3(-5.0..5.0f64));
    (any::<bool>(), half, prop::array::uniform3(-1.5..1.5f64), spin, 0.1..10.0f64).prop_map(
        move |(round, half, velocity, spin, mass)| {
            let body = if round { ball(half[0], mass) } else { cuboid(DVec3::from_array(half), mass) };
            body.at(cell * CELL).moving(DVec3::from_array(velocity)).spinning(DVec3::from_array(spin))
        },
    )
}

fn bodies() -> impl Strategy<Value = Vec<Body>> {
    (0..SIDE * SIDE * SIDE).map(body).collect::<Vec<_>>()
}

fn events(run: &mut Run, seconds: f64) -> Vec<Event> {
    run.stepper.advance(SimTime::from_seconds(seconds), usize::MAX).unwrap();
    run.stepper.take_events()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn a_frame_that_moves_uniformly_sees_the_same_meetings(
        bodies in bodies(), frame in prop::array::uniform3(-30.0..30.0f64), restitution in 0.5..1.0f64,
        friction in prop_oneof![Just(0.0), 0.0..1.0f64],
    ) {
        let (frame, seconds) = (DVec3::from_array(frame), 0.5);
        let settings = settings(DVec3::ZERO, restitution, friction);
        let seen = |frame: DVec3| {
            let moving = bodies.iter().map(|body| { let velocity = body.velocity + frame; body.clone().moving(velocity) });
            Run::new(&settings, &walls(frame).into_iter().chain(moving).collect::<Vec<_>>())
        };
        let [mut here, mut there] = [seen(DVec3::ZERO), seen(frame)];
        let [wanted, found] = [events(&mut here, seconds), events(&mut there, seconds)];
        prop_assume!(wanted.len() > 5);
        prop_assert_eq!(wanted.len(), found.len());
        // Positions and speeds of a few tens have ulps of 1e-14. Each of the few impacts of a body multiplies the error
        // by ten to a hundred.
        let slack = 1e-14 * 1e5;
        for (wanted, found) in wanted.iter().zip(&found) {
            prop_assert_eq!((wanted.kind, wanted.a, wanted.b), (found.kind, found.a, found.b), "{:?} {:?}", wanted, found);
            let elapsed = wanted.time.seconds();
            prop_assert!(found.time.since(wanted.time).abs() <= slack, "{:?} {:?}", wanted, found);
            prop_assert!((found.approach_speed - wanted.approach_speed).abs() <= slack, "{:?} {:?}", wanted, found);
            prop_assert!((found.impulse - wanted.impulse).abs() <= 10.0 * slack, "{:?} {:?}", wanted, found);
            prop_assert!((found.point - frame * elapsed - wanted.point).length() <= 30.0 * slack, "{:?} {:?}", wanted, found);
        }
        for row in here.free() {
            let way = there.position(row) - frame * seconds - here.position(row);
            prop_assert!(way.length() <= slack, "{}", way);
            let change = there.velocity(row) - frame - here.velocity(row);
            prop_assert!(change.length() <= slack, "{}", change);
            prop_assert!((there.spin(row) - here.spin(row)).length() <= 100.0 * slack);
        }
        here.check_books(1e-12, "here");
        there.check_books(1e-12, "there");
    }
}
