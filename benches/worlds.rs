//! Worlds of many bodies of different kinds and sizes, each in two sizes: if the cost does not depend on the size of
//! the world, the time per event is the same in both rows.
//!
//! `cargo bench --bench worlds`, or `cargo bench --bench worlds -- floor 100000` for the rows with one of these words
//! in their name and one of these numbers of bodies. The two tables can be compared with those of another commit. Each
//! world runs once, until the end of its simulated time or for 60 s; the machine may have other work. `until` is the
//! instant that was reached, and `bytes` the memory of the world at that instant, per body. `set-up` and `settle` are
//! in s.

mod common;

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use carom::dynamics::{
    Body, BodyId, Friction, Material, MaterialId, Materials, Progress, Restitution, Settings, Stepper,
};
use carom::geometry::Mesh;
use carom::motion::SimTime;
use carom::world::World;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use common::memory;

const STEP: f64 = 1.0 / 60.0;
/// Time after which a row is stopped, s.
const LONGEST: f64 = 60.0;
/// The first word of the command that measures one row.
const ONE: &str = "--one";
/// The name of the last rows, and their numbers of bodies.
const AT_REST: &str = "at rest";
const SIZES_AT_REST: [usize; 2] = [10_000, 100_000];

/// Steps over which a world at rest is measured.
const STEPS_AT_REST: u32 = 600;
/// Radius of all balls for which nothing else is given, m.
const RADIUS: f64 = 0.05;

/// The bodies of a world, and the duration of its run.
struct Scene {
    settings: Settings,
    bodies: Vec<Body>,
    /// Duration, s.
    until: f64,
}

/// The name, the function that makes the scene for a number of bodies, and two such numbers.
type Row = (&'static str, fn(usize) -> Scene, [usize; 2]);

const ROWS: [Row; 16] = [
    ("bouncing on a plane", |count| dropped(count, 0.9, 0.0), [1_000, 10_000]),
    ("coming to rest on a plane", |count| dropped(count, 0.3, 0.3), [1_000, 10_000]),
    ("falling on a plane", |count| falling(count, Body::plane(DVec3::Z, 0.0).unwrap()), [25_000, 100_000]),
    ("falling on a fixed box", |count| falling(count, slab(count)), [25_000, 100_000]),
    ("falling on a mesh", |count| falling(count, terrain(count)), [5_000, 20_000]),
    ("a light free box in a gas", |count| stirred(count, |cube| cube, 1.0), [25_000, 100_000]),
    ("a heavy free box in a gas", |count| stirred(count, |cube| cube, 1e6), [25_000, 100_000]),
    ("a kinematic box in a gas", |count| stirred(count, Body::kinematic, 1.0), [25_000, 100_000]),
    ("a fixed box in a gas", |count| stirred(count, Body::fixed, 1.0), [25_000, 100_000]),
    ("radii 1 : 1000 in a gas", assorted, [5_000, 20_000]),
    ("boxes and balls", mixed, [25_000, 100_000]),
    ("a smooth pile of both", |count| piled(count, 0.0), [1_000, 8_000]),
    ("a rough pile of both", |count| piled(count, 0.5), [1_000, 8_000]),
    ("a gas in a sensor", sensed, [12_500, 50_000]),
    ("a free sensor in a gas", roamed, [12_500, 50_000]),
    ("a gas of balls alone", |count| gas(count, room(edge_of(count))), [12_500, 50_000]),
];

struct Dice(ChaCha8Rng);

impl Dice {
    fn new() -> Self {
        Self(ChaCha8Rng::seed_from_u64(1))
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    fn vector(&mut self, largest: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.between(-largest, largest)))
    }
}

fn rough(restitution: f64, friction: f64) -> Material {
    let (restitution, friction) = (Restitution::new(restitution).unwrap(), Friction::new(friction).unwrap());
    Material { restitution, friction, ..Material::default() }
}

fn settings(material: Material, gravity: f64) -> Settings {
    let mut materials = Materials::default();
    materials.add(material);
    Settings { materials, gravity: DVec3::new(0.0, 0.0, -gravity), ..Settings::default() }
}

fn ball() -> Body {
    Body::sphere(RADIUS, 1.0).unwrap().made_of(MaterialId(1))
}

fn wall(normal: DVec3, offset: f64) -> Body {
    Body::plane(normal, offset).unwrap().made_of(MaterialId(1))
}

/// Four walls around a square with this side, centred on the origin.
fn walls(side: f64) -> Vec<Body> {
    [DVec3::X, DVec3::Y].into_iter().flat_map(|axis| [wall(axis, -0.5 * side), wall(-axis, -0.5 * side)]).collect()
}

/// Six walls.
fn room(side: f64) -> Vec<Body> {
    let mut room = walls(side);
    room.extend([wall(DVec3::Z, -0.5 * side), wall(-DVec3::Z, -0.5 * side)]);
    room
}

