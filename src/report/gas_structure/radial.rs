//! The radial distribution function g(r): the number of neighbours of a body at a distance, over their number if all
//! bodies were placed at random. Where there are two or three kinds of balls, each pair of kinds has its own. Allen and
//! Tildesley, *Computer Simulation of Liquids*, 2017, section 2.6.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::kinds::{Kind, color, kinds, name};
use super::rows::{Instant, Quantity, each_instant};
use crate::dynamics::Period;
use crate::geometry::Shape;
use crate::record::gas::GasKind;
use crate::report::chart::{Entry, Page, Setup, Shown, Span, brief, counted};
use crate::report::drawing::{Canvas, Dash, Mark, PALETTE, Stroke, TEXT_FAINT};
use crate::report::error::ReportError;
use crate::report::gas_theory::Spheres;
use crate::report::motion::scene::Scene;
use crate::report::motion::track::shortest;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(620.0, 400.0);
/// Shells in one diameter, and most shells.
const SHELLS_A_DIAMETER: f64 = 25.0;
const SHELLS_MAX: f64 = 400.0;
/// Largest distance, in diameters, unless the cell ends before.
const DIAMETERS: f64 = 5.0;
/// Approximate number of pairs that are counted, so that large gases take seconds.
const PAIRS_MAX: u64 = 50_000_000;
/// Radius of the mark of theory, pixels.
const DOT: f64 = 3.4;

/// Most kinds of balls with curves of their own.
const KINDS_MAX: usize = 3;

/// Counts of pairs by distance.
struct Shells {
    /// What distinguishes these pairs from others; empty if all are counted together.
    label: String,
    /// The centres and their neighbours, by their places among the chosen bodies.
    pair: [Vec<usize>; 2],
    /// Where two of them touch, m; `None` if that differs.
    contact: Option<f64>,
    /// The number of dimensions in which the bodies move.
    dimension: i32,
    /// Volume (area, length) of the cell.
    volume: f64,
    /// Beginning of the first shell, and thickness of each, m.
    start: f64,
    thickness: f64,
    counts: Vec<u64>,
    /// Sum over all instants of the number of centres times the density of the other bodies.
    weight: f64,
    instants: u64,
}

