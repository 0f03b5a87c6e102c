//! `--json`: standard output is one document with the fields that the book says, whatever else is said.

use std::fs;

use serde_json::Value;

use super::bench::{BALL, Bench, code, stderr, stdout};

/// The document that a command prints.
fn answer(bench: &Bench, arguments: &[&str], wanted: i32) -> Value {
    let output = bench.carom(arguments);
    assert_eq!(code(&output), wanted, "{arguments:?}: {}", stderr(&output));
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    assert_eq!(value["schema"], 1, "{arguments:?}");
    value
}

fn keys(value: &Value) -> Vec<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

/// Two runs of a ball, the second with a sideways velocity; and `bad.ron`.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("a.ron", BALL);
    bench.write("b.ron", &BALL.replace("5.5)", "5.5), velocity: (1, 0, 0)"));
    bench.write("bad.ron", "(timestep: 0.1,\n duration: 1, gravitas: 1)");
    assert_eq!(code(&bench.carom(&["run", "a.ron", "b.ron", "--quiet", "--no-pictures"])), 0);
    bench
}

#[test]
fn runs_have_their_summaries() {
    let bench = bench();
    bench.write("unmet.ron", &BALL.replace("exactly: 1", "exactly: 2"));
    let files = ["run", "a.ron", "unmet.ron", "bad.ron", "--no-pictures", "--json"];
    let value = answer(&bench, &files, 2);
    let told: Vec<_> =
        value["runs"].as_array().unwrap().iter().map(|run| [&run["file"], &run["exit"], &run["state"]]).collect();
    assert_eq!(
        serde_json::to_value(told).unwrap(),
        serde_json::json!([["a.ron", 0, "finished"], ["unmet.ron", 1, "finished"], ["bad.ron", 2, "none"],])
    );
    let written: Value = serde_json::from_str(&bench.read("output/a/summary.json")).unwrap();
    assert_eq!((&value["runs"][0]["summary"], &value["runs"][0]["folder"]), (&written, &"output/a".into()));
    assert_eq!(value["runs"][1]["summary"]["expectations"][0]["met"], false);
    assert_eq!(value["runs"][2]["summary"], Value::Null);
    let value = answer(&bench, &["run", "a.ron", "--no-pictures", "--json", "--until", "1"], 0);
    assert_eq!((&value["runs"][0]["state"], value["runs"].as_array().unwrap().len()), (&"halted".into(), 1));
    let value = answer(&bench, &["run", "--resume", "output/a", "--no-pictures", "--json"], 0);
    assert_eq!((&value["runs"][0]["state"], &value["runs"][0]["file"]), (&"finished".into(), &"output/a".into()));
}

#[test]
fn checks_have_their_problems() {
    let bench = bench();
    let value = answer(&bench, &["check", "a.ron", "bad.ron", "--json"], 2);
    let files = &value["files"];
    assert_eq!((&value["valid"], &files[0]["valid"], &files[1]["valid"]), (&false.into(), &true.into(), &false.into()));
    assert_eq!((&files[0]["title"], &files[0]["bodies"]), (&"A ball on a floor".into(), &2.into()));
    let problem = &files[1]["problems"][0];
    assert_eq!((&problem["line"], &problem["column"]), (&2.into(), &15.into()), "{problem}");
    assert!(problem["message"].as_str().unwrap().contains("gravitas"), "{problem}");
    assert_eq!(answer(&bench, &["check", "a.ron", "--json"], 0)["valid"], true);
    let value = answer(&bench, &["check", "a.ron", "--set", "timestep=0", "--json"], 2);
    assert_eq!(
        (&value["files"][0]["problems"][0]["line"], value["files"][0]["problems"].as_array().unwrap().len()),
        (&Value::Null, 1)
    );
    assert_eq!(answer(&bench, &["check", "missing.ron", "--json"], 3)["valid"], false);
}

