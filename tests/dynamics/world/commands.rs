//! Commands act at their exact instant, appear in the energy accounts, and do not change the ids of other bodies.

use carom::dynamics::{Body, BodyId, Event, EventKind, Settings, Space};
use carom::motion::SimTime;
use carom::record::{sealed, unsealed};
use carom::world::{Command, CommandError, Named, RunError, SetupError, Timed, World};
use glam::DVec3;

use super::{books, check_books, id};
use crate::common::scene::{ball, cube, cuboid, of_kind, plane, settings};
use crate::common::{Random, events_until, world};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;

fn gravity() -> DVec3 {
    Z * -10.0
}

/// Settings with gravity, restitution 0, and this friction µ.
fn dull(friction: f64) -> Settings {
    settings(gravity(), 0.0, friction)
}

fn until(world: &mut World, seconds: f64) -> Vec<Event> {
    events_until(world, seconds)
}

fn timed(at: f64, command: Command) -> Timed {
    Timed { at: SimTime::from_seconds(at), command, origin: "test".to_owned() }
}

fn near(found: DVec3, wanted: DVec3) -> bool {
    (found - wanted).length() <= 1e-12
}

#[test]
fn a_kick_is_a_change_of_velocity() {
    // Both bodies start at rest on the floor. One moves up and returns after 2 v/g, the other slides and stops after
    // v²/2µg.
    let bodies = [
        ("floor", plane(Z, 0.0)),
        ("jumps", cube(0.5, 2.0).at(Z * 0.5)),
        ("slides", cube(0.5, 2.0).at(Z * 0.5 + X * 9.0)),
    ];
    let mut world = world(dull(0.5), bodies);
    let start = books(&world);
    until(&mut world, 1.0);
    let (jumps, slides) = (id(&world, "jumps"), id(&world, "slides"));
    assert_eq!(world.state(jumps).velocity, DVec3::ZERO);
    world.kick(jumps, Z * 4.0).unwrap();
    world.kick(slides, X * 4.0).unwrap();
    assert_eq!([jumps, slides].map(|id| world.state(id).velocity), [Z * 2.0, X * 2.0]);
    check_books(&world, start, "just after the kicks");
    let events = until(&mut world, 5.0);
    let release = of_kind(&events, EventKind::Release);
    assert_eq!((release.len(), release[0].a, release[0].time), (1, jumps, SimTime::from_seconds(1.0)));
    let rest = of_kind(&events, EventKind::Rest);
    assert!(rest.len() == 1 && (rest[0].time.seconds() - 1.4).abs() < 1e-12, "{rest:?}");
    let stick = of_kind(&events, EventKind::Stick);
    assert!(stick.len() == 1 && (stick[0].time.seconds() - 1.4).abs() < 1e-12, "{stick:?}");
    assert!(near(world.state(slides).position, X * 9.4 + Z * 0.5), "{}", world.state(slides).position);
    check_books(&world, start, "in the end");
}

#[test]
fn a_kick_into_the_floor_bounces() {
    let mut world =
        world(settings(gravity(), 0.5, 0.0), [("ball", ball(0.5, 1.0).at(Z * 0.5)), ("floor", plane(Z, 0.0))]);
    let start = books(&world);
    until(&mut world, 1.0);
    let ball = id(&world, "ball");
    world.kick(ball, Z * -3.0).unwrap();
    let events = until(&mut world, 1.0);
    assert_eq!(of_kind(&events, EventKind::Impact).len(), 1);
    assert!(near(world.state(ball).velocity, Z * 1.5), "{}", world.state(ball).velocity);
    check_books(&world, start, "bounced");
}

