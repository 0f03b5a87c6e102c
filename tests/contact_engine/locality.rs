//! Islands that do not touch never change a bit of each other. A scene runs alone, and then with another scene in the
//! same world.
//!
//! The tests compare the events (except for their running number `group`) and the state of every body at each sample.

use carom::dynamics::{Body, BodyId, Event, Motion, Settings, State, Stepper};
use carom::motion::SimTime;
use glam::DVec3;

use crate::common::scene::STUFF;
use crate::common::{Random, is_thorough};
use crate::geometry::half_edges;
use crate::scene::{ELASTIC, Mix, Recipe, X, Y, Z, bits, chamber, moved, states};

/// The duration of each run, s, and its number of samples.
const SECONDS: f64 = 1.5;
const LOOKS: u32 = 15;

/// The position of the ids of the other scene in the list.
#[derive(Debug, Clone, Copy)]
enum Order {
    Before,
    After,
    Interleaved,
}

const ORDERS: [Order; 3] = [Order::Before, Order::After, Order::Interleaved];

/// The distance of the other scene.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Shifted by 1,024 m.
    Far,
    /// The gap between the nearest walls is two diameters of the largest free body.
    Beside,
}

const PLACES: [Place; 2] = [Place::Far, Place::Beside];

/// A scene that runs alone, or in one world with another scene.
struct Subject {
    name: String,
    settings: Settings,
    bodies: Vec<Body>,
}

/// The events and states of the compared bodies, which are numbered from 0 here.
struct Told {
    events: Vec<Event>,
    looks: Vec<Vec<State>>,
}

/// An action on a world after a sample.
type Act<'a> = dyn Fn(&mut Stepper, u32) + 'a;

/// Runs `bodies`, calls `act` after each sample, and returns the results for the bodies in `rows`.
fn told(settings: &Settings, bodies: &[Body], rows: &[usize], act: &Act) -> Result<Told, String> {
    let mut stepper = Stepper::new(settings.clone(), bodies).expect("a valid start");
    let number = |id: BodyId| rows.iter().position(|&row| row == id.0 as usize).map(|n| BodyId(n as u32));
    let mut told = Told { events: Vec::new(), looks: Vec::new() };
    for look in 1..=LOOKS {
        let time = SimTime::from_seconds(SECONDS * f64::from(look) / f64::from(LOOKS));
        stepper.advance(time, usize::MAX).map_err(|error| error.to_string())?;
        for event in stepper.take_events() {
            match (number(event.a), number(event.b)) {
                (Some(a), Some(b)) => told.events.push(Event { a, b, ..event }),
                (None, None) => {}
                _ => return Err(format!("the two scenes are not out of reach of each other: {event:?}")),
            }
        }
        let states = states(&stepper);
        told.looks.push(rows.iter().map(|&row| states[row]).collect());
        act(&mut stepper, look);
    }
    Ok(told)
}

/// Whether two events have the same bits, except for their number `group`.
fn same(one: &Event, other: &Event) -> bool {
    let bits = |event: &Event| {
        let numbers =
            [event.point.to_array(), event.normal.to_array(), [event.approach_speed, event.impulse, event.loss]];
        numbers.map(|three| three.map(f64::to_bits))
    };
    let key = |event: &Event| (event.time, event.kind, event.a, event.b);
    key(one) == key(other) && bits(one) == bits(other)
}

/// The first difference of two runs, if there is one.
fn difference(alone: &Told, together: &Told) -> Option<String> {
    let differs = (0..LOOKS as usize).find_map(|look| {
        let (one, other) = (&alone.looks[look], &together.looks[look]);
        let row = (0..one.len()).find(|&row| bits(&one[row]) != bits(&other[row]))?;
        let most =
            one.iter().zip(other).map(|(one, other)| (one.position - other.position).length()).fold(0.0, f64::max);
        let seconds = SECONDS * (look + 1) as f64 / f64::from(LOOKS);
        Some(format!("states differ from look {seconds} s on, body {row} first, by up to {most:e} m"))
    });
    let count = alone.events.len().max(together.events.len());
    let first = (0..count).find(|&n| match (alone.events.get(n), together.events.get(n)) {
        (Some(one), Some(other)) => !same(one, other),
        _ => true,
    });
    let events = first.map(|n| {
        let show = |told: &Told| told.events.get(n).map_or("none".to_owned(), |event| format!("{event:?}"));
        format!("event {n} of {}\n  alone:    {}\n  together: {}", alone.events.len(), show(alone), show(together))
    });
    match (events, differs) {
        (None, None) => None,
        (events, states) => {
            Some(format!("{}\n  {}", events.unwrap_or("no event".to_owned()), states.unwrap_or("no state".to_owned())))
        }
    }
}

