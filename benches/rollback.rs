//! What rollback costs: bytes, saving and restoring for 1,000 balls in flight, and a late input at 60 frames per
//! second: back by 8 frames, and 8 steps that are each saved.
//!
//! `cargo bench --bench rollback`. Medians of 100 rollbacks, each after another frame. `other world` restores into
//! a world at its start.

#[path = "common/timing.rs"]
mod timing;

use carom::glam::DVec3;
use carom::{Body, Restitution, Settings, World};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use timing::{median, timed};

const STEP: f64 = 1.0 / 60.0;
const FRAMES: usize = 8;
const ROUNDS: usize = 100;

/// Balls of 0.1 m that bounce in a room, `apart` m from one another at first.
fn room(apart: f64, spinning: bool) -> World {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = |most: f64| DVec3::from_array(std::array::from_fn(|_| random.random_range(-most..most)));
    let mut settings = Settings { gravity: DVec3::Z * -9.81, ..Settings::default() };
    let stuff = settings.materials.add(Restitution::new(1.0).unwrap());
    let mut bodies = Vec::new();
    for (row, normal) in [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z].into_iter().enumerate() {
        bodies.push((format!("wall/{row}"), Body::plane(normal, -5.0 * apart).unwrap().made_of(stuff)));
    }
    for row in 0..1000 {
        let place = DVec3::new(f64::from(row % 10), f64::from(row / 10 % 10), f64::from(row / 100)) - 4.5;
        let ball = Body::sphere(0.1, 1.0).unwrap().at(place * apart + vector(0.1)).moving(vector(4.0)).made_of(stuff);
        let ball = if spinning { ball.spinning(vector(5.0)) } else { ball };
        bodies.push((format!("ball/{row:04}"), ball));
    }
    World::new(settings, bodies).unwrap()
}

fn measure(what: &str, mut world: World) {
    let start = world.clone();
    (0..60).for_each(|_| world.step(STEP).unwrap());
    let mut frames = vec![Vec::new(); FRAMES];
    let (mut saves, mut backs, mut news, mut steps, mut all) = (vec![], vec![], vec![], vec![], vec![]);
    let mut events = 0;
    for _ in 0..ROUNDS {
        for frame in &mut frames {
            saves.push(timed(|| world.save_into(frame)));
            steps.push(timed(|| world.step(STEP).unwrap()));
            events += world.take_events().len();
        }
        all.push(timed(|| {
            backs.push(timed(|| world.restore_from(&frames[0]).unwrap()));
            for frame in &mut frames {
                world.save_into(frame);
                world.step(STEP).unwrap();
            }
        }));
        world.take_events();
        // What lies ahead of a world is set up anew.
        let mut other = start.clone();
        news.push(timed(|| other.restore_from(&frames[0]).unwrap()));
    }
    let bytes = frames[0].len() as f64 / world.count() as f64;
    let events = events as f64 / (ROUNDS * FRAMES) as f64;
    let [save, back, new, step, all] = [saves, backs, news, steps, all].map(median);
    println!(
        "| {what} | {events:.1} | {bytes:.0} | {save:.0} µs | {back:.0} µs | {new:.0} µs | {step:.0} µs | {:.2} ms |",
        all / 1e3
    );
}

fn main() {
    println!("| 1,000 balls | events a frame | bytes a body | save | restore | other world | step | 8 frames |");
    println!("|---|---|---|---|---|---|---|---|");
    measure("2 m apart", room(2.0, false));
    measure("2 m apart, spinning", room(2.0, true));
    measure("1 m apart", room(1.0, false));
    measure("0.5 m apart", room(0.5, false));
}
