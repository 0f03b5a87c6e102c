//! Bodies and meshes: bounces, seams, rest, and no body passes through.

use std::f64::consts::TAU;
use std::sync::Arc;

use carom::dynamics::{Body, Event, EventKind, MaterialId, Materials, Restitution, Settings};
use carom::geometry::Mesh;
use carom::motion::SimTime;
use carom::world::World;
use glam::{DMat3, DVec3};

use crate::common::{Random, events_until, world};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;
const BOUNCY: MaterialId = MaterialId(1);

fn settings(gravity: DVec3, restitution: f64) -> Settings {
    let mut materials = Materials::default();
    materials.add(Restitution::new(restitution).unwrap());
    Settings { gravity, materials, impacts_max: 20_000, ..Settings::default() }
}

/// A square floor with side `side` m around the origin, with `cells` × `cells` squares of two triangles each. The
/// diagonals have alternating directions. The floor is turned by `turn` and shifted.
fn floor(side: f64, cells: u32, turn: DMat3, shift: DVec3) -> Mesh {
    let corner = |x: u32, y: u32| {
        let at = |n: u32| (f64::from(n) / f64::from(cells) - 0.5) * side;
        turn * DVec3::new(at(x), at(y), 0.0) + shift
    };
    let row = cells + 1;
    let vertices: Vec<DVec3> = (0..row * row).map(|n| corner(n % row, n / row)).collect();
    let mut triangles = Vec::new();
    for (x, y) in (0..cells).flat_map(|y| (0..cells).map(move |x| (x, y))) {
        let [a, b, c, d] = [y * row + x, y * row + x + 1, (y + 1) * row + x + 1, (y + 1) * row + x];
        if (x + y) % 2 == 0 {
            triangles.extend([[a, b, c], [a, c, d]]);
        } else {
            triangles.extend([[a, b, d], [b, c, d]]);
        }
    }
    Mesh::new(&vertices, &triangles).unwrap()
}

/// A closed box of twelve triangles.
fn crate_of(half: DVec3) -> Mesh {
    let corner = |n: u32| half * DVec3::new(f64::from(n & 1), f64::from(n >> 1 & 1), f64::from(n >> 2)) * 2.0 - half;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::closed(&(0..8).map(corner).collect::<Vec<_>>(), &triangles).unwrap()
}

/// A closed sphere of radius 1 by longitude and latitude.
fn globe(rings: u32) -> Mesh {
    globe_of(rings, true)
}

