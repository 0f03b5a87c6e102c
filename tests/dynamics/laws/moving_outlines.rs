//! Meshes and grids that move: at constant velocity, and on courses.

use std::f64::consts::TAU;

use carom::dynamics::{Settings, Space};
use carom::geometry::{Grid, Mesh};
use carom::{Body, Course, EventKind, SimTime, World};
use glam::{DVec2, DVec3};

use super::unexplained;
use crate::common::scene::{STUFF, ball, cuboid, plane, settings};
use crate::common::{Random, world};

const Z: DVec3 = DVec3::Z;
const G: f64 = 9.81;

/// A sheet in the plane z = 0, `half` to each side, of `cells` by `cells` squares, each of two triangles.
fn sheet(half: f64, cells: u32) -> Body {
    let at = |n: u32| half * (2.0 * f64::from(n) / f64::from(cells) - 1.0);
    let wide = cells + 1;
    let corners: Vec<DVec3> = (0..wide * wide).map(|n| DVec3::new(at(n % wide), at(n / wide), 0.0)).collect();
    let firsts = (0..cells * cells).map(|n| n / cells * wide + n % cells);
    let triangles: Vec<[u32; 3]> =
        firsts.flat_map(|a| [[a, a + 1, a + wide + 1], [a, a + wide + 1, a + wide]]).collect();
    Body::mesh(Mesh::new(&corners, &triangles).unwrap()).made_of(STUFF)
}

/// The six sides of a hollow box, of triangles.
fn hollow(half: DVec3) -> Body {
    let corners: Vec<DVec3> = (0..8)
        .map(|n| half * DVec3::new(f64::from(n & 1), f64::from(n >> 1 & 1), f64::from(n >> 2)).map(|it| 2.0 * it - 1.0))
        .collect();
    let sides = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Body::mesh(Mesh::new(&corners, &triangles).unwrap()).made_of(STUFF)
}

fn impacts(world: &World) -> Vec<f64> {
    let all = world.events().iter().filter(|event| event.kind == EventKind::Impact);
    all.map(|event| event.time.seconds()).collect()
}

/// On a mesh, a grid and a half-space that swing alike the same bodies bounce at the same times.
#[test]
fn a_floor_of_any_kind_that_swings_is_the_same_floor() {
    let course = Course::sine(DVec3::new(0.3, 0.1, 1.0), 0.02, 12.0, 0.1).unwrap();
    let blocks = Grid::voxels(DVec3::ONE, [8, 8, 1], |_| true).unwrap();
    let floors = [
        plane(Z, 0.0),
        sheet(4.0, 1),
        sheet(4.0, 7),
        Body::grid(blocks).made_of(STUFF).at(DVec3::new(-4.0, -4.0, -1.0)),
    ];
    let bodies =
        [ball(0.1, 1.0), cuboid(DVec3::new(0.2, 0.1, 0.05), 1.0)].map(|body| body.at(DVec3::new(0.05, 0.02, 0.6)));
    for body in bodies {
        let run = |floor: &Body| {
            let bodies = [("body", body.clone()), ("floor", floor.clone().along(course))];
            let mut world = world(settings(Z * -G, 0.8, 0.2), bodies);
            world.step(3.0).unwrap();
            let state = world.state(world.id("body").unwrap());
            (impacts(&world), state.position, world.audit())
        };
        let (wanted, place, audit) = run(&floors[0]);
        assert!(wanted.len() >= 3, "{wanted:?}");
        for (number, floor) in floors[1..].iter().enumerate() {
            let (times, other, own) = run(floor);
            assert_eq!(times.len(), wanted.len(), "floor {number}: {times:?} for {wanted:?}");
            let off = times.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-11 && (other - place).length() < 1e-10, "floor {number}: {off:e} {other} for {place}");
            assert!((own.work - audit.work).abs() < 1e-9, "floor {number}: {own:?}");
        }
    }
}

