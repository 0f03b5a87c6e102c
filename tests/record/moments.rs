//! Rows of the trajectory at chosen instants, besides those of recorded steps.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A room with everything that could be disturbed by a look: balls that bounce, rub and rest, commands, a limit on the impacts
/// of a step.
fn scene(record: &str) -> String {
    format!(
        r#"Scenario(
    title: "Looked at", gravity: (0, 0, -10), timestep: 0.25, duration: 3, impacts_max: 5000,
    materials: {{ "rubber": (restitution: 0.8, friction: 0.2) }},
    record: ({record}),
    fill: [Lattice(name: "ball", shape: Sphere(radius: 0.1), mass: 1, material: "rubber", counts: (2, 2, 2),
        min: (-0.7, -0.6, 0.5), spacing: 0.7, temperature: 0.3, seed: 5)],
    bodies: [
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0), material: "rubber"),
        (name: "w1", shape: Plane(normal: (1, 0, 0), offset: -1)),
        (name: "w2", shape: Plane(normal: (-1, 0, 0), offset: -1)),
        (name: "kicked", shape: Sphere(radius: 0.2), mass: 1, position: (0, 3, 1), velocity: (0.3, 0, 0)),
    ],
    commands: [
        Kick(at: 0.505, body: "kicked", impulse: (1, 0, 1)),
        Spawn(at: 1.1, body: (name: "later", shape: Sphere(radius: 0.1), mass: 1, position: (0, 5, 3))),
        Despawn(at: 2.2, body: "kicked"),
    ],
    plots: [Height(axis: Z)],
)"#
    )
}

struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn done(&self, arguments: &str) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        let output =
            command.args(arguments.split(' ')).current_dir(self.0.path()).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.0.path().join(file)).unwrap()
    }

    /// The rows of a trajectory for one body: step, time, and the rest.
    fn rows(&self, run: &str, body: &str) -> Vec<(u64, f64, String)> {
        let text = String::from_utf8(self.read(&format!("{run}/trajectory.csv"))).unwrap();
        let rows = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .skip(1)
            .map(|line| line.splitn(4, ',').collect::<Vec<_>>());
        rows.filter(|row| row[2] == body)
            .map(|row| (row[0].parse().unwrap(), row[1].parse().unwrap(), row[3].to_owned()))
            .collect()
    }

    /// All files of a run but the summary's times.
    fn files(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        let read = |path: &Path| {
            let bytes = fs::read(path).unwrap();
            if path.ends_with("summary.json") {
                let text = String::from_utf8(bytes).unwrap();
                return text.split("\"timing\"").next().unwrap().into();
            }
            bytes
        };
        let entries = fs::read_dir(self.0.path().join(run)).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), read(&path))).collect()
    }
}

const CHOSEN: &str = "at: [3, 0.1, 0.25, 0.1, 0.505, 0, 1.3, 1.35, 2.25], ";

#[test]
fn the_trajectory_has_rows_at_the_chosen_instants_and_nothing_else_changes() {
    let bench = Bench::new();
    bench.write("plain.ron", &scene("stride: 4"));
    bench.write("chosen.ron", &scene(&format!("{CHOSEN} stride: 4")));
    bench.done("run plain.ron --quiet");
    bench.done("run chosen.ron --quiet");
    let rows = bench.rows("output/chosen", "ball/0");
    let places: Vec<(u64, f64)> = rows.iter().map(|row| (row.0, row.1)).collect();
    let wanted =
        [(0, 0.0), (0, 0.1), (1, 0.25), (2, 0.505), (4, 1.0), (5, 1.3), (5, 1.35), (8, 2.0), (9, 2.25), (12, 3.0)];
    assert_eq!(places, wanted);
    let plain = bench.rows("output/plain", "ball/0");
    assert_eq!(plain.iter().map(|row| row.1).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    assert!(plain.iter().all(|row| rows.contains(row)), "recorded steps have the rows that they had");
    for file in ["events.csv", "energy.csv", "paths.csv"] {
        // The heading has the hash of the scenario, which is another text.
        let table = |run: &str| {
            bench
                .read(&format!("output/{run}/{file}"))
                .split(|&byte| byte == b'\n')
                .filter(|line| !line.starts_with(b"#"))
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        assert!(table("plain") == table("chosen"), "{file}");
    }
    let hashes = |run: &str| {
        let summary: serde_json::Value =
            serde_json::from_slice(&bench.read(&format!("output/{run}/summary.json"))).unwrap();
        (summary["state_hash"].clone(), summary["events"].clone(), summary["audit"].clone())
    };
    assert_eq!(hashes("plain"), hashes("chosen"));
    bench.done("replay output/chosen/recording.carom --against output/plain/recording.carom");
}

/// A ball in free fall is known at any instant: the rows are exactly there, not at the step before or after.
#[test]
fn a_row_is_exactly_at_its_instant() {
    let bench = Bench::new();
    bench.write(
        "fall.ron",
        r#"Scenario(gravity: (0, 0, -10), timestep: 1, duration: 4, record: (stride: 100, at: [0.5, 3.0625, 2]),
            bodies: [(name: "ball", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 100))])"#,
    );
    bench.done("run fall.ron --quiet");
    let rows = bench.rows("output/fall", "ball");
    let found: Vec<(u64, f64, f64)> = rows
        .iter()
        .map(|(step, time, rest)| (*step, *time, rest.split(',').nth(2).unwrap().parse().unwrap()))
        .collect();
    let height = |time: f64| 100.0 - 5.0 * time * time;
    let wanted = [(0, 0.0), (0, 0.5), (2, 2.0), (3, 3.0625), (4, 4.0)].map(|(step, time)| (step, time, height(time)));
    assert_eq!(found, wanted);
}

#[test]
fn runs_with_chosen_instants_are_replayed_halted_and_made_longer() {
    let bench = Bench::new();
    bench.write("room.ron", &scene(&format!("{CHOSEN} stride: 4, snapshots: 1")));
    bench.done("run room.ron --output whole --quiet");
    bench.done("replay whole/room/recording.carom --quiet");
    let wanted = bench.files("whole/room");
    for halt in ["0", "0.25", "1.3", "2.25"] {
        bench.done(&format!("run room.ron --until {halt} --quiet"));
        bench.done("run --resume output/room --quiet");
        assert!(bench.files("output/room") == wanted, "halted at {halt}");
    }
    for first in ["0.1", "0.25", "1.3", "2.25", "2.5"] {
        bench.done(&format!("run room.ron --duration {first} --quiet"));
        let last = bench.rows("output/room", "ball/0").pop().unwrap().1;
        assert_eq!(last, first.parse::<f64>().unwrap());
        bench.done("run --resume output/room --duration 3 --quiet");
        let found = bench.files("output/room");
        for (file, bytes) in &wanted {
            assert!(found[file] == *bytes, "made longer than {first}: {file}");
        }
    }
}
