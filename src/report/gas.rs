//! A gas over time: temperature, pressure, rate of impacts and compressibility, one frame each.
//!
//! A quantity that is not defined has no frame, and a note says why. A dashed line is the mean from the first row of
//! the second half on, and the words above the frame say when that is. The means in the summary begin exactly at the
//! half. A dotted line is the theoretical value, if there is one.

use std::path::Path;

use glam::DVec2;

use super::chart::{Axis, Entry, Frame, Frames, Gaps, Page, Series, Setup, Span, brief, signed, single, words};
use super::drawing::{Anchor, Canvas, Color, Dash, PALETTE, Rect, Stroke, TEXT, Words};
use super::error::ReportError;
use super::gas_theory::Spheres;
use super::rows::every_row;
use crate::record::gas::{GasKind, Undefined};
use crate::record::tables::Gas;
use crate::scenario::Scenario;

/// Width of the frames and height of one of them, pixels.
const INNER: DVec2 = DVec2::new(720.0, 130.0);
/// Colours of the quantities, and of theory.
const CURVE: Color = PALETTE[0];
const THEORY: Color = PALETTE[1];
/// Errors and means of sizes in this range are written without powers of ten.
const PLAIN: (f64, f64) = (1e-4, 1e4);
/// Least error that is shown, over the mean.
const ERROR_MIN: f64 = 1e-6;
/// Least height of a frame, ems of captions: that of the longest caption.
const LOWEST: f64 = 9.7;

/// One quantity over time.
#[derive(Default)]
struct Quantity {
    label: &'static str,
    unit: &'static str,
    /// The author of the theory for its mean.
    source: Option<&'static str>,
    series: Series,
    /// Whether a value is that of its instant, and not the mean since the previous one.
    is_of_instant: bool,
    /// The value of the previous row, if it has one.
    before: Option<f64>,
    /// Sum of the means of the second half times their spans, and sum of these spans, s.
    sums: [f64; 2],
    /// Beginning of the first of these spans, s.
    since: Option<f64>,
    /// For the values of the second half: their number, their mean, and the sum of their squared deviations from it.
    spread: (f64, f64, f64),
    /// The theoretical value of the mean.
    theory: Option<f64>,
}

impl Quantity {
    /// The mean of the second half, and its beginning, s.
    fn mean(&self) -> Option<(f64, f64)> {
        self.since.map(|since| (self.sums[0] / self.sums[1], since))
    }

    /// The standard error of the mean, as if the rows were independent of each other.
    fn error(&self) -> Option<f64> {
        let (count, _, squares) = self.spread;
        (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt())
    }

    /// The mean in words, with its error, since when it is taken, and the theoretical value.
    fn words(&self) -> Option<Vec<String>> {
        let (mean, since) = self.mean()?;
        // An error far below the digits shown is left out, such as that of a temperature that never changes.
        let error = self.error().filter(|&error| error > ERROR_MIN * mean.abs());
        let mean = match error {
            // The last digit of the mean is that of the error.
            Some(error) if (PLAIN.0..PLAIN.1).contains(&error) && mean.abs() < PLAIN.1 => {
                format!("mean {} ± {}", signed(mean, (-error.log10().floor()).max(0.0) as usize), single(error))
            }
            Some(error) => format!("mean {} ± {}", brief(mean), single(error)),
            None => format!("mean {}", brief(mean)),
        };
        let mean = format!("{mean} {}", self.unit).trim_end().to_owned();
        let theory = self.theory.zip(self.source).map(|(theory, name)| format!("; {name} {}", brief(theory)));
        Some([mean, format!(", $t$ ≥ {} s", brief(since))].into_iter().chain(theory).collect())
    }

    /// Adds the value of the row at `time`. It counts for the mean from the time `since` on, if that is given.
    fn add(&mut self, time: f64, value: Option<f64>, since: Option<f64>) {
        let before = std::mem::replace(&mut self.before, value);
        let Some(value) = value else { return };
        self.series.add(time, value);
        if let Some(since) = since.filter(|&since| since < time) {
            let mean = if self.is_of_instant { 0.5 * (before.unwrap_or(value) + value) } else { value };
            self.sums[0] += mean * (time - since);
            self.sums[1] += time - since;
            self.since.get_or_insert(since);
            // Welford, Note on a method for calculating corrected sums of squares and products, 1962.
            let (count, middle, squares) = self.spread;
            let step = mean - middle;
            let next = middle + step / (count + 1.0);
            self.spread = (count + 1.0, next, squares + step * (mean - next));
        }
    }

    /// The vertical axis. It spans at least a hundredth of the value, so that rounding does not look like a change.
    fn axis(&self, setup: Setup<'_>, height: f64) -> Axis {
        let mut span = self.series.span();
        self.theory.into_iter().for_each(|theory| span.include(theory));
        let size = span.low.abs().max(span.high.abs());
        let margin = (0.06 * span.length()).max(0.5 * (0.01 * size - span.length()));
        Axis::linear(span.widened(margin), setup.style.ticks_up(4.0, INNER.y, height), self.label, self.unit)
    }
}

