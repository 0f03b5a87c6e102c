//! The numbers of a picture as CSV, and the places of a legend.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use carom::report::draw;
use carom::scenario::plot::style::{Legend, PictureFormat, Theme};
use carom::scenario::{Axis, Figure, Plane2, Plot, PlotStyle};
use glam::DVec3;

use crate::plots::with_svg;
use crate::runs::{Run, scenes, sphere};

/// The rows of a file of numbers: series and mark, with its points.
pub(crate) type Shapes = BTreeMap<(String, String), Vec<[f64; 2]>>;

fn drawn(mut run: Run, plots: &[Plot], style: &PlotStyle, name: &str) -> std::path::PathBuf {
    let figure = |plot: &Plot| Figure { plot: plot.clone(), style: style.clone() };
    run.scenario.plots = plots.iter().map(figure).collect();
    let folder = run.write(name);
    draw(&run.scenario, &folder, &folder).unwrap();
    folder
}

pub(crate) fn shapes(folder: &Path, stem: &str) -> Shapes {
    let mut found = Shapes::new();
    let mut reader = csv::Reader::from_path(folder.join(format!("{stem}.data.csv"))).unwrap();
    assert_eq!(reader.headers().unwrap(), vec!["panel", "x_axis", "y_axis", "series", "mark", "x", "y", "shade"]);
    for row in reader.records().map(Result::unwrap) {
        let [x, y] = [5, 6].map(|column| row[column].parse().unwrap());
        found.entry((row[3].to_owned(), row[4].to_owned())).or_default().push([x, y]);
    }
    found
}

/// Each curve of the cradle, dashed or not, has the corners of the motion; each dot is an impact.
#[test]
fn the_numbers_of_a_picture_are_those_of_the_run() {
    for theme in [Theme::Screen, Theme::Print] {
        let style = PlotStyle { theme: Some(theme), formats: vec![PictureFormat::Csv], ..PlotStyle::default() };
        let height = Plot::Height { axis: Axis::X, bodies: Vec::new() };
        let found = shapes(&drawn(scenes::cradle(), &[height], &style, "values"), "height_x");
        let curve =
            |name: &str| found.iter().find(|((series, _), _)| series == name).map(|(_, points)| points).unwrap();
        let near = |points: &[[f64; 2]], wanted: &[[f64; 2]]| {
            points.len() == wanted.len()
                && points.iter().flatten().zip(wanted.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-11)
        };
        assert!(near(curve("a"), &[[0.0, -1.5], [1.7, 0.2], [4.0, 0.2]]), "{:?}", curve("a"));
        assert!(near(curve("c"), &[[0.0, 2.4], [1.9, 2.4], [2.1, 2.6], [4.0, 2.6]]), "{:?}", curve("c"));
        let dots: Vec<_> = found.iter().filter(|((_, mark), _)| mark.starts_with("dot")).map(|(_, at)| at[0]).collect();
        assert!(
            dots.len() >= 4 && dots.iter().all(|at| [1.7, 1.9, 2.1, 2.3].iter().any(|t| (at[0] - t).abs() < 1e-11))
        );
    }
}

/// A body may be called as a part of a picture is.
#[test]
fn a_body_called_grid_or_axes_has_its_numbers() {
    let mut run = Run::new("names", 1.0, 10, Vec::new());
    for (place, name) in ["grid", "axes", "words", "legend: a", "scale of b"].into_iter().enumerate() {
        let at = DVec3::X * (2.0 * place as f64);
        run.moving(name, sphere(0.5), DVec3::ZERO, &[(0.0, at, DVec3::X)]);
    }
    let style = PlotStyle { formats: vec![PictureFormat::Csv], ..PlotStyle::default() };
    let height = Plot::Height { axis: Axis::X, bodies: Vec::new() };
    let found = shapes(&drawn(run, &[height], &style, "values-names"), "height_x");
    let names: Vec<&str> = found.keys().map(|(series, _)| series.as_str()).collect();
    assert_eq!(names, ["axes", "grid", "legend: a", "scale of b", "words"]);
}

