//! Impacts over time of a run that only counts its events: how many there were, and how hard they were from one
//! recorded step to the next.

use std::path::Path;

use glam::DVec2;

use super::impacts::{GAP, INNER, color};
use crate::dynamics::EventKind;
use crate::record::tables::Counts;
use crate::record::tables::read::each_row;
use crate::report::chart::axes::{Axis, Span};
use crate::report::chart::frame::Frame;
use crate::report::chart::legend::Entry;
use crate::report::chart::numbers::counted;
use crate::report::chart::page::Page;
use crate::report::chart::series::Series;
use crate::report::drawing::canvas::{Canvas, Stroke};
use crate::report::drawing::rect::Rect;
use crate::report::drawing::style::PALETTE;
use crate::report::error::ReportError;
use crate::scenario::Scenario;

/// What the table says, in bounded memory.
struct Tally {
    impacts: Series,
    mean: Series,
    max: Series,
    /// All events of the run, by kind.
    events: [u64; EventKind::ALL.len()],
    time: Span,
}

/// Draws the counts of the run in `folder`.
///
/// # Errors
/// When the table cannot be read.
pub(crate) fn draw(scenario: &Scenario, folder: &Path) -> Result<Canvas, ReportError> {
    let tally = read(folder)?;
    let (mut canvas, rect) = page(scenario, &tally).compose(INNER);
    let [upper, lower] = frames(&tally, rect);
    let lines = [
        (&upper, &tally.impacts, color(EventKind::Impact)),
        (&lower, &tally.max, PALETTE[1]),
        (&lower, &tally.mean, color(EventKind::Impact)),
    ];
    for frame in [&upper, &lower] {
        frame.grid(&mut canvas);
    }
    for (frame, series, color) in lines {
        let points: Vec<_> = series.points().into_iter().map(|at| frame.place(at.x, at.y)).collect();
        frame.line(&mut canvas, &points, Stroke { color, width: 1.7 });
    }
    for frame in [&upper, &lower] {
        frame.edge(&mut canvas);
        frame.y_axis(&mut canvas);
    }
    lower.x_axis(&mut canvas);
    Ok(canvas)
}

fn read(folder: &Path) -> Result<Tally, ReportError> {
    let [impacts, mean, max] = [(); 3].map(|()| Series::new());
    let mut tally = Tally { impacts, mean, max, events: [0; EventKind::ALL.len()], time: Span::EMPTY };
    each_row::<Counts>(folder, |row| {
        let time = row.time.seconds();
        tally.time.include(time);
        tally.events = row.events;
        tally.impacts.add(time, row.events[EventKind::Impact as usize] as f64);
        row.approach_mean.into_iter().for_each(|speed| tally.mean.add(time, speed));
        row.approach_max.into_iter().for_each(|speed| tally.max.add(time, speed));
        Ok(())
    })?;
    Ok(tally)
}

fn page(scenario: &Scenario, tally: &Tally) -> Page {
    let mut legend = vec![
        Entry::line(color(EventKind::Impact), false, "impacts, mean speed"),
        Entry::line(PALETTE[1], false, "largest speed"),
    ];
    let label = |kind: EventKind| counted(tally.events[kind as usize], kind.name());
    let words: Vec<_> = EventKind::ALL.into_iter().filter(|&kind| tally.events[kind as usize] > 0).map(label).collect();
    let note = if words.is_empty() { "No event.".to_owned() } else { format!("Events: {}.", words.join(", ")) };
    if tally.max.points().is_empty() {
        legend.clear();
    }
    let subtitle = "Impacts so far, and their approach speeds from one recorded step to the next".to_owned();
    Page { title: scenario.title.clone(), subtitle, legend, notes: vec![note] }
}

fn frames(tally: &Tally, rect: Rect) -> [Frame; 2] {
    let x = Axis::linear(tally.time, 8.0, "time", "s");
    let half = 0.5 * (INNER.y - GAP);
    let row = |top: f64| Rect {
        min: DVec2::new(rect.min.x, rect.min.y + top),
        max: DVec2::new(rect.max.x, rect.min.y + top + half),
    };
    let most = tally.events[EventKind::Impact as usize].max(1) as f64;
    let fastest = tally.max.span();
    let fastest = if fastest.is_empty() || fastest.high == 0.0 { 1.0 } else { fastest.high };
    let count = Axis::linear(Span::new(0.0, 1.06 * most), 1.06 * most.min(5.0), "impacts so far", "");
    let speed = Axis::linear(Span::new(0.0, 1.06 * fastest), 5.0, "approach speed", "m/s");
    [Frame { rect: row(0.0), x: x.clone(), y: count }, Frame { rect: row(half + GAP), x, y: speed }]
}
