//! Where and how steeply bodies of a planar world leave its walls: the length along the walls against the sine of the
//! angle from the normal. In these coordinates a billiard keeps areas, so a chaotic one fills its part evenly, and a
//! regular one draws curves (G. D. Birkhoff, *Dynamical Systems*, 1927, chapter VIII).

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use crate::dynamics::{Motion, Space};
use crate::geometry::{Lines, Plane, Shape};
use crate::report::chart::{Entry, Frame, Frames, Page, Setup, Shown, Span, counted, grouped, words};
use crate::report::drawing::{Anchor, Canvas, Dash, Face, Mark, Stroke, TEXT_FAINT, faded, text_width};
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::scene::{Hit, Scene};
use crate::report::motion::track::shortest;
use crate::world::Named;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);
/// Most points; more would make a file of megabytes.
const POINTS_MAX: usize = 8000;
/// Radius of a point, pixels.
const DOT: f64 = 1.2;

/// An impact on a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bounce {
    body: usize,
    /// Which of the walls.
    wall: usize,
    /// Length along the wall, m.
    along: f64,
    /// Sine of the angle between the normal and the velocity after the impact, positive towards greater lengths.
    sine: f64,
}

/// A wall on the axis of length.
#[derive(Debug, Clone, PartialEq)]
struct Wall<'a> {
    /// Its rank in the scenario.
    rank: usize,
    named: &'a Named,
    /// Its straight sides, if it has any, in the order of its outline.
    sides: Vec<[DVec2; 2]>,
    /// Twice the area inside straight sides that close, m²: positive if they go around counterclockwise; else 0.
    area: f64,
    /// What its lengths begin at, and where that is on the axis, m.
    low: f64,
    from: f64,
    /// m.
    length: f64,
}

/// Draws the impacts of the bodies called `names`, or of all free ones, on fixed walls.
pub(crate) fn draw(scene: &Scene<'_>, names: &[String], setup: Setup<'_>) -> Canvas {
    let chosen = scene.chosen(names, false);
    let groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let mut walls = walls(scene);
    let (bounces, unknown) = bounces(scene, &chosen, &walls);
    arrange(&mut walls, &bounces);
    let stride = bounces.len().div_ceil(POINTS_MAX).max(1);
    let style = setup.style;
    let positive = Span::new(1e-3, 1.0);
    let shown = Shown { span: Span::new(-1.0, 1.0), positive, count: 4.0 };
    let y = setup.y_axis(shown, "sine of the angle from the normal", "");
    // A line of names stands above the frame.
    let above = 1.6 * style.small_size;
    let axes = [&y];
    let frames = Frames::new(INNER + DVec2::new(0.0, above), &axes);
    let counts = (bounces.len(), stride, unknown);
    let (mut canvas, mut rect) = page(scene, &groups, counts).compose(setup, frames);
    rect.min.y += above;
    let whole = walls.iter().map(|wall| wall.length).sum::<f64>();
    let whole = if whole > 0.0 { whole } else { 1.0 };
    let x = setup.x_axis((Span::new(0.0, whole), 1e-3 * whole), rect.size().x, "length along the walls", "m");
    let frame = Frame { rect, x, y };
    borders(&frame, &mut canvas, &walls, setup);
    for group in &groups {
        canvas.begin(&group.label);
        let member = scene.membership(&group.members);
        for bounce in bounces.iter().step_by(stride).filter(|bounce| member[bounce.body]) {
            let wall = &walls[bounce.wall];
            let at = frame.place(wall.from + bounce.along - wall.low, bounce.sine);
            if frame.rect.holds(at, 0.0) {
                canvas.push(Mark::Disc(at, style.fine(DOT), group.color));
            }
        }
    }
    frame.finish(&mut canvas);
    canvas
}

/// The ends of walls, and their names where there is room.
fn borders(frame: &Frame, canvas: &mut Canvas, walls: &[Wall<'_>], setup: Setup<'_>) {
    canvas.begin_beside("walls");
    let style = canvas.style;
    for wall in walls.iter().filter(|wall| wall.length > 0.0) {
        let [left, right] = [wall.from, wall.from + wall.length].map(|s| frame.place(s, 0.0).x);
        if wall.from > 0.0 {
            let line = [frame.rect.min.y, frame.rect.max.y].map(|y| DVec2::new(left, y));
            let stroke = Stroke { color: faded(TEXT_FAINT, 0.6), width: style.curve(0.8) };
            frame.curve(canvas, &line, stroke, Dash::DASHED);
        }
        let name = setup.label(&wall.named.name);
        let middle = DVec2::new(0.5 * (left + right), frame.rect.min.y - 0.4 * style.small_size);
        let fits = text_width(name, Face::Upright, style.small_size) < right - left;
        if fits && frame.rect.holds(middle.with_y(frame.rect.min.y), 0.0) {
            canvas.push(words(name, middle, style.small_size, Anchor::Middle, false));
        }
    }
}

/// The fixed bodies of the scenario, not yet on the axis.
fn walls<'a>(scene: &Scene<'a>) -> Vec<Wall<'a>> {
    let bodies = scene.scenario.bodies.iter().enumerate().filter(|(_, body)| body.motion == Motion::Fixed);
    bodies.map(|(rank, named)| Wall::new(rank, named)).collect()
}

