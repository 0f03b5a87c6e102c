//! Plots drawn from tables of known motion, checked as SVG and PNG.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use carom::record::tables::{Gas, GasRow, SpeedRow, Speeds};
use carom::report::{ReportError, draw};
use carom::scenario::{Axis, Figure, Plane2, Plot};
use carom::world::{Command, Timed};
use roxmltree::Document;

use crate::runs::{self, Run, scenes};

/// Draws all plots of a run, and returns the folder that contains them.
fn drawn(mut run: Run, name: &str) -> PathBuf {
    let folder = run.write(name);
    let files = draw(&run.scenario, &folder, &folder).unwrap().files;
    assert_eq!(files.len(), 2 * run.scenario.plots.len(), "{name}");
    for file in files {
        assert!(folder.join(&file).is_file(), "{}", file.display());
    }
    folder
}

/// Calls `look` with the parsed SVG of a plot.
pub(crate) fn with_svg<T>(folder: &Path, stem: &str, look: impl FnOnce(&Document<'_>) -> T) -> T {
    let text = fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap();
    look(&Document::parse(&text).expect("well-formed XML"))
}

/// All words of a plot, one text per line.
pub(crate) fn words(folder: &Path, stem: &str) -> String {
    with_svg(folder, stem, |svg| {
        let texts: Vec<_> = svg.descendants().filter(|node| node.has_tag_name("text")).collect();
        let is_symbol = |node: &roxmltree::Node<'_, '_>| node.attribute("font-style") == Some("italic");
        let mut words = String::new();
        for (place, node) in texts.iter().enumerate() {
            words.push_str(node.text().unwrap_or_default().trim());
            // A symbol and the text before or after it are one text.
            let next = texts.get(place + 1);
            let is_led = next.is_some_and(|next| is_symbol(next) && next.attribute("y") == node.attribute("y"));
            words.push(if is_symbol(node) || is_led { ' ' } else { '\n' });
        }
        words
    })
}

/// The points of every element `tag` whose `attribute` has this colour, in pixels of the layout.
pub(crate) fn shapes(svg: &Document<'_>, tag: &str, attribute: &str, color: &str) -> Vec<Vec<(f64, f64)>> {
    let wanted = |node: &roxmltree::Node<'_, '_>| node.has_tag_name(tag) && node.attribute(attribute) == Some(color);
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (x.parse::<f64>().unwrap() / 10.0, y.parse::<f64>().unwrap() / 10.0)
    };
    let points =
        |node: roxmltree::Node<'_, '_>| node.attribute("points").unwrap().split_whitespace().map(point).collect();
    svg.descendants().filter(wanted).map(points).collect()
}

/// Width and height of the box around some points.
fn size(points: &[(f64, f64)]) -> (f64, f64) {
    let span = |values: Vec<f64>| {
        values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min)
    };
    (span(points.iter().map(|p| p.0).collect()), span(points.iter().map(|p| p.1).collect()))
}

/// The share of the pixels of a plot that are not white. It also checks that the PNG is twice as large as the SVG.
fn ink(folder: &Path, stem: &str) -> f64 {
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(folder.join(format!("{stem}.png"))).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    with_svg(folder, stem, |svg| {
        let side = |name| svg.root_element().attribute(name).unwrap().parse::<u32>().unwrap();
        assert_eq!((info.width, info.height), (2 * side("width"), 2 * side("height")), "{stem}");
    });
    let inked = pixels.chunks(3).filter(|pixel| *pixel != [255, 255, 255]).count();
    inked as f64 / (pixels.len() / 3) as f64
}

const BLUE: &str = "#0072B2";
const VERMILLION: &str = "#D55E00";

