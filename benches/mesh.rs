//! Time of an impact of a ball or a box with a terrain of 100,000 triangles, and of building that mesh.
//!
//! `cargo bench --bench mesh`. The figures in the README name machine and commit.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carom::dynamics::{Body, Settings};
use carom::geometry::Mesh;
use carom::world::World;
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Squares along each side of the terrain.
const CELLS: u32 = 224;
const BODIES: u32 = 200;

/// A hilly square of side 100 m.
fn terrain() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let row = CELLS + 1;
    let at = |n: u32| (f64::from(n) / f64::from(CELLS) - 0.5) * 100.0;
    let corner = |n: u32| {
        let (x, y) = (at(n % row), at(n / row));
        DVec3::new(x, y, 2.0 * (0.3 * x).sin() * (0.2 * y).cos())
    };
    let squares = (0..CELLS * CELLS).map(|n| n / CELLS * row + n % CELLS);
    let triangles = squares.flat_map(|a| [[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]);
    ((0..row * row).map(corner).collect(), triangles.collect())
}

fn world(mesh: &Arc<Mesh>, cuboids: bool, gravity: DVec3) -> World {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut between = |low: f64, high: f64| random.random_range(low..high);
    let bodies = (0..BODIES).map(|n| {
        let body = if cuboids { Body::cuboid(DVec3::splat(0.2), 1.0) } else { Body::sphere(0.2, 1.0) };
        let place = DVec3::new(between(-40.0, 40.0), between(-40.0, 40.0), between(3.0, 8.0));
        let velocity = DVec3::new(between(-1.0, 1.0), between(-1.0, 1.0), between(-5.0, -1.0));
        (format!("body{n:03}"), body.unwrap().at(place).moving(velocity))
    });
    let bodies: Vec<_> = bodies.chain([("terrain".to_owned(), Body::mesh(mesh.clone()))]).collect();
    World::new(Settings { gravity, ..Settings::default() }, bodies).unwrap()
}

fn impacts(criterion: &mut Criterion) {
    let (vertices, triangles) = terrain();
    let mesh = Arc::new(Mesh::new(&vertices, &triangles).unwrap());
    let mut group = criterion.benchmark_group("mesh");
    group.sample_size(10);
    group.bench_function("build", |bencher| bencher.iter(|| Mesh::new(black_box(&vertices), black_box(&triangles))));
    for (name, cuboids) in [("sphere", false), ("box", true)] {
        group.bench_function(format!("impact/{name}"), |bencher| {
            bencher.iter_custom(|count| {
                let mut spent = Duration::ZERO;
                let mut left = count;
                while left > 0 {
                    let mut world = world(&mesh, cuboids, -DVec3::Z * 9.81);
                    let start = Instant::now();
                    let mut met = 0;
                    while met < left && world.now().seconds() < 20.0 {
                        world.step(0.1).unwrap();
                        met += world.take_events().len() as u64;
                    }
                    spent += start.elapsed().mul_f64(left.min(met) as f64 / met.max(1) as f64);
                    left -= met.min(left);
                }
                spent
            });
        });
    }
    group.finish();
}

criterion_group!(benches, impacts);
criterion_main!(benches);
