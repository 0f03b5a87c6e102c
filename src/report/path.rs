//! The paths of bodies seen along an axis, at equal scales, with what stands around them.

use glam::DVec2;

use super::ReportError;
use super::axes::{Axis, Span, grouped};
use super::canvas::{Canvas, Mark, Stroke};
use super::cast::{self, Group};
use super::clip::{dashes, line_inside};
use super::curve::{along, image, wrapped};
use super::density::Density;
use super::frame::{Frame, Rect};
use super::legend::Entry;
use super::page::Page;
use super::scene::{LINES_MAX, Scene};
use super::solids::{self, Look, Stage};
use super::style::{Color, IMPACT, PALETTE, faded};
use super::view::{self, View};
use super::{axis_name, plane_axes};
use crate::dynamics::Period;
use crate::scenario::Plane2;

/// Largest width and height of the frame, pixels.
const INNER_MAX: DVec2 = DVec2::new(720.0, 600.0);
/// How far a chord may stray from the true path, pixels.
const STRAY_MAX: f64 = 0.1;
/// Most legs drawn in one picture.
const LEGS_MAX: usize = 100_000;
/// How many bodies of a crowd have their paths drawn over the density.
const SAMPLES: usize = 6;
/// Most bodies drawn as solids at the end of the run.
const SOLIDS_MAX: usize = 20_000;

/// Draws the paths of the bodies called `names`, or of all.
///
/// # Errors
/// When the trajectory of a crowd cannot be read again.
pub(super) fn draw(scene: &Scene<'_>, plane: Plane2, names: &[String]) -> Result<Canvas, ReportError> {
    let axes = plane_axes(plane);
    let chosen = scene.chosen(names, false);
    let view = view::choose(scene, &chosen, axes);
    let groups = cast::groups(&scene.scenario.bodies, &chosen);
    let crowd = chosen.len() > LINES_MAX;
    let drawn = if crowd { sampled(scene, &groups) } else { groups.clone() };
    let marks = Marks::choose(scene, &chosen, crowd);
    let page = page(scene, axes, &view, if crowd { &groups } else { &[] }, &drawn, &marks);
    let (mut canvas, rect) = page.compose(inner_size(&view));
    let stage = Stage { frame: frame(rect, &view, axes), axes };
    stage.frame.grid(&mut canvas);
    if crowd {
        density(scene, &stage, &chosen)?.draw(&mut canvas);
    }
    stage.scenery(&mut canvas, &scene.scenario.bodies, &view, scene.end.seconds());
    period_outline(scene, &stage, &mut canvas);
    solids_at_start(scene, &stage, &mut canvas, &groups);
    lines(scene, &stage, &mut canvas, &drawn);
    solids_at_end(scene, &stage, &mut canvas, &groups);
    marks.draw(scene, &stage, &mut canvas);
    stage.frame.border(&mut canvas);
    Ok(canvas)
}

fn page(scene: &Scene<'_>, axes: [usize; 2], view: &View, crowd: &[Group], drawn: &[Group], marks: &Marks) -> Page {
    let mut legend: Vec<Entry> = crowd.iter().map(|group| Density::entry(&group.label)).take(1).collect();
    legend.extend(drawn.iter().map(Group::entry));
    legend.extend(solids::entries(&scene.scenario.bodies));
    legend.extend(marks.entry());
    let mut notes = view.notes.clone();
    notes.extend(solids::oblique(&scene.scenario.bodies, axes));
    notes.extend(marks.note());
    let [right, up] = axes.map(axis_name);
    let subtitle = format!(
        "Paths in the {right}{up} plane, {} s, {} impacts; outlined at the start, filled at the end",
        super::axes::brief(scene.end.seconds()),
        grouped(scene.hits_total)
    );
    Page { title: scene.scenario.title.clone(), subtitle, legend, notes }
}

/// The largest frame in which both axes have one scale.
fn inner_size(view: &View) -> DVec2 {
    let size = DVec2::new(view.spans[0].length(), view.spans[1].length());
    size * (INNER_MAX / size).min_element()
}

fn frame(rect: Rect, view: &View, axes: [usize; 2]) -> Frame {
    let axis = |side: usize, pixels: f64| {
        Axis::linear(view.spans[side], (pixels / 85.0).clamp(2.0, 8.0), axis_name(axes[side]), "m")
    };
    Frame { rect, x: axis(0, rect.size().x), y: axis(1, rect.size().y * 1.3) }
}

