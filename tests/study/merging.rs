//! A sweep gives the same bytes however its members are distributed. Members that fail physically are rows of the
//! table.

use std::fs;

use super::bench::{Bench, code, stderr, stdout};

/// A ball that falls on a floor. If its initial height is below its radius, as at 0.5 m, it begins inside the floor.
pub(super) const BASE: &str = r#"(
    gravity: (0, 0, -10), timestep: 0.1, duration: 5,
    materials: { "rubber": (restitution: 0.5) }, default_material: "rubber",
    bodies: [
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
        (name: "ball", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 2)),
    ],
)"#;

pub(super) const SWEEP: &str = r#"Sweep(
    title: "Heights", base: "base.ron",
    vary: { "bodies.ball.position.z": Range(from: 2, to: 6, count: 21), "materials.rubber.restitution": List([0.25, 0.5]) },
    collect: { "bounces": Count(kind: Impact), "third": Time(kind: Impact, nth: 3, bodies: ["ball"]), "z": Final(body: "ball", quantity: Z),
        "heat": Audit(Dissipated) },
)"#;

/// The files that a complete sweep writes.
const PRODUCTS: [&str; 7] =
    ["table.csv", "table.parquet", "summary.json", "bounces.svg", "bounces.png", "third.svg", "heat.svg"];

/// The contents of these files in a folder.
pub(super) fn products(bench: &Bench, folder: &str) -> Vec<Vec<u8>> {
    let read = |name: &&str| {
        fs::read(bench.path(folder).join(name)).unwrap_or_else(|error| panic!("{folder}/{name}: {error}"))
    };
    PRODUCTS.iter().map(read).collect()
}

pub(super) fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("base.ron", BASE);
    bench.write("s.ron", SWEEP);
    bench
}

