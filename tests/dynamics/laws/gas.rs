//! Gases, compared with statistical mechanics: temperature, pressure and impact rate of a run against theory.
//!
//! Every figure is a mean over a run from a fixed seed, so it is the same on every machine. The runs are long enough
//! that one standard error, measured from eight seeds each, is below half of the allowed deviation.

use std::f64::consts::PI;

use carom::dynamics::{Body, Layers, Period, Settings, Space};
use carom::motion::SimTime;
use carom::record;
use carom::record::gas::{GasReport, Meter};
use carom::scenario::{Source, parse};
use carom::world::{Named, World};
use glam::DVec3;

use crate::common::{Random, is_thorough};

/// The bodies and settings of a gas.
pub(super) struct Gas {
    pub(super) settings: Settings,
    pub(super) bodies: Vec<Named>,
}

/// Start of the measurement, its duration, and the number of samples: s, s and a count.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) melt: f64,
    pub(super) span: f64,
    pub(super) looks: u32,
}

impl Gas {
    /// Runs the gas and measures it.
    pub(super) fn run(&self, plan: Plan) -> GasReport {
        self.run_with(plan, |_, _| {})
    }

    /// Runs the gas, and calls `look` at each sample with the world and the measurements so far.
    fn run_with(&self, Plan { melt, span, looks }: Plan, mut look: impl FnMut(&World, &GasReport)) -> GasReport {
        let named = self.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
        let mut world = World::new(self.settings.clone(), named).expect("a valid start");
        let mut meter = Meter::new(&self.settings, &self.bodies, &world);
        for row in 0..=looks {
            let time = melt + span * f64::from(row) / f64::from(looks);
            world.advance(SimTime::from_seconds(time), usize::MAX).expect("a run without error");
            world.take_events().iter().for_each(|event| meter.see(event));
            meter.look(&world);
            look(&world, &meter.report());
        }
        meter.report()
    }
}

/// 4 `cells`³ spheres of diameter 1 m and mass 1 kg on a lattice in a periodic cube, with Maxwell's velocities at 1 J.
pub(super) fn spheres(cells: u32, packing: f64, seed: u32, material: &str) -> Gas {
    let length = libm::cbrt(f64::from(4 * cells * cells * cells) * PI / 6.0 / packing);
    lattice("Sphere(radius: 0.5), kind: FaceCentred", [cells; 3], [length; 3], seed, material)
}

/// A lattice that fills one period of space.
fn lattice(shape: &str, counts: [u32; 3], lengths: [f64; 3], seed: u32, material: &str) -> Gas {
    let [x, y, z] = lengths;
    let (max, [a, b, c]) = (format!("({x:?}, {y:?}, {z:?})"), counts);
    let text = format!(
        "(timestep: 1, duration: 1, space: Periodic(min: (0, 0, 0), max: {max}), {material}
        fill: [Lattice(name: \"gas\", shape: {shape}, counts: ({a}, {b}, {c}), min: (0, 0, 0), max: {max},
            mass: 1, temperature: 1, zero_momentum: true, seed: {seed}{})])",
        if material.is_empty() { "" } else { ", material: \"gas\"" }
    );
    let scenario = parse(&Source::new("gas.ron", text.as_str())).expect("a scenario").scenario;
    Gas { settings: scenario.settings, bodies: scenario.bodies }
}

/// Z = p V / (N k_B T) of hard spheres in the fluid: a fit of series and simulations to a few parts in 10⁵
/// (Hansen-Goos, *Accurate prediction of hard-sphere virial coefficients B6 to B12 from a compressibility-based
/// equation of state*, J. Chem. Phys. 144, 164506, 2016, equation 6 and Table I; used with Allen & Tildesley, *Computer
/// Simulation of Liquids*, 2nd ed., 2017).
pub(super) fn hard_sphere_fluid(packing: f64) -> f64 {
    let terms = [9.0, -19.0, 47.0 / 3.0, -2.635232, -1.265575, 0.041212, 0.248245, -0.096495];
    let sum = terms.iter().rev().fold(0.0, |sum, term| sum * packing + term);
    8.0 * libm::log(1.0 - packing) / packing + sum / (1.0 - packing).powi(3)
}

