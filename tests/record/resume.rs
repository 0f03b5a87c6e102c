//! A run that is halted, killed or extended leaves the same bytes as an uninterrupted run.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use carom::record::{Halt, Job, Outcome, Unfinished};
use carom::scenario::{Source, parse};

use super::bench::{Bench, ROOM_AND_COMMANDS};
use super::common::is_thorough;

/// A room under gravity, with commands, expectations and all other observations of a run.
fn room() -> String {
    format!(
        r#"Scenario(
    title: "Balls in a room",
    gravity: (0, 0, -10), timestep: 0.01, duration: 3,
    materials: {{ "rubber": (restitution: 0.9, friction: 0.1) }},
    record: (stride: 3, energy_stride: 7, paths_max: 400),
    {ROOM_AND_COMMANDS}
    expect: [Impacts(at_least: 1), LastEvent(kind: Impact, body: "kicked", near: 2, within: 3)],
)"#
    )
}

/// A gas whose averages begin in the middle of the run.
const GAS: &str = r#"Scenario(
    title: "A gas", timestep: 0.05, duration: 4, observe: [Gas],
    space: Periodic(min: (0, 0, 0), max: (4, 4, 4)),
    record: (events: Counted, snapshots: 6, hashes: 2),
    fill: [Lattice(name: "gas", shape: Sphere(radius: 0.4), mass: 1, counts: (3, 3, 3),
        min: (0, 0, 0), max: (4, 4, 4), temperature: 1, seed: 3)],
)"#;

fn check_same(found: &BTreeMap<String, Vec<u8>>, wanted: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert!(found.keys().eq(wanted.keys()), "{what}: {:?} {:?}", found.keys(), wanted.keys());
    for (name, bytes) in wanted {
        assert!(found[name] == *bytes, "{what}: {name} is another");
    }
}

#[test]
fn a_run_that_was_halted_goes_on_to_the_same_bytes() {
    let plotted = room().replace("expect:", "plots: [Height(axis: Z)], expect:");
    let bench = Bench::new(&[("room.ron", &plotted), ("gas.ron", GAS)]);
    for (scene, halts) in [("room", "0 0.5 1.234 2.99 3"), ("gas", "0 0.05 1.9 2.3")] {
        bench.done(&format!("run {scene}.ron --output whole --quiet"));
        let wanted = bench.results(&format!("whole/{scene}"));
        assert!(wanted.contains_key("recording.carom"));
        for halt in halts.split(' ') {
            let told = bench.done(&format!("run {scene}.ron --until {halt}"));
            if halt != "3" {
                assert!(told.contains("to go on: carom run --resume output"), "{told}");
                assert!(!bench.path(&format!("output/{scene}")).exists());
                bench.done(&format!("run --resume output/{scene} --quiet"));
            }
            check_same(&bench.results(&format!("output/{scene}")), &wanted, &format!("{scene} {halt}"));
            fs::remove_dir_all(bench.path("output")).unwrap();
        }
        // The run is halted several times.
        bench.done(&format!("run {scene}.ron --until 0.3 --quiet"));
        for halt in ["0.7", "1.7"] {
            bench.done(&format!("run --resume output/{scene} --until {halt} --quiet"));
        }
        bench.done(&format!("run --resume output/{scene} --quiet"));
        check_same(&bench.results(&format!("output/{scene}")), &wanted, scene);
    }
}

#[test]
fn a_finished_run_can_be_made_longer() {
    let bench = Bench::new(&[("room.ron", &room()), ("gas.ron", GAS)]);
    for scene in ["room", "gas"] {
        bench.done(&format!("run {scene}.ron --output whole --duration 4.321 --quiet"));
        let wanted = bench.results(&format!("whole/{scene}"));
        for first in ["3", "2.1", "1.003", "0.001"] {
            // Such a short run may fail some expectations.
            let code = bench.carom(&format!("run {scene}.ron --duration {first} --quiet")).status.code();
            assert!(code == Some(0) || code == Some(1), "{scene} {first}: {code:?}");
            let told = bench.done(&format!("run --resume output/{scene} --duration 4.321"));
            assert!(told.contains("goes on from"), "{told}");
            check_same(&bench.results(&format!("output/{scene}")), &wanted, &format!("{scene} {first}"));
            bench.done(&format!("replay output/{scene}/recording.carom"));
            fs::remove_dir_all(bench.path("output")).unwrap();
        }
    }
}