/// A billiard ball: a stroke of the cue at `high` above its centre, in radii, or a spin that is given to it. A solid
/// ball with the speed v and the topspin ω rolls with (5 v + 2 ω r)/7 in the end (Coriolis, *Théorie mathématique des
/// effets du jeu de billard*, 1835), after a slip of |v − ω r| that decreases with 7 µ g/2.
#[test]
fn a_cue_beside_the_centre_spins_a_ball() {
    let (radius, mass, friction, speed) = (0.5, 0.7, 0.2, 2.0);
    for (high, given) in [(0.0, None), (0.4, None), (0.7, None), (-0.9, None), (0.0, Some(9.0)), (0.0, Some(-30.0))] {
        for (along, up) in [(X, Z), (DVec3::Y, X), (-Z, DVec3::Y)] {
            let settings = settings(up * -10.0, 0.0, friction);
            let mut world = world(settings, [("floor", plane(up, 0.0)), ("ball", ball(radius, mass).at(up * radius))]);
            let start = books(&world);
            until(&mut world, 1.0);
            let ball = id(&world, "ball");
            world.kick_at(ball, along * (mass * speed), up * (high * radius)).unwrap();
            let topspin = given.unwrap_or(2.5 * speed * high / radius);
            if let Some(spin) = given {
                world.set_spin(ball, up.cross(along) * spin).unwrap();
            }
            check_books(&world, start, "after the stroke");
            let slip = speed - topspin * radius;
            let (ends, rolls) = (slip.abs() / (3.5 * friction * 10.0), (5.0 * speed + 2.0 * topspin * radius) / 7.0);
            until(&mut world, 4.0);
            let wanted = (speed + rolls) * 0.5 * ends + rolls * (3.0 - ends);
            let state = world.state(ball);
            let context = format!("{high} {given:?} {along}: {state:?}");
            assert!((state.velocity - along * rolls).length() < 1e-12, "{context}, not {rolls}");
            assert!((state.spin - up.cross(along) * (rolls / radius)).length() < 1e-11, "{context}");
            assert!((state.position - up * radius - along * wanted).length() < 1e-11, "{context}, not {wanted}");
            check_books(&world, start, &context);
        }
    }
}

#[test]
fn what_never_turns_takes_no_spin() {
    let bodies = [
        ("ball", ball(0.5, 1.0)),
        ("box", cube(0.5, 1.0).at(X * 2.0)),
        ("lift", ball(0.5, 1.0).at(X * 4.0).kinematic()),
        ("floor", plane(Z, -1.0)),
    ];
    let mut world = world(dull(0.3), bodies);
    let before = world.snapshot();
    for name in ["box", "lift", "floor"] {
        let never = CommandError::NeverTurns { body: name.to_owned() };
        let body = id(&world, name);
        assert_eq!(world.set_spin(body, Z), Err(never), "{name}");
    }
    let [ball, cube] = ["ball", "box"].map(|name| id(&world, name));
    assert_eq!(world.kick_at(cube, X, Z), Err(CommandError::NeverTurns { body: "box".to_owned() }));
    for spin in [DVec3::NAN, X * f64::INFINITY, Z * 1e71] {
        assert_eq!(world.set_spin(ball, spin), Err(CommandError::NotFinite { body: "ball".to_owned() }));
        assert!(world.kick_at(ball, X, spin).is_err(), "{spin}");
    }
    assert_eq!(world.snapshot(), before);
    world.kick(cube, X).unwrap();
}

#[test]
fn discs_spin_in_their_plane_only() {
    let space = Space { is_planar: true, ..Space::default() };
    let mut world = world(Settings { space, ..settings(DVec3::ZERO, 1.0, 0.0) }, [("disc", ball(0.5, 2.0))]);
    let disc = id(&world, "disc");
    let leaves = Err(CommandError::OffPlane { body: "disc".to_owned() });
    assert_eq!(world.set_spin(disc, X), leaves);
    assert_eq!(world.kick_at(disc, X, Z * 0.1), leaves);
    // The moment of inertia of a disc is half its mass times the square of its radius.
    world.kick_at(disc, X * 2.0, DVec3::Y * 0.25).unwrap();
    assert_eq!((world.state(disc).velocity, world.state(disc).spin), (X, Z * -2.0));
}