/// Carnahan & Starling, *Equation of state for nonattracting rigid spheres*, J. Chem. Phys. 51, 1969.
fn carnahan_starling(packing: f64) -> f64 {
    (1.0 + packing + packing * packing - packing.powi(3)) / (1.0 - packing).powi(3)
}

/// Impact rate, 1/s, of a sphere with diameter, mass and k_B T of 1: 24 η χ/√π, where at contact χ = (Z − 1)/(4 η)
/// (Enskog, 1922; Chapman & Cowling, *The Mathematical Theory of Non-Uniform Gases*, 3rd ed., 1970, §16.2).
pub(super) fn enskog_rate(packing: f64) -> f64 {
    6.0 * (hard_sphere_fluid(packing) - 1.0) / PI.sqrt()
}

/// The relative error of a figure.
fn off(found: f64, wanted: f64) -> f64 {
    (found / wanted - 1.0).abs()
}

#[track_caller]
pub(super) fn check(what: &str, found: f64, wanted: f64, allowed: f64) {
    println!("{what}: {found:.5}, {wanted:.5} expected, {:+.3} %", 100.0 * (found / wanted - 1.0));
    assert!(off(found, wanted) < allowed, "{what}: {found} is off {wanted} by {:.2e}", off(found, wanted));
}

/// One per cent.
pub(super) const PER_CENT: f64 = 0.01;

/// Checks a fluid of 500 hard spheres at one packing fraction, over `impacts` impacts per sphere.
fn check_fluid(packing: f64, impacts: f64) {
    let rate = enskog_rate(packing);
    let looks = 50;
    let report = spheres(5, packing, 1, "").run(Plan { melt: 100.0 / rate, span: impacts / rate, looks });
    let figures = report.figures;
    assert_eq!((report.bodies, report.dimension, report.undefined), (500, 3, None));
    let temperature = figures.temperature.unwrap();
    let z = hard_sphere_fluid(packing);
    check(&format!("compressibility at {packing}"), figures.compressibility.unwrap(), z, PER_CENT);
    check(
        &format!("Carnahan and Starling at {packing}"),
        figures.compressibility.unwrap(),
        carnahan_starling(packing),
        PER_CENT,
    );
    check(&format!("rate at {packing}"), figures.collision_rate.unwrap(), rate * temperature.sqrt(), PER_CENT);
    let ideal = 500.0 * temperature / report.volume.unwrap();
    check(&format!("pressure at {packing}"), figures.pressure.unwrap(), z * ideal, PER_CENT);
}

#[test]
fn thin_fluids_of_hard_spheres_have_their_pressure_and_rate() {
    [(0.1, 800.0), (0.2, 800.0), (0.2618, 600.0), (0.3, 800.0)]
        .into_iter()
        .for_each(|(packing, n)| check_fluid(packing, n));
}

#[test]
fn dense_fluids_of_hard_spheres_have_their_pressure_and_rate() {
    [(0.4, 1500.0), (0.45, 1200.0)].into_iter().for_each(|(packing, n)| check_fluid(packing, n));
}

/// The mean free time of Lue, *Collision statistics, thermodynamics, and transport coefficients of hard hyperspheres in
/// three, four, and five dimensions*, J. Chem. Phys. 122, 044513 (2005), for 1,372 spheres at number density 0.5. No
/// two spheres overlap in any image.
#[test]
fn the_mean_free_time_is_that_of_lue_and_nothing_overlaps() {
    let packing = PI / 12.0;
    let rate = enskog_rate(packing);
    let gas = spheres(7, packing, 1, "");
    let length = libm::cbrt(1372.0 / 0.5);
    let mut closest = f64::INFINITY;
    let report = gas.run_with(Plan { melt: 50.0 / rate, span: 400.0 / rate, looks: 20 }, |world, _| {
        let places: Vec<DVec3> = world.ids().map(|id| world.state(id).position).collect();
        for (rank, a) in places.iter().enumerate() {
            for b in &places[..rank] {
                let way = a - b;
                let nearest = way - (way / length).round() * length;
                closest = closest.min(nearest.length_squared());
            }
        }
    });
    let free_time = report.figures.temperature.unwrap().sqrt() / report.figures.collision_rate.unwrap();
    check("mean free time", free_time, 0.13031, PER_CENT);
    // Positions have a few rounding errors of coordinates up to 14.
    assert!(closest.sqrt() > 1.0 - 1e-13, "two centres {} apart", closest.sqrt());
}

