//! Time of one test of a triangle against the six planes of a camera, in each case, and time of tests of many
//! triangles.
//!
//! `cargo bench --bench polytope`. The figures are in docs/benchmarks.md.

use std::hint::black_box;

use carom::geometry::polytope::{Bounded, Depth, Lens, Meeting, Pose, View};
use carom::geometry::{Aabb, Polytope, Radius, Triangle};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TRIANGLES: usize = 10_000;

/// A view along −z from (0, 0, 5), about 90° wide.
fn frustum() -> Polytope {
    let pose = Pose { eye: DVec3::Z * 5.0, forward: DVec3::NEG_Z, up: DVec3::Y };
    let view = View::new(pose, Lens::perspective(0.6, 1.5), Depth { near: 1.0, far: 9.0 });
    view.unwrap().frustum().clone()
}

/// Triangles of about `size` in a cube of 12 m around the origin.
fn triangles(size: f64) -> Vec<Triangle> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)));
    let mut triangle = || {
        let a = vector(6.0);
        Triangle { a, b: a + vector(size), c: a + vector(size) }
    };
    (0..TRIANGLES).map(|_| triangle()).collect()
}

/// Triangles that are rejected, inside, cut or pierced, each kind by itself.
fn cases(criterion: &mut Criterion) {
    let frustum = frustum();
    let all = frustum.mask();
    let mixed: Vec<Triangle> = [0.5, 4.0, 400.0].into_iter().flat_map(triangles).collect();
    let rows = [
        ("reject", None),
        ("inside", Some(Meeting::Inside)),
        ("cut", Some(Meeting::Cut)),
        ("pierce", Some(Meeting::Pierced)),
    ];
    for (name, meeting) in rows {
        let is_case = |triangle: &&Triangle| frustum.triangle(triangle, all).map(|hit| hit.meeting) == meeting;
        let chosen: Vec<Triangle> = mixed.iter().filter(is_case).copied().collect();
        assert!(chosen.len() > 100, "{name}: {}", chosen.len());
        let mut row = 0;
        criterion.bench_function(&format!("polytope/triangle/{name}"), |bencher| {
            bencher.iter(|| {
                row = (row + 1) % chosen.len();
                frustum.triangle(black_box(&chosen[row]), all)
            });
        });
    }
}

/// Tests of 10,000 small triangles: one by one, and with only the planes that the box around each hundred triangles
/// leaves.
fn slices(criterion: &mut Criterion) {
    let frustum = frustum();
    let all = frustum.mask();
    let mut list = triangles(0.5);
    list.sort_by(|p, q| {
        let cell = |t: &Triangle| ((t.a.x / 3.0).floor() * 16.0 + (t.a.y / 3.0).floor()) * 16.0 + (t.a.z / 3.0).floor();
        cell(p).total_cmp(&cell(q))
    });
    let hits = frustum.triangles(&list, all).count();
    assert!((TRIANGLES / 10..TRIANGLES / 2).contains(&hits), "{hits}");
    criterion.bench_function("polytope/slice/10000", |bencher| {
        bencher.iter(|| frustum.triangles(black_box(&list), all).map(|hit| hit.farthest).sum::<f64>());
    });
    let around = |part: &[Triangle]| {
        let bounds = part.iter().map(Triangle::bounds);
        bounds.reduce(|p, q| Aabb { min: p.min.min(q.min), max: p.max.max(q.max) }).unwrap()
    };
    let boxes: Vec<Aabb> = list.chunks(100).map(around).collect();
    criterion.bench_function("polytope/slice/10000_in_boxes", |bencher| {
        bencher.iter(|| {
            let parts = boxes.iter().zip(list.chunks(100));
            let caught = parts.map(|(bounds, part)| match frustum.classify(black_box(bounds), all) {
                Bounded::Outside => 0,
                Bounded::Inside => part.len(),
                Bounded::Straddling(left) => frustum.triangles(part, left).count(),
            });
            caught.sum::<usize>()
        });
    });
}

fn volumes(criterion: &mut Criterion) {
    let frustum = frustum();
    let places: Vec<DVec3> = triangles(1.0).iter().map(|triangle| triangle.a).collect();
    let radius = Radius::new(0.5).unwrap();
    let mut row = 0;
    criterion.bench_function("polytope/sphere", |bencher| {
        bencher.iter(|| {
            row = (row + 1) % places.len();
            frustum.sphere(black_box(places[row]), radius)
        });
    });
    criterion.bench_function("polytope/aabb", |bencher| {
        bencher.iter(|| {
            row = (row + 1) % places.len();
            frustum.aabb(&Aabb::around(black_box(places[row]), DVec3::splat(0.5)))
        });
    });
    criterion.bench_function("polytope/classify", |bencher| {
        bencher.iter(|| {
            row = (row + 1) % places.len();
            frustum.classify(&Aabb::around(black_box(places[row]), DVec3::splat(0.5)), frustum.mask())
        });
    });
}

criterion_group!(benches, cases, slices, volumes);
criterion_main!(benches);
