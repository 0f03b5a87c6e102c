//! Valid scenarios: the notation, the defaults, and the generated names.

use std::collections::BTreeMap;

use carom::dynamics::{EventKind, Impacts, Layers, MaterialId, Motion, Period, Response, Restitution, Settings};
use carom::geometry::Shape;
use carom::motion::{Course, SimTime};
use carom::scenario::plot::style::{PictureFormat, Rgb, Theme, Width};
use carom::scenario::{Axis, Count, EventLog, Expectation, Format, GasFigure, LayerNames, MaterialNames, Observation};
use carom::scenario::{Figure, Plane2, Plot, PlotStyle, Recording, Scenario, Source, parse, read_body};
use glam::DVec3;

fn read(text: &str) -> Scenario {
    parse(&Source::new("folder/example.ron", text)).unwrap_or_else(|problems| panic!("{:#?}", problems.list())).scenario
}

const EXAMPLE: &str = r#"Scenario(
    title: "Ball, crate and piston",
    gravity: (0.0, 0.0, -9.81),                // m/s², default none
    timestep: 0.01, duration: 5.0,             // s; duration need not be a multiple
    space: Open,                               // or Periodic(min: (0, 0, 0), max: (10, 10, 10)); single axes too
    materials: { "steel": (restitution: 0.95), "rubber": (restitution: 0.7) },
    pairs: [ (between: ("steel", "rubber"), restitution: 0.8) ],   // otherwise the smaller of the two; default 1
    bodies: [
        (name: "floor",  shape: Plane(normal: (0, 0, 1), offset: 0), motion: Fixed, material: "steel"),
        (name: "ball",   shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 2), velocity: (1, 0, 0), material: "rubber"),
        (name: "crate",  shape: Box(half_extents: (0.5, 0.4, 0.3)), density: 600, position: (3, 0, 0.3)),
        (name: "piston", shape: Box(half_extents: (0.1, 2, 2)), motion: Kinematic, position: (-5, 0, 2), velocity: (0.5, 0, 0)),
        (name: "gate",   shape: Box(half_extents: (0.01, 1, 1)), motion: Fixed, response: Sense, position: (1.5, 0, 1)),
    ],
    fill: [
        Lattice(name: "gas", shape: Sphere(radius: 0.05), counts: (2, 3, 4), min: (5, 5, 5), spacing: 0.5, mass: 0.1),
        Random(name: "rain", shape: Sphere(radius: 0.05), count: 20, min: (0, 5, 5), max: (3, 8, 8), density: 900, seed: 7),
    ],
    plots: [ Path(plane: XZ), Height(axis: Z), Energy, Impacts ],
    expect: [ Impacts(exactly: 5), EnergyDrift(below: 1e-12), Deepest(below: 1e-12) ],
)"#;

#[test]
fn the_example_is_read_as_it_stands() {
    let scenario = read(EXAMPLE);
    assert_eq!(scenario.title, "Ball, crate and piston");
    assert_eq!((scenario.timestep, scenario.duration), (0.01, 5.0));
    let settings = &scenario.settings;
    assert_eq!(settings.gravity, DVec3::new(0.0, 0.0, -9.81));
    assert_eq!(settings.materials.restitution(MaterialId(1), MaterialId(2)).constant(), Some(0.8));
    assert_eq!(settings.materials.restitution(MaterialId(1), MaterialId(0)).constant(), Some(0.95));
    assert_eq!(scenario.bodies.len(), 5 + 24 + 20);
    let [floor, ball, crate_, piston, gate] = &scenario.bodies[..5] else { unreachable!() };
    assert_eq!((floor.motion, floor.material), (Motion::Fixed, MaterialId(1)));
    assert_eq!((ball.velocity, ball.material), (DVec3::X, MaterialId(2)));
    let Motion::Free(mass) = crate_.motion else { panic!("{crate_:?}") };
    assert!((mass.get() - 288.0).abs() < 1e-12 * 288.0, "{mass:?}");
    assert_eq!((piston.motion, piston.velocity), (Motion::Kinematic, DVec3::X * 0.5));
    assert_eq!((gate.motion, gate.response), (Motion::Fixed, Response::Sense));
    assert_eq!(scenario.bodies[5].name, "gas/00");
    assert_eq!(scenario.bodies[48].name, "rain/19");
    assert_eq!(scenario.plots[0].plot, Plot::Path { plane: Plane2::XZ, bodies: vec![] });
    assert_eq!(scenario.plots[1].plot, Plot::Height { axis: Axis::Z, bodies: vec![] });
    assert_eq!(scenario.expect[2], Expectation::Deepest { below: 1e-12 });
}

