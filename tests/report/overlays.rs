//! What is laid over plots: points, curves, formulas, and the curves of other runs.

use std::collections::BTreeMap;
use std::fs;

use carom::report::{OtherRun, draw, draw_watched, stems};
use carom::scenario::plot::overlay::{Course, Overlay};
use carom::scenario::plot::style::{PictureFormat, Theme};
use carom::scenario::{Axis, Figure, Plane2, Plot, PlotStyle, Rgb};

use crate::plots::with_svg;
use crate::runs::{Run, scenes};

type Points = Vec<[f64; 2]>;

/// The points of each series of the numbers of a picture, in order.
fn series(folder: &std::path::Path, stem: &str) -> BTreeMap<String, Points> {
    let mut found: BTreeMap<String, Points> = BTreeMap::new();
    let mut reader = csv::Reader::from_path(folder.join(format!("{stem}.data.csv"))).unwrap();
    for row in reader.records().map(Result::unwrap) {
        found.entry(row[3].to_owned()).or_default().push([5, 6].map(|column| row[column].parse().unwrap()));
    }
    found
}

fn overlay(label: &str, course: Course) -> Overlay {
    Overlay { label: label.to_owned(), color: None, course }
}

fn figure(plot: Plot, over: Vec<Overlay>) -> Figure {
    let formats = vec![PictureFormat::Csv, PictureFormat::Svg];
    Figure { plot, style: PlotStyle { over, formats, ..PlotStyle::default() } }
}

fn near(a: &[[f64; 2]], b: &[[f64; 2]], off: f64) -> bool {
    a.len() == b.len() && a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() <= off)
}

/// Points and curves are at their values, on linear and logarithmic axes; the axis grows to hold them.
#[test]
fn what_is_laid_over_a_plot_is_at_its_values() {
    let measured = vec![[0.1, 1.9], [0.35, 1.4], [0.5, 3.5]];
    let curve = vec![[0.0, 2.0], [0.2, 2.5], [0.7, 1.0]];
    let fall = "2 - 9.81/2*x^2";
    let over = vec![
        overlay("measured", Course::Points(measured.clone())),
        overlay("drawn", Course::Curve(curve.clone())),
        overlay("free fall", Course::Formula(fall.parse().unwrap())),
    ];
    for log in [None, Some(true)] {
        let mut run = scenes::bounce(0.8, 4, 200);
        let mut figure = figure(Plot::Height { axis: Axis::Z, bodies: Vec::new() }, over.clone());
        figure.style.log_y = log;
        run.scenario.plots = vec![figure];
        let folder = run.write("overlay");
        draw(&run.scenario, &folder, &folder).unwrap();
        let found = series(&folder, "height_z");
        assert!(near(&found["measured"], &measured, 1e-10), "{found:?}");
        assert!(near(&found["drawn"], &curve, 1e-10), "{found:?}");
        let fallen = &found["free fall"];
        assert!(fallen.len() > 50 && fallen.iter().all(|at| (at[1] - (2.0 - 4.905 * at[0] * at[0])).abs() < 1e-3));
        // The formula ends where the frame does.
        assert!(fallen.iter().all(|at| at[0] < 0.66), "{fallen:?}");
        let entries = with_svg(&folder, "height_z", |svg| {
            let titles = svg.descendants().filter(|node| node.has_tag_name("title"));
            titles.filter_map(|node| node.text()?.strip_prefix("legend: ").map(str::to_owned)).collect::<Vec<_>>()
        });
        assert!(entries.ends_with(&["measured", "drawn", "free fall"].map(str::to_owned)), "{entries:?}");
    }
}

#[test]
fn an_overlay_has_its_own_color() {
    let mut run = scenes::cradle();
    let mut dots = overlay("seen", Course::Points(vec![[1.0, 1.0]]));
    dots.color = Some(Rgb([18, 52, 86]));
    run.scenario.plots = vec![figure(Plot::Energy, vec![dots])];
    let folder = run.write("overlay-color");
    draw(&run.scenario, &folder, &folder).unwrap();
    assert!(fs::read_to_string(folder.join("energy.svg")).unwrap().contains("#123456"));
    assert_eq!(series(&folder, "energy")["seen"].len(), 1);
}

