//! What remains when a process is killed, a result is damaged, or the disk is full.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::bench::{BALL, Bench, code, stderr, words};
use super::merging::{SWEEP, bench, products, succeeds};

/// The result files, sorted.
fn results(bench: &Bench, folder: &str) -> Vec<PathBuf> {
    let Ok(folders) = fs::read_dir(bench.path(folder).join("members")) else { return Vec::new() };
    let folders = folders.map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| !file.to_string_lossy().ends_with(".new")).collect();
    files.sort();
    files
}

/// The sweep with thousands of bounces and steps in each member, so that each process runs for some time.
fn long(seconds: u32) -> String {
    let title = format!("set: {{ \"duration\": {seconds} }}, title");
    SWEEP.replace("[0.25, 0.5]", "[0.9995, 0.9999]").replace("title", &title)
}

#[test]
fn a_process_may_be_killed_at_any_moment() {
    let bench = bench();
    bench.write("s.ron", &long(2000));
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    let wanted = products(&bench, "output/s");
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let (mut alive, mut kills) = (0, 0);
    while kills < 50 {
        let mut process = bench.command(&["sweep", "s.ron", "--output", "killed", "--quiet"]).spawn().unwrap();
        sleep(Duration::from_micros(random.random_range(0..60_000)));
        alive += usize::from(process.try_wait().unwrap().is_none());
        process.kill().unwrap();
        process.wait().unwrap();
        kills += 1;
        // If the sweep has finished, most of its results are deleted, so that the next process has work to do.
        if bench.path("killed/table.csv").exists() {
            let files = results(&bench, "killed");
            files.iter().filter(|_| random.random_bool(0.9)).for_each(|file| fs::remove_file(file).unwrap());
            fs::remove_file(bench.path("killed/table.csv")).unwrap();
        }
    }
    assert!(alive >= 25, "only {alive} of {kills} processes were killed at their work");
    succeeds(&bench, &["sweep", "s.ron", "--output", "killed", "--quiet"]);
    assert_eq!(products(&bench, "killed"), wanted);
}

