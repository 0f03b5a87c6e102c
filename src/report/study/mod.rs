//! Plots of a study: each result over a parameter, as means with their standard errors, beside a reference.

mod lines;
mod residuals;

use std::path::Path;

use glam::DVec2;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use lines::{DOT, FINE_DOT, Line, draw_line, has_line, lines};
use residuals::Residuals;

use super::Drawn;
use super::chart::{Axis, Entry, Frame, Frames, Gaps, Laid, Page, Setup, Shown, Span};
use super::drawing::{Canvas, Words};
use super::error::ReportError;
use super::figures::{numbered, written};
use crate::scenario::sweep_file::{Sweep, SweepPlot};
use crate::study::{Point, Row, points};

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(620.0, 400.0);

/// Height of the frame of residuals with the gap above it, pixels.
const LOWER: f64 = 140.0;

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
    let stems = study_stems(sweep);
    let asked: Vec<_> = sweep.plots.iter().zip(&stems).filter(|(_, stem)| names.contains(stem)).collect();
    let draw = |&(plot, stem): &(&SweepPlot, &String)| written(&canvas(sweep, plot, rows), (into, stem), &plot.style);
    let results: Vec<Result<Drawn, ReportError>> = asked.par_iter().map(draw).collect();
    let mut drawn = Drawn::default();
    for one in results {
        drawn.add(one?);
    }
    Ok(drawn)
}

/// The names of the files of each plot of a study without their endings, in order.
pub fn study_stems(sweep: &Sweep) -> Vec<String> {
    numbered(sweep.plots.iter().map(|plot| plot.y.clone()))
}

/// The picture of a plot.
pub(super) fn canvas(sweep: &Sweep, plot: &SweepPlot, rows: &[Row]) -> Canvas {
    picture(sweep, plot, &points(sweep, plot, rows))
}

fn picture(sweep: &Sweep, plot: &SweepPlot, points: &[Point]) -> Canvas {
    let mut over = Laid::all(&plot.style.over);
    let canvas = drawn(sweep, plot, points, &over);
    // Only a picture tells whether a formula is seen in it.
    let unseen = over.iter_mut().filter_map(|laid| laid.reach(&canvas).then_some(())).count();
    if unseen > 0 { drawn(sweep, plot, points, &over) } else { canvas }
}

fn drawn(sweep: &Sweep, plot: &SweepPlot, points: &[Point], over: &[Laid]) -> Canvas {
    let setup = Setup::new(&plot.style).shared(over, false);
    let scaled: Vec<Point> = points.iter().map(|point| scaled(point, plot.scale)).collect();
    let lines = lines(&scaled, setup);
    let points = &scaled[..];
    let [x, y] = axes(plot, points, setup);
    let residuals = Residuals::of(plot, points, over);
    let below = residuals.as_ref().map(|residuals| residuals.axis(&plot.units.1, setup.ticks_up(3.0, INNER)));
    let axes: Vec<&Axis> = std::iter::once(&y).chain(&below).collect();
    let more = if below.is_some() { LOWER } else { 0.0 };
    let inner = INNER + DVec2::new(0.0, more);
    let share = more / inner.y;
    let stacked: Vec<(&Axis, f64)> = axes.iter().copied().zip([1.0 - share, share]).collect();
    let frames = Frames { floor: Frames::stack(setup.style, &stacked), ..Frames::new(inner, &axes) };
    let (mut canvas, rect) = page((sweep, plot), (&lines, over), points, setup).compose(setup, frames);
    let gap = if below.is_some() { Gaps::of(setup.style).between } else { 0.0 };
    let [upper, lower] = rect.stacked(share * rect.size().y, gap);
    let frame = Frame { rect: upper, x, y };
    frame.grid(&mut canvas);
    frame.edge(&mut canvas);
    // Dots stand before a theory.
    over.iter().for_each(|laid| laid.draw(&mut canvas));
    let shows = (plot, sweep.is_series(plot));
    lines.iter().for_each(|line| draw_line(line, &frame, &mut canvas, shows));
    match residuals.zip(below) {
        Some((residuals, y)) => {
            let lower = Frame { rect: lower, x: frame.x.clone(), y };
            residuals.draw(&lower, &mut canvas, (shows, setup));
        }
        None => frame.x_axis(&mut canvas),
    }
    frame.y_axis(&mut canvas);
    canvas.place_insets(plot.style.letter);
    canvas
}

/// A point in the units of the axes.
fn scaled(point: &Point, [x, y]: [f64; 2]) -> Point {
    let error = point.error.map(|error| error * y);
    Point { x: point.x * x, mean: point.mean * y, error, ..point.clone() }
}

fn axes(plot: &SweepPlot, points: &[Point], setup: Setup<'_>) -> [Axis; 2] {
    let laid = || setup.over.iter().flat_map(Laid::places);
    let xs = || points.iter().map(|point| point.x).chain(laid().map(|place| place[0]));
    let ends = |point: &Point| [-1.0, 1.0].map(|side| point.mean + side * point.error.unwrap_or(0.0));
    let ys = || points.iter().flat_map(ends).chain(laid().map(|place| place[1]));
    let (x, y) = match &plot.labels {
        Some((x, y)) => (x.clone(), y.clone()),
        None => (short(&plot.x).replace('_', " "), plot.y.replace('_', " ")),
    };
    let widened = |span: Span| span.widened(MARGIN * span.length());
    let right = Span::of_positive(xs());
    let is_log = setup.is_log_x() && !right.is_empty();
    let whole = if is_log { Span::new(right.low / 1.2, right.high * 1.2) } else { widened(Span::of(xs())) };
    let count = setup.ticks_up(6.0, INNER);
    // A mean is seen even where its bar reaches zero.
    let positive = Span::of_positive(ys().chain(points.iter().map(|point| point.mean)));
    let shown = Shown { span: widened(Span::of(ys())), positive, count };
    let (width, units) = (setup.style.planned(INNER).x, &plot.units);
    [setup.x_axis((whole, right.low), width, &x, &units.0), setup.y_axis(shown, &y, &units.1)]
}

/// The last two parts of a path, which describe it well enough.
fn short(path: &str) -> &str {
    let dots: Vec<usize> = path.match_indices('.').map(|(place, _)| place).collect();
    dots.len().checked_sub(2).map_or(path, |place| &path[dots[place] + 1..])
}

fn page(
    (sweep, plot): (&Sweep, &SweepPlot),
    (lines, over): (&[Line<'_>], &[Laid]),
    points: &[Point],
    setup: Setup<'_>,
) -> Page {
    let labelled = lines.iter().filter(|line| !line.label.is_empty());
    let is_series = sweep.is_series(plot);
    let factors = plot.lines.iter().map(|path| short(path)).collect::<Vec<_>>().join(", ");
    // Without the words above the picture, the legend says what varies.
    let label = |line: &Line<'_>| match setup.style.titled || line.is_renamed {
        true => Words::label(&line.label),
        false => format!("{factors} = {}", line.label).into(),
    };
    let entry = |line: &Line<'_>| match has_line(plot, is_series) {
        true => Entry::line(line.color, line.dash, label(line)),
        false => Entry::dot(line.color, DOT, label(line)),
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
    let by = if factors.is_empty() { String::new() } else { format!("; lines: {factors}") };
    let below = residuals::words(plot, over);
    Page::new(&sweep.title, subtitle + &by + &below, legend, notes)
}
