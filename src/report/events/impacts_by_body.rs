//! Impacts of single bodies over time: the number for each body, and their approach speeds.

use std::collections::BTreeMap;
use std::path::Path;

use glam::DVec2;

use super::impacts::{IMPACTS, INNER, speed_axis, steps};
use crate::dynamics::EventKind;
use crate::record::tables::{Energy, Events};
use crate::report::chart::{Axis, Entry, Frame, Frames, Gaps, Page, Series, Setup, Span, grouped, words};
use crate::report::drawing::{Anchor, Canvas, Mark, Stroke, TEXT, faded};
use crate::report::error::ReportError;
use crate::report::motion::colour_key::{self, Group};
use crate::report::rows::every_row;
use crate::scenario::Scenario;

/// Most impacts drawn as dots; of more, every second one is drawn, or every fourth and so on.
const DOTS_MAX: usize = 4000;
/// Counts are on a logarithmic axis if the body with the most impacts has this many times more than the body with the
/// fewest.
const RATIO_MIN: f64 = 10.0;
/// Speeds are on a logarithmic axis if the fastest impact of one body is this many times slower than that of another.
const SLOWER_MIN: f64 = 10.0;
/// Room above the highest count, as a factor of it, on either kind of axis.
const ABOVE: [f64; 2] = [1.15, 5.0];

/// The impacts of one group of bodies in the log.
struct Tally {
    group: Group,
    count: u64,
    /// The count over time, as steps.
    steps: Series,
}

/// The content of the log.
#[derive(Default)]
struct Tallies {
    all: Vec<Tally>,
    /// Time, approach speed and first group of one in `stride` impacts.
    dots: Vec<(f64, f64, usize)>,
    stride: u64,
    total: u64,
    /// Approach speeds, m/s, those of 0 left out.
    speed: Span,
    run: Span,
}

impl Tallies {
    fn add_dot(&mut self, dot: (f64, f64, usize)) {
        if self.total.is_multiple_of(self.stride) {
            self.dots.push(dot);
        }
        self.total += 1;
        if self.dots.len() > DOTS_MAX {
            self.dots = self.dots.iter().copied().step_by(2).collect();
            self.stride *= 2;
        }
    }

    /// Whether all impacts of one body would lie near zero on a linear axis of speeds.
    fn has_slow_ones(&self) -> bool {
        let fastest = |place: usize| {
            let own = self.dots.iter().filter(|dot| dot.2 == place);
            own.map(|dot| dot.1).fold(0.0, f64::max)
        };
        let fastest = (0..self.all.len()).map(fastest).filter(|&speed| speed > 0.0);
        fastest.fold(f64::INFINITY, f64::min) * SLOWER_MIN < self.speed.high
    }
}

/// Draws the impacts of the bodies called `names` in the run in `folder`.
///
/// # Errors
/// When a table cannot be read.
pub(crate) fn draw(
    scenario: &Scenario,
    folder: &Path,
    names: &[String],
    setup: Setup<'_>,
) -> Result<Canvas, ReportError> {
    let chosen: Vec<usize> =
        (0..scenario.bodies.len()).filter(|&body| names.contains(&scenario.bodies[body].name)).collect();
    let tallies = read(scenario, folder, &chosen, setup)?;
    let [count, speed] = axes(&tallies, setup);
    let floor = Frames::stack(setup.style, &[(&count, 0.5), (&speed, 0.5)]);
    let axes = [&count, &speed];
    let frames = Frames { floor, ..Frames::new(INNER, &axes) };
    let (mut canvas, rect) = page(scenario, &tallies, setup).compose(setup, frames);
    let [high, low] = rect.halves(Gaps::of(setup.style).between);
    let shown = tallies.run.widened(0.02 * tallies.run.length());
    let x = setup.time_axis(shown, rect.size().x);
    let (upper, lower) = (Frame { rect: high, x: x.clone(), y: count }, Frame { rect: low, x, y: speed });
    [&upper, &lower].into_iter().for_each(|frame| frame.grid(&mut canvas));
    counts(&mut canvas, &upper, &tallies);
    canvas.begin("impacts");
    let radius = setup.style.fine(if tallies.dots.len() <= 200 { 3.0 } else { 1.6 });
    for &(time, speed, group) in &tallies.dots {
        let at = lower.place(time, speed.max(lower.y.span.low));
        if lower.rect.holds(at, 0.0) {
            canvas.push(Mark::Disc(at, radius, faded(tallies.all[group].group.color, 0.8)));
        }
    }
    for frame in [&upper, &lower] {
        frame.edge(&mut canvas);
        frame.y_axis(&mut canvas);
    }
    lower.x_axis(&mut canvas);
    Ok(canvas)
}

