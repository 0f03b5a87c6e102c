//! Scenes with closed-form answers.

use carom::dynamics::{Body, EventKind, Materials, Motion, Restitution, Settings};
use carom::world::World;
use glam::DVec3;

use crate::common::{events_until, gas, last_time, world};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;

fn falling(restitution: f64) -> Settings {
    let mut materials = Materials::default();
    let floor = materials.add(Restitution::new(restitution).unwrap());
    assert_eq!(floor.0, 1);
    Settings { gravity: Z * -10.0, materials, ..Settings::default() }
}

fn floor() -> Body {
    Body::plane(Z, 0.0).unwrap().made_of(carom::dynamics::MaterialId(1))
}

fn ball(radius: f64) -> Body {
    Body::sphere(radius, 1.0).unwrap()
}

#[test]
fn a_dropped_ball_lands_when_it_should() {
    // The bottom of the ball is at 5 m: √(2·5/10) = 1 s.
    let mut world = world(falling(1.0), [("ball", ball(0.5).at(Z * 5.5)), ("floor", floor())]);
    let events = events_until(&mut world, 10.0);
    let times: Vec<f64> = events.iter().map(|e| e.time.seconds()).collect();
    assert_eq!(times.len(), 5);
    for (n, time) in times.iter().enumerate() {
        // Each bounce adds one rounding of the time and of the speed.
        assert!((time - (1.0 + 2.0 * n as f64)).abs() < 1e-14, "{times:?}");
    }
    assert_eq!(events[0].approach_speed, 10.0);
    assert_eq!(events[0].impulse, 20.0);
    assert_eq!(events[0].point, DVec3::ZERO);
}

#[test]
fn a_cradle_with_gaps_hands_its_speed_on_exactly() {
    let balls = (0..5).map(|n| (format!("ball{n}"), ball(0.5).at(X * (1.25 * f64::from(n)))));
    let bodies = balls.map(|(name, body)| if name == "ball0" { (name, body.moving(X)) } else { (name, body) });
    let mut world = world(Settings::default(), bodies);
    let events = events_until(&mut world, 2.0);
    let times: Vec<f64> = events.iter().map(|e| e.time.seconds()).collect();
    assert_eq!(times, [0.25, 0.5, 0.75, 1.0]);
    let speeds: Vec<DVec3> = world.ids().map(|id| world.state(id).velocity).collect();
    assert_eq!(speeds, [DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, X]);
    assert_eq!(world.state(world.id("ball4").unwrap()).position, X * 6.0);
}

#[test]
fn two_blocks_and_a_wall_count_the_digits_of_pi() {
    // Galperin, *Playing pool with π*, Regular and Chaotic Dynamics 8 (2003).
    for (ratio, collisions) in [(1.0, 3), (100.0, 31), (1e4, 314), (1e6, 3141), (1e8, 31415)] {
        let heavy = Body::cuboid(DVec3::splat(0.5), ratio).unwrap().at(X * 3.0).moving(-X);
        let light = Body::cuboid(DVec3::splat(0.1), 1.0).unwrap().at(X * 1.0);
        let wall = Body::plane(X, 0.0).unwrap();
        let mut world = world(Settings::default(), [("heavy", heavy), ("light", light), ("wall", wall)]);
        let events = events_until(&mut world, 100.0);
        assert_eq!(events.len(), collisions, "mass ratio {ratio}");
    }
}

#[test]
fn a_zeno_ball_rests_when_its_bounces_add_up() {
    for restitution in [0.5, 0.9] {
        let mut settings = falling(restitution);
        settings.rest_height = 1e-12;
        let mut world = world(settings, [("ball", ball(0.5).at(Z * 5.5)), ("floor", floor())]);
        let events = events_until(&mut world, 60.0);
        let rest = last_time(&events, EventKind::Rest).expect("it comes to rest");
        // The fall takes 1 s, then the bounces take 2 Σ eⁿ: in total t₁ (1 + e)/(1 − e). The bounces that are left out
        // would rise less than h, and last at most 2 √(2h/g)/(1 − e).
        let left_out = 2.0 * (2.0 * 1e-12 / 10.0_f64).sqrt() / (1.0 - restitution);
        let exact = (1.0 + restitution) / (1.0 - restitution);
        assert!(rest <= exact && rest >= exact - left_out, "rests at {rest}, exact {exact}");
        let state = world.state(world.id("ball").unwrap());
        assert_eq!(state.velocity, DVec3::ZERO);
        assert!((state.position.z - 0.5).abs() < 1e-15);
    }
}

