//! Compressed spheres: their packing, that they do not overlap, and which input is refused.

use std::f64::consts::PI;

use carom::geometry::Shape;
use carom::scenario::{Scenario, Source, parse};
use glam::DVec3;

const PERIODIC: &str = "space: Periodic(min: (-2, -2, -2), max: (6, 6, 6)),";

/// Six half-spaces around a room of the same size.
const ROOM: &str = "bodies: [
    (name: \"west\", shape: Plane(normal: (1, 0, 0), offset: -2)), (name: \"east\", shape: Plane(normal: (-1, 0, 0), offset: -6)),
    (name: \"south\", shape: Plane(normal: (0, 1, 0), offset: -2)), (name: \"north\", shape: Plane(normal: (0, -1, 0), offset: -6)),
    (name: \"floor\", shape: Plane(normal: (0, 0, 1), offset: -2)), (name: \"roof\", shape: Plane(normal: (0, 0, -1), offset: -6)),
],";

const BOUNDS: &str = ", min: (-2, -2, -2), max: (6, 6, 6)";

fn try_read(space: &str, fields: &str) -> Result<Scenario, String> {
    let text = format!(
        "(timestep: 1, duration: 1, {space} fill: [Compressed(name: \"g\", mass: 1, temperature: 1, {fields})])"
    );
    let parsed = parse(&Source::new("x.ron", &text));
    parsed.map(|parsed| parsed.scenario).map_err(|problems| problems.list()[0].to_string())
}

/// Position and radius of each sphere.
fn spheres(scenario: &Scenario) -> Vec<(DVec3, f64)> {
    let sphere = |shape: &Shape| if let Shape::Sphere(radius) = shape { Some(radius.get()) } else { None };
    scenario.bodies.iter().filter_map(|body| Some((body.position, sphere(&body.shape)?))).collect()
}

/// The smallest gap between two spheres, or between a sphere and a wall, m. It is taken over all pairs and all periodic
/// images.
fn least_gap(scenario: &Scenario) -> f64 {
    let (spheres, repeats) = (spheres(scenario), scenario.settings.space.periods[0].is_some());
    let mut least = f64::INFINITY;
    for (row, &(place, radius)) in spheres.iter().enumerate() {
        for &(other, other_radius) in &spheres[..row] {
            let offset = place - other;
            let nearest = if repeats { offset - (offset / 8.0).round() * 8.0 } else { offset };
            least = least.min(nearest.length() - radius - other_radius);
        }
        if !repeats {
            least = least.min((place + 2.0).min_element() - radius).min((6.0 - place).min_element() - radius);
        }
    }
    least
}

fn packing(scenario: &Scenario) -> f64 {
    spheres(scenario).iter().map(|(_, radius)| 4.0 / 3.0 * PI * radius.powi(3)).sum::<f64>() / 512.0
}

#[test]
fn spheres_reach_their_packing_without_overlap() {
    let rows = [
        (PERIODIC, "count: 500, packing: 0.6, rate: 0.05"),
        (PERIODIC, "count: 200, packing: 0.63, seed: 3"),
        (PERIODIC, "count: 300, packing: 0.55, sizes: (0.5, 1), rate: 0.05"),
        (PERIODIC, "count: 20, packing: 0.2"),
        (PERIODIC, "count: 1, packing: 0.01"),
        (ROOM, "count: 400, packing: 0.5, rate: 0.05"),
        (ROOM, "count: 300, packing: 0.5, sizes: (0.6, 1), rate: 0.05"),
    ];
    for (space, fields) in rows {
        let bounds = if space == ROOM { BOUNDS } else { "" };
        let scenario = try_read(space, &format!("{fields}{bounds}")).unwrap();
        let wanted: f64 = fields.split("packing: ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        assert!((packing(&scenario) - wanted).abs() < 1e-12, "{fields}: {}", packing(&scenario));
        // The generator leaves 1e-10 of each radius free, which is more than the rounding errors.
        assert!(least_gap(&scenario) > 0.0, "{fields}: {}", least_gap(&scenario));
        let mut world = scenario.world().unwrap();
        world.advance(carom::motion::SimTime::from_seconds(0.05), usize::MAX).unwrap();
    }
}

/// Fast compression jams near random close packing (Scott & Kilgour, *The density of random close packing of spheres*,
/// 1969: 0.6366). Slower compression reaches a higher density (Lubachevsky & Stillinger, *Geometric properties of
/// random disk packings*, 1990).
#[test]
fn equal_spheres_jam_near_random_close_packing() {
    let reached = |rate: f64| {
        let error = try_read(PERIODIC, &format!("count: 300, packing: 0.7, rate: {rate}")).unwrap_err();
        let number = error.split("jammed at a packing of ").nth(1).unwrap_or_else(|| panic!("{error}"));
        number.split(',').next().unwrap().parse::<f64>().unwrap()
    };
    let [slow, fast] = [0.01, 0.1].map(reached);
    assert!((0.63..0.66).contains(&slow) && (0.58..slow).contains(&fast), "{slow} {fast}");
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let bodies = |seed: u64| {
        try_read(PERIODIC, &format!("count: 100, packing: 0.5, sizes: (0.8, 1), rate: 0.1, seed: {seed}"))
            .unwrap()
            .bodies
    };
    assert_eq!(bodies(7), bodies(7));
    assert_ne!(bodies(7), bodies(8));
    // Recorded from the first run, on x86-64. If these bits change, every compressed scenario changes.
    let body = &bodies(7)[99];
    let bits = [body.position.x, body.position.y, body.position.z, body.shape.half_extents().x].map(f64::to_bits);
    let golden = [0x4012e3708a95e0e3, 0x400c39d98e91a0e4, 0x40177f6b4b67ece7, 0x3fea760fd4c143c2];
    assert_eq!(bits, golden, "{bits:#x?}");
    let fields = format!("count: 60, packing: 0.45, sizes: (0.6, 0.6), rate: 0.1, seed: 5{BOUNDS}");
    let (place, radius) = spheres(&try_read(ROOM, &fields).unwrap())[59];
    let bits = [place.x, place.y, place.z, radius].map(f64::to_bits);
    let golden = [0x4004d636444624b2, 0x3fe7242fc3d1a570, 0xbff063631132dbe0, 0x3fef160100ccc71a];
    assert_eq!(bits, golden, "{bits:#x?}");
}

#[test]
fn what_cannot_be_compressed_is_refused() {
    let rows = [
        (PERIODIC, "count: 100, packing: 0.75", "fill[0].packing: must be above 0 and at most 0.74, found `0.75`"),
        (PERIODIC, "count: 100, packing: 0", "fill[0].packing: must be above 0 and at most 0.74, found `0`"),
        (PERIODIC, "count: 100, packing: 0.5, rate: 0", "fill[0].rate: must be above 0 and at most 1, found `0`"),
        (PERIODIC, "count: 100, packing: 0.5, rate: 2", "fill[0].rate: must be above 0 and at most 1, found `2`"),
        (PERIODIC, "count: 0, packing: 0.5", "fill[0].count: must be"),
        (PERIODIC, "count: 100, packing: 0.5, sizes: (1, 0.5)", "the smaller size, then the larger"),
        (PERIODIC, "count: 5, packing: 0.5", "diameters of the largest ball, and a compression needs 3"),
        (PERIODIC, "count: 5000000, packing: 0.5", "the scenario would have 5000000 bodies"),
        ("", "count: 100, packing: 0.5", "the region needs `min` and `max`"),
        ("", "count: 1, packing: 0.6, min: (0, 0, 0), max: (1, 1, 1)", "too narrow for a body"),
        ("", "count: 5, packing: 0.6, min: (0, 0, 0), max: (1, 1, 1)", "the balls jammed at a packing of"),
    ];
    for (space, fields, wanted) in rows {
        let error = try_read(space, fields).err().unwrap_or_else(|| panic!("{fields} is read"));
        assert!(error.contains(wanted), "{fields}: {error}");
    }
}
