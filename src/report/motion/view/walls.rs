//! Fixed bodies in diagrams of one coordinate over time, each drawn while it is there.

use glam::{DVec2, DVec3};

use super::sizes::{bounds, half_size};
use crate::dynamics::{Motion, Response};
use crate::geometry::Shape;
use crate::report::chart::{Frame, Span};
use crate::report::drawing::{Canvas, SCENERY, SCENERY_EDGE, Stroke};
use crate::report::motion::scene::Scene;

const EDGE: Stroke = Stroke { color: SCENERY_EDGE, width: 1.2 };

/// A fixed body along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wall {
    /// Its extent, m.
    pub(crate) extent: Span,
    /// When it is there, s.
    time: Span,
}

/// Those in the way of a chosen body: across the axis they overlap its range.
pub(crate) fn in_the_way(scene: &Scene<'_>, chosen: &[usize], axis: usize) -> Vec<Wall> {
    let ways: Vec<[Span; 3]> = chosen
        .iter()
        .map(|&body| {
            let half = half_size(&scene.scenario.bodies[body].shape);
            std::array::from_fn(|across| scene.covered(body, across).widened(half[across]))
        })
        .collect();
    walls(scene, axis, |min, max| {
        let is_in = |way: &[Span; 3], side: usize| min[side] < way[side].high && max[side] > way[side].low;
        ways.iter().any(|way| (0..3).filter(|&side| side != axis).all(|side| is_in(way, side)))
    })
}

/// Those that no chosen body can go around: across the axis they reach beyond all ranges.
pub(crate) fn partitions(scene: &Scene<'_>, chosen: &[usize], axis: usize) -> Vec<Wall> {
    let whole: [Span; 3] = std::array::from_fn(|side| {
        chosen.iter().fold(Span::EMPTY, |span, &body| span.joined(scene.covered(body, side)))
    });
    walls(scene, axis, |min, max| {
        (0..3).filter(|&side| side != axis).all(|side| min[side] < whole[side].low && max[side] > whole[side].high)
    })
}

/// Makes a span longer, so that it holds the edges of planes and walls that are close to it.
pub(crate) fn include_edges(scene: &Scene<'_>, axis: usize, walls: &[Wall], span: &mut Span) {
    let reach = span.widened(0.3 * span.length());
    let edges = planes(scene, axis).map(|(edge, _)| edge);
    let edges = edges.chain(walls.iter().flat_map(|wall| [wall.extent.low, wall.extent.high]));
    edges.filter(|&edge| reach.contains(edge)).for_each(|edge| span.include(edge));
}

fn walls(scene: &Scene<'_>, axis: usize, stands: impl Fn(DVec3, DVec3) -> bool) -> Vec<Wall> {
    let bodies = scene.scenario.bodies.iter().enumerate();
    let fixed = bodies.filter(|(_, body)| {
        let solid = matches!(body.shape, Shape::Box(_) | Shape::Sphere(_));
        body.motion == Motion::Fixed && body.response == Response::Collide && solid
    });
    let wall = |(rank, body): (usize, &crate::world::Named)| {
        let around = bounds(&body.shape, body.position);
        let extent = Span::new(around.min[axis], around.max[axis]);
        stands(around.min, around.max).then(|| Wall { extent, time: scene.stay(rank) })
    };
    fixed.filter_map(wall).collect()
}

/// Draws a wall over the time that it is there.
pub(crate) fn strip(frame: &Frame, canvas: &mut Canvas, wall: Wall) {
    let time = Span::new(wall.time.low.max(frame.x.span.low), wall.time.high.min(frame.x.span.high));
    if time.is_empty() {
        return;
    }
    let corners = block(frame, canvas, time, [wall.extent.low, wall.extent.high]);
    frame.line(canvas, &corners[2..], EDGE);
}

/// Draws what is solid from one value of the coordinate to another, with the edge at the first.
fn block(frame: &Frame, canvas: &mut Canvas, time: Span, [from, to]: [f64; 2]) -> [DVec2; 4] {
    let corners = [(time.low, from), (time.high, from), (time.high, to), (time.low, to)];
    let corners = corners.map(|(x, y)| frame.place(x, y));
    frame.area(canvas, &corners, SCENERY);
    frame.line(canvas, &corners[..2], EDGE);
    corners
}

/// Fixed half-spaces that end at a value of the coordinate: the value, and whether the solid lies above it.
pub(crate) fn planes(scene: &Scene<'_>, axis: usize) -> impl Iterator<Item = (f64, bool)> {
    scene.scenario.bodies.iter().filter(|body| body.motion == Motion::Fixed).filter_map(move |body| match &body.shape {
        Shape::Plane(plane) if plane.normal()[axis].abs() == 1.0 => {
            let offset = plane.offset() + plane.normal().dot(body.position);
            Some((offset * plane.normal()[axis], plane.normal()[axis] < 0.0))
        }
        Shape::Plane(_) | Shape::Sphere(_) | Shape::Box(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => None,
    })
}

pub(crate) fn ground(scene: &Scene<'_>, frame: &Frame, canvas: &mut Canvas, axis: usize) {
    for (edge, above) in planes(scene, axis).filter(|&(edge, _)| frame.y.span.contains(edge)) {
        let far = if above { frame.y.span.high } else { frame.y.span.low };
        block(frame, canvas, frame.x.span, [edge, far]);
    }
}