#[test]
fn two_dropped_balls_throw_the_upper_one_up() {
    // A light ball on a heavy one, elastic: the limit for M → ∞ is three times the speed. Here m = 1, M = 3: twice the
    // speed.
    let heavy = Body::sphere(0.5, 3.0).unwrap().at(Z * 5.5);
    let light = Body::sphere(0.25, 1.0).unwrap().at(Z * 6.5);
    let mut world = world(falling(1.0), [("floor", floor()), ("heavy", heavy), ("light", light)]);
    let events = events_until(&mut world, 1.02);
    assert_eq!(events.len(), 2);
    // The balls meet when the light ball has fallen for another s seconds: the gap of 0.25 m over the closing speed of
    // 20 m/s.
    let meet = 1.0 + 0.25 / 20.0;
    assert!((events[1].time.seconds() - meet).abs() < 1e-14);
    let (up, down) = (10.0 - 10.0 * 0.0125, -10.0 - 10.0 * 0.0125);
    let speed_light = (down * (1.0 - 3.0) + 2.0 * 3.0 * up) / 4.0;
    let velocity = world.state(world.id("light").unwrap()).velocity.z + 10.0 * (1.02 - meet);
    assert!((velocity - speed_light).abs() < 1e-12, "{velocity} {speed_light}");
}

#[test]
fn boxes_bounce_on_each_axis() {
    for axis in 0..3 {
        let along = DVec3::AXES[axis];
        let half = DVec3::new(0.5, 0.6, 0.7);
        let a = Body::cuboid(half, 2.0).unwrap().moving(along * 3.0);
        let b = Body::cuboid(half, 1.0).unwrap().at(along * 5.0 + DVec3::splat(0.125)).moving(along * -1.0);
        let mut world = world(Settings::default(), [("a", a), ("b", b)]);
        let events = events_until(&mut world, 4.0);
        assert_eq!(events.len(), 1);
        let gap = 5.125 - 2.0 * half[axis];
        assert!((events[0].time.seconds() - gap / 4.0).abs() <= 4.0 * f64::EPSILON);
        assert_eq!(events[0].normal, along);
        // v' = (m₁v₁ + m₂v₂ ∓ m e (v₁ − v₂))/(m₁ + m₂) with m₁ = 2, m₂ = 1.
        let speeds = [0, 1].map(|id| world.state(carom::dynamics::BodyId(id)).velocity.dot(along));
        assert!((speeds[0] - 1.0 / 3.0).abs() < 1e-15 && (speeds[1] - 13.0 / 3.0).abs() < 1e-15, "{speeds:?}");
    }
}

#[test]
fn a_box_slides_off_a_table_at_the_exact_time() {
    // The table ends at x = 1. The trailing face of the box leaves it when its centre is at 1.25: after 1.25 s.
    let table = Body::new(table_shape(), Motion::Fixed).at(Z * -0.5);
    let slider = Body::cuboid(DVec3::splat(0.25), 1.0).unwrap().at(Z * 0.25).moving(X);
    let mut world = world(falling(0.5), [("slider", slider), ("table", table)]);
    let events = events_until(&mut world, 3.0);
    let kinds: Vec<_> = events.iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [EventKind::Rest, EventKind::Release]);
    assert_eq!(events[1].time.seconds(), 1.25);
    let state = world.state(world.id("slider").unwrap());
    assert_eq!(state.position, DVec3::new(3.0, 0.0, 0.25 - 0.5 * 10.0 * 1.75 * 1.75));
}

fn table_shape() -> carom::geometry::Shape {
    carom::geometry::Shape::Box(carom::geometry::HalfExtents::new(DVec3::new(1.0, 1.0, 0.5)).unwrap())
}

#[test]
fn a_fast_ball_leaves_the_edge_of_a_table_at_once() {
    let table = Body::new(table_shape(), Motion::Fixed).at(Z * -0.5);
    // v² > g r, so the ball flies off where the top ends.
    let ball = ball(0.25).at(Z * 0.25).moving(X * 2.0);
    let mut world = world(falling(0.5), [("ball", ball), ("table", table)]);
    let events = events_until(&mut world, 1.5);
    let kinds: Vec<_> = events.iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [EventKind::Rest, EventKind::Release], "{events:?}");
    assert_eq!(events[1].time.seconds(), 0.5);
    assert_eq!(world.state(world.id("ball").unwrap()).position.x, 3.0);
}

