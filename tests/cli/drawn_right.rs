//! Pictures of what is rare: bodies that commands put elsewhere or remove, logarithmic axes, formulas out of range.

use super::bench::{Bench, code, stderr};

/// The points of a curve in the numbers of a picture.
fn points(bench: &Bench, file: &str, series: &str) -> Vec<[f64; 2]> {
    let text = bench.read(file);
    let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[3] == series && row[4].starts_with("line"));
    rows.map(|row| [5, 6].map(|column: usize| row[column].parse().unwrap())).collect()
}

/// The numbers of all pictures of a scene, in `output/scene`.
fn drawn(fields: &str) -> Bench {
    let bench = Bench::new();
    bench.write("scene.ron", &format!("(timestep: 0.25, duration: 2, {fields})"));
    let output = bench.carom(&["run", "scene.ron", "--quiet", "--pictures", "csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    bench
}

const BALL: &str = r#"bodies: [(name: "a", shape: Sphere(radius: 0.1), mass: 1, velocity: (1, 0, 0))]"#;

#[test]
fn no_line_leads_to_where_a_command_puts_a_body() {
    let bench = drawn(&format!(
        r#"{BALL}, commands: [SetPosition(at: 1, body: "a", position: (0, 5, 0))], plots: [Height(axis: Y), Path(plane: XY)]"#
    ));
    let height = points(&bench, "output/scene/height_y.data.csv", "a");
    assert_eq!(height, [[0.0, 0.0], [1.0, 0.0], [1.0, 5.0], [2.0, 5.0]]);
    let text = bench.read("output/scene/path_xy.data.csv");
    let lines: std::collections::BTreeSet<&str> =
        text.lines().filter(|line| line.contains(",a,line")).map(|line| line.split(',').nth(4).unwrap()).collect();
    assert_eq!(lines.len(), 2, "two lines: {text}");
}

#[test]
fn a_body_that_is_removed_does_not_stop_first() {
    let bench = drawn(&format!(r#"{BALL}, commands: [Despawn(at: 1, body: "a")], plots: [Speed, Phase(axis: X)]"#));
    assert_eq!(points(&bench, "output/scene/speed.data.csv", "a"), [[0.0, 1.0], [1.0, 1.0]]);
    assert_eq!(points(&bench, "output/scene/phase_x.data.csv", "a"), [[0.0, 1.0], [1.0, 1.0]]);
}

#[test]
fn a_band_is_as_wide_as_its_body_on_a_logarithmic_axis() {
    let bench = drawn(
        r#"bodies: [(name: "a", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 2))], plots: [SpaceTime(axis: Z, style: (log_y: true))]"#,
    );
    let heights: Vec<f64> = points(&bench, "output/scene/space_time_z.data.csv", "a").iter().map(|at| at[1]).collect();
    let wanted = [1.5, 1.5, 2.5, 2.5, 2.0, 2.0];
    assert!(heights.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{heights:?}");
}

#[test]
fn a_wall_on_a_course_is_drawn_where_it_is() {
    let bench = drawn(
        r#"space: Planar(), bodies: [
            (name: "ball", shape: Disc(radius: 0.2), mass: 1, velocity: (1, 0)),
            (name: "lift", shape: Segment(from: (-1, -5), to: (7, -5)), motion: Along(Sine(axis: (0, 1), amplitude: 0.5, frequency: 1))),
        ], plots: [Height(axis: Y), SpaceTime(axis: Y)]"#,
    );
    for file in ["height_y", "space_time_y"] {
        let lift = points(&bench, &format!("output/scene/{file}.data.csv"), "lift");
        assert!(!lift.is_empty() && lift.iter().all(|at| (-5.6..-4.4).contains(&at[1])), "{file}: {lift:?}");
    }
}

/// A frame may be longer than the run: for curves of longer ones.
#[test]
fn a_wall_stays_after_the_end_of_the_run() {
    let bench = drawn(
        r#"bodies: [
            (name: "a", shape: Sphere(radius: 0.1), mass: 1, velocity: (1, 0, 0)),
            (name: "w", shape: Box(half_extents: (0.1, 1, 1)), motion: Fixed, position: (1.5, 0, 0)),
        ], plots: [Height(axis: X)]"#,
    );
    bench.carom(&["plot", "output/scene", "--time", "0,3", "--format", "svg", "--output", "laid"]);
    let (frames, _) = frames(&bench, "laid/height_x.svg");
    let text = bench.read("laid/height_x.svg");
    let strips = text.lines().filter(|line| line.starts_with("<polygon"));
    let corner = format!(" {},", frames[0][2]);
    assert_eq!(strips.filter(|line| line.contains(&corner)).count(), 1, "to the right edge: {text}");
}

#[test]
fn a_formula_out_of_range_is_seen_all_the_same() {
    let bench = drawn(&format!("{BALL}, plots: [Height(axis: X)]"));
    let options = ["plot", "output/scene", "--only", "height_x", "--format", "csv", "--output", "laid"];
    bench.carom(&[&options[..], &["--curve", "k=10", "--curve", "near=2*x"]].concat());
    let formula = points(&bench, "laid/height_x.data.csv", "k");
    assert!(formula.len() > 100 && formula.iter().all(|at| (at[1] - 10.0).abs() < 1e-9), "{formula:?}");
}

/// Width and height of the frames of a picture in print, pixels, and those of the picture: each frame is a closed line.
fn frames(bench: &Bench, file: &str) -> (Vec<[f64; 4]>, [f64; 2]) {
    let text = bench.read(file);
    let document = roxmltree::Document::parse(&text).unwrap();
    let size = document.root_element().attribute("viewBox").unwrap();
    let size: Vec<f64> = size.split(' ').map(|number| number.parse().unwrap()).collect();
    let axes = document.descendants().filter(|node| {
        node.has_tag_name("g") && node.first_element_child().and_then(|title| title.text()) == Some("axes")
    });
    let lines = axes.flat_map(|group| group.children().filter_map(|node| node.attribute("points")));
    let closed = lines.filter_map(|points| {
        let numbers: Vec<f64> = points.split([' ', ',']).filter_map(|number| number.parse().ok()).collect();
        (numbers.len() == 10).then(|| [numbers[0], numbers[1], numbers[4], numbers[5]])
    });
    (closed.collect(), [size[2], size[3]])
}

#[test]
fn frames_have_room_in_small_pictures() {
    let long = "a very long name of a ball that goes on and on and on";
    let bench = drawn(&format!(
        r#"gravity: (0, 0, -10), bodies: [
            (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
            (name: "{long}", shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 1)),
            (name: "{long} too", shape: Sphere(radius: 0.1), mass: 1, position: (1, 0, 1)),
            (name: "gate", shape: Box(half_extents: (2, 1, 0.2)), motion: Fixed, response: Sense, position: (0, 0, 0.5)),
        ], plots: [Impacts, Energy, Passages, Height(axis: Z), Concentration(axis: Z), Path(plane: XZ)]"#
    ));
    let rows: [(&[&str], f64); 4] = [
        (&["--height", "30"], 40.0),
        (&["--theme", "print", "--width", "single"], 100.0),
        (&["--width", "85", "--legend", "right"], 90.0),
        (&["--width", "30", "--legend", "inside"], 30.0),
    ];
    for (options, least) in rows {
        let output =
            bench.carom(&[&["plot", "output/scene", "--format", "svg", "--output", "small"][..], options].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        for stem in ["impacts", "energy", "passages", "height_z", "concentration_z"] {
            let (frames, size) = frames(&bench, &format!("small/{stem}.svg"));
            assert!(!frames.is_empty(), "{options:?} {stem}");
            for [left, top, right, bottom] in frames {
                // A picture has ten units to a pixel.
                let wide = (right - left) / 10.0;
                assert!(wide >= least && bottom - top >= 300.0, "{options:?} {stem}: {left} {top} {right} {bottom}");
                assert!(
                    left >= 0.0 && top >= 0.0 && right <= size[0] && bottom <= size[1],
                    "{options:?} {stem}: {size:?}"
                );
            }
        }
    }
}
