//! Strobe pictures, space–time diagrams, speeds, phase portraits and passages, checked against the known motion.

use std::fs;
use std::path::PathBuf;

use carom::dynamics::{EventKind, Motion, Response};
use carom::report::draw;
use carom::scenario::{Axis, Figure, Plane2, Plot};
use glam::DVec3;
use roxmltree::Document;

use crate::plots::{shapes, with_svg, words};
use crate::runs::{self, Run, scenes};

const BLUE: &str = "#0072B2";

/// One diagram of each kind, with a flash every `every` seconds.
pub(crate) fn all(every: f64) -> [Plot; 12] {
    let bodies = Vec::new;
    [
        Plot::Strobe { plane: Plane2::XZ, every, bodies: bodies() },
        Plot::SpaceTime { axis: Axis::X, bodies: bodies() },
        Plot::Speed { bodies: bodies() },
        Plot::Phase { axis: Axis::X, bodies: bodies() },
        Plot::Passages { bodies: bodies() },
        Plot::Oblique { azimuth: -60.0, elevation: 25.0, every: Some(every), bodies: bodies() },
        Plot::RadialDistribution { bodies: bodies() },
        Plot::Displacement { bodies: bodies() },
        Plot::Autocorrelation { bodies: bodies() },
        Plot::Separation { plane: None, bodies: bodies() },
        Plot::BoundaryMap { bodies: bodies() },
        Plot::Concentration { axis: Axis::X, bodies: bodies() },
    ]
}

fn drawn(mut run: Run, plots: &[Plot], name: &str) -> PathBuf {
    run.scenario.plots = plots.iter().cloned().map(Figure::from).collect();
    let folder = run.write(name);
    let files = draw(&run.scenario, &folder, &folder).unwrap().files;
    assert_eq!(files.len(), 2 * plots.len(), "{name}");
    folder
}

#[test]
fn every_diagram_of_every_run_is_sound() {
    let runs = [
        (scenes::bounce(0.8, 14, 400), 0.1, "diagrams-bounce"),
        (scenes::bounce(1.0, 10_000, 100), 100.0, "diagrams-elastic"),
        (scenes::cradle(), 0.2, "diagrams-cradle"),
        (scenes::gas(1000, 40), 0.1, "diagrams-gas"),
        (scenes::workshop(), 0.1, "diagrams-workshop"),
        (scenes::bullet(), 0.05, "diagrams-bullet"),
        (scenes::still(1e-9, 1e9, 1e9), 1e8, "diagrams-far"),
        (scenes::still(1e9, -1e9, 1.0), 0.1, "diagrams-huge"),
    ];
    for (run, every, name) in runs {
        let title = run.scenario.title.clone();
        let folder = drawn(run, &all(every), name);
        let captions: [(&str, &[&str]); 11] = [
            ("strobe_xz", &["x (", "z ("]),
            ("space_time_x", &["time (", "x ("]),
            ("speed", &["time (", "speed ("]),
            ("phase_x", &["x ("]),
            ("passages", &["time ("]),
            ("oblique", &["x ("]),
            ("radial_distribution", &["g ("]),
            ("displacement", &["lag time (", "mean squared displacement ("]),
            ("separation", &["time (", "distance ("]),
            ("boundary_map", &["length along the walls ("]),
            ("concentration_x", &["time (", "x (", "per metre"]),
        ];
        for (stem, captions) in captions {
            let words = words(&folder, stem);
            assert!(words.contains(&title), "{name} {stem}: {words}");
            for caption in captions {
                let has = words.lines().any(|line| line.starts_with(caption));
                assert!(has, "{name} {stem}: {caption} in {words}");
            }
            assert!(stem != "phase_x" || words.contains("m/s)"), "{name}: {words}");
            assert!(!words.contains("NaN") && !words.contains("inf"), "{name} {stem}: {words}");
            let size = fs::metadata(folder.join(format!("{stem}.svg"))).unwrap().len();
            assert!(size < 2_000_000, "{name} {stem} has {size} bytes");
        }
    }
}

