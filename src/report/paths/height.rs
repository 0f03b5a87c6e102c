//! One coordinate over time.
//!
//! A body that bounces ten thousand times would fill the frame with ink. Then the frame is split in two, and shows the
//! first and the last few bounces.

use glam::DVec2;

use super::concentration;
use crate::report::chart::{Axis, Entry, Frame, Frames, Page, Setup, Shown, Span, brief, counted};
use crate::report::coordinates::{axis_index, axis_name, axis_symbol};
use crate::report::drawing::{Canvas, Dash, IMPACT, Mark, SCENERY, SCENERY_EDGE, Stroke, faded};
use crate::report::error::ReportError;
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::curve::{along, image, joined, thinned, wrapped};
use crate::report::motion::scene::{FEW_MAX, Scene};
use crate::report::motion::track::Leg;
use crate::report::motion::view::leaving::{self, Leaver, core, leavers};
use crate::report::motion::view::sizes::middle;
use crate::report::motion::view::walls::{Wall, ground, include_edges, partitions, planes, strip};
use crate::scenario::Axis as Coordinate;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);
/// Largest deviation of a chord from the true path, pixels.
const STRAY_MAX: f64 = 0.02;
/// Width of a column of the picture in which only the envelope of a line is kept, pixels.
const COLUMN: f64 = 0.5;
/// Most impacts that are marked.
const MARKS_MAX: usize = 500;
/// Smallest width and height at which a leg can be distinguished from its neighbours, pixels.
const LEG_MIN: f64 = 4.0;
/// Where a logarithmic axis begins if the coordinate does not stay positive, over the largest value.
pub(crate) const DECADES: f64 = 1e-4;
/// Number of legs in each half of a split frame.
const LEGS_SHOWN: f64 = 10.0;

/// Draws a coordinate of the bodies called `names`, or of all.
///
/// # Errors
/// When the trajectory of a crowd cannot be read again.
pub(crate) fn draw(
    scene: &Scene<'_>,
    coordinate: Coordinate,
    names: &[String],
    setup: Setup<'_>,
) -> Result<Canvas, ReportError> {
    let axis = axis_index(coordinate);
    let chosen = scene.chosen(names, true);
    if chosen.len() > FEW_MAX {
        return concentration::draw(scene, coordinate, names, setup);
    }
    let mut groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let walls = partitions(scene, &chosen, axis);
    let (y, leavers) = y_axis(scene, &chosen, (axis, &walls), setup);
    let windows = windows(scene, &chosen, (axis, y.span.length()), setup);
    let marks = marks(scene, &chosen, axis, &windows);
    let solids = !walls.is_empty() || planes(scene, axis).next().is_some();
    let column = if windows.len() == 1 { colour_key::column(&mut groups, INNER, setup) } else { 0.0 };
    let named = (axis, if column > 0.0 { &[] } else { &groups[..] });
    let page = Page { column, ..page(scene, named, &windows, (!marks.is_empty(), solids, &leavers)) };
    let (mut canvas, rect) = page.compose(setup, Frames::new(INNER, &[&y]));
    let frames = Frame::parts(rect, &windows, &y, |window, width| setup.time_axis(window, width));
    for frame in &frames {
        frame.grid(&mut canvas);
        ground(scene, frame, &mut canvas, axis);
        walls.iter().for_each(|wall| strip(frame, &mut canvas, *wall));
        lines(scene, frame, &mut canvas, &groups, axis);
        canvas.begin_beside("impacts");
        for at in marks.iter().filter(|at| frame.x.span.contains(at.x)) {
            let radius = canvas.style.fine(if marks.len() > 100 { 1.4 } else { 2.2 });
            let place = frame.place(at.x, at.y);
            if frame.rect.holds(place, 0.0) {
                canvas.push(Mark::Disc(place, radius, IMPACT));
            }
        }
        leaving::arrows(&leavers, frame, &mut canvas);
        frame.edge(&mut canvas);
        frame.x_axis(&mut canvas);
    }
    frames[0].y_axis(&mut canvas);
    if column > 0.0 {
        let way = |place: usize| {
            way(scene, &frames[0], groups[place].members[0], (axis, centre(scene, groups[place].members[0], axis)))
        };
        let end = |place: usize| way(place).last().and_then(|part| part.last().copied());
        colour_key::name_ends(&mut canvas, rect, &groups, end);
    }
    Frame::break_marks(&frames, &mut canvas);
    Ok(canvas)
}

