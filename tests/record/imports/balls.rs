//! Files of spheres: EDMD, packing-generation, LAMMPS.

use carom::geometry::Shape;
use carom::record::{ImportFormat, ImportRequest};
use carom::{Motion, Period};
use glam::DVec3;

use super::{Folder, all, imported, may_have_a_mark, refused, scenario, survives};

const SPH: &str = "1\n3 3 3\na 1 1 1 0.5\n3\n4 5 6\na 1 2 3 0.5\na -0.25 4.5 1 0.5\nb 2e0 2 5.5 0.25\n";

#[test]
fn the_last_frame_of_edmd_is_taken_unless_another_is_asked_for() {
    let request = all(ImportFormat::Sph);
    let found = imported("x.sph", SPH.as_bytes(), &request);
    let scenario = scenario(&found);
    let names: Vec<&str> = scenario.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["spheres/a/0", "spheres/a/1", "spheres/b/2"]);
    assert_eq!(scenario.bodies[1].position, DVec3::new(-0.25, 4.5, 1.0));
    assert_eq!(scenario.settings.space.periods[2], Some(Period { min: 0.0, max: 6.0 }));
    assert!(matches!(scenario.bodies[2].shape, Shape::Sphere(radius) if radius.get() == 0.25));
    assert!(found.text.contains("// - velocities: the format has none") && found.missing.len() == 1, "{}", found.text);
    let first = imported("x.sph", SPH.as_bytes(), &ImportRequest { frame: Some(1), ..request.clone() });
    assert!(first.text.contains("(name: \"spheres/0\"") && first.text.contains("frame 1 of 2"), "{}", first.text);
    let open = ImportRequest { open: [false, true, false], shrink: Some(0.5), ..request };
    let found = imported("x.sph", SPH.as_bytes(), &open);
    assert!(found.text.contains("space: Periodic(x: (0.0, 4.0), z: (0.0, 6.0))"), "{}", found.text);
    assert!(found.text.contains("radius: 0.125"), "{}", found.text);
}

#[test]
fn what_is_no_snapshot_is_named_by_its_line() {
    let rows: [(&[u8], &str); 9] = [
        (b"", "it has no frame"),
        (b"x\n", "line 1: the number of balls must be a whole number, found `x`"),
        (b"1\n1 2\n", "line 2: an edge must be a number of at most 1e70, found `nothing`"),
        (b"1\n1 2 3\n", "line 2: the file ends where a ball is wanted"),
        (b"1\n1 2 3\na 1 2 3\n", "line 3: a ball has a letter and four numbers, found 4 words"),
        (b"1\n1 2 3\na 1 2 nan 0.5\n", "line 3: z must be a number"),
        (b"1\n1 2 3\na 1 2 3 -0.5\n", "line 3: the radius must be"),
        (b"1\n1 0 3\na 1 2 3 0.5\n", "the box must have a width, found 0 to 0"),
        (b"1\n1 \xff 3\n", "line 2: it is no text in UTF-8"),
    ];
    refused("x.sph", &all(ImportFormat::Sph), &rows);
    let third = ImportRequest { frame: Some(3), ..all(ImportFormat::Sph) };
    refused("x.sph", &third, &[(SPH.as_bytes(), "it has 2 frames, and frame 3 is asked for")]);
    may_have_a_mark("x.sph", SPH, &all(ImportFormat::Sph));
    survives("x.sph", SPH.as_bytes(), &all(ImportFormat::Sph));
}

#[test]
fn many_balls_stand_in_a_table_beside_the_scenario() {
    let balls: String = (0..60).map(|row| format!("a {row}.1 0 0 0.5\n")).collect();
    let folder = Folder::new(&[("x.sph", format!("60\n100 10 10\n{balls}").as_bytes())]);
    let found = folder.import("x.sph", &all(ImportFormat::Sph)).unwrap();
    assert_eq!(found.files[0].name, "made.csv");
    assert!(found.text.contains("FromFile(name: \"spheres\", file: \"made.csv\", temperature: 1.0"), "{}", found.text);
    let table = String::from_utf8(found.files[0].bytes.to_vec()).unwrap();
    assert!(table.starts_with("x,y,z,radius,mass\n0.1,0.0,0.0,0.5,1.0\n"), "{table}");
    let scenario = scenario(&found);
    assert_eq!((scenario.bodies.len(), scenario.bodies[7].name.as_str()), (60, "spheres/07"));
}

