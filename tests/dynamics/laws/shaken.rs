//! One ball or box on a plate that shakes in any direction: rolling, sliding along a line or a curve.

use std::f64::consts::TAU;

use carom::motion::SimTime;
use carom::{Body, Course, EventKind, Space, World};
use glam::DVec3;

use super::unexplained;
use crate::common::Random;
use crate::common::scene::{ball, cuboid, plane, resisting, settings};
use crate::common::world;

const Z: DVec3 = DVec3::Z;
const G: f64 = 10.0;
const RADIUS: f64 = 0.1;

/// What rolls without slip moves by k/(1 + k) of the displacement of its plate, where its moment of inertia is k m r²:
/// 2/7 for a ball, and 1/3 for a disc.
#[test]
fn what_rolls_on_a_plate_follows_it_by_a_share() {
    let (amplitude, frequency) = (0.02, 2.0);
    let fastest = amplitude * TAU * frequency;
    for (is_planar, share) in [(false, 2.0 / 7.0), (true, 1.0 / 3.0)] {
        let up = if is_planar { DVec3::Y } else { Z };
        let axis = DVec3::X;
        let plate = plane(up, 0.0).along(Course::sine(axis, amplitude, frequency, 0.0).unwrap());
        // At the start the plate is as fast as ever, and the contact point as well.
        let spin = up.cross(axis) * (-(1.0 - share) * fastest / RADIUS);
        let body = ball(RADIUS, 1.5).at(up * RADIUS).moving(axis * (share * fastest)).spinning(spin);
        let mut settings = settings(up * -G, 0.0, 0.3);
        settings.space = Space { is_planar, ..Space::default() };
        let mut world = world(settings, vec![("ball", body), ("plate", plate)]);
        let (id, before) = (world.id("ball").unwrap(), world.balance());
        world.track(id);
        for n in 1..=80 {
            world.step(0.0125).unwrap();
            let (state, angle) = (world.state(id), TAU * frequency * 0.0125 * f64::from(n));
            let place = up * RADIUS + axis * (share * amplitude * angle.sin());
            assert!((state.position - place).length() < 1e-13, "{n}: {} for {place}", state.position);
            assert!((state.spin - spin * angle.cos()).length() < 1e-12, "{n}: {}", state.spin);
        }
        assert_eq!(world.events().len(), 1, "{:?}", world.events());
        let (gained, size) = unexplained(&before, &world);
        assert!(gained.abs() < 1e-13 * size && world.audit().contact_heat.abs() < 1e-14 * size, "{gained:e}");
        // The parts in which it is shown begin and end with its spin.
        let knots = world.take_knots();
        assert!(knots.len() > 90, "{}", knots.len());
        for two in knots.windows(2) {
            let span = two[1].path.epoch.since(two[0].path.epoch);
            assert!((two[0].spin.at(span) - two[1].spin.velocity).length() < 1e-12, "{two:?}");
        }
    }
}

