//! Random heaps, rooms, hills and moving walls. At no step do bodies overlap, does the run fail, or does the energy
//! increase by more than the work of the weights over a rest height.
//!
//! `CAROM_SCENE=heap_17` runs only this scene; `CAROM_SCENES=2000` runs that many scenes of each kind.

use std::time::Instant;

use carom::dynamics::{Balance, Body, BodyId, Motion, Progress, RunError, Settings, Stepper};
use carom::geometry::Solid;
use carom::motion::SimTime;
use glam::DVec3;

use crate::common::scene::{STUFF, resisting, scene_of};
use crate::common::{Random, is_thorough};
use crate::geometry::{deepest, half_edges};
use crate::room_left::room_of;
use crate::scene::{Mix, Recipe, X, Y, Z, chamber, moved, spread, states, written};

/// Largest overlap, divided by the half width of the smaller body.
const OVERLAP_MAX: f64 = 1e-9;

/// Rounding error of energies, divided by the total energy.
const ROUNDING: f64 = 1e-12;

/// Steps per second.
const STEPS: u32 = 60;

/// No step of a scene with forty bodies has so many events.
const EVENTS_MAX: usize = 100_000;

/// Longest wall time of a scene if no other program runs, s.
const WALL_TIME_MAX: f64 = 2.0;

struct Scene {
    title: String,
    settings: Settings,
    bodies: Vec<Body>,
    steps: u32,
    /// Whether walls move.
    driven: bool,
}

fn recipe(random: &mut Random) -> Recipe {
    Recipe {
        mix: Mix::ALL[random.below(3)],
        count: 2 + random.below(39),
        half: spread(random, 0.05, 0.5),
        widths: if random.below(3) == 0 { 1.0 } else { random.between(1.0, 5.0) },
        masses: if random.below(3) == 0 { 1.0 } else { spread(random, 1.0, 100.0) },
        restitution: if random.below(4) == 0 { 0.0 } else { random.between(0.0, 0.9) },
        friction: if random.below(2) == 0 { 0.0 } else { random.between(0.1, 1.2) },
        turning: 0.0,
        speed: if random.below(3) == 0 { 0.0 } else { random.between(0.0, 2.0) },
    }
}

fn scene(random: &mut Random, what: &str, recipe: &Recipe, bodies: Vec<Body>) -> Scene {
    let steps = STEPS + random.below(2 * STEPS as usize + 1) as u32;
    let driven = bodies.iter().any(|body| !body.is_free() && body.velocity != DVec3::ZERO);
    Scene { title: format!("{what}: {recipe}"), settings: recipe.settings(), bodies, steps, driven }
}

fn plane(normal: DVec3, offset: f64) -> Body {
    Body::plane(normal, offset).unwrap().made_of(STUFF)
}

/// A floor and four walls, all of them half-spaces.
fn pit(side: f64) -> Vec<Body> {
    vec![plane(Z, 0.0), plane(X, -side), plane(-X, -side), plane(Y, -side), plane(-Y, -side)]
}

/// Bodies poured into a pit of half-spaces or into a chamber of boxes.
fn heap(random: &mut Random) -> Scene {
    let (recipe, wide) = (recipe(random), 1 + random.below(4));
    let bodies = if random.below(2) == 0 {
        recipe.heap(random, wide)
    } else {
        let mut bodies = pit(0.5 * wide as f64 * recipe.cell());
        bodies.extend(recipe.poured(random, wide, DVec3::ZERO));
        bodies
    };
    scene(random, "heap", &recipe, bodies)
}