/// Parallel squares and cubes: the first virial coefficients are exact (Hoover & De Rocco, *Sixth and seventh virial
/// coefficients for the parallel hard-cube model*, J. Chem. Phys. 36, 1962). At these densities the next term is below
/// 2e-3 of Z − 1.
#[test]
fn parallel_squares_and_cubes_have_their_virial_series() {
    let squares = [1.0, 2.0, 3.0, 11.0 / 3.0, 67.0 / 18.0, 121.0 / 40.0];
    let cubes = [1.0, 4.0, 9.0, 34.0 / 3.0, 455.0 / 144.0, -2039.0 / 108.0];
    let cases = [(squares, 2, 0.2), (cubes, 3, 0.1), (squares, 2, 0.1), (squares, 2, 0.3), (cubes, 3, 0.05)];
    for (coefficients, dimension, density) in cases.into_iter().take(if is_thorough() { 5 } else { 2 }) {
        let side = if dimension == 2 { 20 } else { 8 };
        let spacing = if dimension == 2 { 1.0 / f64::sqrt(density) } else { libm::cbrt(1.0 / density) };
        let length = f64::from(side) * spacing;
        let (counts, lengths) =
            if dimension == 2 { ([side, side, 1], [length, length, 2.0]) } else { ([side; 3], [length; 3]) };
        let mut gas = lattice("Box(half_extents: (0.5, 0.5, 0.5))", counts, lengths, 3, "");
        if dimension == 2 {
            gas.bodies.iter_mut().for_each(|named| named.body.velocity.z = 0.0);
        }
        // The rate of impacts across one of the d axes is 2ᵈ⁻¹ ρ ⟨|Δv|⟩.
        let rate = density * f64::from(dimension) * 2.0_f64.powi(dimension) / PI.sqrt();
        let report =
            gas.run(Plan { melt: 50.0 / rate, span: if dimension == 2 { 500.0 } else { 800.0 } / rate, looks: 50 });
        assert_eq!((report.dimension, report.undefined), (dimension as usize, None));
        let beyond = coefficients.iter().rev().fold(0.0, |sum, b| sum * density + b) - 1.0;
        let found = report.figures.compressibility.unwrap() - 1.0;
        check(&format!("Z - 1 in {dimension} dimensions at {density}"), found, beyond, PER_CENT);
    }
}

/// Tonks, *The complete equation of state of one, two and three-dimensional gases of hard elastic spheres*, Phys. Rev.
/// 50, 1936: Z = 1/(1 − ρσ).
///
/// Rods of equal mass exchange their velocities in an impact. So the velocities move through each other, like points on
/// a ring shortened by all rods. A pair of velocities meets once every L′/|Δv|, and the count of these meetings has an
/// error below one. That is the bound of the test.
#[test]
fn rods_on_a_line_have_the_pressure_of_tonks() {
    let count = 10_u32;
    for packing in [0.2, 0.5, 0.8] {
        let length = f64::from(count) / packing;
        let span = 600.0 * (length - f64::from(count));
        let mut random = Random::new(5);
        let rods = (0..count).map(|rank| {
            let place = DVec3::new((f64::from(rank) + 0.5) * length / f64::from(count), 3.0, -2.0);
            let body =
                Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(place).moving(DVec3::X * random.between(-1.0, 1.0));
            Named { name: format!("rod{rank}"), body }
        });
        let bodies: Vec<Named> = rods.collect();
        let velocities: Vec<f64> = bodies.iter().map(|named| named.velocity.x).collect();
        let space = Space { periods: [Some(Period { min: 0.0, max: length }), None, None], ..Space::default() };
        let gas = Gas { settings: Settings { space, ..Settings::default() }, bodies };
        let report = gas.run(Plan { melt: 0.0, span, looks: 4 });
        let differences =
            velocities.iter().enumerate().flat_map(|(rank, a)| velocities[..rank].iter().map(move |b| a - b));
        let (sum, squares) = differences.fold((0.0, 0.0), |(sum, squares), v: f64| (sum + v.abs(), squares + v * v));
        let miscount = (length - f64::from(count)) * sum / (span * squares);
        assert!(miscount < 0.005, "{miscount}");
        let wanted = packing / (1.0 - packing);
        check(&format!("Z - 1 of rods at {packing}"), report.figures.compressibility.unwrap() - 1.0, wanted, miscount);
        assert_eq!((report.dimension, report.volume), (1, Some(length)));
    }
}

