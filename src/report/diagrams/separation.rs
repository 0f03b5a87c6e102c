//! The distance between two bodies over time, on a logarithmic axis: that of twins in a chaotic system grows by the
//! same factor in equal times, until it is as large as the system. The rate is the largest Lyapunov exponent of this
//! piece of path. E. Ott, *Chaos in Dynamical Systems*, 2nd ed., 2002, section 4.4.

use glam::{DVec2, DVec3};

use crate::motion::SimTime;
use crate::report::chart::{Entry, Page, Setup, Shown, Span, brief, words};
use crate::report::coordinates::plane_axes;
use crate::report::drawing::{Anchor, Canvas, Dash, PALETTE, Stroke};
use crate::report::motion::scene::Scene;
use crate::report::motion::track::{Leg, leg_at, shortest};
use crate::scenario::{Plane2, PlotStyle};

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);
/// Number of instants at which the distance is drawn.
const INSTANTS: u32 = 1500;
/// The smallest distance shown over the largest.
const LEAST: f64 = 1e-16;
/// The growth is fitted until the distance is this share of the largest one.
const SATURATED: f64 = 0.1;
/// Least factor of growth that is fitted.
const GROWTH_MIN: f64 = 100.0;
/// How much the slopes of both halves of a straight line may differ, as a factor.
const BENT: f64 = 2.0;

/// A straight line through the logarithms of the distance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Growth {
    /// Its slope, 1/s.
    rate: f64,
    /// The logarithm of the distance in metres at time 0.
    start: f64,
    /// The times that it was fitted to, s.
    span: Span,
}

/// Draws the distance of the two bodies called `names`, in a plane of coordinates or in space.
pub(crate) fn draw(scene: &Scene<'_>, plane: Option<Plane2>, names: &[String], setup: Setup<'_>) -> Canvas {
    let chosen = scene.chosen(names, true);
    let time = setup.time(Span::new(0.0, scene.end.seconds()));
    let points = if let [a, b] = chosen[..] { distances(scene, [a, b], plane, time) } else { Vec::new() };
    let positive = Span::of_positive(points.iter().map(|at| at.y));
    let growth = growth(&points);
    // The whole range, as far as floats resolve distances.
    let low = positive.low.max(LEAST * positive.high) / 1.5;
    let range = (!positive.is_empty() && setup.asked.log_y != Some(false)).then_some([low, 1.5 * positive.high]);
    let log_y = Some(setup.asked.log_y.unwrap_or(true));
    let asked = PlotStyle { log_y, y: setup.asked.y.or(range), ..setup.asked.clone() };
    let setup = setup.with(&asked);
    let style = setup.style;
    let high = if positive.is_empty() { 1.0 } else { positive.high };
    let shown = Shown { span: Span::new(0.0, 1.06 * high), positive, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "distance", "m");
    let page = page(scene, (plane, &chosen), growth, setup);
    let (mut canvas, frame) = page.framed(setup, (INNER, y), |width| setup.time_axis(time, width));
    canvas.begin("distance");
    let puts: Vec<f64> = chosen.iter().flat_map(|&body| &scene.tracks[body].put).map(|put| put.seconds()).collect();
    let is_motion = |at: &DVec2, next: &DVec2| !puts.iter().any(|&put| at.x < put && put <= next.x);
    let parts = points.chunk_by(is_motion);
    // Where the distance is 0, a logarithmic axis has no point.
    for part in parts.flat_map(|part| part.split(|at| at.y <= 0.0 && frame.y.logarithmic)) {
        let line: Vec<DVec2> = part.iter().map(|at| frame.place(at.x, at.y)).collect();
        frame.line(&mut canvas, &line, Stroke { color: PALETTE[0], width: style.curve(1.7) });
    }
    if let Some(growth) = growth {
        canvas.begin_theory("exponential");
        let at = |share: f64| growth.span.low + growth.span.length() * share;
        let line = (0..=100).map(|n| at(f64::from(n) / 100.0));
        let line: Vec<DVec2> = line.map(|t| frame.place(t, (growth.start + growth.rate * t).exp())).collect();
        frame.curve(&mut canvas, &line, Stroke { color: PALETTE[1], width: style.curve(1.5) }, Dash::DASHED);
        let found = format!("grows by e in {} s: rate {} 1/s", brief(1.0 / growth.rate), brief(growth.rate));
        let at = frame.rect.min + DVec2::new(style.scaled(10.0), 1.8 * style.small_size);
        canvas.push(words(found, at, style.small_size, Anchor::Start, false));
    }
    frame.finish(&mut canvas);
    canvas
}

