//! `carom query` as a user runs it: tables, JSON, messages, exit codes.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const SCENE: &str = r#"Scenario(
    timestep: 0.1, duration: 10, layers: ["targets", "glass"],
    bodies: [
        (name: "rail/low", shape: Box(half_extents: (0.5, 1, 1)), motion: Fixed, position: (4, 0, 0), layer: "targets"),
        (name: "rail/high", shape: Box(half_extents: (0.5, 1, 1)), motion: Fixed, position: (8, 0, 0), layer: "targets"),
        (name: "pane", shape: Box(half_extents: (0.1, 1, 1)), motion: Fixed, position: (2, 0, 0), layer: "glass"),
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 5, 0), velocity: (1, 0, 0)),
        (name: "press", shape: Box(half_extents: (1, 1, 1)), motion: Kinematic, position: (0, -9, 0), velocity: (0, -1, 0)),
        (name: "anvil", shape: Box(half_extents: (1, 1, 1)), motion: Fixed, position: (0, -14, 0)),
        (name: "gate", shape: Box(half_extents: (0.1, 1, 1)), motion: Fixed, position: (6, 0, 0), response: Sense),
        (name: "sheet", motion: Fixed, position: (0, 0, -3), shape: Mesh(
            vertices: [(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], triangles: [(0, 1, 2), (0, 2, 3)])),
    ],
)
"#;

fn query(arguments: &[&str]) -> Output {
    let folder: TempDir = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.ron"), SCENE).unwrap();
    fs::write(folder.path().join("box.ron"), "Box(min: (3, -1, -1), max: (9, 1, 1))").unwrap();
    fs::write(
        folder.path().join("view.ron"),
        "View(eye: (0, 0, 0), forward: (1, 0, 0), up: (0, 0, 1), near: 0.5, far: 5,\n     \
         lens: Perspective(half_width: 0.5, half_height: 0.5), outline: [(-1, -1), (1, -1), (0.9, 0), (1, 1), (-1, 1)])",
    )
    .unwrap();
    fs::write(folder.path().join("wrong.ron"), "Box(min: (3, -1, -1),\n    mux: (9, 1, 1))").unwrap();
    let program = env!("CARGO_BIN_EXE_carom");
    Command::new(program).arg("query").arg("scene.ron").args(arguments).current_dir(folder.path()).output().unwrap()
}

/// The bodies of the hits, in order.
fn bodies(arguments: &[&str]) -> Vec<String> {
    let json = hits(arguments);
    json.iter().map(|hit| hit["body"].as_str().unwrap().to_owned()).collect()
}