/// The impacts of the chosen bodies on walls, and how many lack a recorded path.
fn bounces(scene: &Scene<'_>, chosen: &[usize], walls: &[Wall<'_>]) -> (Vec<Bounce>, usize) {
    let wanted = scene.membership(chosen);
    let mut rows = vec![None; scene.scenario.bodies.len()];
    walls.iter().enumerate().for_each(|(row, wall)| rows[wall.rank] = Some(row));
    let space = &scene.scenario.settings.space;
    let (mut found, mut unknown) = (Vec::new(), 0);
    for &Hit { time, bodies: [a, b], point, normal } in &scene.hits {
        for (body, other, out) in [(a, b, -normal), (b, a, normal)] {
            let Some(wall) = rows[other].filter(|_| wanted[body]) else { continue };
            let Some(velocity) = scene.exact_velocity(body, time) else {
                unknown += 1;
                continue;
            };
            if let Some((along, tangent)) = walls[wall].along(point, space) {
                let onwards = walls[wall].onwards(out.truncate(), tangent);
                let sine = velocity.truncate().dot(onwards) / velocity.length();
                found.push(Bounce { body, wall, along, sine });
            }
        }
    }
    (found, unknown)
}

/// Puts the walls that were hit on the axis, one after the other.
fn arrange(walls: &mut [Wall<'_>], bounces: &[Bounce]) {
    let mut hit = vec![Span::EMPTY; walls.len()];
    bounces.iter().for_each(|bounce| hit[bounce.wall].include(bounce.along));
    let mut from = 0.0;
    for (wall, hit) in walls.iter_mut().zip(hit).filter(|(_, hit)| !hit.is_empty()) {
        // Of a half-plane there is the part that was hit.
        let span = wall.perimeter().map_or(hit, |length| Span::new(0.0, length));
        (wall.low, wall.from, wall.length) = (span.low, from, span.length());
        from += wall.length;
    }
}

impl<'a> Wall<'a> {
    fn new(rank: usize, named: &'a Named) -> Self {
        let sides = sides(&named.shape);
        let next = sides.iter().cycle().skip(1);
        let is_closed = sides.len() > 2 && sides.iter().zip(next).all(|(side, next)| side[1] == next[0]);
        // Seen from its first corner, so that a place far off does not cost digits.
        let part = |[a, b]: &[DVec2; 2]| (a - sides[0][0]).perp_dot(b - sides[0][0]);
        let area = if is_closed { sides.iter().map(part).sum() } else { 0.0 };
        Self { rank, named, sides, area, low: 0.0, from: 0.0, length: 0.0 }
    }

    /// Its length, m; `None` for a half-plane.
    fn perimeter(&self) -> Option<f64> {
        match &self.named.shape {
            Shape::Sphere(radius) => Some(TAU * radius.get()),
            Shape::Arc(arc) => Some(arc.radius() * turn(arc.directions()[0], arc.directions()[1], TAU)),
            Shape::Plane(_) => None,
            Shape::Box(_) | Shape::Mesh(_) | Shape::Grid(_) => {
                Some(self.sides.iter().map(|[a, b]| a.distance(*b)).sum())
            }
        }
    }

    /// The length along it of the point of it nearest to `point`, m, and the direction in which it grows.
    fn along(&self, point: DVec3, space: &Space) -> Option<(f64, DVec2)> {
        let offset = point - self.named.position;
        // A wall that ends reaches less than half a period from its position.
        let place = shortest(offset, space).truncate();
        let round = |radius: f64, start: DVec2| {
            let tangent = DVec2::new(-place.y, place.x).normalize_or_zero();
            (radius * turn(start, place, 0.0), tangent)
        };
        match &self.named.shape {
            Shape::Sphere(radius) => Some(round(radius.get(), DVec2::X)),
            Shape::Arc(arc) => {
                let (along, tangent) = round(arc.radius(), arc.directions()[0]);
                let length = self.perimeter()?;
                // By rounding, a point at the beginning may be just before it, which is nearly a whole turn.
                let is_before = along - length > 0.5 * (TAU * arc.radius() - length);
                Some((if is_before { 0.0 } else { along.min(length) }, tangent))
            }
            Shape::Plane(plane) => {
                let tangent = level(plane);
                Some((offset.truncate().dot(tangent), tangent))
            }
            Shape::Box(_) | Shape::Mesh(_) | Shape::Grid(_) => nearest(&self.sides, place),
        }
    }

    /// The direction across `normal`, which points away from it, in which its length grows. At a corner it lies between
    /// those of the sides. A wall that does not close is met from either side: there it is nearest to `tangent`.
    fn onwards(&self, normal: DVec2, tangent: DVec2) -> DVec2 {
        let left = normal.perp();
        let sense = if self.area == 0.0 { left.dot(tangent) } else { self.area };
        left * sense.signum()
    }
}

/// The same for straight sides.
fn nearest(sides: &[[DVec2; 2]], place: DVec2) -> Option<(f64, DVec2)> {
    let mut before = 0.0;
    let mut best: Option<(f64, (f64, DVec2))> = None;
    for [a, b] in sides {
        let length = a.distance(*b);
        let tangent = (b - a) / length;
        let share = (place - a).dot(tangent).clamp(0.0, length);
        let off = (a + tangent * share).distance(place);
        if best.is_none_or(|(least, _)| off < least) {
            best = Some((off, (before + share, tangent)));
        }
        before += length;
    }
    best.map(|(_, found)| found)
}

/// The direction along a half-plane with free space on the left.
fn level(plane: &Plane) -> DVec2 {
    DVec2::new(plane.normal().y, -plane.normal().x)
}

/// The angle from one direction counterclockwise to another; `full` where they are the same.
fn turn(from: DVec2, to: DVec2, full: f64) -> f64 {
    let angle = from.perp_dot(to).atan2(from.dot(to));
    match angle {
        0.0 => full,
        _ if angle < 0.0 => angle + TAU,
        _ => angle,
    }
}

/// The straight sides of a rectangle, a polygon or a segment, in the order of its outline.
fn sides(shape: &Shape) -> Vec<[DVec2; 2]> {
    let corner = |half: DVec3| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| half.truncate() * DVec2::new(x, y))
    };
    match shape {
        Shape::Box(half) => around(&corner(half.get())),
        Shape::Mesh(mesh) if !mesh.ring().is_empty() => around(mesh.ring()),
        Shape::Mesh(mesh) => {
            let parts = mesh.lines();
            parts.iter().flat_map(Lines::parts).map(|part| [part.a.truncate(), part.b.truncate()]).collect()
        }
        _ => Vec::new(),
    }
}

