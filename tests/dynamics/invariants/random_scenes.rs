//! Random scenes with all kinds of bodies: no error, no overlap, no gain of energy, and the energy accounts close.

use std::sync::Arc;

use carom::dynamics::{Body, Material, MaterialId, Materials, Motion, Period, Restitution, RunError, Settings};
use carom::geometry::{CircleArc, Mesh, Shape};
use carom::motion::{Course, SimTime};
use glam::{DVec2, DVec3};

use crate::common::scene::{Run, hills, material, scene_files, scene_of};
use crate::common::{Random, is_thorough};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// Edge of the cell of each body at the start, m.
const CELL: f64 = 0.6;

struct Scene {
    settings: Settings,
    bodies: Vec<Body>,
    /// Whether no kinematic body moves.
    passive: bool,
}

/// 0, 1, or a random number between them.
fn share(random: &mut Random) -> f64 {
    match random.below(4) {
        0 => 0.0,
        1 => 1.0,
        _ => random.unit(),
    }
}

/// The restitution `e`, or one of the laws that have it at some speed.
fn law(e: f64) -> Restitution {
    match (16.0 * e) as u32 % 4 {
        1 => Restitution::viscoelastic(1.0 - e).unwrap(),
        2 => Restitution::by_speed([(0.02, 1.0 - e), (2.0, e)]).unwrap(),
        3 => Restitution::power(0.1, 0.25, e).unwrap(),
        _ => Restitution::new(e).unwrap(),
    }
}

fn settings(random: &mut Random) -> Settings {
    let mut stuffs: Vec<Material> = Vec::new();
    for _ in 0..3 {
        let friction = if random.below(4) == 0 { 0.0 } else { random.between(0.0, 1.5) };
        stuffs.push(Material { restitution: law(share(random)), ..material(1.0, friction) });
    }
    if random.below(2) == 0 {
        // Half of the scenes use one material for all bodies.
        stuffs = vec![stuffs[0].clone(); 3];
    }
    let mut materials = Materials::default();
    stuffs.into_iter().for_each(|stuff| _ = materials.add(stuff));
    let gravity = match random.below(6) {
        0 => DVec3::ZERO,
        1 => Z * -10.0 + random.vector(3.0),
        2 => Z * -random.between(0.01, 100.0),
        _ => Z * -10.0,
    };
    Settings { gravity, materials, ..Settings::default() }
}

fn stuff(random: &mut Random) -> MaterialId {
    MaterialId(1 + random.below(3) as u16)
}

/// A ball or a box around the middle of a room of edge [`CELL`].
fn body(random: &mut Random) -> Body {
    let half = [(); 3].map(|()| random.between(0.03, 0.25));
    let mass = random.between(0.1, 10.0);
    let round = random.below(2) == 0;
    let shape = if round { Body::sphere(half[0], mass) } else { Body::cuboid(DVec3::from_array(half), mass) };
    let speed = if random.below(3) == 0 { 0.0 } else { random.between(0.0, 5.0) };
    let body = shape.unwrap().made_of(stuff(random)).at(random.vector(0.05)).moving(random.vector(speed));
    if round && random.below(2) == 0 { body.spinning(random.vector(20.0)) } else { body }
}

fn poured(random: &mut Random, count: usize, wide: usize, above: f64) -> Vec<Body> {
    let cell = |n: usize| DVec3::new((n % wide) as f64, (n / wide % wide) as f64, (n / wide / wide) as f64);
    let middle = 0.5 * (wide - 1) as f64;
    let place = |n: usize| (cell(n) - DVec3::new(middle, middle, 0.0)) * CELL + Z * above;
    (0..count)
        .map(|_| body(random))
        .enumerate()
        .map(|(n, body)| {
            let at = place(n) + body.position;
            body.at(at)
        })
        .collect()
}

fn plane(random: &mut Random, normal: DVec3, offset: f64) -> Body {
    Body::plane(normal, offset).unwrap().made_of(stuff(random))
}

fn walls(random: &mut Random, wide: f64) -> Vec<Body> {
    [X, -X, Y, -Y].map(|normal| plane(random, normal, -wide)).to_vec()
}