fn globe_of(rings: u32, closed: bool) -> Mesh {
    let spokes = 2 * rings;
    let mut vertices = vec![-Z];
    for ring in 1..rings {
        let polar = TAU * 0.5 * f64::from(ring) / f64::from(rings);
        let around = |n: u32| TAU * f64::from(n) / f64::from(spokes);
        let at = |n: u32| DVec3::new(polar.sin() * around(n).cos(), polar.sin() * around(n).sin(), -polar.cos());
        vertices.extend((0..spokes).map(at));
    }
    let top = vertices.len() as u32;
    vertices.push(Z);
    let at = |ring: u32, n: u32| 1 + (ring - 1) * spokes + n % spokes;
    let mut triangles = Vec::new();
    for n in 0..spokes {
        triangles.push([0, at(1, n + 1), at(1, n)]);
        triangles.push([top, at(rings - 1, n), at(rings - 1, n + 1)]);
        for ring in 1..rings - 1 {
            let [a, b, c, d] = [at(ring, n), at(ring, n + 1), at(ring + 1, n + 1), at(ring + 1, n)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    if closed { Mesh::closed(&vertices, &triangles).unwrap() } else { Mesh::new(&vertices, &triangles).unwrap() }
}

fn ball(radius: f64) -> Body {
    Body::sphere(radius, 1.0).unwrap().made_of(BOUNCY)
}

fn cube(half: f64) -> Body {
    Body::cuboid(DVec3::splat(half), 1.0).unwrap().made_of(BOUNCY)
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(|event| event.kind).collect()
}

/// The events of `body` and `obstacle`, and the world after the run.
fn run(settings: Settings, body: Body, obstacle: Body, seconds: f64) -> (Vec<Event>, World) {
    let mut world = world(settings, [("body", body), ("obstacle", obstacle.made_of(BOUNCY))]);
    let events = events_until(&mut world, seconds);
    (events, world)
}

#[test]
fn a_flat_mesh_is_a_plane_to_what_bounces_on_it() {
    let mut random = Random::new(1);
    for shot in 0..200 {
        let turn = match shot % 3 {
            0 => DMat3::IDENTITY,
            1 => DMat3::from_rotation_x(random.between(-0.2, 0.2)),
            _ => DMat3::from_rotation_y(random.between(-0.2, 0.2)) * DMat3::from_rotation_x(random.between(-0.2, 0.2)),
        };
        let body = if shot % 2 == 0 { ball(random.between(0.05, 0.6)) } else { cube(random.between(0.05, 0.6)) };
        let body = body.at(random.vector(2.0) + Z * 5.0).moving(DVec3::new(random.between(-3.0, 3.0), 0.5, 0.0));
        let cells = 1 + (shot as u32 * 7) % 40;
        let mesh = Body::mesh(floor(200.0, cells, turn, DVec3::ZERO));
        let plane = Body::plane(turn * Z, 0.0).unwrap();
        let settings = || settings(-Z * 10.0, 1.0);
        let (on_mesh, mesh_world) = run(settings(), body.clone(), mesh, 5.0);
        let (on_plane, plane_world) = run(settings(), body, plane, 5.0);
        assert_eq!(kinds(&on_mesh), kinds(&on_plane), "shot {shot}");
        assert!(on_mesh.len() >= 2, "shot {shot}");
        for (met, wanted) in on_mesh.iter().zip(&on_plane) {
            // Ten bounces, each of which multiplies the rounding error of the previous one by a small factor.
            assert!((met.time.seconds() - wanted.time.seconds()).abs() < 1e-11, "shot {shot}: {met:?} {wanted:?}");
            assert!((met.normal - wanted.normal).length() < 1e-15 * 16.0, "shot {shot}: {met:?} {wanted:?}");
        }
        let [end, wanted] = [&mesh_world, &plane_world].map(|world| world.state(world.id("body").unwrap()));
        assert!((end.position - wanted.position).length() < 1e-10, "shot {shot}: {end:?} {wanted:?}");
        assert!(mesh_world.audit().deepest < 1e-13, "shot {shot}: {}", mesh_world.audit().deepest);
    }
}

#[test]
fn a_seam_of_a_flat_floor_is_not_felt_by_what_slides() {
    let mut random = Random::new(2);
    for shot in 0..200 {
        let turn = if shot % 4 < 2 { DMat3::IDENTITY } else { DMat3::from_rotation_y(random.between(0.01, 0.4)) };
        let body = if shot % 2 == 0 { ball(random.between(0.05, 0.5)) } else { cube(random.between(0.05, 0.5)) };
        let heading = random.between(0.0, TAU);
        let speed = 10f64.powf(random.between(-1.0, 1.0));
        let body = body.at(turn * (Z * 0.9)).moving(turn * DVec3::new(heading.cos(), heading.sin(), 0.0) * speed);
        let mesh = Body::mesh(floor(400.0, 1 + shot as u32 % 60, turn, DVec3::ZERO));
        let (events, world) = run(settings(-Z * 10.0, 0.0), body.clone(), mesh, 4.0);
        let wanted = run(settings(-Z * 10.0, 0.0), body, Body::plane(turn * Z, 0.0).unwrap(), 4.0).1;
        assert_eq!(kinds(&events), [EventKind::Rest], "shot {shot}");
        let [end, wanted] = [&world, &wanted].map(|world| world.state(world.id("body").unwrap()));
        assert!((end.position - wanted.position).length() < 1e-11, "shot {shot}: {end:?} {wanted:?}");
        assert!((end.velocity - wanted.velocity).length() < 1e-11, "shot {shot}: {end:?} {wanted:?}");
    }
}

#[test]
fn without_gravity_a_body_in_touch_slides_over_the_seams() {
    // With restitution 0 the body stays in contact to rounding, but no force presses it onto the floor.
    let mut random = Random::new(3);
    for shot in 0..200 {
        let turn =
            DMat3::from_rotation_x(random.between(-1.0, 1.0)) * DMat3::from_rotation_y(random.between(-1.0, 1.0));
        let turn = if shot % 3 == 0 { DMat3::IDENTITY } else { turn };
        let body = if shot % 2 == 0 { ball(random.between(0.05, 0.5)) } else { cube(random.between(0.05, 0.5)) };
        let body = body.at(turn * (Z * 2.0)).moving(turn * DVec3::new(3.0, random.between(-3.0, 3.0), -1.0));
        let mesh = Body::mesh(floor(100.0, 30, turn, DVec3::ZERO));
        let (events, world) = run(settings(DVec3::ZERO, 0.0), body, mesh, 10.0);
        let impacts = events.iter().filter(|event| event.approach_speed > 1e-12).count();
        assert_eq!(impacts, 1, "shot {shot}: {events:?}");
        assert!(
            events.len() <= 2,
            "shot {shot}: {:?}",
            events
                .iter()
                .map(|e| (e.time.to_string(), e.kind, e.approach_speed, e.normal, e.point))
                .collect::<Vec<_>>()
        );
        assert!(world.audit().deepest < 1e-12, "{}", world.audit().deepest);
    }
}

#[test]
fn a_crate_of_triangles_is_a_box() {
    let mut random = Random::new(4);
    let half = DVec3::new(0.5, 1.0, 0.75);
    let mut met = [0; 2];
    for shot in 0..600 {
        let body = if shot % 2 == 0 { ball(random.between(0.01, 1.0)) } else { cube(random.between(0.01, 1.0)) };
        let gravity = if shot % 4 < 2 { DVec3::ZERO } else { -Z * 9.81 };
        let start = random.vector(1.0).normalize() * 4.0;
        // Without impacts, this velocity brings the body near the surface of the crate after 1 s.
        let velocity = random.vector(1.3) - start - gravity * 0.5;
        let body = body.at(start).moving(velocity);
        let (on_mesh, _) = run(settings(gravity, 1.0), body.clone(), Body::mesh(crate_of(half)), 2.0);
        let (on_box, _) = run(settings(gravity, 1.0), body, Body::cuboid(half, 1.0).unwrap().fixed(), 2.0);
        assert_eq!(kinds(&on_mesh), kinds(&on_box), "shot {shot}: {on_mesh:?} {on_box:?}");
        for (met, wanted) in on_mesh.iter().zip(&on_box) {
            assert!((met.time.seconds() - wanted.time.seconds()).abs() < 1e-9, "shot {shot}: {met:?} {wanted:?}");
            // At an edge, the normal depends on the position.
            assert!((met.normal - wanted.normal).length() < 1e-7, "shot {shot}: {met:?} {wanted:?}");
        }
        met[usize::from(!on_mesh.is_empty())] += 1;
    }
    assert!(met.iter().all(|&count| count > 50), "{met:?}");
}

#[test]
fn nothing_gets_through_a_mesh_at_any_speed() {
    let globe = std::sync::Arc::new(globe_of(40, false));
    let mut random = Random::new(5);
    for shot in 0..300 {
        let speed = 10f64.powf(random.between(0.0, 6.0));
        let gravity = if shot % 2 == 0 { DVec3::ZERO } else { random.vector(10.0) };
        let size = 10f64.powf(random.between(-3.0, -0.5));
        let body = if shot % 4 < 2 { ball(size) } else { cube(size) };
        let body = body.at(random.vector(0.3)).moving(random.vector(1.0).normalize() * speed);
        let settings = Settings { impacts_max: 10_000_000, ..settings(gravity, 1.0) };
        let (events, world) = run(settings, body, Body::mesh(globe.clone()), 200.0 / speed);
        assert!(events.len() > 20, "shot {shot}: {} events", events.len());
        let state = world.state(world.id("body").unwrap());
        assert!(state.position.length() < 1.0, "shot {shot}: {state:?}");
        let drift = (state.velocity.length_squared() * 0.5 - gravity.dot(state.position)) / (0.5 * speed * speed);
        let began = if gravity == DVec3::ZERO { 1.0 } else { drift };
        assert!((drift - began).abs() < 1e-12, "shot {shot}: {drift:e}");
        assert!(world.audit().deepest < 1e-12, "shot {shot}: {:e}", world.audit().deepest);
    }
}

#[test]
fn a_real_edge_keeps_its_normal() {
    // The floor mesh has a step with half the height of the ball's radius. The ball rolls to it and bounces up.
    let (radius, height) = (0.1, 0.05);
    let at = DVec3::new;
    let vertices = [
        at(-5.0, -1.0, 0.0),
        at(0.0, -1.0, 0.0),
        at(0.0, 1.0, 0.0),
        at(-5.0, 1.0, 0.0),
        at(0.0, -1.0, height),
        at(0.0, 1.0, height),
        at(5.0, -1.0, height),
        at(5.0, 1.0, height),
    ];
    let triangles = [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2], [4, 6, 7], [4, 7, 5]];
    let mesh = Body::mesh(Mesh::new(&vertices, &triangles).unwrap());
    let body = ball(radius).at(at(-2.0, 0.1, radius)).moving(X * 2.0);
    let (events, world) = run(settings(-Z * 10.0, 0.5), body, mesh, 1.2);
    assert_eq!(kinds(&events)[..2], [EventKind::Rest, EventKind::Impact], "{events:?}");
    // The ball touches the edge when its centre is √(r² − (r − h)²) before it.
    let before = f64::sqrt(radius * radius - (radius - height) * (radius - height));
    assert!((events[1].time.seconds() - (2.0 - before) / 2.0).abs() < 1e-14, "{events:?}");
    let normal = at(before, 0.0, height - radius) / radius;
    assert!((events[1].normal - normal).length() < 1e-14, "{events:?}");
    assert!(world.audit().deepest < 1e-14);
}

#[test]
fn a_ball_leaves_a_table_of_triangles_where_it_ends() {
    // Faster than √(g r), so that it does not roll over the edge.
    let body = ball(0.1).at(Z * 0.1).moving(X * 1.25);
    let (events, _) = run(settings(-Z * 10.0, 0.0), body, Body::mesh(floor(4.0, 7, DMat3::IDENTITY, DVec3::ZERO)), 2.2);
    let release = events.iter().find(|event| event.kind == EventKind::Release).unwrap();
    assert!((release.time.seconds() - 1.6).abs() < 1e-13, "{events:?}");
    let slab = cube(0.1).at(Z * 0.1).moving(X);
    let (events, world) =
        run(settings(-Z * 10.0, 0.0), slab, Body::mesh(floor(4.0, 7, DMat3::IDENTITY, DVec3::ZERO)), 3.0);
    assert_eq!(kinds(&events), [EventKind::Rest, EventKind::Release], "{events:?}");
    assert!((events[1].time.seconds() - 2.1).abs() < 1e-13, "{events:?}");
    assert!(world.state(world.id("body").unwrap()).position.z < -3.0, "it falls freely");
}

#[test]
fn a_ball_comes_to_rest_in_a_groove_of_two_facets() {
    let at = DVec3::new;
    let vertices = [
        at(0.0, -50.0, 0.0),
        at(0.0, 50.0, 0.0),
        at(2.0, -50.0, 1.0),
        at(2.0, 50.0, 1.0),
        at(-2.0, -50.0, 1.5),
        at(-2.0, 50.0, 1.5),
    ];
    let mesh = Body::mesh(Mesh::new(&vertices, &[[0, 3, 1], [0, 2, 3], [0, 1, 5], [0, 5, 4]]).unwrap());
    let body = ball(0.3).at(at(0.3, 0.0, 2.0)).moving(DVec3::Y * 0.1);
    let (events, world) = run(settings(-Z * 10.0, 0.4), body, mesh, 60.0);
    let rests = events.iter().filter(|event| event.kind == EventKind::Rest).count();
    assert!(rests >= 2, "{:?}", kinds(&events));
    let state = world.state(world.id("body").unwrap());
    assert!((state.velocity - DVec3::Y * 0.1).length() < 1e-9, "{state:?}");
    assert!(events.last().unwrap().time.seconds() < 20.0, "{:?}", events.last());
}

#[test]
fn a_mesh_must_not_be_free_and_no_sensor() {
    let mesh = || Body::mesh(crate_of(DVec3::ONE));
    for body in [mesh().sensor(), Body { motion: ball(1.0).motion, ..mesh() }] {
        let error = World::new(Settings::default(), [("m", body)]).err().unwrap();
        assert_eq!(error.to_string(), "`m` is a mesh or a grid and must be fixed or kinematic, and no sensor");
    }
    let error =
        World::new(settings(DVec3::ZERO, 1.0), [("ball", ball(0.5).at(X * 1.25)), ("mesh", mesh())]).err().unwrap();
    assert_eq!(error.to_string(), "`ball` and `mesh` overlap by 0.25 m at the start");
}

#[test]
fn a_turned_floor_is_one_facet() {
    let mut random = Random::new(6);
    for shot in 0..100 {
        let turn =
            DMat3::from_rotation_x(random.between(-1.0, 1.0)) * DMat3::from_rotation_y(random.between(-1.0, 1.0));
        let far = 10f64.powf(random.between(-2.0, 3.0));
        let shift = random.vector(far);
        let floor = floor(10f64.powf(random.between(-1.0, 3.0)), 1 + shot % 60, turn, shift);
        assert_eq!(floor.facet_count(), 1, "shot {shot}");
    }
}

#[test]
fn a_body_inside_a_closed_mesh_is_refused_and_one_in_an_open_mesh_is_not() {
    let half = DVec3::new(2.0, 3.0, 4.0);
    let closed = crate_of(half);
    let inside = [("ball", ball(0.5).at(X * 0.5)), ("mesh", Body::mesh(closed))];
    let error = World::new(settings(DVec3::ZERO, 1.0), inside).err().unwrap();
    assert_eq!(error.to_string(), "`ball` and `mesh` overlap by 2 m at the start");
    let hollow = [("ball", ball(0.3).at(X * 0.5).moving(X)), ("mesh", Body::mesh(globe_of(20, false)))];
    let mut world = World::new(settings(DVec3::ZERO, 1.0), hollow).unwrap();
    assert!(!events_until(&mut world, 10.0).is_empty());
}

#[test]
fn points_are_inside_a_closed_mesh_or_not() {
    let (rings, mut seen) = (12, [0; 2]);
    let (mesh, open) = (globe(rings), globe_of(rings, false));
    // The mesh contains at least the ball that fits between its facets, and at most the unit sphere.
    let least = (TAU * 0.25 / f64::from(rings)).cos().powi(2);
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let point = random.vector(1.2);
        if (least..=1.0).contains(&point.length()) {
            continue;
        }
        let inside = point.length() < least;
        assert_eq!(mesh.contains(point), inside, "{point}");
        assert!(!open.contains(point));
        seen[usize::from(inside)] += 1;
    }
    for triangle in mesh.triangles() {
        let middle = (triangle.a + triangle.b + triangle.c) / 3.0;
        assert!(mesh.contains(triangle.a) && !mesh.contains(middle * 1.001) && mesh.contains(middle * 0.999));
    }
    assert!(seen.iter().all(|&count| count > 2000), "{seen:?}");
    assert!(!mesh.contains(DVec3::NAN) && !mesh.contains(X * f64::INFINITY));
}

/// Unconnected triangles, some of them slivers, in a cube of side 4 m.
fn soup(random: &mut Random, count: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let (middle, size) = (random.vector(2.0), 10f64.powf(random.between(-2.0, 0.3)));
        let thin = if random.unit() < 0.2 { 1e-6 } else { 1.0 };
        let (a, b) = (random.vector(size), random.vector(size));
        vertices.extend([middle, middle + a, middle + a * random.unit() + b * thin]);
    }
    (vertices, (0..count).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect())
}

