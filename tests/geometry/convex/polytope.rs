//! Points, segments, triangles and quadrilaterals against polytopes, compared with two independent computations:
//! integer arithmetic, which distinguishes touching from missing, and dense sampling.

use carom::geometry::polytope::{Bounded, Hit, Mask, Meeting, PLANES_MAX, POINTS_MAX, Quad, TooManyPlanes};
use carom::geometry::{Aabb, Plane, Polytope, Segment, Triangle};
use glam::DVec3;

use crate::common::Random;

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn plane(normal: DVec3, offset: f64) -> Plane {
    Plane::new(normal, offset).unwrap()
}

/// The reference plane for distances: x = 0.
fn reference() -> Plane {
    plane(DVec3::X, 0.0)
}

fn cube(half: f64) -> Polytope {
    Polytope::from_aabb(&Aabb::around(DVec3::ZERO, DVec3::splat(half)), reference()).unwrap()
}

#[derive(Debug, Clone, Copy)]
enum Primitive {
    Point(DVec3),
    Segment(Segment),
    Triangle(Triangle),
    Quad(Quad),
}

impl Primitive {
    fn new(vertices: &[DVec3]) -> Self {
        match *vertices {
            [a] => Self::Point(a),
            [start, end] => Self::Segment(Segment { start, end }),
            [a, b, c] => Self::Triangle(Triangle { a, b, c }),
            [a, b, c, d] => Self::Quad(Quad { a, b, c, d }),
            _ => unreachable!("one to four vertices"),
        }
    }

    fn meet(&self, polytope: &Polytope, active: Mask) -> Option<Hit> {
        match self {
            Self::Point(point) => polytope.point(*point, active),
            Self::Segment(segment) => polytope.segment(segment, active),
            Self::Triangle(triangle) => polytope.triangle(triangle, active),
            Self::Quad(quad) => polytope.quad(quad, active),
        }
    }
}

fn meet(polytope: &Polytope, vertices: &[DVec3]) -> Option<Hit> {
    Primitive::new(vertices).meet(polytope, polytope.mask())
}

/// Whether two lists contain the same points in the same cyclic order, to within `grain`.
fn same_ring(p: &[DVec3], q: &[DVec3], grain: f64) -> bool {
    let turned = |by: usize| (0..p.len()).all(|k| (p[k] - q[(k + by) % q.len()]).abs().max_element() <= grain);
    p.len() == q.len() && (p.is_empty() || (0..p.len()).any(turned))
}

/// The 48 permutations and mirrorings of the axes.
fn turns() -> Vec<[DVec3; 3]> {
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]];
    let signed = |order: [usize; 3], signs: usize| {
        [0, 1, 2].map(|k| DVec3::AXES[order[k]] * if signs >> k & 1 == 1 { -1.0 } else { 1.0 })
    };
    orders.iter().flat_map(|&order| (0..8).map(move |signs| signed(order, signs))).collect()
}

fn turned(v: DVec3, axes: &[DVec3; 3]) -> DVec3 {
    axes[0] * v.x + axes[1] * v.y + axes[2] * v.z
}

/// The expected meeting of a primitive with a polytope, and the expected points.
type Answer<'a> = Option<(Meeting, &'a [DVec3])>;

/// Checks one case in all 48 orientations, with both orders of its vertices, at three scales.
fn check(name: &str, planes: &[(DVec3, f64)], vertices: &[DVec3], expected: Answer<'_>) {
    for axes in turns() {
        for scale in [1.0, 1024.0, 1.0 / (1u64 << 40) as f64] {
            let moved = |&v: &DVec3| turned(v, &axes) * scale;
            let planes: Vec<Plane> = planes.iter().map(|&(n, o)| plane(turned(n, &axes), o * scale)).collect();
            let polytope = Polytope::new(planes, plane(axes[0], 0.0)).unwrap();
            let vertices: Vec<DVec3> = vertices.iter().map(moved).collect();
            let wanted: Option<Vec<DVec3>> = expected.map(|(_, points)| points.iter().map(moved).collect());
            for reversed in [false, true] {
                let mut vertices = vertices.clone();
                let mut wanted = wanted.clone();
                if reversed {
                    // The first vertex stays first, so a quadrilateral keeps its diagonal.
                    vertices[1..].reverse();
                    wanted.iter_mut().for_each(|points| points.reverse());
                }
                let found = meet(&polytope, &vertices);
                assert_eq!(found.map(|hit| hit.meeting), expected.map(|(meeting, _)| meeting), "{name} {axes:?}");
                let (Some(hit), Some(wanted)) = (found, wanted) else { continue };
                let points = hit.points.as_slice();
                // Rounding errors of products of whole numbers, one sum and one quotient.
                let grain = 16.0 * f64::EPSILON * scale;
                assert!(same_ring(points, &wanted, grain), "{name} {axes:?}: {points:?} for {wanted:?}");
                check_summary(&hit, &polytope);
            }
        }
    }
}