/// Draws the properties of the gas in the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let kind = GasKind::of(&scenario.settings, &scenario.bodies);
    let spheres = Spheres::of(scenario, &kind);
    let (mut quantities, end) = read(folder, kind.dimension(), spheres.map_or("", Spheres::name))?;
    let theory = spheres.zip(quantities[0].mean());
    if let Some((spheres, (temperature, _))) = theory {
        quantities[1].theory = Some(spheres.pressure(temperature));
        quantities[2].theory = Some(spheres.collision_rate(temperature));
        quantities[3].theory = Some(spheres.compressibility());
    }
    let drawn: Vec<&Quantity> = quantities.iter().filter(|quantity| !quantity.series.points().is_empty()).collect();
    let rows = drawn.len().max(1) as f64;
    let style = setup.style;
    // A line of words stands above each frame.
    let above = 1.4 * style.small_size;
    let gap = Gaps::of(style).between + above;
    let height = style.planned(INNER).y.max(LOWEST * style.label_size).min(INNER.y);
    let height = if style.width.is_none() { INNER.y } else { height };
    let inner = DVec2::new(INNER.x, height * rows + gap * (rows - 1.0) + above);
    let axes: Vec<Axis> = drawn.iter().map(|quantity| quantity.axis(setup, height)).collect();
    let all: Vec<&Axis> = axes.iter().collect();
    let shares: Vec<(&Axis, f64)> = all.iter().map(|&axis| (axis, 1.0 / rows)).collect();
    let floor = Frames::stack(style, &shares) + above * rows;
    let frames = Frames { least: inner.y, floor, ..Frames::new(inner, &all) };
    let (mut canvas, rect) = page(scenario, &drawn, kind.undefined()).compose(setup, frames);
    let x = setup.time_axis(Span::new(0.0, end), rect.size().x);
    let height = (rect.size().y - gap * (rows - 1.0) - above) / rows;
    for (row, (quantity, y)) in drawn.iter().zip(axes).enumerate() {
        let top = rect.min.y + above + (height + gap) * row as f64;
        let rect = Rect { min: DVec2::new(rect.min.x, top), max: DVec2::new(rect.max.x, top + height) };
        let frame = Frame { rect, x: x.clone(), y };
        frame.grid(&mut canvas);
        canvas.begin(&Words::formula(quantity.label).plain());
        let points: Vec<_> = quantity.series.points().into_iter().map(|at| frame.place(at.x, at.y)).collect();
        frame.line(&mut canvas, &points, Stroke { color: CURVE, width: style.curve(1.5) });
        if let Some((mean, since)) = quantity.mean() {
            canvas.begin_theory("mean");
            let ends = [frame.place(since, mean), frame.place(end, mean)];
            frame.curve(&mut canvas, &ends, Stroke { color: TEXT, width: style.curve(1.2) }, Dash::DASHED);
            if let Some(theory) = quantity.theory {
                canvas.begin_theory("theory");
                let ends = [frame.place(since, theory), frame.place(end, theory)];
                frame.curve(&mut canvas, &ends, Stroke { color: THEORY, width: style.curve(1.5) }, Dash::DOTTED);
            }
        }
        if let Some(parts) = quantity.words() {
            canvas.begin_around("words");
            let text = Words::fitting(&parts, style.small_size, frame.rect.size().x);
            let at = DVec2::new(frame.rect.max.x, frame.rect.min.y - 0.4 * style.small_size);
            canvas.push(words(text, at, style.small_size, Anchor::End, false));
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
fn read(folder: &Path, dimension: usize, equation: &'static str) -> Result<([Quantity; 4], f64), ReportError> {
    let pressure = ["N", "N/m", "N/m²"][dimension.clamp(1, 3) - 1];
    let rows = [
        ("$k$_B $T$", "J", None),
        ("pressure", pressure, Some(equation)),
        ("impacts per body", "1/s", Some("Enskog")),
        ("$p V$ / ($N k$_B $T$)", "", Some(equation)),
    ];
    let quantity = |(label, unit, source)| Quantity { label, unit, source, ..Quantity::default() };
    let mut quantities = rows.map(quantity);
    quantities[0].is_of_instant = true;
    let (mut end, mut last_step) = (0.0, 0);
    every_row::<Gas>(folder, |row| (end, last_step) = (row.time.seconds(), row.step))?;
    let mut before: Option<(u64, f64)> = None;
    every_row::<Gas>(folder, |row| {
        let time = row.time.seconds();
        let values = [row.temperature, row.pressure, row.collision_rate, row.compressibility];
        let since = before.filter(|&(step, _)| 2 * step >= last_step).map(|(_, since)| since);
        quantities.iter_mut().zip(values).for_each(|(quantity, value)| quantity.add(time, value, since));
        before = Some((row.step, time));
    })?;
    Ok((quantities, end))
}

fn page(scenario: &Scenario, drawn: &[&Quantity], undefined: Option<&Undefined>) -> Page {
    let mut legend = vec![Entry::line(CURVE, Dash::SOLID, "this run")];
    if drawn.iter().any(|quantity| quantity.mean().is_some()) {
        legend.push(Entry::line(TEXT, Dash::DASHED, "mean"));
    }
    if drawn.iter().any(|quantity| quantity.theory.is_some()) {
        legend.push(Entry::line(THEORY, Dash::DOTTED, "theory"));
    }
    let note = undefined.map(|reason| format!("No pressure: {reason}."));
    let subtitle = "The gas over time; means of the second half with their standard errors";
    Page::new(&scenario.title, subtitle, legend, note)
}
