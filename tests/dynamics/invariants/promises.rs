//! The promises of `docs/promises.md`, each as a test.

use carom::dynamics::{
    Body, Event, EventKind, Friction, Material, MaterialId, Materials, Progress, Restitution, Settings, Stepper,
};
use carom::motion::{Course, SimTime};
use carom::world::{self, World};
use glam::DVec3;

use crate::common::{Random, events_until, gas, solid, world};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;

/// Balls and boxes in a room with a shelf, a piston and a gate, under gravity, some of it inelastic.
fn room() -> (Settings, Vec<(String, Body)>) {
    let mut materials = Materials::default();
    let wood = materials.add(Restitution::new(0.8).unwrap());
    let mut random = Random::new(3);
    let mut bodies = vec![
        ("floor".to_owned(), Body::plane(Z, 0.0).unwrap().made_of(wood)),
        ("west".to_owned(), Body::plane(X, -3.0).unwrap()),
        ("east".to_owned(), Body::plane(-X, -3.0).unwrap()),
        ("south".to_owned(), Body::plane(DVec3::Y, -3.0).unwrap()),
        ("north".to_owned(), Body::plane(DVec3::new(0.0, -0.8, 0.6), -3.0).unwrap().made_of(wood)),
        ("shelf".to_owned(), Body::cuboid(DVec3::new(1.0, 2.0, 0.1), 1.0).unwrap().at(Z).fixed().made_of(wood)),
        ("gate".to_owned(), Body::cuboid(DVec3::new(3.0, 3.0, 0.2), 1.0).unwrap().at(Z * 2.0).fixed().sensor()),
    ];
    let paddle = Body::cuboid(DVec3::new(0.2, 0.5, 0.5), 1.0).unwrap().at(DVec3::new(-4.0, 0.0, 3.0));
    bodies.push(("paddle".to_owned(), paddle.kinematic().moving(X * 0.9)));
    // A plate that shakes, and what rests on it until it is thrown.
    let swing = Course::sine(DVec3::new(0.0, 0.2, 1.0), 0.02, 4.0, 0.6).unwrap();
    let plate = Body::cuboid(DVec3::new(0.4, 0.4, 0.1), 1.0).unwrap().at(DVec3::new(2.4, -2.2, 0.6)).along(swing);
    let rider = Body::cuboid(DVec3::splat(0.1), 1.0).unwrap().at(DVec3::new(2.4, -2.2, 0.9));
    bodies.extend([("plate".to_owned(), plate.made_of(wood)), ("rider".to_owned(), rider)]);
    let slider = Body::cuboid(DVec3::splat(0.1), 1.0).unwrap().at(DVec3::new(0.8, 1.7, 1.2)).moving(X);
    bodies.push(("slider".to_owned(), slider));
    for n in 0..40 {
        let place = DVec3::new(f64::from(n % 5) - 2.0, f64::from(n / 5 % 4) - 1.5, 4.0 + f64::from(n / 20));
        let size = random.between(0.1, 0.25);
        let body = if n % 3 == 0 { Body::cuboid(DVec3::splat(size), 2.0) } else { Body::sphere(size, 1.0) };
        bodies.push((format!("body{n:02}"), body.unwrap().at(place).moving(random.vector(2.0))));
    }
    (Settings { gravity: Z * -9.81, materials, ..Settings::default() }, bodies)
}

/// Three balls that would bounce between each other without end.
fn trio() -> (Settings, Vec<(String, Body)>) {
    let mut materials = Materials::default();
    let clay = materials.add(Restitution::new(0.05).unwrap());
    let ball = |x: f64, speed: f64| Body::sphere(0.25, 1.0).unwrap().made_of(clay).at(X * x).moving(X * speed);
    let bodies = [("left", ball(-1.25, 1.0)), ("middle", ball(0.0, 0.0)), ("right", ball(1.5, -1.0))];
    let bodies = bodies.map(|(name, body)| (name.to_owned(), body)).to_vec();
    (Settings { materials, ..Settings::default() }, bodies)
}

