//! Curves of several runs in one plot: their energies, and the positions of bodies that all of them have.

use std::collections::BTreeMap;

use glam::DVec2;

use crate::dynamics::Motion;
use crate::record::tables::{Energy, Trajectory};
use crate::report::ReportError;
use crate::report::chart::{Axis, Entry, Page, Setup, Shown, Span};
use crate::report::coordinates::axis_name;
use crate::report::drawing::{Canvas, Dash, PALETTE, Stroke};
use crate::report::page::pictures::{Picture, drawn};
use crate::report::page::results::Results;
use crate::report::rows::every_row;
use crate::scenario::PlotStyle;
use crate::scenario::text::printable::printable;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 300.0);
/// Most lines of a plot, most bodies that get one, and most points of a line.
const LINES_MAX: usize = 8;
const BODIES_MAX: usize = 3;
const POINTS_MAX: usize = 4000;
/// Margin above and below the curves, over the length of the axis.
const MARGIN: f64 = 0.05;

/// The places of bodies over time, by their names.
type Courses<'a> = BTreeMap<&'a str, Vec<(f64, [f64; 3])>>;

/// A curve: its name, and its points.
pub(in crate::report::page) struct Curve {
    pub(in crate::report::page) name: String,
    pub(in crate::report::page) points: Vec<DVec2>,
}

/// What a plot shows.
#[derive(Debug, Clone, Copy)]
struct Shows {
    subtitle: &'static str,
    quantity: &'static str,
    unit: &'static str,
}

/// The pictures of runs together.
pub(in crate::report::page) fn pictures(runs: &[Results]) -> Result<Vec<Picture>, ReportError> {
    let runs = &runs[..runs.len().min(LINES_MAX)];
    let mut curves = Vec::new();
    for run in runs {
        let mut points = Vec::new();
        every_row::<Energy>(&run.folder, |row| {
            points.push(DVec2::new(row.time.seconds(), row.kinetic + row.potential));
        })?;
        curves.push(curve(run, points));
    }
    let energy = Shows {
        subtitle: "Kinetic and potential energy together, at the recorded steps",
        quantity: "energy",
        unit: "J",
    };
    let mut pictures = vec![picture("Energy of all runs", &curves, energy)?];
    let names = shared(runs);
    let courses = runs.iter().map(|run| courses(run, &names)).collect::<Result<Vec<_>, _>>()?;
    for name in &names {
        let axis = telling(&courses, name);
        let along = |course: &Courses<'_>| -> Vec<DVec2> {
            course.get(*name).into_iter().flatten().map(|(time, place)| DVec2::new(*time, place[axis])).collect()
        };
        let curves: Vec<Curve> = runs.iter().zip(&courses).map(|(run, course)| curve(run, along(course))).collect();
        let (title, letter) = (format!("Position of {name} along {}", axis_name(axis)), axis_name(axis));
        // A record may leave bodies out.
        if curves.iter().all(|curve| curve.points.len() > 1) {
            let place = Shows { subtitle: "At the recorded steps", quantity: letter, unit: "m" };
            pictures.push(picture(&title, &curves, place)?);
        }
    }
    Ok(pictures)
}

fn curve(run: &Results, points: Vec<DVec2>) -> Curve {
    let every = points.len().div_ceil(POINTS_MAX).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.into_iter().enumerate().filter(|(rank, _)| rank % every == 0 || *rank == last);
    Curve { name: printable(&run.name).into_owned(), points: kept.map(|(_, point)| point).collect() }
}

/// The free bodies that all runs have, if they are few.
fn shared(runs: &[Results]) -> Vec<&str> {
    let free = |run: &'_ Results, name: &str| {
        run.scenario.bodies.iter().any(|named| named.name == name && matches!(named.body.motion, Motion::Free(_)))
    };
    let Some((first, others)) = runs.split_first() else { return Vec::new() };
    let names = first.scenario.bodies.iter().map(|named| named.name.as_str()).filter(|name| free(first, name));
    let common: Vec<&str> =
        names.take(BODIES_MAX + 1).filter(|name| others.iter().all(|run| free(run, name))).collect();
    if common.len() > BODIES_MAX { Vec::new() } else { common }
}

/// Where these bodies of a run are at the recorded steps: the time (s), and the place (m).
fn courses<'a>(run: &Results, names: &[&'a str]) -> Result<Courses<'a>, ReportError> {
    let mut courses = Courses::new();
    every_row::<Trajectory>(&run.folder, |row| {
        if let Some(&name) = names.iter().find(|&&name| name == row.body) {
            courses.entry(name).or_default().push((row.time.seconds(), row.position.to_array()));
        }
    })?;
    Ok(courses)
}

/// The axis along which the courses of a body differ most; if they are the same, the one along which it moves most.
fn telling(courses: &[Courses<'_>], name: &str) -> usize {
    let of: Vec<&[(f64, [f64; 3])]> = courses.iter().filter_map(|course| course.get(name)).map(Vec::as_slice).collect();
    let first = of.first().copied().unwrap_or_default();
    let apart = |axis: usize| {
        let pairs = of.iter().skip(1).flat_map(|other| first.iter().zip(*other));
        pairs.map(|(one, other)| (one.1[axis] - other.1[axis]).abs()).fold(0.0, f64::max)
    };
    let way = |axis: usize| Span::of(first.iter().map(|(_, place)| place[axis])).length();
    let order = |&a: &usize, &b: &usize| apart(a).total_cmp(&apart(b)).then(way(a).total_cmp(&way(b))).then(b.cmp(&a));
    (0..3).max_by(order).unwrap_or_default()
}

fn picture(name: &str, curves: &[Curve], shows: Shows) -> Result<Picture, ReportError> {
    drawn(name.to_owned(), &PlotStyle::default(), |style| Ok(canvas(&style, curves, shows)))
}

fn canvas(style: &PlotStyle, curves: &[Curve], Shows { subtitle, quantity, unit }: Shows) -> Canvas {
    let setup = Setup::new(style);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (time, span) = (Span::of(points().map(|at| at.x)), Span::of(points().map(|at| at.y)));
    let shown = Shown {
        span: span.widened(MARGIN * span.length()),
        positive: Span::EMPTY,
        count: setup.style.ticks_up(6.0, INNER.y, INNER.y),
    };
    let axes = [setup.time_axis(time, INNER.x), setup.y_axis(shown, quantity, unit)];
    lines(setup, (INNER, axes), subtitle, curves)
}

/// Curves in one frame of a size (pixels) and with these axes, each with its name in the legend.
pub(in crate::report::page) fn lines(
    setup: Setup<'_>,
    (inner, axes): (DVec2, [Axis; 2]),
    subtitle: &str,
    curves: &[Curve],
) -> Canvas {
    let [x, y] = axes;
    let colored = || curves.iter().zip(PALETTE);
    let page = Page {
        subtitle: subtitle.to_owned(),
        legend: colored().map(|(curve, color)| Entry::line(color, Dash::SOLID, curve.name.as_str())).collect(),
        ..Page::default()
    };
    let (mut canvas, frame) = page.framed(setup, (inner, y), |_| x);
    for (curve, color) in colored() {
        canvas.begin(&curve.name);
        let places: Vec<DVec2> = curve.points.iter().map(|point| frame.place(point.x, point.y)).collect();
        let width = canvas.style.curve(1.4);
        frame.line(&mut canvas, &places, Stroke { color, width });
    }
    frame.finish(&mut canvas);
    canvas
}
