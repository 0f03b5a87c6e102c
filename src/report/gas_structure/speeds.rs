//! The distribution of the speeds of a gas, with Maxwell's law.
//!
//! Bars are the counts at all recorded steps of the second half of the run, as densities; the line is Maxwell's law.

use std::path::Path;

use glam::DVec2;

use crate::record::gas::{GasKind, maxwell_density};
use crate::record::tables::{SpeedRow, Speeds};
use crate::report::chart::{Entry, Page, Setup, Shown, Span, counted};
use crate::report::drawing::{Canvas, Dash, PALETTE, Stroke, faded};
use crate::report::error::ReportError;
use crate::report::rows::every_row;
use crate::scenario::Scenario;

/// Least number of pieces of Maxwell's curve, and of those in a class.
const POINTS: usize = 400;
const POINTS_A_CLASS: usize = 4;
/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);

/// Draws the distribution of speeds in the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(crate) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let mut rows = Vec::new();
    every_row::<Speeds>(folder, |row| rows.push(row))?;
    let total: u64 = rows.iter().map(|row| row.count).sum();
    let density = |count: f64, row: &SpeedRow| count / (total.max(1) as f64 * (row.high - row.low));
    let highest = rows.iter().map(|row| density((row.count as f64).max(row.maxwell), row)).fold(0.0, f64::max);
    let last = rows.iter().filter(|row| row.count > 0 || row.maxwell >= 0.5).map(|row| row.high).fold(1.0, f64::max);
    let positive = Span::of(rows.iter().filter(|row| row.count > 0).map(|row| density(row.count as f64, row)));
    let shown = Shown { span: Span::new(0.0, 1.06 * highest), positive, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "probability density", "");
    let least = rows.first().map_or(0.0, |row| 0.5 * (row.low + row.high));
    let (mut canvas, frame) = page(scenario, total).framed(setup, (INNER, y), |width| {
        setup.x_axis((Span::new(0.0, last), least), width, "speed / √($k$_B $T$ / $m$)", "")
    });
    canvas.begin("this run");
    for row in rows.iter().filter(|row| row.count > 0) {
        let height = density(row.count as f64, row);
        let corners = [(row.low, 0.0), (row.high, 0.0), (row.high, height), (row.low, height)];
        frame.area(&mut canvas, &corners.map(|(x, y)| frame.place(x, y)), faded(PALETTE[5], 0.7));
    }
    let dimension = GasKind::of(&scenario.settings, &scenario.bodies).dimension();
    let ends = rows.first().zip(rows.last()).map_or((0.0, 0.0), |(first, last)| (first.low, last.high));
    let pieces = POINTS.max(POINTS_A_CLASS * rows.len());
    let speed = |place: usize| ends.0 + (ends.1 - ends.0) * place as f64 / pieces as f64;
    let point = |place: usize| frame.place(speed(place), maxwell_density(speed(place), dimension));
    let line: Vec<DVec2> = (0..=pieces).map(point).collect();
    canvas.begin_theory("Maxwell's law");
    frame.line(&mut canvas, &line, Stroke { color: PALETTE[1], width: setup.style.curve(2.0) });
    frame.finish(&mut canvas);
    Ok(canvas)
}

fn page(scenario: &Scenario, total: u64) -> Page {
    let legend = vec![
        Entry::patch(faded(PALETTE[5], 0.7), PALETTE[5], Dash::SOLID, "this run"),
        Entry::line(PALETTE[1], Dash::SOLID, "Maxwell's law"),
    ];
    let subtitle = format!("Speeds of the gas in the second half of the run, {}", counted(total, "value"));
    let note = (total == 0).then(|| "Nothing moved.".to_owned());
    Page::new(&scenario.title, subtitle, legend, note)
}
