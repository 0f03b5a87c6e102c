//! Random worlds under random commands: copies of all kinds go on with the same bits, the accounts close, and nothing
//! overlaps.

use carom::dynamics::{
    Body, BodyId, FrictionLength, Layers, Material, MaterialId, Materials, Period, Response, Settings, Space,
};
use carom::geometry::{Grid, Shape, Solid, gap};
use carom::motion::SimTime;
use carom::world::{Command, Named, World};
use glam::DVec3;

use crate::common::scene::{ball, cube, material, nearest_image, plane, solid_cells};
use crate::common::{Random, is_thorough, solid, world};
use crate::world::books;

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// Half the edge of a room and of a periodic cell, m.
const HALF: f64 = 5.0;
const STEPS: usize = 40;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// Balls and cubes between six walls.
    Room,
    /// Between two walls, with two periods.
    Hall,
    /// Balls in a space with three periods.
    Gas,
    /// Balls and cubes in a shaft, advanced by time steps.
    Heap,
    /// Balls and cubes over a floor of cells that come and go.
    Cells,
    /// A heap on such a floor.
    Pit,
}

fn settings(gravity: DVec3, kind: Kind) -> Settings {
    let mut materials = Materials::default();
    let length = FrictionLength::new(1e-3).unwrap();
    let sticky = Material { rolling_friction: length, spinning_friction: length, ..material(0.0, 0.6) };
    for stuff in [material(0.3, 0.3), material(0.8, 0.0), sticky] {
        materials.add(stuff);
    }
    let period = Some(Period { min: -HALF, max: HALF });
    let periods = match kind {
        Kind::Gas => [period; 3],
        Kind::Hall => [period, period, None],
        _ => [None; 3],
    };
    Settings { gravity, materials, space: Space { periods, ..Space::default() }, ..Settings::default() }
}

fn stuff(random: &mut Random) -> MaterialId {
    MaterialId(random.below(4) as u16)
}

/// The place of body `n` on a lattice around the origin, three by three a layer.
fn cell(n: u32, wide: u32) -> DVec3 {
    let middle = 0.5 * f64::from(wide - 1);
    DVec3::new(f64::from(n % wide) - middle, f64::from(n / wide % wide) - middle, f64::from(n / wide / wide) - middle)
}

pub(super) fn start(random: &mut Random, kind: Kind) -> World {
    let gravity = if kind == Kind::Gas { DVec3::ZERO } else { Z * -9.0 };
    let mut bodies: Vec<(String, Body)> = Vec::new();
    let walls: &[DVec3] = match kind {
        Kind::Room => &[X, -X, Y, -Y, Z, -Z],
        Kind::Hall => &[Z, -Z],
        Kind::Gas => &[],
        Kind::Heap | Kind::Cells | Kind::Pit => &[X, -X, Y, -Y],
    };
    let is_heap = matches!(kind, Kind::Heap | Kind::Pit);
    let wide = if is_heap { 1.2 } else { HALF };
    bodies.extend(walls.iter().enumerate().map(|(n, &wall)| (format!("wall/{n}"), plane(wall, -wide))));
    let free = match kind {
        Kind::Room | Kind::Hall | Kind::Cells => 27,
        Kind::Gas => 36 + random.below(28) as u32,
        Kind::Heap | Kind::Pit => 50,
    };
    for n in 0..free {
        let (shape, place, speed) = match kind {
            Kind::Gas => (ball(0.6, 1.0), cell(n, 4) * 2.5 + random.vector(0.2), 2.0),
            _ if is_heap && n % 5 == 0 => (cube(0.28, 1.0), cell(n, 3) * 0.75 + Z * 1.2, 0.0),
            _ if is_heap => (ball(0.3, 1.0), cell(n, 3) * 0.75 + Z * 1.2 + random.vector(0.03), 0.0),
            _ => (round_or_square(random), cell(n, 3) * 2.4 + random.vector(0.2), 3.0),
        };
        let body = shape.at(place).moving(random.vector(speed)).made_of(stuff(random));
        bodies.push((format!("free/{n:02}"), body));
    }
    if kind == Kind::Heap {
        bodies.push(("floor".to_owned(), plane(Z, 0.0).made_of(MaterialId(3))));
    }
    if let Some((level, place)) = level(kind) {
        bodies.push(("level".to_owned(), Body::grid(level).at(place).made_of(stuff(random))));
    }
    if kind != Kind::Gas {
        bodies.push(("gate".to_owned(), cube(0.9, 1.0).fixed().sensor().at(random.vector(1.0))));
        let eye = ball(1.5, 1.0).kinematic().sensor();
        bodies.push(("eye".to_owned(), eye.at(random.vector(2.0)).moving(random.vector(0.3))));
    }
    world(settings(gravity, kind), bodies)
}

