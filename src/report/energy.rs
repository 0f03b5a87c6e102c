//! The energy book over time, and below it the error of its balance.
//!
//! The book contains the losses at impacts and in lasting contacts and the work of kinematic bodies. So the sum
//! (kinetic + potential + dissipated + contact_heat − work) stays constant. The lower frame shows its deviation from
//! the value at the start.

use std::path::Path;

use glam::DVec2;

use super::chart::{Axis, Entry, Frame, Frames, Gaps, Page, Series, Setup, Shown, Span, brief};
use super::drawing::{Canvas, Color, Dash, PALETTE, Rect, Stroke, TEXT};
use super::error::ReportError;
use super::rows::every_row;
use crate::record::tables::{Energy, Events};
use crate::scenario::{EventLog, Scenario};

/// Width and height of both frames together, pixels.
const INNER: DVec2 = DVec2::new(720.0, 460.0);
/// Height of the lower frame, pixels.
const LOWER: f64 = 120.0;

/// Height of the frame of the drift where nothing else is to be seen, pixels.
const STEADY: f64 = 240.0;

/// Relative drift that is only rounding.
const NOISE: f64 = 1e-14;

/// Relative change of an energy that a picture does not show.
const LEVEL: f64 = 1e-6;

/// Least number of ticks of the drift, which has both signs.
const DRIFT_TICKS: f64 = 4.0;

/// The indices of the kinetic energy and of the energy lost at impacts.
const KINETIC: usize = 0;
const DISSIPATED: usize = 2;

/// The part of all changes that makes a start a hard one, its length in the picture over the time they take, and its
/// greatest length over that of the run.
const MOST: f64 = 0.75;
const START_SHOWN: f64 = 4.0;
const START_MAX: f64 = 0.2;

/// Most losses that are drawn as separate steps.
const STEPS_MAX: usize = 2000;

/// How many lines are parts of the book; the last line is their sum.
const PARTS: usize = 5;

/// A line of the upper frame.
struct Line {
    label: &'static str,
    color: Color,
    dash: Dash,
    series: Series,
}

/// The content of the table, in bounded memory.
#[derive(Default)]
struct Book {
    lines: Vec<Line>,
    /// The sum minus its value at the start, J.
    drift: Series,
    /// The energy with which the drift is compared, as in the summary of a run, J.
    largest: f64,
    time: Span,
}

/// Draws the energy of the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let book = read(scenario, folder)?;
    let style = setup.style;
    let [above, below] = axes(&book, setup);
    let steady = book.is_steady() && setup.asked.y.is_none() && !setup.is_shared;
    let windows = windows(&book, steady, setup);
    let inner = if steady { DVec2::new(INNER.x, STEADY) } else { INNER };
    let share = if steady { 1.0 } else { LOWER / INNER.y };
    let stacked = [(&below, share), (&above, 1.0 - share)];
    let floor = Frames::stack(style, if steady { &stacked[..1] } else { &stacked });
    let (mut canvas, rect) = page(scenario, &book, (steady, setup.is_shared), &windows)
        .compose(setup, Frames { floor, ..Frames::new(inner, &[&above, &below]) });
    let lower = rect.size().y * share;
    let [upper, lower] = rect.stacked(lower, Gaps::of(style).between);
    let parts = |rect: Rect, y: &Axis| Frame::parts(rect, &windows, y, |span, width| setup.time_axis(span, width));
    if !steady {
        let upper = parts(upper, &above);
        upper.iter().for_each(|frame| draw_book(&book, frame, &mut canvas));
        upper[0].y_axis(&mut canvas);
        Frame::break_marks(&upper, &mut canvas);
    }
    let lower = parts(lower, &below);
    lower.iter().for_each(|frame| draw_drift(&book, frame, &mut canvas));
    lower[0].y_axis(&mut canvas);
    Frame::break_marks(&lower, &mut canvas);
    Ok(canvas)
}

fn draw_drift(book: &Book, lower: &Frame, canvas: &mut Canvas) {
    lower.grid(canvas);
    let scale = book.scale();
    let points: Vec<_> = book.drift.points().into_iter().map(|at| lower.place(at.x, at.y / scale)).collect();
    canvas.begin("drift of the balance");
    let width = canvas.style.curve(1.2);
    lower.line(canvas, &points, Stroke { color: TEXT, width });
    lower.edge(canvas);
    lower.x_axis(canvas);
}

