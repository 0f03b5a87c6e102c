//! Reversed motion, and histories that return to an earlier instant.

use carom::dynamics::{Body, Settings};

use carom::motion::SimTime;
use carom::record::state_hash;
use carom::world::{History, RewindError, World};
use glam::DVec3;

use crate::common::scene::{ball, cube, cuboid, plane, settings};
use crate::common::{Random, world};

const Z: DVec3 = DVec3::Z;

/// A hundred elastic bodies between six walls 12 m apart, in a lattice of 5 by 5 by 4.
fn chamber(seed: u64, gravity: f64, boxes: bool) -> World {
    let mut random = Random::new(seed);
    let mut bodies: Vec<(String, Body)> = Vec::new();
    for n in 0..100 {
        let place = DVec3::new((n % 5) as f64 - 2.0, (n / 5 % 5) as f64 - 2.0, (n / 25) as f64 - 1.5) * 2.2;
        let body = if boxes && n % 2 == 0 { cube(0.5, 1.0) } else { ball(0.5, 1.0) };
        bodies.push((format!("b{n:02}"), body.at(place + random.vector(0.2)).moving(random.vector(1.0))));
    }
    for (row, normal) in DVec3::AXES.iter().flat_map(|&axis| [axis, -axis]).enumerate() {
        bodies.push((format!("wall{row}"), plane(normal, -6.0)));
    }
    world(Settings { rest_height: 0.0, ..settings(Z * -gravity, 1.0, 0.0) }, bodies)
}

/// The largest difference from the start after a run of `seconds` forward and back, in position (m) or velocity (m/s),
/// and the number of impacts per body on the way forward.
fn there_and_back(mut world: World, seconds: f64) -> (f64, f64) {
    let start: Vec<_> = world.ids().map(|id| world.state(id)).collect();
    world.step(seconds).unwrap();
    let events = world.take_events().len();
    let before = world.balance();
    world.reverse().unwrap();
    let (after, audit) = (world.balance(), world.audit());
    assert_eq!(after.kinetic, before.kinetic);
    assert!((after.momentum - before.momentum - 2.0 * after.momentum).length() <= 1e-12 * after.momentum_scale);
    let impacts = 2.0 * events as f64 / 100.0;
    world.step(seconds).unwrap();
    let off = world.ids().zip(&start).map(|(id, start)| {
        let state = world.state(id);
        (state.position - start.position).length().max((state.velocity + start.velocity).length())
    });
    assert_eq!(audit.dissipated, 0.0);
    (off.fold(0.0, f64::max), impacts)
}

#[test]
fn what_loses_nothing_runs_back_the_way_it_came() {
    // Measured with these seeds: 1.5e-12 and 3e-12, 9.3e-8 and 3.5e-8, 3.3e-10 and 8.2e-11 m. Each impact multiplies
    // the rounding error by a small factor, which differs between seeds.
    let rows = [
        (0.0, false, 6.0, 2.5, 1e-10),
        (0.0, true, 6.0, 2.5, 1e-10),
        (0.0, false, 16.0, 8.0, 1e-6),
        (0.0, true, 16.0, 8.0, 1e-6),
        (1.0, false, 4.0, 5.0, 1e-8),
        (1.0, true, 4.0, 5.0, 1e-8),
    ];
    for (gravity, boxes, seconds, least, most) in rows {
        for seed in 0..5 {
            let (off, impacts) = there_and_back(chamber(seed, gravity, boxes), seconds);
            let context = format!("gravity {gravity}, boxes {boxes}, {seconds} s, seed {seed}");
            assert!(impacts >= least, "{context}: {impacts} impacts each");
            assert!(off <= most, "{context}: {off:e}");
        }
    }
}

#[test]
fn a_piston_and_a_spin_turn_round_and_what_lies_goes_on_lying() {
    let bodies = [
        ("floor", plane(Z, 0.0)),
        ("lies", cube(0.5, 1.0).at(Z * 0.5)),
        ("piston", cube(0.5, 1.0).kinematic().at(DVec3::new(9.0, 0.0, 0.5)).moving(DVec3::Y)),
        ("spins", ball(0.5, 1.0).at(DVec3::new(0.0, 9.0, 5.0)).spinning(DVec3::X)),
    ];
    let mut world = world(settings(Z * -10.0, 0.0, 0.3), bodies);
    world.step(0.5).unwrap();
    let [lies, piston, spins] = ["lies", "piston", "spins"].map(|name| world.id(name).unwrap());
    let still = world.state(lies);
    world.reverse().unwrap();
    assert_eq!((world.state(piston).velocity, world.state(spins).spin), (-DVec3::Y, -DVec3::X));
    world.step(0.5).unwrap();
    assert_eq!(world.state(lies), still);
    assert!((world.state(spins).position - DVec3::new(0.0, 9.0, 5.0)).length() < 1e-14);
    assert_eq!(world.state(piston).position, DVec3::new(9.0, 0.0, 0.5));
}

