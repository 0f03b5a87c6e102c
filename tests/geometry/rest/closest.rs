//! Closest points, sides and overlaps at rest, compared with dense sampling, with integer arithmetic, and with each
//! other.
//!
//! The closest point belongs to its shape, and no sampled point of the shape is nearer. Half of the random numbers lie
//! on a grid, where touching is exact. Scaling by powers of two scales every answer to the bit.

use carom::geometry::closest::{
    OnCircle, OnSphere, Part, point_on_aabb, point_on_circle, point_on_line2, point_on_plane, point_on_ray,
    point_on_segment, point_on_segment2, point_on_sphere, ray_ray, segment_segment,
};
use carom::geometry::overlap::{Inner, Rounds, SphereAabb, aabb_aabb, circle_circle, sphere_aabb, sphere_sphere};
use carom::geometry::side::{PlaneSide, aabb_plane, sphere_plane};
use carom::geometry::{Aabb, Line2, Plane, Radius, Ray, Segment, Segment2, Solid, gap};
use carom::sweep::circle_circle::{self as moving, Relative2};
use glam::{DVec2, DVec3};

use crate::common::Random;

const EPSILON: f64 = f64::EPSILON;
const DRAWS: usize = 5000;

/// A random point of size `size`; half of these lie on the grid of whole numbers.
fn point(random: &mut Random, size: f64) -> DVec3 {
    let any = random.vector(size);
    if random.unit() < 0.5 { any.round() } else { any }
}

fn segment(random: &mut Random) -> Segment {
    Segment { start: point(random, 4.0), end: point(random, 4.0) }
}

fn bounds(random: &mut Random) -> Aabb {
    let (a, b) = (point(random, 4.0), point(random, 4.0));
    Aabb { min: a.min(b), max: a.max(b) }
}

fn radius(random: &mut Random) -> Radius {
    let any = random.between(0.1, 4.0);
    Radius::new(if random.unit() < 0.5 { any.ceil() } else { any }).unwrap()
}

fn samples(count: usize) -> impl Iterator<Item = f64> {
    (0..=count).map(move |k| k as f64 / count as f64)
}

/// Coordinates are below 10; a distance has about ten rounding errors of half an ulp.
const GRAIN: f64 = 10.0 * 10.0 * EPSILON;

#[test]
fn no_sampled_point_is_nearer() {
    let mut random = Random::new(1);
    for _ in 0..DRAWS {
        let (to, segment, bounds) = (point(&mut random, 6.0), segment(&mut random), bounds(&mut random));
        let foot = point_on_segment(to, &segment);
        let way = segment.end - segment.start;
        let least = samples(64).map(|t| (segment.start + way * t).distance(to)).fold(f64::INFINITY, f64::min);
        assert!(foot.point.distance(to) <= least + GRAIN, "{to} {segment:?} {foot:?}");
        let part = match foot.t {
            0.0 => Part::Start,
            1.0 => Part::End,
            _ => Part::Between,
        };
        assert_eq!(foot.part, part);
        assert!((segment.start + way * foot.t).distance(foot.point) <= GRAIN);

        let ray = Ray { origin: segment.start, direction: way };
        let on_ray = point_on_ray(to, &ray);
        let least = samples(64).map(|t| ray.at(8.0 * t).distance(to)).fold(f64::INFINITY, f64::min);
        assert!(on_ray.point.distance(to) <= least + GRAIN && on_ray.t >= 0.0, "{to} {ray:?} {on_ray:?}");
        // The ray and the segment have the same points up to the end of the segment.
        assert!(foot.part == Part::End || on_ray == foot, "{to} {ray:?} {on_ray:?} {foot:?}");

        let nearest = point_on_aabb(to, &bounds);
        assert!(nearest.cmpge(bounds.min).all() && nearest.cmple(bounds.max).all(), "{to} {bounds:?}");
        let size = bounds.max - bounds.min;
        for (x, y, z) in samples(4).flat_map(|x| samples(4).flat_map(move |y| samples(4).map(move |z| (x, y, z)))) {
            let sample = bounds.min + size * DVec3::new(x, y, z);
            assert!(nearest.distance(to) <= sample.distance(to) + GRAIN, "{to} {bounds:?} {sample}");
        }
        let inside = to.cmpge(bounds.min).all() && to.cmple(bounds.max).all();
        assert_eq!(nearest == to, inside, "{to} {bounds:?}");
    }
}

