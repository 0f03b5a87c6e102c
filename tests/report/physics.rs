//! The pictures of physics that are drawn from several tables, for scenarios that are run: each checked against a law.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use glam::DVec3;
use roxmltree::Document;

use crate::plots::{shapes, with_svg, words};

const BLUE: &str = "#0072B2";

/// Runs a scenario, and returns the folder of its results.
pub(crate) fn run(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("physics-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.ron"));
    fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.arg("run").arg(&file).arg("--output").arg(&folder).current_dir(&folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join(name)
}

/// The rows of a table, each a list of fields.
fn rows(folder: &Path, table: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join(format!("{table}.csv"))).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn vector(row: &[String], first: usize) -> DVec3 {
    let number = |place: usize| row[place].parse::<f64>().unwrap();
    DVec3::new(number(first), number(first + 1), number(first + 2))
}

/// Centres of the dots of this colour and radius, in pixels.
fn dots(svg: &Document<'_>, color: &str) -> Vec<(f64, f64)> {
    let number = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap().parse::<f64>().unwrap() / 10.0;
    let dots = svg.descendants().filter(|node| node.has_tag_name("circle") && node.attribute("fill") == Some(color));
    dots.map(|node| (number(&node, "cx"), number(&node, "cy"))).collect()
}

/// In a dispersing billiard the distance of two neighbours is that of the wavefront which they are points of: its
/// curvature κ grows at each impact on the pillar by 2/(R cos φ), and on a way l the distance grows by 1 + κ l (Ya. G.
/// Sinai, 1970).
#[test]
fn the_distance_of_twins_is_that_of_sinais_wavefronts() {
    let text = fs::read_to_string("scenarios/sinai_billiard.ron").unwrap();
    let folder = run("sinai_billiard", &text);
    let (mut kappa, mut across, mut now) = (0.0, 0.6e-9, 0.0);
    let along = 0.8e-9_f64;
    let mut instants = Vec::new();
    let velocities: Vec<(f64, DVec3)> = rows(&folder, "paths")
        .iter()
        .filter(|row| row[1] == "ball")
        .map(|row| (row[0].parse().unwrap(), vector(row, 5)))
        .collect();
    let mut go = |kappa: &mut f64, time: f64| {
        let way = time - now;
        across *= 1.0 + *kappa * way;
        *kappa /= 1.0 + *kappa * way;
        now = time;
        (across * across + along * along).sqrt()
    };
    for row in rows(&folder, "events").iter().filter(|row| row[2] == "ball" || row[3] == "ball") {
        let time: f64 = row[0].parse().unwrap();
        if time > 11.2 {
            break;
        }
        // Half-way from the impact before, where no twin is at a wall.
        let between = 0.5 * (now_of(&instants) + time);
        let distance = go(&mut kappa, between);
        instants.push((between, distance, time));
        go(&mut kappa, time);
        if row[2] == "pillar" || row[3] == "pillar" {
            let after = velocities.iter().rfind(|(from, _)| *from <= time).unwrap().1;
            kappa += 2.0 / (0.52 * after.dot(vector(row, 7)).abs());
        }
    }
    assert!(instants.len() > 10, "{instants:?}");
    with_svg(&folder, "separation", |svg| {
        let curve: Vec<(f64, f64)> = shapes(svg, "polyline", "stroke", BLUE).into_iter().max_by_key(Vec::len).unwrap();
        let (start, end) = (curve[0].0, curve[curve.len() - 1].0);
        let frame = shapes(svg, "polyline", "stroke", "#464646");
        let mut ticks: Vec<f64> =
            frame.iter().filter(|line| line.len() == 2 && line[0].1 == line[1].1).map(|line| line[0].1).collect();
        ticks.sort_by(f64::total_cmp);
        let decade = (ticks[ticks.len() - 1] - ticks[0]) / (ticks.len() - 1) as f64;
        // The first point is a nanometre.
        let drawn = |time: f64| {
            let x = start + (end - start) * time / 20.0;
            let next = curve.partition_point(|at| at.0 < x).max(1);
            let ((x0, y0), (x1, y1)) = (curve[next - 1], curve[next]);
            let y = y0 + (y1 - y0) * (x - x0) / (x1 - x0);
            1e-9 * 10.0_f64.powf((curve[0].1 - y) / decade)
        };
        for &(time, distance, _) in &instants {
            let found = drawn(time);
            assert!((found / distance - 1.0).abs() < 0.03, "{time} s: {found} drawn, {distance} by the law");
        }
    });
    assert!(words(&folder, "separation").contains("grows by e in 0.7"), "{}", words(&folder, "separation"));
}

