//! Standard output that cannot be written, or that has no reader.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::bench::{BALL, Bench, stderr};

/// Commands that print to stdout, in a folder with a run of `ball.ron`.
const PRINTING: [&str; 16] = [
    "--help",
    "--version",
    "run --help",
    "list .",
    "check ball.ron",
    "run ball.ron",
    "plot output/ball",
    "replay output/ball/recording.carom",
    "query ball.ron --nearest 0,0,0",
    "help",
    "new my.ron",
    "man",
    "man --output pages",
    "completions bash",
    "bisect output/ball/recording.carom output/ball/recording.carom",
    "run ball.ron --stats",
];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert!(bench.carom(&["run", "ball.ron", "--quiet"]).status.success());
    bench
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let bench = bench();
    for arguments in PRINTING {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = bench.command(&arguments.split(' ').collect::<Vec<_>>());
        let output = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments}");
        assert!(stderr(&output).contains("cannot write to standard output"), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn a_reader_that_goes_ends_nothing() {
    let bench = bench();
    for arguments in PRINTING {
        let mut command = bench.command(&arguments.split(' ').collect::<Vec<_>>());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{arguments}");
    }
    let mut child = bench.command(&["query", "ball.ron", "--nearest", "0,0,0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("query"), "{line}");
    assert!(child.wait().unwrap().success());
}