/// A ball slides and spins on a plate that swings along its normal: N(t) = m (g + a(t)). Until it rolls, its speed is
/// that without swing less µ times the speed of the plate.
#[test]
fn a_ball_that_slides_on_a_plate_that_swings() {
    let (amplitude, frequency, friction): (f64, f64, f64) = (0.01, 4.0, 0.2);
    let fastest = amplitude * TAU * frequency;
    let plate = plane(Z, 0.0).along(Course::sine(Z, amplitude, frequency, 0.0).unwrap());
    let body = ball(RADIUS, 0.7).at(Z * RADIUS).moving(DVec3::new(3.0, 0.0, fastest));
    let mut world = world(settings(Z * -G, 0.0, friction), vec![("ball", body), ("plate", plate)]);
    let (id, before) = (world.id("ball").unwrap(), world.balance());
    // ∫ N dt / m
    let pressed = |t: f64| G * t + fastest * ((TAU * frequency * t).cos() - 1.0);
    let way = |t: f64| 0.5 * G * t * t + amplitude * (TAU * frequency * t).sin() - fastest * t;
    // It rolls when 3 − µ P = 5/2 µ P.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle: f64 = 0.5 * (low + high);
        if 3.5 * friction * pressed(middle) < 3.0 { low = middle } else { high = middle }
    }
    for n in 1..=100 {
        world.step(0.01).unwrap();
        let (state, t) = (world.state(id), 0.01 * f64::from(n));
        let slid = t.min(low);
        let speed = 3.0 - friction * pressed(slid);
        let place = 3.0 * slid - friction * way(slid) + speed * (t - slid);
        assert!((state.velocity.x - speed).abs() < 1e-12, "{t}: {state:?} for {speed}");
        assert!((state.position.x - place).abs() < 1e-12, "{t}: {state:?} for {place}");
        assert!((state.spin.y - 2.5 * friction * pressed(slid) / RADIUS).abs() < 1e-11, "{t}: {state:?}");
    }
    let stick = world.events().iter().find(|event| event.kind == EventKind::Stick).unwrap();
    assert!((stick.time.seconds() - low).abs() < 1e-13, "{} for {low}", stick.time);
    let (gained, size) = unexplained(&before, &world);
    let rolled = 0.7 * 0.7 * (3.0 - friction * pressed(low)).powi(2);
    assert!((world.audit().contact_heat - (0.7 * 4.5 - rolled)).abs() < 1e-12, "{:?}", world.audit());
    assert!(gained.abs() < 1e-13 * size, "{gained:e}");
}

/// A body on a plate through the origin with the normal z, and what the laws of friction need to know.
struct Shaken {
    gravity: DVec3,
    course: Course,
    frictions: [f64; 3],
    /// Five halves over the square of the radius; 0 for a box.
    turns: f64,
    start: [DVec3; 3],
}

impl Shaken {
    fn random(random: &mut Random) -> Self {
        let axis = match random.below(3) {
            0 => DVec3::X,
            _ => random.vector(1.0),
        };
        let axis = axis / axis.length();
        let (frequency, phase) = (random.between(1.0, 8.0), random.unit());
        // The plate never throws it.
        let amplitude = random.between(0.2, 0.8) * G / (TAU * frequency).powi(2) / axis.z.abs().max(0.3);
        let course = Course::sine(axis, amplitude, frequency, phase).unwrap();
        let mut or_none = |most: f64| if random.below(2) == 0 { 0.0 } else { random.between(0.1 * most, most) };
        let (rolling, spinning, slope) = (or_none(0.01), or_none(0.01), [or_none(1.0), or_none(1.0)]);
        let frictions = [random.between(0.05, 0.6), rolling, spinning];
        let turns = if random.below(3) == 0 { 0.0 } else { 2.5 / (RADIUS * RADIUS) };
        let [place, speed, _] = course.at(SimTime::ZERO);
        let velocity = random.vector(1.0).with_z(speed.z);
        let spin = if turns > 0.0 { random.vector(15.0) } else { DVec3::ZERO };
        let gravity = DVec3::new(slope[0], slope[1], -G);
        Self { gravity, course, frictions, turns, start: [Z * (RADIUS + place.z), velocity, spin] }
    }

    fn world(&self) -> World {
        let [friction, rolling, spinning] = self.frictions;
        let settings = resisting(settings(self.gravity, 0.0, friction), rolling, spinning);
        let body: Body = if self.turns > 0.0 { ball(RADIUS, 1.0) } else { cuboid(DVec3::splat(RADIUS), 1.0) };
        let [position, velocity, spin] = self.start;
        let body = body.at(position).moving(velocity).spinning(spin);
        world(settings, vec![("body", body), ("plate", plane(Z, 0.0).along(self.course))])
    }