/// Draws g(r) of the bodies called `names`, or of all free ones.
///
/// # Errors
/// When the trajectory cannot be read.
pub(crate) fn draw(scene: &Scene<'_>, names: &[String], setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let chosen = scene.chosen(names, false);
    let (shells, why) = match count(scene, &chosen, setup)? {
        Ok(shells) => (shells, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let curves: Vec<Vec<DVec2>> = shells.iter().map(Shells::curve).collect();
    let diameter = if let [only] = &shells[..] { only.contact } else { None };
    let unit = diameter.unwrap_or(1.0);
    let contact = contact(scene).filter(|_| !shells.is_empty());
    let values = curves.iter().flatten().map(|at| at.y);
    let high = values.chain(contact.map(|(value, _)| value)).fold(1.0, f64::max);
    let (span, positive) = (Span::new(0.0, 1.06 * high), Span::new(0.01, high));
    let y = setup.y_axis(Shown { span, positive, count: setup.ticks_up(6.0, INNER) }, "$g$($r$)", "");
    let far = curves.iter().filter_map(|curve| curve.last()).map(|at| at.x / unit).fold(0.0, f64::max);
    let far = if far > 0.0 { far } else { 1.0 };
    let (quantity, metres) = if diameter.is_some() { ("$r$ / $σ$", "") } else { ("$r$", "m") };
    let page = page(scene, (&shells, why), (diameter, contact.map(|(_, name)| name)));
    let (mut canvas, frame) =
        page.framed(setup, (INNER, y), |width| setup.x_axis((Span::new(0.0, far), 0.1 * far), width, quantity, metres));
    canvas.begin_theory("ideal gas");
    let level = [frame.place(frame.x.span.low, 1.0), frame.place(frame.x.span.high, 1.0)];
    let style = setup.style;
    frame.curve(&mut canvas, &level, Stroke { color: TEXT_FAINT, width: style.curve(1.0) }, Dash::DASHED);
    for (row, (shells, curve)) in shells.iter().zip(&curves).enumerate() {
        canvas.begin(name(&shells.label));
        let placed: Vec<DVec2> = curve.iter().map(|at| frame.place(at.x / unit, at.y)).collect();
        frame.line(&mut canvas, &placed, Stroke { color: color(row), width: style.curve(1.7) });
    }
    if let Some((contact, _)) = contact {
        canvas.begin_beside("theory at contact");
        canvas.push(Mark::Disc(frame.place(1.0, contact), style.fine(DOT), PALETTE[1]));
    }
    frame.finish(&mut canvas);
    Ok(canvas)
}

/// The distance at which two bodies of these kinds touch if they are balls, m.
fn contact_of(scene: &Scene<'_>, chosen: &[usize], [one, other]: [&Kind; 2]) -> Option<f64> {
    let radius = |kind: &Kind| {
        let radius = |&place: &usize| match scene.scenario.bodies[chosen[place]].shape {
            Shape::Sphere(radius) => Some(radius.get()),
            _ => None,
        };
        let first = kind.members.first().and_then(radius)?;
        kind.members.iter().all(|place| radius(place) == Some(first)).then_some(first)
    };
    Some(radius(one)? + radius(other)?)
}

/// The value of g at contact by an equation of state, and whose that is.
fn contact(scene: &Scene<'_>) -> Option<(f64, &'static str)> {
    let kind = GasKind::of(&scene.scenario.settings, &scene.scenario.bodies);
    Spheres::of(scene.scenario, &kind).map(|spheres| (spheres.contact_value(), spheres.name()))
}

/// Counts the pairs of the second half of the run, or says why that is not possible.
fn count(
    scene: &Scene<'_>,
    chosen: &[usize],
    setup: Setup<'_>,
) -> Result<Result<Vec<Shells>, &'static str>, ReportError> {
    let (settings, bodies) = (&scene.scenario.settings, &scene.scenario.bodies);
    let kind = GasKind::of(settings, bodies);
    let periods: Vec<f64> = settings.space.periods.iter().flatten().map(Period::length).collect();
    let Some(volume) = kind.volume().filter(|_| periods.len() >= kind.dimension()) else {
        return Ok(Err("g(r) is for a space that is periodic along all axes in which bodies move"));
    };
    if chosen.len() < 2 {
        return Ok(Err("g(r) takes two bodies at least"));
    }
    let half = 0.5 * periods.iter().copied().fold(f64::INFINITY, f64::min);
    let dimension = i32::try_from(kind.dimension()).unwrap_or(3);
    let mut all = kinds(scene, chosen, KINDS_MAX, setup);
    if all.iter().any(|kind| contact_of(scene, chosen, [kind; 2]).is_none()) {
        all = vec![Kind { label: String::new(), color: color(0), members: (0..chosen.len()).collect() }];
    }
    let pairs = (0..all.len()).flat_map(|one| (one..all.len()).map(move |other| [one, other]));
    let mut shells: Vec<Shells> = pairs
        .map(|pair| {
            let [one, other] = pair.map(|row| &all[row]);
            let contact = contact_of(scene, chosen, [one, other]);
            let label = match (one.label.as_str(), other.label.as_str()) {
                (own, same) if own == same => own.to_owned(),
                (one, other) => [one, other].map(|label| label.trim_start_matches("half extent ")).join(" – "),
            };
            let pair = [one, other].map(|kind| kind.members.clone());
            Shells::new(label, pair, contact, half, (dimension, volume))
        })
        .collect();
    let pairs = (chosen.len() * chosen.len()) as u64 * (scene.looks / 2).max(1);
    // One body in every `stride` is a centre; all bodies are neighbours.
    let stride = pairs.div_ceil(PAIRS_MAX).max(1) as usize;
    let from = if scene.window.is_some() { 0.0 } else { 0.5 * scene.end.seconds() };
    each_instant(scene, chosen, (from, Quantity::Place), |now| {
        shells.iter_mut().for_each(|shells| shells.add(now, stride, |way| shortest(way, &settings.space)));
    })?;
    shells.retain(|shells| shells.weight > 0.0);
    let none = "no positions are recorded in the second half of the run";
    Ok(if shells.is_empty() { Err(none) } else { Ok(shells) })
}

impl Shells {
    /// No pairs yet: shells from where they touch up to `half` the shortest period, m.
    fn new(
        label: String,
        pair: [Vec<usize>; 2],
        contact: Option<f64>,
        half: f64,
        (dimension, volume): (i32, f64),
    ) -> Self {
        let far = contact.map_or(half, |contact| half.min(DIAMETERS * contact));
        let start = contact.filter(|&contact| contact < far).unwrap_or(0.0);
        let thickness = contact.map_or(far / 100.0, |contact| contact / SHELLS_A_DIAMETER);
        let number = ((far - start) / thickness).floor().clamp(1.0, SHELLS_MAX);
        let (thickness, counts) = ((far - start) / number, vec![0; number as usize]);
        Self { label, pair, contact, dimension, volume, start, thickness, counts, weight: 0.0, instants: 0 }
    }

    fn add(&mut self, now: &Instant, stride: usize, shortest: impl Fn(DVec3) -> DVec3) {
        let of = |places: &[usize]| -> Vec<(usize, DVec3)> {
            places.iter().filter_map(|&place| Some((place, now.values[place]?))).collect()
        };
        let [centres, others] = self.pair.each_ref().map(|places| of(places));
        let mut weight = 0.0;
        for &(rank, centre) in centres.iter().step_by(stride) {
            let mut count: u64 = 0;
            for &(_, other) in others.iter().filter(|&&(other, _)| other != rank) {
                count += 1;
                let shell = (shortest(other - centre).length() - self.start) / self.thickness;
                // Rounding can put balls that touch a little before the first shell.
                if shell > -1e-6 && shell < self.counts.len() as f64 {
                    self.counts[shell.max(0.0) as usize] += 1;
                }
            }
            weight += count as f64;
        }
        self.instants += 1;
        self.weight += weight / self.volume;
    }

    /// g at the middle of each shell, and a step up from zero at the beginning of the first shell.
    fn curve(&self) -> Vec<DVec2> {
        let ball = |radius: f64| match self.dimension {
            1 => 2.0 * radius,
            2 => PI * radius * radius,
            _ => 4.0 / 3.0 * PI * radius.powi(3),
        };
        let edge = |shell: usize| self.start + self.thickness * shell as f64;
        let value = |(shell, &count): (usize, &u64)| {
            let expected = self.weight * (ball(edge(shell + 1)) - ball(edge(shell)));
            DVec2::new(0.5 * (edge(shell) + edge(shell + 1)), count as f64 / expected)
        };
        let mut points: Vec<DVec2> = self.counts.iter().enumerate().map(value).collect();
        if self.start > 0.0 {
            let (first, second) = (points[0], *points.get(1).unwrap_or(&points[0]));
            // Half a shell before the first value, with the slope there.
            let at_contact = DVec2::new(self.start, (first.y - 0.5 * (second.y - first.y)).max(0.0));
            points.splice(0..0, [DVec2::ZERO, DVec2::new(self.start, 0.0), at_contact]);
        }
        points
    }
}

fn page(
    scene: &Scene<'_>,
    (shells, why): (&[Shells], Option<&str>),
    (unit, theory): (Option<f64>, Option<&str>),
) -> Page {
    let entry = |(row, shells): (usize, &Shells)| Entry::line(color(row), Dash::SOLID, name(&shells.label));
    let mut legend: Vec<Entry> = shells.iter().enumerate().map(entry).collect();
    legend.push(Entry::line(TEXT_FAINT, Dash::DASHED, "ideal gas"));
    if let Some(theory) = theory {
        legend.push(Entry::dot(PALETTE[1], DOT, format!("{theory}, contact")));
    }
    let subtitle = match shells.first() {
        Some(shells) => format!(
            "Radial distribution function, mean of {}, shells of {} m{}",
            counted(shells.instants, "instant"),
            brief(shells.thickness),
            unit.map_or(String::new(), |diameter| format!(", σ = {} m", brief(diameter)))
        ),
        None => "Radial distribution function".to_owned(),
    };
    let note = why.map(|why| format!("Nothing is drawn: {why}."));
    Page::new(&scene.scenario.title, subtitle, legend, note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_lattice_has_its_neighbours_in_shells() {
        // 6 × 6 points a metre apart in a periodic plane: four neighbours at 1 m, four at √2 m, four at 2 m.
        let places = (0..36).map(|n| Some(DVec3::new(f64::from(n % 6), f64::from(n / 6), 0.0))).collect();
        let counts = vec![0; 29];
        let pair = [(0..36).collect(), (0..36).collect()];
        let mut shells = Shells::new(String::new(), pair, None, 2.9, (2, 36.0));
        (shells.thickness, shells.counts) = (0.1, counts);
        shells.add(&Instant { time: 0.0, values: places }, 1, |way| way - 6.0 * (way / 6.0).round());
        let found: Vec<u64> = shells.counts.iter().map(|count| count / 36).collect();
        assert_eq!((found[10], found[14], found[20], found[22]), (4, 4, 4, 8), "{found:?}");
        assert_eq!(found.iter().sum::<u64>(), 4 + 4 + 4 + 8 + 4, "the last at 2√2 m");
        let curve = shells.curve();
        let area = PI * (1.1_f64.powi(2) - 1.0);
        assert!((curve[10].y - 4.0 / (35.0 / 36.0 * area)).abs() < 1e-12);
    }
}
