//! Dense gases, compared with statistical mechanics: the fluid at freezing, the solid at melting, and a mixture of two
//! sizes. Nothing overlaps after many impacts.

use std::f64::consts::PI;

use carom::dynamics::{Body, Settings};
use carom::motion::SimTime;
use carom::world::World;
use glam::DVec3;

use super::gas::{Gas, PER_CENT, Plan, check, enskog_rate, hard_sphere_fluid, spheres};
use crate::common::is_thorough;

/// Half a per cent.
const HALF_PER_CENT: f64 = 0.005;

/// Packing fraction of the closest packing.
const CLOSEST: f64 = PI * std::f64::consts::SQRT_2 / 6.0;

/// Z = p V / (N k_B T) of the face-centred cubic solid of hard spheres (Hall, *Another hard-sphere equation of state*,
/// J. Chem. Phys. 57, 2252, 1972, equation 13).
fn hard_sphere_solid(packing: f64) -> f64 {
    let beta = 4.0 * (1.0 - packing / CLOSEST);
    let terms = [2.557_696, 0.125_307_7, 0.176_239_3, -1.053_308, 2.818_621, -2.921_934, 1.118_413];
    (12.0 - 3.0 * beta) / beta + terms.iter().rev().fold(0.0, |sum, term| sum * beta + term)
}

/// Z of a fluid of hard spheres with several diameters, m, in equal numbers (Boublík, *Hard-sphere equation of state*,
/// J. Chem. Phys. 53, 1970; Mansoori, Carnahan, Starling & Leland, *Equilibrium thermodynamic properties of the mixture
/// of hard spheres*, J. Chem. Phys. 54, 1971).
fn mixture(density: f64, diameters: &[f64]) -> f64 {
    let moment = |power: i32| {
        let mean = diameters.iter().map(|diameter| diameter.powi(power)).sum::<f64>() / diameters.len() as f64;
        PI / 6.0 * density * mean
    };
    let ([zeroth, first, second, third], room) = ([0, 1, 2, 3].map(moment), 1.0 - moment(3));
    let sum = zeroth / room + 3.0 * first * second / room.powi(2) + (3.0 - third) * second.powi(3) / room.powi(3);
    sum / zeroth
}

/// The length of a measurement in the short or the long form of the tests.
fn impacts(short: f64, long: f64) -> f64 {
    if is_thorough() { long } else { short }
}

#[test]
fn the_solid_at_melting_has_its_pressure() {
    let (packing, rate) = (0.545, 19.0);
    let span = impacts(150.0, 1500.0) / rate;
    let report = spheres(7, packing, 1, "").run(Plan { melt: 50.0 / rate, span, looks: 20 });
    check("solid at 0.545", report.figures.compressibility.unwrap(), hard_sphere_solid(packing), HALF_PER_CENT);
}

/// The gas at freezing starts as a superheated lattice. It melts after about a hundred impacts per sphere.
#[test]
fn the_fluid_at_freezing_has_its_pressure_and_rate() {
    let packing = 0.49;
    let (rate, z) = (enskog_rate(packing), hard_sphere_fluid(packing));
    let plan = Plan { melt: 600.0 / rate, span: impacts(600.0, 3000.0) / rate, looks: 20 };
    let figures = spheres(7, packing, 2, "").run(plan).figures;
    check("fluid at 0.49", figures.compressibility.unwrap(), z, if is_thorough() { HALF_PER_CENT } else { PER_CENT });
    check("rate at 0.49", figures.collision_rate.unwrap(), rate * figures.temperature.unwrap().sqrt(), PER_CENT);
}

/// A lattice in which every second sphere is smaller by a factor of 1.4.
fn binary(packing: f64) -> (Gas, [f64; 2]) {
    let diameters = [1.0, 1.0 / 1.4];
    let volume = diameters.map(|diameter: f64| diameter.powi(3)).iter().sum::<f64>() / 2.0;
    let mut gas = spheres(7, packing / volume, 3, "");
    for named in gas.bodies.iter_mut().skip(1).step_by(2) {
        let Body { position, velocity, .. } = named.body;
        named.body = Body::sphere(0.5 * diameters[1], 1.0).unwrap().at(position).moving(velocity);
    }
    (gas, diameters)
}

/// Z from the virial of the impacts during `span` after `melt`, both in s.
fn compressibility(Gas { settings, bodies }: &Gas, melt: f64, span: f64) -> f64 {
    let mut world = World::new(settings.clone(), bodies.iter().map(|named| (named.name.clone(), named.body.clone())))
        .expect("a valid start");
    let kinetic = world.balance().kinetic;
    world.advance(SimTime::from_seconds(melt), usize::MAX).expect("a run without error");
    world.take_events();
    world.advance(SimTime::from_seconds(melt + span), usize::MAX).expect("a run without error");
    let radius = |name: &str| bodies.iter().find(|named| named.name == name).unwrap().body.shape.half_extents().x;
    let radii: std::collections::BTreeMap<_, f64> = world.ids().map(|id| (id, radius(world.name(id)))).collect();
    let virial =
        world.take_events().iter().map(|event| event.impulse * (radii[&event.a] + radii[&event.b])).sum::<f64>();
    1.0 + virial / (2.0 * kinetic * span)
}

#[test]
fn a_mixture_of_two_sizes_has_its_pressure() {
    let packing = 0.42;
    let (gas, diameters) = binary(packing);
    let volume: f64 = gas.settings.space.periods.iter().flatten().map(carom::dynamics::Period::length).product();
    let wanted = mixture(gas.bodies.len() as f64 / volume, &diameters);
    check("mixture", compressibility(&gas, 10.0, impacts(20.0, 200.0)), wanted, PER_CENT);
}

/// The smallest gap between two balls, m, over all pairs and their nearest images.
fn closest(Settings { space, .. }: &Settings, places: &[(DVec3, f64)]) -> f64 {
    let lengths = space.periods.map(|period| period.map_or(f64::INFINITY, |period| period.length()));
    let mut least = f64::INFINITY;
    for (row, (one, radius)) in places.iter().enumerate() {
        for (other, size) in &places[..row] {
            let offset: [f64; 3] = std::array::from_fn(|axis| {
                let along = (one[axis] - other[axis]).abs();
                along.min(lengths[axis] - along)
            });
            least = least.min(DVec3::from_array(offset).length() - radius - size);
        }
    }
    least
}

#[test]
fn no_balls_overlap_after_many_impacts_in_dense_gases() {
    for gas in [spheres(7, 0.545, 4, ""), spheres(7, 0.49, 4, ""), binary(0.45).0] {
        let named = gas.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
        let mut world = World::new(gas.settings.clone(), named).expect("a valid start");
        let wanted = impacts(1e5, 1e7) as usize;
        let mut seen = 0;
        while seen < wanted {
            world.advance(SimTime::from_seconds(1e6), 10_000).expect("a run without error");
            seen += world.take_events().len();
        }
        let radius = |name: &str| gas.bodies.iter().find(|n| n.name == name).unwrap().body.shape.half_extents().x;
        let places: Vec<(DVec3, f64)> =
            world.ids().map(|id| (world.state(id).position, radius(world.name(id)))).collect();
        let least = closest(&gas.settings, &places);
        assert!(least > -1e-14 && world.audit().deepest < 1e-14, "{least:e}, {:e}", world.audit().deepest);
    }
}