    /// Its position and velocity after `time` s by small implicit steps of the laws of Coulomb, of the first order.
    fn by_steps(&self, time: f64, step: f64) -> [DVec3; 2] {
        let [mut position, mut velocity, mut spin] = self.start;
        let arm = Z * -RADIUS;
        let within = |impulse: DVec3, most: f64| {
            let size = impulse.length();
            if size > most { impulse * (most / size) } else { impulse }
        };
        for n in 0..(time / step).round() as usize {
            let [middle, end] = [0.5, 1.0].map(|part| SimTime::from_seconds((n as f64 + part) * step));
            let pressed = (self.course.at(middle)[2].z - self.gravity.z) * step;
            let plate = self.course.at(end)[1];
            velocity += self.gravity.with_z(0.0) * step;
            let [mut force, mut couple, mut twist] = [DVec3::ZERO; 3];
            let frictions = self.frictions.map(|friction| friction * pressed);
            for _ in 0..if self.turns > 0.0 && frictions[1] > 0.0 { 60 } else { 1 } {
                let turned = |couple: DVec3, force: DVec3| spin + (couple + arm.cross(force)) * self.turns;
                let slip = velocity + force + turned(couple, force).cross(arm) - plate;
                let gives = 1.0 + self.turns * RADIUS * RADIUS;
                force = within(force - slip.with_z(0.0) / gives, frictions[0]);
                if self.turns > 0.0 {
                    couple = within(couple - turned(couple, force).with_z(0.0) / self.turns, frictions[1]);
                    twist = within(Z * (-spin.z / self.turns), frictions[2]);
                }
            }
            velocity = (velocity + force).with_z(plate.z);
            spin += (couple + twist + arm.cross(force)) * self.turns;
            position += velocity * step;
        }
        [position, velocity]
    }
}

#[test]
fn one_body_on_a_shaken_plate_obeys_the_laws_of_friction() {
    let mut random = Random::new(2026);
    let mut slips = 0;
    for round in 0..60 {
        let scene = Shaken::random(&mut random);
        let mut world = scene.world();
        let (id, before) = (world.id("body").unwrap(), world.balance());
        world.step(0.5).unwrap();
        assert_eq!(world.stepping_totals().time_steps, 0, "round {round}: {:?}", world.events());
        assert!(world.events().len() < 40, "round {round}: {:?}", world.events());
        slips += world.audit().count(EventKind::Slip);
        let [coarse, fine] = [4e-5, 2e-5].map(|step| scene.by_steps(0.5, step));
        let state = world.state(id);
        for (found, part) in [state.position, state.velocity].into_iter().zip(0..2) {
            let (wanted, slack) = (fine[part] * 2.0 - coarse[part], (fine[part] - coarse[part]).length());
            let off = (found - wanted).with_z(0.0).length();
            assert!(off < 2.0 * slack + 5e-5, "round {round}: {found} for {wanted}, {off:e} {slack:e}");
        }
        let (gained, size) = unexplained(&before, &world);
        let heat = world.audit().contact_heat;
        assert!(gained.abs() < 1e-12 * size && heat > -1e-13 * size, "round {round}: {gained:e} {heat:e}");
    }
    assert!(slips > 20, "{slips} slips");
}

/// Friction that holds a ball against rolling does not hold it against spinning.
#[test]
fn a_ball_that_is_held_spins_down() {
    let plate = plane(Z, 0.0).along(Course::sine(DVec3::X, 3e-4, 9.0, 0.0).unwrap());
    let body = ball(RADIUS, 1.0).at(Z * RADIUS).spinning(Z * 10.0);
    let settings = resisting(settings(Z * -G, 0.0, 0.4), 0.03, 0.004);
    let mut world = world(settings, vec![("ball", body), ("plate", plate)]);
    world.step(0.4).unwrap();
    let spin = world.state(world.id("ball").unwrap()).spin;
    assert!((spin - Z * (10.0 - 2.5 * 0.004 * G / (RADIUS * RADIUS) * 0.4)).length() < 1e-12, "{spin}");
}