fn packing(balls: &[[f64; 4]]) -> Vec<u8> {
    balls.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn the_box_of_a_packing_is_in_a_file_beside_it_or_given() {
    let bytes = packing(&[[1.0, 2.0, 3.0, 0.5], [0.1, 0.2, 0.3, 1.5]]);
    let notes = b"N: 2\n Dimensions: 4 5 6.5\nRuns count: 1\n";
    let folder = Folder::new(&[("x.xyzd", &bytes), ("x.nfo", notes), ("y.xyzd", &bytes)]);
    let request = all(ImportFormat::Xyzd);
    let found = scenario(&folder.import("x.xyzd", &request).unwrap());
    assert_eq!(found.settings.space.periods[2], Some(Period { min: 0.0, max: 6.5 }));
    assert_eq!(found.bodies[1].position, DVec3::new(0.1, 0.2, 0.3));
    assert!(matches!(found.bodies[1].shape, Shape::Sphere(radius) if radius.get() == 0.75));
    let without = folder.import("y.xyzd", &request).unwrap_err();
    assert!(without.to_string().contains("the size of its box is unknown"), "{without}");
    let sides = ImportRequest { sides: Some([7.0, 8.0, 9.0]), ..request.clone() };
    assert!(folder.import("y.xyzd", &sides).unwrap().text.contains("max: (7.0, 8.0, 9.0)"));
    let open = ImportRequest { open: [true; 3], ..request.clone() };
    assert!(!folder.import("y.xyzd", &open).unwrap().text.contains("Periodic"));
    let wild = packing(&[[1.0, f64::NAN, 3.0, 0.5]]);
    let flat = packing(&[[1.0, 2.0, 3.0, 0.5], [1.0, 2.0, 3.0, 0.0]]);
    let more = [&bytes[..], &bytes[..32]].concat();
    let folder = Folder::new(&[("x.xyzd", &more), ("x.nfo", notes)]);
    let cut = folder.import("x.xyzd", &sides).unwrap_err();
    assert!(cut.to_string().contains("it has 3 balls, and the file `.nfo` beside it says 2"), "{cut}");
    let rows: [(&[u8], &str); 4] = [
        (b"", "it is empty"),
        (b"123", "it has 3 bytes, which is no multiple of 32"),
        (&wild, "ball 1: a coordinate must be a number"),
        (&flat, "ball 2: the radius must be"),
    ];
    refused("x.xyzd", &request, &rows);
}

const DATA: &str = "LAMMPS data file\n\n3 atoms # of two kinds\n2 atom types\n\n-1 9 xlo xhi\n0.0 1e1 ylo yhi\n0 10 zlo zhi\n\n\
    Atoms  # sphere\n\n3 2 1.0 2500 1 2 3 0 0 0\n1 1 0.5 1000 4 5 6\n2 1 0.5 1000 7 7 7 0 -1 0\n\n\
    Velocities\n\n1 1 2 3 4 5 6\n3 0.5 0 0 0 0 0\n";

#[test]
fn a_data_file_of_spheres_has_sizes_densities_velocities_and_spins() {
    let found = imported("x.data", DATA.as_bytes(), &all(ImportFormat::Lammps));
    let scenario = scenario(&found);
    let names: Vec<&str> = scenario.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["spheres/1/0", "spheres/1/1", "spheres/2/2"]);
    let first = &scenario.bodies[0];
    assert_eq!((first.velocity, first.spin), (DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.0)));
    assert!(matches!(first.shape, Shape::Sphere(radius) if radius.get() == 0.25));
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.25_f64.powi(3);
    assert!(matches!(first.motion, Motion::Free(found) if (found.get() / mass - 1.0).abs() < 1e-15));
    assert_eq!(scenario.settings.space.periods[0], Some(Period { min: -1.0, max: 9.0 }));
    let open = ImportRequest { open: [false, false, true], ..all(ImportFormat::Lammps) };
    assert_eq!(super::scenario(&imported("x.data", DATA.as_bytes(), &open)).settings.space.periods[2], None);
}

