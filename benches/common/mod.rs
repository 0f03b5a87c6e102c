//! Set-up and measurements that several benches share.

use std::fs;

use carom::dynamics::{Body, Period, Settings, Space};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A gas of spheres of diameter 1 and mass 1 at number density 0.5: on a face-centred cubic lattice of `side` cells
/// along each edge, four in each cell, with velocities of at most 1 m/s along each axis.
#[allow(dead_code, reason = "not every bench has a gas")]
pub(crate) fn gas(side: u32) -> (Settings, Vec<Body>) {
    const DENSITY: f64 = 0.5;
    let edge = (4.0 / DENSITY).cbrt();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let corners = [DVec3::ZERO, DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.5, 0.5, 0.0)];
    let cells = (0..side.pow(3)).map(|n| [n % side, n / side % side, n / side / side].map(f64::from));
    let places = cells.flat_map(|cell| corners.map(|corner| (DVec3::from_array(cell) + corner + 0.25) * edge));
    let bodies = places.map(|place| {
        let velocity = DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)));
        Body::sphere(0.5, 1.0).unwrap().at(place).moving(velocity)
    });
    let period = Some(Period { min: 0.0, max: f64::from(side) * edge });
    (Settings { space: Space { periods: [period; 3], ..Space::default() }, ..Settings::default() }, bodies.collect())
}

/// The memory of this process in bytes. It is 0 if the system does not report it.
#[allow(dead_code, reason = "not every bench asks for it")]
pub(crate) fn memory() -> usize {
    let pages = |text: String| text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    fs::read_to_string("/proc/self/statm").ok().and_then(pages).map_or(0, |pages| pages * 4096)
}
