//! The speeds of many bodies over time: for each kind the median, the middle half and the middle nine tenths.

use glam::DVec2;

use crate::motion::SimTime;
use crate::report::chart::{Entry, Page, Setup, Shown, Span, counted};
use crate::report::drawing::{Canvas, Dash, Stroke, TEXT, faded};
use crate::report::error::ReportError;
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::scene::Scene;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);
/// The shares of the bodies that are slower.
const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// Opacity of the outer and of the inner band.
const FILL: [f64; 2] = [0.14, 0.3];
/// Most instants that are drawn.
const INSTANTS_MAX: u64 = 400;

/// The quantiles of one kind at each drawn instant.
type Rows = Vec<(f64, [f64; SHARES.len()])>;

/// Draws the speeds of these bodies at the recorded instants.
///
/// # Errors
/// When the trajectory cannot be read.
pub(super) fn draw(scene: &Scene<'_>, chosen: &[usize], setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let groups = colour_key::groups(&scene.scenario.bodies, chosen, setup);
    let bands = bands(scene, &groups)?;
    let speeds = || bands.iter().flatten().flat_map(|(_, speeds)| speeds).copied();
    let (positive, highest) = (Span::of_positive(speeds()), speeds().fold(f64::MIN_POSITIVE, f64::max));
    let shown = Shown { span: Span::new(0.0, 1.05 * highest), positive, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "speed", "m/s");
    let time = Span::new(0.0, scene.end.seconds());
    let page = page(scene, &groups);
    let (mut canvas, frame) = page.framed(setup, (INNER, y), |width| setup.time_axis(time, width));
    for (group, rows) in groups.iter().zip(&bands) {
        canvas.begin(&group.label);
        let edge = |share: usize| {
            let frame = &frame;
            rows.iter().map(move |(time, speeds)| frame.place(*time, speeds[share]))
        };
        for (outer, fill) in FILL.into_iter().enumerate() {
            let mut outline: Vec<DVec2> = edge(outer).collect();
            outline.extend(edge(SHARES.len() - 1 - outer).rev());
            frame.area(&mut canvas, &outline, faded(group.color, fill));
        }
        let median: Vec<DVec2> = edge(SHARES.len() / 2).collect();
        frame.line(&mut canvas, &median, Stroke { color: group.color, width: setup.style.curve(1.7) });
    }
    frame.finish(&mut canvas);
    Ok(canvas)
}

/// The quantiles of each group.
fn bands(scene: &Scene<'_>, groups: &[Group]) -> Result<Vec<Rows>, ReportError> {
    let group_of = colour_key::group_of(groups, scene.tracks.len());
    let every = scene.looks.div_ceil(INSTANTS_MAX).max(1);
    let mut bands = vec![Rows::new(); groups.len()];
    let mut speeds: Vec<Vec<f64>> = vec![Vec::new(); groups.len()];
    let (mut now, mut looks): (Option<SimTime>, u64) = (None, 0);
    let mut finish = |now: Option<SimTime>, speeds: &mut [Vec<f64>]| {
        for (rows, speeds) in bands.iter_mut().zip(speeds) {
            rows.extend(now.zip(quantiles(speeds)).map(|(now, found)| (now.seconds(), found)));
            speeds.clear();
        }
    };
    scene.each_sample(|body, time, [_, velocity]| {
        if now != Some(time) {
            finish(now, &mut speeds);
            now = Some(time);
            looks += 1;
        }
        if let Some(row) = group_of[body].filter(|_| (looks - 1) % every == 0) {
            speeds[row].push(velocity.length());
        }
    })?;
    finish(now, &mut speeds);
    Ok(bands)
}

/// The quantiles of some values, between two of them in proportion; `None` if there are none.
fn quantiles(values: &mut [f64]) -> Option<[f64; SHARES.len()]> {
    let last = values.len().checked_sub(1)?;
    values.sort_by(f64::total_cmp);
    Some(SHARES.map(|share| {
        let place = share * last as f64;
        let below = place as usize;
        values[below] + (values[(below + 1).min(last)] - values[below]) * (place - below as f64)
    }))
}

fn page(scene: &Scene<'_>, groups: &[Group]) -> Page {
    let median = |group: &Group| Entry::line(group.color, Dash::SOLID, group.label.as_str());
    let mut legend: Vec<Entry> = groups.iter().map(median).collect();
    let patch = |alpha: f64, label| Entry::patch(faded(TEXT, alpha), faded(TEXT, 0.0), Dash::SOLID, label);
    legend.push(Entry::line(TEXT, Dash::SOLID, "median"));
    legend.push(patch(FILL[0] + FILL[1], "25 to 75 %"));
    legend.push(patch(FILL[0], "5 to 95 %"));
    let subtitle = format!("Speeds over time, {}", counted(scene.hits_total, "impact"));
    Page::new(&scene.scenario.title, subtitle, legend, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values_in_proportion() {
        assert_eq!(quantiles(&mut []), None);
        assert_eq!(quantiles(&mut [2.0]), Some([2.0; 5]));
        let mut values: Vec<f64> = (0..=20).rev().map(f64::from).collect();
        assert_eq!(quantiles(&mut values), Some([1.0, 5.0, 10.0, 15.0, 19.0]));
        assert_eq!(quantiles(&mut [4.0, 0.0]).unwrap()[1], 1.0);
    }
}
