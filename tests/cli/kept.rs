//! Files of the user stay as they are, and what is printed can be copied.

use std::fs;

use super::bench::{BALL, Bench, code, stderr, stdout, words};

const MINE: &str = "something of the user's own\n";

#[test]
fn exports_and_films_replace_a_file_only_if_it_is_named() {
    let bench = Bench::of_ball();
    let small = ["--quiet", "--to"];
    for (command, format, file) in
        [("export", "xyz", "ball.xyz"), ("export", "gltf", "ball.glb"), ("film", "gif", "ball.gif")]
    {
        let arguments = [&[command, "output/ball"][..], &small, &[format]].concat();
        bench.write(file, MINE);
        let output = bench.carom(&arguments);
        assert_eq!((code(&output), bench.read(file)), (3, MINE.to_owned()), "{file}");
        assert!(words(&output).contains(&format!("{file} is there already: name it with --output {file}")));
        let output = bench.carom(&[&arguments[..], &["--output", file]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(fs::read(bench.path(file)).unwrap() != MINE.as_bytes(), "{file}");
    }
    for file in ["ball.ron", "output/ball/recording.carom", "output/ball/events.csv"] {
        let before = fs::read(bench.path(file)).unwrap();
        for (command, format) in [("export", "xyz"), ("film", "gif")] {
            let output = bench.carom(&[&[command, "output/ball"][..], &small, &[format, "--output", file]].concat());
            assert_eq!(code(&output), 2, "{file}");
            assert!(stderr(&output).contains("has the ending of a scenario or of the files of a run"));
            assert!(fs::read(bench.path(file)).unwrap() == before, "{file}");
        }
    }
}

#[test]
fn a_page_that_is_not_of_carom_stays() {
    let bench = Bench::of_ball();
    let page = "output/ball/report.html";
    bench.write(page, MINE);
    let output = bench.carom(&["report", "output/ball"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("report.html is in the way and is no page of carom"), "{}", stderr(&output));
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    assert_eq!(bench.read(page), MINE);
    fs::remove_file(bench.path(page)).unwrap();
    assert_eq!(code(&bench.carom(&["report", "output/ball"])), 0);
    assert_eq!(code(&bench.carom(&["report", "output/ball"])), 0, "its own page is replaced");
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    assert!(!bench.path(page).exists(), "and goes with the run that it shows");
}

#[cfg(unix)]
#[test]
fn results_follow_a_link() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    for folder in ["scratch/ball", "output"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    std::os::unix::fs::symlink("../scratch/ball", bench.path("output/ball")).unwrap();
    for arguments in [&["--until", "1"][..], &["--restart"], &[]] {
        let output = bench.carom(&[&["run", "ball.ron", "--quiet"], arguments].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        if bench.path("scratch/ball/summary.json").exists() {
            bench.write("scratch/ball/notes.txt", MINE);
        }
    }
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/ball", "--duration", "2.8", "--quiet"])), 0);
    assert!(fs::symlink_metadata(bench.path("output/ball")).unwrap().is_symlink());
    assert!(bench.path("scratch/ball/summary.json").exists());
    assert_eq!(bench.read("scratch/ball/notes.txt"), MINE);
    fs::remove_dir_all(bench.path("scratch")).unwrap();
    let output = bench.carom(&["run", "ball.ron", "--quiet"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("cannot follow the link"), "{}", stderr(&output));
}

#[test]
fn the_folder_in_the_making_stands_for_the_run() {
    let bench = Bench::new();
    bench.write("my ball.ron", BALL);
    let output = bench.carom(&["run", "my ball.ron", "--until", "1"]);
    assert_eq!(code(&output), 0);
    let command = "carom run --resume 'output/my ball'";
    assert!(stdout(&output).contains(command), "{}", stdout(&output));
    for arguments in
        [&["plot"][..], &["export", "--to", "xyz"], &["film", "--to", "gif"], &["report"], &["diff", "output/my ball"]]
    {
        let output = bench.carom(&[arguments, &["output/my ball"]].concat());
        assert!(stderr(&output).contains("has not come to its end"), "{arguments:?}: {}", stderr(&output));
        let output = bench.carom(&[arguments, &["output/other"]].concat());
        assert!(code(&output) == 3 || arguments[0] == "diff", "{arguments:?}: {}", stderr(&output));
    }
    let output = bench.carom(&["replay", "output/my ball/recording.carom"]);
    assert!(stderr(&output).contains("has not come to its end"), "{}", stderr(&output));
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/.my ball.partial", "--quiet"])), 0);
    assert!(bench.path("output/my ball/summary.json").exists() && !bench.path("output/.my ball.partial").exists());
}

#[test]
fn what_lies_beyond_the_end_of_a_run_is_refused() {
    let bench = Bench::of_ball();
    let refused = |arguments: &[&str], wanted: &str| {
        let output = bench.carom(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(words(&output).contains(wanted), "{}", stderr(&output));
    };
    refused(&["plot", "output/ball", "--time", "5,6"], "the run ends at 2.5 s, and --time begins at 5 s");
    refused(
        &["replay", "output/ball/recording.carom", "--from", "99"],
        "the recording ends at 2.5 s, before 99 s, where the replay is to begin (--from)",
    );
    refused(&["plot", "output/ball", "--log", "x", "--only", "path_xz"], "path_xz: drawn to scale");
    let head = bench.read("output/ball/trajectory.csv").lines().next().unwrap().to_owned() + "\n";
    bench.write("a.csv", &head);
    refused(&["bisect", "a.csv", "a.csv"], "the tables have no rows, so there is nothing to compare");
}

#[test]
fn a_body_that_is_too_fast_is_shown_in_its_file() {
    let bench = Bench::new();
    bench.write("fast.ron", &BALL.replace("mass: 1", "mass: 1, velocity: (1e60, 0, 0)"));
    let output = bench.carom(&["check", "fast.ron"]);
    assert_eq!(code(&output), 2, "{BALL}");
    let said = stderr(&output);
    assert!(said.contains("fast.ron:") && said.contains(".velocity: `ball` is too fast"), "{said}");
}

#[test]
fn words_of_a_sweep_are_checked_before_it_begins() {
    let bench = Bench::new();
    bench.write(
        "ball.ron",
        &BALL
            .replace("mass: 1", "mass: 1, material: \"soft\"")
            .replace("bodies:", "materials: {\"soft\": (restitution: 0.5), \"hard\": (restitution: 1)},\n bodies:"),
    );
    let sweep = |values: &str| {
        let vary = format!("{{\"bodies.ball.material\": List([{values}])}}");
        bench.write(
            "s.ron",
            &format!("Sweep(base: \"ball.ron\", vary: {vary}, collect: {{\"z\": Final(body: \"ball\", quantity: Z)}})"),
        );
        bench.carom(&["sweep", "s.ron", "--quiet"])
    };
    let right = sweep("\"soft\", \"hard\"");
    assert_eq!(code(&right), 0, "{}", stderr(&right));
    for values in ["\"soft\", \"herd\"", "\"herd\", \"soft\""] {
        let wrong = sweep(values);
        assert_eq!(code(&wrong), 2, "{values}");
        assert!(stderr(&wrong).contains("did you mean"), "{}", stderr(&wrong));
    }
    let output = bench.carom(&["run", "s.ron"]);
    assert!(words(&output).contains("(carom sweep runs sweeps)"), "{}", stderr(&output));
}

#[test]
fn files_of_the_user_with_the_names_of_a_run_stay() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let run = |arguments: &[&str]| bench.carom(&[&["run", "ball.ron", "--quiet"], arguments].concat());
    let refused = |file: &str, obstacle: &str| {
        bench.write(file, MINE);
        for arguments in [&[][..], &["--restart"]] {
            let output = run(arguments);
            assert_eq!((code(&output), bench.read(file)), (3, MINE.to_owned()), "{}", stderr(&output));
            let wanted = format!("{obstacle} is in the way and was not written by carom");
            assert!(words(&output).contains(&wanted), "{}", stderr(&output));
        }
    };
    let partial = "output/.ball.partial";
    fs::create_dir_all(bench.path(partial)).unwrap();
    refused(&format!("{partial}/events.csv"), partial);
    fs::remove_dir_all(bench.path(partial)).unwrap();
    let binary = ["--format", "parquet"];
    assert_eq!(code(&run(&binary)), 0);
    refused("output/ball/events.csv", "output/ball/events.csv");
    assert_eq!(code(&run(&binary)), 0);
    assert_eq!(bench.read("output/ball/events.csv"), MINE);
}

#[test]
fn a_run_of_another_version_is_not_changed() {
    let bench = Bench::of_ball();
    let summary = bench.read("output/ball/summary.json").replace("\"schema\": 5", "\"schema\": 6");
    bench.write("output/ball/summary.json", &summary);
    let before = bench.output_files("ball");
    for arguments in [&["plot", "output/ball"][..], &["run", "--resume", "output/ball", "--duration", "3"]] {
        let output = bench.carom(arguments);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(words(&output).contains("is of format 6; this carom reads format 5"), "{}", stderr(&output));
        assert_eq!(
            (bench.output_files("ball"), bench.read("output/ball/summary.json")),
            (before.clone(), summary.clone())
        );
    }
}