/// A crate that slides until it sticks, and slips when another body hits it, with a lid on it. Beside it three balls
/// fall off each other, with time steps until they part.
fn yard() -> (Settings, Vec<(String, Body)>) {
    let mut materials = Materials::default();
    let restitution = Restitution::new(0.05).unwrap();
    let rough = materials.add(Material { friction: Friction::new(0.3).unwrap(), ..restitution.into() });
    let cube = Body::cuboid(DVec3::splat(0.25), 1.0).unwrap().made_of(rough);
    let ball = Body::sphere(0.1, 1.0).unwrap().made_of(rough);
    let at = DVec3::new;
    let bodies = [
        ("low", ball.clone().at(at(0.0, 3.0, 0.1))),
        ("middle", ball.clone().at(at(0.04, 3.02, 0.3))),
        ("top", ball.at(at(0.06, 3.05, 0.5))),
        ("floor", Body::plane(Z, 0.0).unwrap().made_of(rough)),
        ("crate", cube.clone().at(at(0.0, 0.0, 0.25)).moving(X)),
        ("lid", cube.clone().at(at(0.25, 0.0, 0.75)).moving(X)),
        ("ram", cube.at(at(-5.0, 0.0, 0.25)).moving(X * 6.0)),
    ];
    let bodies = bodies.map(|(name, body)| (name.to_owned(), body)).to_vec();
    (Settings { gravity: Z * -9.81, materials, ..Settings::default() }, bodies)
}

/// Balls in a shaft. Time steps bring them to sleep. Then one more ball falls on them from a great height.
fn shaft() -> (Settings, Vec<(String, Body)>) {
    let mut materials = Materials::default();
    let glass =
        materials.add(Material { friction: Friction::new(0.3).unwrap(), ..Restitution::new(0.3).unwrap().into() });
    let walls = [(Z, 0.0), (X, 0.0), (-X, -0.24), (DVec3::Y, 0.0), (-DVec3::Y, -0.24)];
    let wall = |(normal, offset): (DVec3, f64)| Body::plane(normal, offset).unwrap();
    let ball = |n: u32| {
        let height = if n < 8 { 0.3 * f64::from(n) + 0.2 } else { 60.0 };
        Body::sphere(0.1, 1.0).unwrap().at(DVec3::new(0.11, 0.11 + 0.01 * f64::from(n % 3), height))
    };
    let bodies = walls.map(wall).into_iter().chain((0..9).map(ball)).map(|body| body.made_of(glass));
    let bodies = bodies.enumerate().map(|(n, body)| (format!("body{n:02}"), body)).collect();
    (Settings { gravity: Z * -9.81, materials, ..Settings::default() }, bodies)
}

fn run_in_steps(mut world: World, timestep: f64, duration: f64) -> (Vec<Event>, World) {
    let mut events = Vec::new();
    let mut step = 1.0;
    while step * timestep < duration {
        world.advance(SimTime::from_seconds(step * timestep), usize::MAX).unwrap();
        events.append(&mut world.take_events());
        step += 1.0;
    }
    events.append(&mut events_until(&mut world, duration));
    (events, world)
}

#[test]
fn the_timestep_only_says_when_you_look() {
    let mut seen = Vec::new();
    for scene in [room, yard, trio, shaft] {
        let run = |timestep: f64| {
            let (settings, bodies) = scene();
            run_in_steps(world(settings, bodies), timestep, 4.0)
        };
        let (events, reference) = run(4.0);
        seen.extend(events.iter().map(|event| event.kind));
        for timestep in [1.0 / 60.0, 1.0 / 240.0, 0.01, 0.037] {
            let (other, end) = run(timestep);
            assert_eq!(other.len(), events.len());
            let differs = events.iter().zip(&other).position(|(x, y)| x != y);
            assert_eq!(differs, None, "timestep {timestep}");
            assert!(reference.ids().all(|id| reference.state(id) == end.state(id)));
        }
    }
    assert!(seen.len() > 500, "{} events", seen.len());
    for kind in EventKind::ALL {
        assert!(seen.contains(&kind), "the scenes have no {kind}");
    }
}

