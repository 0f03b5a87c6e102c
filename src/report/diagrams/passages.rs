//! When bodies were in sensors: for each body and sensor a row with a bar from each entry to the next exit.

use std::collections::BTreeMap;
use std::path::Path;

use glam::DVec2;

use crate::dynamics::EventKind;
use crate::record::tables::Events;
use crate::report::chart::{Axis, Entry, Frame, Frames, Page, Setup, Span, Tick, counted};
use crate::report::drawing::{Canvas, Dash, Stroke, Words, faded};
use crate::report::error::ReportError;
use crate::report::motion::colour_key::{self, Group};
use crate::report::rows::every_row;
use crate::scenario::{EventLog, Scenario};

/// Width of the frame, height of a row and least height, pixels.
const WIDTH: f64 = 720.0;
const ROW: f64 = 26.0;
const HEIGHT_MIN: f64 = 90.0;
/// Half the height of a bar, over that of a row.
const HALF_BAR: f64 = 0.32;
/// Most rows.
const ROWS_MAX: usize = 30;
/// Greatest width of the label of a row, pixels, and over the width of the picture.
const LABEL_MAX: f64 = 300.0;
const LABEL_SHARE: f64 = 0.35;
/// Opacity of bars.
const FILL: f64 = 0.45;

/// A row: a sensor, a body and the spans of time, s.
#[derive(Debug, Default)]
struct Row {
    sensor: String,
    body: String,
    spans: Vec<Span>,
    /// When the body entered, as long as it is inside.
    since: Option<f64>,
}

/// Draws the passages of the bodies called `names`, or of all, through all sensors, in the run in `folder`, which ended
/// at `end`, s.
///
/// # Errors
/// When the table of events cannot be read.
pub(crate) fn draw(
    scenario: &Scenario,
    (folder, end): (&Path, f64),
    names: &[String],
    setup: Setup<'_>,
) -> Result<Canvas, ReportError> {
    let (mut rows, total) = read(scenario, folder, names, end)?;
    let hidden = rows.len().saturating_sub(ROWS_MAX) as u64;
    rows.truncate(ROWS_MAX);
    let chosen: Vec<usize> = {
        let is_in = |name: &str| rows.iter().any(|row| row.body == name);
        (0..scenario.bodies.len()).filter(|&body| is_in(&scenario.bodies[body].name)).collect()
    };
    let groups = colour_key::groups(&scenario.bodies, &chosen, setup);
    let y = y_axis(&rows, setup);
    let inner = DVec2::new(WIDTH, (ROW * rows.len() as f64).max(HEIGHT_MIN));
    let axes = [&y];
    let frames = Frames { least: inner.y.min(ROW * rows.len() as f64), ..Frames::new(inner, &axes) };
    let (mut canvas, rect) = page(scenario, &groups, total, hidden).compose(setup, frames);
    let x = setup.time_axis(Span::new(0.0, end), rect.size().x);
    let frame = Frame { rect, x, y };
    frame.grid(&mut canvas);
    for (place, row) in rows.iter().enumerate() {
        canvas.begin(&format!("{} in {}", row.body, row.sensor));
        let group =
            groups.iter().find(|group| group.members.iter().any(|&body| scenario.bodies[body].name == row.body));
        for &span in &row.spans {
            group.iter().for_each(|group| bar(&frame, &mut canvas, group, (height_of(place), span)));
        }
    }
    frame.finish(&mut canvas);
    Ok(canvas)
}

/// The height of a row; rows are ordered from top to bottom.
fn height_of(place: usize) -> f64 {
    -(place as f64)
}

/// A bar; one that is too short to be seen becomes a line at its instant.
fn bar(frame: &Frame, canvas: &mut Canvas, group: &Group, (height, span): (f64, Span)) {
    let corners = [
        (span.low, height - HALF_BAR),
        (span.high, height - HALF_BAR),
        (span.high, height + HALF_BAR),
        (span.low, height + HALF_BAR),
        (span.low, height - HALF_BAR),
    ];
    let corners = corners.map(|(x, y)| frame.place(x, y));
    frame.area(canvas, &corners[..4], faded(group.color, FILL));
    frame.line(canvas, &corners, Stroke { color: group.color, width: canvas.style.fine(1.2) });
}

/// All rows by sensor and body, and the number of passages.
fn read(scenario: &Scenario, folder: &Path, names: &[String], end: f64) -> Result<(Vec<Row>, u64), ReportError> {
    let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
    if scenario.record.events == EventLog::All {
        every_row::<Events>(folder, |row| {
            let (EventKind::Enter | EventKind::Leave, Some(sensor)) = (row.kind, row.b) else { return };
            if !names.is_empty() && !names.iter().any(|name| name == row.a) {
                return;
            }
            let time = row.time.seconds();
            let found = rows.entry((sensor.to_owned(), row.a.to_owned())).or_insert_with(|| Row {
                sensor: sensor.to_owned(),
                body: row.a.to_owned(),
                ..Row::default()
            });
            if row.kind == EventKind::Enter {
                found.since = Some(time);
            } else {
                // A body that leaves without having entered was inside from the beginning.
                found.spans.push(Span::new(found.since.take().unwrap_or(0.0), time));
            }
        })?;
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    for row in &mut rows {
        row.spans.extend(row.since.take().map(|since| Span::new(since, end)));
    }
    let total = rows.iter().map(|row| row.spans.len() as u64).sum();
    Ok((rows, total))
}

/// An axis with a label for each row.
fn y_axis(rows: &[Row], setup: Setup<'_>) -> Axis {
    let style = setup.style;
    let widest = style.width.map_or(f64::INFINITY, |width| LABEL_SHARE * width).min(style.scaled(LABEL_MAX));
    let several = rows.iter().any(|row| row.body != rows[0].body);
    let label = |row: &Row| {
        let sensor = setup.label(&row.sensor);
        let label = if several { format!("{} in {sensor}", setup.label(&row.body)) } else { sensor.to_owned() };
        Words::fitted(&label, style.small_size, widest)
    };
    let tick = |(place, row): (usize, &Row)| Tick { value: height_of(place), label: Some(label(row)) };
    let span = Span::new(height_of(rows.len().max(1)) + 0.4, 0.6);
    let ticks = rows.iter().enumerate().map(tick).collect();
    Axis { span, ticks, ..Axis::mute() }
}

fn page(scenario: &Scenario, groups: &[Group], total: u64, hidden: u64) -> Page {
    let patch = |group: &Group| Entry::patch(faded(group.color, FILL), group.color, Dash::SOLID, group.label.as_str());
    let legend = groups.iter().map(patch).collect();
    let mut notes = Vec::new();
    if scenario.record.events == EventLog::Counted {
        notes.push("Events were only counted, so it is not known when bodies were in sensors.".to_owned());
    }
    if hidden > 0 {
        notes.push(format!("{} more are left out.", counted(hidden, "row")));
    }
    let subtitle = format!("Times in sensors, {}", counted(total, "passage"));
    Page::new(&scenario.title, subtitle, legend, notes)
}
