//! Packings in vessels: their walls, their sizes, how they jam, and what is measured of them.

use std::f64::consts::PI;

use carom::dynamics::Period;
use carom::geometry::Shape;
use carom::record::packing::{Packing, PackingReport};
use carom::scenario::{MeshFile, Observation, PackingRequest, Scenario, Source, Vessel, parse};
use glam::DVec3;

const PERIODIC: &str = "space: Periodic(min: (0, 0, 0), max: (2, 2, 2)),";

/// A room like an L, two wide and one high, as a sheet whose triangles face any way.
const ELL: &str = r#"bodies: [(name: "ell", shape: Mesh(vertices: [
    (0, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0),
    (0, 0, 1), (2, 0, 1), (2, 1, 1), (1, 1, 1), (1, 2, 1), (0, 2, 1),
], triangles: [
    (0, 2, 1), (0, 3, 2), (0, 5, 4), (0, 4, 3), (6, 7, 8), (6, 8, 9), (6, 10, 11), (6, 9, 10),
    (0, 1, 7), (0, 7, 6), (1, 2, 8), (1, 8, 7), (2, 3, 9), (2, 9, 8),
    (3, 4, 10), (3, 10, 9), (4, 5, 11), (4, 11, 10), (5, 0, 6), (5, 6, 11),
]), position: (-3, 1, 0.5))],"#;

fn try_read(beside: &str, fields: &str) -> Result<Scenario, String> {
    let fill = format!("fill: [Compressed(name: \"g\", motion: Fixed, {fields})]");
    let text = format!("(timestep: 1, duration: 1, {beside}\n{fill})");
    let parsed = parse(&Source::new("x.ron", &text));
    parsed.map(|parsed| parsed.scenario).map_err(|problems| problems.list()[0].to_string())
}

fn read(beside: &str, fields: &str) -> Scenario {
    try_read(beside, fields).unwrap_or_else(|error| panic!("{fields}: {error}"))
}

/// Position and radius of each sphere.
fn spheres(scenario: &Scenario) -> Vec<(DVec3, f64)> {
    let sphere = |shape: &Shape| if let Shape::Sphere(radius) = shape { Some(radius.get()) } else { None };
    scenario.bodies.iter().filter_map(|body| Some((body.position, sphere(&body.shape)?))).collect()
}

fn volume(spheres: &[(DVec3, f64)]) -> f64 {
    spheres.iter().map(|(_, radius)| 4.0 / 3.0 * PI * radius.powi(3)).sum()
}

fn measured(scenario: &Scenario) -> Packing {
    let request = scenario.observe.iter().find_map(|observation| match observation {
        Observation::Packing(request) => Some(request.clone()),
        _ => None,
    });
    let request: PackingRequest = request.expect("it observes its packing");
    Packing::measure(&scenario.world().unwrap(), &request)
}

/// The distance from a place to the nearest wall; negative outside.
type Room = fn(DVec3) -> f64;

/// In a cone about the line from (1, 2, 3) along (2, 1, 2)/3, four long, with these radii at its ends.
fn in_cone(place: DVec3, [first, last]: [f64; 2]) -> f64 {
    let axis = DVec3::new(2.0, 1.0, 2.0) / 3.0;
    let along = axis.dot(place - DVec3::new(1.0, 2.0, 3.0));
    let across = axis.cross(place - DVec3::new(1.0, 2.0, 3.0)).length();
    // In the plane through the axis the side is a line.
    let angle = ((last - first) / 4.0_f64).atan();
    along.min(4.0 - along).min((first - across) * angle.cos() + along * angle.sin())
}

fn in_ell(place: DVec3) -> f64 {
    let place = place - DVec3::new(-3.0, 1.0, 0.5);
    let outer = place.min_element().min(2.0 - place.x).min(2.0 - place.y).min(1.0 - place.z);
    // To the edge that stands into the room, or to the two faces beside it.
    let (x, y) = (1.0 - place.x, 1.0 - place.y);
    let inner = if x > 0.0 && y > 0.0 { x.hypot(y) } else { x.max(y) };
    outer.min(inner)
}

