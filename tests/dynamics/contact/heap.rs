//! Heaps: bodies poured into a box come to rest, do not overlap, and gain no energy.

use carom::dynamics::{Body, EventKind, Settings};
use glam::DVec3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::common::Random;
use crate::common::scene::{Run, STUFF, ball, cuboid, plane, scene_files, scene_of, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// Edge of the cell of each body at the start, m.
const CELL: f64 = 0.6;

/// A floor and four walls at the distance `wide` from the middle, open at the top.
fn open_box(wide: f64) -> Vec<Body> {
    vec![plane(Z, 0.0), plane(X, -wide), plane(-X, -wide), plane(Y, -wide), plane(-Y, -wide)]
}

/// The centre of cell `n` in a lattice with nine cells per layer.
fn cell(n: usize) -> DVec3 {
    DVec3::new((n % 3) as f64 - 1.0, (n / 3 % 3) as f64 - 1.0, (n / 9) as f64 + 0.5) * CELL
}

/// A ball or a box with half widths up to 0.25 m, up to 0.05 m off the centre of its cell.
fn body() -> impl Strategy<Value = Body> {
    let half = prop::array::uniform3(0.05..0.25f64);
    let place = prop::array::uniform3(-0.05..0.05f64);
    let velocity = prop::array::uniform3(-1.0..1.0f64);
    (any::<bool>(), half, place, velocity, 0.1..10.0f64).prop_map(|(round, half, place, velocity, mass)| {
        let body = if round { ball(half[0], mass) } else { cuboid(DVec3::from_array(half), mass) };
        body.at(DVec3::from_array(place)).moving(DVec3::from_array(velocity))
    })
}

fn friction() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..1.0f64]
}

/// Lets the bodies fall for five seconds.
fn settles(name: &str, settings: &Settings, bodies: &[Body]) {
    let mut run = Run::new(settings, bodies);
    let (start, mut energy) = (run.energy(), run.energy());
    // On curved surfaces the energy varies by the work of the weights over a rest height. A time step that ends early
    // returns a part of its loss.
    let allowed = 1e-12 * start + 16.0 * run.stepper.balance().mass * 10.0 * run.stepper.settings().rest_height;
    let mut told = Vec::new();
    for look in 1..=100 {
        told.extend(run.until(0.05 * f64::from(look)));
        assert!(run.overlap() <= 1e-9, "{name}: {:e} at look {look}", run.overlap());
        let now = run.energy();
        assert!(now <= energy + allowed, "{name}: {:e} J more at look {look}", now - energy);
        energy = now;
    }
    // Between the samples, a few bodies that slide on or around each other may overlap by a small part of the rest
    // height.
    let deepest = run.stepper.audit().deepest;
    assert!(deepest <= run.stepper.settings().rest_height / 64.0, "{name}: {deepest:e}");
    run.check_books(1e-12 * 1000.0, name);
    run.check_losses(&told, name);
}

// None of 1,500 such heaps fails; 96 take a few seconds.
proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 50, failure_persistence: None, rng_seed: RngSeed::Fixed(2), ..ProptestConfig::default() })]

    #[test]
    fn a_heap_overlaps_nowhere_and_gains_no_energy(
        poured in prop::collection::vec(body(), 5..=40), restitution in 0.0..0.9f64, friction in friction(),
    ) {
        let mut bodies = open_box(1.5 * CELL);
        bodies.extend(poured.into_iter().enumerate().map(|(n, body)| {
            let place = cell(n) + body.position;
            body.at(place)
        }));
        settles("heap", &settings(Z * -10.0, restitution, friction), &bodies);
    }
}

#[test]
fn few_that_go_round_each_other_stay_apart_and_come_to_an_end() {
    let files = scene_files("round_each_other");
    assert_eq!(files.len(), 6);
    for file in files {
        let (title, settings, bodies) = scene_of(&file);
        settles(&format!("{}: {title}", file.display()), &settings, &bodies);
    }
}

#[test]
fn balls_whose_contact_is_struck_again_stay_apart() {
    let [file] = &scene_files("struck_again")[..] else { panic!("one scene") };
    let (_, settings, bodies) = scene_of(file);
    let mut run = Run::new(&settings, &bodies);
    for look in 1..=144 {
        run.until(f64::from(look) / 480.0);
        assert!(run.overlap() < 1e-12, "{:e} at look {look}", run.overlap());
    }
}

/// A hundred balls above an inverted pyramid. It has no floor on which a ball could slide for ever.
fn hopper() -> Vec<Body> {
    let mut random = Random::new(100);
    let lean = |x: f64, y: f64| plane(DVec3::new(0.6 * x, 0.6 * y, 0.8), 0.0);
    let mut bodies = vec![lean(1.0, 0.0), lean(-1.0, 0.0), lean(0.0, 1.0), lean(0.0, -1.0)];
    for n in 0..100 {
        let cell = DVec3::new(f64::from(n % 4) - 1.5, f64::from(n / 4 % 4) - 1.5, f64::from(n / 16) + 3.0);
        let radius = random.between(0.15, 0.22);
        bodies.push(ball(radius, radius * radius * radius).at(cell * 0.5 + random.vector(0.025)));
    }
    bodies
}

fn comes_to_rest(name: &str, settings: &Settings, bodies: &[Body]) {
    let mut run = Run::new(settings, bodies);
    let still =
        |run: &Run| run.free().into_iter().all(|row| (run.velocity(row), run.spin(row)) == (DVec3::ZERO, DVec3::ZERO));
    // The bodies start at rest; after 1 s they are falling.
    let (mut seconds, mut count) = (1.0, run.until(1.0).len());
    while !still(&run) {
        seconds += 1.0;
        assert!(seconds < 1000.0, "{name}: does not come to rest");
        count += run.until(seconds).len();
        assert!(run.overlap() <= 1e-9, "{name}: {:e} at {seconds} s", run.overlap());
    }
    println!("{name}: at rest within {seconds} s, {count} events");
    // One more second, because all bodies may have been still only for an instant.
    run.until(seconds + 1.0);
    let places: Vec<DVec3> = run.free().into_iter().map(|row| run.position(row)).collect();
    assert_eq!(run.until(seconds + 101.0), [], "{name}");
    assert!(still(&run), "{name}");
    assert_eq!(run.free().into_iter().map(|row| run.position(row)).collect::<Vec<_>>(), places, "{name}");
    assert!(run.stepper.audit().count(EventKind::Rest) > 0, "{name}");
    run.check_books(1e-9, name);
}

#[test]
fn a_hundred_balls_come_to_rest_to_the_bit() {
    for friction in [0.0, 0.3] {
        let settings = settings(Z * -10.0, 0.3, friction);
        assert_eq!(settings.materials.friction(STUFF, STUFF), friction);
        comes_to_rest(&format!("friction {friction}"), &settings, &hopper());
    }
}

#[test]
fn the_timestep_changes_no_heap() {
    let settings = settings(Z * -10.0, 0.3, 0.3);
    let log = |steps: u32| {
        let mut run = Run::new(&settings, &hopper());
        (1..=steps).flat_map(|step| run.until(3.0 * f64::from(step) / f64::from(steps))).collect::<Vec<_>>()
    };
    let whole = log(1);
    assert!(whole.len() > 1000, "{}", whole.len());
    for steps in [7, 60, 720] {
        assert_eq!(log(steps), whole, "{steps} steps");
    }
}
