//! A ball and a box against a triangle, compared with dense sampling of the gap at rest, integer arithmetic and solids
//! with known answers, and under the symmetries of space and time.
//!
//! The random numbers include difficult cases: grid points, for which touching is exact, values a few ulps apart, 1e-6
//! beside 1e3, slivers and triangles without area. A gap at a sampled time counts only if it exceeds the bound of its
//! rounding error: `16 ε (|d| + |v| t + ½ |a| t² + sizes)`.

use carom::geometry::closest::{Feature, point_on_triangle};
use carom::geometry::{Gap, Triangle, triangle_gap};
use carom::motion::Relative;
use carom::numeric::{Interval, Intervals};
use carom::sweep::box_box::{self, box_box};
use carom::sweep::sphere_sphere::sphere_sphere;
use carom::sweep::{Overlap, Start, box_triangle, sphere_triangle};
use glam::DVec3;
use proptest::prelude::*;

use super::drawn::{check_pieces, config, motion, size, vector};

/// Random numbers are at most ten times this power of ten.
const POWER: i32 = 2;

/// The solid that moves relative to the triangle.
#[derive(Debug, Clone, Copy)]
enum Solid {
    Ball(f64),
    Box(DVec3),
}

impl Solid {
    fn gap(self, triangle: &Triangle, offset: DVec3) -> Gap {
        match self {
            Self::Ball(radius) => triangle_gap::sphere_triangle(radius, triangle, offset),
            Self::Box(half) => triangle_gap::box_triangle(half, triangle, offset),
        }
    }

    fn overlap(self, triangle: &Triangle, motion: &Relative, until: f64) -> Option<Overlap> {
        match self {
            Self::Ball(radius) => sphere_triangle::sphere_triangle(radius, triangle, motion, until),
            Self::Box(half) => box_triangle::box_triangle(half, triangle, motion, until),
        }
    }

    fn pieces(self, triangle: &Triangle, motion: &Relative) -> Intervals {
        match self {
            Self::Ball(radius) => sphere_triangle::pieces(radius, triangle, motion),
            Self::Box(half) => box_triangle::pieces(half, triangle, motion),
        }
    }

    fn normal_at_entry(self, triangle: &Triangle, motion: &Relative, piece: Interval) -> DVec3 {
        match self {
            Self::Ball(radius) => sphere_triangle::normal_at_entry(radius, triangle, motion, piece),
            Self::Box(half) => box_triangle::normal_at_entry(half, triangle, motion, piece),
        }
    }

    fn scaled(self, by: f64) -> Self {
        match self {
            Self::Ball(radius) => Self::Ball(radius * by),
            Self::Box(half) => Self::Box(half * by),
        }
    }

    fn size(self) -> f64 {
        match self {
            Self::Ball(radius) => radius,
            Self::Box(half) => half.element_sum(),
        }
    }
}

fn each(triangle: &Triangle, map: impl Fn(DVec3) -> DVec3) -> Triangle {
    Triangle { a: map(triangle.a), b: map(triangle.b), c: map(triangle.c) }
}

fn moved(motion: &Relative, map: impl Fn(DVec3) -> DVec3) -> Relative {
    Relative { position: map(motion.position), velocity: map(motion.velocity), acceleration: map(motion.acceleration) }
}

/// Sets very small numbers, whose scaling is not exact, to 0.
fn tame(v: DVec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(|x| if x.abs() < 1e-30 { 0.0 } else { x }))
}

