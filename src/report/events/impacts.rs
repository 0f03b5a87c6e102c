//! Impacts over time: their number, their approach speeds, and when bodies came to rest or passed a sensor.

use std::path::Path;

use glam::DVec2;

use super::impact_survey::Survey;
use crate::dynamics::EventKind;
use crate::record::tables::Events;
use crate::report::chart::{
    Axis, Density, Entry, Frame, Frames, Gaps, Page, Series, Setup, Shown, Span, Tick, brief, grouped, signed, words,
};
use crate::report::drawing::{
    Anchor, BORDER, Canvas, Color, Dash, FOREST, INDIGO, Mark, OLIVE, PALETTE, Rect, Stroke, TEAL, WINE, faded,
};
use crate::report::error::ReportError;
use crate::report::rows::every_row;
use crate::scenario::Scenario;

/// Width and height of the frames together, without the lanes, pixels.
pub(crate) const INNER: DVec2 = DVec2::new(720.0, 440.0);
/// The caption of the axis of their number.
pub(super) const IMPACTS: &str = "impacts so far";
/// Height of the lane for events of a kind that has no speed, pixels.
const LANE: f64 = 20.0;
/// Most impacts drawn as dots; more are drawn as a density.
const DOTS_MAX: u64 = 4000;
/// Number of decades of a logarithmic axis; slower impacts are drawn at its lower end.
const DECADES_MAX: i32 = 9;

/// Draws the events of the run in `folder`.
///
/// # Errors
/// When a table cannot be read.
pub(crate) fn draw(scenario: &Scenario, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let survey = Survey::read(folder)?;
    let met = survey.met();
    let is_lane = |&kind: &EventKind| kind != met && survey.count(kind) > 0;
    let lanes: Vec<EventKind> = EventKind::ALL.into_iter().filter(is_lane).collect();
    let [count, speed] = axes(&survey, setup);
    // Without impacts, only the other events are shown.
    let has_impacts = survey.count(met) > 0 || lanes.is_empty();
    let gap = if has_impacts { Gaps::of(setup.style).between } else { 0.0 };
    let below = if lanes.is_empty() { 0.0 } else { gap + setup.style.scaled(LANE) * lanes.len() as f64 };
    let inner = DVec2::new(INNER.x, if has_impacts { INNER.y + below } else { below });
    let names = lane_axis(&lanes);
    let labelled = if has_impacts { vec![&count, &speed, &names] } else { vec![&names] };
    let stacked = if has_impacts { Frames::stack(setup.style, &[(&count, 0.5), (&speed, 0.5)]) } else { 0.0 };
    let frames = Frames { least: below, floor: stacked + below, ..Frames::new(inner, &labelled) };
    let (mut canvas, rect) = page(scenario, &survey, setup).compose(setup, frames);
    let whole = Rect { max: rect.max - DVec2::new(0.0, below), ..rect };
    let lanes_at = Rect { min: DVec2::new(rect.min.x, (whole.max.y + gap).min(rect.max.y)), ..rect };
    let [high, low] = whole.halves(gap);
    let x = setup.time_axis(survey.shown(), rect.size().x);
    let upper = Frame { rect: high, x: x.clone(), y: count };
    let middle = Frame { rect: low, x: x.clone(), y: speed };
    let lower = Frame { rect: lanes_at, x, y: Axis::mute() };
    let counted = if has_impacts { vec![&upper, &middle] } else { Vec::new() };
    counted.iter().for_each(|frame| frame.grid(&mut canvas));
    canvas.begin("events");
    fill(folder, &survey, &mut canvas, [&upper, &middle, &lower], &lanes)?;
    for frame in counted {
        frame.edge(&mut canvas);
        frame.y_axis(&mut canvas);
    }
    if lanes.is_empty() {
        middle.x_axis(&mut canvas);
    } else {
        lower.edge(&mut canvas);
        lower.x_axis(&mut canvas);
        lane_names(&mut canvas, &lower, &lanes);
    }
    Ok(canvas)
}