pub(super) fn succeeds(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.carom(arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn the_bytes_depend_on_the_sweep_alone() {
    let bench = bench();
    let said = succeeds(&bench, &["sweep", "s.ron"]);
    assert!(said.contains("Heights: 42 members, 42 done"), "{said}");
    let wanted = products(&bench, "output/s");
    for jobs in ["1", "2", "5"] {
        succeeds(&bench, &["sweep", "s.ron", "--output", jobs, "--jobs", jobs, "--quiet"]);
        assert_eq!(products(&bench, jobs), wanted, "{jobs} jobs");
    }
    // Seven shards in one folder, the last ones first.
    for shard in (1..=7).rev() {
        let said = succeeds(&bench, &["sweep", "s.ron", "--output", "one", "--shard", &format!("{shard}/7")]);
        assert_eq!(said.contains("42 done"), shard == 1, "{said}");
        assert_eq!(said.contains("carom sweep merge one"), shard > 1, "{said}");
    }
    assert_eq!(products(&bench, "one"), wanted, "seven shards in one folder");
    // Seven shards in seven folders. The last folder also has one member of another shard.
    let folders: Vec<String> = (1..=7).map(|shard| format!("part{shard}")).collect();
    for (shard, folder) in folders.iter().enumerate() {
        succeeds(&bench, &["sweep", "s.ron", "--output", folder, "--shard", &format!("{}/7", shard + 1)]);
    }
    succeeds(&bench, &["sweep", "s.ron", "--output", "part7", "--shard", "1/42"]);
    let merge: Vec<&str> = ["sweep", "merge"].into_iter().chain(folders.iter().rev().map(String::as_str)).collect();
    succeeds(&bench, &[&merge[..], &["--output", "all"]].concat());
    assert_eq!(products(&bench, "all"), wanted, "seven folders");
}

#[test]
fn two_processes_may_run_the_same_members_at_once() {
    let bench = bench();
    succeeds(&bench, &["sweep", "s.ron"]);
    let begin = || bench.command(&["sweep", "s.ron", "--output", "both", "--quiet"]).spawn().unwrap();
    for mut process in [begin(), begin(), begin()] {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(products(&bench, "both"), products(&bench, "output/s"));
}

#[test]
fn what_is_done_is_not_done_again_and_a_longer_sweep_keeps_it() {
    let bench = bench();
    succeeds(&bench, &["sweep", "s.ron"]);
    let files = |bench: &Bench| {
        let folders = fs::read_dir(bench.path("output/s/members")).unwrap().map(|entry| entry.unwrap().path());
        let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap());
        let mut files: Vec<_> = files.map(|file| (file.path(), file.metadata().unwrap().modified().unwrap())).collect();
        files.sort();
        files
    };
    let before = files(&bench);
    assert_eq!(before.len(), 42);
    succeeds(&bench, &["sweep", "s.ron"]);
    assert_eq!(files(&bench), before);
    bench.write("s.ron", &SWEEP.replace("[0.25, 0.5]", "[0.25, 0.5, 0.75]"));
    let said = succeeds(&bench, &["sweep", "s.ron"]);
    assert!(said.contains("63 members, 63 done"), "{said}");
    let after = files(&bench);
    assert!(after.len() == 63 && before.iter().all(|file| after.contains(file)));
}

#[test]
fn what_ends_badly_is_a_row() {
    let bench = Bench::new();
    bench.write("base.ron", &BASE.replace("bodies: [", "expect: [Rests(at_least: 1)], bodies: ["));
    let vary =
        r#""bodies.ball.position.z": List([2, 0.5]), "impacts_max": List([1000, 1]), "duration": List([5, 0.5])"#;
    let collect = r#""bounces": Count(kind: Impact), "met": Met"#;
    bench.write("s.ron", &format!("(base: \"base.ron\", vary: {{ {vary} }}, collect: {{ {collect} }})"));
    let said = succeeds(&bench, &["sweep", "s.ron"]);
    assert!(said.contains("8 members, 1 done, 2 unmet, 1 failed, 4 refused"), "{said}");
    let table = bench.read("output/s/table.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(
        rows[0],
        "member,bodies.ball.position.z,impacts_max,duration,bounces,met,status,message,state_hash,result"
    );
    for (row, words) in [
        (1, "0,2.0,1000,5.0,"),
        (1, ",8,1,done,,"),
        (2, ",0,unmet,\"expected at least 1 rest events, found 0\""),
        (3, ",failed,"),
        (5, "4,0.5,1000,5.0,,,refused,"),
        (5, "overlap"),
    ] {
        assert!(rows[row].contains(words), "{words} is not in {}", rows[row]);
    }
    #[cfg(feature = "parquet")]
    {
        use parquet::file::reader::{FileReader, SerializedFileReader};
        use parquet::record::Field;

        let file = fs::File::open(bench.path("output/s/table.parquet")).unwrap();
        let stored = SerializedFileReader::new(file).unwrap();
        let rows = stored.get_row_iter(None).unwrap();
        let counts: Vec<Field> = rows.map(|row| row.unwrap().get_column_iter().nth(4).unwrap().1.clone()).collect();
        assert_eq!((&counts[0], &counts[4]), (&Field::ULong(8), &Field::Null), "counts are whole, or nothing");
    }
    bench.write("rough.ron", &bench.read("s.ron").replace(vary, r#""materials.rubber.restitution": List([1, 2])"#));
    succeeds(&bench, &["sweep", "rough.ron"]);
    let told = "refused,\"materials[\"\"rubber\"\"].restitution: must be a number from 0 to 1, found `2`\"";
    assert!(bench.read("output/rough/table.csv").contains(told), "{}", bench.read("output/rough/table.csv"));
    let summary: serde_json::Value = serde_json::from_str(&bench.read("output/s/summary.json")).unwrap();
    assert_eq!(summary["status"], serde_json::json!({"done": 1, "unmet": 2, "failed": 1, "refused": 4, "lost": 0}));
}

#[test]
fn what_is_collected_is_what_a_run_finds() {
    let bench = bench();
    succeeds(&bench, &["sweep", "s.ron"]);
    let settings = ["--set", "bodies.ball.position.z=6", "--set", "materials.rubber.restitution=0.5"];
    succeeds(&bench, &[&["run", "base.ron", "--output", "single"][..], &settings].concat());
    let summary: serde_json::Value = serde_json::from_str(&bench.read("single/base/summary.json")).unwrap();
    let table = bench.read("output/s/table.csv");
    let row: Vec<&str> = table.lines().last().unwrap().split(',').collect();
    let events = bench.read("single/base/events.csv");
    let third = events.lines().filter(|line| line.contains(",impact,")).nth(2).unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    assert_eq!(number(row[3]), summary["events"]["impact"].as_f64().unwrap());
    assert_eq!(number(row[4]), number(third.split(',').next().unwrap()));
    assert_eq!(number(row[6]), summary["audit"]["dissipated"].as_f64().unwrap());
    assert_eq!(row[9], summary["state_hash"]);
}

#[test]
fn lists_of_bodies_belong_to_what_is_run() {
    let bench = Bench::new();
    bench.write("balls.csv", "x,y,z,vx,vy,vz\n0,0,3,0,0,0\n");
    bench.write(
        "base.ron",
        r#"(timestep: 0.1, duration: 2, fill: [FromFile(name: "s", file: "balls.csv", shape: Sphere(radius: 1), mass: 1)])"#,
    );
    bench.write(
        "s.ron",
        r#"(base: "base.ron", vary: { "fill.s.mass": List([1]) }, collect: { "z": Final(body: "s/0", quantity: Z) })"#,
    );
    for (height, wanted) in [("3", "3.0"), ("4", "4.0")] {
        bench.write("balls.csv", &format!("x,y,z\n0,0,{height}\n"));
        succeeds(&bench, &["sweep", "s.ron"]);
        let table = bench.read("output/s/table.csv");
        assert!(table.lines().last().unwrap().split(',').any(|cell| cell == wanted), "{table}");
    }
}

#[test]
fn heights_belong_to_what_is_run() {
    let bench = Bench::new();
    bench.write(
        "base.ron",
        r#"(timestep: 0.1, duration: 2, gravity: (0, 0, -10), materials: { "clay": (restitution: 0) }, bodies: [
            (name: "hills", shape: Heights(cell: 9, file: "hills.csv"), position: (-4, -4, 0)),
            (name: "ball", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 3), material: "clay"),
        ])"#,
    );
    bench.write(
        "s.ron",
        r#"(base: "base.ron", vary: { "bodies.ball.mass": List([1]) }, collect: { "z": Final(body: "ball", quantity: Z) })"#,
    );
    for height in [0.0, 0.5] {
        bench.write("hills.csv", &format!("{height} {height}\n{height} {height}\n"));
        succeeds(&bench, &["sweep", "s.ron"]);
        let table = bench.read("output/s/table.csv");
        let rest: f64 = table.lines().last().unwrap().split(',').nth(2).unwrap().parse().unwrap();
        assert!((rest - (1.0 + height)).abs() < 1e-12, "{table}");
    }
}

#[test]
fn mesh_files_belong_to_what_is_run() {
    let bench = Bench::new();
    let track = |rise: &str| {
        let corners = [["-9", "-9", "0"], ["9", "-9", "0"], ["9", "9", rise], ["-9", "9", rise]];
        let lines: String = corners.iter().map(|corner| format!("v {}\n", corner.join(" "))).collect();
        bench.write("track.obj", &(lines + "f 1 2 3 4\n"));
    };
    track("0");
    bench.write(
        "base.ron",
        r#"(timestep: 0.1, duration: 2, gravity: (0, 0, -10), bodies: [
            (name: "track", shape: Mesh(file: "track.obj", scale: 1)),
            (name: "ball", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 3)),
        ])"#,
    );
    let collect = r#""n": Count(kind: Impact), "y": Final(body: "ball", quantity: Y)"#;
    let text =
        format!("(base: \"base.ron\", vary: {{ \"bodies.ball.position.z\": List([3, 4]) }}, collect: {{ {collect} }})");
    bench.write("s.ron", &text);
    succeeds(&bench, &["sweep", "s.ron"]);
    let level = bench.read("output/s/table.csv");
    // The folder of the results is sufficient for a merge.
    fs::rename(bench.path("track.obj"), bench.path("gone.obj")).unwrap();
    succeeds(&bench, &["sweep", "merge", "output/s"]);
    assert_eq!(bench.read("output/s/table.csv"), level);
    // Another mesh with the same file name gives another scenario.
    track("0.5");
    succeeds(&bench, &["sweep", "s.ron"]);
    assert_ne!(bench.read("output/s/table.csv"), level);
}