#[test]
fn parquet_tables_are_made_anew() {
    let bench = Bench::new(&[("room.ron", &room())]);
    bench.done("run room.ron --output whole --format parquet --quiet");
    bench.done("run room.ron --format parquet --until 2 --quiet");
    let told = bench.done("run --resume output/room");
    assert!(told.contains("goes on from 0 s"), "{told}");
    check_same(&bench.results("output/room"), &bench.results("whole/room"), "parquet");
}

#[test]
fn what_cannot_be_continued_is_said() {
    let bench = Bench::new(&[("room.ron", &room())]);
    let code = |arguments: &str| bench.carom(arguments).status.code().unwrap();
    assert_eq!(code("run --resume output/room"), 3);
    assert_eq!(code("run room.ron --until -1"), 2);
    assert_eq!(code("run --resume output/room --timestep 1"), 2);
    bench.done("run room.ron --quiet --until 1");
    // A changed table is detected: the run continues from the last snapshot before the change.
    let table = bench.path("output/.room.partial/trajectory.csv");
    let mut bytes = fs::read(&table).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(&table, bytes).unwrap();
    let told = bench.done("run --resume output/room");
    assert!(told.contains("goes on from 0.96 s"), "{told}");
    bench.done("run room.ron --output whole --quiet");
    check_same(&bench.results("output/room"), &bench.results("whole/room"), "a changed table");
}

#[test]
fn one_process_writes_a_run() {
    let bench = Bench::new(&[("room.ron", &room())]);
    let long = bench.command("run room.ron --quiet --duration 1e6").spawn().unwrap();
    let partial = bench.path("output/.room.partial/recording.carom");
    let patience = Instant::now();
    while !partial.exists() {
        assert!(patience.elapsed() < Duration::from_secs(20), "no run begins");
    }
    let output = bench.carom("run room.ron --quiet");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("another run is writing"));
    end(long);
    bench.done("run room.ron --quiet --restart");
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A generator of pseudo-random durations: splitmix64.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: Duration) -> Duration {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        below.mul_f64((z ^ (z >> 31)) as f64 / u64::MAX as f64)
    }
}

#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let bench = Bench::new(&[("room.ron", &room().replace("timestep: 0.01", "timestep: 0.002")), ("gas.ron", GAS)]);
    let mut moments = Moments(2026);
    let (mut kills, mut resumed, mut anew) = (0, 0, 0);
    let all = if is_thorough() { 100 } else { 30 };
    for (scene, enough) in [("room", all / 2), ("gas", all)] {
        let began = Instant::now();
        bench.done(&format!("run {scene}.ron --output whole --quiet"));
        let whole = began.elapsed();
        let wanted = bench.results(&format!("whole/{scene}"));
        let place = format!("output/{scene}");
        while kills < enough {
            let mut next = format!("run {scene}.ron --quiet");
            // The run is killed at most four times, and may then finish.
            for _ in 0..4 {
                let mut child = bench.command(&next).spawn().unwrap();
                std::thread::sleep(moments.next(whole));
                child.kill().unwrap();
                if child.wait().unwrap().success() {
                    break;
                }
                kills += 1;
                let partial = bench.path(&format!("output/.{scene}.partial/recording.carom"));
                let found = partial.exists() && fs::metadata(&partial).unwrap().len() > 0;
                next = if found { format!("run --resume {place} --quiet") } else { format!("run {scene}.ron --quiet") };
            }
            let output = bench.carom(&next);
            if output.status.success() {
                resumed += usize::from(next.contains("resume"));
            } else {
                // The run was killed before the recording contained the scenario.
                assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
                bench.done(&format!("run {scene}.ron --quiet"));
                anew += 1;
            }
            check_same(&bench.results(&place), &wanted, &format!("{scene} after {kills} kills"));
            fs::remove_dir_all(bench.path("output")).unwrap();
        }
    }
    assert!(kills >= all && resumed > anew, "{kills} kills, {resumed} runs continued, {anew} begun anew");
}

