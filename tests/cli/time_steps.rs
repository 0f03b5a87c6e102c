//! What a run reports about its time steps: in the summary, on the terminal, in the tables, and after an interruption.

use serde_json::Value;

use super::bench::{BALL, Bench, code, stderr, stdout};

/// Eight balls in a shaft that is so narrow that no ball can roll.
const SHAFT: &str = r#"(
    timestep: 0.05, duration: 1, gravity: (0, 0, -10),
    materials: { "glass": (restitution: 0.3, friction: 0.3) },
    bodies: [
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0), material: "glass"),
        (name: "west", shape: Plane(normal: (1, 0, 0), offset: 0), material: "glass"),
        (name: "east", shape: Plane(normal: (-1, 0, 0), offset: -0.024), material: "glass"),
        (name: "south", shape: Plane(normal: (0, 1, 0), offset: 0), material: "glass"),
        (name: "north", shape: Plane(normal: (0, -1, 0), offset: -0.024), material: "glass"),
    ],
    fill: [
        Random(name: "ball", shape: Sphere(radius: 0.01), count: 8, min: (0, 0, 0), max: (0.024, 0.024, 0.25), mass: 1, material: "glass", seed: 2),
    ],
    plots: [Path(plane: XZ), Impacts],
    expect: [Joins(exactly: 8), Sleeps(exactly: 1, bodies: ["ball/0"]), Quits(exactly: 0), Wakes(exactly: 0), AtRest()],
)"#;

fn summary(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("output/{name}/summary.json"))).unwrap()
}

#[test]
fn a_run_tells_how_much_of_it_was_stepped() {
    let bench = Bench::new();
    bench.write("shaft.ron", SHAFT);
    let output = bench.carom(&["run", "shaft.ron"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found = &summary(&bench, "shaft")["time_stepping"];
    assert_eq!((&found["largest_island"], &found["asleep"]), (&8.into(), &8.into()));
    // From the log: the sum over all balls of the time from joining to sleep, divided by the sum of their times.
    let events = bench.read("output/shaft/events.csv");
    let times = |kind: &str| -> f64 {
        let rows = events.lines().map(|row| row.split(',').collect::<Vec<_>>()).filter(|row| row[1] == kind);
        let time = |row: Vec<&str>| {
            // The event has no second body, no normal, and no impact data.
            assert_eq!((row[3], &row[7..]), ("", &["0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0"][..]), "{row:?}");
            row[0].parse::<f64>().unwrap()
        };
        rows.map(time).sum()
    };
    let share = (times("sleep") - times("join")) / 8.0;
    assert!((found["share"].as_f64().unwrap() - share).abs() < 1e-12, "{found} {share}");
    let steps = found["time_steps"].as_u64().unwrap();
    assert!(steps > 8, "{found}");
    let said = stdout(&output);
    let percent = format!("{:.1}", 100.0 * share);
    let percent = percent.strip_suffix(".0").unwrap_or(&percent);
    let line = format!("time steps   {steps}, for {percent} % of the time of all bodies;");
    assert!(said.contains(&line) && said.contains("largest island 8, asleep at the end 8"), "{line} {said}");
}

#[test]
fn a_run_without_time_steps_does_not_mention_them() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let output = bench.carom(&["run", "ball.ron"]);
    assert!(!stdout(&output).contains("time steps"), "{}", stdout(&output));
    let found = &summary(&bench, "ball")["time_stepping"];
    assert_eq!(*found, serde_json::json!({ "time_steps": 0, "share": 0.0, "largest_island": 0, "asleep": 0 }));
}

/// The counts continue after an interruption, both while the balls are in an island and while they sleep.
#[test]
fn an_interrupted_run_tells_the_same() {
    let bench = Bench::new();
    bench.write("whole.ron", SHAFT);
    assert_eq!(code(&bench.carom(&["run", "whole.ron", "--quiet"])), 0);
    let whole = summary(&bench, "whole");
    for (name, until) in [("stepped", "0.4"), ("asleep", "0.95")] {
        let file = format!("{name}.ron");
        bench.write(&file, SHAFT);
        assert_eq!(code(&bench.carom(&["run", &file, "--quiet", "--until", until])), 0);
        let output = bench.carom(&["run", "--resume", &format!("output/{name}"), "--quiet"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found = summary(&bench, name);
        for field in ["events", "time_stepping", "state_hash", "audit"] {
            assert_eq!(found[field], whole[field], "{name}: {field}");
        }
        assert!(bench.read(&format!("output/{name}/events.csv")) == bench.read("output/whole/events.csv"), "{name}");
        assert_eq!(code(&bench.carom(&["replay", &format!("output/{name}/recording.carom")])), 0, "{name}");
    }
}

#[test]
fn an_event_of_one_body_has_one_name() {
    let bench = Bench::new();
    bench.write("one.ron", SHAFT);
    bench.write(
        "other.ron",
        &SHAFT.replace("    plots:", "    commands: [Despawn(at: 0.95, body: \"ball/3\")],\n    plots:"),
    );
    assert_eq!(code(&bench.carom(&["run", "one.ron", "--quiet"])), 0);
    // The ball is expected to sleep until the end, so this expectation fails.
    assert_eq!(code(&bench.carom(&["run", "other.ron", "--quiet"])), 1);
    let output = bench.carom(&["bisect", "output/one/recording.carom", "output/other/recording.carom"]);
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("wake of `ball/3` at 0.9") && !said.contains("and `ball/3`"), "{said}");
}