#[test]
fn bodies_without_a_material_get_the_default_one() {
    let scene = |default: &str| {
        read(&format!(
            r#"(timestep: 1, duration: 1, {default}
            materials: {{ "a": (restitution: 0.5), "steel": (restitution: 0.95) }},
            bodies: [
                (name: "floor", shape: Plane(normal: (0, 0, 1), offset: -9)),
                (name: "other", shape: Sphere(radius: 1), mass: 1, material: "a"),
            ],
            fill: [Lattice(name: "row", shape: Sphere(radius: 1), mass: 1, counts: (1, 1, 1), min: (5, 0, 0), spacing: 3)],
            commands: [Spawn(at: 1, body: (name: "late", shape: Sphere(radius: 1), mass: 1, position: (0, 9, 0)))])"#
        ))
    };
    let materials = |scenario: &Scenario| -> Vec<(String, MaterialId)> {
        scenario.all_bodies().map(|named| (named.name.clone(), named.material)).collect()
    };
    let rows = |rest: u16| {
        [("floor", rest), ("other", 1), ("row/0", rest), ("late", rest)]
            .map(|(name, rank)| (name.to_owned(), MaterialId(rank)))
            .to_vec()
    };
    assert_eq!(materials(&scene("")), rows(0));
    assert_eq!(materials(&scene("default_material: \"steel\",")), rows(2));
}

#[test]
fn instants_to_record_are_in_order_each_once() {
    let record = |at: &str| read(&format!("(timestep: 1, duration: 3, record: (at: {at}))")).record.at;
    let instants = |seconds: &[f64]| seconds.iter().map(|&s| SimTime::from_seconds(s)).collect::<Vec<_>>();
    assert_eq!(record("[3, 0.1, 0, 0.25, 0.1]"), instants(&[0.0, 0.1, 0.25, 3.0]));
    assert_eq!(record("[]"), instants(&[]));
    assert_eq!(read("(timestep: 1, duration: 3)").record.at, instants(&[]));
}

#[test]
fn what_is_not_said_has_its_default() {
    let scenario = read("(timestep: 1, duration: 2)");
    let expected = Scenario {
        title: "example".to_owned(),
        settings: Settings::default(),
        timestep: 1.0,
        duration: 2.0,
        bodies: vec![],
        materials: MaterialNames::default(),
        layers: LayerNames::default(),
        files: vec![],
        colors: BTreeMap::new(),
        record: Recording { paths_max: 100_000, ..Recording::default() },
        observe: vec![],
        plots: vec![],
        expect: vec![],
        commands: vec![],
        play: vec![],
    };
    assert_eq!(scenario, expected);
}

#[test]
fn a_gas_is_observed_drawn_and_judged() {
    let scenario = read(
        r#"(timestep: 1, duration: 8, observe: [Gas, Gas], plots: [Energy],
            expect: [Temperature(near: 1, within: 0.1), Pressure(near: 2, within: 0.2),
                CollisionRate(near: 3, within: 0), Compressibility(near: 4, within: 0.4)])"#,
    );
    assert_eq!(scenario.observe.as_slice(), &[Observation::Gas][..]);
    assert_eq!(scenario.plots, [Plot::Energy, Plot::Gas, Plot::Speeds].map(Figure::from));
    let wanted = [
        (GasFigure::Temperature, 1.0, 0.1),
        (GasFigure::Pressure, 2.0, 0.2),
        (GasFigure::CollisionRate, 3.0, 0.0),
        (GasFigure::Compressibility, 4.0, 0.4),
    ];
    let wanted = wanted.map(|(figure, near, within)| Expectation::Gas { figure, near, within });
    assert_eq!(scenario.expect, wanted);
}

