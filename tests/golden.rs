//! Golden hashes: state and events of short runs, the same on every machine, in every build.
//!
//! A failed row means that bits have changed. If the change was intended, the failure prints the new table of `tests/common/golden.rs`;
//! it goes into the commit that changed the physics, and the changelog gives the reason. `.ci/bits` runs this for other targets.

#[path = "common/golden.rs"]
mod golden;

use std::path::Path;

use carom::motion::SimTime;
use carom::record::{state_hash, text_hash};
use carom::scenario::{Scenario, Source, parse};
use carom::world::World;
use golden::TABLE;

fn scenario(name: &str) -> Scenario {
    let source = Source::read(Path::new("scenarios").join(format!("{name}.ron"))).unwrap();
    parse(&source).unwrap_or_else(|problems| panic!("{name}: {problems:?}")).scenario
}

/// The hashes of the state and of the log after `seconds`, with this `timestep`.
fn hashes(mut world: World, seconds: f64, timestep: f64) -> [String; 2] {
    let mut log = String::new();
    let mut steps = 0_u32;
    let mut time = 0.0;
    while time < seconds {
        steps += 1;
        time = (f64::from(steps) * timestep).min(seconds);
        world.advance(SimTime::from_seconds(time), usize::MAX).unwrap();
        // Shortest digits that read back to the same bits.
        world.take_events().iter().for_each(|event| log.push_str(&format!("{event:?}\n")));
    }
    [state_hash(&world), text_hash(&log)].map(|hash| hash[..32].to_owned())
}

#[test]
fn the_bits_are_those_of_every_machine() {
    let mut found = String::new();
    let mut differs = Vec::new();
    for (name, seconds, state, log) in TABLE {
        let scenario = scenario(name);
        let now = hashes(scenario.world().unwrap(), seconds, scenario.timestep);
        found.push_str(&format!("    ({name:?}, {seconds:?}, {:?}, {:?}),\n", now[0], now[1]));
        if now != [state, log] {
            differs.push(name);
        }
    }
    assert!(differs.is_empty(), "other bits in {differs:?}; if that is meant, the table is now\n{found}");
}

/// For all included scenarios, `tests/scenario/shipped.rs` checks that the timestep changes no event.
#[test]
fn the_order_of_the_bodies_changes_no_bit() {
    for (name, seconds, state, log) in TABLE {
        let scenario = scenario(name);
        let bodies = scenario.bodies.iter().rev().map(|named| (named.name.clone(), named.body.clone()));
        let mut world = World::new(scenario.settings.clone(), bodies).unwrap();
        scenario.commands.iter().for_each(|timed| world.schedule(timed.clone()).unwrap());
        assert_eq!(hashes(world, seconds, scenario.timestep), [state, log], "{name}, in another order");
    }
}