fn page(
    scene: &Scene<'_>,
    (axis, groups): (usize, &[Group]),
    windows: &[Span],
    (marked, solids, leavers): (bool, bool, &[Leaver]),
) -> Page {
    let mut legend: Vec<Entry> = groups.iter().map(Group::entry).collect();
    if marked {
        legend.push(Entry::dot(IMPACT, 2.2, "impact"));
    }
    if solids {
        legend.push(Entry::patch(SCENERY, SCENERY_EDGE, Dash::SOLID, "fixed"));
    }
    let (name, impacts) = (axis_name(axis), counted(scene.hits_total, "impact"));
    let subtitle = match windows {
        [first, _] => {
            let [part, whole] = [first.length(), scene.end.seconds()].map(brief);
            format!("Position of the centre along {name}, {impacts}; the first and the last {part} s of {whole} s")
        }
        _ => format!("Position of the centre along {name} over time, {impacts}"),
    };
    let unmarked = !marked && scene.hits_total > 0;
    let mut notes = leaving::notes(leavers);
    if unmarked {
        notes.push(format!("Impacts are not marked here; the run has {}.", counted(scene.hits_total, "impact")));
    }
    Page::new(&scene.scenario.title, subtitle, legend, notes)
}

/// The spans of time that are shown: the whole time, or its beginning and end if it would be solid ink.
fn windows(scene: &Scene<'_>, chosen: &[usize], (axis, tall): (usize, f64), setup: Setup<'_>) -> Vec<Span> {
    let whole = Span::new(0.0, scene.end.seconds());
    if setup.asked.time.is_some() || setup.is_log_x() || setup.is_shared {
        return vec![setup.time(whole)];
    }
    let (narrow, flat) = (LEG_MIN * whole.length() / INNER.x, LEG_MIN * tall / INNER.y);
    let busiest = chosen.iter().map(|&body| {
        let solid = |&(seconds, range): &(f64, f64)| seconds < narrow && range > flat;
        let dense: Vec<f64> = scene.exact_spans(body, axis).filter(solid).map(|(seconds, _)| seconds).collect();
        (dense.iter().sum::<f64>(), dense.len())
    });
    let (inked, legs) = busiest.fold((0.0, 0), |most, next| if next.0 > most.0 { next } else { most });
    if inked < 0.5 * whole.length() {
        return vec![whole];
    }
    let part = LEGS_SHOWN * inked / legs as f64;
    vec![Span::new(0.0, part), Span::new(whole.high - part, whole.high)]
}

/// The vertical axis: the range of the coordinate, with planes and walls close by; and the bodies that leave it.
fn y_axis(
    scene: &Scene<'_>,
    chosen: &[usize],
    (axis, walls): (usize, &[Wall]),
    setup: Setup<'_>,
) -> (Axis, Vec<Leaver>) {
    let way = |&body: &usize| {
        let (covered, more) = (scene.covered(body, axis), centre(scene, body, axis));
        [Span::new(covered.low + more, covered.high + more)]
    };
    let ways: Vec<[Span; 1]> = chosen.iter().map(way).collect();
    let all = ways.iter().fold(Span::EMPTY, |span, way| span.joined(way[0]));
    let core = core(scene, chosen, ([all], [axis])).filter(|_| setup.asked.y.is_none() && !setup.is_log_y());
    let mut span = core.map_or(all, |[core]| core);
    include_edges(scene, axis, walls, &mut span);
    let span = span.drawable().widened(0.05 * span.length());
    let leavers = core.map_or(Vec::new(), |_| leavers(scene, chosen, &ways, ([span], [axis])));
    // A coordinate that begins at zero or below has no least positive value.
    let positive = if all.low > 0.0 { all } else { Span::new(DECADES * all.high, all.high) };
    (setup.y_axis(Shown { span, positive, count: setup.ticks_up(6.0, INNER) }, axis_symbol(axis), "m"), leavers)
}