#[test]
fn a_full_event_buffer_changes_nothing() {
    let (settings, bodies) = room();
    let mut in_one = world(settings.clone(), bodies.clone());
    let all = events_until(&mut in_one, 2.0);
    let mut in_bits = world(settings, bodies);
    let mut events = Vec::new();
    while in_bits.advance(SimTime::from_seconds(2.0), 7).unwrap() != Progress::Reached {
        events.append(&mut in_bits.take_events());
    }
    events.append(&mut in_bits.take_events());
    assert_eq!(events, all);
}

/// A run with a limit on the number of events returns the time of the last event.
#[test]
fn a_full_event_buffer_tells_its_instant() {
    let (settings, bodies) = room();
    let mut world = world(settings, bodies);
    let end = SimTime::from_seconds(2.0);
    let mut stops = 0;
    loop {
        let progress = world.advance(end, 5).unwrap();
        let events = world.take_events();
        let Progress::BufferFull { time } = progress else { break };
        assert!(events.len() >= 5);
        assert_eq!((time, world.now()), (events[events.len() - 1].time, time));
        stops += 1;
    }
    assert!(world.now() == end && stops > 10, "{stops}");
}

/// A caller that always asks to stop gets control after each instant with events. The run goes on as if it had not
/// stopped, also from a snapshot.
#[test]
fn a_stop_changes_nothing() {
    for scene in [room, yard, trio, shaft] {
        let (settings, bodies) = scene();
        let all = events_until(&mut world(settings.clone(), bodies.clone()), 2.0);
        let mut stopping = world(settings, bodies);
        let (mut events, mut stops) = (Vec::new(), 0);
        loop {
            let progress = stopping.advance_until(SimTime::from_seconds(2.0), usize::MAX, &|| true).unwrap();
            events.append(&mut stopping.take_events());
            if progress == Progress::Reached {
                break;
            }
            assert_eq!(progress, Progress::Stopped { between_instants: true });
            let snapshot = stopping.snapshot();
            stopping.restore(&snapshot).unwrap();
            stops += 1;
        }
        assert!(events == all && stops > 10, "{stops} stops, {} events", events.len());
    }
}

/// Queries within a step change no bit of the state; the number of steps and their work stay the same.
#[test]
fn a_pause_within_a_step_changes_nothing() {
    let (settings, bodies) = room();
    let mut straight = world(settings.clone(), bodies.clone());
    let mut pausing = world(settings, bodies);
    let seconds = SimTime::from_seconds;
    for step in 1..=20 {
        let end = f64::from(step) * 0.1;
        straight.advance(seconds(end), usize::MAX).unwrap();
        for part in [0.09, 0.05, 0.05, 0.013] {
            assert_eq!(pausing.pause_at(seconds(end - part), usize::MAX), Ok(Progress::Reached));
            assert_eq!(pausing.now(), seconds(end - part));
        }
        pausing.advance(seconds(end), usize::MAX).unwrap();
        assert!(pausing.snapshot() == straight.snapshot(), "step {step}");
    }
    assert_eq!(pausing.take_events(), straight.take_events());
}

