//! The state of a world in bytes: its size, what is refused, and worlds that take up the state of another one.

use carom::dynamics::{Body, Settings};
use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::record::recording::RECORDING_SCHEMA;
use carom::record::{BytesError, SealError, sealed, unsealed};
use carom::world::{Command, Named, RestoreError, Timed, World};
use twox_hash::XxHash3_128;

use crate::common::Random;

fn ball(radius: f64) -> Body {
    Body::sphere(radius, 1.0).unwrap()
}

/// Balls in flight, and a floor far below them.
fn balls(count: usize, spin: f64) -> World {
    let mut random = Random::new(3);
    let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    let place = |n: usize| DVec3::new((n % 10) as f64, (n / 10 % 10) as f64, (n / 100) as f64);
    let mut bodies = vec![("floor".to_owned(), Body::plane(DVec3::Z, -100.0).unwrap())];
    for n in 0..count {
        let body = ball(0.2).at(place(n)).moving(random.vector(0.5)).spinning(random.vector(spin));
        bodies.push((format!("ball/{n}"), body));
    }
    World::new(settings, bodies).unwrap()
}

fn saved(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save_into(&mut bytes);
    bytes
}

#[test]
fn a_ball_in_flight_has_at_most_200_bytes() {
    let mut bytes = Vec::new();
    for (spin, resting) in [(0.0, false), (3.0, false), (3.0, true)] {
        let mut world = balls(1000, spin);
        if resting {
            world.spawn("resting", &ball(0.2).at(DVec3::new(30.0, 0.0, -99.8))).unwrap();
        }
        world.step(0.5).unwrap();
        assert_eq!(world.contacts().len(), usize::from(resting));
        world.save_into(&mut bytes);
        assert!(bytes.len() <= 200 * world.count(), "{spin} {resting}: {} bytes", bytes.len());
        let memory = (bytes.as_ptr(), bytes.capacity());
        world.save_into(&mut bytes);
        assert_eq!((bytes.as_ptr(), bytes.capacity()), memory, "the buffer is used again");
    }
}

/// A small world with all that bytes can have: contacts, spin, a sensor, bodies that came and went.
fn busy() -> World {
    let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    let mut bodies = vec![
        ("floor".to_owned(), Body::plane(DVec3::Z, 0.0).unwrap()),
        ("gate".to_owned(), Body::cuboid(DVec3::ONE, 1.0).unwrap().fixed().sensor()),
        ("box".to_owned(), Body::cuboid(DVec3::splat(0.2), 1.0).unwrap().at(DVec3::new(5.0, 0.0, 0.2))),
    ];
    let flying = |n: u32| ball(0.1).at(DVec3::new(0.0, f64::from(n), 2.0)).spinning(DVec3::Y);
    bodies.extend((0..4).map(|n| (format!("ball/{n}"), flying(n))));
    let mut world = World::new(settings, bodies).unwrap();
    world.step(0.3).unwrap();
    world.spawn("late", &ball(0.1).at(DVec3::new(-5.0, 0.0, 1.0))).unwrap();
    world.despawn(world.id("ball/3").unwrap()).unwrap();
    world.step(0.2).unwrap();
    world
}