#[test]
fn balls_stay_in_their_vessel_and_apart() {
    let vessels: [(&str, &str, f64, Room); 6] = [
        ("", "Box(min: (-1, 0, 2), max: (1, 1, 4))", 4.0, |p| {
            (p - DVec3::new(-1.0, 0.0, 2.0)).min_element().min((DVec3::new(1.0, 1.0, 4.0) - p).min_element())
        }),
        (
            "",
            "Cylinder(from: (1, 2, 3), to: (3.6666666666666665, 3.3333333333333335, 5.666666666666667), radius: 1.5)",
            9.0 * PI,
            |p| in_cone(p, [1.5, 1.5]),
        ),
        (
            "",
            "Cone(from: (1, 2, 3), to: (3.6666666666666665, 3.3333333333333335, 5.666666666666667), radii: (0.5, 2))",
            7.0 * PI,
            |p| in_cone(p, [0.5, 2.0]),
        ),
        (
            "",
            "Cone(from: (1, 2, 3), to: (3.6666666666666665, 3.3333333333333335, 5.666666666666667), radii: (3, 0))",
            12.0 * PI,
            |p| in_cone(p, [3.0, 0.0]),
        ),
        ("", "Sphere(center: (5, -5, 0), radius: 3)", 36.0 * PI, |p| 3.0 - p.distance(DVec3::new(5.0, -5.0, 0.0))),
        (ELL, "Mesh(\"ell\")", 3.0, in_ell),
    ];
    for (beside, vessel, room, gap) in vessels {
        for (sizes, until) in [("Equal", "Packing(0.45)"), ("Uniform(min: 0.5, max: 1)", "Jammed")] {
            let fields = format!("within: {vessel}, count: 120, sizes: {sizes}, until: {until}, rate: 0.1");
            let scenario = read(beside, &fields);
            let spheres = spheres(&scenario);
            assert_eq!(spheres.len(), 120);
            let fraction = volume(&spheres) / room;
            let wanted = if until == "Jammed" { 0.5..0.66 } else { 0.45 - 1e-9..0.45 + 1e-9 };
            assert!(wanted.contains(&fraction), "{fields}: {fraction}");
            for (row, &(place, radius)) in spheres.iter().enumerate() {
                assert!(gap(place) > radius, "{fields}: ball {row} is {} m from the wall, radius {radius}", gap(place));
                let apart = |&(other, size): &(DVec3, f64)| place.distance(other) > radius + size;
                assert!(spheres[..row].iter().all(apart), "{fields}: ball {row}");
            }
            scenario.world().unwrap();
        }
    }
}

/// Frictionless spheres jam where as many contacts as they have freedoms hold them: six for each that is held, less a
/// few for the whole packing (Donev, Torquato & Stillinger, Phys. Rev. E 71, 011105, 2005), at a packing near 0.64
/// (Scott & Kilgour, *The density of random close packing of spheres*, 1969: 0.6366 ± 0.0005 for large numbers).
#[test]
fn equal_spheres_jam_isostatically() {
    let scenario = read(&format!("{PERIODIC} observe: [Packing],"), "count: 400, until: Jammed, seed: 2");
    let PackingReport { fraction, coordination, rattlers, balls, .. } = measured(&scenario).report;
    assert_eq!(balls, 400);
    assert!((0.63..0.655).contains(&fraction), "{fraction}");
    let held = f64::from(balls as u32) * (1.0 - rattlers);
    // 3 N − 2 contacts: those of N balls in a period, whose common place is free, and one for the growth.
    let isostatic = 6.0 - 4.0 / held;
    let coordination = coordination.unwrap();
    // Within the gap of 1e-4 there are neighbours that do not push, about 1 % (their part grows as the gap to the 0.6).
    assert!((coordination - isostatic).abs() < 0.06, "{coordination} for {isostatic}");
    assert!(rattlers < 0.06, "{rattlers}");
    // A part of it is held by the balls around that part. Each of about 50 balls has 6 ± 1.5 contacts.
    let request = PackingRequest {
        vessel: Vessel::Box { ranges: [Period { min: 0.5, max: 1.5 }; 3], endless: [false; 3] },
        gap: 1e-4,
    };
    let part = Packing::measure(&scenario.world().unwrap(), &request).report;
    assert!((part.coordination.unwrap() - 6.0).abs() < 0.9 && part.rattlers < 0.2, "{part:?}");
}

/// Six small balls for each large one of 2.3 times their size: DynamO's issue 76 asks for such a packing above 0.7.
#[test]
fn unequal_spheres_jam_more_densely() {
    let fields = "count: 245, until: Jammed, rate: 0.03, sizes: ";
    let jammed = |sizes: &str| volume(&spheres(&read(PERIODIC, &format!("{fields}{sizes}")))) / 8.0;
    let [equal, mixed] = [jammed("Equal"), jammed("Shares([(1, 1), (0.43, 6)])")];
    assert!(equal < 0.65 && mixed > equal + 0.02, "{equal} {mixed}");
}