/// The floor of cells, and where it lies.
fn level(kind: Kind) -> Option<(Grid, DVec3)> {
    let (cell, size) = match kind {
        Kind::Cells => (1.25, [8, 8, 4]),
        Kind::Pit => (0.6, [4, 4, 3]),
        _ => return None,
    };
    let wide = 0.5 * cell * f64::from(size[0]);
    let place = if kind == Kind::Cells { DVec3::splat(-HALF) } else { DVec3::new(-wide, -wide, -cell) };
    Some((Grid::voxels(DVec3::splat(cell), size, |[_, _, z]| z == 0).unwrap(), place))
}

fn round_or_square(random: &mut Random) -> Body {
    match random.below(3) {
        0 => cube(0.4, 1.5),
        1 => ball(0.5, 1.0).spinning(random.vector(2.0)),
        _ => ball(0.3, 0.5),
    }
}

pub(super) fn command(world: &World, kind: Kind, random: &mut Random, count: usize) -> Command {
    let free: Vec<BodyId> = world.ids().filter(|&id| world.body(id).is_free()).collect();
    let id = free[random.below(free.len())];
    let (body, place) = (world.name(id).to_owned(), world.position(id));
    let calm = if kind == Kind::Gas { DVec3::ZERO } else { Z * -9.0 };
    if let Some((level, _)) = level(kind).filter(|_| random.below(2) == 0) {
        let cell = level.size().map(|n| random.below(n as usize) as u32);
        return Command::SetCell { body: "level".to_owned(), cell, solid: random.below(2) == 0 };
    }
    match random.below(11) {
        0 => Command::SetMaterial { body, material: stuff(random) },
        1 => Command::SetGravity { gravity: if random.below(2) == 0 { calm } else { random.vector(8.0) } },
        2 => Command::SetLayers { body, layers: Layers::one(3), collides_with: Layers::one(4) },
        3 => Command::SetLayers { body, layers: Layers::FIRST, collides_with: Layers::ALL },
        4 => Command::SetPosition { body, position: place + random.vector(0.3) },
        5 => Command::SetPosition { body, position: place + X * 2.0 * HALF * (random.below(3) as f64 - 1.0) },
        6 => Command::SetPosition { body, position: random.vector(HALF - 0.6) },
        7 => Command::SetVelocity { body, velocity: random.vector(2.0) },
        8 => {
            let body = round_or_square(random).at(random.vector(HALF - 0.7)).moving(random.vector(1.0));
            Command::Spawn(Named { name: format!("new/{count}"), body: body.made_of(stuff(random)) })
        }
        9 if free.len() > 8 => Command::Despawn { body },
        _ => Command::kick(body, random.vector(3.0)),
    }
}

/// The deepest overlap of two bodies that collide, m, without a broadphase.
fn overlap(world: &World) -> f64 {
    let solids: Vec<Body> = world.ids().map(|id| world.body(id)).filter(|b| b.response == Response::Collide).collect();
    let depth = |a: &Body, b: &Body| {
        let layers = [a, b].map(|body| [body.layers, body.collides_with]);
        let collide = (a.is_free() || b.is_free()) && Layers::collide(layers[0], layers[1]);
        let is_plane = [a, b].iter().any(|body| matches!(body.shape, Shape::Plane(_) | Shape::Grid(_)));
        let apart = b.position - a.position;
        let offset = if is_plane { apart } else { nearest_image(&world.settings().space, apart) };
        let deep = |a: Solid<'_>, b: Solid<'_>| gap(a, b, offset).map_or(0.0, |gap| -gap.separation);
        match (&a.shape, &b.shape) {
            _ if !collide => 0.0,
            (Shape::Grid(grid), other) => cells(grid).map(|cell| deep(cell, solid(other))).fold(0.0, f64::max),
            (other, Shape::Grid(grid)) => cells(grid).map(|cell| deep(solid(other), cell)).fold(0.0, f64::max),
            (a, b) => deep(solid(a), solid(b)),
        }
    };
    let pairs = solids.iter().enumerate().flat_map(|(row, a)| solids[..row].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| depth(a, b)).fold(0.0, f64::max)
}

