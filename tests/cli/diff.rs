//! `carom diff`: what was changed, and what follows from it.

use std::fs;

use super::bench::{Bench, code, stderr, stdout};

/// A ball of rubber that falls on a floor.
const SCENE: &str = r#"Scenario(
    gravity: (0, 0, -10), timestep: 0.5, duration: 2.5,
    materials: { "rubber": (restitution: 0.5) },
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5.5), material: "rubber"),
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
    ],
    record: (snapshots: 1),
)
"#;
const SAME: &str = "the scenarios are the same\n";

/// Compares `SCENE` with a change of it, as files.
fn changed(from: &str, to: &str) -> (i32, String) {
    let bench = Bench::new();
    assert!(SCENE.contains(from), "{from}");
    bench.write("a.ron", SCENE);
    bench.write("b.ron", &SCENE.replace(from, to));
    let output = bench.carom(&["diff", "a.ron", "b.ron"]);
    assert_eq!(stderr(&output), "");
    (code(&output), stdout(&output))
}

#[test]
fn changes_of_a_scenario_are_named() {
    let floor = "(name: \"floor\", shape: Plane(normal: (0, 0, 1), offset: 0)),";
    let sphere = "shape: Sphere(radius: 0.1), mass: 1, position: (3, 0, 3)";
    let many: String = (0..20)
        .map(|rank| format!("(name: \"b/{rank}\", {}),", sphere.replace("3, 0", &format!("3, {rank}"))))
        .collect();
    let mut long: Vec<String> = (0..12).map(|rank| format!("bodies: `b/{rank}` added")).collect();
    long.extend(["and 8 more".to_owned(), "20 changes in the scenario".to_owned()]);
    let rows = [
        ("0.5) }", "0.51) }", "materials.rubber.restitution 0.5 → 0.51\n1 change in the scenario\n"),
        (floor, "", "bodies: `floor` removed\n1 change in the scenario\n"),
        (
            "bodies: [",
            &format!("bodies: [(name: \"new\", {sphere}),"),
            "bodies: `new` added\n1 change in the scenario\n",
        ),
        ("\"rubber\"", "\"gum\"", "materials: `rubber` renamed to `gum`\n1 change in the scenario\n"),
        ("bodies: [", &format!("bodies: [{many}"), &(long.join("\n") + "\n")),
        (
            "timestep: 0.5, duration: 2.5",
            "timestep: 0.25, duration: 2",
            "timestep 0.5 → 0.25\nduration 2.5 → 2\n2 changes in the scenario\n",
        ),
    ];
    for (from, to, wanted) in rows {
        assert_eq!(changed(from, to), (1, wanted.to_owned()), "{from}");
    }
    // The same in other words.
    for (from, to) in [
        ("0.5) }", "0.50), /* nothing else */ }"),
        ("gravity: (0, 0, -10), timestep: 0.5", "timestep: 5e-1, gravity: (0, 0, -10.0)"),
        (floor, &format!("{floor} // the last one")),
    ] {
        assert_eq!(changed(from, to), (0, SAME.to_owned()), "{from}");
    }
}

#[test]
fn two_runs_are_compared_with_what_follows_from_a_change() {
    let bench = Bench::new();
    bench.write("a.ron", SCENE);
    bench.write("b.ron", &SCENE.replace("0.5) }", "0.6) }"));
    bench.write("c.ron", &format!("// Another text.\n{SCENE}"));
    assert_eq!(code(&bench.carom(&["run", "a.ron", "b.ron", "c.ron", "--quiet"])), 0);
    let wanted = "\
materials.rubber.restitution 0.5 → 0.6
the second beside the first: the state after step 2, at 1 s, is not the recorded one: `ball`: velocity.z was recorded as 5 and is 6
run again from 0.5 s, the first event that differs is in the one: impact of `ball` and `floor` at 1 s, at (0, 0, 0), approach speed 10 m/s, impulse 15 N·s
in the other: impact of `ball` and `floor` at 1 s, at (0, 0, 0), approach speed 10 m/s, impulse 16 N·s
`ball` ends at (0, 0, 0.5) and at (0, 0, 1.13), 0.63 m apart
1 change in the scenario
";
    let recordings = ["a", "b", "c"].map(|name| format!("output/{name}/recording.carom"));
    for [first, second] in [["output/a", "output/b"], ["output/a", &recordings[1]], [&recordings[0], &recordings[1]]] {
        let output = bench.carom(&["diff", first, second]);
        assert_eq!((code(&output), stdout(&output).as_str()), (1, wanted), "{first} {second}: {}", stderr(&output));
    }
    // A scenario has no run of its own.
    for [first, second] in [["output/a", "b.ron"], ["a.ron", "output/b"], ["a.ron", &recordings[1]]] {
        let output = bench.carom(&["diff", first, second]);
        let wanted = "materials.rubber.restitution 0.5 → 0.6\n1 change in the scenario\n";
        assert_eq!((code(&output), stdout(&output).as_str()), (1, wanted), "{first} {second}: {}", stderr(&output));
    }
    let output = bench.carom(&["diff", "output/a", "output/c"]);
    let same = "the scenarios are the same; the same, to the bit, in 6 steps that both have\n";
    assert_eq!((code(&output), stdout(&output).as_str()), (0, same));
    let output = bench.carom(&["diff", "c.ron", "output/a"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, SAME));
    // Replays name the changed fields, too, before all else.
    for command in
        [&["bisect", &recordings[0], &recordings[1]][..], &["replay", &recordings[0], "--against", &recordings[1]]]
    {
        let output = bench.carom(command);
        let first = stderr(&output).lines().next().map(str::to_owned);
        let wanted = "error: in the scenario: materials.rubber.restitution 0.5 → 0.6";
        assert_eq!((code(&output), first.as_deref()), (1, Some(wanted)));
    }
    // A recording is read to its end, also where its header alone is compared.
    let bytes = fs::read(bench.path(&recordings[1])).unwrap();
    fs::write(bench.path("cut.carom"), &bytes[..bytes.len() - 9]).unwrap();
    for [first, second] in [["cut.carom", "b.ron"], ["b.ron", "cut.carom"], ["cut.carom", "output/b"]] {
        let output = bench.carom(&["diff", first, second]);
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{first} {second}");
        assert!(stderr(&output).contains("cut.carom ends in frame"), "{}", stderr(&output));
    }
    // A run without its recording has a scenario still.
    fs::remove_file(bench.path(&recordings[1])).unwrap();
    let output = bench.carom(&["diff", "output/a", "output/b"]);
    assert_eq!(stdout(&output), "materials.rubber.restitution 0.5 → 0.6\n1 change in the scenario\n");
}

