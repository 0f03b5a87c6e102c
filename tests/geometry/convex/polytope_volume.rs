//! Boxes, balls and nearest points against polytopes, compared with an independent computation of all corners in
//! integers.

use carom::geometry::polytope::{Bounded, Placement};
use carom::geometry::{Aabb, Plane, Polytope, Radius};
use glam::DVec3;

use crate::common::Random;

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn polytope(planes: &[(DVec3, f64)]) -> Polytope {
    let planes: Vec<Plane> = planes.iter().map(|&(normal, offset)| Plane::new(normal, offset).unwrap()).collect();
    Polytope::new(planes, Plane::new(DVec3::Z, 0.0).unwrap()).unwrap()
}

fn cube() -> Polytope {
    let bounds = Aabb::around(DVec3::ZERO, DVec3::ONE);
    Polytope::from_aabb(&bounds, Plane::new(DVec3::Z, 0.0).unwrap()).unwrap()
}

/// The octahedron |x| + |y| + |z| ≤ 3.
fn octahedron() -> Polytope {
    let side = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
    let normals = (0..8).map(|corner| at(side(corner, 0), side(corner, 1), side(corner, 2)));
    polytope(&normals.map(|normal| (normal, -3.0)).collect::<Vec<_>>())
}

#[test]
fn balls_at_a_cube() {
    use Placement::{Cut, Inside, Outside};
    let up = f64::next_up;
    let rows = [
        ("in the middle", DVec3::ZERO, 0.5, Inside),
        ("touching all faces from within", DVec3::ZERO, 1.0, Inside),
        ("an ulp larger", DVec3::ZERO, up(1.0), Cut),
        ("around the cube", DVec3::ZERO, 9.0, Cut),
        ("around the cube, its centre outside", at(3.0, 0.0, 0.0), 20.0, Cut),
        ("touching a face", at(3.0, 0.5, 0.0), 2.0, Cut),
        ("an ulp off a face", at(up(3.0), 0.5, 0.0), 2.0, Outside),
        ("touching an edge", at(4.0, 5.0, 0.5), 5.0, Cut),
        ("an ulp off an edge", at(4.0, up(5.0), 0.5), 5.0, Outside),
        ("touching a corner", at(2.0, 3.0, 3.0), 3.0, Cut),
        ("a few ulps off a corner", at(2.0, 3.0, 3.0 + 4.0 * f64::EPSILON), 3.0, Outside),
        ("behind no plane by its radius, but apart", at(2.5, 2.5, 2.5), 2.0, Outside),
        ("nowhere", at(f64::NAN, 0.0, 0.0), 1.0, Outside),
        ("infinitely far", at(f64::INFINITY, 0.0, 0.0), 1.0, Outside),
    ];
    for (name, center, radius, expected) in rows {
        let radius = Radius::new(radius).unwrap();
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]] {
            for signs in [DVec3::ONE, at(-1.0, 1.0, 1.0), at(1.0, -1.0, 1.0), at(-1.0, -1.0, -1.0)] {
                let turned = DVec3::from_array(order.map(|axis| center[axis])) * signs;
                assert_eq!(cube().sphere(turned, radius), expected, "{name} {turned}");
            }
        }
    }
}

