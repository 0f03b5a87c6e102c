//! Helpers that several tests share: worlds, runs, and a small gas.
#![allow(dead_code, reason = "each test program uses its own part")]

pub(crate) mod corpus;
mod random;
pub(crate) mod reference;
pub(crate) mod scene;

use carom::dynamics::{Body, Event, EventKind, Period, Settings, Space};
use carom::geometry::{Shape, Solid};
use carom::motion::SimTime;
use carom::world::World;
use glam::DVec3;
pub(crate) use random::Random;

/// Whether the long tests run in full. `.ci/release` sets this: `CAROM_THOROUGH=1 cargo test`.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("CAROM_THOROUGH").is_some()
}

pub(crate) fn world<N: Into<String>>(settings: Settings, bodies: impl IntoIterator<Item = (N, Body)>) -> World {
    World::new(settings, bodies).expect("a valid start")
}

pub(crate) fn events_until(world: &mut World, seconds: f64) -> Vec<Event> {
    world.advance(SimTime::from_seconds(seconds), usize::MAX).expect("a run without error");
    world.take_events()
}

pub(crate) fn last_time(events: &[Event], kind: EventKind) -> Option<f64> {
    events.iter().rev().find(|event| event.kind == kind).map(|event| event.time.seconds())
}

/// The solid of a shape, which must not be a mesh.
pub(crate) fn solid(shape: &Shape) -> Solid<'_> {
    shape.solid().expect("no mesh")
}

/// `count` (a cube number) elastic unit spheres at the given packing fraction in a periodic cube.
pub(crate) fn gas(count: u32, packing: f64, seed: u64) -> World {
    let side = f64::from(count).cbrt().round() as u32;
    assert_eq!(side * side * side, count);
    let volume = f64::from(count) * std::f64::consts::PI / 6.0 / packing;
    let length = volume.cbrt();
    let spacing = length / f64::from(side);
    let mut random = Random::new(seed);
    let period = Some(Period { min: 0.0, max: length });
    let settings = Settings { space: Space { periods: [period; 3], ..Space::default() }, ..Settings::default() };
    let bodies = (0..count).map(|n| {
        let cell = DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
        let velocity = random.vector(1.0);
        (format!("gas{n:06}"), Body::sphere(0.5, 1.0).unwrap().at((cell + 0.5) * spacing).moving(velocity))
    });
    world(settings, bodies.collect::<Vec<_>>())
}
