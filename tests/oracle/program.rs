//! The commands `oracle` and `compare`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use carom::oracle::METRICS;
use serde_json::Value;

pub(super) fn carom(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(folder).args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Writes the scene as a scenario file and runs it.
fn run(folder: &Path, scene: &str, more: &[&str]) {
    let text = carom::oracle::find(scene).unwrap().text;
    fs::write(folder.join(format!("{scene}.ron")), text).unwrap();
    let file = format!("{scene}.ron");
    let done = carom(folder, &[&["run", &file, "--quiet"], more].concat());
    assert!(done.status.success(), "{}", self::text(&done.stderr));
}

#[test]
fn a_run_of_carom_passes_in_both_formats_and_shuffled() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "bounce_two_walls", &[]);
    run(folder, "bounce_two_walls", &["--output", "binary", "--format", "parquet", "--timestep", "0.037"]);
    let table = fs::read_to_string(folder.join("output/bounce_two_walls/trajectory.csv")).unwrap();
    let mut lines: Vec<&str> = table.lines().collect();
    lines[1..].reverse();
    fs::write(folder.join("reversed.csv"), lines.join("\n") + "\n").unwrap();
    let files =
        ["output/bounce_two_walls/trajectory.csv", "reversed.csv", "binary/bounce_two_walls/trajectory.parquet"];
    let events =
        ["output/bounce_two_walls/events.csv"; 2].into_iter().chain(["binary/bounce_two_walls/events.parquet"]);
    let events: Vec<String> = events.map(|file| format!("--events={file}")).collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let words = [&["oracle", "judge", "bounce_two_walls"], &files[..], &events, &["--report", "judged.html"]].concat();
    let judged = carom(folder, &words);
    assert_eq!(judged.status.code(), Some(0), "{}{}", text(&judged.stdout), text(&judged.stderr));
    assert!(text(&judged.stdout).ends_with("passed\n"));
    let page = fs::read_to_string(folder.join("judged.html")).unwrap();
    assert!(page.contains("All 3 trajectories are within all limits."));
    assert!(text(&judged.stdout).contains("impacts missed"), "{}", text(&judged.stdout));
    let again = carom(folder, &words);
    assert_eq!(again.stdout, judged.stdout);
    assert_eq!(fs::read_to_string(folder.join("judged.html")).unwrap(), page, "the same page twice");
}

#[test]
fn exit_codes_tell_a_failure_from_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let head = "step,time,body,x,y,z,vx,vy,vz\n";
    fs::write(folder.join("bad.csv"), format!("{head}1,1,ball,3,0,8,3,0,NaN\n")).unwrap();
    fs::write(folder.join("far.csv"), format!("{head}1,1,ball,9,0,8,3,0,2\n2,2,ball,6,0,5,3,0,-7\n")).unwrap();
    fs::write(folder.join("lax.ron"), "(path_error: 1e3, energy_lost: 1, energy_gained: 1, time_lost: 9, momentum: 1)")
        .unwrap();
    fs::write(folder.join("wrong.ron"), "(path_error: -1)").unwrap();
    fs::write(folder.join("hits.csv"), "time,kind,a,b\n1,hit,ball,ball\n").unwrap();
    let rows: [(&[&str], i32, &str); 12] = [
        (
            &["far.csv", "bad.csv", "--events", "hits.csv"],
            2,
            "once for each table, in the same order; found 1 for 2 tables",
        ),
        (&["far.csv", "--events", "hits.csv"], 2, "line 2, column `kind`: no kind of event is called `hit`"),
        (&["far.csv", "--events", "missing.csv"], 3, "cannot read `missing.csv`"),
        (&["far.csv"], 1, "not judged (the table has no spins): spin off by, slip of rolling balls"),
        (&["far.csv"], 1, "leaves the exact path at 1 s"),
        (&["far.csv", "--thresholds", "lax.ron"], 0, "passed"),
        (
            &["far.csv", "--thresholds", "wrong.ron"],
            2,
            "wrong.ron:1:14: path_error: must be a number that is not negative",
        ),
        (&["bad.csv"], 2, "line 2, column `vz`: NaN"),
        (&["missing.csv"], 3, "cannot read"),
        (&["far.csv", "--report", "page.txt"], 2, "ends in .html"),
        (&["far.csv", "--json"], 1, "\"metric\": \"path_error\""),
        (&["far.csv", "--report", "no/such/folder.html"], 3, "cannot write"),
    ];
    for (words, code, said) in rows {
        let done = carom(folder, &[&["oracle", "judge", "flight_parabola"], words].concat());
        let all = text(&done.stdout) + &text(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{words:?}: {all}");
        assert!(all.contains(said), "{words:?}: {all}");
    }
    let unknown = carom(folder, &["oracle", "judge", "flight_parabla", "far.csv"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("did you mean `flight_parabola`?"), "{}", text(&unknown.stderr));
}

#[test]
fn every_scene_is_listed_and_follows_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let list = text(&carom(folder.path(), &["oracle", "list"]).stdout);
    let schema: Value = serde_json::from_slice(&carom(folder.path(), &["oracle", "schema"]).stdout).unwrap();
    for scene in carom::oracle::scenes() {
        assert!(list.contains(scene.name) && list.contains(scene.tests), "{}", scene.name);
        let told = carom(folder.path(), &["oracle", "scene", scene.name, "--json", "--timestep", "0.001"]);
        let told: Value = serde_json::from_slice(&told.stdout).unwrap();
        assert_eq!(told["output"]["timestep"], 0.001);
        follows(&schema, &schema, &told, scene.name);
    }
}

