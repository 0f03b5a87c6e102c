//! Several faces that meet at one instant: all that close equally act together, and what an axis is called plays no
//! role. Many impacts at one instant are not impacts in a row.

use carom::dynamics::{Body, EventKind, Impacts, Settings};
use glam::DVec3;

use crate::common::scene::{Run, View, assert_near, ball, cube, cuboid, of_kind, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

fn weightless(restitution: f64) -> Settings {
    settings(DVec3::ZERO, restitution, 0.0)
}

/// The box approaches along both axes, or along all three, at the same speed: all of its motion is reversed.
#[test]
fn a_box_that_meets_a_post_edge_to_edge_returns_as_it_came() {
    for (half, post) in [(0.5, 0.5), (0.1, 0.3), (0.7, 1.0 / 3.0)] {
        for along in [X + Y, X + Y + Z, (X + Y) * 3.0, (X + Z) * 0.1] {
            for restitution in [0.0, 0.5, 1.0] {
                for view in View::all() {
                    let start =
                        DVec3::select(along.cmpne(DVec3::ZERO), DVec3::splat(-half - post), DVec3::ZERO) - along;
                    let bodies = [cube(half, 1.0).at(start).moving(along), cube(post, 1.0).fixed()];
                    let mut run = Run::seen(view, &weightless(restitution), &bodies);
                    let events = run.until(2.0);
                    let context = format!("{half} {post} {along} e {restitution} {view:?}: {events:?}");
                    assert_near(run.velocity(0), -along * restitution, 1e-12, &context);
                    run.check_books(1e-12, &context);
                    assert!(run.overlap() < 1e-12, "{context}");
                }
            }
        }
    }
}

/// With unequal speeds the faces along which it is slower to approach come last, so it slides along the other.
#[test]
fn a_box_that_meets_a_post_edge_to_edge_slides_along_the_face_that_is_nearer() {
    for view in View::all() {
        let start = DVec3::new(-3.0, -2.0, 0.0);
        let bodies = [cube(0.5, 1.0).at(start).moving(DVec3::new(2.0, 1.0, 0.0)), cube(0.5, 1.0).fixed()];
        let mut run = Run::seen(view, &weightless(1.0), &bodies);
        let events = run.until(2.0);
        assert_near(run.velocity(0), DVec3::new(2.0, -1.0, 0.0), 1e-14, &format!("{view:?}: {events:?}"));
    }
}

/// Two blocks as far apart as the box is wide. It falls between them if it stands above, and passes if it moves.
#[test]
fn a_gap_exactly_as_wide_as_the_body_is_a_hole_only_for_one_that_stands_above_it() {
    for (half, restitution) in [(0.5, 0.0), (0.1, 0.0), (0.35, 0.5), (0.25, 1.0)] {
        let block = |x: f64| cuboid(DVec3::new(2.0, 3.0, 0.5), 1.0).at(DVec3::new(x, 0.0, -0.5)).fixed();
        let blocks = [block(-2.0 - half), block(2.0 + half)];
        let views = || View::all().into_iter();
        for (speed, view) in [0.0, 0.3, 1.0, 20.0].into_iter().flat_map(|speed| views().map(move |view| (speed, view)))
        {
            let start = DVec3::new(-speed / 20.0, 0.0, half);
            let bodies: Vec<Body> =
                blocks.iter().cloned().chain([cube(half, 1.0).at(start).moving(X * speed)]).collect();
            let mut run = Run::seen(view, &settings(-Z * 10.0, restitution, 0.0), &bodies);
            let time = 0.1;
            let events = run.until(time);
            let fallen = if speed == 0.0 { 5.0 * time * time } else { 0.0 };
            let wanted = start + X * (speed * time) - Z * fallen;
            assert_near(run.position(2), wanted, 1e-9, &format!("{half} {speed} e {restitution} {view:?}: {events:?}"));
        }
    }
}

/// The balls leave a plate with e times the approach speed, however many they are and however their impacts are
/// resolved.
#[test]
fn impacts_at_one_instant_are_not_in_a_row() {
    for (count, restitution) in [2, 17, 18, 40, 100].into_iter().flat_map(|n| [0.1, 0.5, 0.9].map(|e| (n, e))) {
        for (impacts, pitch) in [(Impacts::Together, 1.0), (Impacts::Together, 0.7), (Impacts::Pairwise, 0.7)] {
            let settings = Settings { impacts, ..weightless(restitution) };
            let mass = 100.0;
            let mut bodies = vec![cuboid(DVec3::new(0.5 * pitch * f64::from(count), 1.0, 0.1), mass)];
            let place = |n: i32| X * (pitch * (f64::from(n) - 0.5 * f64::from(count - 1))) + Z * 0.6;
            bodies.extend((0..count).map(|n| ball(0.1, 1.0).at(place(n)).moving(-Z)));
            let mut run = Run::new(&settings, &bodies);
            let events = run.until(1.0);
            let context = format!("{count} balls, e {restitution}, {impacts:?}, {pitch}");
            assert_eq!(of_kind(&events, EventKind::Impact).len(), count as usize, "{context}");
            if impacts == Impacts::Together {
                let plate = -(1.0 + restitution) * f64::from(count) / (mass + f64::from(count));
                assert_near(run.velocity(0), Z * plate, 1e-12, &context);
                for row in 1..=count as usize {
                    assert_near(run.velocity(row), Z * (plate + restitution), 1e-12, &context);
                }
            }
            run.check_books(1e-12, &context);
        }
    }
}
