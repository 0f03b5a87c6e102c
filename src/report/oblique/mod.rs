//! Bodies and their paths in space, seen obliquely from afar. Bodies are outlined where they begin, faint in between,
//! and filled where they end. Thin gray lines are the paths seen from above, on the floor of the box, to show the
//! depth.

pub(super) mod camera;
pub(super) mod room;
pub(super) mod solids;

use glam::{DVec2, DVec3};

pub(super) use camera::Camera;
use camera::{Sight, extent};
use room::Room;
use solids::{Paint, Solids};

use super::chart::{Entry, Frames, Gaps, Page, Setup, Span, brief, counted, grouped};
use super::coordinates::axis_name;
use super::diagrams::strobe::places;
use super::drawing::{
    Canvas, DRIVEN, DRIVEN_EDGE, Dash, Mark, PAPER, Rect, SCENERY_EDGE, SENSOR, Stroke, Style, TEXT, TEXT_FAINT, faded,
    patterned,
};
use super::motion::colour_key::{self, Group};
use super::motion::curve::along;
use super::motion::props::Prop;
use super::motion::scene::{FEW_MAX, Scene};
use super::motion::track::Leg;
use super::motion::view;
use super::paths::path::sampled;
use super::solids::entries;
use crate::dynamics::{Motion, Period, Response};
use crate::scenario::plot::style::Legend;
use crate::world::Named;

/// Largest width and height of the box on a screen, pixels.
const INNER_MAX: DVec2 = DVec2::new(640.0, 520.0);
/// Largest share of the space for numbers and captions on one side in the width and the height of the whole.
const NARROW: f64 = 0.2;
/// Most bodies that are drawn.
const BODIES_MAX: usize = 3000;
/// Most legs drawn for all bodies together.
const LEGS_MAX: usize = 4000;
/// Largest deviation of a chord from the true path, pixels.
const STRAY_MAX: f64 = 0.05;
/// Longest piece of a path in a periodic space, over the longest edge of the box. Where such a path wraps, it is cut.
const PIECE: f64 = 0.01;

/// Draws the bodies called `names`, or all free ones, with ghosts at equal intervals of time.
pub(super) fn draw(
    scene: &Scene<'_>,
    (camera, every): (Camera, Option<f64>),
    names: &[String],
    setup: Setup<'_>,
) -> Canvas {
    let mut chosen = scene.chosen(names, false);
    let all = chosen.len();
    chosen.truncate(BODIES_MAX);
    let room = room(scene, &chosen);
    let groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let few = chosen.len() <= FEW_MAX;
    let lined = if few { groups.clone() } else { sampled(scene, &groups) };
    let legs_max = LEGS_MAX / lined.iter().map(|group| group.members.len()).sum::<usize>().max(1);
    let cut = lined.iter().flat_map(|group| &group.members).any(|&body| scene.legs(body).len() > legs_max);
    // Its box has numbers all around, and no free corner.
    let legend = setup.style.legend.map(|place| if place == Legend::Inside { Legend::Top } else { place });
    let style = Style { legend, ..setup.style };
    let setup = setup.styled(style);
    let frames = Frames { rigid: true, ..Frames::new(inner(camera, room, style), &[]) };
    let page = page(scene, every.filter(|_| few), (&groups, &lined), (few, all, cut.then_some(legs_max)));
    let (mut canvas, rect) = page.compose(setup, frames);
    let sight = Sight::new(camera, &room.corners(), inside(rect, camera, room, style));
    let axes = [0, 1, 2].map(|axis| room::axis(room, axis, (camera, sight.scale), style));
    room::far_faces(&mut canvas, room, &sight, &axes);
    let view = Oblique { scene, sight: &sight, room };
    canvas.begin_beside("scenery");
    view.scenery(&mut canvas);
    for group in &lined {
        canvas.begin(&group.label);
        for &body in &group.members {
            view.path(&mut canvas, group, (body, legs_max));
        }
    }
    canvas.begin("bodies");
    if few {
        every.into_iter().for_each(|every| view.ghosts(&mut canvas, &groups, every));
    }
    view.ends(&mut canvas, &groups, few);
    room::edges(&mut canvas, room, &sight, &axes);
    canvas
}

/// The largest box with its numbers on a screen, pixels.
pub(super) fn inner(camera: Camera, room: Room, style: Style) -> DVec2 {
    let (low, high) = extent(camera, &room.corners());
    let scale = (INNER_MAX / (high - low)).min_element();
    let picture = scale * (high - low);
    let [before, after] = margins(camera, room, style, picture);
    picture + before + after
}