#[test]
fn surfaces_rub_and_balls_turn() {
    let scenario = read(
        r#"(timestep: 1, duration: 1, impacts: Pairwise,
        materials: {
            "steel": (restitution: 0.9, friction: 0.5, rolling_friction: 1e-3, spinning_friction: 2e-3),
            "rubber": (restitution: 0.7, friction: 1.2, rolling_friction: 0.1, spinning_friction: 0),
            "ice": (restitution: 0.3),
        },
        pairs: [
            (between: ("steel", "rubber"), friction: 0.8),
            (between: ("ice", "steel"), restitution: 0.2, friction: 0.02),
            (between: ("rubber", "rubber"), restitution: 0.6),
            (between: ("steel", "steel"), spinning_friction: 5),
        ],
        bodies: [
            (name: "a", shape: Sphere(radius: 1), mass: 1, spin: (1, -2, 3e1)),
            (name: "b", shape: Sphere(radius: 1), mass: 1, position: (9, 0, 0)),
        ],
        fill: [
            Rack(name: "r", radius: 1, rows: 1, apex: (0, 9, 0), mass: 1, spin: (0, 0, 5)),
            Lattice(name: "l", shape: Sphere(radius: 1), counts: (1, 1, 1), min: (0, 0, 9), spacing: 3, mass: 1, spin: (6, 0, 0)),
            Random(name: "x", shape: Spheres(radii: (1, 2)), count: 1, min: (-9, 0, 0), max: (-4, 9, 9), mass: 1, spin: (0, 7, 0)),
            Random(name: "y", shape: Box(half_extents: (1, 1, 1)), count: 1, min: (-9, -9, 0), max: (-4, -4, 9), mass: 1),
        ])"#,
    );
    assert_eq!(scenario.settings.impacts, Impacts::Pairwise);
    // Ids follow the order of the file. Id 0 is the material of a body without a material.
    let [smooth, steel, rubber, ice] = [0, 1, 2, 3].map(MaterialId);
    let materials = &scenario.settings.materials;
    let between = |a, b| (materials.restitution(a, b).constant(), materials.friction(a, b));
    let rows = [
        (steel, steel, 0.9, 0.5),
        (steel, rubber, 0.7, 0.8),
        (steel, ice, 0.2, 0.02),
        (rubber, rubber, 0.6, 1.2),
        (rubber, ice, 0.3, 0.0),
        (rubber, smooth, 0.7, 0.0),
    ];
    for (a, b, restitution, friction) in rows {
        assert_eq!([between(a, b), between(b, a)], [(Some(restitution), friction); 2], "{a:?} {b:?}");
    }
    for (a, b, rolling, spinning) in
        [(steel, steel, 1e-3, 5.0), (steel, rubber, 1e-3, 0.0), (rubber, rubber, 0.1, 0.0), (steel, ice, 0.0, 0.0)]
    {
        assert_eq!((materials.rolling_friction(a, b), materials.spinning_friction(a, b)), (rolling, spinning));
    }
    let spins: Vec<[f64; 3]> = scenario.bodies.iter().map(|body| body.spin.to_array()).collect();
    let wanted = [[1.0, -2.0, 30.0], [0.0; 3], [0.0, 0.0, 5.0], [6.0, 0.0, 0.0], [0.0, 7.0, 0.0], [0.0; 3]];
    assert_eq!(spins, wanted);
    let together = read("(timestep: 1, duration: 1, impacts: Together)");
    assert_eq!(together.settings, Settings::default());
}

#[test]
fn cutoffs_are_those_of_the_file() {
    let scenario = read("(timestep: 1, duration: 1, rest_height: 0, flurry_max: 1, impacts_max: 4294967295)");
    let wanted = Settings { rest_height: 0.0, flurry_max: 1, impacts_max: u32::MAX, ..Settings::default() };
    assert_eq!(scenario.settings, wanted);
}

#[test]
fn one_axis_may_repeat() {
    let axes = |text: &str| read(&format!("(timestep: 1, duration: 1, space: {text})")).settings.space.periods;
    let period = |min, max| Some(Period { min, max });
    assert_eq!(axes("Periodic(x: (0, 10))"), [period(0.0, 10.0), None, None]);
    assert_eq!(axes("Periodic(z: (-1, 1), y: (2, 3.5))"), [None, period(2.0, 3.5), period(-1.0, 1.0)]);
    let all = axes("Periodic(min: (0, 0, 0), max: (1, 2, 3))");
    assert_eq!(all, [period(0.0, 1.0), period(0.0, 2.0), period(0.0, 3.0)]);
}

#[test]
fn a_normal_of_any_length_is_made_a_unit() {
    let scenario = read("(timestep: 1, duration: 1, bodies: [(shape: Plane(normal: (0, 3, 4), offset: 10))])");
    let Shape::Plane(plane) = scenario.bodies[0].shape else { panic!() };
    assert_eq!((plane.normal(), plane.offset()), (DVec3::new(0.0, 0.6, 0.8), 2.0));
    assert_eq!(scenario.bodies[0].motion, Motion::Fixed, "a plane is fixed unless it says otherwise");
}