fn now_of(instants: &[(f64, f64, f64)]) -> f64 {
    instants.last().map_or(0.0, |last| last.2)
}

/// In a circle the angle at the wall is the same at all impacts, and so is the way along the wall from one to the next.
#[test]
fn a_circle_is_a_level_line_in_the_map_of_its_boundary() {
    let text = r#"(title: "Circle", timestep: 1, duration: 300, space: Planar(), bodies: [
        (name: "circle", shape: Arc(radius: 1, from: 0, to: 360)),
        (name: "disc", shape: Disc(radius: 0.1), mass: 1, position: (0.3, 0), velocity: (0, 1)),
    ], plots: [BoundaryMap])"#;
    let folder = run("circle", text);
    with_svg(&folder, "boundary_map", |svg| {
        let dots = dots(svg, BLUE);
        // The impacts, and the sample in the legend. The chord of the centre is 2 · √(0.9² − 0.3²).
        assert_eq!(dots.len(), 1 + (300.0 / 1.697_056_274_847_714 + 0.5) as usize, "at 1 m/s");
        let points = &dots[1..];
        let frame = shapes(svg, "polyline", "stroke", "#464646").into_iter().find(|line| line.len() == 5).unwrap();
        let (left, right) = (frame[0].0, frame[1].0);
        let (top, bottom) = (frame[0].1, frame[2].1);
        // Counterclockwise, so towards greater lengths: the sine is 1/3.
        let level = bottom - (bottom - top) * (1.0 / 3.0 + 1.0) / 2.0;
        let turn = 2.0 * (1.0_f64 / 3.0).acos() / std::f64::consts::TAU;
        for pair in points.windows(2) {
            assert!((pair[0].1 - level).abs() < 0.11, "{pair:?} {level}");
            let step = (pair[1].0 - pair[0].0) / (right - left) - turn;
            assert!((step - step.round()).abs() < 0.3 / (right - left), "{pair:?}");
        }
    });
}

/// Two kinds that stay in their halves: a map each, in its own colour, and nothing in the other half.
#[test]
fn a_concentration_has_a_map_for_each_kind() {
    let ball = |kind: &str, n: u32, x: f64, color: &str| {
        let y = 3 * n;
        format!(
            r#"(name: "{kind}-{n}", shape: Sphere(radius: 0.1), mass: 1, position: ({x}, {y}, 0), color: "{color}"),"#
        )
    };
    let bodies: String = (0..20)
        .flat_map(|n| {
            let x = 0.1 * f64::from(n);
            [ball("left", n, x, "#E69F00"), ball("right", n, 10.0 - x, "#0072B2")]
        })
        .collect();
    let text = format!(
        r#"(title: "Halves", timestep: 0.1, duration: 2, bodies: [{bodies}], plots: [Concentration(axis: X)])"#
    );
    let folder = run("halves", &text);
    let said = words(&folder, "concentration_x");
    assert!(said.contains("left (20 spheres)") && said.contains("right (20 spheres)"), "{said}");
    with_svg(&folder, "concentration_x", |svg| {
        let frames: Vec<_> =
            shapes(svg, "polyline", "stroke", "#464646").into_iter().filter(|line| line.len() == 5).collect();
        for (kind, frame, upper) in [("left (20 spheres)", 1, false), ("right (20 spheres)", 3, true)] {
            let middle = 5.0 * (frames[frame][0].1 + frames[frame][2].1);
            let is_map = |node: &roxmltree::Node<'_, '_>| {
                node.has_tag_name("g") && node.first_element_child().and_then(|title| title.text()) == Some(kind)
            };
            let map = svg.descendants().find(is_map).expect("a map");
            let cells: Vec<&str> = map.children().filter_map(|node| node.attribute("points")).collect();
            assert!(cells.len() >= 20, "{kind}: {}", cells.len());
            for cell in cells {
                let corners =
                    cell.split_whitespace().filter_map(|corner| corner.split_once(',')?.1.parse::<f64>().ok());
                let (count, sum) = corners.fold((0.0, 0.0), |(count, sum), y| (count + 1.0, sum + y));
                assert_eq!(sum / count < middle, upper, "{kind}: {cell} around {middle}");
            }
        }
    });
}