#[test]
fn feet_on_planes_and_lines_are_perpendicular() {
    let mut random = Random::new(2);
    for _ in 0..DRAWS {
        let (to, normal, offset) = (point(&mut random, 6.0), point(&mut random, 4.0), random.between(-6.0, 6.0));
        if normal.truncate().length() < 0.1 {
            continue;
        }
        let plane = Plane::new(normal, offset).unwrap();
        let foot = point_on_plane(to, &plane);
        // The offset is at most sixty lengths of the normal.
        assert!(plane.distance(foot).abs() <= 10.0 * GRAIN, "{plane:?} {foot}");
        assert!((foot - to).cross(plane.normal()).length() <= 10.0 * GRAIN, "{plane:?} {foot}");
        let scale = [1.0, -1.0, 1e60, 1e-60][random.below(4)];
        let line = Line2::new(normal.truncate() * scale, offset * scale).unwrap();
        let (n, q) = (normal.truncate().normalize(), to.truncate());
        let foot = point_on_line2(q, &line);
        assert!((n.dot(foot) - offset / normal.truncate().length()).abs() <= 10.0 * GRAIN, "{line:?} {foot}");
        assert!((foot - q).perp_dot(n).abs() <= 10.0 * GRAIN, "{line:?} {foot}");
    }
}

#[test]
fn round_things_are_met_along_the_way_to_the_centre() {
    let mut random = Random::new(3);
    for _ in 0..DRAWS {
        let (to, center, radius) = (point(&mut random, 6.0), point(&mut random, 4.0), radius(&mut random));
        match point_on_sphere(to, center, radius) {
            OnSphere::Everywhere => assert_eq!(to, center),
            OnSphere::Point { point, distance } => {
                assert!((point.distance(center) - radius.get()).abs() <= GRAIN, "{to} {center} {radius:?}");
                assert!((point.distance(to) - distance.abs()).abs() <= GRAIN, "{to} {center} {radius:?}");
                assert_eq!(distance < 0.0, to.distance(center) < radius.get());
            }
        }
        assert_eq!(point_on_sphere(center, center, radius), OnSphere::Everywhere);
        let (to, center) = (to.truncate(), center.truncate());
        assert_eq!(point_on_circle(center, center, radius), OnCircle::Everywhere);
        let OnCircle::Point { point, distance } = point_on_circle(to, center, radius) else { continue };
        assert!((to.distance(center) - radius.get() - distance).abs() <= GRAIN, "{to} {center} {radius:?} {distance}");
        for turn in samples(64).map(|t| DVec2::from_angle(t * std::f64::consts::TAU)) {
            let sample = center + turn * radius.get();
            assert!(point.distance(to) <= sample.distance(to) + GRAIN, "{to} {center} {sample}");
        }
    }
}

/// The least distance of two segments: the least of their distance at the crossing and at the four ends.
fn least_by_cases(a: &Segment, b: &Segment) -> f64 {
    let ends = [(a.start, b), (a.end, b), (b.start, a), (b.end, a)];
    let at_ends = ends.map(|(end, other)| point_on_segment(end, other).point.distance(end));
    let least = at_ends.into_iter().fold(f64::INFINITY, f64::min);
    let (v, w, r) = (a.end - a.start, b.end - b.start, b.start - a.start);
    let n = v.cross(w);
    let squared = n.length_squared();
    let (t, u) = (r.cross(w).dot(n) / squared, r.cross(v).dot(n) / squared);
    let both = 0.0..=1.0;
    if both.contains(&t) && both.contains(&u) { least.min(r.dot(n).abs() / squared.sqrt()) } else { least }
}

