//! A ball slides off a curved surface without friction. The tests check where it leaves, the error, and how both depend
//! on the rest height.
//!
//! With the initial speed v₀ at the top, the centre of the ball moves along an arc of radius ρ with v² = v₀² + 2 g ρ
//! (1 − cos φ). The normal force m (g cos φ − v²/ρ) becomes zero at cos φ = 2/3 + v₀²/(3 g ρ). ρ is R + r on a sphere
//! and r at an edge.
//!
//! A path that follows a curved surface to within the rest height h consists of chords, each of which turns by √(2h/ρ).
//! At the end of a chord the ball is h above the surface and rises with v √(2h/ρ). The part of the velocity across the
//! chords is lost, √(2h/ρ) of the kinetic energy per radian. Near the end the normal force is 3 m g sin φ · Δφ, with Δφ
//! the remaining angle, and the flight after a chord lasts 2 v √(2h/ρ)/(3 g sin φ Δφ). The last flight covers Δφ: with
//! v² = g ρ cos φ that is Δφ² = (2 cos φ/3 sin φ) √(2h/ρ). The error of the cosine is √(⅔ cos φ sin φ √(2h/ρ)), which
//! is of order h^¼.

use carom::dynamics::{Body, BodyId, Settings};
use glam::DVec3;

use crate::common::scene::{Run, View, assert_near, ball, cuboid, settings};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;
const G: f64 = 10.0;
const RADIUS: f64 = 0.25;
/// At this time the ball has left the surface and falls freely, s.
const END: f64 = 4.0;

/// A round support whose top is at x = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Round {
    Sphere,
    Edge,
}

impl Round {
    /// Distance from the pivot at the origin to the ball's centre, m.
    fn reach(self) -> f64 {
        match self {
            Self::Sphere => 1.0,
            Self::Edge => RADIUS,
        }
    }

    /// The ball on top, or half a metre before the edge, and its support.
    fn bodies(self, speed: f64) -> [Body; 2] {
        let (before, support) = match self {
            Self::Sphere => (0.0, ball(1.0 - RADIUS, 1.0).fixed()),
            Self::Edge => (0.5, cuboid(DVec3::new(1.0, 1.0, 0.5), 1.0).at(DVec3::new(-1.0, 0.0, -0.5)).fixed()),
        };
        [ball(RADIUS, 2.0).at(DVec3::new(-before, 0.0, self.reach())).moving(X * speed), support]
    }
}

struct Traverse {
    /// cos φ at the last change of the path.
    cosine: f64,
    /// Energy lost, J.
    lost: f64,
    /// Horizontal velocity, m/s.
    across: f64,
    knots: usize,
}

/// Runs the scene with ten thousand samples. The ball never overlaps the support and never has more energy than at the
/// start.
fn traverse(round: Round, speed: f64, settings: &Settings, view: View, context: &str) -> Traverse {
    let mut run = Run::seen(view, settings, &round.bodies(speed));
    run.stepper.track(BodyId(0));
    let (start, mut before) = (run.energy(), run.energy());
    for look in 1..=10_000 {
        run.until(END * f64::from(look) / 10_000.0);
        assert!(run.overlap() <= 1e-9, "{context}: {:e} at look {look}", run.overlap());
        let energy = run.energy();
        // The energy varies by the work of the weight over a rest height, and by the rounding of the energies of a fall
        // over some tens of metres.
        let allowed = 2.0 * G * settings.rest_height + 1e-12 * 1000.0;
        assert!(energy <= start + allowed, "{context}: {:e} J more at look {look}", energy - start);
        before = energy;
    }
    run.check_books(1e-12, context);
    let knots = run.stepper.take_knots();
    let place = view.back(knots.last().expect("a path").path.position);
    let cosine = place.z / f64::sqrt(place.x * place.x + place.z * place.z);
    Traverse { cosine, lost: start - before, across: run.velocity(0).x, knots: knots.len() }
}

fn slides_off(round: Round, speed: f64, restitution: f64, view: View) {
    let reach = round.reach();
    let leaves = 2.0 / 3.0 + speed * speed / (3.0 * G * reach);
    let exact_speed = f64::sqrt(G * reach * leaves);
    for rest_height in [1e-6, 1e-8] {
        let settings = Settings { rest_height, ..settings(Z * -G, restitution, 0.0) };
        let context = format!("{round:?}, {speed} m/s, restitution {restitution}, {rest_height} m, {view:?}");
        let found = traverse(round, speed, &settings, view, &context);
        let error = (found.cosine - leaves).abs();
        // A path keeps so close to its surface, and ends where its force vanishes. A ball without loss hops, and the
        // last hop subtends twice this angle.
        let off = if restitution < 1.0 { 2.0 * rest_height / reach } else { f64::sqrt(2.0 * rest_height / reach) };
        assert!(error <= off, "{context}: leaves at {} for {leaves}", found.cosine);
        // The work of the weight over a few rest heights.
        assert!(found.lost <= 4.0 * 2.0 * G * rest_height, "{context}: {:e} J lost", found.lost);
        let across = (found.across - exact_speed * leaves).abs();
        assert!(across <= exact_speed * off, "{context}: {} m/s", found.across);
        // The chords or hops of at most one radian. A hundredth of the rest height gives ten times as many.
        let most = 2000.0 * f64::sqrt(1e-6 / rest_height);
        assert!((found.knots as f64) < most, "{context}: {} paths", found.knots);
    }
}

#[test]
fn a_ball_leaves_a_sphere_where_it_should() {
    for (speed, restitution) in [(0.1, 0.0), (0.1, 0.5), (0.1, 1.0), (0.5, 0.5), (1.5, 0.5), (2.5, 0.5)] {
        for view in View::some().into_iter().chain([View::tilted()]) {
            slides_off(Round::Sphere, speed, restitution, view);
        }
    }
}

#[test]
fn a_ball_leaves_an_edge_where_it_should() {
    for (speed, restitution) in [(0.25, 0.5), (0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (1.0, 0.5)] {
        View::some().into_iter().for_each(|view| slides_off(Round::Edge, speed, restitution, view));
    }
}

#[test]
fn a_fast_ball_leaves_the_top_at_once() {
    // The condition to leave at once is v₀² > g ρ.
    for (round, speed, leaves) in [(Round::Sphere, 3.5, 0.0), (Round::Edge, 2.0, 0.25), (Round::Sphere, 100.0, 0.0)] {
        for view in View::some() {
            let mut run = Run::seen(view, &settings(Z * -G, 0.5, 0.0), &round.bodies(speed));
            run.stepper.track(BodyId(0));
            run.until(leaves + 0.5);
            let place = DVec3::new(0.5 * speed, 0.0, round.reach() - 0.5 * G * 0.25);
            let context = format!("{round:?} at {speed} m/s, {view:?}");
            assert_near(run.position(0), place, 1e-14 * (1.0 + speed), &context);
            assert!(run.stepper.take_knots().len() <= 4, "{context}: one flight");
            run.check_books(1e-14, &context);
        }
    }
}

/// Without a rest height every bounce is followed, and curved surfaces are as with the default.
#[test]
fn a_ball_goes_around_an_edge_without_a_rest_height() {
    let place = |rest_height: f64| {
        let settings = Settings { rest_height, ..settings(Z * -G, 0.0, 0.0) };
        let mut run = Run::seen(View::PLAIN, &settings, &Round::Edge.bodies(0.25));
        run.until(0.6);
        run.check_books(1e-12, "around an edge");
        run.position(0)
    };
    assert_near(place(0.0), place(1e-6), 1e-6, "without and with a rest height");
}
