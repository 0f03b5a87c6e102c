//! What most of a run is about: the range in which bodies are most of the time, and the few that leave it.
//!
//! One body that flies away would shrink all others to specks. Then a picture shows where the rest happens, with an
//! arrow and a note for each body that leaves it.

use glam::{DVec2, DVec3};

use super::sizes::half_size;
use crate::report::chart::{Frame, Span, brief, words};
use crate::report::coordinates::axis_name;
use crate::report::drawing::{Anchor, Canvas, Mark, TEXT};
use crate::report::motion::scene::Scene;
use crate::report::motion::track::Leg;

/// The size of all motion over that of the range where bodies are most of the time, or where they start and meet, from
/// which on a picture shows that range.
const SHRINK_MAX: [f64; 2] = [5.0, 50.0];
/// How much wider than such a range the picture is, at each end.
const MARGINS: [f64; 2] = [0.25, 0.5];
/// The share of the time of all bodies that may lie beyond each end.
const TAIL: f64 = 0.1;
/// How many instants of a body are looked at, and most bodies.
const INSTANTS: u32 = 64;
const BODIES_MAX: usize = 400;
/// Most bodies that are named.
const NAMED_MAX: usize = 3;
/// Number of points in which a leg is searched for the edge of the view.
const POINTS: u32 = 32;

/// A body that leaves the view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaver {
    /// The name of the body.
    name: String,
    /// The coordinate in which it leaves, and how far it gets, m.
    axis: usize,
    far: f64,
    /// Whether it leaves through the upper or the lower edge, and whether at the end with the greater numbers.
    is_upright: bool,
    is_high: bool,
    /// Where it leaves last, in the coordinates of the view; `None` if its path was not recorded.
    exit: Option<DVec2>,
}

/// The ranges to show in place of `all`, if bodies leave where most of the run happens: first where they are most of
/// the time, or else where they start and meet.
pub(crate) fn core<const N: usize>(
    scene: &Scene<'_>,
    chosen: &[usize],
    (all, axes): ([Span; N], [usize; N]),
) -> Option<[Span; N]> {
    let extent = |spans: [Span; N]| spans.iter().map(|span| span.length()).fold(0.0, f64::max);
    let sizes = chosen.iter().map(|&body| half_size(&scene.scenario.bodies[body].shape));
    let size = sizes.fold(DVec3::ZERO, DVec3::max);
    let wide = |range: fn(&Scene<'_>, &[usize], usize) -> Span| {
        axes.map(|axis| range(scene, chosen, axis).widened(size[axis]))
    };
    for ((range, shrink), margin) in [wide(usual), wide(met)].into_iter().zip(SHRINK_MAX).zip(MARGINS) {
        let extents = [extent(all), extent(range)];
        if extents[1] > 0.0 && extents[0] > shrink * extents[1] {
            return Some(range.map(|span| span.widened(margin * extents[1])));
        }
    }
    None
}

/// The range of a coordinate in which the chosen bodies start and meet, m; nothing if they do not meet.
fn met(scene: &Scene<'_>, chosen: &[usize], axis: usize) -> Span {
    let mut span = Span::of(scene.hits_of(chosen).map(|hit| hit.point[axis]));
    if !span.is_empty() {
        chosen.iter().filter_map(|&body| scene.tracks[body].first).for_each(|first| span.include(first[axis]));
    }
    span
}

/// The range of a coordinate in which the chosen bodies are most of the time, with the places where they start, m.
fn usual(scene: &Scene<'_>, chosen: &[usize], axis: usize) -> Span {
    if let Some(period) = scene.scenario.settings.space.periods[axis] {
        return Span::new(period.min, period.max);
    }
    let mut places: Vec<f64> = Vec::new();
    for &body in chosen.iter().step_by(chosen.len().div_ceil(BODIES_MAX).max(1)) {
        let legs = scene.legs(body);
        let (Some(first), Some(last)) = (legs.first(), legs.last()) else {
            places.extend(scene.tracks[body].first.into_iter().chain(scene.tracks[body].last()).map(|at| at[axis]));
            continue;
        };
        let begin = first.path.epoch;
        let whole = last.path.epoch.since(begin) + last.seconds;
        let mut rest = &legs[..];
        for instant in 0..=INSTANTS {
            let time = begin.plus(whole * f64::from(instant) / f64::from(INSTANTS));
            rest = &rest[rest.partition_point(|leg| leg.path.epoch <= time).saturating_sub(1)..];
            places.extend(rest.first().map(|leg| leg.path.position_at(time)[axis]));
        }
    }
    places.sort_by(f64::total_cmp);
    let mut span = Span::EMPTY;
    if let Some(last) = places.len().checked_sub(1) {
        let tail = (TAIL * last as f64) as usize;
        span = Span::new(places[tail], places[last - tail]);
    }
    chosen.iter().filter_map(|&body| scene.tracks[body].first).for_each(|first| span.include(first[axis]));
    span
}