/// Centres of the circles with a stroke of this colour, in pixels.
fn rings(svg: &Document<'_>, color: &str) -> Vec<(f64, f64)> {
    let number = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap().parse::<f64>().unwrap() / 10.0;
    let rings = svg.descendants().filter(|node| node.has_tag_name("circle") && node.attribute("stroke") == Some(color));
    rings.map(|node| (number(&node, "cx"), number(&node, "cy"))).collect()
}

#[test]
fn a_strobe_picture_has_the_exact_place_at_each_flash() {
    // A parabolic path whose knots and steps are not at the flashes.
    let gravity = DVec3::NEG_Z * 8.0;
    let [start, velocity] = [DVec3::ZERO, DVec3::new(2.0, 0.0, 4.0)];
    let bounce = DVec3::new(2.0, 0.0, 0.0);
    let mut run = Run::new("Flashes", 1.5, 7, Vec::new());
    run.moving("ball", runs::sphere(0.05), gravity, &[(0.0, start, velocity), (1.0, bounce, velocity)]);
    let plot = Plot::Strobe { plane: Plane2::XZ, every: 0.15, bodies: Vec::new() };
    let folder = drawn(run, &[plot], "flashes");
    let found = with_svg(&folder, "strobe_xz", |svg| rings(svg, BLUE));
    assert_eq!(found.len(), 11, "at 0, 0.15, ..., 1.5 s");
    let place = |flash: usize| {
        let time = 0.15 * flash as f64;
        let (from, time) = if time < 1.0 { (start, time) } else { (bounce, time - 1.0) };
        from + velocity * time + gravity * (0.5 * time * time)
    };
    let (first, last) = (found[0], found[10]);
    let scale = (last.0 - first.0) / place(10).x;
    for (flash, at) in found.iter().enumerate() {
        let [x, y] = [first.0 + scale * place(flash).x, first.1 - scale * place(flash).z];
        assert!((at.0 - x).abs() < 0.2 && (at.1 - y).abs() < 0.2, "flash {flash}: {at:?} for {x}, {y}");
    }
}

/// The lowest and the highest of some numbers.
fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)))
}

#[test]
fn bands_are_as_wide_as_bodies_and_touch_at_an_impact() {
    let mut run = Run::new("Bands", 2.0, 4, Vec::new());
    let zero = DVec3::ZERO;
    // The bodies touch at 1 s: their centres are 0.2 + 0.4 m apart.
    run.moving("small", runs::sphere(0.2), zero, &[(0.0, DVec3::X * -1.0, DVec3::X), (1.0, zero, -DVec3::X)]);
    run.moving("large", runs::cuboid(0.4, 1.0, 1.0), zero, &[(0.0, DVec3::X * 0.6, zero)]);
    run.happens(1.0, EventKind::Impact, ["large", "small"], DVec3::X * 0.2, 1.0);
    let folder = drawn(run, &[Plot::SpaceTime { axis: Axis::X, bodies: Vec::new() }], "bands");
    with_svg(&folder, "space_time_x", |svg| {
        let band = |color| shapes(svg, "polygon", "fill", color)[0].clone();
        let (small, large) = (band(BLUE), band("#D55E00"));
        let (from, to) = span(small.iter().map(|point| point.0));
        let at = |band: &[(f64, f64)], x: f64| {
            span(band.iter().filter(|point| (point.0 - x).abs() < 0.2).map(|point| point.1))
        };
        let (small_start, large_start) = (at(&small, from), at(&large, from));
        let (thin, thick) = (small_start.1 - small_start.0, large_start.1 - large_start.0);
        assert!((thick / thin - 2.0).abs() < 0.01, "{thin} {thick}");
        // At the impact, the edge of one band is the edge of the other.
        let (touch, other) = (at(&small, 0.5 * (from + to)), large_start);
        assert!((touch.0 - other.1).abs() < 0.2, "{touch:?} {other:?}");
    });
}

