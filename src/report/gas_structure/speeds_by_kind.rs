//! The distribution of the speeds of each kind of bodies of a gas, beside Maxwell's law for its mass at the temperature
//! of the whole gas.

use std::path::Path;

use glam::{DVec2, DVec3};

use super::kinds::{Kind, is_one_kind, kinds};
use super::rows::{Instant, Quantity, each_instant};
use crate::dynamics::Motion;
use crate::record::gas::{GasKind, maxwell_density};
use crate::report::chart::{Entry, Page, Setup, Shown, Span, counted};
use crate::report::drawing::{Canvas, Color, Dash, Stroke, TEXT};
use crate::report::error::ReportError;
use crate::report::gas_theory::mean_temperature;
use crate::report::motion::scene::Scene;
use crate::scenario::Scenario;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);
/// Most kinds with a curve each.
const KINDS_MAX: usize = 5;
/// Number of pieces of Maxwell's curve.
const POINTS: u32 = 400;
/// Width of a class over the typical speed √(k_B T / m) of the kind, and how many there are. What is faster is not
/// drawn.
const WIDTH: f64 = 0.1;
const CLASSES: usize = 60;
/// The colour of Maxwell's law, which no kind has.
const MAXWELL: Color = TEXT;

/// The speeds of one kind.
#[derive(Debug, Clone, PartialEq)]
struct Spread {
    label: String,
    color: Color,
    /// √(k_B T / m), m/s.
    typical: f64,
    counts: Vec<u64>,
    total: u64,
}

impl Spread {
    /// The ends of the classes and the density in each, s/m.
    fn steps(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let width = WIDTH * self.typical;
        let density = move |count: u64| count as f64 / (self.total.max(1) as f64 * width);
        self.counts.iter().enumerate().map(move |(n, &count)| {
            let low = n as f64 * width;
            (low, low + width, density(count))
        })
    }

    fn maxwell(&self, speed: f64, dimension: usize) -> f64 {
        maxwell_density(speed / self.typical, dimension) / self.typical
    }
}

/// Whether the free bodies of a scenario are of several kinds, whatever of them was recorded.
pub(crate) fn may_be_several(scenario: &Scenario) -> bool {
    !is_one_kind(scenario.bodies.iter().filter(|body| matches!(body.motion, Motion::Free(_))))
}

/// Whether there are several kinds among the bodies whose velocities were recorded, and few enough for a curve each.
pub(crate) fn several(scene: &Scene<'_>, setup: Setup<'_>) -> bool {
    scene.samples > 0 && (2..=KINDS_MAX).contains(&kinds(scene, &scene.chosen(&[], false), KINDS_MAX, setup).len())
}

/// Draws the speeds of the second half of the run in `folder`.
///
/// # Errors
/// When a table cannot be read.
pub(crate) fn draw(scene: &Scene<'_>, folder: &Path, setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let temperature = mean_temperature(scene.scenario, folder, scene.end)?.unwrap_or(0.0);
    let spreads = spreads(scene, temperature, setup)?;
    let dimension = GasKind::of(&scene.scenario.settings, &scene.scenario.bodies).dimension();
    let steps = || spreads.iter().flat_map(Spread::steps).filter(|(.., density)| *density > 0.0);
    let highest = steps().map(|(.., density)| density).fold(0.0, f64::max);
    let last = steps().map(|(_, high, _)| high).fold(f64::MIN_POSITIVE, f64::max);
    let positive = Span::of(steps().map(|(.., density)| density));
    let span = Span::new(0.0, 1.06 * highest.max(f64::MIN_POSITIVE));
    let shown = Shown { span, positive, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "probability density", "s/m");
    let (mut canvas, frame) = page(scene, &spreads)
        .framed(setup, (INNER, y), |width| setup.x_axis((Span::new(0.0, last), 1e-3 * last), width, "speed", "m/s"));
    let style = setup.style;
    for spread in &spreads {
        canvas.begin(&spread.label);
        let ends = spread.steps().filter(|(low, ..)| *low < frame.x.span.high);
        let line: Vec<DVec2> =
            ends.flat_map(|(low, high, density)| [frame.place(low, density), frame.place(high, density)]).collect();
        frame.line(&mut canvas, &line, Stroke { color: spread.color, width: style.curve(1.4) });
    }
    canvas.begin_theory("Maxwell's law");
    for spread in &spreads {
        let speed = |place: u32| frame.x.span.high * f64::from(place) / f64::from(POINTS);
        let line = (0..=POINTS).map(speed).map(|speed| frame.place(speed, spread.maxwell(speed, dimension)));
        let stroke = Stroke { color: MAXWELL, width: style.curve(1.2) };
        frame.curve(&mut canvas, &line.collect::<Vec<_>>(), stroke, Dash::DASHED);
    }
    frame.finish(&mut canvas);
    Ok(canvas)
}