/// The sides from each corner to the next, and from the last to the first.
fn around(corners: &[DVec2]) -> Vec<[DVec2; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&a, &b)| [a, b]).filter(|[a, b]| a != b).collect()
}

fn page(scene: &Scene<'_>, groups: &[Group], (count, stride, unknown): (usize, usize, usize)) -> Page {
    let legend = groups.iter().map(|group| Entry::dot(group.color, 2.6, group.label.as_str())).collect();
    let subtitle = format!(
        "Impacts on walls: where, and in which direction the body goes on, {}",
        counted(count as u64, "impact")
    );
    let mut notes = Vec::new();
    if stride > 1 {
        notes.push(format!("Every {stride}th impact is drawn."));
    }
    if scene.hits_total > scene.hits.len() as u64 {
        notes.push(format!(
            "Of {} the first and the last {} are known.",
            counted(scene.hits_total, "impact"),
            grouped(scene.hits.len() as u64 / 2)
        ));
    }
    if unknown > 0 {
        notes.push(format!(
            "{} are left out, because the path after them was not recorded.",
            counted(unknown as u64, "impact")
        ));
    }
    if count == 0 {
        notes.push("No body hit a fixed wall.".to_owned());
    }
    Page::new(&scene.scenario.title, subtitle, legend, notes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Body;
    use crate::geometry::CircleArc;

    fn named(body: Body) -> Named {
        Named { name: "wall".to_owned(), body }
    }

    fn along(body: &Named, x: f64, y: f64) -> Option<(f64, DVec2)> {
        Wall::new(0, body).along(DVec3::new(x, y, 0.0), &Space::default())
    }

    #[test]
    fn an_arc_and_a_disc_grow_counterclockwise() {
        let arc = named(Body::arc(CircleArc::new(2.0, DVec2::NEG_Y, DVec2::Y).unwrap()).at(DVec3::X));
        let at = |x: f64, y: f64| along(&arc, 1.0 + x, y).unwrap();
        assert_eq!((Wall::new(0, &arc).perimeter(), at(2.0, 0.0)), (Some(TAU), (0.5 * TAU, DVec2::Y)));
        assert_eq!([at(0.0, -2.0).0, at(-1e-12, -2.0).0, at(-1e-12, 2.0).0], [0.0, 0.0, TAU]);
        let disc = named(Body::sphere(0.5, 1.0).unwrap().fixed());
        assert_eq!(along(&disc, -0.5, 0.0), Some((0.25 * TAU, DVec2::NEG_Y)));
    }

    #[test]
    fn straight_sides_follow_each_other() {
        let half_plane = named(Body::plane(DVec3::Y, 1.0).unwrap());
        assert_eq!(along(&half_plane, 3.0, 1.0), Some((3.0, DVec2::X)));
        let rectangle = named(Body::cuboid(DVec3::new(2.0, 1.0, 1.0), 1.0).unwrap().fixed());
        let at = |x: f64, y: f64| along(&rectangle, x, y).unwrap().0;
        assert_eq!([at(-1.0, -1.0), at(2.0, 0.5), at(0.0, 1.0), at(-2.0, 0.0)], [1.0, 5.5, 8.0, 11.0]);
        assert_eq!(Wall::new(0, &rectangle).perimeter(), Some(12.0));
    }
}