/// Side of a square on which this number of balls lie in ten layers, m.
fn side_of(count: usize) -> f64 {
    (count as f64 / 10.0).sqrt().ceil() * 4.0 * RADIUS
}

/// Edge of a cube for a gas that fills an eighth of its volume, m.
fn edge_of(count: usize) -> f64 {
    (count as f64).cbrt().ceil() * 3.2 * RADIUS
}

/// A block whose upper side is the floor.
fn slab(count: usize) -> Body {
    let half = 0.5 * side_of(count) + 1.0;
    Body::cuboid(DVec3::new(half, half, 0.5), 1.0).unwrap().fixed().at(DVec3::new(0.0, 0.0, -0.5))
}

/// A floor of triangles as large as a few balls, with hollows as deep as a ball.
fn terrain(count: usize) -> Body {
    let (side, cells) = (side_of(count) + 2.0, (count as f64).sqrt() as u32);
    let row = cells + 1;
    let at = |n: u32| (f64::from(n) / f64::from(cells) - 0.5) * side;
    let corner = |n: u32| {
        let (x, y) = (at(n % row), at(n / row));
        DVec3::new(x, y, -RADIUS * (1.0 + (3.0 * x).sin() * (2.0 * y).cos()))
    };
    let squares = (0..cells * cells).map(|n| n / cells * row + n % cells);
    let triangles: Vec<_> = squares.flat_map(|a| [[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]).collect();
    let vertices: Vec<_> = (0..row * row).map(corner).collect();
    Body::mesh(Arc::new(Mesh::new(&vertices, &triangles).unwrap()))
}

/// Balls that fall on a floor, far from each other.
fn dropped(count: usize, restitution: f64, friction: f64) -> Scene {
    let (wide, mut dice) = ((count as f64).sqrt().ceil() as usize, Dice::new());
    let place = |n: usize| DVec3::new((n % wide) as f64, (n / wide) as f64, 0.0) * 12.0 * RADIUS;
    let mut bodies = vec![wall(DVec3::Z, 0.0)];
    let body = |n: usize| ball().at(place(n) + DVec3::Z * dice.between(0.3, 1.0)).moving(DVec3::X * friction);
    bodies.extend((0..count).map(body));
    Scene { settings: settings(rough(restitution, friction), 9.81), bodies, until: 3.0 }
}

/// Ten layers of balls that fall on a floor, between walls.
fn falling(count: usize, floor: Body) -> Scene {
    let (side, mut dice) = (side_of(count), Dice::new());
    let mut bodies = walls(side);
    bodies.push(floor.made_of(MaterialId(1)));
    let wide = (side / (4.0 * RADIUS)).round() as usize;
    bodies.extend((0..count).map(|n| {
        let cell = DVec3::new((n % wide) as f64, (n / wide % wide) as f64, (n / wide / wide) as f64 + 1.0) + 0.5;
        let corner = DVec3::new(-0.5, -0.5, 0.0) * side;
        ball().at(corner + cell * 4.0 * RADIUS + dice.vector(0.5 * RADIUS)).moving(dice.vector(1.0))
    }));
    Scene { settings: settings(rough(0.9, 0.0), 9.81), bodies, until: 0.5 }
}

/// Balls on a lattice that fills a cube, with random velocities.
fn lattice(count: usize, mut body: impl FnMut(usize) -> Body) -> Vec<Body> {
    let (wide, mut dice) = ((count as f64).cbrt().ceil() as usize, Dice::new());
    let place = |n: usize| DVec3::new((n % wide) as f64, (n / wide % wide) as f64, (n / wide / wide) as f64) + 0.5;
    let place = |n: usize| (place(n) - 0.5 * wide as f64) * 3.2 * RADIUS;
    (0..count).map(|n| body(n).at(place(n)).moving(dice.vector(1.0))).collect()
}

/// An elastic gas of balls, with additional bodies.
fn gas(count: usize, others: Vec<Body>) -> Scene {
    let mut bodies = others;
    bodies.extend(lattice(count, |_| ball()));
    Scene { settings: settings(rough(1.0, 0.0), 0.0), bodies, until: 0.5 }
}

/// A gas around a cube that fills an eighth of the room and moves through it. The mass of the cube is `mass` times the
/// number of balls that would be in its place.
fn stirred(count: usize, kind: fn(Body) -> Body, mass: f64) -> Scene {
    let half = 0.25 * edge_of(count);
    let cube = Body::cuboid(DVec3::splat(half), mass * count as f64 / 8.0).unwrap().made_of(MaterialId(1));
    let mut scene = gas(count, room(edge_of(count)));
    scene.bodies.retain(|ball| {
        let is_ball = ball.is_free();
        !is_ball || ball.position.abs().max_element() > half + 1.01 * RADIUS
    });
    scene.bodies.push(kind(cube).moving(DVec3::new(0.2, 0.1, 0.05)));
    scene
}

/// Balls of one density with radii that differ by a factor of up to a thousand. They fill a twelfth of their room.
fn assorted(count: usize) -> Scene {
    let mut dice = Dice::new();
    let mut radii: Vec<f64> = (0..count).map(|_| 10f64.powf(dice.between(-3.0, 0.0))).collect();
    radii.sort_by(|x, y| y.total_cmp(x));
    let edge = (50.0 * radii.iter().map(|radius| radius.powi(3)).sum::<f64>()).cbrt();
    let mut placed: Vec<(DVec3, f64)> = Vec::new();
    for radius in radii {
        let free =
            |place: &DVec3| placed.iter().all(|&(other, r)| place.distance_squared(other) > (radius + r).powi(2));
        let place = std::iter::repeat_with(|| dice.vector(0.5 * edge - 1.01 * radius)).find(free).unwrap();
        placed.push((place, radius));
    }
    let mut bodies = room(edge);
    bodies.extend(placed.into_iter().map(|(place, radius)| {
        let ball = Body::sphere(radius, radius.powi(3)).unwrap().made_of(MaterialId(1));
        ball.at(place).moving(dice.vector(1.0))
    }));
    Scene { settings: settings(rough(1.0, 0.0), 0.0), bodies, until: 5.0 }
}

/// Equal numbers of boxes and balls.
fn mixed(count: usize) -> Scene {
    let body = |n: usize| match n % 2 {
        0 => ball(),
        _ => Body::cuboid(DVec3::new(1.0, 0.8, 0.6) * RADIUS, 1.0).unwrap().made_of(MaterialId(1)),
    };
    let mut bodies = room(edge_of(count));
    bodies.extend(lattice(count, body));
    Scene { settings: settings(rough(1.0, 0.0), 0.0), bodies, until: 0.5 }
}

/// Cubes and balls, alternating along each axis, that fall on each other in a pit. The pile is twice as high as wide.
fn piled(count: usize, friction: f64) -> Scene {
    let (wide, mut dice) = ((0.5 * count as f64).cbrt().round() as usize, Dice::new());
    let spacing = 2.4 * RADIUS;
    let mut bodies = walls(wide as f64 * spacing);
    bodies.push(wall(DVec3::Z, 0.0));
    bodies.extend((0..count).map(|n| {
        let cell = [n % wide, n / wide % wide, n / wide / wide];
        let body = match cell.iter().sum::<usize>() % 2 {
            0 => ball(),
            _ => Body::cuboid(DVec3::splat(RADIUS), 2.0).unwrap().made_of(MaterialId(1)),
        };
        let middle = 0.5 * wide as f64;
        let place = DVec3::from_array(cell.map(|n| n as f64 + 0.5)) - DVec3::new(middle, middle, 0.0);
        // They move sideways too: bodies that fall straight on each other have no use for friction.
        let place = place * spacing + dice.vector(0.18 * RADIUS) + DVec3::Z * 0.2 * RADIUS;
        body.at(place).moving(dice.vector(1.0))
    }));
    Scene { settings: settings(rough(0.3, friction), 9.81), bodies, until: 0.6 }
}

/// A gas that is completely inside a sensor.
fn sensed(count: usize) -> Scene {
    let edge = edge_of(count);
    let mut others = room(edge);
    others.push(Body::cuboid(DVec3::splat(edge), 1.0).unwrap().fixed().sensor());
    gas(count, others)
}

/// A gas, and a sensor that moves through it and is a quarter as wide as the room.
fn roamed(count: usize) -> Scene {
    let edge = edge_of(count);
    let mut others = room(edge);
    let sensor = Body::cuboid(DVec3::splat(0.125 * edge), 1.0).unwrap().sensor();
    others.push(sensor.moving(DVec3::new(0.2, 0.1, 0.05)));
    gas(count, others)
}

/// Balls that lie on a floor, and one ball that flies between them.
fn lying(count: usize) -> Scene {
    let wide = (count as f64).sqrt().ceil() as usize;
    let place = |n: usize| DVec3::new((n % wide) as f64, (n / wide) as f64, 0.0) * 3.0 * RADIUS + DVec3::Z * RADIUS;
    let mut bodies = vec![wall(DVec3::Z, 0.0)];
    bodies.extend((1..count).map(|n| ball().at(place(n))));
    bodies.push(Body::sphere(0.2 * RADIUS, 1.0).unwrap().at(DVec3::new(-1.0, 1.5, 0.6) * RADIUS).moving(DVec3::X));
    Scene { settings: settings(rough(0.9, 0.0), 9.81), bodies, until: 1.0 }
}

/// Makes a value, and returns it with the time that this took, s.
fn timed<T>(make: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let made = make();
    (made, start.elapsed().as_secs_f64())
}

/// Runs a world step by step. Returns the number of events and the time, s.
fn run(stepper: &mut Stepper, until: f64) -> (usize, f64) {
    let (start, mut events) = (Instant::now(), 0);
    for step in 1..=(until / STEP).round() as u32 {
        let target = SimTime::from_seconds(f64::from(step) * STEP);
        while start.elapsed().as_secs_f64() < LONGEST {
            let progress = stepper.advance(target, 1000).unwrap();
            events += stepper.take_events().len();
            if progress == Progress::Reached {
                break;
            }
        }
    }
    (events, start.elapsed().as_secs_f64())
}

fn measure(name: &str, count: usize, make: fn(usize) -> Scene) {
    let Scene { settings, bodies, until } = make(count);
    let before = memory();
    let (mut stepper, setup) = timed(|| Stepper::new(settings, &bodies).unwrap());
    let (events, time) = run(&mut stepper, until);
    let bytes = memory().saturating_sub(before) / bodies.len();
    let (count, now) = (bodies.len(), stepper.now().seconds());
    let each = 1e9 * time / events as f64;
    println!("| {name:26} | {count:7} | {setup:6.2} | {now:7.3} | {events:9} | {time:6.2} | {each:8.0} | {bytes:6} |");
}

/// A world in which nearly all bodies are at rest: the cost of advancing it and of reading it.
fn measure_at_rest(count: usize) {
    let Scene { settings, bodies, until } = lying(count);
    let named: Vec<_> = bodies.into_iter().enumerate().map(|(row, body)| (format!("{row:08}"), body)).collect();
    let (mut world, setup) = timed(|| World::new(settings, named).unwrap());
    let ((), settle) = timed(|| world.step(until).unwrap());
    let each = |time: f64| 1e6 * time / f64::from(STEPS_AT_REST);
    let (mut stepper, mut now) = (0.0, world.now());
    for _ in 0..STEPS_AT_REST {
        now = now.plus(STEP);
        stepper += timed(|| world.advance(now, usize::MAX).unwrap()).1;
        drop(world.take_events());
    }
    let (_, step) = timed(|| (0..STEPS_AT_REST).for_each(|_| world.step(STEP).unwrap()));
    let (_, balance) = timed(|| (0..10).for_each(|_| _ = std::hint::black_box(world.balance())));
    let (_, audit) = timed(|| (0..10).for_each(|_| _ = std::hint::black_box(world.audit())));
    let (_, state) = timed(|| (0..count).for_each(|id| _ = std::hint::black_box(world.state(BodyId(id as u32)))));
    let [stepper, step, balance, audit] = [each(stepper), each(step), 1e5 * balance, 1e5 * audit];
    let state = 1e9 * state / count as f64;
    println!(
        "| {count:7} | {setup:6.2} | {settle:6.2} | {stepper:10.2} | {step:10.1} | {balance:10.0} | {audit:8.0} | {state:8.1} |"
    );
}

/// Measures a row in a process of its own: memory that an earlier row has freed would hide the memory that this row
/// takes.
fn apart(name: &str, count: usize) {
    let program = std::env::current_exe().unwrap();
    let status = Command::new(program).args([ONE, name, &count.to_string()]).status().unwrap();
    assert!(status.success(), "{name}, {count} bodies: {status}");
}

fn one(name: &str, count: usize) {
    match ROWS.into_iter().find(|row| row.0 == name) {
        Some((_, make, _)) => measure(name, count, make),
        None => measure_at_rest(count),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, name, count] = words.as_slice()
        && first == ONE
    {
        return one(name, count.parse().unwrap());
    }
    let words: Vec<String> = words.into_iter().filter(|word| !word.starts_with('-')).collect();
    let (counts, names): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.parse::<usize>().is_ok());
    let wanted = |name: &str, count: usize| {
        let named = names.is_empty() || names.iter().any(|word| name.contains(word.as_str()));
        named && (counts.is_empty() || counts.iter().any(|word| word.parse() == Ok(count)))
    };
    println!("| world                      |  bodies | set-up | until s |    events | time s | ns/event |  bytes |");
    println!("|:---------------------------|--------:|-------:|--------:|----------:|-------:|---------:|-------:|");
    for (name, _, sizes) in ROWS {
        sizes.into_iter().filter(|&count| wanted(name, count)).for_each(|count| apart(name, count));
    }
    println!();
    println!("| at rest | set-up | settle | advance µs |    step µs | balance µs | audit µs | state ns |");
    println!("|--------:|-------:|-------:|-----------:|-----------:|-----------:|---------:|---------:|");
    SIZES_AT_REST.into_iter().filter(|&count| wanted(AT_REST, count)).for_each(|count| apart(AT_REST, count));
}