#[test]
fn atoms_without_a_size_get_one_and_the_masses_of_their_types() {
    let rows = [
        ("atomic", "1 2 1.0 2.0 3.0", "Masses\n\n2 7.5\n\n"),
        ("molecular", "1 9 2 1.0 2.0 3.0 0 0 0", "Masses\n\n1 2.0\n2 7.5 # heavy\n\n"),
        ("charge", "1 2 -0.5 1.0 2.0 3.0", "Masses\n\n2 7.5\n\n"),
        ("full", "1 9 2 -0.5 1.0 2.0 3.0", "Masses\n\n2 7.5\n\nBonds\n\n1 1 1 2\n\n"),
        ("", "1 2 1.0 2.0 3.0", "Masses\n\n2 7.5\n\n"),
    ];
    let request = ImportRequest { radius: Some(0.5), ..all(ImportFormat::Lammps) };
    for (style, atom, masses) in rows {
        let ends = "0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n0 0 0 xy xz yz\n";
        let text = format!("comment\n1 atoms\n{ends}\n{masses}Atoms # {style}\n\n{atom}\n");
        let found = imported("x.data", text.as_bytes(), &request);
        let body = "shape: Sphere(radius: 0.5), mass: 7.5, position: (1.0, 2.0, 3.0))";
        assert!(found.text.contains(body), "{style}: {}", found.text);
        assert_eq!(
            found.missing.iter().any(|line| line == "the section Bonds"),
            style == "full",
            "{:?}",
            found.missing
        );
    }
}

#[test]
fn labels_name_types_and_only_types_without_a_mass_get_one() {
    let ends = "0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\nAtom Type Labels\n\n1 A\n2 B\n3 C\n\n";
    let atoms = "Atoms # atomic\n\n0 1 1 1 1\n0 B 3 3 3\n0 C 5 5 5\n";
    let request = ImportRequest { radius: Some(0.5), ..all(ImportFormat::Lammps) };
    let rows = [
        ("Masses\n\n1 2.5\nB 4\n\n", ["2.5", "4.0", "1.0"], "the mass of the type 3: the file has none, so it is 1 kg"),
        ("", ["1.0"; 3], "masses: the file has none, so all are 1 kg"),
    ];
    for (masses, wanted, missing) in rows {
        let text = format!("comment\n3 atoms\n3 atom types\n{ends}{masses}{atoms}");
        let found = imported("x.data", text.as_bytes(), &request);
        for (row, mass) in wanted.into_iter().enumerate() {
            let body = format!("(name: \"spheres/{}/{row}\", shape: Sphere(radius: 0.5), mass: {mass}, ", row + 1);
            assert!(found.text.contains(&body), "{body} is missing in {}", found.text);
        }
        assert_eq!(found.missing[0], missing);
    }
}

#[test]
fn what_is_no_data_file_is_named_by_its_line() {
    let ends = "0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n";
    let with = |rest: &str| format!("comment\n{ends}{rest}").into_bytes();
    let head = |rest: &str| with(&format!("3 atoms\n2 atom types\n{rest}\nAtoms # atomic\n\n1 1 0.5 1 1\n2 B 1 1 1\n"));
    let rows = [
        (b"".to_vec(), "it is empty"),
        (head("Atom Type Labels\n\n2 B\n"), "line 5: the header says 3 atoms, and the section Atoms has 2"),
        (head(""), "line 11: the type must be 1 to 2, or a label of the file, found `B`"),
        (head("Atom Type Labels\n\n9 B\n"), "line 14: the type must be 1 to 2, or a label of the file, found `B`"),
        (head("Masses\n\n0 1\n"), "line 9: the type must be 1 to 2, or a label of the file, found `0`"),
        (with("\nAtoms # atomic\n\n1 A 0.5 1 1\n"), "line 8: the type must be 1 or more, or a label of the file"),
        (with("\nAtoms # atomic\n\n7 1 0.5 1 1\n2 1 1 1 1\n7 1 1 1 1\n"), "line 10: the id 7 is that of another atom"),
        (b"c\n0 x xlo xhi\n".to_vec(), "line 2: the upper end must be a number"),
        (with("0.1 0 0 xy xz yz\n"), "line 5: the box is not at right angles"),
        (with("\nAtoms # sphere\n\n"), "it has no atoms"),
        (with("\nAtoms # sphere\n\n1 1 0.5\n"), "line 8: 7 words wanted, for the style sphere, 3 found"),
        (with("\nAtoms # peri\n\n1 1 0.5 1 1 1 1\n"), "line 8: atoms of the style `peri` are not read"),
        (with("\nAtoms # atomic\n\n1 1 0.5 1 1\n"), "atom 1 has no radius"),
        (with("\nAtoms # sphere\n\none 1 0.5 1 1 1 1\n"), "line 8: the id must be a whole number, found `one`"),
        (with("\nAtoms # sphere\n\n1 1 -0.5 1 1 1 1\n"), "atom 1: the radius must be"),
    ];
    for (bytes, wanted) in rows {
        refused("x.data", &all(ImportFormat::Lammps), &[(&bytes, wanted)]);
    }
    may_have_a_mark("x.data", DATA, &all(ImportFormat::Lammps));
    survives("x.data", DATA.as_bytes(), &all(ImportFormat::Lammps));
}

