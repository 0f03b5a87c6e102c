//! What bodies that are gone still cost: a step, a snapshot and the way back to it, before and after 20,000 bullets
//! were fired and removed.
//!
//! `cargo bench --bench gone`, or `cargo bench --bench gone -- 1000` for so many bullets. Medians of 200 steps of 1/60
//! s, and of 20 restores.

#[path = "common/timing.rs"]
mod timing;

use carom::dynamics::{Body, Settings};
use carom::record::sealed;
use carom::world::World;
use glam::DVec3;
use timing::{median, timed};

const STEP: f64 = 1.0 / 60.0;
const BULLETS: usize = 20_000;
const STEPS: usize = 200;
const RESTORES: usize = 20;
/// Edge of the square of balls, and of the tiled floor under it.
const EDGE: i32 = 30;

/// Balls that bounce on a floor of tiles.
fn world() -> World {
    let places = || (0..EDGE * EDGE).map(|n| DVec3::new(f64::from(n % EDGE), f64::from(n / EDGE), 0.0));
    let tile = |place: DVec3| Body::cuboid(DVec3::new(0.5, 0.5, 0.5), 1.0).unwrap().fixed().at(place - 0.5 * DVec3::Z);
    let ball = |place: DVec3| Body::sphere(0.2, 1.0).unwrap().at(place + DVec3::Z * (1.0 + 0.001 * place.x));
    let tiles = places().enumerate().map(|(row, place)| (format!("tile/{row}"), tile(place)));
    let balls = places().enumerate().map(|(row, place)| (format!("ball/{row}"), ball(place)));
    World::new(Settings { gravity: DVec3::NEG_Z, ..Settings::default() }, tiles.chain(balls)).unwrap()
}

fn measure(world: &mut World, what: &str) -> usize {
    let earlier = world.clone();
    let step = median((0..STEPS).map(|_| timed(|| world.step(STEP).unwrap())).collect());
    drop(world.take_events());
    let snapshot = world.snapshot();
    let bytes = sealed(&snapshot).len();
    // A world that was not as far is set up anew.
    let restore = |mut other: World| timed(|| other.restore(&snapshot).unwrap());
    let restore = median((0..RESTORES).map(|_| restore(earlier.clone())).collect());
    println!("| {what:22} | {step:7.1} | {restore:10.1} | {bytes:14} |");
    bytes
}

fn main() {
    let count = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(BULLETS);
    let mut world = world();
    println!("| bodies that are gone   | step µs | restore µs | snapshot bytes |");
    println!("|:-----------------------|--------:|-----------:|---------------:|");
    let before = measure(&mut world, "0");
    let bullet = Body::sphere(0.01, 0.01).unwrap().at(DVec3::Z * 50.0).moving(DVec3::Y * 100.0);
    for row in 0..count {
        let id = world.spawn(format!("bullet/{row}"), &bullet).unwrap();
        world.despawn(id).unwrap();
    }
    drop(world.take_events());
    let after = measure(&mut world, &count.to_string());
    println!("\nbytes for each that is gone: {:.1}", (after as f64 - before as f64) / count as f64);
}
