//! Time of one query among 103,823 bodies: a gas of unit spheres in a periodic cube, dense and sparse, melted before
//! the measurement starts; and boxes at rest in open space, each from 1/10 to 10 times the mean size.
//!
//! `walk over all` tests every body, as a query without a broadphase would.

use std::hint::black_box;

use carom::dynamics::{Body, Layers, Period, Settings, Space};
use carom::geometry::cast::ray_sphere;
use carom::geometry::{Aabb, HalfExtents, Radius, Ray};
use carom::world::{Filter, World};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bodies along an edge.
const SIDE: u32 = 47;

/// The number of different queries of one kind, which are used in turn.
const QUERIES: usize = 4096;

fn random_vector(random: &mut ChaCha8Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)))
}

/// Unit spheres on a lattice with random velocities, simulated until the lattice has melted.
fn gas(density: f64, impacts: usize) -> World {
    let spacing = density.cbrt().recip();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let bodies = (0..SIDE * SIDE * SIDE).map(|n| {
        let cell = DVec3::new(f64::from(n % SIDE), f64::from(n / SIDE % SIDE), f64::from(n / SIDE / SIDE));
        let velocity = random_vector(&mut random);
        (format!("{n:08}"), Body::sphere(0.5, 1.0).unwrap().at((cell + 0.5) * spacing).moving(velocity))
    });
    let period = Some(Period { min: 0.0, max: f64::from(SIDE) * spacing });
    let settings = Settings { space: Space { periods: [period; 3], ..Space::default() }, ..Settings::default() };
    let mut world = World::new(settings, bodies.collect::<Vec<_>>()).unwrap();
    let target = world.now().plus(1e9);
    world.advance(target, impacts).unwrap();
    world
}

/// Boxes of many sizes at rest.
fn boxes() -> World {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let length = f64::from(SIDE) * 2.0;
    let bodies = (0..SIDE * SIDE * SIDE).map(|n| {
        let half = DVec3::splat(0.1 * 100f64.powf(random.random_range(0.0..1.0)) * 0.25);
        let at = (random_vector(&mut random) + 1.0) * (0.5 * length);
        (format!("{n:08}"), Body::cuboid(half, 1.0).unwrap().at(at).fixed().colliding_with(Layers::NONE))
    });
    World::new(Settings::default(), bodies.collect::<Vec<_>>()).unwrap()
}

fn measure(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, mut ask: impl FnMut(&Ray) -> bool, length: f64) {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let rays: Vec<Ray> = (0..QUERIES)
        .map(|_| {
            let origin = (random_vector(&mut random) + 1.0) * (0.5 * length);
            Ray { origin, direction: random_vector(&mut random).normalize() }
        })
        .collect();
    let mut turn = 0;
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            turn = (turn + 1) % QUERIES;
            ask(black_box(&rays[turn]))
        });
    });
}

fn scene(criterion: &mut Criterion, name: &str, world: &World, length: f64, near: f64) {
    let mut group = criterion.benchmark_group(name);
    let (all, radius) = (Filter::ALL, Radius::new(0.5 * near).unwrap());
    let half = HalfExtents::new(DVec3::splat(0.5 * near)).unwrap();
    let mut run = |name: &str, ask: &mut dyn FnMut(&Ray) -> bool| measure(&mut group, name, ask, length);
    run("ray", &mut |ray| world.cast_ray(ray, 1e3, &all).is_some());
    run("sphere", &mut |ray| world.cast_sphere(radius, ray, 1e3, &all).is_some());
    run("box", &mut |ray| world.cast_box(half, ray, 1e3, &all).is_some());
    run("closest point", &mut |ray| world.closest_point(ray.origin, f64::INFINITY, &all).is_some());
    run("overlapping", &mut |ray| !world.overlapping(&Aabb::around(ray.origin, DVec3::splat(near)), &all).is_empty());
    group.finish();
}

fn queries(criterion: &mut Criterion) {
    let count = f64::from(SIDE);
    // The sparse gas needs fewer impacts: its domains have grown long before it has melted.
    for (name, density, impacts) in [("gas 0.5", 0.5f64, 2_000_000), ("gas 0.001", 0.001, 20_000)] {
        let world = gas(density, impacts);
        scene(criterion, name, &world, count / density.cbrt(), 1.0);
        if density == 0.5 {
            let mut group = criterion.benchmark_group(name);
            group.sample_size(20);
            measure(
                &mut group,
                "ray, walk over all",
                |ray| nearest_of_all(&world, ray).is_some(),
                count / density.cbrt(),
            );
            group.finish();
        }
    }
    scene(criterion, "boxes at rest", &boxes(), 2.0 * count, 1.0);
}

/// The first hit in the periodic cell, found by a test of all bodies.
fn nearest_of_all(world: &World, ray: &Ray) -> Option<f64> {
    let met = world.ids().filter_map(|id| ray_sphere(ray, world.state(id).position, 0.5, f64::INFINITY));
    met.map(|met| met.enter.max(0.0)).reduce(f64::min)
}

criterion_group!(benches, queries);
criterion_main!(benches);
