//! The velocity autocorrelation: how much of its velocity a body still has after a time, ⟨v(0)·v(t)⟩/⟨v²⟩. Allen and
//! Tildesley, *Computer Simulation of Liquids*, 2017, section 2.7.
//!
//! In Enskog's theory it falls as exp(−t k_B T/(m D)), with D the coefficient of self-diffusion of the theory, since D
//! is k_B T/m times its integral (J.-P. Hansen and I. McDonald, *Theory of Simple Liquids*, 4th ed., 2013, section
//! 7.2).

use std::path::Path;

use glam::{DVec2, DVec3};

use super::lags::{Point, curves, page, points, rows, up_to_half};
use super::rows::Quantity;
use crate::record::gas::GasKind;
use crate::report::chart::{Entry, Setup, Shown, Span};
use crate::report::drawing::{Canvas, Dash, PALETTE, Stroke, TEXT_FAINT, faded};
use crate::report::error::ReportError;
use crate::report::gas_theory::{Spheres, mean_temperature};
use crate::report::motion::scene::Scene;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(620.0, 400.0);
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
    let (bodies, rows) = rows(scene, &chosen, Quantity::Velocity)?;
    let curves =
        curves(scene, &bodies, setup, |members| shares(points(&rows, members, 0..=up_to_half(&rows), DVec3::dot)));
    let kind = GasKind::of(&scene.scenario.settings, &scene.scenario.bodies);
    let temperature = mean_temperature(scene.scenario, folder, scene.end)?;
    let decay = Spheres::of(scene.scenario, &kind).zip(temperature).map(|(spheres, heat)| spheres.decay(heat));
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let along = Span::of(points().map(|point| point.span));
    let up = Span::of([0.0, 1.0].into_iter().chain(points().map(|point| point.mean)));
    let least = points().map(|point| point.mean).filter(|&mean| mean > 0.0).fold(1.0, f64::min);
    let (span, positive) = (up.widened(0.03 * up.length()), Span::new(least, 1.0));
    let shown = Shown { span, positive, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "velocity autocorrelation", "");
    let last = if along.is_empty() { 1.0 } else { along.high.max(f64::MIN_POSITIVE) };
    let span = setup.along(Span::new(0.0, last));
    let legend = curves.iter().map(|curve| Entry::line(curve.color, Dash::SOLID, curve.name())).collect();
    let is_empty = curves.iter().all(|curve| curve.points.is_empty());
    let nothing = is_empty.then(|| "Nothing moved that was recorded in the second half of the run.".to_owned());
    let page = page(scene, ("Velocity autocorrelation", rows.len()), legend, decay.map(|_| "Enskog"), nothing);
    let (mut canvas, frame) =
        page.framed(setup, (INNER, y), |width| setup.x_axis((span, 1e-3 * last), width, "lag time", "s"));
    let style = setup.style;
    canvas.begin_beside("zero");
    let zero = [frame.place(frame.x.span.low, 0.0), frame.place(frame.x.span.high, 0.0)];
    frame.curve(&mut canvas, &zero, Stroke { color: TEXT_FAINT, width: style.curve(1.0) }, Dash::DASHED);
    if let Some(decay) = decay {
        canvas.begin_theory("Enskog");
        let time = |place: u32| span.low.max(0.0) + (span.high - span.low.max(0.0)) * f64::from(place) / 200.0;
        let line: Vec<DVec2> = (0..=200).map(time).map(|time| frame.place(time, (-decay * time).exp())).collect();
        frame.curve(&mut canvas, &line, Stroke { color: PALETTE[1], width: style.curve(1.5) }, Dash::DASHED);
    }
    for curve in &curves {
        canvas.begin(curve.name());
        let edge = |side: f64| curve.points.iter().map(move |point| (point.span, point.mean + side * point.error));
        let band: Vec<DVec2> =
            edge(1.0).chain(edge(-1.0).collect::<Vec<_>>().into_iter().rev()).map(|(x, y)| frame.place(x, y)).collect();
        frame.area(&mut canvas, &band, faded(curve.color, 0.25));
        let line: Vec<DVec2> = curve.points.iter().map(|point| frame.place(point.span, point.mean)).collect();
        frame.line(&mut canvas, &line, Stroke { color: curve.color, width: style.curve(1.7) });
    }
    frame.finish(&mut canvas);
    Ok(canvas)
}

/// The means over that at the beginning, where the autocorrelation is 1. Empty if nothing moved.
fn shares(points: Vec<Point>) -> Vec<Point> {
    let whole = points.first().map_or(0.0, |first| first.mean);
    if whole <= 0.0 {
        return Vec::new();
    }
    let share = |point: Point| Point { mean: point.mean / whole, error: point.error / whole, ..point };
    // At the beginning it is 1 without an error.
    points
        .into_iter()
        .map(share)
        .enumerate()
        .map(|(n, point)| if n == 0 { Point { error: 0.0, ..point } } else { point })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::rows::Instant;
    use super::*;

    /// Velocities that turn by an angle each second: the autocorrelation is its cosine.
    #[test]
    fn what_turns_has_the_cosine() {
        let row = |n: u32| {
            let angle = 0.3 * f64::from(n);
            let of = |speed: f64| Some(DVec3::new(angle.cos(), angle.sin(), 0.0) * speed);
            Instant { time: f64::from(n), values: vec![of(2.0), of(5.0), None] }
        };
        let rows: Vec<_> = (0..21).map(row).collect();
        let found = shares(points(&rows, &[0, 1, 2], 0..=up_to_half(&rows), DVec3::dot));
        assert_eq!((found.len(), found[0].mean, found[0].error), (12, 1.0, 0.0));
        for point in found {
            assert!((point.mean - (0.3 * point.span).cos()).abs() < 1e-14, "{point:?}");
        }
    }
}
