//! A coordinate over time with the size of the bodies: each body is a band as wide as the body.
//!
//! Two bodies on one line touch where their bands touch.

use glam::DVec2;

use super::few::few;
use crate::report::chart::{Axis, Entry, Frame, Page, Setup, Shown, Span, counted};
use crate::report::coordinates::{axis_index, axis_name, axis_symbol};
use crate::report::drawing::{Canvas, Dash, SCENERY, SCENERY_EDGE, Stroke, TEXT, faded};
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::scene::Scene;
use crate::report::motion::view::sizes::{bounds, middle};
use crate::report::motion::view::walls::{Wall, ground, in_the_way, include_edges, planes, strip};
use crate::report::paths::height::{DECADES, way};
use crate::scenario::Axis as Coordinate;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 440.0);
/// Opacity of bands.
const FILL: f64 = 0.28;

/// Draws a coordinate of the bodies called `names`, or of all that move.
pub(crate) fn draw(scene: &Scene<'_>, coordinate: Coordinate, names: &[String], setup: Setup<'_>) -> Canvas {
    let axis = axis_index(coordinate);
    let (chosen, note) = few(scene, names, true);
    let groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let walls = in_the_way(scene, &chosen, axis);
    let y = y_axis(scene, &chosen, (axis, &walls), setup);
    let page = page(scene, (axis, !walls.is_empty()), &groups, note);
    let time = Span::new(0.0, scene.end.seconds());
    let (mut canvas, frame) = page.framed(setup, (INNER, y), |width| setup.time_axis(time, width));
    canvas.begin_beside("fixed");
    ground(scene, &frame, &mut canvas, axis);
    walls.iter().for_each(|wall| strip(&frame, &mut canvas, *wall));
    for group in &groups {
        canvas.begin(&group.label);
        for &body in &group.members {
            band(scene, &frame, &mut canvas, group, (body, axis));
        }
    }
    frame.finish(&mut canvas);
    canvas
}

/// The band of a body: its curve, extended to both sides by its half width. In a periodic space a band that leaves on
/// one side enters on the other.
fn band(scene: &Scene<'_>, frame: &Frame, canvas: &mut Canvas, group: &Group, (body, axis): (usize, usize)) {
    let style = canvas.style;
    let around = bounds(&scene.scenario.bodies[body].shape, glam::DVec3::ZERO);
    let edge = Stroke { color: group.color, width: style.fine(1.1) };
    let line = Stroke { color: group.color, width: style.curve(1.4) };
    let period = scene.scenario.settings.space.periods[axis].map(|period| period.length());
    let images: Vec<f64> = period.map_or(vec![0.0], |period| vec![-period, 0.0, period]);
    let moved = |by: f64| way(scene, frame, body, (axis, by));
    for image in images {
        for (low, high) in moved(image + around.min[axis]).into_iter().zip(moved(image + around.max[axis])) {
            let outline: Vec<DVec2> = low.iter().copied().chain(high.iter().rev().copied()).collect();
            frame.area(canvas, &outline, faded(group.color, FILL));
            frame.line(canvas, &low, edge);
            frame.line(canvas, &high, edge);
        }
    }
    let centre = moved(middle(&scene.scenario.bodies[body].shape, axis));
    centre.iter().for_each(|part| frame.curve(canvas, part, line, group.dash));
}

/// The vertical axis: it shows the bands, planes close by, and the near sides of walls.
fn y_axis(scene: &Scene<'_>, chosen: &[usize], (axis, walls): (usize, &[Wall]), setup: Setup<'_>) -> Axis {
    let all = chosen.iter().fold(Span::EMPTY, |span, &body| {
        let around = bounds(&scene.scenario.bodies[body].shape, glam::DVec3::ZERO);
        let covered = scene.covered(body, axis);
        span.joined(Span::new(covered.low + around.min[axis], covered.high + around.max[axis]))
    });
    let mut span = all;
    if let Some(period) = scene.scenario.settings.space.periods[axis] {
        span = Span::new(period.min, period.max);
    } else {
        include_edges(scene, axis, walls, &mut span);
        span = span.drawable().widened(0.03 * span.length());
    }
    // The lower side of a body on the ground is at zero, or a rounding error above.
    let positive = Span::new(all.low.max(DECADES * all.high), all.high);
    setup.y_axis(Shown { span, positive, count: setup.ticks_up(6.0, INNER) }, axis_symbol(axis), "m")
}

fn page(scene: &Scene<'_>, (axis, has_walls): (usize, bool), groups: &[Group], few: Option<String>) -> Page {
    let mut legend: Vec<Entry> = groups.iter().map(Group::entry).collect();
    legend.push(Entry::patch(faded(TEXT, 0.5 * FILL), faded(TEXT, 0.5), Dash::SOLID, "extent of a body"));
    if has_walls || planes(scene, axis).next().is_some() {
        legend.push(Entry::patch(SCENERY, SCENERY_EDGE, Dash::SOLID, "fixed"));
    }
    let (name, impacts) = (axis_name(axis), counted(scene.hits_total, "impact"));
    let subtitle = format!("Extent along {name} over time, {impacts}; the line is the centre");
    Page::new(&scene.scenario.title, subtitle, legend, few)
}
