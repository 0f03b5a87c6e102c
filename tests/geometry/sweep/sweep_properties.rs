//! The swept pairs, compared with dense sampling of the gap at rest, and under the symmetries of space and time.
//!
//! The random numbers include difficult cases: grid points, for which touching is exact, values a few ulps apart, 1e-6
//! beside 1e6, and zeros of both signs. A gap at a sampled time counts only if it exceeds the bound of its rounding
//! error: `16 ε (|d| + |v| t + ½ |a| t² + sizes)`.

use carom::geometry::{HalfExtents, Radius};
use carom::geometry::{Plane, Shape, Solid, gap};
use carom::motion::Relative;
use carom::numeric::cubic::Cubic;
use carom::numeric::quadratic::{Quadratic, Roots};
use carom::sweep::{Start, overlap, pieces};
use glam::DVec3;
use proptest::prelude::*;

use super::drawn::{check_pieces, config, motion, number, size};
use crate::common::solid;

/// Random numbers are at most ten times this power of ten.
const POWER: i32 = 3;

fn ball() -> impl Strategy<Value = Shape> {
    size().prop_map(|radius| Shape::Sphere(Radius::new(radius).unwrap()))
}

fn cuboid() -> impl Strategy<Value = Shape> {
    (size(), size(), size()).prop_map(|(x, y, z)| Shape::Box(HalfExtents::new(DVec3::new(x, y, z)).unwrap()))
}

fn half_space() -> impl Strategy<Value = Shape> {
    let normals = vec![DVec3::Z, -DVec3::X, DVec3::new(0.6, 0.0, 0.8), DVec3::new(1.0, -2.0, 0.5)];
    (prop::sample::select(normals), number(POWER)).prop_map(|(n, d)| Shape::Plane(Plane::new(n, d).unwrap()))
}

fn pair() -> impl Strategy<Value = (Shape, Shape)> {
    prop_oneof![
        (ball(), ball()),
        (ball(), cuboid()),
        (cuboid(), cuboid()),
        (ball(), half_space()),
        (cuboid(), half_space()),
        (half_space(), cuboid()),
        (cuboid(), ball()),
    ]
}

/// The bound of the rounding error of a gap at `t`.
fn grain(a: &Shape, b: &Shape, motion: &Relative, t: f64) -> f64 {
    let size = |shape: &Shape| match shape {
        Shape::Plane(plane) => plane.offset().abs(),
        _ => shape.half_extents().element_sum(),
    };
    let Relative { position, velocity, acceleration } = *motion;
    let way = position.length() + velocity.length() * t + 0.5 * acceleration.length() * t * t;
    16.0 * f64::EPSILON * (way + size(a) + size(b))
}

fn separation(a: &Shape, b: &Shape, motion: &Relative, t: f64) -> f64 {
    gap(solid(a), solid(b), motion.position_at(t)).unwrap().separation
}

#[test]
fn a_path_that_turns_at_a_face_is_beyond_it() {
    // The centre of the ball starts beside the box, in the plane of its top face, and rises. The ball overlaps the edge
    // until 25 t⁴ + 0.5² = 100².
    let motion =
        Relative { position: DVec3::new(1.0, 0.0, -3.0), velocity: DVec3::ZERO, acceleration: DVec3::Z * -10.0 };
    let found = pieces(Solid::Sphere(100.0), Solid::Box(DVec3::new(0.5, 0.5, 3.0)), &motion);
    let wanted = (f64::sqrt(1e4 - 0.25) / 5.0).sqrt();
    assert_eq!(found.as_slice().len(), 1);
    // Rounding of two square roots, and a bracket of one ulp.
    assert!((found.as_slice()[0].leave - wanted).abs() <= 4.0 * f64::EPSILON * wanted, "{found:?} {wanted}");
}

#[test]
fn a_ball_that_begins_in_the_plane_of_a_face_is_inside() {
    for velocity in [DVec3::X, DVec3::NEG_X, DVec3::Y] {
        let motion = Relative { position: DVec3::X, velocity, acceleration: DVec3::Z };
        let found = overlap(Solid::Sphere(1.0), Solid::Box(DVec3::ONE), &motion, 1.0);
        assert_eq!(found.map(|overlap| overlap.start), Some(Start::Inside), "{velocity}");
    }
}