#[test]
fn segments_and_rays_are_as_near_as_by_cases() {
    let mut random = Random::new(4);
    for _ in 0..4 * DRAWS {
        let (a, mut b) = (segment(&mut random), segment(&mut random));
        let tilt = 10f64.powf(random.between(-17.0, -8.0));
        match (random.unit() * 6.0) as usize {
            // Parallel, on one line, nearly parallel, and of length 0.
            0 => b.end = b.start + (a.end - a.start) * random.between(-2.0, 2.0).round(),
            1 => b = Segment { start: a.start + (a.end - a.start) * 2.0, end: a.start + (a.end - a.start) * 0.5 },
            2 => b.end = b.start + (a.end - a.start) + random.vector(tilt),
            3 => b.end = b.start,
            _ => {}
        }
        let nearest = segment_segment(&a, &b);
        let least = least_by_cases(&a, &b);
        assert!((nearest.gap - least).abs() <= GRAIN, "{a:?} {b:?} {nearest:?} {least}");
        assert!((nearest.point_a.distance(nearest.point_b) - nearest.gap).abs() <= GRAIN, "{a:?} {b:?} {nearest:?}");
        assert!((0.0..=1.0).contains(&nearest.t_a) && (0.0..=1.0).contains(&nearest.t_b));
        let at = |segment: &Segment, t: f64| segment.start + (segment.end - segment.start) * t;
        assert!(at(&a, nearest.t_a).distance(nearest.point_a) <= GRAIN, "{a:?} {nearest:?}");
        assert!(at(&b, nearest.t_b).distance(nearest.point_b) <= GRAIN, "{b:?} {nearest:?}");
        assert!((segment_segment(&b, &a).gap - least).abs() <= GRAIN, "{a:?} {b:?}");
        // Rays contain the segments, so the distance of the rays is at most that of the segments.
        let ray = |segment: &Segment| Ray { origin: segment.start, direction: segment.end - segment.start };
        let rays = ray_ray(&ray(&a), &ray(&b));
        // The nearest points of nearly parallel rays may be far away, with correspondingly large rounding errors.
        assert!(rays.gap <= least + GRAIN * (1.0 + rays.t_a + rays.t_b), "{a:?} {b:?} {rays:?}");
        if rays.t_a <= 1.0 && rays.t_b <= 1.0 {
            assert!((rays.gap - least).abs() <= GRAIN, "{a:?} {b:?} {rays:?}");
        }
    }
}

/// Of many pairs that are equally near, the one with the smallest parameters is taken: starts and ends of two segments,
/// the parameters, and the gap.
#[test]
fn of_equally_near_points_the_first_are_taken() {
    let rows = [
        // Side by side, one behind the other, opposite, on one line.
        (([0.0, 0.0, 0.0], [4.0, 0.0, 0.0]), ([2.0, 1.0, 0.0], [6.0, 1.0, 0.0]), (0.5, 0.0, 1.0)),
        (([0.0, 0.0, 0.0], [4.0, 0.0, 0.0]), ([6.0, 1.0, 0.0], [2.0, 1.0, 0.0]), (0.5, 1.0, 1.0)),
        (([0.0, 0.0, 0.0], [4.0, 0.0, 0.0]), ([-2.0, 1.0, 0.0], [6.0, 1.0, 0.0]), (0.0, 0.25, 1.0)),
        (([0.0, 0.0, 0.0], [4.0, 0.0, 0.0]), ([7.0, 4.0, 0.0], [9.0, 4.0, 0.0]), (1.0, 0.0, 5.0)),
        (([0.0, 0.0, 0.0], [4.0, 0.0, 0.0]), ([9.0, 0.0, 0.0], [7.0, 0.0, 0.0]), (1.0, 1.0, 3.0)),
        // Points.
        (([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]), ([3.0, 4.0, 0.0], [3.0, 4.0, 0.0]), (0.0, 0.0, 5.0)),
        (([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]), ([3.0, -4.0, 0.0], [3.0, 4.0, 0.0]), (0.0, 0.5, 3.0)),
        (([3.0, -4.0, 0.0], [3.0, 4.0, 0.0]), ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]), (0.5, 0.0, 3.0)),
    ];
    for (a, b, expected) in rows {
        let [a, b] = [a, b].map(|(start, end)| Segment { start: start.into(), end: end.into() });
        let found = segment_segment(&a, &b);
        assert_eq!((found.t_a, found.t_b, found.gap), expected, "{a:?} {b:?}");
    }
}