/// A. de Klerk, *Voidage variation in packed beds at small column to particle diameter ratio*, AIChE J. 49, 2003: up to
/// 0.637 diameters from the wall of a cylinder the void fraction is 2.14 z² − 2.53 z + 1. It is 1 at the wall and least
/// about half a diameter from it. The profile has the layers along the two ends, too; near a flat wall it is much the
/// same.
#[test]
fn the_packing_along_the_wall_of_a_cylinder_is_that_of_packed_beds() {
    let within = "within: Cylinder(from: (0, 0, 0), to: (0, 0, 3), radius: 1)";
    let fields = format!("{within}, count: 1200, until: Packing(0.58), rate: 0.05");
    let scenario = read("observe: [Packing(within: Cylinder(from: (0, 0, 0), to: (0, 0, 3), radius: 1))],", &fields);
    let profile = measured(&scenario).profile;
    let void = |distance: f64| 1.0 - profile[(distance * 20.0) as usize].fraction;
    assert!(void(0.0) > 0.93, "{}", void(0.0));
    for distance in [0.125, 0.225, 0.325, 0.425, 0.525, 0.625] {
        let published = 2.14 * distance * distance - 2.53 * distance + 1.0;
        assert!((void(distance) - published).abs() < 0.1, "{} for {published} at {distance}", void(distance));
    }
    let least = (0..16).map(|row| f64::from(row) / 20.0).min_by(|&a, &b| void(a).total_cmp(&void(b))).unwrap();
    assert!((0.4..0.65).contains(&least), "{least}");
    assert!(void(0.925) > void(least) + 0.1, "{} {}", void(0.925), void(least));
}

#[test]
fn sizes_have_the_moments_of_their_distribution() {
    let moments = |sizes: &str| {
        let radii: Vec<f64> =
            spheres(&read(PERIODIC, &format!("count: 4000, until: Packing(0.01), rate: 1, sizes: {sizes}")))
                .iter()
                .map(|(_, radius)| *radius)
                .collect();
        let mean = radii.iter().sum::<f64>() / 4000.0;
        let variance = radii.iter().map(|radius| (radius / mean - 1.0).powi(2)).sum::<f64>() / 4000.0;
        let skewness =
            radii.iter().map(|radius| (radius / mean - 1.0).powi(3)).sum::<f64>() / 4000.0 / variance.powf(1.5);
        [variance.sqrt(), if variance > 1e-20 { skewness } else { 0.0 }]
    };
    // The deviation over the mean, and the skewness: of a logarithmic normal law (v² + 3) v, of shares p and q
    // (q − p) / √(p q).
    let rows = [
        ("Equal", 0.0, 0.0),
        ("Uniform(min: 1, max: 3)", 1.0 / 12.0_f64.sqrt(), 0.0),
        ("(1, 3)", 1.0 / 12.0_f64.sqrt(), 0.0),
        ("Normal(mean: 2, deviation: 0.3)", 0.15, 0.0),
        ("LogNormal(mean: 2, deviation: 0.6)", 0.3, 0.927),
        ("Shares([(1, 3), (2, 1)])", 0.1875_f64.sqrt() / 1.25, 0.5 / 0.1875_f64.sqrt()),
    ];
    for (sizes, deviation, skewness) in rows {
        let [found, skew] = moments(sizes);
        // Four standard errors of 4000 draws, 1/√8000 of the deviation; the third moment has larger ones.
        assert!((found - deviation).abs() <= 0.045 * deviation + 1e-12, "{sizes}: {found} for {deviation}");
        assert!((skew - skewness).abs() < 0.2, "{sizes}: {skew} for {skewness}");
    }
}

#[test]
fn without_a_count_sizes_are_in_metres() {
    let scenario = read(PERIODIC, "until: Packing(0.4), sizes: Shares([(0.1, 1), (0.2, 1)]), rate: 0.2");
    let spheres = spheres(&scenario);
    let large = spheres.iter().filter(|(_, radius)| *radius == 0.2).count();
    assert!(spheres.iter().all(|(_, radius)| [0.1, 0.2].contains(radius)));
    assert!(spheres.len() - 2 * large <= 1, "{} of {}", large, spheres.len());
    // One ball more would be too much.
    let fraction = volume(&spheres) / 8.0;
    assert!(fraction <= 0.4 && fraction > 0.4 - 4.0 / 3.0 * PI * 0.008 / 8.0, "{fraction}");
}

