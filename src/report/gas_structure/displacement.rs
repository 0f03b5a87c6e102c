//! The mean squared displacement of bodies as a function of time. In free flight it grows with the square of the time.
//! In diffusion it grows with the time itself: 2 d D t in d dimensions. Allen and Tildesley, *Computer Simulation of
//! Liquids*, 2017, section 2.7.

use std::path::Path;

use glam::DVec2;

use super::rows::{Instant, each_instant};
use crate::record::gas::GasKind;
use crate::record::tables::Gas;
use crate::record::tables::read::each_row;
use crate::report::chart::axes::{Axis, Span};
use crate::report::chart::frame::{Frame, words};
use crate::report::chart::legend::Entry;
use crate::report::chart::numbers::{brief, counted, single};
use crate::report::chart::page::{Frames, Page};
use crate::report::chart::setup::{Setup, Shown};
use crate::report::drawing::canvas::{Anchor, Canvas, Mark, Stroke};
use crate::report::drawing::dash::Dash;
use crate::report::drawing::ink::{PALETTE, faded};
use crate::report::drawing::words::Words;
use crate::report::error::ReportError;
use crate::report::gas_theory::Spheres;
use crate::report::motion::scene::Scene;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(620.0, 400.0);
/// Most positions that are kept, and most instants.
const PLACES_MAX: usize = 400_000;
const INSTANTS_MAX: u64 = 200;
/// Radius of a dot, pixels.
const DOT: f64 = 2.6;

/// The mean squared displacement after one span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    /// The span, s.
    span: f64,
    /// The mean, m².
    mean: f64,
    /// Standard error of the mean, from the differences between bodies, m².
    error: f64,
}

/// Draws it for the bodies called `names`, or for all free ones, in the run in `folder`.
///
/// # Errors
/// When a table cannot be read.
pub(crate) fn draw(
    scene: &Scene<'_>,
    folder: &Path,
    names: &[String],
    setup: Setup<'_>,
) -> Result<Canvas, ReportError> {
    let chosen = scene.chosen(names, false);
    let kind = GasKind::of(&scene.scenario.settings, &scene.scenario.bodies);
    let rows = rows(scene, &chosen)?;
    let points = points(&rows);
    let theory = diffusion(scene, &kind, folder)?;
    let dimension = kind.dimension() as f64;
    let (mut along, mut up) = (Span::EMPTY, Span::EMPTY);
    for point in points.iter().filter(|point| point.mean > 0.0) {
        along.include(point.span);
        up.include(point.mean);
    }
    let logarithmic = |asked: Option<bool>| asked.unwrap_or(true) && !up.is_empty();
    let asked = crate::scenario::PlotStyle {
        log_x: Some(logarithmic(setup.asked.log_x)),
        log_y: Some(logarithmic(setup.asked.log_y)),
        ..setup.asked.clone()
    };
    let setup = Setup::new(&asked);
    let style = setup.style;
    let count = style.ticks_up(6.0, INNER.y, style.planned(INNER).y);
    let shown = Shown { span: Span::new(0.0, 1.06 * up.high.max(f64::MIN_POSITIVE)), positive: up, count };
    let y = setup.y_axis(shown, "mean squared displacement", "m²");
    let frames = Frames { inner: INNER, rigid: false, least: 0.0, axes: &[&y] };
    let (mut canvas, rect) = page(scene, rows.len(), &points, theory.is_some()).compose(style, frames);
    let span = match setup.is_log_x() {
        true => Span::new(along.low / 1.3, along.high * 1.3),
        false => Span::new(0.0, 1.04 * along.high.max(f64::MIN_POSITIVE)),
    };
    let span = setup.asked.x.map_or(span, |[low, high]| Span::new(low, high));
    let x = Axis::of(setup.is_log_x(), span, along.low, style.ticks_along(rect.size().x), "time passed", "s");
    let frame = Frame { rect, x, y };
    frame.grid(&mut canvas);
    if let Some(theory) = theory {
        canvas.begin("Enskog's theory");
        // The line is straight if both axes are linear or both are logarithmic. Otherwise it is curved.
        let least = frame.x.span.low.max(1e-3 * span.high);
        let seconds = |place: u32| least * (span.high / least).powf(f64::from(place) / 100.0);
        let line: Vec<DVec2> =
            (0..=100).map(seconds).map(|time| frame.place(time, 2.0 * dimension * theory * time)).collect();
        frame.curve(&mut canvas, &line, Stroke { color: PALETTE[1], width: style.curve(1.5) }, Dash::DASHED);
    }
    canvas.begin("this run");
    points.iter().for_each(|point| dot(&frame, &mut canvas, *point));
    if let Some(last) = points.last() {
        let at = DVec2::new(rect.min.x + style.scaled(10.0), rect.min.y + 1.8 * style.small_size);
        canvas.push(words(coefficient(*last, dimension, theory), at, style.small_size, Anchor::Start, false));
    }
    frame.edge(&mut canvas);
    frame.x_axis(&mut canvas);
    frame.y_axis(&mut canvas);
    Ok(canvas)
}