/// The bodies of both scenes in the given order, and the rows of the bodies of `a`.
fn together(a: &[Body], b: &[Body], order: Order) -> (Vec<Body>, Vec<usize>) {
    let mut all: Vec<(usize, &Body)> = Vec::new();
    let key = |n: usize, of: usize| n * 1000 / of;
    let (ours, others) = (a.len(), b.len());
    for (n, body) in a.iter().enumerate() {
        all.push((1_000_000 + key(n, ours), body));
    }
    for (n, body) in b.iter().enumerate() {
        all.push((
            match order {
                Order::Before => 0,
                Order::After => 2_000_000,
                Order::Interleaved => 1_000_000 + key(n, others),
            },
            body,
        ));
    }
    let mut rows: Vec<usize> = (0..all.len()).collect();
    rows.sort_by_key(|&row| all[row].0);
    let bodies = rows.iter().map(|&row| all[row].1.clone()).collect();
    (bodies, (0..all.len()).filter(|&place| rows[place] < ours).collect())
}

/// `others`, shifted along x to `place` relative to `bodies`.
fn placed(bodies: &[Body], others: Vec<Body>, place: Place) -> Vec<Body> {
    let end = |body: &Body| body.position.x + half_edges(body).x;
    let begin = |body: &Body| body.position.x - half_edges(body).x;
    let size = |body: &Body| if body.is_free() { 2.0 * half_edges(body).max_element() } else { 0.0 };
    let largest = bodies.iter().chain(&others).map(size).fold(0.0, f64::max);
    let ends = bodies.iter().map(end).fold(f64::NEG_INFINITY, f64::max);
    let begins = others.iter().map(begin).fold(f64::INFINITY, f64::min);
    let by = match place {
        Place::Far => 1024.0,
        Place::Beside => ends - begins + 2.0 * largest,
    };
    moved(others, X * by)
}

/// Elastic balls in a box.
fn gas(seed: u64) -> Vec<Body> {
    let mut random = Random::new(seed);
    let mut bodies = chamber(DVec3::splat(0.6), ELASTIC);
    for n in 0..27 {
        let cell = DVec3::new(f64::from(n % 3) - 1.0, f64::from(n / 3 % 3) - 1.0, f64::from(n / 9) + 0.5);
        let ball = Body::sphere(random.between(0.05, 0.12), random.between(0.5, 2.0)).unwrap();
        bodies.push(ball.made_of(ELASTIC).at(cell * 0.4 + random.vector(0.05)).moving(random.vector(2.0)));
    }
    bodies
}

fn another_heap(seed: u64) -> Vec<Body> {
    recipe(seed + 1, &mut Random::new(seed + 77)).heap(&mut Random::new(seed + 99), 3)
}

/// A bullet that passes at 10 km/s, 0.8 s after the start.
fn bullet(_: u64) -> Vec<Body> {
    vec![Body::sphere(0.05, 1.0).unwrap().made_of(STUFF).at(Y * -8000.0 + Z * 4.2).moving(Y * 10_000.0)]
}

fn table() -> Body {
    Body::cuboid(DVec3::new(0.5, 0.5, 0.1), 1.0).unwrap().made_of(STUFF).at(Z * -0.1).fixed()
}

/// A grain with a radius of 0.1 mm falls on a table and comes to rest.
fn grain(_: u64) -> Vec<Body> {
    vec![table(), Body::sphere(1e-4, 1e-9).unwrap().made_of(STUFF).at(Z * 0.01).moving(X * 0.001)]
}

/// A heap of bodies with a hundredth of the size.
fn grains(seed: u64) -> Vec<Body> {
    let recipe = Recipe { count: 12, half: 1e-3, speed: 0.1, ..recipe(seed, &mut Random::new(seed)) };
    recipe.heap(&mut Random::new(seed + 3), 2)
}