#[test]
fn short_forms_give_the_same_bits() {
    let rows = [
        (
            "packing: 0.4, min: (0, 0, 0), max: (1, 1, 1)",
            "until: Packing(0.4), within: Box(min: (0, 0, 0), max: (1, 1, 1))",
        ),
        (
            "packing: 0.4, min: (0, 0, 0), max: (1, 1, 1), sizes: (0.5, 1)",
            "until: Packing(0.4), within: Box(min: (0, 0, 0), max: (1, 1, 1)), sizes: Uniform(min: 0.5, max: 1)",
        ),
    ];
    for (short, long) in rows {
        let bodies = |fields: &str| read("", &format!("count: 50, rate: 0.2, {fields}")).bodies;
        assert_eq!(bodies(short), bodies(long));
    }
    let jammed = |seed: u64| {
        let fields = "until: Jammed, rate: 0.3, within: Sphere(center: (0, 0, 0), radius: 1), sizes: Normal(mean: 1, deviation: 0.1)";
        read("", &format!("count: 40, seed: {seed}, {fields}")).bodies
    };
    assert_eq!(jammed(1), jammed(1));
    assert_ne!(jammed(1), jammed(2));
}

#[test]
fn what_is_no_packing_is_refused() {
    let box_ = "within: Box(min: (0, 0, 0), max: (1, 1, 1))";
    let rows = [
        (
            PERIODIC,
            "count: 90, until: Jammed, packing: 0.5",
            "fill[0].until: a compression takes either `packing` or `until`",
        ),
        (PERIODIC, "count: 90", "a compression takes either `packing` or `until`"),
        (PERIODIC, "count: 90, until: Packing(0.8)", "fill[0].until: must be above 0 and at most 0.74"),
        ("", "until: Jammed, within: Sphere(center: (0, 0, 0), radius: 1)", "the field `count` is missing"),
        (PERIODIC, "packing: 0.3", "fill[0]: the field `count` is missing"),
        (PERIODIC, "packing: 0.3, sizes: Equal", "fill[0]: the field `count` is missing"),
        (PERIODIC, "packing: 0.3, sizes: (0.4, 0.5)", "fill[0].sizes: the period along x is 2"),
        (
            "",
            "count: 9, until: Jammed, min: (0, 0, 0), within: Sphere(center: (0, 0, 0), radius: 1)",
            "either `within`, or `min` and `max`",
        ),
        ("", "count: 9, until: Jammed, within: Sphere(center: (0, 0, 0), radius: 0)", "fill[0].within.radius: must be"),
        (
            "",
            "count: 9, until: Jammed, within: Cylinder(from: (1, 1, 1), to: (1, 1, 1), radius: 1)",
            "fill[0].within.to: `from` and `to` are one point",
        ),
        (
            "",
            "count: 9, until: Jammed, within: Cone(from: (0, 0, 0), to: (1, 1, 1), radii: (0, 0))",
            "two radii, of which one may be 0",
        ),
        (
            "",
            "count: 9, until: Jammed, within: Cylinder(from: (0, 0, 0), to: (1, 1, 1), radius: 1e-5)",
            "the vessel fills only",
        ),
        ("", "count: 9, until: Jammed, within: Mesh(\"ell\")", "there is no body `ell` with a mesh"),
        (
            "bodies: [(name: \"t\", shape: Mesh(vertices: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], triangles: [(0, 1, 2)]))],",
            "count: 9, until: Jammed, within: Mesh(\"t\")",
            "the mesh of `t` encloses nothing",
        ),
        ("", "count: 1, until: Jammed, within: Sphere(center: (0, 0, 0), radius: 1)", "have not jammed"),
        (
            "",
            &format!("count: 9, until: Jammed, {box_}, sizes: Normal(mean: 1, deviation: 0.3)"),
            "fill[0].sizes.deviation: must be from 0 to a fifth of the mean",
        ),
        (
            "",
            &format!("count: 9, until: Jammed, {box_}, sizes: LogNormal(mean: 0, deviation: 0.3)"),
            "fill[0].sizes.mean: must be",
        ),
        ("", &format!("count: 9, until: Jammed, {box_}, sizes: Shares([])"), "a radius with its share or more"),
        (
            "",
            &format!("count: 9, until: Jammed, {box_}, sizes: Shares([(1, 1), (2, -1)])"),
            "fill[0].sizes[1][1]: must be",
        ),
        ("", &format!("count: 9, until: Jammed, {box_}, sizes: Gamma(1)"), "`Gamma` is not one of the words"),
        (
            "",
            &format!("until: Packing(0.5), {box_}, sizes: Shares([(1, 1)])"),
            "one ball fills more than the packing allows",
        ),
        (
            "",
            &format!("until: Packing(0.5), {box_}, sizes: Shares([(1e-4, 1)])"),
            "bodies, more than the 4000000 allowed",
        ),
        (
            "",
            &format!("count: 9, until: Jammed, {box_}, sizes: FromFile(\"d.txt\")"),
            "a file beside the scenario needs a scenario that is itself a file",
        ),
        (
            "observe: [Packing],",
            &format!("count: 9, until: Jammed, {box_}"),
            "observe[0]: the region needs `min` and `max`",
        ),
        ("", &format!("count: 1, until: Packing(0.6), {box_}"), "fill[0].within: the region is 1 m wide along x"),
        (
            "expect: [Fraction(near: 1, within: 1)],",
            &format!("count: 9, until: Jammed, {box_}"),
            "only for an observed packing",
        ),
        ("plots: [Profile],", &format!("count: 9, until: Jammed, {box_}"), "only for an observed packing"),
    ];
    for (beside, fields, wanted) in rows {
        let error = try_read(beside, fields).err().unwrap_or_else(|| panic!("{fields} is read"));
        assert!(error.contains(wanted), "{fields}: {error}");
    }
}

