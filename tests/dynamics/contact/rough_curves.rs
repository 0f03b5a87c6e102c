//! A ball with friction goes off a sphere and over an edge: where it begins to slip, where it leaves, and how friction
//! against rolling and spinning changes its spin.
//!
//! Without slip the centre moves along an arc of radius ρ with 7/10 v² = 7/10 v₀² + g ρ (cos φ₀ − cos φ). So the normal
//! force is N = m (g cos φ − v²/ρ), and friction is T = 2/7 m g sin φ. The ball slips where T = μ N, and leaves where
//! N = 0: at cos φ = 10/17 cos φ₀ + 7 v₀²/(17 g ρ).
//!
//! If the ball does not slip because it is smooth, φ″ = g/ρ sin φ, and the spin follows from the stated laws alone: a
//! couple δ N against the part of the spin along the surface, and τ N against that along the normal. These equations
//! are integrated here by the classical Runge–Kutta method.

use carom::dynamics::{Body, BodyId, Event, EventKind, Settings};
use glam::DVec3;

use crate::common::scene::{Run, View, assert_near, ball, cuboid, resisting, settings};

const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;
const G: f64 = 9.81;
const RADIUS: f64 = 0.25;

/// Where a ball begins to roll over a round support around the origin.
#[derive(Debug, Clone, Copy)]
struct Start {
    /// From the origin to the centre of the ball, m: the ball's radius for an edge.
    reach: f64,
    /// Angle from the top.
    angle: f64,
    /// Along the surface, m/s.
    speed: f64,
}

const SPHERE: Start = Start { reach: 1.0, angle: 0.1, speed: 0.0 };
const FAST_ON_SPHERE: Start = Start { reach: 1.0, angle: 0.0, speed: 1.0 };
const EDGE: Start = Start { reach: RADIUS, angle: 0.0, speed: 0.2 };
const FAST_OVER_EDGE: Start = Start { reach: RADIUS, angle: 0.0, speed: 0.8 };

fn normal(angle: f64) -> DVec3 {
    DVec3::new(angle.sin(), 0.0, angle.cos())
}

impl Start {
    fn support(&self) -> Body {
        match self.reach == RADIUS {
            true => cuboid(DVec3::new(1.0, 1.0, 0.5), 1.0).at(DVec3::new(-1.0, 0.0, -0.5)).fixed(),
            false => ball(self.reach - RADIUS, 1.0).fixed(),
        }
    }

    /// A ball that rolls without slip. At an edge it begins on the flat, a tenth of a second before.
    fn rolling(&self) -> [Body; 2] {
        let before = if self.reach == RADIUS { 0.1 * self.speed } else { 0.0 };
        let along = Y.cross(normal(self.angle)) * self.speed;
        let place = normal(self.angle) * self.reach - DVec3::X * before;
        [ball(RADIUS, 0.6).at(place).moving(along).spinning(Y * (self.speed / RADIUS)), self.support()]
    }

    fn square_of_speed(&self, angle: f64) -> f64 {
        self.speed * self.speed + 10.0 / 7.0 * G * self.reach * (self.angle.cos() - angle.cos())
    }

    /// The normal force over the mass, m/s².
    fn pressure(&self, angle: f64) -> f64 {
        G * angle.cos() - self.square_of_speed(angle) / self.reach
    }

    fn slips_at(&self, friction: f64) -> f64 {
        first(|angle| 2.0 / 7.0 * G * angle.sin() - friction * self.pressure(angle))
    }

    fn leaves_at(&self) -> f64 {
        first(|angle| -self.pressure(angle))
    }
}

/// The angle at which a function is first positive. Between 0 and a right angle it increases.
fn first(of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if of(middle) > 0.0 { high = middle } else { low = middle }
    }
    low
}

