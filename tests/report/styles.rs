//! Plots in the styles that a scenario or a command line requests: themes, sizes, file formats, ranges, colours and
//! labels.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use carom::dynamics::EventKind;
use carom::report::{ReportError, draw};
use carom::scenario::plot::style::{PictureFormat, Rgb, Theme, Width};
use carom::scenario::{Axis, Figure, Plane2, Plot, PlotStyle, Scenario};
use roxmltree::Document;

use crate::diagrams::all;
use crate::plots::{shapes, with_svg};
use crate::runs::{Run, scenes};

const FORMATS: [PictureFormat; 3] = [PictureFormat::Svg, PictureFormat::Png, PictureFormat::Pdf];

/// Draws the plots of a run in a style, into a folder with this name.
fn drawn(mut run: Run, style: &PlotStyle, name: &str) -> PathBuf {
    run.scenario.plots.iter_mut().for_each(|figure| figure.style = style.clone());
    let folder = run.write(name);
    let files = draw(&run.scenario, &folder, &folder).unwrap().files;
    assert_eq!(files.len(), style.files().len() * run.scenario.plots.len(), "{name}");
    folder
}

fn stems(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut stems: Vec<_> = names.filter_map(|name| name.strip_suffix(".svg").map(str::to_owned)).collect();
    stems.sort();
    stems
}

/// The titles of the groups in a picture.
fn groups(svg: &Document<'_>) -> Vec<String> {
    let groups = svg.descendants().filter(|node| node.has_tag_name("g"));
    groups.filter_map(|node| node.first_element_child()?.text().map(str::to_owned)).collect()
}

fn workshop_in_diagrams() -> Run {
    let mut run = scenes::workshop();
    run.scenario.plots = all(0.5).map(Figure::from).to_vec();
    run
}

#[test]
fn every_theme_draws_every_plot_in_every_format() {
    let runs: [fn() -> Run; 5] =
        [scenes::workshop, scenes::cradle, || scenes::gas(1000, 40), scenes::galperin, workshop_in_diagrams];
    for (place, run) in runs.into_iter().enumerate() {
        for theme in [Theme::Screen, Theme::Dark, Theme::Print] {
            // Every width for the first run, and for the others one width with each theme.
            let widths = [None, Some(Width::Single), Some(Width::Double), Some(Width::Mm(60.0))];
            let rank = theme as usize;
            for width in if place == 0 { &widths[..] } else { &widths[rank..=rank] }.iter().copied() {
                let style = PlotStyle {
                    theme: Some(theme),
                    width,
                    formats: FORMATS.to_vec(),
                    dpi: Some(100),
                    ..PlotStyle::default()
                };
                let folder = drawn(run(), &style, &format!("theme-{place}"));
                for stem in stems(&folder) {
                    check_files(&folder, &stem, &style);
                }
            }
        }
    }
}