#[test]
fn loose_triangles_in_any_order_and_at_any_timestep_give_the_same_run() {
    let mut random = Random::new(8);
    let mut impacts = 0;
    for scene in 0..80 {
        let (vertices, triangles) = soup(&mut random, 40);
        let mut bodies: Vec<(String, Body)> = Vec::new();
        let faces = [X, -X, DVec3::Y, -DVec3::Y, Z, -Z].into_iter().enumerate();
        bodies
            .extend(faces.map(|(n, normal)| (format!("wall{n}"), Body::plane(normal, -4.0).unwrap().made_of(BOUNCY))));
        for n in 0..6 {
            let size = random.between(0.05, 0.3);
            let body = if n % 2 == 0 { ball(size) } else { cube(size) };
            let place = random.vector(1.0).normalize() * 3.4;
            bodies.push((
                format!("body{n}"),
                body.at(place.clamp(DVec3::splat(-3.4), DVec3::splat(3.4))).moving(random.vector(5.0)),
            ));
        }
        let gravity = if scene % 2 == 0 { DVec3::ZERO } else { -Z * 9.81 };
        let turned: Vec<[u32; 3]> = triangles.iter().rev().map(|&[a, b, c]| [b, c, a]).collect();
        let logs = [(&triangles, 3.0), (&triangles, 0.01), (&turned, 3.0)].map(|(triangles, timestep)| {
            let mesh = Body::mesh(Mesh::new(&vertices, triangles).unwrap()).made_of(BOUNCY);
            let bodies = bodies.iter().cloned().chain([("mesh".to_owned(), mesh)]);
            let Ok(mut world) = World::new(settings(gravity, 1.0), bodies) else { return None };
            for step in 1..=(3.0 / timestep) as u32 {
                world.advance(SimTime::from_seconds(f64::from(step) * timestep), usize::MAX).unwrap();
            }
            assert!(world.audit().deepest < 1e-11, "scene {scene}: {:e}", world.audit().deepest);
            Some(world.take_events())
        });
        let [Some(log), Some(finer), Some(turned)] = logs else { continue };
        assert_eq!(log, finer, "scene {scene}: another timestep");
        let meet = |event: &Event| (event.kind, event.a, event.b);
        // Another order of a triangle's vertices changes its normal by a rounding error, which impacts multiply.
        let same = log.iter().zip(&turned).take_while(|(x, y)| meet(x) == meet(y)).count();
        assert!(same >= log.len().min(20), "scene {scene}: only {same} of {} events alike", log.len());
        impacts += log.len();
    }
    assert!(impacts > 1500, "{impacts}");
}