#[test]
fn boxes_at_a_cube_and_an_octahedron() {
    use Placement::{Cut, Inside, Outside};
    let beyond = 1.0 + 2.0 * f64::EPSILON;
    let rows = [
        ("inside a cube", cube(), DVec3::ZERO, DVec3::splat(0.5), Inside),
        ("the cube itself", cube(), DVec3::ZERO, DVec3::ONE, Inside),
        ("around the cube", cube(), DVec3::ZERO, DVec3::splat(4.0), Cut),
        ("a face", cube(), at(2.0, 0.5, 0.0), DVec3::ONE, Cut),
        ("off a face", cube(), at(1.0 + beyond, 0.5, 0.0), DVec3::ONE, Outside),
        ("an edge", cube(), at(2.0, 2.0, 0.0), DVec3::ONE, Cut),
        ("a corner", cube(), at(2.0, 2.0, 2.0), DVec3::ONE, Cut),
        ("a rod through", cube(), DVec3::ZERO, at(0.25, 0.25, 9.0), Cut),
        ("a point", cube(), DVec3::ZERO, DVec3::ZERO, Inside),
        ("inside an octahedron", octahedron(), DVec3::ZERO, DVec3::splat(0.9375), Inside),
        ("around it", octahedron(), DVec3::ZERO, DVec3::splat(3.5), Cut),
        ("through its corner", octahedron(), at(3.5, 0.0, 0.0), DVec3::ONE, Cut),
        ("by its corner", octahedron(), at(4.25, 0.0, 0.0), DVec3::ONE, Outside),
        ("by its edge", octahedron(), at(2.75, 2.75, 0.0), DVec3::ONE, Outside),
        ("by its face", octahedron(), at(2.25, 2.25, 2.25), DVec3::ONE, Outside),
        ("into its face", octahedron(), at(1.9375, 1.9375, 1.9375), DVec3::ONE, Cut),
        // The whole box is behind no single plane of the octahedron: only the exact test decides.
        ("a plate beyond its corner", octahedron(), at(3.625, 0.0, 0.0), at(0.5, 4.0, 4.0), Outside),
        ("a plate through its corner", octahedron(), at(3.375, 0.0, 0.0), at(0.5, 4.0, 4.0), Cut),
    ];
    for (name, polytope, center, half, expected) in rows {
        let bounds = Aabb::around(center, half);
        assert_eq!(polytope.aabb(&bounds), expected, "{name}");
        match polytope.classify(&bounds, polytope.mask()) {
            Bounded::Outside => assert_eq!(expected, Outside, "{name}"),
            Bounded::Inside => assert_eq!(expected, Inside, "{name}"),
            Bounded::Straddling(_) => assert_ne!(expected, Inside, "{name}"),
        }
    }
}

#[test]
fn boxes_and_points_that_are_none_are_outside() {
    let space = polytope(&[]);
    let inverted = Aabb { min: DVec3::ONE, max: -DVec3::ONE };
    let mut bad = vec![inverted];
    for number in [f64::NAN, f64::INFINITY, 1e71] {
        bad.push(Aabb { min: DVec3::ZERO, max: at(1.0, number, 1.0) });
        bad.push(Aabb { min: at(1.0, -number, 1.0), max: DVec3::ONE });
        assert_eq!(space.nearest(at(0.0, number, 0.0)), None);
        assert_eq!(cube().nearest(at(0.0, number, 0.0)), None);
    }
    for bounds in bad {
        for polytope in [&space, &cube()] {
            assert_eq!(polytope.aabb(&bounds), Placement::Outside, "{bounds:?}");
            assert_eq!(polytope.classify(&bounds, polytope.mask()), Bounded::Outside, "{bounds:?}");
            if bounds != inverted {
                assert!(Polytope::from_aabb(&bounds, Plane::new(DVec3::Z, 0.0).unwrap()).is_err());
            }
        }
    }
    let ball = Radius::new(1.0).unwrap();
    assert_eq!(space.sphere(DVec3::ZERO, ball), Placement::Inside);
    assert_eq!(space.aabb(&Aabb::around(DVec3::ZERO, DVec3::ONE)), Placement::Inside);
    let empty = polytope(&[(DVec3::X, 1.0), (DVec3::NEG_X, 1.0)]);
    assert_eq!(empty.sphere(DVec3::ZERO, Radius::new(50.0).unwrap()), Placement::Outside);
    assert_eq!(empty.aabb(&Aabb::around(DVec3::ZERO, DVec3::splat(50.0))), Placement::Outside);
    assert_eq!(empty.nearest(DVec3::ZERO), None);
}

