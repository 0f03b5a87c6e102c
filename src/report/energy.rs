//! The energy book over time, and below it how exactly it balances.
//!
//! What is lost at impacts and in lasting contacts and what kinematic bodies put in stand in the book, so that the sum
//! kinetic + potential + dissipated + rubbed − work stays what it was at the start; the lower frame shows how far it
//! strays.

use std::path::Path;

use glam::DVec2;

use super::chart::axes::{Axis, Span};
use super::chart::frame::Frame;
use super::chart::legend::{Entry, outline};
use super::chart::numbers::brief;
use super::chart::page::Page;
use super::chart::series::Series;
use super::drawing::canvas::{Canvas, Stroke};
use super::drawing::rect::Rect;
use super::drawing::style::{Color, PALETTE, TEXT};
use super::error::ReportError;
use crate::record::tables::Energy;
use crate::record::tables::read::each_row;
use crate::scenario::Scenario;

/// Width and height of both frames together, pixels.
const INNER: DVec2 = DVec2::new(720.0, 460.0);
/// Height of the lower frame, pixels.
const LOWER: f64 = 120.0;
/// Between the frames, pixels.
const GAP: f64 = 18.0;

/// How many lines are parts of the book; the last line is their sum.
const PARTS: usize = 5;

/// A line of the upper frame.
struct Line {
    label: &'static str,
    color: Color,
    dashed: bool,
    series: Series,
}

/// What the table says, in bounded memory.
struct Book {
    lines: Vec<Line>,
    /// The sum minus what it was at the start, J.
    drift: Series,
    /// The largest sum of the sizes of all parts, J.
    largest: f64,
    time: Span,
}

/// Draws the energy of the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn draw(scenario: &Scenario, folder: &Path) -> Result<Canvas, ReportError> {
    let book = read(folder)?;
    let (mut canvas, rect) = page(scenario, &book).compose(INNER);
    let [upper, lower] = frames(&book, rect);
    upper.grid(&mut canvas);
    for line in book.drawn() {
        let points: Vec<_> = line.series.points().into_iter().map(|at| upper.place(at.x, at.y)).collect();
        outline(&mut canvas, &points, Stroke { color: line.color, width: 1.8 }, line.dashed);
    }
    upper.edge(&mut canvas);
    upper.y_axis(&mut canvas);
    lower.grid(&mut canvas);
    let scale = book.scale();
    let points: Vec<_> = book.drift.points().into_iter().map(|at| lower.place(at.x, at.y / scale)).collect();
    lower.line(&mut canvas, &points, Stroke { color: TEXT, width: 1.2 });
    lower.edge(&mut canvas);
    lower.x_axis(&mut canvas);
    lower.y_axis(&mut canvas);
    Ok(canvas)
}

fn read(folder: &Path) -> Result<Book, ReportError> {
    let line = |label, color, dashed| Line { label, color, dashed, series: Series::new() };
    let mut book = Book {
        lines: vec![
            line("kinetic", PALETTE[0], false),
            line("potential", PALETTE[2], false),
            line("dissipated", PALETTE[1], false),
            line("rubbed", PALETTE[4], false),
            line("work put in", PALETTE[3], false),
            line("balance", TEXT, true),
        ],
        drift: Series::new(),
        largest: 0.0,
        time: Span::EMPTY,
    };
    let least = least_potential(folder)?;
    let mut start = None;
    each_row::<Energy>(folder, |row| {
        let time = row.time.seconds();
        let potential = row.potential - least;
        let sum = row.kinetic + potential + row.dissipated + row.rubbed - row.work;
        let values = [row.kinetic, potential, row.dissipated, row.rubbed, row.work, sum];
        book.lines.iter_mut().zip(values).for_each(|(line, value)| line.series.add(time, value));
        book.drift.add(time, sum - *start.get_or_insert(sum));
        book.largest = values[..PARTS].iter().map(|value| value.abs()).fold(book.largest, f64::max);
        book.time.include(time);
        Ok(())
    })?;
    Ok(book)
}

/// The smallest potential energy of the run, J, from which it is counted: one that is counted from far away
/// would dwarf everything that happens.
fn least_potential(folder: &Path) -> Result<f64, ReportError> {
    let mut least = f64::INFINITY;
    each_row::<Energy>(folder, |row| {
        least = least.min(row.potential);
        Ok(())
    })?;
    Ok(if least.is_finite() { least } else { 0.0 })
}

impl Book {
    /// The lines worth drawing: what is always zero says so in the notes instead.
    fn drawn(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.series.is_zero())
    }

    /// What the drift is compared with, J.
    fn scale(&self) -> f64 {
        if self.largest > 0.0 { self.largest } else { 1.0 }
    }
}

fn page(scenario: &Scenario, book: &Book) -> Page {
    let legend = book.drawn().map(|line| Entry::line(line.color, line.dashed, line.label)).collect();
    let silent: Vec<_> =
        book.lines[..PARTS].iter().filter(|line| line.series.is_zero()).map(|line| line.label).collect();
    let mut notes = Vec::new();
    if !silent.is_empty() {
        notes.push(format!("Zero throughout: {}.", silent.join(", ")));
    }
    let drift = book.drift.span();
    let worst = if drift.is_empty() { 0.0 } else { drift.low.abs().max(drift.high.abs()) / book.scale() };
    notes.push(if worst == 0.0 {
        "The balance never changes, to the last bit.".to_owned()
    } else {
        format!("Largest relative drift of the balance: {}.", brief(worst))
    });
    let subtitle =
        "Energy over time, the potential from its least; balance = kinetic + potential + dissipated + rubbed − work"
            .to_owned();
    Page { title: scenario.title.clone(), subtitle, legend, notes }
}

fn frames(book: &Book, rect: Rect) -> [Frame; 2] {
    let values = book.lines.iter().fold(Span::new(0.0, 0.0), |span, line| span.joined(line.series.span()));
    let values = if values.length() > 0.0 { values } else { Span::new(0.0, 1.0) };
    let margin = 0.05 * values.length();
    let low = if values.low == 0.0 { 0.0 } else { values.low - margin };
    let x = Axis::linear(book.time, 8.0, "time", "s");
    let y = Axis::linear(Span::new(low, values.high + margin), 6.0, "energy", "J");
    let upper = Rect { max: DVec2::new(rect.max.x, rect.max.y - LOWER - GAP), ..rect };
    let lower = Rect { min: DVec2::new(rect.min.x, rect.max.y - LOWER), ..rect };
    let drift = Axis::linear(drift_span(book), 5.0, "rel. drift", "");
    [Frame { rect: upper, x: x.clone(), y }, Frame { rect: lower, x, y: drift }]
}

/// Zero in the middle, and never finer than the spacing of floating-point numbers.
fn drift_span(book: &Book) -> Span {
    let span = book.drift.span();
    let size = if span.is_empty() { 0.0 } else { span.low.abs().max(span.high.abs()) / book.scale() };
    let size = 1.15 * size.max(f64::EPSILON);
    Span::new(-size, size)
}