/// Two runs in one frame: the curves of the second are those of its own picture.
#[test]
fn the_curves_of_another_run_are_those_of_its_own_picture() {
    let plots = [
        Plot::Height { axis: Axis::Z, bodies: Vec::new() },
        Plot::Path { plane: Plane2::XZ, bodies: Vec::new() },
        Plot::Energy,
    ];
    let made = |restitution: f64, name: &str| -> (Run, std::path::PathBuf) {
        let mut run = scenes::bounce(restitution, 3, 300);
        run.scenario.plots = plots.iter().map(|plot| figure(plot.clone(), Vec::new())).collect();
        run.scenario.plots.iter_mut().for_each(|figure| figure.style.time = Some([0.0, 1.5]));
        let folder = run.write(name);
        draw(&run.scenario, &folder, &folder).unwrap();
        (run, folder)
    };
    let (first, folder) = made(0.9, "beside-first");
    let (second, other) = made(0.6, "beside-second");
    let alone = plots.len();
    let names = stems(&first.scenario);
    assert_eq!(names.len(), alone);
    let [own, others]: [Vec<_>; 2] =
        [&folder, &other].map(|folder| names.iter().map(|stem| series(folder, stem)).collect());
    let beside = [OtherRun { name: "soft".to_owned(), scenario: second.scenario, folder: other }];
    let into = tempfile::tempdir().unwrap();
    draw_watched(&names, &first.scenario, [&folder, into.path()], &beside, &|_, _| ()).unwrap();
    for ((stem, own), other) in names.iter().zip(own).zip(others) {
        let both = series(into.path(), stem);
        for (name, points) in &own {
            assert!(near(&both[name], points, 1e-9), "{stem}: {name} of the first run is as it was");
        }
        let (label, name) = if stem == "energy" { ("kinetic, soft", "kinetic") } else { ("soft", "ball") };
        // At the edge of a frame that is larger now there is no cut.
        let kept: Points = both[label].clone();
        assert!(near(&kept, &other[name], 1e-6), "{stem}: {kept:?} {:?}", other[name]);
    }
}

/// In print, curves of both runs differ without their colours.
#[test]
fn runs_in_one_frame_have_patterns_of_their_own() {
    let mut run = scenes::cradle();
    let mut energy = figure(Plot::Energy, Vec::new());
    energy.style.theme = Some(Theme::Print);
    run.scenario.plots = vec![energy];
    let folder = run.write("beside-print");
    let beside = [OtherRun { name: "again".to_owned(), scenario: run.scenario.clone(), folder: folder.clone() }];
    draw_watched(&stems(&run.scenario), &run.scenario, [&folder, &folder], &beside, &|_, _| ()).unwrap();
    let both = series(&folder, "energy");
    assert!(near(&both["kinetic"], &both["kinetic, again"], 1e-9));
    let patterns = with_svg(&folder, "energy", |svg| {
        let samples = svg.descendants().filter(|node| {
            let title = node.children().find(|child| child.has_tag_name("title"));
            title.and_then(|title| title.text()).is_some_and(|text| text.starts_with("legend: "))
        });
        let pattern = |node: roxmltree::Node<'_, '_>| {
            let lines = node.descendants().filter(|line| line.has_tag_name("polyline"));
            let long = |line: roxmltree::Node<'_, '_>| line.attribute("points").unwrap_or_default().to_owned();
            let first = node.descendants().find(|line| line.has_tag_name("polyline"));
            let base = first.and_then(|line| line.attribute("points")?.split([' ', ',']).next()?.parse::<f64>().ok());
            lines
                .map(|line| {
                    let points = long(line);
                    let xs = points.split_whitespace().filter_map(|pair| pair.split_once(',')?.0.parse::<f64>().ok());
                    xs.map(|x| format!("{:.1}", x - base.unwrap_or_default())).collect::<Vec<_>>().join(" ")
                })
                .collect::<Vec<_>>()
                .join("|")
        };
        samples.map(pattern).collect::<Vec<_>>()
    });
    let mut distinct = patterns.clone();
    distinct.sort();
    distinct.dedup();
    assert!(patterns.len() >= 4 && distinct.len() == patterns.len(), "{patterns:?}");
}