/// A few bodies of a crowd whose exact paths were kept.
fn sampled(scene: &Scene<'_>, groups: &[Group]) -> Vec<Group> {
    let exact = groups.iter().flat_map(|group| &group.members).copied().filter(|&body| scene.has_knots(body));
    let members: Vec<usize> = exact.take(SAMPLES).collect();
    if members.is_empty() {
        return Vec::new();
    }
    let label = format!("{} of the paths", members.len());
    vec![Group { label, color: PALETTE[1], dashed: false, members }]
}

fn density(scene: &Scene<'_>, stage: &Stage, chosen: &[usize]) -> Result<Density, ReportError> {
    let mut wanted = vec![false; scene.tracks.len()];
    chosen.iter().for_each(|&body| wanted[body] = true);
    let mut density = Density::new(stage.frame.rect);
    scene.each_sample(|body, _, position| {
        if wanted[body] {
            density.add(stage.place(position));
        }
    })?;
    Ok(density)
}

/// The lines of all groups. Where they would blacken the picture they are thin and translucent.
fn lines(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, groups: &[Group]) {
    let count: usize = groups.iter().map(|group| group.members.len()).sum();
    let legs_max = LEGS_MAX / count.max(1);
    let mut parts: Vec<(Vec<DVec2>, &Group)> = Vec::new();
    for group in groups {
        for &body in &group.members {
            for part in way(scene, stage, body, legs_max) {
                line_inside(&part, stage.frame.rect, |part| parts.push((part, group)));
            }
        }
    }
    let ink: f64 = parts.iter().map(|(part, _)| length(part)).sum();
    let size = stage.frame.rect.size();
    let cover = ink / (size.x * size.y);
    let (width, alpha) = if cover < 0.03 { (1.7, 1.0) } else { (1.1, (0.14 / cover).clamp(0.12, 0.9)) };
    for (part, group) in parts {
        stroke(canvas, part, Stroke { color: faded(group.color, alpha), width }, group.dashed);
    }
}

/// Draws a line. A translucent one is drawn piece by piece, so that it is darker where it crosses itself.
fn stroke(canvas: &mut Canvas, line: Vec<DVec2>, stroke: Stroke, dashed: bool) {
    if dashed {
        dashes(&line, 6.0, 3.0).into_iter().for_each(|dash| canvas.push(Mark::Line(dash, stroke)));
    } else if stroke.color.3 < 1.0 {
        line.chunks(16).enumerate().for_each(|(index, chunk)| {
            let next = line.get((index + 1) * 16).copied();
            canvas.push(Mark::Line(chunk.iter().copied().chain(next).collect(), stroke));
        });
    } else {
        canvas.push(Mark::Line(line, stroke));
    }
}

/// A body's way over the picture, cut where it wraps.
fn way(scene: &Scene<'_>, stage: &Stage, body: usize, legs_max: usize) -> Vec<Vec<DVec2>> {
    let grain = STRAY_MAX / stage.scale();
    let mut line: Vec<DVec2> = Vec::new();
    for leg in scene.legs(body).iter().take(legs_max) {
        let flat = |position: glam::DVec3, _| DVec2::new(position[stage.axes[0]], position[stage.axes[1]]);
        let points = along(leg, grain, flat);
        let again = usize::from(line.last() == points.first());
        line.extend(&points[again..]);
    }
    let mut parts = Vec::new();
    wrapped(&line, periods(scene, stage.axes), |part| {
        let mut placed: Vec<_> = part.iter().map(|point| stage.frame.place(point.x, point.y)).collect();
        placed.dedup();
        parts.push(placed);
    });
    parts
}

fn length(line: &[DVec2]) -> f64 {
    line.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
}

fn periods(scene: &Scene<'_>, axes: [usize; 2]) -> [Option<Period>; 2] {
    axes.map(|axis| scene.scenario.settings.space.periods[axis])
}

/// Where a position's image inside the period is on the picture.
fn home(scene: &Scene<'_>, stage: &Stage, position: glam::DVec3) -> glam::DVec3 {
    let [right, up] = stage.axes;
    let shift = image(DVec2::new(position[right], position[up]), periods(scene, stage.axes));
    let mut position = position;
    position[right] -= shift.x;
    position[up] -= shift.y;
    position
}

