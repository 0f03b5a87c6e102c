//! Meshes in scenarios: inline and from files, their placement, and the messages about invalid meshes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::dynamics::Motion;
use carom::geometry::{Mesh, Shape};
use carom::scenario::{MeshFile, Problems, Scenario, Source, parse};
use glam::DVec3;
use miette::NarratableReportHandler;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("meshes").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A scenario in `folder` whose bodies have these shapes.
fn source(folder: &Path, shapes: &[&str]) -> Source {
    let bodies: Vec<String> = shapes.iter().map(|shape| format!("  (shape: {shape}),\n")).collect();
    Source::new("meshes.ron", &format!("(timestep: 1, duration: 1, bodies: [\n{}])", bodies.concat())).in_folder(folder)
}

fn read(folder: &Path, shapes: &[&str]) -> Scenario {
    parse(&source(folder, shapes)).unwrap_or_else(|problems| panic!("{:#?}", problems.list())).scenario
}

fn mesh(scenario: &Scenario, row: usize) -> &Arc<Mesh> {
    let Shape::Mesh(mesh) = &scenario.bodies[row].shape else { panic!("{:?}", scenario.bodies[row]) };
    mesh
}

/// The unit cube. Its triangles are counterclockwise as seen from outside.
const CUBE: [[usize; 3]; 12] = [
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
];

fn corner(row: usize) -> [f64; 3] {
    [row & 1, row >> 1 & 1, row >> 2].map(|digit| digit as f64)
}

fn cube_inline(more: &str) -> String {
    let vertices: String = (0..8).map(corner).map(|[x, y, z]| format!("({x}, {y}, {z}), ")).collect();
    let triangles: String = CUBE.iter().map(|[a, b, c]| format!("({a}, {b}, {c}), ")).collect();
    format!("Mesh(vertices: [{vertices}], triangles: [{triangles}], {more})")
}

fn cube_obj() -> String {
    let vertices: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let faces: String = CUBE.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)).collect();
    vertices + &faces
}

fn cube_stl_text() -> String {
    let vertex = |row: &usize| {
        let [x, y, z] = corner(*row);
        format!("vertex {x:e} {y:e} {z:e}\n")
    };
    let facet = |corners: &[usize; 3]| {
        let vertices: String = corners.iter().map(vertex).collect();
        format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    };
    format!("solid cube\n{}endsolid cube\n", CUBE.iter().map(facet).collect::<String>())
}

