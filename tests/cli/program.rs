//! The program as a user runs it: exit codes, messages, files.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::bench::{BALL, Bench, code, stderr, stdout};

/// Two balls on a line; each moves between a wall and the other ball with a period of 1 s, and gives its wall 2 N·s per
/// second.
const GAS: &str = r#"(title: "Gas", timestep: 0.5, duration: 20, observe: [Gas],
    expect: [Pressure(near: 2, within: 1e-9), CollisionRate(near: 1, within: 1e-9), Compressibility(near: 1, within: 1e-9)],
    bodies: [
        (name: "west", shape: Plane(normal: (1, 0, 0), offset: -1)),
        (name: "east", shape: Plane(normal: (-1, 0, 0), offset: -1)),
        (name: "left", shape: Sphere(radius: 0.25), mass: 1, position: (-0.375, 0, 0), velocity: (1, 0, 0)),
        (name: "right", shape: Sphere(radius: 0.25), mass: 1, position: (0.375, 0, 0), velocity: (-1, 0, 0)),
    ])"#;

#[test]
fn a_gas_stands_in_the_summary() {
    let bench = Bench::new();
    bench.write("gas.ron", GAS);
    let output = bench.carom(&["run", "gas.ron"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said = stdout(&output);
    for words in [
        "k_B T 2 J",
        "pressure 2 N",
        "impacts per body and second",
        "events.csv, gas.csv, paths.csv, speeds.csv, trajectory.csv",
        "gas.svg",
        "speeds.svg",
    ] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
    let summary: serde_json::Value = serde_json::from_str(&bench.read("output/gas/summary.json")).unwrap();
    let gas = &summary["gas"];
    let wanted =
        [("bodies", 2.0), ("dimension", 1.0), ("volume", 2.0), ("from", 10.0), ("until", 20.0), ("temperature", 2.0)];
    for (key, value) in wanted {
        assert_eq!(gas[key].as_f64(), Some(value), "{key} of {gas}");
    }
    assert!(gas["undefined"].is_null(), "{gas}");
    bench.write("lost.ron", &GAS.replace("(-1, 0, 0), offset: -1)", "(0, 0, 1), offset: -9)"));
    let output = bench.carom(&["run", "lost.ron"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("space is open along x"), "{}", stderr(&output));
    let summary: serde_json::Value = serde_json::from_str(&bench.read("output/lost/summary.json")).unwrap();
    assert!(summary["gas"]["pressure"].is_null() && summary["gas"]["temperature"] == 0.0, "{summary}");
}

#[test]
fn a_run_leaves_tables_summary_and_plots() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let output = bench.carom(&["run", "ball.ron"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "no progress bar where there is no terminal");
    let said = stdout(&output);
    for words in ["A ball on a floor", "2, 1 of them free", "1 impact", "output/ball"] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
    assert_eq!(said.lines().last(), Some("ok: ball: 2 of 2 expectations met"));
    let files = bench.output_files("ball");
    let wanted = [
        "energy.csv",
        "energy.png",
        "energy.svg",
        "events.csv",
        "height_z.png",
        "height_z.svg",
        "impacts.png",
        "impacts.svg",
        "path_xz.png",
        "path_xz.svg",
        "paths.csv",
        "recording.carom",
        "scenario.ron",
        "summary.json",
        "trajectory.csv",
    ];
    assert_eq!(files, wanted);
    assert_eq!(bench.read("output/ball/scenario.ron"), BALL);
    let events = bench.read("output/ball/events.csv");
    let header = "time,kind,a,b,px,py,pz,nx,ny,nz,approach_speed,impulse,loss,group\n";
    let row = format!("{header}1,impact,ball,floor,0.0,0.0,0.0,0.0,0.0,-1.0,10.0,20.0,0.0,");
    let group = events.strip_prefix(&row).unwrap_or_else(|| panic!("{events}"));
    assert!(group.trim_end().parse::<u64>().is_ok(), "{events}");
    let trajectory = bench.read("output/ball/trajectory.csv");
    assert!(
        trajectory
            .starts_with("step,time,body,x,y,z,vx,vy,vz,wx,wy,wz\n0,0,ball,0.0,0.0,5.5,0.0,0.0,0.0,0.0,0.0,0.0\n")
    );
    assert_eq!(trajectory.lines().count(), 1 + 26);
    assert!(trajectory.lines().last().unwrap().starts_with("25,2.5,ball,"));
    let summary: serde_json::Value = serde_json::from_str(&bench.read("output/ball/summary.json")).unwrap();
    assert_eq!((&summary["schema"], &summary["events"]["impact"]), (&5.into(), &1.into()));
    for kind in ["enter", "leave", "rest", "release", "stick", "slip", "collapse", "join", "quit", "sleep", "wake"] {
        assert_eq!(summary["events"][kind], 0, "{kind}");
    }
    assert_eq!((&summary["audit"]["dissipated"], &summary["audit"]["contact_heat"]), (&0.0.into(), &0.0.into()));
    let energy = bench.read("output/ball/energy.csv");
    assert!(
        energy.starts_with(
            "step,time,kinetic,potential,dissipated,contact_heat,work,px,py,pz\n0,0,0.0,55.0,0.0,0.0,0.0,"
        )
    );
    assert_eq!(summary["audit"]["energy_drift"], 0.0);
    assert_eq!((&summary["expectations"][0]["met"], &summary["expectations"][0]["found"]), (&true.into(), &"1".into()));
    assert_eq!(summary["state_hash"].as_str().unwrap().len(), 64);
}

#[test]
fn a_spin_is_carried_from_the_scenario_to_the_tables() {
    let bench = Bench::new();
    let turning = BALL.replace("position: (0, 0, 5.5)", "position: (0, 0, 5.5), spin: (1, 2.5, -3)");
    let turning = turning.replace("Impacts(exactly: 1)", "AtRest(bodies: [\"floor\"]), AtRest()");
    bench.write("turning.ron", &turning.replace("timestep", "impacts: Pairwise, timestep"));
    bench.write("ball.ron", BALL);
    let output = bench.carom(&["run", "turning.ron", "ball.ron"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let expectations = summary_of(&bench, "turning")["expectations"].clone();
    assert_eq!(expectations[0]["expected"], "`floor` ends at rest");
    assert_eq!((&expectations[0]["met"], &expectations[0]["found"]), (&true.into(), &"at rest".into()));
    assert!(
        stdout(&output).contains("  not met      all free bodies end at rest (found `ball` at"),
        "{}",
        stdout(&output)
    );
    assert!(stderr(&output).contains("expected all free bodies end at rest, found `ball` at"), "{}", stderr(&output));
    let trajectory = bench.read("output/turning/trajectory.csv");
    // The surfaces are smooth, so nothing changes the spin of the ball.
    assert!(trajectory.lines().skip(1).all(|line| line.ends_with(",1.0,2.5,-3.0")), "{trajectory}");
    let hash = |name: &str| summary_of(&bench, name)["state_hash"].to_string();
    assert_ne!(hash("turning"), hash("ball"), "the spin is a part of the state");
}

fn summary_of(bench: &Bench, name: &str) -> serde_json::Value {
    serde_json::from_str(&bench.read(&format!("output/{name}/summary.json"))).unwrap()
}

#[test]
fn a_run_gives_the_same_bytes_twice_and_plots_can_be_drawn_again() {
    for scenario in [BALL.to_owned(), BALL.replace("title: \"A ball on a floor\",", "")] {
        runs_and_plots_again(&scenario);
    }
}

fn runs_and_plots_again(scenario: &str) {
    let bench = Bench::new();
    bench.write("ball.ron", scenario);
    let snapshot = || -> Vec<(String, Vec<u8>)> {
        let files = bench.output_files("ball");
        files
            .into_iter()
            .filter(|f| f != "summary.json")
            .map(|f| (f.clone(), fs::read(bench.path("output/ball").join(f)).unwrap()))
            .collect()
    };
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    let first = snapshot();
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    assert!(first == snapshot(), "two runs differ");
    for name in ["path_xz.png", "energy.svg"] {
        fs::write(bench.path("output/ball").join(name), "spoilt").unwrap();
    }
    let output = bench.carom(&["plot", "output/ball"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("path_xz.png"));
    assert!(first == snapshot(), "redrawn plots differ");
}

#[test]
fn quiet_says_nothing_and_overrides_hold() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let output =
        bench.carom(&["run", "ball.ron", "--quiet", "--timestep", "0.5", "--duration", "2", "--output", "elsewhere"]);
    assert_eq!((code(&output), stdout(&output), stderr(&output)), (0, String::new(), String::new()));
    let summary: serde_json::Value = serde_json::from_str(&bench.read("elsewhere/ball/summary.json")).unwrap();
    assert_eq!((summary["steps"].as_u64(), summary["duration"].as_f64()), (Some(4), Some(2.0)));
    for (flag, value) in
        [("--timestep", "0"), ("--timestep", "nan"), ("--duration", "-1"), ("--duration", "1e18"), ("--duration", "x")]
    {
        let output = bench.carom(&["run", "ball.ron", &format!("{flag}={value}")]);
        assert_eq!(code(&output), 2, "{flag} {value}: {}", stderr(&output));
        assert!(stderr(&output).contains(flag), "{}", stderr(&output));
    }
}

#[test]
fn exit_codes_tell_what_went_wrong() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.write("hopeful.ron", &BALL.replace("exactly: 1", "exactly: 2"));
    bench.write("typo.ron", &BALL.replace("gravity", "gravitty"));
    bench.write("deep.ron", &BALL.replace("(0, 0, 5.5)", "(0, 0, 0.4)"));
    let clay = BALL
        .replace("bodies: [", "impacts_max: 5, bodies: [")
        .replace("timestep", "materials: {\"clay\": (restitution: 0.5)}, timestep")
        .replace("offset: 0)", "offset: 0), material: \"clay\"")
        .replace("2.5", "60");
    bench.write("endless.ron", &clay);
    fs::write(bench.path("blocked"), "a file, not a folder").unwrap();
    fs::create_dir_all(bench.path("foreign/ball")).unwrap();
    fs::write(bench.path("foreign/ball/thesis.tex"), "precious").unwrap();
    let rows: [(&[&str], i32, &[&str]); 14] = [
        (&["run", "ball.ron"], 0, &[]),
        (&["run", "hopeful.ron"], 1, &["hopeful.ron: expected exactly 2 impact events, found 1"]),
        (
            &["run", "endless.ron"],
            1,
            &["6 impacts in one step, more than `impacts_max` allows", "`ball`", "raise `impacts_max`"],
        ),
        (&["run", "typo.ron"], 2, &["typo.ron:3:5", "gravitty", "gravity"]),
        (&["check", "typo.ron", "ball.ron"], 2, &["typo.ron:3:5"]),
        (&["run", "deep.ron"], 2, &["deep.ron:5:", "`ball` and `floor` overlap"]),
        (&["run", "missing.ron"], 3, &["missing.ron", "No such file"]),
        (&["run", "."], 2, &["is a folder, not a file"]),
        (&["run", "/dev/zero"], 2, &["is a device or a pipe, not a file"]),
        (&["run", "ball.ron", "--output", "blocked"], 3, &["blocked"]),
        (&["run", "ball.ron", "--output", "foreign"], 3, &["was not written by carom"]),
        (&["plot", "nowhere"], 3, &["nowhere"]),
        (&["list", "nowhere"], 3, &["nowhere"]),
        (&["frobnicate"], 2, &["frobnicate"]),
    ];
    for (arguments, wanted, words) in rows {
        let output = bench.carom(arguments);
        assert_eq!(code(&output), wanted, "{arguments:?}: {}", stderr(&output));
        for word in words {
            assert!(stderr(&output).contains(word), "{arguments:?} does not say {word}:\n{}", stderr(&output));
        }
    }
    assert_eq!(bench.read("foreign/ball/thesis.tex"), "precious");
    let summary: serde_json::Value = serde_json::from_str(&bench.read("output/endless/summary.json")).unwrap();
    assert!(summary["error"].as_str().unwrap().contains("6 impacts"), "a run that failed keeps what it has");
}

#[test]
fn two_files_that_would_share_a_folder_are_refused() {
    let bench = Bench::new();
    fs::create_dir(bench.path("other")).unwrap();
    bench.write("ball.ron", BALL);
    bench.write("other/ball.ron", BALL);
    let output = bench.carom(&["run", "ball.ron", "other/ball.ron"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("one folder"));
    assert!(!bench.path("output").exists());
}

#[test]
fn what_a_user_puts_beside_results_is_kept() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.carom(&["run", "ball.ron", "--quiet"]);
    let own = ["notes.txt", "measured.csv", "figure.svg", "paper.pdf", "backup.carom"];
    for name in own {
        bench.write(&format!("output/ball/{name}"), "keep me");
    }
    assert!(bench.path("output/ball/impacts.svg").exists());
    bench.write("ball.ron", &BALL.replace(", Impacts]", "]"));
    for _ in 0..2 {
        assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
        for name in own {
            assert_eq!(bench.read(&format!("output/ball/{name}")), "keep me", "{name}");
        }
        assert!(!bench.path("output/ball/impacts.svg").exists(), "results of another run are not kept");
    }
}

/// A folder is replaced only if a run of carom is in it.
#[test]
fn a_folder_of_something_else_is_never_touched() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let sweep = r#"{ "carom": "0.1.0", "title": "a sweep", "sweep_hash": "0", "base_hash": "0", "members": 3 }"#;
    let report = r#"{ "carom": "trains", "tables": {}, "results": [1, 2] }"#;
    for summary in ["", "{}", "[]", "no JSON", sweep, report] {
        fs::create_dir_all(bench.path("output/ball")).unwrap();
        bench.write("output/ball/summary.json", summary);
        for name in ["events.csv", "table.csv", "plot.png"] {
            bench.write(&format!("output/ball/{name}"), "keep me");
        }
        let output = bench.carom(&["run", "ball.ron", "--quiet"]);
        assert_eq!(code(&output), 3, "{summary}: {}", stderr(&output));
        assert!(stderr(&output).contains("is in the way and was not written by carom"), "{}", stderr(&output));
        assert_eq!(bench.output_files("ball"), ["events.csv", "plot.png", "summary.json", "table.csv"], "{summary}");
        assert_eq!(bench.read("output/ball/summary.json"), summary);
        assert_eq!(bench.read("output/ball/events.csv"), "keep me");
    }
}

#[test]
fn a_killed_run_leaves_earlier_results_whole() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    let before = bench.read("output/ball/summary.json");
    // A scenario with the same stem, which would run for several minutes.
    bench.write("ball.ron", &BALL.replace("0.1, duration: 2.5", "1e-6, duration: 600"));
    for pause in [30, 100, 250] {
        let mut child = bench.command(&["run", "ball.ron", "--quiet", "--restart"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(bench.read("output/ball/summary.json"), before);
        assert_eq!(bench.read("output/ball/scenario.ron"), BALL);
    }
    let visible = fs::read_dir(bench.path("output"))
        .unwrap()
        .filter(|e| !e.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(visible.count(), 1, "nothing half-written under a name of its own");
}

#[test]
fn results_that_a_kill_left_aside_come_back() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.carom(&["run", "ball.ron", "--quiet"]);
    fs::rename(bench.path("output/ball"), bench.path("output/.ball.previous")).unwrap();
    bench.write("ball.ron", "nonsense");
    bench.write("other.ron", BALL);
    bench.write("ball.ron", &BALL.replace("exactly: 1", "exactly: 7"));
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 1);
    assert!(bench.path("output/ball/summary.json").exists());
    assert!(!bench.path("output/.ball.previous").exists());
}

#[test]
fn list_and_check_read_and_write_nothing() {
    let bench = Bench::new();
    fs::create_dir(bench.path("scenarios")).unwrap();
    bench.write("scenarios/ball.ron", BALL);
    bench.write("scenarios/bad.ron", "Scenario(");
    let output = bench.carom(&["list"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("ball.ron") && stdout(&output).contains("A ball on a floor"));
    assert!(stdout(&output).contains("not valid"));
    let output = bench.carom(&["check", "scenarios/ball.ron"]);
    assert_eq!(
        (code(&output), stdout(&output)),
        (0, "scenarios/ball.ron: ok, A ball on a floor (2 bodies)\n".to_owned())
    );
    assert!(!bench.path("output").exists());
}

#[test]
fn damaged_tables_are_recognised() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.carom(&["run", "ball.ron", "--quiet"]);
    let table = bench.path("output/ball/trajectory.csv");
    let whole = fs::read(&table).unwrap();
    for cut in [0, 10, whole.len() / 2, whole.len() - 1] {
        fs::write(&table, &whole[..cut]).unwrap();
        let output = bench.carom(&["plot", "output/ball"]);
        assert_eq!(code(&output), 3, "cut at {cut}");
        assert!(stderr(&output).contains("trajectory.csv"), "{}", stderr(&output));
    }
}

#[test]
fn tables_are_parquet_where_the_scenario_or_the_command_line_says_so() {
    let bench = Bench::new();
    let asked = |format: &str| BALL.replace("plots:", &format!("record: (format: {format}), plots:"));
    bench.write("text.ron", BALL);
    bench.write("binary.ron", &asked("Parquet"));
    let rows: [(&str, &[&str], &str); 4] = [
        ("text", &[], "csv"),
        ("binary", &[], "parquet"),
        ("text", &["--format", "parquet"], "parquet"),
        ("binary", &["--format", "csv"], "csv"),
    ];
    for (name, options, ending) in rows {
        let output = bench.carom(&[&["run", &format!("{name}.ron")], options].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let tables = ["energy", "events", "paths", "trajectory"].map(|table| format!("{table}.{ending}"));
        assert!(stdout(&output).contains(&format!("summary.json, {}, path_xz.svg", tables.join(", "))));
        let files = bench.output_files(name);
        let found: Vec<_> = files.iter().filter(|file| file.ends_with("csv") || file.ends_with("parquet")).collect();
        assert_eq!(found, tables.iter().collect::<Vec<_>>(), "{name} {options:?}");
        let summary: serde_json::Value =
            serde_json::from_str(&bench.read(&format!("output/{name}/summary.json"))).unwrap();
        for table in &tables {
            let bytes = fs::metadata(bench.path(&format!("output/{name}/{table}"))).unwrap().len();
            assert_eq!(summary["tables"][table], bytes, "{table}");
        }
        let picture = bench.read(&format!("output/{name}/path_xz.svg"));
        assert_eq!(code(&bench.carom(&["plot", &format!("output/{name}")])), 0);
        assert!(bench.read(&format!("output/{name}/path_xz.svg")) == picture, "the same picture from {ending} again");
    }
    bench.carom(&["run", "text.ron", "--format", "parquet", "--quiet"]);
    for plot in ["path_xz", "height_z", "energy", "impacts"] {
        let [one, other] = ["text", "binary"].map(|name| bench.read(&format!("output/{name}/{plot}.svg")));
        assert!(one == other, "{plot} is the same from both formats");
    }
    assert_eq!(code(&bench.carom(&["run", "text.ron", "--format", "xml"])), 2);
}

#[test]
fn damaged_parquet_tables_are_recognised() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.carom(&["run", "ball.ron", "--quiet", "--format", "parquet"]);
    let table = bench.path("output/ball/trajectory.parquet");
    let whole = fs::read(&table).unwrap();
    let mut turned = whole.clone();
    turned[100] ^= 1;
    for bytes in [&whole[..0], &whole[..whole.len() - 1], &whole[..100], &turned] {
        fs::write(&table, bytes).unwrap();
        let output = bench.carom(&["plot", "output/ball"]);
        assert_eq!(code(&output), 3);
        let said = stderr(&output);
        assert!(said.contains("trajectory.parquet` is damaged") && said.contains("run the scenario again"), "{said}");
    }
}

#[test]
fn events_may_be_counted_instead_of_logged() {
    let bench = Bench::new();
    bench.write("log.ron", BALL);
    bench.write("count.ron", &BALL.replace("plots:", "record: (events: Counted), plots:"));
    for name in ["log", "count"] {
        let output = bench.carom(&["run", &format!("{name}.ron")]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    let files = bench.output_files("count");
    assert!(files.contains(&"counts.csv".to_owned()) && !files.contains(&"events.csv".to_owned()), "{files:?}");
    let counts = bench.read("output/count/counts.csv");
    let head = "step,time,impact,enter,leave,rest,release,stick,slip,collapse,join,quit,sleep,wake,approach_mean,approach_max\n";
    assert!(counts.starts_with(&format!("{head}0,0,0,0,0,0,0,0,0,0,0,0,0,0,,\n")), "{counts}");
    assert_eq!(counts.lines().nth(11), Some("10,1,1,0,0,0,0,0,0,0,0,0,0,0,10.0,10.0"), "{counts}");
    assert_eq!(counts.lines().last(), Some("25,2.5,1,0,0,0,0,0,0,0,0,0,0,0,,"), "{counts}");
    let [log, count] = ["log", "count"].map(|name| {
        let text = bench.read(&format!("output/{name}/summary.json"));
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    });
    for field in ["events", "audit", "state_hash", "expectations"] {
        assert_eq!(log[field], count[field], "{field}");
    }
    bench.write("gas.ron", GAS);
    bench.write("tally.ron", &GAS.replace("observe:", "record: (events: Counted, format: Parquet), observe:"));
    let [gas, tally] = ["gas", "tally"].map(|name| {
        assert_eq!(code(&bench.carom(&["run", &format!("{name}.ron"), "--quiet"])), 0, "{name}");
        let text = bench.read(&format!("output/{name}/summary.json"));
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    });
    assert!(gas["gas"].is_object() && gas["gas"] == tally["gas"]);
    assert!(bench.read("output/count/path_xz.svg").contains("only counted"));
    assert!(bench.read("output/count/impacts.svg").contains("Events: 1 impact."));
}

#[test]
fn energy_has_a_stride_of_its_own() {
    let bench = Bench::new();
    let rows: [(&str, usize, usize); 4] = [
        ("stride: 1", 26, 26),
        ("stride: 10", 4, 4),
        ("energy_stride: 10", 26, 4),
        ("stride: 10, energy_stride: 1", 4, 26),
    ];
    for (record, trajectory, energy) in rows {
        bench.write("ball.ron", &BALL.replace("plots:", &format!("record: ({record}), plots:")));
        let output = bench.carom(&["run", "ball.ron", "--quiet"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        for (table, wanted) in [("trajectory", trajectory), ("energy", energy)] {
            let text = bench.read(&format!("output/ball/{table}.csv"));
            assert_eq!(text.lines().count(), 1 + wanted, "{record}: {table}");
            assert!(text.lines().last().unwrap().starts_with("25,2.5,"), "{record}: {table} ends with the last step");
        }
    }
}

#[test]
fn stats_say_where_the_time_went() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let plain = bench.carom(&["run", "ball.ron"]);
    assert!(!stdout(&plain).contains("where the time went"));
    let output = bench.carom(&["run", "ball.ron", "--stats"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    for words in ["making the world", "2 bodies", "stepping", "1 events", "writing tables", "KiB", "drawing", "100.0 %"]
    {
        assert!(stdout(&output).contains(words), "{words} is not in\n{}", stdout(&output));
    }
    let summary: serde_json::Value = serde_json::from_str(&bench.read("output/ball/summary.json")).unwrap();
    let timing = |key: &str| summary["timing"][key].as_f64().unwrap_or_else(|| panic!("{key}"));
    let parts = ["making", "stepping", "writing", "drawing"].map(|part| timing(&format!("{part}_seconds")));
    assert!(parts.iter().all(|&seconds| seconds > 0.0), "{parts:?}");
    // The sum is exact except for the rounding of four additions of positive numbers.
    let sum: f64 = parts.iter().sum();
    assert!((sum - timing("wall_seconds")).abs() <= 4.0 * f64::EPSILON * sum);
    assert!((timing("impacts_per_second") - 1.0 / parts[1]).abs() <= 4.0 * f64::EPSILON / parts[1]);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--stats", "--quiet"])), 2);
}

#[test]
fn help_has_examples() {
    let bench = Bench::new();
    for arguments in [&["--help"][..], &["run", "--help"]] {
        let output = bench.carom(arguments);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Examples:"));
    }
    assert!(Path::new(env!("CARGO_BIN_EXE_carom")).exists());
}
