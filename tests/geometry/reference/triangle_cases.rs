//! A ball and a box against a triangle: entry and leave times computed with 60 digits, and scenes on a grid, where
//! touching is exact. Each case is tested in every permutation and mirroring of the axes and with every order of the
//! vertices.

use carom::geometry::Triangle;
use carom::motion::Relative;
use carom::numeric::Interval;
use carom::sweep::box_triangle::box_triangle;
use carom::sweep::sphere_triangle::{normal_at_entry, pieces, sphere_triangle};
use carom::sweep::{Overlap, Start};
use glam::DVec3;

use crate::common::corpus::{Case, View};
use crate::common::reference::{Expected, check, for_each};

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn triangles(case: &Case, view: View) -> impl Iterator<Item = Triangle> {
    let vertices = ["v0", "v1", "v2"].map(|key| view.turn(case.vector(key)));
    ORDERS.into_iter().map(move |[a, b, c]| Triangle { a: vertices[a], b: vertices[b], c: vertices[c] })
}

#[test]
fn balls_meet_triangles_when_sixty_digits_say() {
    for_each("sphere_tri", |case, view| {
        let (radius, motion) = (case.number("ra"), case.motion(view));
        for triangle in triangles(case, view) {
            let found = sphere_triangle(radius, &triangle, &motion, case.number("T"));
            check(&Expected::of(case), found, view);
            let all = pieces(radius, &triangle, &motion);
            // A ball of radius 0 is in the triangle at one instant only, which gives no piece.
            let Some(found) = found.filter(|_| radius > 0.0) else { continue };
            let first = all.as_slice().iter().find(|piece| piece.leave > 0.0).unwrap();
            assert_eq!((first.enter.max(0.0), first.leave), (found.enter, found.leave), "{}", case.id);
            let piece = Interval { enter: found.enter, leave: found.leave };
            assert_eq!(normal_at_entry(radius, &triangle, &motion, piece), found.normal, "{}", case.id);
        }
    });
}

/// The expected entry time, leave time, normal, and state at the start.
type Answer = Option<(f64, f64, DVec3, Start)>;

/// The position, velocity and acceleration of the solid, and the expected answer.
type Row = ([f64; 3], [f64; 3], [f64; 3], Answer);

/// Checks `sweep` in every view for a moving solid and the triangle (0, 0, 0), (4, 0, 0), (0, 4, 0).
fn check_scenes(rows: &[Row], sweep: impl Fn(View, &Triangle, &Relative) -> Option<Overlap>) {
    let corners = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0];
    for (row, &(place, velocity, acceleration, wanted)) in rows.iter().enumerate() {
        for view in View::all() {
            for order in ORDERS {
                let [a, b, c] = order.map(|k| view.turn(corners[k]));
                let motion = Relative {
                    position: -view.turn(place.into()),
                    velocity: -view.turn(velocity.into()),
                    acceleration: -view.turn(acceleration.into()),
                };
                let found = sweep(view, &Triangle { a, b, c }, &motion);
                // Roots that are not whole numbers are right to one or two ulps.
                let near = |a: f64, b: f64| a == b || (a - b).abs() <= 2.0 * f64::EPSILON * b;
                let agrees = match (found, wanted) {
                    (Some(found), Some((enter, leave, normal, start))) => {
                        let normal = found.normal.distance(view.turn(normal)) <= 2.0 * f64::EPSILON;
                        near(found.enter, enter) && near(found.leave, leave) && normal && found.start == start
                    }
                    (found, wanted) => found.is_none() && wanted.is_none(),
                };
                assert!(agrees, "row {row}, {view:?}, {order:?}: found {found:?}, wanted {wanted:?}");
            }
        }
    }
}

const STILL: [f64; 3] = [0.0; 3];
const NEVER: f64 = f64::INFINITY;

