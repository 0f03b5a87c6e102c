//! A gas over time: temperature, pressure, rate of impacts and compressibility, one frame each.
//!
//! Where a quantity is not defined its frame is left out, and a note says why. A dashed line is the mean from the first row of
//! the second half on, and the legend says when that is: the means in the summary begin at the half itself.

use std::path::Path;

use glam::DVec2;

use super::chart::axes::{Axis, Span};
use super::chart::frame::Frame;
use super::chart::gaps::Gaps;
use super::chart::legend::Entry;
use super::chart::numbers::brief;
use super::chart::page::{Frames, Page};
use super::chart::series::Series;
use super::chart::setup::Setup;
use super::drawing::canvas::{Canvas, Stroke};
use super::drawing::dash::Dash;
use super::drawing::ink::{Color, PALETTE, TEXT};
use super::drawing::rect::Rect;
use super::drawing::words::Words;
use super::error::ReportError;
use crate::record::gas::{GasKind, Undefined};
use crate::record::tables::Gas;
use crate::record::tables::read::each_row;
use crate::scenario::Scenario;

/// Width of the frames and height of one of them, pixels.
const INNER: DVec2 = DVec2::new(720.0, 130.0);
/// Least height of one of them, ems of captions: that of the longest caption.
const LOWEST: f64 = 9.7;

/// One quantity over time.
struct Quantity {
    label: &'static str,
    unit: &'static str,
    color: Color,
    series: Series,
    /// Whether a value is that of its instant, and no mean since the one before.
    is_of_instant: bool,
    /// The value of the row before, where it has one.
    before: Option<f64>,
    /// Means of the second half times their spans, and these spans, s.
    sums: [f64; 2],
    /// When the first of these spans begins, s.
    since: Option<f64>,
}

impl Quantity {
    /// The mean of the second half, and since when, s.
    fn mean(&self) -> Option<(f64, f64)> {
        self.since.map(|since| (self.sums[0] / self.sums[1], since))
    }

    /// Adds the value of the next row, at `time`; from `since` on, if it counts for the mean.
    fn add(&mut self, time: f64, value: Option<f64>, since: Option<f64>) {
        let before = std::mem::replace(&mut self.before, value);
        let Some(value) = value else { return };
        self.series.add(time, value);
        if let Some(since) = since.filter(|&since| since < time) {
            let mean = if self.is_of_instant { 0.5 * (before.unwrap_or(value) + value) } else { value };
            self.sums[0] += mean * (time - since);
            self.sums[1] += time - since;
            self.since.get_or_insert(since);
        }
    }

    /// What is shown: at least a hundredth of the value, so that rounding does not look like a change.
    fn axis(&self, setup: Setup<'_>, height: f64) -> Axis {
        let span = self.series.span();
        let size = span.low.abs().max(span.high.abs());
        let margin = (0.06 * span.length()).max(0.5 * (0.01 * size - span.length()));
        Axis::linear(span.widened(margin), setup.style.ticks_up(4.0, INNER.y, height), self.label, self.unit)
    }
}