/// Checks the size, the resolution and the elements of the files of a picture.
fn check_files(folder: &Path, stem: &str, style: &PlotStyle) {
    let print = style.theme == Some(Theme::Print);
    let millimetres = style.width.or(print.then_some(Width::Single)).map(Width::millimetres);
    let (wide, high) = with_svg(folder, stem, |svg| {
        let root = svg.root_element();
        let first = |tag| root.children().filter(roxmltree::Node::is_element).position(|node| node.has_tag_name(tag));
        assert_eq!((first("title"), first("desc")), (Some(0), Some(1)), "{stem}");
        let groups = groups(svg);
        assert!(groups.iter().any(|name| name == "axes"), "{stem}: {groups:?}");
        let texts = svg.descendants().filter(|node| node.has_tag_name("text")).count();
        assert_eq!(texts == 0, print, "{stem}: words are outlines in print alone");
        let side = |name: &str| root.attribute(name).unwrap().to_owned();
        let sheet: Vec<f64> = side("viewBox").split(' ').map(|number| number.parse().unwrap()).collect();
        match millimetres {
            Some(width) => assert_eq!(side("width"), format!("{width}mm"), "{stem}"),
            None => assert_eq!(side("width").parse::<f64>().unwrap() * 10.0, sheet[2], "{stem}"),
        }
        (sheet[2] / 10.0, sheet[3] / 10.0)
    });
    let dpi = f64::from(style.dpi.unwrap());
    let file = File::open(folder.join(format!("{stem}.png"))).unwrap();
    let reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let info = reader.info();
    let density = info.pixel_dims.expect("pixels per metre");
    assert_eq!((density.unit, density.xppu, density.yppu), (png::Unit::Meter, 3937, 3937), "{stem}");
    // The tolerance covers half a pixel of rounding, and the rounding of the sheet to tenths of a pixel.
    assert!((f64::from(info.width) - wide / 96.0 * dpi).abs() < 0.7, "{stem}: {} {wide}", info.width);
    assert!((f64::from(info.height) - high / 96.0 * dpi).abs() < 0.7, "{stem}: {} {high}", info.height);
    let pdf = fs::read(folder.join(format!("{stem}.pdf"))).unwrap();
    assert!(pdf.starts_with(b"%PDF-1.7") && pdf.trim_ascii_end().ends_with(b"%%EOF"), "{stem}");
    let box_at = pdf.windows(9).position(|bytes| bytes == b"/MediaBox").unwrap();
    let sides = String::from_utf8_lossy(&pdf[box_at + 11..box_at + 60]).into_owned();
    let sides: Vec<f64> = sides.split([' ', ']']).map_while(|number| number.parse().ok()).collect();
    assert!((sides[2] - 0.75 * wide).abs() < 0.1 && (sides[3] - 0.75 * high).abs() < 0.1, "{stem}: {sides:?}");
    assert!(pdf.windows(10).any(|bytes| bytes == b"/FontFile2"), "{stem}: the typeface is embedded");
}

/// The dash pattern of each line in the legend, without its colour and position.
fn samples(svg: &Document<'_>) -> Vec<String> {
    let entries = svg.descendants().filter(|node| node.has_tag_name("g"));
    let entries = entries.filter(|node| {
        node.first_element_child().and_then(|title| title.text()).is_some_and(|title| title.starts_with("legend: "))
    });
    let sample = |entry: roxmltree::Node<'_, '_>| {
        let lines = entry.children().filter_map(|node| node.attribute("points"));
        let ends = lines.flat_map(|points| points.split_whitespace().map(|pair| pair.split_once(',').unwrap().0));
        let ends: Vec<f64> = ends.map(|x| x.parse().unwrap()).collect();
        ends.iter().map(|x| format!("{} ", x - ends[0])).collect::<String>()
    };
    let lines = entries.filter(|entry| !entry.children().any(|node| node.has_tag_name("polygon")));
    lines.map(sample).filter(|sample| !sample.is_empty()).collect()
}

#[test]
fn lines_differ_without_their_colors() {
    let runs: [fn() -> Run; 3] = [scenes::workshop, scenes::cradle, || scenes::bounce(0.8, 14, 400)];
    for (place, run) in runs.into_iter().enumerate() {
        for theme in [Theme::Screen, Theme::Dark, Theme::Print] {
            let style = PlotStyle { theme: Some(theme), formats: vec![PictureFormat::Svg], ..PlotStyle::default() };
            let folder = drawn(run(), &style, &format!("grey-{place}"));
            for stem in stems(&folder).into_iter().filter(|stem| stem != "impacts") {
                let samples = with_svg(&folder, &stem, samples);
                for (index, sample) in samples.iter().enumerate() {
                    assert!(!samples[..index].contains(sample), "{stem} {theme:?}: {samples:?}");
                }
                assert!(stem != "height_x" || place != 1 || samples.len() == 5, "{samples:?}");
            }
        }
    }
}

