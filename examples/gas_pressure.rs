//! The pressure of a gas of hard spheres, from the impulses of its impacts, beside the equation of state of Carnahan
//! and Starling (*Equation of state for nonattracting rigid spheres*, J. Chem. Phys. 51, 635, 1969).
//!
//! `cargo run --release --example gas_pressure` takes a few seconds.

use std::error::Error;
use std::f64::consts::PI;

use carom::glam::DVec3;
use carom::{Body, Period, Settings, Space, World};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Spheres of diameter 1 m and mass 1 kg along each edge of a cube.
const SIDE: u32 = 8;
const COUNT: f64 = (SIDE * SIDE * SIDE) as f64;
/// Duration of a step, s, and the number of steps.
const STEP: f64 = 10.0;
const STEPS: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    println!("packing   Z measured   Z of Carnahan and Starling");
    for packing in [0.05, 0.15, 0.3, 0.4] {
        let (found, wanted) = (compressibility(packing)?, carnahan_starling(packing));
        println!("{packing:<7}   {found:<10.4}   {wanted:.4}");
        assert!((found / wanted - 1.0).abs() < 0.02, "packing {packing}");
    }
    Ok(())
}

/// Z = PV/NkT = 1 + Σ r·J / 3NkT t over all impacts of the time t, where r is the vector between two centres and J the
/// impulse.
fn compressibility(packing: f64) -> Result<f64, Box<dyn Error>> {
    let length = (COUNT * PI / 6.0 / packing).cbrt();
    let period = Some(Period { min: 0.0, max: length });
    let settings = Settings { space: Space { periods: [period; 3], ..Space::default() }, ..Settings::default() };
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let mut any = || DVec3::from_array(std::array::from_fn(|_| dice.random_range(-1.0..1.0)));
    let places = (0..SIDE * SIDE * SIDE).map(|n| [n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE].map(f64::from));
    let spheres = places.map(|place| Body::sphere(0.5, 1.0).map(|body| (body, DVec3::from_array(place))));
    let spheres = spheres.collect::<Result<Vec<_>, _>>()?;
    let named = spheres.into_iter().enumerate().map(|(n, (body, place))| {
        (format!("sphere {n}"), body.at((place + 0.5) * length / f64::from(SIDE)).moving(any()))
    });
    let mut world = World::new(settings, named)?;

    // The lattice melts first.
    world.step(STEP)?;
    world.take_events();
    let (begin, kinetic) = (world.audit().virial, world.balance().kinetic);
    for _ in 0..STEPS {
        world.step(STEP)?;
        world.take_events();
    }
    let virial = (world.audit().virial - begin).element_sum();
    // 3/2 NkT is the kinetic energy.
    Ok(1.0 + virial / (2.0 * kinetic * STEP * f64::from(STEPS)))
}

fn carnahan_starling(packing: f64) -> f64 {
    let hole = 1.0 - packing;
    (1.0 + packing + packing * packing - packing * packing * packing) / (hole * hole * hole)
}