/// From the position of a body to its middle, m.
fn centre(scene: &Scene<'_>, body: usize, axis: usize) -> f64 {
    middle(&scene.scenario.bodies[body].shape, axis)
}

fn lines(scene: &Scene<'_>, frame: &Frame, canvas: &mut Canvas, groups: &[Group], axis: usize) {
    let count: usize = groups.iter().map(|group| group.members.len()).sum();
    let style = canvas.style;
    let faint = (style.fine(1.1), (24.0 / count as f64).clamp(0.35, 1.0));
    let (width, alpha) = if count <= 12 { (style.curve(1.7), 1.0) } else { faint };
    for group in groups {
        canvas.begin(&group.label);
        let stroke = Stroke { color: faded(group.color, alpha), width };
        for &body in &group.members {
            for part in way(scene, frame, body, (axis, centre(scene, body, axis))) {
                frame.curve(canvas, &part, stroke, group.dash);
            }
        }
    }
}

/// The coordinate of a body, and some metres more, over the time of a frame in the picture, cut where it wraps.
pub(crate) fn way(scene: &Scene<'_>, frame: &Frame, body: usize, (axis, more): (usize, f64)) -> Vec<Vec<DVec2>> {
    let grain = STRAY_MAX * frame.y.span.length() / frame.rect.size().y;
    let seen = |leg: &Leg| {
        let start = leg.path.epoch.seconds();
        start <= frame.x.span.high && start + leg.seconds >= frame.x.span.low
    };
    let legs: Vec<Leg> = scene.legs(body).into_iter().filter(seen).collect();
    let mut parts = Vec::new();
    for line in joined(&legs, |leg| curve(leg, grain, axis)) {
        wrapped(&line, [None, scene.scenario.settings.space.periods[axis]], |part| {
            let placed: Vec<_> = part.iter().map(|point| frame.place(point.x, point.y + more)).collect();
            parts.push(thinned(&placed, COLUMN));
        });
    }
    parts
}

/// A leg as a line: time is horizontal, the coordinate vertical.
fn curve(leg: &Leg, grain: f64, axis: usize) -> Vec<DVec2> {
    let start = leg.path.epoch.seconds();
    // The epoch is added at the end: rounding would lose the small differences by which a chord is judged.
    let points = along(leg, grain, |position, seconds| DVec2::new(seconds, position[axis]));
    points.into_iter().map(|point| DVec2::new(start + point.x, point.y)).collect()
}

/// Impacts on the curves of the chosen bodies, as time and coordinate; empty if they would hide the curves.
fn marks(scene: &Scene<'_>, chosen: &[usize], axis: usize, windows: &[Span]) -> Vec<DVec2> {
    let period = scene.scenario.settings.space.periods[axis];
    let wanted = scene.membership(chosen);
    let mut marks = Vec::new();
    // If there are very many impacts, only the first and the last are known, which is enough for the two ends of a run.
    if windows.len() == 1 && scene.hits_total > scene.hits.len() as u64 {
        return marks;
    }
    for hit in &scene.hits {
        let time = hit.time.seconds();
        if !windows.iter().any(|window| window.contains(time)) {
            continue;
        }
        for body in hit.bodies.into_iter().filter(|&body| wanted[body]) {
            if let Some(position) = scene.exact_position(body, hit.time) {
                let at = DVec2::new(time, position[axis] + centre(scene, body, axis));
                marks.push(at - image(at, [None, period]));
            }
        }
    }
    if marks.len() > MARKS_MAX { Vec::new() } else { marks }
}