/// Reads the log; an impact of two chosen bodies counts for both.
fn read(scenario: &Scenario, folder: &Path, chosen: &[usize], setup: Setup<'_>) -> Result<Tallies, ReportError> {
    let groups = colour_key::groups(&scenario.bodies, chosen, setup);
    let all = groups.into_iter().map(|group| Tally { group, count: 0, steps: Series::default() }).collect();
    let mut tallies = Tallies { all, stride: 1, ..Tallies::default() };
    every_row::<Energy>(folder, |row| tallies.run.include(row.time.seconds()))?;
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, tally) in tallies.all.iter().enumerate() {
        names.extend(tally.group.members.iter().map(|&body| (scenario.bodies[body].name.as_str(), place)));
    }
    every_row::<Events>(folder, |row| {
        let groups = [Some(row.a), row.b].map(|name| name.and_then(|name| names.get(name).copied()));
        let Some(first) = groups[0].or(groups[1]).filter(|_| row.kind == EventKind::Impact) else { return };
        let time = row.time.seconds();
        tallies.run.include(time);
        if row.approach_speed > 0.0 {
            tallies.speed.include(row.approach_speed);
        }
        tallies.add_dot((time, row.approach_speed, first));
        let second = groups[1].filter(|&second| second != first);
        for place in [Some(first), second].into_iter().flatten() {
            let tally = &mut tallies.all[place];
            tally.steps.add(time, tally.count as f64);
            tally.count += 1;
            tally.steps.add(time, tally.count as f64);
        }
    })?;
    Ok(tallies)
}

/// The counts as steps, each with its last value at its end.
fn counts(canvas: &mut Canvas, frame: &Frame, tallies: &Tallies) {
    let style = canvas.style;
    let mut taken: Vec<f64> = Vec::new();
    for Tally { group, count, steps: series } in &tallies.all {
        canvas.begin(&group.label);
        let points = steps(frame, series, tallies.run, *count as f64);
        frame.curve(canvas, &points, Stroke { color: group.color, width: style.curve(1.7) }, group.dash);
        let last = frame.place(tallies.run.high, *count as f64) - DVec2::new(0.0, 0.4 * style.small_size);
        // Two numbers that are too close would cover each other.
        let is_free = taken.iter().all(|other| (other - last.y).abs() > 1.1 * style.small_size);
        if is_free && frame.rect.holds(last, 0.0) && *count > 0 {
            canvas.push(words(grouped(*count), last, style.small_size, Anchor::End, false));
            taken.push(last.y);
        }
    }
}

/// The vertical axes: of counts, logarithmic if they differ much, and of speeds.
fn axes(tallies: &Tallies, setup: Setup<'_>) -> [Axis; 2] {
    let counts = || tallies.all.iter().map(|tally| tally.count as f64).filter(|&count| count > 0.0);
    let (least, most) = (counts().fold(f64::INFINITY, f64::min), counts().fold(1.0, f64::max));
    let differs = setup.asked.log_y.unwrap_or(most > RATIO_MIN * least);
    let count = if differs {
        Axis::logarithmic(Span::new(0.8, ABOVE[1] * most), IMPACTS, "")
    } else {
        let ticks = ABOVE[0] * most.min(setup.ticks_up(5.0, INNER));
        Axis::linear(Span::new(0.0, ABOVE[0] * most), ticks, IMPACTS, "")
    };
    [count, speed_axis(tallies.speed, tallies.has_slow_ones(), setup)]
}

fn page(scenario: &Scenario, tallies: &Tallies, setup: Setup<'_>) -> Page {
    let mut legend: Vec<Entry> = tallies.all.iter().map(|tally| tally.group.entry()).collect();
    let impact = match tallies.stride {
        1 => "impact".to_owned(),
        stride => format!("1 of {stride} impacts"),
    };
    legend.push(Entry::dot(TEXT, setup.style.fine(2.0), impact));
    let subtitle = "Impacts of each body so far, and the approach speed of each impact";
    Page::new(&scenario.title, subtitle, legend, [])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_impacts_the_dots_are_spread_over_all() {
        let mut tallies = Tallies { stride: 1, ..Tallies::default() };
        (0..10_000).for_each(|n| tallies.add_dot((f64::from(n), 1.0, 0)));
        assert_eq!((tallies.stride, tallies.total, tallies.dots.len()), (4, 10_000, 2500));
        assert!(tallies.dots.windows(2).all(|two| two[1].0 - two[0].0 == 4.0));
    }
}
