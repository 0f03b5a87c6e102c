//! Time of one swept test for each kind of pair, over a table of random motions of which about half meet.
//!
//! `cargo bench --bench sweep`. The figures are in docs/benchmarks.md.

use std::hint::black_box;

use carom::geometry::{Plane, Solid};
use carom::motion::Relative;
use carom::sweep::overlap;
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MOTIONS: usize = 1024;

/// Motions towards a target of size 1 that start about five metres away.
fn motions(acceleration: f64) -> Vec<Relative> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)));
    let mut motion = || {
        let position = vector(1.0).normalize() * 5.0;
        let (aim, acceleration) = (vector(1.6), vector(1.0) * acceleration);
        // With this velocity, the centre reaches the aim after 1.5 s.
        let velocity = (aim - position) / 1.5 - acceleration * (0.5 * 1.5);
        Relative { position, velocity, acceleration }
    };
    (0..MOTIONS).map(|_| motion()).collect()
}

fn pairs(plane: &Plane) -> [(&'static str, Solid<'_>, Solid<'_>); 5] {
    let (sphere, cuboid) = (Solid::Sphere(0.5), Solid::Box(DVec3::new(0.5, 0.4, 0.6)));
    [
        ("sphere_sphere", sphere, sphere),
        ("sphere_plane", sphere, Solid::Plane(plane)),
        ("box_box", cuboid, cuboid),
        ("box_plane", cuboid, Solid::Plane(plane)),
        ("sphere_box", sphere, cuboid),
    ]
}

fn sweeps(criterion: &mut Criterion) {
    let plane = Plane::new(DVec3::new(1.0, 2.0, 2.0), 0.0).unwrap();
    for (kind, motions) in [("straight", motions(0.0)), ("ballistic", motions(9.81))] {
        for (name, a, b) in pairs(&plane) {
            let hits = motions.iter().filter(|motion| overlap(a, b, motion, 10.0).is_some()).count();
            assert!((MOTIONS / 10..MOTIONS).contains(&hits), "{name}: {hits} of {MOTIONS} meet");
            let mut row = 0;
            criterion.bench_function(&format!("sweep/{kind}/{name}"), |bencher| {
                bencher.iter(|| {
                    row = (row + 1) % MOTIONS;
                    overlap(black_box(a), black_box(b), black_box(&motions[row]), 10.0)
                });
            });
        }
    }
}

criterion_group!(benches, sweeps);
criterion_main!(benches);