/// A stack of boxes; one more box falls on it.
fn stack(_: u64) -> Vec<Body> {
    let cube = |n: f64| {
        let place = DVec3::new(0.01 * n, 0.0, 0.1 + 0.2 * n);
        Body::cuboid(DVec3::splat(0.1), 1.0).unwrap().made_of(STUFF).at(place)
    };
    let mut bodies = chamber(DVec3::new(0.5, 0.5, 1.0), STUFF);
    bodies.extend([cube(0.0), cube(1.0), cube(2.0), cube(3.0), cube(6.0)]);
    bodies
}

/// A chamber that moves up. Two balls fall on its floor, another one rests on it.
fn lift(_: u64) -> Vec<Body> {
    let walls = chamber(DVec3::new(0.5, 0.5, 1.0), STUFF).into_iter().map(|wall| wall.kinematic().moving(Z * 0.25));
    let ball = |x: f64, z: f64| Body::sphere(0.1, 1.0).unwrap().made_of(STUFF).at(DVec3::new(x, 0.0, z));
    walls.chain([ball(-0.3, 0.1), ball(0.2, 0.5), ball(0.3, 0.9)]).collect()
}

/// A ball that never comes to rest.
fn bouncing(_: u64) -> Vec<Body> {
    vec![table().made_of(ELASTIC), Body::sphere(0.1, 1.0).unwrap().made_of(ELASTIC).at(Z * 0.3)]
}

/// The mix of balls and boxes, the friction and the restitution (from 0 to 0.7) vary with the seed.
fn recipe(seed: u64, random: &mut Random) -> Recipe {
    let turn = seed as usize;
    Recipe {
        mix: Mix::ALL[turn % 3],
        count: 20 + random.below(41),
        half: 0.1,
        widths: random.between(1.0, 3.0),
        masses: random.between(1.0, 10.0),
        restitution: [0.0, 0.3, 0.7, 0.5][turn / 2 % 4],
        friction: if turn.is_multiple_of(2) { 0.0 } else { random.between(0.1, 1.0) },
        turning: if turn % 4 == 1 { 1e-3 } else { 0.0 },
        speed: 1.0,
    }
}

fn heap(seed: u64) -> Subject {
    let mut random = Random::new(seed * 31 + 5);
    let recipe = recipe(seed, &mut random);
    Subject { name: format!("heap {seed}: {recipe}"), settings: recipe.settings(), bodies: recipe.heap(&mut random, 3) }
}

/// A gas in which nothing ever comes to rest.
fn elastic(seed: u64) -> Subject {
    let settings = recipe(seed, &mut Random::new(seed)).settings();
    Subject { name: format!("gas {seed}"), settings, bodies: gas(seed + 1000) }
}

type Others = fn(u64) -> Vec<Body>;

/// Compares each subject alone with the subject beside each of `others`, at every place and in every order. The short
/// form of the tests takes only each `stride`-th combination.
fn check(subjects: impl Iterator<Item = Subject>, others: &[(&str, Others)], stride: usize) {
    let (mut faults, mut turn, mut tried) = (Vec::new(), 0_usize, 0);
    let places = || PLACES.into_iter().flat_map(|place| ORDERS.map(|order| (place, order)));
    for (seed, Subject { name, settings, bodies }) in subjects.enumerate() {
        let all = others.iter().flat_map(|other| places().map(move |(place, order)| (other, place, order)));
        let mut chosen = Vec::new();
        for choice in all {
            turn += 1;
            chosen.extend((turn.is_multiple_of(stride) || is_thorough()).then_some(choice));
        }
        if chosen.is_empty() {
            continue;
        }
        tried += chosen.len();
        let alone = match told(&settings, &bodies, &(0..bodies.len()).collect::<Vec<_>>(), &|_, _| {}) {
            Ok(alone) => alone,
            Err(fault) => {
                faults.push(format!("{name}: alone: {fault}"));
                continue;
            }
        };
        for ((other, make), place, order) in chosen {
            let (all, rows) = together(&bodies, &placed(&bodies, make(seed as u64), place), order);
            let found = told(&settings, &all, &rows, &|_, _| {});
            let fault = found.map_or_else(Some, |together| difference(&alone, &together));
            faults.extend(fault.map(|fault| format!("{name}\n  with {other}, {place:?}, {order:?}: {fault}")));
        }
    }
    println!("{tried} worlds tried");
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
}

