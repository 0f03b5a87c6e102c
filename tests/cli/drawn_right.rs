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
    let bench = drawn(&format!(
        r#"{BALL}, commands: [Despawn(at: 1, body: "a")], plots: [Speed, Phase(axis: X)]"#
    ));
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
fn a_formula_out_of_range_is_seen_all_the_same() {
    let bench = drawn(&format!("{BALL}, plots: [Height(axis: X)]"));
    let options = ["plot", "output/scene", "--only", "height_x", "--format", "csv", "--output", "laid"];
    bench.carom(&[&options[..], &["--curve", "k=10", "--curve", "near=2*x"]].concat());
    let formula = points(&bench, "laid/height_x.data.csv", "k");
    assert!(formula.len() > 100 && formula.iter().all(|at| (at[1] - 10.0).abs() < 1e-9), "{formula:?}");
}