#[test]
fn bodies_far_from_the_origin_are_told() {
    let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(X * x);
    let bodies =
        [("near", ball(4e9)), ("far", ball(1e12)), ("home", ball(0.0)), ("leaving", ball(-9.0).moving(X * -1e13))];
    let mut world = world(Settings::default(), bodies);
    let names = |world: &World| world.coarse().into_iter().map(|coarse| coarse.body).collect::<Vec<_>>();
    assert_eq!(names(&world), ["far"]);
    let coarsest = world.coarsest().unwrap();
    assert_eq!((coarsest.body.as_str(), coarsest.found.spacing, coarsest.found.size), ("far", 2f64.powi(-13), 1.0));
    world.step(1.0).unwrap();
    assert_eq!(names(&world), ["far", "leaving"]);
    assert_eq!(world.coarsest().unwrap().body, "leaving");
    assert!(world.coarsest().unwrap().to_string().contains("0.002 m apart"), "{}", world.coarsest().unwrap());
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    let (settings, mut bodies) = room();
    let mut forwards = world(settings.clone(), bodies.clone());
    bodies.reverse();
    bodies.rotate_left(11);
    let mut shuffled = world(settings, bodies);
    assert_eq!(events_until(&mut forwards, 3.0), events_until(&mut shuffled, 3.0));
}

#[test]
fn the_books_of_a_busy_room_agree() {
    let (settings, bodies) = room();
    let gravity = settings.gravity;
    let mut world = world(settings, bodies);
    let start = world.balance();
    events_until(&mut world, 5.0);
    let (end, audit) = (world.balance(), world.audit());
    let book = (end.kinetic + end.potential + audit.dissipated) - (start.kinetic + start.potential + audit.work);
    assert!(audit.dissipated > 0.0 && audit.work != 0.0, "{audit:?}");
    let drift = book.abs() / (start.kinetic + start.potential);
    assert!(drift < 1e-12, "{drift:e}");
    let momentum = end.momentum - start.momentum - audit.impulse - gravity * (start.mass * 5.0);
    assert!(momentum.length() / (start.mass * 9.81 * 5.0) < 1e-12, "{momentum}");
    assert!(audit.deepest < 1e-12, "{}", audit.deepest);
}

/// The deepest overlap of all pairs, without a broadphase.
fn brute_force_overlap(world: &World, bodies: &[(String, Body)]) -> f64 {
    let mut deepest: f64 = 0.0;
    for (row, (name_a, a)) in bodies.iter().enumerate() {
        for (name_b, b) in &bodies[..row] {
            let collide = a.response == b.response && (a.is_free() || b.is_free());
            let place = |name: &str| world.state(world.id(name).unwrap()).position;
            let offset = place(name_b) - place(name_a);
            if collide && let Some(gap) = carom::geometry::gap(solid(&a.shape), solid(&b.shape), offset) {
                deepest = deepest.max(-gap.separation);
            }
        }
    }
    deepest
}

#[test]
fn nothing_overlaps_at_any_look() {
    let (settings, bodies) = room();
    let mut world = world(settings, bodies.clone());
    for look in 1..=200 {
        events_until(&mut world, f64::from(look) * 0.025);
        let depth = brute_force_overlap(&world, &bodies);
        // Positions of a few metres have ulps of 4e-16. A contact that slides for seconds has larger errors.
        assert!(depth < 1e-13, "{depth:e} at look {look}");
    }
}

#[test]
fn no_bullet_goes_through_a_thin_wall() {
    let mut random = Random::new(11);
    for shot in 0..1000 {
        let thickness = 10f64.powf(random.between(-9.0, -1.0));
        let speed = 10f64.powf(random.between(0.0, 7.0));
        let wall = Body::cuboid(DVec3::new(0.5 * thickness, 10.0, 10.0), 1.0).unwrap().fixed();
        let aim = DVec3::new(0.0, random.between(-5.0, 5.0), random.between(-5.0, 5.0));
        let from = DVec3::new(-random.between(1.0, 50.0), random.between(-5.0, 5.0), random.between(-5.0, 5.0));
        let bullet = if shot % 2 == 0 { Body::sphere(0.01, 0.01) } else { Body::cuboid(DVec3::splat(0.01), 0.01) };
        let bullet = bullet.unwrap().at(from).moving((aim - from).normalize() * speed);
        let mut world = world(Settings::default(), [("bullet", bullet), ("wall", wall)]);
        let events = events_until(&mut world, 100.0);
        assert_eq!(events.len(), 1, "shot {shot}");
        assert!(world.state(world.id("bullet").unwrap()).position.x < 0.0, "shot {shot} at {speed} m/s went through");
    }
}