fn draw_book(book: &Book, upper: &Frame, canvas: &mut Canvas) {
    let style = canvas.style;
    upper.grid(canvas);
    for line in book.drawn() {
        canvas.begin(line.label);
        let points: Vec<_> = line.series.points().into_iter().map(|at| upper.place(at.x, at.y)).collect();
        upper.curve(canvas, &points, Stroke { color: line.color, width: style.curve(1.8) }, line.dash);
    }
    upper.edge(canvas);
}

fn read(scenario: &Scenario, folder: &Path) -> Result<Book, ReportError> {
    let line = |label, color, place| Line { label, color, dash: Dash::nth(place), series: Series::default() };
    let mut book = Book {
        lines: vec![
            line("kinetic", PALETTE[0], 0),
            line("potential", PALETTE[2], 1),
            line("impact heat", PALETTE[1], 3),
            line("contact heat", PALETTE[4], 4),
            line("work", PALETTE[3], 5),
            line("balance", TEXT, 2),
        ],
        ..Book::default()
    };
    let least = least_potential(folder)?;
    let losses = losses(scenario, folder)?;
    let mut done = 0;
    let mut before: Option<(f64, [f64; PARTS + 1])> = None;
    let mut start: Option<[f64; 2]> = None;
    every_row::<Energy>(folder, |row| {
        let time = row.time.seconds();
        let potential = row.potential - least;
        let sum = row.kinetic + potential + row.dissipated + row.contact_heat - row.work;
        let values = [row.kinetic, potential, row.dissipated, row.contact_heat, row.work, sum];
        let until = done + losses[done..].partition_point(|&(instant, _)| instant <= time);
        if let Some((since, earlier)) = before {
            book.steps(&losses[done..until], [since, time], [earlier[KINETIC], row.kinetic], earlier[DISSIPATED]);
        }
        (done, before) = (until, Some((time, values)));
        book.lines.iter_mut().zip(values).for_each(|(line, value)| line.series.add(time, value));
        let [first, high] = *start.get_or_insert([sum, potential]);
        book.drift.add(time, sum - first);
        let in_play = row.kinetic + (potential - high).abs();
        book.largest = book.largest.max(in_play).max(row.dissipated + row.contact_heat).max(row.work.abs());
        book.time.include(time);
    })?;
    Ok(book)
}

/// The losses of energy at impacts: instant, s, and energy, J, in order. They show at which instants the energy falls
/// between two rows of the book. Empty if events were only counted, or if they are so many that steps could not be
/// seen.
fn losses(scenario: &Scenario, folder: &Path) -> Result<Vec<(f64, f64)>, ReportError> {
    let mut losses = Vec::new();
    if scenario.record.events == EventLog::All {
        every_row::<Events>(folder, |row| {
            if row.loss > 0.0 && losses.len() <= STEPS_MAX {
                losses.push((row.time.seconds(), row.loss));
            }
        })?;
    }
    if losses.len() > STEPS_MAX {
        losses.clear();
    }
    Ok(losses)
}

/// The smallest potential energy of the run, J. Potential energies are counted from it: counted from far away, they
/// would be much larger than all changes.
fn least_potential(folder: &Path) -> Result<f64, ReportError> {
    let mut least = f64::INFINITY;
    every_row::<Energy>(folder, |row| least = least.min(row.potential))?;
    Ok(if least.is_finite() { least } else { 0.0 })
}

impl Book {
    /// Adds the steps at which energy was lost between two rows. At a step the kinetic energy falls by as much as the
    /// energy lost rises. Other changes of the kinetic energy are spread evenly over the time between the rows.
    fn steps(&mut self, losses: &[(f64, f64)], [since, until]: [f64; 2], kinetic: [f64; 2], level: f64) {
        let total: f64 = losses.iter().map(|(_, loss)| loss).sum();
        let even = kinetic[1] + total - kinetic[0];
        let mut lost = 0.0;
        for &(instant, loss) in losses {
            let share = if until > since { (instant - since) / (until - since) } else { 0.0 };
            let without = kinetic[0] + even * share;
            for lost in [lost, lost + loss] {
                self.lines[KINETIC].series.add(instant, (without - lost).max(0.0));
                self.lines[DISSIPATED].series.add(instant, level + lost);
            }
            lost += loss;
        }
    }