/// Draws what the gas was like in the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let kind = GasKind::of(&scenario.settings, &scenario.bodies);
    let (quantities, end) = read(folder, kind.dimension())?;
    let drawn: Vec<&Quantity> = quantities.iter().filter(|quantity| !quantity.series.points().is_empty()).collect();
    let rows = drawn.len().max(1) as f64;
    let (style, gap) = (setup.style, Gaps::of(setup.style).between);
    let height = style.planned(INNER).y.max(LOWEST * style.label_size).min(INNER.y);
    let height = if style.width.is_none() { INNER.y } else { height };
    let inner = DVec2::new(INNER.x, height * rows + gap * (rows - 1.0));
    let axes: Vec<Axis> = drawn.iter().map(|quantity| quantity.axis(setup, height)).collect();
    let frames = Frames { inner, rigid: false, least: inner.y, axes: &axes.iter().collect::<Vec<_>>() };
    let (mut canvas, rect) = page(scenario, &drawn, kind.undefined()).compose(style, frames);
    let x = setup.time_axis(Span::new(0.0, end), rect.size().x);
    let height = (rect.size().y - gap * (rows - 1.0)) / rows;
    for (row, (quantity, y)) in drawn.iter().zip(axes).enumerate() {
        let top = rect.min.y + (height + gap) * row as f64;
        let rect = Rect { min: DVec2::new(rect.min.x, top), max: DVec2::new(rect.max.x, top + height) };
        let frame = Frame { rect, x: x.clone(), y };
        frame.grid(&mut canvas);
        canvas.begin(quantity.label);
        let points: Vec<_> = quantity.series.points().into_iter().map(|at| frame.place(at.x, at.y)).collect();
        frame.line(&mut canvas, &points, Stroke { color: quantity.color, width: style.curve(1.5) });
        if let Some((mean, since)) = quantity.mean() {
            let ends = [frame.place(since, mean), frame.place(end, mean)];
            frame.curve(&mut canvas, &ends, Stroke { color: TEXT, width: style.curve(1.2) }, Dash::DASHED);
        }
        frame.edge(&mut canvas);
        frame.y_axis(&mut canvas);
        if row + 1 == drawn.len() {
            frame.x_axis(&mut canvas);
        }
    }
    Ok(canvas)
}

/// The quantities, and the time of the last row, s.
fn read(folder: &Path, dimension: usize) -> Result<(Vec<Quantity>, f64), ReportError> {
    let pressure = ["N", "N/m", "N/m²"][dimension.clamp(1, 3) - 1];
    let rows = [("k_B T", "J"), ("pressure", pressure), ("impacts per body", "1/s"), ("p V / (N k_B T)", "")];
    let quantity = |((label, unit), color): ((&'static str, &'static str), Color)| Quantity {
        label,
        unit,
        color,
        series: Series::new(),
        is_of_instant: false,
        before: None,
        sums: [0.0; 2],
        since: None,
    };
    let mut quantities: Vec<Quantity> = rows.into_iter().zip(PALETTE).map(quantity).collect();
    quantities[0].is_of_instant = true;
    let (mut end, mut last_step) = (0.0, 0);
    each_row::<Gas>(folder, |row| {
        (end, last_step) = (row.time.seconds(), row.step);
        Ok(())
    })?;
    let mut before: Option<(u64, f64)> = None;
    each_row::<Gas>(folder, |row| {
        let time = row.time.seconds();
        let values = [row.temperature, row.pressure, row.collision_rate, row.compressibility];
        let since = before.filter(|&(step, _)| 2 * step >= last_step).map(|(_, since)| since);
        quantities.iter_mut().zip(values).for_each(|(quantity, value)| quantity.add(time, value, since));
        before = Some((row.step, time));
        Ok(())
    })?;
    Ok((quantities, end))
}

fn page(scenario: &Scenario, drawn: &[&Quantity], undefined: Option<&Undefined>) -> Page {
    let mut legend = Vec::new();
    for quantity in drawn {
        legend.push(Entry::line(quantity.color, Dash::SOLID, Words::formula(quantity.label)));
        if let Some((mean, since)) = quantity.mean() {
            let mean = format!("mean {} {}", brief(mean), quantity.unit);
            legend.push(Entry::line(TEXT, Dash::DASHED, format!("{}, t ≥ {} s", mean.trim_end(), brief(since))));
        }
    }
    let notes = undefined.map(|reason| format!("No pressure: {reason}."));
    let subtitle = "The gas over time: each value is a mean since the one before, k_B T that of the instant; \
                    dashed, the mean of the second half's rows";
    let subtitle = subtitle.to_owned();
    Page { title: scenario.title.clone(), subtitle, legend, notes: notes.into_iter().collect() }
}