fn hits(arguments: &[&str]) -> Vec<Value> {
    let output = query(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    json["hits"].as_array().unwrap().clone()
}

#[test]
fn what_each_question_finds() {
    let ahead = "0,0,0,2,0,0";
    let rows: [(&[&str], &[&str]); 17] = [
        (&["--ray", ahead], &["pane"]),
        (&["--ray", ahead, "--all"], &["pane", "rail/low", "rail/high"]),
        (&["--ray", ahead, "--all", "--until", "3"], &["pane", "rail/low"]),
        (&["--ray", ahead, "--all", "--sensors"], &["pane", "rail/low", "gate", "rail/high"]),
        (&["--ray", ahead, "--layers", "targets"], &["rail/low"]),
        (&["--ray", ahead, "--layers", "targets,glass"], &["pane"]),
        (&["--ray", ahead, "--without", "pane"], &["rail/low"]),
        (&["--ray", ahead, "--all", "--without", "rail"], &["pane"]),
        (&["--ray", "0 1.2 0 1 0 0"], &[]),
        (&["--ray", "0 1.2 0 1 0 0", "--radius", "0.25"], &["pane"]),
        (&["--ray", "0 1.2 0 1 0 0", "--half-extents", "0.1,0.3,0.1"], &["pane"]),
        (&["--ray", "5,5,0,-1,0,0"], &["ball"]),
        (&["--nearest", "0,0,1"], &["pane"]),
        (&["--nearest", "0,0,-2.5", "--within", "0.4"], &[]),
        (&["--box", "3.9,0.1,-0.1,4.1,-0.1,0.1"], &["rail/low"]),
        (&["--polytope", "box.ron"], &["rail/high", "rail/low"]),
        (&["--polytope", "view.ron"], &["pane", "rail/low"]),
    ];
    for (arguments, expected) in rows {
        assert_eq!(bodies(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_slide_has_its_hits_and_its_end() {
    let motion = ["--slide", "4,0.5,0", "--from", "0,0,0"];
    let output = query(&[&motion[..], &["--half-extents", "0.5,0.5,0.5", "--json"]].concat());
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let end = serde_json::json!({
        "query": 1, "to": [1.4, 0.5, 0.0], "left": [2.6, 0.0, 0.0], "onward": [0.0, 0.5, 0.0],
        "floor": null, "wall": "pane", "ceiling": null, "is_stuck": false,
    });
    assert_eq!((&json["hits"][0]["body"], &json["slide"]), (&Value::from("pane"), &end));
    let words = |arguments: &[&str]| {
        let output = query(&[&motion[..], arguments].concat());
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let [table, _] = words(&["--radius", "0.5"]);
    assert!(table.ends_with("to (1.4, 0.5, 0)\nleft (2.6, 0, 0)\nonward (0, 0.5, 0)\nwall pane\n"), "{table}");
    let [table, _] = words(&["--radius", "0.5", "--one-way", "pane", "--one-way", "rail"]);
    assert!(table.ends_with("to (4, 0.5, 0)\nleft (0, 0, 0)\nonward (4, 0.5, 0)\n"), "{table}");
    // The press comes by 3 m to the anvil, with 3 m between them.
    let squeezed = ["--slide", "0,0,0", "--from", "0,-11.5,0", "--radius", "0.5", "--duration", "4"];
    let output = query(&squeezed);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("\nstuck\n"), "{table}");
    let json: Value = serde_json::from_slice(&query(&[&squeezed[..], &["--json"]].concat()).stdout).unwrap();
    assert_eq!(json["slide"]["is_stuck"], true);
    let rows: [(&[&str], &str); 3] = [
        (&[], "a slide needs a shape: give `--radius` or `--half-extents`"),
        (&["--radius", "2.4"], "at (0, 0, 0) the shape overlaps `pane` by 0.5 m; begin at (-0.5, 0, 0)"),
        (&["--radius", "0.5", "--one-way", "bridge"], "there is no body `bridge`, nor one below that path"),
    ];
    for (arguments, message) in rows {
        let [_, error] = words(arguments);
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
}

#[test]
fn a_hit_has_its_point_normal_and_primitive() {
    let hit = &hits(&["--ray", "1,2,0,0,0,-2"])[0];
    let expected = serde_json::json!({
        "query": 1, "body": "sheet", "primitive": 1, "t": 1.5, "relation": "apart",
        "position": [0.0, 0.0, -3.0], "point": [1.0, 2.0, -3.0], "local": [1.0, 2.0, 0.0], "normal": [0.0, 0.0, 1.0],
    });
    assert_eq!(*hit, expected);
    let near = &hits(&["--nearest", "0,5,2", "--at", "3"])[0];
    assert_eq!(near["body"], "ball", "after 3 s it is at (3, 5, 0)");
    let far = f64::sqrt(13.0) - 0.5;
    assert!((near["separation"].as_f64().unwrap() - far).abs() < 1e-15, "{near}");
}

#[test]
fn questions_are_numbered_and_the_table_has_a_row_for_each_hit() {
    let output = query(&["--nearest", "0,4,0", "--ray", "0,0,0,1,0,0", "--ray", "0,0,0,0,0,-1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(rows, [["query", "body"], ["1", "pane"], ["2", "sheet"], ["3", "ball"]], "{text}");
    let nothing = query(&["--ray", "0,0,0,0,0,1"]);
    assert_eq!((nothing.stdout.as_slice(), nothing.status.code()), (&b"nothing\n"[..], Some(0)));
}

#[test]
fn an_instant_after_the_end_is_answered_with_a_warning() {
    for (at, warned) in [("10", false), ("12", true)] {
        let output = query(&["--nearest", "0,5,2", "--at", at]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{error}");
        let words = "warning: --at 12 is after the end of the scenario at 10 s; the bodies move on until then";
        assert_eq!(error.contains(words), warned, "{error}");
    }
    let there = &hits(&["--nearest", "12,5,0", "--at", "12"])[0];
    assert_eq!(there["position"], serde_json::json!([12.0, 5.0, 0.0]), "the ball moves on at 1 m/s");
}

#[test]
fn a_zero_has_no_sign() {
    let output = query(&["--nearest", "1,2,-3"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let row: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row[..4], ["1", "sheet", row[2], "0"], "{text}");
    assert!(!text.contains("-0 ") && !text.contains("-0,") && !text.contains("-0)"), "{text}");
}

#[test]
fn wrong_questions_are_told() {
    let rows: [(&[&str], &str); 13] = [
        (&[], "required"),
        (&["--ray", "0,0,0,0,0,0"], "the direction of a ray, its last three numbers, must not be 0"),
        (&["--ray", "0,0,0,1,0,0", "--until", "-1"], "invalid value '-1' for '--until <T>': it must be 0 or more"),
        (&["--nearest", "0,0,0", "--within", "nan"], "invalid value 'nan' for '--within <M>': it must be 0 or more"),
        (&["--ray", "0,0,0,1,0"], "6 numbers are wanted, such as 0,1,2,3,4,5; found 5"),
        (&["--nearest", "0,x,0"], "`x` is no number of size at most 1e70; 3 are wanted, such as 0,1,2"),
        (&["--all", "--nearest", "0,0,0"], "--ray"),
        (
            &["--ray", "0,0,0,1,0,0", "--layers", "target"],
            "the scenario has no layer `target`; did you mean `targets`?",
        ),
        (&["--ray", "0,0,0,1,0,0", "--without", "rails"], "there is no body `rails`, nor one below that path"),
        (&["--ray", "0,0,0,1,0,0", "--radius", "-1"], "'--radius <R>': it must be a positive finite number of metres"),
        (&["--ray", "0,0,0,1,0,0", "--at", "-1"], "'--at <S>': it must be from 0 to "),
        (&["--polytope", "wrong.ron"], "wrong.ron:2:5: "),
        (&["--polytope", "missing.ron"], "missing.ron cannot be read"),
    ];
    for (arguments, part) in rows {
        let output = query(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = if part.contains("cannot be read") { 3 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(part), "{arguments:?}: {text}");
    }
}
