//! Results of earlier runs: nothing is deleted without a request, and links in them are not followed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::bench::{BALL, Bench, code, stderr, stdout, words};

/// The files of a folder, without the lock.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| name != ".lock").collect()
}

#[test]
fn a_run_that_cannot_be_read_is_kept_until_it_may_go() {
    // Each row: the message, the byte of the recording that is changed, and the length to which the recording is cut.
    let rows = [
        ("is damaged in frame 0", Some(40), None),
        ("its first bytes are different", Some(0), None),
        ("it was cut short", None, Some(100)),
        ("its first bytes are different", None, Some(3)),
    ];
    for (wanted, changed, length) in rows {
        let bench = Bench::new();
        bench.write("ball.ron", BALL);
        assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet", "--until", "1.6"])), 0);
        let partial = bench.path("output/.ball.partial");
        let mut bytes = fs::read(partial.join("recording.carom")).unwrap();
        changed.into_iter().for_each(|at: usize| bytes[at] ^= 1);
        bytes.truncate(length.unwrap_or(bytes.len()));
        fs::write(partial.join("recording.carom"), &bytes).unwrap();
        let before = files(&partial);
        let output = bench.carom(&["run", "--resume", "output/ball"]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        let said = words(&output);
        assert!(said.contains(wanted), "{wanted}: {said}");
        assert!(files(&partial) == before, "{wanted}");
        let output = bench.carom(&["run", "ball.ron"]);
        assert_eq!(code(&output), 3);
        assert!(stderr(&output).contains("an earlier run was interrupted"), "{}", stderr(&output));
        assert!(stderr(&output).contains("--restart") && !stderr(&output).contains("--resume"), "{}", stderr(&output));
        assert!(files(&partial) == before, "{wanted}");
        assert_eq!(code(&bench.carom(&["run", "ball.ron", "--restart", "--quiet"])), 0);
        assert!(!partial.exists());
    }
}

#[cfg(unix)]
#[test]
fn a_copy_that_breaks_off_does_not_stand_for_the_finished_run() {
    let bench = Bench::new();
    bench.write("ball.ron", &BALL.replace("0.1, duration: 2.5", "0.0005, duration: 2.5"));
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    fs::create_dir(bench.path("output/ball/notes")).unwrap();
    bench.write("output/ball/notes/mine.txt", "mine");
    let pipe = bench.path("output/ball/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // `ulimit -f` counts blocks of 512 bytes.
    let line = format!("ulimit -f 400; exec {} run --resume output/ball --duration 3", env!("CARGO_BIN_EXE_carom"));
    let output = std::process::Command::new("sh").args(["-c", &line]).current_dir(bench.path("")).output().unwrap();
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot copy output/ball"), "{}", stderr(&output));
    assert!(!bench.path("output/.ball.partial").exists());
    // The state after a copy was killed: an empty recording and incomplete files.
    fs::create_dir_all(bench.path("output/.ball.partial/notes")).unwrap();
    bench.write("output/.ball.partial/trajectory.csv", "step,ti");
    bench.write("output/.ball.partial/recording.carom", "");
    bench.write("output/.ball.partial/notes/mine.txt", "mi");
    let output = bench.carom(&["run", "--resume", "output/ball", "--duration", "2.6"]);
    assert!(stdout(&output).contains("goes on from 2.5 s"), "{} {}", stdout(&output), stderr(&output));
    assert_eq!(bench.read("output/ball/notes/mine.txt"), "mine");
    assert!(pipe.exists());
    assert_eq!(fs::read_dir(bench.path("output")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_among_what_a_run_has_left_leads_nowhere() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet", "--until", "1.6"])), 0);
    bench.write("mine", "mine");
    let link = |name: &str| {
        let link = bench.path("output/.ball.partial").join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(bench.path("mine"), link).unwrap();
    };
    link(".lock");
    for arguments in [["run", "ball.ron"], ["run", "--resume=output/ball"]] {
        let output = bench.carom(&arguments);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains(".lock is in the way"), "{}", stderr(&output));
        assert_eq!(bench.read("mine"), "mine");
    }
    fs::remove_file(bench.path("output/.ball.partial/.lock")).unwrap();
    ["recording.carom.new", "summary.json.new", "scenario.ron.new"].into_iter().for_each(link);
    fs::remove_file(bench.path("output/.ball.partial/scenario.ron")).unwrap();
    let output = bench.carom(&["run", "--resume", "output/ball", "--quiet"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(bench.read("mine"), "mine");
    assert_eq!(code(&bench.carom(&["replay", "output/ball/recording.carom", "--quiet"])), 0);
}

/// The new results are in place even if the earlier ones cannot be removed. These are named, also to the next run.
#[cfg(target_os = "linux")]
#[test]
fn earlier_results_that_cannot_be_removed_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    let aside = bench.path("output/.ball.previous");
    let permit = |folder: &Path, mode| fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    permit(&bench.path("output/ball"), 0o555);
    let output = bench.carom(&["run", "ball.ron", "--quiet", "--duration", "2.6"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(bench.read("output/ball/summary.json").contains("\"reached\": 2.6"));
    let known = "cannot remove the earlier results in output/.ball.previous: ";
    // The superuser may remove anything.
    if aside.exists() {
        let said = words(&output);
        assert!(said.contains("the results are in output/ball, but the next run is refused") && said.contains(known));
        permit(&aside, 0o755);
        fs::remove_dir_all(&aside).unwrap();
    }
    fs::write(&aside, "not a folder").unwrap();
    let output = bench.carom(&["run", "ball.ron", "--quiet"]);
    assert!(code(&output) == 3 && words(&output).contains(known), "{}", stderr(&output));
}
