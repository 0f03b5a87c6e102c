//! Ray casts and the tree of boxes: symmetries, an independent computation of each answer, no gaps between triangles,
//! and no hits for invalid numbers.

use carom::geometry::cast::{
    AabbCaster, Faces, PlaneCast, Side, TriangleCaster, TriangleHit, ray_aabb, ray_circle, ray_plane, ray_sphere,
    ray_triangle,
};
use carom::geometry::{Aabb, Plane, Ray, Ray2, Tree, Triangle};
use glam::{DVec2, DVec3};

use crate::common::Random;
use crate::common::corpus::View;

const INF: f64 = f64::INFINITY;

/// A random vector of whole numbers of at most `size`.
fn whole(random: &mut Random, size: f64) -> DVec3 {
    random.vector(size + 0.5).round()
}

fn integers(v: DVec3) -> [i128; 3] {
    v.to_array().map(|x| x as i128)
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Compares a crossing with exact tests of the points t = k/64. `inside` takes 64 times the point on the ray.
///
/// Leaves out points within four ulps of an end, where rounding decides. Returns the number of points inside.
fn check_by_looking(ray: &Ray, found: Option<(f64, f64)>, inside: impl Fn([i128; 3]) -> bool) -> usize {
    let (origin, direction) = (integers(ray.origin), integers(ray.direction));
    let mut looks = 0;
    for k in 0..2048 {
        let t = k as f64 / 64.0;
        let within = inside(std::array::from_fn(|axis| 64 * origin[axis] + k * direction[axis]));
        looks += usize::from(within);
        let near = |end: f64| (t - end).abs() <= 4.0 * f64::EPSILON * t;
        let expected = found.is_some_and(|(enter, leave)| enter <= t && t <= leave);
        let at_an_end = found.is_some_and(|(enter, leave)| near(enter) || near(leave));
        assert!(expected == within || at_an_end, "{ray:?} at {t}: inside is {within}, found {found:?}");
    }
    looks
}

#[test]
fn balls_discs_and_boxes_are_where_one_sees_them() {
    let mut random = Random::new(21);
    let mut seen = [0; 3];
    for _ in 0..2000 {
        let ray = Ray { origin: whole(&mut random, 9.0), direction: whole(&mut random, 3.0) };
        if ray.direction == DVec3::ZERO {
            continue;
        }
        let (center, half) = (whole(&mut random, 2.0), whole(&mut random, 3.0).abs());
        let (c, h, r) = (integers(center), integers(half), 4);
        let from_center = |p: [i128; 3]| -> [i128; 3] { std::array::from_fn(|axis| p[axis] - 64 * c[axis]) };

        let found = ray_sphere(&ray, center, r as f64, INF).map(|found| (found.enter, found.leave));
        seen[0] += check_by_looking(&ray, found, |p| dot(from_center(p), from_center(p)) < 64 * 64 * r * r);

        let flat = Ray2 { origin: ray.origin.truncate(), direction: ray.direction.truncate() };
        if flat.direction != DVec2::ZERO {
            let found = ray_circle(&flat, center.truncate(), r as f64, INF).map(|found| (found.enter, found.leave));
            seen[1] += check_by_looking(&ray, found, |p| {
                let [x, y, _] = from_center(p);
                x * x + y * y < 64 * 64 * r * r
            });
        }

        // Rounding may miss a corner or an edge that the ray only touches.
        let found = ray_aabb(&ray, &Aabb::around(center, half), INF);
        let inside = |p| from_center(p).into_iter().zip(h).all(|(x, h)| x.abs() <= 64 * h);
        let looks = (0..2048).filter(|&k| inside(integers(ray.origin * 64.0 + ray.direction * k as f64))).count();
        if looks > 1 || found.is_some() {
            seen[2] += check_by_looking(&ray, found.map(|found| (found.enter, found.leave)), inside);
        }
    }
    assert!(seen.iter().all(|&looks| looks > 2000), "{seen:?}");
}

/// With whole numbers, the volumes of the ray and each edge are exact. So are t and the weights, as fractions.
#[test]
fn triangles_are_hit_as_exact_volumes_say() {
    let mut random = Random::new(22);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..200_000 {
        let ray = Ray { origin: whole(&mut random, 6.0), direction: whole(&mut random, 6.0) };
        let [a, b, c] = std::array::from_fn(|_| whole(&mut random, 5.0));
        let found = ray_triangle(&ray, &Triangle { a, b, c }, Faces::Both, INF);
        let d = integers(ray.direction);
        let [pa, pb, pc] = [a, b, c].map(|vertex| integers(vertex - ray.origin));
        let volumes = [dot(d, cross(pb, pc)), dot(d, cross(pc, pa)), dot(d, cross(pa, pb))];
        let whole_volume: i128 = volumes.iter().sum();
        let reach = dot(pa, cross(pb, pc));
        if whole_volume == 0 || volumes.contains(&0) || reach == 0 {
            // In the plane, on the border, or with t = 0: both answers are right, because the shear rounds.
            continue;
        }
        let sign = whole_volume.signum();
        let hit = volumes.iter().all(|volume| volume.signum() == sign) && reach.signum() == sign;
        assert_eq!(found.is_some(), hit, "{ray:?} {a} {b} {c}");
        let Some(TriangleHit { t, weights, side, .. }) = found else {
            misses += 1;
            continue;
        };
        hits += 1;
        // The error of sheared coordinates is two ulps of 22; that of their products of about 500 is of the same kind.
        let slack = 100.0 * 500.0 * f64::EPSILON / whole_volume.abs() as f64;
        let exact = reach as f64 / whole_volume as f64;
        assert!((t - exact).abs() <= slack * (1.0 + 22.0 * exact), "{t} for {exact}: {ray:?} {a} {b} {c}");
        for (weight, volume) in weights.into_iter().zip(volumes) {
            let exact = volume as f64 / whole_volume as f64;
            assert!((weight - exact).abs() <= slack * 36.0, "{weight} for {exact}: {ray:?} {a} {b} {c}");
        }
        let normal = cross(integers(b - a), integers(c - a));
        assert_eq!(side == Side::Front, dot(normal, d) < 0);
    }
    assert!(hits > 2000 && misses > 20_000, "{hits} hits, {misses} misses");
}

/// All results for a ray in one row: parameters, and sides as numbers.
fn everything(ray: &Ray, [a, b, c]: [DVec3; 3], normal: DVec3) -> [Option<[f64; 5]>; 4] {
    let radius = (b - c).abs().max_element();
    let bounds = Aabb { min: a.min(b), max: a.max(b) };
    let aabb = ray_aabb(ray, &bounds, INF);
    let triangle = ray_triangle(ray, &Triangle { a, b, c }, Faces::Both, INF);
    let plane = Plane::new(normal, 0.25 * radius).unwrap();
    [
        ray_sphere(ray, a, radius, INF).map(|found| [found.enter, found.leave, 0.0, 0.0, 0.0]),
        aabb.map(|found| [found.enter, found.leave, found.normal.element_product(), 0.0, 0.0]),
        triangle.map(|TriangleHit { t, weights: [u, v, w], .. }| [t, u, v, w, 0.0]),
        match ray_plane(ray, &plane, Faces::Both, INF) {
            PlaneCast::Hit { t, side, .. } => Some([t, 0.0, 0.0, 0.0, f64::from(u8::from(side == Side::Front))]),
            _ => None,
        },
    ]
}

/// Multiples of 1/64, for which sums of products are exact. So the order of the axes changes no rounding.
fn scene(random: &mut Random) -> (Ray, [DVec3; 3], DVec3) {
    let mut vector = |size: f64| (random.vector(size) * 64.0).round() / 64.0;
    let points = std::array::from_fn(|_| vector(2.0));
    let origin = vector(8.0);
    let direction = vector(2.0) - origin;
    (Ray { origin, direction }, points, DVec3::new(0.0, 1.0, 0.0))
}

#[test]
fn turning_mirroring_and_scaling_changes_no_bit() {
    let mut random = Random::new(23);
    let mut hits = [0; 4];
    for _ in 0..2000 {
        let (ray, points, normal) = scene(&mut random);
        let size = ray.direction.abs();
        if size.x == size.y || size.y == size.z || size.z == size.x {
            // Of two equally long axes, the cast takes the first. The permuted scene takes another one.
            continue;
        }
        let found = everything(&ray, points, normal);
        (0..4).for_each(|k| hits[k] += usize::from(found[k].is_some()));
        for view in View::all() {
            let turned = Ray { origin: view.turn(ray.origin), direction: view.turn(ray.direction) };
            let seen = everything(&turned, points.map(|point| view.turn(point)), view.turn(normal));
            assert_eq!(seen, found, "{view:?} {ray:?} {points:?}");
        }
        for scale in [2.0_f64.powi(-40), 2.0, 2.0_f64.powi(50)] {
            let scaled = Ray { origin: ray.origin * scale, direction: ray.direction * scale };
            assert_eq!(everything(&scaled, points.map(|point| point * scale), normal), found, "{scale} {ray:?}");
            let slower = Ray { direction: ray.direction / scale, ..ray };
            let parameters = [2, 2, 1, 1];
            let scaled = [0, 1, 2, 3].map(|k| {
                found[k].map(|row| std::array::from_fn(|i| if i < parameters[k] { row[i] * scale } else { row[i] }))
            });
            assert_eq!(everything(&slower, points, normal), scaled, "{scale} {ray:?}");
        }
    }
    assert!(hits.iter().all(|&hits| hits > 100), "{hits:?}");
}

/// A cast that hits returns no hit after any one of its input numbers becomes NaN or infinite.
#[test]
fn bad_numbers_hit_nothing() {
    let vector = |n: &[f64]| DVec3::new(n[0], n[1], n[2]);
    let ray = |n: &[f64]| Ray { origin: vector(n), direction: vector(&n[3..]) };
    type Cast<'a> = &'a dyn Fn(&[f64]) -> bool;
    let rows: [(Cast, &[f64]); 5] = [
        (
            &|n| ray_sphere(&ray(n), vector(&n[6..]), n[9], INF).is_some(),
            &[3.0, 4.0, 5.0, -3.0, -4.0, -5.0, 0.0, 0.1, 0.0, 1.0],
        ),
        (
            &|n| {
                let flat = Ray2 { origin: DVec2::new(n[0], n[1]), direction: DVec2::new(n[2], n[3]) };
                ray_circle(&flat, DVec2::new(n[4], n[5]), n[6], INF).is_some()
            },
            &[3.0, 4.0, -3.0, -4.0, 0.0, 0.0, 1.0],
        ),
        (
            &|n| ray_aabb(&ray(n), &Aabb { min: vector(&n[6..]), max: vector(&n[9..]) }, INF).is_some(),
            &[3.0, 4.0, 0.5, -3.0, -4.0, 0.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0],
        ),
        (
            &|n| {
                let triangle = Triangle { a: vector(&n[6..]), b: vector(&n[9..]), c: vector(&n[12..]) };
                ray_triangle(&ray(n), &triangle, Faces::Both, INF).is_some()
            },
            &[3.0, 4.0, 5.0, -3.0, -4.0, -5.0, 1.0, -0.7, 0.2, 0.2, 1.0, -0.7, -0.7, 0.2, 1.0],
        ),
        (
            &|n| {
                let plane = Plane::new(DVec3::new(0.6, 0.0, 0.8), 1.0).unwrap();
                [Faces::Both, Faces::Front].iter().any(|&to| ray_plane(&ray(n), &plane, to, INF) != PlaneCast::Miss)
            },
            &[3.0, 4.0, 5.0, -3.0, -4.0, -5.0],
        ),
    ];
    for (cast, good) in rows {
        assert!(cast(good));
        for place in 0..good.len() {
            for bad in [f64::NAN, INF, -INF] {
                let mut numbers = good.to_vec();
                numbers[place] = bad;
                assert!(!cast(&numbers), "hit with {numbers:?}");
            }
        }
    }
}

/// A ball around `center`: an octahedron with faces split `times` times and vertices at random radii from 1 to
/// 1 + `roughness`.
fn rough_ball(random: &mut Random, times: usize, roughness: f64, center: DVec3) -> Vec<Triangle> {
    let mut faces: Vec<[DVec3; 3]> = (0..8)
        .map(|bits| std::array::from_fn(|k| DVec3::AXES[k] * if bits >> k & 1 == 0 { 1.0 } else { -1.0 }))
        .collect();
    for _ in 0..times {
        faces = faces
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [a + b, b + c, c + a].map(DVec3::normalize);
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    // The sum of two vertices does not depend on their order, so the bits of a vertex identify it.
    let mut places: Vec<DVec3> = faces.iter().flatten().copied().collect();
    let bits = |v: &DVec3| v.to_array().map(|x| (x + 0.0).to_bits());
    places.sort_by_key(bits);
    places.dedup_by_key(|v| bits(v));
    let lengths: Vec<f64> = places.iter().map(|_| random.between(1.0, 1.0 + roughness)).collect();
    let vertex = |v: &DVec3| center + *v * lengths[places.binary_search_by_key(&bits(v), bits).unwrap()];
    faces.iter().map(|[a, b, c]| Triangle { a: vertex(a), b: vertex(b), c: vertex(c) }).collect()
}

/// Points that triangles share: vertices, and rounded positions on edges.
fn shared_points(random: &mut Random, triangles: &[Triangle]) -> Vec<DVec3> {
    let points = |triangle: &Triangle| {
        let [a, b, c] = triangle.vertices();
        let s = random.unit();
        [a, a + (b - a) * 0.5, b + (c - b) * s, c + (a - c) * s * s]
    };
    triangles.iter().flat_map(points).collect()
}

/// A ray from inside a closed surface always hits it, even if it is aimed exactly between triangles.
#[test]
fn no_ray_leaks_out_of_a_closed_surface() {
    let mut random = Random::new(24);
    let balls =
        [(2, 0.0, DVec3::ZERO), (2, 0.5, DVec3::ZERO), (3, 0.1, DVec3::ONE), (2, 0.3, DVec3::new(1e6, -3e5, 7e3))];
    for (times, roughness, center) in balls {
        let triangles = rough_ball(&mut random, times, roughness, center);
        let eyes = [center, center + random.vector(0.3), center + random.vector(0.5) * DVec3::new(1.0, 0.0, 1.0)];
        for target in shared_points(&mut random, &triangles) {
            for eye in eyes {
                let ray = Ray { origin: eye, direction: (target - eye) * random.between(0.1, 10.0) };
                let caster = TriangleCaster::new(&ray);
                let hit = triangles.iter().any(|triangle| caster.cast(triangle, Faces::Both, INF).is_some());
                assert!(hit, "{ray:?} leaks towards {target}");
            }
        }
    }
}

/// A fan of triangles around a vertex. Rays from above aim at the vertex, at the spokes, and one ulp beside the vertex.
#[test]
fn no_ray_leaks_through_a_fan() {
    let mut random = Random::new(25);
    for _ in 0..500 {
        let hub = random.vector(1.0);
        let spokes = 3 + (random.unit() * 9.0) as usize;
        let mut turns: Vec<f64> = (0..spokes).map(|k| (k as f64 + random.unit()) * 6.0 / spokes as f64).collect();
        turns.sort_by(f64::total_cmp);
        let rim: Vec<DVec3> = turns
            .iter()
            .map(|turn| hub + DVec3::new(turn.cos(), turn.sin(), random.between(-0.2, 0.2)) * random.between(0.5, 2.0))
            .collect();
        // The fan cannot cover a gap of more than half a turn.
        let wide = (0..spokes).any(|k| (turns[(k + 1) % spokes] - turns[k]).rem_euclid(std::f64::consts::TAU) > 3.0);
        if wide {
            continue;
        }
        for k in 0..spokes {
            let spoke = (rim[k] - hub) * random.unit() * 0.1;
            for place in [hub, hub + spoke, DVec3::new(hub.x.next_up(), hub.y.next_down(), hub.z)] {
                let above =
                    DVec3::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 1.0) * random.between(1.0, 99.0);
                let ray = Ray { origin: place + above, direction: -above };
                let hit = (0..spokes).any(|k| {
                    let triangle = Triangle { a: hub, b: rim[k], c: rim[(k + 1) % spokes] };
                    ray_triangle(&ray, &triangle, Faces::Front, INF).is_some()
                });
                assert!(hit, "{ray:?} falls through the fan around {hub} with {rim:?}");
            }
        }
    }
}

/// The nearest hit and its triangle; the first one if several are equally near.
fn nearest(tree: &Tree, triangles: &[Triangle], ray: &Ray) -> Option<(f64, u32)> {
    let (boxes, caster) = (AabbCaster::new(ray), TriangleCaster::new(ray));
    let mut nearest: Option<(f64, u32)> = None;
    tree.nearest_first(
        INF,
        |bounds| boxes.entry(bounds),
        |item, best| {
            let Some(hit) = caster.cast(&triangles[item as usize], Faces::Both, best) else { return best };
            if nearest.is_none_or(|(t, row)| (hit.t, item) < (t, row)) {
                nearest = Some((hit.t, item));
            }
            hit.t
        },
    );
    nearest
}

#[test]
fn a_tree_finds_what_looking_at_everything_finds() {
    let mut random = Random::new(26);
    let ball = rough_ball(&mut random, 4, 0.2, DVec3::ONE);
    let soup: Vec<Triangle> = (0..800)
        .map(|_| {
            let [a, b, c] = std::array::from_fn(|_| random.vector(0.2));
            Triangle { a, b, c }.shifted(random.vector(1.0))
        })
        .collect();
    for triangles in [ball, soup] {
        let tree = Tree::new(&triangles.iter().map(Triangle::bounds).collect::<Vec<_>>());
        let mut hits = 0;
        let aims = shared_points(&mut random, &triangles);
        for aim in aims.into_iter().chain((0..2000).map(|_| DVec3::INFINITY)) {
            let origin = random.vector(4.0);
            let aim = if aim.is_finite() { aim } else { random.vector(3.0) };
            let ray = Ray { origin, direction: aim - origin };
            let all = (0..)
                .zip(&triangles)
                .filter_map(|(item, triangle)| ray_triangle(&ray, triangle, Faces::Both, INF).map(|hit| (hit.t, item)));
            let first = all.reduce(|best, next| if next < best { next } else { best });
            assert_eq!(nearest(&tree, &triangles, &ray), first, "{ray:?}");
            hits += usize::from(first.is_some());
        }
        assert!(hits > 1000, "{hits}");
    }
}

#[test]
fn a_tree_touches_what_comparing_with_everything_touches() {
    let mut random = Random::new(27);
    for (count, size) in [(1, 1.0), (2, 1.0), (300, 1.0), (3000, 0.3)] {
        // Whole numbers, so many boxes are equal, flat, or touch exactly.
        let mut boxes = |count: usize| -> Vec<Aabb> {
            (0..count)
                .map(|_| Aabb::around(random.vector(9.0).round(), random.vector(2.0 * size).round().abs()))
                .collect()
        };
        let items = boxes(count);
        let tree = Tree::new(&items);
        for probe in boxes(300) {
            let mut found = Vec::new();
            tree.touching(&probe, |item| found.push(item));
            found.sort_unstable();
            let expected: Vec<u32> =
                (0..).zip(&items).filter(|(_, item)| item.touches(&probe)).map(|(n, _)| n).collect();
            assert_eq!(found, expected, "{probe:?}");
        }
    }
}
