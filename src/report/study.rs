//! Plots of a study: each result over a parameter, as means with their standard errors, beside a reference.

use std::collections::BTreeSet;
use std::path::Path;

use glam::DVec2;

use super::Drawn;
use super::chart::axes::{Axis, Span};
use super::chart::frame::Frame;
use super::chart::laid::Laid;
use super::chart::legend::{Entry, ring};
use super::chart::page::{Frames, Page};
use super::chart::setup::{Setup, Shown};
use super::drawing::canvas::{Canvas, Mark, Stroke};
use super::drawing::dash::Dash;
use super::drawing::ink::{Color, PALETTE};
use super::error::ReportError;
use crate::scenario::sweep_file::{Sweep, SweepPlot};
use crate::study::{Point, Row, points};

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(620.0, 400.0);

/// Radius of a dot, pixels on a screen.
const DOT: f64 = 3.4;

/// Radius of a dot of a series.
const FINE_DOT: f64 = 1.3;

/// Half the width of the end of an error bar, pixels.
const CAP: f64 = 3.5;

/// The radius of a dot over half the length of its error bar, at most.
const HIDDEN: f64 = 0.6;

/// Most lines; more could not be distinguished.
const LINES_MAX: usize = 12;

/// Margin at both ends of an axis, over its length.
const MARGIN: f64 = 0.05;

/// Draws every plot of a study from its rows into the folder `into`, as `RESULT.svg` and `RESULT.png`. A second plot of
/// the same result is called `RESULT_2`.
///
/// # Errors
/// [`ReportError`] when a picture cannot be written.
pub fn draw_study(sweep: &Sweep, rows: &[Row], into: &Path) -> Result<Drawn, ReportError> {
    draw_study_only(&study_stems(sweep), sweep, rows, into)
}

/// Draws only the plots whose files have these `names`, without their endings.
///
/// # Errors
/// [`ReportError`], as for [`draw_study`].
pub fn draw_study_only(names: &[String], sweep: &Sweep, rows: &[Row], into: &Path) -> Result<Drawn, ReportError> {
    let mut drawn = Drawn::default();
    for (plot, stem) in sweep.plots.iter().zip(study_stems(sweep)).filter(|(_, stem)| names.contains(stem)) {
        let canvas = canvas(sweep, plot, rows);
        drawn.missing.extend(canvas.missing_characters());
        let files = canvas.write(into, &stem, plot.style.files())?;
        drawn.files.extend(files.into_iter().map(Into::into));
    }
    Ok(drawn)
}

/// The names of the files of each plot of a study without their endings, in order.
pub fn study_stems(sweep: &Sweep) -> Vec<String> {
    let stem = |(index, plot): (usize, &SweepPlot)| {
        let earlier = sweep.plots[..index].iter().filter(|other| other.y == plot.y).count();
        if earlier == 0 { plot.y.clone() } else { format!("{}_{}", plot.y, earlier + 1) }
    };
    sweep.plots.iter().enumerate().map(stem).collect()
}

/// The points of one line.
struct Line<'a> {
    /// The values that distinguish it from other lines; empty if there is only one.
    label: String,
    color: Color,
    dash: Dash,
    marker: Marker,
    points: Vec<&'a Point>,
}

/// The shape of the dots of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
}

impl Marker {
    const ALL: [Self; 5] = [Self::Disc, Self::Square, Self::Triangle, Self::Diamond, Self::Ring];

    /// Draws it around a place; all have about the area of a disc of this radius.
    fn draw(self, canvas: &mut Canvas, at: DVec2, radius: f64, color: Color) {
        let polygon = |corners: &[(f64, f64)]| {
            Mark::Area(corners.iter().map(|&corner| at + radius * DVec2::from(corner)).collect(), color)
        };
        let mark = match self {
            Self::Disc => Mark::Disc(at, radius, color),
            Self::Square => polygon(&[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)]),
            Self::Triangle => polygon(&[(0.0, -1.45), (1.26, 0.73), (-1.26, 0.73)]),
            Self::Diamond => polygon(&[(0.0, -1.3), (1.2, 0.0), (0.0, 1.3), (-1.2, 0.0)]),
            Self::Ring => return ring(canvas, at, radius, color),
        };
        canvas.push(mark);
    }
}

/// The picture of a plot.
pub(super) fn canvas(sweep: &Sweep, plot: &SweepPlot, rows: &[Row]) -> Canvas {
    picture(sweep, plot, &points(sweep, plot, rows))
}

