//! `carom plot` with a style other than the style in the scenario.

use std::fs;

use super::bench::{BALL, Bench, code, stderr, stdout};

#[test]
fn a_run_is_drawn_again_in_another_way_and_keeps_its_results() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    let results = || -> Vec<Vec<u8>> {
        let files = bench.output_files("ball");
        files.iter().map(|file| fs::read(bench.path("output/ball").join(file)).unwrap()).collect()
    };
    let before = results();
    let style = ["--theme", "print", "--width", "single", "--format", "pdf,svg", "--time", "0,0.5", "--log", "y"];
    let output =
        bench.carom(&[&["plot", "output/ball", "--only", "energy", "--output", "figures"][..], &style].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().collect::<Vec<_>>(), ["figures/energy.svg", "figures/energy.pdf"]);
    let mut drawn: Vec<_> = fs::read_dir(bench.path("figures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    drawn.sort();
    assert_eq!(drawn, ["energy.pdf", "energy.svg"]);
    assert!(bench.read("figures/energy.svg").contains("width=\"85mm\""));
    assert!(before == results(), "the results of the run are as they were");
    let named = ["--bodies", "ba*", "--color", "ball=#123456", "--label", "ball=a = b", "--title", "false"];
    let output = bench.carom(&[&["plot", "output/ball", "--output", "named"][..], &named].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let picture = bench.read("named/height_z.svg");
    assert!(picture.contains("#123456") && picture.contains("\na = b\n") && !picture.contains("\nA ball on a floor\n"));
}

/// Measured points, a formula and a second run are laid over the first.
#[test]
fn runs_points_and_formulas_share_a_frame() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.write("seen.csv", "# by hand\n t , z\n0.1,0.9\n0.2,0.7\n");
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    bench.carom(&["run", "ball.ron", "--quiet", "--output", "softer", "--set", "bodies.ball.position.z=0.8"]);
    let laid = ["--points", "seen.csv:t,z", "--curve", "fall=1 - 9.81/2*t^2", "--label", "ball=the softer one"];
    let drawn = ["plot", "output/ball", "softer/ball", "--only", "height_z", "--output", "both", "--format", "svg,csv"];
    let output = bench.carom(&[&drawn[..], &laid].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let numbers = bench.read("both/height_z.data.csv");
    assert!(numbers.contains(",seen,dot") && numbers.contains(",0.1,0.9,\n") && numbers.contains(",fall,line"));
    assert!(bench.read("both/height_z.svg").contains("the softer one"));
}

/// The summary and the plot have one definition of drift.
#[test]
fn the_drift_of_a_plot_ends_where_that_of_the_summary_is() {
    let bench = Bench::new();
    for (name, scene) in [("ball", BALL.to_owned()), ("belt", fs::read_to_string("scenarios/belt.ron").unwrap())] {
        bench.write(&format!("{name}.ron"), &scene);
        assert_eq!(code(&bench.carom(&["run", &format!("{name}.ron"), "--quiet", "--pictures", "csv"])), 0);
        let summary: serde_json::Value =
            serde_json::from_str(&bench.read(&format!("output/{name}/summary.json"))).unwrap();
        let told = summary["audit"]["energy_drift"].as_f64().unwrap();
        let numbers = bench.read(&format!("output/{name}/energy.data.csv"));
        let mut drift = numbers.lines().filter(|line| line.contains(",drift of the balance,"));
        let last: f64 = drift.next_back().unwrap().split(',').nth(6).unwrap().parse().unwrap();
        // The plot counts potential energies from their least, which rounds in another way.
        assert!((last.abs() - told).abs() <= 4.0 * f64::EPSILON, "{name}: {last} in the plot, {told} in the summary");
    }
}

/// A picture that cannot be drawn does not stand in the way of the tables and of the other pictures.
#[test]
fn results_do_not_depend_on_pictures() {
    let bench = Bench::new();
    bench.write(
        "ball.ron",
        &BALL.replace("Energy,", "Energy(style: (width: Mm(400), height: Mm(400), dpi: 1200, formats: [Png])),"),
    );
    for command in [["run", "ball.ron"], ["plot", "output/ball"]] {
        let output = bench.carom(&command);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains("there is no picture energy: it would have 3571") && !said.contains("partial"), "{said}");
        let files = bench.output_files("ball");
        for file in ["summary.json", "energy.csv", "height_z.svg", "impacts.png"] {
            assert!(files.iter().any(|found| found == file), "{files:?}");
        }
        assert!(!files.iter().any(|found| found == "energy.png" || found == "energy.svg"), "{files:?}");
    }
}

#[test]
fn a_run_without_plots_says_so() {
    let bench = Bench::new();
    bench.write("ball.ron", &BALL.replace("plots: [Path(plane: XZ), Height(axis: Z), Energy, Impacts]", "plots: []"));
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    for arguments in [&["plot", "output/ball", "--only", "energy"][..], &["plot", "output/ball"]] {
        let output = bench.carom(arguments);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("asks for no plots; add some to it"), "{}", stderr(&output));
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    bench.write("seen.csv", "t,z\n0.1,0.9\n0.2,\n");
    let rows: [(&[&str], &str); 21] = [
        (&["--only", "energy", "--points", "seen.csv"], "a file, `:` and two columns are wanted"),
        (&["--only", "energy", "--points", "seen.csv:t,y"], "seen.csv: there is no column `y`; there are t, z"),
        (&["--only", "energy", "--points", "seen.csv:t,z"], "seen.csv:3: `` in column `z` is not a finite number"),
        (&["--only", "energy", "--points", "none.csv:t,z"], "none.csv: "),
        (&["--only", "energy", "--curve", "x^2"], "a name, `=` and a value are wanted"),
        (
            &["--only", "energy", "--curve", "a=2 x"],
            "this is no formula: an operator or the end is missing at character 3",
        ),
        (&["--curve", "a=2*x"], "add --only with one of path_xz, height_z, energy, impacts"),
        (&["--log", "y", "--only", "path_xz,energy"], "path_xz: drawn to scale"),
        (&["--theme", "prnt"], "print"),
        (&["--width", "wide"], "`single` or `double`"),
        (&["--width", "20"], "from 30 to 400 mm"),
        (&["--height", "nan"], "from 30 to 400 mm"),
        (&["--font-size", "5"], "from 7 to 30 pt"),
        (&["--dpi", "2000"], "from 50 to 1200"),
        (&["--time", "2,1"], "the lower end must come first"),
        (&["--y", "1"], "2 numbers are wanted"),
        (&["--color", "ball=red"], "six hexadecimal digits"),
        (&["--color", "boll=#123456"], "the scenario has no body `boll`"),
        (&["--label", "ball"], "a name, `=` and a value are wanted"),
        (&["--bodies", "bx*"], "the scenario has no body `bx*`"),
        (&["--only", "enrgy"], "no picture `enrgy`; there are path_xz, height_z, energy, impacts"),
    ];
    for (arguments, message) in rows {
        let output = bench.carom(&[&["plot", "output/ball", "--output", "none"][..], arguments].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!bench.path("none").exists(), "nothing is left behind");
}