/// A heap of rough balls and cubes, whose balls are spun and struck beside their centres while they fall and sleep.
#[test]
fn heaps_that_are_spun_keep_their_accounts() {
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let mut bodies: Vec<(String, Body)> = vec![("floor".to_owned(), plane(Z, 0.0))];
        bodies.extend([X, -X, DVec3::Y, -DVec3::Y].iter().map(|&wall| (format!("wall {wall}"), plane(wall, -0.8))));
        for n in 0..24 {
            let place = DVec3::new(f64::from(n % 3 - 1), f64::from(n / 3 % 3 - 1), 0.5 + f64::from(n / 9)) * 0.5;
            let body = if n % 5 == 0 { cube(0.2, 1.0) } else { ball(0.2, 0.5) };
            bodies.push((format!("p{n:02}"), body.at(place + random.vector(0.03) + Z * 0.03)));
        }
        let mut world = world(settings(gravity(), 0.2, 0.4), bodies);
        let start = books(&world);
        for step in 0..40 {
            until(&mut world, 0.1 * f64::from(step + 1));
            let body = id(&world, &format!("p{:02}", random.below(24)));
            let done = match step % 3 {
                0 => world.set_spin(body, random.vector(20.0)),
                1 => world.kick_at(body, random.vector(0.5), random.vector(0.2)),
                _ => Ok(()),
            };
            assert!(matches!(done, Ok(()) | Err(CommandError::NeverTurns { .. })), "{done:?}");
            check_books(&world, start, &format!("seed {seed}, step {step}"));
        }
    }
}

#[test]
fn a_free_body_gets_just_the_velocity_that_it_is_given() {
    let cases = [("in flight", Z * 7.0), ("at rest", Z * 0.5)];
    for (title, place) in cases {
        let mut world = world(
            settings(gravity(), 0.5, 0.3),
            [("ball", ball(0.5, 0.7).at(place).spinning(Z * 2.0)), ("floor", plane(Z, 0.0))],
        );
        let start = books(&world);
        until(&mut world, 0.3);
        let ball = id(&world, "ball");
        let spin = world.state(ball).spin;
        let velocity = DVec3::new(0.1, -0.7, 3.3);
        world.set_velocity(ball, velocity).unwrap();
        assert_eq!((world.state(ball).velocity, world.state(ball).spin), (velocity, spin), "{title}");
        check_books(&world, start, title);
        let here = world.state(ball).position;
        until(&mut world, 0.5);
        let wanted = here + velocity * 0.2 + gravity() * 0.02;
        assert!(near(world.state(ball).position, wanted), "{title}: {}", world.state(ball).position);
        check_books(&world, start, title);
    }
}

#[test]
fn a_lift_that_starts_and_stops_carries_and_throws() {
    let lift = cuboid(DVec3::new(1.0, 1.0, 0.1), 1.0).kinematic();
    let mut world = world(dull(0.4), [("lift", lift), ("crate", cube(0.5, 2.0).at(Z * 0.6))]);
    let start = books(&world);
    let [lift, load] = ["lift", "crate"].map(|name| id(&world, name));
    until(&mut world, 1.0);
    world.set_velocity(lift, Z * 2.0).unwrap();
    until(&mut world, 2.0);
    assert!(near(world.state(load).position, Z * 2.6) && near(world.state(load).velocity, Z * 2.0));
    check_books(&world, start, "carried");
    world.set_velocity(lift, DVec3::ZERO).unwrap();
    let events = until(&mut world, 2.2);
    assert_eq!(of_kind(&events, EventKind::Release).len(), 1);
    assert!(near(world.state(load).position, Z * (2.6 + 0.2)) && near(world.state(load).velocity, DVec3::ZERO));
    until(&mut world, 3.0);
    assert_eq!((world.state(load).velocity, world.state(lift).velocity), (DVec3::ZERO, DVec3::ZERO));
    // In sideways motion, friction accelerates the crate until it has the speed of the lift.
    world.set_velocity(lift, X * 1.0).unwrap();
    until(&mut world, 4.0);
    assert!(near(world.state(load).velocity, X) && near(world.state(load).position, X * (1.0 - 0.125) + Z * 2.6));
    check_books(&world, start, "thrown and drawn");
}