/// Kinds have the names and the colours of their bodies, and follow Maxwell's law for their masses.
#[test]
fn speeds_have_a_curve_for_each_kind() {
    let text = fs::read_to_string("scenarios/mixing.ron").unwrap();
    let folder = run("mixing", &text);
    let said = words(&folder, "speeds");
    assert!(["helium\n", "argon\n", "Maxwell's law\n"].iter().all(|name| said.contains(name)), "{said}");
    with_svg(&folder, "speeds", |svg| {
        let peak = |color: &str| {
            let curve = shapes(svg, "polyline", "stroke", color).into_iter().max_by_key(Vec::len).unwrap();
            let base = curve.iter().map(|at| at.1).fold(0.0, f64::max);
            let (left, weight) = (curve[0].0, |at: &(f64, f64)| base - at.1);
            let total: f64 = curve.windows(2).map(|two| weight(&two[0]) * (two[1].0 - two[0].0)).sum();
            curve
                .windows(2)
                .map(|two| weight(&two[0]) * (two[1].0 - two[0].0) * (0.5 * (two[0].0 + two[1].0) - left))
                .sum::<f64>()
                / total
        };
        // The mean speed is √(8 k_B T/(π m)), so their ratio is √10; 200 bodies know it to about 0.42 / √200 each.
        let ratio = peak("#E69F00") / peak(BLUE);
        assert!((ratio / 10.0_f64.sqrt() - 1.0).abs() < 4.0 * 0.42 * (2.0_f64 / 200.0).sqrt(), "{ratio}");
    });
}

/// A wall that is taken away is drawn while it is there, and not in a picture of the end.
#[test]
fn a_removed_wall_is_drawn_while_it_is_there() {
    let text = r#"(title: "Wall", timestep: 0.1, duration: 4, bodies: [
        (name: "wall", shape: Box(half_extents: (0.1, 5, 5)), position: (4, 0, 0), motion: Fixed),
        (name: "low", shape: Sphere(radius: 0.1), mass: 1, position: (0, -1, 0), velocity: (1, 0, 0)),
        (name: "high", shape: Sphere(radius: 0.1), mass: 1, position: (0, 1, 0), velocity: (3, 0, 0)),
    ], commands: [Despawn(at: 1, body: "wall")], plots: [
        Path(plane: XZ), Path(plane: XZ, style: (time: (0, 0.9))), Height(axis: X),
    ])"#;
    let folder = run("wall", text);
    let walls = |stem: &str| with_svg(&folder, stem, |svg| shapes(svg, "polygon", "fill", "#E1E1DE").len());
    // The legend has a patch where there is a wall.
    assert_eq!([walls("path_xz"), walls("path_xz_2"), walls("height_x")], [0, 2, 2]);
    with_svg(&folder, "height_x", |svg| {
        let wall = &shapes(svg, "polygon", "fill", "#E1E1DE")[1];
        let frame = shapes(svg, "polyline", "stroke", "#464646").into_iter().find(|line| line.len() == 5).unwrap();
        let along = |x: f64| (x - frame[0].0) / (frame[1].0 - frame[0].0);
        let ends: Vec<f64> = wall.iter().map(|at| along(at.0)).collect();
        assert!(ends.iter().all(|&at| at.abs() < 1e-3 || (at - 0.25).abs() < 1e-3), "from 0 to 1 s of 4: {ends:?}");
    });
}