#[test]
fn a_body_more_is_the_first_difference_and_events_are_found_by_names() {
    let bench = Bench::new();
    bench.write("a.ron", SCENE);
    let body = "(name: \"a box\", shape: Box(half_extents: (0.25, 0.25, 0.25)), mass: 1, position: (3, 0, 2.25), velocity: (0, 0, -1)),";
    bench.write("b.ron", &SCENE.replace("bodies: [", &format!("bodies: [{body}")));
    assert_eq!(code(&bench.carom(&["run", "a.ron", "b.ron", "--quiet"])), 0);
    let output = bench.carom(&["diff", "output/a", "output/b"]);
    let found = stdout(&output);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines[0], "bodies: `a box` added");
    assert!(
        lines[1].ends_with(
            "after step 0, at 0 s, is not the recorded one: `a box`: presence was recorded as absent and is present"
        ),
        "{found}"
    );
    let event = "run again from 0 s, both have the same events up to that step; after it the first event that differs is in the one: impact of `ball` and `floor` at 1 s";
    assert!(lines[2].starts_with(event), "{found}");
    assert!(lines[3].starts_with("in the other: impact of `a box` and `floor` at 0.540312423743 s"), "{found}");
    assert_eq!(lines[4], "`a box` ends at (3, 0, 2.29249207) in the other alone");
}

#[test]
fn times_of_the_command_line_and_files_count() {
    let bench = Bench::new();
    bench.write("floor.obj", "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n");
    let scene = SCENE
        .replace("Plane(normal: (0, 0, 1), offset: 0)", "Mesh(file: \"floor.obj\")")
        .replace("(0, 0, 5.5)", "(2, 2, 5.5)");
    bench.write("a.ron", &scene);
    assert_eq!(code(&bench.carom(&["run", "a.ron", "--quiet"])), 0);
    assert_eq!(code(&bench.carom(&["run", "a.ron", "--quiet", "--timestep", "0.25", "--output", "other"])), 0);
    let output = bench.carom(&["diff", "output/a", "other/a"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, "timestep 0.5 → 0.25\n1 change in the scenario\n"));
    bench.write("floor.obj", "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n# another byte\n");
    let output = bench.carom(&["diff", "output/a", "a.ron"]);
    let wanted = "the content of the file `floor.obj`\n1 change in the scenario\n";
    assert_eq!((code(&output), stdout(&output).as_str()), (1, wanted));
}

#[test]
fn bad_input_is_refused() {
    let bench = Bench::new();
    bench.write("a.ron", SCENE);
    bench.write("bad.ron", "(timestep: 0.1, duration: 1, gravitas: 1)");
    bench.write("not.carom", "something else");
    fs::create_dir(bench.path("empty")).unwrap();
    for (other, wanted) in [("bad.ron", 2), ("not.carom", 2), ("empty", 2), ("missing.ron", 3), ("missing.carom", 3)] {
        let output = bench.carom(&["diff", "a.ron", other]);
        assert_eq!((code(&output), stdout(&output).as_str()), (wanted, ""), "{other}: {}", stderr(&output));
        assert!(stderr(&output).contains(other), "{}", stderr(&output));
    }
}
