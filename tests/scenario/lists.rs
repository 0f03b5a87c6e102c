//! Bodies that a file lists: `fill: [FromFile(...)]`.

use carom::dynamics::Motion;
use carom::geometry::Shape;
use carom::scenario::{MeshFile, Problems, Scenario, Source, parse};
use carom::world::Named;
use glam::DVec3;
use proptest::prelude::*;

fn source(list: &str, rest: &str) -> Source {
    let text = format!("(timestep: 1, duration: 1,\nfill: [FromFile(name: \"s\", file: \"s.csv\"{rest})])");
    let file = MeshFile { name: "s.csv".to_owned(), bytes: list.as_bytes().into() };
    Source::new("x.ron", &text).with_files(vec![file])
}

fn read(list: &str, rest: &str) -> Scenario {
    parse(&source(list, rest)).unwrap_or_else(|problems| panic!("{list}\n{rest}\n{}", said(&problems))).scenario
}

fn said(problems: &Problems) -> String {
    let mut text = String::new();
    miette::NarratableReportHandler::new().render_report(&mut text, problems).unwrap();
    text
}

#[test]
fn a_list_has_what_each_body_has_of_its_own() {
    let list = "\u{feff}# from elsewhere\r\nname , z,y,x,vx,vy,vz,mass,radius,wx,wy,wz\r\nb,3,2,1,0.1,0.2,0.3,5,0.5,7,8,9\r\n\
                \"a/1\",-3,-2,-1e0,1,2,3,0.25,0.125,0,0,0\r\n";
    let scenario = read(list, ", velocity: (10, 0, 0), spin: (0, 0, 1)");
    let names: Vec<&str> = scenario.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["s/b", "s/a/1"]);
    let [first, second] = &scenario.bodies[..] else { panic!() };
    assert_eq!((first.position, first.velocity), (DVec3::new(1.0, 2.0, 3.0), DVec3::new(10.1, 0.2, 0.3)));
    assert_eq!((first.spin, second.spin), (DVec3::new(7.0, 8.0, 10.0), DVec3::Z));
    assert!(matches!(first.motion, Motion::Free(mass) if mass.get() == 5.0));
    assert!(matches!(second.motion, Motion::Free(mass) if mass.get() == 0.25));
    assert!(matches!(second.shape, Shape::Sphere(radius) if radius.get() == 0.125));
    assert_eq!(scenario.files.len(), 1, "a recording keeps it");
    assert_eq!(&scenario.files[0].bytes[..], list.as_bytes());
}

#[test]
fn what_a_list_leaves_out_is_given_once_for_all() {
    let places = "x,y,z\n0,0,0\n9,0,0\n18,0,0\n27,0,0\n36,0,0\n45,0,0\n54,0,0\n63,0,0\n72,0,0\n81,0,0\n90,0,0\n";
    let scenario = read(places, ", shape: Box(half_extents: (1, 2, 3)), motion: Fixed");
    assert_eq!(scenario.bodies.len(), 11);
    assert_eq!((scenario.bodies[10].name.as_str(), scenario.bodies[10].position.x), ("s/10", 90.0));
    assert_eq!(scenario.bodies[3].name, "s/03");
    let scenario =
        read("x,y,z,density,hx,hy,hz\n0,0,0,2,1,1,1\n5,0,0,1,1,2,1\n", ", temperature: 1, zero_momentum: true");
    let is_of_mass = |body: &Named| matches!(body.motion, Motion::Free(mass) if mass.get() == 16.0);
    assert!(scenario.bodies.iter().all(is_of_mass), "{:#?}", scenario.bodies);
    assert!(scenario.bodies[0].velocity != DVec3::ZERO);
    assert!((scenario.bodies[0].velocity + scenario.bodies[1].velocity).length() < 1e-15, "they share no drift");
    let drawn = read(places, ", shape: Spheres(radii: (0.1, 0.2)), density: 1000");
    assert!(drawn.bodies.iter().all(|body| (0.1..0.2).contains(&body.shape.half_extents().x)));
}

