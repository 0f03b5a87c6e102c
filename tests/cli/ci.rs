//! The action that replays recordings on GitHub: its script is run as that host runs it.

use std::fs;
use std::process::Command;

use super::bench::{BALL, Bench, code, printed};

/// The script of the last step in `action.yml`.
fn script() -> String {
    let action = fs::read_to_string("action.yml").unwrap();
    let lines = action.rsplit_once("run: |\n").unwrap().1.lines();
    lines.map(|line| line.strip_prefix("        ").unwrap_or(line).to_owned() + "\n").collect()
}

#[test]
fn the_action_fails_if_a_recording_differs_or_is_missing() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet", "--no-pictures"])), 0);
    let recording = fs::read(bench.path("output/ball/recording.carom")).unwrap();
    for name in ["a.carom", "b.carom"] {
        fs::write(bench.path(name), &recording).unwrap();
    }
    fs::write(bench.path("damaged"), &recording[..recording.len() / 2]).unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_carom")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    for (recordings, wanted) in [
        ("*.carom", 0),
        ("a.carom b.carom", 0),
        ("a.carom damaged b.carom", 1),
        ("a.carom missing.carom", 1),
        ("*.none", 2),
        ("", 2),
    ] {
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script()]).current_dir(bench.path(""));
        let output = bash.env("PATH", &path).env("RECORDINGS", recordings).output().unwrap();
        assert_eq!(code(&output), wanted, "{recordings}: {}", printed(&output));
    }
}