proptest! {
    #![proptest_config(config(40_000))]

    #[test]
    fn the_gap_is_negative_in_the_pieces_and_positive_outside((a, b) in pair(), motion in motion(POWER), span in 0.1..20.0f64) {
        let found = pieces(solid(&a), solid(&b), &motion);
        let (separation, grain) = (|t: f64| separation(&a, &b, &motion, t), |t: f64| grain(&a, &b, &motion, t));
        check_pieces(&found, &motion, span, separation, grain)?;
        for piece in found.as_slice().iter().filter(|piece| piece.leave > 0.0) {
            prop_assert!(piece.enter < piece.leave || separation(piece.enter) <= grain(piece.enter));
        }
    }

    #[test]
    fn overlap_is_the_first_piece((a, b) in pair(), motion in motion(POWER), until in 0.0..20.0f64) {
        let found = pieces(solid(&a), solid(&b), &motion);
        let first = found.as_slice().iter().find(|piece| piece.leave > 0.0 && piece.enter <= until);
        let answer = overlap(solid(&a), solid(&b), &motion, until);
        prop_assert_eq!(answer.map(|o| o.enter), first.map(|piece| piece.enter.max(0.0)));
        if let Some(answer) = answer {
            prop_assert!((answer.normal.length() - 1.0).abs() <= 4.0 * f64::EPSILON);
            prop_assert!(answer.leave >= answer.enter && answer.enter <= until);
            let centres_apart = motion.position_at(answer.enter) != DVec3::ZERO;
            let boxes = matches!((&a, &b), (Shape::Box(_), Shape::Box(_)));
            if answer.start != Start::Inside && centres_apart && !boxes {
                let at_enter = gap(solid(&a), solid(&b), motion.position_at(answer.enter)).unwrap();
                prop_assert!((answer.normal - at_enter.normal).length() < 1e-6, "{answer:?} {at_enter:?}");
            }
        }
    }

    #[test]
    fn swapping_and_mirroring_change_no_bit_that_matters((a, b) in pair(), motion in motion(POWER), until in 0.0..20.0f64) {
        let answer = overlap(solid(&a), solid(&b), &motion, until);
        let swapped = overlap(solid(&b), solid(&a), &motion.reversed(), until);
        prop_assert_eq!(answer.map(|o| (o.enter, o.leave, o.start)), swapped.map(|o| (o.enter, o.leave, o.start)));
        let planes = [&a, &b].iter().any(|shape| matches!(shape, Shape::Plane(_)));
        if !planes {
            for sign in [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, -1.0)] {
                let mirrored = Relative {
                    position: motion.position * sign,
                    velocity: motion.velocity * sign,
                    acceleration: motion.acceleration * sign,
                };
                let mirrored = overlap(solid(&a), solid(&b), &mirrored, until);
                prop_assert_eq!(answer.map(|o| (o.enter, o.leave)), mirrored.map(|o| (o.enter, o.leave)));
            }
        }
    }

    #[test]
    fn nonsense_gives_no_answer((a, b) in pair(), motion in motion(POWER), row in 0usize..3, axis in 0usize..3) {
        let mut motion = motion;
        let vector = [&mut motion.position, &mut motion.velocity, &mut motion.acceleration];
        vector.into_iter().nth(row).unwrap()[axis] = f64::NAN;
        prop_assert_eq!(overlap(solid(&a), solid(&b), &motion, 10.0), None);
    }

    #[test]
    fn roots_of_small_whole_polynomials(p in -60i64..=60, q in -60i64..=60, k in 1i64..=20) {
        // k (t − p)(t − q): all coefficients and the discriminant are exact.
        let quadratic = Quadratic { c0: (k * p * q) as f64, c1: (-k * (p + q)) as f64, c2: k as f64 };
        let (low, high) = (p.min(q) as f64, p.max(q) as f64);
        match quadratic.roots() {
            Roots::Two(x, y) => prop_assert_eq!((x, y), (low, high)),
            Roots::One { at, double } => prop_assert!(double && p == q && at == low),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn a_cubic_changes_sign_at_each_of_its_whole_roots(mut roots in prop::collection::vec(1i64..=40, 3)) {
        roots.sort_unstable();
        let [p, q, r] = [roots[0], roots[1], roots[2]];
        let cubic = Cubic { c: [-(p * q * r) as f64, (p * q + q * r + p * r) as f64, -(p + q + r) as f64, 1.0] };
        let found = cubic.sign_changes(0.0, 50.0);
        roots.dedup();
        if roots.len() == 3 {
            prop_assert_eq!(found.as_slice().len(), 3);
            for (x, wanted) in found.as_slice().iter().zip(&roots) {
                // Coefficients are below 64000 + 3·1600·40, and the slope is at least 1.
                prop_assert!((x - *wanted as f64).abs() < 64.0 * f64::EPSILON * 3e5, "{x} {wanted}");
            }
        }
    }
}