#[test]
fn a_ball_smaller_than_rounding_does_not_pass_a_mesh() {
    let wall = |tilt: f64| {
        let turn = DMat3::from_rotation_y(0.25 * TAU) * DMat3::from_rotation_z(tilt);
        Body::mesh(Arc::new(floor(8.0, 2, turn, DVec3::ZERO))).made_of(BOUNCY)
    };
    for radius in [1e-16, 3e-15, 1e-13, 1e-9] {
        for (y, tilt) in [(-1.0, 0.0), (0.1, 0.0), (0.1, 0.4), (0.7, 1.1)] {
            let ball = Body::sphere(radius, 1.0).unwrap().made_of(BOUNCY).at(DVec3::new(-20.1, y, 0.2));
            let ball = ball.moving(DVec3::new(1.0, 0.1, 0.0));
            let mut world = world(settings(DVec3::ZERO, 1.0), [("ball", ball), ("wall", wall(tilt))]);
            let events = events_until(&mut world, 30.0);
            let state = world.state(world.id("ball").unwrap());
            let context = format!("radius {radius:e}, y {y}, tilt {tilt}: {events:?}");
            assert_eq!(events.len(), 1, "{context}");
            assert!(state.position.x < -9.0 && (state.velocity.x + 1.0).abs() < 1e-12, "{context} {state:?}");
        }
    }
}