#[test]
fn every_plot_of_every_run_is_a_sound_picture() {
    let runs = [
        (scenes::bounce(0.8, 14, 400), "sound-bounce"),
        (scenes::bounce(1.0, 10_000, 100), "sound-elastic"),
        (scenes::cradle(), "sound-cradle"),
        (scenes::room(200), "sound-room"),
        (scenes::gas(60, 40), "sound-gas-60"),
        (scenes::gas(1000, 40), "sound-gas-1000"),
        (scenes::gas(10_000, 20), "sound-gas-10000"),
        (scenes::workshop(), "sound-workshop"),
        (scenes::bullet(), "sound-bullet"),
        (scenes::galperin(), "sound-galperin"),
        (scenes::rack(), "sound-rack"),
        (scenes::still(0.5, 0.0, 1e-9), "sound-moment"),
        (scenes::still(1e-9, 1e9, 1e9), "sound-far"),
        (scenes::still(1e9, -1e9, 1.0), "sound-huge"),
    ];
    for (run, name) in runs {
        let plots: Vec<Plot> = run.scenario.plots.iter().map(|figure| figure.plot.clone()).collect();
        let title = run.scenario.title.clone();
        let folder = drawn(run, name);
        for plot in plots {
            let (stem, captions): (&str, &[&str]) = match plot {
                Plot::Path { plane: Plane2::XY, .. } => ("path_xy", &["x (", "y ("]),
                Plot::Path { plane: Plane2::XZ, .. } => ("path_xz", &["x (", "z ("]),
                Plot::Path { plane: Plane2::YZ, .. } => ("path_yz", &["y (", "z ("]),
                Plot::Height { axis: Axis::X, .. } => ("height_x", &["time (", "x ("]),
                Plot::Height { axis: Axis::Y, .. } => ("height_y", &["time (", "y ("]),
                Plot::Height { axis: Axis::Z, .. } => ("height_z", &["time (", "z ("]),
                Plot::Energy => ("energy", &["time (", "relative drift"]),
                Plot::Impacts { .. } => ("impacts", &["time (", "approach speed ("]),
                Plot::Gas => ("gas", &["time (", "T ("]),
                Plot::Speeds => ("speeds", &["speed /", "probability density"]),
                other => unreachable!("{other:?} is drawn in diagrams.rs"),
            };
            let words = words(&folder, stem);
            assert!(words.contains(&title), "{name} {stem}: {words}");
            for caption in captions {
                assert!(words.lines().any(|line| line.starts_with(caption)), "{name} {stem}: {words}");
            }
            if stem == "energy" {
                // Where all energies are level, only the drift is drawn.
                let has_book = words.lines().any(|line| line.starts_with("energy ("));
                assert_ne!(has_book, words.contains("Drift of the energy over time"), "{name}: {words}");
                assert!(!words.contains("Constant: ."), "{name}: {words}");
            }
            assert!(!words.contains("NaN") && !words.contains("inf"), "{name} {stem}: {words}");
            let ink = ink(&folder, stem);
            assert!((0.01..0.8).contains(&ink), "{name} {stem}: {ink}");
        }
    }
}

/// A run of a gas with these rows (time, temperature, pressure) and speeds.
fn gas_run(rows: &[(f64, Option<f64>, Option<f64>)], speeds: &[SpeedRow], name: &str) -> (Run, PathBuf) {
    let mut run = scenes::gas(60, 40);
    run.scenario.plots = [Plot::Gas, Plot::Speeds].map(Figure::from).to_vec();
    let folder = run.write(name);
    let mut table = runs::sheet::<Gas>(&folder);
    for (step, &(time, temperature, pressure)) in rows.iter().enumerate() {
        let (step, time) = (step as u64, runs::at(time));
        let row = GasRow { step, time, temperature, pressure, collision_rate: pressure, compressibility: None };
        table.put::<Gas>(&row).unwrap();
    }
    table.finish().unwrap();
    let mut table = runs::sheet::<Speeds>(&folder);
    speeds.iter().for_each(|row| table.put::<Speeds>(row).unwrap());
    table.finish().unwrap();
    (run, folder)
}

