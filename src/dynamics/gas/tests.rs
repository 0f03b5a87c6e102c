//! The gas loop against the step loop, to the bit.

use glam::DVec3;

use crate::dynamics::{Body, BodyId, Impacts, Materials, Period, Restitution, Settings, Sight, Space, Stepper};
use crate::geometry::Aabb;
use crate::numeric::lane::machines;
use crate::random::Random;

/// A gas to compare.
#[derive(Debug, Clone, Copy)]
struct Case {
    /// Lattice cells along each axis; there are four balls in each.
    cells: [usize; 3],
    packing: f64,
    /// The smallest radius, relative to the largest.
    smallest: f64,
    /// The largest mass, relative to the smallest.
    heaviest: f64,
    restitution: f64,
    /// Of the viscoelastic restitution of two thirds of the balls, (s/m)^(1/5); zero if there are none.
    viscosity: f64,
    impacts: Impacts,
    /// Whether balls rotate.
    spins: bool,
    /// Whether four balls of five are at rest at the start.
    rests: bool,
    /// The unit of time, s.
    unit: f64,
}

const PLAIN: Case = Case {
    cells: [4; 3],
    packing: 0.3,
    smallest: 1.0,
    heaviest: 1.0,
    restitution: 1.0,
    viscosity: 0.0,
    impacts: Impacts::Together,
    spins: false,
    rests: false,
    unit: 1.0,
};

impl Case {
    fn world(&self, random: &mut Random) -> Stepper {
        let count = 4 * self.cells.iter().product::<usize>();
        let radii: Vec<f64> = (0..count).map(|_| 0.5 * random.between(self.smallest, 1.0)).collect();
        let volume: f64 = radii.iter().map(|radius| 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius).sum();
        let edge = cube_root(volume / self.packing / self.cells.iter().product::<usize>() as f64);
        let periods = self.cells.map(|cells| Some(Period { min: -1.5, max: edge * cells as f64 - 1.5 }));
        let mut materials = Materials::default();
        let number = materials.add(Restitution::new(self.restitution).unwrap());
        let viscous = materials.add(Restitution::viscoelastic(self.viscosity).unwrap());
        let material = |row: usize| if self.viscosity > 0.0 && !row.is_multiple_of(3) { viscous } else { number };
        let settings = Settings {
            space: Space { periods, ..Space::default() },
            materials,
            impacts: self.impacts,
            ..Settings::default()
        };
        let corners = [DVec3::ZERO, DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.5, 0.5, 0.0)];
        let body = |(row, radius): (usize, f64)| {
            let [x, y, _] = self.cells;
            let cell = [row / 4 % x, row / 4 / x % y, row / 4 / x / y].map(|n| n as f64);
            let place = (DVec3::from_array(cell) + corners[row % 4] + 0.25) * edge - 1.5;
            let ball = Body::sphere(radius, random.between(1.0, self.heaviest)).unwrap().made_of(material(row));
            let spin = if self.spins { random.vector(1.0) } else { DVec3::ZERO };
            let moves = !self.rests || row.is_multiple_of(5);
            let velocity = if moves { random.vector(1.0) / self.unit } else { DVec3::ZERO };
            Body { spin, ..ball.at(place).moving(velocity) }
        };
        let bodies: Vec<Body> = radii.into_iter().enumerate().map(body).collect();
        Stepper::new(settings, &bodies).unwrap()
    }
}

/// Spaces so narrow that not all are gases.
const NARROW: [usize; 3] = [3; 3];

/// Newton's method.
fn cube_root(cube: f64) -> f64 {
    (0..100).fold(cube, |root, _| (2.0 * root + cube / (root * root)) / 3.0)
}

