//! Scenes at the limits: no body, one body, huge and tiny bodies, and a body as large as space.

use carom::dynamics::{Body, EventKind, Layers, Period, Settings, Space};
use carom::world::World;
use glam::DVec3;

use crate::common::scene::{Run, cube, plane, settings};
use crate::common::{events_until, world};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;

fn cell(length: f64) -> Settings {
    let space = Space { periods: [Some(Period { min: 0.0, max: length }); 3], ..Space::default() };
    Settings { space, impacts_max: 20_000, ..Settings::default() }
}

fn ball(radius: f64) -> Body {
    Body::sphere(radius, 1.0).unwrap()
}

fn kinds(world: &mut World, seconds: f64) -> Vec<EventKind> {
    events_until(world, seconds).iter().map(|event| event.kind).collect()
}

#[test]
fn an_empty_world_and_a_single_body_have_no_events() {
    let mut empty = world(Settings::default(), Vec::<(String, Body)>::new());
    assert!(events_until(&mut empty, 1e9).is_empty());
    let falling = Settings { gravity: Z * -10.0, ..Settings::default() };
    let mut one = world(falling, [("one", ball(1e-9).moving(X))]);
    assert!(events_until(&mut one, 1e9).is_empty());
    let place = one.state(one.id("one").unwrap()).position;
    assert_eq!(place, DVec3::new(1e9, 0.0, -5e18));
}

#[test]
fn what_would_end_beyond_the_clock_goes_on() {
    // Friction stops the body after v/(μ g) = 2·10¹⁷ s, but the clock ends at 2⁵³ s.
    let (speed, friction, gravity, seconds) = (1.0, 0.5, 1e-17, 1e6);
    let bodies = [plane(Z, 0.0), cube(0.5, 1.0).at(Z * 0.5).moving(X * speed)];
    let mut run = Run::new(&settings(Z * -gravity, 0.0, friction), &bodies);
    run.until(seconds);
    let slower = speed - friction * gravity * seconds;
    // One rounding of the speed.
    assert!((run.velocity(1) - X * slower).length() <= f64::EPSILON, "{}", run.velocity(1));
}

#[test]
fn one_body_in_a_periodic_cell() {
    for radius in [0.01, 0.3, 0.45, 0.499, 0.5] {
        let mut world =
            world(cell(1.0), [("one", ball(radius).at(DVec3::splat(0.5)).moving(DVec3::new(1.0, 0.25, -0.5)))]);
        assert!(events_until(&mut world, 8.0).is_empty());
        let place = world.state(world.id("one").unwrap()).position;
        assert!((place - 0.5).length() < 1e-13, "{radius}: {place}");
    }
}

#[test]
fn a_piston_as_wide_as_the_cell_sweeps_it() {
    // The piston moves along the open axis x. In y and z it is slightly smaller than the cell, or equal to it.
    for half in [0.499, 0.5] {
        let space = Space {
            periods: [None, Some(Period { min: 0.0, max: 1.0 }), Some(Period { min: 0.0, max: 1.0 })],
            ..Space::default()
        };
        let settings = Settings { space, impacts_max: 20_000, ..Settings::default() };
        let piston = Body::cuboid(DVec3::new(0.1, half, half), 1.0).unwrap().at(DVec3::new(0.0, 0.5, 0.5));
        let target = ball(0.1).at(DVec3::new(2.0, 0.3, 0.9));
        let mut world = world(settings, [("piston", piston.moving(X * 0.5).kinematic()), ("target", target)]);
        assert_eq!(kinds(&mut world, 10.0), [EventKind::Impact], "{half}");
    }
}

#[test]
fn two_large_bodies_in_a_small_cell() {
    // Each body is half a period wide. One is above the other, because they do not fit at the same height.
    let bodies = [
        ("a", ball(0.24).at(DVec3::new(0.1, 0.5, 0.2)).moving(DVec3::new(0.3, 0.1, 0.7))),
        ("b", ball(0.25).at(DVec3::new(0.6, 0.4, 0.7)).moving(DVec3::new(-0.2, 0.4, -0.1))),
    ];
    let mut world = world(cell(1.0), bodies);
    let start = world.balance();
    assert!(events_until(&mut world, 100.0).len() > 50);
    assert!((world.balance().kinetic - start.kinetic).abs() < 1e-13);
    assert!(world.audit().deepest < 1e-13, "{:e}", world.audit().deepest);
}

