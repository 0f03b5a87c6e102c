//! Bodies that slide across a slope, so that the direction of friction turns.
//!
//! With the pull A = g sin θ down the slope, friction B = µ g cos θ and the angle φ from the direction down the slope
//! to the velocity, dv/dt = A cos φ − B and v dφ/dt = −A sin φ. So v sin φ is proportional to uᵏ with u = tan(φ/2) and
//! k = B/A (own derivation; for k = 1 it says that v (1 + cos φ) is constant). Time and place are powers of u: dt =
//! −C/(2A) (uᵏ⁻² + uᵏ) du, dx = v cos φ dt, dy = v sin φ dt.

use carom::dynamics::{Body, EventKind, Settings};
use glam::{DVec2, DVec3};

use crate::common::scene::{Run, View, assert_near, ball, cube, cuboid, first_of, material, plane, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;
const G: f64 = 10.0;
const SINE: f64 = 0.28;
const COSINE: f64 = 0.96;

/// g sin θ, m/s².
const PULL: f64 = G * SINE;

/// Where a body that starts across the slope at `speed` stops, after what time: down the slope, across it, and the
/// time.
fn stop(speed: f64, k: f64) -> [f64; 3] {
    let down = speed * speed / (4.0 * PULL) * (1.0 / (2.0 * k - 2.0) - 1.0 / (2.0 * k + 2.0));
    let across = speed * speed / (2.0 * PULL) * (1.0 / (2.0 * k - 1.0) + 1.0 / (2.0 * k + 1.0));
    [down, across, speed / (2.0 * PULL) * (1.0 / (k - 1.0) + 1.0 / (k + 1.0))]
}

/// A body that starts across a slope along y: on a tilted plane, and on a level floor under tilted gravity. Each run
/// has the direction down the slope.
fn across(body: &Body, reach: impl Fn(DVec3) -> f64, friction: f64, rest_height: f64, view: View) -> [(Run, DVec3); 2] {
    let tilted = (Z * -G, DVec3::new(COSINE, 0.0, -SINE), DVec3::new(SINE, 0.0, COSINE));
    let level = (DVec3::new(SINE, 0.0, -COSINE) * G, X, Z);
    [tilted, level].map(|(gravity, down, normal)| {
        let settings = Settings { rest_height, ..settings(gravity, 0.0, friction) };
        let bodies = [body.clone().at(normal * reach(normal)), plane(normal, 0.0)];
        (Run::seen(view, &settings, &bodies), down)
    })
}

/// Rest heights, m, and the errors of velocities, ways and times with them, relative to the largest. All decrease with
/// the rest height; without one, they are as with the default of 1 µm.
const HEIGHTS: [(f64, f64); 4] = [(1e-6, 2e-4), (1e-8, 1e-5), (1e-10, 5e-7), (0.0, 2e-4)];

#[test]
fn a_block_that_slides_across_a_slope_comes_to_rest_at_its_place() {
    for (k, speed) in [(2.0, 1.0), (2.0, 6.0), (3.0, 2.0), (1.5, 0.5)] {
        let friction = k * SINE / COSINE;
        let block = cube(0.25, 1.5).moving(Y * speed);
        let [down, side, time] = stop(speed, k);
        for ((rest_height, error), view) in HEIGHTS.into_iter().zip(View::some()) {
            let reach = |normal: DVec3| 0.25 * normal.abs().element_sum();
            for (mut run, slope) in across(&block, reach, friction, rest_height, view) {
                let context = format!("k {k}, {speed} m/s, rest height {rest_height}, {view:?}");
                let start = run.position(0);
                let events = run.until(time + 1.0);
                let stuck = first_of(&events, EventKind::Stick, 0, 1).expect(&context).time.seconds();
                assert!((stuck - time).abs() <= error * time, "{context}: {stuck} for {time}");
                assert_eq!(run.velocity(0), DVec3::ZERO, "{context}");
                assert_near(run.position(0) - start, slope * down + Y * side, error * side, &context);
                run.check_books(1e-12, &context);
            }
        }
    }
}

#[test]
fn a_block_whose_friction_equals_the_pull_keeps_half_its_speed() {
    for ((rest_height, error), view) in HEIGHTS.into_iter().zip(View::some()) {
        let block = cube(0.25, 1.5).moving(Y * 2.0);
        let reach = |normal: DVec3| 0.25 * normal.abs().element_sum();
        for (mut run, slope) in across(&block, reach, SINE / COSINE, rest_height, view) {
            for time in [0.1, 0.5, 1.0, 3.0, 30.0] {
                run.until(time);
                let velocity = run.velocity(0);
                let kept = velocity.length() + velocity.dot(slope);
                assert!((kept - 2.0).abs() <= error * 2.0, "{time} s, {rest_height} m, {view:?}: {kept}");
            }
            assert_near(run.velocity(0), slope, 1e-4, "the limit");
        }
    }
}

/// The slip of a ball changes by the pull and by 7/2 of friction. Where it ends, friction has taken (A T down + v₀)·2/7
/// of the velocity. Then the ball rolls.
#[test]
fn a_ball_that_slides_across_a_slope_rolls_when_its_slip_is_used_up() {
    for (k, speed) in [(2.0, 1.0), (3.0, 4.0)] {
        let friction = k * SINE / COSINE / 3.5;
        let sphere = ball(0.25, 1.5).moving(Y * speed);
        let time = stop(speed, k)[2];
        for ((rest_height, error), view) in HEIGHTS.into_iter().zip(View::some()) {
            for (mut run, slope) in across(&sphere, |_| 0.25, friction, rest_height, view) {
                let context = format!("k {k}, {speed} m/s, rest height {rest_height}, {view:?}");
                let events = run.until(time);
                let pulled = slope * (PULL * time) + Y * speed;
                assert_near(run.velocity(0), pulled * (5.0 / 7.0), error * speed, &context);
                let events: Vec<_> = events.into_iter().chain(run.until(time + 1.0)).collect();
                let stuck = first_of(&events, EventKind::Stick, 0, 1).expect(&context).time.seconds();
                assert!((stuck - time).abs() <= error * time, "{context}: {stuck} for {time}");
                let rolled = pulled * (5.0 / 7.0) + slope * (PULL * 5.0 / 7.0);
                assert_near(run.velocity(0), rolled, error * speed, &context);
                run.check_books(1e-12, &context);
            }
        }
    }
}

/// However slowly it starts across a slope, a body that friction does not hold goes down it.
#[test]
fn what_starts_too_slowly_to_be_seen_goes_down_the_slope() {
    // Up to 5 times as fast as it starts, its direction is not seen.
    let friction = 0.2 * SINE / COSINE;
    let time = 0.5;
    for speed in [1e-12, 1e-9, 1e-7, 1.8e-6, 1e-5, 4.2e-5, 7.5e-5, 3e-4] {
        for ((rest_height, _), view) in HEIGHTS.into_iter().zip(View::some()) {
            let block = (cube(0.25, 1.5), |normal: DVec3| 0.25 * normal.abs().element_sum());
            let sphere = (ball(0.25, 1.5), |_: DVec3| 0.25);
            let runs = [across(&block.0.moving(Y * speed), block.1, friction, rest_height, view)];
            let balls = [across(&sphere.0.moving(Y * speed), sphere.1, friction, rest_height, view)];
            for (mut run, slope) in runs.into_iter().chain(balls).flatten() {
                let context = format!("{speed} m/s, rest height {rest_height}, {view:?}");
                run.until(time);
                let (down, side) = (run.velocity(0).dot(slope), run.velocity(0).dot(Y));
                assert!((down - 0.8 * PULL * time).abs() <= 6.0 * speed, "{context}: {down} down");
                assert!((-1e-12..=speed).contains(&side), "{context}: {side} across");
                run.check_books(1e-12, &context);
            }
        }
    }
}

/// A ball leans on a crate, and both begin to slide down a slope: with a gap of a rounding between them as with none.
#[test]
fn a_gap_of_a_rounding_changes_no_direction_of_slip() {
    for view in View::some() {
        for gap in [0.0, 5.6e-17, 1e-15, 9e-13] {
            let mut settings = settings(DVec3::new(3.0, -1.0, -10.0), 0.0, 0.0);
            let rough = settings.materials.add(material(0.0, 0.2));
            let block = cuboid(DVec3::new(0.125, 4.0, 0.25), 0.125).made_of(rough);
            let bodies = [
                ball(0.125, 1.0).at(DVec3::new(0.125, 0.0, 0.125)),
                block.at(DVec3::new(0.375 + gap, 0.0, 0.25)),
                plane(Z, 0.0).made_of(rough),
            ];
            let mut run = Run::seen(view, &settings, &bodies);
            run.until(0.5);
            // Friction of 0.25 N is opposite to the direction (x, −y) of the crate, and the ball pushes it along x.
            let [x, y] = [run.velocity(1).x, run.velocity(1).y];
            let friction = DVec2::new(x, y).normalize() * 0.25;
            let wanted = [(3.0 - friction.x / 1.125) * 0.5, (-1.0 - friction.y / 0.125) * 0.5];
            assert!((x - wanted[0]).abs() + (y - wanted[1]).abs() < 1e-8, "{gap}, {view:?}: {x} {y} for {wanted:?}");
        }
    }
}

/// A crate slides on a plank that stops at once: friction is opposite to its slip until it stops, however light the
/// plank.
#[test]
fn a_heavy_crate_stops_on_a_light_plank_and_does_not_turn_round() {
    for (mass, view) in
        [1.0, 3.0, 10.0, 100.0].into_iter().flat_map(|mass| View::some().into_iter().map(move |view| (mass, view)))
    {
        let mut settings = settings(Z * -10.0, 0.0, 1.0);
        let [plank, stuff] = [5.0, 0.3].map(|friction| settings.materials.add(material(0.0, friction)));
        let bodies = [
            cuboid(DVec3::splat(0.125), mass).made_of(stuff).at(Z * 0.375).moving(Y * 0.1),
            cuboid(DVec3::new(4.0, 4.0, 0.125), 1.0).made_of(plank).at(Z * 0.125).moving(X),
            plane(Z, 0.0),
        ];
        let mut run = Run::seen(view, &settings, &bodies);
        for time in 1..=20 {
            run.until(0.01 * f64::from(time));
            let velocity = run.velocity(0);
            assert!(velocity.x > -1e-3 && velocity.y > -1e-3, "{mass} kg, {view:?}, {time} cs: {velocity}");
            // It decelerates with 3 m/s² from at most 0.15 m/s.
            assert!(time < 10 || velocity.length() < 2e-3, "{mass} kg, {view:?}, {time} cs: {velocity}");
        }
        run.check_books(1e-9, &format!("{mass} kg, {view:?}"));
    }
}
