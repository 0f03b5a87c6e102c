//! Golden hashes: the state and the events of short runs are the same on every machine and in every build.
//!
//! A row that fails means that bits have changed. The failure prints the new table. If the change was intended, put
//! that table into the commit that changed the physics, and give the reason in the changelog. `.ci/bits` runs this test
//! for other targets.

use std::path::Path;

use carom::motion::SimTime;
use carom::record::{state_hash, text_hash};
use carom::scenario::{Scenario, Source, parse};
use carom::world::World;

/// A scenario, the duration of its run (s), the hash of the final state, and the hash of the event log.
type Row = (&'static str, f64, &'static str, &'static str);

const TABLE: [Row; 15] = [
    ("hard_spheres", 0.3, "385f279ab2d9a7a005d5de6268c73a0a", "416cc7848b419edf54c785b6ec97c9be"),
    ("heap", 0.6, "814ce0cc44fe79f3014a3aa0a4d541e4", "6c24c4eaaa0a08b81c4b65727b760c58"),
    ("break", 0.6, "5ad6fc85eb8250d318fc0fa4f05e0348", "01d7584cf257e1e85a6ce4b64fd73cd5"),
    ("marble_run", 1.5, "60196514399b25298a14094142dfa636", "96f32ee24ceed932fb1d176488554bbc"),
    ("newtons_cradle", 3.0, "ff2127757949fcc89c847405c669721f", "1de8c3805d3bb3083424aae932b884ff"),
    ("cradle_touching", 3.0, "8feeca748cd990c99de998321d3beb0b", "b8951213d7e27382bad387c0cdd4efd2"),
    ("piston_gas", 1.0, "cb6d133a2810c1129ac9d6aa262252b6", "55e27dd8b6f450dfa9a368f4f867f2a9"),
    ("slope", 2.0, "e96491c7f4a45e99c3026ab1c4dfff94", "b9f1be3655e840537a799211b6357e17"),
    ("belt", 2.0, "101d60fedd72904d08e117947a130b5f", "91536c45a9c21ba0a1e85bca2964af91"),
    ("rolling_out", 21.0, "7bc30af0e53ec99cbac1e0bd33bdacbd", "ad6df3e929ce79a91254b213970f6ba7"),
    ("sensor_gates", 2.0, "5b96d8008884b6961e7959bd9539a91c", "c891250c4c4a709c7fb07ff751b425e9"),
    ("lift_and_drop", 2.0, "2b91867015aed909434573d7295ffe47", "b99d7391a81b177bf13798a80e698a8e"),
    ("cue_strokes", 2.0, "e947a37c832b9e02e5fb10710cb13c20", "c2151efe66fc04b24dd38f8905af50c6"),
    ("sinai_billiard", 5.0, "67f5ef242883563ac449ebc56f980e65", "7dfba186f7a96aaf7fd390b22745da3a"),
    ("zeno", 3.0, "1ed334588ac5c91ea6534ad309313d40", "3be317bd0aa9181611f35661b63b4d58"),
];

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
        // The debug format prints the shortest digits that read back to the same bits.
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