/// Haff, *Grain flow as a fluid-mechanical phenomenon*, J. Fluid Mech. 134 (1983): T = T₀/(1 + γ ω₀ t)², with ω₀ the
/// rate of impacts at the start and γ = (1 − e²)/(2 d) (1 + 3/16 a₂) (van Noije & Ernst, *Velocity distributions in
/// homogeneous granular fluids*, Granular Matter 1, 1998).
///
/// The gas must stay homogeneous. Shear waves longer than 2π √(ν/(γ ω)), here 55 diameters, would grow into vortices
/// (Goldhirsch & Zanetti, *Clustering instability in dissipative gases*, Phys. Rev. Lett. 70, 1993); for a thin gas,
/// ν = 0.176/n. The edge of the cube is 24. The mean is over four gases, because the loss varies by 1 %.
#[test]
fn a_granular_gas_cools_as_haff_says() {
    let (e, packing, seeds, looks) = (0.9_f64, 0.05, 1..=4, 10);
    let material = format!("materials: {{ \"gas\": (restitution: {e}) }},");
    let rate = enskog_rate(packing);
    let a2 = 16.0 * (1.0 - e) * (1.0 - 2.0 * e * e) / (81.0 - 17.0 * e + 30.0 * e * e * (1.0 - e));
    let gamma = (1.0 - e * e) / 6.0 * (1.0 + 3.0 / 16.0 * a2);
    let (melt, span) = (5.0 / rate, 60.0 / rate);
    // √(T₀/T) − 1 = γ ω₀ t, so its ratio to ω₀ t is γ at all times.
    let mut slopes = vec![0.0; looks as usize];
    let count = seeds.clone().count() as f64;
    for seed in seeds {
        let mut start = None;
        spheres(7, packing, seed, &material).run_with(Plan { melt, span, looks }, |world, _| {
            // The total momentum is zero, so all motion is heat.
            let temperature = 2.0 * world.balance().kinetic / (3.0 * 1371.0);
            let &mut start = start.get_or_insert(temperature);
            let scaled = rate * start.sqrt() * (world.now().seconds() - melt);
            let row = (world.now().seconds() - melt) / span * f64::from(looks);
            if row > 0.5 {
                slopes[row.round() as usize - 1] += ((start / temperature).sqrt() - 1.0) / scaled / count;
            }
        });
    }
    // The first two samples are left out: their random variations are as large as the cooling.
    for (row, &slope) in slopes.iter().enumerate().skip(2) {
        check(&format!("cooling, {}/{looks} of the run", row + 1), slope, gamma, 2.0 * PER_CENT);
    }
}