/// Advances a world with both loops, and compares events, knots and snapshots. Returns the number of events.
fn compare(case: &Case, duration: f64, random: &mut Random) -> usize {
    let mut own = case.world(random);
    [BodyId(0), BodyId(7)].into_iter().for_each(|id| own.track(id));
    let mut plain = own.clone().without_gas();
    let machines = machines();
    own.sim.scene.rows.records.common.machine = machines[random.below(machines.len())];
    let (mut events, mut turns) = (0, 0);
    for step in 1..=30 {
        let target = own.now().plus(duration * case.unit / 30.0 * random.unit());
        for stepper in [&mut own, &mut plain] {
            while stepper.advance(target, 500).unwrap() != crate::dynamics::Progress::Reached {}
        }
        let (one, other) = (own.take_events(), plain.take_events());
        events += one.len();
        turns += usize::from(own.turns.gas.is_some());
        if let Some(row) = (0..one.len().max(other.len())).find(|&row| one.get(row) != other.get(row)) {
            panic!("{case:?}, step {step}, event {row}:\n{:?}\n{:?}", one.get(row), other.get(row));
        }
        assert_eq!(own.take_knots(), plain.take_knots(), "{case:?}, step {step}");
        assert_eq!(own.snapshot(), plain.snapshot(), "{case:?}, step {step}");
        let place = DVec3::splat(2.0) + random.vector(1.0);
        let around = Aabb { min: place - 1.0, max: place + 1.0 };
        match random.below(14) {
            // A query needs the broad phase, and a command the step loop.
            2 => assert_eq!(own.overlapping(&around, &Sight::ALL), plain.overlapping(&around, &Sight::ALL), "{case:?}"),
            3 => {
                let impulse = random.vector(0.1) / case.unit;
                [&mut own, &mut plain]
                    .into_iter()
                    .for_each(|stepper| stepper.kick(BodyId(3), impulse, DVec3::ZERO).unwrap());
            }
            // Bodies go, and come where there is room for them.
            4 => {
                let gone = BodyId(8 + random.below(own.count() - 8) as u32);
                assert_eq!(own.despawn(gone), plain.despawn(gone), "{case:?}");
            }
            5 => {
                let body = own.body(BodyId(0));
                let comes = Body { spin: DVec3::ZERO, ..body.at(place + random.vector(1.0)) };
                assert_eq!(own.spawn(&comes), plain.spawn(&comes), "{case:?}");
            }
            0 => own.pause_gas(1 + random.below(300) as u64),
            1 => own.pause_gas(1),
            _ => {}
        }
    }
    assert!(turns > 3 || case.cells == NARROW, "{case:?}: the gas loop ran after {turns} steps");
    events
}

#[test]
fn it_has_them_with_a_restitution_by_speed_too() {
    let mut random = Random::from_state(48);
    for packing in [0.01, 0.1, 0.3, 0.45] {
        for heaviest in [1.0, 3.0] {
            let case = Case { packing, heaviest, viscosity: 0.1, restitution: 0.95, ..PLAIN };
            assert!(compare(&case, 0.7 / packing, &mut random) > 100, "{case:?}");
        }
    }
}

/// A ball at rest stays in its domain for ever, and mostly has no meeting ahead.
#[test]
fn it_has_them_with_balls_at_rest_too() {
    let mut random = Random::from_state(49);
    for packing in [0.01, 0.1, 0.3, 0.45] {
        assert!(compare(&Case { packing, rests: true, ..PLAIN }, 3.0 / packing, &mut random) > 100, "{packing}");
    }
}

#[test]
fn it_has_the_events_and_the_state_of_the_step_loop() {
    let mut random = Random::from_state(46);
    let mut events = 0;
    for packing in [0.01, 0.1, 0.3, 0.45, 0.5] {
        events += compare(&Case { packing, ..PLAIN }, 0.5 / packing, &mut random);
        events += compare(
            &Case { packing, cells: [4, 5, 7], impacts: Impacts::Pairwise, ..PLAIN },
            0.5 / packing,
            &mut random,
        );
        events += compare(&Case { packing, heaviest: 10.0, spins: true, ..PLAIN }, 0.5 / packing, &mut random);
        events += compare(&Case { packing, restitution: 0.9, ..PLAIN }, 0.7 / packing, &mut random);
    }
    for (smallest, packings) in [(0.95, [0.1, 0.37, 0.5]), (0.7, [0.02, 0.2, 0.45]), (0.51, [0.02, 0.1, 0.3])] {
        for packing in packings {
            let case = Case { packing, smallest, heaviest: 3.0, ..PLAIN };
            events += compare(&case, 0.5 / packing, &mut random);
        }
    }
    for packing in [0.001, 0.002, 0.004, 0.007, 0.01, 0.02, 0.03] {
        events += compare(&Case { packing, cells: NARROW, ..PLAIN }, 2.0 / packing, &mut random);
    }
    for unit in [1e-9, 1e5] {
        events += compare(&Case { unit, ..PLAIN }, 2.0, &mut random);
    }
    assert!(events > 20_000, "{events}");
}
