//! Numbers of every allowed size and beyond: a world works or reports an error. It never panics and never hangs.

use std::sync::Arc;

use carom::dynamics::{Body, Period, Progress, RunError, Settings, Space, Stepper};
use carom::geometry::Mesh;
use carom::motion::SimTime;
use carom::world::World;
use glam::DVec3;

use crate::common::Random;
use crate::common::scene::{STUFF, settings};

/// Zero, or a number between 10 to the power `low` and 10 to the power `high`, of any order of magnitude.
fn size(random: &mut Random, low: f64, high: f64) -> f64 {
    if random.below(12) == 0 { 0.0 } else { 10_f64.powf(random.between(low, high)) }
}

/// A vector of about this length, along an axis or in any direction.
fn vector(random: &mut Random, length: f64) -> DVec3 {
    match random.below(3) {
        0 => DVec3::AXES[random.below(3)] * if random.below(2) == 0 { length } else { -length },
        _ => random.vector(length),
    }
}

/// The range of sizes in a world, as powers of ten.
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// The whole range, a range around 1, or a random range of up to twenty decades.
    fn any(random: &mut Random) -> Self {
        let (low, high) = (random.between(-76.0, 76.0), random.between(0.0, 20.0));
        match random.below(4) {
            0 => Self { low: -76.0, high: 76.0 },
            1 => Self { low: -9.0, high: 9.0 },
            _ => Self { low, high: low + high },
        }
    }

    fn pick(&self, random: &mut Random) -> f64 {
        size(random, self.low, self.high)
    }
}

fn world(random: &mut Random) -> (Settings, Vec<Body>, f64) {
    let [lengths, speeds, others] = [(); 3].map(|()| Range::any(random));
    let length = |random: &mut Random| lengths.pick(random);
    let strength = if random.below(2) == 0 { 0.0 } else { others.pick(random) };
    let gravity = vector(random, strength);
    let (restitution, friction) = (random.unit(), if random.below(2) == 0 { 0.0 } else { random.unit() });
    let mut settings = Settings { impacts_max: 300, ..settings(gravity, restitution, friction) };
    if random.below(2) == 0 {
        settings.rest_height = length(random);
    }
    if random.below(3) == 0 {
        let period = length(random).max(1e-300);
        settings.space = Space { periods: [Some(Period { min: 0.0, max: period }), None, None], ..Space::default() };
    }
    let mut bodies = Vec::new();
    for _ in 0..1 + random.below(4) {
        let mass = size(random, -70.0, 70.0).max(1e-70);
        let radius = length(random).max(1e-80);
        let body = match random.below(6) {
            0 => Body::plane(DVec3::Z, 0.0).map(Body::fixed),
            1 => Body::cuboid(DVec3::new(radius, length(random).max(1e-80), radius), mass),
            2 => {
                let corners = [DVec3::ZERO, DVec3::X, DVec3::Y].map(|corner| corner * radius);
                match Mesh::new(&corners, &[[0, 1, 2]]) {
                    Ok(mesh) => Ok(Body::mesh(Arc::new(mesh))),
                    Err(_) => continue,
                }
            }
            _ => Body::sphere(radius, mass),
        };
        let Ok(body) = body else { continue };
        let (place, speed, turn) = (length(random), speeds.pick(random), others.pick(random));
        let mut body = body.made_of(STUFF).at(vector(random, place));
        if body.is_free() {
            body = body.moving(vector(random, speed)).spinning(vector(random, turn));
            if random.below(6) == 0 {
                body = body.kinematic();
            }
        }
        bodies.push(body);
    }
    let seconds = size(random, -20.0, 15.5).min(4e12);
    // Each crossing of a period takes some time, so worlds with very many crossings get no periods.
    let crosses = |period: Period| {
        let pull = gravity.length() * seconds * seconds;
        bodies.iter().any(|body| body.velocity.length() * seconds + pull > 1e4 * period.length())
    };
    if settings.space.periods[0].is_some_and(crosses) {
        settings.space = Space::default();
    }
    (settings, bodies, seconds)
}

/// Whether the world was made, and whether its run reached the end.
fn goes(settings: &Settings, bodies: &[Body], seconds: f64) -> [bool; 2] {
    let Ok(mut stepper) = Stepper::new(settings.clone(), bodies) else { return [false; 2] };
    for step in 1..=3 {
        let target = SimTime::from_seconds(seconds * f64::from(step) / 3.0);
        match stepper.advance(target, 200) {
            Ok(Progress::Reached) => {}
            Ok(_) => return [true, false],
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return [true, false];
            }
        }
        for id in (0..bodies.len() as u32).map(carom::dynamics::BodyId) {
            let state = stepper.state(id);
            assert!(state.position.is_finite() && state.velocity.is_finite() && state.spin.is_finite(), "{state:?}");
        }
    }
    [true, true]
}

#[test]
fn worlds_of_any_magnitude_work_or_say_why_not() {
    let (mut made, mut done) = (0, 0);
    for seed in 0..2000 {
        let (settings, bodies, seconds) = world(&mut Random::new(seed));
        println!("seed {seed}");
        let [is_made, is_done] = goes(&settings, &bodies, seconds);
        (made, done) = (made + usize::from(is_made), done + usize::from(is_done));
    }
    // In most of the other worlds, a body would be too fast for its size, or wider than a period.
    assert!(made > 700 && done > 700, "{made} worlds, of which {done} came to their end");
}

