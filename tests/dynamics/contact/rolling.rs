//! Rolling and spinning friction against closed forms.
//!
//! A ball is solid, I = ⅖ m r². A couple δ N against rolling, without slip, brakes the ball at δ g/(r (1 + ⅖)). A
//! couple τ N against spinning stops the spin ω in I ω/(τ N) (Johnson, *Contact Mechanics*, 1985, ch. 8 and 9).

use carom::dynamics::{Body, Event, EventKind, Settings};
use glam::DVec3;

use crate::common::Random;
use crate::common::scene::{Run, View, assert_near, ball, cube, first_of, of_kind, plane, resisting, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// A relative bound for a result with about a hundred rounding errors.
const EXACT: f64 = 1e-12;

/// The friction coefficients of all bodies in a scene.
#[derive(Debug, Clone, Copy)]
struct Coefficients {
    friction: f64,
    rolling: f64,
    spinning: f64,
}

fn coefficients(friction: f64, rolling: f64, spinning: f64) -> Coefficients {
    Coefficients { friction, rolling, spinning }
}

impl Coefficients {
    fn settings(&self, gravity: DVec3, restitution: f64) -> Settings {
        resisting(settings(gravity, restitution, self.friction), self.rolling, self.spinning)
    }
}

fn views() -> impl Iterator<Item = View> {
    View::some().into_iter().chain([View::tilted()])
}

/// A ball on a floor rolls without slip at `velocity` and spins about the vertical at `spin`. It stops after the time
/// v/a and the distance v²/2a. The spin stops after ω/α.
fn rolls_out(radius: f64, of: Coefficients, g: f64, velocity: DVec3, spin: f64, view: View) {
    let context = format!("radius {radius}, {of:?}, g {g}, {velocity} m/s, {spin} rad/s, {view:?}");
    let speed = velocity.length();
    let rolling = Z.cross(velocity) / radius;
    let moving = ball(radius, 0.7).at(Z * radius).moving(velocity).spinning(rolling + Z * spin);
    let mut run = Run::seen(view, &of.settings(Z * -g, 0.5), &[moving, plane(Z, 0.0)]);
    let (slows, brakes) = (5.0 * of.rolling * g / (7.0 * radius), 2.5 * of.spinning * g / (radius * radius));
    let (stops, ends) = (speed / slows, spin.abs() / brakes);
    let scale = speed + radius * spin.abs();
    let state = |time: f64| {
        let (left, turning) = ((1.0 - time / stops).max(0.0), (1.0 - time / ends).max(0.0));
        let way = velocity * (0.5 * stops * (1.0 - left * left));
        (way, velocity * left, rolling * left + Z * (spin * turning))
    };
    let mut times = [0.5, 1.0 - 1e-9, 1.0 + 1e-9].map(|share| [share * stops, share * ends]).concat();
    times.extend([stops.max(ends) + 1.0, 1e4 * (stops + ends)]);
    times.sort_by(f64::total_cmp);
    for time in times.into_iter().filter(|time| time.is_finite()) {
        let events = run.until(time);
        assert!(events.iter().all(|event| event.kind == EventKind::Rest), "{context}: {events:?}");
        let (way, velocity, turning) = state(time);
        assert_near(run.position(0), Z * radius + way, EXACT * (radius + way.length()), &context);
        assert_near(run.velocity(0), velocity, EXACT * scale, &context);
        assert_near(run.spin(0) * radius, turning * radius, EXACT * scale, &context);
        if time > stops {
            assert_eq!(run.velocity(0), DVec3::ZERO, "{context}: at {time} s");
        }
        if time > stops.max(ends) {
            assert_eq!(run.spin(0), DVec3::ZERO, "{context}: at {time} s");
        }
        run.check_books(EXACT, &context);
    }
    let heat = 0.7 * (0.7 * speed * speed + 0.2 * (radius * spin).powi(2));
    let contact_heat = run.stepper.audit().contact_heat;
    // The works of the weight and of the floor cancel to rounding.
    let rounding = 8.0 * f64::EPSILON * 0.7 * g * (radius + 0.5 * speed * stops);
    assert!((contact_heat - heat).abs() <= EXACT * heat + rounding, "{context}: {contact_heat} J for {heat}");
}

#[test]
fn a_ball_rolls_out_and_stops_spinning_at_its_time() {
    let some = coefficients(0.5, 0.01, 0.005);
    let rows = [
        (0.5, some, 10.0, X, 0.0),
        (0.1, some, 9.81, X * 7.0, 3.0),
        (0.03, coefficients(0.3, 1e-4, 1e-3), 9.81, DVec3::new(0.3, -0.4, 0.0), -50.0),
        (2.0, coefficients(1.0, 1e-6, 1e-7), 1.62, X * 0.01, 1e-3),
        (0.5, coefficients(0.2, 0.13, 0.5), 10.0, Y * -3.0, 20.0),
    ];
    for (radius, of, g, velocity, spin) in rows {
        views().for_each(|view| rolls_out(radius, of, g, velocity, spin, view));
    }
}

#[test]
fn each_friction_acts_alone() {
    for view in views() {
        // Without spinning friction, the spin about the vertical is constant.
        let bodies = [ball(0.5, 1.0).at(Z * 0.5).moving(X).spinning(Y * 2.0 + Z * 3.0), plane(Z, 0.0)];
        let mut run = Run::seen(view, &coefficients(0.5, 0.01, 0.0).settings(Z * -10.0, 0.5), &bodies);
        run.until(1e4);
        assert_eq!(run.velocity(0), DVec3::ZERO, "{view:?}");
        assert_near(run.spin(0), Z * 3.0, EXACT, "spin");
        // Without rolling friction, the ball continues to roll.
        let mut run = Run::seen(view, &coefficients(0.5, 0.0, 0.01).settings(Z * -10.0, 0.5), &bodies);
        run.until(1000.0);
        assert_near(run.velocity(0), X, EXACT, "velocity");
        assert_near(run.spin(0), Y * 2.0, EXACT, "spin");
        // On a smooth floor, rolling friction stops the rotation and does not change the velocity: I α = δ m g.
        let mut run = Run::seen(view, &coefficients(0.0, 0.01, 0.01).settings(Z * -10.0, 0.5), &bodies);
        run.until(0.5);
        assert_near(run.spin(0), Y * 1.5 + Z * 2.5, EXACT, "spin");
        run.until(10.0);
        assert_near(run.velocity(0), X, EXACT, "velocity");
        assert_eq!(run.spin(0), DVec3::ZERO, "{view:?}");
        run.check_books(EXACT, "smooth floor");
    }
}

/// Checks the time of the first event of a kind between the first two bodies.
#[track_caller]
fn event_at(events: &[Event], kind: EventKind, seconds: f64, context: &str) {
    let found = first_of(events, kind, 0, 1).unwrap_or_else(|| panic!("{context}: no {kind} in {events:?}"));
    let off = (found.time.seconds() - seconds).abs();
    assert!(off <= EXACT * (1.0 + seconds), "{context}: {kind} at {} for {seconds}", found.time);
}

#[test]
fn a_sliding_ball_rolls_later_and_stops() {
    // v' = −µ g, r ω' = 5/2 (µ − δ/r) g: the slip ends after v/(g (7/2 µ − 5/2 δ/r)). With δ > µ r it never rolls.
    for (radius, friction, rolling, speed) in [
        (0.5, 0.2, 0.02, 3.0),
        (0.1, 0.4, 0.039, 1.0),
        (0.03, 0.1, 1e-5, 5.0),
        (0.5, 0.2, 0.11, 3.0),
        (0.1, 0.3, 0.4, 2.0),
    ] {
        let g = 10.0;
        for view in views() {
            let of = coefficients(friction, rolling, 0.0);
            let context = format!("radius {radius}, {of:?}, {speed} m/s, {view:?}");
            let bodies = [ball(radius, 0.7).at(Z * radius).moving(X * speed), plane(Z, 0.0)];
            let mut run = Run::seen(view, &of.settings(Z * -g, 0.5), &bodies);
            let resisted = 2.5 * (friction - rolling / radius).max(0.0);
            let sticks = speed / (g * (friction + resisted));
            let left = speed - friction * g * sticks;
            let mut events = run.until(0.5 * sticks);
            assert_near(run.velocity(0), X * (speed - 0.5 * friction * g * sticks), EXACT * speed, &context);
            assert_near(run.spin(0) * radius, Y * (0.5 * resisted * g * sticks), EXACT * speed, &context);
            events.extend(run.until(sticks));
            assert_near(run.velocity(0), X * left, EXACT * speed, &context);
            let slows = 5.0 * rolling * g / (7.0 * radius);
            let way = 0.5 * (speed + left) * sticks + 0.5 * left * left / slows;
            events.extend(run.until(sticks + left / slows + 1e-9));
            event_at(&events, EventKind::Stick, sticks, &context);
            assert_eq!(of_kind(&events, EventKind::Slip), [], "{context}");
            assert_eq!((run.velocity(0), run.spin(0)), (DVec3::ZERO, DVec3::ZERO), "{context}");
            assert_near(run.position(0), Z * radius + X * way, EXACT * (1.0 + way), &context);
            run.check_books(EXACT, &context);
        }
    }
}

#[test]
fn strong_rolling_friction_makes_a_rolling_ball_slide() {
    // Rolling would need a friction force of 5/7 δ/r of the weight, which is more than µ. So the ball slides with µ g,
    // and its rotation decreases at 5/2 (δ/r − µ) g.
    for view in views() {
        let (radius, of, g, speed) = (0.5, coefficients(0.1, 0.1, 0.0), 10.0, 2.0);
        let bodies = [ball(radius, 1.0).at(Z * radius).moving(X * speed).spinning(Y * 4.0), plane(Z, 0.0)];
        let mut run = Run::seen(view, &of.settings(Z * -g, 0.5), &bodies);
        let ends = speed / (2.5 * (0.2 - 0.1) * g);
        run.until(0.5 * ends);
        assert_near(run.spin(0), Y * 2.0, EXACT * 4.0, "spin");
        assert_near(run.velocity(0), X * (speed - 0.5 * ends), EXACT * speed, "velocity");
        run.until(ends + 0.1);
        assert_eq!(run.spin(0), DVec3::ZERO, "{view:?}");
        assert_near(run.velocity(0), X * (speed - ends - 0.1), EXACT * speed, "velocity");
        run.until(2.0 + 1e-9);
        assert_eq!(run.velocity(0), DVec3::ZERO, "{view:?}");
        assert_near(run.position(0), Z * radius + X * 2.0, EXACT * speed, "position");
        run.check_books(EXACT, "slides");
    }
}

/// A ball on a slope with the sine `sine`, with the speed `speed` down the slope.
fn on_slope(sine: f64, of: Coefficients, radius: f64, speed: f64, view: View) -> (Run, DVec3) {
    let cosine = f64::sqrt(1.0 - sine * sine);
    let (down, normal) = (DVec3::new(cosine, 0.0, -sine), DVec3::new(sine, 0.0, cosine));
    let spin = normal.cross(down) * (speed / radius);
    let moving = ball(radius, 2.0).at(normal * radius).moving(down * speed).spinning(spin);
    (Run::seen(view, &of.settings(Z * -10.0, 0.5), &[moving, plane(normal, 0.0)]), down)
}

#[test]
fn a_ball_rests_on_a_slope_up_to_its_rolling_friction() {
    // The ball rests if tan θ ≤ δ/r. Otherwise it rolls with g (sin θ − δ/r cos θ)/(1 + ⅖). tan θ is 0.75 and 7/24.
    for (sine, ratio) in [(0.6, 0.76), (0.6, 0.74), (0.6, 0.3), (0.28, 0.3), (0.28, 0.29), (0.28, 0.01)] {
        let cosine = f64::sqrt(1.0 - sine * sine);
        let pull = 10.0 * (sine - ratio * cosine) / 1.4;
        for (radius, view) in views().flat_map(|view| [(0.5, view), (0.03, view)]) {
            let (mut run, down) = on_slope(sine, coefficients(0.9, ratio * radius, 0.0), radius, 0.0, view);
            let context = format!("sine {sine}, δ/r {ratio}, radius {radius}, {view:?}");
            let place = run.position(0);
            if pull < 0.0 {
                for time in [1.0, 100.0, 1e4] {
                    run.until(time);
                    let state = (run.velocity(0), run.spin(0), run.position(0));
                    assert_eq!(state, (DVec3::ZERO, DVec3::ZERO, place), "{context} at {time} s");
                }
                assert_eq!(run.stepper.audit().contact_heat, 0.0, "{context}");
            } else {
                run.until(2.0);
                assert_near(run.velocity(0), down * (2.0 * pull), EXACT * 20.0, &context);
                assert_near(run.position(0), place + down * (2.0 * pull), EXACT * 20.0, &context);
            }
            run.check_books(EXACT, &context);
        }
    }
}

#[test]
fn a_ball_rolls_up_a_slope_and_stays_or_comes_back() {
    for (sine, ratio) in [(0.28, 0.4), (0.28, 0.1), (0.6, 0.8), (0.6, 0.2)] {
        let cosine = f64::sqrt(1.0 - sine * sine);
        let [brake, pull] = [1.0, -1.0].map(|sign| 10.0 * (sine + sign * ratio * cosine) / 1.4);
        let (stops, radius) = (3.0 / brake, 0.25);
        for view in views() {
            let (mut run, down) = on_slope(sine, coefficients(2.0, ratio * radius, 0.0), radius, -3.0, view);
            let context = format!("sine {sine}, δ/r {ratio}, {view:?}");
            let summit = run.position(0) - down * (1.5 * stops);
            run.until(stops + 1.0);
            let fallen = pull.max(0.0);
            assert_near(run.velocity(0), down * fallen, EXACT * 20.0, &context);
            assert_near(run.position(0), summit + down * (0.5 * fallen), EXACT * 20.0, &context);
            if pull < 0.0 {
                assert_eq!((run.velocity(0), run.spin(0)), (DVec3::ZERO, DVec3::ZERO), "{context}");
            }
            run.check_books(EXACT, &context);
        }
    }
}

#[test]
fn a_ball_on_a_belt_ends_at_rest_on_it() {
    // The ball first rolls backwards relative to the belt, at a fixed position. This rotation ends after u/a.
    for (of, belt, radius) in
        [(coefficients(0.5, 0.05, 0.0), X * 2.0, 0.25), (coefficients(0.3, 1e-3, 0.0), DVec3::new(0.3, 0.4, 0.0), 0.05)]
    {
        for view in views() {
            let moving = ball(radius, 1.0).at(Z * radius).spinning(Z.cross(-belt) / radius);
            let bodies = [moving, plane(Z, 0.0).moving(belt).kinematic()];
            let mut run = Run::seen(view, &of.settings(Z * -10.0, 0.5), &bodies);
            let context = format!("{of:?}, {belt} m/s, {view:?}");
            let ends = belt.length() * 7.0 * radius / (5.0 * of.rolling * 10.0);
            run.until(0.5 * ends);
            assert_near(run.velocity(0), belt * 0.5, EXACT * 2.0, &context);
            run.until(ends * (1.0 - 1e-9));
            assert!(run.spin(0) != DVec3::ZERO, "{context}");
            run.until(ends * (1.0 + 1e-9));
            assert_near(run.velocity(0), belt, 1e-15, &context);
            assert_eq!(run.spin(0), DVec3::ZERO, "{context}");
            run.until(ends + 1.0);
            assert_near(run.position(0), Z * radius + belt * (0.5 * ends + 1.0), EXACT * (1.0 + ends), &context);
            run.check_books(EXACT, &context);
            run.until(1e4);
            assert_near(run.velocity(0), belt, 1e-15, &context);
            assert_eq!(run.spin(0), DVec3::ZERO, "{context}: much later");
        }
    }
}

#[test]
fn a_ball_in_a_groove_is_slowed_by_both() {
    // The normals of the walls have the angle α to the vertical. The rotation ω has the components ω cos α along a wall
    // and ω sin α across it, and v = ω r cos α. The sum of both couples is m g (δ + τ tan α), the inertia is m r² (cos²
    // α + ⅖).
    let (radius, g, mass) = (0.2, 10.0, 0.7);
    for (of, spin) in [
        (coefficients(0.9, 0.004, 0.0), 5.0),
        (coefficients(0.9, 0.0, 0.01), 3.0),
        (coefficients(0.9, 0.002, 0.003), 8.0),
    ] {
        for view in views() {
            let context = format!("{of:?}, {view:?}");
            let walls = [0.6, -0.6].map(|y| plane(DVec3::new(0.0, y, 0.8), 0.0));
            let moving = ball(radius, mass).at(Z * (radius / 0.8)).moving(X * (spin * radius * 0.8)).spinning(Y * spin);
            let mut run = Run::seen(view, &of.settings(Z * -g, 0.5), &[&[moving][..], &walls].concat());
            let brakes = g * (of.rolling + 0.75 * of.spinning) / (radius * radius * (0.64 + 0.4));
            let stops = spin / brakes;
            run.until(0.5 * stops);
            assert_near(run.spin(0), Y * (0.5 * spin), EXACT * 10.0, &context);
            assert_near(run.velocity(0), X * (0.5 * spin * radius * 0.8), EXACT * 10.0, &context);
            run.until(stops * (1.0 - 1e-6));
            assert!(run.spin(0) != DVec3::ZERO, "{context}");
            run.until(stops * (1.0 + 1e-6));
            assert_eq!((run.velocity(0), run.spin(0)), (DVec3::ZERO, DVec3::ZERO), "{context}");
            let way = X * (0.5 * spin * radius * 0.8 * stops);
            assert_near(run.position(0), Z * (radius / 0.8) + way, EXACT * (1.0 + way.length()), &context);
            run.check_books(EXACT, &context);
        }
    }
}

#[test]
fn a_box_does_not_know_of_rolling_friction() {
    let slides = |of: Coefficients| {
        let bodies = [cube(0.5, 1.0).at(Z * 0.5).moving(X * 3.0), plane(Z, 0.0)];
        let mut run = Run::new(&of.settings(Z * -10.0, 0.5), &bodies);
        run.until(0.7);
        let on_the_way = (run.position(0), run.velocity(0));
        run.until(10.0);
        (on_the_way, run.position(0), run.stepper.audit())
    };
    assert_eq!(slides(coefficients(0.3, 0.1, 0.1)), slides(coefficients(0.3, 0.0, 0.0)));
}

/// A ball that slides, rolls and spins in different directions. There is no closed form, because the directions change.
fn crosswise(random: &mut Random) -> Body {
    let velocity = random.vector(2.0) * (X + Y);
    ball(0.25, 1.0).at(Z * 0.25).moving(velocity).spinning(random.vector(20.0))
}

#[test]
fn directions_that_turn_never_add_energy() {
    let mut random = Random::new(8);
    for round in 0..40 {
        let of = coefficients(random.between(0.05, 0.8), random.between(0.0, 0.05), random.between(0.0, 0.02));
        let context = format!("{round}: {of:?}");
        let tilt = if round % 2 == 0 { DVec3::ZERO } else { random.vector(0.3) };
        let gravity = (Z * -10.0 + tilt * (X + Y)).normalize() * 10.0;
        let settings = of.settings(gravity, 0.5);
        let bodies = [crosswise(&mut random), plane(Z, 0.0)];
        let mut run = Run::new(&settings, &bodies);
        let (mut energy, mut whole) = (run.energy(), Run::new(&settings, &bodies));
        let scale = energy.abs() + 10.0;
        for step in 1..=400 {
            run.until(0.025 * f64::from(step));
            let now = run.energy();
            assert!(now <= energy + EXACT * scale, "{context}: {:e} J more at step {step}", now - energy);
            energy = now;
        }
        run.check_books(1e-11, &context);
        // The timestep changes no bit.
        whole.until(10.0);
        let states = [&run, &whole].map(|run| (run.position(0), run.velocity(0), run.spin(0)));
        assert_eq!(states[0], states[1], "{context}");
        let (level, resisted) = (tilt == DVec3::ZERO, of.rolling > 5e-3);
        if level && resisted {
            run.until(40.0);
            assert_eq!(run.velocity(0), DVec3::ZERO, "{context}");
        }
    }
}

/// The effect of an impact on a floor with the impulse P: a ball that rolls without slip loses 5/7 δ P/(r m) of its
/// speed, a ball that spins about the normal loses 5/2 τ P/(m r²) of its spin.
#[test]
fn an_impact_resists_turning_by_its_impulse() {
    let (radius, fall, mass) = (0.5, 2.0, 0.7);
    for restitution in [1.0, 0.5, 0.25] {
        for view in views() {
            let of = coefficients(0.5, 0.02, 0.01);
            let context = format!("e {restitution}, {view:?}");
            let moving = ball(radius, mass).at(Z * (radius + 1.0)).moving(DVec3::new(3.0, 0.0, -fall));
            let bodies = [moving.spinning(Y * 6.0 + Z * 8.0), plane(Z, 0.0)];
            let mut run = Run::seen(view, &of.settings(DVec3::ZERO, restitution), &bodies);
            let events = run.until(1.0);
            let speed = 3.0 - 5.0 / 7.0 * 0.02 / radius * (1.0 + restitution) * fall;
            let spin = 8.0 - 2.5 * 0.01 / (radius * radius) * (1.0 + restitution) * fall;
            assert_near(run.velocity(0), X * speed + Z * (restitution * fall), EXACT, &context);
            assert_near(run.spin(0), Y * (speed / radius) + Z * spin, EXACT * 10.0, &context);
            run.check_books(EXACT, &context);
            run.check_losses(&events, &context);
            // High friction stops the rotation completely but does not reverse it.
            let of = coefficients(10.0, 10.0, 10.0);
            let mut run = Run::seen(view, &of.settings(DVec3::ZERO, restitution), &bodies);
            run.until(1.0);
            assert_near(run.velocity(0), Z * (restitution * fall), EXACT, &context);
            assert_near(run.spin(0), DVec3::ZERO, EXACT, &context);
        }
    }
}

#[test]
fn a_ball_that_bounces_to_rest_loses_its_spin() {
    for view in views() {
        let of = coefficients(0.4, 0.01, 0.01);
        let moving = ball(0.25, 1.0).at(Z).moving(X).spinning(DVec3::new(30.0, -20.0, 40.0));
        let mut run = Run::seen(view, &of.settings(Z * -10.0, 0.6), &[moving, plane(Z, 0.0)]);
        run.until(60.0);
        assert_eq!((run.velocity(0), run.spin(0)), (DVec3::ZERO, DVec3::ZERO), "{view:?}");
        run.check_books(EXACT, "bounces");
    }
}

#[test]
fn balls_among_each_other_come_to_rest() {
    let mut random = Random::new(3);
    for round in 0..6 {
        let of = coefficients(0.5, 0.004, 0.004);
        let place = |n: u32| DVec3::new(f64::from(n % 3) - 1.0, f64::from(n / 3) - 1.0, 0.0) * 0.5 + Z * 0.25;
        let mut bodies: Vec<Body> = (0..9)
            .map(|n| ball(0.2, 1.0).at(place(n)).moving(random.vector(1.0)).spinning(random.vector(9.0)))
            .collect();
        let sides = [X, -X, Y, -Y].map(|side| plane(side, -0.9));
        bodies.extend(sides);
        bodies.push(plane(Z, 0.0));
        let mut run = Run::new(&of.settings(Z * -10.0, 0.4), &bodies);
        let mut energy = run.energy();
        for second in 1..=60 {
            run.until(f64::from(second));
            assert!(run.energy() <= energy + 1e-9, "{round}: second {second}");
            energy = run.energy();
        }
        for row in run.free() {
            assert_eq!((run.velocity(row), run.spin(row)), (DVec3::ZERO, DVec3::ZERO), "{round}: ball {row}");
        }
        run.check_books(1e-10, &format!("{round}"));
        let asleep: Vec<DVec3> = run.free().into_iter().map(|row| run.position(row)).collect();
        assert_eq!(run.until(200.0), [], "{round}");
        assert_eq!(run.free().into_iter().map(|row| run.position(row)).collect::<Vec<_>>(), asleep, "{round}");
    }
}