#[test]
fn huge_and_tiny_worlds_are_the_same_in_their_own_units() {
    // The scales are powers of two, so the arithmetic is the same to the bit.
    let run = |scale: f64| {
        let settings = Settings { gravity: Z * -8.0 * scale, rest_height: 1e-6 * scale, ..Settings::default() };
        let floor = Body::plane(Z, 0.0).unwrap();
        let bodies = [
            ("a", ball(0.5 * scale).at(DVec3::new(0.0, 0.0, 3.0) * scale).moving(X * scale)),
            ("b", Body::cuboid(DVec3::splat(0.4) * scale, 2.0).unwrap().at(DVec3::new(3.0, 0.1, 2.0) * scale)),
            ("floor", floor),
        ];
        let mut world = world(settings, bodies);
        events_until(&mut world, 6.0).iter().map(|event| (event.time, event.kind)).collect::<Vec<_>>()
    };
    let wanted = run(1.0);
    assert!(wanted.len() > 5);
    for power in [-30, 40] {
        assert_eq!(run(2f64.powi(power)), wanted, "2^{power}");
    }
}

#[test]
fn far_from_the_origin_a_ball_is_as_good_as_its_ulps() {
    let far = DVec3::splat(1e12);
    let bodies = [("a", ball(1.0).at(far).moving(X)), ("b", ball(1.0).at(far + X * 10.0))];
    let mut world = world(Settings::default(), bodies);
    let events = events_until(&mut world, 100.0);
    assert_eq!(events.len(), 1);
    // Coordinates of 1e12 m have ulps of 1.2e-4 m.
    assert!((events[0].time.seconds() - 8.0).abs() < 1e-3, "{events:?}");
}

#[test]
fn sensors_of_every_kind_see_what_passes() {
    use EventKind::{Enter, Leave};
    let passer = ball(0.25).at(X * -2.0).moving(X);
    let gate = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap();
    let moving = gate.clone().moving(X * -1.0).at(X * 2.0);
    let rows = [
        ("fixed", passer.clone(), gate.clone().fixed().sensor()),
        ("kinematic", passer.clone(), moving.clone().kinematic().sensor()),
        ("free", passer.clone(), moving.clone().sensor()),
        ("free over fixed", ball(0.25).fixed(), moving.clone().sensor()),
        ("kinematic over fixed", ball(0.25).fixed(), moving.clone().kinematic().sensor()),
        ("kinematic over kinematic", passer.clone().kinematic(), moving.clone().kinematic().sensor()),
        ("free over kinematic", passer.clone().kinematic(), moving.clone().sensor()),
    ];
    for (name, body, sensor) in rows {
        let mut world = world(Settings::default(), [("body", body), ("sensor", sensor)]);
        assert_eq!(kinds(&mut world, 100.0), [Enter, Leave], "{name}");
    }
    let half_space = Body::plane(X, 0.0).unwrap();
    let back = passer.clone().moving(X).at(X * 1.0).moving(-X);
    for (name, plane) in [("fixed", half_space.clone()), ("kinematic", half_space.clone().moving(X * 0.5).kinematic())]
    {
        let mut world = world(Settings::default(), [("body", back.clone()), ("plane", plane.sensor())]);
        assert_eq!(kinds(&mut world, 100.0), [Enter], "{name} plane");
    }
    let pair = [("a", gate.clone().kinematic().moving(X)), ("b", gate.clone().kinematic().at(X * 3.0))];
    assert!(events_until(&mut world(Settings::default(), pair), 100.0).is_empty(), "kinematic bodies pass each other");
}