/// Moving bodies, some of which spin, in a room with a block and a ball on its floor.
fn room(random: &mut Random) -> Scene {
    let recipe = Recipe { speed: random.between(1.0, 8.0), ..recipe(random) };
    let wide = 2 + random.below(3);
    let side = 0.5 * wide as f64 * recipe.cell() * random.between(1.0, 1.5);
    let layers = recipe.layers(wide) as f64;
    let mut bodies = chamber(DVec3::new(side, side, 0.5 * layers * recipe.cell() + 2.0 * recipe.half), STUFF);
    let held = Body::cuboid(DVec3::new(1.0, 0.5, 0.5) * recipe.half, 1.0).unwrap().made_of(STUFF);
    bodies.push(held.at(DVec3::new(-recipe.half, 0.0, 0.5 * recipe.half)).fixed());
    let held = Body::sphere(0.5 * recipe.half, 1.0).unwrap().made_of(STUFF);
    bodies.push(held.at(DVec3::new(recipe.half, 0.5 * recipe.half, 0.4 * recipe.half)).fixed());
    let spin = random.between(0.0, 20.0);
    for body in recipe.poured(random, wide, Z * (1.1 * recipe.half)) {
        let spinning = body.shape.solid().is_some_and(|solid| matches!(solid, Solid::Sphere(_)));
        bodies.push(if spinning { body.spinning(random.vector(spin)) } else { body });
    }
    scene(random, "room", &recipe, bodies)
}

/// A ground of fixed balls of several sizes above a floor.
fn hills(random: &mut Random) -> Scene {
    let (recipe, wide) = (recipe(random), 2 + random.below(3));
    let side = 0.5 * wide as f64 * recipe.cell();
    let mut bodies = pit(side);
    for n in 0..4 + random.below(9) {
        let radius = recipe.half * random.between(0.3, 2.0);
        let place = DVec3::new(random.between(-side, side), random.between(-side, side), -random.between(0.0, radius));
        // Some lie deep and form hills. Others lie high, with space below them.
        let place = if n % 3 == 0 { place + Z * recipe.half } else { place };
        bodies.push(Body::sphere(radius, 1.0).unwrap().made_of(STUFF).at(place).fixed());
    }
    bodies.extend(recipe.poured(random, wide, Z * (3.0 * recipe.half)));
    scene(random, "hills", &recipe, bodies)
}

/// One of the scenes above that has a free ball, with rolling and spinning friction.
fn rolls(random: &mut Random) -> Scene {
    let makers: [Maker; 3] = [heap, room, hills];
    let is_ball = |body: &Body| body.is_free() && matches!(body.shape.solid(), Some(Solid::Sphere(_)));
    let scene = loop {
        let scene = makers[random.below(3)](random);
        if scene.bodies.iter().any(is_ball) {
            break scene;
        }
    };
    let (rolling, spinning) = (spread(random, 1e-5, 1e-1), random.between(0.0, 0.05));
    let title = format!("{}, rolling {rolling:.1e} m, spinning {spinning:.1e} m", scene.title);
    Scene { settings: resisting(scene.settings, rolling, spinning), title, ..scene }
}

/// A plate pushes a heap along the floor, or lifts it. Some plates move until no space is left.
fn walls(random: &mut Random) -> Scene {
    let (recipe, wide) = (recipe(random), 1 + random.below(3));
    let side = 0.5 * wide as f64 * recipe.cell();
    let high = recipe.layers(wide) as f64 * recipe.cell();
    let thick = 0.5 * recipe.half;
    let speed = spread(random, 0.05, 2.0);
    let squeezes = random.below(4) == 0;
    let (what, bodies) = if random.below(2) == 0 {
        // The plate starts at the negative x side of the heap.
        let room = if squeezes { 0.0 } else { random.between(0.5, 3.0) * speed };
        let mut bodies = chamber(DVec3::new(side + room, side, high), STUFF);
        let plate = Body::cuboid(DVec3::new(thick, 2.0 * side, 2.0 * high), 1.0).unwrap().made_of(STUFF);
        bodies.push(plate.kinematic().at(X * -(side + room + thick) + Z * high).moving(X * speed));
        bodies.extend(recipe.poured(random, wide, X * room));
        ("pushed", bodies)
    } else {
        let room = if squeezes { 0.0 } else { random.between(1.0, 3.0) * speed };
        let mut bodies = chamber(DVec3::new(side, side, 0.5 * (high + room) + thick), STUFF);
        let plate = Body::cuboid(DVec3::new(2.0 * side, 2.0 * side, thick), 1.0).unwrap().made_of(STUFF);
        bodies.push(plate.kinematic().at(Z * thick).moving(Z * speed));
        bodies.extend(recipe.poured(random, wide, Z * (2.0 * thick)));
        ("lifted", bodies)
    };
    let bodies = moved(bodies, random.vector(1.0));
    scene(random, what, &recipe, bodies)
}