#[test]
fn speeds_and_phases_step_at_impacts_and_are_exact_between() {
    let mut run = Run::new("Steps", 2.0, 3, Vec::new());
    // The ball rises and falls under gravity. At 1 s it bounces with half the speed.
    let gravity = DVec3::NEG_X * 4.0;
    let [up, back] = [DVec3::X * 2.0, DVec3::X];
    run.moving("ball", runs::sphere(0.1), gravity, &[(0.0, DVec3::ZERO, up), (1.0, DVec3::ZERO, back)]);
    let plots = [Plot::Speed { bodies: Vec::new() }, Plot::Phase { axis: Axis::X, bodies: Vec::new() }];
    let folder = drawn(run, &plots, "steps");
    with_svg(&folder, "speed", |svg| {
        let lines = shapes(svg, "polyline", "stroke", BLUE);
        let line = lines.iter().max_by_key(|line| line.len()).unwrap();
        let (left, right) = span(line.iter().map(|point| point.0));
        let (_, base) = span(line.iter().map(|point| point.1));
        // At the top of the flight, 0.5 s, the speed is 0.
        let top = line.iter().find(|point| (point.0 - (left + 0.25 * (right - left))).abs() < 0.6).unwrap();
        assert!((top.1 - base).abs() < 3.0, "{top:?} {base}");
        let middle: Vec<f64> =
            line.iter().filter(|point| (point.0 - 0.5 * (left + right)).abs() < 0.3).map(|point| point.1).collect();
        let (high, low) = span(middle.into_iter());
        assert!(((base - high) / (base - low) - 2.0).abs() < 0.05, "{high} {low} {base}");
    });
    with_svg(&folder, "phase_x", |svg| {
        let lines = shapes(svg, "polyline", "stroke", BLUE);
        let legs: Vec<_> = lines.iter().filter(|line| line.len() > 20).collect();
        assert_eq!(legs.len(), 2, "two parabolas");
        // The velocity goes from 2 to −2 m/s, then from 1 to −3 m/s: the same range. The first flight reaches 0.5 m;
        // the second reaches 0.125 m and then −1 m.
        let extent = |line: &[(f64, f64)]| {
            let (left, right) = span(line.iter().map(|point| point.0));
            let (high, low) = span(line.iter().map(|point| point.1));
            (right - left, low - high)
        };
        let (first, second) = (extent(legs[0]), extent(legs[1]));
        assert!((first.1 - second.1).abs() < 0.3, "{first:?} {second:?}");
        assert!((second.0 / first.0 - 1.125 / 0.5).abs() < 0.02, "{first:?} {second:?}");
    });
}

#[test]
fn passages_are_bars_from_entry_to_exit() {
    let mut run = Run::new("Gates", 10.0, 10, Vec::new());
    for name in ["first gate", "second gate"] {
        let mut gate = runs::body(name, runs::cuboid(1.0, 1.0, 1.0), Motion::Fixed, DVec3::ZERO, DVec3::ZERO);
        gate.body.response = Response::Sense;
        run.still(gate);
    }
    run.moving("ball", runs::sphere(0.1), DVec3::ZERO, &[(0.0, DVec3::ZERO, DVec3::X)]);
    let events = [
        (1.0, EventKind::Leave, "first gate"),
        (3.0, EventKind::Enter, "first gate"),
        (5.0, EventKind::Leave, "first gate"),
        (8.0, EventKind::Enter, "second gate"),
    ];
    for (time, kind, gate) in events {
        run.happens(time, kind, ["ball", gate], DVec3::ZERO, 0.0);
    }
    let folder = drawn(run, &[Plot::Passages { bodies: Vec::new() }], "gates");
    let found: Vec<(f64, f64)> = with_svg(&folder, "passages", |svg| {
        let bars = shapes(svg, "polygon", "fill", BLUE);
        bars.iter().map(|bar| span(bar.iter().map(|point| point.0))).collect()
    });
    // Narrow bars are left out: one of them is the sample in the legend.
    let bars: Vec<_> = found.iter().filter(|bar| bar.1 - bar.0 > 40.0).collect();
    assert_eq!(bars.len(), 3, "{found:?}");
    // The bars are from 0 to 1 s, from 3 to 5 s, and from 8 to 10 s. The whole width, from the first left edge to the
    // last right edge, is 10 s.
    let (left, right) = (bars[0].0, bars[2].1);
    for (bar, (from, to)) in bars.iter().zip([(0.0, 1.0), (3.0, 5.0), (8.0, 10.0)]) {
        let at = |time: f64| left + (right - left) * time / 10.0;
        assert!((bar.0 - at(from)).abs() < 0.2 && (bar.1 - at(to)).abs() < 0.2, "{bar:?} for {from} to {to} s");
    }
    let words = words(&folder, "passages");
    assert!(words.contains("3 passages") && words.contains("first gate") && words.contains("second gate"), "{words}");
}