/// Impacts lead to Maxwell's distribution from any start. Here all components start at ±1, with a kurtosis of 1.
#[test]
fn speeds_become_those_of_maxwell() {
    let mut gas = spheres(5, 0.2, 1, "");
    let mut random = Random::new(8);
    for named in &mut gas.bodies {
        named.body.velocity = random.vector(1.0).signum();
    }
    let rate = enskog_rate(0.2);
    let named = gas.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
    let mut world = World::new(gas.settings.clone(), named).unwrap();
    let mut meter = Meter::new(&gas.settings, &gas.bodies, &world);
    meter.look(&world);
    assert!(off(meter.report().kurtosis.unwrap(), 1.0) < PER_CENT);
    world.advance(SimTime::from_seconds(20.0 / rate), usize::MAX).unwrap();
    world.take_events().iter().for_each(|event| meter.see(event));
    meter.begin(&world);
    for row in 21..=620 {
        world.advance(SimTime::from_seconds(f64::from(row) / rate), usize::MAX).unwrap();
        world.take_events().iter().for_each(|event| meter.see(event));
        meter.look(&world);
    }
    // 900,000 components: one standard error is √(24/900,000) = 0.005, or twice that, because successive samples are
    // correlated. The kurtosis of N bodies with a fixed total energy is 3 · 1497/1499.
    check("kurtosis", meter.report().kurtosis.unwrap(), 3.0, PER_CENT);
    let (mut below, mut expected, mut total) = (0.0, 0.0, 0.0_f64);
    let mut slips_visibly = 0.0_f64;
    for class in meter.speeds().classes() {
        below += class.count as f64;
        expected += class.maxwell;
        total += class.count as f64;
        slips_visibly = slips_visibly.max((below - expected).abs());
    }
    // Kolmogorov's 1 % level is 1.63/√n. Successive samples are correlated: n = 300,000 counts as a seventh of that.
    println!("largest difference of the distributions: {:.5}", slips_visibly / total);
    assert!(slips_visibly / total < 0.0063, "{}", slips_visibly / total);
}

/// The mean free path of a ball among the pillars of a square lattice with spacing 1 is (1 − πR²)/(2R), with R the sum
/// of the radii. In a closed room it is π times the area over the border, walls included (Chernov, *Entropy, Lyapunov
/// exponents, and mean free path for billiards*, J. Stat. Phys. 88, 1997).
///
/// A uniform distribution of positions and directions stays uniform, so the mean count is exact for any span.
#[test]
fn a_ball_among_pillars_has_the_mean_free_path_of_sinai() {
    let cases = [(true, 0.35), (false, 0.35), (false, 0.28)];
    for (closed, pillar) in cases.into_iter().take(if is_thorough() { 3 } else { 1 }) {
        let (ball, span, count) = (0.05, if closed { 200.0 } else { 600.0 }, 300);
        let (reach, margin) = (pillar + ball, if closed { ball } else { 0.0 });
        let mut random = Random::new(2);
        let mut bodies = vec![Named { name: "pillar".to_owned(), body: Body::sphere(pillar, 1.0).unwrap().fixed() }];
        if closed {
            for (name, normal) in [("w", DVec3::X), ("e", DVec3::NEG_X), ("s", DVec3::Y), ("n", DVec3::NEG_Y)] {
                bodies.push(Named { name: name.to_owned(), body: Body::plane(normal, -0.5).unwrap() });
            }
        }
        while bodies.len() < count {
            let place = random.vector(0.5 - margin).with_z(0.0);
            let way = random.vector(1.0).with_z(0.0);
            if place.length() < reach || way.length() > 1.0 || way.length() < 0.1 {
                continue;
            }
            let body = Body::sphere(ball, 1.0).unwrap().at(place).moving(way / way.length());
            // Balls collide with pillars and walls, not with each other.
            let body = body.in_layers(Layers::one(1)).colliding_with(Layers::FIRST);
            bodies.push(Named { name: format!("ball{}", bodies.len()), body });
        }
        let balls = bodies.iter().filter(|named| named.is_free()).count() as f64;
        let period = (!closed).then_some(Period { min: -0.5, max: 0.5 });
        let space = Space { periods: [period, period, None], ..Space::default() };
        let named = bodies.into_iter().map(|Named { name, body }| (name, body));
        let mut world = World::new(Settings { space, ..Settings::default() }, named).unwrap();
        world.step(span).unwrap();
        let path = balls * span / world.take_events().len() as f64;
        let side = 1.0 - 2.0 * margin;
        let (area, circle) = (side * side - PI * reach * reach, 2.0 * PI * reach);
        let border = if closed { circle + 4.0 * side } else { circle };
        check(&format!("mean free path at {reach:.2}"), path, PI * area / border, PER_CENT);
    }
}

