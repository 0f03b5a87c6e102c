//! Means over all beginnings of what a body keeps or gains after a span of time.

use glam::DVec3;

use super::kinds::{Kind, kinds, name};
use super::rows::{Instant, Quantity, each_instant};
use crate::record::tables::read::ReadError;
use crate::report::chart::{Entry, Page, Setup, counted};
use crate::report::drawing::{Color, Dash, PALETTE};
use crate::report::motion::scene::Scene;

/// Most values that are kept, and most instants.
const PLACES_MAX: usize = 400_000;
const INSTANTS_MAX: u64 = 200;

/// Most kinds of bodies with a curve each; more have one together.
const KINDS_MAX: usize = 5;

/// The mean after one span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// The span, s.
    pub(super) span: f64,
    pub(super) mean: f64,
    /// Standard error of the mean, from the differences between bodies.
    pub(super) error: f64,
}

/// The means of the bodies of one kind.
pub(super) struct Curve {
    pub(super) label: String,
    pub(super) color: Color,
    pub(super) points: Vec<Point>,
}

impl Curve {
    /// What it is called in the legend.
    pub(super) fn name(&self) -> &str {
        name(&self.label)
    }
}

/// A curve for each kind of some bodies, with the points that `of` makes of the places of its bodies.
pub(super) fn curves(
    scene: &Scene<'_>,
    bodies: &[usize],
    setup: Setup<'_>,
    of: impl Fn(&[usize]) -> Vec<Point>,
) -> Vec<Curve> {
    let curve = |kind: Kind| Curve { label: kind.label, color: kind.color, points: of(&kind.members) };
    kinds(scene, bodies, KINDS_MAX, setup).into_iter().map(curve).collect()
}

/// The page of `what` was measured, among so many instants, with the entries of its curves and of a theory that is
/// drawn.
pub(super) fn page(
    scene: &Scene<'_>,
    (what, instants): (&str, usize),
    mut legend: Vec<Entry>,
    theory: Option<&str>,
    nothing: Option<String>,
) -> Page {
    legend.extend(theory.map(|theory| Entry::line(PALETTE[1], Dash::DASHED, theory)));
    let subtitle = format!(
        "{what} in the second half of the run, over all beginnings among {}, with standard errors",
        counted(instants as u64, "instant")
    );
    Page::new(&scene.scenario.title, subtitle, legend, nothing)
}

/// A number of bodies that bounds the memory, with what they have at instants of the second half.
pub(super) fn rows(
    scene: &Scene<'_>,
    chosen: &[usize],
    quantity: Quantity,
) -> Result<(Vec<usize>, Vec<Instant>), ReadError> {
    let from = if scene.window.is_some() { 0.0 } else { 0.5 * scene.end.seconds() };
    let every = (scene.looks / 2).div_ceil(INSTANTS_MAX).max(1);
    let instants = (scene.looks / 2 / every).max(1) as usize;
    let stride = (chosen.len() * instants).div_ceil(PLACES_MAX).max(1);
    let bodies: Vec<usize> = chosen.iter().copied().step_by(stride).collect();
    let (mut rows, mut seen) = (Vec::new(), 0);
    each_instant(scene, &bodies, (from, quantity), |now| {
        if seen % every == 0 {
            rows.push(now.clone());
        }
        seen += 1;
    })?;
    Ok((bodies, rows))
}

/// Means of `value` over all beginnings and the bodies in `places` of each row, for each of these numbers of rows
/// between beginning and end.
pub(super) fn points(
    rows: &[Instant],
    places: &[usize],
    lags: impl Iterator<Item = usize>,
    value: impl Fn(DVec3, DVec3) -> f64,
) -> Vec<Point> {
    let mut points = Vec::new();
    for lag in lags {
        let pairs: Vec<_> = rows.iter().zip(rows.iter().skip(lag)).collect();
        let span = pairs.iter().map(|(begin, end)| end.time - begin.time).sum::<f64>() / pairs.len() as f64;
        let of_body = |body: usize| {
            let values = pairs.iter().filter_map(|(begin, end)| {
                begin.values[body].zip(end.values[body]).map(|(begin, end)| value(begin, end))
            });
            let values: Vec<f64> = values.collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let means: Vec<f64> = places.iter().copied().filter_map(of_body).collect();
        if means.is_empty() || !span.is_finite() || (span <= 0.0 && lag > 0) {
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

/// The numbers of rows between beginning and end, up to half of all rows.
pub(super) fn up_to_half(rows: &[Instant]) -> usize {
    rows.len().div_ceil(2)
}