#[test]
fn a_gas_shows_what_is_known_of_it_and_its_means() {
    let even: Vec<_> =
        (0..=40).map(|n| (f64::from(n) * 0.05, Some(1.5), (n > 0).then_some(2.0 + f64::from(n % 2)))).collect();
    let speeds = [
        SpeedRow { low: 0.0, high: 0.1, count: 3, maxwell: 2.5 },
        SpeedRow { low: 0.1, high: 0.2, count: 1, maxwell: 1.5 },
    ];
    let nothing: &[_] = &[(0.0, None, None), (2.0, None, None)];
    // The second half begins with the row at 1.2 s. k_B T is an instantaneous value, pressure a mean.
    let uneven = [(0.0, 9.0, 9.0), (0.5, 9.0, 9.0), (1.2, 1.0, 9.0), (1.6, 3.0, 4.0), (2.0, 3.0, 5.0)]
        .map(|(time, temperature, pressure)| (time, Some(temperature), Some(pressure)));
    let rows: [(&[_], &[SpeedRow], &str, &[&str]); 5] = [
        (&even, &speeds, "gas-even", &["T (J)", "pressure (N/m²)", "mean 1.50 J", "mean 2.5 ± 0.1 N/m²"]),
        (&uneven, &[], "gas-uneven", &["mean 2.5 ± 0.5 J, t ≥ 1.20 s", "mean 4.5 ± 0.5 N/m², t ≥ 1.20 s"]),
        (&even[..1], &[], "gas-one-row", &["T (J)"]),
        (nothing, &speeds[..1], "gas-nothing", &["The gas over time"]),
        (&[], &[], "gas-empty", &["The gas over time"]),
    ];
    for (rows, speeds, name, wanted) in rows {
        let (run, folder) = gas_run(rows, speeds, name);
        draw(&run.scenario, &folder, &folder).unwrap();
        let gas = words(&folder, "gas");
        for word in wanted {
            assert!(gas.contains(word), "{name}: {word} in {gas}");
        }
        assert!(!gas.contains("p V") && !gas.contains("NaN") && !gas.contains("inf"), "{name}: {gas}");
        let spread = words(&folder, "speeds");
        assert!(spread.contains("Maxwell") && !spread.contains("NaN"), "{name}: {spread}");
    }
}

#[test]
fn a_gas_without_pressure_says_why() {
    let (mut run, folder) = gas_run(&[(0.0, Some(1.0), None), (2.0, Some(1.0), None)], &[], "gas-gravity");
    run.scenario.settings.gravity.z = -1.0;
    draw(&run.scenario, &folder, &folder).unwrap();
    let words = words(&folder, "gas");
    assert!(words.contains("No pressure: under gravity the pressure differs from height to height."), "{words}");
}

#[test]
fn a_square_is_a_square_and_a_circle_as_wide() {
    let mut run = Run::new("Equal scales", 1.0, 10, vec![Plot::Path { plane: Plane2::XZ, bodies: Vec::new() }]);
    let (zero, gone) = (glam::DVec3::ZERO, glam::DVec3::new(7.3, 0.0, 1.9));
    run.moving("ball", runs::sphere(0.7), zero, &[(0.0, zero, gone)]);
    run.moving("cube", runs::cuboid(0.7, 0.1, 0.7), zero, &[(0.0, glam::DVec3::Z * 4.0, zero)]);
    let folder = drawn(run, "equal");
    with_svg(&folder, "path_xz", |svg| {
        let cubes = shapes(svg, "polygon", "fill", VERMILLION);
        let (width, height) = size(&cubes[0]);
        assert_eq!(width, height);
        let rings =
            svg.descendants().filter(|node| node.has_tag_name("circle") && node.attribute("stroke") == Some(BLUE));
        let radii: Vec<f64> = rings.map(|node| node.attribute("r").unwrap().parse::<f64>().unwrap() / 10.0).collect();
        assert_eq!(radii.len(), 2, "at the start and at the end");
        assert!(radii.iter().all(|radius| (2.0 * radius - width).abs() <= 0.2), "{radii:?} {width}");
        let ways = shapes(svg, "polyline", "stroke", BLUE);
        let (along, up) = size(&ways[1]);
        assert!((along / up - 7.3 / 1.9).abs() < 0.01, "{along} {up}");
    });
}