fn cube_stl_binary() -> Vec<u8> {
    let mut bytes = b"solid, says the head, and is not".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((CUBE.len() as u32).to_le_bytes());
    for corners in CUBE {
        bytes.extend([0; 12]);
        corners.iter().flat_map(|&row| corner(row)).for_each(|x| bytes.extend((x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn a_file_at_hand_goes_before_one_on_the_disk() {
    let file = |side: f64| {
        let text = format!("v 0 0 0\nv {side} 0 0\nv 0 1 0\nf 1 2 3\n");
        MeshFile { name: "part.obj".to_owned(), bytes: text.into_bytes().into() }
    };
    let folder = folder("at_hand");
    fs::write(folder.join("part.obj"), &file(1.0).bytes).unwrap();
    let shapes = ["Mesh(file: \"part.obj\")"];
    let width = |source: Source| mesh(&parse(&source).unwrap().scenario, 0).bounds().max.x;
    let nowhere = |files| Source::new("x.ron", &source(&folder, &shapes).text).with_files(files);
    assert_eq!(width(source(&folder, &shapes)), 1.0);
    assert_eq!(width(source(&folder, &shapes).with_files(vec![file(2.0)])), 2.0);
    assert_eq!(width(nowhere(vec![file(3.0)])), 3.0);
    assert!(parse(&nowhere(Vec::new())).is_err());
    assert_eq!(parse(&nowhere(vec![file(3.0)])).unwrap().scenario.files, [file(3.0)]);
}

#[test]
fn every_format_gives_the_mesh_that_is_written_out() {
    let folder = folder("formats");
    fs::create_dir(folder.join("Parts")).unwrap();
    fs::write(folder.join("cube.obj"), cube_obj()).unwrap();
    fs::write(folder.join("Parts/CUBE.STL"), cube_stl_text()).unwrap();
    fs::write(folder.join("binary.stl"), cube_stl_binary()).unwrap();
    let inline = cube_inline("");
    let files = [
        "Mesh(file: \"cube.obj\")",
        "Mesh(file: \"Parts/CUBE.STL\")",
        "Mesh(file: \"binary.stl\")",
        "Mesh(file: \"./cube.obj\")",
    ];
    let scenario = read(&folder, &[&[inline.as_str()], &files[..]].concat());
    let wanted = mesh(&scenario, 0);
    assert_eq!((wanted.triangles().len(), wanted.facet_count(), wanted.is_closed()), (12, 6, false));
    for row in 1..5 {
        assert_eq!(mesh(&scenario, row), wanted, "{}", files[row - 1]);
        assert_eq!(scenario.bodies[row].motion, Motion::Fixed, "meshes are fixed unless they say so");
    }
    let names: Vec<&str> = scenario.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["cube.obj", "Parts/CUBE.STL", "binary.stl", "./cube.obj"]);
    assert_eq!(scenario.files[2].bytes[..], cube_stl_binary());
    assert_eq!(format!("{:?}", scenario.files[2]), "\"binary.stl\" (684 bytes)");
}

#[test]
fn closed_meshes_are_checked_and_others_are_not() {
    let folder = folder("closed");
    fs::write(folder.join("cube.obj"), cube_obj()).unwrap();
    let open = cube_obj().replacen("f 1 3 4\n", "", 1);
    fs::write(folder.join("open.obj"), open).unwrap();
    let scenario = read(&folder, &["Mesh(file: \"cube.obj\", closed: true)", "Mesh(file: \"open.obj\")"]);
    assert!(mesh(&scenario, 0).is_closed() && !mesh(&scenario, 1).is_closed());
    // A reflection swaps inside and outside, unless the order of the corners of each triangle is reversed too.
    for scale in ["-2", "(1, 1, -1)", "(-1, -1, -1)", "(-1, 2, -3)", "1e-3"] {
        let scenario = read(&folder, &[&format!("Mesh(file: \"cube.obj\", closed: true, scale: {scale})")]);
        let mesh = mesh(&scenario, 0);
        let middle = mesh.bounds().center();
        for facet in (0..6).map(|row| mesh.facet(row)) {
            assert!(facet.distance(middle) < 0.0, "{scale}: the middle lies behind every facet");
        }
    }
}

#[test]
fn a_mesh_is_scaled_then_turned_then_shifted() {
    let folder = folder("placing");
    let rows = [
        ("", DVec3::ZERO, DVec3::ONE),
        ("scale: 3", DVec3::ZERO, DVec3::splat(3.0)),
        ("scale: (1, 2, 0.1)", DVec3::ZERO, DVec3::new(1.0, 2.0, 0.1)),
        ("scale: (-1, 2, 3)", DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 3.0)),
        ("translation: (1, 0, -1)", DVec3::new(1.0, 0.0, -1.0), DVec3::new(2.0, 1.0, 0.0)),
        ("rotation: [(axis: (0, 0, 1), degrees: 90)]", DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.0, 1.0, 1.0)),
        ("rotation: [(axis: (0, 0, 7), degrees: 450)]", DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.0, 1.0, 1.0)),
        ("rotation: [(axis: (1, 0, 0), degrees: -180.0)]", DVec3::new(0.0, -1.0, -1.0), DVec3::new(1.0, 0.0, 0.0)),
        // The first rotation takes x to y and the second takes y to z, so the original x axis points up.
        (
            "scale: (2, 3, 5), rotation: [(axis: (0, 0, 1), degrees: 90), (axis: (1, 0, 0), degrees: 90)], translation: (0, 0, 1)",
            DVec3::new(-3.0, -5.0, 1.0),
            DVec3::new(0.0, 0.0, 3.0),
        ),
        ("rotation: []", DVec3::ZERO, DVec3::ONE),
    ];
    for (more, min, max) in rows {
        let scenario = read(&folder, &[&cube_inline(more)]);
        let bounds = mesh(&scenario, 0).bounds();
        assert_eq!((bounds.min, bounds.max), (min, max), "{more}");
    }
    let scenario = read(&folder, &[&cube_inline("rotation: [(axis: (1, 1, 1), degrees: 120)]")]);
    let bounds = mesh(&scenario, 0).bounds();
    // The rotation permutes the axes. The tolerance covers a few roundings of numbers of size 1.
    assert!(bounds.min.abs_diff_eq(DVec3::ZERO, 1e-15) && bounds.max.abs_diff_eq(DVec3::ONE, 1e-15), "{bounds:?}");
}

#[test]
fn bodies_written_alike_share_their_mesh() {
    let folder = folder("shared");
    fs::write(folder.join("cube.obj"), cube_obj()).unwrap();
    let shapes = ["Mesh(file: \"cube.obj\")", "Mesh(file: \"cube.obj\")", "Mesh(file: \"cube.obj\", scale: 2)"];
    let scenario = read(&folder, &shapes);
    assert!(Arc::ptr_eq(mesh(&scenario, 0), mesh(&scenario, 1)));
    assert!(!Arc::ptr_eq(mesh(&scenario, 0), mesh(&scenario, 2)));
    assert_eq!(scenario.files, [MeshFile { name: "cube.obj".to_owned(), bytes: cube_obj().into_bytes().into() }]);
}

#[test]
fn a_scenario_that_is_a_file_finds_its_meshes_beside_it() {
    let folder = folder("beside");
    fs::write(folder.join("cube.obj"), cube_obj()).unwrap();
    let file = folder.join("beside.ron");
    fs::write(&file, source(&folder, &["Mesh(file: \"cube.obj\")"]).text).unwrap();
    let scenario = parse(&Source::read(&file).unwrap()).unwrap().scenario;
    assert_eq!(mesh(&scenario, 0).triangles().len(), 12);
}

fn plain(problems: &Problems) -> String {
    let mut text = String::new();
    NarratableReportHandler::new().render_report(&mut text, problems).expect("a text can be rendered");
    text
}

/// Each row: a shape with the other fields of the body, and the parts that the message must contain.
fn check(folder: &Path, rows: &[(&str, &[&str])]) {
    for (shape, fragments) in rows {
        let problems = match parse(&source(folder, &[shape])) {
            Ok(parsed) => panic!("accepted: {shape}\n{:#?}", parsed.scenario),
            Err(problems) => plain(&problems),
        };
        for fragment in *fragments {
            assert!(problems.contains(fragment), "`{fragment}` is missing for\n{shape}\nin\n{problems}");
        }
    }
}

const ONE: &str = "Mesh(vertices: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], triangles: [(0, 1, 2)]";

#[test]
fn meshes_that_make_no_sense() {
    let folder = folder("nonsense");
    let one = |more: &str| format!("{ONE}{more}");
    let rows: Vec<(String, &[&str])> = vec![
        (
            "Mesh()".to_owned(),
            &["meshes.ron:2:11: bodies[0].shape: a mesh takes either `file`, or", "Mesh(file: \"track.obj\")"],
        ),
        ("Mesh(vertices: [])".to_owned(), &["a mesh takes either `file`"]),
        (one(", file: \"a.obj\")"), &["bodies[0].shape.file: a mesh takes either `file`"]),
        (
            "Mesh(flie: \"a.obj\")".to_owned(),
            &["bodies[0].shape.flie: there is no field `flie`", "did you mean `file`?"],
        ),
        ("Mash(file: \"a.obj\")".to_owned(), &["`Mash` is not one of the words", "did you mean `Mesh`?"]),
        (
            one("), motion: Free, mass: 1"),
            &["bodies[0].motion: a mesh or a grid cannot be `Free`: it has no mass", "leave `motion` out"],
        ),
        (
            one("), response: Sense"),
            &["bodies[0].response: a mesh or a grid cannot be a sensor", "use a `Box` or a `Sphere`"],
        ),
        (one("), mass: 1"), &["bodies[0].mass: a `Fixed` body takes no `mass`"]),
        (one("), velocity: (1, 0, 0)"), &["bodies[0].velocity: a `Fixed` body has no velocity"]),
        (
            "Mesh(vertices: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], triangles: [(0, 1, 2), (0, 1, 3)])".to_owned(),
            &["2:84: bodies[0].shape.triangles[1]: triangle 1 names vertex 3, but there are only 3, counted from 0"],
        ),
        (
            "Mesh(vertices: [(0, 0, 0), (1, 0, NaN), (0, 1, 0)], triangles: [(0, 1, 2)])".to_owned(),
            &["2:38: bodies[0].shape.vertices[1]: vertex 1 is not finite, or larger than 1e70", "after scaling too"],
        ),
        (
            one(", scale: 1e70, translation: (1e70, 0, 0))"),
            &["bodies[0].shape.vertices[1]: vertex 1 is not finite, or larger"],
        ),
        (
            "Mesh(vertices: [(0, 0, 0), (1, 0, 0), (2, 0, 0)], triangles: [(0, 1, 2)])".to_owned(),
            &["bodies[0].shape.triangles: a mesh needs at least one triangle with an area", "must not lie on one line"],
        ),
        ("Mesh(vertices: [], triangles: [])".to_owned(), &["a mesh needs at least one triangle with an area"]),
        (
            "Mesh(vertices: [(0, 0)], triangles: [])".to_owned(),
            &["bodies[0].shape.vertices[0]: must be 3 values in round"],
        ),
        (
            "Mesh(vertices: [(0, 0, 0)], triangles: [(0, 0, -1)])".to_owned(),
            &["triangles[0]", "a whole number, not negative"],
        ),
        (
            one(", closed: true)"),
            &["bodies[0].shape.triangles[0]: not closed: the edge from (", "of triangle 0", "leave out `closed`"],
        ),
        (one(", closed: yes)"), &["bodies[0].shape.closed: must be true or false, found `yes`"]),
        (one(", scale: 0)"), &["bodies[0].shape.scale: must be a number other than 0", "found `0`"]),
        (one(", scale: -1e-80)"), &["bodies[0].shape.scale: must be a number other than 0"]),
        (one(", scale: (1, NaN, 1))"), &["bodies[0].shape.scale[1]: must be a number other than 0", "found `NaN`"]),
        (
            one(", scale: (1, 1))"),
            &["bodies[0].shape.scale: must be 3 values in round brackets and not 2, found `(1, 1)`"],
        ),
        (
            one(", scale: \"1\")"),
            &["bodies[0].shape.scale: must be a number, or three of them in round brackets, found"],
        ),
        (
            one(", rotation: [(axis: (0, 0, 0), degrees: 1)])"),
            &["bodies[0].shape.rotation[0].axis: must be a direction", "found `(0, 0, 0)`"],
        ),
        (
            one(", rotation: [(axis: (0, 0, 1), degrees: 1), (axis: (0, NaN, 0), degrees: inf)])"),
            &["bodies[0].shape.rotation[1].axis: must be a direction", "rotation[1].degrees: must be a finite number"],
        ),
        (
            one(", rotation: [(axis: (0, 0, 1), angle: 1)])"),
            &["there is no field `angle`", "allowed: `axis`, `degrees`"],
        ),
        (one(", rotation: [(axis: (0, 0, 1))])"), &["the field `degrees` is missing"]),
        (one(", rotation: (axis: (0, 0, 1), degrees: 90))"), &["bodies[0].shape.rotation: must be a list in `[ ]`"]),
        (one(", translation: (0, inf, 0))"), &["bodies[0].shape.translation[1]: must be a finite number"]),
    ];
    for (shape, fragments) in &rows {
        check(&folder, &[(shape, fragments)]);
    }
}

#[test]
fn a_closed_mesh_that_is_inside_out_is_refused_and_can_be_flipped() {
    let folder = folder("inside-out");
    let turned = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
        ["f", first, .., last] if first != last => {
            let corners: Vec<&str> = line.split(' ').skip(1).collect();
            format!("f {}\n", corners.into_iter().rev().collect::<Vec<_>>().join(" "))
        }
        _ => format!("{line}\n"),
    };
    fs::write(folder.join("turned.obj"), cube_obj().lines().map(turned).collect::<String>()).unwrap();
    let inside_out = ["inside out: the surface with triangle 0", "clockwise as seen from outside", "flip: true"];
    check(
        &folder,
        &[
            (&cube_inline("closed: true, flip: true"), &inside_out),
            (&cube_inline("closed: true, flip: true, scale: -1"), &inside_out),
            ("Mesh(file: \"turned.obj\", closed: true)", &["bodies[0].shape.file: `turned.obj`: inside out"]),
        ],
    );
    let rows = ["Mesh(file: \"turned.obj\", closed: true, flip: true)", "Mesh(file: \"turned.obj\")"];
    let scenario = read(&folder, &rows);
    let middle = mesh(&scenario, 0).bounds().center();
    assert!(mesh(&scenario, 0).contains(middle) && !mesh(&scenario, 1).is_closed());
}