fn picture(sweep: &Sweep, plot: &SweepPlot, points: &[Point]) -> Canvas {
    let over = Laid::all(&plot.style.over);
    let setup = Setup::new(&plot.style).shared(&over, false);
    let scaled: Vec<Point> = points.iter().map(|point| scaled(point, plot.scale)).collect();
    let lines = lines(&scaled, setup);
    let points = &scaled[..];
    let [x, y] = axes(plot, points, setup);
    let frames = Frames { inner: INNER, rigid: false, least: 0.0, axes: &[&y] };
    let (mut canvas, rect) = page(sweep, plot, &lines, points).compose(setup, frames);
    let frame = Frame { rect, x, y };
    frame.grid(&mut canvas);
    frame.edge(&mut canvas);
    // Dots stand before a theory.
    over.iter().for_each(|laid| laid.draw(&mut canvas));
    let is_series = sweep.is_series(plot);
    for line in &lines {
        draw_line(line, &frame, &mut canvas, (plot, is_series));
    }
    frame.x_axis(&mut canvas);
    frame.y_axis(&mut canvas);
    canvas.place_insets(plot.style.letter);
    canvas
}

/// A point in the units of the axes.
fn scaled(point: &Point, [x, y]: [f64; 2]) -> Point {
    let error = point.error.map(|error| error * y);
    Point { x: point.x * x, mean: point.mean * y, error, ..point.clone() }
}

fn draw_line(line: &Line<'_>, frame: &Frame, canvas: &mut Canvas, (plot, is_series): (&SweepPlot, bool)) {
    let style = canvas.style;
    let stroke = Stroke { color: line.color, width: style.curve(1.2) };
    canvas.begin(if line.label.is_empty() { &plot.y } else { &line.label });
    let places: Vec<DVec2> = line.points.iter().map(|point| frame.place(point.x, point.mean)).collect();
    if has_line(plot, is_series) {
        frame.curve(canvas, &places, stroke, line.dash);
    }
    let radius = style.scaled(if is_series { FINE_DOT } else { DOT });
    let mut seen = BTreeSet::new();
    for (point, &place) in line.points.iter().zip(&places) {
        let ends = |error: f64| [point.mean - error, point.mean + error].map(|y| frame.place(point.x, y));
        let (min, max) = (frame.rect.min, frame.rect.max);
        // Where a series repeats itself, one dot shows all.
        let is_new = seen.insert((8.0 * place).round().to_array().map(f64::to_bits));
        if is_new && place.cmpge(min).all() && place.cmple(max).all() {
            line.marker.draw(canvas, place, dot(radius, half(point, frame)), line.color);
        }
        if let Some(error) = point.error.filter(|&error| error > 0.0) {
            frame.line(canvas, &ends(error), stroke);
            let cap = DVec2::new(style.scaled(CAP), 0.0);
            ends(error).iter().for_each(|&end| frame.line(canvas, &[end - cap, end + cap], stroke));
        }
    }
}

/// Whether dots are joined: those of a series and those beside a curve from elsewhere are not.
fn has_line(plot: &SweepPlot, is_series: bool) -> bool {
    !is_series && !plot.style.over.iter().any(|overlay| overlay.course.is_line())
}

/// Half the length of the error bar of a point in the picture, pixels; infinite without one.
fn half(point: &Point, frame: &Frame) -> f64 {
    let height = |error: f64| (frame.place(point.x, point.mean).y - frame.place(point.x, point.mean + error).y).abs();
    point.error.map_or(f64::INFINITY, height)
}

/// The radius of a dot with such an error bar: smaller where the bar would hide behind it. Where the bar is much shorter
/// than the dot, the dot shows both.
fn dot(radius: f64, half: f64) -> f64 {
    if half < HIDDEN * radius { radius } else { radius.min(HIDDEN * half) }
}

/// The lines, in the order of the design.
fn lines<'a>(points: &'a [Point], setup: Setup<'_>) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut last: Option<&[String]> = None;
    for point in points {
        if last != Some(&point.line) {
            let (place, label) = (lines.len(), point.line.join(", "));
            lines.push(Line {
                color: setup.color(&label).unwrap_or(PALETTE[place % PALETTE.len()]),
                label: setup.label(&label).to_owned(),
                dash: if setup.style.is_print() { Dash::nth(place) } else { Dash::SOLID },
                marker: Marker::ALL[place % Marker::ALL.len()],
                points: Vec::new(),
            });
            last = Some(&point.line);
        }
        if let Some(line) = lines.last_mut() {
            line.points.push(point);
        }
    }
    lines.truncate(LINES_MAX);
    lines
}

