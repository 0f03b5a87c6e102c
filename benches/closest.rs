//! Time of one query about shapes at rest: closest points, intersections, sides, overlaps.
//!
//! `cargo bench --bench closest`. Each benchmark goes through a table of random shapes within five metres of the
//! origin.

use std::hint::black_box;

use carom::geometry::closest::{point_on_aabb, point_on_segment, point_on_sphere, segment_segment};
use carom::geometry::meet::{line2_line2, plane_plane_plane, ray_ray};
use carom::geometry::overlap::{aabb_aabb, sphere_aabb, sphere_sphere};
use carom::geometry::side::{aabb_plane, sphere_plane};
use carom::geometry::{Aabb, Line2, Plane, Radius, Ray, Segment};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const THINGS: usize = 1024;

/// A few random shapes of each kind.
struct Things {
    points: [DVec3; 4],
    plane: [Plane; 3],
    line: [Line2; 2],
    bounds: [Aabb; 2],
}

impl Things {
    fn draw(random: &mut ChaCha8Rng) -> Self {
        let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)));
        let points = std::array::from_fn(|_| vector(5.0));
        let plane = std::array::from_fn(|_| Plane::new(vector(1.0), vector(5.0).x).unwrap());
        let line = std::array::from_fn(|_| Line2::new(vector(1.0).truncate(), vector(5.0).x).unwrap());
        let bounds = std::array::from_fn(|_| Aabb::around(vector(3.0), vector(2.0).abs()));
        Self { points, plane, line, bounds }
    }

    fn segments(&self) -> [Segment; 2] {
        let [a, b, c, d] = self.points;
        [Segment { start: a, end: b }, Segment { start: c, end: d }]
    }

    fn rays(&self) -> [Ray; 2] {
        self.segments().map(|segment| Ray { origin: segment.start, direction: segment.end })
    }
}

/// Measures one query over the rows of the table, one row after the other.
fn ask<T>(criterion: &mut Criterion, name: &str, things: &[Things], question: impl Fn(&Things) -> T) {
    let mut row = 0;
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| {
            row = (row + 1) % THINGS;
            question(black_box(&things[row]))
        });
    });
}

fn questions(criterion: &mut Criterion) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let rows: Vec<Things> = (0..THINGS).map(|_| Things::draw(&mut random)).collect();
    let radius = Radius::new(2.0).unwrap();
    ask(criterion, "closest/point_on_segment", &rows, |t| point_on_segment(t.points[2], &t.segments()[0]));
    ask(criterion, "closest/point_on_aabb", &rows, |t| point_on_aabb(t.points[2], &t.bounds[0]));
    ask(criterion, "closest/point_on_sphere", &rows, |t| point_on_sphere(t.points[2], t.points[0], radius));
    ask(criterion, "closest/segment_segment", &rows, |t| segment_segment(&t.segments()[0], &t.segments()[1]));
    ask(criterion, "meet/line2_line2", &rows, |t| line2_line2(&t.line[0], &t.line[1]));
    ask(criterion, "meet/ray_ray", &rows, |t| ray_ray(&t.rays()[0], &t.rays()[1]));
    ask(criterion, "meet/plane_plane_plane", &rows, |t| plane_plane_plane(&t.plane[0], &t.plane[1], &t.plane[2]));
    ask(criterion, "side/aabb_plane", &rows, |t| aabb_plane(&t.bounds[0], &t.plane[0]));
    ask(criterion, "side/sphere_plane", &rows, |t| sphere_plane(t.points[0], radius, &t.plane[0]));
    ask(criterion, "overlap/sphere_sphere", &rows, |t| sphere_sphere(radius, radius, t.points[0]));
    ask(criterion, "overlap/sphere_aabb", &rows, |t| sphere_aabb(t.points[0], radius, &t.bounds[0]));
    ask(criterion, "overlap/aabb_aabb", &rows, |t| aabb_aabb(&t.bounds[0], &t.bounds[1]));
}

criterion_group!(benches, questions);
criterion_main!(benches);