fn grid_vector(size: i32) -> impl Strategy<Value = DVec3> {
    let coordinate = move || (-size..=size).prop_map(f64::from);
    (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn triangle() -> impl Strategy<Value = Triangle> {
    let any = (vector(POWER), vector(POWER), vector(POWER)).prop_map(|(a, b, c)| Triangle { a, b, c });
    let thin =
        (vector(POWER), vector(POWER), -8i32..=16, vector(POWER), 0usize..4).prop_map(|(a, b, eighths, off, power)| {
            let height = [0.0, 1e-17, 1e-12, 1e-6][power];
            Triangle { a, b, c: a + (b - a) * (f64::from(eighths) / 8.0) + off * height }
        });
    prop_oneof![2 => any, 1 => thin]
}

fn solid() -> impl Strategy<Value = Solid> {
    prop_oneof![
        size().prop_map(Solid::Ball),
        (size(), size(), size()).prop_map(|(x, y, z)| Solid::Box(DVec3::new(x, y, z))),
    ]
}

/// The bound of the rounding error of a gap at `t`.
fn grain(solid: Solid, triangle: &Triangle, motion: &Relative, t: f64) -> f64 {
    let Relative { position, velocity, acceleration } = *motion;
    let way = position.length() + velocity.length() * t + 0.5 * acceleration.length() * t * t;
    let corners: f64 = triangle.vertices().map(DVec3::length).iter().sum();
    16.0 * f64::EPSILON * (way + corners + solid.size())
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn the_gap_is_negative_in_the_pieces_and_positive_outside(
        solid in solid(), triangle in triangle(), motion in motion(POWER), span in 0.1..20.0f64,
    ) {
        let found = solid.pieces(&triangle, &motion);
        let separation = |t: f64| solid.gap(&triangle, motion.position_at(t)).separation;
        let grain = |t: f64| grain(solid, &triangle, &motion, t);
        check_pieces(&found, &motion, span, separation, grain)?;
    }

    #[test]
    fn overlap_is_the_first_piece(
        solid in solid(), triangle in triangle(), motion in motion(POWER), until in 0.0..20.0f64,
    ) {
        let found = solid.pieces(&triangle, &motion);
        let first = found.as_slice().iter().find(|piece| piece.leave > 0.0 && piece.enter <= until);
        let answer = solid.overlap(&triangle, &motion, until);
        prop_assert_eq!(answer.map(|o| o.enter), first.map(|piece| piece.enter.max(0.0)));
        let Some(answer) = answer else { return Ok(()) };
        let at_start = solid.gap(&triangle, motion.position).separation;
        let grain = grain(solid, &triangle, &motion, 0.0);
        prop_assert!(at_start >= -grain || answer.start == Start::Inside, "{at_start:e}: {answer:?}");
        prop_assert!(at_start <= grain || answer.start == Start::Apart, "{at_start:e}: {answer:?}");
        prop_assert!((answer.normal.length() - 1.0).abs() <= 4.0 * f64::EPSILON);
        prop_assert!(answer.leave >= answer.enter && answer.enter <= until);
        if answer.start == Start::Inside {
            prop_assert_eq!(answer.normal, solid.gap(&triangle, motion.position).normal);
        } else {
            prop_assert_eq!(answer.normal, solid.normal_at_entry(&triangle, &motion, *first.unwrap()));
        }
    }

    #[test]
    fn mirrors_scales_and_turning_back_change_no_bit(
        solid in solid(), triangle in triangle(), motion in motion(POWER), power in -40i32..=40, faster in -3i32..=3,
    ) {
        let (triangle, motion) = (each(&triangle, tame), moved(&motion, tame));
        let ends = |found: &Intervals| found.as_slice().iter().map(|p| (p.enter, p.leave)).collect::<Vec<_>>();
        let found = ends(&solid.pieces(&triangle, &motion));
        for sign in [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, -1.0), DVec3::NEG_ONE] {
            let mirrored = solid.pieces(&each(&triangle, |v| v * sign), &moved(&motion, |v| v * sign));
            prop_assert_eq!(&ends(&mirrored), &found);
        }
        let scale = 2f64.powi(power);
        let scaled = solid.scaled(scale).pieces(&each(&triangle, |v| v * scale), &moved(&motion, |v| v * scale));
        prop_assert_eq!(&ends(&scaled), &found);
        let rate = 2f64.powi(faster);
        let hurried = Relative { velocity: motion.velocity * rate, acceleration: motion.acceleration * (rate * rate), ..motion };
        let slowed: Vec<_> = ends(&solid.pieces(&triangle, &hurried)).iter().map(|(t, u)| (t * rate, u * rate)).collect();
        prop_assert_eq!(&slowed, &found);
        if motion.is_straight() && solid.gap(&triangle, motion.position).separation < -grain(solid, &triangle, &motion, 0.0) {
            let back = ends(&solid.pieces(&triangle, &Relative { velocity: -motion.velocity, ..motion }));
            // The code computes roots at equal distances before and after 0 in two ways.
            let near = |x: f64, y: f64| x == y || (x - y).abs() <= 4.0 * f64::EPSILON * x.abs();
            prop_assert!(back.iter().zip(&found).all(|(b, f)| near(-b.1, f.0) && near(-b.0, f.1)), "{back:?} {found:?}");
        }
    }

    #[test]
    fn a_pull_too_weak_to_matter_changes_nothing(
        solid in solid(), triangle in triangle(), motion in motion(POWER), pull in vector(POWER),
    ) {
        let straight = Relative { acceleration: DVec3::ZERO, ..motion };
        let bent = Relative { acceleration: pull * 1e-40, ..motion };
        let [one, two] = [straight, bent].map(|motion| solid.overlap(&triangle, &motion, 20.0));
        let depth = |t: f64| solid.gap(&triangle, straight.position_at(t)).separation;
        let slack = |t: f64| grain(solid, &triangle, &straight, t) + 8.0 * f64::EPSILON * straight.velocity.length() * t;
        match (one, two) {
            (Some(one), Some(two)) => {
                prop_assert!(depth(one.enter).abs() <= slack(one.enter) || one.start == Start::Inside, "{one:?} {two:?}");
                prop_assert!(depth(two.enter).abs() <= slack(two.enter) || two.start == Start::Inside, "{one:?} {two:?}");
            }
            (Some(one), None) | (None, Some(one)) => {
                let middle = one.enter + 0.5 * (one.leave - one.enter).min(20.0);
                prop_assert!(depth(middle) >= -slack(middle), "seen by one only: {one:?}");
            }
            (None, None) => {}
        }
    }

    #[test]
    fn nonsense_gives_no_answer(
        solid in solid(), triangle in triangle(), motion in motion(POWER), row in 0usize..6, axis in 0usize..3, kind in 0usize..3,
    ) {
        let (mut motion, mut triangle) = (motion, triangle);
        let Triangle { a, b, c } = &mut triangle;
        let Relative { position, velocity, acceleration } = &mut motion;
        [a, b, c, position, velocity, acceleration][row][axis] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][kind];
        prop_assert_eq!(solid.overlap(&triangle, &motion, 10.0), None);
        prop_assert!(solid.pieces(&triangle, &motion).is_empty());
        prop_assert_eq!(solid.overlap(&triangle, &motion, f64::NAN), None);
    }

    #[test]
    fn no_point_is_closer_than_the_closest(triangle in triangle(), to in vector(POWER)) {
        let found = point_on_triangle(to, &triangle);
        let vertices = triangle.vertices();
        let scale = to.length() + vertices.map(DVec3::length).iter().sum::<f64>();
        let weights = found.weights;
        prop_assert!(weights.iter().all(|&w| (0.0..=1.0).contains(&w)) && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let mixed: DVec3 = (0..3).map(|row| vertices[row] * weights[row]).sum();
        prop_assert!((mixed - found.point).length() <= 4.0 * f64::EPSILON * scale);
        let positive: Vec<usize> = (0..3).filter(|&row| weights[row] > 0.0).collect();
        match found.feature {
            Feature::Face => prop_assert_eq!(positive.len(), 3),
            Feature::Edge(row) => prop_assert!(positive.iter().all(|&k| k == row || k == (row + 1) % 3)),
            Feature::Vertex(row) => prop_assert_eq!((positive, found.point), (vec![row], vertices[row])),
        }
        // A point p of a convex set is the closest one if (to − p)·(v − p) ≤ 0 for every vertex v. If it is g > 0, a
        // step by the fraction s towards v reduces the squared distance by (2 g − |v − p|² s) s.
        let away = to - found.point;
        for ahead in vertices.map(|vertex| vertex - found.point) {
            let (gain, whole) = (away.dot(ahead).max(0.0), ahead.length_squared());
            let part = if gain < whole { gain / whole } else { 1.0 };
            let shorter = (2.0 * gain - whole * part) * part;
            // The rounding error of the distances along the step.
            let rounding = 32.0 * f64::EPSILON * away.length() * (away.length() + scale);
            prop_assert!(shorter <= rounding, "{found:?} {shorter:e} {rounding:e}");
        }
    }
}

/// The largest sign of the gaps along the thirteen axes. Integer arithmetic makes it exact.
fn sign_of_gap(half: [i128; 3], vertices: [[i128; 3]; 3]) -> i128 {
    let minus = |p: [i128; 3], q: [i128; 3]| [0, 1, 2].map(|k| p[k] - q[k]);
    let cross = |p: [i128; 3], q: [i128; 3]| [1, 2, 0].map(|k| p[k] * q[(k + 1) % 3] - p[(k + 1) % 3] * q[k]);
    let cross = |p, q| {
        let [x, y, z] = cross(p, q);
        [x, y, z]
    };
    let dot = |p: [i128; 3], q: [i128; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let edges = [0, 1, 2].map(|k| minus(vertices[(k + 1) % 3], vertices[k]));
    let units = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let products = edges.into_iter().flat_map(|edge| units.map(|unit| cross(unit, edge)));
    let axes = [cross(edges[0], edges[1])].into_iter().chain(units).chain(products).filter(|axis| *axis != [0; 3]);
    let gap = |axis: [i128; 3]| {
        let reach = dot(axis.map(i128::abs), half);
        let places = vertices.map(|vertex| dot(axis, vertex));
        (*places.iter().min().unwrap() - reach).max(-*places.iter().max().unwrap() - reach).signum()
    };
    axes.map(gap).max().unwrap()
}

proptest! {
    #![proptest_config(config(40_000))]

    #[test]
    fn a_box_touches_and_overlaps_as_whole_numbers_say(
        half in grid_vector(3), a in grid_vector(4), b in grid_vector(4), c in grid_vector(4), offset in grid_vector(4),
    ) {
        let half = half.abs() + 1.0;
        let whole = |v: DVec3| v.to_array().map(|x| x as i128);
        let wanted = sign_of_gap(whole(half), [a, b, c].map(|vertex| whole(vertex + offset)));
        let triangle = Triangle { a, b, c };
        let separation = triangle_gap::box_triangle(half, &triangle, offset).separation;
        prop_assert_eq!(if separation == 0.0 { 0 } else { separation.signum() as i128 }, wanted);
        let resting = Relative { position: offset, velocity: DVec3::ZERO, acceleration: DVec3::ZERO };
        prop_assert_eq!(box_triangle::box_triangle(half, &triangle, &resting, 1.0).is_some(), wanted < 0);
    }

    #[test]
    fn a_box_meets_a_rectangle_as_it_meets_a_flat_box(
        half in grid_vector(3), wide in grid_vector(3), velocity in grid_vector(3), position in grid_vector(6), bend in 0usize..2,
        acceleration in grid_vector(1), order in 0usize..3,
    ) {
        let (half, wide) = (half.abs() + 1.0, wide.abs() + 1.0);
        let flat = DVec3::new(wide.x, wide.y, 0.0);
        let turn = |v: DVec3| DVec3::from_array([0, 1, 2].map(|k| v[(k + order) % 3]));
        let corner = |x: f64, y: f64| turn(DVec3::new(x * wide.x, y * wide.y, 0.0));
        let halves = [
            Triangle { a: corner(-1.0, -1.0), b: corner(1.0, -1.0), c: corner(1.0, 1.0) },
            Triangle { a: corner(-1.0, -1.0), b: corner(-1.0, 1.0), c: corner(1.0, 1.0) },
        ];
        let motion = Relative { position, velocity, acceleration: acceleration * bend as f64 };
        let whole = box_box::pieces(half, turn(flat), &motion);
        let parts = halves.map(|triangle| box_triangle::pieces(half, &triangle, &motion));
        // The roots of quadratics with small integer coefficients are exact to an ulp.
        let is_near = |x: f64, y: f64| x == y || (x - y).abs() <= 1e-13 * (1.0 + y.abs());
        let is_end = |t: f64, of: &Intervals| of.as_slice().iter().any(|p| is_near(p.enter, t) || is_near(p.leave, t));
        // An overlap as short as a rounding error may be reported or not.
        let ahead = |p: &&Interval| p.leave > 0.0 && p.leave - p.enter > 1e-12 * (1.0 + p.leave.abs().min(1e3));
        for piece in whole.as_slice().iter().filter(ahead) {
            for end in [piece.enter, piece.leave].into_iter().filter(|&end| end > 0.0) {
                prop_assert!(parts.iter().any(|part| is_end(end, part)), "{whole:?} {parts:?}");
            }
        }
        for piece in parts.iter().flat_map(Intervals::as_slice).filter(ahead) {
            let (enter, leave) = (piece.enter, piece.leave);
            let inside = |t: f64| whole.as_slice().iter().any(|p| p.enter <= t + 1e-13 * (1.0 + t.abs()) && t - 1e-13 * (1.0 + t.abs()) <= p.leave);
            prop_assert!((inside(enter) || enter == f64::NEG_INFINITY) && (inside(leave) || leave == f64::INFINITY), "{whole:?} {parts:?}");
        }
        if motion.is_straight() {
            let first = halves.map(|triangle| box_triangle::box_triangle(half, &triangle, &motion, 100.0));
            let enter = first.iter().flatten().map(|overlap| overlap.enter).min_by(f64::total_cmp);
            let known = box_box(half, turn(flat), &motion, 100.0);
            prop_assert_eq!(enter, known.map(|overlap| overlap.enter));
        }
    }

    #[test]
    fn a_point_and_a_segment_are_met_as_boxes(
        half in grid_vector(3), velocity in vector(POWER), position in vector(POWER), acceleration in vector(POWER), bend in 0usize..2, long in 0i32..4,
        axis in 0usize..3, third in 0usize..3, radius in size(),
    ) {
        let half = half.abs() + 1.0;
        let end = DVec3::AXES[axis] * f64::from(long);
        let triangle = Triangle { a: -end, b: end, c: [-end, end, DVec3::ZERO][third] };
        let motion = Relative { position, velocity, acceleration: acceleration * bend as f64 };
        let (known, found) =
            (box_box(half, end.abs(), &motion, 50.0), box_triangle::box_triangle(half, &triangle, &motion, 50.0));
        let times = |overlap: Option<Overlap>| overlap.map(|o| (o.enter, o.leave, o.start));
        if times(known) != times(found) {
            // The code adds the widths in another order. So the ends of both answers must have a gap of 0, or the
            // bodies only graze.
            let gap = |t: f64| triangle_gap::box_triangle(half, &triangle, motion.position_at(t)).separation;
            let slack = |t: f64| grain(Solid::Box(half), &triangle, &motion, t) * 4.0;
            let ends = [known, found].into_iter().flatten().flat_map(|o| [o.enter, o.leave]);
            let mut ends = ends.filter(|&t| t > 0.0 && t < 1e6);
            prop_assert!(ends.all(|t| gap(t).abs() <= slack(t)), "{known:?} {found:?}");
            let middle = |o: Overlap| 0.5 * (o.enter + o.leave.min(o.enter + 1e3));
            let grazes = |o: Option<Overlap>| o.is_none_or(|o| gap(middle(o)) >= -slack(middle(o)));
            prop_assert!(known.is_some() == found.is_some() || grazes(known) && grazes(found), "{known:?} {found:?}");
        }
        if long == 0 && bend == 0 {
            let (known, found) = (
                sphere_sphere(radius, 0.0, &motion, 50.0),
                sphere_triangle::sphere_triangle(radius, &triangle, &motion, 50.0),
            );
            prop_assert_eq!(times(known), times(found));
        }
    }
}