/// Eight bodies above a fixed box.
fn poured() -> World {
    let mut bodies = vec![("floor".to_owned(), cuboid(DVec3::new(2.0, 2.0, 0.5), 1.0).fixed().at(Z * -0.5))];
    let mut random = Random::new(7);
    for n in 0..8 {
        let body = if n % 3 == 0 { cube(0.2, 1.0) } else { ball(0.2, 1.0) };
        bodies.push((format!("b{n}"), body.at(random.vector(0.2) + Z * (1.0 + 0.8 * f64::from(n)))));
    }
    world(settings(Z * -10.0, 0.4, 0.2), bodies)
}

/// Changes the world after certain steps. Returns whether it changed anything.
fn by_hand(world: &mut World, step: u32) -> bool {
    match step {
        20 => world.kick(world.id("b3").unwrap(), DVec3::new(0.5, 0.2, 3.0)).unwrap(),
        33 => world.spawn("late", &ball(0.1, 0.5).at(Z * 9.0)).map(|_| ()).unwrap(),
        47 => world.despawn(world.id("b1").unwrap()).unwrap(),
        _ => return false,
    }
    true
}

#[test]
fn a_history_goes_back_to_any_instant_and_on_from_there() {
    let (mut world, most) = (poured(), 6);
    let mut history = History::new(&world, 0.03).keeping(most);
    let mut known = Vec::new();
    for step in 1..=80 {
        world.step(0.03).unwrap();
        history.note(&world);
        if by_hand(&mut world, step) {
            history.mark(&world);
        }
        known.push((world.now(), state_hash(&world)));
    }
    // Four marked instants, three changes and the start, come in addition.
    assert!((4..=most + 4).contains(&history.count()), "{}", history.count());
    // Goes back from late to early, because a return to an instant drops all later ones.
    for (time, hash) in known.iter().rev().step_by(7) {
        history.rewind(&mut world, *time).unwrap();
        assert_eq!((world.now(), &state_hash(&world)), (*time, hash), "{time} s");
    }
    // Continues from the earliest of these with the same changes.
    let begins = known.iter().rposition(|known| known.0 == world.now()).unwrap() as u32 + 1;
    for step in begins + 1..=80 {
        world.step(0.03).unwrap();
        by_hand(&mut world, step);
    }
    assert_eq!(state_hash(&world), known.last().unwrap().1);
    let early = history.rewind(&mut world, SimTime::from_seconds(-1.0));
    assert!(matches!(early, Err(RewindError::TooEarly { .. })), "{early:?}");
}

#[test]
fn marks_take_no_place_of_other_snapshots() {
    let mut world = world(settings(Z * -10.0, 1.0, 0.0), [("ball", ball(0.1, 1.0).at(Z)), ("floor", plane(Z, 0.0))]);
    let mut history = History::new(&world, 0.1).keeping(4);
    (0..9).for_each(|_| history.mark(&world));
    for _ in 0..100 {
        world.step(0.1).unwrap();
        history.note(&world);
        assert!(history.count() <= 10 + 4, "{}", history.count());
    }
    assert!(history.count() > 10 + 1, "{}: some are not marked", history.count());
}

/// A world that goes back by itself and takes another way: the history forgets the first one.
#[test]
fn a_history_follows_a_world_that_is_restored() {
    for steps_before in [0, 1] {
        let bodies = [("ball", ball(0.5, 1.0).moving(DVec3::X))];
        let mut world = world(settings(DVec3::ZERO, 1.0, 0.0), bodies);
        let (id, start, mut history) = (world.id("ball").unwrap(), world.snapshot(), History::new(&world, 1.0));
        let go_on = |world: &mut World, history: &mut History, steps: usize| {
            for _ in 0..steps {
                world.step(1.0).unwrap();
                history.note(world);
            }
        };
        go_on(&mut world, &mut history, 5);
        world.restore(&start).unwrap();
        go_on(&mut world, &mut history, steps_before);
        world.set_velocity(id, DVec3::Y).unwrap();
        history.mark(&world);
        go_on(&mut world, &mut history, 3);
        history.rewind(&mut world, SimTime::from_seconds(2.0)).unwrap();
        let place = [DVec3::Y * 2.0, DVec3::X + DVec3::Y][steps_before];
        assert_eq!(world.position(id), place, "{steps_before}");
    }
}

/// A tracked body that is removed and comes back with a snapshot is tracked as before.
#[test]
fn a_body_that_comes_back_is_tracked() {
    let bodies = [("ball", ball(0.5, 1.0).moving(DVec3::X)), ("wall", plane(-DVec3::X, -1.5))];
    let mut world = world(settings(DVec3::ZERO, 1.0, 0.0), bodies);
    let (id, start) = (world.id("ball").unwrap(), world.snapshot());
    world.track(id);
    world.step(0.5).unwrap();
    world.despawn(id).unwrap();
    world.restore(&start).unwrap();
    world.step(3.0).unwrap();
    let knots: Vec<f64> = world.take_knots().iter().map(|knot| knot.path.epoch.seconds()).collect();
    assert_eq!(knots, [0.0, 1.0]);
}