fn on_hills(random: &mut Random) -> Scene {
    let settings = settings(random);
    // A third of the scenes are flat.
    let height = [0.0, 0.4, 1.5][random.below(3)];
    let mut bodies = vec![hills(random, height).made_of(stuff(random)), plane(random, Z, -3.0)];
    if random.below(2) == 0 {
        let wide = random.between(0.9, 3.0);
        bodies.extend(walls(random, wide));
    }
    let count = 1 + random.below(16);
    bodies.extend(poured(random, count, 3, 0.4));
    Scene { settings, bodies, passive: true }
}

fn heap(random: &mut Random) -> Scene {
    let settings = settings(random);
    let mut bodies = walls(random, 0.9);
    bodies.push(plane(random, Z, 0.0));
    let count = 5 + random.below(36);
    bodies.extend(poured(random, count, 3, 0.3));
    Scene { settings, bodies, passive: true }
}

/// Bodies above fixed boxes and beside moving ones.
fn room(random: &mut Random) -> Scene {
    let mut settings = settings(random);
    let mut bodies = vec![plane(random, Z, 0.0)];
    if random.below(3) == 0 {
        settings.space.periods[1] = Some(Period { min: -2.0, max: 2.0 });
        bodies.extend([X, -X].map(|normal| plane(random, normal, -2.0)));
    } else {
        bodies.extend(walls(random, 2.0));
    }
    let passive = random.below(2) == 0;
    let speed = if passive { 0.0 } else { 0.3 };
    let mut held = |half: DVec3, at: DVec3, along: DVec3| {
        let body = Body::cuboid(half, 1.0).unwrap().made_of(stuff(random)).at(at);
        bodies.push(match along {
            _ if speed == 0.0 => body.fixed(),
            Z => body.along(Course::sine(Z + X * 0.25, 0.1, 2.0, 0.75).unwrap()),
            _ => body.kinematic().moving(along * speed),
        });
    };
    held(DVec3::new(0.8, 0.8, 0.2), Z * 0.2, DVec3::ZERO);
    held(DVec3::splat(0.3), DVec3::new(-1.6, 1.0, 0.3), X);
    held(DVec3::new(0.4, 0.4, 0.1), DVec3::new(1.5, -1.5, 0.1), Z);
    let count = 5 + random.below(30);
    bodies.extend(poured(random, count, 5, 1.0));
    Scene { settings, bodies, passive }
}

/// A box of triangles with its bodies inside, among them a fixed ball.
fn chamber(random: &mut Random) -> Scene {
    let settings = settings(random);
    let half = DVec3::splat(2.0 * CELL);
    let corner = |n: u32| half * DVec3::new(f64::from(n & 1), f64::from(n >> 1 & 1), f64::from(n >> 2)) * 2.0 - half;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mesh = Mesh::new(&(0..8).map(corner).collect::<Vec<_>>(), &triangles).unwrap();
    let mut bodies = vec![Body::mesh(Arc::new(mesh)).made_of(stuff(random))];
    bodies.push(Body::sphere(0.2, 1.0).unwrap().made_of(stuff(random)).at(half * DVec3::new(0.0, 0.0, -0.8)).fixed());
    let count = 3 + random.below(14);
    bodies.extend(poured(random, count, 3, -0.3));
    Scene { settings, bodies, passive: true }
}

/// The same box of triangles, which swings or moves with what is in it.
fn shaken(random: &mut Random) -> Scene {
    let Scene { settings, mut bodies, .. } = chamber(random);
    // The fixed ball would be in its way.
    bodies.remove(1);
    let vessel = bodies[0].clone();
    bodies[0] = match random.below(3) {
        0 => vessel.kinematic().moving(random.vector(1.0)),
        1 => vessel.along(Course::sine(Z + X * 0.25, 0.1, 2.0, 0.75).unwrap()),
        _ => vessel.along(Course::sine(random.vector(1.0), 0.02, 9.0, random.unit()).unwrap()),
    };
    Scene { settings, bodies, passive: false }
}