/// Masses and radii beyond their range are refused, not computed with.
#[test]
fn extremes_are_refused() {
    let rows = ["mass: 1e-70", "density: 1e-70", "density: 1e70"];
    for (load, radius) in rows.iter().flat_map(|load| [1e-60, 1e-20, 1e60].map(|radius| (load, radius))) {
        let fill = format!(
            "Compressed(name: \"g\", {load}, count: 20, rate: 0.5, until: Jammed, sizes: (1e-3, 1), within: Sphere(center: (0, 0, 0), radius: {radius}))"
        );
        let parsed = parse(&Source::new("x.ron", format!("(timestep: 1, duration: 1, fill: [{fill}])").as_str()));
        // It is read or refused; it neither panics nor hangs.
        if let Err(problems) = parsed {
            assert!(problems.list()[0].to_string().contains("fill[0]"), "{}", problems.list()[0]);
        }
    }
}

/// A scenario with the sizes of a file, which has this text.
fn with_file(text: &str, fields: &str) -> Result<Scenario, String> {
    let scenario = format!(
        "(timestep: 1, duration: 1, {PERIODIC} fill: [Compressed(name: \"g\", motion: Fixed, rate: 0.5, sizes: FromFile(\"d.txt\"), {fields})])"
    );
    let file = MeshFile { name: "d.txt".to_owned(), bytes: text.as_bytes().into() };
    let parsed = parse(&Source::new("x.ron", scenario.as_str()).with_files(vec![file]));
    parsed.map(|parsed| parsed.scenario).map_err(|problems| problems.list()[0].to_string())
}

#[test]
fn a_file_has_diameters() {
    let text = "# diameters, m\r\n0.2, 0.1;0.3\n\n0.4 # the last\n";
    let radii: Vec<f64> =
        spheres(&with_file(text, "until: Packing(0.05)").unwrap()).iter().map(|(_, radius)| *radius).collect();
    // Seven rounds of four balls of 0.05236 m³ in all, and three more: the next one would exceed 0.4 m³.
    assert_eq!(radii[..5], [0.1, 0.05, 0.15, 0.2, 0.1]);
    assert_eq!(radii.len(), 31);
    let relative = spheres(&with_file(text, "count: 40, packing: 0.3").unwrap());
    assert!((relative[7].1 / relative[1].1 - 4.0).abs() < 1e-12);
    let rows = [
        ("0.1\n0.2 wide", "fill[0].sizes: `d.txt`, line 2: a diameter is a positive finite number"),
        ("0.1 -0.2", "line 1: a diameter is a positive finite number, from 1e-70 to 1e70 m, found `-0.2`"),
        ("nan", "found `nan`"),
        ("# nothing\n", "`d.txt` has no diameters"),
    ];
    for (text, wanted) in rows {
        let error = with_file(text, "until: Packing(0.05)").err().unwrap_or_else(|| panic!("{text} is read"));
        assert!(error.contains(wanted), "{text}: {error}");
    }
}
