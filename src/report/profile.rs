//! How full a vessel is at each distance from its walls.
//!
//! At a smooth wall every ball touches it at one point, so the part that they fill rises from 0 to a first layer of
//! balls, and swings about its mean further inside.

use std::path::Path;

use glam::DVec2;

use super::chart::{Page, Setup, Shown, Span};
use super::drawing::{Canvas, PALETTE, Stroke, faded};
use super::error::ReportError;
use super::rows::every_row;
use crate::record::tables::Profile;
use crate::scenario::Scenario;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);

/// Draws the profile of the packing at the end of the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let mut rows = Vec::new();
    every_row::<Profile>(folder, |row| rows.push((0.5 * (row.low + row.high), row.fraction)))?;
    let least = rows.first().map_or(0.0, |&(distance, _)| distance);
    let last = rows.iter().map(|row| row.0).fold(f64::MIN_POSITIVE, f64::max);
    let highest = rows.iter().map(|row| row.1).fold(f64::MIN_POSITIVE, f64::max);
    let positive = Span::of_positive(rows.iter().map(|row| row.1));
    let shown = Shown { span: Span::new(0.0, 1.06 * highest), positive, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "part filled by balls", "");
    let (mut canvas, frame) = page(scenario, rows.is_empty()).framed(setup, (INNER, y), |width| {
        setup.x_axis((Span::new(0.0, last), least), width, "distance from the wall / mean diameter", "")
    });
    canvas.begin("this run");
    let points: Vec<DVec2> = rows.iter().map(|&(distance, fraction)| frame.place(distance, fraction)).collect();
    if let (Some(&(first, _)), Some(&(last, _))) = (rows.first(), rows.last()) {
        let mut below = points.clone();
        below.extend([frame.place(last, frame.y.span.low), frame.place(first, frame.y.span.low)]);
        frame.area(&mut canvas, &below, faded(PALETTE[5], 0.3));
    }
    frame.line(&mut canvas, &points, Stroke { color: PALETTE[0], width: setup.style.curve(1.8) });
    frame.finish(&mut canvas);
    Ok(canvas)
}

fn page(scenario: &Scenario, is_empty: bool) -> Page {
    let subtitle = "How full the vessel is at each distance from its walls, at the end";
    let note = is_empty.then(|| "The vessel has no walls.".to_owned());
    Page::new(&scenario.title, subtitle, Vec::new(), note)
}