#[test]
fn each_body_has_its_line() {
    let folder = drawn(scenes::cradle(), "lines");
    for color in [BLUE, VERMILLION, "#009E73", "#CC79A7", "#E69F00"] {
        let lines = with_svg(&folder, "height_x", |svg| shapes(svg, "polyline", "stroke", color));
        assert!(lines.len() >= 2, "the line of {color} and its sample in the legend");
    }
    let impacts =
        with_svg(&folder, "impacts", |svg| svg.descendants().filter(|node| node.has_tag_name("circle")).count());
    assert_eq!(impacts, 4 + 1, "one dot an impact, one in the legend");
}

#[test]
fn each_kind_of_event_has_its_lane_and_its_color() {
    let folder = drawn(scenes::workshop(), "kinds");
    let said = words(&folder, "impacts");
    let kinds = [
        ("enter", "#009E73", 1),
        ("leave", "#E69F00", 1),
        ("rest", VERMILLION, 1),
        ("release", "#CC79A7", 1),
        ("stick", "#56B4E9", 1),
        ("slip", "#5A5A5A", 2),
        ("collapse", "#882255", 1),
        ("join", "#332288", 2),
        ("quit", "#44AA99", 1),
        ("sleep", "#117733", 1),
        ("wake", "#999933", 1),
    ];
    assert!(said.lines().any(|line| line == "impact (2)"), "{said}");
    for (kind, color, count) in kinds {
        assert!(said.lines().any(|line| line == kind), "{kind} has no lane: {said}");
        assert!(said.lines().any(|line| line == format!("{kind} ({count})")), "{kind} is not in the legend: {said}");
        let ticks = with_svg(&folder, "impacts", |svg| shapes(svg, "polyline", "stroke", color));
        assert_eq!(ticks.len(), count + 1, "{kind}: one tick an event, one line in the legend");
    }
}

#[test]
fn rubbing_is_drawn_where_there_is_any() {
    let contact_heat = drawn(scenes::workshop(), "contact_heat");
    let smooth = drawn(scenes::bounce(0.8, 14, 400), "smooth");
    let lines = |folder: &Path| with_svg(folder, "energy", |svg| shapes(svg, "polyline", "stroke", "#E69F00").len());
    assert!(lines(&contact_heat) >= 2 && lines(&smooth) == 0, "a line and its sample in the legend");
    let said = words(&contact_heat, "energy");
    assert!(said.lines().any(|line| line == "contact heat"), "{said}");
    // The drift is the rounding error of a sum of five numbers. Without `contact_heat` it would be about a tenth.
    let drift = said.lines().find_map(|line| line.strip_prefix("Largest relative drift of the balance: "));
    assert!(drift.is_some_and(|drift| drift.ends_with("·10⁻¹⁶.")), "{said}");
    assert!(words(&smooth, "energy").contains("Zero throughout: contact heat, work."));
}

#[test]
fn the_timestep_does_not_change_exact_paths() {
    let [coarse, fine] = [3, 997].map(|steps| drawn(scenes::bounce(0.8, 14, steps), &format!("steps-{steps}")));
    for stem in ["path_xz", "height_z"] {
        let curve = |folder: &Path| with_svg(folder, stem, |svg| shapes(svg, "polyline", "stroke", BLUE));
        assert_eq!(curve(&coarse), curve(&fine), "{stem}");
        assert!(curve(&coarse)[1].len() > 100, "{stem}: smooth between kinks");
    }
}