/// A run with what it has logged, sampled so that heat and overlap are looked at two thousand times.
fn watched(view: View, settings: &Settings, bodies: &[Body], seconds: f64, context: &str) -> (Run, Vec<Event>) {
    let mut run = Run::seen(view, settings, bodies);
    run.stepper.track(BodyId(0));
    let (mut events, mut heat, start) = (Vec::new(), 0.0, run.energy());
    for look in 1..=2000 {
        events.extend(run.until(seconds * f64::from(look) / 2000.0));
        let audit = run.stepper.audit();
        assert!(run.overlap() <= 1e-9, "{context}: {:e} at look {look}", run.overlap());
        // Between two updates, the energy varies by the work of the contact force over some rest heights.
        let trifle = 8.0 * G * settings.rest_height + 16.0 * f64::EPSILON * start.abs();
        assert!(audit.contact_heat >= heat - trifle, "{context}: {:e} J of heat, before {heat:e}", audit.contact_heat);
        heat = audit.contact_heat.max(heat);
    }
    assert_eq!(run.stepper.stepping_totals().time_steps, 0, "{context}");
    run.check_books(1e-12, context);
    (run, events)
}

/// The angle from the top at an event of this kind.
fn angle_at(events: &[Event], kind: EventKind, start: &Start, view: View) -> Option<f64> {
    let event = events.iter().find(|event| event.kind == kind)?;
    // The normal points from the ball to its support.
    let normal = view.back(if event.a == BodyId(0) { -event.normal } else { event.normal });
    assert!(normal.y.abs() < 1e-9, "{start:?}: {normal} {}", event.time);
    Some(normal.x.atan2(normal.z))
}

/// The angles of slip and of leaving differ from the closed forms by the angle of a chord at most, so the differences
/// vanish with the rest height.
fn rolls_off(start: Start, friction: f64, rest_heights: &[f64], view: View) {
    for &rest_height in rest_heights {
        let settings = Settings { rest_height, ..settings(Z * -G, 0.0, friction) };
        let context = format!("{start:?}, friction {friction}, {rest_height} m, {view:?}");
        let (run, events) = watched(view, &settings, &start.rolling(), 1.4, &context);
        // A chord turns by this angle.
        let chord = f64::sqrt(8.0 * rest_height / start.reach);
        let (slips, leaves) = (start.slips_at(friction), start.leaves_at());
        let slip = angle_at(&events, EventKind::Slip, &start, view);
        let left = angle_at(&events, EventKind::Release, &start, view).expect("it leaves");
        if friction >= 1e6 {
            // Just before it leaves, the force is so small that it falls through what is left of its gap, without
            // friction.
            assert!((left - leaves).abs() <= chord, "{context}: leaves at {left} for {leaves}, {chord}");
            let speed = f64::sqrt(start.square_of_speed(leaves));
            let across = run.velocity(0).x - speed * leaves.cos();
            assert!(across.abs() <= chord * speed, "{context}: {across}");
        } else {
            let slip = slip.expect("it slips before it leaves");
            assert!((slip - slips).abs() <= chord, "{context}: slips at {slip} for {slips}, {chord}");
            assert!(left > slip, "{context}");
        }
    }
}

#[test]
fn a_rolling_ball_slips_and_leaves_where_it_should() {
    for start in [SPHERE, FAST_ON_SPHERE, EDGE, FAST_OVER_EDGE] {
        for friction in [0.3, 1.0, 10.0, 1e6] {
            rolls_off(start, friction, &[1e-6, 1e-8, 1e-10], View::PLAIN);
        }
    }
    for (start, friction) in [(SPHERE, 1.0), (FAST_ON_SPHERE, 1e6), (EDGE, 1.0), (EDGE, 1e6)] {
        let tilted = (start.reach > RADIUS).then(View::tilted);
        View::some().into_iter().chain(tilted).for_each(|view| rolls_off(start, friction, &[1e-6, 1e-8], view));
    }
}

/// Angle, its rate and the spin.
type Phase = (f64, f64, DVec3);