#[test]
fn a_damaged_result_is_told_by_the_merge_and_made_again_by_the_sweep() {
    let bench = bench();
    succeeds(&bench, &["sweep", "s.ron"]);
    let wanted = products(&bench, "output/s");
    let files = results(&bench, "output/s");
    let mut bytes = fs::read(&files[0]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&files[0], bytes).unwrap();
    fs::write(&files[1], "").unwrap();
    fs::copy(&files[2], &files[3]).unwrap();
    fs::remove_file(&files[4]).unwrap();
    let output = bench.carom(&["sweep", "merge", "output/s"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let said = words(&output);
    assert!(said.contains("4 members of 42 have no result: member "), "{said}");
    assert_eq!(said.matches(", damaged").count(), 3, "{said}");
    assert!(said.contains("bodies.ball.position.z = "), "{said}");
    assert_eq!(products(&bench, "output/s"), wanted, "nothing is written over what there is");
    let output = bench.carom(&["sweep", "merge", "output/s", "--partial", "--output", "partial"]);
    assert_eq!(code(&output), 1);
    assert_eq!(bench.read("partial/table.csv").matches(",lost,").count(), 4);
    let output = bench.carom(&["sweep", "s.ron"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("3 results were damaged: run again"), "{}", stderr(&output));
    assert_eq!(products(&bench, "output/s"), wanted);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_what_there_is_goes_on() {
    let bench = bench();
    succeeds(&bench, &["sweep", "s.ron"]);
    let limited = |blocks: &str| {
        let line = format!("ulimit -f {blocks}; exec {} sweep s.ron --output full", env!("CARGO_BIN_EXE_carom"));
        Command::new("sh").args(["-c", &line]).current_dir(bench.path("")).output().unwrap()
    };
    // First there is no room for a result; then there is room for results but not for the table.
    for (blocks, are_there) in [("0", false), ("3", true)] {
        let output = limited(blocks);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(words(&output).contains("cannot write"), "{}", stderr(&output));
        assert!(words(&output).contains("run the same command again to go on"), "{}", stderr(&output));
        assert_eq!(!results(&bench, "full").is_empty(), are_there);
        assert!(!bench.path("full/table.csv").exists());
    }
    succeeds(&bench, &["sweep", "s.ron", "--output", "full"]);
    assert_eq!(products(&bench, "full"), products(&bench, "output/s"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_after_the_members_that_run() {
    let bench = bench();
    bench.write("s.ron", &long(5_000));
    let process =
        bench.command(&["sweep", "s.ron", "--jobs", "1"]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while results(&bench, "output/s").is_empty() {
        sleep(Duration::from_millis(1));
    }
    let status = Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
    assert!(status.success());
    let output = process.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    assert!(stderr(&output).contains("of 42 members done; the same command goes on"), "{}", stderr(&output));
    assert!(!bench.path("output/s/table.csv").exists());
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    succeeds(&bench, &["sweep", "s.ron", "--quiet", "--output", "whole"]);
    assert_eq!(products(&bench, "output/s"), products(&bench, "whole"));
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let bench = bench();
    fs::create_dir(bench.path("mine")).unwrap();
    bench.write("mine/notes.txt", "mine");
    let output = bench.carom(&["sweep", "s.ron", "--output", "mine"]);
    assert_eq!(code(&output), 3);
    assert!(words(&output).contains("is in the way and was not written by a sweep"), "{}", stderr(&output));
    let output = bench.carom(&["sweep", "merge", "mine"]);
    assert_eq!(code(&output), 2);
    assert!(words(&output).contains("there is no sweep in mine"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(bench.path("mine")).unwrap().count(), 1);
    succeeds(&bench, &["sweep", "s.ron"]);
    bench.write("s.ron", &SWEEP.replace("count: 21", "count: 3"));
    succeeds(&bench, &["sweep", "s.ron", "--output", "other"]);
    let output = bench.carom(&["sweep", "merge", "output/s", "other"]);
    assert_eq!(code(&output), 2);
    assert!(words(&output).contains("are of different sweeps"), "{}", stderr(&output));
}

#[test]
fn a_part_is_from_one_to_their_number() {
    let bench = bench();
    for shard in ["0/7", "8/7", "1", "a/b", "1/0"] {
        let output = bench.carom(&["sweep", "s.ron", "--shard", shard]);
        assert_eq!(code(&output), 2, "{shard}");
        assert!(stderr(&output).contains("I from 1 to N"), "{}", stderr(&output));
    }
}

/// The tasks of an array begin at the same moment, in a folder that none of them has made yet.
#[test]
fn shards_may_begin_at_the_same_moment() {
    let bench = bench();
    bench.write("ball.ron", BALL);
    // No result is collected, so nothing is drawn.
    bench.write("few.ron", "Sweep(base: \"ball.ron\", vary: { \"bodies.ball.mass\": List([1, 2, 3, 4]) })");
    for round in 0..30 {
        let folder = format!("array/{round}");
        let tasks = (1..=4).map(|number| {
            let shard = format!("{number}/4");
            bench.command(&["sweep", "few.ron", "--shard", &shard, "--output", &folder, "--quiet"]).spawn().unwrap()
        });
        for mut task in tasks.collect::<Vec<_>>() {
            assert_eq!(task.wait().unwrap().code(), Some(0), "round {round}");
        }
        assert!(bench.path(&folder).join("sweep.ron").is_file());
    }
}

#[test]
fn what_killed_processes_have_left_is_swept_up_when_it_is_old() {
    let bench = bench();
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    let members = results(&bench, "output/s")[0].parent().unwrap().to_owned();
    let left = |folder: &Path, name: &str, age: u64| {
        let file = fs::File::create(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        folder.join(name)
    };
    let old = [left(&members, ".77.0.new", 90_000), left(&bench.path("output/s"), ".77.1.new", 90_000)];
    let others = [left(&members, ".78.0.new", 10), left(&bench.path("output/s"), "notes.new", 90_000)];
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    assert!(old.iter().all(|file| !file.exists()));
    assert!(others.iter().all(|file| file.exists()));
}

#[test]
fn files_of_the_user_with_the_names_of_a_sweep_stay() {
    let bench = bench();
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    for name in ["sweep.ron", "base.ron", "table.csv", "summary.json", "bounces.svg"] {
        fs::create_dir(bench.path("mine")).unwrap();
        let file = bench.write(&format!("mine/{name}"), "mine");
        for arguments in [&["sweep", "s.ron"][..], &["sweep", "merge", "output/s"]] {
            let output = bench.carom(&[arguments, &["--output", "mine"]].concat());
            assert_eq!(code(&output), 3, "{arguments:?} {name}: {}", stderr(&output));
            assert!(
                words(&output).contains("mine is in the way and was not written by a sweep"),
                "{}",
                stderr(&output)
            );
            assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        }
        fs::remove_dir_all(bench.path("mine")).unwrap();
    }
    for _ in 0..2 {
        succeeds(&bench, &["sweep", "merge", "output/s", "--output", "all"]);
    }
    assert_eq!(products(&bench, "all"), products(&bench, "output/s"));
}