#[test]
fn a_ball_touches_slides_grazes_and_rests() {
    use Start::{Apart, Inside, Touching};
    let down = -DVec3::Z;
    let rows: [Row; 21] = [
        // Onto the face from above, from below, and through it.
        ([1.0, 1.0, 5.0], [0.0, 0.0, -1.0], STILL, Some((4.0, 6.0, down, Apart))),
        ([1.0, 1.0, -5.0], [0.0, 0.0, 2.0], STILL, Some((2.0, 3.0, DVec3::Z, Apart))),
        // Touching the face: closing, parting, sliding along it, at rest.
        ([1.0, 1.0, 1.0], [0.0, 0.0, -1.0], STILL, Some((0.0, 2.0, down, Touching))),
        ([1.0, 1.0, 1.0], [0.0, 0.0, 1.0], STILL, None),
        ([1.0, 1.0, 1.0], [1.0, 0.0, 0.0], STILL, None),
        ([-9.0, 1.0, 1.0], [1.0, 0.0, 0.0], STILL, None),
        ([1.0, 1.0, 1.0], STILL, STILL, None),
        // Touching the face: pulled in, pulled away, thrown up and falling back, pulled in while sliding.
        ([1.0, 1.0, 1.0], STILL, [0.0, 0.0, -2.0], Some((0.0, f64::sqrt(2.0), down, Touching))),
        ([1.0, 1.0, 1.0], STILL, [0.0, 0.0, 2.0], None),
        ([1.0, 1.0, 1.0], [0.0, 0.0, 3.0], [0.0, 0.0, -2.0], Some((3.0, 0.5 * (3.0 + f64::sqrt(17.0)), down, Apart))),
        // The path touches the face and turns back.
        ([1.0, 1.0, 3.0], [0.0, 0.0, -4.0], [0.0, 0.0, 4.0], None),
        // In the plane of the triangle: onto an edge and onto a vertex.
        ([2.0, -5.0, 0.0], [0.0, 1.0, 0.0], STILL, Some((4.0, 7.0 + f64::sqrt(2.0), DVec3::Y, Apart))),
        ([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0], STILL, Some((4.0, 10.0, DVec3::X, Apart))),
        // Beside an edge and beside a vertex: the solid touches and passes.
        ([-5.0, -1.0, 0.0], [1.0, 0.0, 0.0], STILL, None),
        ([-1.0, -5.0, 0.0], [0.0, 1.0, 0.0], STILL, None),
        ([2.0, -1.0, 0.0], STILL, [0.0, 2.0, 0.0], Some((0.0, f64::sqrt(3.0 + f64::sqrt(2.0)), DVec3::Y, Touching))),
        ([2.0, -1.0, 5.0], [0.0, 0.0, -1.0], STILL, None),
        // Overlapping at the start: at rest, and leaving.
        ([1.0, 1.0, 0.5], STILL, STILL, Some((0.0, NEVER, down, Inside))),
        ([1.0, 1.0, 0.5], [0.0, 0.0, 1.0], STILL, Some((0.0, 0.5, down, Inside))),
        // After the end of the window, and just before it.
        ([1.0, 1.0, 12.0], [0.0, 0.0, -1.0], STILL, None),
        ([1.0, 1.0, 11.0], [0.0, 0.0, -1.0], STILL, Some((10.0, 12.0, down, Apart))),
    ];
    check_scenes(&rows, |_, triangle, motion| sphere_triangle(1.0, triangle, motion, 10.0));
}

#[test]
fn a_box_touches_slides_grazes_and_rests() {
    use Start::{Apart, Inside, Touching};
    let (x, y, down) = (DVec3::X, DVec3::Y, -DVec3::Z);
    let slanting = -(x + y) / f64::sqrt(2.0);
    let rows: [Row; 20] = [
        ([1.0, 1.0, 5.0], [0.0, 0.0, -1.0], STILL, Some((2.0, 8.0, down, Apart))),
        ([1.0, 1.0, -5.0], [0.0, 0.0, 2.0], STILL, Some((1.0, 4.0, DVec3::Z, Apart))),
        ([1.0, 1.0, 3.0], [0.0, 0.0, -1.0], STILL, Some((0.0, 6.0, down, Touching))),
        ([1.0, 1.0, 3.0], [0.0, 0.0, 1.0], STILL, None),
        ([1.0, 1.0, 3.0], [1.0, 0.0, 0.0], STILL, None),
        ([-9.0, 1.0, 3.0], [1.0, 0.0, 0.0], STILL, None),
        ([1.0, 1.0, 3.0], STILL, STILL, None),
        ([1.0, 1.0, 3.0], STILL, [0.0, 0.0, -2.0], Some((0.0, f64::sqrt(6.0), down, Touching))),
        ([1.0, 1.0, 3.0], STILL, [0.0, 0.0, 2.0], None),
        ([1.0, 1.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, -2.0], Some((3.0, 0.5 * (3.0 + f64::sqrt(33.0)), down, Apart))),
        // The path touches the face and turns back.
        ([1.0, 1.0, 5.0], [0.0, 0.0, -4.0], [0.0, 0.0, 4.0], None),
        // Onto an edge along an axis, onto a vertex, onto the oblique edge.
        ([2.0, -5.0, 0.0], [0.0, 1.0, 0.0], STILL, Some((3.0, 10.0, y, Apart))),
        ([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0], STILL, Some((4.0, 10.0, x, Apart))),
        ([8.0, 8.0, 0.0], [-1.0, -1.0, 0.0], STILL, Some((4.5, 9.0, slanting, Apart))),
        // Corner beside corner and edge beside edge: they touch and pass.
        ([-4.0, 1.0, 0.0], [1.0, -1.0, 0.0], STILL, None),
        ([-1.0, 1.0, 9.0], [0.0, 0.0, -1.0], STILL, None),
        // The edge and the face are met at the same time: the face takes precedence.
        ([-4.0, 1.0, 6.0], [1.0, 0.0, -1.0], STILL, Some((3.0, 9.0, down, Apart))),
        ([1.0, 1.0, 2.5], STILL, STILL, Some((0.0, NEVER, down, Inside))),
        ([1.0, 1.0, 14.0], [0.0, 0.0, -1.0], STILL, None),
        ([1.0, 1.0, 13.0], [0.0, 0.0, -1.0], STILL, Some((10.0, 16.0, down, Apart))),
    ];
    let half = DVec3::new(1.0, 2.0, 3.0);
    check_scenes(&rows, |view, triangle, motion| box_triangle(view.permute(half), triangle, motion, 10.0));
}
