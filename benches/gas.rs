//! An elastic gas of spheres at number density 0.5 in a periodic cube: impacts per second, memory and set-up time. Then
//! gases from dilute to solid, and gases of different bodies, each compared with a gas of equal elastic spheres.
//!
//! `cargo bench --bench gas`, or `cargo bench --bench gas -- 1372 108000` for some of the sizes of the first table. The
//! tables can be compared with those of another commit. Rates are medians of batches, because the machine may have
//! other work.

mod common;
#[path = "common/gases.rs"]
mod gases;

use std::time::Instant;

use carom::dynamics::Stepper;
use carom::world::World;

use common::{gas, memory};
use gases::Kind;

/// Cells along each edge of the cube. There are four spheres in each: face-centred cubic.
const SIDES: [u32; 4] = [7, 14, 30, 63];

/// Impacts per sphere that melt the lattice before the measurement starts.
const MELT: usize = 4;

/// Impacts in one measured batch, and the number of batches.
const IMPACTS: usize = 50_000;
const BATCHES: usize = 15;

/// Maximum number of events in the buffer.
const BUFFER: usize = 10_000;

/// Cells along each edge of the gases in the second table.
const SIDE: usize = 14;

/// Packing fractions of the second table: dilute, dense, at freezing and at melting.
const PACKINGS: [f64; 4] = [0.10, 0.262, 0.49, 0.545];

/// Packing fractions of the gases of different bodies, and their kinds. Spheres of spread diameters do not fit on the
/// lattice of a dense gas.
const UNLIKE: [(f64, &[Kind]); 2] = [
    (0.262, &[Kind::Binary, Kind::Spread, Kind::Lossy, Kind::Walls, Kind::Piston, Kind::Cubes]),
    (0.49, &[Kind::Binary, Kind::Lossy, Kind::Walls, Kind::Piston, Kind::Cubes]),
];

fn run(stepper: &mut Stepper, impacts: usize) {
    let target = stepper.now().plus(1e9);
    let mut left = impacts;
    while left > 0 {
        stepper.advance(target, left.min(BUFFER)).unwrap();
        left = left.saturating_sub(stepper.take_events().len());
    }
}

/// Runs one batch, and returns its time, s.
fn batch(stepper: &mut Stepper) -> f64 {
    let start = Instant::now();
    run(stepper, IMPACTS);
    start.elapsed().as_secs_f64()
}

/// A gas of this kind after its lattice has melted.
fn melted(packing: f64, kind: Kind) -> Stepper {
    let (settings, bodies) = gases::gas(SIDE, packing, kind);
    let mut stepper = Stepper::new(settings, &bodies).unwrap();
    run(&mut stepper, MELT * bodies.len());
    stepper
}

/// Time per impact in this gas and in a gas of equal elastic spheres: medians of alternating batches.
fn compare(packing: f64, kind: Kind) {
    let (mut own, mut equal) = (melted(packing, kind), melted(packing, Kind::Equal));
    let times: Vec<[f64; 2]> = (0..BATCHES).map(|_| [batch(&mut own), batch(&mut equal)]).collect();
    let median = |number: fn(&[f64; 2]) -> f64| {
        let mut numbers: Vec<f64> = times.iter().map(number).collect();
        numbers.sort_by(f64::total_cmp);
        numbers[BATCHES / 2]
    };
    let (time, relative) = (1e9 * median(|[own, _]| *own) / IMPACTS as f64, median(|[own, equal]| own / equal));
    println!("| {packing:7} | {:8} | {time:9.0} | {relative:8.2} |", format!("{kind:?}"));
}

/// Makes a value. Returns it with the time that this took, s, and its memory in bytes per sphere.
fn made<T>(count: usize, make: impl FnOnce() -> T) -> (T, f64, usize) {
    let (before, start) = (memory(), Instant::now());
    let made = make();
    (made, start.elapsed().as_secs_f64(), memory().saturating_sub(before) / count)
}

fn measure(side: u32) {
    let count = 4 * side.pow(3) as usize;
    let (settings, spheres) = gas(side);
    let (mut stepper, setup, _) = made(count, || Stepper::new(settings, &spheres).unwrap());
    drop(spheres);
    run(&mut stepper, MELT * count);
    let mut rates: Vec<f64> = (0..BATCHES).map(|_| IMPACTS as f64 / batch(&mut stepper)).collect();
    rates.sort_by(f64::total_cmp);
    let [low, rate, high] = [BATCHES / 10, BATCHES / 2, BATCHES - 1 - BATCHES / 10].map(|row| rates[row]);
    // A copy has no spare capacity and no gaps.
    let (copy, _, bytes) = made(count, || stepper.clone());
    drop((copy, stepper));
    let (settings, spheres) = gas(side);
    let named: Vec<_> = spheres.into_iter().enumerate().map(|(row, body)| (format!("{row:08}"), body)).collect();
    let (_, named_setup, named_bytes) = made(count, || World::new(settings, named).unwrap());
    let time = 1e9 / rate;
    println!(
        "| {count:9} | {rate:11.0} | {low:11.0} – {high:11.0} | {time:9.0} | {bytes:6} | {setup:6.2} | {named_bytes:6} | {named_setup:6.2} |"
    );
}

fn main() {
    let wanted: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    println!("|   spheres | impacts / s |         9 of 10 batches | ns/impact | bytes  | set-up | named  | set-up |");
    println!("|----------:|------------:|------------------------:|----------:|-------:|-------:|-------:|-------:|");
    for side in SIDES {
        if wanted.is_empty() || wanted.contains(&(4 * side.pow(3))) {
            measure(side);
        }
    }
    if wanted.is_empty() {
        println!("\n| packing | gas      | ns/impact | relative |");
        println!("|--------:|----------|----------:|---------:|");
        PACKINGS.into_iter().for_each(|packing| compare(packing, Kind::Equal));
        UNLIKE.into_iter().for_each(|(packing, kinds)| kinds.iter().for_each(|&kind| compare(packing, kind)));
    }
}