/// Heaps to test; fewer in the short form of the tests.
fn heaps() -> impl Iterator<Item = Subject> {
    (0..if is_thorough() { 24 } else { 5 }).map(heap)
}

/// Coprime to the number of combinations of place and order, so that all of them occur.
const STRIDE: usize = 5;

#[test]
fn a_heap_does_not_know_of_a_gas() {
    check(heaps(), &[("a gas", gas)], STRIDE);
}

#[test]
fn a_heap_does_not_know_of_another_heap() {
    check(heaps(), &[("another heap", another_heap)], STRIDE);
}

#[test]
fn a_heap_does_not_know_of_a_bullet() {
    check(heaps(), &[("a bullet", bullet)], STRIDE);
}

#[test]
fn a_heap_does_not_know_of_a_grain() {
    check(heaps(), &[("a grain", grain)], STRIDE);
}

#[test]
fn a_heap_does_not_know_of_a_heap_of_grains() {
    check(heaps(), &[("grains", grains)], STRIDE);
}

#[test]
fn a_heap_does_not_know_of_a_stack() {
    check(heaps(), &[("a stack", stack)], STRIDE);
}

#[test]
fn a_heap_does_not_know_of_a_lift() {
    check(heaps(), &[("a lift", lift)], STRIDE);
}

#[test]
fn a_heap_does_not_know_of_a_bouncing_ball() {
    check(heaps(), &[("a bouncing ball", bouncing)], STRIDE);
}

/// Kicks a body, changes the velocity of moving walls, or replaces a body by itself. Bodies in `rows` are never chosen.
fn disturb(stepper: &mut Stepper, look: u32, rows: &[usize]) {
    let others = (0..stepper.count()).filter(|row| !rows.contains(row)).map(|row| BodyId(row as u32));
    let others: Vec<BodyId> = others.filter(|&id| stepper.is_present(id)).collect();
    let free: Vec<BodyId> = others.iter().copied().filter(|&id| stepper.body(id).is_free()).collect();
    let chosen = free[look as usize % free.len()];
    match look % 3 {
        0 => stepper.kick(chosen, Z * 0.5 + X * 0.1, DVec3::ZERO).unwrap(),
        1 => {
            for wall in
                others.into_iter().filter(|&id| stepper.body(id).motion == Motion::Kinematic).collect::<Vec<_>>()
            {
                stepper.set_velocity(wall, Z * (0.1 * f64::from(look % 4) - 0.1)).unwrap();
            }
        }
        _ => {
            let body = stepper.body(chosen);
            stepper.despawn(chosen).unwrap();
            stepper.spawn(&body).unwrap();
        }
    }
}

/// A command acts only on the islands that it concerns, although it is given to the whole world.
#[test]
fn a_heap_does_not_know_of_commands_elsewhere() {
    let mut faults = Vec::new();
    for (seed, Subject { name, settings, bodies }) in heaps().enumerate() {
        let alone = told(&settings, &bodies, &(0..bodies.len()).collect::<Vec<_>>(), &|_, _| {}).unwrap();
        let rest = [lift as Others, another_heap][seed % 2](seed as u64);
        let (all, rows) = together(&bodies, &placed(&bodies, rest, PLACES[seed / 2 % 2]), ORDERS[seed % 3]);
        let found = told(&settings, &all, &rows, &|stepper, look| disturb(stepper, look, &rows));
        let fault = found.map_or_else(Some, |together| difference(&alone, &together));
        faults.extend(fault.map(|fault| format!("{name}\n  {fault}")));
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// No other scene changes a gas, not even a scene with resting contacts.
#[test]
fn a_gas_does_not_know_of_anything() {
    let all: [(&str, Others); 8] = [
        ("a gas", gas),
        ("a heap", another_heap),
        ("a bullet", bullet),
        ("a grain", grain),
        ("grains", grains),
        ("a stack", stack),
        ("a lift", lift),
        ("a bouncing ball", bouncing),
    ];
    check((0..2).map(elastic), &all, STRIDE);
}
