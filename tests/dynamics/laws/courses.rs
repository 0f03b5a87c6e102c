//! Bodies on courses: plates that swing, and what bounces, rests and slides on them.

use std::f64::consts::{PI, TAU};

use carom::geometry::{Grid, Mesh};
use carom::{Body, Course, EventKind, World};
use glam::DVec3;

use super::unexplained;
use crate::common::scene::{ball, cuboid, plane, settings};
use crate::common::{Random, world};

const Z: DVec3 = DVec3::Z;
const G: f64 = 9.81;

/// A plate that swings along its normal so that its largest acceleration is `gamma` times that of gravity.
fn shaker(gamma: f64, frequency: f64, phase: f64) -> (Body, f64) {
    let amplitude = gamma * G / (TAU * frequency).powi(2);
    (plane(Z, 0.0).along(Course::sine(Z, amplitude, frequency, phase).unwrap()), amplitude)
}

fn swinging(restitution: f64, friction: f64, bodies: Vec<(&'static str, Body)>) -> World {
    world(settings(Z * -G, restitution, friction), bodies)
}

/// What rests on a plate is thrown up when that falls faster than gravity allows: at ωt = asin(1/Γ).
#[test]
fn a_ball_at_rest_is_thrown_at_the_phase_of_one_over_gamma() {
    for gamma in [1.001, 1.1, 2.0, 5.0, 30.0] {
        let (plate, _) = shaker(gamma, 25.0, 0.0);
        let mut world = swinging(0.0, 0.0, vec![("ball", ball(0.1, 2.0).at(Z * 0.1)), ("plate", plate)]);
        world.step(0.01).unwrap();
        let thrown = world.events().iter().find(|event| event.kind == EventKind::Release).unwrap();
        let wanted = (1.0 / gamma).asin() / (TAU * 25.0);
        let off = (thrown.time.seconds() - wanted).abs();
        // Near Γ = 1 the force hardly becomes negative.
        let slope = (gamma * gamma - 1.0).sqrt();
        assert!(off < 1e-12 / slope, "{gamma}: {} for {wanted}", thrown.time);
    }
}

/// Below Γ = 1 it stays, and is where the plate is.
#[test]
fn what_is_not_thrown_stays_on_the_plate() {
    for body in [ball(0.1, 2.0).at(Z * 0.1), cuboid(DVec3::splat(0.1), 2.0).at(Z * 0.1)] {
        let (plate, amplitude) = shaker(0.999, 10.0, 0.0);
        // It begins with the velocity of the plate.
        let body = body.moving(Z * (amplitude * TAU * 10.0));
        let mut world = swinging(0.5, 0.3, vec![("body", body), ("plate", plate)]);
        let before = world.balance().kinetic + world.balance().potential;
        let id = world.id("body").unwrap();
        for n in 1..300 {
            world.step(0.0137).unwrap();
            let wanted = 0.1 + amplitude * (TAU * 10.0 * 0.0137 * f64::from(n)).sin();
            assert!((world.position(id).z - wanted).abs() < 1e-13, "{n}: {} for {wanted}", world.position(id));
        }
        let audit = world.audit();
        assert_eq!(audit.count(EventKind::Release), 0);
        let balance = world.balance();
        let change = balance.kinetic + balance.potential - before;
        assert!((change - audit.work).abs() < 1e-13 && audit.contact_heat.abs() < 1e-14, "{change} {audit:?}");
    }
}

/// The impacts of a ball on a swinging plate, computed by bisection with the sine of the standard library: times and
/// speeds after them.
fn bounces(amplitude: f64, frequency: f64, e: f64, start: (f64, f64), count: usize) -> Vec<(f64, f64)> {
    let rate = TAU * frequency;
    let place = |t: f64| amplitude * (rate * t).sin();
    let (mut time, mut speed, mut found) = (start.0, start.1, Vec::new());
    for _ in 0..count {
        let height = place(time);
        let gap = |t: f64| height + speed * (t - time) - 0.5 * G * (t - time).powi(2) - place(t);
        let mut low = time + 1e-6 / frequency;
        let step = 1e-4 / frequency;
        while gap(low + step) > 0.0 {
            low += step;
        }
        let mut high = low + step;
        while high - low > f64::EPSILON * high {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if gap(middle) > 0.0 { low = middle } else { high = middle }
        }
        let falls = speed - G * (high - time);
        let lifts = amplitude * rate * (rate * high).cos();
        (time, speed) = (high, lifts + e * (lifts - falls));
        found.push((time, speed));
    }
    found
}

/// A ball that bounces once per period: cos φ = π (1 − e)/((1 + e) Γ). In the stable range it stays there, and the
/// times of all impacts are those of the exact map.
#[test]
fn bouncing_once_per_period_and_twice() {
    let (e, frequency): (f64, f64) = (0.5, 20.0);
    for (gamma, period) in [(1.068, 1), (1.287, 1), (1.496, 1), (1.557, 2)] {
        let (_, amplitude) = shaker(gamma, frequency, 0.0);
        let cosine = PI * (1.0 - e) / ((1.0 + e) * gamma);
        let phase = cosine.acos();
        let (time, rate) = (phase / TAU / frequency, TAU * frequency);
        // It flies for one period, so it leaves with g T/2.
        let leaves = 0.5 * G / frequency;
        assert!((amplitude * rate * phase.cos() * (1.0 + e) / (1.0 - e) - leaves).abs() < 1e-12);
        let (height, up) = (amplitude * phase.sin(), leaves + 1e-4);
        let plate = plane(Z, 0.0).along(Course::sine(Z, amplitude, frequency, phase / TAU).unwrap());
        let start = ball(0.01, 1.0).at(Z * (0.01 + height)).moving(Z * up);
        let mut world = swinging(e, 0.0, vec![("ball", start), ("plate", plate)]);
        world.step(400.5 / frequency).unwrap();
        let impacts: Vec<f64> = world
            .events()
            .iter()
            .filter(|event| event.kind == EventKind::Impact)
            .map(|event| event.time.seconds())
            .collect();
        let wanted = bounces(amplitude, frequency, e, (time, up), impacts.len().min(60));
        for (n, (found, (wanted, _))) in impacts.iter().zip(&wanted).enumerate() {
            assert!((found - (wanted - time)).abs() < 1e-11, "{gamma} {n}: {found} for {}", wanted - time);
        }
        // In the end it lands at that phase, or at two phases in turn.
        let last = &impacts[impacts.len() - 20..];
        let phases: Vec<f64> = last.iter().map(|t| (t * frequency).fract()).collect();
        let apart = |n: usize| {
            let off = (phases[19] - phases[19 - n]).abs();
            off.min(1.0 - off)
        };
        let first = apart(1);
        assert!(if period == 1 { first < 1e-6 } else { first > 1e-3 && apart(2) < 1e-6 }, "{gamma}: {phases:?}");
    }
}

/// Energy comes from the wall alone, for many bodies, and does not depend on the timestep.
#[test]
fn the_walls_work_is_the_energy() {
    let mut random = Random::new(4);
    let tilted = Course::sine(DVec3::new(1.0, 0.0, 2.0), 0.03, 7.0, 0.3).unwrap();
    let lid = Course::polynomial(-Z, &[0.0, 0.0, 0.3, -0.2], 1.0).unwrap();
    let block = cuboid(DVec3::new(1.0, 1.0, 0.1), 1.0).at(Z * -0.2).along(tilted);
    let mut bodies = vec![("plate", plane(Z, -0.5).along(Course::sine(Z, 0.02, 12.0, 0.0).unwrap())), ("block", block)];
    bodies.push(("lid", cuboid(DVec3::new(5.0, 5.0, 0.2), 1.0).at(Z * 4.0).along(lid)));
    bodies.push((
        "rod",
        ball(0.2, 1.0).at(DVec3::new(0.0, 0.0, 2.0)).along(Course::sine(DVec3::X, 1.0, 1.0, 0.0).unwrap()),
    ));
    let names: Vec<String> = (0..40).map(|n| format!("b{n}")).collect();
    let mut all: Vec<(String, Body)> = bodies.into_iter().map(|(name, body)| (name.to_owned(), body)).collect();
    for (n, name) in names.into_iter().enumerate() {
        let place = DVec3::new((n % 5) as f64 * 0.5 - 1.0, (n / 5 % 4) as f64 * 0.5 - 0.8, 1.0 + (n / 20) as f64 * 1.6);
        let body = if n % 3 == 0 { cuboid(DVec3::splat(0.1), 1.0) } else { ball(0.1, 1.0) };
        all.push((name, body.at(place).moving(random.vector(1.0))));
    }
    for (restitution, friction) in [(1.0, 0.0), (0.7, 0.0), (0.5, 0.4)] {
        let make = || world(settings(Z * -G, restitution, friction), all.clone());
        let mut coarse = make();
        let before = coarse.balance();
        coarse.step(1.5).unwrap();
        let (audit, (off, size)) = (coarse.audit(), unexplained(&before, &coarse));
        assert!(off.abs() < 1e-12 * size, "{restitution} {friction}: {off:e} of {size}");
        assert!(audit.contact_heat > -1e-9 * size && audit.deepest < 1e-9, "{audit:?}");
        let mut fine = make();
        for _ in 0..150 {
            fine.step(0.01).unwrap();
            let other = fine.restore(&fine.snapshot());
            assert!(other.is_ok());
        }
        let states = |world: &World| world.ids().map(|id| world.state(id)).collect::<Vec<_>>();
        assert_eq!(coarse.now().seconds(), 1.5);
        for (id, (one, two)) in states(&coarse).into_iter().zip(states(&fine)).enumerate() {
            assert!((one.position - two.position).length() < 1e-6, "{id}: {one:?} {two:?}");
        }
    }
}

/// A block on a table that swings sideways is held up to Aω² = µ g, and slides beyond.
#[test]
fn a_table_that_swings_sideways() {
    let (friction, frequency): (f64, f64) = (0.3, 3.0);
    for share in [0.99, 1.5, 4.0] {
        let amplitude = share * friction * G / (TAU * frequency).powi(2);
        let table = plane(Z, 0.0).along(Course::sine(DVec3::X, amplitude, frequency, 0.25).unwrap());
        let block = cuboid(DVec3::splat(0.1), 2.0).at(DVec3::new(amplitude, 0.0, 0.1));
        let mut world = swinging(0.0, friction, vec![("block", block), ("table", table)]);
        let id = world.id("block").unwrap();
        for n in 1..200 {
            world.step(0.01).unwrap();
            let (state, t) = (world.state(id), 0.01 * f64::from(n));
            let speed = -amplitude * TAU * frequency * (TAU * frequency * t).sin();
            if share < 1.0 {
                assert!((state.velocity.x - speed).abs() < 1e-12, "{t}");
            }
            assert!(
                (state.position.z - 0.1).abs() < 1e-13,
                "{share} {t}: {state:?} {:?}",
                world.events().iter().map(|e| (e.time.seconds(), e.kind)).collect::<Vec<_>>()
            );
        }
        let (audit, balance) = (world.audit(), world.balance());
        assert_eq!(audit.count(EventKind::Slip) > 0, share > 1.0, "{share}");
        let energy = balance.kinetic + balance.potential - 2.0 * G * 0.1;
        assert!((energy + audit.contact_heat - audit.work).abs() < 1e-12, "{share}: {energy} {audit:?}");
        assert!(audit.contact_heat >= -1e-14 && (audit.contact_heat > 1e-4) == (share > 1.0), "{share}: {audit:?}");
    }
}

/// A block that slides over a table with edges, whose course is along its face: as on an endless one. The slip ends
/// when µ g t = Aω cos ωt, and from then on the block moves with the table.
#[test]
fn a_block_slides_over_a_table_with_edges() {
    let (friction, amplitude, rate) = (3.0, 0.3, PI);
    let course = Course::sine(DVec3::Y, amplitude, 0.5, 0.0).unwrap();
    let table = cuboid(DVec3::new(3.0, 3.0, 0.5), 1.0).at(Z * -0.5).fixed().along(course);
    for table in [table, plane(Z, 0.0).along(course)] {
        let block = cuboid(DVec3::splat(0.5), 1.0).at(Z * 0.5);
        let mut world = swinging(0.0, friction, vec![("block", block), ("table", table)]);
        world.step(2.0).unwrap();
        let (mut low, mut high) = (0.0, 0.5);
        for _ in 0..200 {
            let middle: f64 = 0.5 * (low + high);
            if friction * G * middle < amplitude * rate * (rate * middle).cos() { low = middle } else { high = middle }
        }
        let wanted = 0.5 * friction * G * low * low - amplitude * (rate * low).sin();
        let state = world.state(world.id("block").unwrap());
        let off = state.position - DVec3::new(0.0, wanted, 0.5);
        assert!(off.length() < 1e-12, "{state:?} for {wanted}");
        assert_eq!(world.stepping_totals().time_steps, 0);
    }
}

/// A smooth block stays where it is while a table moves away below it, and falls when the edge has passed it.
#[test]
fn a_smooth_block_falls_where_its_table_has_gone() {
    let (amplitude, frequency) = (1.0, 0.5);
    for (axis, half) in [(DVec3::X, 0.25), (-DVec3::Y, 0.5)] {
        let course = Course::sine(axis, amplitude, frequency, 0.0).unwrap();
        let table = cuboid(DVec3::new(0.5, 0.5, 0.5), 1.0).at(Z * -0.5 + axis * 0.4).fixed().along(course);
        let block = cuboid(DVec3::splat(half), 1.0).at(Z * half);
        let mut world = swinging(0.0, 0.0, vec![("block", block), ("table", table)]);
        world.step(0.9).unwrap();
        let left = world.events().iter().find(|event| event.kind == EventKind::Release).unwrap().time.seconds();
        // The table's centre is then 0.5 m and half a block away.
        let wanted = ((0.5 + half - 0.4) / amplitude).asin() / (TAU * frequency);
        assert!((left - wanted).abs() < 1e-13, "{left} for {wanted}");
        let fallen = half - 0.5 * G * (0.9 - wanted).powi(2);
        assert!((world.position(world.id("block").unwrap()).z - fallen).abs() < 1e-12);
        assert_eq!(world.stepping_totals().time_steps, 0);
    }
}

/// What is thrown off a plate that moves along its own face flies as from one at rest.
#[test]
fn a_kick_off_a_plate_that_moves_along_itself() {
    for (phase, body) in [(0.25, cuboid(DVec3::splat(0.5), 1.0)), (0.1, ball(0.5, 1.0)), (0.0, cuboid(DVec3::ONE, 2.0))]
    {
        for table in [plane(Z, 0.0), cuboid(DVec3::new(9.0, 9.0, 1.0), 1.0).at(-Z).fixed()] {
            let table = table.along(Course::sine(DVec3::Y, 0.3, 0.5, phase).unwrap());
            let rests = body.shape.half_extents().z;
            let mut world = swinging(0.0, 0.0, vec![("thrown", body.clone().at(Z * rests)), ("table", table)]);
            let id = world.id("thrown").unwrap();
            world.step(0.5).unwrap();
            world.set_velocity(id, Z).unwrap();
            world.step(0.1).unwrap();
            let off = world.position(id).z - (rests + 0.1 - 0.5 * G * 0.01);
            assert!(off.abs() < 1e-12, "{phase}: {off}");
            assert_eq!(world.stepping_totals().time_steps, 0);
        }
    }
}

/// Another gravity while a course carries a body: the balance of energy goes on.
#[test]
fn another_gravity_on_a_lift() {
    for axis in [Z, DVec3::new(0.6, 0.0, 0.8), DVec3::X] {
        let course = Course::sine(axis, 0.3, 0.5, 0.0).unwrap();
        let lift = cuboid(DVec3::new(3.0, 3.0, 0.5), 1.0).at(Z * -0.5).fixed().along(course);
        let block =
            cuboid(DVec3::splat(0.5), 1.0).at(Z * 0.5).moving(axis * course.at(carom::SimTime::ZERO)[1].length());
        let mut world = swinging(0.0, 2.0, vec![("block", block), ("lift", lift)]);
        let start = world.balance();
        for (pause, gravity) in [(0.3, 5.0), (0.4, 12.0), (0.9, 9.0)] {
            world.step(pause).unwrap();
            world.set_gravity(Z * -gravity).unwrap();
        }
        world.step(0.3).unwrap();
        let (balance, audit) = (world.balance(), world.audit());
        let change = balance.kinetic + balance.potential - start.kinetic - start.potential;
        let off = change + audit.dissipated + audit.contact_heat - audit.work;
        assert!(off.abs() < 1e-12, "{axis}: {off}");
    }
}

/// What a plate carries meets a mesh and a grid in its way, also one that comes later.
#[test]
fn what_rides_meets_meshes_and_grids() {
    let corner = |y: f64, z: f64| DVec3::new(0.5, y, z);
    let corners = [corner(-9.0, -9.0), corner(9.0, -9.0), corner(0.0, 9.0), corner(9.0, 9.0), corner(-9.0, 9.0)];
    let sheet = Body::mesh(Mesh::new(&corners, &[[2, 3, 4], [0, 1, 2]]).unwrap());
    let grid = Body::grid(Grid::voxels(DVec3::ONE, [1, 9, 9], |_| true).unwrap()).at(DVec3::new(0.5, -4.5, -4.5));
    for wall in [sheet, grid] {
        for later in [false, true] {
            let (plate, _) = shaker(0.5, 5.0, 0.75);
            let block = cuboid(DVec3::splat(0.1), 1.0).at(DVec3::new(0.0, 0.0, 0.1)).moving(DVec3::X);
            // The plate begins below, at rest.
            let plate = Body { position: Z * 0.0049700, ..plate };
            let mut bodies = vec![("block", block.at(DVec3::new(0.0, 0.0, 0.12))), ("plate", plate)];
            if !later {
                bodies.push(("wall", wall.clone()));
            }
            let mut world = swinging(0.5, 0.0, bodies);
            world.step(0.25).unwrap();
            if later {
                world.spawn("wall", &wall).unwrap();
            }
            world.step(2.0).unwrap();
            let place = world.position(world.id("block").unwrap());
            assert!(place.x < 0.4 + 1e-6, "{later}: {place}");
        }
    }
}

/// Without gravity few bodies get no time steps. A plate pushes two balls in line, which leave it at its largest speed.
#[test]
fn a_plate_throws_two_balls_without_gravity() {
    let (amplitude, rate) = (0.05, TAU * 2.0);
    let plate = plane(Z, 0.0).along(Course::sine(Z, amplitude, 2.0, 0.75).unwrap());
    let balls = [0.1, 0.3].map(|z| ball(0.1, 2.0).at(Z * (z - amplitude)));
    let [lower, upper] = balls;
    let mut world = world(settings(DVec3::ZERO, 0.0, 0.3), [("plate", plate), ("lower", lower), ("upper", upper)]);
    let ids = ["plate", "lower", "upper"].map(|name| world.id(name).unwrap());
    for n in 1..=40 {
        world.step(0.01).unwrap();
        let [plate, lower, upper] = ids.map(|id| world.position(id).z);
        let off = [lower - plate - 0.1, upper - lower - 0.2];
        assert!(off.iter().all(|&gap| gap > -1e-8), "{n}: {off:?}");
    }
    for id in &ids[1..] {
        let speed = world.state(*id).velocity.z;
        // Forces are constant for 1/1024 of a period.
        let allowed = amplitude * rate.powi(3) * (0.5_f64 / 1024.0).powi(2);
        assert!((speed - amplitude * rate).abs() < allowed, "{speed} for {}", amplitude * rate);
    }
}

/// A course is shown in 48 parts of a cycle, whatever its frequency, and the same from any instant on at which it is
/// first tracked. Each part ends where the next one begins.
#[test]
fn the_parts_in_which_a_course_is_shown() {
    for frequency in [0.1, 0.3, 1.0, 2.0, 3.0, 7.0, 10.0, 49.0] {
        let course = Course::sine(Z, 0.5, frequency, 0.1).unwrap();
        let largest = 0.5 * (TAU * frequency).powi(2);
        let knots = |from: f64| {
            let mut world = swinging(0.0, 0.0, vec![("plate", plane(Z, 0.0).along(course))]);
            world.step(from).unwrap();
            let plate = world.id("plate").unwrap();
            world.track(plate);
            world.step(6.0 / frequency - from).unwrap();
            world.take_knots().into_iter().map(|knot| knot.path).collect::<Vec<_>>()
        };
        let whole = knots(0.0);
        assert!((288..=289).contains(&whole.len()), "{frequency}: {}", whole.len());
        for two in whole.windows(2) {
            let span = two[1].epoch.since(two[0].epoch);
            assert!((span * 48.0 * frequency - 1.0).abs() < 1e-6, "{frequency}: a part of {span} s");
            assert!(two[0].acceleration.length() < 1.01 * largest, "{frequency}: {}", two[0].acceleration);
            assert!((two[0].position_at(two[1].epoch) - two[1].position).length() < 1e-14, "{frequency}");
        }
        for from in [0.37, 1.99, 2.5] {
            let later = knots(from / frequency);
            let from_there = whole.iter().skip_while(|path| path.epoch <= later[0].epoch);
            assert!(later.len() > 160, "{frequency} from {from}: {}", later.len());
            for (one, other) in later[1..].iter().zip(from_there) {
                assert_eq!(one, other, "{frequency} from {from}");
            }
        }
    }
}