#[test]
fn no_head_on_bullets_go_through_each_other() {
    let mut random = Random::new(12);
    for shot in 0..1000 {
        let speed = || DVec3::X;
        let (left, right) = (10f64.powf(random.between(0.0, 7.0)), 10f64.powf(random.between(0.0, 7.0)));
        let distance = random.between(1.0, 100.0);
        let miss = random.vector(0.007) * DVec3::new(0.0, 1.0, 1.0);
        let a = Body::sphere(0.01, 0.01).unwrap().moving(speed() * left);
        let b = Body::sphere(0.01, 0.02).unwrap().at(X * distance + miss).moving(speed() * -right);
        let mut world = world(Settings::default(), [("a", a), ("b", b)]);
        let events = events_until(&mut world, 1000.0);
        assert_eq!(events.len(), 1, "shot {shot}");
    }
}

#[test]
fn a_sensor_logs_exact_passages_and_disturbs_nothing() {
    let ball = Body::sphere(0.25, 1.0).unwrap().at(X * -2.0).moving(X);
    let gate = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().fixed().sensor();
    let wall = Body::plane(-X, -2.0).unwrap();
    let mut world = world(Settings::default(), [("ball", ball), ("gate", gate), ("wall", wall)]);
    let log: Vec<_> = events_until(&mut world, 8.0).iter().map(|e| (e.time.seconds(), e.kind)).collect();
    use EventKind::{Enter, Impact, Leave};
    let wanted = [(1.25, Enter), (2.75, Leave), (3.75, Impact), (4.75, Enter), (6.25, Leave)];
    assert_eq!(log, wanted);
    let body = Body::sphere(0.25, 1.0).unwrap().moving(Z);
    let inside = world_with_gate(body);
    assert_eq!(inside, [(0.0, Enter), (0.75, Leave)]);
}

fn world_with_gate(body: Body) -> Vec<(f64, EventKind)> {
    let gate = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().fixed().sensor();
    let mut world = world(Settings::default(), [("body", body), ("gate", gate)]);
    events_until(&mut world, 8.0).iter().map(|e| (e.time.seconds(), e.kind)).collect()
}

#[test]
fn a_ball_that_is_thrown_through_a_sensor_comes_back_through_it() {
    let settings = Settings { gravity: Z * -10.0, ..Settings::default() };
    let ball = Body::sphere(0.25, 1.0).unwrap().at(Z * -2.0).moving(Z * 10.0);
    let gate = Body::cuboid(DVec3::new(1.0, 1.0, 0.5), 1.0).unwrap().fixed().sensor();
    let mut world = world(settings, [("ball", ball), ("gate", gate)]);
    let events = events_until(&mut world, 3.0);
    let height = |t: f64| -2.0 + 10.0 * t - 5.0 * t * t;
    let kinds: Vec<_> = events.iter().map(|e| e.kind).collect();
    use EventKind::{Enter, Leave};
    assert_eq!(kinds, [Enter, Leave, Enter, Leave]);
    for (event, wanted) in events.iter().zip([-0.75, 0.75, 0.75, -0.75]) {
        assert!((height(event.time.seconds()) - wanted).abs() < 1e-14);
    }
}

#[test]
fn a_body_at_rest_costs_nothing_and_stays() {
    let mut materials = Materials::default();
    materials.add(Restitution::new(0.5).unwrap());
    let settings = Settings { gravity: Z * -9.81, materials, ..Settings::default() };
    let crate_ = Body::cuboid(DVec3::new(0.5, 0.4, 0.3), 10.0).unwrap().at(DVec3::new(3.0, 0.0, 0.3));
    let floor = Body::plane(Z, 0.0).unwrap().made_of(MaterialId(1));
    let mut world = world(settings, [("crate", crate_), ("floor", floor)]);
    let events = events_until(&mut world, 1e6);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].kind, EventKind::Rest);
    assert_eq!(world.state(world.id("crate").unwrap()).position, DVec3::new(3.0, 0.0, 0.3));
}