fn page(scenario: &Scenario, survey: &Survey, setup: Setup<'_>) -> Page {
    let kinds = EventKind::ALL.into_iter().filter(|&kind| survey.count(kind) > 0);
    let entry = |kind: EventKind| {
        let label = format!("{} ({})", kind.name(), grouped(survey.count(kind)));
        if kind == survey.met() && survey.count(kind) > DOTS_MAX {
            Density::entries(&label).to_vec()
        } else if kind == survey.met() {
            vec![Entry::dot(color(kind), setup.style.fine(3.0), label)]
        } else {
            vec![Entry::line(color(kind), Dash::SOLID, label)]
        }
    };
    let legend = kinds.flat_map(entry).collect();
    let mut notes = Vec::new();
    if let Some(crowd) = survey.crowd().filter(|_| setup.asked.time.is_none()) {
        let [low, high] = [crowd.low, crowd.high].map(|time| signed(time, 3));
        let run = brief(survey.run.high);
        notes.push(format!("Nearly all events lie between {low} s and {high} s of {run} s; only that time is shown."));
    }
    if survey.total() == 0 {
        notes.push("No event.".to_owned());
    }
    let subtitle = match survey.met() {
        EventKind::Rest => "Meetings without a bounce so far, and the approach speed of each",
        _ if survey.count(EventKind::Impact) == 0 && survey.total() > 0 => "Events; there was no impact",
        _ => "Impacts so far, and the approach speed of each",
    };
    Page::new(&scenario.title, subtitle, legend, notes)
}

/// The vertical axes: of the count, and of speeds.
fn axes(survey: &Survey, setup: Setup<'_>) -> [Axis; 2] {
    let most = survey.count(survey.met()).max(1) as f64;
    let name = if survey.met() == EventKind::Rest { "rests so far" } else { IMPACTS };
    [count_axis(most, name, setup), speed_axis(survey.speed, survey.spans_decades(), setup)]
}

/// The axis of a count that reaches `most`.
pub(super) fn count_axis(most: f64, name: &str, setup: Setup<'_>) -> Axis {
    let count = 1.06 * most.min(setup.ticks_up(5.0, INNER));
    Axis::linear(Span::new(0.0, 1.06 * most), count, name, "")
}

/// The axis of speeds, which lie in `speed`. It is logarithmic if that is requested, or if nothing is requested and the
/// speeds need it.
pub(super) fn speed_axis(speed: Span, needs_logarithm: bool, setup: Setup<'_>) -> Axis {
    let Span { low, high } = speed;
    if needs_logarithm && setup.asked.log_y.is_none() && setup.asked.y.is_none() {
        let low = low.max(high / 10_f64.powi(DECADES_MAX));
        return Axis::logarithmic(Span::new(low / 1.5, high * 1.5), "approach speed", "m/s");
    }
    let high = if speed.is_empty() { 1.0 } else { 1.06 * high };
    let shown = Shown { span: Span::new(0.0, high), positive: speed, count: setup.ticks_up(5.0, INNER) };
    setup.y_axis(shown, "approach speed", "m/s")
}

