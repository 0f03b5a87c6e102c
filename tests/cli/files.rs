//! Paths to something that is not a file.

#![cfg(unix)]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use super::bench::{BALL, Bench, stderr};

/// A bench with a run of `ball.ron`, a pipe and a folder.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert!(bench.carom(&["run", "ball.ron", "--quiet"]).status.success());
    pipe(&bench, "pipe");
    pipe(&bench, "pipe.obj");
    fs::create_dir(bench.path("folder")).unwrap();
    bench.write("mesh.ron", "(timestep: 1, duration: 1, bodies: [(shape: Mesh(file: \"pipe.obj\"))])");
    bench
}

fn pipe(bench: &Bench, name: &str) {
    assert!(Command::new("mkfifo").arg(bench.path(name)).status().unwrap().success());
}

/// The exit code and the message of a command, which must end within a short time.
fn outcome(bench: &Bench, arguments: &str) -> (i32, String) {
    let mut command = bench.command(&arguments.split(' ').collect::<Vec<_>>());
    let mut child = command.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::null()).spawn().unwrap();
    let patience = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if patience.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("{arguments} waits");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), stderr(&output))
}

#[test]
fn a_pipe_or_a_folder_in_place_of_a_file_is_refused() {
    let bench = bench();
    let recording = "output/ball/recording.carom";
    let rows = [
        ("run pipe".to_owned(), 2, "pipe is a device or a pipe, not a file"),
        ("check pipe".to_owned(), 2, "pipe is a device or a pipe, not a file"),
        ("check mesh.ron".to_owned(), 2, "`pipe.obj` is a device or a pipe, not a file"),
        ("query pipe --nearest 0,0,0".to_owned(), 2, "pipe is a device or a pipe, not a file"),
        ("query ball.ron --polytope pipe".to_owned(), 2, "pipe is a device or a pipe, not a file"),
        ("replay pipe".to_owned(), 2, "pipe is a device or a pipe, not a recording"),
        ("replay output/ball".to_owned(), 2, "output/ball is a folder, not a recording"),
        (format!("replay {recording} --against pipe"), 2, "pipe is a device or a pipe, not a recording"),
        (format!("bisect pipe {recording}"), 2, "pipe is a device or a pipe, not a recording"),
        (format!("bisect {recording} folder"), 2, "folder is a folder, not a recording"),
        ("plot pipe".to_owned(), 3, "Not a directory"),
        ("list pipe".to_owned(), 3, "Not a directory"),
        ("run ball.ron --output pipe".to_owned(), 3, "pipe"),
        ("run --resume pipe".to_owned(), 3, "there is neither a run in pipe nor an interrupted one beside it"),
        ("new pipe.ron".to_owned(), 0, ""),
        ("new pipe.obj".to_owned(), 2, "ends in .ron"),
    ];
    for (arguments, code, words) in rows {
        let (found, said) = outcome(&bench, &arguments);
        assert_eq!(found, code, "{arguments}: {said}");
        assert!(said.contains(words), "{arguments}: {said}");
    }
}

/// Reading it would have no end.
#[test]
fn a_summary_that_is_no_file_or_has_no_end_is_refused() {
    let bench = bench();
    let summary = bench.path("output/ball/summary.json");
    fs::remove_file(&summary).unwrap();
    pipe(&bench, "output/ball/summary.json");
    let check = |what: &str| {
        for command in ["report output/ball", "compare output/ball output/ball", "run ball.ron"] {
            let (code, said) = outcome(&bench, command);
            assert_eq!(code, 3, "{command}: {said}");
            assert!(said.contains(what) || command.starts_with("run"), "{command}: {said}");
        }
    };
    check("is a device or a pipe");
    fs::remove_file(&summary).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &summary).unwrap();
    check("is a device or a pipe");
    fs::remove_file(&summary).unwrap();
    fs::File::create(&summary).unwrap().set_len(1 << 40).unwrap();
    check("larger than it may be");
}