#[test]
fn plots_have_styles_of_their_own_over_that_of_the_scenario() {
    let scenario = read(
        r##"(timestep: 1, duration: 8, observe: [Gas],
        bodies: [(name: "a", shape: Sphere(radius: 1), mass: 1, position: (9, 0, 0)), (name: "b/1", shape: Sphere(radius: 1), mass: 1)],
        style: (theme: Print, width: Double, formats: [Pdf, Svg, Pdf], colors: { "a": "#010203", "b/*": "#0A0b0C" }),
        plots: [
            Path(plane: XY, style: (theme: Dark, width: Mm(90), height: Mm(60), time: (1, 2), x: (-1, 1.5))),
            Energy, Speeds(style: (log_y: true, y: (1e-3, 1), title: true, font_size: 9, dpi: 300)), Impacts(),
            Height(axis: X, style: (labels: { "a": "first" }, colors: { "a": "#ffffff" })),
        ])"##,
    );
    let plots: Vec<_> = scenario.plots.iter().map(|figure| &figure.plot).collect();
    assert!(matches!(
        plots[..],
        [Plot::Path { .. }, Plot::Energy, Plot::Speeds, Plot::Impacts { .. }, Plot::Height { .. }, Plot::Gas]
    ));
    let [path, energy, speeds, _, height, gas] = scenario.plots.as_slice() else { unreachable!() };
    let base = PlotStyle {
        theme: Some(Theme::Print),
        width: Some(Width::Double),
        formats: vec![PictureFormat::Svg, PictureFormat::Pdf],
        colors: vec![("a".to_owned(), Rgb([1, 2, 3])), ("b/1".to_owned(), Rgb([10, 11, 12]))],
        ..PlotStyle::default()
    };
    assert_eq!((&energy.style, &gas.style), (&base, &base));
    let own = PlotStyle {
        theme: Some(Theme::Dark),
        width: Some(Width::Mm(90.0)),
        height: Some(60.0),
        time: Some([1.0, 2.0]),
        x: Some([-1.0, 1.5]),
        ..base.clone()
    };
    assert_eq!(path.style, own);
    assert_eq!((speeds.style.log_y, speeds.style.y), (Some(true), Some([1e-3, 1.0])));
    assert_eq!((speeds.style.title, speeds.style.font_size, speeds.style.dpi), (Some(true), Some(9.0), Some(300)));
    assert_eq!(height.style.colors.last(), Some(&("a".to_owned(), Rgb([255; 3]))));
    assert_eq!(height.style.labels, [("a".to_owned(), "first".to_owned())]);
}

#[test]
fn a_body_has_its_own_color_or_that_of_its_material() {
    let scenario = read(
        r##"Scenario(
        timestep: 1, duration: 2,
        materials: { "brass": (restitution: 1, color: "#B5A642"), "glass": (restitution: 1) },
        bodies: [
            (shape: Sphere(radius: 1), mass: 1, material: "brass"),
            (shape: Sphere(radius: 1), mass: 1, position: (9, 0, 0), material: "brass", color: "#010203"),
            (name: "clear", shape: Sphere(radius: 1), mass: 1, position: (18, 0, 0), material: "glass"),
        ],
        fill: [
            Lattice(name: "row", shape: Sphere(radius: 1), mass: 1, counts: (2, 1, 1), min: (0, 9, 0), spacing: 9, color: "#0a0B0c"),
            Lattice(name: "brass", shape: Sphere(radius: 1), mass: 1, counts: (1, 1, 1), min: (0, 18, 0), spacing: 9, material: "brass"),
        ],
        commands: [
            Kick(at: 1, body: "clear", impulse: (1, 0, 0)),
            Spawn(at: 1, body: (name: "late", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 99), color: "#FFFFFF")),
        ],
    )"##,
    );
    let own = scenario.bodies[1].name.clone();
    let first = scenario.bodies[0].name.clone();
    let colors: Vec<(String, String)> =
        scenario.colors.into_iter().map(|(name, color)| (name, color.to_string())).collect();
    let wanted = [
        (first.as_str(), "#B5A642"),
        (own.as_str(), "#010203"),
        ("brass/0", "#B5A642"),
        ("late", "#FFFFFF"),
        ("row/0", "#0A0B0C"),
        ("row/1", "#0A0B0C"),
    ];
    let mut wanted = wanted.map(|(name, color)| (name.to_owned(), color.to_owned()));
    wanted.sort();
    assert_eq!(colors, wanted);
}

