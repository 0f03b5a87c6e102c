//! Runs give the same bits for any timestep, after any snapshot or interruption, and for any order of the bodies.

use carom::dynamics::{Body, BodyId, Event, Progress, RunError, Settings, Snapshot, Stepper};
use carom::motion::SimTime;
use carom::world::{self, World};
use glam::DVec3;

use crate::common::{Random, is_thorough};
use crate::room_left::room_of;
use crate::scene::{Mix, Recipe, X, Z, states, written};

/// The duration of each run, s.
const SECONDS: f64 = 1.5;

/// The number of instants at which each run continues from a snapshot.
const SNAPSHOTS: usize = 20;

struct Heap {
    name: String,
    settings: Settings,
    bodies: Vec<Body>,
}

fn heaps() -> Vec<Heap> {
    let base = Recipe {
        mix: Mix::Balls,
        count: 30,
        half: 0.1,
        widths: 2.0,
        masses: 5.0,
        restitution: 0.3,
        friction: 0.0,
        turning: 0.0,
        speed: 1.0,
    };
    let mut recipes = vec![
        base.clone(),
        Recipe { friction: 0.5, restitution: 0.6, ..base.clone() },
        Recipe { mix: Mix::Both, friction: 0.3, ..base.clone() },
        Recipe { mix: Mix::Both, friction: 0.4, turning: 2e-3, ..base.clone() },
        Recipe { mix: Mix::Boxes, friction: 0.7, restitution: 0.0, ..base.clone() },
    ];
    if is_thorough() {
        let more = |n: usize| Recipe {
            mix: Mix::ALL[n % 3],
            count: 10 + 2 * n,
            widths: 1.0 + 0.2 * n as f64,
            restitution: 0.04 * n as f64,
            friction: if n.is_multiple_of(2) { 0.0 } else { 0.06 * n as f64 },
            ..base.clone()
        };
        recipes.extend((0..20).map(more));
    }
    let heap = |(n, recipe): (usize, Recipe)| {
        let mut bodies = recipe.heap(&mut Random::new(n as u64 + 400), 3);
        if n % 2 == 1 {
            // The floor moves up and one wall moves inwards.
            bodies[4] = bodies[4].clone().kinematic().moving(Z * 0.05);
            bodies[0] = bodies[0].clone().kinematic().moving(X * 0.02);
        }
        Heap { name: format!("same_bits_{n}: {recipe}"), settings: recipe.settings(), bodies }
    };
    recipes.into_iter().enumerate().map(heap).collect()
}

/// The complete result of a run. If moving walls squeeze a body, every way to run the heap must end with the same
/// error.
struct Trace {
    events: Vec<Event>,
    end: Snapshot,
    error: Option<RunError>,
}