#[test]
fn a_pipe_among_the_results_is_refused_or_replaced() {
    let bench = bench();
    for table in ["trajectory.csv", "energy.csv", "recording.carom", "scenario.ron"] {
        fs::remove_file(bench.path(&format!("output/ball/{table}"))).unwrap();
        pipe(&bench, &format!("output/ball/{table}"));
        // The title comes from the recording, if there is one.
        let (code, said) = outcome(&bench, "plot output/ball");
        assert!(if table == "recording.carom" { code == 3 } else { code == 2 || code == 3 }, "{table}: {code} {said}");
        assert!(said.contains("is a device or a pipe, not a file"), "{table}: {said}");
    }
    assert_eq!(outcome(&bench, "run ball.ron --quiet"), (0, String::new()));
    fs::create_dir(bench.path("output/.ball.partial")).unwrap();
    pipe(&bench, "output/.ball.partial/.lock");
    let (code, said) = outcome(&bench, "run ball.ron");
    assert_eq!(code, 3, "{said}");
    assert!(said.contains(".lock is in the way and was not written by carom"), "{said}");
}

#[test]
fn what_the_system_says_is_said_once() {
    let bench = bench();
    fs::remove_file(bench.path("output/ball/energy.csv")).unwrap();
    let commands = [
        "run missing.ron",
        "check missing.ron",
        "query missing.ron --nearest 0,0,0",
        "query ball.ron --polytope missing.ron",
        "replay missing.carom",
        "bisect missing.carom missing.carom",
        "plot output/ball",
        "list missing",
        "new missing/my.ron",
        "run ball.ron --output ball.ron",
    ];
    for arguments in commands {
        let (code, said) = outcome(&bench, arguments);
        assert_eq!(code, 3, "{arguments}: {said}");
        assert_eq!(said.matches("os error").count(), 1, "{arguments}: {said}");
    }
}

#[test]
fn a_link_in_place_of_the_folder_in_the_making_leads_nowhere() {
    let bench = bench();
    bench.write("folder/trajectory.csv", "mine");
    std::os::unix::fs::symlink(bench.path("folder"), bench.path("output/.ball.partial")).unwrap();
    let (code, said) = outcome(&bench, "run ball.ron");
    assert_eq!(code, 3, "{said}");
    assert!(said.contains(".ball.partial is in the way"), "{said}");
    assert_eq!(bench.read("folder/trajectory.csv"), "mine");
    assert_eq!(fs::read_dir(bench.path("folder")).unwrap().count(), 1);
}

/// What each of these commands writes goes over a regular file, or where a link leads to, and over nothing else.
#[test]
fn nothing_but_a_regular_file_is_replaced() {
    let bench = bench();
    pipe(&bench, "pipe.html");
    fs::create_dir(bench.path("folder.html")).unwrap();
    bench.write("target.html", "old");
    bench.write("fixed.html", "old");
    let mut permissions = fs::metadata(bench.path("fixed.html")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(bench.path("fixed.html"), permissions).unwrap();
    std::os::unix::fs::symlink("target.html", bench.path("link.html")).unwrap();
    std::os::unix::fs::symlink("missing", bench.path("astray.html")).unwrap();
    std::os::unix::fs::symlink("pipe.html", bench.path("link_to_pipe.html")).unwrap();
    let kind = |name: &str| fs::symlink_metadata(bench.path(name)).map(|found| found.file_type()).unwrap();
    let commands = [
        "export output/ball --to xyz --output",
        "export output/ball --to gltf --output",
        "report output/ball --output",
        "report --playground ball.ron --output",
    ];
    for command in commands {
        for (name, why) in [
            ("pipe.html", "it is a device or a pipe"),
            ("link_to_pipe.html", "it is a device or a pipe"),
            ("folder.html", "is a folder"),
            ("fixed.html", "it is write-protected"),
            ("astray.html", "it is a link that leads nowhere"),
        ] {
            let before = kind(name);
            let (code, said) = outcome(&bench, &format!("{command} {name}"));
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(code, 3, "{command} {name}: {said}");
            assert!(said.contains(why), "{command} {name}: {said}");
            assert_eq!(kind(name), before, "{command} {name}");
        }
        assert_eq!(outcome(&bench, &format!("{command} link.html")).0, 0, "{command}");
        assert!(kind("link.html").is_symlink() && fs::read(bench.path("target.html")).unwrap() != b"old", "{command}");
        bench.write("target.html", "old");
    }
    assert_eq!(bench.read("fixed.html"), "old");
    assert_eq!(fs::read_dir(bench.path("folder.html")).unwrap().count(), 0);
}
