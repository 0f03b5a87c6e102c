//! A free body that slides or rolls on a box that slides, too: two directions of slip that turn each other.

use carom::{Pairing, World};
use glam::DVec3;

use crate::common::scene::{STUFF, ball, cuboid, material, plane, settings};
use crate::common::{Random, is_thorough, world};

const Z: DVec3 = DVec3::Z;
const RADIUS: f64 = 0.3;

/// A wide box on the floor, and a ball or a small box on it.
struct Stack {
    gravity: DVec3,
    /// Between the box and the floor, and between the two bodies.
    frictions: [f64; 2],
    masses: [f64; 2],
    /// Five halves over the square of the radius; 0 for a box.
    turns: f64,
    velocities: [DVec3; 2],
    spin: DVec3,
}

impl Stack {
    fn random(random: &mut Random) -> Self {
        let mut flat = |size: f64| random.vector(size).with_z(0.0);
        let (velocities, slope) = ([flat(3.0), flat(3.0)], flat(2.0));
        let level = random.below(2) == 0;
        let turns = if random.below(2) == 0 { 2.5 / (RADIUS * RADIUS) } else { 0.0 };
        Self {
            gravity: Z * -10.0 + if level { DVec3::ZERO } else { slope },
            frictions: [random.between(0.05, 0.9), random.between(0.05, 0.9)],
            masses: [random.between(0.5, 5.0), random.between(0.5, 5.0)],
            turns,
            velocities,
            spin: if turns > 0.0 { random.vector(9.0) } else { DVec3::ZERO },
        }
    }

    fn world(&self) -> World {
        let mut settings = settings(self.gravity, 0.0, self.frictions[0]);
        let other = material(0.0, self.frictions[1]);
        let stuff = settings.materials.add(other.clone());
        let pairing = Pairing { friction: Some(other.friction), ..Pairing::default() };
        settings.materials.set_pair(STUFF, stuff, pairing);
        let low = cuboid(DVec3::new(4.0, 4.0, 0.2), self.masses[0]).at(Z * 0.2).moving(self.velocities[0]);
        let half = DVec3::splat(RADIUS);
        let top = if self.turns > 0.0 { ball(RADIUS, self.masses[1]) } else { cuboid(half, self.masses[1]) };
        let top = top.at(Z * (0.4 + RADIUS)).moving(self.velocities[1]).spinning(self.spin).made_of(stuff);
        world(settings, vec![("floor", plane(Z, 0.0)), ("low", low), ("top", top)])
    }

    /// The places of both bodies after `time` s, by small implicit steps of Coulomb's law, of the first order.
    fn by_steps(&self, time: f64, step: f64) -> [DVec3; 2] {
        let ([mut low, mut top], mut spin) = (self.velocities, self.spin);
        let ([low_mass, top_mass], arm) = (self.masses, Z * -RADIUS);
        let (mut ways, turns) = ([DVec3::ZERO; 2], self.turns / top_mass);
        let pull = self.gravity.with_z(0.0) * step;
        let weight = -self.gravity.z * step;
        let most = [self.frictions[0] * (low_mass + top_mass) * weight, self.frictions[1] * top_mass * weight];
        let within = |impulse: DVec3, most: f64| {
            let size = impulse.length();
            if size > most { impulse * (most / size) } else { impulse }
        };
        let [mut floor, mut between] = [DVec3::ZERO; 2];
        for _ in 0..(time / step).round() as usize {
            // Of the floor on the box, and of the box on the body on it.
            for _ in 0..40 {
                let moved = |floor: DVec3, between: DVec3| {
                    let spin = spin + arm.cross(between) * turns;
                    [low + pull + (floor - between) / low_mass, top + pull + between / top_mass + spin.cross(arm)]
                };
                floor = within(floor - moved(floor, between)[0] * low_mass, most[0]);
                let [below, above] = moved(floor, between);
                let gives = 1.0 / low_mass + (1.0 + self.turns * RADIUS * RADIUS) / top_mass;
                between = within(between - (above - below).with_z(0.0) / gives, most[1]);
            }
            low += pull + (floor - between) / low_mass;
            top += pull + between / top_mass;
            spin += arm.cross(between) * turns;
            ways = [ways[0] + low * step, ways[1] + top * step];
        }
        ways
    }
}

/// Also where a slip passes near zero while it turns, or ends while the other goes on, there are no time steps.
#[test]
fn two_bodies_that_slide_on_each_other_obey_coulombs_law() {
    let mut random = Random::new(45);
    for round in 0..if is_thorough() { 2_000 } else { 60 } {
        let stack = Stack::random(&mut random);
        let mut world = stack.world();
        let bodies = ["low", "top"].map(|name| world.id(name).unwrap());
        let start = bodies.map(|id| world.position(id));
        world.step(0.6).unwrap();
        assert_eq!(world.stepping_totals().time_steps, 0, "round {round}: {:?}", world.events());
        if round >= 60 {
            continue;
        }
        let [coarse, fine] = [8e-5, 4e-5].map(|step| stack.by_steps(0.6, step));
        for (place, id) in bodies.into_iter().enumerate() {
            let way = world.position(id) - start[place];
            let (wanted, slack) = (fine[place] * 2.0 - coarse[place], (fine[place] - coarse[place]).length());
            let off = (way - wanted).length();
            assert!(off < 2.0 * slack + 5e-5, "round {round}: {way} for {wanted}, {off:e} {slack:e}");
        }
    }
}