#[test]
fn a_body_without_knots_is_drawn_from_its_trajectory() {
    let mut run = scenes::bounce(0.8, 14, 400);
    run.followed = 0;
    let folder = drawn(run, "unfollowed");
    let exact = drawn(scenes::bounce(0.8, 14, 400), "followed");
    let sizes = [&folder, &exact]
        .map(|folder| size(&with_svg(folder, "path_xz", |svg| shapes(svg, "polyline", "stroke", BLUE)).swap_remove(1)));
    assert!((sizes[0].0 - sizes[1].0).abs() < 1.0 && (sizes[0].1 - sizes[1].1).abs() < 3.0, "{sizes:?}");
}

#[test]
fn paths_that_were_cut_short_go_on_along_the_trajectory() {
    let mut run = scenes::bounce(1.0, 14, 400);
    run.scenario.record.paths_max = 5;
    let folder = run.write("cut");
    let rows = fs::read_to_string(folder.join("paths.csv")).unwrap();
    let kept: Vec<_> = rows.lines().take(6).collect();
    fs::write(folder.join("paths.csv"), kept.join("\n") + "\n").unwrap();
    draw(&run.scenario, &folder, &folder).unwrap();
    let lowest = |folder: &Path| {
        let line = with_svg(folder, "height_z", |svg| shapes(svg, "polyline", "stroke", BLUE)).swap_remove(1);
        line.iter().map(|point| point.1).fold(f64::MIN, f64::max)
    };
    let whole = drawn(scenes::bounce(1.0, 14, 400), "uncut");
    assert!((lowest(&folder) - lowest(&whole)).abs() < 1.0, "the last kept parabola does not go on below the floor");
}

#[test]
fn the_line_of_a_body_that_is_taken_out_ends_there() {
    // A ball at rest has a level line and is filled at its final position.
    let seen = |gone: Option<f64>, name: &str| {
        let mut run = scenes::still(0.5, 0.0, 1.0);
        let command = Command::Despawn { body: "ball".to_owned() };
        let despawn = gone.map(|at| Timed { at: runs::at(at), command, origin: String::new() });
        run.scenario.commands.extend(despawn);
        let folder = drawn(run, name);
        let lines = with_svg(&folder, "height_y", |svg| shapes(svg, "polyline", "stroke", BLUE));
        let filled = with_svg(&folder, "path_yz", |svg| {
            svg.descendants().filter(|node| node.has_tag_name("circle") && node.attribute("fill") == Some(BLUE)).count()
        });
        (lines.iter().map(|line| size(line).0).fold(0.0, f64::max), filled)
    };
    let (whole, filled) = seen(None, "gone-never");
    assert!(whole > 100.0 && filled > 0, "{whole} {filled}");
    for (gone, share) in [(0.25, 0.25), (0.5, 0.5), (1.5, 1.0)] {
        let (part, fills) = seen(Some(gone), "gone");
        // The coordinates of points are rounded to tenths of a pixel.
        assert!((part - share * whole).abs() < 0.2, "{gone}: {part} of {whole}");
        assert_eq!(fills, if gone < 1.0 { filled - 1 } else { filled }, "{gone}");
    }
}

#[test]
fn the_same_tables_give_the_same_bytes() {
    let [first, second] = ["first", "second"].map(|name| drawn(scenes::gas(1000, 20), name));
    for stem in ["path_xy", "height_z", "energy", "impacts"] {
        for kind in ["svg", "png"] {
            let file = format!("{stem}.{kind}");
            assert!(fs::read(first.join(&file)).unwrap() == fs::read(second.join(&file)).unwrap(), "{file}");
        }
    }
}