/// One of twenty bodies flies away: the picture stays with the others, and an arrow names it.
#[test]
fn a_runaway_leaves_the_picture_with_an_arrow() {
    let bodies: String = (0..20)
        .map(|n| {
            let (x, speed) = (0.5 * f64::from(n), if n == 19 { 100.0 } else { 0.01 });
            format!(r#"(name: "b-{n}", shape: Sphere(radius: 0.1), mass: 1, position: ({x}, 0, 0), velocity: ({speed}, 0, 0)),"#)
        })
        .collect();
    let text = format!(
        r#"(title: "Runaway", timestep: 0.1, duration: 4, bodies: [{bodies}],
            plots: [Path(plane: XZ), Height(axis: X), Path(plane: XZ, style: (x: (0, 500)))])"#
    );
    let folder = run("runaway", &text);
    for stem in ["path_xz", "height_x"] {
        let said = words(&folder, stem);
        assert!(said.contains("b-19 leaves the view: x reaches 41"), "{said}");
        assert!(said.lines().any(|line| line.starts_with("b-19 to 41")), "{said}");
    }
    assert!(!words(&folder, "path_xz_2").contains("leaves"), "a range that is asked for is shown");
}

/// A body at rest is drawn once, whatever the number of flashes.
#[test]
fn a_strobe_picture_has_a_resting_body_once() {
    let text = r#"(title: "Rest", timestep: 0.1, duration: 4, bodies: [
        (name: "rests", shape: Sphere(radius: 0.1), mass: 1),
        (name: "moves", shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 1), velocity: (1, 0, 0)),
    ], plots: [Strobe(plane: XZ, every: 0.5)])"#;
    let folder = run("rest", text);
    with_svg(&folder, "strobe_xz", |svg| {
        let circles = svg.descendants().filter(|node| node.has_tag_name("circle"));
        assert_eq!(circles.filter(|node| node.attribute("stroke") == Some(BLUE)).count(), 1);
        // Dashed outlines are polygons; the legend has one, too.
        assert_eq!(shapes(svg, "polygon", "fill", "#D55E00").len(), 1 + 9);
    });
}

/// Many bodies have quantiles: of speeds 1 to 41 m/s the median is 21 m/s.
#[test]
fn many_bodies_have_bands_of_speeds() {
    let bodies: String = (0..41)
        .map(|n| {
            let speed = n + 1;
            format!(r#"(name: "b-{n}", shape: Sphere(radius: 0.1), mass: 1, position: (0, {n}, 0), velocity: ({speed}, 0, 0)),"#)
        })
        .collect();
    let text = format!(r#"(title: "Bands", timestep: 0.1, duration: 1, bodies: [{bodies}], plots: [Speed])"#);
    let folder = run("bands", &text);
    with_svg(&folder, "speed", |svg| {
        let frame = shapes(svg, "polyline", "stroke", "#464646").into_iter().find(|line| line.len() == 5).unwrap();
        let (top, bottom) = (frame[0].1, frame[2].1);
        // The axis ends at 1.05 times the 95th of a hundred: 39 m/s.
        let level = |speed: f64| bottom - (bottom - top) * speed / (1.05 * 39.0);
        let drawn = shapes(svg, "polyline", "stroke", BLUE).into_iter().rfind(|line| line.len() > 2);
        let median = drawn.expect("there is a median");
        assert!(median.iter().all(|at| (at.1 - level(21.0)).abs() < 0.2), "{median:?} {}", level(21.0));
        let bands = shapes(svg, "polygon", "fill", BLUE);
        let ends: Vec<(f64, f64)> = bands
            .iter()
            .map(|band| band.iter().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.1), high.max(at.1))))
            .collect();
        for (end, [low, high]) in ends.iter().zip([[3.0, 39.0], [11.0, 31.0]]) {
            assert!((end.0 - level(high)).abs() < 0.2 && (end.1 - level(low)).abs() < 0.2, "{ends:?}");
        }
    });
}