/// Reads the log again and draws every event.
fn fill(
    folder: &Path,
    survey: &Survey,
    canvas: &mut Canvas,
    [upper, middle, lower]: [&Frame; 3],
    lanes: &[EventKind],
) -> Result<(), ReportError> {
    let (mut count, mut series) = (0.0, Series::default());
    let mut dots = Vec::new();
    let met = survey.met();
    let mut density = Density::new(middle.rect, survey.count(met));
    let dotted = survey.count(met) <= DOTS_MAX;
    let mut ticks = vec![Vec::new(); lanes.len()];
    every_row::<Events>(folder, |row| {
        let time = row.time.seconds();
        if row.kind == met {
            series.add(time, count);
            count += 1.0;
            series.add(time, count);
            let at = middle.place(time, row.approach_speed.max(middle.y.span.low));
            if dotted { dots.push(at) } else { density.add(at) }
        } else if let Some(lane) = lanes.iter().position(|&lane| lane == row.kind) {
            add_tick(&mut ticks[lane], lower.place(time, 0.0).x, lower.rect);
        }
    })?;
    if count > 0.0 || lanes.is_empty() {
        let points = steps(upper, &series, survey.run.joined(survey.time), count);
        let width = canvas.style.curve(1.7);
        upper.line(canvas, &points, Stroke { color: color(met), width });
    }
    density.draw(canvas);
    let (radius, alpha) = if dots.len() <= 200 { (3.0, 0.85) } else { (2.0, 0.4) };
    let radius = canvas.style.fine(radius);
    dots.retain(|&at| middle.rect.holds(at, 0.0));
    dots.into_iter().for_each(|at| canvas.push(Mark::Disc(at, radius, faded(color(met), alpha))));
    for (lane, ticks) in ticks.iter().enumerate() {
        let (height, half) = (canvas.style.scaled(LANE), canvas.style.scaled(6.0));
        let middle = lower.rect.min.y + height * (lane as f64 + 0.5);
        for &x in ticks {
            let line = vec![DVec2::new(x, middle - half), DVec2::new(x, middle + half)];
            canvas.push(Mark::Line(line, Stroke { color: color(lanes[lane]), width: canvas.style.fine(1.2) }));
        }
    }
    Ok(())
}

/// Adds a tick inside `rect`, unless it is too close to the previous one to be distinguished.
fn add_tick(ticks: &mut Vec<f64>, x: f64, rect: Rect) {
    if x >= rect.min.x && x <= rect.max.x && ticks.last().is_none_or(|&last| x - last >= 0.5) {
        ticks.push(x);
    }
}

/// The points of a count as steps, from the start to the end of the run.
pub(super) fn steps(frame: &Frame, series: &Series, run: Span, total: f64) -> Vec<DVec2> {
    let mut points = vec![frame.place(run.low, 0.0)];
    points.extend(series.points().into_iter().map(|at| frame.place(at.x, at.y)));
    points.push(frame.place(run.high, total));
    points
}

/// An axis whose labels are as wide as the names of lanes.
fn lane_axis(lanes: &[EventKind]) -> Axis {
    let tick = |kind: &EventKind| Tick { value: 0.0, label: Some(kind.name().to_owned()) };
    Axis { ticks: lanes.iter().map(tick).collect(), ..Axis::mute() }
}

fn lane_names(canvas: &mut Canvas, lower: &Frame, lanes: &[EventKind]) {
    let (style, height) = (canvas.style, canvas.style.scaled(LANE));
    for (lane, kind) in lanes.iter().enumerate() {
        let middle = lower.rect.min.y + height * (lane as f64 + 0.5);
        let left = lower.rect.min.x - Gaps::of(style).tick_left;
        let at = DVec2::new(left, middle + 0.36 * style.small_size);
        canvas.push(words(kind.name(), at, style.small_size, Anchor::End, false));
        if lane > 0 {
            let y = lower.rect.min.y + height * lane as f64;
            let line = vec![DVec2::new(lower.rect.min.x, y), DVec2::new(lower.rect.max.x, y)];
            canvas.push(Mark::Line(line, Stroke { color: faded(BORDER, 0.3), width: 0.8 }));
        }
    }
}

pub(crate) const fn color(kind: EventKind) -> Color {
    match kind {
        EventKind::Impact => PALETTE[0],
        EventKind::Enter => PALETTE[2],
        EventKind::Leave => PALETTE[4],
        EventKind::Rest => PALETTE[1],
        EventKind::Release => PALETTE[3],
        EventKind::Stick => PALETTE[5],
        EventKind::Slip => PALETTE[6],
        EventKind::Collapse => WINE,
        EventKind::Join => INDIGO,
        EventKind::Quit => TEAL,
        EventKind::Sleep => FOREST,
        EventKind::Wake => OLIVE,
    }
}