#[test]
fn nearest_points_of_unbounded_and_flat_polytopes() {
    let p = at(3.0, -2.0, 5.0);
    type Row<'a> = (&'a str, &'a [(DVec3, f64)], DVec3);
    let rows: [Row<'_>; 6] = [
        ("all of space", &[], p),
        ("a half-space", &[(DVec3::NEG_Z, -1.0)], at(3.0, -2.0, 1.0)),
        ("the same twice", &[(DVec3::NEG_Z, -1.0), (DVec3::NEG_Z, -1.0)], at(3.0, -2.0, 1.0)),
        ("a wedge", &[(DVec3::NEG_Z, -1.0), (DVec3::Y, 1.0)], at(3.0, 1.0, 1.0)),
        ("a sheet", &[(DVec3::Z, 1.0), (DVec3::NEG_Z, -1.0)], at(3.0, -2.0, 1.0)),
        (
            "a point",
            &[
                (DVec3::Z, 1.0),
                (DVec3::NEG_Z, -1.0),
                (DVec3::X, 1.0),
                (DVec3::NEG_X, -1.0),
                (DVec3::Y, 1.0),
                (DVec3::NEG_Y, -1.0),
            ],
            DVec3::ONE,
        ),
    ];
    for (name, planes, expected) in rows {
        assert_eq!(polytope(planes).nearest(p), Some(expected), "{name}");
    }
    // A blade of 6e-5 rad with its edge along z: the result is on the edge although the quotients are large.
    let blade = polytope(&[(at(1.0, 32768.0, 0.0), 0.0), (at(1.0, -32768.0, 0.0), 0.0)]);
    let edge = blade.nearest(at(-3.0, 0.0, 5.0)).unwrap();
    assert!((edge - at(0.0, 0.0, 5.0)).length() <= 1e-9, "{edge}");
}

/// A plane with integer coefficients: n·x ≥ offset.
type WholePlane = ([i128; 3], i128);