#[test]
fn what_is_wrong_is_named_by_line_and_column() {
    let ball = ", shape: Sphere(radius: 1), mass: 1";
    let rows = [
        ("", ball, "`s.csv`, line 1: the column `x` is missing"),
        ("x,y\n1,2\n", ball, "`s.csv`, line 1: the column `z` is missing"),
        ("x,y,z,vx,vz\n1,2,3,4,5\n", ball, "the column `vy` is missing"),
        ("x,y,z,raduis\n1,2,3,4\n", ball, "there is no column `raduis`: did you mean `radius`?"),
        ("x,y,z,x\n1,2,3,4\n", ball, "there are two columns `x`"),
        ("x,y,z,mass,density\n1,2,3,4,5\n", ball, "the columns `mass` and `density` exclude each other"),
        ("x,y,z\n", ball, "line 1: no body follows"),
        ("x,y,z\n1,2,3\n\n4,5\n", ball, "`s.csv`, line 4: 3 values wanted, as many as there are columns, 2 found"),
        ("x,y,z\r\n1,2,3\r\n4,five,6\r\n", ball, "line 3, column `y`: must be a number, found `five`"),
        ("x,y,z\n1,2,inf\n", ball, "line 2, column `z`: must be a finite number"),
        ("x,y,z,radius\n1,2,3,-4\n", ", mass: 1", "line 2, column `radius`: must be"),
        ("x,y,z,hx,hy,hz\n1,2,3,4,0,1\n", ", mass: 1", "line 2, column `hy`: must be"),
        ("x,y,z,mass\n1,2,3,0\n", ", shape: Sphere(radius: 1)", "line 2, column `mass`: must be"),
        ("x,y,z,density\n1,2,3,1e70\n", ", shape: Sphere(radius: 10)", "line 2, column `density`: must be"),
        ("x,y,z,name\n1,2,3,a\n4,5,6,a\n", ball, "line 3, column `name`: `a` is the name of an earlier body"),
        ("x,y,z,name\n1,2,3,\n", ball, "line 2, column `name`: a name must not be empty"),
        ("x,y,z,radius\n1,2,3,4\n", ball, "the file has a column `radius`, which excludes `shape`"),
        ("x,y,z,mass\n1,2,3,4\n", ball, "the file has a column `mass`, which excludes `mass`"),
        ("x,y,z\n1,2,3\n", ", mass: 1", "the bodies have no shape: `s.csv` has no column `radius`"),
        ("x,y,z\n1,2,3\n", ", shape: Sphere(radius: 1)", "a free body needs a `mass` or a `density`"),
        ("x,y,z,mass\n1,2,3,4\n", ", shape: Sphere(radius: 1), motion: Fixed", "column `mass`: a body that is not"),
        (
            "x,y,z,vx,vy,vz\n1,2,3,0,0,1\n",
            ", shape: Sphere(radius: 1), motion: Fixed",
            "a `Fixed` body has no velocity",
        ),
        ("x,y,z,hx,hy,hz,wx,wy,wz\n1,2,3,1,1,1,0,0,1\n", ", mass: 1", "column `wx`: only a `Free` sphere turns"),
    ];
    for (list, rest, wanted) in rows {
        let problems = parse(&source(list, rest)).map(|_| ()).expect_err(list);
        let said = said(&problems);
        assert!(said.contains(wanted), "{list}{rest}: `{wanted}` is missing in\n{said}");
        assert!(said.contains("x.ron:2:"), "{said}");
        assert!(wanted.starts_with("a free body") || !said.contains("a free body needs"), "{said}");
    }
    let bytes: &[u8] = b"x,y,z\n1,\xff,3\n";
    let mut bad = source("", ball);
    bad.files[0].bytes = bytes.into();
    assert!(said(&parse(&bad).unwrap_err()).contains("it is no text in UTF-8"));
}

#[test]
fn a_list_is_looked_for_like_a_mesh() {
    let rows = [
        ("../s.csv", "must lie beside the scenario or below, found `../s.csv`"),
        ("/s.csv", "must lie beside the scenario or below"),
        ("none.csv", "this one is text without a folder"),
    ];
    for (file, wanted) in rows {
        let mut source = source("x,y,z\n1,2,3\n", ", shape: Sphere(radius: 1), mass: 1");
        source.text = source.text.replace("s.csv", file);
        let said = said(&parse(&source).unwrap_err());
        assert!(said.contains(wanted) && said.contains("x.ron:2:34: fill[0].file"), "{said}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.csv"), "x,y,z\n1,2,3\n").unwrap();
    let mut source = source("", ", shape: Sphere(radius: 1), mass: 1").in_folder(folder.path());
    source.files.clear();
    assert_eq!(parse(&source).unwrap().scenario.bodies[0].position, DVec3::new(1.0, 2.0, 3.0));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Shortest digits read back to the same bits, and each value is found in its column in whatever order they are.
    #[test]
    fn every_bit_of_a_list_is_read(
        rows in prop::collection::vec(prop::array::uniform9(-1e70..1e70_f64), 1..20),
        order in Just([0, 1, 2, 3, 4, 5, 6, 7, 8]).prop_shuffle(),
    ) {
        let names = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"];
        let mut list = order.map(|column| names[column]).join(",") + "\n";
        for row in &rows {
            list += &(order.map(|column| format!("{:?}", row[column])).join(",") + "\n");
        }
        let scenario = read(&list, ", shape: Sphere(radius: 1), mass: 1");
        for (row, body) in rows.iter().zip(&scenario.bodies) {
            let found = [body.position, body.velocity, body.spin].map(|vector| vector.to_array()).concat();
            prop_assert_eq!(row.map(f64::to_bits).to_vec(), found.into_iter().map(f64::to_bits).collect::<Vec<_>>());
        }
    }
}
