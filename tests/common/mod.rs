//! What several tests share: making worlds, running them, a small gas.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod corpus;
pub(crate) mod reference;
pub(crate) mod scene;

use carom::dynamics::{Body, Event, EventKind, Period, Settings, Space};
use carom::geometry::{Shape, Solid};
use carom::motion::SimTime;
use carom::world::World;
use glam::DVec3;

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

/// The one solid that a shape is.
pub(crate) fn solid(shape: &Shape) -> Solid<'_> {
    shape.solid().expect("no mesh")
}

/// A small portable generator for test data: numbers in [0, 1).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// SplitMix64 (Steele, Lea & Flood 2014).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
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
    let settings = Settings { space: Space { periods: [period; 3] }, ..Settings::default() };
    let bodies = (0..count).map(|n| {
        let cell = DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
        let velocity = random.vector(1.0);
        (format!("gas{n:06}"), Body::sphere(0.5, 1.0).unwrap().at((cell + 0.5) * spacing).moving(velocity))
    });
    world(settings, bodies.collect::<Vec<_>>())
}