fn period_outline(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas) {
    let stroke = Stroke { color: super::style::SCENERY_EDGE, width: 1.0 };
    let [x, y] = [stage.frame.x.span, stage.frame.y.span];
    for (side, period) in periods(scene, stage.axes).into_iter().enumerate() {
        for wall in period.into_iter().flat_map(|period| [period.min, period.max]) {
            let other = if side == 0 { y } else { x };
            let across = period_span(periods(scene, stage.axes)[1 - side], other);
            let end = |at: f64| if side == 0 { stage.frame.place(wall, at) } else { stage.frame.place(at, wall) };
            for dash in dashes(&[end(across.low), end(across.high)], 7.0, 4.0) {
                canvas.push(Mark::Line(dash, stroke));
            }
        }
    }
}

fn period_span(period: Option<Period>, otherwise: Span) -> Span {
    period.map_or(otherwise, |period| Span::new(period.min, period.max))
}

fn solids_at_start(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, groups: &[Group]) {
    if groups.iter().map(|group| group.members.len()).sum::<usize>() > LINES_MAX {
        return;
    }
    each_member(groups, |body, color| {
        let Some(first) = scene.tracks[body].first else { return };
        let edge = Stroke { color: faded(color, 0.45), width: 1.0 };
        let look = Look { fill: None, edge, dashed: false };
        stage.solid(canvas, &scene.scenario.bodies[body].shape, home(scene, stage, first), look);
    });
}

fn solids_at_end(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, groups: &[Group]) {
    let count: usize = groups.iter().map(|group| group.members.len()).sum();
    if count > SOLIDS_MAX {
        return;
    }
    let (cover, line) = if count > LINES_MAX { (0.0, 0.35) } else { (0.3, 1.0) };
    each_member(groups, |body, color| {
        let Some(last) = scene.last_position(body) else { return };
        let edge = Stroke { color: faded(color, line), width: if count > LINES_MAX { 0.6 } else { 1.2 } };
        let fill = (cover > 0.0).then(|| faded(color, cover));
        let shape = &scene.scenario.bodies[body].shape;
        stage.solid(canvas, shape, home(scene, stage, last), Look { fill, edge, dashed: false });
    });
}

fn each_member(groups: &[Group], mut take: impl FnMut(usize, Color)) {
    for group in groups {
        group.members.iter().for_each(|&body| take(body, group.color));
    }
}

/// Which impacts are marked, and how large.
struct Marks {
    points: Vec<glam::DVec3>,
    radius: f64,
    total: u64,
}

impl Marks {
    /// Those in which a chosen body takes part, unless they are too many to be told apart.
    fn choose(scene: &Scene<'_>, chosen: &[usize], crowd: bool) -> Self {
        let mut wanted = vec![false; scene.tracks.len()];
        chosen.iter().for_each(|&body| wanted[body] = true);
        let hits = scene.hits.iter().filter(|hit| hit.bodies.iter().any(|&body| wanted[body]));
        let mut points: Vec<_> = hits.map(|hit| hit.point).collect();
        let radius = match points.len() {
            0..=60 => 2.6,
            61..=400 => 1.9,
            _ => 1.3,
        };
        if crowd || scene.hits_total > 3000 {
            points.clear();
        }
        Self { points, radius, total: scene.hits_total }
    }

    fn draw(&self, scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas) {
        for &point in &self.points {
            let at = stage.place(home(scene, stage, point));
            if stage.frame.rect.holds(at, 0.0) {
                canvas.push(Mark::Disc(at, self.radius + 0.8, super::style::faded(PAPER, 0.9)));
                canvas.push(Mark::Disc(at, self.radius, IMPACT));
            }
        }
    }

    fn entry(&self) -> Option<Entry> {
        (!self.points.is_empty()).then(|| Entry::dot(IMPACT, self.radius.max(2.0), "impact"))
    }

    fn note(&self) -> Option<String> {
        let unmarked = self.points.is_empty() && self.total > 0;
        unmarked.then(|| format!("{} impacts are too many to be marked.", grouped(self.total)))
    }
}

/// The white of the page.
const PAPER: Color = plotters::style::RGBAColor(255, 255, 255, 1.0);