/// A ball flies along x, seen from −y: the picture is the xz plane.
#[test]
fn an_oblique_view_has_ghosts_at_their_places() {
    let mut run = Run::new("Oblique", 1.0, 10, Vec::new());
    let (from, velocity) = (DVec3::new(0.0, 0.0, 1.0), DVec3::new(4.0, 0.0, 0.0));
    run.moving("ball", runs::sphere(0.25), DVec3::ZERO, &[(0.0, from, velocity)]);
    let plot = Plot::Oblique { azimuth: -90.0, elevation: 0.0, every: Some(0.25), bodies: Vec::new() };
    let folder = drawn(run, &[plot], "oblique");
    let places = with_svg(&folder, "oblique", |svg| rings(svg, BLUE));
    // Five flashes, and one circle each for the start and the end.
    assert_eq!(places.len(), 5 + 2, "{places:?}");
    let mut across: Vec<f64> = places.iter().map(|place| place.0).collect();
    across.sort_by(f64::total_cmp);
    let step = (across[6] - across[0]) / 4.0;
    for (place, wanted) in across.iter().zip([0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 4.0]) {
        // The coordinates of circles are rounded to tenths of a pixel.
        assert!((place - across[0] - wanted * step).abs() < 0.2, "{across:?}");
    }
    assert!(places.iter().all(|place| (place.1 - places[0].1).abs() < 0.2), "{places:?}");
    let said = words(&folder, "oblique");
    for label in ["at the start", "every 0.250 s", "at the end"] {
        assert!(said.contains(label), "{label}: {said}");
    }
}

#[test]
fn impacts_of_each_body_are_counted_up_to_their_numbers() {
    let run = scenes::cradle();
    let bodies = vec!["a".to_owned(), "b".to_owned(), "e".to_owned()];
    let folder = drawn(run, &[Plot::Impacts { bodies }], "impacts-of-each");
    let said = words(&folder, "impacts");
    for label in ["a", "b", "e", "impacts so far", "approach speed (m/s)"] {
        assert!(said.lines().any(|line| line == label), "{label}: {said}");
    }
    // Ball b takes part in two impacts. Balls a and e are at the ends of the row and take part in one each.
    let labels = with_svg(&folder, "impacts", |svg| {
        let groups = svg.descendants().filter(|node| node.has_tag_name("g"));
        let of = |node: roxmltree::Node<'_, '_>| {
            node.first_element_child().and_then(|title| title.text()).map(str::to_owned)
        };
        let number = |node: roxmltree::Node<'_, '_>| {
            node.children()
                .find(|child| child.has_tag_name("text"))
                .and_then(|text| text.text())
                .map(|text| text.trim().to_owned())
        };
        groups
            .filter_map(|node| of(node).zip(number(node)))
            .filter(|(name, _)| ["a", "b", "e"].contains(&name.as_str()))
            .collect::<Vec<_>>()
    });
    assert_eq!(
        labels,
        [("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())],
        "that of e stands on that of a"
    );
}

/// A gas with many balls is drawn as a density map, and a scale gives the count for each shade.
#[test]
fn a_map_has_a_scale_of_counts() {
    let plot = Plot::Path { plane: Plane2::XY, bodies: Vec::new() };
    let folder = drawn(scenes::gas(4000, 10), &[plot], "scale");
    let numbers = with_svg(&folder, "path_xy", |svg| {
        let group = svg.descendants().find(|node| {
            node.has_tag_name("g")
                && node.first_element_child().and_then(|title| title.text()) == Some("scale of the map")
        });
        let texts = group.expect("there is a scale").children().filter(|node| node.has_tag_name("text"));
        texts.map(|node| node.text().unwrap().trim().replace(',', "").parse::<u32>().unwrap()).collect::<Vec<_>>()
    });
    assert!(numbers.len() >= 2 && numbers.is_sorted_by(|a, b| a > b), "{numbers:?}");
    assert!(words(&folder, "path_xy").contains("per cell"));
}
