//! Runs that end early: a full disk, Ctrl-C, a kill; and how to continue them.

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::bench::{BALL, Bench, code, stderr, stdout, words};

/// The scenario `BALL`, as a run of several minutes.
fn endless() -> String {
    BALL.replace("0.1, duration: 2.5", "1e-6, duration: 600")
}

/// Checks that a message has a command alone on one line, so that a user can copy it.
fn assert_command(said: &str, command: &str) {
    assert!(said.lines().any(|line| line.trim() == command), "{said}");
    assert!(!said.contains("\\n"), "{said}");
}

/// Leaves a run of `ball.ron` in `bench` that was halted at 1.6 s.
fn halt(bench: &Bench) {
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet", "--until", "1.6"])), 0);
}

/// Starts a run of `ball.ron`, and returns when it has written a few rows.
fn begun(bench: &Bench, arguments: &[&str]) -> Child {
    let child = bench.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let table = bench.path("output/.ball.partial/trajectory.csv");
    let patience = Instant::now();
    while fs::metadata(&table).map_or(0, |found| found.len()) < 10_000 {
        assert!(patience.elapsed() < Duration::from_secs(20), "no run begins");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn a_run_beyond_the_limit_on_files_is_kept_and_goes_on() {
    let bench = Bench::new();
    bench.write("ball.ron", &BALL.replace("0.1, duration: 2.5", "0.0005, duration: 2.5"));
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet", "--output", "whole"])), 0);
    let limited = |arguments: &str| {
        // `ulimit -f` counts blocks of 512 bytes.
        let line = format!("ulimit -f 400; exec {} {arguments}", env!("CARGO_BIN_EXE_carom"));
        Command::new("sh").args(["-c", &line]).current_dir(bench.path("")).output().unwrap()
    };
    for arguments in ["run ball.ron", "run --resume output/ball"] {
        let output = limited(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments}: {output:?}");
        let said = stderr(&output);
        assert!(said.contains("cannot write") && said.contains("File too large"), "{said}");
        assert!(said.contains("what there is of the run is kept; make room for the rest; to go on:\n"), "{said}");
        assert_command(&said, "carom run --resume output/ball");
        assert!(!bench.path("output/ball").exists());
    }
    let output = bench.carom(&["run", "--resume", "output/ball"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!stdout(&output).contains("goes on from 0 s"), "{}", stdout(&output));
    for file in ["trajectory.csv", "events.csv", "recording.carom"] {
        let [found, wanted] = ["output", "whole"].map(|folder| fs::read(bench.path(folder).join("ball").join(file)));
        assert!(found.unwrap() == wanted.unwrap(), "{file} is another");
    }
}

#[cfg(unix)]
#[test]
fn a_limit_that_leaves_no_room_for_a_beginning_leaves_nothing() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let line = format!("ulimit -f 0; exec {} run ball.ron", env!("CARGO_BIN_EXE_carom"));
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(bench.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stderr(&output).contains("File too large"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(bench.path("output")).unwrap().count(), 0);
}

/// The run of `ball.ron` was halted with this exit code, and says how it goes on from there. Removes its results.
#[cfg(unix)]
fn check_goes_on(bench: &Bench, output: &Output, exit: i32) {
    assert_eq!(output.status.code(), Some(exit), "{output:?}");
    let said = stderr(output);
    assert!(said.starts_with("interrupted at 0.") && said.contains("carom run --resume output/ball\n"), "{said}");
    let time = said.split(' ').nth(2).unwrap();
    let output = bench.carom(&["run", "--resume", "output/ball", "--until", "0"]);
    assert_eq!(stdout(&output).lines().next(), Some(&*format!("ball: goes on from {time} s")), "{said}");
    fs::remove_dir_all(bench.path("output")).unwrap();
}

#[cfg(unix)]
#[test]
fn ctrl_c_halts_a_run_and_says_how_to_go_on() {
    let bench = Bench::new();
    bench.write("ball.ron", &endless());
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let child = begun(&bench, &["run", "ball.ron", "--quiet"]);
        assert!(Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        check_goes_on(&bench, &output, exit);
    }
    // Later scenarios in the list are not started.
    bench.write("other.ron", BALL);
    let child = begun(&bench, &["run", "ball.ron", "other.ron"]);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert!(!bench.path("output/other").exists());
}

#[test]
fn the_command_to_go_on_stays_on_one_line_however_long_it_is() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let place = ["a-folder", "with-a-long-name"].map(|part| part.repeat(6)).join("/");
    let run = |more: &[&str]| bench.carom(&[&["run", "ball.ron", "--output", &place], more].concat());
    assert_eq!(code(&run(&["--quiet", "--until", "1"])), 0);
    assert_command(&stderr(&run(&[])), &format!("carom run --resume {place}/ball"));
}

/// A ball between two walls with 10⁹ impacts in a step.
const FAST: &str = r#"Scenario(timestep: 1000, duration: 1000, impacts_max: 4000000000, record: (events: Counted),
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, velocity: (1e6, 0, 0)),
        (name: "left", shape: Plane(normal: (1, 0, 0), offset: -1)),
        (name: "right", shape: Plane(normal: (-1, 0, 0), offset: -1)),
    ])"#;