#[test]
fn too_many_periods_are_refused_where_they_cannot_be_counted() {
    let space = Space { periods: [Some(Period { min: 0.0, max: 1.0 }), None, None], ..Space::default() };
    let settings = || Settings { space, ..Settings::default() };
    let ball = |x: f64| Body::sphere(0.1, 1.0).unwrap().at(DVec3::X * x);
    for (x, counts) in [(0.5, true), (1e9, true), (-1e9, true), (1.1e9, false), (-1e10, false), (1e60, false)] {
        let stepper = Stepper::new(settings(), &[ball(x)]);
        assert_eq!(stepper.is_ok(), counts, "{x}");
        let mut empty = Stepper::new(settings(), &[]).unwrap();
        assert_eq!(empty.spawn(&ball(x)).is_ok(), counts, "{x}");
        let error = World::new(settings(), [("far", ball(x))]).err().map(|error| error.to_string());
        let wanted = "`far` is 2^30 periods from the periodic cell, or more: place it in the cell";
        assert_eq!(error.as_deref(), (!counts).then_some(wanted));
        if counts {
            assert!((stepper.unwrap().state(carom::dynamics::BodyId(0)).position.x - x.rem_euclid(1.0)).abs() < 1e-12);
        }
    }
    // A hundred periods before the last period that the world can count.
    let mut stepper = Stepper::new(settings(), &[ball(1_073_741_724.5).moving(DVec3::X)]).unwrap();
    stepper.advance(SimTime::from_seconds(90.0), usize::MAX).unwrap();
    let error = stepper.advance(SimTime::from_seconds(110.0), usize::MAX).unwrap_err();
    assert!(matches!(error, RunError::TooFar { .. }), "{error}");
}

#[test]
fn no_body_is_wider_than_a_period() {
    let space = Space { periods: [Some(Period { min: 0.0, max: 1.0 }), None, None], ..Space::default() };
    let settings = || Settings { space, ..Settings::default() };
    let ball = |radius: f64| Body::sphere(radius, 1.0).unwrap();
    let slab = |x: f64| Body::cuboid(DVec3::new(x, 9.0, 1.0), 1.0).unwrap();
    let sheet = |x: f64| Body::mesh(Mesh::new(&[DVec3::ZERO, DVec3::X * x, DVec3::Y * 9.0], &[[0, 1, 2]]).unwrap());
    let rows = [
        (ball(0.4), None),
        (ball(0.5), None),
        (ball(1.0), Some(2.0)),
        (slab(0.5), None),
        (slab(0.5).fixed(), None),
        (slab(0.75).kinematic(), Some(1.5)),
        (slab(1000.0).fixed(), Some(2000.0)),
        (slab(1e69).fixed().sensor(), Some(2e69)),
        // A mesh may begin at its position.
        (sheet(0.75), None),
        (sheet(1.25), Some(1.25)),
        (Body::plane(DVec3::Z, 0.0).unwrap(), None),
    ];
    for (body, width) in rows {
        let wanted = width.map(|width| {
            let width = carom::numeric::shown(width);
            format!(
                "`it` is {width} m wide along x, where space repeats every 1 m: make it smaller or the period longer"
            )
        });
        let made = World::new(settings(), [("it", body.clone())]);
        assert_eq!(made.err().map(|error| error.to_string()), wanted);
        let mut empty = World::new(settings(), Vec::<(String, Body)>::new()).unwrap();
        assert_eq!(empty.spawn("it", &body).err().map(|error| error.to_string()), wanted);
        assert_eq!(Stepper::new(settings(), &[body]).is_err(), wanted.is_some());
    }
}

#[test]
fn a_body_may_be_as_wide_as_the_period() {
    let space = Space { periods: [Some(Period { min: 0.0, max: 1.0 }), None, None], ..Space::default() };
    let bar = Body::cuboid(DVec3::new(0.5, 1.0, 1.0), 1.0).unwrap().fixed();
    let ball = Body::sphere(0.25, 1.0).unwrap().at(DVec3::new(0.3, 0.0, 3.0)).moving(DVec3::new(0.5, 0.0, -1.0));
    let mut stepper = Stepper::new(Settings { space, ..Settings::default() }, &[bar, ball]).unwrap();
    stepper.advance(SimTime::from_seconds(3.0), usize::MAX).unwrap();
    let times: Vec<f64> = stepper.take_events().iter().map(|event| event.time.seconds()).collect();
    assert_eq!(times, [1.75]);
}

#[test]
fn gravity_may_be_next_to_nothing() {
    for gravity in [1e-30, 1e-35, 1e-36, 1e-70, 1e-150, 1e-200, 1e-300, 5e-324] {
        let settings = settings(DVec3::Z * -gravity, 0.5, 0.5);
        // Three balls that meet at once, and again after each bounce off the floor.
        let mut bodies = vec![Body::plane(DVec3::Z, 0.0).unwrap().made_of(STUFF)];
        bodies.extend([0.0, 0.9, 1.8].map(|x| {
            Body::sphere(0.5, 1.0).unwrap().made_of(STUFF).at(DVec3::new(x, 0.5 * x, 0.5)).moving(DVec3::X * (1.0 - x))
        }));
        let mut stepper = Stepper::new(settings, &bodies).unwrap();
        for seconds in [1.0, 10.0, 1e6, 1e12] {
            stepper.advance(SimTime::from_seconds(seconds), usize::MAX).unwrap();
        }
        assert!(stepper.balance().kinetic.is_finite());
    }
}
