//! A folder in which the program runs scenes, and a scene that several test files use.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The content of a room with all features: balls that bounce, slide and rest, walls, and commands of every kind. It
/// needs the material `rubber`. The text ends with a comma.
pub(crate) const ROOM_AND_COMMANDS: &str = r#"fill: [Lattice(name: "ball", shape: Sphere(radius: 0.1), mass: 1, material: "rubber", counts: (2, 2, 2),
        min: (-0.7, -0.6, 0.5), spacing: 0.7, temperature: 0.3, seed: 5)],
    bodies: [
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0), material: "rubber"),
        (name: "w1", shape: Plane(normal: (1, 0, 0), offset: -1)),
        (name: "w2", shape: Plane(normal: (-1, 0, 0), offset: -1)),
        (name: "kicked", shape: Sphere(radius: 0.2), mass: 1, position: (0, 3, 1), velocity: (0.3, 0, 0)),
    ],
    commands: [
        Kick(at: 0.505, body: "kicked", impulse: (1, 0, 1)),
        Spawn(at: 1.1, body: (name: "later", shape: Sphere(radius: 0.1), mass: 1, position: (0, 5, 3))),
        Despawn(at: 2.2, body: "kicked"),
    ],"#;

/// The folder. It is deleted when this value is dropped.
pub(crate) struct Bench(TempDir);

impl Bench {
    pub(crate) fn new(scenes: &[(&str, &str)]) -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        scenes.iter().for_each(|(name, text)| fs::write(bench.path(name), text).unwrap());
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(arguments.split(' ')).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn carom(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(crate) fn done(&self, arguments: &str) -> String {
        let output = self.carom(arguments);
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn results(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        results(&self.path(folder))
    }
}

/// All files of a run, without the timings in the summary.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let mut bytes = fs::read(&path).unwrap();
            if path.ends_with("summary.json") {
                let text = String::from_utf8(bytes).unwrap();
                bytes = text.split("\"timing\"").next().unwrap().into();
            }
            (path.file_name().unwrap().to_str().unwrap().to_owned(), bytes)
        })
        .collect()
}