    /// The lines that are not always zero; the notes name the others.
    fn drawn(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.series.is_zero())
    }

    /// Whether every line is level, to what a picture can show.
    fn is_steady(&self) -> bool {
        self.lines.iter().all(|line| line.series.span().length() <= LEVEL * self.scale())
    }

    /// Where a start ends in which most of the run happens, s. What happens is the sum of all rises and falls of the
    /// lines.
    fn hard_start(&self) -> Option<f64> {
        let mut changes: Vec<(f64, f64)> = Vec::new();
        for line in &self.lines[..PARTS] {
            let points = line.series.points();
            changes.extend(points.windows(2).map(|pair| (pair[1].x, (pair[1].y - pair[0].y).abs())));
        }
        changes.sort_unstable_by(|one, next| one.0.total_cmp(&next.0));
        let all: f64 = changes.iter().map(|change| change.1).sum();
        let mut done = 0.0;
        let (busy, _) = changes.iter().find(|change| {
            done += change.1;
            done > MOST * all
        })?;
        let shown = START_SHOWN * (busy - self.time.low);
        (shown > 0.0 && shown < START_MAX * self.time.length()).then_some(self.time.low + shown)
    }

    /// The largest relative drift of the balance.
    fn worst(&self) -> f64 {
        let drift = self.drift.span();
        if drift.is_empty() { 0.0 } else { drift.low.abs().max(drift.high.abs()) / self.scale() }
    }

    /// The energy with which the drift is compared, J.
    fn scale(&self) -> f64 {
        if self.largest > 0.0 { self.largest } else { 1.0 }
    }
}

/// The spans of time that are shown: the whole time, or a hard start and what follows it.
fn windows(book: &Book, steady: bool, setup: Setup<'_>) -> Vec<Span> {
    let whole = setup.time(book.time);
    let hard =
        book.hard_start().filter(|_| !steady && setup.asked.time.is_none() && !setup.is_log_x() && !setup.is_shared);
    hard.map_or(vec![whole], |end| vec![Span::new(whole.low, end), Span::new(end, whole.high)])
}

fn page(scenario: &Scenario, book: &Book, (steady, shared): (bool, bool), windows: &[Span]) -> Page {
    let entry = |line: &Line| Entry::line(line.color, line.dash, line.label);
    let legend = if steady { Vec::new() } else { book.drawn().map(entry).collect() };
    let silent: Vec<_> =
        book.lines[..PARTS].iter().filter(|line| line.series.is_zero()).map(|line| line.label).collect();
    let mut notes = Vec::new();
    if steady {
        let level = |line: &Line| format!("{} {} J", line.label, brief(line.series.span().middle()));
        let is_seen = |line: &&Line| line.series.span().high > LEVEL * book.scale();
        let levels: Vec<_> = book.lines[..PARTS].iter().filter(is_seen).map(level).collect();
        notes.extend((!levels.is_empty()).then(|| format!("Constant: {}.", levels.join(", "))));
    }
    // Beside other runs it would seem to be said of all of them.
    if !silent.is_empty() && !shared {
        notes.push(format!("Zero throughout: {}.", silent.join(", ")));
    }
    let worst = book.worst();
    notes.push(if worst == 0.0 {
        "The balance never changes, to the last bit.".to_owned()
    } else {
        format!("Largest relative drift of the balance: {}.", brief(worst))
    });
    let subtitle = if steady {
        "Drift of the energy over time, relative to it".to_owned()
    } else {
        let part = match windows {
            [first, _] => format!("; the first {} s are drawn wider", brief(first.length())),
            _ => String::new(),
        };
        format!(
            "Energy over time, potential energy above its minimum; balance = kinetic + potential + heat − work{part}"
        )
    };
    Page::new(&scenario.title, subtitle, legend, notes)
}

/// The vertical axes of the book and of its drift.
fn axes(book: &Book, setup: Setup<'_>) -> [Axis; 2] {
    let values = book.lines.iter().fold(Span::new(0.0, 0.0), |span, line| span.joined(line.series.span()));
    let values = if values.length() > 0.0 { values } else { Span::new(0.0, 1.0) };
    let positive = book.lines.iter().fold(Span::EMPTY, |span, line| span.joined(line.series.positive()));
    let margin = 0.05 * values.length();
    let low = if values.low == 0.0 { 0.0 } else { values.low - margin };
    let shown = Shown { span: Span::new(low, values.high + margin), positive, count: setup.ticks_up(6.0, INNER) };
    let ticks = setup.ticks_up(5.0, INNER).max(DRIFT_TICKS);
    let drift = Axis::linear(drift_span(book), ticks, "relative drift", "");
    [setup.y_axis(shown, "energy", "J"), drift]
}

/// A span with zero in the middle, and wide enough that rounding does not look like a change.
fn drift_span(book: &Book) -> Span {
    let size = 1.15 * book.worst().max(NOISE);
    Span::new(-size, size)
}
