//! A heap can start from the positions that a run has reached: any overlap that time steps leave is valid at the start.

use carom::dynamics::{Body, Settings, State, Stepper};
use carom::motion::SimTime;

use crate::common::scene::STUFF;
use crate::common::{Random, is_thorough};
use crate::geometry::deepest;
use crate::scene::{Mix, Recipe, X, Y, Z, chamber, moved, states};

/// Largest overlap, divided by the half width of the smaller body.
const OVERLAP_MAX: f64 = 1e-9;

/// The duration of each fall (s), the number of new starts from it, and the duration after each new start (s).
const SECONDS: f64 = 2.0;
const STARTS: u32 = 40;
const SECONDS_MORE: f64 = 0.1;

fn heap(seed: u64) -> (String, Settings, Vec<Body>) {
    let mut random = Random::new(seed);
    let recipe = Recipe {
        mix: Mix::ALL[seed as usize % 3],
        count: 80,
        half: 0.1,
        widths: random.between(1.0, 3.0),
        masses: random.between(1.0, 10.0),
        restitution: random.between(0.0, 0.6),
        friction: if seed.is_multiple_of(2) { 0.0 } else { random.between(0.2, 1.0) },
        turning: 0.0,
        speed: 0.5,
    };
    let walls = chamber((X + Y) * recipe.cell() * 1.5 + Z * recipe.layers(3) as f64 * recipe.cell(), STUFF);
    let mut bodies = moved(walls, Z * recipe.half);
    bodies.extend(recipe.poured(&mut random, 3, Z * (2.0 * recipe.half)));
    (format!("{seed}: {recipe}"), recipe.settings(), bodies)
}

/// The deepest overlap after a further run of bodies that start from the present states of `run`.
fn overlap_after(settings: &Settings, bodies: &[Body], run: &Stepper) -> Result<f64, String> {
    let placed = |(body, state): (&Body, _)| put(body, state);
    let bodies: Vec<Body> = bodies.iter().zip(states(run)).map(placed).collect();
    let mut again = Stepper::new(settings.clone(), &bodies).map_err(|error| error.to_string())?;
    again.advance(SimTime::from_seconds(SECONDS_MORE), usize::MAX).map_err(|error| error.to_string())?;
    let places: Vec<_> = states(&again).iter().map(|state| state.position).collect();
    Ok(deepest(&bodies, &places).map_or(0.0, |(_, _, depth)| depth))
}

fn put(body: &Body, state: State) -> Body {
    body.clone().at(state.position).moving(state.velocity).spinning(state.spin)
}

#[test]
fn every_state_of_a_heap_is_a_valid_start() {
    let (mut faults, mut overlapping) = (Vec::new(), 0);
    // Most heaps are free of overlap to rounding; that of seed 28 is not.
    for (name, settings, bodies) in (if is_thorough() { 0..60 } else { 21..30 }).map(heap) {
        let mut run = Stepper::new(settings.clone(), &bodies).expect("a valid start");
        for start in 1..=STARTS {
            let time = f64::from(start) / f64::from(STARTS) * SECONDS;
            run.advance(SimTime::from_seconds(time), usize::MAX).unwrap();
            let places: Vec<_> = states(&run).iter().map(|state| state.position).collect();
            overlapping += usize::from(deepest(&bodies, &places).is_some_and(|(_, _, depth)| depth > 1e-13));
            match overlap_after(&settings, &bodies, &run) {
                Ok(depth) if depth <= OVERLAP_MAX => {}
                found => faults.push(format!("{name}, at {time} s: {found:?}")),
            }
        }
    }
    assert!(overlapping > 0, "no state has an overlap, so the test shows nothing");
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}
