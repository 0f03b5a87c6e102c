//! A hundred million impacts of an elastic gas: are energy and momentum conserved, and do balls never overlap?
//!
//! `cargo run --release --example long_gas` takes a few minutes. A number after `--` sets another count of impacts. The
//! example fails if the energy or the momentum drifts by a relative 1e-12, or if two balls overlap by 1e-12 of a
//! diameter, either at an impact or at the end, when all pairs and images are checked.

use std::error::Error;
use std::process::ExitCode;

use carom::{Body, Period, Settings, Space, World};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Balls along each edge of the cube. They start on a lattice, and their diameter is 1 m.
const SIDE: u32 = 10;
/// Length of the period, m: number density 0.5.
const LENGTH: f64 = 12.599_210_498_948_732;
const IMPACTS: u64 = 100_000_000;
const DRIFT_MAX: f64 = 1e-12;
/// Impacts between two reports.
const REPORT: u64 = 5_000_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let wanted = std::env::args().nth(1).map_or(Ok(IMPACTS), |count| count.parse())?;
    let mut world = gas()?;
    let start = world.balance();
    let (mut impacts, mut said) = (0, 0);
    let mut worst = [0.0_f64; 2];
    while impacts < wanted {
        world.advance(world.now().plus(1e6), 100_000)?;
        impacts += world.take_events().len() as u64;
        let now = world.balance();
        let drift = (now.kinetic - start.kinetic).abs() / start.kinetic;
        let momentum = (now.momentum - start.momentum).length() / start.momentum_scale;
        worst = [worst[0].max(drift), worst[1].max(momentum)];
        if impacts - said >= REPORT {
            said = impacts;
            eprintln!("{impacts} impacts: energy off by {drift:.1e}, momentum by {momentum:.1e}");
        }
    }
    let [energy, momentum] = worst;
    let (met, seen) = (world.audit().deepest, 1.0 - closest(&world));
    println!("{impacts} impacts of {} balls in {:.0} s", world.count(), world.now().seconds());
    println!("largest drift of energy {energy:.2e}, of momentum {momentum:.2e}");
    println!("deepest overlap at an impact {met:.2e} m, of any pair in the end {seen:.2e} m");
    let sound = [energy, momentum, met, seen].into_iter().all(|figure| figure < DRIFT_MAX);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn gas() -> Result<World, Box<dyn Error>> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut bodies = Vec::new();
    for n in 0..SIDE * SIDE * SIDE {
        let cell = DVec3::new(f64::from(n % SIDE), f64::from(n / SIDE % SIDE), f64::from(n / SIDE / SIDE));
        let velocity = DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)));
        let body = Body::sphere(0.5, 1.0)?.at((cell + 0.5) * (LENGTH / f64::from(SIDE))).moving(velocity);
        bodies.push((format!("{n:04}"), body));
    }
    let period = Some(Period { min: 0.0, max: LENGTH });
    let settings = Settings { space: Space { periods: [period; 3], ..Space::default() }, ..Settings::default() };
    Ok(World::new(settings, bodies)?)
}

/// The smallest distance between two centres over all pairs and images, m.
fn closest(world: &World) -> f64 {
    let places: Vec<DVec3> = world.ids().map(|id| world.state(id).position).collect();
    let mut least = f64::INFINITY;
    for (rank, a) in places.iter().enumerate() {
        for b in &places[..rank] {
            let way = a - b;
            least = least.min((way - (way / LENGTH).round() * LENGTH).length());
        }
    }
    least
}
