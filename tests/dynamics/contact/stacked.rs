//! Free bodies that slide or roll on each other, on a box or on a ball: directions of slip that turn each other.

use carom::{Pairing, Settings, World};
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

const REST_HEIGHT: f64 = 1e-7;

/// A ball on a ball on the floor. Both slide.
struct Balls {
    friction: f64,
    radii: [f64; 2],
    masses: [f64; 2],
    start: Motion,
}

/// Places, velocities and spins of both balls.
#[derive(Clone, Copy)]
struct Motion([[DVec3; 2]; 3]);

impl Motion {
    fn plus(&self, rates: &Self, time: f64) -> Self {
        Self(std::array::from_fn(|kind| std::array::from_fn(|ball| self.0[kind][ball] + rates.0[kind][ball] * time)))
    }
}

impl Balls {
    fn random(random: &mut Random) -> Self {
        let mut between = |low: f64, high: f64| random.between(low, high);
        let (friction, radii) = (between(0.05, 0.3), [between(0.1, 0.3), between(0.05, 0.2)]);
        let masses = [between(0.5, 3.0), between(0.5, 3.0)];
        let mut flat = |size: f64| random.vector(size).with_z(0.0);
        let (aside, velocities) = (flat(0.3), [flat(0.5), flat(0.5)]);
        let low = Z * radii[0];
        let towards = aside + Z * (1.0 - aside.length_squared()).sqrt();
        let places = [low, low + towards * (radii[0] + radii[1])];
        // The upper ball moves along the lower one.
        let velocities = [velocities[0], velocities[0] + velocities[1].reject_from_normalized(towards)];
        Self {
            friction,
            radii,
            masses,
            start: Motion([places, velocities, [random.vector(40.0), random.vector(40.0)]]),
        }
    }

    /// Both balls, and with a `feather` a third one on top of them that weighs nearly nothing.
    fn world(&self, feather: bool) -> World {
        let Motion([places, velocities, spins]) = self.start;
        let body =
            |n: usize| ball(self.radii[n], self.masses[n]).at(places[n]).moving(velocities[n]).spinning(spins[n]);
        let settings = Settings { rest_height: REST_HEIGHT, ..settings(Z * -10.0, 0.0, self.friction) };
        let mut bodies = vec![("floor", plane(Z, 0.0)), ("low", body(0)), ("top", body(1))];
        if feather {
            let above = places[1] + Z * (self.radii[1] + 0.05);
            bodies.push(("feather", ball(0.05, 1e-9).at(above).moving(velocities[1])));
        }
        world(settings, bodies)
    }

    /// The slips over the floor and of the upper ball over the lower one, m/s.
    fn slips(&self, motion: &Motion) -> [DVec3; 2] {
        let (Motion([_, [low, top], [spin, spun]]), normal) = (motion, self.normal(motion));
        let between = (*top - spun.cross(normal) * self.radii[1]) - (*low + spin.cross(normal) * self.radii[0]);
        [(*low - spin.cross(Z) * self.radii[0]).with_z(0.0), between.reject_from_normalized(normal)]
    }

    fn normal(&self, motion: &Motion) -> DVec3 {
        (motion.0[0][1] - motion.0[0][0]).normalize()
    }

    /// The forces of both contacts follow from what they constrain: the lower ball stays on the floor, and the distance
    /// of the centres is constant. Returns the rates and whether both press.
    fn rates(&self, motion: &Motion) -> (Motion, bool) {
        let (Motion([_, velocities, _]), normal, gravity) = (motion, self.normal(motion), Z * -10.0);
        let friction = self.slips(motion).map(|slip| slip.normalize() * -self.friction);
        let (floor, between) = (Z + friction[0], normal + friction[1]);
        let [light, lighter] = self.masses.map(|mass| 1.0 / mass);
        // The vertical acceleration of the lower ball, and the relative one along the normal.
        let rows = [
            [floor.z * light, -between.z * light],
            [-floor.dot(normal) * light, between.dot(normal) * (light + lighter)],
        ];
        let turns = (velocities[1] - velocities[0]).length_squared() / (self.radii[0] + self.radii[1]);
        let wanted = [10.0, -turns];
        let all = rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0];
        let forces = [
            (wanted[0] * rows[1][1] - wanted[1] * rows[0][1]) / all,
            (rows[0][0] * wanted[1] - rows[1][0] * wanted[0]) / all,
        ];
        let (floor, between) = (floor * forces[0], between * forces[1]);
        let torques = [
            (Z * -self.radii[0]).cross(floor) + (normal * self.radii[0]).cross(-between),
            (normal * -self.radii[1]).cross(between),
        ];
        let inertia = |n: usize| 0.4 * self.masses[n] * self.radii[n] * self.radii[n];
        let linear = [gravity + (floor - between) * light, gravity + between * lighter];
        let angular = [0, 1].map(|n| torques[n] / inertia(n));
        (Motion([*velocities, linear, angular]), forces.iter().all(|&force| force > 0.1))
    }

    /// The motion after `time` s by Runge and Kutta's steps of the fourth order; `None` where a slip ends or a ball
    /// leaves.
    fn by_steps(&self, time: f64, steps: u32) -> Option<Motion> {
        let (step, mut now) = (time / f64::from(steps), self.start);
        for _ in 0..steps {
            let (first, press) = self.rates(&now);
            if !press || self.slips(&now).iter().any(|slip| slip.length() < 0.2) {
                return None;
            }
            let second = self.rates(&now.plus(&first, 0.5 * step)).0;
            let third = self.rates(&now.plus(&second, 0.5 * step)).0;
            let fourth = self.rates(&now.plus(&third, step)).0;
            now = [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)]
                .iter()
                .fold(now, |now, (rates, share)| now.plus(rates, share / 6.0 * step));
        }
        Some(now)
    }
}

/// How far the balls are off, at most, from places by Runge and Kutta's method, m. Calls `check` with each world.
fn farthest_off(feather: bool, check: impl Fn(u32, &World)) -> f64 {
    let (mut random, mut compared, mut farthest) = (Random::new(7), 0, 0.0_f64);
    for round in 0..if is_thorough() { 200 } else { 30 } {
        let balls = Balls::random(&mut random);
        let Some(wanted) = balls.by_steps(0.15, 600) else { continue };
        compared += 1;
        let mut world = balls.world(feather);
        world.step(0.15).unwrap();
        check(round, &world);
        for (place, name) in ["low", "top"].into_iter().enumerate() {
            let off = (world.position(world.id(name).unwrap()) - wanted.0[0][place]).length();
            farthest = farthest.max(off);
        }
    }
    assert!(compared > 20, "{compared} scenes");
    farthest
}

#[test]
fn a_ball_that_slides_on_a_sliding_ball_obeys_coulombs_law() {
    let by_events = |round: u32, world: &World| {
        assert_eq!(world.stepping_totals().time_steps, 0, "round {round}: {:?}", world.events());
    };
    let off = farthest_off(false, by_events);
    assert!(off < 2e-5, "{off:e} m");
}

/// Three bodies on curved surfaces get time steps. These are short, and friction is solved in each of them.
#[test]
fn time_steps_of_few_bodies_obey_coulombs_law() {
    let by_steps = |round: u32, world: &World| {
        assert!(world.stepping_totals().time_steps > 0, "round {round}: {:?}", world.events());
    };
    let off = farthest_off(true, by_steps);
    assert!(off < 3e-4, "{off:e} m");
}