/// The dash patterns also differ in the picture itself: two curves can be distinguished without colours.
#[test]
fn a_curve_has_the_pattern_of_its_sample() {
    let folder = drawn(scenes::cradle(), &PlotStyle::default(), "patterns");
    let pieces = |color: &str| with_svg(&folder, "height_x", |svg| shapes(svg, "polyline", "stroke", color).len());
    assert_eq!(pieces("#0072B2"), 2, "a whole line and its sample");
    let counts = ["#D55E00", "#009E73", "#CC79A7", "#E69F00"].map(pieces);
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    for (index, count) in counts.iter().enumerate() {
        assert!(!counts[..index].contains(count), "{counts:?}");
    }
}

#[test]
fn chosen_colors_and_labels_are_used() {
    let style = PlotStyle {
        colors: vec![("a".to_owned(), Rgb([1, 2, 3])), ("a".to_owned(), Rgb([18, 52, 86]))],
        labels: vec![("a".to_owned(), "the first ball".to_owned())],
        ..PlotStyle::default()
    };
    let folder = drawn(scenes::cradle(), &style, "chosen");
    for stem in ["path_xz", "height_x"] {
        let lines = with_svg(&folder, stem, |svg| shapes(svg, "polyline", "stroke", "#123456"));
        assert!(!lines.is_empty(), "{stem}");
        let text = fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap();
        assert!(text.contains("the first ball") && !text.contains("#0072B2"), "{stem}");
    }
}

#[test]
fn a_body_has_the_color_of_the_scenario_unless_the_style_has_another() {
    let run = scenes::cradle();
    let colors = [("a", [18, 52, 86]), ("b", [1, 2, 3])].map(|(name, rgb)| (name.to_owned(), Rgb(rgb))).into();
    let style = PlotStyle { colors: vec![("b".to_owned(), Rgb([171, 205, 239]))], ..PlotStyle::default() };
    let folder = drawn(Run { scenario: Scenario { colors, ..run.scenario }, ..run }, &style, "own-colors");
    for (color, is_there) in [("#123456", true), ("#ABCDEF", true), ("#010203", false)] {
        let lines = with_svg(&folder, "height_x", |svg| shapes(svg, "polyline", "stroke", color));
        assert_eq!(!lines.is_empty(), is_there, "{color}");
    }
}

#[test]
fn a_range_of_time_is_all_that_is_shown() {
    let style = PlotStyle { time: Some([0.5, 1.0]), ..PlotStyle::default() };
    let folder = drawn(scenes::bounce(0.8, 14, 400), &style, "window");
    let whole = drawn(scenes::bounce(0.8, 14, 400), &PlotStyle::default(), "no-window");
    for stem in ["height_z", "path_xz", "energy", "impacts"] {
        let text = |folder: &Path| fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap();
        assert_ne!(text(&folder), text(&whole), "{stem}");
    }
    let labels = with_svg(&folder, "height_z", |svg| {
        let texts = svg.descendants().filter(|node| node.has_tag_name("text"));
        texts.filter_map(|node| node.text()).map(|text| text.trim().to_owned()).collect::<Vec<_>>()
    });
    assert!(labels.contains(&"0.6".to_owned()) && !labels.contains(&"1.2".to_owned()), "{labels:?}");
    // The ball moves along x at one speed, so half a second takes its share of the way.
    let along = |folder: &Path| {
        let lines = with_svg(folder, "path_xz", |svg| {
            let ways = shapes(svg, "polyline", "stroke", "#0072B2").swap_remove(1);
            (ways[0].0, ways[ways.len() - 1].0)
        });
        lines.1 - lines.0
    };
    assert!(along(&folder) > 0.0);
}

#[test]
fn logarithmic_axes_have_powers_of_ten() {
    let mut run = scenes::bounce(0.8, 14, 400);
    run.scenario.plots =
        [Plot::Energy, Plot::Impacts { bodies: Vec::new() }, Plot::Height { axis: Axis::Z, bodies: Vec::new() }]
            .map(Figure::from)
            .to_vec();
    let style = PlotStyle { log_x: Some(true), log_y: Some(true), y: Some([1e-3, 100.0]), ..PlotStyle::default() };
    let folder = drawn(run, &style, "logarithmic");
    for stem in ["energy", "impacts", "height_z"] {
        let text = fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap();
        assert!(["10⁻³", "10⁻²", "10⁻¹", "\n10\n"].iter().all(|tick| text.contains(tick)), "{stem}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{stem}");
    }
}