/// The scenes in long steps, so that most halts are within one; in the room more balls come to rest.
fn long_steps() -> [(&'static str, String); 2] {
    let room = [
        ("timestep: 0.01", "timestep: 0.25"),
        ("restitution: 0.9, friction: 0.1", "restitution: 0.6, friction: 0.3"),
        ("record: (", "record: (hashes: 5, "),
        ("counts: (2, 2, 2)", "counts: (3, 3, 3)"),
        ("spacing: 0.7", "spacing: 0.55"),
        ("commands: [", "commands: [Kick(at: 0, body: \"kicked\", impulse: (0, 1, 0)), "),
    ];
    let gas = [
        ("timestep: 0.05", "timestep: 0.5"),
        ("events: Counted, snapshots: 6", "snapshots: 3, stride: 2, at: [0.3, 1.7]"),
    ];
    let changed = |text: &str, changes: &[(&str, &str)]| {
        changes.iter().fold(text.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        })
    };
    [("room", changed(&self::room(), &room)), ("gas", changed(GAS, &gas))]
}

/// Runs a scene in the library, asked whether to halt before each step and event, and goes on until it is finished.
/// Before each time that it goes on, `between` gets the path of the recording. Returns how often it was halted.
fn halted(bench: &Bench, text: &str, folder: &str, is_asked: &dyn Fn() -> bool, between: impl Fn(&Path)) -> usize {
    let source = Source::new("scene.ron", text);
    let scenario = parse(&source).unwrap().scenario;
    let folder = bench.path(folder);
    fs::create_dir_all(&folder).unwrap();
    let halt = Halt { until: None, asked: Some(is_asked) };
    let job = Job { scenario: &scenario, source: &source, folder: &folder, halt };
    let (mut outcome, mut halts) = (job.run(scenario.world().unwrap(), |_| ()).unwrap(), 0);
    while let Outcome::Halted { time } = outcome {
        halts += 1;
        assert!(halts < 10_000, "halted without end");
        assert_eq!(Unfinished::find(&folder, None).unwrap().time(), time);
        between(&folder.join("recording.carom"));
        outcome = Unfinished::find(&folder, None).unwrap().go_on(&folder, halt, |_| ()).unwrap();
    }
    halts
}

#[test]
fn a_run_that_was_halted_within_a_step_goes_on_to_the_same_bytes() {
    let bench = Bench::new(&[]);
    for (scene, text) in long_steps() {
        halted(&bench, &text, scene, &|| false, |_| ());
        // The run is asked before each step too, so with 1 it would never begin.
        for every in [2, 3, 17, 60, 200] {
            let events = Cell::new(0);
            let is_asked = || {
                events.set(events.get() + 1);
                events.get() % every == 0
            };
            let place = format!("{scene}_{every}");
            assert!(halted(&bench, &text, &place, &is_asked, |_| ()) > 0, "every {every} events");
            check_same(&bench.results(&place), &bench.results(scene), &format!("{scene} every {every} events"));
        }
    }
}

/// The recording of a killed run ends anywhere.
#[test]
fn a_run_with_an_incomplete_recording_goes_on_to_the_same_bytes() {
    let bench = Bench::new(&[]);
    for (scene, text) in long_steps() {
        halted(&bench, &text, scene, &|| false, |_| ());
        for (events, lost) in [(1, 1), (30, 3), (150, 9), (150, 2000)] {
            let left = Cell::new(events);
            let is_asked = || {
                left.set(left.get() - 1);
                left.get() < 0
            };
            let cut = |recording: &Path| {
                left.set(i32::MAX);
                let bytes = fs::read(recording).unwrap();
                fs::write(recording, &bytes[..bytes.len() - lost]).unwrap();
            };
            let place = format!("{scene}_{events}_{lost}");
            assert_eq!(halted(&bench, &text, &place, &is_asked, cut), 1);
            check_same(&bench.results(&place), &bench.results(scene), &format!("{scene} {events} events, {lost} lost"));
        }
    }
}