/// What rests on them rides, and is thrown at the phase of 1/Γ.
#[test]
fn what_rests_on_a_mesh_that_swings_is_thrown() {
    let frequency = 5.0;
    for gamma in [0.9, 1.5, 3.0] {
        let amplitude = gamma * G / (TAU * frequency).powi(2);
        let course = Course::sine(Z, amplitude, frequency, 0.0).unwrap();
        for floor in [sheet(2.0, 3), Body::grid(Grid::voxels(DVec3::ONE, [4, 4, 1], |_| true).unwrap()).made_of(STUFF)]
        {
            let lowest = if floor.shape == sheet(2.0, 3).shape { DVec3::ZERO } else { DVec3::new(-2.0, -2.0, -1.0) };
            let up = Z * (amplitude * TAU * frequency);
            let body = ball(0.1, 1.0).at(DVec3::new(0.1, 0.2, 0.1)).moving(up);
            let bodies = [("ball", body), ("floor", floor.at(lowest).along(course))];
            let mut world = world(settings(Z * -G, 0.0, 0.0), bodies);
            let id = world.id("ball").unwrap();
            let thrown = (1.0 / gamma).min(1.0).asin() / (TAU * frequency);
            for n in 1..60 {
                world.step(0.25 / frequency / 60.0).unwrap();
                let t = world.now().seconds();
                let lift = amplitude * (TAU * frequency * t).sin();
                let flies = gamma > 1.0 && t > thrown;
                let off = world.position(id).z - 0.1 - lift;
                assert!(if flies { off > -1e-12 } else { off.abs() < 1e-12 }, "{gamma} {n}: {off:e}");
            }
            let released = world.events().iter().find(|event| event.kind == EventKind::Release);
            let off = released.map(|event| (event.time.seconds() - thrown).abs());
            assert!(if gamma > 1.0 { off.is_some_and(|off| off < 1e-12) } else { off.is_none() }, "{gamma}: {off:?}");
        }
    }
}

/// A gas in a vessel of triangles that swings has the impacts of one between six boxes that swing.
#[test]
fn a_vessel_of_triangles_is_one_of_boxes() {
    let course = Course::sine(DVec3::new(1.0, 2.0, 0.5), 0.1, 1.5, 0.0).unwrap();
    let mut random = Random::new(9);
    let half = DVec3::new(0.5, 0.6, 0.7);
    let balls: Vec<(String, Body)> = (0..6)
        .map(|n| {
            let place = DVec3::new(f64::from(n % 2) - 0.5, f64::from(n / 2 % 2) - 0.5, f64::from(n / 4) - 0.5) * 0.5;
            (format!("b{n}"), ball(0.1, 1.0).at(place).moving(random.vector(1.0)))
        })
        .collect();
    let mut vessel = vec![("mesh".to_owned(), hollow(half).along(course))];
    vessel.extend(balls.clone());
    let mut boxes: Vec<(String, Body)> = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let (mut thick, mut place) = (half + 1.0, DVec3::ZERO);
            thick[axis] = 0.5;
            place[axis] = side * (half[axis] + 0.5);
            boxes.push((format!("wall{axis}{side}"), cuboid(thick, 1.0).at(place).along(course)));
        }
    }
    boxes.extend(balls);
    let [mut one, mut two] = [vessel, boxes].map(|bodies| world(settings(DVec3::ZERO, 1.0, 0.0), bodies));
    for world in [&mut one, &mut two] {
        world.step(1.0).unwrap();
    }
    let (first, second) = (impacts(&one), impacts(&two));
    assert!(first.len() > 15 && first.len() == second.len(), "{} {}", first.len(), second.len());
    for (n, (a, b)) in first.iter().zip(&second).enumerate() {
        assert!((a - b).abs() < 1e-7, "{n}: {a} {b}");
    }
    let before = one.balance().kinetic - one.audit().work;
    one.step(20.0).unwrap();
    let place = |name: &str| one.position(one.id(name).unwrap());
    let inside = (0..6).all(|n| (place(&format!("b{n}")) - place("mesh")).abs().cmplt(half - 0.1 + 1e-9).all());
    assert!(inside && one.audit().deepest < 1e-9, "{:?}", one.audit());
    let (balance, audit) = (one.balance(), one.audit());
    assert!((balance.kinetic - audit.work - before).abs() < 1e-10 * balance.kinetic, "{audit:?}");
}

