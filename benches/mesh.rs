//! Time of an impact of a ball or a box with a terrain of 100,000 triangles, time of an impact of a ball inside a
//! sphere of 20,480 triangles, and time to build the terrain.
//!
//! `cargo bench --bench mesh`. The figures are in docs/benchmarks.md.

use std::collections::BTreeMap;
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

/// A sphere of radius 1 m: an icosahedron with each triangle divided into four, five times. Its normals point
/// outwards.
fn hollow() -> Mesh {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let corner = |n: u32| {
        let (one, other) = (1.0 - f64::from(n & 2), golden * (1.0 - f64::from(n & 1) * 2.0));
        [DVec3::new(one, other, 0.0), DVec3::new(0.0, one, other), DVec3::new(other, 0.0, one)][n as usize / 4]
    };
    let mut places: Vec<DVec3> = (0..12).map(|n| corner(n).normalize()).collect();
    let near = |a: u32, b: u32| places[a as usize].distance(places[b as usize]) < 1.2;
    let corners = (0..12).flat_map(|a| (a + 1..12).flat_map(move |b| (b + 1..12).map(move |c| [a, b, c])));
    let mut triangles: Vec<[u32; 3]> = corners.filter(|&[a, b, c]| near(a, b) && near(b, c) && near(c, a)).collect();
    for triangle in &mut triangles {
        let [a, b, c] = triangle.map(|corner| places[corner as usize]);
        if (b - a).cross(c - a).dot(a) < 0.0 {
            triangle.swap(1, 2);
        }
    }
    for _ in 0..5 {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let quarters = triangles.iter().flat_map(|&[a, b, c]| {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| {
                *middles.entry([from.min(to), from.max(to)]).or_insert_with(|| {
                    places.push((places[from as usize] + places[to as usize]).normalize());
                    places.len() as u32 - 1
                })
            });
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        triangles = quarters.collect();
    }
    Mesh::new(&places, &triangles).unwrap()
}

/// Impacts of one ball that bounces without end inside the hollow sphere.
fn impacts_inside(criterion: &mut Criterion) {
    let mesh = Arc::new(hollow());
    let mut group = criterion.benchmark_group("mesh");
    group.sample_size(10);
    for (radius, gravity) in [(0.05, 0.0), (0.05, 9.81), (0.2, 0.0), (0.2, 9.81)] {
        group.bench_function(format!("inside/radius {radius}, gravity {gravity}"), |bencher| {
            bencher.iter_custom(|count| {
                let ball = Body::sphere(radius, 1.0).unwrap().at(DVec3::new(0.1, 0.05, 0.2));
                let bodies = [("ball", ball.moving(DVec3::new(1.0, 0.7, 0.3))), ("mesh", Body::mesh(mesh.clone()))];
                let settings = Settings { gravity: -DVec3::Z * gravity, ..Settings::default() };
                let mut world = World::new(settings, bodies).unwrap();
                let (start, mut met) = (Instant::now(), 0);
                while met < count {
                    world.step(0.1).unwrap();
                    met += world.take_events().len() as u64;
                }
                start.elapsed().mul_f64(count as f64 / met as f64)
            });
        });
    }
    group.finish();
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

criterion_group!(benches, impacts, impacts_inside);
criterion_main!(benches);