/// Discs, rectangles and polygons between walls in the plane z = 0, among them a rectangle that moves.
fn plane_world(random: &mut Random) -> Scene {
    let flat = DVec3::new(1.0, 1.0, 0.0);
    let mut settings = settings(random);
    settings.gravity = DVec3::new(settings.gravity.x, settings.gravity.z, 0.0);
    settings.space.is_planar = true;
    let passive = random.below(2) == 0;
    let mut bodies: Vec<Body> = [X, -X, Y].map(|normal| plane(random, normal, -2.0)).to_vec();
    let place =
        |random: &mut Random, x: f64, y: f64| DVec2::new(x + random.between(-0.1, 0.1), y + random.between(-0.1, 0.1));
    let corners = [(-1.9, -1.9), (-0.6, -1.7), (-1.2, -0.9)].map(|(x, y)| place(random, x, y));
    let line = [(-1.7, 0.4), (-0.5, -0.4), (0.2, -0.5)].map(|(x, y)| place(random, x, y));
    for mesh in [Mesh::prism(&corners, 1.3).unwrap(), Mesh::wall(&line, 1.7).unwrap()] {
        bodies.push(Body::mesh(Arc::new(mesh)).made_of(stuff(random)));
    }
    let block =
        Body::cuboid(DVec3::new(0.4, 0.2, 0.1), 1.0).unwrap().made_of(stuff(random)).at(DVec3::new(1.2, -1.2, 0.0));
    let with_arcs = random.below(3) == 0;
    bodies.push(match random.below(2) {
        _ if passive || with_arcs => block.fixed(),
        0 => block.along(Course::sine(Y + X * 0.25, 0.1, 2.0, 0.75).unwrap()),
        _ => block.kinematic().moving(DVec3::new(-0.2, 0.1, 0.0)),
    });
    bodies.push(Body::sphere(0.2, 1.0).unwrap().made_of(stuff(random)).at(DVec3::new(1.0, 0.2, 0.0)).fixed());
    if with_arcs {
        let bowl = CircleArc::new(0.6, DVec2::new(-1.0, -0.3), DVec2::new(1.0, -0.2)).unwrap();
        let shield = CircleArc::new(0.4, DVec2::X, -DVec2::X).unwrap();
        for (arc, x, y) in [(bowl, 0.1, -1.0), (shield, -1.2, 0.15)] {
            bodies.push(Body::arc(arc).made_of(stuff(random)).at(DVec3::new(x, y, 0.0)));
        }
    }
    let (count, wide) = (3 + random.below(30), 6);
    bodies.extend((0..count).map(|n| {
        // Beside arcs there are discs alone.
        let body = loop {
            let body = body(random);
            if !with_arcs || matches!(body.shape, Shape::Sphere(_)) {
                break body;
            }
        };
        let cell = DVec3::new((n % wide) as f64 - 2.5, (n / wide) as f64 + 1.5, 0.0) * CELL;
        let (at, velocity, spin) = (cell + body.position * flat, body.velocity * flat, Z * body.spin.z);
        body.at(at).moving(velocity).spinning(spin)
    }));
    Scene { settings, bodies, passive: passive || with_arcs }
}

type Maker = fn(&mut Random) -> Scene;

const KINDS: [(&str, Maker); 7] = [
    ("hills", on_hills),
    ("heap", heap),
    ("room", room),
    ("chamber", chamber),
    ("plane", plane_world),
    ("bowl", bowl),
    ("shaken", shaken),
];

/// The number of samples, one every 0.05 s.
const LOOKS: u32 = 60;