/// Numbers that are NaN or infinite, and boxes turned inside out.
#[test]
fn nonsense_is_not_near() {
    let (radius, inside_out) = (Radius::new(1.0).unwrap(), Aabb { min: DVec3::ONE, max: DVec3::NEG_ONE });
    let cube = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    let plane = Plane::new(DVec3::new(1.0, -2.0, 2.0), 3.0).unwrap();
    let on_a_line = Ray { origin: DVec3::ONE, direction: DVec3::X };
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let place = DVec3::new(0.0, bad, 0.0);
        let found = point_on_sphere(place, DVec3::ZERO, radius);
        assert!(matches!(found, OnSphere::Point { distance, .. } if !distance.is_finite()), "{found:?}");
        let found = circle_circle(radius, radius, place.truncate());
        assert!(matches!(found, Rounds::Apart { gap } if !gap.is_finite()), "{found:?}");
        for ray in
            [Ray { origin: place, direction: DVec3::Y }, Ray { origin: DVec3::ZERO, direction: place + DVec3::X }]
        {
            assert!(
                !ray_ray(&ray, &on_a_line).gap.is_finite() && !ray_ray(&on_a_line, &ray).gap.is_finite(),
                "{ray:?}"
            );
        }
        let no_boxes = [Aabb { min: place, ..cube }, Aabb { max: DVec3::ONE + place, ..cube }, inside_out];
        let balls = no_boxes.map(|no_box| sphere_aabb(DVec3::ZERO, radius, &no_box));
        for found in balls.into_iter().chain([sphere_aabb(place, radius, &cube)]) {
            assert!(matches!(found, SphereAabb::Apart { gap, .. } if !gap.is_finite()), "{found:?}");
        }
        for no_box in &no_boxes {
            assert_eq!([aabb_aabb(&cube, no_box), aabb_aabb(no_box, &cube)], [None; 2], "{no_box:?}");
            assert_eq!(aabb_plane(no_box, &plane), None, "{no_box:?}");
        }
        assert_eq!(sphere_plane(place, radius, &plane), None);
    }
    assert!(point_on_aabb(DVec3::new(0.0, f64::NAN, 0.0), &cube).y.is_nan());
    let far = DVec3::new(0.5, f64::INFINITY, f64::NEG_INFINITY);
    assert_eq!(point_on_aabb(far, &cube), DVec3::new(0.5, 1.0, 0.0));
}

/// Scaling by powers of two changes no digit. A third coordinate of 0 changes nothing.
#[test]
fn answers_scale_and_flatten_to_the_bit() {
    let mut random = Random::new(5);
    for _ in 0..DRAWS {
        let (a, b, to) = (segment(&mut random), segment(&mut random), point(&mut random, 6.0));
        let size = 2f64.powi((random.unit() * 100.0) as i32 - 50);
        let scaled = |segment: &Segment| Segment { start: segment.start * size, end: segment.end * size };
        let (nearest, large) = (segment_segment(&a, &b), segment_segment(&scaled(&a), &scaled(&b)));
        assert_eq!((nearest.t_a, nearest.t_b, nearest.gap * size), (large.t_a, large.t_b, large.gap));
        assert_eq!((nearest.point_a * size, nearest.point_b * size), (large.point_a, large.point_b));
        let (foot, large) = (point_on_segment(to, &a), point_on_segment(to * size, &scaled(&a)));
        assert_eq!((foot.t, foot.point * size, foot.part), (large.t, large.point, large.part));
        let flat = point_on_segment2(to.truncate(), &Segment2 { start: a.start.truncate(), end: a.end.truncate() });
        let on_floor = |v: DVec3| v.truncate().extend(0.0);
        let foot = point_on_segment(on_floor(to), &Segment { start: on_floor(a.start), end: on_floor(a.end) });
        assert_eq!((flat.t, flat.point.extend(0.0), flat.part), (foot.t, foot.point, foot.part));
    }
}