/// A mesh that moves at constant velocity is a fixed one seen from a moving frame.
#[test]
fn a_mesh_at_constant_velocity_is_a_fixed_one_seen_in_motion() {
    let mut random = Random::new(3);
    for shot in 0..40 {
        // On a binary grid both frames have the same numbers.
        let drift = (random.vector(2.0) * 8.0).round() / 8.0;
        let floor = if shot % 2 == 0 { sheet(4.0, 5) } else { sheet(8.0, 3) };
        let start = DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.75);
        let push = (random.vector(1.0) * 16.0).round() / 16.0;
        let body = if shot % 4 < 2 { ball(0.125, 1.0) } else { cuboid(DVec3::splat(0.125), 1.0) };
        let run = |drift: DVec3| {
            let bodies = [
                ("body", body.clone().at(start).moving(push + drift)),
                ("floor", floor.clone().kinematic().moving(drift)),
            ];
            let mut world = world(settings(Z * -G, 0.5, 0.3), bodies);
            world.step(2.0).unwrap();
            let state = world.state(world.id("body").unwrap());
            (state.position - drift * 2.0, state.velocity - drift, world.audit().count(EventKind::Impact))
        };
        let (still, moving) = (run(DVec3::ZERO), run(drift));
        let off = (still.0 - moving.0).length().max((still.1 - moving.1).length());
        assert!(off < 1e-8 && still.2 == moving.2, "shot {shot}: {off:e} {still:?} {moving:?}");
    }
}

/// A bowl of triangles that swings with a heap in it: nothing leaves it, and the bowl's work is the energy.
#[test]
fn a_heap_in_a_mesh_that_swings() {
    for (frequency, amplitude) in [(2.0, 0.02), (8.0, 0.01)] {
        let course = Course::sine(DVec3::new(0.2, 0.0, 1.0), amplitude, frequency, 0.0).unwrap();
        let mut bodies = vec![("vessel".to_owned(), hollow(DVec3::new(0.5, 0.5, 1.5)).along(course))];
        for n in 0..18 {
            let place =
                DVec3::new(f64::from(n % 3) - 1.0, f64::from(n / 3 % 3) - 1.0, f64::from(n / 9) * 2.0 - 4.0) * 0.3;
            let body = if n % 4 == 3 { cuboid(DVec3::splat(0.09), 1.0) } else { ball(0.1, 1.0) };
            bodies.push((format!("b{n}"), body.at(place)));
        }
        let mut world = world(settings(Z * -G, 0.4, 0.3), bodies);
        let before = world.balance();
        world.step(2.0).unwrap();
        let (audit, (off, size)) = (world.audit(), unexplained(&before, &world));
        assert!(off.abs() < 1e-12 * size, "{frequency}: {off:e} of {size}");
        assert!(audit.deepest < 1e-9, "{frequency}: {audit:?}");
        let vessel = world.position(world.id("vessel").unwrap());
        for n in 0..18 {
            let place = world.position(world.id(&format!("b{n}")).unwrap()) - vessel;
            assert!(place.abs().cmplt(DVec3::new(0.42, 0.42, 1.42)).all(), "{frequency} {n}: {place}");
        }
    }
}

/// The edges of a segment of a planar world that swings are met like those of a rectangle.
#[test]
fn a_segment_that_swings_is_the_side_of_a_rectangle() {
    let course = Course::sine(DVec3::Y, 0.05, 3.0, 0.0).unwrap();
    let side = [DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)];
    let segment = Body::mesh(Mesh::wall(&side, 1.0).unwrap()).made_of(STUFF);
    let block = cuboid(DVec3::new(1.0, 0.5, 0.5), 1.0).at(DVec3::Y * -0.5);
    let settings =
        Settings { space: Space { is_planar: true, ..Space::default() }, ..settings(DVec3::Y * -G, 0.9, 0.0) };
    let [wanted, found] = [block, segment].map(|floor| {
        let disc = ball(0.1, 1.0).at(DVec3::new(0.3, 0.8, 0.0));
        let mut world = world(settings.clone(), [("disc", disc), ("floor", floor.along(course))]);
        world.step(5.0).unwrap();
        impacts(&world)
    });
    let off = wanted.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(wanted.len() >= 4 && wanted.len() == found.len() && off < 1e-12, "{wanted:?} {found:?}");
}