#[test]
fn layers_decide_who_meets_whom() {
    let (first, second) = (Layers::one(0), Layers::one(1));
    let rows = [
        (Layers::FIRST, Layers::ALL, Layers::FIRST, Layers::ALL, 1),
        (second, Layers::ALL, first, first, 0),
        (second, first, first, second, 1),
        (second, second, second, second, 1),
        (second, second, first, Layers::ALL, 0),
        (Layers::NONE, Layers::ALL, first, Layers::ALL, 0),
        (first.and(second), second, second, first, 1),
    ];
    for (row, (in_a, deals_a, in_b, deals_b, meetings)) in rows.into_iter().enumerate() {
        let a = ball(0.5).moving(X).in_layers(in_a).colliding_with(deals_a);
        let b = ball(0.5).at(X * 5.0).in_layers(in_b).colliding_with(deals_b);
        for bodies in [[("a", a.clone()), ("b", b.clone())], [("b", a), ("a", b)]] {
            assert_eq!(events_until(&mut world(Settings::default(), bodies), 10.0).len(), meetings, "row {row}");
        }
    }
    let inside = [("a", ball(1.0).in_layers(second)), ("b", ball(1.0).colliding_with(first))];
    assert!(World::new(Settings::default(), inside).is_ok(), "bodies that never meet may overlap at the start");
}

#[test]
fn small_and_fast_bodies_that_are_met_late_do_not_pass() {
    // A ball between two walls as thin as itself. It starts late, when the clock has its coarsest resolution.
    for (radius, speed, late) in [(1e-9, 3e7, 0.9), (1e-9, 1e9, 12.3), (1e-6, 1e11, 0.7), (1e-6, 1e12, 0.999)] {
        let wall = |place: f64| Body::cuboid(DVec3::new(radius, 1.0, 1.0), 1.0).unwrap().fixed().at(X * place);
        let bodies = [("ball", ball(radius)), ("left", wall(-0.001)), ("right", wall(0.0013))];
        let mut world = world(Settings { impacts_max: 2000, ..Settings::default() }, bodies);
        let id = world.id("ball").unwrap();
        events_until(&mut world, late);
        world.kick(id, X * speed).unwrap();
        let events = events_until(&mut world, late + 1.0 / speed);
        let state = world.state(id);
        let context = format!("radius {radius:e}, {speed:e} m/s from {late} s");
        assert!((300..=500).contains(&events.len()), "{context}: {} impacts", events.len());
        assert!(
            (-0.001..0.0013).contains(&state.position.x) && state.velocity.x.abs() == speed,
            "{context}: {state:?}"
        );
        // The bound on speeds allows an overlap of a sixteenth of the radius.
        assert!(world.audit().deepest <= radius / 16.0, "{context}: {:e}", world.audit().deepest);
    }
}

#[test]
fn what_is_too_fast_for_the_clock_is_refused_by_name() {
    let bullet = |speed: f64| ball(1e-9).moving(X * speed);
    let start = World::new(Settings::default(), [("bullet", bullet(2e9))]).err().map(|error| error.to_string());
    let wanted = "`bullet` is too fast for its size: it moves more than 2^60 of its half widths per second; make it slower or larger";
    assert_eq!(start.as_deref(), Some(wanted));
    let mut kicked = world(Settings::default(), [("bullet", bullet(1e9))]);
    let id = kicked.id("bullet").unwrap();
    let before = kicked.snapshot();
    let error = kicked.kick(id, X * 1e9).unwrap_err().to_string();
    assert_eq!(
        error,
        "`bullet` would be too fast for its size: it would move more than 2^60 of its half widths per second"
    );
    assert_eq!(kicked.snapshot(), before, "a refused kick leaves the world as it was");
    // A head-on impact with a heavy body makes the bullet three times as fast.
    let hammer = Body::sphere(1.0, 1e9).unwrap().at(X * 2.0).moving(X * -1e9);
    let mut struck = world(Settings::default(), [("bullet", bullet(0.9e9)), ("hammer", hammer)]);
    let error = struck.step(1.0).unwrap_err().to_string();
    assert!(error.starts_with("`bullet` is too fast for its size at 0.0000000005"), "{error}");
}