/// The energy computed from the states alone, and how far the audit may differ from it.
struct Energy {
    kinetic: f64,
    potential: f64,
    /// The audit may already count a stepped body at its height at the end of the step. No step lasts longer than the
    /// largest body needs to fall through a part of its own size.
    ahead: f64,
}

fn energy(settings: &Settings, bodies: &[Body], stepper: &Stepper) -> Energy {
    let mut energy = Energy { kinetic: 0.0, potential: 0.0, ahead: 0.0 };
    let g = settings.gravity;
    let free = || bodies.iter().filter(|body| body.is_free());
    let largest = free().map(|body| half_edges(body).max_element()).fold(0.0, f64::max);
    let longest = 0.25 * (largest / g.length()).sqrt();
    for (body, state) in bodies.iter().zip(states(stepper)) {
        let Motion::Free(mass) = body.motion else { continue };
        let (mass, radius) = (mass.get(), half_edges(body).x);
        energy.kinetic +=
            0.5 * mass * (state.velocity.length_squared() + 0.4 * radius * radius * state.spin.length_squared());
        energy.potential -= mass * g.dot(state.position);
        energy.ahead += mass * g.dot(state.velocity).abs() * longest;
    }
    energy
}

/// The faults of a run: for each kind, the first step at which it occurs and its largest size.
#[derive(Default)]
struct Faults {
    all: Vec<Fault>,
    /// Wall time of the engine alone, without the checks, s.
    engine_time: f64,
}

struct Fault {
    step: u32,
    what: &'static str,
    most: f64,
    said: String,
}

impl Faults {
    fn add(&mut self, step: u32, what: &'static str, size: f64, say: impl FnOnce() -> String) {
        match self.all.iter_mut().find(|fault| fault.what == what) {
            Some(fault) => fault.most = fault.most.max(size),
            None => self.all.push(Fault { step, what, most: size, said: say() }),
        }
    }