/// The place for the box within that for the box with its numbers.
pub(super) fn inside(rect: Rect, camera: Camera, room: Room, style: Style) -> Rect {
    // If there is little space, the box gets more of it than the numbers.
    let [before, after] = margins(camera, room, style, 0.8 * rect.size()).map(|side| side.min(NARROW * rect.size()));
    Rect { min: rect.min + before, max: rect.max - after }
}

/// The space for numbers and captions above and to the left, and below and to the right. Below each picture there is
/// space for an axis already.
fn margins(camera: Camera, room: Room, style: Style, size: DVec2) -> [DVec2; 2] {
    let [before, after] = room::overhang(camera, room, style, size);
    [before, (after - DVec2::Y * Gaps::of(style).below).max(DVec2::ZERO)]
}

/// The range that is shown, from two views along axes.
pub(super) fn room(scene: &Scene<'_>, chosen: &[usize]) -> Room {
    let [flat, front] = [[0, 1], [0, 2]].map(|axes| view::choose(scene, chosen, axes).spans);
    let spans = [flat[0], flat[1], front[1]];
    let period = |axis: usize| scene.scenario.settings.space.periods[axis];
    Room::new([0, 1, 2].map(|axis| period(axis).map_or(spans[axis], |period| Span::new(period.min, period.max))))
}

/// A scene and how it is seen.
struct Oblique<'s, 'a> {
    scene: &'s Scene<'a>,
    sight: &'s Sight,
    room: Room,
}

impl Oblique<'_, '_> {
    /// Draws the bodies that are not free, where they end.
    fn scenery(&self, canvas: &mut Canvas) {
        let mut solids = Solids::new(self.sight, self.room, canvas.style.theme);
        for Prop { body, shape, end, .. } in self.scene.scenery() {
            solids.add(&shape, end, paint(body, canvas.style));
        }
        solids.draw(canvas);
    }

    /// Draws the first legs of a path, and their projection on the floor.
    fn path(&self, canvas: &mut Canvas, group: &Group, (body, legs_max): (usize, usize)) {
        let style = canvas.style;
        let stroke = Stroke { color: group.color, width: style.curve(1.5) };
        let below = Stroke { color: faded(TEXT_FAINT, 0.45), width: style.fine(0.7) };
        let floor = self.room.end(2, self.sight.camera.towards[2] < 0.0);
        let mut legs = self.scene.legs(body);
        legs.truncate(legs_max);
        for line in lines(self.scene.scenario.settings.space.periods, self.sight, self.room, &legs) {
            let shadow = line.iter().map(|point| self.sight.place(point.with_z(floor))).collect();
            canvas.push(Mark::Line(shadow, below));
            let placed: Vec<DVec2> = line.iter().map(|&point| self.sight.place(point)).collect();
            patterned(canvas, &placed, stroke, group.dash);
        }
    }

    /// Draws the bodies at whole multiples of a time, faint.
    fn ghosts(&self, canvas: &mut Canvas, groups: &[Group], every: f64) {
        let mut solids = Solids::new(self.sight, self.room, canvas.style.theme);
        for group in groups {
            let edge = Stroke { color: faded(group.color, 0.55), width: canvas.style.fine(0.8) };
            for &body in &group.members {
                for place in places(self.scene, body, every) {
                    let paint = Paint { color: group.color, edge, strength: 0.45, cover: 0.5 };
                    self.add(&mut solids, body, place, paint);
                }
            }
        }
        solids.draw(canvas);
    }

    /// Draws the bodies where they end, and, if they are few, also where they begin.
    fn ends(&self, canvas: &mut Canvas, groups: &[Group], few: bool) {
        let mut solids = Solids::new(self.sight, self.room, canvas.style.theme);
        for group in groups {
            let edge = |alpha: f64| Stroke { color: faded(group.color, alpha), width: canvas.style.fine(1.1) };
            for &body in &group.members {
                if let Some(first) = self.scene.tracks[body].first.filter(|_| few) {
                    let paint = Paint { color: group.color, edge: edge(0.5), strength: 0.0, cover: 0.0 };
                    self.add(&mut solids, body, first, paint);
                }
                if let Some(last) = self.scene.remaining(body) {
                    let cover = if few { 0.85 } else { 1.0 };
                    let paint = Paint { color: group.color, edge: edge(1.0), strength: 0.9, cover };
                    self.add(&mut solids, body, last, paint);
                }
            }
        }
        solids.draw(canvas);
    }