#[test]
fn records_plots_and_expectations() {
    let scenario = read(
        r#"(timestep: 1, duration: 1,
        bodies: [
            (name: "a", shape: Sphere(radius: 1), mass: 1),
            (name: "b/1", shape: Sphere(radius: 1), mass: 1, position: (9, 0, 0)),
            (name: "b/2", shape: Sphere(radius: 1), mass: 1, position: (18, 0, 0)),
        ],
        record: (stride: 3, energy_stride: 6, bodies: ["b/*"], paths: ["a", "b/2"], paths_max: 7, events: Counted, format: Parquet,
            hashes: 2, snapshots: 50),
        plots: [Path(plane: YZ, bodies: ["*"]), Height(axis: X, bodies: ["a"])],
        expect: [
            Enters(at_least: 1, at_most: 2, bodies: ["a"]), Rests(exactly: 0), Leaves(at_most: 4), Releases(at_least: 0),
            Impacts(exactly: 2, bodies: ["a", "b/1"]), MomentumDrift(below: 1e-9),
            Position(body: "a", near: (1, 2, 3), within: 0.5), Velocity(body: "b/2", near: (0, 0, 0), within: 0),
            LastEvent(kind: Rest, body: "a", near: 1.2, within: 1e-3),
            Sticks(exactly: 3), Slips(at_most: 5, bodies: ["a"]), Collapses(at_least: 6), AtRest(), AtRest(bodies: ["a", "b/*"]),
            LastEvent(kind: Stick, body: "a", near: 1, within: 0), LastEvent(kind: Slip, body: "a", near: 2, within: 0),
            LastEvent(kind: Collapse, body: "a", near: 3, within: 0),
            Joins(exactly: 1), Quits(at_most: 2), Sleeps(at_least: 3, bodies: ["a"]), Wakes(exactly: 4),
            LastEvent(kind: Join, body: "a", near: 4, within: 0), LastEvent(kind: Quit, body: "a", near: 5, within: 0),
            LastEvent(kind: Sleep, body: "a", near: 6, within: 0), LastEvent(kind: Wake, body: "a", near: 7, within: 0),
            Hash("0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef"),
        ])"#,
    );
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let record = Recording {
        stride: 3,
        at: Vec::new(),
        energy_stride: 6,
        bodies: names(&["b/1", "b/2"]),
        paths: Some(names(&["a", "b/2"])),
        paths_max: 7,
        events: EventLog::Counted,
        format: Format::Parquet,
        hashes: 2,
        snapshots: Some(50),
    };
    assert_eq!(scenario.record, record);
    assert_eq!(scenario.plots[0].plot, Plot::Path { plane: Plane2::YZ, bodies: names(&["a", "b/1", "b/2"]) });
    let events = |kind, bodies: &[&str], exactly, at_least, at_most| Expectation::Events {
        kind,
        bodies: names(bodies),
        count: Count { exactly, at_least, at_most },
    };
    let last = |kind, near| Expectation::LastEvent { kind, body: "a".to_owned(), near, within: 0.0 };
    let expected = [
        events(EventKind::Enter, &["a"], None, Some(1), Some(2)),
        events(EventKind::Rest, &[], Some(0), None, None),
        events(EventKind::Leave, &[], None, None, Some(4)),
        events(EventKind::Release, &[], None, Some(0), None),
        events(EventKind::Impact, &["a", "b/1"], Some(2), None, None),
        Expectation::MomentumDrift { below: 1e-9 },
        Expectation::Position { body: "a".to_owned(), near: [1.0, 2.0, 3.0], within: 0.5 },
        Expectation::Velocity { body: "b/2".to_owned(), near: [0.0; 3], within: 0.0 },
        Expectation::LastEvent { kind: EventKind::Rest, body: "a".to_owned(), near: 1.2, within: 1e-3 },
        events(EventKind::Stick, &[], Some(3), None, None),
        events(EventKind::Slip, &["a"], None, None, Some(5)),
        events(EventKind::Collapse, &[], None, Some(6), None),
        Expectation::AtRest { bodies: vec![] },
        Expectation::AtRest { bodies: names(&["a", "b/1", "b/2"]) },
        last(EventKind::Stick, 1.0),
        last(EventKind::Slip, 2.0),
        last(EventKind::Collapse, 3.0),
        events(EventKind::Join, &[], Some(1), None, None),
        events(EventKind::Quit, &[], None, None, Some(2)),
        events(EventKind::Sleep, &["a"], None, Some(3), None),
        events(EventKind::Wake, &[], Some(4), None, None),
        last(EventKind::Join, 4.0),
        last(EventKind::Quit, 5.0),
        last(EventKind::Sleep, 6.0),
        last(EventKind::Wake, 7.0),
        Expectation::Hash("0123456789abcdef".repeat(4)),
    ];
    assert_eq!(scenario.expect, expected);
}