#[test]
fn a_slow_ball_rounds_the_edge_of_a_table() {
    let table = Body::new(table_shape(), Motion::Fixed).at(Z * -0.5);
    let ball = ball(0.25).at(Z * 0.25).moving(X * 0.5);
    let mut world = world(falling(0.5), [("ball", ball), ("table", table)]);
    let events = events_until(&mut world, 3.0);
    // The ball leaves the edge where v² = g r cos θ. From the initial speed v₀ follows cos θ = 2/3 + v₀²/(3 g r) = 0.7.
    // It follows the edge in chords of √(2 h/r) = 2.8 mrad, which rise to at most the rest height h.
    let last = events.last().unwrap();
    let cosine = last.normal.z.abs();
    assert!((cosine - 0.7).abs() < 0.0028, "leaves at {cosine}");
    let state = world.state(world.id("ball").unwrap());
    let speed = (10.0_f64 * 0.25 * 0.7).sqrt();
    let flight = 3.0 - last.time.seconds();
    let x = 1.0 - 0.25 * last.normal.x + speed * 0.7 * flight;
    assert!((state.position.x - x).abs() < 1e-2, "{} for {x}", state.position.x);
    let energy = 0.5 * state.velocity.length_squared() + 10.0 * state.position.z;
    // The work of the weight over a few rest heights.
    assert!((energy - 2.625).abs() < 4.0 * 10.0 * 1e-6, "{energy}");
}

#[test]
fn a_ball_comes_to_rest_in_a_corner() {
    let bodies = [
        ("ball", ball(0.25).at(DVec3::new(1.0, 1.5, 2.0)).moving(DVec3::new(-1.0, -2.0, 0.0))),
        ("floor", floor()),
        ("slope", Body::plane(DVec3::new(0.6, 0.0, 0.8), -0.5).unwrap().made_of(carom::dynamics::MaterialId(1))),
        ("wall", Body::plane(DVec3::new(0.8, 0.0, 0.6), -0.7).unwrap().made_of(carom::dynamics::MaterialId(1))),
    ];
    let mut world = world(falling(0.4), bodies);
    events_until(&mut world, 100.0);
    let audit = world.audit();
    let balance = world.balance();
    assert!(audit.deepest < 1e-12, "{audit:?}");
    assert!(balance.kinetic.is_finite());
}

#[test]
fn an_elastic_gas_keeps_its_energy_and_momentum() {
    let mut world = gas(216, 0.3, 7);
    let start = world.balance();
    let mut impacts = 0;
    let mut target = 0.0;
    while impacts < 1_000_000 {
        target += 10.0;
        impacts += events_until(&mut world, target).len();
    }
    let end = world.balance();
    let drift = (end.kinetic - start.kinetic).abs() / start.kinetic;
    assert!(drift < 1e-12, "energy drift {drift:e} after {impacts} impacts");
    let momentum = (end.momentum - start.momentum).length() / start.momentum_scale;
    assert!(momentum < 1e-12, "momentum drift {momentum:e}");
    assert!(world.audit().deepest < 1e-14, "{:e}", world.audit().deepest);
}

#[test]
fn a_piston_compresses_a_gas_and_the_books_agree() {
    let mut bodies = vec![("piston".to_owned(), Body::plane(X, -5.0).unwrap().moving(X * 0.2).kinematic())];
    for (name, normal) in [("east", -X), ("south", DVec3::Y), ("north", -DVec3::Y), ("floor", Z), ("roof", -Z)] {
        bodies.push((name.to_owned(), Body::plane(normal, -5.0).unwrap()));
    }
    for n in 0..125 {
        let place = |k: i32| f64::from(n / k % 5 - 2) * 1.9;
        let velocity = DVec3::new(f64::from(n % 7 - 3), f64::from(n % 11 - 5), f64::from(n % 5 - 2)) * 0.3;
        let body = ball(0.5).at(DVec3::new(place(1), place(5), place(25))).moving(velocity);
        bodies.push((format!("gas{n}"), body));
    }
    let mut world = World::new(Settings::default(), bodies).unwrap();
    let start = world.balance();
    let events = events_until(&mut world, 20.0);
    let (end, audit) = (world.balance(), world.audit());
    assert!(events.len() > 1000);
    assert!(audit.work > 0.0 && audit.dissipated == 0.0);
    let drift = (end.kinetic - start.kinetic - audit.work).abs() / end.kinetic;
    assert!(drift < 1e-13, "{drift:e}");
    let momentum = (end.momentum - start.momentum - audit.impulse).length() / end.momentum_scale;
    assert!(momentum < 1e-12, "{momentum:e}");
}
