//! Time until a heap of balls is at rest in a box, and its cost after that; time until a granular gas has cooled.
//!
//! `cargo bench --bench heap`, or `cargo bench --bench heap -- 60` to stop each row after 60 s instead of its own
//! limit. Each row is one run: repeated runs are identical.

use std::time::Instant;

use carom::dynamics::{Body, BodyId, EventKind, MaterialId, Materials, Period, Restitution, Settings, Space, Stepper};
use carom::motion::SimTime;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RADIUS: f64 = 0.05;
const STEP: f64 = 1.0 / 60.0;
/// Simulated time after which a heap that still moves is stopped, s.
const SIMULATED_MAX: f64 = 600.0;
/// Number of steps without motion after which a heap counts as at rest. Shorter pauses occur while it settles.
const STEPS_STILL: u32 = 60;
/// Steps over which the cost of a sleeping heap is measured.
const STEPS_ASLEEP: u32 = 10_000;

fn settings(restitution: f64) -> Settings {
    let mut materials = Materials::default();
    materials.add(Restitution::new(restitution).unwrap());
    Settings { materials, ..Settings::default() }
}

fn stuff(body: Body) -> Body {
    body.made_of(MaterialId(1))
}

/// A box with a square of `side` × `side` balls and `layers` layers above its floor. Each ball is slightly off its
/// place in the lattice.
fn heap(side: u32, layers: u32) -> Stepper {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (spacing, wide) = (2.2 * RADIUS, 1.1 * RADIUS * f64::from(side));
    let wall = |normal: DVec3, offset: f64| stuff(Body::plane(normal, offset).unwrap());
    let mut bodies = vec![wall(DVec3::Z, 0.0)];
    for axis in [DVec3::X, DVec3::Y] {
        bodies.extend([wall(axis, -wide), wall(-axis, -wide)]);
    }
    for n in 0..side * side * layers {
        let cell = DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
        let off = DVec3::from_array(std::array::from_fn(|_| random.random_range(-0.08..0.08))) * RADIUS;
        let place = (cell + 0.5) * spacing - DVec3::new(wide, wide, -2.0 * RADIUS) + off;
        bodies.push(stuff(Body::sphere(RADIUS, 0.5).unwrap().at(place)));
    }
    Stepper::new(Settings { gravity: DVec3::Z * -9.81, ..settings(0.3) }, &bodies).unwrap()
}

/// Balls of diameter 1, one per 5 m³ of a periodic cube, with zero total momentum.
fn gas(side: u32, layers: u32) -> Stepper {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (count, spacing) = (side * side * layers, f64::cbrt(5.0));
    let any = |random: &mut ChaCha8Rng| DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)));
    let velocities: Vec<DVec3> = (0..count).map(|_| any(&mut random)).collect();
    let mean = velocities.iter().sum::<DVec3>() / f64::from(count);
    let bodies = (0..count).zip(velocities).map(|(n, velocity)| {
        let cell = DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
        stuff(Body::sphere(0.5, 1.0).unwrap().at((cell + 0.5) * spacing).moving(velocity - mean))
    });
    let period = |cells: u32| Some(Period { min: 0.0, max: f64::from(cells) * spacing });
    let space = Space { periods: [period(side), period(side), period(layers)], ..Space::default() };
    Stepper::new(Settings { space, ..settings(0.5) }, &bodies.collect::<Vec<_>>()).unwrap()
}

fn ids(stepper: &Stepper) -> impl Iterator<Item = BodyId> + use<> {
    (0..stepper.count() as u32).map(BodyId)
}

fn moving(stepper: &Stepper) -> usize {
    ids(stepper).filter(|&id| stepper.state(id).velocity != DVec3::ZERO).count()
}

