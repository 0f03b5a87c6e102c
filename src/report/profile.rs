//! How full a vessel is at each distance from its walls.
//!
//! At a smooth wall every ball touches it at one point, so the part that they fill rises from 0 to a first layer of balls,
//! and swings about its mean further inside.

use std::path::Path;

use glam::DVec2;

use super::chart::axes::{Axis, Span};
use super::chart::frame::Frame;
use super::chart::page::{Frames, Page};
use super::chart::setup::{Setup, Shown};
use super::drawing::canvas::{Canvas, Stroke};
use super::drawing::ink::{PALETTE, faded};
use super::error::ReportError;
use crate::record::tables::Profile;
use crate::record::tables::read::each_row;
use crate::scenario::Scenario;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);

/// Draws the profile of the packing at the end of the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let mut rows = Vec::new();
    each_row::<Profile>(folder, |row| {
        rows.push((0.5 * (row.low + row.high), row.fraction));
        Ok(())
    })?;
    let (mut along, mut up, mut positive) = (Span::new(0.0, 0.0), Span::new(0.0, 0.0), Span::EMPTY);
    for &(distance, fraction) in &rows {
        along.include(distance);
        up.include(fraction);
        if fraction > 0.0 {
            positive.include(fraction);
        }
    }
    let style = setup.style;
    let count = style.ticks_up(6.0, INNER.y, style.planned(INNER).y);
    let shown = Shown { span: Span::new(0.0, 1.06 * up.high.max(f64::MIN_POSITIVE)), positive, count };
    let y = setup.y_axis(shown, "part filled by balls", "");
    let frames = Frames { inner: INNER, rigid: false, least: 0.0, axes: &[&y] };
    let (mut canvas, rect) = page(scenario, rows.is_empty()).compose(setup, frames);
    let span =
        setup.asked.x.map_or(Span::new(0.0, along.high.max(f64::MIN_POSITIVE)), |[low, high]| Span::new(low, high));
    let least = rows.first().map_or(0.0, |&(distance, _)| distance);
    let label = "distance from the wall / mean diameter";
    let x = Axis::of(setup.is_log_x(), span, least, style.ticks_along(rect.size().x), label, "");
    let frame = Frame { rect, x, y };
    frame.grid(&mut canvas);
    canvas.begin("this run");
    let points: Vec<DVec2> = rows.iter().map(|&(distance, fraction)| frame.place(distance, fraction)).collect();
    if let (Some(&(first, _)), Some(&(last, _))) = (rows.first(), rows.last()) {
        let mut below = points.clone();
        below.extend([frame.place(last, frame.y.span.low), frame.place(first, frame.y.span.low)]);
        frame.area(&mut canvas, &below, faded(PALETTE[5], 0.3));
    }
    frame.line(&mut canvas, &points, Stroke { color: PALETTE[0], width: style.curve(1.8) });
    frame.edge(&mut canvas);
    frame.x_axis(&mut canvas);
    frame.y_axis(&mut canvas);
    Ok(canvas)
}

fn page(scenario: &Scenario, is_empty: bool) -> Page {
    let subtitle = "How full the vessel is at each distance from its walls, at the end".to_owned();
    let notes = if is_empty { vec!["The vessel has no walls.".to_owned()] } else { Vec::new() };
    Page { title: scenario.title.clone(), subtitle, legend: Vec::new(), notes, column: 0.0 }
}