/// The centroid and the distances in the hit are those of its points.
fn check_summary(hit: &Hit, polytope: &Polytope) {
    let points = hit.points.as_slice();
    let size = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let mean = points.iter().sum::<DVec3>() / points.len() as f64;
    assert_eq!(hit.centroid, mean);
    let distance = |p: DVec3| polytope.reference().distance(p);
    assert_eq!(hit.farthest, points.iter().map(|&p| distance(p)).fold(f64::NEG_INFINITY, f64::max));
    assert_eq!(hit.centroid_distance, distance(mean));
    // The mean of up to 70 points, with one more rounding each.
    assert!(hit.centroid_distance <= hit.farthest + 128.0 * f64::EPSILON * size);
}

const UNIT_CUBE: [(DVec3, f64); 6] = [
    (DVec3::X, -1.0),
    (DVec3::NEG_X, -1.0),
    (DVec3::Y, -1.0),
    (DVec3::NEG_Y, -1.0),
    (DVec3::Z, -1.0),
    (DVec3::NEG_Z, -1.0),
];

#[test]
fn points_and_segments_lie_in_a_polytope_as_its_planes_say() {
    let inside = Meeting::Inside;
    let cut = Meeting::Cut;
    let o = DVec3::ZERO;
    let (a, b) = (at(0.5, -0.25, 0.0), at(3.0, 0.0, 0.0));
    let rows: [(&str, &[DVec3], Answer<'_>); 14] = [
        ("the middle", &[o], Some((inside, &[o]))),
        ("a corner", &[DVec3::ONE], Some((inside, &[DVec3::ONE]))),
        ("an ulp beyond a face", &[at(1.0f64.next_up(), 0.0, 0.0)], None),
        ("within", &[a, o], Some((inside, &[a, o]))),
        ("along an edge", &[DVec3::ONE, at(-1.0, 1.0, 1.0)], Some((inside, &[DVec3::ONE, at(-1.0, 1.0, 1.0)]))),
        ("one end in", &[o, b], Some((cut, &[o, DVec3::X]))),
        ("through", &[-b, b], Some((cut, &[-DVec3::X, DVec3::X]))),
        ("touching a face with an end", &[DVec3::X, b], Some((cut, &[DVec3::X]))),
        ("touching an edge", &[at(2.0, 0.0, 0.0), at(0.0, 2.0, 0.0)], Some((cut, &[at(1.0, 1.0, 0.0)]))),
        ("touching a corner", &[at(0.0, 2.0, 2.0), at(2.0, 0.0, 0.0)], Some((cut, &[DVec3::ONE]))),
        ("past a corner", &[at(0.0, 2.25, 2.0), at(2.25, 0.0, 2.0)], None),
        ("past an edge", &[at(2.25, 0.0, 0.0), at(0.0, 2.25, 0.0)], None),
        ("without length, in", &[o, o], Some((inside, &[o, o]))),
        ("without length, out", &[b, b], None),
    ];
    for (name, vertices, expected) in rows {
        check(name, &UNIT_CUBE, vertices, expected);
    }
}

#[test]
fn triangles_in_all_three_cases() {
    let far = 16.0;
    let section = [at(-1.0, -1.0, 0.0), at(1.0, -1.0, 0.0), at(1.0, 1.0, 0.0), at(-1.0, 1.0, 0.0)];
    let small = [at(0.5, 0.0, 0.0), at(0.0, 0.5, 0.0), at(0.0, 0.0, 0.5)];
    let wide = [at(-far, -far, 0.0), at(far, -far, 0.0), at(0.0, far, 0.0)];
    let hexagon = [
        at(1.0, -1.0, 0.0),
        at(1.0, 0.0, -1.0),
        at(0.0, 1.0, -1.0),
        at(-1.0, 1.0, 0.0),
        at(-1.0, 0.0, 1.0),
        at(0.0, -1.0, 1.0),
    ];
    let tilted = [at(far, -far / 2.0, -far / 2.0), at(-far / 2.0, far, -far / 2.0), at(-far / 2.0, -far / 2.0, far)];
    let corner = tilted.map(|v| v + 1.0);
    let rows: [(&str, &[DVec3], Answer<'_>); 15] = [
        ("inside", &small, Some((Meeting::Inside, &small))),
        (
            "its vertices on faces",
            &[DVec3::X, DVec3::Y, DVec3::Z],
            Some((Meeting::Inside, &[DVec3::X, DVec3::Y, DVec3::Z])),
        ),
        ("pierced by a square", &wide, Some((Meeting::Pierced, &section))),
        ("pierced by a hexagon", &tilted, Some((Meeting::Pierced, &hexagon))),
        ("pierced by a corner", &corner, Some((Meeting::Pierced, &[DVec3::ONE]))),
        ("an ulp off the corner", &corner.map(|v| v + at(0.0, 0.0, 16.0 * f64::EPSILON)), None),
        ("flat on a face", &wide.map(|v| v + DVec3::Z), Some((Meeting::Pierced, &section.map(|v| v + DVec3::Z)))),
        ("just above a face", &wide.map(|v| v + DVec3::Z * 1.0f64.next_up()), None),
        (
            "one vertex in",
            &[DVec3::ZERO, at(4.0, 1.0, 0.0), at(4.0, -1.0, 0.0)],
            Some((Meeting::Cut, &[DVec3::ZERO, at(1.0, 0.25, 0.0), at(1.0, -0.25, 0.0)])),
        ),
        (
            "an edge through, no vertex in",
            &[at(-2.0, 0.0, 0.0), at(2.0, 0.0, 0.0), at(0.0, far, 0.0)],
            Some((Meeting::Cut, &[at(-1.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(1.0, 1.0, 0.0), at(-1.0, 1.0, 0.0)])),
        ),
        (
            "touching with a vertex",
            &[at(1.0, 0.0, 0.0), at(2.0, 1.0, 0.0), at(2.0, -1.0, 0.0)],
            Some((Meeting::Cut, &[DVec3::X])),
        ),
        (
            "touching with an edge",
            &[at(1.0, -0.5, 0.0), at(1.0, 0.5, 0.0), at(2.0, 0.0, 0.0)],
            Some((Meeting::Cut, &[at(1.0, -0.5, 0.0), at(1.0, 0.5, 0.0)])),
        ),
        ("around, not through", &[at(3.0, 0.0, 0.0), at(0.0, 3.0, 0.0), at(3.0, 3.0, 0.0)], None),
        ("without area, in", &[DVec3::ZERO, DVec3::ZERO, DVec3::ZERO], Some((Meeting::Inside, &[DVec3::ZERO; 3]))),
        ("without area, out", &[at(3.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(5.0, 0.0, 0.0)], None),
    ];
    for (name, vertices, expected) in rows {
        check(name, &UNIT_CUBE, vertices, expected);
    }
    let line = [at(-2.0, 0.0, 0.0), at(2.0, 0.0, 0.0), at(4.0, 0.0, 0.0)];
    let hit = meet(&cube(1.0), &line).unwrap();
    assert_eq!(hit.meeting, Meeting::Cut, "a triangle without area is a segment");
    assert!(hit.points.as_slice().iter().all(|p| p.x.abs() == 1.0 && p.y == 0.0 && p.z == 0.0), "{hit:?}");
}

#[test]
fn quadrilaterals_have_no_seam() {
    let flat = |x: f64, y: f64| at(x, y, 0.0);
    let section = [flat(-1.0, -1.0), flat(1.0, -1.0), flat(1.0, 1.0), flat(-1.0, 1.0)];
    let around = section.map(|v| v * 4.0);
    let diamond = [flat(4.0, 0.0), flat(0.0, 4.0), flat(-4.0, 0.0), flat(0.0, -4.0)];
    let off = |quad: [DVec3; 4], by: DVec3| quad.map(|v| v + by);
    let half = [flat(0.0, -1.0), flat(1.0, -1.0), flat(1.0, 1.0), flat(0.0, 1.0)];
    let wide_half = [flat(0.0, -4.0), flat(8.0, -4.0), flat(8.0, 4.0), flat(0.0, 4.0)];
    // The diagonal a c lies in the face x = 1: all common points lie on it.
    let hinge = [at(1.0, -4.0, 0.0), at(5.0, 0.0, 4.0), at(1.0, 4.0, 0.0), at(5.0, 0.0, -4.0)];
    let rows: [(&str, &[DVec3], Answer<'_>); 9] = [
        ("inside", &section.map(|v| v * 0.5), Some((Meeting::Inside, &section.map(|v| v * 0.5)))),
        ("exactly the section", &section, Some((Meeting::Inside, &section))),
        ("around, its diagonal through two corners", &around, Some((Meeting::Pierced, &section))),
        ("around, its diagonal through two faces", &diamond, Some((Meeting::Pierced, &section))),
        ("around, off the middle", &off(around, flat(0.5, -1.25)), Some((Meeting::Pierced, &section))),
        ("one edge through", &wide_half, Some((Meeting::Cut, &half))),
        ("folded along the face", &hinge, Some((Meeting::Pierced, &[at(1.0, 1.0, 0.0), at(1.0, -1.0, 0.0)]))),
        ("beside", &off(around, flat(6.0, 0.0)), None),
        ("flat above", &off(around, DVec3::Z * 1.25), None),
    ];
    for (name, vertices, expected) in rows {
        check(name, &UNIT_CUBE, vertices, expected);
    }
    // A dart with its reflex corner at b: its two triangles overlap, and both contribute points.
    let dart = [flat(-4.0, 0.0), flat(3.0, 0.0), flat(-4.0, 4.0), flat(8.0, -1.0)];
    let hit = meet(&cube(1.0), &dart).unwrap();
    assert!(hit.points.as_slice().iter().all(|&point| cube(1.0).contains(point)), "{hit:?}");
}

#[test]
fn unbounded_flat_and_empty_polytopes() {
    let wide = [at(-8.0, -8.0, 0.0), at(8.0, -8.0, 0.0), at(0.0, 8.0, 0.0)];
    let half = [at(-4.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(0.0, 8.0, 0.0)];
    let line = [(DVec3::X, 0.0), (DVec3::NEG_X, 0.0), (DVec3::Y, 0.0), (DVec3::NEG_Y, 0.0)];
    let o = DVec3::ZERO;
    let slit = [at(0.0, -8.0, 0.0), at(0.0, 8.0, 0.0)];
    type Row<'a> = (&'a str, &'a [(DVec3, f64)], Answer<'a>);
    let rows: [Row<'_>; 7] = [
        ("no plane: all of space", &[], Some((Meeting::Inside, &wide))),
        ("one plane", &[(DVec3::Y, 0.0)], Some((Meeting::Cut, &half))),
        ("one plane twice", &[(DVec3::Y, 0.0), (DVec3::Y, 0.0)], Some((Meeting::Cut, &half))),
        ("a sheet", &line[..2], Some((Meeting::Cut, &slit))),
        ("a line", &line, Some((Meeting::Pierced, &[o]))),
        ("empty: two half-spaces apart", &[(DVec3::Y, 1.0), (DVec3::NEG_Y, 0.0)], None),
        ("empty by a grain of the distances", &[(DVec3::Y, 1.0 + 8.0 * f64::EPSILON), (DVec3::NEG_Y, -1.0)], None),
    ];
    for (name, planes, expected) in rows {
        check(name, planes, &wide, expected);
    }
}

#[test]
fn numbers_that_are_none_meet_nothing() {
    let (space, cube) = (Polytope::new([], reference()).unwrap(), cube(1.0));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e71, f64::MAX] {
        for count in 1..=4 {
            for row in 0..count {
                for axis in 0..3 {
                    let mut vertices = [DVec3::ZERO; 4];
                    vertices[row][axis] = bad;
                    assert_eq!(meet(&space, &vertices[..count]), None, "{bad} {vertices:?}");
                    assert_eq!(meet(&cube, &vertices[..count]), None, "{bad} {vertices:?}");
                    assert!(!cube.contains(vertices[row]) && !space.contains(vertices[row]));
                }
            }
        }
    }
}

#[test]
fn numbers_at_the_ends_of_the_range_do_not_panic() {
    let mut random = Random::new(11);
    let scales = [1e70, 1e-70, 1e-150, 5e-324, 0.0, 1.0];
    let mut number = move || random.between(-1.0, 1.0) * scales[(random.unit() * 6.0) as usize];
    for _ in 0..20_000 {
        let vertices = [0; 4].map(|_| at(number(), number(), number()));
        let planes: Vec<Plane> =
            (0..8).filter_map(|_| Plane::new(at(number(), number(), number()), number()).ok()).collect();
        let polytope = Polytope::new(planes, reference()).unwrap();
        for count in 1..=4 {
            let hit = meet(&polytope, &vertices[..count]);
            assert!(hit.is_none_or(|hit| hit.centroid.is_finite()), "{hit:?}");
        }
    }
}

/// A plane with integer coefficients: n·x ≥ offset.
type WholePlane = ([i128; 3], i128);

/// The exact answer for a triangle, and the number of vertices of the common part in the triangle's weights.
///
/// Lines row·λ ≥ 0 bound the common part, with the weights λ. If it is not empty, two of these lines meet in it.
fn exact(planes: &[WholePlane], vertices: &[[i128; 3]; 3]) -> Option<(Meeting, usize)> {
    let dot = |p: [i128; 3], q: [i128; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let mut rows: Vec<[i128; 3]> = vec![[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    rows.extend(planes.iter().map(|&(normal, offset)| vertices.map(|v| dot(normal, v) - offset)));
    let mut found: Vec<[i128; 3]> = Vec::new();
    for (k, p) in rows.iter().enumerate() {
        for q in &rows[..k] {
            let cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
            for weights in [cross, cross.map(|x| -x)] {
                let divisor = weights.iter().fold(0, |a, &b| gcd(a, b.abs()));
                if divisor != 0 && rows.iter().all(|&row| dot(row, weights) >= 0) {
                    found.push(weights.map(|x| x / divisor));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    let inside = rows.iter().all(|row| row.iter().all(|&x| x >= 0));
    let at_edge = found.iter().any(|weights| weights.contains(&0));
    let meeting = if inside {
        Meeting::Inside
    } else if at_edge {
        Meeting::Cut
    } else {
        Meeting::Pierced
    };
    (!found.is_empty()).then_some((meeting, found.len()))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn whole(random: &mut Random, size: i32) -> i128 {
    i128::from((random.unit() * f64::from(2 * size + 1)) as i32 - size)
}

fn floats(v: [i128; 3]) -> DVec3 {
    at(v[0] as f64, v[1] as f64, v[2] as f64)
}

#[test]
fn whole_numbers_agree_to_the_last_touch() {
    let mut random = Random::new(1);
    let mut seen = [0; 4];
    for round in 0..60_000 {
        let count = (random.unit() * 9.0) as usize;
        let planes: Vec<WholePlane> = (0..count)
            .map(|_| {
                let mut normal = [0; 3];
                normal[(random.unit() * 3.0) as usize] = if random.unit() < 0.5 { 1 } else { -1 };
                (normal, whole(&mut random, 3) - 1)
            })
            .collect();
        let size = [3, 6, 20][round % 3];
        let vertices = [0; 3].map(|_| [0; 3].map(|_| whole(&mut random, size)));
        let list: Vec<Plane> = planes.iter().map(|&(n, o)| plane(floats(n), o as f64)).collect();
        let polytope = Polytope::new(list, reference()).unwrap();
        let found = meet(&polytope, &vertices.map(floats)).map(|hit| (hit.meeting, hit.points.as_slice().len()));
        let expected = exact(&planes, &vertices);
        assert_eq!(found, expected, "{planes:?} {vertices:?}");
        seen[expected.map_or(3, |(meeting, _)| meeting as usize)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 300), "inside, cut, pierced, none: {seen:?}");
}

/// Planes at arbitrary angles have rounded normals, so cases within 1/1000 of touching are left out.
#[test]
fn whole_numbers_agree_at_any_angle() {
    let mut random = Random::new(2);
    let (mut compared, mut pierced) = (0, 0);
    for _ in 0..60_000 {
        let count = 1 + (random.unit() * 7.0) as usize;
        let mut normal = || [0; 3].map(|_| whole(&mut random, 3));
        let planes: Vec<WholePlane> = (0..count).map(|_| (normal(), 1)).filter(|&(n, _)| n != [0; 3]).collect();
        let planes: Vec<WholePlane> = planes.into_iter().map(|(n, _)| (n, whole(&mut random, 3) - 3)).collect();
        let vertices = [0; 3].map(|_| [0; 3].map(|_| whole(&mut random, 9)));
        let moved = |by: i128| -> Vec<WholePlane> { planes.iter().map(|&(n, o)| (n, 1000 * o + by)).collect() };
        let fine = vertices.map(|v| v.map(|x| 1000 * x));
        let (loose, tight) = (exact(&moved(-1), &fine), exact(&moved(1), &fine));
        if loose.map(|(meeting, _)| meeting) != tight.map(|(meeting, _)| meeting) {
            continue;
        }
        let list: Vec<Plane> = planes.iter().map(|&(n, o)| plane(floats(n), o as f64)).collect();
        let polytope = Polytope::new(list, reference()).unwrap();
        let found = meet(&polytope, &vertices.map(floats)).map(|hit| hit.meeting);
        assert_eq!(found, tight.map(|(meeting, _)| meeting), "{planes:?} {vertices:?}");
        compared += 1;
        pierced += usize::from(found == Some(Meeting::Pierced));
    }
    assert!(compared > 40_000 && pierced > 500, "{compared} compared, {pierced} pierced");
}

/// A polytope with `count` planes, each at a distance of at most 1 from the origin. The origin is inside.
fn random_polytope(random: &mut Random, count: usize) -> Polytope {
    let planes: Vec<Plane> =
        (0..count).map(|_| plane(random.vector(1.0) + DVec3::splat(1e-3), -random.between(0.1, 1.0))).collect();
    Polytope::new(planes, plane(random.vector(1.0), random.between(-1.0, 1.0))).unwrap()
}

/// A flat, convex quadrilateral: a parallelogram with one corner moved at random.
fn random_quad(random: &mut Random, size: f64) -> [DVec3; 4] {
    let (a, u, v) = (random.vector(size), random.vector(size), random.vector(size));
    [a, a + u, a + u * random.between(0.6, 1.0) + v * random.between(0.6, 1.0), a + v]
}

#[test]
fn points_lie_in_both_and_samples_agree() {
    let mut random = Random::new(3);
    let mut seen = [0; 4];
    for round in 0..6_000 {
        let count = 1 + (random.unit() * 12.0) as usize;
        let polytope = random_polytope(&mut random, count);
        let size = [0.3, 1.5, 30.0][round % 3];
        let quad = random_quad(&mut random, size);
        let middle = if round % 2 == 0 { quad.iter().sum::<DVec3>() / 4.0 } else { DVec3::ZERO };
        let quad = quad.map(|v| v - middle);
        for vertices in [&quad[..2], &quad[..3], &quad[..]] {
            let hit = meet(&polytope, vertices);
            seen[hit.map_or(3, |hit| hit.meeting as usize)] += 1;
            let sampled = samples(vertices).any(|point| polytope.contains(point));
            assert!(!sampled || hit.is_some(), "{polytope:?} {vertices:?}");
            let Some(hit) = hit else { continue };
            check_summary(&hit, &polytope);
            let points = hit.points.as_slice();
            assert!(points.len() <= count + vertices.len(), "each plane adds one: {points:?}");
            // Errors of distances and means of numbers up to `size` + 1 with about ten roundings. They are larger where
            // the lines in which planes cut the primitive are nearly parallel.
            let grain = 1e4 * f64::EPSILON * (size + 1.0);
            let low = vertices.iter().copied().reduce(DVec3::min).unwrap();
            let high = vertices.iter().copied().reduce(DVec3::max).unwrap();
            for &point in points.iter().chain([&hit.centroid]) {
                let depth = polytope.planes().iter().map(|p| p.distance(point)).fold(f64::INFINITY, f64::min);
                assert!(depth >= -grain, "{depth:e} {polytope:?} {vertices:?}");
                assert!((point - point.clamp(low, high)).abs().max_element() <= grain);
                if let [a, b, c, ..] = vertices {
                    let normal = (b - a).cross(c - a).normalize();
                    assert!(normal.dot(point - a).abs() <= 1e3 * grain, "off the sheet");
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

fn samples(vertices: &[DVec3]) -> impl Iterator<Item = DVec3> + '_ {
    let last = vertices.len() - 1;
    (0..=16).flat_map(move |i| {
        (0..=16).map(move |j| {
            let (s, t) = (f64::from(i) / 16.0, f64::from(j) / 16.0);
            let (p, q) = (vertices[0].lerp(vertices[1], s), vertices[last].lerp(vertices[last.min(2)], s));
            p.lerp(q, t)
        })
    })
}

/// The common area by clipping agrees with the fraction of a fine grid that lies in the polytope.
#[test]
fn areas_agree_with_counting() {
    let mut random = Random::new(4);
    for _ in 0..200 {
        let polytope = random_polytope(&mut random, 9);
        let quad = random_quad(&mut random, 1.5);
        let (a, u, v) = (quad[0], quad[1] - quad[0], quad[3] - quad[0]);
        let sheet = [a, a + u, a + u + v, a + v];
        let share = |points: &[DVec3]| -> f64 {
            let whole = u.cross(v);
            let part: DVec3 = (2..points.len())
                .map(|k| (points[k - 1] - points[0]).cross(points[k] - points[0]) * 0.5)
                .fold(DVec3::ZERO, |sum, area| sum + area);
            part.dot(whole) / whole.length_squared()
        };
        let found = meet(&polytope, &sheet).map_or(0.0, |hit| share(hit.points.as_slice()));
        const GRID: u32 = 200;
        let place = |k: u32| (f64::from(k) + 0.5) / f64::from(GRID);
        let cells = (0..GRID * GRID).map(|k| a + u * place(k % GRID) + v * place(k / GRID));
        let counted = cells.filter(|&cell| polytope.contains(cell)).count() as f64 / f64::from(GRID * GRID);
        // The border of the convex common part crosses at most 4 · GRID cells.
        assert!((found - counted).abs() <= 4.0 / f64::from(GRID), "{found} {counted}");
    }
}

#[test]
fn order_of_planes_and_vertices_decides_nothing() {
    let mut random = Random::new(5);
    for round in 0..4_000 {
        // Half of the cases lie on a coarse grid, where planes and edges often meet in points.
        let coarse = |v: DVec3| if round % 2 == 0 { (v * 4.0).round() } else { v };
        let planes: Vec<Plane> = (0..8)
            .map(|_| plane(coarse(random.vector(1.0)) + DVec3::Y * 1e-3, -random.between(0.0, 4.0).floor()))
            .collect();
        let vertices = random_quad(&mut random, 2.0).map(coarse);
        let polytope = Polytope::new(planes.clone(), reference()).unwrap();
        let mut shuffled = planes;
        for k in (1..shuffled.len()).rev() {
            shuffled.swap(k, (random.unit() * (k + 1) as f64) as usize);
        }
        let other = Polytope::new(shuffled, reference()).unwrap();
        for count in 2..=4 {
            let hit = meet(&polytope, &vertices[..count]);
            let again = meet(&other, &vertices[..count]);
            assert_eq!(hit.map(|hit| hit.meeting), again.map(|hit| hit.meeting), "{polytope:?} {vertices:?}");
            let mut reversed = vertices;
            reversed[1..count].reverse();
            let back = meet(&polytope, &reversed[..count]);
            assert_eq!(hit.map(|hit| hit.meeting), back.map(|hit| hit.meeting), "{polytope:?} {vertices:?}");
            if let (Some(hit), Some(again), Some(back)) = (hit, again, back)
                && count < 4
            {
                let backwards: Vec<DVec3> = back.points.as_slice().iter().rev().copied().collect();
                let points = hit.points.as_slice();
                // Where three lines meet in a point, the order decides which two of them determine its coordinates.
                assert!(same_ring(points, &backwards, 1e-9), "{points:?} {backwards:?}");
                assert!(same_ring(points, again.points.as_slice(), 1e-9), "{points:?} {again:?}");
            }
        }
    }
}

#[test]
fn powers_of_two_scale_to_the_bit() {
    let mut random = Random::new(6);
    for _ in 0..2_000 {
        let polytope = random_polytope(&mut random, 7);
        let vertices = random_quad(&mut random, 2.0);
        for scale in [2.0, 1.0 / 1024.0, (1u64 << 40) as f64] {
            let larger = |p: &Plane| plane(p.normal(), p.offset() * scale);
            let planes: Vec<Plane> = polytope.planes().iter().map(larger).collect();
            let scaled = Polytope::new(planes, larger(polytope.reference())).unwrap();
            for count in 1..=4 {
                let hit = meet(&polytope, &vertices[..count]);
                let found = meet(&scaled, &vertices.map(|v| v * scale)[..count]);
                let numbers = |hit: Hit, by: f64| {
                    let points: Vec<DVec3> = hit.points.as_slice().iter().map(|&p| p * by).collect();
                    (hit.meeting, points, hit.centroid * by, hit.farthest * by, hit.centroid_distance * by)
                };
                assert_eq!(hit.map(|hit| numbers(hit, scale)), found.map(|hit| numbers(hit, 1.0)));
            }
        }
    }
}

#[test]
fn a_mask_from_a_box_loses_nothing() {
    let mut random = Random::new(7);
    let mut seen = [0; 3];
    for _ in 0..20_000 {
        let polytope = random_polytope(&mut random, 6);
        let center = random.vector(2.0);
        let vertices = random_quad(&mut random, 0.4).map(|v| v + center);
        for count in 1..=4 {
            let all = vertices[..count].iter();
            let bounds = Aabb {
                min: all.clone().copied().reduce(DVec3::min).unwrap(),
                max: all.copied().reduce(DVec3::max).unwrap(),
            };
            let room = Aabb { min: bounds.min - random.unit(), max: bounds.max + random.unit() };
            let primitive = Primitive::new(&vertices[..count]);
            let hit = primitive.meet(&polytope, polytope.mask());
            let mut active = polytope.mask();
            // Classifies the surrounding box first and then the box itself, as in a descent of a tree.
            for (step, place) in [room, bounds].iter().enumerate() {
                match polytope.classify(place, active) {
                    Bounded::Outside => {
                        assert_eq!(hit, None);
                        seen[0] += step;
                        break;
                    }
                    Bounded::Inside => {
                        assert_eq!(hit.map(|hit| hit.meeting), Some(Meeting::Inside));
                        seen[1] += step;
                        break;
                    }
                    Bounded::Straddling(left) => {
                        assert_eq!(left.intersection(active), left);
                        assert_eq!(primitive.meet(&polytope, left), hit);
                        active = left;
                        seen[2] += step;
                    }
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
}

#[test]
fn slices_give_the_hits_in_order() {
    let mut random = Random::new(8);
    let polytope = random_polytope(&mut random, 6);
    let quads: Vec<Quad> = (0..500)
        .map(|_| {
            let [a, b, c, d] = random_quad(&mut random, 2.0);
            Quad { a, b, c, d }
        })
        .collect();
    let triangles: Vec<Triangle> = quads.iter().map(|quad| quad.triangles()[0]).collect();
    let segments: Vec<Segment> = quads.iter().map(|quad| Segment { start: quad.a, end: quad.b }).collect();
    let points: Vec<DVec3> = quads.iter().map(|quad| quad.a).collect();
    let all = polytope.mask();
    let single = |find: &dyn Fn(usize) -> Option<Hit>| -> Vec<Hit> {
        (0..500).filter_map(|index| Some(Hit { index, ..find(index)? })).collect()
    };
    let quad_hits: Vec<Hit> = polytope.quads(&quads, all).collect();
    assert!((100..500).contains(&quad_hits.len()) && quad_hits.is_sorted_by_key(|hit| hit.index));
    assert_eq!(quad_hits, single(&|k| polytope.quad(&quads[k], all)));
    assert_eq!(
        polytope.triangles(&triangles, all).collect::<Vec<_>>(),
        single(&|k| polytope.triangle(&triangles[k], all))
    );
    assert_eq!(polytope.segments(&segments, all).collect::<Vec<_>>(), single(&|k| polytope.segment(&segments[k], all)));
    assert_eq!(polytope.points(&points, all).collect::<Vec<_>>(), single(&|k| polytope.point(points[k], all)));
}

/// Three sides of a triangle and 32 planes around a circle reach the largest number of planes.
#[test]
fn the_most_planes_fit_and_one_more_is_refused() {
    let around = |count: usize| -> Vec<Plane> {
        let side = |k: usize| {
            let angle = std::f64::consts::TAU * (k as f64 + 0.5) / count as f64;
            plane(at(angle.cos(), angle.sin(), 0.0), -1.0)
        };
        (0..count).map(side).collect()
    };
    let polytope = Polytope::new(around(PLANES_MAX), reference()).unwrap();
    let big = [at(-9.0, -9.0, 0.0), at(9.0, -9.0, 0.0), at(0.0, 9.0, 1.0), at(-8.0, 8.0, 0.0)];
    let hit = meet(&polytope, &big[..3]).unwrap();
    assert_eq!((hit.meeting, hit.points.as_slice().len()), (Meeting::Pierced, PLANES_MAX));
    let warped = meet(&polytope, &big).unwrap().points.as_slice().len();
    assert!((PLANES_MAX..=POINTS_MAX).contains(&warped));
    let found = PLANES_MAX + 1;
    assert_eq!(Polytope::new(around(found), reference()), Err(TooManyPlanes { found }));
    let message = TooManyPlanes { found }.to_string();
    assert_eq!(message, "a polytope takes at most 32 planes, found 33; leave out those that bound it least");
}
