//! Generators: the positions and speeds of the bodies, and that both are reproducible.

use carom::dynamics::{Motion, Period, Response, Space};
use carom::geometry::Shape;
use carom::scenario::{Scenario, Source, parse};
use carom::world::Named;
use glam::DVec3;
use proptest::prelude::*;

fn read(rest: &str) -> Scenario {
    let text = format!("(timestep: 1, duration: 1, {rest})");
    parse(&Source::new("x.ron", &text)).unwrap_or_else(|problems| panic!("{text}\n{:#?}", problems.list())).scenario
}

/// Signed gap between two solids, m. In a periodic space it tries every image, without any optimization.
fn gap(space: &Space, a: &Named, b: &Named) -> f64 {
    let shifts = |axis: usize| match space.periods[axis] {
        Some(Period { min, max }) => (-2..=2).map(|n| f64::from(n) * (max - min)).collect(),
        None => vec![0.0],
    };
    let mut least = f64::INFINITY;
    for x in shifts(0) {
        for y in shifts(1) {
            for z in shifts(2) {
                least = least.min(plain_gap(&a.shape, &b.shape, b.position - a.position + DVec3::new(x, y, z)));
            }
        }
    }
    least
}

fn plain_gap(a: &Shape, b: &Shape, offset: DVec3) -> f64 {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => offset.length() - a.get() - b.get(),
        (Shape::Box(a), Shape::Box(b)) => (offset.abs() - a.get() - b.get()).max_element(),
        (Shape::Sphere(radius), Shape::Box(half)) | (Shape::Box(half), Shape::Sphere(radius)) => {
            (offset.abs() - half.get()).max(DVec3::ZERO).length() - radius.get()
        }
        (Shape::Plane(_), Shape::Plane(_)) => f64::INFINITY,
        (Shape::Plane(plane), Shape::Sphere(radius)) => plane.distance(offset) - radius.get(),
        (Shape::Plane(plane), Shape::Box(half)) => plane.distance(offset) - half.get().dot(plane.normal().abs()),
        (_, Shape::Plane(_)) => plain_gap(b, a, -offset),
        (Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_), _) | (_, Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_)) => {
            unreachable!("generators make no meshes and no grids")
        }
    }
}

fn check_apart(scenario: &Scenario) {
    let solids: Vec<&Named> = scenario.bodies.iter().filter(|body| body.response == Response::Collide).collect();
    for (row, a) in solids.iter().enumerate() {
        for b in &solids[row + 1..] {
            let gap = gap(&scenario.settings.space, a, b);
            // A few roundings of coordinates of size 10.
            assert!(gap >= -1e-14, "{} and {} overlap by {}", a.name, b.name, -gap);
        }
    }
}

/// Velocities of two generators with one seed are the same but for a factor, which a gas of two kinds must not have.
#[test]
fn generators_with_one_seed_are_warned_of() {
    let fill = |name: &str, rest: &str| {
        format!(
            "Lattice(name: \"{name}\", shape: Sphere(radius: 0.1), counts: (2, 1, 1), min: (0, 0, 0), spacing: 1, mass: 1{rest}),"
        )
    };
    let rows = [
        (", temperature: 1", ", temperature: 2", Some("fill[1]: `fill[0]` has the same seed 0, so both")),
        (", temperature: 1, seed: 7", ", seed: 7, temperature: 1", Some("fill[1].seed: `fill[0]` has the same seed 7")),
        (", temperature: 1, seed: 7", ", temperature: 1, seed: 8", None),
        (", temperature: 1", ", temperature: 0", None),
        (", temperature: 1", "", None),
    ];
    for (one, other, wanted) in rows {
        let text = format!("(timestep: 1, duration: 1, fill: [{}\n{}])", fill("a", one), fill("b", other));
        let warnings = parse(&Source::new("x.ron", &text)).unwrap().warnings();
        let said = warnings.map(|warnings| warnings.list().iter().map(ToString::to_string).collect::<String>());
        let is_said = |wanted: &str| said.as_ref().is_some_and(|said| said.contains(wanted));
        assert!(wanted.map_or(said.is_none(), is_said), "{one}, {other}: {said:?}");
    }
}

#[test]
fn a_simple_lattice_fills_its_cells() {
    let scenario = read(
        "fill: [Lattice(name: \"g\", shape: Sphere(radius: 0.1), mass: 1, counts: (2, 1, 3), min: (10, 0, 0), spacing: 2)]",
    );
    let places: Vec<[f64; 3]> = scenario.bodies.iter().map(|body| body.position.to_array()).collect();
    let expected =
        [[11.0, 1.0, 1.0], [11.0, 1.0, 3.0], [11.0, 1.0, 5.0], [13.0, 1.0, 1.0], [13.0, 1.0, 3.0], [13.0, 1.0, 5.0]];
    assert_eq!(places, expected);
}