/// Whether a value is valid. This checks only the part of JSON Schema that this schema uses.
fn follows(root: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        return follows(root, root.pointer(reference.trim_start_matches('#')).unwrap(), value, place);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let kind = |choice: &&Value| choice["properties"]["kind"]["const"] == value["kind"];
        return follows(root, choices.iter().find(kind).unwrap_or_else(|| panic!("{place}: {value}")), value, place);
    }
    assert!(schema["const"].is_null() || schema["const"] == *value, "{place}: {value}");
    assert!(schema["enum"].as_array().is_none_or(|all| all.contains(value)), "{place}: {value}");
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is_of = |kind: &&str| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    assert!(types.is_empty() || types.iter().any(is_of), "{place}: {value}");
    assert!(schema["exclusiveMinimum"].is_null() || value.as_f64().unwrap() > 0.0, "{place}: {value}");
    for field in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(field.as_str().unwrap()).is_some(), "{place} has no {field}");
    }
    for (name, part) in value.as_object().into_iter().flatten() {
        let known = &schema["properties"][name];
        assert!(known.is_object(), "{place}.{name} is not in the schema");
        follows(root, known, part, &format!("{place}.{name}"));
    }
    for part in value.as_array().into_iter().flatten() {
        follows(root, &schema["items"], part, place);
    }
}

