//! The bits themselves: state and events of short runs, the same on every machine, in every build.
//!
//! A row that is not met means that bits have changed. If they were meant to, the failure prints the table anew; it goes
//! into the commit that changed the physics, and the changelog says why. `.ci/bits` runs this for other targets.

use std::path::Path;

use carom::motion::SimTime;
use carom::record::{state_hash, text_hash};
use carom::scenario::{Scenario, Source, parse};
use carom::world::World;

/// A scenario, how long it runs (s), the hash of the state then and that of the log of events.
type Row = (&'static str, f64, &'static str, &'static str);

const TABLE: [Row; 13] = [
    ("hard_spheres", 0.3, "5f4ee46e9d9aab72ec1b77d1078f615c", "99d7cecd66d10d444a9ea9174fc3d6f1"),
    ("heap", 0.6, "00094442454031b92c279640487d070c", "8b1b359371cada71928dd0186e2cd841"),
    ("break", 0.6, "d1b55b06a3581b54a2b534039101d66c", "8787506d43b0fed2a2b269388fd7ec99"),
    ("marble_run", 1.5, "f464733e24bba3be248ad526e10b44f9", "be584dca481d4f83e16779a21f8d089f"),
    ("newtons_cradle", 3.0, "11e567572d975a4bf96a22dc79ff78a1", "041146968be1a9f808c47f1dfb9fe2be"),
    ("cradle_touching", 3.0, "65f30e655c594549b7ebb0593b47de54", "67857ceb0d013a80ff9b515fb25b514a"),
    ("piston_gas", 1.0, "4e16ece45e030b258e480a55cd742bac", "0491b2c21fc9ca70ef9cefef1b457101"),
    ("slope", 2.0, "dd0104e780c8bc6485f499ffc7c1e2c0", "77c76aa085aa6be0714185a7efe8594a"),
    ("belt", 2.0, "90b914ed9c65ac725bedac696ebe69f7", "95253d8b383c6b73fa8bca8cea6cab36"),
    ("sensor_gates", 2.0, "7bcead8074ec9672864c939f075f4c0d", "8297eba724c75288d79030a25d38d9b5"),
    ("lift_and_drop", 2.0, "da7d5ecff926643f5031b540942621b6", "8bdca9e2ec338526475dc8f87d5eeefe"),
    ("sinai_billiard", 5.0, "03baf2ca6b972c8bb26fb29b133d1e33", "0b88b1f43c53e42f5b3a1d3bedbcdb30"),
    ("zeno", 3.0, "111fb19f808aa50c3874bad255c3aad5", "f0c57e65074f810cfe8b29632551b38a"),
];

fn scenario(name: &str) -> Scenario {
    let source = Source::read(Path::new("scenarios").join(format!("{name}.ron"))).unwrap();
    parse(&source).unwrap_or_else(|problems| panic!("{name}: {problems:?}")).scenario
}

/// The hashes of the state and of the log after `seconds`, looked at every `timestep` seconds.
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

#[test]
fn neither_the_order_of_the_bodies_nor_the_timestep_changes_a_bit() {
    for (name, seconds, state, log) in TABLE {
        let scenario = scenario(name);
        let bodies = scenario.bodies.iter().rev().map(|named| (named.name.clone(), named.body.clone()));
        let mut world = World::new(scenario.settings.clone(), bodies).unwrap();
        scenario.commands.iter().for_each(|timed| world.schedule(timed.clone()).unwrap());
        assert_eq!(hashes(world, seconds, scenario.timestep), [state, log], "{name}, in another order");
        for timestep in [0.37 * scenario.timestep, 2.3 * scenario.timestep, seconds / 3.0] {
            let found = hashes(scenario.world().unwrap(), seconds, timestep);
            assert_eq!(found, [state, log], "{name} at a timestep of {timestep} s");
        }
    }
}
