//! Plots of a study: each result over a parameter, as means with their standard errors, beside a reference.

use std::collections::BTreeSet;
use std::path::Path;

use glam::DVec2;

use super::Drawn;
use super::chart::axes::{Axis, Span};
use super::chart::frame::Frame;
use super::chart::legend::Entry;
use super::chart::page::{Frames, Page};
use super::chart::setup::{Setup, Shown};
use super::drawing::canvas::{Canvas, Mark, Stroke};
use super::drawing::dash::Dash;
use super::drawing::ink::{Color, PALETTE, TEXT};
use super::error::ReportError;
use crate::scenario::PlotStyle;
use crate::scenario::plot::style::PictureFormat;
use crate::scenario::sweep_file::{Curve, Sweep, SweepPlot};
use crate::study::{Point, Row, points};

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(620.0, 400.0);

/// Radius of a dot, pixels on a screen.
const DOT: f64 = 3.4;

/// Radius of a dot of a series.
const FINE_DOT: f64 = 1.3;

/// Half the width of the end of an error bar, pixels.
const CAP: f64 = 3.5;

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
    let mut drawn = Drawn::default();
    for (index, plot) in sweep.plots.iter().enumerate() {
        let earlier = sweep.plots[..index].iter().filter(|other| other.y == plot.y).count();
        let stem = if earlier == 0 { plot.y.clone() } else { format!("{}_{}", plot.y, earlier + 1) };
        let canvas = picture(sweep, plot, &points(sweep, plot, rows));
        drawn.missing.extend(canvas.missing_characters());
        let files = canvas.write(into, &stem, &[PictureFormat::Svg, PictureFormat::Png])?;
        drawn.files.extend(files.into_iter().map(Into::into));
    }
    Ok(drawn)
}

/// The points of one line.
struct Line<'a> {
    /// The values that distinguish it from other lines; empty if there is only one.
    label: String,
    color: Color,
    points: Vec<&'a Point>,
}

fn picture(sweep: &Sweep, plot: &SweepPlot, points: &[Point]) -> Canvas {
    let asked = PlotStyle { log_x: Some(plot.log_x), log_y: Some(plot.log_y), ..PlotStyle::default() };
    let setup = Setup::new(&asked);
    let style = setup.style;
    let lines = lines(points);
    let [x, y] = axes(plot, points, setup);
    let frames = Frames { inner: INNER, rigid: false, least: 0.0, axes: &[&y] };
    let (mut canvas, rect) = page(sweep, plot, &lines, points).compose(style, frames);
    let frame = Frame { rect, x, y };
    frame.grid(&mut canvas);
    if let Some(Curve { label, points }) = &plot.reference {
        canvas.begin(label);
        let points: Vec<DVec2> = points.iter().map(|at| frame.place(at[0], at[1])).collect();
        frame.curve(&mut canvas, &points, Stroke { color: TEXT, width: style.curve(1.5) }, Dash::DASHED);
    }
    let is_series = sweep.is_series(plot);
    for line in &lines {
        draw_line(line, &frame, &mut canvas, (plot, is_series));
    }
    frame.edge(&mut canvas);
    frame.x_axis(&mut canvas);
    frame.y_axis(&mut canvas);
    canvas
}

fn draw_line(line: &Line<'_>, frame: &Frame, canvas: &mut Canvas, (plot, is_series): (&SweepPlot, bool)) {
    let style = canvas.style;
    let stroke = Stroke { color: line.color, width: style.curve(1.2) };
    canvas.begin(if line.label.is_empty() { &plot.y } else { &line.label });
    let places: Vec<DVec2> = line.points.iter().map(|point| frame.place(point.x, point.mean)).collect();
    // With a reference, dots have no line of their own.
    if plot.reference.is_none() && !is_series {
        frame.line(canvas, &places, stroke);
    }
    let mut seen = BTreeSet::new();
    for (point, &place) in line.points.iter().zip(&places) {
        if let Some(error) = point.error.filter(|&error| error > 0.0) {
            let ends = [point.mean - error, point.mean + error].map(|y| frame.place(point.x, y));
            frame.line(canvas, &ends, stroke);
            let cap = DVec2::new(CAP, 0.0);
            ends.iter().for_each(|&end| frame.line(canvas, &[end - cap, end + cap], stroke));
        }
        let (min, max) = (frame.rect.min, frame.rect.max);
        // Where a series repeats itself, one dot shows all.
        let is_new = seen.insert((8.0 * place).round().to_array().map(f64::to_bits));
        if is_new && place.cmpge(min).all() && place.cmple(max).all() {
            canvas.push(Mark::Disc(place, style.scaled(if is_series { FINE_DOT } else { DOT }), line.color));
        }
    }
}

/// The lines, in the order of the design.
fn lines(points: &[Point]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut last: Option<&[String]> = None;
    for point in points {
        if last != Some(&point.line) {
            lines.push(Line {
                label: point.line.join(", "),
                color: PALETTE[lines.len() % PALETTE.len()],
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
    let reference = plot.reference.iter().flat_map(|curve| &curve.points);
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
    reference.for_each(|&[x, y]| include(x, [y, y]));
    let (x, y) = match &plot.labels {
        Some((x, y)) => (x.clone(), y.clone()),
        None => (short(&plot.x).replace('_', " "), plot.y.replace('_', " ")),
    };
    let widened = |span: Span| span.widened(MARGIN * span.length());
    let [right, upward] = positive;
    let span =
        if plot.log_x && !right.is_empty() { Span::new(right.low / 1.2, right.high * 1.2) } else { widened(along) };
    let count = setup.style.ticks_along(INNER.x);
    let shown = Shown { span: widened(up), positive: upward, count: setup.style.ticks_up(6.0, INNER.y, INNER.y) };
    [Axis::of(plot.log_x, span, right.low, count, &x, ""), setup.y_axis(shown, &y, "")]
}

/// The last two parts of a path, which describe it well enough.
fn short(path: &str) -> &str {
    let dots: Vec<usize> = path.match_indices('.').map(|(place, _)| place).collect();
    dots.len().checked_sub(2).map_or(path, |place| &path[dots[place] + 1..])
}

fn page(sweep: &Sweep, plot: &SweepPlot, lines: &[Line<'_>], points: &[Point]) -> Page {
    let labelled = lines.iter().filter(|line| !line.label.is_empty());
    let mut legend: Vec<Entry> =
        labelled.map(|line| Entry::line(line.color, Dash::SOLID, line.label.as_str())).collect();
    if let (Some(curve), Some(line)) = (&plot.reference, lines.first()) {
        if legend.is_empty() {
            legend.push(Entry::dot(line.color, if sweep.is_series(plot) { FINE_DOT } else { DOT }, "carom"));
        }
        legend.push(Entry::line(TEXT, Dash::DASHED, curve.label.as_str()));
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
        _ if sweep.is_series(plot) => "Each dot is one event".to_owned(),
        (_, 0 | 1) => "Each dot is one run".to_owned(),
        (least, most) if least == most => format!("Means of {most} runs, with their standard errors"),
        (least, most) => format!("Means of {least} to {most} runs, with their standard errors"),
    };
    let factors: Vec<&str> = plot.lines.iter().map(|path| short(path)).collect();
    let by = if factors.is_empty() { String::new() } else { format!("; lines: {}", factors.join(", ")) };
    Page { title: sweep.title.clone(), subtitle: subtitle + &by, legend, notes }
}
