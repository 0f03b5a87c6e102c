//! Scenes so far from the origin that the spacing of floating-point numbers is coarse: a warning at the start or at the
//! end of a run.

use super::bench::{Bench, code, words};

/// A folder with `scene.ron`.
fn bench(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("scene.ron", text);
    bench
}

/// The output on stderr of a command that must succeed.
fn says(bench: &Bench, arguments: &str) -> String {
    let output = bench.carom(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(code(&output), 0, "{arguments}: {}", words(&output));
    words(&output)
}

fn summary(bench: &Bench) -> serde_json::Value {
    serde_json::from_str(&bench.read("output/scene/summary.json")).unwrap()
}

#[test]
fn a_scene_that_begins_far_away_is_warned_of_at_its_line() {
    let bench = bench(
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
        let said = says(&bench, command);
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
    // The spacing at 4e9 m is 4.8e-7 m. This is less than a millionth of 1 m, the size of the first ball, and more than
    // a millionth of 1 cm, the size of the second.
    let text = |radius: &str| {
        format!(
            "Scenario(timestep: 1, duration: 1, bodies: [(name: \"a\", shape: Sphere(radius: {radius}), mass: 1, position: (0, 4e9, 0))])"
        )
    };
    assert_eq!(says(&bench(&text("0.5")), "check scene.ron"), "");
    assert!(says(&bench(&text("0.005")), "check scene.ron").contains("`a` is at (0, 4e9, 0) m"));
}

#[test]
fn a_body_that_gets_far_away_is_named_in_the_summary_and_at_the_end() {
    let bench = bench(
        r#"Scenario(timestep: 0.5, duration: 10, record: (energy_stride: 4),
    bodies: [
        (name: "still", shape: Sphere(radius: 0.5), mass: 1, position: (0, 3, 0)),
        (name: "probe", shape: Sphere(radius: 0.5), mass: 1, velocity: (1e11, 0, 0)),
    ])"#,
    );
    assert_eq!(says(&bench, "check scene.ron"), "");
    let said = says(&bench, "run scene.ron --quiet");
    assert!(said.contains("warning: scene.ron: at 6 s `probe` is at (6e11, 0, 0) m"), "{said}");
    assert!(said.contains("0.00012 of its size of 1 m"), "{said}");
    let coarsest = &summary(&bench)["coarsest"];
    assert_eq!((coarsest["body"].as_str(), coarsest["time"].as_f64()), (Some("probe"), Some(6.0)));
    assert_eq!(coarsest["spacing"].as_f64(), Some(2f64.powi(-13)));
    // The run is halted after the warning and then continued: the warning from before the halt is kept.
    let whole = summary(&bench);
    says(&bench, "run scene.ron --quiet --until 7");
    let said = says(&bench, "run --resume output/scene --quiet");
    assert!(said.contains("`probe` is at (6e11, 0, 0) m"), "{said}");
    assert_eq!(summary(&bench)["coarsest"], whole["coarsest"]);
}

#[test]
fn warnings_beyond_the_list_are_counted() {
    let spawn = |place: usize| {
        format!(
            "Spawn(at: 0.1, body: (name: \"late/{place}\", shape: Sphere(radius: 1), mass: 1, position: (0, {place}e2, 1e13)))"
        )
    };
    let spawns: Vec<String> = (0..50).map(spawn).collect();
    let bench = bench(&format!("Scenario(timestep: 0.1, duration: 0.1, commands: [{}])", spawns.join(",\n")));
    let said = says(&bench, "check scene.ron");
    assert!(said.contains("scene.ron has 50 warnings, of which these are the first 20"), "{said}");
    assert_eq!(said.matches("move the scene near the origin").count(), 20, "{said}");
}

/// Where the spacing of numbers is larger than the bodies, a picture still has a width.
#[test]
fn pictures_of_scenes_that_are_far_away_can_be_drawn() {
    const PLOTS: &str = "[Oblique(every: 0.5), Path(plane: XZ), Strobe(plane: YZ, every: 0.5)]";
    for far in ["1e17", "1e18"] {
        for (place, others) in [
            (format!("({far}, 0, 0)"), "(name: \"p\", shape: Plane(normal: (0, 0, 1), offset: -3))"),
            (format!("(0, -{far}, {far})"), "(name: \"p\", shape: Sphere(radius: 1), motion: Fixed)"),
            (format!("(-{far}, {far}, {far})"), ""),
        ] {
            let bench = bench(&format!(
                "(timestep: 0.5, duration: 1, bodies: [(name: \"a\", shape: Box(half_extents: (1, 1, 1)), mass: 1, \
                 position: {place}, velocity: (3, 0, 0)), {others}], plots: {PLOTS})"
            ));
            assert!(!says(&bench, "run scene.ron").contains("picture"), "{place} {others}");
            assert!(bench.output_files("scene").iter().filter(|file| file.ends_with(".png")).count() == 3);
        }
    }
}