#[test]
fn what_rests_falls_when_its_support_goes() {
    let boxes = (0..3).map(|n| (format!("box{n}"), cube(0.5, 1.0).at(Z * (1.5 + f64::from(n)))));
    let sensor = cube(0.25, 1.0).fixed().sensor().at(Z * 3.5);
    let mut bodies: Vec<(String, Body)> = boxes.collect();
    bodies.push(("table".to_owned(), cuboid(DVec3::new(2.0, 2.0, 0.5), 1.0).fixed().at(Z * 0.5)));
    bodies.push(("gate".to_owned(), sensor));
    let mut world = world(dull(0.3), bodies);
    let start = books(&world);
    until(&mut world, 1.0);
    let [table, top, lowest, gate] = ["table", "box2", "box0", "gate"].map(|name| id(&world, name));
    world.despawn(table).unwrap();
    let events = until(&mut world, 1.5);
    assert_eq!(of_kind(&events, EventKind::Release)[0].time, SimTime::from_seconds(1.0));
    assert!(near(world.state(top).position, Z * (3.5 - 1.25)), "{}", world.state(top).position);
    // A removed body leaves the sensor and takes its energy with it.
    world.kick(top, Z * 9.0).unwrap();
    until(&mut world, 1.9);
    check_books(&world, start, "falling");
    let inside = world.state(top).position;
    assert!((inside.z - 3.5).abs() < 0.75, "{inside}");
    world.despawn(top).unwrap();
    assert_eq!(
        of_kind(&world.take_events(), EventKind::Leave).iter().map(|e| (e.a, e.b)).collect::<Vec<_>>(),
        [(top, gate)]
    );
    until(&mut world, 3.0);
    check_books(&world, start, "gone");
    assert_eq!(world.state(top).position, inside, "it stays where it was");
    assert_eq!(world.kick(top, Z), Err(CommandError::NoSuchBody { body: "box2".to_owned() }));
    assert_eq!((world.id("box2"), world.name(top), world.count()), (None, "box2", 3));
    assert!(world.ids().all(|id| id != top && id != table) && world.is_present(lowest));
}

#[test]
fn bodies_that_come_meet_those_that_are_there() {
    let mut world = world(dull(0.0), [("m", plane(Z, 0.0)), ("z", ball(0.5, 1.0).at(Z * 0.5))]);
    let start = books(&world);
    until(&mut world, 0.5);
    let before = [id(&world, "m"), id(&world, "z")];
    let overlap = world.spawn("a", &ball(0.5, 1.0).at(Z * 1.25)).unwrap_err();
    assert_eq!(overlap, CommandError::Overlap { body: "a".into(), other: "z".into(), depth: 0.25 });
    let taken = world.spawn("z", &ball(0.5, 1.0).at(X * 9.0 + Z)).unwrap_err();
    assert_eq!(taken, CommandError::NameTaken { name: "z".into() });
    let wild = world.spawn("w", &ball(0.5, 1.0).at(X * f64::NAN)).unwrap_err();
    assert_eq!(wild, CommandError::Spawn(SetupError::NotFinite { body: "w".into() }));
    let a = world.spawn("a/1", &ball(0.5, 1.0).at(Z * 2.5).spinning(Z)).unwrap();
    check_books(&world, start, "come");
    assert_eq!((a, [id(&world, "m"), id(&world, "z")]), (BodyId(2), before));
    let b = world.spawn("a/0", &cube(0.5, 1.0).kinematic().at(X * 3.0 + Z * 0.5).moving(-X)).unwrap();
    let events = until(&mut world, 4.0);
    // The upper body falls 1 m onto the ball. Then the box pushes both.
    let rest = of_kind(&events, EventKind::Rest);
    assert!((rest[0].time.seconds() - (0.5 + 0.2f64.sqrt())).abs() < 1e-12, "{rest:?}");
    assert!(events.iter().any(|event| event.a == b || event.b == b), "the box met another body");
    assert!(world.state(before[1]).velocity.x <= -1.0 + 1e-9, "{}", world.state(before[1]).velocity);
    check_books(&world, start, "in the end");
    assert_eq!(world.under("a").map(|id| world.name(id)).collect::<Vec<_>>(), ["a/0", "a/1"]);
    assert_eq!(world.children(""), ["a", "m", "z"]);
    world.despawn(b).unwrap();
    assert_eq!(world.children("a"), ["a/1"]);
    let again = world.spawn("a/0", &ball(0.1, 1.0).at(Z * 99.0)).unwrap_err();
    assert_eq!(again, CommandError::NameTaken { name: "a/0".into() });
    assert_eq!(world.spawn("c", &ball(0.1, 1.0).at(Z * 99.0)), Ok(BodyId(4)));
}

