//! The mean squared displacement of bodies as a function of time. In free flight it grows with the square of the time.
//! In diffusion it grows with the time itself: 2 d D t in d dimensions. Allen and Tildesley, *Computer Simulation of
//! Liquids*, 2017, section 2.7.

use std::path::Path;

use glam::DVec2;

use super::lags::{Curve, Point, curves, page, points, rows, up_to_half};
use super::rows::{Instant, Quantity};
use crate::record::gas::GasKind;
use crate::report::chart::{Entry, Frame, Setup, Shown, Span, brief, single, words};
use crate::report::drawing::{Anchor, Canvas, Color, Dash, Mark, PALETTE, Stroke, Words, faded};
use crate::report::error::ReportError;
use crate::report::gas_theory::{Spheres, mean_temperature};
use crate::report::motion::scene::Scene;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(620.0, 400.0);
/// Radius of a dot, pixels.
const DOT: f64 = 2.6;
/// How far the slope of both logarithms may be from 1 in diffusion, besides its standard errors, and these at most.
const SLOPE_SLACK: f64 = 0.1;
const SLOPE_ERROR_MAX: f64 = 0.1;

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
    let (bodies, rows) = rows(scene, &chosen, Quantity::Way)?;
    let curves = curves(scene, &bodies, setup, |members| squares(&rows, members));
    let theory = diffusion(scene, &kind, folder)?;
    let dimension = kind.dimension() as f64;
    let grown = || curves.iter().flat_map(|curve| &curve.points).filter(|point| point.mean > 0.0);
    let (along, up) = (Span::of(grown().map(|point| point.span)), Span::of(grown().map(|point| point.mean)));
    let logarithmic = |asked: Option<bool>| asked.unwrap_or(true) && !up.is_empty();
    let asked = crate::scenario::PlotStyle {
        log_x: Some(logarithmic(setup.asked.log_x)),
        log_y: Some(logarithmic(setup.asked.log_y)),
        ..setup.asked.clone()
    };
    let setup = setup.with(&asked);
    let span = Span::new(0.0, 1.06 * up.high.max(f64::MIN_POSITIVE));
    let shown = Shown { span, positive: up, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "mean squared displacement", "m²");
    let span = match setup.is_log_x() {
        true => Span::new(along.low / 1.3, along.high * 1.3),
        false => Span::new(0.0, 1.04 * along.high.max(f64::MIN_POSITIVE)),
    };
    let span = setup.along(span);
    let legend = curves.iter().map(|kind| Entry::dot(kind.color, DOT, kind.name())).collect();
    let lacking = if rows.len() == 1 { "The positions of one instant only" } else { "No positions" };
    let is_empty = curves.iter().all(|kind| kind.points.is_empty());
    let nothing = is_empty.then(|| format!("{lacking} are recorded in the second half of the run."));
    let what = ("Mean squared displacement", rows.len());
    let page = page(scene, what, legend, theory.map(|_| "diffusion, Enskog"), nothing);
    let (mut canvas, frame) =
        page.framed(setup, (INNER, y), |width| setup.x_axis((span, along.low), width, "lag time", "s"));
    let style = setup.style;
    if let Some(theory) = theory {
        canvas.begin_theory("diffusion, Enskog");
        // The line is straight if both axes are linear or both are logarithmic. Otherwise it is curved.
        let least = frame.x.span.low.max(1e-3 * span.high);
        let seconds = |place: u32| least * (span.high / least).powf(f64::from(place) / 100.0);
        let line: Vec<DVec2> =
            (0..=100).map(seconds).map(|time| frame.place(time, 2.0 * dimension * theory * time)).collect();
        frame.curve(&mut canvas, &line, Stroke { color: PALETTE[1], width: style.curve(1.5) }, Dash::DASHED);
    }
    for (place, kind) in curves.iter().enumerate() {
        canvas.begin(kind.name());
        kind.points.iter().for_each(|point| dot(&frame, &mut canvas, *point, kind.color));
        if let Some(parts) = coefficient(kind, dimension, theory) {
            let margin = style.scaled(10.0);
            let found = Words::fitting(&parts, style.small_size, frame.rect.size().x - 2.0 * margin);
            let down = (1.8 + 1.4 * place as f64) * style.small_size;
            let at = frame.rect.min + DVec2::new(margin, down);
            canvas.push(words(found, at, style.small_size, Anchor::Start, false));
        }
    }
    frame.finish(&mut canvas);
    Ok(canvas)
}