#[test]
fn two_runs_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "bounce_oblique", &[]);
    run(folder, "bounce_oblique", &["--output", "coarse", "--timestep", "0.3"]);
    run(folder, "bounce_oblique", &["--output", "other", "--set", "materials.m.restitution=0.61"]);
    let same = carom(folder, &["compare", "output/bounce_oblique", "coarse/bounce_oblique"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", text(&same.stdout), text(&same.stderr));
    let other = carom(folder, &["compare", "output/bounce_oblique", "other/bounce_oblique"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stdout).contains("restitution off by: 0.61 in place of 0.6"), "{}", text(&other.stdout));
    let none = carom(folder, &["compare", "output/bounce_oblique", "nothing"]);
    assert_eq!(none.status.code(), Some(3));
}

/// The book gives for each metric the same title, name, limit and meaning as the program.
#[test]
fn the_book_has_every_metric() {
    let book = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/oracle.md")).unwrap();
    let thresholds = carom::scenario::Thresholds::default();
    for metric in METRICS {
        let sign = if metric.is_least() { "≥" } else { "≤" };
        let limit = format!("{sign} {} {}", metric.limit(&thresholds), metric.unit());
        let row = format!("| {} | `{}` | {} | {} |", metric.title(), metric.name(), limit.trim(), metric.meaning());
        assert!(book.lines().any(|line| line == row), "docs/oracle.md lacks: {row}");
    }
}

#[test]
fn a_scene_of_ones_own_is_judged_like_those_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let scene = |restitution: f64| {
        format!(
            r#"(title: "Mine", gravity: (0, 0, -10), timestep: 0.01, duration: 2.5,
            materials: {{ "rubber": (restitution: {restitution}) }}, bodies: [
                (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5.5), material: "rubber"),
                (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0))])"#
        )
    };
    for (name, restitution) in [("mine", 0.5), ("other", 0.6)] {
        fs::write(folder.join(format!("{name}.ron")), scene(restitution)).unwrap();
        let done = carom(folder, &["run", &format!("{name}.ron"), "--quiet"]);
        assert!(done.status.success(), "{}", text(&done.stderr));
    }
    // Tables with places alone, as another engine may have them.
    for name in ["mine", "other"] {
        let table = fs::read_to_string(folder.join(format!("output/{name}/trajectory.csv"))).unwrap();
        let places: String =
            table.lines().map(|line| line.split(',').skip(1).take(5).collect::<Vec<_>>().join(",") + "\n").collect();
        assert!(places.starts_with("time,body,x,y,z\n0,ball,"), "{places}");
        fs::write(folder.join(format!("{name}.csv")), places).unwrap();
    }
    let [own, other] = ["mine", "other"].map(|name| format!("output/{name}/trajectory.csv"));
    let events = "output/other/events.csv";
    let blind = "not judged (the table has no velocities): first impacts missed, first impact early or late, time lost, energy gained, energy lost, momentum gained or lost, restitution off by, slip of rolling balls, time of rest, means beyond the horizon";
    let rows: [(&[&str], i32, &str); 12] = [
        (&["oracle", "judge", "mine.ron", &own], 0, "mine: Mine"),
        (&["oracle", "judge", "mine.ron", &other], 1, "restitution off by: 0.6 in place of 0.5"),
        (&["oracle", "judge", "mine.ron", "mine.csv"], 0, blind),
        (&["oracle", "judge", "mine.ron", "other.csv"], 1, "metrics beyond their limits: error against the path"),
        (&["oracle", "judge", "mine.ron", "other.csv", "--events", events], 1, "impact early or late"),
        (&["compare", "output/mine", &own], 0, "passed"),
        (&["compare", "output/mine", "output/other"], 1, "output/other by output/mine"),
        (&["compare", "output/mine", &other], 1, "restitution off by: 0.6 in place of 0.5"),
        (&["compare", "output/mine", "mine.csv", "--events", "output/mine/events.csv"], 0, "impacts missed"),
        (&["compare", "output/mine", "missing.csv"], 3, "cannot read"),
        (&["oracle", "judge", "missing.ron", &own], 3, "missing.ron cannot be read"),
        (&["oracle", "judge", "min", &own], 2, "there is no scene `min`"),
    ];
    for (words, code, said) in rows {
        let done = carom(folder, words);
        let all = text(&done.stdout) + &text(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{words:?}: {all}");
        assert!(all.contains(said), "{words:?}: {all}");
    }
    let page = ["oracle", "judge", "mine.ron", &other, "--report", "mine.html", "--json"];
    let judged: Value = serde_json::from_slice(&carom(folder, &page).stdout).unwrap();
    assert_eq!((&judged["schema"], &judged["passed"]), (&1.into(), &false.into()));
    assert!(fs::read_to_string(folder.join("mine.html")).unwrap().contains("mine: Mine"));
}

/// A table without steps has as many as it has times, the beginning not counted.
#[test]
fn steps_are_counted_where_a_table_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("theirs.csv");
    for (rows, wanted) in
        [("0,b,0,0,0\n0.5,b,0,0,1\n1,b,0,0,2\n", [0, 1, 2]), ("1,b,0,0,2\n2,b,0,0,4\n0.5,b,0,0,1\n", [2, 3, 1])]
    {
        fs::write(&file, format!("time,body,x,y,z\n{rows}")).unwrap();
        let table = carom::record::foreign::read_foreign(&file).unwrap();
        assert_eq!(table.rows.iter().map(|row| row.step).collect::<Vec<_>>(), wanted);
        assert!(!table.has_velocities && !table.has_spins);
    }
}