/// The spin of a smooth ball on a sphere after some seconds, by the classical Runge–Kutta method.
fn integrated(start: Start, spin: DVec3, [rolling, spinning]: [f64; 2], seconds: f64) -> Phase {
    let inertia = 0.4 * RADIUS * RADIUS;
    let rate = |(angle, turning, spin): Phase| -> Phase {
        let (normal, unit) = (normal(angle), |v: DVec3| if v.length() > 1e-9 { v / v.length() } else { DVec3::ZERO });
        let pressure = (G * angle.cos() - turning * turning * start.reach).max(0.0);
        let along = normal * normal.dot(spin);
        let couple = -(unit(along) * spinning + unit(spin - along) * rolling) * pressure;
        (turning, G / start.reach * angle.sin(), couple / inertia)
    };
    let plus = |a: Phase, b: Phase, h: f64| (a.0 + b.0 * h, a.1 + b.1 * h, a.2 + b.2 * h);
    let steps = 200_000;
    let h = seconds / f64::from(steps);
    let mut now = (start.angle, start.speed / start.reach, spin);
    for _ in 0..steps {
        let a = rate(now);
        let b = rate(plus(now, a, 0.5 * h));
        let c = rate(plus(now, b, 0.5 * h));
        let d = rate(plus(now, c, h));
        now = [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)].into_iter().fold(now, |sum, (k, of)| plus(sum, k, of * h / 6.0));
    }
    now
}

#[test]
fn friction_against_turning_follows_its_law_on_a_curve() {
    let spins = [DVec3::new(-20.0, 0.0, 0.0), DVec3::new(0.0, 20.0, 20.0), DVec3::new(3.0, -7.0, 15.0)];
    for (lengths, spin) in
        [[0.01, 0.0], [0.0, 0.01], [0.004, 0.002]].into_iter().flat_map(|of| spins.map(|spin| (of, spin)))
    {
        let (angle, turning, exact) = integrated(SPHERE, spin, lengths, 0.6);
        for (rest_height, view) in
            [1e-7, 1e-9].into_iter().flat_map(|h| View::some().into_iter().map(move |view| (h, view)))
        {
            let smooth = Settings { rest_height, ..settings(Z * -G, 0.0, 0.0) };
            let settings = resisting(smooth, lengths[0], lengths[1]);
            let context = format!("{lengths:?} m, {spin} rad/s, {rest_height} m, {view:?}");
            let moving = ball(RADIUS, 0.6).at(normal(SPHERE.angle)).spinning(spin);
            let (run, _) = watched(view, &settings, &[moving, SPHERE.support()], 0.6, &context);
            let chord = f64::sqrt(8.0 * rest_height);
            assert_near(run.position(0), normal(angle), chord, &context);
            assert_near(run.velocity(0), Y.cross(normal(angle)) * turning, chord, &context);
            assert_near(run.spin(0), exact, 4.0 * chord * spin.length(), &context);
        }
    }
}

#[test]
fn a_ball_that_rolls_and_spins_over_an_edge_is_never_advanced_by_time_steps() {
    let table = cuboid(DVec3::ONE, 1.0).fixed();
    let moving = |spin: DVec3| ball(RADIUS, 1.0).at(DVec3::new(0.5, 0.0, 1.25)).moving(DVec3::X).spinning(spin);
    for spin in [DVec3::new(-20.0, 4.0, 0.0), DVec3::new(-20.0, 4.0, 9.0), DVec3::new(0.0, 4.0, -30.0)] {
        for [friction, rolling, spinning] in
            [[0.5, 0.0, 0.001], [0.5, 0.001, 0.0], [0.2, 0.001, 0.002], [0.0, 0.001, 0.002]]
        {
            let places = [1e-7, 1e-9].map(|rest_height| {
                let rough = Settings { rest_height, ..settings(Z * -G, 0.0, friction) };
                let context = format!("{spin} rad/s, {friction}, {rolling} m, {spinning} m, {rest_height} m");
                let settings = resisting(rough, rolling, spinning);
                let (run, _) = watched(View::PLAIN, &settings, &[moving(spin), table.clone()], 1.0, &context);
                run.position(0)
            });
            assert_near(places[0], places[1], 4.0 * f64::sqrt(8.0 * 1e-7 / RADIUS), &format!("{spin} {friction}"));
        }
    }
}
