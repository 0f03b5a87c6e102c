//! Scenes so far from the origin that numbers are coarse there: said at the start, or when a run has ended.

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

struct Bench(TempDir);

impl Bench {
    fn new(text: &str) -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        fs::write(bench.0.path().join("scene.ron"), text).unwrap();
        bench
    }

    /// What is said on stderr, in words with one blank between them; the exit code is 0.
    fn said(&self, arguments: &str) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        let output =
            command.args(arguments.split(' ')).current_dir(self.0.path()).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments}: {said}");
        said.split_whitespace().filter(|&word| word != "|").collect::<Vec<_>>().join(" ")
    }

    fn summary(&self) -> serde_json::Value {
        let text = fs::read_to_string(self.0.path().join("output/scene/summary.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

#[test]
fn a_scene_that_begins_far_away_is_warned_of_at_its_line() {
    let bench = Bench::new(
        r#"Scenario(timestep: 0.1, duration: 0.3,
    bodies: [
        (name: "near", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5)),
        (name: "far", shape: Sphere(radius: 0.5), mass: 1, position: (1e12, 0, 5)),
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 1e12), position: (0, 0, -1e12)),
    ],
    fill: [Lattice(name: "row", shape: Box(half_extents: (1, 1, 1)), mass: 1, counts: (3, 1, 1), min: (0, -1e11, 9), spacing: 4)],
    commands: [Despawn(at: 0.1, body: "near"), Spawn(at: 0.2, body: (name: "late", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 1e13)))])"#,
    );
    for command in ["check scene.ron", "run scene.ron --quiet"] {
        let said = bench.said(command);
        for part in [
            "scene.ron has 3 warnings",
            "scene.ron:4:70: bodies[1].position: `far` is at (1e12, 0, 5) m, where numbers are 0.00012 m apart: 0.00012 of its size of 1 m; overlaps",
            "scene.ron:7:12: fill[0]: `row/0` is at",
            "scene.ron:8:129: commands[1].body.position: `late` is at (0, 0, 1e13) m",
            "move the scene near the origin, or make the bodies larger",
        ] {
            assert!(said.contains(part), "`{part}` is missing in {said}");
        }
        assert!(!said.contains("`near`") && !said.contains("`floor`"), "{said}");
    }
}

#[test]
fn nothing_is_said_of_a_scene_that_is_far_away_for_its_size_alone() {
    // The spacing at 4e9 m is 4.8e-7 m: less than a millionth of a metre, more than a millionth of a centimetre.
    let text = |radius: &str| {
        format!(
            "Scenario(timestep: 1, duration: 1, bodies: [(name: \"a\", shape: Sphere(radius: {radius}), mass: 1, position: (0, 4e9, 0))])"
        )
    };
    assert_eq!(Bench::new(&text("0.5")).said("check scene.ron"), "");
    assert!(Bench::new(&text("0.005")).said("check scene.ron").contains("`a` is at (0, 4e9, 0) m"));
}

#[test]
fn a_body_that_gets_far_away_is_named_in_the_summary_and_at_the_end() {
    let bench = Bench::new(
        r#"Scenario(timestep: 0.5, duration: 10, record: (energy_stride: 4),
    bodies: [
        (name: "still", shape: Sphere(radius: 0.5), mass: 1, position: (0, 3, 0)),
        (name: "probe", shape: Sphere(radius: 0.5), mass: 1, velocity: (1e11, 0, 0)),
    ])"#,
    );
    assert_eq!(bench.said("check scene.ron"), "");
    let said = bench.said("run scene.ron --quiet");
    assert!(said.contains("warning: scene.ron: at 6 s `probe` was at (6e11, 0e0, 0e0) m"), "{said}");
    assert!(said.contains("1.2e-4 of its size of 1e0 m"), "{said}");
    let coarsest = &bench.summary()["coarsest"];
    assert_eq!((coarsest["body"].as_str(), coarsest["time"].as_f64()), (Some("probe"), Some(6.0)));
    assert_eq!(coarsest["spacing"].as_f64(), Some(2f64.powi(-13)));
    // Halted before, and gone on with: what was seen before is not forgotten.
    let whole = bench.summary();
    bench.said("run scene.ron --quiet --until 7");
    let said = bench.said("run --resume output/scene --quiet");
    assert!(said.contains("`probe` was at (6e11, 0e0, 0e0) m"), "{said}");
    assert_eq!(bench.summary()["coarsest"], whole["coarsest"]);
}