/// On logarithmic axes, too: the energy of a bouncing ball beside its table.
#[test]
fn numbers_are_read_off_logarithmic_axes() {
    let style = PlotStyle { log_y: Some(true), formats: vec![PictureFormat::Csv], ..PlotStyle::default() };
    let folder = drawn(scenes::bounce(0.8, 14, 400), &[Plot::Energy], &style, "values-log");
    let found = shapes(&folder, "energy");
    let table = fs::read_to_string(folder.join("energy.csv")).unwrap();
    let rows: Vec<[f64; 2]> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|field| field.parse().unwrap_or(f64::NAN)).collect::<Vec<f64>>())
        .map(|row| [row[1], row[2]])
        .collect();
    let kinetic: Vec<[f64; 2]> =
        found.iter().filter(|((series, _), _)| series == "kinetic").flat_map(|(_, points)| points.clone()).collect();
    let is_drawn = |row: &&[f64; 2]| {
        kinetic.iter().any(|at| (at[0] - row[0]).abs() < 1e-10 && (at[1] / row[1] - 1.0).abs() < 1e-9)
    };
    let visible = rows.iter().filter(|row| row[1] > 1e-2);
    let (all, seen) = (visible.clone().count(), visible.filter(is_drawn).count());
    assert!(all > 100 && seen == all, "{seen} of {all}");
}

/// Names at the ends of curves stand at the height of the last value.
#[test]
fn a_name_stands_where_its_curve_ends() {
    let style = PlotStyle { legend: Some(Legend::Direct), formats: vec![PictureFormat::Svg], ..PlotStyle::default() };
    let height = Plot::Height { axis: Axis::X, bodies: Vec::new() };
    let folder = drawn(scenes::cradle(), &[height], &style, "direct");
    let places = with_svg(&folder, "height_x", |svg| {
        let words = |node: &roxmltree::Node<'_, '_>| node.text().unwrap_or_default().trim().to_owned();
        let named = |name: &str| {
            let text = svg.descendants().find(|node| node.has_tag_name("text") && words(node) == name).unwrap();
            ["x", "y"].map(|side| text.attribute(side).unwrap().parse::<f64>().unwrap())
        };
        ["a", "b", "c", "d", "e"].map(named)
    });
    assert!(places.iter().all(|place| place[0] == places[0][0]), "{places:?}");
    // They end at 0.2, 1.4, 2.6, 3.8 and 6.5 m.
    let gaps: Vec<f64> = places.windows(2).map(|pair| pair[0][1] - pair[1][1]).collect();
    assert!(gaps[0] > 20.0 && gaps[..3].iter().all(|gap| (gap - gaps[0]).abs() < 2.0), "{gaps:?}");
    assert!((gaps[3] / gaps[0] - 2.7 / 1.2).abs() < 0.02, "{gaps:?}");
}

