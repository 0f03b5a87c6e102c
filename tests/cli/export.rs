//! `carom export`: its messages, its refusals, and the files that it leaves.

use std::fs;

use super::bench::{Bench, code, stderr, stdout};

#[test]
fn an_export_has_the_name_of_its_run_unless_it_has_another() {
    let bench = Bench::of_ball();
    let rows = [("xyz", "ball.xyz"), ("vtk", "ball_vtk"), ("gltf", "ball.glb"), ("jsonl", "ball.jsonl")];
    for (format, name) in rows {
        // Named, the second export replaces the first.
        for named in [&[][..], &["--output", name]] {
            let output = bench.carom(&[&["export", "output/ball", "--to", format], named].concat());
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            let said = stdout(&output);
            assert!(said.starts_with(name) && said.contains("the same as recorded, to the bit, at step"), "{said}");
            assert!(bench.path(name).exists());
        }
    }
    let output =
        bench.carom(&["export", "output/ball", "--to", "vtk", "--output", "deep/er", "--quiet", "--every", "0.5"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, ""), "{}", stderr(&output));
    let list = bench.read("deep/er/spheres.pvd");
    assert!(list.contains("timestep=\"0.5\" part=\"0\" file=\"spheres/000001.vtp\""), "{list}");
    assert!(bench.path("deep/er/spheres/000001.vtp").exists() && bench.path("deep/er/fixed.vtp").exists());
    assert!(!bench.path("deep/er/solids.pvd").exists(), "no solid moves");
}

#[test]
fn what_is_written_is_counted() {
    let bench = Bench::of_ball();
    let rows: [(&[&str], &str); 6] = [
        (&["xyz", "--every", "1"], "3 frames of 1 body;"),
        (&["xyz", "--every", "1", "--until", "0.5"], "1 frame of 1 body;"),
        (&["vtk", "--every", "1"], "3 frames of 2 bodies;"),
        (&["gltf"], "ball.glb: 2 bodies;"),
        (&["jsonl", "--bodies", "ball"], "1 event of 1 body;"),
        (&["jsonl", "--until", "0.5"], "0 events of 2 bodies;"),
    ];
    for (arguments, words) in rows {
        let output = bench.carom(&[&["export", "output/ball", "--to"], arguments].concat());
        assert!(stdout(&output).contains(words), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
        for name in names(&bench).iter().filter(|name| name.starts_with("ball.") && *name != "ball.ron") {
            fs::remove_file(bench.path(name)).unwrap();
        }
    }
}

#[test]
fn what_cannot_be_exported_is_refused_and_leaves_nothing() {
    let bench = Bench::of_ball();
    fs::create_dir_all(bench.path("mine")).unwrap();
    bench.write("mine/notes.txt", "mine");
    let rows: [(&[&str], i32, &str); 15] = [
        (&["output/ball"], 2, "--to <FORMAT>"),
        (&["output/ball", "--to", "stl"], 2, "possible values"),
        (&["output/none", "--to", "xyz"], 3, "there is no folder"),
        (&["output/ball", "--to", "xyz", "--every", "0"], 2, "more than 0"),
        (&["output/ball", "--to", "gltf", "--every", "0.1"], 2, "leave --every out"),
        (&["output/ball", "--to", "lammps-data", "--every", "0.1"], 2, "leave --every out"),
        (&["output/ball", "--to", "xyz", "--from", "99"], 2, "--from before --until"),
        (&["output/ball", "--to", "xyz", "--every", "1e-9"], 2, "a longer --every"),
        (&["output/ball", "--to", "xyz", "--bodies", "boll"], 2, "the scenario has no body `boll`"),
        (&["output/ball", "--to", "gltf", "--output", "ball.gltf"], 2, "whose name ends in .glb"),
        (&["output/ball", "--to", "sph"], 2, "x, y and z of this"),
        (&["output/ball", "--to", "xyz", "--output", "mine"], 3, "is a folder"),
        (&["output/ball", "--to", "vtk", "--output", "mine"], 3, "is no export of carom"),
        (&["output/ball", "--to", "xyz", "--output", "-"], 2, "- is no name of an export: give --output a new name"),
        (&["output/ball", "--to", "xyz", "--from", "99", "--output", "new/x.xyz"], 2, "the run is from 0 s"),
    ];
    let before = names(&bench);
    for (arguments, wanted, message) in rows {
        let output = bench.carom(&[&["export"][..], arguments].concat());
        assert_eq!(code(&output), wanted, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(names(&bench), before, "{arguments:?}");
    }
    assert_eq!(bench.read("mine/notes.txt"), "mine");
}

fn names(bench: &Bench) -> Vec<String> {
    let entries = fs::read_dir(bench.path(".")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