/// The bodies that leave a view of these coordinates, by the ranges that they cover.
pub(crate) fn leavers<const N: usize>(
    scene: &Scene<'_>,
    chosen: &[usize],
    ways: &[[Span; N]],
    (seen, axes): ([Span; N], [usize; N]),
) -> Vec<Leaver> {
    let mut found = Vec::new();
    for (&body, way) in chosen.iter().zip(ways) {
        let beyond = |side: &usize| !seen[*side].contains(way[*side].low) || !seen[*side].contains(way[*side].high);
        let Some(side) = (0..N).find(beyond) else { continue };
        let is_high = seen[side].contains(way[side].low);
        let far = if is_high { way[side].high } else { way[side].low };
        let name = scene.scenario.bodies[body].name.clone();
        let exit = if found.len() < NAMED_MAX { exit(scene, body, side, (seen, axes)) } else { None };
        found.push(Leaver { name, axis: axes[side], far, is_upright: N == 1 || side == 1, is_high, exit });
    }
    found
}

/// Where a body leaves the view through a side for the last time; in a view of one coordinate with the time along.
fn exit<const N: usize>(
    scene: &Scene<'_>,
    body: usize,
    side: usize,
    (seen, axes): ([Span; N], [usize; N]),
) -> Option<DVec2> {
    let place = |leg: &Leg, n: u32| {
        let seconds = leg.seconds * f64::from(n) / f64::from(POINTS);
        let at = leg.after(seconds);
        match axes[..] {
            [x, y] => DVec2::new(at[x], at[y]),
            _ => DVec2::new(leg.path.epoch.seconds() + seconds, at[axes[0]]),
        }
    };
    let value = |at: DVec2| if N == 1 { at.y } else { at[side] };
    let mut last = None;
    for leg in scene.legs(body) {
        for n in 0..POINTS {
            let [from, to] = [n, n + 1].map(|n| place(&leg, n));
            if seen[side].contains(value(from)) && !seen[side].contains(value(to)) {
                last = Some(from);
            }
        }
    }
    last
}

/// What a picture says of them.
pub(crate) fn notes(leavers: &[Leaver]) -> Vec<String> {
    let one = |leaver: &Leaver| {
        let Leaver { name, axis, far, .. } = leaver;
        format!("{name} leaves the view: {} reaches {} m.", axis_name(*axis), brief(*far))
    };
    let mut notes: Vec<String> = leavers.iter().take(NAMED_MAX).map(one).collect();
    if leavers.len() > NAMED_MAX {
        notes.push(format!("{} more leave it.", leavers.len() - NAMED_MAX));
    }
    notes
}

/// Draws an arrow at the edge of the frame where each of them leaves, with its name and how far it gets.
pub(crate) fn arrows(leavers: &[Leaver], frame: &Frame, canvas: &mut Canvas) {
    canvas.begin_beside("bodies that leave the view");
    let style = canvas.style;
    let (size, rect) = (style.small_size, frame.rect);
    for leaver in leavers.iter().take(NAMED_MAX) {
        let Some(exit) = leaver.exit else { continue };
        let at = frame.place(exit.x, exit.y).clamp(rect.min + size, rect.max - size);
        let (out, tip) = match (leaver.is_upright, leaver.is_high) {
            (false, true) => (DVec2::X, DVec2::new(rect.max.x, at.y)),
            (false, false) => (DVec2::NEG_X, DVec2::new(rect.min.x, at.y)),
            (true, true) => (DVec2::NEG_Y, DVec2::new(at.x, rect.min.y)),
            (true, false) => (DVec2::Y, DVec2::new(at.x, rect.max.y)),
        };
        let (tip, across) = (tip - out * 2.0, DVec2::new(out.y, out.x));
        let foot = tip - out * 0.8 * size;
        canvas.push(Mark::Area(vec![tip, foot + across * 0.35 * size, foot - across * 0.35 * size], TEXT));
        let text = format!("{} to {} m", leaver.name, brief(leaver.far));
        let anchor = match at.x {
            x if x < rect.min.x + rect.size().x / 3.0 => Anchor::Start,
            x if x > rect.max.x - rect.size().x / 3.0 => Anchor::End,
            _ => Anchor::Middle,
        };
        let place = if leaver.is_upright {
            foot - out * 0.4 * size + DVec2::new(0.0, if leaver.is_high { 0.8 * size } else { 0.0 })
        } else {
            foot - out * 0.4 * size + DVec2::new(0.0, -0.8 * size)
        };
        canvas.push(words(text, place, size, anchor, false));
    }
}