    /// Adds a body at a place, if that is in the box.
    fn add(&self, solids: &mut Solids<'_>, body: usize, place: DVec3, paint: Paint) {
        let place = place - shift(self.scene.scenario.settings.space.periods, place);
        if self.room.holds(place) {
            solids.add(&self.scene.scenario.bodies[body].shape, place, paint);
        }
    }
}

/// How a body that is not free is drawn.
pub(super) fn paint(body: &Named, style: Style) -> Paint {
    let (color, edge, strength) = match (body.response, body.motion) {
        (Response::Sense, _) => (SENSOR, SENSOR, 0.3),
        (_, Motion::Kinematic) => (DRIVEN, DRIVEN_EDGE, 1.4),
        _ => (SCENERY_EDGE, SCENERY_EDGE, 0.5),
    };
    let edge = Stroke { color: faded(edge, 0.7), width: style.fine(0.9) };
    Paint { color, edge, strength, cover: 0.6 }
}

/// A path as lines within the box, cut where it leaves the box.
pub(super) fn lines(periods: [Option<Period>; 3], sight: &Sight, room: Room, legs: &[Leg]) -> Vec<Vec<DVec3>> {
    let periodic = periods != [None; 3];
    let size = (room.max - room.min).max_element();
    // Seen from above and from the front, so that the deviation in every direction counts.
    let bends = |leg: &_| {
        let flat = along(leg, STRAY_MAX / sight.scale, |position, _| DVec2::new(position.x, position.y));
        let front = along(leg, STRAY_MAX / sight.scale, |position, _| DVec2::new(position.z, 0.0));
        flat.len().max(front.len()) - 1
    };
    let mut lines: Vec<Vec<DVec3>> = vec![Vec::new()];
    let mut image = DVec3::ZERO;
    for leg in legs {
        let long = leg.path.velocity.length() * leg.seconds;
        let pieces = if periodic { (long / (PIECE * size)).ceil().clamp(1.0, 4096.0) as usize } else { 1 };
        let count = bends(leg).max(pieces);
        if leg.is_put {
            lines.push(Vec::new());
        }
        for place in 0..=count {
            let point = leg.after(leg.seconds * (place as f64 / count as f64));
            let shift = shift(periods, point);
            let inside = room.holds(point - shift);
            if shift != image || !inside {
                image = shift;
                lines.push(Vec::new());
            }
            lines.last_mut().filter(|_| inside).into_iter().for_each(|line| line.push(point - shift));
        }
    }
    lines.retain(|line| line.len() > 1);
    lines
}

/// The displacement of a place to its image inside the periodic cell, m.
pub(super) fn shift(periods: [Option<Period>; 3], point: DVec3) -> DVec3 {
    DVec3::from([0, 1, 2].map(|axis: usize| {
        periods[axis].map_or(0.0, |period| ((point[axis] - period.min) / period.length()).floor() * period.length())
    }))
}

fn page(
    scene: &Scene<'_>,
    every: Option<f64>,
    (groups, lined): (&[Group], &[Group]),
    (few, all, cut): (bool, usize, Option<usize>),
) -> Page {
    let patch = |group: &Group| Entry::patch(faded(group.color, 0.45), group.color, Dash::SOLID, group.label.as_str());
    let mut legend: Vec<Entry> = if few { Vec::new() } else { groups.iter().map(patch).collect() };
    legend.extend(lined.iter().map(Group::entry));
    if few && !groups.is_empty() {
        legend.push(Entry::patch(faded(PAPER, 0.0), faded(TEXT, 0.45), Dash::SOLID, "at the start"));
        if let Some(every) = every {
            let label = format!("every {} s", brief(every));
            legend.push(Entry::patch(faded(TEXT, 0.15), faded(TEXT, 0.55), Dash::SOLID, label));
        }
        legend.push(Entry::patch(faded(TEXT, 0.45), TEXT, Dash::SOLID, "at the end"));
    }
    if !lined.is_empty() {
        legend.push(Entry::line(faded(TEXT_FAINT, 0.45), Dash::SOLID, format!("along {}, on the floor", axis_name(2))));
    }
    legend.extend(entries(&scene.still().map(|(_, body)| body).collect::<Vec<_>>(), false));
    let impacts = counted(scene.hits_total, "impact");
    let subtitle = format!("Paths in space, {} s, {impacts}", brief(scene.end.seconds()));
    let hidden = all > BODIES_MAX;
    let notes = hidden.then(|| format!("The first {BODIES_MAX} of {} bodies are drawn.", grouped(all as u64)));
    let cut = cut.map(|most| format!("Of each body the first {} parts of its way are drawn.", grouped(most as u64)));
    Page::new(&scene.scenario.title, subtitle, legend, notes.into_iter().chain(cut))
}