#[test]
fn a_resting_body_is_freed_by_a_hit() {
    let settings = Settings { gravity: Z * -10.0, ..Settings::default() };
    let table = Body::cuboid(DVec3::new(2.0, 2.0, 0.5), 1.0).unwrap().at(Z * -0.5).fixed();
    let target = Body::sphere(0.25, 1.0).unwrap().at(Z * 0.25);
    // The shot hits the target head-on. Their masses are equal, so the shot stops.
    let shot = Body::sphere(0.25, 1.0).unwrap().at(DVec3::new(-1.0, 0.0, 0.25)).moving(X * 2.0);
    let mut world = world(settings, [("shot", shot), ("table", table), ("target", target)]);
    let log: Vec<_> = events_until(&mut world, 5.0).iter().map(|e| (e.time.seconds(), e.kind)).collect();
    use EventKind::{Impact, Release, Rest};
    // Both bodies rest at once. The shot hits after 0.5 m. The target slides 2 m to the edge at 2 m/s.
    assert_eq!(&log[..4], [(0.0, Rest), (0.0, Rest), (0.25, Impact), (1.25, Release)], "{log:?}");
}

#[test]
fn gases_of_boxes_and_mixtures_keep_their_energy() {
    let mut random = Random::new(5);
    let mut bodies = Vec::new();
    for (name, normal) in [("w", X), ("e", -X), ("s", DVec3::Y), ("n", -DVec3::Y), ("d", Z), ("u", -Z)] {
        bodies.push((name.to_owned(), Body::plane(normal, -6.0).unwrap()));
    }
    for n in 0..216 {
        let place = DVec3::new(f64::from(n % 6), f64::from(n / 6 % 6), f64::from(n / 36)) * 1.9 - 4.75;
        let size = random.between(0.2, 0.8);
        let body = if n % 2 == 0 { Body::cuboid(DVec3::new(size, 0.5, 0.7), size) } else { Body::sphere(size, size) };
        bodies.push((format!("gas{n}"), body.unwrap().at(place).moving(random.vector(1.0))));
    }
    let mut world = world(Settings::default(), bodies.clone());
    let start = world.balance();
    let events = events_until(&mut world, 200.0);
    assert!(events.len() > 20_000, "{}", events.len());
    let drift = (world.balance().kinetic - start.kinetic).abs() / start.kinetic;
    assert!(drift < 1e-12, "{drift:e}");
    assert!(brute_force_overlap(&world, &bodies) < 1e-12);
}

#[test]
fn a_run_that_would_not_end_is_an_error_that_names_the_bodies() {
    // A ball between two approaching walls meets them more and more frequently.
    let settings = Settings { impacts_max: 10_000, ..Settings::default() };
    let ball = Body::sphere(0.5, 1.0).unwrap().moving(X);
    let wall = |side: f64| Body::plane(X * -side, -2.0).unwrap().moving(X * -side).kinematic();
    let mut world = world(settings, [("ball", ball), ("east", wall(1.0)), ("west", wall(-1.0))]);
    let error = world.advance(SimTime::from_seconds(100.0), usize::MAX).unwrap_err();
    assert!(matches!(&error, world::RunError::Squeezed { body, .. } if body == "ball"), "{error}");
    assert!(["`ball`", "`east`", "`west`"].iter().all(|name| error.to_string().contains(name)), "{error}");
}