/// Where friction and the limit of friction are in proportion, the body is held until its plate leaves it, however
/// small the margin is; then it flies with the velocity of the plate.
#[test]
fn what_hardly_holds_on_a_slope_holds_until_it_is_thrown() {
    let (amplitude, frequency) = (0.05, 5.0);
    let (normal, fastest) = (DVec3::new(0.6, 0.0, 0.8), amplitude * TAU * frequency);
    let lost = (G / (amplitude * (TAU * frequency).powi(2))).asin();
    for friction in [0.75 * (1.0 + 1e-9), 0.75 * (1.0 + 1e-6), 0.76, 2.0] {
        let slope = plane(normal, 0.0).along(Course::sine(Z, amplitude, frequency, 0.0).unwrap());
        let start = DVec3::new(0.084, 0.0, 0.112);
        let block = cuboid(DVec3::splat(RADIUS), 1.3).at(start).moving(Z * fastest);
        let mut world = world(settings(Z * -G, 0.0, friction), vec![("block", block), ("slope", slope)]);
        world.step(0.06).unwrap();
        let kinds: Vec<_> = world.events().iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [EventKind::Rest, EventKind::Release], "{friction}");
        let thrown = lost / (TAU * frequency);
        assert!((world.events()[1].time.seconds() - thrown).abs() < 1e-12, "{friction}: {:?}", world.events());
        let (flown, speed) = (0.06 - thrown, fastest * lost.cos());
        let wanted = start + Z * (amplitude * lost.sin() + (speed - 0.5 * G * flown) * flown);
        let state = world.state(world.id("block").unwrap());
        assert!((state.position - wanted).length() < 1e-12, "{friction}: {state:?} for {wanted}");
    }
}

/// A body meets a plate that falls faster than it, without rebound: it flies on with the velocity of the plate.
#[test]
fn a_plate_that_falls_away_does_not_hold_what_meets_it() {
    let course = Course::sine(Z, 0.05, 5.0, 0.3).unwrap();
    for friction in [0.0, 2.0] {
        for (body, spins) in [(ball(RADIUS, 1.3), true), (cuboid(DVec3::splat(RADIUS), 1.3), false)] {
            let [place, _, _] = course.at(SimTime::ZERO);
            let body = body.at(Z * (RADIUS + place.z + 0.015)).moving(Z * -2.0);
            let bodies = vec![("body", body), ("plate", plane(Z, 0.0).along(course))];
            let mut world = world(settings(Z * -G, 0.0, friction), bodies);
            world.step(0.04).unwrap();
            let events = world.events();
            let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
            assert_eq!(kinds, [EventKind::Rest, EventKind::Release], "{friction} {spins}");
            let [place, velocity, acceleration] = course.at(events[0].time);
            assert!(acceleration.z < -2.0 * G, "{acceleration}");
            let flown = 0.04 - events[0].time.seconds();
            let wanted = RADIUS + place.z + (velocity.z - 0.5 * G * flown) * flown;
            let found = world.position(world.id("body").unwrap()).z;
            assert!((found - wanted).abs() < 1e-12, "{friction} {spins}: {found} for {wanted}");
        }
    }
}

/// The force of a contact is that of the present: what is held gets the acceleration of its plate, and what slides has
/// friction in proportion to the load.
#[test]
fn forces_on_a_shaken_plate_are_those_of_the_present() {
    let forward = DVec3::new(0.6, 0.0, 0.8);
    for (axis, slides) in [(forward, DVec3::ZERO), (Z, DVec3::ZERO), (Z, DVec3::X * 5.0)] {
        let course = Course::sine(axis, 0.005, 5.0, 0.1).unwrap();
        let [place, velocity, _] = course.at(SimTime::ZERO);
        let block = cuboid(DVec3::splat(RADIUS), 1.3).at(Z * RADIUS + place).moving(velocity + slides);
        let [block, plate] = [("block", block), ("plate", plane(Z, 0.0).along(course))];
        for bodies in [[block.clone(), plate.clone()], [plate, block]] {
            let friction = if slides == DVec3::ZERO { 2.0 } else { 0.3 };
            let mut world = world(settings(Z * -G, 0.0, friction), bodies.to_vec());
            let id = world.id("block").unwrap();
            for n in 1..=37 {
                world.step(0.0125).unwrap();
                let [_, _, acceleration] = course.at(world.now());
                let held = (acceleration + Z * G) * 1.3;
                let wanted = if slides == DVec3::ZERO { held } else { (Z - DVec3::X * friction) * held.z };
                let contacts = world.contacts_of(id);
                let [contact] = contacts[..] else { panic!("{contacts:?}") };
                let force = if contact.b == id { contact.force } else { -contact.force };
                assert!((force - wanted).length() < 1e-12, "{axis} {slides} {n}: {force} for {wanted}");
                assert_eq!(world.contacts(), contacts);
            }
        }
    }
}