#[test]
fn a_command_for_the_wrong_body_is_refused() {
    let bodies = [
        ("ball", ball(0.5, 1.0)),
        ("fixed", cube(0.5, 1.0).fixed().at(X * 5.0)),
        ("piston", cube(0.5, 1.0).kinematic().at(X * 9.0)),
    ];
    let mut world = world(dull(0.0), bodies);
    let [ball, fixed, piston] = ["ball", "fixed", "piston"].map(|name| id(&world, name));
    let before = format!("{:?}", world.snapshot());
    for other in [fixed, piston] {
        let body = world.name(other).to_owned();
        assert_eq!(world.kick(other, X), Err(CommandError::NotFree { body }));
    }
    assert_eq!(world.set_velocity(fixed, X), Err(CommandError::Fixed { body: "fixed".into() }));
    assert_eq!(world.set_velocity(ball, X * f64::NAN), Err(CommandError::NotFinite { body: "ball".into() }));
    assert_eq!(world.kick(ball, X * 1e71), Err(CommandError::NotFinite { body: "ball".into() }));
    assert_eq!(world.kick(ball, X * f64::NAN), Err(CommandError::NotFinite { body: "ball".into() }));
    assert_eq!(world.set_velocity(piston, X * f64::INFINITY), Err(CommandError::NotFinite { body: "piston".into() }));
    let texts = [
        (
            world.set_velocity(ball, X * 1e71),
            "the velocity of `ball` must be finite and at most 1e70 m/s along each axis",
        ),
        (
            world.set_gravity(X * f64::NAN),
            "gravity must be finite, at most 1e70 m/s² along each axis, and in the plane if the world is planar",
        ),
    ];
    for (refused, text) in texts {
        assert_eq!(refused.unwrap_err().to_string(), text);
    }
    assert!(matches!(world.despawn(BodyId(3)), Err(CommandError::NoSuchBody { .. })));
    assert_eq!(format!("{:?}", world.snapshot()), before, "the world is as it was");
    until(&mut world, 1.0);
    let late = timed(0.5, Command::Despawn { body: "ball".into() });
    let (at, now) = (late.at, world.now());
    assert_eq!(world.schedule(late), Err(CommandError::Past { at, now }));
    world.schedule(timed(2.0, Command::Despawn { body: "missing".into() })).unwrap();
    let error = world.advance(SimTime::from_seconds(3.0), usize::MAX).unwrap_err();
    assert!(matches!(error, RunError::Command { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "test: the command for 2 s cannot be carried out: there is no body `missing`; it may have been removed"
    );
    assert_eq!(world.now(), SimTime::from_seconds(2.0));
}

#[test]
fn commands_scheduled_together_come_as_if_one_after_the_other() {
    let kick = |at: f64, impulse: DVec3| timed(at, Command::kick("ball", impulse));
    let new = || world(dull(0.0), [("ball", ball(0.5, 1.0))]);
    // The second set is scheduled when the world is at 1 s, where a command of the first set was executed.
    let first = [kick(3.0, X), kick(1.0, X * 2.0), kick(3.0, X * 3.0), kick(2.0, X * 4.0)];
    let second = [kick(3.0, X * 5.0), kick(1.0, X * 6.0), kick(2.0, X * 7.0), kick(1.0, X * 8.0)];
    let [mut together, mut apart] = [new(), new()];
    for commands in [first, second] {
        together.schedule_all(commands.clone()).unwrap();
        commands.into_iter().for_each(|command| apart.schedule(command).unwrap());
        [&mut together, &mut apart].into_iter().for_each(|world| drop(until(world, 1.0)));
    }
    assert_eq!(together.scheduled(), apart.scheduled());
    assert_eq!((together.carried_out().len(), together.scheduled().len()), (3, 8));
    let at_times = together.scheduled().is_sorted_by_key(|timed| timed.at);
    assert!(at_times, "{:?}", together.scheduled());
    let now = together.now();
    let late = together.schedule_all([kick(4.0, X), kick(0.5, X)]);
    assert_eq!(late, Err(CommandError::Past { at: SimTime::from_seconds(0.5), now }));
    assert_eq!(together.scheduled().len(), 8, "none of them");
}

/// Bodies poured into a box, while commands kick bodies, open a wall, move the floor and add bodies.
fn busy(random: &mut Random) -> World {
    let mut bodies = vec![
        ("floor".to_owned(), cuboid(DVec3::new(3.0, 3.0, 0.5), 1.0).kinematic().at(Z * -0.5)),
        ("gate".to_owned(), cuboid(DVec3::new(0.1, 1.0, 2.0), 1.0).fixed().at(X * 1.0 + Z * 2.0)),
        ("west".to_owned(), plane(X, -0.9)),
        ("south".to_owned(), plane(DVec3::Y, -0.9)),
        ("north".to_owned(), plane(-DVec3::Y, -0.9)),
    ];
    for n in 0..27 {
        let place = DVec3::new((n % 3) as f64 - 1.0, (n / 3 % 3) as f64 - 1.0, (n / 9) as f64 + 0.9) * 0.6;
        let half = random.between(0.1, 0.25);
        let body = if n % 4 > 0 { ball(half, half) } else { cube(half, half) };
        bodies.push((format!("p{n:02}"), body.at(place + random.vector(0.04))));
    }
    let mut world = world(settings(gravity(), 0.3, if random.below(2) == 0 { 0.0 } else { 0.3 }), bodies);
    for n in 0..12 {
        let at = random.between(0.0, 2.0);
        let body = format!("p{:02}", random.below(27));
        let kick = Command::kick(body.clone(), random.vector(0.5));
        let spawned = ball(0.1, 0.2).at(DVec3::new(0.0, 0.0, 4.0 + f64::from(n))).moving(-Z);
        let command = match n % 6 {
            0..3 => kick,
            3 => Command::Spawn(Named { name: format!("s{n}"), body: spawned }),
            _ => Command::SetVelocity { body: "floor".to_owned(), velocity: Z * random.between(-0.2, 0.2) },
        };
        world.schedule(timed(at, command)).unwrap();
    }
    world.schedule(timed(1.1, Command::Despawn { body: "gate".to_owned() })).unwrap();
    world.schedule(timed(1.7, Command::Despawn { body: "p13".to_owned() })).unwrap();
    world
}

#[test]
fn a_busy_world_keeps_its_books_and_does_not_know_the_timestep() {
    for seed in 0..12 {
        let run = |timestep: f64, events_max: usize| {
            let mut world = busy(&mut Random::new(seed));
            let start = books(&world);
            let mut told = Vec::new();
            let mut steps = 0.0;
            while world.now() < SimTime::from_seconds(2.5) {
                steps += 1.0;
                let target = SimTime::from_seconds((steps * timestep).min(2.5));
                while let Ok(progress) = world.advance(target, events_max) {
                    told.extend(world.take_events().iter().map(|event| format!("{event:?}")));
                    if progress == carom::dynamics::Progress::Reached {
                        break;
                    }
                }
            }
            check_books(&world, start, &format!("seed {seed}"));
            told.extend(world.ids().map(|id| format!("{} {:?}", world.name(id), world.state(id))));
            told
        };
        let wanted = run(0.01, usize::MAX);
        assert!(wanted.len() > 100);
        for (timestep, events_max) in [(0.37, usize::MAX), (2.5, 1)] {
            let found = run(timestep, events_max);
            let differs = wanted.iter().zip(&found).find(|(wanted, found)| wanted != found);
            assert_eq!(differs, None, "seed {seed} at {timestep} s");
            assert_eq!(wanted.len(), found.len());
        }
    }
}

#[test]
fn a_world_with_commands_goes_on_from_a_snapshot() {
    for seed in 20..32 {
        let mut random = Random::new(seed);
        let mut original = busy(&mut Random::new(seed));
        let middle = random.between(0.1, 2.3);
        until(&mut original, middle);
        let snapshot = original.snapshot();
        let fresh = busy(&mut Random::new(seed));
        let bodies =
            |world: &World| world.ids().map(|id| (world.name(id).to_owned(), world.body(id))).collect::<Vec<_>>();
        let commands = fresh.scheduled().to_vec();
        let settings = fresh.settings().clone();
        let mut resumed = World::resume(settings, bodies(&fresh), commands, &snapshot).unwrap();
        let mut found = Vec::new();
        let mut rest = |world: &mut World| {
            let events = until(world, 2.5);
            let states: Vec<_> = world.ids().map(|id| (world.name(id).to_owned(), world.state(id))).collect();
            found.push(format!("{events:?} {states:?} {:?} {:?}", world.audit(), world.snapshot()));
        };
        rest(&mut original);
        rest(&mut resumed);
        original.restore(&snapshot).unwrap();
        assert_eq!(format!("{:?}", original.snapshot()), format!("{snapshot:?}"));
        rest(&mut original);
        assert!(found[0] == found[1] && found[0] == found[2], "seed {seed} from {middle} s");
    }
}

/// Names of up to 12 letters. They are kept, because a name is never used again.
#[test]
fn a_body_that_is_gone_costs_sixteen_bytes_of_a_snapshot_at_most() {
    let mut world =
        world(dull(0.3), vec![("floor".to_owned(), plane(Z, 0.0)), ("ball".to_owned(), ball(0.5, 1.0).at(Z))]);
    world.step(0.1).unwrap();
    let bytes = |world: &World| sealed(&world.snapshot()).len();
    let (before, count) = (bytes(&world), 2000);
    let bullet = ball(0.1, 0.1).at(Z * 9.0).spinning(X);
    for n in 0..count {
        let id = world.spawn(format!("bullet/{n:05}"), &bullet).unwrap();
        world.despawn(id).unwrap();
    }
    assert!(bytes(&world) - before <= 16 * count, "{} bytes", bytes(&world) - before);
    let again = unsealed(&sealed(&world.snapshot())).unwrap();
    world.restore(&again).unwrap();
    assert!(matches!(world.spawn("bullet/00007", &bullet), Err(CommandError::NameTaken { .. })));
    assert_eq!(world.spawn("next", &bullet).unwrap(), BodyId(2 + count as u32));
    assert_eq!(world.ids().collect::<Vec<_>>(), [0, 1, 2 + count as u32].map(BodyId));
}

#[test]
fn an_emptied_world_goes_on_from_a_snapshot() {
    let bodies =
        || vec![("floor".to_owned(), plane(Z, 0.0)), ("ball".to_owned(), ball(0.5, 1.0).at(Z * 0.6).spinning(X))];
    let mut original = world(dull(0.3), bodies());
    original.step(1.0).unwrap();
    for id in original.ids().collect::<Vec<_>>() {
        original.despawn(id).unwrap();
    }
    original.step(0.1).unwrap();
    let snapshot = original.snapshot();
    let settings = original.settings().clone();
    let mut resumed = World::resume(settings, bodies(), Vec::new(), &snapshot).unwrap();
    let ends = [&mut original, &mut resumed].map(|world| {
        for (name, body) in bodies() {
            world.spawn(format!("new {name}"), &body).unwrap();
        }
        world.step(1.0).unwrap();
        (world.snapshot(), world.take_events())
    });
    assert_eq!(ends[0].0, ends[1].0);
    assert_eq!(sealed(&ends[0].0), sealed(&ends[1].0));
}
