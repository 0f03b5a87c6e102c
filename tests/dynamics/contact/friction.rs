//! Coulomb friction against closed forms: sliding, sticking, rolling, and impacts of rough balls.
//!
//! A ball is solid, I = ⅖ m R². A force F at its rim changes v by F/m and R ω by 5/2 of that, so it changes the slip by
//! 7/2 of F/m (Coriolis, *Théorie mathématique des effets du jeu de billard*, 1835; for impacts Routh, *Dynamics of a
//! System of Rigid Bodies*, 1905).

use carom::dynamics::{Body, Event, EventKind, Friction, MaterialId, Pairing, Settings};
use carom::geometry::Shape;
use glam::DVec3;

use crate::common::Random;
use crate::common::scene::{Run, STUFF, View, assert_near, ball, cube, cuboid, first_of, of_kind, plane, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;
const G: f64 = 10.0;

/// A relative bound for a result with about a hundred rounding errors.
const EXACT: f64 = 1e-12;

fn rubbing(friction: f64) -> Settings {
    settings(Z * -G, 1.0, friction)
}

fn floor() -> Body {
    plane(Z, 0.0)
}

#[track_caller]
fn event_at(events: &[Event], kind: EventKind, a: u32, b: u32, seconds: f64, context: &str) {
    let found = first_of(events, kind, a, b).unwrap_or_else(|| panic!("{context}: no {kind} in {events:?}"));
    assert_eq!((found.a.0, found.b.0), (a, b), "{context}");
    let off = (found.time.seconds() - seconds).abs();
    assert!(off <= EXACT * (1.0 + seconds), "{context}: {kind} at {} for {seconds}", found.time);
}

/// A ball of radius R on a floor with velocity v and spin ω has the slip s = v − R ω×z. It decreases at 7/2 µ g. The
/// ball rolls from t = 2|s|/(7 µ g) with (5 v + 2 R ω×z)/7: 5/7 v for ω = 0. The spin about z is constant.
fn slips_then_rolls(radius: f64, friction: f64, velocity: DVec3, spin: DVec3, view: View) {
    let bodies = [ball(radius, 0.7).at(Z * radius).moving(velocity).spinning(spin), floor()];
    let mut run = Run::seen(view, &rubbing(friction), &bodies);
    let context = format!("radius {radius}, µ {friction}, {velocity} m/s, {spin} rad/s, {view:?}");
    let slip = velocity - spin.cross(Z) * radius;
    let rolls = 2.0 * slip.length() / (7.0 * friction * G);
    let (push, scale) = (slip.normalize() * (-friction * G), velocity.length() + radius * spin.length());
    // At half of that time the ball still slips.
    let mut events = run.until(0.5 * rolls);
    let half = velocity + push * (0.5 * rolls);
    assert_near(run.velocity(0), half, EXACT * scale, &context);
    let turned = spin + Z.cross(push) * (-2.5 / radius * 0.5 * rolls);
    assert_near(run.spin(0) * radius, turned * radius, EXACT * scale, &context);
    events.extend(run.until(rolls + 1.0));
    event_at(&events, EventKind::Stick, 0, 1, rolls, &context);
    let after = (velocity * 5.0 + spin.cross(Z) * (2.0 * radius)) / 7.0;
    assert_near(run.velocity(0), after, EXACT * scale, &context);
    let rolling = Z.cross(after) / radius + Z * spin.z;
    assert_near(run.spin(0) * radius, rolling * radius, EXACT * scale, &context);
    let place = Z * radius + (velocity + after) * (0.5 * rolls) + after;
    assert_near(run.position(0), place, EXACT * scale * (1.0 + rolls), &context);
    // The loss is ½ (2m/7) s².
    let contact_heat = run.stepper.audit().contact_heat;
    assert!(
        (contact_heat - 0.7 / 7.0 * slip.length_squared()).abs() <= EXACT * scale * scale,
        "{context}: {contact_heat} J"
    );
    run.check_books(EXACT, &context);
    // The ball continues to roll: no more events occur.
    assert_eq!(run.until(1e4), [], "{context}");
    assert_near(run.velocity(0), after, EXACT * scale, &context);
}

#[test]
fn a_sliding_ball_rolls_when_its_slip_is_used_up() {
    let rows = [
        (0.5, 0.2, X * 7.0, DVec3::ZERO),
        (0.03, 0.05, X * 2.0, DVec3::ZERO),
        (0.5, 0.2, DVec3::new(3.0, -4.0, 0.0), DVec3::ZERO),
        // Back spin: too slow to stop the ball; exactly enough to stop it; fast enough to send it back.
        (0.25, 0.3, X, Y * -4.0),
        (0.25, 0.3, X, Y * -10.0),
        (0.25, 0.3, X, Y * -40.0),
        // Top spin: less and more than for rolling.
        (0.25, 0.3, X, Y * 2.0),
        (0.25, 0.3, X, Y * 20.0),
        // Spin about the direction of motion, and in mixed directions.
        (0.25, 0.3, X, X * 8.0),
        (0.25, 0.3, DVec3::new(1.0, 0.5, 0.0), DVec3::new(-3.0, 5.0, 11.0)),
        (0.5, 0.1, DVec3::ZERO, Y * 6.0),
        (1.0, 1.5, DVec3::new(-2.0, 1.0, 0.0), DVec3::new(0.0, 0.0, -3.0)),
    ];
    for (radius, friction, velocity, spin) in rows {
        for view in View::some().into_iter().chain([View::tilted()]) {
            slips_then_rolls(radius, friction, velocity, spin, view);
        }
    }
}

#[test]
fn a_ball_that_rolls_already_rolls_on() {
    for view in View::some() {
        let bodies = [ball(0.5, 1.0).at(Z * 0.5).moving(X * 2.0).spinning(Y * 4.0), floor()];
        let mut run = Run::seen(view, &rubbing(0.3), &bodies);
        run.until(1000.0);
        assert_near(run.velocity(0), X * 2.0, 1e-15, "velocity");
        assert_near(run.spin(0), Y * 4.0, 1e-15, "spin");
        assert!(run.stepper.audit().contact_heat.abs() <= 1e-15);
        run.check_books(EXACT, "rolling");
    }
}

#[test]
fn a_crate_takes_the_speed_of_its_belt() {
    // The crate slips with s = v − u, which decreases at µ g, and sticks after |s|/(µ g). The heat is ½ m s², the work
    // of the belt m (u − v)·u. For v = 0 half of m u² becomes heat and half kinetic energy.
    let rows = [
        (0.2, DVec3::ZERO, X),
        (0.5, DVec3::ZERO, X * 3.0),
        (0.5, X * -2.0, X * 3.0),
        (0.5, X * 3.0, DVec3::ZERO),
        (1.25, Y * 2.0, X * 1.5),
        (0.1, DVec3::new(0.5, 1.0, 0.0), DVec3::new(-0.25, 0.5, 0.0)),
    ];
    for (friction, velocity, belt) in rows {
        for view in View::some() {
            let bodies = [
                cuboid(DVec3::new(0.5, 0.25, 0.125), 3.0).at(Z * 0.125).moving(velocity),
                plane(Z, 0.0).moving(belt).kinematic(),
            ];
            let mut run = Run::seen(view, &rubbing(friction), &bodies);
            let context = format!("µ {friction}, {velocity} on {belt}, {view:?}");
            let slip = velocity - belt;
            let holds = slip.length() / (friction * G);
            let mut events = run.until(0.5 * holds);
            assert_near(run.velocity(0), (velocity + belt) * 0.5, EXACT * 10.0, &context);
            events.extend(run.until(holds + 1.0));
            event_at(&events, EventKind::Stick, 0, 1, holds, &context);
            assert_eq!(run.velocity(0), belt, "{context}");
            let place = Z * 0.125 + (velocity + belt) * (0.5 * holds) + belt;
            assert_near(run.position(0), place, EXACT * 10.0, &context);
            let audit = run.stepper.audit();
            let (heat, work) = (1.5 * slip.length_squared(), -3.0 * slip.dot(belt));
            assert!(
                (audit.contact_heat - heat).abs() <= EXACT * 100.0,
                "{context}: {} J for {heat}",
                audit.contact_heat
            );
            assert!((audit.work - work).abs() <= EXACT * 100.0, "{context}: {} J for {work}", audit.work);
            let impulse = slip * -3.0 + Z * (3.0 * G * (holds + 1.0));
            assert_near(audit.impulse, view.seen(impulse), EXACT * 1000.0, &context);
            run.check_books(EXACT, &context);
            run.until(1e4);
            assert_eq!(run.velocity(0), belt, "{context}: much later");
        }
    }
}

/// A slope as a tilted plane, on which a box stands on an edge, and as a level floor with tilted gravity. The x
/// velocity of `body` is its velocity down the slope. Each run has the direction down the slope and the normal.
fn on_slope(sine: f64, friction: f64, body: &Body, view: View) -> [(Run, DVec3, DVec3); 2] {
    let cosine = f64::sqrt(1.0 - sine * sine);
    let tilted = (Z * -G, DVec3::new(cosine, 0.0, -sine), DVec3::new(sine, 0.0, cosine));
    let level = (DVec3::new(sine, 0.0, -cosine) * G, X, Z);
    [tilted, level].map(|(gravity, down, normal)| {
        let half = body.shape.half_extents();
        let reach = match body.shape {
            Shape::Sphere(radius) => radius.get(),
            _ => normal.abs().dot(half),
        };
        let body = body.clone().at(normal * reach).moving(down * body.velocity.x);
        (Run::seen(view, &settings(gravity, 1.0, friction), &[body, plane(normal, 0.0)]), down, normal)
    })
}

#[test]
fn a_block_on_a_slope_holds_or_slides_as_its_friction_says() {
    // tan θ is 0.75 and 7/24.
    for (sine, friction) in [(0.6, 0.76), (0.6, 2.0), (0.28, 0.3), (0.28, 1.0), (0.6, 0.74), (0.6, 0.3), (0.28, 0.1)] {
        let cosine = f64::sqrt(1.0 - sine * sine);
        let pull = G * (sine - friction * cosine);
        for (view, body) in View::some()
            .into_iter()
            .flat_map(|v| [cube(0.25, 1.5), cuboid(DVec3::new(0.5, 0.25, 1.0), 1.0)].map(|b| (v, b)))
        {
            for (mut run, down, _) in on_slope(sine, friction, &body, view) {
                let context = format!("sine {sine}, µ {friction}, {view:?}");
                let place = run.position(0);
                if pull < 0.0 {
                    for time in [1.0, 100.0, 1e4] {
                        run.until(time);
                        assert_eq!((run.velocity(0), run.position(0)), (DVec3::ZERO, place), "{context} at {time} s");
                    }
                    assert_eq!(run.stepper.audit().contact_heat, 0.0, "{context}");
                } else {
                    run.until(2.0);
                    assert_near(run.velocity(0), down * (2.0 * pull), EXACT * 10.0, &context);
                    assert_near(run.position(0), place + down * (2.0 * pull), EXACT * 10.0, &context);
                }
                run.check_books(EXACT, &context);
            }
        }
    }
}

#[test]
fn a_block_pushed_up_a_slope_stops_there_or_comes_back() {
    // The block moves up at 3 m/s and decelerates at g (sin + µ cos). At its highest point it sticks if µ > tan θ.
    // Otherwise it slides down with g (sin − µ cos).
    for (sine, friction) in [(0.6, 1.0), (0.28, 0.5), (0.6, 0.25), (0.28, 0.125)] {
        let cosine = f64::sqrt(1.0 - sine * sine);
        let brake = G * (sine + friction * cosine);
        let (stops, pull) = (3.0 / brake, G * (sine - friction * cosine));
        let body = cube(0.25, 1.0).moving(X * -3.0);
        for (mut run, down, _) in View::some().into_iter().flat_map(|view| on_slope(sine, friction, &body, view)) {
            let context = format!("sine {sine}, µ {friction}");
            let summit = run.position(0) - down * (0.5 * 3.0 * stops);
            let events = run.until(stops + 1.0);
            let fallen = pull.max(0.0);
            assert_near(run.velocity(0), down * fallen, EXACT * 10.0, &context);
            assert_near(run.position(0), summit + down * (0.5 * fallen), EXACT * 10.0, &context);
            if pull < 0.0 {
                event_at(&events, EventKind::Stick, 0, 1, stops, &context);
                assert_eq!(run.velocity(0), DVec3::ZERO, "{context}");
            }
            run.check_books(EXACT, &context);
        }
    }
}

#[test]
fn a_ball_rolls_down_a_slope_or_slips() {
    // The ball rolls with 5/7 g sin θ if the required friction 2/7 g sin θ is at most µ g cos θ. Otherwise friction has
    // its largest value: the acceleration is g (sin − µ cos), and the angular acceleration 5 µ g cos/(2R).
    for (sine, friction) in
        [(0.6, 0.3), (0.6, 0.22), (0.6, 0.2), (0.6, 0.05), (0.28, 0.1), (0.28, 0.08), (0.8, 0.5), (0.8, 0.3)]
    {
        let cosine = f64::sqrt(1.0 - sine * sine);
        let rolls = friction >= 2.0 / 7.0 * sine / cosine;
        let held = if rolls { 2.0 / 7.0 * sine } else { friction * cosine };
        for (radius, view) in View::some().into_iter().flat_map(|view| [(0.5, view), (0.03, view)]) {
            for (mut run, down, normal) in on_slope(sine, friction, &ball(radius, 2.0), view) {
                let context = format!("sine {sine}, µ {friction}, radius {radius}, {view:?}");
                let place = run.position(0);
                run.until(2.0);
                let speed = 2.0 * G * (sine - held);
                assert_near(run.velocity(0), down * speed, EXACT * 20.0, &context);
                assert_near(run.position(0), place + down * speed, EXACT * 20.0, &context);
                let spin = normal.cross(down) * (2.5 * G * held * 2.0);
                assert_near(run.spin(0) * radius, spin, EXACT * 20.0, &context);
                if rolls {
                    assert!(run.stepper.audit().contact_heat.abs() <= EXACT, "{context}: rolling costs nothing");
                }
                run.check_books(EXACT, &context);
            }
        }
    }
}

/// The state of a ball before or after an impact.
#[derive(Debug, Clone, Copy)]
struct Rough {
    radius: f64,
    mass: f64,
    velocity: DVec3,
    spin: DVec3,
}

/// The impact of `a` on `b` along `normal`. The normal impulse is (1 + e) v_n m, with the reduced mass m. The
/// tangential impulse is 2/7 of m times the slip, at most µ times the normal one. Fixed bodies have infinite mass.
fn blow(a: Rough, b: Rough, normal: DVec3, restitution: f64, friction: f64) -> ([Rough; 2], f64) {
    let compliance = 1.0 / a.mass + 1.0 / b.mass;
    let rim = |ball: Rough, side: f64| ball.velocity + ball.spin.cross(normal * (side * ball.radius));
    let (rim_a, rim_b) = (rim(a, 1.0), rim(b, -1.0));
    let approach = (a.velocity - b.velocity).dot(normal);
    let slip = (rim_a - rim_b) - normal * (rim_a - rim_b).dot(normal);
    let pressed = (1.0 + restitution) * approach / compliance;
    let (holding, most) = (slip.length() * 2.0 / 7.0 / compliance, friction * pressed);
    let across = if slip.length() > 0.0 { slip.normalize() * holding.min(most) } else { DVec3::ZERO };
    let push = normal * pressed + across;
    let after = |ball: Rough, sign: f64| Rough {
        velocity: ball.velocity + push * (sign / ball.mass),
        // The tangential impulses turn both balls in the same sense: by R n × (−push)/I.
        spin: ball.spin - normal.cross(across) * (2.5 / (ball.mass * ball.radius)),
        ..ball
    };
    let left = slip - across * (3.5 * compliance);
    let heat =
        0.5 * (1.0 - restitution * restitution) * approach * approach / compliance + 0.5 * across.dot(slip + left);
    ([after(a, -1.0), after(b, 1.0)], heat)
}

/// Runs the impact of two balls, or of a ball and the floor below it, and compares the result with [`blow`].
fn strikes(a: Rough, b: Option<Rough>, normal: DVec3, restitution: f64, friction: f64, view: View) {
    let context = format!("{a:?} on {b:?} along {normal}, e {restitution}, µ {friction}, {view:?}");
    let still = Rough { radius: 1.0, mass: f64::INFINITY, velocity: DVec3::ZERO, spin: DVec3::ZERO };
    let ([after_a, after_b], heat) = blow(a, b.unwrap_or(still), normal, restitution, friction);
    // The bodies meet after 0.5 s, with the centre of `a` at the origin.
    let body = |one: Rough, at: DVec3| {
        ball(one.radius, one.mass).at(at - one.velocity * 0.5).moving(one.velocity).spinning(one.spin)
    };
    let other = match b {
        Some(b) => body(b, normal * (a.radius + b.radius)),
        None => plane(-normal, -a.radius),
    };
    let bodies = [body(a, DVec3::ZERO), other];
    let mut run = Run::seen(view, &settings(DVec3::ZERO, restitution, friction), &bodies);
    let turning = |run: &Run| {
        let one = |row: usize, is: Rough| {
            run.position(row).cross(run.velocity(row)) * is.mass
                + run.spin(row) * (0.4 * is.mass * is.radius * is.radius)
        };
        one(0, a) + b.map_or(DVec3::ZERO, |b| one(1, b))
    };
    let before = turning(&run);
    let events = run.until(0.75);
    assert_near(run.velocity(0), after_a.velocity, EXACT * 10.0, &context);
    assert_near(run.spin(0) * a.radius, after_a.spin * a.radius, EXACT * 10.0, &context);
    if b.is_some() {
        assert_near(run.velocity(1), after_b.velocity, EXACT * 10.0, &context);
        assert_near(run.spin(1) * after_b.radius, after_b.spin * after_b.radius, EXACT * 10.0, &context);
        assert_near(turning(&run), before, EXACT * 100.0, &format!("angular momentum, {context}"));
    }
    assert_eq!(of_kind(&events, EventKind::Impact).len(), 1, "{context}: {events:?}");
    assert!((events[0].loss - heat).abs() <= EXACT * 100.0, "{context}: {} J for {heat}", events[0].loss);
    run.check_books(EXACT, &context);
    run.check_losses(&events, &context);
}

#[test]
fn a_rough_ball_on_a_floor_keeps_five_sevenths_or_slips() {
    let thrown = |velocity: DVec3, spin: DVec3| Rough { radius: 0.25, mass: 2.0, velocity, spin };
    let rows = [
        thrown(DVec3::new(1.0, 0.0, -2.0), DVec3::ZERO),
        thrown(DVec3::new(7.0, 0.0, -1.0), DVec3::ZERO),
        thrown(DVec3::new(1.0, 2.0, -3.0), DVec3::new(-20.0, 5.0, 9.0)),
        thrown(DVec3::new(2.0, 0.0, -1.0), Y * 8.0),
        thrown(Z * -2.0, Y * 12.0),
        thrown(Z * -2.0, Z * 12.0),
    ];
    for (restitution, friction) in [(1.0, 0.0), (1.0, 0.1), (1.0, 10.0), (0.5, 0.2), (0.5, 5.0), (0.25, 0.05)] {
        for view in View::some().into_iter().chain([View::tilted()]) {
            rows.iter().for_each(|&row| strikes(row, None, -Z, restitution, friction, view));
        }
    }
    // The ball keeps 5/7 of its tangential velocity if it sticks, and loses µ (1 + e) v_n if it slips.
    let bodies = [ball(0.5, 3.0).at(Z).moving(DVec3::new(1.4, 0.0, -1.0)), floor()];
    for (friction, along, spin) in [(1.0, 1.0, 2.0), (0.1, 1.4 - 0.15, 0.75)] {
        let mut run = Run::new(&settings(DVec3::ZERO, 0.5, friction), &bodies);
        run.until(1.0);
        assert_near(run.velocity(0), DVec3::new(along, 0.0, 0.5), 1e-14, "floor");
        assert_near(run.spin(0), Y * spin, 1e-14, "floor");
    }
}

#[test]
fn rough_balls_hand_each_other_spin() {
    let mut random = Random::new(4);
    let dull = |velocity: DVec3| Rough { radius: 0.5, mass: 1.0, velocity, spin: DVec3::ZERO };
    let oblique = DVec3::new(0.8, 0.6, 0.0);
    for friction in [0.0, 0.1, 0.5, 5.0] {
        strikes(dull(X), Some(dull(DVec3::ZERO)), oblique, 1.0, friction, View::PLAIN);
    }
    for row in 0..200 {
        let normal = random.vector(1.0).normalize();
        let rough = |random: &mut Random, towards: DVec3| Rough {
            radius: random.between(0.1, 1.0),
            mass: random.between(0.1, 10.0),
            velocity: towards + random.vector(0.5),
            spin: random.vector(5.0),
        };
        let (a, b) = (rough(&mut random, normal), rough(&mut random, -normal));
        let (restitution, friction) = (random.between(0.1, 1.0), random.between(0.0, 1.0) * f64::from(row % 3));
        strikes(a, Some(b), normal, restitution, friction, View::PLAIN);
    }
}

#[test]
fn a_box_on_a_box_takes_it_along() {
    // The lower box moves on a smooth floor at v. The upper box gains µ g, the lower box loses µ g m/M. Their speeds
    // are equal after v/(µ g (1 + m/M)), at v M/(m + M). The slip is v t/2 and the loss ½ m M/(m + M) v².
    for (friction, upper, lower) in [(0.5, 1.0, 1.0), (0.25, 1.0, 3.0), (0.4, 4.0, 1.0)] {
        for (view, shot) in View::some().into_iter().flat_map(|view| [(view, false), (view, true)]) {
            let smooth = |body: Body| body.made_of(MaterialId::default());
            let given = if shot { DVec3::ZERO } else { X };
            let mut bodies = vec![
                cuboid(DVec3::new(2.0, 1.0, 0.5), lower).at(Z * 0.5).moving(given),
                cube(0.25, upper).at(Z * 1.25),
                smooth(floor()),
            ];
            if shot {
                // A box of equal mass transfers its speed to the lower box after half a second.
                bodies.push(smooth(cube(0.25, lower)).at(DVec3::new(-2.75, 0.0, 0.25)).moving(X));
            }
            let mut run = Run::seen(view, &rubbing(friction), &bodies);
            let context = format!("µ {friction}, {upper} kg on {lower} kg, shot: {shot}, {view:?}");
            let struck = if shot { 0.5 } else { 0.0 };
            let holds = 1.0 / (friction * G * (1.0 + upper / lower));
            let common = lower / (upper + lower);
            let events = run.until(struck + holds + 1.0);
            let stick = first_of(&events, EventKind::Stick, 1, 0).unwrap_or_else(|| panic!("{context}: {events:?}"));
            let off = (stick.time.seconds() - struck - holds).abs();
            assert!(off <= EXACT, "{context}: {} for {}", stick.time, struck + holds);
            assert_near(run.velocity(0), X * common, EXACT, &context);
            assert_near(run.velocity(1), run.velocity(0), 1e-15, &context);
            let slipped = run.position(0).x - run.position(1).x;
            assert!((slipped - 0.5 * holds).abs() <= EXACT, "{context}: {slipped} m");
            let heat = 0.5 * upper * common;
            let contact_heat = run.stepper.audit().contact_heat;
            assert!((contact_heat - heat).abs() <= EXACT, "{context}: {contact_heat} J for {heat}");
            run.check_books(EXACT, &context);
        }
    }
}

#[test]
fn what_is_said_of_a_pair_counts_for_that_pair() {
    let pairing = |friction: f64| Pairing { friction: Some(Friction::new(friction).unwrap()), ..Pairing::default() };
    // Rough alone and smooth as a pair; smooth alone and rough as a pair.
    for (own, pair, after) in [(0.5, 0.0, X * 2.0), (0.0, 0.4, DVec3::ZERO), (0.5, 0.1, X)] {
        let mut settings = rubbing(own);
        settings.materials.set_pair(STUFF, STUFF, pairing(pair));
        let mut run = Run::new(&settings, &[cube(0.5, 1.0).at(Z * 0.5).moving(X * 2.0), floor()]);
        run.until(1.0);
        assert_near(run.velocity(0), after, EXACT, &format!("own {own}, pair {pair}"));
    }
}

#[test]
fn without_friction_spin_neither_changes_nor_matters() {
    let scene = |spin: f64| {
        let turning = |n: f64| DVec3::new(spin * n, -spin, 0.3 * spin);
        let mut bodies =
            vec![floor(), plane(X, -3.0), plane(-X, -3.0), plane(DVec3::new(0.0, 0.6, 0.8), -2.0), plane(-Y, -3.0)];
        for n in 0..12 {
            let place = DVec3::new(f64::from(n % 4) - 1.5, f64::from(n / 4) * 1.1 - 1.0, 1.5 + 0.1 * f64::from(n));
            let velocity = DVec3::new(1.0 - 0.3 * f64::from(n), 0.2 * f64::from(n % 5), 0.0);
            bodies.push(ball(0.25, 1.0).at(place).moving(velocity).spinning(turning(f64::from(n))));
        }
        let mut run = Run::new(&settings(Z * -G, 0.8, 0.0), &bodies);
        let log: Vec<_> = run.until(4.0).iter().map(|e| (e.time, e.kind, e.a, e.b, e.impulse)).collect();
        for (n, row) in run.free().into_iter().enumerate() {
            assert_eq!(run.spin(row), turning(n as f64), "body {row}");
        }
        assert_eq!(run.stepper.audit().contact_heat, 0.0);
        log
    };
    let still = scene(0.0);
    assert!(still.len() > 50, "{}", still.len());
    assert_eq!(scene(17.0), still);
}