fn seconds(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

fn stepper(heap: &Heap) -> Stepper {
    Stepper::new(heap.settings.clone(), &heap.bodies).expect("a valid start")
}

/// The result of a finished stepper; `events` are those that were taken before.
fn trace(mut stepper: Stepper, mut events: Vec<Event>, error: Option<RunError>) -> Trace {
    events.extend(stepper.take_events());
    Trace { events, end: stepper.snapshot(), error }
}

/// A run in one step. If it ends with a squeezed body, the geometry must indeed leave that body no space.
fn straight(heap: &Heap) -> Trace {
    let mut stepper = stepper(heap);
    let error = stepper.advance(seconds(SECONDS), usize::MAX).err();
    match error {
        None => {}
        Some(RunError::Squeezed { body, supports, .. }) => {
            let room = room_of(&heap.bodies, &states(&stepper), body.index(), supports.map(BodyId::index));
            assert_eq!(room, None, "{}: {}", heap.name, error.unwrap());
        }
        Some(error) => panic!("{}: {error}", heap.name),
    }
    trace(stepper, Vec::new(), error)
}

fn bits(vector: DVec3) -> [u64; 3] {
    vector.to_array().map(f64::to_bits)
}

/// Position, velocity and spin of each body, as bits.
fn motions(snapshot: &Snapshot) -> Vec<(BodyId, [[u64; 3]; 3])> {
    snapshot.motions().map(|(id, motion)| (id, motion.map(bits))).collect()
}

/// The first difference, if there is one. A snapshot contains the number of steps, so runs with different steps are
/// compared by the motion of their bodies.
fn difference(wanted: &Trace, found: &Trace, same_steps: bool) -> Option<String> {
    if wanted.error != found.error {
        return Some(format!("the end: {:?} and {:?}", wanted.error, found.error));
    }
    let count = wanted.events.len().max(found.events.len());
    if let Some(n) = (0..count).find(|&n| wanted.events.get(n) != found.events.get(n)) {
        let show = |trace: &Trace| trace.events.get(n).map_or("none".to_owned(), |event| format!("{event:?}"));
        return Some(format!("event {n} of {}:\n  {}\n  {}", wanted.events.len(), show(wanted), show(found)));
    }
    let [theirs, own] = [wanted, found].map(|trace| motions(&trace.end));
    if let Some((theirs, _)) = theirs.iter().zip(&own).find(|(theirs, own)| theirs != own) {
        return Some(format!("the motion of body {} at the end", theirs.0.0));
    }
    (same_steps && wanted.end != found.end).then(|| "something else in the snapshots at the end".to_owned())
}

fn report(faults: &[(&Heap, String)]) {
    let line = |(heap, fault): &(&Heap, String)| {
        let name = heap.name.split(':').next().unwrap();
        let file = written(name, &heap.name, &heap.settings, &heap.bodies, SECONDS);
        format!("{}\n  {fault}\n  {}", heap.name, file.display())
    };
    assert!(faults.is_empty(), "{}", faults.iter().map(line).collect::<Vec<_>>().join("\n"));
}

#[test]
fn heaps_do_not_know_the_timestep() {
    let (heaps, mut faults) = (heaps(), Vec::new());
    for heap in &heaps {
        let whole = straight(heap);
        for rate in [60, 240] {
            let (mut stepper, mut events) = (stepper(heap), Vec::new());
            let error = (1..=(SECONDS * f64::from(rate)) as u32).find_map(|step| {
                let progress = stepper.advance(seconds(f64::from(step) / f64::from(rate)), usize::MAX);
                events.extend(stepper.take_events());
                progress.err()
            });
            let fault = difference(&whole, &trace(stepper, events, error), false);
            faults.extend(fault.map(|fault| (heap, format!("{rate} steps a second against one step: {fault}"))));
        }
    }
    report(&faults);
}

#[test]
fn heaps_go_on_from_snapshots() {
    let (heaps, mut faults) = (heaps(), Vec::new());
    for (n, heap) in heaps.iter().enumerate() {
        let whole = straight(heap);
        let mut random = Random::new(n as u64);
        let end = whole.end.now().seconds();
        let mut instants: Vec<f64> = (0..SNAPSHOTS).map(|_| random.between(0.0, end)).collect();
        instants.sort_by(f64::total_cmp);
        let (mut stepper, mut events) = (stepper(heap), Vec::new());
        let fault = instants.iter().find_map(|&instant| {
            stepper.pause_at(seconds(instant), usize::MAX).unwrap();
            events.extend(stepper.take_events());
            let snapshot = stepper.snapshot();
            match Stepper::restore(heap.settings.clone(), &heap.bodies, &snapshot) {
                Ok(restored) => stepper = restored,
                Err(error) => return Some(format!("at {instant} s: {error}")),
            }
            let missed = (0..events.len()).find(|&n| whole.events.get(n) != events.get(n));
            let changed = stepper.snapshot() != snapshot;
            missed
                .map(|n| format!("event {n} before {instant} s"))
                .or(changed.then(|| format!("snapshot at {instant} s")))
        });
        let fault = fault.or_else(|| {
            let error = stepper.advance(seconds(SECONDS), usize::MAX).err();
            difference(&whole, &trace(stepper, events, error), true)
        });
        faults.extend(fault.map(|fault| (heap, format!("snapshots at {instants:?}: {fault}"))));
    }
    report(&faults);
}

#[test]
fn heaps_go_on_from_a_snapshot_between_any_two_events() {
    let (heaps, mut faults) = (heaps(), Vec::new());
    for (n, heap) in heaps.iter().enumerate() {
        let whole = straight(heap);
        let (mut random, mut stepper, mut events) = (Random::new(n as u64 + 50), stepper(heap), Vec::new());
        // A limited number of events at a time; each part continues from a snapshot.
        let error = loop {
            match stepper.advance(seconds(SECONDS), 1 + random.below(whole.events.len() / 10)) {
                Ok(Progress::Reached) => break None,
                Ok(_) => {}
                Err(error) => break Some(error),
            }
            events.extend(stepper.take_events());
            stepper = Stepper::restore(heap.settings.clone(), &heap.bodies, &stepper.snapshot()).unwrap();
        };
        let fault = difference(&whole, &trace(stepper, events, error), true);
        faults.extend(fault.map(|fault| (heap, fault)));
    }
    report(&faults);
}

#[test]
fn heaps_can_be_read_event_by_event() {
    let (heaps, mut faults) = (heaps(), Vec::new());
    for heap in &heaps {
        let (whole, mut stepper, mut events) = (straight(heap), stepper(heap), Vec::new());
        let error = loop {
            match stepper.advance(seconds(SECONDS), 1) {
                Ok(Progress::Reached) => break None,
                Ok(_) => events.extend(stepper.take_events()),
                Err(error) => break Some(error),
            }
        };
        let fault = difference(&whole, &trace(stepper, events, error), true);
        faults.extend(fault.map(|fault| (heap, fault)));
    }
    report(&faults);
}

/// The name of the body in this row.
fn name_of(row: usize) -> String {
    format!("{row:03}")
}

/// The same error, with names instead of ids.
fn with_names(error: RunError) -> world::RunError {
    let name = |id: BodyId| name_of(id.index());
    match error {
        RunError::Squeezed { body, supports, time } => {
            world::RunError::Squeezed { body: name(body), supports: supports.map(name), time }
        }
        _ => panic!("{error}"),
    }
}

/// Ids follow the order of the names, so the order of the list has no effect.
#[test]
fn heaps_do_not_know_the_order_of_a_list() {
    let (heaps, mut faults) = (heaps(), Vec::new());
    for (n, heap) in heaps.iter().enumerate() {
        let whole = straight(heap);
        let mut named: Vec<(String, Body)> =
            heap.bodies.iter().enumerate().map(|(row, body)| (name_of(row), body.clone())).collect();
        let mut random = Random::new(n as u64 + 90);
        (1..named.len()).rev().for_each(|last| named.swap(last, random.below(last + 1)));
        let mut world = World::new(heap.settings.clone(), named).expect("a valid start");
        let error = world.advance(seconds(SECONDS), usize::MAX).err();
        let events = world.take_events();
        let fault = (error != whole.error.map(with_names)).then(|| format!("the end: {:?} and {error:?}", whole.error));
        let fault = fault.or_else(|| (events != whole.events).then(|| "other events".to_owned()));
        let mut ends = motions(&whole.end).into_iter();
        let moved = ends.find(|(id, motion)| {
            let there = world.state(*id);
            [there.position, there.velocity, there.spin].map(bits) != *motion
        });
        let fault = fault.or(moved.map(|(id, _)| format!("the motion of body {}", id.0)));
        faults.extend(fault.map(|fault| (heap, fault)));
    }
    report(&faults);
}
