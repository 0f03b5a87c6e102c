//! One coordinate over time.

use glam::DVec2;

use super::ReportError;
use super::axes::{Axis, Span, grouped};
use super::axis_name;
use super::canvas::{Canvas, Mark, Stroke};
use super::cast::{self, Group};
use super::curve::{along, image, thinned, wrapped};
use super::density::Density;
use super::frame::{Frame, Rect};
use super::legend::{Entry, outline};
use super::page::Page;
use super::scene::{LINES_MAX, Leg, Scene};
use super::style::{IMPACT, SCENERY, SCENERY_EDGE, faded};
use crate::dynamics::{Motion, Shape};
use crate::scenario::Axis as Coordinate;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);
/// How far a chord may stray from the true path, pixels.
const STRAY_MAX: f64 = 0.1;
/// Width of a column of the picture in which only the envelope of a line is kept, pixels.
const COLUMN: f64 = 0.5;
/// Most marked impacts.
const MARKS_MAX: usize = 600;

/// Draws a coordinate of the bodies called `names`, or of all.
///
/// # Errors
/// When the trajectory of a crowd cannot be read again.
pub(super) fn draw(scene: &Scene<'_>, coordinate: Coordinate, names: &[String]) -> Result<Canvas, ReportError> {
    let axis = super::axis_index(coordinate);
    let chosen = scene.chosen(names, true);
    let groups = cast::groups(&scene.scenario.bodies, &chosen);
    let crowd = chosen.len() > LINES_MAX;
    let marks = if crowd { Vec::new() } else { marks(scene, &chosen, axis) };
    let page = page(scene, axis, &groups, crowd, !marks.is_empty());
    let (mut canvas, rect) = page.compose(INNER);
    let frame = frame(scene, rect, &chosen, axis);
    frame.grid(&mut canvas);
    ground(scene, &frame, &mut canvas, axis);
    if crowd {
        density(scene, &frame, &chosen, axis)?.draw(&mut canvas);
    } else {
        lines(scene, &frame, &mut canvas, &groups, axis);
    }
    for mark in marks {
        canvas.push(Mark::Disc(frame.place(mark.x, mark.y), 2.2, IMPACT));
    }
    frame.border(&mut canvas);
    Ok(canvas)
}

fn page(scene: &Scene<'_>, axis: usize, groups: &[Group], crowd: bool, marked: bool) -> Page {
    let mut legend: Vec<Entry> = if crowd {
        groups.iter().take(1).map(|group| Density::entry(&group.label)).collect()
    } else {
        groups.iter().map(Group::entry).collect()
    };
    if marked {
        legend.push(Entry::dot(IMPACT, 2.2, "impact"));
    }
    if planes(scene, axis).next().is_some() {
        legend.push(Entry::patch(SCENERY, SCENERY_EDGE, false, "fixed"));
    }
    let name = axis_name(axis);
    let subtitle = format!("Position of the centre along {name} over time, {} impacts", grouped(scene.hits_total));
    Page { title: scene.scenario.title.clone(), subtitle, legend, notes: Vec::new() }
}

fn frame(scene: &Scene<'_>, rect: Rect, chosen: &[usize], axis: usize) -> Frame {
    let mut span = chosen.iter().fold(Span::EMPTY, |span, &body| span.joined(scene.covered(body, axis)));
    let reach = span.widened(0.3 * span.length());
    planes(scene, axis).map(|(edge, _)| edge).filter(|&edge| reach.contains(edge)).for_each(|edge| span.include(edge));
    let span = span.drawable();
    let y = Axis::linear(span.widened(0.05 * span.length()), 6.0, axis_name(axis), "m");
    Frame { rect, x: Axis::linear(Span::new(0.0, scene.end.seconds()), 8.0, "time", "s"), y }
}

/// Fixed half-spaces that end at a value of the coordinate: the value, and whether the solid lies above it.
fn planes(scene: &Scene<'_>, axis: usize) -> impl Iterator<Item = (f64, bool)> {
    scene.scenario.bodies.iter().filter(|body| body.motion == Motion::Fixed).filter_map(move |body| match body.shape {
        Shape::Plane(plane) if plane.normal()[axis].abs() == 1.0 => {
            let offset = plane.offset() + plane.normal().dot(body.position);
            Some((offset * plane.normal()[axis], plane.normal()[axis] < 0.0))
        }
        Shape::Plane(_) | Shape::Sphere(_) | Shape::Box(_) => None,
    })
}