#[test]
fn plots_of_one_kind_have_names_of_their_own() {
    let mut run = scenes::cradle();
    let path = |name: &str| Plot::Path { plane: Plane2::XZ, bodies: vec![name.to_owned()] };
    run.scenario.plots = [path("a"), Plot::Energy, path("b"), path("c")].map(Figure::from).to_vec();
    let folder = run.write("names");
    let files = draw(&run.scenario, &folder, &folder).unwrap().files;
    let names: Vec<_> = files.iter().map(|file| file.to_str().unwrap()).filter(|name| name.ends_with("svg")).collect();
    assert_eq!(names, ["path_xz.svg", "energy.svg", "path_xz_2.svg", "path_xz_3.svg"]);
    assert!(words(&folder, "path_xz_2").lines().any(|line| line == "b"));
    assert!(!words(&folder, "path_xz_2").lines().any(|line| line == "c"));
}

/// A plot of many balls among ten thousand posts, with every ball named: the picture files stay small.
#[test]
fn many_bodies_make_no_large_picture() {
    let (mut run, names) = scenes::crowd_among_posts(5000, 10_000);
    let plots = [
        Plot::Path { plane: Plane2::XY, bodies: names.clone() },
        Plot::Height { axis: Axis::Z, bodies: names },
        Plot::Impacts { bodies: Vec::new() },
    ];
    run.scenario.plots = plots.map(Figure::from).to_vec();
    let folder = drawn(run, "many-bodies");
    for stem in ["path_xy", "height_z", "impacts"] {
        // A map has at most 240 by 200 cells of 3 pixels, each a polygon of about 90 characters.
        let size = fs::metadata(folder.join(format!("{stem}.svg"))).unwrap().len();
        assert!(size < 240 * 200 * 90, "{stem} has {size} bytes");
    }
    let said = words(&folder, "path_xy");
    for wanted in ["ball (5,000 spheres)", "7,000 solids, are shown by where", "darker where bodies were more often"] {
        assert!(said.replace('\n', " ").contains(wanted), "{wanted} is not in {said}");
    }
}

#[test]
fn a_view_stays_with_the_action_and_says_who_left() {
    let folder = drawn(scenes::bullet(), "left");
    let words = words(&folder, "path_xz");
    assert!(words.contains("bullet leaves the view: x reaches −1.00·10⁶ m."), "{words}");
    let walls = with_svg(&folder, "path_xz", |svg| shapes(svg, "polygon", "fill", "#E1E1DE"));
    assert!(walls.iter().any(|wall| size(wall).1 > 100.0), "the wall is tall: {walls:?}");
}

#[test]
fn damage_is_reported_and_never_a_panic() {
    let mut run = scenes::workshop();
    let outcome = |run: &Run, folder: &Path| draw(&run.scenario, folder, folder).unwrap_err().to_string();
    for file in ["events.csv", "paths.csv", "trajectory.csv", "energy.csv"] {
        let folder = run.write("damaged");
        let whole = fs::read(folder.join(file)).unwrap();
        for length in (0..whole.len()).step_by(1 + whole.len() / 40) {
            fs::write(folder.join(file), &whole[..length]).unwrap();
            // A cut at the end of a line leaves a valid table; anything else is reported.
            if length == 0 || whole[length - 1] != b'\n' {
                assert!(outcome(&run, &folder).contains(file), "{file} cut to {length} bytes");
            }
        }
        fs::remove_file(folder.join(file)).unwrap();
        assert!(outcome(&run, &folder).contains(&format!("{file}`")), "{file}");
    }
    let folder = run.write("renamed");
    run.scenario.bodies.last_mut().unwrap().name = "box".to_owned();
    let message = outcome(&run, &folder);
    assert!(message.contains("column `body`: the scenario has no body called `crate`"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let mut run = scenes::cradle();
    let folder = run.write("unwritable");
    let error = draw(&run.scenario, &folder, &folder.join("missing")).unwrap_err();
    assert!(matches!(&error, ReportError::Write { file, .. } if file.ends_with("missing/path_xz.svg")), "{error}");
}
