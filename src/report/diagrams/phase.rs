//! Velocity along an axis against the coordinate: a parabola while a body falls, a vertical step at an impact.

use glam::DVec2;

use super::few::{chords, few};
use crate::report::chart::{Entry, Frame, Page, Setup, Shown, Span, grouped};
use crate::report::coordinates::{axis_index, axis_name, axis_symbol};
use crate::report::drawing::{Canvas, Dash, Mark, PAPER, Stroke, TEXT, faded};
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::curve::{image, wrapped};
use crate::report::motion::scene::Scene;
use crate::report::motion::track::Leg;
use crate::scenario::Axis as Coordinate;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(600.0, 480.0);
/// Number of pieces of a leg that is not a straight line.
const PIECES: usize = 64;
/// Most legs of one picture.
const LEGS_MAX: usize = 2000;
/// Radius of the mark at the start, pixels.
const DOT: f64 = 3.4;

/// Coordinate and velocity along a leg.
struct Curve {
    points: Vec<DVec2>,
    /// Whether the body was put where it begins.
    is_put: bool,
}

/// Draws the bodies called `names`, or all that move.
pub(crate) fn draw(scene: &Scene<'_>, coordinate: Coordinate, names: &[String], setup: Setup<'_>) -> Canvas {
    let axis = axis_index(coordinate);
    let (chosen, note) = few(scene, names, true);
    let groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let legs_max = LEGS_MAX / chosen.len().max(1);
    let curves = |group: &Group| group.members.iter().map(|&body| curves(scene, body, axis, legs_max)).collect();
    let ways: Vec<Vec<Vec<Curve>>> = groups.iter().map(curves).collect();
    let points = || ways.iter().flatten().flatten().flat_map(|curve| &curve.points);
    let (across, up) = (Span::of(points().map(|point| point.x)), Span::of(points().map(|point| point.y)));
    let period = scene.scenario.settings.space.periods[axis];
    let across = period.map_or_else(|| margin(across), |period| Span::new(period.min, period.max));
    let name = axis_name(axis);
    let y = setup.y_axis(Shown { span: margin(up), positive: up, count: 6.0 }, &format!("$v_{name}$"), "m/s");
    let cut = chosen.iter().any(|&body| scene.legs(body).len() > legs_max);
    let cut = cut.then(|| format!("Of each body the first {} parts of its way are drawn.", grouped(legs_max as u64)));
    let notes = note.into_iter().chain(cut).chain(chords(scene, &chosen)).collect();
    let across = setup.along(across);
    let (mut canvas, frame) = page(scene, name, (&groups, &ways), notes)
        .framed(setup, (INNER, y), |width| setup.x_axis((across, across.high / 1e4), width, axis_symbol(axis), "m"));
    for (group, ways) in groups.iter().zip(&ways) {
        canvas.begin(&group.label);
        for way in ways {
            one(&frame, &mut canvas, group, way, period);
        }
    }
    frame.finish(&mut canvas);
    canvas
}

/// Draws one body: its legs, the steps between them, and a mark where it starts.
fn one(frame: &Frame, canvas: &mut Canvas, group: &Group, way: &[Curve], period: Option<crate::dynamics::Period>) {
    let style = canvas.style;
    let stroke = Stroke { color: group.color, width: style.curve(1.7) };
    let step = Stroke { color: faded(group.color, 0.55), width: 0.5 * style.curve(1.7) };
    let placed = |part: &[DVec2]| part.iter().map(|point| frame.place(point.x, point.y)).collect::<Vec<_>>();
    for Curve { points, .. } in way {
        wrapped(points, [period, None], |part| frame.curve(canvas, &placed(part), stroke, group.dash));
    }
    for legs in way.windows(2).filter(|legs| !legs[1].is_put) {
        if let (Some(&from), Some(&to)) = (legs[0].points.last(), legs[1].points.first()) {
            wrapped(&[from, to], [period, None], |part| frame.line(canvas, &placed(part), step));
        }
    }
    if let Some(&start) = way.first().and_then(|leg| leg.points.first()) {
        let start = start - image(start, [period, None]);
        let at = frame.place(start.x, start.y);
        if frame.rect.holds(at, 0.0) {
            canvas.push(Mark::Disc(at, style.fine(DOT + 1.0), PAPER));
            canvas.push(Mark::Disc(at, style.fine(DOT), group.color));
        }
    }
}

/// Coordinate and velocity on each leg.
fn curves(scene: &Scene<'_>, body: usize, axis: usize, legs_max: usize) -> Vec<Curve> {
    let curve = |leg: &Leg| Curve { points: along(leg, axis), is_put: leg.is_put };
    scene.legs(body).iter().take(legs_max).map(curve).collect()
}

fn along(leg: &Leg, axis: usize) -> Vec<DVec2> {
    let count = if leg.path.acceleration[axis] == 0.0 { 1 } else { PIECES };
    let point = |place: usize| {
        let time = leg.seconds * (place as f64 / count as f64);
        DVec2::new(leg.after(time)[axis], (leg.path.velocity + leg.path.acceleration * time)[axis])
    };
    (0..=count).map(point).collect()
}

fn margin(span: Span) -> Span {
    let span = span.drawable();
    span.widened(0.05 * span.length())
}

fn page(scene: &Scene<'_>, name: &str, (groups, ways): (&[Group], &[Vec<Vec<Curve>>]), notes: Vec<String>) -> Page {
    let mut legend: Vec<Entry> = groups.iter().map(Group::entry).collect();
    legend.push(Entry::dot(TEXT, DOT, "at the start"));
    if ways.iter().flatten().any(|way| way.len() > 1) {
        legend.push(Entry::line(faded(TEXT, 0.35), Dash::SOLID, "step at an impact"));
    }
    let subtitle = format!("Velocity along {name} against the coordinate");
    Page::new(&scene.scenario.title, subtitle, legend, notes)
}
