//! A run with a mesh from a file leaves a folder that depends on no other file.

use std::fs;

use super::bench::{Bench, code, stderr};

const SCENARIO: &str = r#"Scenario(
    title: "A track", timestep: 0.1, duration: 1,
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 5), velocity: (0, 0, 1)),
        (name: "track", shape: Mesh(file: "meshes/track.obj", scale: 2)),
    ],
    plots: [Path(plane: XZ)],
)
"#;

const TRACK: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0.25\nv 0 1 0.25\nf 1 2 3 4\n";

/// The exit code of a command, and its output on stderr.
fn outcome(bench: &Bench, arguments: &[&str]) -> (i32, String) {
    let output = bench.carom(arguments);
    (code(&output), stderr(&output))
}

#[test]
fn plots_are_drawn_again_from_the_folder_of_the_run_alone() {
    let bench = Bench::new();
    let folder = bench.path("");
    fs::create_dir(folder.join("meshes")).unwrap();
    fs::write(folder.join("run.ron"), SCENARIO).unwrap();
    fs::write(folder.join("meshes/track.obj"), TRACK).unwrap();
    assert_eq!(outcome(&bench, &["run", "run.ron", "--quiet"]), (0, String::new()));
    assert_eq!(fs::read_to_string(folder.join("output/run/meshes/track.obj")).unwrap(), TRACK);
    fs::write(folder.join("output/run/meshes/notes.txt"), "mine").unwrap();
    assert_eq!(outcome(&bench, &["run", "run.ron", "--quiet"]), (0, String::new()));
    assert_eq!(fs::read_to_string(folder.join("output/run/meshes/notes.txt")).unwrap(), "mine", "carried over");

    fs::remove_dir_all(folder.join("meshes")).unwrap();
    fs::rename(folder.join("output/run"), folder.join("elsewhere")).unwrap();
    let picture = folder.join("elsewhere/path_xz.svg");
    let drawn = fs::read(&picture).unwrap();
    fs::remove_file(&picture).unwrap();
    assert_eq!(outcome(&bench, &["plot", "elsewhere"]), (0, String::new()));
    assert!(fs::read(&picture).unwrap() == drawn);

    let (code, said) = outcome(&bench, &["run", "run.ron"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("run.ron:5:43: bodies[1].shape.file: `meshes/track.obj` cannot be read"), "{said}");
    assert!(!folder.join("output/run").exists(), "nothing is left of a run that cannot begin");
}
