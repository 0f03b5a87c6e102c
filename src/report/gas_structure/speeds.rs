//! The distribution of the speeds of a gas, with Maxwell's law.
//!
//! Bars are the counts at all recorded steps of the second half of the run, as densities; the line is Maxwell's law.

use std::path::Path;

use glam::DVec2;

use crate::record::gas::{GasKind, maxwell_density};
use crate::record::tables::read::each_row;
use crate::record::tables::{SpeedRow, Speeds};
use crate::report::chart::axes::{Axis, Span};
use crate::report::chart::frame::Frame;
use crate::report::chart::legend::Entry;
use crate::report::chart::numbers::counted;
use crate::report::chart::page::{Frames, Page};
use crate::report::chart::setup::{Setup, Shown};
use crate::report::drawing::canvas::{Canvas, Stroke};
use crate::report::drawing::dash::Dash;
use crate::report::drawing::ink::{PALETTE, faded};
use crate::report::error::ReportError;
use crate::scenario::Scenario;

/// Number of pieces of Maxwell's curve.
const POINTS: u32 = 400;
/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);

/// Draws the distribution of speeds in the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(crate) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let mut rows = Vec::new();
    each_row::<Speeds>(folder, |row| {
        rows.push(row);
        Ok(())
    })?;
    let total: u64 = rows.iter().map(|row| row.count).sum();
    let density = |count: f64, row: &SpeedRow| count / (total.max(1) as f64 * (row.high - row.low));
    let highest = rows.iter().map(|row| density((row.count as f64).max(row.maxwell), row)).fold(0.0, f64::max);
    let last = rows.iter().filter(|row| row.count > 0 || row.maxwell >= 0.5).map(|row| row.high).fold(1.0, f64::max);
    let style = setup.style;
    let mut positive = Span::EMPTY;
    rows.iter().filter(|row| row.count > 0).for_each(|row| positive.include(density(row.count as f64, row)));
    let count = style.ticks_up(6.0, INNER.y, style.planned(INNER).y);
    let y = setup.y_axis(Shown { span: Span::new(0.0, 1.06 * highest), positive, count }, "probability density", "");
    let frames = Frames { inner: INNER, rigid: false, least: 0.0, axes: &[&y] };
    let (mut canvas, rect) = page(scenario, total).compose(setup, frames);
    let span = setup.asked.x.map_or(Span::new(0.0, last), |[low, high]| Span::new(low, high));
    let least = rows.first().map_or(0.0, |row| 0.5 * (row.low + row.high));
    let count = style.ticks_along(rect.size().x);
    let x = Axis::of(setup.is_log_x(), span, least, count, "speed / √($k$_B $T$ / $m$)", "");
    let frame = Frame { rect, x, y };
    frame.grid(&mut canvas);
    canvas.begin("this run");
    for row in &rows {
        let height = density(row.count as f64, row);
        let corners = [(row.low, 0.0), (row.high, 0.0), (row.high, height), (row.low, height)];
        frame.area(&mut canvas, &corners.map(|(x, y)| frame.place(x, y)), faded(PALETTE[5], 0.7));
    }
    let dimension = GasKind::of(&scenario.settings, &scenario.bodies).dimension();
    let ends = rows.first().zip(rows.last()).map_or((0.0, 0.0), |(first, last)| (first.low, last.high));
    let speed = |place: u32| ends.0 + (ends.1 - ends.0) * f64::from(place) / f64::from(POINTS);
    let point = |place: u32| frame.place(speed(place), maxwell_density(speed(place), dimension));
    let line: Vec<DVec2> = (0..=POINTS).map(point).collect();
    canvas.begin_theory("Maxwell's law");
    frame.line(&mut canvas, &line, Stroke { color: PALETTE[1], width: style.curve(2.0) });
    frame.edge(&mut canvas);
    frame.x_axis(&mut canvas);
    frame.y_axis(&mut canvas);
    Ok(canvas)
}

fn page(scenario: &Scenario, total: u64) -> Page {
    let legend = vec![
        Entry::patch(faded(PALETTE[5], 0.7), PALETTE[5], Dash::SOLID, "this run"),
        Entry::line(PALETTE[1], Dash::SOLID, "Maxwell's law"),
    ];
    let subtitle = format!("Speeds of the gas in the second half of the run, {}", counted(total, "value"));
    let notes = if total == 0 { vec!["Nothing moved.".to_owned()] } else { Vec::new() };
    Page { title: scenario.title.clone(), subtitle, legend, notes, column: 0.0 }
}