fn axes(plot: &SweepPlot, points: &[Point], setup: Setup<'_>) -> [Axis; 2] {
    let (mut along, mut up, mut positive) = (Span::EMPTY, Span::EMPTY, [Span::EMPTY; 2]);
    let mut include = |x: f64, ys: [f64; 2]| {
        along.include(x);
        if x > 0.0 {
            positive[0].include(x);
        }
        for y in ys {
            up.include(y);
            if y > 0.0 {
                positive[1].include(y);
            }
        }
    };
    for point in points {
        let error = point.error.unwrap_or(0.0);
        include(point.x, [point.mean - error, point.mean + error]);
    }
    for laid in setup.over {
        laid.places().iter().for_each(|&[x, y]| include(x, [y, y]));
    }
    let (x, y) = match &plot.labels {
        Some((x, y)) => (x.clone(), y.clone()),
        None => (short(&plot.x).replace('_', " "), plot.y.replace('_', " ")),
    };
    let widened = |span: Span| span.widened(MARGIN * span.length());
    let [right, upward] = positive;
    let is_log = setup.is_log_x() && !right.is_empty();
    let whole = if is_log { Span::new(right.low / 1.2, right.high * 1.2) } else { widened(along) };
    let span = setup.asked.x.map_or(whole, |[low, high]| Span::new(low, high));
    let planned = setup.style.planned(INNER);
    let (along, upwards) = (setup.style.ticks_along(planned.x), setup.style.ticks_up(6.0, INNER.y, planned.y));
    let shown = Shown { span: widened(up), positive: upward, count: upwards };
    let units = &plot.units;
    [Axis::of(setup.is_log_x(), span, right.low, along, &x, &units.0), setup.y_axis(shown, &y, &units.1)]
}

/// The last two parts of a path, which describe it well enough.
fn short(path: &str) -> &str {
    let dots: Vec<usize> = path.match_indices('.').map(|(place, _)| place).collect();
    dots.len().checked_sub(2).map_or(path, |place| &path[dots[place] + 1..])
}

fn page(sweep: &Sweep, plot: &SweepPlot, lines: &[Line<'_>], points: &[Point]) -> Page {
    let labelled = lines.iter().filter(|line| !line.label.is_empty());
    let is_series = sweep.is_series(plot);
    let entry = |line: &Line<'_>| match has_line(plot, is_series) {
        true => Entry::line(line.color, line.dash, line.label.as_str()),
        false => Entry::dot(line.color, DOT, line.label.as_str()),
    };
    let mut legend: Vec<Entry> = labelled.map(entry).collect();
    if let Some(line) = lines.first().filter(|_| legend.is_empty() && !plot.style.over.is_empty()) {
        let radius = if is_series { FINE_DOT } else { DOT };
        legend.push(Entry::dot(line.color, radius, plot.y.replace('_', " ")));
    }
    let all = points.chunk_by(|a, b| a.line == b.line).count();
    let mut notes = Vec::new();
    if all > lines.len() {
        notes.push(format!("{} of {all} lines are shown.", lines.len()));
    }
    if points.is_empty() {
        notes.push("No member has this result.".to_owned());
    }
    let members = || points.iter().map(|point| point.members);
    let subtitle = match (members().min().unwrap_or(0), members().max().unwrap_or(0)) {
        _ if is_series => "Each dot is one event".to_owned(),
        (_, 0 | 1) => "Each dot is one run".to_owned(),
        (least, most) if least == most => format!("Means of {most} runs, with their standard errors"),
        (least, most) => format!("Means of {least} to {most} runs, with their standard errors"),
    };
    let factors: Vec<&str> = plot.lines.iter().map(|path| short(path)).collect();
    let by = if factors.is_empty() { String::new() } else { format!("; lines: {}", factors.join(", ")) };
    Page { title: sweep.title.clone(), subtitle: subtitle + &by, legend, notes, column: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_does_not_hide_its_error_bar() {
        assert_eq!(dot(3.0, f64::INFINITY), 3.0, "without a bar");
        assert_eq!((dot(3.0, 10.0), dot(3.0, 4.0)), (3.0, HIDDEN * 4.0));
        assert_eq!(dot(3.0, 1.0), 3.0, "one that is hardly longer than thick");
    }
}