const DUMP: &str = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n0 4\n-1 1\n0 8\n\
    ITEM: ATOMS id type xs ys zs radius mass c_ke\n1 1 0.25 0.5 0.5 0.125 2 0\n\
    ITEM: UNITS\nlj\nITEM: TIME\n0.5\nITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n0 4\n-1 1\n0 8\n\
    ITEM: ATOMS id type x y z vx vy vz diameter\n12 1 1 0 4 0 0 1 0.25\n7 2 2 0 4 0 0 0 0.5\n";

#[test]
fn a_dump_has_columns_with_names_in_any_order() {
    let request = all(ImportFormat::Lammps);
    let last = imported("x.dump", DUMP.as_bytes(), &request);
    let found = scenario(&last);
    let names: Vec<&str> = found.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["spheres/2/0", "spheres/1/1"], "in the order of the ids of the file");
    assert_eq!((found.bodies[1].velocity, found.settings.space.periods[2]), (DVec3::Z, None));
    assert!(last.text.contains("frame 2 of 2, step 100") && last.text.contains("masses: the file has none"));
    let first = imported("x.dump", DUMP.as_bytes(), &ImportRequest { frame: Some(1), ..request });
    assert!(first.text.contains("radius: 0.125), mass: 2.0, position: (1.0, 0.0, 4.0)"), "{}", first.text);
    assert!(first.missing.contains(&"the column c_ke".to_owned()), "{:?}", first.missing);
}

#[test]
fn what_is_no_dump_is_named_by_its_line() {
    let head = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n";
    let with = |rest: &str| format!("{head}{rest}").into_bytes();
    let rows = [
        (b"ITEM: TIMESTEP\n0\n".to_vec(), "it has no frame with `ITEM: ATOMS`"),
        (b"ITEM: TIMESTEP\n0\nhello\n".to_vec(), "line 3: a line that begins with `ITEM:` is wanted, found `hello`"),
        (b"ITEM: NUMBER OF ATOMS\n1\n".to_vec(), "line 1: `ITEM: NUMBER OF ATOMS` is not known here"),
        (DUMP.replace("7 2 2 0 4", "12 2 2 0 4").into_bytes(), "line 25: the id 12 is that of another atom, too"),
        (with("ITEM: ATOMS id x y\n1 0 0\n"), "its columns are `id x y`"),
        (with("ITEM: ATOMS id x y z\n1 0 0\n"), "line 10: 4 words wanted, one for each column, 3 found"),
        (with("ITEM: ATOMS id x y z\n"), "line 9: the file ends where an atom is wanted"),
        (with("ITEM: ATOMS id x y z radius\n1 0 0 z 1\n"), "line 10: z must be a number of at most 1e70, found `z`"),
        (with("ITEM: ATOMS id x y z radius\n1 0 0 inf 1\n"), "line 10: z must be a number of at most 1e70"),
        (b"ITEM: TIMESTEP\n0\nITEM: BOX BOUNDS xy xz yz pp pp pp\n0 1 0\n".to_vec(), "line 3: the box is not at right"),
    ];
    for (bytes, wanted) in rows {
        refused("x.dump", &all(ImportFormat::Lammps), &[(&bytes, wanted)]);
    }
    may_have_a_mark("x.dump", DUMP, &all(ImportFormat::Lammps));
    survives("x.dump", DUMP.as_bytes(), &all(ImportFormat::Lammps));
}
