//! Planar worlds in a scenario: vectors of two numbers, shapes, areas, and what is refused.

use std::f64::consts::PI;

use carom::dynamics::Motion;
use carom::geometry::Shape;
use carom::scenario::{Scenario, Source, parse, read_body};
use glam::DVec3;

fn try_read(fields: &str) -> Result<Scenario, String> {
    let text = format!("(timestep: 1, duration: 1, {fields})");
    let parsed = parse(&Source::new("x.ron", text.as_str()));
    parsed.map(|parsed| parsed.scenario).map_err(|problems| {
        let problem = &problems.list()[0];
        format!("{problem}; {}", problem.fault.help().unwrap_or_default())
    })
}

fn read(fields: &str) -> Scenario {
    try_read(fields).unwrap_or_else(|error| panic!("{fields}: {error}"))
}

fn mass(scenario: &Scenario, row: usize) -> f64 {
    match scenario.bodies[row].motion {
        Motion::Free(mass) => mass.get(),
        motion => panic!("{motion:?}"),
    }
}

#[test]
fn two_numbers_are_a_vector_of_the_plane() {
    let of = |gravity: &str, at: &str, velocity: &str, half: &str, normal: &str| {
        read(&format!(
            "space: Planar(x: (0, 9)), gravity: {gravity}, bodies: [
                (name: \"disc\", shape: Disc(radius: 0.5), density: 2, position: {at}, velocity: {velocity}, spin: 3),
                (name: \"brick\", shape: Box(half_extents: {half}), density: 2, position: (5, 5)),
                (name: \"floor\", shape: Plane(normal: {normal}, offset: 0)),
            ], commands: [SetVelocity(at: 0.5, body: \"disc\", velocity: {velocity})]"
        ))
    };
    let short = of("(0, -2)", "(1, 2)", "(3, 4)", "(1, 0.5)", "(0, 1)");
    let long = of("(0, -2, 0)", "(1, 2, 0)", "(3, 4, 0)", "(1, 0.5, 7)", "(0, 1, 0)");
    assert_eq!(short.bodies, long.bodies);
    assert_eq!(short.settings, long.settings);
    assert!(short.settings.space.is_planar && short.settings.space.periods[0].is_some());
    assert_eq!((short.bodies[0].position, short.bodies[0].spin), (DVec3::new(1.0, 2.0, 0.0), DVec3::Z * 3.0));
    assert_eq!([mass(&short, 0), mass(&short, 1)], [2.0 * PI * 0.25, 2.0 * 2.0]);
}

#[test]
fn a_body_that_is_read_by_itself_is_of_its_world() {
    let body =
        Source::new("body.ron", "(name: \"disc\", shape: Disc(radius: 0.5), mass: 1, position: (1, 2), spin: 3)");
    let (named, _) = read_body(&body, &read("space: Planar()"), 0.0).unwrap();
    assert_eq!((named.body.position, named.body.spin), (DVec3::new(1.0, 2.0, 0.0), DVec3::Z * 3.0));
    assert!(read_body(&body, &read("space: Open"), 0.0).is_err());
}

#[test]
fn shapes_are_where_they_are_drawn() {
    let scenario = read(
        "space: Planar(), bodies: [
            (shape: Segment(from: (-1, 0), to: (3, 4)), position: (10, 0)),
            (shape: Polygon(corners: [(0, 0), (0, 1), (2, 0)])),
            (shape: Arc(radius: 2, from: 90, to: 180)), (shape: Arc(radius: 1)), (shape: Disc(radius: 1), motion: Fixed),
        ]",
    );
    let names: Vec<&str> = scenario.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["mesh/2", "mesh/1", "arc/2", "arc/1", "disc/1"]);
    let bounds = |row: usize| match &scenario.bodies[row].shape {
        Shape::Mesh(mesh) => (mesh.bounds().min.truncate(), mesh.bounds().max.truncate(), mesh.is_closed()),
        shape => panic!("{shape:?}"),
    };
    assert_eq!(bounds(0), (glam::DVec2::new(-1.0, 0.0), glam::DVec2::new(3.0, 4.0), false));
    assert_eq!(bounds(1), (glam::DVec2::ZERO, glam::DVec2::new(2.0, 1.0), true));
    let ends = |row: usize| match &scenario.bodies[row].shape {
        Shape::Arc(arc) => (arc.ends(), arc.is_circle()),
        shape => panic!("{shape:?}"),
    };
    assert_eq!(ends(2), ([DVec3::Y * 2.0, DVec3::X * -2.0], false));
    assert!(ends(3).1);
}

#[test]
fn generators_fill_the_plane() {
    let scenario = read(
        "space: Planar(x: (0, 10), y: (0, 10)), fill: [
            Lattice(name: \"a\", shape: Disc(radius: 0.2), kind: Hexagonal, counts: (3, 2), min: (0, 0), spacing: 0.5, mass: 1),
            Lattice(name: \"b\", shape: Box(half_extents: (0.1, 0.2)), counts: (2, 2), min: (6, 0), max: (8, 2), mass: 1),
            Random(name: \"c\", shape: Discs(radii: (0.1, 0.3)), count: 200, min: (0, 3), max: (10, 10), density: 1,
                temperature: 2, seed: 4),
            Rack(name: \"d\", radius: 0.1, rows: 3, apex: (4, 1), mass: 1),
        ]",
    );
    assert_eq!(scenario.bodies.len(), 12 + 4 + 200 + 6);
    for body in &scenario.bodies {
        assert_eq!([body.position.z, body.velocity.z], [0.0; 2], "{}", body.name);
    }
    // Each disc of a row touches no other one, and has its neighbours at the corners of equal triangles.
    let near = scenario.bodies[..12].iter().flat_map(|one| {
        let distances = scenario.bodies[..12].iter().map(|other| one.position.distance(other.position));
        distances.filter(|&distance| distance > 0.0).collect::<Vec<_>>()
    });
    let least = near.fold(f64::INFINITY, f64::min);
    assert!((least - 0.5).abs() < 1e-15, "{least}");
    let heat: f64 = scenario.bodies[16..216]
        .iter()
        .zip(16..)
        .map(|(body, row)| mass(&scenario, row) * body.velocity.length_squared())
        .sum();
    // Two components of k_B T each, within 4 standard errors of 400 normal deviates.
    assert!((heat / 200.0 / 4.0 - 1.0).abs() < 4.0 * (2.0_f64 / 400.0).sqrt(), "{heat}");
    scenario.world().unwrap();
}

#[test]
fn what_a_plane_does_not_have_is_named_with_its_place() {
    let planar = |fields: &str| format!("space: Planar(), {fields}");
    let body = |fields: &str| planar(&format!("bodies: [({fields})]"));
    let fill = |fields: &str| planar(&format!("fill: [{fields}]"));
    let rows = [
        (
            "gravity: (0, -9.8)".to_owned(),
            "x.ron:1:37: gravity: must be three numbers in round brackets, found `(0, -9.8)`",
        ),
        (planar("gravity: (0, -9.8, 1)"), "gravity[2]: the third number of a vector must be 0 in a planar world"),
        ("bodies: [(shape: Disc(radius: 1), mass: 1)]".to_owned(), "bodies[0].shape: only a planar world has a `Disc`"),
        ("bodies: [(shape: Arc(radius: 1))]".to_owned(), "bodies[0].shape: only a planar world has an `Arc`"),
        (body("shape: Sphere(radius: 1), mass: 1"), "bodies[0].shape: a planar world has no `Sphere`"),
        (body("shape: Tiles(cell: 1, rows: [\"#\"])"), "bodies[0].shape: a planar world has no `Tiles`"),
        (body("shape: Disc(radius: 1), mass: 1, position: (0, 0, 1)"), "bodies[0].position[2]: the third number"),
        (
            body("shape: Disc(radius: 1), mass: 1, spin: (1, 0, 0)"),
            "bodies[0].spin: the spin of a disc in a planar world is one number",
        ),
        (body("shape: Plane(normal: (0, 0, 1), offset: 0)"), "bodies[0].shape.normal[2]: the third number"),
        (body("shape: Arc(radius: 1, from: 90, to: 0)"), "bodies[0].shape.to: must be an angle above `from`"),
        (body("shape: Arc(radius: -1)"), "bodies[0].shape.radius: must be a positive"),
        (body("shape: Polygon(corners: [(0, 0), (1, 1), (1, 0), (0, 1)])"), "crosses or touches itself"),
        (body("shape: Polygon(corners: [(0, 0), (1, 1)])"), "needs at least 3 points"),
        (body("shape: Segment(from: (1, 1), to: (1, 1))"), "at least one triangle with an area"),
        (body("shape: Segment(from: (0, 0), to: (1, 1)), motion: Free, mass: 1"), "bodies[0].motion: "),
        (
            fill(
                "Lattice(name: \"a\", shape: Disc(radius: 0.2), kind: FaceCentred, counts: (3, 2), min: (0, 0), spacing: 1, mass: 1)",
            ),
            "fill[0].kind: a planar world has no face-centred lattice",
        ),
        (
            fill("Lattice(name: \"a\", shape: Disc(radius: 0.2), counts: (3, 2, 2), min: (0, 0), spacing: 1, mass: 1)"),
            "fill[0].counts: must be two whole numbers",
        ),
        (
            fill("Compressed(name: \"a\", count: 9, packing: 0.5, min: (0, 0), max: (1, 1), mass: 1)"),
            "a planar world has no `Compressed` generator",
        ),
        (planar("observe: [Packing]"), "observe[0]: a planar world has no `Packing` to observe"),
        (
            fill("Random(name: \"a\", shape: Disc(radius: 0.5), count: 80, min: (0, 0), max: (10, 10), mass: 1)"),
            "fill[0]: ",
        ),
        (
            fill("Random(name: \"d\", shape: Disc(radius: 0.5), count: 72, min: (0, 0), max: (10, 10), mass: 1)"),
            "use a `Lattice`, or in space `Compressed`: random spheres reach about 0.34 of the volume, random discs about 0.52",
        ),
    ];
    for (fields, wanted) in rows {
        let found = try_read(&fields).err().unwrap_or_else(|| panic!("{fields} is accepted"));
        assert!(found.contains(wanted), "{fields}: {found}");
    }
}