/// Each ball hits only the walls: it gives a wall the impulse 2 m |v| every 2 (L − 2 r)/|v|, to less than one impact.
#[test]
fn walls_are_pushed_as_often_as_balls_come() {
    let mut random = Random::new(4);
    let (size, radius, span) = (DVec3::new(2.0, 3.0, 4.0), 0.1, 1000.0);
    let mut bodies = Vec::new();
    for axis in 0..3 {
        let along = DVec3::AXES[axis];
        for (name, body) in [("low", Body::plane(along, 0.0)), ("high", Body::plane(-along, -size[axis]))] {
            bodies.push(Named { name: format!("{name}{axis}"), body: body.unwrap() });
        }
    }
    let mut velocities = Vec::new();
    for rank in 0..20 {
        let place = DVec3::new(random.unit(), random.unit(), random.unit()) * (size - 0.2) + 0.1;
        let velocity = random.vector(1.0);
        velocities.push(velocity);
        let body = Body::sphere(radius, 2.0).unwrap().at(place).moving(velocity);
        let body = body.in_layers(Layers::one(1)).colliding_with(Layers::FIRST);
        bodies.push(Named { name: format!("ball{rank}"), body });
    }
    let report = Gas { settings: Settings::default(), bodies }.run(Plan { melt: 0.0, span, looks: 3 });
    let (mut work, mut miscount) = (0.0, 0.0);
    for velocity in velocities {
        for axis in 0..3 {
            // p V along an axis: half of the impulse on both walls, times the length, divided by the time.
            work += 2.0 * velocity[axis] * velocity[axis] * size[axis] / (size[axis] - 0.2) / 3.0;
            miscount += 2.0 * velocity[axis].abs() * size[axis] / span / 3.0;
        }
    }
    let (found, wanted, allowed) = (report.figures.pressure.unwrap(), work / 24.0, miscount / work);
    assert!(allowed < 0.005, "{allowed}");
    check("pressure on walls", found, wanted, allowed);
    assert_eq!((report.volume, report.figures.collision_rate, report.undefined), (Some(24.0), Some(0.0), None));
}

/// The means cover the second half of a run. A run of one step has no second half: there they cover the whole run.
#[test]
fn a_gas_is_measured_in_a_single_step_too() {
    let text = |timestep: f64| {
        format!(
            "(timestep: {timestep}, duration: 4, space: Periodic(min: (0, 0, 0), max: (4, 4, 4)), observe: [Gas],
            fill: [Lattice(name: \"gas\", shape: Sphere(radius: 0.5), counts: (3, 3, 3), min: (0, 0, 0), max: (4, 4, 4),
                mass: 1, temperature: 1, seed: 7)])"
        )
    };
    let measured = |timestep: f64| {
        let text = text(timestep);
        let scenario = parse(&Source::new("gas.ron", text.as_str())).expect("a scenario").scenario;
        let folder = tempfile::tempdir().unwrap();
        let world = scenario.world().unwrap();
        record::run(&scenario, &text, world, folder.path(), |_| {}).unwrap().gas.expect("it is observed")
    };
    for (timestep, from) in [(4.0, 0.0), (8.0, 0.0), (3.0, 3.0), (2.0, 2.0), (0.125, 2.0)] {
        let GasReport { from: begin, until, impacts, figures, .. } = measured(timestep);
        assert_eq!((begin, until), (from, 4.0), "{timestep}");
        assert!(impacts > 0 && figures.temperature.is_some(), "{timestep}: {impacts} {figures:?}");
        let [pressure, rate, z] = [figures.pressure, figures.collision_rate, figures.compressibility];
        assert!([pressure, rate, z].iter().all(|figure| figure.is_some_and(|x| x > 0.0)), "{timestep}: {figures:?}");
    }
}