#[test]
fn layers_are_sets_of_names() {
    let scenario = read(
        r#"(timestep: 1, duration: 1,
        layers: ["ground", "debris/small"],
        bodies: [
            (shape: Plane(normal: (0, 0, 1), offset: -9), layer: "ground", collides_with: ["debris/small", "default"]),
            (shape: Plane(normal: (0, 0, 1), offset: -9), layer: "default", collides_with: []),
            (shape: Plane(normal: (0, 0, 1), offset: -9)),
        ],
        fill: [
            Rack(name: "r", radius: 1, rows: 1, apex: (0, 0, 0), mass: 1, layer: "debris/small", collides_with: ["ground", "ground"]),
            Lattice(name: "l", shape: Sphere(radius: 1), counts: (1, 1, 1), min: (9, 0, 0), spacing: 3, mass: 1),
        ])"#,
    );
    let [default, ground, debris] = [0, 1, 2].map(Layers::one);
    let found: Vec<_> = scenario.bodies.iter().map(|body| (body.layers, body.collides_with)).collect();
    let wanted = [
        (ground, debris.and(default)),
        (default, Layers::NONE),
        (Layers::FIRST, Layers::ALL),
        (debris, ground),
        (Layers::FIRST, Layers::ALL),
    ];
    assert_eq!(found, wanted);
    assert_eq!(scenario.layers.names(), ["default", "ground", "debris/small"]);
    assert_eq!((scenario.layers.find("ground"), scenario.layers.find("Ground")), (Some(ground), None));
    assert_eq!(scenario.layers.nearest("gruond"), Some("ground"));
    let all: String = (1..=31).map(|n| format!("\"l{n}\", ")).collect();
    let scenario = read(&format!("(timestep: 1, duration: 1, layers: [{all}])"));
    assert_eq!(scenario.layers.find("l31"), Some(Layers::one(31)), "all bits of a set have a name");
    assert_eq!(LayerNames::default().names(), ["default"]);
}

#[test]
fn names_that_are_made_do_not_depend_on_the_order_of_the_file() {
    let rows = [
        "(shape: Sphere(radius: 1), mass: 1, position: (9, 0, 0))",
        "(shape: Sphere(radius: 1), mass: 1, position: (-9, 0, 0))",
        "(shape: Sphere(radius: 1), mass: 1, position: (-9, 0, 5))",
        "(shape: Box(half_extents: (1, 1, 1)), motion: Fixed, position: (0, 50, 0))",
        "(shape: Plane(normal: (0, 0, 1), offset: -9))",
        "(shape: Plane(normal: (0, 0, -1), offset: -9))",
        "(shape: Sphere(radius: 1), mass: 1, position: (9, 0, 0), spin: (0, 0, 1))",
        "(name: \"own\", shape: Sphere(radius: 1), mass: 1)",
    ];
    let bodies = |rows: &[&str]| {
        let mut bodies = read(&format!("(timestep: 1, duration: 1, bodies: [{}])", rows.join(", "))).bodies;
        bodies.sort_by(|a, b| a.name.cmp(&b.name));
        bodies
    };
    let expected = bodies(&rows);
    let names: Vec<&str> = expected.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["box/1", "own", "plane/1", "plane/2", "sphere/1", "sphere/2", "sphere/3", "sphere/4"]);
    assert_eq!((expected[6].spin, expected[7].spin), (DVec3::ZERO, DVec3::Z), "spin tells apart what else is alike");
    assert_eq!(expected[4].position, DVec3::new(-9.0, 0.0, 0.0));
    for turn in 1..rows.len() {
        let turned: Vec<&str> = rows[turn..].iter().chain(&rows[..turn]).copied().collect();
        assert_eq!(bodies(&turned), expected);
        let mirrored: Vec<&str> = turned.into_iter().rev().collect();
        assert_eq!(bodies(&mirrored), expected);
    }
}