/// A mean and its standard error.
fn dot(frame: &Frame, canvas: &mut Canvas, point: Point) {
    let style = canvas.style;
    let ends = [point.mean - point.error, point.mean + point.error].map(|y| frame.place(point.span, y));
    frame.line(canvas, &ends, Stroke { color: faded(PALETTE[0], 0.6), width: style.curve(1.2) });
    let at = frame.place(point.span, point.mean);
    if frame.rect.holds(at, 0.0) {
        canvas.push(Mark::Disc(at, style.fine(DOT), PALETTE[0]));
    }
}

/// The diffusion coefficient from the longest span, in words.
fn coefficient(last: Point, dimension: f64, theory: Option<f64>) -> Words {
    let [value, error] = [last.mean, last.error].map(|square| square / (2.0 * dimension * last.span));
    let mut text = format!("$D$ = {} ± {} m²/s after {} s", brief(value), single(error), brief(last.span));
    if let Some(theory) = theory {
        text = format!("{text}; Enskog {} m²/s", brief(theory));
    }
    Words::formula(&text)
}

/// The diffusion coefficient of equal spheres by Enskog's theory at the temperature of the second half, m²/s.
fn diffusion(scene: &Scene<'_>, kind: &GasKind, folder: &Path) -> Result<Option<f64>, ReportError> {
    let Some(spheres) = Spheres::of(scene.scenario, kind) else { return Ok(None) };
    if !scene.scenario.observe.contains(&crate::scenario::Observation::Gas) {
        return Ok(None);
    }
    let (half, mut sum, mut count) = (0.5 * scene.end.seconds(), 0.0, 0.0);
    each_row::<Gas>(folder, |row| {
        if let Some(temperature) = row.temperature.filter(|_| row.time.seconds() >= half) {
            (sum, count) = (sum + temperature, count + 1.0);
        }
        Ok(())
    })?;
    Ok((count > 0.0).then(|| spheres.diffusion(sum / count)))
}

/// Times and places in the second half, for a number of bodies and instants that bounds the memory.
fn rows(scene: &Scene<'_>, chosen: &[usize]) -> Result<Vec<Instant>, ReportError> {
    let from = if scene.window.is_some() { 0.0 } else { 0.5 * scene.end.seconds() };
    let every = (scene.looks / 2).div_ceil(INSTANTS_MAX).max(1);
    let instants = (scene.looks / 2 / every).max(1) as usize;
    let stride = (chosen.len() * instants).div_ceil(PLACES_MAX).max(1);
    let bodies: Vec<usize> = chosen.iter().copied().step_by(stride).collect();
    let (mut rows, mut seen) = (Vec::new(), 0);
    each_instant(scene, &bodies, (from, true), |now| {
        if seen % every == 0 {
            rows.push(now.clone());
        }
        seen += 1;
    })?;
    Ok(rows)
}

/// Means over all beginnings and all bodies, for each number of rows between beginning and end, up to half of all rows.
fn points(rows: &[Instant]) -> Vec<Point> {
    let bodies = rows.first().map_or(0, |row| row.places.len());
    let mut points = Vec::new();
    for lag in 1..rows.len().div_ceil(2) + 1 {
        let pairs: Vec<_> = rows.iter().zip(rows.iter().skip(lag)).collect();
        let span = pairs.iter().map(|(begin, end)| end.time - begin.time).sum::<f64>() / pairs.len() as f64;
        let of_body = |body: usize| {
            let squares = pairs.iter().filter_map(|(begin, end)| {
                begin.places[body].zip(end.places[body]).map(|(begin, end)| (end - begin).length_squared())
            });
            let squares: Vec<f64> = squares.collect();
            (!squares.is_empty()).then(|| squares.iter().sum::<f64>() / squares.len() as f64)
        };
        let means: Vec<f64> = (0..bodies).filter_map(of_body).collect();
        if means.is_empty() || span <= 0.0 {
            continue;
        }
        let count = means.len() as f64;
        let mean = means.iter().sum::<f64>() / count;
        let spread = means.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let error = if count > 1.0 { (spread / (count - 1.0) / count).sqrt() } else { 0.0 };
        points.push(Point { span, mean, error });
    }
    points
}

fn page(scene: &Scene<'_>, instants: usize, points: &[Point], theory: bool) -> Page {
    let mut legend = vec![Entry::dot(PALETTE[0], DOT, "this run")];
    if theory {
        legend.push(Entry::line(PALETTE[1], Dash::DASHED, "diffusion, Enskog"));
    }
    let subtitle = format!(
        "Mean squared displacement in the second half of the run, over all beginnings among {}, with standard errors",
        counted(instants as u64, "instant")
    );
    let nothing = points.is_empty().then(|| "No positions are recorded in the second half of the run.".to_owned());
    Page { title: scene.scenario.title.clone(), subtitle, legend, notes: nothing.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn free_flight_grows_with_the_square_of_the_time() {
        let row = |n: u32| {
            let time = 0.5 * f64::from(n);
            Instant { time, places: vec![Some(DVec3::X * time), Some(DVec3::Y * (3.0 * time)), None] }
        };
        let rows: Vec<_> = (0..9).map(row).collect();
        let points = points(&rows);
        assert_eq!(points.len(), 5);
        for point in &points {
            assert!((point.mean - 5.0 * point.span * point.span).abs() < 1e-12, "{point:?}");
            // Two values, 1 and 9: their mean is off by half their distance.
            assert!((point.error - 4.0 * point.span * point.span).abs() < 1e-12, "{point:?}");
        }
    }
}
