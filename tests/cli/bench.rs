//! What the tests of the program share: a folder, a scenario, and the output of a command.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A ball that falls on a floor.
pub(super) const BALL: &str = r#"Scenario(
    title: "A ball on a floor",
    gravity: (0, 0, -10), timestep: 0.1, duration: 2.5,
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5.5)),
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
    ],
    plots: [Path(plane: XZ), Height(axis: Z), Energy, Impacts],
    expect: [Impacts(exactly: 1), EnergyDrift(below: 1e-14)],
)
"#;

/// A folder to run the program in.
pub(super) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A bench with the results of [`BALL`].
    pub(super) fn of_ball() -> Self {
        let bench = Self::new();
        bench.write("ball.ron", BALL);
        assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
        bench
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub(super) fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    pub(super) fn carom(&self, arguments: &[impl AsRef<OsStr>]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(super) fn output_files(&self, run: &str) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.path("output").join(run))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(super) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }
}

pub(super) fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit, not a signal")
}

pub(super) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Everything that the program printed.
pub(super) fn printed(output: &Output) -> String {
    [stdout(output), stderr(output)].concat()
}

/// The output on stderr, as words separated by one space, without line breaks and without the bars of a frame.
pub(super) fn words(output: &Output) -> String {
    stderr(output).split_whitespace().filter(|&word| word != "|").collect::<Vec<_>>().join(" ")
}

pub(super) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}