/// The step under way would take many minutes.
#[cfg(unix)]
#[test]
fn one_signal_ends_a_long_step() {
    let bench = Bench::new();
    bench.write("ball.ron", FAST);
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let child = bench.command(&["run", "ball.ron", "--quiet"]).stderr(Stdio::piped()).spawn().unwrap();
        let recording = bench.path("output/.ball.partial/recording.carom");
        let patience = Instant::now();
        while fs::metadata(&recording).map_or(0, |found| found.len()) == 0 {
            assert!(patience.elapsed() < Duration::from_secs(20), "no run begins");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(500));
        assert!(Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap().success());
        let asked = Instant::now();
        let output = child.wait_with_output().unwrap();
        // Two seconds, and some more for a machine with other work.
        assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
        check_goes_on(&bench, &output, exit);
    }
}

/// When there is no run left to halt, Ctrl-C ends the program at once.
#[cfg(unix)]
#[test]
fn ctrl_c_while_pictures_are_drawn_ends_it_and_resume_draws_them() {
    let bench = Bench::new();
    let plots = ["Path(plane: XZ), Height(axis: Z)", &", Energy".repeat(20)].concat();
    let [before, _] = BALL.split_once("    plots:").map(<[_; 2]>::from).unwrap();
    bench.write("ball.ron", &format!("{before}    plots: [{plots}])"));
    let mut child = bench.command(&["run", "ball.ron", "--quiet"]).stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now();
    while !bench.path("output/.ball.partial/energy.png").exists() {
        assert!(patience.elapsed() < Duration::from_secs(60), "nothing is drawn");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), None, "a signal has ended it");
    assert!(!bench.path("output/ball").exists() && !bench.path("output/.ball.partial/energy_20.svg").exists());
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/ball", "--quiet"])), 0);
    assert!(bench.path("output/ball/energy_20.png").exists());
}

#[test]
fn a_new_run_does_not_take_away_what_an_interrupted_one_has_left() {
    let bench = Bench::new();
    bench.write("ball.ron", &endless());
    let mut child = begun(&bench, &["run", "ball.ron", "--quiet"]);
    child.kill().unwrap();
    child.wait().unwrap();
    for until in [None, Some("1.6")] {
        if until.is_some() {
            assert_eq!(
                code(&bench.carom(&[
                    "run",
                    "ball.ron",
                    "--restart",
                    "--duration",
                    "2.5",
                    "--timestep",
                    "0.1",
                    "--quiet"
                ])),
                0
            );
            fs::remove_dir_all(bench.path("output")).unwrap();
            halt(&bench);
        }
        let table = bench.path("output/.ball.partial/trajectory.csv");
        let before = fs::read(&table).unwrap();
        let output = bench.carom(&["run", "ball.ron"]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains("an earlier run was interrupted") && said.contains("--restart begins anew"), "{said}");
        assert_command(&said, "carom run --resume output/ball");
        assert!(fs::read(&table).unwrap() == before, "the run that was interrupted is as it was");
    }
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--restart", "--quiet"])), 0);
    assert!(!bench.path("output/.ball.partial").exists() && bench.path("output/ball/summary.json").exists());
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0, "a finished run is replaced");
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/ball", "--restart"])), 2);
}

#[test]
fn a_halted_run_says_how_to_go_on_and_with_parquet_that_it_begins_anew() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let rows = [
        ("csv", "halted at 1 s; to go on: carom run --resume output/ball\n", "goes on from 1 s"),
        ("parquet", "halted at 1 s; Parquet tables cannot be continued; to begin anew: carom run", "goes on from 0 s"),
    ];
    for (format, wanted, then) in rows {
        let output = bench.carom(&["run", "ball.ron", "--until", "1", "--format", format]);
        assert!(stdout(&output).starts_with(wanted), "{}", stdout(&output));
        let refused = stderr(&bench.carom(&["run", "ball.ron"]));
        assert_eq!(refused.contains("--resume"), format == "csv", "{refused}");
        assert_eq!(refused.contains("Parquet tables cannot be continued"), format == "parquet", "{refused}");
        assert!(stdout(&bench.carom(&["run", "--resume", "output/ball"])).contains(then), "{format}");
    }
}