/// Time and distance of two bodies, at equal spans of time while both are there.
fn distances(scene: &Scene<'_>, pair: [usize; 2], plane: Option<Plane2>, time: Span) -> Vec<DVec2> {
    let legs = pair.map(|body| scene.legs(body));
    let seen = plane.map_or(DVec3::ONE, |plane| {
        let mut seen = DVec3::ZERO;
        plane_axes(plane).into_iter().for_each(|axis| seen[axis] = 1.0);
        seen
    });
    let point = |n: u32| {
        let seconds = time.low + time.length() * (f64::from(n) / f64::from(INSTANTS));
        let [a, b] = [&legs[0], &legs[1]].map(|legs| position(legs, SimTime::from_seconds(seconds)));
        let way = shortest(b? - a?, &scene.scenario.settings.space) * seen;
        Some(DVec2::new(seconds, way.length()))
    };
    (0..=INSTANTS).filter_map(point).collect()
}

/// Where a body is at an instant; `None` before its first leg and after its last one.
fn position(legs: &[Leg], time: SimTime) -> Option<DVec3> {
    let leg = leg_at(legs, time)?;
    (time.since(leg.path.epoch) <= leg.seconds).then(|| leg.path.position_at(time))
}

/// The least-squares line through the logarithms of the distance, from the first point until it is a share of the
/// largest. `None` if it grows too little or not exponentially: then the slopes of both halves differ.
fn growth(points: &[DVec2]) -> Option<Growth> {
    let largest = points.iter().map(|at| at.y).fold(0.0, f64::max);
    let grown: Vec<DVec2> = points.iter().copied().take_while(|at| at.y < SATURATED * largest).collect();
    let logs: Vec<DVec2> = grown.iter().filter(|at| at.y > 0.0).map(|at| DVec2::new(at.x, at.y.ln())).collect();
    let (rate, start) = line(&logs)?;
    let span = Span::new(logs.first()?.x, logs.last()?.x);
    let middle = logs.partition_point(|at| at.x < span.middle());
    let [early, late] = [&logs[..middle], &logs[middle..]].map(|half| line(half).map(|(rate, _)| rate));
    let ratio = late? / early?;
    let is_straight = ratio > 1.0 / BENT && ratio < BENT;
    (is_straight && rate * span.length() > GROWTH_MIN.ln()).then_some(Growth { rate, start, span })
}

/// Slope and start of the least-squares line through some points.
fn line(points: &[DVec2]) -> Option<(f64, f64)> {
    let count = points.len() as f64;
    let mean = points.iter().sum::<DVec2>() / count;
    let (mut along, mut both) = (0.0, 0.0);
    for point in points {
        let from = *point - mean;
        (along, both) = (along + from.x * from.x, both + from.x * from.y);
    }
    (along > 0.0).then(|| (both / along, mean.y - both / along * mean.x))
}

fn page(
    scene: &Scene<'_>,
    (plane, chosen): (Option<Plane2>, &[usize]),
    growth: Option<Growth>,
    setup: Setup<'_>,
) -> Page {
    let within = plane.map_or(String::new(), |plane| format!(" in the {plane:?} plane").to_lowercase());
    let label = |body: usize| setup.label(&scene.scenario.bodies[body].name).to_owned();
    let mut legend = vec![Entry::line(PALETTE[0], Dash::SOLID, "distance")];
    let mut notes = Vec::new();
    let subtitle = match (chosen, growth) {
        ([a, b], Some(growth)) => {
            legend.push(Entry::line(PALETTE[1], Dash::DASHED, "exponential"));
            let until = brief(growth.span.high);
            format!("Distance of {} from {}{within}; its growth is fitted until {until} s", label(*b), label(*a))
        }
        ([a, b], None) => {
            notes.push("The distance does not grow exponentially by a factor of 100 or more.".to_owned());
            format!("Distance of {} from {}{within}", label(*b), label(*a))
        }
        _ => {
            notes.push("This plot takes two bodies of which something was recorded.".to_owned());
            format!("Distance of two bodies{within}")
        }
    };
    Page::new(&scene.scenario.title, subtitle, legend, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(of: impl Fn(f64) -> f64) -> Vec<DVec2> {
        (0..=1000).map(|n| f64::from(n) / 100.0).map(|time| DVec2::new(time, of(time))).collect()
    }

    #[test]
    fn an_exponential_has_its_rate_until_it_saturates() {
        let found = growth(&curve(|time| (1e-9 * (2.5 * time).exp()).min(1.0))).unwrap();
        assert!((found.rate - 2.5).abs() < 1e-9 && (found.start - 1e-9_f64.ln()).abs() < 1e-9, "{found:?}");
        assert!((found.span.high - (1e8_f64.ln() / 2.5)).abs() < 0.01, "until a tenth of the largest: {found:?}");
    }

    #[test]
    fn what_grows_by_a_power_or_hardly_has_no_rate() {
        assert_eq!(growth(&curve(|time| 1e-9 + 1e-2 * time)), None, "two bodies that fly apart");
        assert_eq!(growth(&curve(|time| 1e-9 + 1e-2 * time.powi(3))), None);
        assert_eq!(growth(&curve(|time| (0.3 * time).exp())), None, "by a factor of 20 in all");
        assert_eq!(growth(&curve(|_| 0.0)), None);
        assert_eq!(growth(&[]), None);
    }
}