#[test]
fn damaged_bytes_are_refused_or_harmless() {
    let mut world = busy();
    let bytes = saved(&world);
    world.step(0.4).unwrap();
    let present = world.snapshot();
    let refused = |world: &mut World, bytes: &[u8]| {
        assert_eq!(world.restore_from(bytes), Err(BytesError::Seal(SealError::Damaged)));
    };
    (0..bytes.len()).for_each(|length| refused(&mut world, &bytes[..length]));
    let mut random = Random::new(8);
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let mut other = bytes.clone();
        let place = 16 + random.below(bytes.len() - 16);
        other[place] ^= 1 << random.below(8);
        refused(&mut world, &other);
        // With a checksum that fits, as someone might send them; some are also cut short.
        other.truncate(if random.below(4) == 0 { place + 1 } else { bytes.len() });
        let seal = XxHash3_128::oneshot(&other[16..]).to_le_bytes();
        other[..16].copy_from_slice(&seal);
        let is_whole = world.clone().restore_from(&other).is_ok();
        counts[usize::from(is_whole)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    assert_eq!(world.snapshot(), present, "it is unchanged");
    refused(&mut world, &[&bytes[..], &[0]].concat());
    world.restore_from(&bytes).unwrap();
    assert_eq!(saved(&world), bytes);
}

#[test]
fn bytes_of_other_worlds_and_versions_are_refused() {
    let bodies = || [("a", ball(0.5)), ("b", ball(0.5).at(DVec3::X * 5.0))];
    let world = |settings: Settings, bodies: [(&'static str, Body); 2]| World::new(settings, bodies).unwrap();
    let bytes = saved(&world(Settings::default(), bodies()));
    let [a, b] = bodies();
    let others = [
        world(Settings { rest_height: 1e-5, ..Settings::default() }, bodies()),
        world(Settings::default(), [a.clone(), ("c", b.1.clone())]),
        world(Settings::default(), [a.clone(), ("b", ball(0.25).at(DVec3::X * 5.0))]),
        world(Settings::default(), [a.clone(), ("b", Body::sphere(0.5, 2.0).unwrap().at(DVec3::X * 5.0))]),
        world(Settings::default(), [a.clone(), ("b", b.1.clone().sensor())]),
    ];
    for mut other in others {
        assert_eq!(other.restore_from(&bytes), Err(BytesError::OtherWorld));
    }
    // Neither motion nor gravity is fixed: the bytes have them.
    let gravity = Settings { gravity: DVec3::X, ..Settings::default() };
    let mut same = world(gravity, [a, ("b", b.1.at(DVec3::Y * 9.0).moving(DVec3::Y))]);
    same.restore_from(&bytes).unwrap();
    assert_eq!(saved(&same), bytes);
    let other = RECORDING_SCHEMA + 1;
    assert_eq!(same.restore_from(&sealed(&(other, 1))), Err(BytesError::OtherVersion { found: other }));
    assert_eq!(same.restore_from(&sealed(&"text")), Err(BytesError::OtherVersion { found: 4 }));
    assert_eq!(same.restore_from(&sealed(&RECORDING_SCHEMA)), Err(BytesError::Seal(SealError::Foreign)));
    assert!(unsealed::<(u32, [u8; 16])>(&bytes).is_err(), "there is more than that");
}

#[test]
fn another_world_takes_up_the_state() {
    let start = || {
        let mut world = balls(20, 1.0);
        let comes = Command::Spawn(Named { name: "later".to_owned(), body: ball(0.3).at(DVec3::Z * 20.0) });
        world
            .schedule_all([Timed { at: SimTime::from_seconds(0.5), command: comes, origin: "test".to_owned() }])
            .unwrap();
        world
    };
    let mut world = start();
    world.step(1.0).unwrap();
    let bytes = saved(&world);
    // What was scheduled comes from the schedule, and is tracked if that was asked for before.
    let mut other = start();
    let id = world.id("later").unwrap();
    other.track(id);
    other.restore_from(&bytes).unwrap();
    assert_eq!(other.take_knots().iter().map(|knot| knot.body).collect::<Vec<_>>(), [id]);
    world.take_events();
    [&mut world, &mut other].into_iter().for_each(|world| world.step(5.0).unwrap());
    assert!(!world.events().is_empty());
    assert_eq!((other.take_events(), saved(&other)), (world.take_events(), saved(&world)));
    // What was spawned by hand has to be there.
    world.spawn("by hand", &ball(0.1).at(DVec3::Z * 500.0)).unwrap();
    let bytes = saved(&world);
    let unknown = other.restore_from(&bytes).unwrap_err();
    assert!(matches!(unknown, BytesError::Restore(RestoreError::OtherRun { what: "bodies", .. })), "{unknown}");
    other.spawn("by hand", &ball(0.2).at(DVec3::Z * 500.0)).unwrap();
    assert_eq!(other.restore_from(&bytes), Err(BytesError::OtherWorld), "it is larger");
}