fn passages(world: &World) -> Vec<(EventKind, f64)> {
    let is_passage = |kind: EventKind| matches!(kind, EventKind::Enter | EventKind::Leave);
    let events = world.events().iter().filter(|event| is_passage(event.kind));
    events.map(|event| (event.kind, event.time.seconds())).collect()
}

/// What a course moves, and what rides on it, enters and leaves sensors, and a sensor on a course senses.
#[test]
fn courses_and_sensors() {
    let (amplitude, frequency) = (0.5, 0.8);
    let sine = Course::sine(DVec3::X, amplitude, frequency, 0.0).unwrap();
    let gate = || cuboid(DVec3::new(0.1, 1.0, 1.0), 1.0).at(DVec3::X * 0.4).fixed().sensor();
    let rod = || ball(0.05, 1.0).along(sine);
    let sine_at = |place: f64| (place / amplitude).asin() / (TAU * frequency);
    // It comes in at 0.25, turns at 0.5, and goes out again.
    let (enters, period) = (sine_at(0.25), 1.0 / frequency);
    let wanted: Vec<f64> =
        (0..3).flat_map(|n| [enters, 0.5 * period - enters].map(|t| t + f64::from(n) * period)).collect();
    let moved_gate =
        Body { response: gate().response, position: DVec3::ZERO, ..cuboid(DVec3::new(0.1, 1.0, 1.0), 1.0).along(sine) };
    let fixed_ball = ball(0.05, 1.0).at(DVec3::X * 0.4).kinematic();
    // A block that a tray carries with it.
    let tray = cuboid(DVec3::new(0.5, 0.5, 0.1), 1.0).at(Z * -0.15).along(sine);
    let block = cuboid(DVec3::splat(0.05), 1.0).moving(DVec3::X * (amplitude * TAU * frequency));
    let slim = Body { position: DVec3::new(0.4, 0.0, 0.5), ..cuboid(DVec3::new(0.1, 1.0, 0.52), 1.0).fixed().sensor() };
    let scenes: [Vec<(&str, Body)>; 3] = [
        vec![("gate", gate()), ("rod", rod())],
        vec![("gate", moved_gate), ("ball", fixed_ball)],
        vec![("gate", slim), ("tray", tray), ("block", block)],
    ];
    for (number, bodies) in scenes.into_iter().enumerate() {
        let mut world = world(settings(Z * -G, 0.0, 9.0), bodies);
        for _ in 0..300 {
            world.step(0.0125).unwrap();
        }
        let found = passages(&world);
        assert_eq!(found.len(), wanted.len(), "{number}: {found:?} for {wanted:?}");
        for (n, ((kind, time), wanted)) in found.iter().zip(&wanted).enumerate() {
            let is_right = *kind == [EventKind::Enter, EventKind::Leave][n % 2];
            assert!(is_right && (time - wanted).abs() < 1e-13, "{number}: {found:?} for {wanted:?}");
        }
    }
}

/// What rides on one course meets what another one moves, also when the two periods share no multiple.
#[test]
fn what_rides_is_met_by_what_another_course_moves() {
    let plate = plane(Z, 0.0).along(Course::sine(Z, 0.02, 1.0, 0.0).unwrap());
    let up = Z * (0.02 * TAU);
    for rate in [2.0_f64.sqrt(), 0.37] {
        // It comes as low as the top of the body only where the plate is nearly highest.
        let lid = cuboid(DVec3::new(1.0, 1.0, 0.1), 1.0)
            .at(Z * (0.3 + 0.0398))
            .along(Course::sine(Z, 0.02, rate, 0.3).unwrap());
        let body = cuboid(DVec3::splat(0.1), 1.0).at(Z * 0.1).moving(up);
        let mut world = world(settings(Z * -G, 0.0, 0.0), [("body", body), ("plate", plate.clone()), ("lid", lid)]);
        let [body, lid] = ["body", "lid"].map(|name| world.id(name).unwrap());
        let lowest =
            (0..20_000).map(|_| world.step(0.01).map(|()| world.position(lid).z - world.position(body).z - 0.2));
        // The two squeeze it in the end, which a run reports.
        let deepest = lowest.map_while(Result::ok).fold(f64::INFINITY, f64::min);
        assert!(deepest > -1e-9, "{rate}: {deepest}");
    }
}

