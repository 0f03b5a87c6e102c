//! A ball that spins and rolls without slip on top of a fixed sphere obeys the equations of a heavy symmetrical top
//! (Routh, *Dynamics of a System of Rigid Bodies, Advanced Part*, 1905, ch. V).
//!
//! With the unit vector n to the centre of the ball, the distance L = R + r of the centres and the spin s about n: K
//! n × n̈ + c ṅ + g n × k = 0 with K = 7 L/5 and c = 2 r s/5, and s is constant. The centre moves around the axis at
//! the polar angle θ with the rate λ from K λ² cos θ − c λ + g = 0. At the top the ball is stable if c² > 4 K g, that
//! is s² > 35 g L/r².

use carom::dynamics::{Body, EventKind, Settings};
use glam::DVec3;

use crate::common::scene::{Run, View, ball, settings};

const Z: DVec3 = DVec3::Z;
const G: f64 = 10.0;
const RADIUS: f64 = 0.25;
const MASS: f64 = 2.0;
/// Distance of the centres, m.
const REACH: f64 = 1.0;
const STIFFNESS: f64 = 1.4 * REACH;

/// The ball and the sphere. The ball's centre is in the direction n, which changes at `rate`; the ball spins about n.
fn bodies(n: DVec3, rate: DVec3, spin: f64) -> [Body; 2] {
    let turning = n.cross(rate) * (REACH / RADIUS) + n * spin;
    let top = ball(RADIUS, MASS).at(n * REACH).moving(rate * REACH).spinning(turning);
    [top, ball(REACH - RADIUS, 1.0).fixed()]
}

fn rough(rest_height: f64) -> Settings {
    Settings { rest_height, ..settings(Z * -G, 0.0, 4.0) }
}

/// The polar angle and the azimuth, rad.
fn angles(place: DVec3) -> (f64, f64) {
    (f64::atan2(place.truncate().length(), place.z), f64::atan2(place.y, place.x))
}

#[test]
fn a_spinning_ball_goes_round_the_top_of_a_sphere() {
    let tilt: f64 = 0.2;
    let (sine, cosine) = tilt.sin_cos();
    let drag = 8.0;
    let spin = drag * 2.5 / RADIUS;
    let root = f64::sqrt(drag * drag - 4.0 * STIFFNESS * G * cosine);
    for (sign, rest_height) in [(-1.0, 1e-6), (1.0, 1e-6), (-1.0, 1e-8), (1.0, 1e-8)] {
        let rate = (drag + sign * root) / (2.0 * STIFFNESS * cosine);
        for view in View::some().into_iter().take(2) {
            let start = bodies(DVec3::new(sine, 0.0, cosine), DVec3::Y * (rate * sine), spin);
            let mut run = Run::seen(view, &rough(rest_height), &start);
            let before = run.energy();
            let context = format!("{rate} rad/s, {rest_height} m, {view:?}");
            let mut events = Vec::new();
            for look in 1..=100 {
                let time = 0.02 * f64::from(look);
                events.extend(run.until(time));
                let (polar, azimuth) = angles(run.position(0));
                let own = run.spin(0).dot(run.position(0).normalize());
                let gained = run.energy() - before;
                assert!((polar - tilt).abs() <= 50.0 * rest_height, "{context}: {polar} rad at {time} s");
                assert!((azimuth - rate * time).sin().abs() <= 200.0 * rest_height, "{context}: {azimuth} at {time} s");
                assert!((own - spin).abs() <= spin * rest_height / REACH, "{context}: {own} rad/s at {time} s");
                // Between events the energy varies by the work of the forces over some rest heights. The surface of the
                // ball is ten to fifty times as fast as its centre.
                assert!(gained.abs() <= 10.0 * MASS * G * rest_height, "{context}: {gained:e} J more at {time} s");
            }
            let slips = events.iter().filter(|event| event.kind == EventKind::Slip).count();
            assert_eq!(slips, 0, "{context}");
        }
    }
}

/// Below the limiting spin the ball falls. Above it, a ball that starts at rest moves away from the top by at most
/// c/√(c² − 4 K g) times its initial angle.
#[test]
fn a_ball_sleeps_on_top_if_it_spins_fast_enough() {
    let limit = f64::sqrt(4.0 * STIFFNESS * G);
    let widest = |drag: f64| {
        let start = bodies(DVec3::new(0.01, 0.0, f64::sqrt(1.0 - 1e-4)), DVec3::ZERO, drag * 2.5 / RADIUS);
        let mut run = Run::new(&rough(1e-6), &start);
        (1..=200).fold(0.0, |widest: f64, look| {
            run.until(0.05 * f64::from(look));
            widest.max(angles(run.position(0)).0)
        })
    };
    assert!(widest(0.95 * limit) > 0.5, "{}", widest(0.95 * limit));
    for share in [1.05, 1.2] {
        let drag = share * limit;
        let expected = 0.01 * drag / f64::sqrt(drag * drag - limit * limit);
        assert!((widest(drag) - expected).abs() <= 0.01 * expected, "{} for {expected}", widest(drag));
    }
}