/// Runs a scene for a few seconds and returns its fault, if it has one.
fn fault(scene: &Scene) -> Option<String> {
    let Scene { settings, bodies, passive } = scene;
    let mut run = Run::new(settings, bodies);
    let start = run.stepper.balance();
    // The rounding error, and the work of the weights over a rest height for each of some dozens of searches for a
    // contact on curved surfaces.
    let weight = start.mass * settings.gravity.length();
    let allowed = 1e-12 * (start.kinetic + start.potential.abs()) + 64.0 * weight * settings.rest_height;
    // Where few bodies touch a course without gravity, paths are less exact, see docs/limits.md.
    let is_weightless = settings.gravity == DVec3::ZERO && bodies.iter().any(|body| body.course.is_some());
    let deepest = if is_weightless { 1e-5 } else { 1e-9 };
    let mut energy = run.energy();
    for look in 1..=LOOKS {
        match run.stepper.advance(SimTime::from_seconds(0.05 * f64::from(look)), usize::MAX) {
            Err(RunError::Squeezed { .. }) if !*passive => return None,
            Err(error) => return Some(format!("look {look}: {error}")),
            Ok(_) => {}
        }
        let now = run.energy();
        if *passive && now > energy + allowed {
            return Some(format!("look {look}: {:e} J more, allowed {allowed:e}", now - energy));
        }
        energy = now;
        let slips_visibly = |&row: &usize| {
            let (at, velocity, spin) = (run.position(row), run.velocity(row), run.spin(row));
            [at.z, velocity.z, spin.x, spin.y] != [0.0; 4]
        };
        if settings.space.is_planar
            && let Some(row) = (0..bodies.len()).find(slips_visibly)
        {
            return Some(format!("look {look}: body {row} left the plane, to {}", run.position(row)));
        }
        let overlap = run.overlap();
        if overlap > deepest {
            return Some(format!("look {look}: overlap {overlap:e}"));
        }
    }
    run.check_books(1e-9, "books");
    None
}

/// Some discs in a bowl, which time steps advance along the wall from inside.
fn bowl(random: &mut Random) -> Scene {
    let mut settings = Settings { gravity: Y * -10.0, ..Settings::default() };
    settings.space.is_planar = true;
    let friction = if random.below(3) == 0 { 0.0 } else { random.between(0.0, 1.5) };
    let stuff = settings.materials.add(material(share(random), friction));
    let arc = CircleArc::new(1.0, DVec2::new(-1.0, 0.3), DVec2::new(1.0, 0.3)).unwrap();
    let discs = (0..1 + random.below(6)).map(|n| {
        let place = DVec3::new((n % 3) as f64 * 0.35 - 0.3, (n / 3) as f64 * 0.35 - 0.4, 0.0);
        let disc = Body::sphere(random.between(0.05, 0.15), 1.0).unwrap().at(place).made_of(stuff);
        disc.moving(random.vector(3.0).with_z(0.0)).spinning(Z * random.between(-20.0, 20.0))
    });
    let bodies = std::iter::once(Body::arc(arc).made_of(stuff)).chain(discs).collect();
    Scene { settings, bodies, passive: true }
}

/// The number of scenes of each kind, and the same in full.
const SEEDS: [u64; 2] = [10, 60];

/// The kind and the seed of a heap in which a body nearly at rest, between an elastic wall and a ball that slid on it,
/// bounced without end at the rounding of the ball's speed.
const ENDLESS: (usize, u64) = (1, 21);

#[test]
fn random_scenes_go_well() {
    let all = (0..KINDS.len()).flat_map(|kind| (0..SEEDS[usize::from(is_thorough())]).map(move |seed| (kind, seed)));
    check(all.chain([ENDLESS]).map(|(kind, seed)| {
        let scene = KINDS[kind].1(&mut Random::new(seed * 7919 + 13 + kind as u64));
        (format!("{} {seed}", KINDS[kind].0), scene)
    }));
}

/// Regression scenes. In each of them, bodies once overlapped or gained energy, or the run did not end. The title gives
/// the reason.
#[test]
fn scenes_that_once_failed_go_well() {
    let files = scene_files("");
    assert!(files.len() > 40, "{} files", files.len());
    check(files.iter().map(|file| {
        let (title, settings, bodies) = scene_of(file);
        let moves = |body: &Body| body.motion == Motion::Kinematic && body.velocity != DVec3::ZERO;
        let passive = !bodies.iter().any(moves);
        (format!("{}: {title}", file.display()), Scene { settings, bodies, passive })
    }));
}

fn check(scenes: impl IntoIterator<Item = (String, Scene)>) {
    let told = |(name, scene): (String, Scene)| {
        println!("{name}");
        Some(format!("{name}: {}", fault(&scene)?))
    };
    let faults: Vec<String> = scenes.into_iter().filter_map(told).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