#[test]
fn a_path_keeps_one_scale_in_any_size() {
    for height in [None, Some(60.0), Some(120.0)] {
        let style = PlotStyle { width: Some(Width::Mm(100.0)), height, title: Some(false), ..PlotStyle::default() };
        let mut run = scenes::cradle();
        run.scenario.plots = vec![Figure::from(Plot::Path { plane: Plane2::XZ, bodies: Vec::new() })];
        let folder = drawn(run, &style, "rigid");
        with_svg(&folder, "path_xz", |svg| {
            let root = svg.root_element();
            assert_eq!(root.attribute("width"), Some("100mm"));
            if let Some(height) = height {
                assert_eq!(root.attribute("height"), Some(format!("{height}mm").as_str()));
            }
            let rings = svg.descendants().filter(|node| node.has_tag_name("circle"));
            assert!(rings.count() >= 10, "balls are still round");
        });
    }
}

#[test]
fn a_picture_that_would_fill_the_memory_is_refused() {
    let (width, height) = (Some(Width::Mm(400.0)), Some(400.0));
    let mut run = scenes::cradle();
    let folder = run.write("huge");
    let style = PlotStyle { width, height, dpi: Some(1200), formats: vec![PictureFormat::Png], ..PlotStyle::default() };
    run.scenario.plots.iter_mut().for_each(|figure| figure.style = style.clone());
    let drawn = draw(&run.scenario, &folder, &folder).unwrap();
    assert_eq!((drawn.files.len(), drawn.failures.len()), (0, run.scenario.plots.len()));
    for (stem, error) in drawn.failures {
        assert!(matches!(error, ReportError::TooLarge { pixels, .. } if pixels > 300_000_000), "{stem}: {error}");
    }
}

/// The plot shows the loss of energy as a step at the instant of the impact, even between two rows of the energy table.
#[test]
fn a_loss_is_a_step_at_its_instant() {
    let mut run = scenes::bounce(0.5, 1, 2);
    run.scenario.plots = vec![Figure::from(Plot::Energy)];
    let folder = run.write("steps");
    let rows = fs::read_to_string(folder.join("events.csv")).unwrap();
    let column = |name: &str| rows.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    let (loss, mut lines) = (column("loss"), rows.lines().map(str::to_owned).collect::<Vec<_>>());
    let mut impact: Vec<String> = lines[1].split(',').map(str::to_owned).collect();
    impact[loss] = "1.0".to_owned();
    lines[1] = impact.join(",");
    let upright = || {
        draw(&run.scenario, &folder, &folder).unwrap();
        let pieces = with_svg(&folder, "energy", |svg| shapes(svg, "polyline", "stroke", "#D55E00"));
        pieces.iter().flat_map(|piece| piece.windows(2)).filter(|ends| ends[0].0 == ends[1].0).count()
    };
    assert_eq!(upright(), 0, "without a loss in the log");
    fs::write(folder.join("events.csv"), lines.join("\n") + "\n").unwrap();
    assert!(upright() > 0);
}

/// Without impacts, the plot shows the other events in their lanes and has no empty panel.
#[test]
fn no_panel_is_empty() {
    let mut run = scenes::workshop();
    run.scenario.plots = vec![Figure::from(Plot::Impacts { bodies: Vec::new() })];
    let frames = |run: &mut Run, name: &str| {
        let folder = run.write(name);
        draw(&run.scenario, &folder, &folder).unwrap();
        with_svg(&folder, "impacts", |svg| {
            let texts: Vec<_> = svg.descendants().filter_map(|node| node.text()).map(str::trim).collect();
            (texts.contains(&"impacts so far"), texts.contains(&"rest"), texts.contains(&"time (s)"))
        })
    };
    assert_eq!(frames(&mut run, "full"), (true, true, true));
    run.happenings.retain(|event| event.kind != EventKind::Impact);
    assert_eq!(frames(&mut run, "empty"), (false, true, true));
}