/// A rounded sum is monotonic in its terms. So the two selected corners are the extremes of all eight, to the bit.
#[test]
fn a_box_is_where_its_corners_are() {
    let mut random = Random::new(6);
    let mut seen = [0; 3];
    for _ in 0..DRAWS {
        let bounds = bounds(&mut random);
        let Ok(plane) = Plane::new(point(&mut random, 3.0), point(&mut random, 6.0).x) else { continue };
        let corners = (0..8).map(|bits| {
            DVec3::from_array([0, 1, 2].map(|k| if bits >> k & 1 == 0 { bounds.min[k] } else { bounds.max[k] }))
        });
        let distances: Vec<f64> = corners.map(|corner| plane.distance(corner)).collect();
        let (back, front) =
            distances.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        let expected = match (back, front) {
            (back, _) if back >= 0.0 => PlaneSide::Front { gap: back },
            (_, front) if front <= 0.0 => PlaneSide::Back { gap: -front },
            _ => PlaneSide::Straddling { front, back: -back },
        };
        assert_eq!(aabb_plane(&bounds, &plane), Some(expected), "{bounds:?} {plane:?}");
        seen[match expected {
            PlaneSide::Front { .. } => 0,
            PlaneSide::Straddling { .. } => 1,
            PlaneSide::Back { .. } => 2,
        }] += 1;
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

/// A ball and its box that touch a plane are on one side of it.
#[test]
fn what_touches_a_plane_is_on_one_side() {
    let (radius, plane) = (Radius::new(2.0).unwrap(), Plane::new(-DVec3::Y, -3.0).unwrap());
    for (y, expected) in [(1.0, PlaneSide::Front { gap: 0.0 }), (5.0, PlaneSide::Back { gap: 0.0 })] {
        let center = DVec3::new(9.0, y, -4.0);
        assert_eq!(sphere_plane(center, radius, &plane), Some(expected));
        assert_eq!(aabb_plane(&Aabb::around(center, DVec3::new(1.0, 2.0, 3.0)), &plane), Some(expected));
    }
}

/// The side agrees with the gap between the shape and the half-space behind the plane, for both faces of the plane.
#[test]
fn sides_agree_with_the_gap() {
    let mut random = Random::new(7);
    for _ in 0..DRAWS {
        let (center, radius) = (point(&mut random, 6.0), radius(&mut random));
        let Ok(plane) = Plane::new(point(&mut random, 3.0), random.between(-4.0, 4.0)) else { continue };
        let turned = Plane::new(-plane.normal(), -plane.offset()).unwrap();
        let half = DVec3::splat(radius.get());
        let solids = [
            (Solid::Sphere(radius.get()), sphere_plane(center, radius, &plane)),
            (Solid::Box(half), aabb_plane(&Aabb::around(center, half), &plane)),
        ];
        for (solid, side) in solids {
            let to = |plane: Plane| gap(solid, Solid::Plane(&plane), -center).unwrap().separation;
            // The error of normals and offsets is one ulp; all lengths are below a hundred.
            let near = |x: f64, y: f64| (x - y).abs() <= 10.0 * GRAIN;
            let agrees = match side.unwrap() {
                PlaneSide::Front { gap } => near(gap, to(plane)),
                PlaneSide::Back { gap } => near(gap, to(turned)),
                PlaneSide::Straddling { front, back } => near(back, -to(plane)) && near(front, -to(turned)),
            };
            assert!(agrees, "{solid:?} {center} {plane:?} {side:?}");
        }
    }
}

/// Radii and offsets are whole numbers, so squares decide exactly.
#[test]
fn balls_at_rest_in_whole_numbers() {
    let mut random = Random::new(8);
    let mut seen = [0; 6];
    for _ in 0..4 * DRAWS {
        let (a, b) = (random.between(1.0, 5.0).floor(), random.between(1.0, 5.0).floor());
        let offset = random.vector(5.0).round();
        let size = 2f64.powi((random.unit() * 100.0) as i32 - 50);
        let ball = |r: f64| Radius::new(r * size).unwrap();
        let found = sphere_sphere(ball(a), ball(b), offset * size);
        let flat = offset.with_z(0.0) * size;
        assert_eq!(circle_circle(ball(a), ball(b), flat.truncate()), sphere_sphere(ball(a), ball(b), flat));
        let squared = offset.length_squared() as i64;
        let (sum, difference) = ((a + b) as i64, (a - b) as i64);
        let inner = if a < b { Inner::A } else { Inner::B };
        let separation = (squared as f64).sqrt() - sum as f64;
        let clearance = difference.abs() as f64 - (squared as f64).sqrt();
        // A few ulps of lengths up to 20, from a square root, a sum and a division.
        let near = |x: f64, y: f64| x > 0.0 && (x / size - y).abs() <= 4.0 * 20.0 * EPSILON;
        let (row, agrees) = match found {
            Rounds::Apart { gap } => (0, squared > sum * sum && near(gap, separation)),
            Rounds::Touching => (1, squared == sum * sum),
            Rounds::Overlapping { depth } => {
                let cut = squared < sum * sum && squared > difference * difference;
                (2, cut && near(depth, -separation))
            }
            Rounds::TouchingInside { inner: found } => {
                (3, squared == difference * difference && difference != 0 && found == inner)
            }
            Rounds::Inside { inner: found, gap } => {
                (4, squared < difference * difference && found == inner && near(gap, clearance))
            }
            Rounds::Same => (5, squared == 0 && difference == 0),
        };
        assert!(agrees, "{a} {b} {offset} {found:?}");
        seen[row] += 1;
    }
    assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
}

#[test]
fn a_ball_and_a_box_agree_with_the_gap() {
    let mut random = Random::new(9);
    let mut seen = [0; 4];
    for _ in 0..4 * DRAWS {
        let bounds = bounds(&mut random);
        let (center, radius) = (point(&mut random, 6.0), radius(&mut random));
        let found = sphere_aabb(center, radius, &bounds);
        let offset = bounds.center() - center;
        let separation = gap(Solid::Sphere(radius.get()), Solid::Box(bounds.half()), offset).unwrap().separation;
        let (row, value) = match found {
            SphereAabb::Apart { gap, .. } => (0, gap),
            SphereAabb::Touching { .. } => (1, 0.0),
            SphereAabb::Overlapping { depth, .. } => (2, -depth),
            SphereAabb::CenterInside { depth } => (3, -depth),
        };
        seen[row] += 1;
        assert!((value - separation).abs() <= GRAIN, "{center} {radius:?} {bounds:?} {found:?} {separation}");
        let nearest = point_on_aabb(center, &bounds);
        let point = match found {
            SphereAabb::Apart { point, .. }
            | SphereAabb::Touching { point }
            | SphereAabb::Overlapping { point, .. } => point,
            SphereAabb::CenterInside { .. } => center,
        };
        assert_eq!(point, nearest, "{center} {radius:?} {bounds:?} {found:?}");
        let exact = [center, bounds.min, bounds.max].iter().all(|v| v.round() == *v) && radius.get().fract() == 0.0;
        if exact {
            let squared = nearest.distance_squared(center);
            let touching = squared == radius.get() * radius.get();
            assert_eq!(matches!(found, SphereAabb::Touching { .. }), touching, "{center} {radius:?} {bounds:?}");
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// A point is in the common box if and only if it is in both boxes, on a grid that contains all corners and centres.
#[test]
fn the_common_box_holds_what_both_hold() {
    let mut random = Random::new(10);
    let (mut apart, mut flat) = (0, 0);
    for _ in 0..DRAWS {
        let corner = |random: &mut Random| random.vector(2.0).round();
        let aabb = |a: DVec3, b: DVec3| Aabb { min: a.min(b), max: a.max(b) };
        let a = aabb(corner(&mut random), corner(&mut random));
        let b = aabb(corner(&mut random), corner(&mut random));
        let common = aabb_aabb(&a, &b);
        assert_eq!(common.is_some(), a.touches(&b), "{a:?} {b:?}");
        assert_eq!(aabb_aabb(&b, &a), common);
        let holds = |bounds: &Aabb, p: DVec3| p.cmpge(bounds.min).all() && p.cmple(bounds.max).all();
        for cell in 0..9 * 9 * 9 {
            let p = DVec3::from_array([cell % 9, cell / 9 % 9, cell / 81].map(|k| f64::from(k) / 2.0 - 2.0));
            let in_common = common.is_some_and(|common| holds(&common, p));
            assert_eq!(in_common, holds(&a, p) && holds(&b, p), "{a:?} {b:?} {p}");
        }
        apart += usize::from(common.is_none());
        flat += usize::from(common.is_some_and(|common| common.min.cmpeq(common.max).any()));
    }
    assert!(apart > 500 && flat > 500, "{apart} {flat}");
}

/// Moving discs overlap, by the test at rest, exactly between the entry and leave times of the sweep.
#[test]
fn moving_discs_against_discs_at_rest() {
    let mut random = Random::new(11);
    let mut hits = 0;
    for row in 0..DRAWS {
        let (a, b) = (radius(&mut random), radius(&mut random));
        let mut flat = |size| point(&mut random, size).truncate();
        let acceleration = if row % 2 == 0 { DVec2::ZERO } else { flat(1.0) };
        let motion = Relative2 { position: flat(9.0), velocity: flat(4.0), acceleration };
        let until = 4.0;
        let found = moving::circle_circle(a.get(), b.get(), &motion, until);
        hits += usize::from(found.is_some());
        let mirrored = Relative2 {
            position: motion.position.perp(),
            velocity: motion.velocity.perp(),
            acceleration: motion.acceleration.perp(),
        };
        let turned = moving::circle_circle(a.get(), b.get(), &mirrored, until);
        assert_eq!(turned.map(|o| (o.enter, o.leave)), found.map(|o| (o.enter, o.leave)), "{motion:?}");
        assert_eq!(turned.map(|o| o.normal), found.map(|o| o.normal.perp()), "{motion:?}");
        for t in samples(200).map(|t| t * until) {
            let at = motion.position + motion.velocity * t + motion.acceleration * (0.5 * t * t);
            let slack = 16.0 * EPSILON * 100.0;
            match circle_circle(a, b, at) {
                Rounds::Apart { gap } if gap > slack => {
                    assert!(found.is_none_or(|o| t < o.enter || t > o.leave), "{motion:?} {t} {gap} {found:?}");
                }
                Rounds::Overlapping { depth } if depth > slack => {
                    // After the first overlap, a curved motion may cause a second one.
                    assert!(found.is_some_and(|o| t >= o.enter), "{motion:?} {t} {depth} {found:?}");
                    let again = found.is_some_and(|o| t > o.leave);
                    assert!(!again || acceleration != DVec2::ZERO, "{motion:?} {t} {depth} {found:?}");
                }
                _ => {}
            }
        }
        let Some(overlap) = found else { continue };
        assert!((overlap.normal.length() - 1.0).abs() <= 2.0 * EPSILON, "{motion:?} {overlap:?}");
    }
    assert!((DRAWS / 10..DRAWS).contains(&hits), "{hits}");
}