/// Commands change the world of a picture: cells of a grid are those of its end, and no line joins the places before
/// and after a jump.
#[test]
fn what_commands_change_is_seen_in_a_picture() {
    let floor = "#".repeat(4);
    let text = |row: &str, commands: &str| {
        format!(
            r#"(title: "Cells", timestep: 0.1, duration: 2, bodies: [
                (name: "level", shape: Tiles(cell: 1, rows: ["{row}", "{floor}"]), position: (0, -0.5, 0)),
                (name: "a", shape: Sphere(radius: 0.1), mass: 1, position: (-1, 0, 3), velocity: (3, 0, 0)),
                (name: "lift", shape: Box(half_extents: (0.1, 0.1, 0.1)), motion: Kinematic, position: (6, 0, 0),
                    velocity: (0, 0, 0.5)),
            ], commands: [{commands}], plots: [
                Path(plane: XZ), Path(plane: XZ, style: (time: (0, 0.9))), Separation(bodies: ["a", "lift"]),
            ])"#
        )
    };
    let open = r#"SetCell(at: 1, body: "level", cell: (1, 0, 1), solid: false)"#;
    let put = r#"SetPosition(at: 1, body: "lift", position: (6, 0, 3))"#;
    let [opened, empty] =
        [("cells-opened", text(".##.", open)), ("cells-empty", text("..#.", ""))].map(|(name, text)| {
            let folder = run(name, &text);
            ["path_xz", "path_xz_2"]
                .map(|stem| with_svg(&folder, stem, |svg| shapes(svg, "polygon", "fill", "#E1E1DE")))
        });
    assert_eq!(opened[0], empty[0]);
    assert_ne!(opened[1], empty[1], "before the command the cell is solid");
    let [stays, jumps] = [run("lift-stays", &text("....", "")), run("lift-jumps", &text("....", put))];
    // The longest gap in its dotted way, over the length of all of it.
    let gap = |folder: &Path| {
        let lines = with_svg(folder, "path_xz", |svg| shapes(svg, "polyline", "stroke", "#855E16"));
        let middle = |line: &&Vec<(f64, f64)>| line.len() == 2 && line[0].0 == line[1].0 && line[0].1 != line[1].1;
        let mut ups: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        lines.iter().filter(middle).for_each(|line| ups.entry(line[0].0.to_bits()).or_default().push(line[0].1));
        // The dots are in one column, and more than the dashes of any edge.
        let mut dots = ups.into_values().max_by_key(Vec::len).expect("dots");
        dots.sort_by(f64::total_cmp);
        let longest = dots.windows(2).map(|two| two[1] - two[0]).fold(0.0, f64::max);
        longest / (dots[dots.len() - 1] - dots[0])
    };
    // From 0 to 0.5 m and from 3 to 3.5 m.
    let (smooth, broken) = (gap(&stays), gap(&jumps));
    assert!(smooth < 0.2 && (broken - 2.5 / 3.5).abs() < 0.05, "{smooth} {broken}");
    let lines = |folder: &Path| with_svg(folder, "separation", |svg| shapes(svg, "polyline", "stroke", BLUE)).len();
    // One more than without the jump; the legend has one, too.
    assert_eq!((lines(&stays), lines(&jumps)), (2, 3));
}

/// Without restitution bodies meet and stay together. That is shown like an impact.
#[test]
fn a_meeting_without_a_bounce_is_shown() {
    let text = r#"(title: "Soft", timestep: 0.1, duration: 2, materials: {"soft": (restitution: 0)}, default_material: "soft",
        bodies: [
            (name: "a", shape: Sphere(radius: 0.1), mass: 1, position: (-1, 0, 0), velocity: (1, 0, 0)),
            (name: "b", shape: Sphere(radius: 0.1), mass: 1),
        ], plots: [Impacts])"#;
    let said = words(&run("soft", text), "impacts");
    for wanted in ["Meetings without a bounce so far", "rests so far", "approach speed (m/s)", "rest (1)"] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
}
