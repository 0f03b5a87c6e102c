//! The plots of a sweep: their style, their axes, and that they are drawn again without running anything.

use super::bench::{Bench, code, stderr, stdout};
use super::merging::{BASE, SWEEP};

/// A sweep with one plot, which has these fields.
fn bench(plot: &str, rest: &str) -> Bench {
    let bench = Bench::new();
    bench.write("base.ron", BASE);
    let sweep = SWEEP.trim_end().strip_suffix(')').unwrap();
    bench.write("s.ron", &format!("{sweep}    plots: [(y: \"heat\", {plot})],\n{rest})"));
    bench
}

fn succeeds(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.carom(arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn axes_have_units_and_scales_and_lines_have_names_and_markers() {
    let plot = r##"labels: ("height", "heat"), units: ("m", "J"), scale: (1e-3, 1e3),
        style: (labels: { "0.25": "soft" }, colors: { "0.5": "#123456" }, width: Mm(120))"##;
    let bench = bench(plot, "");
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    let picture = bench.read("output/s/heat.svg");
    // A height of 6 m is 6 mm here, and its heat up to 50 J is 50 kJ.
    for words in ["height (mm)", "heat (kJ)", "soft", "#123456", "width=\"120mm\""] {
        assert!(picture.contains(words), "{words} is not in {picture}");
    }
    // The first line has discs, the second one squares.
    assert!(picture.contains("<circle") && picture.matches("<polygon").count() >= 21);
}

#[test]
fn a_sweep_is_drawn_again_in_another_style() {
    let bench = bench("style: (log_y: true)", "    style: (theme: Dark, formats: [Svg]),\n");
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    assert!(!bench.path("output/s/heat.png").exists(), "only the formats that are asked for");
    let before = bench.read("output/s/heat.svg");
    assert!(before.contains("#1A1C21"), "the paper of the dark theme");
    let said = succeeds(
        &bench,
        &["plot", "output/s", "--theme", "print", "--width", "single", "--format", "pdf,svg", "--output", "figures"],
    );
    assert_eq!(said.lines().collect::<Vec<_>>(), ["figures/heat.svg", "figures/heat.pdf"]);
    let again = bench.read("figures/heat.svg");
    assert!(again.contains("width=\"85mm\"") && !again.contains("#1A1C21"), "{again}");
    assert_eq!(bench.read("output/s/heat.svg"), before, "the results of the sweep are as they were");
    for (arguments, words) in [
        (&["plot", "output/s", "--bodies", "ball"][..], "a sweep has neither bodies nor a time"),
        (&["plot", "output/s", "--only", "cold"], "there is no picture `cold`; there are heat"),
    ] {
        let output = bench.carom(arguments);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

/// The kept numbers of the frame below are those of the frame above less the formula.
#[test]
fn residuals_are_differences_from_the_first_line() {
    let over = "Points(label: \"measured\", points: [(6, 30)]), Formula(label: \"law\", y: \"9*x\")";
    for (kind, relative) in [("Absolute", false), ("Relative", true)] {
        let plot = format!("residuals: {kind}, style: (over: [{over}], formats: [Svg, Csv])");
        let bench = bench(&plot, "");
        succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
        let drawn = bench.read("output/s/heat.data.csv");
        // The dots of the lines: the panel, x and y.
        let dots: Vec<[f64; 3]> = drawn
            .lines()
            .filter(|row| row.contains(",dot ") && !row.contains("measured"))
            .map(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                [cells[0], cells[5], cells[6]].map(|cell| cell.parse().unwrap())
            })
            .collect();
        let [above, below] = [1.0, 2.0].map(|panel| dots.iter().filter(|dot| dot[0] == panel).collect::<Vec<_>>());
        assert_eq!((above.len(), below.len()), (21, 21), "the first line has discs");
        for (value, residual) in above.into_iter().zip(below) {
            let law = 9.0 * value[1];
            let expected = if relative { value[2] / law - 1.0 } else { value[2] - law };
            assert!((residual[1] - value[1]).abs() < 1e-9, "{residual:?}");
            assert!((residual[2] - expected).abs() < 1e-9, "{residual:?}: {expected}");
        }
        let picture = bench.read("output/s/heat.svg");
        assert!(picture.contains(if relative { "rel. residual" } else { "residual" }), "{picture}");
    }
}

/// A ball that falls from 1, 2, 3 and 4 m above the floor: 0.4472, 0.6325, 0.7746 and 0.8944 s, so the mean is 0.687 s
/// and its standard error 0.096 s.
#[test]
fn a_table_in_latex_has_means_over_the_seeds() {
    let bench = Bench::new();
    bench.write("base.ron", BASE);
    bench.write(
        "s.ron",
        r#"(base: "base.ron", title: "Falls",
            vary: { "materials.rubber.restitution": List([0.25, 0.5]), "bodies.ball.position.z": Seeds(count: 4, first: 2) },
            collect: { "first": Time(kind: Impact), "none_yet": Time(kind: Impact, nth: 99) })"#,
    );
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    let said = succeeds(&bench, &["export", "output/s", "--to", "latex"]);
    assert_eq!(said, "s.tex: the means of 8 members\n");
    let lines = [
        "% Falls",
        "% Means over up to 4 runs; in brackets the standard error in units of the last digit.",
        "% Needs \\usepackage{booktabs}.",
        "\\begin{tabular}{rrr}",
        "\\toprule",
        "materials.rubber.restitution & first & none\\_yet \\\\",
        "\\midrule",
        "0.25 & $0.687(96)$ & -- \\\\",
        "0.5 & $0.687(96)$ & -- \\\\",
        "\\bottomrule",
        "\\end{tabular}",
    ];
    assert_eq!(bench.read("s.tex").lines().collect::<Vec<_>>(), lines);
    succeeds(&bench, &["run", "base.ron", "--quiet"]);
    for (arguments, words) in [
        (&["export", "output/s", "--to", "latex", "--every", "1"][..], "neither bodies nor times"),
        (&["export", "output/base", "--to", "latex"], "this is not the folder of one"),
        (&["export", "output/s", "--to", "xyz"], "recording"),
    ] {
        let output = bench.carom(arguments);
        assert_ne!(code(&output), 0, "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

/// The results are drawn from the copy of the sweep, which has another name than the file.
#[test]
fn a_sweep_without_a_title_is_called_as_its_file() {
    let bench = bench("style: (log_y: true)", "");
    let text = bench.read("s.ron");
    bench.write("untitled.ron", &text.replace("title: \"Heights\", ", ""));
    succeeds(&bench, &["sweep", "untitled.ron", "--quiet", "--output", "there"]);
    assert!(bench.read("there/heat.svg").contains("<title>untitled</title>"));
    succeeds(&bench, &["sweep", "merge", "there"]);
    assert!(bench.read("there/heat.svg").contains("<title>untitled</title>"));
}

/// Of four runs of a gas that hardly moves, one has two impacts: 0.5 ± 0.5.
#[test]
fn a_mean_whose_bar_reaches_zero_is_seen_on_a_logarithmic_axis() {
    let bench = Bench::new();
    let gas = r#"Random(name: "gas", shape: Sphere(radius: 0.3), count: 60, min: (0, 0, 0), max: (5, 5, 5), mass: 1, temperature: 1, seed: 0)"#;
    let space = "space: Periodic(min: (0, 0, 0), max: (5, 5, 5))";
    bench.write("gas.ron", &format!("(timestep: 0.01, duration: 0.5, {space}, fill: [{gas}])"));
    bench.write(
        "s.ron",
        r#"Sweep(base: "gas.ron", collect: { "n": Count(kind: Impact) },
            vary: { "fill.gas.seed": Seeds(count: 4), "fill.gas.temperature": List([1e-3, 1e3]) },
            plots: [(y: "n", x: "fill.gas.temperature", style: (log_x: true, log_y: true, formats: [Csv]))])"#,
    );
    succeeds(&bench, &["sweep", "s.ron", "--quiet"]);
    let numbers = bench.read("output/s/n.data.csv");
    assert!(numbers.lines().any(|line| line.contains(",dot") && line.contains(",0.001,0.5,")), "{numbers}");
    let bar = numbers.lines().filter(|line| line.contains(",0.001,0.33") || line.contains(",0.001,1,"));
    assert_eq!(bar.count(), 2, "from the edge of the frame to its end: {numbers}");
}
