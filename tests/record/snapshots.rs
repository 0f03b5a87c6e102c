//! A world that continues from a snapshot gives the same bits as the world from which the snapshot was taken.

use carom::dynamics::{Body, Period, RestoreError, Settings, Snapshot, Space, Stepper};
use carom::motion::{Course, SimTime};
use carom::record::snapshot_hash;
use carom::scenario::{Source, parse};
use carom::world::World;
use glam::DVec3;

use crate::common::Random;
use crate::common::scene::{ball, cuboid, hills, plane, resisting, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

struct Scene {
    name: String,
    settings: Settings,
    bodies: Vec<Body>,
    step: f64,
    steps: usize,
}

fn stepper(scene: &Scene) -> Stepper {
    Stepper::new(scene.settings.clone(), &scene.bodies).unwrap_or_else(|error| panic!("{}: {error}", scene.name))
}

fn time(scene: &Scene, step: usize) -> SimTime {
    SimTime::from_seconds(scene.step * step as f64)
}

/// The rest of a run, with every bit of every number: the events, the state and energy accounts after each step, and
/// the last snapshot.
fn rest(stepper: &mut Stepper, scene: &Scene, from: usize) -> Vec<String> {
    let mut told = Vec::new();
    for step in from..=scene.steps {
        let outcome = stepper.advance(time(scene, step), usize::MAX);
        told.extend(stepper.take_events().iter().map(|event| format!("{event:?}")));
        told.push(format!("{outcome:?} {:?} {:?}", stepper.audit(), stepper.balance()));
        if outcome.is_err() {
            return told;
        }
    }
    told.push(format!("{:?}", stepper.snapshot()));
    told
}

/// Takes a snapshot in the middle of a run, at the end of a step or between two events, and continues from it.
fn check(scene: &Scene, random: &mut Random) -> usize {
    let mut original = stepper(scene);
    let middle = 1 + random.below(scene.steps - 1);
    for step in 1..middle {
        if let Err(error) = original.advance(time(scene, step), usize::MAX) {
            eprintln!("{}: {error}", scene.name);
            return 0;
        }
    }
    let events = if random.below(2) == 0 { usize::MAX } else { 1 + random.below(20) };
    original.take_events();
    if original.advance(time(scene, middle), events).is_err() {
        return 0;
    }
    original.take_events();
    let snapshot = original.snapshot();
    let text = serde_json::to_string(&snapshot).unwrap();
    let read: Snapshot = serde_json::from_str(&text).unwrap();
    assert_eq!(format!("{read:?}"), format!("{snapshot:?}"), "{}: written and read", scene.name);
    let mut restored = Stepper::restore(scene.settings.clone(), &scene.bodies, &read)
        .unwrap_or_else(|error| panic!("{}: {error}", scene.name));
    assert_eq!(format!("{:?}", restored.snapshot()), format!("{snapshot:?}"), "{}: restored", scene.name);
    let [wanted, found] = [&mut original, &mut restored].map(|stepper| rest(stepper, scene, middle));
    let differs = wanted.iter().zip(&found).position(|(wanted, found)| wanted != found);
    if let Some(row) = differs {
        panic!("{} at step {middle}, {events} events, row {row}:\n{}\n{}", scene.name, wanted[row], found[row]);
    }
    assert_eq!(wanted.len(), found.len(), "{}", scene.name);
    wanted.len()
}

fn check_all(seed: u64, rounds: usize, make: impl Fn(&mut Random, usize) -> Scene) {
    let mut random = Random::new(seed);
    let lines: usize = (0..rounds)
        .map(|round| {
            let scene = make(&mut random, round);
            check(&scene, &mut random)
        })
        .sum();
    assert!(lines > 10 * rounds, "only {lines} lines were compared");
}

/// A cell of a lattice of `side`³ cells, 1 m wide.
fn cell(n: usize, side: usize) -> DVec3 {
    DVec3::new((n % side) as f64, (n / side % side) as f64, (n / side / side) as f64)
}

/// Balls, and in every fourth round boxes, in a cube that is periodic along all axes, or along two axes with a floor.
fn gas(random: &mut Random, round: usize) -> Scene {
    let side = 4;
    let gravity = if round.is_multiple_of(2) { DVec3::ZERO } else { Z * -random.between(0.1, 10.0) };
    let restitution = if round % 3 == 2 { random.between(0.3, 1.0) } else { 1.0 };
    let friction = if round % 5 == 4 { 0.3 } else { 0.0 };
    let period = Some(Period { min: 0.0, max: side as f64 });
    let walled = round % 4 == 1;
    let periods = if walled { [period, period, None] } else { [period; 3] };
    let settings =
        Settings { space: Space { periods, ..Space::default() }, ..settings(gravity, restitution, friction) };
    let mut bodies: Vec<Body> = (0..side * side * side)
        .map(|n| {
            let place = cell(n, side) + 0.5;
            let velocity = if round % 7 == 6 { random.vector(2.0).round() } else { random.vector(2.0) };
            let half = random.between(0.2, 0.45);
            let body = if round % 4 == 3 && n % 3 == 0 { cuboid(DVec3::splat(half), half) } else { ball(half, half) };
            let body = body.at(place).moving(velocity);
            if n % 8 == 7 { body.spinning(random.vector(5.0)) } else { body }
        })
        .collect();
    if walled {
        bodies.extend([plane(Z, 0.0), plane(-Z, -(side as f64))]);
    }
    Scene { name: format!("gas {round}"), settings, bodies, step: 0.1, steps: 20 }
}

/// A course that begins upwards.
fn swing(amplitude: f64) -> Course {
    Course::sine(DVec3::new(0.1, 0.0, 1.0), amplitude, 3.0, 0.0).unwrap()
}

/// Balls and boxes on a floor and on fixed boxes between walls, with a piston, a lift and a sensor.
fn room(random: &mut Random, round: usize) -> Scene {
    let friction = if round.is_multiple_of(2) { random.between(0.0, 0.8) } else { 0.0 };
    let settings = settings(Z * -10.0, random.between(0.0, 0.9), friction);
    let settings = if round % 3 == 1 { resisting(settings, 0.004, 0.002) } else { settings };
    let mut bodies = vec![plane(Z, 0.0), plane(X, -1.0), plane(-X, -6.0), plane(Y, -1.0), plane(-Y, -6.0)];
    bodies.push(cuboid(DVec3::new(1.0, 1.0, 0.2), 1.0).fixed().at(DVec3::new(3.0, 3.0, 0.2)));
    bodies.push(cuboid(DVec3::splat(0.3), 1.0).kinematic().at(DVec3::new(-0.6, 3.0, 0.3)).moving(X * 0.3));
    let lift = cuboid(DVec3::new(0.5, 0.5, 0.1), 1.0).at(DVec3::new(5.4, 5.4, 0.1));
    bodies.push(if round.is_multiple_of(2) { lift.kinematic().moving(Z * 0.3) } else { lift.along(swing(0.2)) });
    bodies.push(cuboid(DVec3::splat(0.6), 1.0).fixed().sensor().at(DVec3::new(2.0, 1.0, 1.0)));
    for n in 0..16 + random.below(16) {
        let place = DVec3::new((n % 4) as f64 * 1.4, (n / 4 % 4) as f64 * 1.4, 1.6 + (n / 16) as f64);
        let half = [(); 3].map(|()| random.between(0.1, 0.35));
        let mass = random.between(0.1, 5.0);
        let body = if random.below(2) == 0 { ball(half[0], mass) } else { cuboid(DVec3::from_array(half), mass) };
        bodies.push(body.at(place + random.vector(0.1)).moving(random.vector(1.0)));
    }
    Scene { name: format!("room {round}"), settings, bodies, step: 0.05, steps: 50 }
}

/// Bodies poured into a narrow box, which settle together.
fn heap(random: &mut Random, round: usize) -> Scene {
    let friction = if round.is_multiple_of(2) { 0.0 } else { random.unit() };
    let settings = settings(Z * -10.0, random.between(0.0, 0.8), friction);
    let mut settings = if round % 4 == 1 { resisting(settings, 0.002, 0.001) } else { settings };
    let mut bodies = vec![plane(Z, 0.0), plane(X, -0.9), plane(-X, -0.9)];
    if round % 3 == 2 {
        settings.space.periods[1] = Some(Period { min: -0.9, max: 0.9 });
    } else {
        bodies.extend([plane(Y, -0.9), plane(-Y, -0.9)]);
    }
    if round % 4 == 3 {
        bodies.push(cuboid(DVec3::new(0.3, 0.3, 0.1), 1.0).kinematic().at(DVec3::Z * 0.1).moving(DVec3::Z * 0.05));
    } else if round % 4 == 1 {
        bodies[0] = plane(Z, 0.0).along(swing(0.01));
    }
    for n in 0..10 + random.below(25) {
        let place = (DVec3::new((n % 3) as f64 - 1.0, (n / 3 % 3) as f64 - 1.0, (n / 9) as f64 + 0.9)) * 0.6;
        let half = [(); 3].map(|()| random.between(0.08, 0.25));
        let mass = random.between(0.1, 5.0);
        let body = if random.below(3) > 0 { ball(half[0], mass) } else { cuboid(DVec3::from_array(half), mass) };
        bodies.push(body.at(place + random.vector(0.04)).moving(random.vector(1.0)));
    }
    Scene { name: format!("heap {round}"), settings, bodies, step: 0.05, steps: 60 }
}

/// Balls and boxes on a hilly floor of triangles.
fn on_hills(random: &mut Random, round: usize) -> Scene {
    let height = if round.is_multiple_of(3) { 0.0 } else { 0.4 };
    let mut bodies = vec![hills(random, height), plane(Z, -5.0)];
    for n in 0..9 {
        let place = DVec3::new((n % 3) as f64 - 1.0, (n / 3) as f64 - 1.0, 0.7) * 1.3;
        let half = random.between(0.1, 0.4);
        let body = if n % 3 == 0 { cuboid(DVec3::splat(half), 1.0) } else { ball(half, 1.0) };
        bodies.push(body.at(place).moving(random.vector(1.0)));
    }
    let settings = settings(Z * -10.0, random.between(0.0, 0.7), if round.is_multiple_of(2) { 0.0 } else { 0.4 });
    Scene { name: format!("hills {round}"), settings, bodies, step: 0.05, steps: 50 }
}

#[test]
fn a_gas_goes_on_from_a_snapshot() {
    check_all(1, 120, gas);
}

#[test]
fn bodies_that_rest_and_rub_go_on_from_a_snapshot() {
    check_all(2, 100, room);
}

#[test]
fn a_heap_goes_on_from_a_snapshot() {
    check_all(3, 60, heap);
}

#[test]
fn bodies_on_a_mesh_go_on_from_a_snapshot() {
    check_all(4, 40, on_hills);
}

/// The number of events of a shipped scenario that are compared, and the maximum number before the snapshot.
const SHIPPED_EVENTS: usize = 2000;

#[test]
fn every_shipped_scenario_goes_on_from_a_snapshot() {
    let mut random = Random::new(5);
    let mut files: Vec<_> = std::fs::read_dir("scenarios").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ron"));
    files.sort();
    assert!(files.len() >= 15);
    for file in files {
        let source = Source::read(&file).unwrap();
        let scenario = parse(&source).unwrap_or_else(|error| panic!("{error}")).scenario;
        let mut original = scenario.world().unwrap();
        let end = SimTime::from_seconds(scenario.duration);
        let before = 1 + random.below(SHIPPED_EVENTS);
        // If a scenario has few events, the snapshot is at 60 % of its duration.
        let _ = original.advance(SimTime::from_seconds(0.6 * scenario.duration), before).unwrap();
        original.take_events();
        let snapshot = original.snapshot();
        let bodies = scenario.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
        let commands = scenario.commands.iter().cloned();
        let mut resumed = World::resume(scenario.settings.clone(), bodies, commands, &snapshot).unwrap();
        assert_eq!(snapshot_hash(&resumed.snapshot()), snapshot_hash(&snapshot), "{}", file.display());
        let [wanted, found] = [&mut original, &mut resumed].map(|world| {
            world.advance(end, SHIPPED_EVENTS).unwrap();
            format!("{:?} {:?} {}", world.take_events(), world.audit(), snapshot_hash(&world.snapshot()))
        });
        assert!(wanted == found, "{} from {} s", file.display(), snapshot.now());
    }
}

/// The position of every number in a text of numbers, words and brackets.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let part = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
    let mut found = Vec::new();
    let mut start = None;
    for (place, c) in text.char_indices() {
        match (start, c.is_ascii_digit() || c == '-' || (start.is_some() && part(c))) {
            (None, true) => start = Some(place),
            (Some(first), false) => {
                found.push(first..place);
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[test]
fn a_damaged_snapshot_is_refused_or_harmless() {
    let mut random = Random::new(6);
    let mut refused = [0; 3];
    for (round, make) in [gas, room, heap, on_hills].into_iter().enumerate() {
        let scene = make(&mut random, 2 + round);
        let mut original = stepper(&scene);
        let _ = original.advance(time(&scene, 20), usize::MAX);
        let text = serde_json::to_string(&original.snapshot()).unwrap();
        let places = numbers(&text);
        for _ in 0..400 {
            let place = places[random.below(places.len())].clone();
            let instead = ["-1", "0", "7", "-1e300", "1e300", "4294967295", "18446744073709551615", "0.5", "null"];
            let damaged = format!("{}{}{}", &text[..place.start], instead[random.below(9)], &text[place.end..]);
            let Ok(snapshot) = serde_json::from_str::<Snapshot>(&damaged) else {
                refused[0] += 1;
                continue;
            };
            match Stepper::restore(scene.settings.clone(), &scene.bodies, &snapshot) {
                Ok(_) => refused[2] += 1,
                Err(_) => refused[1] += 1,
            }
        }
        let few = Stepper::restore(scene.settings.clone(), &scene.bodies[1..], &original.snapshot());
        assert!(matches!(few, Err(RestoreError::Length { .. })), "{few:?}");
    }
    assert!(refused.iter().all(|&count| count > 50), "{refused:?}");
}

#[test]
fn counts_of_time_steps_that_cannot_be_are_refused() {
    let bodies = [Body::sphere(0.25, 1.0).unwrap()];
    let sound = serde_json::to_value(Stepper::new(Settings::default(), &bodies).unwrap().snapshot()).unwrap();
    let restored = |snapshot: &serde_json::Value| {
        Stepper::restore(Settings::default(), &bodies, &serde_json::from_value(snapshot.clone()).unwrap())
    };
    assert!(restored(&sound).is_ok());
    let rows = [
        ("steps", serde_json::json!(u64::MAX)),
        ("largest", serde_json::json!(2)),
        ("members", serde_json::json!(1)),
        ("since", serde_json::json!([1, 0.0])),
        ("since", serde_json::json!([-1, 0.0])),
        ("body_seconds", serde_json::json!(-1.0)),
    ];
    for (field, value) in rows {
        let mut damaged = sound.clone();
        assert_ne!(std::mem::replace(&mut damaged["time_steps"][field], value), serde_json::Value::Null, "{field}");
        let refused = restored(&damaged).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("numbers of time steps"), "{field}: {refused}");
    }
}

#[test]
fn periods_are_counted_beyond_what_32_bits_hold() {
    let settings = Settings {
        gravity: DVec3::NEG_Z,
        space: Space { periods: [None, None, Some(Period { min: 0.0, max: 2.0 })], ..Space::default() },
        ..Settings::default()
    };
    let ball = [Body::sphere(0.25, 1.0).unwrap().at(DVec3::Z)];
    let near = Stepper::new(settings.clone(), &ball).unwrap();
    let mut text = serde_json::to_value(near.snapshot()).unwrap();
    text["turns"][0][2] = 5_000_000_000_i64.into();
    let snapshot: Snapshot = serde_json::from_value(text).unwrap();
    let far = Stepper::restore(settings, &ball, &snapshot).unwrap();
    assert_eq!((near.balance().potential, far.balance().potential), (1.0, 10_000_000_001.0));
}

#[test]
fn a_snapshot_of_another_world_is_refused() {
    let ball = |name: &'static str| (name, Body::sphere(0.5, 1.0).unwrap());
    let world = |names: &[&'static str]| {
        World::new(
            Settings::default(),
            names.iter().map(|&name| {
                let (name, body) = ball(name);
                let x = f64::from(name.as_bytes()[0]);
                (name, body.at(X * x))
            }),
        )
        .unwrap()
    };
    let (mut two, mut one) = (world(&["a", "b"]), world(&["a"]));
    let early = two.snapshot();
    two.spawn("c", &ball("c").1).unwrap();
    let late = two.snapshot();
    assert!(matches!(one.restore(&early), Err(carom::world::RestoreError::OtherRun { .. })));
    two.restore(&early).unwrap();
    assert_eq!((two.count(), two.id("c")), (2, None));
    assert!(matches!(two.restore(&late), Err(carom::world::RestoreError::OtherRun { .. })));
    let bodies = || ["a", "b"].map(ball);
    let missing = World::resume(Settings::default(), bodies(), [], &late).err();
    assert_eq!(missing, Some(carom::world::RestoreError::Missing { name: "c".into() }));
    let all = bodies().into_iter().chain([ball("c")]);
    let resumed = World::resume(Settings::default(), all, [], &late).unwrap();
    assert_eq!((resumed.count(), resumed.name(resumed.id("c").unwrap())), (3, "c"));
    assert_eq!(format!("{:?}", resumed.snapshot()), format!("{late:?}"));
}