/// The speeds of each kind relative to the centre of mass, at all recorded instants of the second half.
fn spreads(scene: &Scene<'_>, temperature: f64, setup: Setup<'_>) -> Result<Vec<Spread>, ReportError> {
    let chosen = scene.chosen(&[], false);
    let mass = |body: usize| if let Motion::Free(mass) = scene.scenario.bodies[body].motion { mass.get() } else { 0.0 };
    let masses: Vec<f64> = chosen.iter().map(|&body| mass(body)).collect();
    let kinds = kinds(scene, &chosen, KINDS_MAX, setup);
    let spread = |kind: &Kind| {
        let typical = (temperature / masses[kind.members[0]]).sqrt().max(f64::MIN_POSITIVE);
        Spread { label: kind.label.clone(), color: kind.color, typical, counts: vec![0; CLASSES], total: 0 }
    };
    let mut spreads: Vec<Spread> = kinds.iter().map(spread).collect();
    each_instant(scene, &chosen, (0.5 * scene.end.seconds(), Quantity::Velocity), |now| {
        let drift = drift(now, &masses);
        for (kind, spread) in kinds.iter().zip(&mut spreads) {
            for velocity in kind.members.iter().filter_map(|&place| now.values[place]) {
                let class = ((velocity - drift).length() / (WIDTH * spread.typical)) as usize;
                spread.counts.get_mut(class).into_iter().for_each(|count| *count += 1);
                spread.total += 1;
            }
        }
    })?;
    Ok(spreads)
}

/// The velocity of the centre of mass, m/s.
fn drift(now: &Instant, masses: &[f64]) -> DVec3 {
    let (mut momentum, mut mass) = (DVec3::ZERO, 0.0);
    for (value, &own) in now.values.iter().zip(masses) {
        if let Some(velocity) = value {
            (momentum, mass) = (momentum + *velocity * own, mass + own);
        }
    }
    if mass > 0.0 { momentum / mass } else { DVec3::ZERO }
}

fn page(scene: &Scene<'_>, spreads: &[Spread]) -> Page {
    let entry = |spread: &Spread| Entry::line(spread.color, Dash::SOLID, spread.label.as_str());
    let mut legend: Vec<Entry> = spreads.iter().map(entry).collect();
    legend.push(Entry::line(MAXWELL, Dash::DASHED, "Maxwell's law"));
    let total: u64 = spreads.iter().map(|spread| spread.total).sum();
    let drawn: u64 = spreads.iter().flat_map(|spread| &spread.counts).sum();
    let subtitle = format!(
        "Speeds of each kind in the second half of the run, {}, at the gas's temperature",
        counted(total, "value")
    );
    let faster = || format!("Not drawn: {} beyond 6 √(k_B T / m).", counted(total - drawn, "value"));
    let note = if total == 0 { Some("Nothing moved.".to_owned()) } else { (drawn < total).then(faster) };
    Page::new(&scene.scenario.title, subtitle, legend, note)
}