/// A body slides over, sticks to and leaves a mesh and a grid that swing along their faces as it does a box.
#[test]
fn a_body_slides_off_outlines_that_swing_along_themselves() {
    let half = DVec3::new(1.0, 1.0, 0.25);
    let blocks = Grid::voxels(DVec3::splat(0.5), [4, 4, 1], |_| true).unwrap();
    let floors = [
        cuboid(half, 1.0).fixed().at(Z * -0.25),
        sheet(1.0, 1),
        sheet(1.0, 3),
        hollow(half).at(Z * -0.25),
        Body::grid(blocks).made_of(STUFF).at(DVec3::new(-1.0, -1.0, -0.5)),
    ];
    let flat = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let block = cuboid(DVec3::new(0.2, 0.1, 0.1), 1.0).at(Z * 0.1);
    let cases = [
        (0.0, flat(1.0, 0.0), ball(0.1, 1.0).moving(flat(0.4, 0.3)).at(Z * 0.1)),
        (0.0, flat(0.6, 0.8), ball(0.1, 1.0).moving(flat(-0.5, 0.1)).at(flat(0.05, 0.02) + Z * 0.1)),
        (0.0, flat(0.6, 0.8), block.clone().moving(flat(0.7, 0.45))),
        (0.0, DVec3::new(0.6, 0.0, 0.8), block.clone().moving(flat(0.7, -0.3))),
        (0.0, flat(1.0, 0.0), block.clone().at(flat(1.19, 0.0) + Z * 0.1)),
        (0.3, flat(1.0, 0.0), block.clone().moving(flat(1.5, 0.0))),
        (0.1, flat(1.0, 0.0), block.clone().at(flat(-0.8, 0.3) + Z * 0.1)),
        (0.9, flat(0.6, 0.8), block.clone().at(flat(0.4, 0.3) + Z * 0.1)),
    ];
    for (number, (friction, axis, body)) in cases.iter().enumerate() {
        let course = Course::sine(*axis, 0.08, 1.5, 0.15).unwrap();
        let lift = Z * course.at(SimTime::ZERO)[0].z;
        let run = |floor: &Body| {
            let bodies = [("body", body.clone().at(body.position + lift)), ("floor", floor.clone().along(course))];
            let mut world = world(settings(Z * -G, 0.0, *friction), bodies);
            let id = world.id("body").unwrap();
            let mut seen = Vec::new();
            while world.now().seconds() < 4.0 && world.position(id).z > -0.05 {
                world.step(1.0 / 64.0).unwrap();
                seen.push(world.state(id));
            }
            let all = world.events().iter().filter(|event| matches!(event.kind, EventKind::Rest | EventKind::Release));
            (seen, all.map(|event| event.time.seconds()).collect::<Vec<f64>>())
        };
        let (wanted, changes) = run(&floors[0]);
        for (kind, floor) in floors[1..].iter().enumerate() {
            let (seen, times) = run(floor);
            assert_eq!(seen.len(), wanted.len(), "case {number}, floor {kind}");
            let apart = seen.iter().zip(&wanted).map(|(a, b)| (a.position - b.position).length()).fold(0.0, f64::max);
            assert!(apart < 1e-9, "case {number}, floor {kind}: {apart:e}");
            let off = times.iter().zip(&changes).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(
                times.len() == changes.len() && off < 1e-9,
                "case {number}, floor {kind}: {times:?} for {changes:?}"
            );
        }
    }
}
