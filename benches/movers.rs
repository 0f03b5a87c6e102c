//! Time of one slide of a character, a step of 1/60 s at 6 m/s with gravity: in a grid of 100 × 100 × 4 voxels, and
//! among 10,000 boxes side by side, a floor with walls and stairs. `cast` is the single sweep of the same box along the
//! same motion. And the time of rays over 1,000 cells.

use std::hint::black_box;

use carom::geometry::{Grid, HalfExtents, Ray};
use carom::{Body, Filter, Settings, SlideOptions, World};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Boxes along an edge of the floor.
const SIDE: u32 = 100;

/// Steps that are walked one after the other.
const STEPS: usize = 10_000;

const HERO: DVec3 = DVec3::new(0.3, 0.3, 0.9);

/// Boxes of 1 m; one in eight is a wall of 2 m, one in eight a step of 0.25 m.
fn level() -> World {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let boxes = (0..SIDE * SIDE).map(|n| {
        let place = DVec3::new(f64::from(n % SIDE), f64::from(n / SIDE), 0.0);
        let height = if place.max_element() < 3.0 {
            0.0
        } else {
            [2.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0][random.random_range(0..8)]
        };
        let half = DVec3::new(0.5, 0.5, 0.5 + 0.5 * height);
        (format!("{n:05}"), Body::cuboid(half, 1.0).unwrap().fixed().at(place + DVec3::Z * (half.z - 1.0)))
    });
    let rim = [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y]
        .map(|normal| Body::plane(normal, normal.dot(DVec3::ONE).min(0.0) * f64::from(SIDE)).unwrap());
    let rim = rim.into_iter().enumerate().map(|(n, wall)| (format!("rim/{n}"), wall));
    World::new(Settings::default(), boxes.chain(rim).collect::<Vec<_>>()).unwrap()
}

/// Voxels of 1 m: a floor with walls of one to three voxels on one in eight of its places.
fn voxels() -> World {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let walls: Vec<u32> = (0..SIDE * SIDE).map(|_| [3, 0, 0, 0, 0, 0, 0, 0][random.random_range(0..8)]).collect();
    let height = |x: u32, y: u32| if x.max(y) < 3 { 0 } else { walls[(y * SIDE + x) as usize] };
    let rim = |n: u32| n == 0 || n == SIDE - 1;
    let solid = |[x, y, z]: [u32; 3]| z <= height(x, y) || rim(x) || rim(y);
    let grid = Grid::voxels(DVec3::ONE, [SIDE, SIDE, 4], solid).unwrap();
    let place = DVec3::new(-0.5, -0.5, -1.0);
    World::new(Settings::default(), [("voxels", Body::grid(grid).at(place))]).unwrap()
}

/// Rays of 1,000 cells: through a tunnel, over a rough plain, and through free space.
fn rays(criterion: &mut Criterion) {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let rough: Vec<bool> = (0..1000 * 64).map(|_| random.random_range(0..4) == 0).collect();
    let solid = |[x, y, z]: [u32; 3]| z == 0 || (z == 1 && rough[(y * 1000 + x) as usize]) || z == 40 && y % 8 != 4;
    let grid = Grid::voxels(DVec3::ONE, [1000, 64, 64], solid).unwrap();
    let mut group = criterion.benchmark_group("ray of 1,000 cells");
    for (name, z) in [("over a rough plain", 2.5), ("through free space", 30.5), ("under a ceiling", 39.5)] {
        let ray = Ray { origin: DVec3::new(0.0, 4.5, z), direction: DVec3::new(1.0, 0.004, 0.0) };
        group.bench_function(name, |bencher| bencher.iter(|| grid.cast_ray(black_box(&ray), 1000.0)));
    }
    group.finish();
}

fn movers(criterion: &mut Criterion) {
    walks(criterion, "voxels", &voxels());
    walks(criterion, "movers", &level());
}

fn walks(criterion: &mut Criterion, title: &str, world: &World) {
    let hero = HalfExtents::new(HERO).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let motions: Vec<DVec3> = (0..STEPS)
        .map(|n| {
            let turn = f64::from(n as u32 / 60 % 16) * 0.4 + random.random_range(-0.1..0.1);
            DVec3::new(turn.cos(), turn.sin(), 0.0) * 0.1 - DVec3::Z * 0.003
        })
        .collect();
    let physics = SlideOptions::default();
    let walking = SlideOptions { walking: true, step: 0.3, snap: 0.3, ..physics };
    let mut group = criterion.benchmark_group(title);
    for (name, options) in [("slide", &physics), ("walk with steps and snap", &walking)] {
        let (mut place, mut n, mut hits) = (DVec3::new(1.0, 1.0, HERO.z), 0, 0);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let slide = world.slide(hero, place, motions[n % STEPS], 0.0, &Filter::ALL, options).expect("outside");
                (place, n, hits) = (slide.to, n + 1, hits + slide.hits.len());
                black_box(slide.to)
            });
        });
        eprintln!("{name}: {:.2} hits a step, last at {place}", hits as f64 / n as f64);
    }
    let (place, mut n) = (DVec3::new(1.0, 1.0, HERO.z + 1e-3), 0);
    group.bench_function("cast", |bencher| {
        bencher.iter(|| {
            n += 1;
            world.cast_box(hero, &Ray { origin: place, direction: motions[n % STEPS] }, 1.0, &Filter::ALL)
        });
    });
    group.finish();
}

criterion_group!(benches, movers, rays);
criterion_main!(benches);