#[test]
fn every_notation_of_ron_is_accepted() {
    let scenario = read(
        "#![enable(implicit_some)]\n/* a /* nested */ comment */ Scenario(timestep: 1_0, duration: +20., title: r#\"raw \"title\"\"#,
         bodies: [(name: \"\\u{e9}t\\u{e9}\", shape: Sphere(radius: 1e-1), mass: Some(.5), ),], )",
    );
    assert_eq!((scenario.title.as_str(), scenario.timestep, scenario.duration), ("raw \"title\"", 10.0, 20.0));
    assert_eq!(scenario.bodies[0].name, "été");
}

#[test]
fn the_second_half_of_a_run_begins_half_way_however_its_steps_round() {
    let rows = [
        (1.0, 8.0, 4),
        (1.0, 7.0, 4),
        (0.1, 0.3, 2),
        (0.1, 1.0, 5),
        (4.417141308128405, 176.6856523251362, 20),
        (1.0, 2.0, 1),
        (1.0, 1.25, 1),
        // A run of one step belongs to both halves.
        (1.0, 1.0, 0),
        (3.0, 1.0, 0),
    ];
    for (timestep, duration, half) in rows {
        let scenario = read(&format!("(timestep: {timestep:?}, duration: {duration:?})"));
        let begins: Vec<u64> = (0..100).filter(|&steps| scenario.is_halfway(steps)).collect();
        assert_eq!(begins, [half], "{timestep} s, {duration} s");
    }
}

#[test]
fn a_body_alone_is_read_as_in_the_list() {
    let scenario = read(EXAMPLE);
    let crate_text =
        r#"(name: "crate",  shape: Box(half_extents: (0.5, 0.4, 0.3)), density: 600, position: (3, 0, 0.3))"#;
    let ball = r#"(name: "ball", shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 2), velocity: (1, 0, 0), material: "rubber")"#;
    for (text, place) in [(crate_text, 2), (ball, 1)] {
        let alone = read_body(&Source::new("body", text), &scenario, 0.0).unwrap();
        assert_eq!(alone, (scenario.bodies[place].clone(), Vec::new()));
    }
    let problems = read_body(&Source::new("body", r#"(shape: Sphere(radius: 1), material: "steal")"#), &scenario, 0.0);
    let fields: Vec<String> = problems.unwrap_err().list().iter().map(|problem| problem.field.clone()).collect();
    assert_eq!(fields, ["", "material"]);
    assert_eq!(scenario.materials.names().collect::<Vec<_>>(), ["rubber", "steel"]);
    assert_eq!(scenario.materials.get("rubber"), Some(scenario.bodies[1].material));
}

/// A ball between a wall and one that goes to and fro from knot to knot (Fermi and Ulam): its impacts are those of the
/// exact map.
#[test]
fn knots_are_a_wall_that_goes_to_and_fro() {
    let turns: Vec<String> =
        (0..101).map(|n| format!("({}, ({}, 0, 0))", f64::from(n) * 0.5, (n % 2) as f64 * 0.25)).collect();
    let text = format!(
        r#"Scenario(timestep: 0.5, duration: 50, bodies: [
            (name: "wall", shape: Plane(normal: (-1, 0, 0), offset: -2)),
            (name: "racket", shape: Plane(normal: (1, 0, 0), offset: 0), motion: Along(Knots([{}]))),
            (name: "ball", shape: Sphere(radius: 0.125), mass: 1, position: (1, 0, 0), velocity: (-3, 0, 0)),
        ])"#,
        turns.join(", ")
    );
    let scenario = read(&text);
    assert_eq!((scenario.bodies[1].velocity, scenario.commands.len()), (DVec3::X * 0.5, 100));
    let racket = text.lines().find(|line| line.contains("racket")).unwrap().trim().trim_end_matches(',');
    let alone = read_body(&Source::new("body", racket), &scenario, 0.0).unwrap();
    assert_eq!(alone, (scenario.bodies[1].clone(), scenario.commands.clone()));
    let mut world = scenario.world().unwrap();
    world.step(49.9).unwrap();
    let found: Vec<(f64, f64)> =
        world.events().iter().map(|event| (event.time.seconds(), event.approach_speed)).collect();
    // The racket as a function of time, and the next instant at which the ball is at it.
    let (mut time, mut place, mut speed, mut wanted): (f64, f64, f64, Vec<(f64, f64)>) = (0.0, 1.0, -3.0, Vec::new());
    while time < 49.9 {
        let next = if speed > 0.0 {
            let way = time + (1.875 - place) / speed;
            (way, 0.0)
        } else {
            let stretches = (0..200).map(f64::from).filter_map(|n| {
                let (begin, end) = (n * 0.5, n * 0.5 + 0.5);
                let (from, rate) = if n % 2.0 == 0.0 { (0.0, 0.5) } else { (0.25, -0.5) };
                // place + speed (t − time) = from + rate (t − begin) + 0.125
                let at = (from - rate * begin + 0.125 - place + speed * time) / (speed - rate);
                (at > time + 1e-9 && at >= begin && at < end).then_some((at, rate))
            });
            stretches.fold((f64::INFINITY, 0.0), |first, next| if next.0 < first.0 { next } else { first })
        };
        let (at, rate) = next;
        if at >= 49.9 {
            break;
        }
        place += speed * (at - time);
        wanted.push((at, (speed - rate).abs()));
        (time, speed) = (at, 2.0 * rate - speed);
    }
    assert!(found.len() == wanted.len() && wanted.len() > 80, "{} {}", found.len(), wanted.len());
    for (n, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        // Each impact on the racket enlarges rounding.
        let near = 1e-13 * 1.2f64.powi(n as i32).min(1e6);
        assert!((found.0 - wanted.0).abs() < near && (found.1 - wanted.1).abs() < near, "{n}: {found:?} {wanted:?}");
    }
}

#[test]
fn courses_are_read_with_their_numbers() {
    let text = r#"Scenario(timestep: 0.5, duration: 5, bodies: [
        (name: "a", shape: Sphere(radius: 1), motion: Along(Sine(axis: (0, 0, 2), amplitude: 0.5, frequency: 4))),
        (name: "b", shape: Sphere(radius: 1), position: (9, 0, 0),
         motion: Along(Polynomial(axis: (0, 1, 0), coefficients: [0, 0, 3, -2], until: 1))),
    ])"#;
    let bodies = read(text).bodies;
    let courses = [
        Course::sine(DVec3::Z, 0.5, 4.0, 0.0).unwrap(),
        Course::polynomial(DVec3::Y, &[0.0, 0.0, 3.0, -2.0], 1.0).unwrap(),
    ];
    for (named, course) in bodies.iter().zip(courses) {
        assert_eq!((named.motion, named.course.clone()), (Motion::Kinematic, Some(Box::new(course))));
    }
}

