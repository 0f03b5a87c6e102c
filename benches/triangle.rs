//! Time of one swept test of a ball and of a box against a triangle, over a table of random motions and triangles of
//! which about half meet.
//!
//! `cargo bench --bench triangle`. The figures are in docs/benchmarks.md.

use std::hint::black_box;

use carom::geometry::Triangle;
use carom::motion::Relative;
use carom::sweep::box_triangle::box_triangle;
use carom::sweep::sphere_triangle::sphere_triangle;
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MEETINGS: usize = 1024;

/// Triangles of size 1 around the origin, and motions towards them that start about five metres away.
fn meetings(acceleration: f64) -> Vec<(Triangle, Relative)> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)));
    let mut meeting = || {
        let position = vector(1.0).normalize() * 5.0;
        let (aim, acceleration) = (vector(1.2), vector(1.0) * acceleration);
        // With this velocity, the centre reaches the aim after 1.5 s.
        let velocity = (aim - position) / 1.5 - acceleration * (0.5 * 1.5);
        let triangle = Triangle { a: vector(1.0), b: vector(1.0), c: vector(1.0) };
        (triangle, Relative { position, velocity, acceleration })
    };
    (0..MEETINGS).map(|_| meeting()).collect()
}

fn sweeps(criterion: &mut Criterion) {
    let (radius, half) = (0.5, DVec3::new(0.5, 0.4, 0.6));
    for (kind, meetings) in [("straight", meetings(0.0)), ("ballistic", meetings(9.81))] {
        let sphere = |(triangle, motion): &(Triangle, Relative)| sphere_triangle(radius, triangle, motion, 10.0);
        let cuboid = |(triangle, motion): &(Triangle, Relative)| box_triangle(half, triangle, motion, 10.0);
        for (name, hits) in [
            ("sphere", meetings.iter().filter(|meeting| sphere(meeting).is_some()).count()),
            ("box", meetings.iter().filter(|meeting| cuboid(meeting).is_some()).count()),
        ] {
            assert!((MEETINGS * 2 / 5..MEETINGS * 3 / 4).contains(&hits), "{name}: {hits} of {MEETINGS} meet");
        }
        let mut row = 0;
        criterion.bench_function(&format!("triangle/{kind}/sphere"), |bencher| {
            bencher.iter(|| {
                row = (row + 1) % MEETINGS;
                sphere(black_box(&meetings[row]))
            });
        });
        criterion.bench_function(&format!("triangle/{kind}/box"), |bencher| {
            bencher.iter(|| {
                row = (row + 1) % MEETINGS;
                cuboid(black_box(&meetings[row]))
            });
        });
    }
}

criterion_group!(benches, sweeps);
criterion_main!(benches);