#[test]
fn comparisons_have_changes_steps_and_events() {
    let bench = bench();
    let (a, b) = ("output/a/recording.carom", "output/b/recording.carom");
    let value = answer(&bench, &["replay", a, "--json"], 0);
    assert_eq!((&value["same"], &value["steps"]), (&true.into(), &serde_json::json!([0, 25])));
    let change = serde_json::json!([{
        "path": "bodies.ball.velocity", "kind": "value", "before": null, "after": "(1, 0, 0)",
    }]);
    for command in
        [&["replay", a, "--against", b, "--json"][..], &["bisect", a, b, "--json"], &["diff", a, b, "--json"]]
    {
        let value = answer(&bench, command, 1);
        assert_eq!(
            (&value["same"], &value["changes"], &value["steps"]),
            (&false.into(), &change, &26.into()),
            "{command:?}"
        );
        let difference = &value["divergence"]["difference"];
        assert_eq!((&value["divergence"]["step"], &difference["body"]), (&0.into(), &"ball".into()), "{command:?}");
        assert_eq!((&difference["field"], &difference["ulps"]), (&"velocity.x".into(), &Value::Null), "{command:?}");
        assert_eq!(value["events"].is_null(), command[0] == "replay", "{command:?}");
        assert_eq!(value["ends"].is_null(), command[0] != "diff", "{command:?}");
    }
    let value = answer(&bench, &["diff", a, b, "--json"], 1);
    assert_eq!((&value["ends"][0]["body"], &value["ends"][0]["distance"]), (&"ball".into(), &2.5.into()));
    let value = answer(&bench, &["diff", "a.ron", "b.ron", "--json"], 1);
    assert_eq!((&value["changes"], &value["divergence"], &value["steps"]), (&change, &Value::Null, &Value::Null));
    assert_eq!(answer(&bench, &["diff", "a.ron", "output/a", "--json"], 0)["same"], true);
    // What is refused has no document.
    for command in
        [&["replay", "a.ron", "--json"][..], &["bisect", a, "a.ron", "--json"], &["diff", a, "bad.ron", "--json"]]
    {
        let output = bench.carom(command);
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{command:?}");
    }
}

#[test]
fn tables_are_compared() {
    let bench = bench();
    let head = "time,body,x,y,z\n";
    bench.write("a.csv", &format!("{head}0,b,0,0,1\n0.5,b,0,0,2\n1,b,0,0,3\n"));
    bench.write("b.csv", "z,y,x,body,time\n3.25,0,0,b,1\n1,0,0,b,0\n2.0,0,-0.0,b,5e-1\n2,0,0,b,1.5\n");
    let value = answer(&bench, &["bisect", "a.csv", "b.csv", "--json"], 1);
    let wanted = serde_json::json!({
        "schema": 1, "same": false, "rows": 3, "other": 2,
        "first": { "time": 1.0, "body": "b", "column": "z", "values": [3.0, 3.25], "places": [4, 2] },
        "farthest": { "time": 1.0, "body": "b", "distance": 0.25 },
    });
    assert_eq!(value, wanted);
    let output = bench.carom(&["bisect", "a.csv", "b.csv", "--within", "0.25"]);
    let words = "error: the first row that differs is `b` at 1.5 s: only line 5 of b.csv has a row\n\
                 error: rows that differ: 1; rows in both: 3; the farthest apart is `b` at 1 s, by 0.25 m\n";
    assert_eq!((code(&output), stderr(&output).as_str()), (1, words));
    let output = bench.carom(&["bisect", "a.csv", "a.csv"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, "the same in 3 rows\n"));
    for (other, wanted) in [("a.ron", 2), ("output/a/recording.carom", 2), ("missing.csv", 3)] {
        assert_eq!(code(&bench.carom(&["bisect", "a.csv", other])), wanted, "{other}");
    }
    bench.write("twice.csv", &format!("{head}0,b,0,0,1\n0,b,0,0,1\n"));
    let output = bench.carom(&["bisect", "a.csv", "twice.csv"]);
    assert!(code(&output) == 2 && stderr(&output).contains("line 3"), "{}", stderr(&output));
}

/// The book names the fields of each document, and their version.
#[test]
fn documents_have_the_fields_that_are_told() {
    let bench = bench();
    bench.write("a.csv", "time,body,x,y,z\n0,b,0,0,1\n");
    let page = fs::read_to_string("docs/cli.md").unwrap();
    let section = page.split("\n## JSON\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let row = |command: &str| {
        let row = section.lines().find(|line| line.starts_with(&format!("| `{command}`"))).unwrap();
        row.rsplit(" | ").next().unwrap().split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let (a, b) = ("output/a/recording.carom", "output/b/recording.carom");
    for (command, arguments, exit) in [
        ("carom run", &["run", "a.ron", "--no-pictures", "--json"][..], 0),
        ("carom check", &["check", "a.ron", "--json"], 0),
        ("carom replay", &["replay", a, "--json"], 0),
        ("carom diff", &["diff", a, b, "--json"], 1),
        ("carom bisect` of tables", &["bisect", "a.csv", "a.csv", "--json"], 0),
        ("carom compare", &["compare", "output/a", "output/a", "--json"], 0),
    ] {
        let told = match command.split_once('`') {
            Some(_) => section.lines().find(|line| line.starts_with(&format!("| `{command}"))).unwrap().to_owned(),
            None => row(command).join(" "),
        };
        for key in keys(&answer(&bench, arguments, exit)) {
            let is_told = told.split(|c: char| !c.is_ascii_lowercase() && c != '_').any(|word| word == key);
            assert!(is_told, "the book lacks {key} of {command}");
        }
    }
}