#[test]
fn numbers_that_grow_beyond_squares_are_an_error() {
    let ball = Body::sphere(1e60, 1.0).unwrap().moving(X * 1e69);
    let settings = Settings { gravity: X * 1e69, ..Settings::default() };
    let mut world = world(settings, [("ball", ball)]);
    let error = world.advance(SimTime::from_seconds(100.0), usize::MAX).unwrap_err();
    assert!(matches!(&error, world::RunError::NotFinite { body, .. } if body == "ball"), "{error}");
}

#[test]
fn overlap_at_the_start_is_refused_and_touching_is_not() {
    let ball = |x: f64| Body::sphere(0.1, 1.0).unwrap().at(X * x);
    let touching = [("a", ball(0.0)), ("b", ball(0.2)), ("c", ball(0.1 + 0.3))];
    assert!(World::new(Settings::default(), touching).is_ok());
    let error = World::new(Settings::default(), [("a", ball(0.0)), ("b", ball(0.19))]).err().unwrap();
    assert!(matches!(&error, world::SetupError::Overlap { a, b, .. } if a == "a" && b == "b"), "{error}");
    let error = World::new(Settings::default(), [("a", ball(0.0)), ("a", ball(5.0))]).err().unwrap();
    assert!(matches!(error, world::SetupError::DuplicateName { .. }));
}

#[test]
fn bodies_that_cannot_be_are_refused() {
    let ball = Body::sphere(0.1, 1.0).unwrap();
    let free_plane = Body { motion: ball.motion, ..Body::plane(Z, 0.0).unwrap() };
    let rows = [
        (ball.clone().at(X * f64::NAN), "the position, velocity or spin of `odd` is not finite, or larger than 1e70"),
        (ball.moving(X * 1e71), "the position, velocity or spin of `odd` is not finite, or larger than 1e70"),
        (free_plane, "`odd` is a half-space and cannot be free"),
    ];
    for (body, message) in rows {
        let error = World::new(Settings::default(), [("odd", body)]).err().unwrap();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_stepper_without_names_says_which_ids() {
    let ball = Body::sphere(1.0, 1.0).unwrap();
    let error = Stepper::new(Settings::default(), &[ball.clone(), ball.at(X)]).unwrap_err();
    assert_eq!(error.to_string(), "bodies BodyId(0) and BodyId(1) overlap by 1 m at the start");
}

/// The first events of a gas, with a periodic cell that begins at `shift` along each axis, m.
fn first_events(shift: f64) -> Vec<Event> {
    let start = gas(64, 0.2, 9);
    let mut settings = start.settings().clone();
    for period in settings.space.periods.iter_mut().flatten() {
        (period.min, period.max) = (period.min + shift, period.max + shift);
    }
    let ball = |id| {
        let state = start.state(id);
        let body = Body::sphere(0.5, 1.0).unwrap().at(state.position).moving(state.velocity);
        (start.name(id).to_owned(), body)
    };
    events_until(&mut world(settings, start.ids().map(ball).collect::<Vec<_>>()), 4.0)
}

/// A cell that begins elsewhere has other pairs across its border. Only rounding differs, which grows at each impact.
#[test]
fn a_periodic_gas_is_the_same_wherever_its_cell_begins() {
    let events = events_until(&mut gas(64, 0.2, 9), 50.0);
    assert!(events.len() > 2000);
    // Balls with ids that are far apart are neighbours only across the border.
    let far = events.iter().filter(|e| e.a.0.abs_diff(e.b.0) > 32).count();
    assert!(far > 100, "partners across the border");
    let wanted = first_events(0.0);
    assert!(wanted.len() > 100, "{} events", wanted.len());
    for shift in [-0.37, 1.9, -4.4] {
        let events = first_events(shift);
        assert_eq!(events.len(), wanted.len(), "shift {shift}");
        for (event, wanted) in events.iter().zip(&wanted) {
            assert_eq!((event.kind, event.a, event.b), (wanted.kind, wanted.a, wanted.b), "shift {shift}");
            assert!(event.time.since(wanted.time).abs() < 1e-9, "shift {shift}: {event:?}, {wanted:?}");
        }
    }
}