    fn lines(&self) -> String {
        let line =
            |Fault { step, what, most, said }: &Fault| format!("  step {step}: {what}: {said}, {most:.1e} at most");
        self.all.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Runs a scene and returns its faults.
fn faults_of(scene: &Scene) -> Faults {
    let Scene { settings, bodies, steps, driven, .. } = scene;
    let mut faults = Faults::default();
    let mut stepper = match Stepper::new(settings.clone(), bodies) {
        Ok(stepper) => stepper,
        Err(error) => {
            faults.add(0, "generator", 1.0, || error.to_string());
            return faults;
        }
    };
    let mut books = RunBalance::new(settings, bodies, &stepper);
    for step in 1..=*steps {
        let time = SimTime::from_seconds(f64::from(step) / f64::from(STEPS));
        let begin = Instant::now();
        let advanced = stepper.advance(time, EVENTS_MAX);
        faults.engine_time += begin.elapsed().as_secs_f64();
        match advanced {
            Ok(Progress::Reached) => {}
            Ok(_) => {
                faults.add(step, "work", EVENTS_MAX as f64, || "events in one step".to_owned());
                return faults;
            }
            Err(RunError::Squeezed { body, supports, .. }) if *driven => {
                let supports = supports.map(BodyId::index);
                if let Some(why) = room_of(bodies, &states(&stepper), body.index(), supports) {
                    let say = || format!("{} between {supports:?}, but {why}", body.index());
                    faults.add(step, "squeezed", 1.0, say);
                }
                return faults;
            }
            Err(error) => {
                faults.add(step, "error", 1.0, || error.to_string());
                return faults;
            }
        }
        let least = stepper.take_events().iter().map(|event| event.loss).fold(0.0, f64::min);
        let places: Vec<DVec3> = states(&stepper).iter().map(|state| state.position).collect();
        if let Some((a, b, depth)) = deepest(bodies, &places)
            && depth > OVERLAP_MAX
        {
            faults.add(step, "overlap", depth, || format!("{a} and {b}, {depth:.1e} of the smaller one"));
        }
        if least < -ROUNDING * books.all {
            faults.add(step, "an impact gained energy", least, || format!("{least} J"));
        }
        books.check(settings, bodies, &stepper, |what, size, said| faults.add(step, what, size, || said));
    }
    faults
}

/// The energy accounts of a run so far.
struct RunBalance {
    /// The energy that the bodies could lose, J.
    all: f64,
    start: Balance,
    /// The least energy so far. It excludes the work of walls, J.
    least: f64,
    /// The most heat so far, J.
    heat: f64,
    /// The work of the weight of all bodies over a rest height, J.
    trifle: f64,
}

impl RunBalance {
    fn new(settings: &Settings, bodies: &[Body], stepper: &Stepper) -> Self {
        let reach = bodies.iter().filter(|body| body.is_free()).map(|body| body.position.length()).fold(1.0, f64::max);
        let start = stepper.balance();
        let weight = start.mass * settings.gravity.length();
        let stored = start.kinetic + start.potential;
        Self {
            all: start.kinetic + weight * reach,
            start,
            least: stored,
            heat: 0.0,
            trifle: weight * settings.rest_height,
        }
    }

    /// The energy does not increase, and the accounts agree with the states.
    fn check(
        &mut self,
        settings: &Settings,
        bodies: &[Body],
        stepper: &Stepper,
        mut fault: impl FnMut(&'static str, f64, String),
    ) {
        let (now, audit, own) = (stepper.balance(), stepper.audit(), energy(settings, bodies, stepper));
        let scale = self.all + audit.work.abs();
        let left = now.kinetic + now.potential - audit.work;
        let gain = left - self.least;
        // On a curved surface, the path of a body that is advanced by events is up to a rest height away from the
        // surface.
        if gain > ROUNDING * scale + self.trifle {
            let rest_heights = gain / self.trifle;
            fault(
                "energy gained",
                gain / scale,
                format!("of all energy; the weights over {rest_heights:.1e} rest heights"),
            );
        }
        self.least = self.least.min(left);
        // Heat is neither negative nor taken back, apart from that trifle.
        let heat = audit.dissipated + audit.contact_heat;
        let back = (self.heat - heat).max(-audit.contact_heat).max(-audit.dissipated);
        if back > ROUNDING * scale + self.trifle {
            fault("heat was taken back", back / scale, format!("{heat} J, before {} J", self.heat));
        }
        self.heat = self.heat.max(heat);
        let book = (left + audit.dissipated + audit.contact_heat - (self.start.kinetic + self.start.potential)).abs();
        // The accounts are sums over thousands of events and steps, each with a rounding error.
        if book > 1000.0 * ROUNDING * scale {
            fault("the books do not close", book / scale, "of all energy".to_owned());
        }
        let weight = settings.gravity * (now.mass * stepper.now().seconds());
        let off = (now.momentum - self.start.momentum - audit.impulse - weight).length();
        let scale_of_momentum =
            now.momentum_scale + self.start.momentum_scale + audit.impulse.length() + weight.length();
        if off > 1000.0 * ROUNDING * scale_of_momentum {
            fault("momentum", off / scale_of_momentum, "of weight and impulses".to_owned());
        }
        // Within a time step, kinetic energy goes evenly from its value before the step to that after it.
        let off = own.kinetic - now.kinetic;
        let off = if stepper.stepping_totals().time_steps > 0 { off } else { off.abs() };
        if off > ROUNDING * scale {
            fault(
                "kinetic energy",
                off / scale,
                format!("{} J in the books, {} J by the states", now.kinetic, own.kinetic),
            );
        }
        let off = (own.potential - now.potential).abs();
        if off > own.ahead + ROUNDING * scale {
            let (booked, found, ahead) = (now.potential, own.potential, own.ahead);
            fault(
                "potential energy",
                off / scale,
                format!("{booked} J in the books, {found} (±{ahead}) J by the states"),
            );
        }
    }
}

type Maker = fn(&mut Random) -> Scene;

/// The number of scenes of each kind.
fn count() -> u64 {
    let usual = if is_thorough() { 250 } else { 40 };
    std::env::var("CAROM_SCENES").map_or(usual, |count| count.parse().expect("CAROM_SCENES is a number"))
}

fn made(kind: &str, make: Maker, seed: u64) -> (String, Scene) {
    (format!("{kind}_{seed:02}"), make(&mut Random::new(seed * 104_729 + kind.len() as u64)))
}

fn check(kind: &str, make: Maker) {
    let only = std::env::var("CAROM_SCENE").ok();
    let (mut faults, mut times) = (Vec::new(), Vec::new());
    for (name, scene) in (0..count()).map(|seed| made(kind, make, seed)) {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let found = faults_of(&scene);
        let seconds = f64::from(scene.steps) / f64::from(STEPS);
        let file = || written(&name, &scene.title, &scene.settings, &scene.bodies, seconds);
        if only.is_some() {
            println!("{name}: {}, {}", scene.title, file().display());
        }
        if !found.all.is_empty() {
            let file = file();
            faults.push(format!("{name}: {}\n{}\n  {}", scene.title, found.lines(), file.display()));
        }
        times.push((found.engine_time, name));
    }
    times.sort_by(|one, other| other.0.total_cmp(&one.0));
    let slow = times.iter().filter(|time| time.0 > WALL_TIME_MAX).count();
    println!("{kind}: {slow} scenes took more than {WALL_TIME_MAX} s; the slowest:");
    times.iter().take(slow.max(5)).for_each(|(seconds, name)| println!("  {name}: {seconds:.2} s"));
    if only.is_some() {
        println!("{}", faults.join("\n"));
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), times.len(), faults.join("\n"));
}

#[test]
fn heaps_go_well() {
    check("heap", heap);
}

#[test]
fn rooms_go_well() {
    check("room", room);
}

#[test]
fn hills_go_well() {
    check("hills", hills);
}

#[test]
fn balls_that_do_not_roll_freely_go_well() {
    check("rolls", rolls);
}

#[test]
fn moving_walls_go_well() {
    check("walls", walls);
}

/// Wall time is meaningful only if no other program runs: `cargo test --release --test contact_engine -- --ignored`.
#[test]
#[ignore = "it measures wall time"]
fn no_scene_is_slow() {
    let kinds: [(&str, Maker); 5] =
        [("heap", heap), ("room", room), ("hills", hills), ("rolls", rolls), ("walls", walls)];
    let mut slow = Vec::new();
    for (name, scene) in kinds.iter().flat_map(|&(kind, make)| (0..count()).map(move |seed| made(kind, make, seed))) {
        let seconds = faults_of(&scene).engine_time;
        if seconds > WALL_TIME_MAX {
            let file =
                written(&name, &scene.title, &scene.settings, &scene.bodies, f64::from(scene.steps) / f64::from(STEPS));
            slow.push(format!("{seconds:.1} s: {name}: {}, {}", scene.title, file.display()));
        }
    }
    assert!(slow.is_empty(), "{}:\n{}", slow.len(), slow.join("\n"));
}

/// A scene that is written to a file and read again is the same scene.
#[test]
fn a_scene_that_is_written_is_read_as_itself() {
    for (name, make) in [("round_trip_room", room as Maker), ("round_trip_hills", hills), ("round_trip_walls", walls)] {
        let scene = made(name, make, 1).1;
        let file = written(name, &scene.title, &scene.settings, &scene.bodies, 1.0);
        let (title, settings, bodies) = scene_of(&file);
        assert_eq!((title, bodies.len()), (scene.title, scene.bodies.len()));
        assert_eq!((settings.gravity, settings.rest_height), (scene.settings.gravity, scene.settings.rest_height));
        for (read, body) in bodies.iter().zip(&scene.bodies) {
            let material = |settings: &Settings, body: &Body| {
                let (a, b) = (body.material, body.material);
                (settings.materials.restitution(a, b).constant(), settings.materials.friction(a, b))
            };
            assert_eq!(material(&settings, read), material(&scene.settings, body));
            assert_eq!(Body { material: body.material, ..read.clone() }, *body);
        }
    }
}
