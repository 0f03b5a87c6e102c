//! Every included scenario: its expectations are met, and its events do not depend on the timestep.

use std::fs;
use std::path::{Path, PathBuf};

use carom::motion::SimTime;
use carom::record;
use carom::report;
use carom::scenario::{Parsed, Source, parse};
use carom::world::World;

/// Minimum number of scenarios: those of the tutorial.
const SHIPPED_MIN: usize = 15;

/// Maximum number of events that are compared between timesteps.
const EVENTS_MAX: usize = 5000;

fn shipped() -> Vec<PathBuf> {
    let entries = fs::read_dir("scenarios").expect("tests run in the project's folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ron"));
    files.sort();
    files
}

fn load(file: &Path) -> (Source, Parsed, World) {
    let source = Source::read(file).unwrap_or_else(|error| panic!("{error}"));
    let parsed = parse(&source).unwrap_or_else(|problems| panic!("{}: {problems:?}", file.display()));
    let world = parsed.scenario.world();
    let world = world.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    (source, parsed, world)
}

/// The first events of a run with this `timestep`, with every bit of every number.
fn first_events(file: &Path, timestep: f64) -> Vec<String> {
    let (_, parsed, mut world) = load(file);
    let duration = parsed.scenario.duration;
    let mut log = Vec::new();
    let mut steps = 0_u32;
    let mut time = 0.0;
    while time < duration && log.len() < EVENTS_MAX {
        steps += 1;
        time = (f64::from(steps) * timestep).min(duration);
        world.advance(SimTime::from_seconds(time), usize::MAX).expect("a shipped scenario comes to its end");
        // The text has the shortest digits that give the same bits when read, and distinguishes −0 from 0.
        log.extend(world.take_events().iter().map(|event| format!("{event:?}")));
    }
    log.truncate(EVENTS_MAX);
    log
}

#[test]
fn every_shipped_scenario_meets_what_it_expects() {
    let files = shipped();
    assert!(files.len() >= SHIPPED_MIN, "only {} scenarios", files.len());
    for file in files {
        let (source, parsed, world) = load(&file);
        let scenario = parsed.scenario;
        assert!(!scenario.expect.is_empty(), "{} expects nothing", file.display());
        assert!(!scenario.title.is_empty(), "{} has no title", file.display());
        let folder = tempfile::tempdir().unwrap();
        let summary = record::run(&scenario, &source.text, world, folder.path(), |_| {}).unwrap();
        assert_eq!(summary.error, None, "{}", file.display());
        let unmet: Vec<_> = summary.expectations.iter().filter(|verdict| !verdict.met).collect();
        assert!(unmet.is_empty(), "{}: {unmet:#?}", file.display());
        let plots = report::draw(&scenario, folder.path(), folder.path()).unwrap().files;
        assert_eq!(plots.len(), 2 * scenario.plots.len(), "{}", file.display());
        assert!(!plots.is_empty(), "{} draws nothing", file.display());
    }
}

#[test]
fn the_timestep_of_a_shipped_scenario_changes_no_bit_of_its_events() {
    for file in shipped() {
        let scenario = load(&file).1.scenario;
        let wanted = first_events(&file, scenario.timestep);
        assert!(!wanted.is_empty(), "nothing happens in {}", file.display());
        for timestep in [0.37 * scenario.timestep, 2.3 * scenario.timestep, scenario.duration / 7.0] {
            let found = first_events(&file, timestep);
            let differs = wanted.iter().zip(&found).find(|(wanted, found)| wanted != found);
            assert_eq!(differs, None, "{} at a timestep of {timestep} s", file.display());
            assert_eq!(wanted.len(), found.len(), "{} at a timestep of {timestep} s", file.display());
        }
    }
}