#[test]
fn panels_have_letters_in_order() {
    let style = PlotStyle { letter: Some('c'), formats: vec![PictureFormat::Svg], ..PlotStyle::default() };
    let folder = drawn(scenes::bounce(0.8, 4, 200), &[Plot::Energy], &style, "letters");
    let letters = with_svg(&folder, "energy", |svg| {
        let texts = svg.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text());
        texts.map(str::trim).filter(|text| text.starts_with('(')).map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(letters, ["(c)", "(d)"]);
}

#[test]
fn a_legend_stands_where_it_is_asked_for() {
    let size = |legend: Option<Legend>, theme: Theme| {
        let style = PlotStyle { legend, theme: Some(theme), formats: vec![PictureFormat::Svg], ..PlotStyle::default() };
        let height = Plot::Height { axis: Axis::X, bodies: Vec::new() };
        let folder = drawn(scenes::cradle(), &[height], &style, "legend");
        with_svg(&folder, "height_x", |svg| {
            let view = svg.root_element().attribute("viewBox").unwrap();
            let sides: Vec<f64> = view.split(' ').map(|side| side.parse().unwrap()).collect();
            let titles = svg.descendants().filter(|node| node.has_tag_name("title"));
            let samples = titles.filter_map(|node| node.text()).filter(|text| text.starts_with("legend: ")).count();
            (sides[2], sides[3], samples)
        })
    };
    let screen = |legend| size(legend, Theme::Screen);
    let (wide, high, samples) = screen(Some(Legend::Right));
    assert_eq!(screen(None), (wide, high, samples));
    let top = screen(Some(Legend::Top));
    assert!(top.0 < wide && top.1 > high && top.2 == samples, "{top:?}");
    let inside = screen(Some(Legend::Inside));
    // One more for the paper behind it.
    assert!(inside.0 < wide && inside.1 <= high && inside.2 == samples + 1, "{inside:?} {wide} {high}");
    assert_eq!(screen(Some(Legend::Hidden)).2, 0);
    let direct = screen(Some(Legend::Direct));
    assert!(direct.0 < wide && direct.1 > high && direct.2 == samples, "{direct:?}");
    let [printed, within] = [None, Some(Legend::Inside)].map(|legend| size(legend, Theme::Print));
    assert!(within.1 < printed.1 && within.0 == printed.0, "{within:?} {printed:?}");
}

/// Energy that is lost at the start is drawn in a frame of its own, and all of the run in the next; a range of time
/// that is asked for is one frame.
#[test]
fn a_hard_start_has_a_frame_of_its_own() {
    let frames = |time: Option<[f64; 2]>, lost_at: f64, name: &str| {
        let mut run = scenes::bounce(1.0, 1, 2);
        let style = PlotStyle { formats: vec![PictureFormat::Csv], time, ..PlotStyle::default() };
        run.scenario.plots = vec![Figure { plot: Plot::Energy, style }];
        let folder = run.write(name);
        let mut table = "step,time,kinetic,potential,dissipated,contact_heat,work,px,py,pz\n".to_owned();
        for step in 0..=1000 {
            let time = f64::from(step) / 100.0;
            let lost = if time < lost_at { 0.0 } else { 99.0 };
            table += &format!("{step},{time},{},0,{lost},0,0,0,0,0\n", 100.0 - lost);
        }
        fs::write(folder.join("energy.csv"), table).unwrap();
        draw(&run.scenario, &folder, &folder).unwrap();
        let mut reader = csv::Reader::from_path(folder.join("energy.data.csv")).unwrap();
        let mut spans: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        for row in reader.records().map(Result::unwrap).filter(|row| &row[2] == "energy (J)" || &row[2] == "energy") {
            let x: f64 = row[5].parse().unwrap();
            let span = spans.entry(row[0].parse().unwrap()).or_insert([x; 2]);
            *span = [span[0].min(x), span[1].max(x)];
        }
        spans.into_values().collect::<Vec<_>>()
    };
    let near = |found: &[[f64; 2]], wanted: &[[f64; 2]]| {
        found.len() == wanted.len()
            && found.iter().flatten().zip(wanted.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-9)
    };
    let hard = frames(None, 0.05, "hard-start");
    assert!(near(&hard, &[[0.0, 0.2], [0.2, 10.0]]), "{hard:?}");
    let late = frames(None, 5.0, "late-loss");
    assert!(near(&late, &[[0.0, 10.0]]), "{late:?}");
    let asked = frames(Some([0.0, 10.0]), 0.05, "asked-time");
    assert!(near(&asked, &[[0.0, 10.0]]), "{asked:?}");
}

/// Long paths of a few bodies are solid lines, and the last part of each is strong.
#[test]
fn the_ends_of_tangled_paths_are_strong() {
    let widths = |flights: usize, name: &str| {
        let mut run = Run::new("tangle", flights as f64, 10 * flights as u32, Vec::new());
        for (place, body) in ["a", "b", "c"].into_iter().enumerate() {
            let corner =
                |flight: usize| DVec3::new((flight % 2) as f64, 0.0, ((7 * flight + 3 * place) % 11) as f64 / 10.0);
            let legs: Vec<_> = (0..flights)
                .map(|flight| (flight as f64, corner(flight), corner(flight + 1) - corner(flight)))
                .collect();
            run.moving(body, sphere(0.05), DVec3::ZERO, &legs);
        }
        let style = PlotStyle { formats: vec![PictureFormat::Svg], ..PlotStyle::default() };
        let folder = drawn(run, &[Plot::Path { plane: Plane2::XZ, bodies: Vec::new() }], &style, name);
        let svg = fs::read_to_string(folder.join("path_xz.svg")).unwrap();
        let lines: Vec<&str> =
            svg.lines().filter(|line| line.contains("<polyline") && line.contains("#0072B2")).collect();
        let faint = lines.iter().filter(|line| !line.contains("opacity=\"1\"")).count();
        (lines.len() - faint, faint, svg.contains("older paths fainter"))
    };
    // A line in the legend, and one in the picture.
    assert_eq!(widths(4, "plain-paths"), (2, 0, false));
    let (strong, faint, told) = widths(60, "tangled-paths");
    assert!(strong == 2 && faint > 0 && told, "{strong} {faint} {told}");
}
