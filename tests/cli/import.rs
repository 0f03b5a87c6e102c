//! `carom import`: its messages, its refusals, and the files that it leaves.

use std::fs;

use super::bench::{Bench, code, stderr, stdout};

/// Two balls of EDMD that touch.
const SPH: &str = "2\n9 9 9\na 1 1 1 0.5\na 2 1 1 0.5\n";

const MAP: &str = r#"<map tilewidth="16" tileheight="16"><layer name="walls" width="2" height="1"><data encoding="csv">1,0</data></layer></map>"#;

fn names(bench: &Bench) -> Vec<String> {
    let entries = fs::read_dir(bench.path(".")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_becomes_a_scenario_that_is_valid_and_runs() {
    let bench = Bench::new();
    bench.write("gas.sph", SPH);
    let output = bench.carom(&["import", "gas.sph", "-o", "gas"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "gas.ron, gas.csv: written; carom check gas.ron validates it\n");
    assert!(
        stderr(&output).contains("could not be imported:\n  velocities: the format has none"),
        "{}",
        stderr(&output)
    );
    let checked = bench.carom(&["check", "gas.ron"]);
    assert!(stdout(&checked).contains("gas.ron: ok, gas (2 bodies)"), "{}", stderr(&checked));
    assert_eq!(code(&bench.carom(&["run", "gas.ron", "--quiet"])), 0);
    assert_eq!(bench.read("output/gas/gas.csv"), bench.read("gas.csv"), "a run keeps the table");
    assert_eq!(code(&bench.carom(&["replay", "output/gas/recording.carom", "--quiet"])), 0);
    let printed = bench.carom(&["import", "gas.sph", "--quiet"]);
    assert!(stdout(&printed).starts_with("// Imported by carom") && stderr(&printed).is_empty());
    assert!(
        stdout(&printed)
            .contains("(name: \"spheres/1\", shape: Sphere(radius: 0.5), mass: 1.0, position: (2.0, 1.0, 1.0)),")
    );
    bench.write("renamed.txt", MAP);
    let output = bench.carom(&["import", "renamed.txt", "--from", "tiled"]);
    assert!(stdout(&output).contains("Tiles(cell: 1.0"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_imported_is_refused_and_leaves_nothing() {
    let bench = Bench::new();
    for (name, text) in [
        ("gas.sph", SPH),
        ("map.tmx", MAP),
        ("notes.txt", "mine"),
        ("bad.sph", "x"),
        ("taken.ron", "mine"),
        ("half.csv", "mine"),
    ] {
        bench.write(name, text);
    }
    let before = names(&bench);
    let rows: [(&[&str], i32, &str); 16] = [
        (&["none.sph"], 3, "cannot read none.sph"),
        (&["."], 2, "say which by --from"),
        (
            &["notes.txt"],
            2,
            "notes.txt: the ending of its name is that of no format, or of several: say which by --from",
        ),
        (&["notes.txt", "--from", "lammps"], 2, "notes.txt: it has no line `xlo xhi`"),
        (&["gas.sph", "--from", "stl"], 2, "possible values"),
        (&["bad.sph"], 2, "bad.sph, line 1: the number of balls must be a whole number, found `x`"),
        (&["gas.sph", "-o", "gas.txt"], 2, "the name of a scenario ends in .ron"),
        (&["gas.sph", "-o", "-"], 2, "the name of a scenario ends in .ron, as in my.ron; found -"),
        (&["gas.sph", "-o", "taken.ron"], 3, "choose another name: existing files are kept"),
        (&["gas.sph", "-o", "half.ron"], 3, "half.csv"),
        (&["gas.sph", "-o", "no/where.ron"], 3, "make its folder first"),
        (&["gas.sph", "--layer", "walls"], 2, "--layer has no meaning for a snapshot of EDMD; leave it out"),
        (&["map.tmx", "--radius", "1"], 2, "--radius has no meaning for a map of Tiled"),
        (&["map.tmx", "--scale", "0"], 2, "it must be from 1e-70 to 1e70"),
        (&["map.tmx", "--layer", "floor"], 2, "its layers are: walls"),
        (&["gas.sph", "--open", "w"], 2, "possible values: x, y, z"),
    ];
    for (arguments, wanted, message) in rows {
        let output = bench.carom(&[&["import"][..], arguments].concat());
        let said = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ").replace(" | ", " ");
        assert_eq!(code(&output), wanted, "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert_eq!(names(&bench), before, "{arguments:?}");
    }
    assert_eq!((bench.read("taken.ron"), bench.read("half.csv")), ("mine".to_owned(), "mine".to_owned()));
}

#[test]
fn balls_that_overlap_are_written_and_told() {
    let bench = Bench::new();
    bench.write("soft.sph", &SPH.replace("a 2 1", "a 1.9 1"));
    let output = bench.carom(&["import", "soft.sph", "-o", "soft.ron"]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("overlap by") && stderr(&output).contains("--shrink 0.9 makes"),
        "{}",
        stderr(&output)
    );
    assert!(bench.path("soft.ron").exists());
    let output = bench.carom(&["import", "soft.sph", "--shrink", "0.9", "-o", "hard.ron"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}
