//! Time to cast one ray at each shape, over a table of random rays of which about half hit; to cast one ray into a mesh
//! of 100,000 triangles, through a tree; and to build that tree.
//!
//! `cargo bench --bench cast`. The figures are in docs/benchmarks.md.

use std::hint::black_box;

use carom::geometry::cast::{
    AabbCaster, Faces, TriangleCaster, TriangleHit, ray_aabb, ray_circle, ray_plane, ray_sphere, ray_triangle,
};
use carom::geometry::{Aabb, Plane, Ray, Ray2, Tree, Triangle};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::{DVec2, DVec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RAYS: usize = 1024;

/// Rays that start about five metres away and point into a cube of half-edge `spread` around the origin.
fn rays(spread: f64) -> Vec<Ray> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)));
    let mut ray = || {
        let origin = vector(1.0).normalize() * 5.0;
        Ray { origin, direction: vector(spread) - origin }
    };
    (0..RAYS).map(|_| ray()).collect()
}

/// Measures `cast` over the table, and checks that about half of the rays hit.
fn shape<R, T>(criterion: &mut Criterion, name: &str, rays: &[R], cast: impl Fn(&R) -> T, hit: impl Fn(&T) -> bool) {
    let hits = rays.iter().filter(|ray| hit(&cast(ray))).count();
    assert!((RAYS * 2 / 5..RAYS * 3 / 5).contains(&hits), "{name}: {hits} of {RAYS} hit");
    let mut row = 0;
    criterion.bench_function(&format!("cast/{name}"), |bencher| {
        bencher.iter(|| {
            row = (row + 1) % RAYS;
            cast(black_box(&rays[row]))
        });
    });
}

fn shapes(criterion: &mut Criterion) {
    let plane = black_box(Plane::new(DVec3::new(1.0, 2.0, 2.0), 0.0).unwrap());
    // Half of the rays come from the back of the plane.
    shape(
        criterion,
        "ray_plane",
        &rays(1.0),
        |ray| ray_plane(ray, &plane, Faces::Front, f64::INFINITY),
        |found| matches!(found, carom::geometry::cast::PlaneCast::Hit { .. }),
    );
    let flat: Vec<Ray2> = rays(1.9)
        .iter()
        .map(|ray| Ray2 { origin: ray.origin.truncate(), direction: ray.direction.truncate() })
        .collect();
    let center = black_box(DVec2::ZERO);
    shape(criterion, "ray_circle", &flat, |ray| ray_circle(ray, center, 1.0, f64::INFINITY), Option::is_some);
    let center = black_box(DVec3::ZERO);
    shape(criterion, "ray_sphere", &rays(1.35), |ray| ray_sphere(ray, center, 1.0, f64::INFINITY), Option::is_some);
    let bounds = black_box(Aabb::around(DVec3::ZERO, DVec3::new(0.9, 0.8, 1.0)));
    shape(criterion, "ray_aabb", &rays(1.45), |ray| ray_aabb(ray, &bounds, f64::INFINITY), Option::is_some);
    let [a, b, c] = [[1.0, -0.7, 0.2], [0.2, 1.0, -0.7], [-0.7, 0.2, 1.0]].map(DVec3::from_array);
    let triangle = black_box(Triangle { a, b, c });
    shape(
        criterion,
        "ray_triangle",
        &rays(0.58),
        |ray| ray_triangle(ray, &triangle, Faces::Both, f64::INFINITY),
        Option::is_some,
    );
}

/// A sphere of radius about 2 m with bumps, of 100,000 triangles.
fn bumpy_ball() -> Vec<Triangle> {
    let (around, rings) = (250, 201);
    let vertex = |i: usize, k: usize| {
        let (longitude, polar) = (i as f64 / around as f64 * std::f64::consts::TAU, k as f64 / rings as f64);
        let (latitude_sin, latitude_cos) = (polar * std::f64::consts::PI).sin_cos();
        let direction = DVec3::new(longitude.cos() * latitude_sin, longitude.sin() * latitude_sin, latitude_cos);
        direction * (2.0 + 0.1 * (9.0 * direction.x).sin() * (11.0 * direction.y).cos() * (7.0 * direction.z).sin())
    };
    let mut triangles = Vec::new();
    for (i, k) in (0..rings).flat_map(|k| (0..around).map(move |i| (i, k))) {
        let [a, b, c, d] =
            [(i, k), (i, k + 1), ((i + 1) % around, k + 1), ((i + 1) % around, k)].map(|(i, k)| vertex(i, k));
        // At each pole, one of the two triangles has no area and is left out.
        triangles.extend((k + 1 < rings).then_some(Triangle { a, b, c }));
        triangles.extend((k > 0).then_some(Triangle { a, b: c, c: d }));
    }
    triangles
}

/// The nearest hit. If several are equally near, it is the hit of the first triangle.
fn first_hit(tree: &Tree, triangles: &[Triangle], ray: &Ray) -> Option<(u32, TriangleHit)> {
    let (boxes, caster) = (AabbCaster::new(ray), TriangleCaster::new(ray));
    let mut first: Option<(u32, TriangleHit)> = None;
    tree.nearest_first(
        f64::INFINITY,
        |bounds| boxes.entry(bounds),
        |item, best| {
            let Some(hit) = caster.cast(&triangles[item as usize], Faces::Both, best) else { return best };
            if first.is_none_or(|(row, before)| hit.t < before.t || item < row) {
                first = Some((item, hit));
            }
            hit.t
        },
    );
    first
}

fn mesh(criterion: &mut Criterion) {
    let triangles = bumpy_ball();
    assert_eq!(triangles.len(), 100_000);
    let bounds: Vec<Aabb> = triangles.iter().map(Triangle::bounds).collect();
    let tree = Tree::new(&bounds);
    shape(criterion, "mesh_100k", &rays(2.85), |ray| first_hit(&tree, &triangles, ray), Option::is_some);
    criterion.bench_function("tree/build_100k", |bencher| bencher.iter(|| Tree::new(black_box(&bounds))));
    let probe = Aabb::around(DVec3::new(0.0, 1.2, 1.6), DVec3::splat(0.05));
    criterion.bench_function("tree/touching_100k", |bencher| {
        bencher.iter(|| {
            let mut count = 0;
            tree.touching(black_box(&probe), |_| count += 1);
            count
        });
    });
}

criterion_group!(benches, shapes, mesh);
criterion_main!(benches);