#[test]
fn a_face_centred_lattice_tiles_a_period_evenly() {
    // 4 n³ spheres at number density 0.5: the exact edge is not a floating-point number.
    let edge = (4.0 * 125.0 / 0.5_f64).cbrt() * 1.000_000_1;
    let scenario = read(&format!(
        "space: Periodic(min: (0, 0, 0), max: ({edge}, {edge}, {edge})),
         fill: [Lattice(name: \"g\", kind: FaceCentred, shape: Sphere(radius: 0.5), mass: 1,
                        counts: (5, 5, 5), min: (0, 0, 0), max: ({edge}, {edge}, {edge}))]"
    ));
    assert_eq!(scenario.bodies.len(), 500);
    let nearest = edge / 5.0 / 2.0_f64.sqrt();
    for a in &scenario.bodies[..20] {
        let gaps: Vec<f64> = scenario.bodies.iter().map(|b| gap(&scenario.settings.space, a, b) + 1.0).collect();
        let neighbours = gaps.iter().filter(|&&distance| (distance - nearest).abs() < 1e-12).count();
        assert_eq!(neighbours, 12, "{}", a.name);
        assert_eq!(gaps.iter().filter(|&&distance| distance < nearest - 1e-12).count(), 1, "only itself is nearer");
    }
}

#[test]
fn a_rack_is_a_triangle_and_its_own_mirror_image() {
    let scenario = read("fill: [Rack(name: \"r\", radius: 0.5, rows: 5, apex: (1, 0, 0), mass: 1)]");
    let places: Vec<DVec3> = scenario.bodies.iter().map(|body| body.position).collect();
    assert_eq!(places.len(), 15);
    assert_eq!(places[0], DVec3::X);
    for place in &places {
        assert!(places.contains(&DVec3::new(place.x, -place.y, place.z)), "{place}");
    }
    let touching = (0..15).flat_map(|a| (0..a).map(move |b| (a, b)));
    let touching = touching.filter(|&(a, b)| (places[a].distance(places[b]) - 1.0).abs() < 1e-14).count();
    assert_eq!(touching, 30, "a triangle of five rows has 30 edges between neighbours");

    let scenario = read(
        "fill: [Rack(name: \"r\", radius: 0.5, rows: 2, gap: 1, apex: (0, 0, 0), mass: 1, direction: (0, 0, -3), across: (1, 0, 1))]",
    );
    let places: Vec<DVec3> = scenario.bodies.iter().map(|body| body.position).collect();
    let depth = -(3.0_f64.sqrt());
    assert_eq!(places, [DVec3::ZERO, DVec3::new(-1.0, 0.0, depth), DVec3::new(1.0, 0.0, depth)]);
}