/// The deepest overlap, divided by the radius: of two balls now, or of any two bodies at an impact.
fn deepest(stepper: &Stepper) -> f64 {
    let places: Vec<DVec3> = ids(stepper).skip(5).map(|id| stepper.state(id).position).collect();
    let mut nearest = f64::INFINITY;
    for (n, a) in places.iter().enumerate() {
        nearest = places[..n].iter().map(|b| a.distance_squared(*b)).fold(nearest, f64::min);
    }
    stepper.audit().deepest.max(2.0 * RADIUS - nearest.sqrt()) / RADIUS
}

/// Steps until `done`, the limit, or an error. Returns the computing time in seconds, the number of events, and how it
/// ended.
fn run(stepper: &mut Stepper, step: f64, limit: f64, mut done: impl FnMut(&Stepper) -> bool) -> (f64, usize, String) {
    let (start, mut events) = (Instant::now(), 0);
    loop {
        let target = stepper.now().plus(step);
        let outcome = stepper.advance(target, usize::MAX);
        events += stepper.take_events().len();
        let spent = start.elapsed().as_secs_f64();
        if let Err(error) = outcome {
            return (spent, events, error.to_string());
        }
        if done(stepper) {
            return (spent, events, "done".to_owned());
        }
        if spent > limit {
            return (spent, events, "out of time".to_owned());
        }
    }
}

fn heaps(limit: Option<f64>) {
    println!("heap     computing s  simulated s     events  overlap/radius  µs a step asleep  end");
    for (side, layers, own_limit) in [(5, 4, 60.0), (10, 10, 300.0), (20, 25, 1800.0)] {
        let mut stepper = heap(side, layers);
        let mut steps_still = 0;
        let still = |stepper: &Stepper| {
            steps_still = if moving(stepper) == 0 { steps_still + 1 } else { 0 };
            steps_still == STEPS_STILL || stepper.now() >= SimTime::from_seconds(SIMULATED_MAX)
        };
        let (spent, events, end) = run(&mut stepper, STEP, limit.unwrap_or(own_limit), still);
        let (simulated, left) = (stepper.now().seconds(), moving(&stepper));
        let asleep = if left == 0 { format!("{:.2}", asleep(&mut stepper)) } else { "-".to_owned() };
        let end = if left == 0 { end } else { format!("{end}, {left} still move") };
        let overlap = deepest(&stepper);
        println!(
            "{:<8} {spent:>11.2}  {simulated:>11.2}  {events:>9}  {overlap:>14.1e}  {asleep:>16}  {end}",
            side * side * layers
        );
    }
}

/// Time of a step in which nothing happens, µs.
fn asleep(stepper: &mut Stepper) -> f64 {
    let start = Instant::now();
    for _ in 0..STEPS_ASLEEP {
        let target = stepper.now().plus(STEP);
        stepper.advance(target, usize::MAX).unwrap();
    }
    assert!(stepper.take_events().is_empty(), "a heap at rest stays so");
    start.elapsed().as_secs_f64() * 1e6 / f64::from(STEPS_ASLEEP)
}

fn gases(limit: Option<f64>) {
    println!("gas      computing s  simulated s     events  collapses  energy left  end");
    for (side, layers, own_limit) in [(10, 10, 60.0), (20, 25, 600.0)] {
        let mut stepper = gas(side, layers);
        let start = stepper.balance().kinetic;
        let cold = |stepper: &Stepper| stepper.balance().kinetic <= 1e-4 * start;
        let (spent, events, end) = run(&mut stepper, 1.0, limit.unwrap_or(own_limit), cold);
        let (simulated, left) = (stepper.now().seconds(), stepper.balance().kinetic / start);
        let collapses = stepper.audit().count(EventKind::Collapse);
        println!(
            "{:<8} {spent:>11.2}  {simulated:>11.2}  {events:>9}  {collapses:>9}  {left:>11.1e}  {end}",
            side * side * layers
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // When this file is built and run as a test, it measures nothing.
    if arguments.iter().any(|argument| argument == "--bench") {
        let limit = arguments.iter().find_map(|argument| argument.parse().ok());
        heaps(limit);
        gases(limit);
    }
}
