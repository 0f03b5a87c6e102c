//! Time of one impact in an elastic gas of spheres at number density 0.5 in a periodic cube.
//!
//! `cargo bench --bench gas`. Impacts per second is the throughput criterion prints.

use carom::dynamics::{Body, Period, Settings, Space};
use carom::world::World;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Impacts in one measured batch.
const IMPACTS: usize = 20_000;

/// `side`³ unit spheres on a lattice, with random velocities.
fn gas(side: u32, density: f64) -> World {
    let spacing = density.cbrt().recip();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let count = side * side * side;
    let bodies = (0..count).map(|n| {
        let cell = DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
        let velocity = DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)));
        (format!("{n:08}"), Body::sphere(0.5, 1.0).unwrap().at((cell + 0.5) * spacing).moving(velocity))
    });
    let period = Some(Period { min: 0.0, max: f64::from(side) * spacing });
    let settings = Settings { space: Space { periods: [period; 3] }, ..Settings::default() };
    World::new(settings, bodies.collect::<Vec<_>>()).unwrap()
}

fn run(world: &mut World, impacts: usize) {
    let target = world.now().plus(1e9);
    world.advance(target, impacts).unwrap();
    assert_eq!(world.take_events().len(), impacts);
}

fn impacts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gas");
    group.throughput(Throughput::Elements(IMPACTS as u64)).sample_size(20);
    for (name, side) in [("1000", 10), ("10648", 22), ("103823", 47)] {
        let mut world = gas(side, 0.5);
        // Melt the lattice before the clock starts.
        run(&mut world, 20 * (side * side * side) as usize);
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| (), |()| run(&mut world, IMPACTS), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, impacts);
criterion_main!(benches);