fn dot(p: [i128; 3], q: [i128; 3]) -> i128 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: [i128; 3], q: [i128; 3]) -> [i128; 3] {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// All corners, each as a numerator over a positive denominator.
fn corners(planes: &[WholePlane]) -> Vec<([i128; 3], i128)> {
    let mut found = Vec::new();
    for i in 0..planes.len() {
        for j in 0..i {
            for k in 0..j {
                let [(a, p), (b, q), (c, r)] = [planes[i], planes[j], planes[k]];
                let below = dot(a, cross(b, c));
                if below == 0 {
                    continue;
                }
                let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
                let above = [0, 1, 2].map(|x| (p * bc[x] + q * ca[x] + r * ab[x]) * below.signum());
                let below = below.abs();
                if planes.iter().all(|&(normal, offset)| dot(normal, above) >= offset * below) {
                    found.push((above, below));
                }
            }
        }
    }
    found
}

fn box_planes(min: [i128; 3], max: [i128; 3]) -> Vec<WholePlane> {
    let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    (0..3).flat_map(|k| [(axes[k], min[k]), (axes[k].map(|x: i128| -x), -max[k])]).collect()
}

fn floats(v: [i128; 3]) -> DVec3 {
    DVec3::from_array(v.map(|x| x as f64))
}

/// A box cut by up to four planes at any angle.
fn random_planes(random: &mut Random) -> Vec<WholePlane> {
    let mut number = |size: i32| i128::from((random.unit() * f64::from(2 * size + 1)) as i32 - size);
    let mut planes = box_planes([0; 3].map(|_| number(2) - 4), [0; 3].map(|_| number(2) + 4));
    for _ in 0..4 {
        let normal = [0; 3].map(|_| number(2));
        if normal != [0; 3] {
            planes.push((normal, number(6) - 4));
        }
    }
    planes
}

fn as_polytope(planes: &[WholePlane]) -> Polytope {
    polytope(&planes.iter().map(|&(normal, offset)| (floats(normal), offset as f64)).collect::<Vec<_>>())
}

#[test]
fn boxes_agree_with_corners_in_whole_numbers() {
    let mut random = Random::new(21);
    let mut seen = [0; 3];
    for _ in 0..6_000 {
        let planes = random_planes(&mut random);
        let mut number = |size: i32| i128::from((random.unit() * f64::from(2 * size + 1)) as i32 - size);
        let min = [0; 3].map(|_| number(4));
        let max = min.map(|x| x + number(1) + 1);
        // Coordinates are in thousandths. Cases of touching are left out: there the answer changes if the offsets of
        // the planes change by one unit.
        let answer = |by: i128| {
            let fine: Vec<WholePlane> = planes.iter().map(|&(n, o)| (n, 1000 * o + by)).collect();
            let (min, max) = (min.map(|x| 1000 * x), max.map(|x| 1000 * x));
            let both: Vec<WholePlane> = fine.iter().copied().chain(box_planes(min, max)).collect();
            let all_in = (0..8).all(|corner| {
                let corner = [0, 1, 2].map(|k| if corner >> k & 1 == 1 { max[k] } else { min[k] });
                fine.iter().all(|&(n, o)| dot(n, corner) >= o)
            });
            if all_in {
                Placement::Inside
            } else if corners(&both).is_empty() {
                Placement::Outside
            } else {
                Placement::Cut
            }
        };
        let expected = answer(0);
        if answer(-1) != expected || answer(1) != expected {
            continue;
        }
        let found = as_polytope(&planes).aabb(&Aabb { min: floats(min), max: floats(max) });
        assert_eq!(found, expected, "{planes:?} {min:?} {max:?}");
        seen[expected as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 50), "outside, cut, inside: {seen:?}");
}

#[test]
fn boxes_in_a_box_touch_exactly() {
    let mut random = Random::new(22);
    for _ in 0..20_000 {
        let mut number = |size: i32| i128::from((random.unit() * f64::from(2 * size + 1)) as i32 - size);
        let mut sides = || {
            let min = [0; 3].map(|_| number(3));
            (min, min.map(|x| x + number(1) + 1))
        };
        let ((a_min, a_max), (b_min, b_max)) = (sides(), sides());
        let (a, b) = (Aabb { min: floats(a_min), max: floats(a_max) }, Aabb { min: floats(b_min), max: floats(b_max) });
        let inside = (0..3).all(|k| a_min[k] <= b_min[k] && b_max[k] <= a_max[k]);
        let touching = (0..3).all(|k| a_min[k] <= b_max[k] && b_min[k] <= a_max[k]);
        let expected = match (inside, touching) {
            (true, _) => Placement::Inside,
            (_, true) => Placement::Cut,
            _ => Placement::Outside,
        };
        let polytope = Polytope::from_aabb(&a, Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
        assert_eq!(polytope.aabb(&b), expected, "{a:?} {b:?}");
    }
}

/// x is the nearest point of a convex hull to p if and only if (c − x)·(x − p) ≥ 0 for all corners c.
#[test]
fn nearest_points_satisfy_the_criterion() {
    let mut random = Random::new(23);
    let (mut empty, mut outside) = (0, 0);
    for _ in 0..6_000 {
        let planes = random_planes(&mut random);
        let p = random.vector(9.0);
        let corners = corners(&planes);
        let polytope = as_polytope(&planes);
        let Some(x) = polytope.nearest(p) else {
            assert!(corners.is_empty(), "{planes:?}");
            empty += 1;
            continue;
        };
        assert!(!corners.is_empty(), "{planes:?}");
        for &(above, below) in &corners {
            let corner = floats(above) / below as f64;
            // Squares of coordinates up to 10, with an error of about sixty ulps in the point.
            assert!((corner - x).dot(x - p) >= -1e-11, "{planes:?} {p} {x} {corner}");
        }
        assert!(polytope.planes().iter().all(|plane| plane.distance(x) >= -1e-12), "{planes:?} {p} {x}");
        assert_eq!(polytope.contains(p), x == p);
        outside += usize::from(x != p);
        let distance = x.distance(p);
        if distance > 1e-6 {
            for (factor, expected) in [(1.0 - 1e-9, Placement::Outside), (1.0 + 1e-9, Placement::Cut)] {
                assert_eq!(polytope.sphere(p, Radius::new(distance * factor).unwrap()), expected);
            }
        } else {
            let depth = polytope.planes().iter().map(|plane| plane.distance(p)).fold(f64::INFINITY, f64::min);
            if depth > 1e-6 {
                assert_eq!(polytope.sphere(p, Radius::new(depth).unwrap()), Placement::Inside);
                assert_eq!(polytope.sphere(p, Radius::new(depth.next_up()).unwrap()), Placement::Cut);
            }
        }
    }
    assert!(empty > 50 && outside > 2_000, "{empty} empty, {outside} outside");
}