fn ground(scene: &Scene<'_>, frame: &Frame, canvas: &mut Canvas, axis: usize) {
    let Axis { span: time, .. } = frame.x;
    for (edge, above) in planes(scene, axis).filter(|&(edge, _)| frame.y.span.contains(edge)) {
        let far = if above { frame.y.span.high } else { frame.y.span.low };
        let corners = [(time.low, edge), (time.high, edge), (time.high, far), (time.low, far)];
        let corners = corners.map(|(x, y)| frame.place(x, y));
        frame.area(canvas, &corners, SCENERY);
        frame.line(canvas, &corners[..2], Stroke { color: SCENERY_EDGE, width: 1.2 });
    }
}

fn lines(scene: &Scene<'_>, frame: &Frame, canvas: &mut Canvas, groups: &[Group], axis: usize) {
    let count: usize = groups.iter().map(|group| group.members.len()).sum();
    let (width, alpha) = if count <= 12 { (1.7, 1.0) } else { (1.0, (12.0 / count as f64).max(0.25)) };
    for group in groups {
        let stroke = Stroke { color: faded(group.color, alpha), width };
        for &body in &group.members {
            for part in way(scene, frame, body, axis) {
                frame_line(frame, canvas, &part, stroke, group.dashed);
            }
        }
    }
}

fn frame_line(frame: &Frame, canvas: &mut Canvas, part: &[DVec2], stroke: Stroke, dashed: bool) {
    super::clip::line_inside(part, frame.rect, |piece| outline(canvas, &piece, stroke, dashed));
}

/// A body's coordinate over time on the picture, cut where it wraps.
fn way(scene: &Scene<'_>, frame: &Frame, body: usize, axis: usize) -> Vec<Vec<DVec2>> {
    let grain = STRAY_MAX * frame.y.span.length() / frame.rect.size().y;
    let mut line: Vec<DVec2> = Vec::new();
    for leg in scene.legs(body) {
        let points = curve(&leg, grain, axis);
        let again = usize::from(line.last() == points.first());
        line.extend(&points[again..]);
    }
    let mut parts = Vec::new();
    wrapped(&line, [None, scene.scenario.settings.space.periods[axis]], |part| {
        let placed: Vec<_> = part.iter().map(|point| frame.place(point.x, point.y)).collect();
        parts.push(thinned(&placed, COLUMN));
    });
    parts
}

/// A leg as a line: time to the right, the coordinate upwards.
fn curve(leg: &Leg, grain: f64, axis: usize) -> Vec<DVec2> {
    let start = leg.path.epoch.seconds();
    // Time is added afterwards: only the coordinate bends.
    along(leg, grain, |position, seconds| DVec2::new(seconds, position[axis]))
        .into_iter()
        .map(|point| DVec2::new(start + point.x, point.y))
        .collect()
}

fn density(scene: &Scene<'_>, frame: &Frame, chosen: &[usize], axis: usize) -> Result<Density, ReportError> {
    let mut wanted = vec![false; scene.tracks.len()];
    chosen.iter().for_each(|&body| wanted[body] = true);
    let mut density = Density::new(frame.rect);
    scene.each_sample(|body, time, position| {
        if wanted[body] {
            density.add(frame.place(time.seconds(), position[axis]));
        }
    })?;
    Ok(density)
}

/// Impacts on the curves of the chosen bodies, as time and coordinate; none when they would hide the curves.
fn marks(scene: &Scene<'_>, chosen: &[usize], axis: usize) -> Vec<DVec2> {
    let period = scene.scenario.settings.space.periods[axis];
    let mut marks = Vec::new();
    for hit in &scene.hits {
        for body in hit.bodies.into_iter().filter(|body| chosen.contains(body)) {
            if let Some(position) = scene.exact_position(body, hit.time) {
                let at = DVec2::new(hit.time.seconds(), position[axis]);
                marks.push(at - image(at, [None, period]));
            }
        }
    }
    if marks.len() > MARKS_MAX { Vec::new() } else { marks }
}
