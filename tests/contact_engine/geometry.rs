//! Gaps between balls, boxes and half-spaces, computed independently: no code of carom decides here whether bodies
//! overlap.

use carom::dynamics::Body;
use carom::geometry::Shape;
use glam::DVec3;

/// A solid at a position. This module sees bodies only in this form.
#[derive(Debug, Clone, Copy)]
enum Solid {
    Ball { middle: DVec3, radius: f64 },
    Block { middle: DVec3, half: DVec3 },
    HalfSpace { normal: DVec3, offset: f64 },
}

impl Solid {
    fn of(body: &Body, place: DVec3) -> Self {
        match &body.shape {
            Shape::Sphere(radius) => Self::Ball { middle: place, radius: radius.get() },
            Shape::Box(half) => Self::Block { middle: place, half: half.get() },
            // The offset of a half-space moves with its origin.
            Shape::Plane(plane) => {
                Self::HalfSpace { normal: plane.normal(), offset: plane.offset() + plane.normal().dot(place) }
            }
            Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => panic!("no scene here has a mesh, an arc or a grid"),
        }
    }
}

/// The gap of two bodies at these positions, m, and the unit normal from the first to the second. The gap is negative
/// if the bodies overlap. The error of both is a few roundings of the coordinates.
pub(crate) fn gap(a: (&Body, DVec3), b: (&Body, DVec3)) -> (f64, DVec3) {
    use Solid::{Ball, Block, HalfSpace};
    let turned = |(gap, normal): (f64, DVec3)| (gap, -normal);
    match (Solid::of(a.0, a.1), Solid::of(b.0, b.1)) {
        (Ball { middle: p, radius: r }, Ball { middle: q, radius: s }) => {
            let apart = q - p;
            (apart.length() - (r + s), direction(apart))
        }
        (Block { middle, half }, Ball { middle: centre, radius }) => block_ball(half, centre - middle, radius),
        (Ball { middle: centre, radius }, Block { middle, half }) => turned(block_ball(half, centre - middle, radius)),
        (Block { middle: p, half: h }, Block { middle: q, half: k }) => block_block(h + k, q - p),
        (HalfSpace { normal, offset }, Ball { middle, radius }) => (normal.dot(middle) - offset - radius, normal),
        (HalfSpace { normal, offset }, Block { middle, half }) => {
            (normal.dot(middle) - offset - normal.abs().dot(half), normal)
        }
        (_, HalfSpace { .. }) => turned(gap(b, a)),
    }
}

fn direction(v: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(DVec3::Z)
}

/// The gap and normal of a block with these half edges, centred at the origin, and a ball.
fn block_ball(half: DVec3, centre: DVec3, radius: f64) -> (f64, DVec3) {
    let outside = centre - centre.clamp(-half, half);
    if outside != DVec3::ZERO {
        return (outside.length() - radius, direction(outside));
    }
    let (depth, normal) = nearest_face(half, centre);
    (-(depth + radius), normal)
}

/// The gap and normal of two blocks: those of a point and one block with the half edges `half`, the sum of both.
fn block_block(half: DVec3, apart: DVec3) -> (f64, DVec3) {
    let outside = apart - apart.clamp(-half, half);
    if outside != DVec3::ZERO {
        return (outside.length(), direction(outside));
    }
    let (depth, normal) = nearest_face(half, apart);
    (-depth, normal)
}

/// The depth of a point within a block, and the outward normal of the nearest face.
fn nearest_face(half: DVec3, point: DVec3) -> (f64, DVec3) {
    let depths = half - point.abs();
    let axis = (0..3).min_by(|&i, &j| depths[i].total_cmp(&depths[j])).unwrap();
    (depths[axis], DVec3::AXES[axis] * point[axis].signum())
}

/// Half of the least width of a body, m; infinite for a half-space.
pub(crate) fn half_width(body: &Body) -> f64 {
    match &body.shape {
        Shape::Sphere(radius) => radius.get(),
        Shape::Box(half) => half.get().min_element(),
        _ => f64::INFINITY,
    }
}

/// The half edges of the bounding box of a body, m; infinite for a half-space.
pub(crate) fn half_edges(body: &Body) -> DVec3 {
    match &body.shape {
        Shape::Sphere(radius) => DVec3::splat(radius.get()),
        Shape::Box(half) => half.get(),
        _ => DVec3::INFINITY,
    }
}

/// Every pair with at least one free body.
pub(crate) fn pairs(bodies: &[Body]) -> impl Iterator<Item = (usize, usize)> {
    let free = |row: usize| bodies[row].is_free();
    (0..bodies.len()).flat_map(move |b| (0..b).map(move |a| (a, b))).filter(move |&(a, b)| free(a) || free(b))
}

/// The pair with the largest relative overlap now. The overlap is divided by half of the least width of the smaller
/// body.
pub(crate) fn deepest(bodies: &[Body], places: &[DVec3]) -> Option<(usize, usize, f64)> {
    let depth = |(a, b): (usize, usize)| {
        let size = half_width(&bodies[a]).min(half_width(&bodies[b]));
        (a, b, -gap((&bodies[a], places[a]), (&bodies[b], places[b])).0 / size)
    };
    pairs(bodies).map(depth).filter(|found| found.2 > 0.0).max_by(|one, other| one.2.total_cmp(&other.2))
}

#[test]
fn the_judge_knows_its_geometry() {
    let ball = Body::sphere(0.5, 1.0).unwrap();
    let block = Body::cuboid(DVec3::new(1.0, 2.0, 3.0), 1.0).unwrap();
    let floor = Body::plane(DVec3::Z, 1.0).unwrap();
    let at = DVec3::new;
    let rows = [
        (&ball, &ball, at(3.0, 4.0, 0.0), 4.0, at(0.6, 0.8, 0.0)),
        (&ball, &ball, at(0.0, 0.0, 0.75), -0.25, DVec3::Z),
        (&block, &ball, at(2.0, 0.0, 0.0), 0.5, DVec3::X),
        (&block, &ball, at(4.0, 6.0, 0.0), 4.5, at(0.6, 0.8, 0.0)),
        (&block, &ball, at(0.0, 0.0, -2.75), -0.75, -DVec3::Z),
        (&block, &block, at(0.0, 0.0, 7.0), 1.0, DVec3::Z),
        (&block, &block, at(5.0, 8.0, 0.0), 5.0, at(0.6, 0.8, 0.0)),
        (&block, &block, at(-1.75, 1.0, 0.0), -0.25, -DVec3::X),
        (&floor, &ball, at(7.0, 7.0, 1.5), 0.0, DVec3::Z),
        (&floor, &block, at(7.0, 7.0, 5.0), 1.0, DVec3::Z),
    ];
    let check = |(found, along): (f64, DVec3), wanted: f64, normal: DVec3| {
        // The quotient of two numbers may differ from the literal by one rounding.
        assert!(found == wanted && (along - normal).length() <= f64::EPSILON, "{found} along {along} for {wanted}");
    };
    for (a, b, apart, wanted, normal) in rows {
        check(gap((a, DVec3::ZERO), (b, apart)), wanted, normal);
        if !matches!(a.shape, Shape::Plane(_)) {
            check(gap((b, apart), (a, DVec3::ZERO)), wanted, -normal);
        }
    }
}