#[test]
fn a_restitution_is_a_number_or_a_law_of_the_speed() {
    let scenario = read(
        r#"(timestep: 1, duration: 1,
        materials: {
            "table": (restitution: /* measured */ BySpeed([(0, 0.9), /* fast */ (1, 0.75,), (3, 0.5)]) // steel
            , friction: 0.1),
            "visco": (restitution: Viscoelastic(0.25)),
            "metal": (restitution: Power(v0: 0.1, exponent: 0.25, max: 0.9)),
            "number": (restitution: 1e-1),
        },
        pairs: [(between: ("table", "metal"), restitution: Viscoelastic(0.5)), (between: ("visco", "visco"), restitution: 1)],
        )"#,
    );
    let [table, visco, metal, number] = [1, 2, 3, 4].map(MaterialId);
    let materials = &scenario.settings.materials;
    let of = |a, b, speed| materials.restitution(a, b).at(speed);
    let knots = Restitution::by_speed([(0.0, 0.9), (1.0, 0.75), (3.0, 0.5)]).unwrap();
    let power = Restitution::power(0.1, 0.25, 0.9).unwrap();
    for speed in [0.0, 0.3, 1.0, 2.5, 40.0] {
        assert_eq!(of(table, table, speed), knots.at(speed));
        assert_eq!(of(table, visco, speed), knots.at(speed).min(Restitution::viscoelastic(0.25).unwrap().at(speed)));
        assert_eq!(of(table, metal, speed), Restitution::viscoelastic(0.5).unwrap().at(speed));
        assert_eq!(of(metal, metal, speed), power.at(speed));
    }
    assert_eq!(materials.restitution(visco, visco).constant(), Some(1.0));
    assert_eq!(materials.restitution(number, number).constant(), Some(0.1));
    assert_eq!(materials.friction(table, table), 0.1);
}