#[test]
fn a_run_is_not_made_shorter_than_it_is() {
    let bench = Bench::new();
    halt(&bench);
    let kept = || fs::read(bench.path("output/.ball.partial/recording.carom")).unwrap();
    let before = kept();
    for duration in ["1.5", "0.2"] {
        let output = bench.carom(&["run", "--resume", "output/ball", "--duration", duration]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        let said = words(&output);
        assert!(
            said.contains(&format!("the run has already reached 1.6 s, more than the new duration of {duration} s")),
            "{said}"
        );
        assert!(said.contains("give a longer --duration"), "{said}");
        assert!(kept() == before);
    }
    // Shorter than it was to be, but not than it is.
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/ball", "--duration", "2"])), 0);
    let files = bench.output_files("ball");
    let output = bench.carom(&["run", "--resume", "output/ball", "--duration", "1"]);
    assert_eq!((code(&output), bench.output_files("ball")), (2, files), "{}", stderr(&output));
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/ball", "--duration", "2"])), 0);
}

#[test]
fn what_another_version_has_left_is_kept_until_it_may_go() {
    let bench = Bench::new();
    halt(&bench);
    let recording = bench.path("output/.ball.partial/recording.carom");
    let mut bytes = fs::read(&recording).unwrap();
    // The version of the format is at byte 8.
    bytes[8] = 1;
    fs::write(&recording, &bytes).unwrap();
    for (arguments, exit, words) in
        [("run ball.ron", 3, "--restart"), ("run --resume output/ball", 2, "is a recording of format 1")]
    {
        let output = bench.carom(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(code(&output), exit, "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments}: {}", stderr(&output));
        assert!(fs::read(&recording).unwrap() == bytes, "{arguments}");
    }
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--restart", "--quiet"])), 0);
}

#[test]
fn a_run_goes_on_from_within_its_folder() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    let mut command = bench.command(&["run", "--resume", ".", "--duration", "2.8"]);
    let output = command.current_dir(bench.path("output/ball")).output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).starts_with("ball: goes on from 2.5 s\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("2.8 s in 28 steps"), "{}", stdout(&output));
    assert_eq!(fs::read_dir(bench.path("output")).unwrap().count(), 1);
    assert_eq!(code(&bench.carom(&["replay", "output/ball/recording.carom"])), 0);
    let mut command = bench.command(&["run", "--resume", "/"]);
    assert_eq!(code(&command.output().unwrap()), 3);
}

#[test]
fn nothing_is_written_outside_the_output_folder() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("inner/output")).unwrap();
    for name in ["..ron", "...ron"] {
        bench.write(&format!("inner/{name}"), BALL);
        let mut command = bench.command(&["run", name]);
        let output = command.current_dir(bench.path("inner")).output().unwrap();
        assert_eq!(code(&output), 2, "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("give the file another"), "{name}: {}", stderr(&output));
    }
    let count = |folder: &str| fs::read_dir(bench.path(folder)).unwrap().count();
    assert_eq!([count(""), count("inner"), count("inner/output")], [1, 3, 0]);
}

#[test]
fn a_changed_copy_of_the_scenario_is_noticed_and_a_missing_one_is_written_again() {
    let bench = Bench::new();
    halt(&bench);
    let copy = "output/.ball.partial/scenario.ron";
    bench.write(copy, &BALL.replace("-10", "-9"));
    let output = bench.carom(&["run", "--resume", "output/ball"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let said = words(&output);
    assert!(said.contains(&format!("{copy} was changed after the run began")), "{said}");
    fs::remove_file(bench.path(copy)).unwrap();
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/ball", "--quiet"])), 0);
    assert_eq!(bench.read("output/ball/scenario.ron"), BALL);
    assert_eq!(code(&bench.carom(&["plot", "output/ball"])), 0);
    // A file without permission to read is a different error.
    #[cfg(unix)]
    {
        fs::remove_file(bench.path("output/ball/scenario.ron")).unwrap();
        std::os::unix::fs::symlink("scenario.ron", bench.path("output/ball/scenario.ron")).unwrap();
        let output = bench.carom(&["run", "--resume", "output/ball", "--duration", "3"]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains("scenario.ron cannot be read"), "{}", stderr(&output));
        fs::remove_file(bench.path("output/ball/scenario.ron")).unwrap();
    }
    // A changed copy is also detected when a finished run is extended, and the run stays unchanged.
    bench.write("output/ball/scenario.ron", "(timestep: 1, duration: 1)");
    let output = bench.carom(&["run", "--resume", "output/ball", "--duration", "3"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("output/ball/scenario.ron was changed"), "{}", stderr(&output));
    assert!(!bench.path("output/.ball.partial").exists());
}

#[test]
fn rates_are_those_of_the_steps_that_were_taken() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    let output = bench.carom(&["run", "--resume", "output/ball", "--stats"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains(" s: stepping 0.000 s at 0 impacts/s") && !said.contains("inf"), "{said}");
    let summary: serde_json::Value = serde_json::from_str(&bench.read("output/ball/summary.json")).unwrap();
    assert_eq!(summary["timing"]["impacts_per_second"], 0.0);
    assert_eq!(summary["events"]["impact"], 1);
}
