//! Rows of the trajectory at chosen instants, in addition to those of recorded steps.

use std::fs;

use super::bench::{Bench, ROOM_AND_COMMANDS};

/// A room with all features that additional rows could disturb: balls that bounce, slide and rest, commands, and a
/// limit on the impacts per step.
fn scene(record: &str) -> String {
    format!(
        r#"Scenario(
    title: "Looked at", gravity: (0, 0, -10), timestep: 0.25, duration: 3, impacts_max: 5000,
    materials: {{ "rubber": (restitution: 0.8, friction: 0.2) }},
    record: ({record}),
    {ROOM_AND_COMMANDS}
    plots: [Height(axis: Z)],
)"#
    )
}

/// The rows of a trajectory for one body: step, time, and the rest.
fn rows(bench: &Bench, run: &str, body: &str) -> Vec<(u64, f64, String)> {
    let text = fs::read_to_string(bench.path(&format!("{run}/trajectory.csv"))).unwrap();
    let rows =
        text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.splitn(4, ',').collect::<Vec<_>>());
    rows.filter(|row| row[2] == body)
        .map(|row| (row[0].parse().unwrap(), row[1].parse().unwrap(), row[3].to_owned()))
        .collect()
}

const CHOSEN: &str = "at: [3, 0.1, 0.25, 0.1, 0.505, 0, 1.3, 1.35, 2.25], ";

#[test]
fn the_trajectory_has_rows_at_the_chosen_instants_and_nothing_else_changes() {
    let bench =
        Bench::new(&[("plain.ron", &scene("stride: 4")), ("chosen.ron", &scene(&format!("{CHOSEN} stride: 4")))]);
    bench.done("run plain.ron --quiet");
    bench.done("run chosen.ron --quiet");
    let found = rows(&bench, "output/chosen", "ball/0");
    let places: Vec<(u64, f64)> = found.iter().map(|row| (row.0, row.1)).collect();
    let wanted =
        [(0, 0.0), (0, 0.1), (1, 0.25), (2, 0.505), (4, 1.0), (5, 1.3), (5, 1.35), (8, 2.0), (9, 2.25), (12, 3.0)];
    assert_eq!(places, wanted);
    let plain = rows(&bench, "output/plain", "ball/0");
    assert_eq!(plain.iter().map(|row| row.1).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    assert!(plain.iter().all(|row| found.contains(row)), "recorded steps have the rows that they had");
    for file in ["events.csv", "energy.csv", "paths.csv"] {
        // The heading is skipped: it has the hash of the scenario, and the two scenarios differ.
        let table = |run: &str| {
            fs::read(bench.path(&format!("output/{run}/{file}")))
                .unwrap()
                .split(|&byte| byte == b'\n')
                .filter(|line| !line.starts_with(b"#"))
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        assert!(table("plain") == table("chosen"), "{file}");
    }
    let hashes = |run: &str| {
        let summary: serde_json::Value =
            serde_json::from_slice(&fs::read(bench.path(&format!("output/{run}/summary.json"))).unwrap()).unwrap();
        (summary["state_hash"].clone(), summary["events"].clone(), summary["audit"].clone())
    };
    assert_eq!(hashes("plain"), hashes("chosen"));
    bench.done("replay output/chosen/recording.carom --against output/plain/recording.carom");
}

/// The position of a ball in free fall is known at any instant: the rows are exactly at the chosen instants, not at the
/// step before or after.
#[test]
fn a_row_is_exactly_at_its_instant() {
    let fall = r#"Scenario(gravity: (0, 0, -10), timestep: 1, duration: 4, record: (stride: 100, at: [0.5, 3.0625, 2]),
            bodies: [(name: "ball", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 100))])"#;
    let bench = Bench::new(&[("fall.ron", fall)]);
    bench.done("run fall.ron --quiet");
    let found = rows(&bench, "output/fall", "ball");
    let found: Vec<(u64, f64, f64)> = found
        .iter()
        .map(|(step, time, rest)| (*step, *time, rest.split(',').nth(2).unwrap().parse().unwrap()))
        .collect();
    let height = |time: f64| 100.0 - 5.0 * time * time;
    let wanted = [(0, 0.0), (0, 0.5), (2, 2.0), (3, 3.0625), (4, 4.0)].map(|(step, time)| (step, time, height(time)));
    assert_eq!(found, wanted);
}

#[test]
fn runs_with_chosen_instants_are_replayed_halted_and_made_longer() {
    let bench = Bench::new(&[("room.ron", &scene(&format!("{CHOSEN} stride: 4, snapshots: 1")))]);
    bench.done("run room.ron --output whole --quiet");
    bench.done("replay whole/room/recording.carom --quiet");
    let wanted = bench.results("whole/room");
    for halt in ["0", "0.25", "1.3", "2.25"] {
        bench.done(&format!("run room.ron --until {halt} --quiet"));
        bench.done("run --resume output/room --quiet");
        assert!(bench.results("output/room") == wanted, "halted at {halt}");
    }
    for first in ["0.1", "0.25", "1.3", "2.25", "2.5"] {
        bench.done(&format!("run room.ron --duration {first} --quiet"));
        let last = rows(&bench, "output/room", "ball/0").pop().unwrap().1;
        assert_eq!(last, first.parse::<f64>().unwrap());
        bench.done("run --resume output/room --duration 3 --quiet");
        let found = bench.results("output/room");
        for (file, bytes) in &wanted {
            assert!(found[file] == *bytes, "made longer than {first}: {file}");
        }
    }
}

/// Weight counts in the momentum of a run as it is after each command.
#[test]
fn the_momentum_of_a_run_in_changed_gravity_is_explained() {
    let scene = r#"(timestep: 0.1, duration: 1,
        bodies: [(name: "a", shape: Sphere(radius: 0.1), mass: 1, velocity: (1, 0, 0)),
                 (name: "b", shape: Sphere(radius: 0.1), mass: 2, position: (0, 5, 0))],
        commands: [SetGravity(at: 0.5, gravity: (0, 0, -1)), Despawn(at: 0.7, body: "b")],
        expect: [MomentumDrift(below: 1e-14), EnergyDrift(below: 1e-14)])"#;
    Bench::new(&[("changed.ron", scene)]).done("run changed.ron --quiet --no-pictures");
}