/// A mean and its standard error.
fn dot(frame: &Frame, canvas: &mut Canvas, point: Point, color: Color) {
    let style = canvas.style;
    let ends = [point.mean - point.error, point.mean + point.error].map(|y| frame.place(point.span, y));
    frame.line(canvas, &ends, Stroke { color: faded(color, 0.6), width: style.curve(1.2) });
    let at = frame.place(point.span, point.mean);
    if frame.rect.holds(at, 0.0) {
        canvas.push(Mark::Disc(at, style.fine(DOT), color));
    }
}

/// The slope of both logarithms over the last half of the times, and its standard error.
fn slope(points: &[Point]) -> Option<(f64, f64)> {
    let last = points.last().filter(|point| point.mean > 0.0)?;
    let half = points.iter().rev().find(|point| 2.0 * point.span <= last.span && point.mean > 0.0)?;
    let ratio = (last.span / half.span).ln();
    let error = (last.error / last.mean).hypot(half.error / half.mean) / ratio;
    Some(((last.mean / half.mean).ln() / ratio, error))
}

/// The diffusion coefficient of a kind from the longest span, in words, or that it does not diffuse.
fn coefficient(kind: &Curve, dimension: f64, theory: Option<f64>) -> Option<Vec<String>> {
    let (slope, slope_error) = slope(&kind.points)?;
    let whose = if kind.label.is_empty() { String::new() } else { format!("{}: ", kind.label) };
    if (slope - 1.0).abs() > SLOPE_SLACK + (2.0 * slope_error).min(SLOPE_ERROR_MAX) {
        let power = (100.0 * slope).round() / 100.0;
        return Some(vec![format!("{whose}no diffusion: slope {power}")]);
    }
    let last = kind.points.last()?;
    let [value, error] = [last.mean, last.error].map(|square| square / (2.0 * dimension * last.span));
    let found = format!("{whose}$D$ = {} ± {} m²/s", brief(value), single(error));
    let theory = theory.map(|theory| format!("; Enskog {} m²/s", brief(theory)));
    Some([found, format!(" after {} s", brief(last.span))].into_iter().chain(theory).collect())
}

/// The mean squared displacement, m².
fn squares(rows: &[Instant], members: &[usize]) -> Vec<Point> {
    points(rows, members, 1..=up_to_half(rows), |begin, end| (end - begin).length_squared())
}

/// The diffusion coefficient of equal spheres by Enskog's theory at the temperature of the second half, m²/s.
fn diffusion(scene: &Scene<'_>, kind: &GasKind, folder: &Path) -> Result<Option<f64>, ReportError> {
    let Some(spheres) = Spheres::of(scene.scenario, kind) else { return Ok(None) };
    Ok(mean_temperature(scene.scenario, folder, scene.end)?.map(|temperature| spheres.diffusion(temperature)))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn free_flight_grows_with_the_square_of_the_time() {
        let row = |n: u32| {
            let time = 0.5 * f64::from(n);
            Instant { time, values: vec![Some(DVec3::X * time), Some(DVec3::Y * (3.0 * time)), None] }
        };
        let rows: Vec<_> = (0..9).map(row).collect();
        let points = squares(&rows, &[0, 1, 2]);
        assert_eq!(points.len(), 5);
        let (slope, _) = slope(&points).unwrap();
        assert!((slope - 2.0).abs() < 1e-12, "{slope}");
        for point in &points {
            assert!((point.mean - 5.0 * point.span * point.span).abs() < 1e-12, "{point:?}");
            // Two values, 1 and 9: their mean is off by half their distance.
            assert!((point.error - 4.0 * point.span * point.span).abs() < 1e-12, "{point:?}");
        }
    }

    /// Where the last half of the times has a slope of 1 there is a coefficient: D = r²/(6 t) in space.
    #[test]
    fn only_diffusion_has_a_coefficient() {
        for (power, error, wanted) in [
            (1.0, 0.0, "$D$ = 0.500 ± 0 m²/s after 8.00 s"),
            (1.15, 0.05, "$D$ = "),
            (1.15, 0.0, "no diffusion: slope 1.15"),
            (2.0, 0.5, "no diffusion: slope 2"),
            (0.0, 0.0, "no diffusion: slope 0"),
        ] {
            let point = |n: u32| {
                let mean = 3.0 * f64::from(n).powf(power);
                Point { span: f64::from(n), mean, error: error * mean }
            };
            let kind = Curve { label: String::new(), color: PALETTE[0], points: (1..=8).map(point).collect() };
            let found = coefficient(&kind, 3.0, None).unwrap().concat();
            assert!(found.starts_with(wanted), "{found} for {wanted}");
        }
    }
}