/// The solid cells of a grid.
fn cells(grid: &Grid) -> impl Iterator<Item = Solid<'static>> {
    let boxes = solid_cells(grid).map(|cell| grid.box_of(cell));
    boxes.map(|cell| Solid::Patch { center: cell.center(), half: cell.half() })
}

/// Another world that has to go on like this one.
fn copy(world: &World, random: &mut Random) -> World {
    match random.below(3) {
        0 => world.clone(),
        1 => serde_json::from_str(&serde_json::to_string(world).unwrap()).unwrap(),
        _ => {
            let mut restored = world.clone();
            restored.restore(&world.snapshot()).unwrap();
            restored
        }
    }
}

/// Goes on to `end`, with or without a pause.
fn advance(world: &mut World, end: SimTime, pause: Option<f64>) -> Result<(), String> {
    if let Some(share) = pause {
        let now = world.now();
        world.pause_at(now.plus(end.since(now) * share), usize::MAX).map_err(|error| error.to_string())?;
    }
    world.advance(end, usize::MAX).map(|_| ()).map_err(|error| error.to_string())
}

/// Runs one scene, and returns the number of events.
fn go(seed: u64, kind: Kind) -> Result<usize, String> {
    let mut random = Random::new(seed);
    let mut world = start(&mut random, kind);
    let (first, mut events) = (books(&world), 0);
    let mut scale = first.2;
    for step in 0..STEPS {
        let mut other = copy(&world, &mut random);
        other.take_events();
        for n in 0..random.below(4) {
            let command = command(&world, kind, &mut random, 4 * step + n);
            let (one, two) = (world.carry_out(&command), other.carry_out(&command));
            if one != two {
                return Err(format!("step {step}: {command:?} gives {one:?} and {two:?}"));
            }
        }
        let end = world.now().plus(random.between(0.01, 0.2));
        advance(&mut world, end, None)?;
        advance(&mut other, end, (random.below(2) == 0).then(|| random.unit()))?;
        let seen = world.take_events();
        events += seen.len();
        if other.take_events() != seen || other.snapshot() != world.snapshot() {
            return Err(format!("step {step}: the copy goes on in another way"));
        }
        if other.contacts() != world.contacts() || other.audit() != world.audit() {
            return Err(format!("step {step}: the copy has other contacts or accounts"));
        }
        let (energy, momentum, now) = books(&world);
        scale = scale.max(now);
        if (energy - first.0).abs().max((momentum - first.1).length()) > 1e-9 * scale {
            return Err(format!("step {step}: the accounts have {energy} J, {momentum} N·s after {first:?}"));
        }
        let depth = overlap(&world);
        if depth > 0.5e-9 {
            return Err(format!("step {step}: overlap {depth:e}"));
        }
    }
    Ok(events)
}

/// A heap with a known fault: a box between the floor and a ball has three impacts at one instant, without room, and is
/// 1.1e-7 m deep in the floor afterwards.
const KNOWN: (Kind, u64) = (Kind::Pit, 81);

#[test]
fn copies_of_worlds_under_commands_go_on_alike() {
    // With each of the first seeds, a copy of a room or a hall once went on in another way, or could not be read.
    let seeds: Vec<u64> = [35, 58, 65, 97].into_iter().chain(0..if is_thorough() { 150 } else { 5 }).collect();
    let mut events = 0;
    let mut faults = Vec::new();
    for kind in [Kind::Room, Kind::Hall, Kind::Gas, Kind::Heap, Kind::Cells, Kind::Pit] {
        for &seed in seeds.iter().filter(|&&seed| (kind, seed) != KNOWN) {
            if std::env::var_os("SHOW").is_some() {
                println!("{kind:?} {seed}");
            }
            match go(seed, kind) {
                Ok(count) => events += count,
                Err(fault) => faults.push(format!("{kind:?} {seed}: {fault}")),
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(events > 500 * seeds.len(), "{events}");
}
