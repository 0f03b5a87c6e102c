//! Impacts over time of a run that only counts its events: their number, and their approach speeds from one recorded
//! step to the next.

use std::path::Path;

use super::impacts::{IMPACTS, INNER, color, count_axis};
use crate::dynamics::EventKind;
use crate::record::tables::Counts;
use crate::report::chart::{Axis, Entry, Frame, Frames, Gaps, Page, Series, Setup, Shown, Span, counted};
use crate::report::drawing::{Canvas, Dash, PALETTE, Stroke};
use crate::report::error::ReportError;
use crate::report::rows::every_row;
use crate::scenario::Scenario;

/// The content of the table, in bounded memory.
#[derive(Default)]
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
pub(crate) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let tally = read(folder)?;
    let [above, below] = axes(&tally, setup);
    let floor = Frames::stack(setup.style, &[(&above, 0.5), (&below, 0.5)]);
    let axes = [&above, &below];
    let frames = Frames { floor, ..Frames::new(INNER, &axes) };
    let (mut canvas, rect) = page(scenario, &tally).compose(setup, frames);
    let [high, low] = rect.halves(Gaps::of(setup.style).between);
    let x = setup.time_axis(tally.time, rect.size().x);
    let (upper, lower) = (Frame { rect: high, x: x.clone(), y: above }, Frame { rect: low, x, y: below });
    let lines = [
        (IMPACTS, &upper, &tally.impacts, color(EventKind::Impact), Dash::SOLID),
        ("largest speed", &lower, &tally.max, PALETTE[1], Dash::DASHED),
        ("mean speed", &lower, &tally.mean, color(EventKind::Impact), Dash::SOLID),
    ];
    for frame in [&upper, &lower] {
        frame.grid(&mut canvas);
    }
    for (name, frame, series, color, dash) in lines {
        canvas.begin(name);
        let points: Vec<_> = series.points().into_iter().map(|at| frame.place(at.x, at.y)).collect();
        frame.curve(&mut canvas, &points, Stroke { color, width: setup.style.curve(1.7) }, dash);
    }
    for frame in [&upper, &lower] {
        frame.edge(&mut canvas);
        frame.y_axis(&mut canvas);
    }
    lower.x_axis(&mut canvas);
    Ok(canvas)
}

fn read(folder: &Path) -> Result<Tally, ReportError> {
    let mut tally = Tally::default();
    every_row::<Counts>(folder, |row| {
        let time = row.time.seconds();
        tally.time.include(time);
        tally.events = row.events;
        tally.impacts.add(time, row.events[EventKind::Impact as usize] as f64);
        row.approach_mean.into_iter().for_each(|speed| tally.mean.add(time, speed));
        row.approach_max.into_iter().for_each(|speed| tally.max.add(time, speed));
    })?;
    Ok(tally)
}

fn page(scenario: &Scenario, tally: &Tally) -> Page {
    let mut legend = vec![
        Entry::line(color(EventKind::Impact), Dash::SOLID, "impacts, mean speed"),
        Entry::line(PALETTE[1], Dash::DASHED, "largest speed"),
    ];
    let label = |kind: EventKind| counted(tally.events[kind as usize], kind.name());
    let words: Vec<_> = EventKind::ALL.into_iter().filter(|&kind| tally.events[kind as usize] > 0).map(label).collect();
    let note = if words.is_empty() { "No event.".to_owned() } else { format!("Events: {}.", words.join(", ")) };
    if tally.max.points().is_empty() {
        legend.clear();
    }
    let subtitle = "Impacts so far, and their approach speeds from one recorded step to the next";
    Page::new(&scenario.title, subtitle, legend, [note])
}

/// The vertical axes: of the count, and of speeds.
fn axes(tally: &Tally, setup: Setup<'_>) -> [Axis; 2] {
    let most = tally.events[EventKind::Impact as usize].max(1) as f64;
    let fastest = tally.max.span();
    let fastest = if fastest.is_empty() || fastest.high == 0.0 { 1.0 } else { fastest.high };
    let positive = tally.max.positive().joined(tally.mean.positive());
    let shown = Shown { span: Span::new(0.0, 1.06 * fastest), positive, count: setup.ticks_up(5.0, INNER) };
    [count_axis(most, IMPACTS, setup), setup.y_axis(shown, "approach speed", "m/s")]
}