#[test]
fn random_places_keep_clear_of_everything() {
    let scenario = read(
        "space: Periodic(x: (0, 10), y: (-5, 5)),
         bodies: [
            (name: \"floor\", shape: Plane(normal: (0, 0, 1), offset: 0.5)),
            (name: \"wall\", shape: Box(half_extents: (0.1, 2, 2)), motion: Fixed, position: (0, 4.5, 3)),
            (name: \"moon\", shape: Sphere(radius: 2), mass: 1, position: (25, 0, 6)),
            (name: \"gate\", shape: Box(half_extents: (4, 4, 4)), motion: Fixed, response: Sense, position: (5, 0, 4)),
         ],
         fill: [
            Random(name: \"dust\", shape: Spheres(radii: (0.05, 0.4)), count: 300, min: (0, -5, 0), max: (10, 5, 8), density: 1, seed: 3),
            Random(name: \"bricks\", shape: Box(half_extents: (0.3, 0.2, 0.1)), count: 200, min: (0, -5, 0), max: (10, 5, 8), mass: 1),
            Random(name: \"crumbs\", shape: Sphere(radius: 0.02), count: 200, min: (0, 0, 0), max: (3, 3, 2), mass: 1, seed: 1),
         ]",
    );
    check_apart(&scenario);
    let across = scenario.bodies.iter().filter(|body| body.position.x < 0.2 || body.position.x > 9.8).count();
    assert!(across > 5, "a region that is all of a period has no walls: {across}");
    for body in &scenario.bodies[504..] {
        assert!(
            body.position.cmpge(DVec3::splat(0.02)).all() && body.position.cmple(DVec3::new(2.98, 2.98, 1.98)).all()
        );
    }
}

#[test]
fn sizes_between_two_radii_are_uniform_and_weigh_by_density() {
    let scenario = read(
        "fill: [Random(name: \"r\", shape: Spheres(radii: (1, 3)), count: 2000, min: (0, 0, 0), max: (300, 300, 300), density: 2)]",
    );
    let mut mean = 0.0;
    for body in &scenario.bodies {
        let (Shape::Sphere(radius), Motion::Free(mass)) = (&body.shape, body.motion) else { panic!("{body:?}") };
        let expected = 2.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.get().powi(3);
        assert!((mass.get() - expected).abs() < 1e-13 * expected);
        assert!((1.0..=3.0).contains(&radius.get()));
        mean += radius.get() / 2000.0;
    }
    // Five standard errors of the mean of 2000 uniform numbers in an interval of width 2.
    assert!((mean - 2.0).abs() < 5.0 * 2.0 / (12.0 * 2000.0_f64).sqrt(), "{mean}");
}

#[test]
fn thermal_velocities_follow_maxwell() {
    let scenario = read(
        "fill: [Lattice(name: \"g\", shape: Sphere(radius: 0.1), counts: (50, 50, 40), min: (0, 0, 0), spacing: 1,
                mass: 4, temperature: 9, velocity: (10, 0, 0), seed: 11)]",
    );
    let count = scenario.bodies.len() as f64;
    let variance = 9.0 / 4.0;
    for axis in 0..3 {
        let drift = if axis == 0 { 10.0 } else { 0.0 };
        let moment = |power: i32| {
            scenario.bodies.iter().map(|body| (body.velocity[axis] - drift).powi(power)).sum::<f64>() / count
        };
        // Five standard errors of each moment.
        assert!(moment(1).abs() < 5.0 * (variance / count).sqrt(), "mean {}", moment(1));
        assert!((moment(2) / variance - 1.0).abs() < 5.0 * (2.0 / count).sqrt(), "variance {}", moment(2));
        let kurtosis = moment(4) / moment(2).powi(2);
        assert!((kurtosis - 3.0).abs() < 5.0 * (24.0 / count).sqrt(), "kurtosis {kurtosis}");
    }
}

#[test]
fn the_drift_of_chance_can_be_taken_away() {
    let momentum = |flag: bool| {
        let scenario = read(&format!(
            "fill: [Random(name: \"g\", shape: Spheres(radii: (0.1, 0.2)), count: 500, min: (0, 0, 0), max: (9, 9, 9),
                    density: 1, temperature: 1, velocity: (0, 0, 3), zero_momentum: {flag}, seed: 5)]"
        ));
        let (mass, momentum) = scenario.bodies.iter().fold((0.0, DVec3::ZERO), |(mass, momentum), body| {
            let Motion::Free(own) = body.motion else { panic!("{body:?}") };
            (mass + own.get(), momentum + body.velocity * own.get())
        });
        momentum / mass - DVec3::new(0.0, 0.0, 3.0)
    };
    assert!(momentum(true).length() < 1e-13, "{}", momentum(true));
    assert!(momentum(false).length() > 1e-3, "{}", momentum(false));
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let text = |seed: u64| {
        format!(
            "fill: [Random(name: \"r\", shape: Spheres(radii: (0.1, 0.2)), count: 100, min: (0, 0, 0), max: (4, 4, 4),
             mass: 1, temperature: 2, seed: {seed})]"
        )
    };
    assert_eq!(read(&text(7)).bodies, read(&text(7)).bodies);
    assert_ne!(read(&text(7)).bodies, read(&text(8)).bodies);
    // Recorded from the first run, on x86-64. If these bits change, every seeded scenario changes.
    let body = &read(&text(7)).bodies[99];
    let Shape::Sphere(radius) = body.shape else { panic!() };
    let bits = [radius.get(), body.position.x, body.position.z, body.velocity.x, body.velocity.z].map(f64::to_bits);
    let golden = [0x3fc251908233e44e, 0x3fe20d18444bd94a, 0x3fe12b1424b72bc3, 0xbfd1cd7ec0b2f387, 0xbfeee409e515b674];
    assert_eq!(bits, golden, "{bits:#x?}");
}

#[test]
fn a_region_that_is_far_too_small_is_given_up() {
    let text = "(timestep: 1, duration: 1,
        fill: [Random(name: \"r\", shape: Spheres(radii: (0.1, 0.101)), count: 1800, min: (0, 0, 0), max: (2, 2, 2), mass: 1)])";
    let problems = parse(&Source::new("x.ron", text)).unwrap_err();
    assert!(problems.list()[0].to_string().contains("of 1800 bodies"), "{}", problems.list()[0]);
}

#[test]
fn a_hundred_thousand_find_their_places() {
    // The packing fraction is one quarter.
    let scenario = read(
        "space: Periodic(min: (0, 0, 0), max: (60, 60, 60)),
         bodies: [(name: \"rock\", shape: Sphere(radius: 9), mass: 1, position: (0, 0, 0))],
         fill: [Random(name: \"r\", shape: Sphere(radius: 0.5), count: 100000, mass: 1, seed: 2)]",
    );
    assert_eq!(scenario.bodies.len(), 100_001);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_placed_is_apart(
        small in 0.01..0.3_f64, spread in 0.0..0.5_f64, half in prop::array::uniform3(0.05..0.9_f64),
        seed in any::<u64>(), repeats in prop::array::uniform3(any::<bool>()), count in 1..60_u64,
    ) {
        let axes = ["x: (-2, 2)", "y: (-3, 3)", "z: (0, 6)"];
        let axes: Vec<&str> = axes.into_iter().zip(repeats).filter(|&(_, repeats)| repeats).map(|(axis, _)| axis).collect();
        let space = if axes.is_empty() { "Open".to_owned() } else { format!("Periodic({})", axes.join(", ")) };
        let [x, y, z] = half;
        let region = "min: (-2, -3, 0), max: (2, 3, 6)";
        let text = format!(
            "space: {space}, bodies: [(name: \"pillar\", shape: Box(half_extents: (0.2, 0.3, 1)), motion: Fixed, position: (1.9, 2.9, 1))],
             fill: [
                Random(name: \"a\", shape: Box(half_extents: ({x}, {y}, {z})), count: 3, mass: 1, {region}, seed: {seed}),
                Random(name: \"b\", shape: Spheres(radii: ({small}, {})), count: {count}, mass: 1, {region}, seed: {seed}),
             ]", small + spread
        );
        let text = format!("(timestep: 1, duration: 1, {text})");
        // The generator may also report that a region is too full.
        if let Ok(parsed) = parse(&Source::new("x.ron", &text)) {
            check_apart(&parsed.scenario);
        }
    }
}

#[test]
fn what_cannot_be_placed_at_random_is_refused_before_it_is_tried() {
    let text = |shape: &str, count: u64, more: &str| {
        format!(
            "(timestep: 1, duration: 1, layers: [\"ghosts\"], fill: [Random(name: \"r\", shape: {shape}, count: {count}, mass: 1, \
             min: (0, 0, 0), max: (100, 100, 100){more})])"
        )
    };
    // An attempt to place these bodies would take almost an hour for each row.
    let rows = [
        ("Sphere(radius: 0.5)", 1_800_000, "fill 0.9425 of the region, and random places of equal bodies reach 0.34"),
        ("Sphere(radius: 0.5)", 652_000, "fill 0.3414 of the region, and random places of equal bodies reach 0.34"),
        ("Sphere(radius: 1.5)", 63_700, "fill 0.9005 of the region, and random places of equal bodies reach 0.4"),
        (
            "Box(half_extents: (0.5, 1, 2))",
            110_000,
            "fill 0.88 of the region, and random places of equal bodies reach 0.45",
        ),
        ("Spheres(radii: (0.5, 0.9))", 1_000_000, "of the region, more than it holds"),
        ("Box(half_extents: (0.5, 0.5, 0.5))", 1_000_001, "fill 1 of the region, more than it holds"),
    ];
    for (shape, count, wanted) in rows {
        let problems = parse(&Source::new("full.ron", &text(shape, count, ""))).unwrap_err();
        let message = problems.list()[0].to_string();
        assert!(message.contains("fill[0]: the bodies would fill") && message.contains(wanted), "{message}");
    }
    // Bodies that collide with nothing, not even with each other, may overlap. A single sphere may fill more of a
    // narrow region.
    let free = text("Sphere(radius: 20)", 1000, ", layer: \"ghosts\", collides_with: []");
    let narrow = text("Sphere(radius: 0.5)", 1, "").replace("(100, 100, 100)", "(1, 1, 1)");
    for text in [free, narrow] {
        parse(&Source::new("free.ron", &text)).unwrap_or_else(|error| panic!("{:?}", error.list()));
    }
}

/// With few spheres, the generator tries more random positions for each, so a higher packing is possible.
#[test]
fn spheres_in_a_narrow_region_may_fill_more_than_in_a_wide_one() {
    let text = |seed: u32| {
        format!(
            "(timestep: 1, duration: 1, space: Periodic(min: (0, 0, 0), max: (10, 10, 10)), \
             fill: [Random(name: \"r\", shape: Sphere(radius: 0.5), count: 650, mass: 1, seed: {seed})])"
        )
    };
    let found = (0..8).find_map(|seed| parse(&Source::new("small.ron", &text(seed))).ok());
    check_apart(&found.expect("one of them has luck").scenario);
}