#[test]
fn mesh_files_that_make_no_sense() {
    let folder = folder("bad-files");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    write("short.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    write("nan.obj", "v 0 0 0\nv 1 0 NaN\nv 2 0 0\nf 1 2 3\n");
    write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("text.stl", "v 0 0 0\n");
    write("empty.obj", "");
    write("empty.stl", "solid nothing\nendsolid nothing\n");
    write("cut.stl", &cube_stl_text()[..300]);
    fs::write(folder.join("cut_binary.stl"), &cube_stl_binary()[..200]).unwrap();
    fs::write(folder.join("picture.obj"), [0xff, 0xd8, 0, 1, 2, 0xff]).unwrap();
    fs::create_dir(folder.join("folder.obj")).unwrap();
    // A sparse file: it takes no disk space.
    fs::File::create(folder.join("large.stl")).unwrap().set_len(513 << 20).unwrap();
    check(
        &folder,
        &[
            (
                "Mesh(file: \"none.obj\")",
                &["meshes.ron:2:22: bodies[0].shape.file: `", "none.obj` cannot be read: ", "check the name"],
            ),
            ("Mesh(file: \"folder.obj\")", &["folder.obj` is a folder, not a file"]),
            ("Mesh(file: \"large.stl\")", &["large.stl` is larger than 512 MiB"]),
            (
                "Mesh(file: \"track.ply\")",
                &["`track.ply` has a format that carom does not read", "Wavefront OBJ or as STL"],
            ),
            ("Mesh(file: \"track\")", &["`track` has a format that carom does not read"]),
            ("Mesh(file: \"\")", &["must lie beside the scenario or below, found ``"]),
            (
                "Mesh(file: \"/track.obj\")",
                &["must lie beside the scenario or below, found `/track.obj`", "meshes/track.obj"],
            ),
            ("Mesh(file: \"../track.obj\")", &["must lie beside the scenario or below"]),
            ("Mesh(file: \"a/../../track.obj\")", &["must lie beside the scenario or below"]),
            ("Mesh(file: \"a\\\\track.obj\")", &["must lie beside the scenario or below", "`/` between folders"]),
            ("Mesh(file: \"C:track.obj\")", &["must lie beside the scenario or below"]),
            (
                "Mesh(file: \"short.obj\")",
                &["`short.obj` is not a valid OBJ file: line 3 names vertex 3, but there are 2", "save it again"],
            ),
            (
                "Mesh(file: \"nan.obj\")",
                &["`nan.obj` is not a valid OBJ file: line 2 has a coordinate that is not finite"],
            ),
            ("Mesh(file: \"empty.obj\")", &["it has no face"]),
            (
                "Mesh(file: \"picture.obj\")",
                &["`picture.obj` is not a valid OBJ file: line 1 is not a statement of this format"],
            ),
            (
                "Mesh(file: \"flat.obj\")",
                &["bodies[0].shape.file: `flat.obj`: a mesh needs at least one triangle with an area"],
            ),
            ("Mesh(file: \"open.obj\", closed: true)", &["`open.obj`: not closed: the edge from (", "of triangle 0"]),
            ("Mesh(file: \"open.obj\", scale: 1e71)", &["bodies[0].shape.scale: must be a number other than 0"]),
            (
                "Mesh(file: \"text.stl\")",
                &["`text.stl` is not a valid STL file: it must begin with the word `solid`, or be binary"],
            ),
            ("Mesh(file: \"empty.stl\")", &["`empty.stl`: a mesh needs at least one triangle"]),
            ("Mesh(file: \"cut.stl\")", &["`cut.stl` is not a valid STL file: it ends too early"]),
            ("Mesh(file: \"cut_binary.stl\")", &["`cut_binary.stl` is not a valid STL file: "]),
            ("Mesh(file: \"none.obj\", scale: 0)", &["has 2 problems"]),
        ],
    );
    fs::remove_file(folder.join("large.stl")).unwrap();
    let text = source(&folder, &["Mesh(file: \"open.obj\")"]).text;
    let message = plain(&parse(&Source::new("text.ron", &text)).unwrap_err());
    assert!(message.contains("needs a scenario that is itself a file"), "{message}");
}

#[test]
fn in_a_space_that_repeats_a_mesh_is_no_wider_than_the_period() {
    let text = |period: f64, shape: &str| {
        format!(
            "(timestep: 1, duration: 1, space: Periodic(x: (0, {period})), bodies: [(shape: {shape}, position: (2, 0, 0))])"
        )
    };
    let shapes =
        [cube_inline(""), cube_inline("translation: (1, 0, 0)"), "Tiles(cell: 0.5, rows: [\"##\"])".to_owned()];
    for shape in shapes {
        let widest = (1..=8).map(|eighths| 0.25 * f64::from(eighths)).find(|&period| {
            let parsed = parse(&Source::new("x.ron", &text(period, &shape)));
            let wanted = format!("bodies[0].shape: the body is 1 m wide along x, where space repeats every {period} m");
            parsed.inspect_err(|problems| assert!(plain(problems).contains(&wanted), "{}", plain(problems))).is_ok()
        });
        assert_eq!(widest, Some(1.0), "{shape}");
    }
}

#[test]
fn no_damage_to_a_mesh_file_makes_the_reader_fail() {
    let folder = folder("damage");
    let obj =
        "o a\nv 0 0 0\nv 1 0 0 1\nv 1 1 0 .1 .2 .3\nvt 0 0\nvn 0 0 1\nf 1/1/1 2//1 -1/-1\nv 0 1 0\nf 1 3 4 \\\n 2\n";
    let text = cube_stl_text();
    let binary = cube_stl_binary();
    for (name, bytes) in [("a.obj", obj.as_bytes()), ("a.stl", &text.as_bytes()[..400]), ("b.stl", &binary[..284])] {
        let shape = format!("Mesh(file: \"{name}\")");
        let mut seen = [0, 0];
        let mut try_out = |bytes: Vec<u8>| {
            fs::write(folder.join(name), bytes).unwrap();
            match parse(&source(&folder, &[&shape])) {
                Ok(_) => seen[0] += 1,
                Err(problems) => {
                    seen[1] += 1;
                    assert!(plain(&problems).contains(name));
                }
            }
        };
        // The text of an STL file repeats itself, so damage at every fifth position is sufficient.
        for place in (0..bytes.len()).step_by(if name == "a.obj" { 1 } else { 5 }) {
            try_out(bytes[..place].to_vec());
            for instead in ["", "-99999999999", "nan", "\n", "\u{fc}"] {
                try_out([&bytes[..place], instead.as_bytes(), &bytes[place + 1..]].concat());
            }
        }
        assert!(seen[1] > 100, "{name}: {seen:?}");
    }
}

#[test]
fn generated_bodies_keep_clear_of_meshes() {
    let folder = folder("clear");
    let crate_of_corners = cube_inline("closed: true, scale: 4, translation: (-2, -2, -2)");
    let text = format!(
        "(timestep: 1, duration: 1, bodies: [(name: \"crate\", shape: {crate_of_corners})], fill: [Random(name: \"ball\", \
         shape: Sphere(radius: 0.2), density: 1, count: 800, min: (-3, -3, -3), max: (3, 3, 3))])"
    );
    let scenario = parse(&Source::new("clear.ron", &text).in_folder(&folder)).unwrap().scenario;
    let outside = |place: DVec3| (place.abs() - 2.0).max(DVec3::ZERO).length() >= 0.2;
    let balls = scenario.bodies.iter().filter(|body| body.name.starts_with("ball"));
    assert_eq!(balls.filter(|ball| outside(ball.position)).count(), 800);
}

/// A link could lead to any file of the user, and an error would show its first line.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = folder("links");
    fs::create_dir_all(folder.join("elsewhere")).unwrap();
    fs::write(folder.join("elsewhere/secret.obj"), "the first line\n").unwrap();
    let scene = folder.join("scene");
    fs::create_dir_all(&scene).unwrap();
    symlink(folder.join("elsewhere/secret.obj"), scene.join("file.obj")).unwrap();
    symlink(folder.join("elsewhere"), scene.join("meshes")).unwrap();
    symlink("missing.obj", scene.join("astray.obj")).unwrap();
    for (file, link) in [("file.obj", "file.obj"), ("meshes/secret.obj", "meshes"), ("astray.obj", "astray.obj")] {
        let problems = parse(&source(&scene, &[&format!("Mesh(file: \"{file}\")")])).unwrap_err();
        let mut message = String::new();
        NarratableReportHandler::new().render_report(&mut message, &problems).unwrap();
        assert!(message.contains(&format!("{link}` is a link, which could lead out")), "{message}");
        assert!(!message.contains("the first line"), "{message}");
    }
    // The folder of the scenario itself may be reached by a link.
    fs::write(scene.join("square.obj"), "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n").unwrap();
    symlink(&scene, folder.join("here")).unwrap();
    assert_eq!(mesh(&read(&folder.join("here"), &["Mesh(file: \"square.obj\")"]), 0).triangles().len(), 1);
}
