//! How many bodies there are at each place along an axis, over time: a map for each kind of bodies, one below the
//! other.

use glam::DVec2;

use crate::report::chart::{Axis, Frame, Frames, Gaps, Page, Setup, Span, words};
use crate::report::coordinates::{axis_index, axis_name, axis_symbol};
use crate::report::drawing::{Anchor, BORDER, Canvas, Color, Mark, Rect, Stroke, Words, pale};
use crate::report::error::ReportError;
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::scene::Scene;
use crate::report::motion::view::walls::{Wall, ground, include_edges, partitions, strip};
use crate::scenario::Axis as Coordinate;
use crate::scenario::plot::style::Theme;

/// Width and height of one frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 190.0);
/// Most kinds with a frame each.
const KINDS_MAX: usize = 4;
/// How many bodies a cell should have on average, so that random variation is not visible.
const BODIES_A_CELL: f64 = 8.0;
/// Most cells along the time and along the axis.
const COLUMNS_MAX: u64 = 80;
const ROWS: (f64, f64) = (6.0, 60.0);
/// Width of the scale of colours and its distance from the frame, pixels.
const SCALE: DVec2 = DVec2::new(12.0, 10.0);
/// Number of steps of the scale.
const STEPS: usize = 32;
/// How much of the paper is covered where there are the most bodies.
const FULL: f64 = 0.95;
/// How far a cell reaches under the next ones, pixels: so there are no gaps between them.
const OVERLAP: f64 = 0.25;

/// Least width of a frame beside its scale, pixels.
const NARROWEST: f64 = 40.0;

/// The counts of one kind.
struct Map {
    columns: usize,
    rows: usize,
    counts: Vec<u32>,
    /// How many recorded instants each column has.
    looks: Vec<u32>,
    time: Span,
    place: Span,
}

impl Map {
    fn new(time: Span, place: Span, looks: u64, bodies: usize) -> Self {
        let columns = looks.clamp(1, COLUMNS_MAX);
        let rows = (bodies as f64 / BODIES_A_CELL).clamp(ROWS.0, ROWS.1) as usize;
        let columns = columns as usize;
        Self { columns, rows, counts: vec![0; columns * rows], looks: vec![0; columns], time, place }
    }

    fn column(&self, time: f64) -> usize {
        let share = (time - self.time.low) / self.time.length();
        ((share * self.columns as f64) as usize).min(self.columns - 1)
    }

    fn add(&mut self, time: f64, place: f64) {
        let share = (place - self.place.low) / self.place.length();
        if (0.0..=1.0).contains(&share) {
            let row = ((share * self.rows as f64) as usize).min(self.rows - 1);
            let column = self.column(time);
            self.counts[row * self.columns + column] += 1;
        }
    }

    /// The mean number of bodies per metre in a cell; `None` where nothing was recorded.
    fn density(&self, row: usize, column: usize) -> Option<f64> {
        let looks = self.looks[column];
        let metres = self.place.length() / self.rows as f64;
        (looks > 0).then(|| f64::from(self.counts[row * self.columns + column]) / (f64::from(looks) * metres))
    }

    fn most(&self) -> f64 {
        let cells = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        cells.filter_map(|(row, column)| self.density(row, column)).fold(0.0, f64::max)
    }
}

/// Draws the bodies called `names`, or all that are free.
///
/// # Errors
/// When the trajectory cannot be read.
pub(crate) fn draw(
    scene: &Scene<'_>,
    coordinate: Coordinate,
    names: &[String],
    setup: Setup<'_>,
) -> Result<Canvas, ReportError> {
    let axis = axis_index(coordinate);
    let chosen = scene.chosen(names, false);
    let mut groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let left_out = groups.split_off(groups.len().min(KINDS_MAX));
    let time = setup.time(Span::new(0.0, scene.end.seconds()));
    let place = chosen.iter().fold(Span::EMPTY, |span, &body| span.joined(scene.covered(body, axis))).drawable();
    let maps = count(scene, &groups, axis, [time, place])?;
    let walls = partitions(scene, &chosen, axis);
    let style = setup.style;
    let rows = groups.len().max(1) as f64;
    let above = 1.5 * style.small_size;
    let gap = Gaps::of(style).between + above;
    let height = if style.width.is_none() { INNER.y } else { style.planned(INNER).y.max(6.0 * style.label_size) };
    let labels = 7.0 * style.small_size;
    let beside = style.scaled(SCALE.x + SCALE.y) + labels;
    let inner = DVec2::new(INNER.x + beside, height * rows + gap * (rows - 1.0) + above);
    let span = setup.asked.y.map_or_else(|| shown(scene, axis, place, &walls), |[low, high]| Span::new(low, high));
    let y = Axis::linear(span, style.ticks_up(4.0, INNER.y, height), axis_symbol(axis), "m").taking_more();
    let floor = Frames::stack(style, &vec![(&y, 1.0 / rows); groups.len()]) + above * rows;
    let axes = [&y];
    let frames = Frames { least: inner.y, floor, ..Frames::new(inner, &axes) };
    let (mut canvas, whole) = page(scene, axis, left_out.len()).compose(setup, frames);
    let height = (whole.size().y - gap * (rows - 1.0) - above) / rows;
    // A very small picture has no scale.
    let beside = if whole.size().x - beside < NARROWEST { 0.0 } else { beside };
    let right = whole.max.x - beside;
    let x = setup.time_axis(time, right - whole.min.x);
    for (row, (group, map)) in groups.iter().zip(&maps).enumerate() {
        let top = whole.min.y + above + (height + gap) * row as f64;
        let rect = Rect { min: DVec2::new(whole.min.x, top), max: DVec2::new(right, top + height) };
        let frame = Frame { rect, x: x.clone(), y: y.clone() };
        canvas.begin_beside("fixed");
        ground(scene, &frame, &mut canvas, axis);
        canvas.begin(&group.label);
        let at = DVec2::new(rect.min.x, rect.min.y - 0.4 * style.small_size);
        // The caption of the scale begins at its right.
        let label = Words::fitted(&group.label, style.small_size, rect.size().x);
        canvas.push(words(label, at, style.small_size, Anchor::Start, false));
        cells(&frame, &mut canvas, map, group.color);
        walls.iter().for_each(|wall| strip(&frame, &mut canvas, *wall));
        if beside > 0.0 {
            scale(rect, &mut canvas, map.most(), group.color);
        }
        frame.edge(&mut canvas);
        frame.y_axis(&mut canvas);
        if row + 1 == groups.len() {
            frame.x_axis(&mut canvas);
        }
    }
    Ok(canvas)
}

/// The range of the bodies, with planes and walls close by.
fn shown(scene: &Scene<'_>, axis: usize, place: Span, walls: &[Wall]) -> Span {
    let mut span = place;
    include_edges(scene, axis, walls, &mut span);
    if span == place { span } else { span.widened(0.03 * span.length()) }
}

/// A map for each group.
fn count(scene: &Scene<'_>, groups: &[Group], axis: usize, [time, place]: [Span; 2]) -> Result<Vec<Map>, ReportError> {
    let looks = scene.looks.max(1);
    let mut maps: Vec<Map> = groups.iter().map(|group| Map::new(time, place, looks, group.members.len())).collect();
    let group_of = colour_key::group_of(groups, scene.tracks.len());
    let mut last = None;
    scene.each_sample(|body, at, [position, _]| {
        let seconds = at.seconds();
        if last.replace(at) != Some(at) {
            for map in &mut maps {
                let column = map.column(seconds);
                map.looks[column] += 1;
            }
        }
        if let Some(row) = group_of[body] {
            maps[row].add(seconds, position[axis]);
        }
    })?;
    Ok(maps)
}

/// The colour of a share of the largest number. It is opaque, so that areas can overlap.
fn tint(color: Color, share: f64, theme: Theme) -> Color {
    pale(color, FULL * (share * STEPS as f64).round() / STEPS as f64, theme)
}

fn cells(frame: &Frame, canvas: &mut Canvas, map: &Map, color: Color) {
    let most = map.most();
    let edge = |span: Span, cell: usize, cells: usize| span.low + span.length() * (cell as f64 / cells as f64);
    for row in 0..map.rows {
        for column in 0..map.columns {
            let Some(density) = map.density(row, column).filter(|&density| density > 0.0) else { continue };
            let [left, right] = [column, column + 1].map(|column| edge(map.time, column, map.columns));
            let [low, high] = [row, row + 1].map(|row| edge(map.place, row, map.rows));
            let (first, last) = (frame.place(left, low), frame.place(right, high) + OVERLAP * DVec2::new(1.0, -1.0));
            let corners = [first, DVec2::new(last.x, first.y), last, DVec2::new(first.x, last.y)];
            frame.area(canvas, &corners, tint(color, density / most, canvas.style.theme));
        }
    }
}

/// The scale of colours at the right of a frame.
fn scale(rect: Rect, canvas: &mut Canvas, most: f64, color: Color) {
    let style = canvas.style;
    canvas.begin_around("scale of colours");
    let left = rect.max.x + style.scaled(SCALE.y);
    let bar = Rect { min: DVec2::new(left, rect.min.y), max: DVec2::new(left + style.scaled(SCALE.x), rect.max.y) };
    let step = bar.size().y / STEPS as f64;
    for place in 0..STEPS {
        let low = bar.max.y - step * place as f64;
        let high = (low - step - OVERLAP).max(bar.min.y);
        let corners = [(bar.min.x, low), (bar.max.x, low), (bar.max.x, high), (bar.min.x, high)];
        canvas.push(Mark::Area(
            corners.map(DVec2::from).to_vec(),
            tint(color, (place + 1) as f64 / STEPS as f64, style.theme),
        ));
    }
    canvas.push(Mark::Line(bar.corners().to_vec(), Stroke { color: BORDER, width: style.axis() }));
    let axis = Axis::linear(
        Span::new(0.0, most.max(f64::MIN_POSITIVE)),
        style.ticks_up(4.0, INNER.y, bar.size().y),
        "per metre",
        "",
    );
    for tick in &axis.ticks {
        let Some(label) = &tick.label else { continue };
        let from = DVec2::new(bar.max.x, bar.max.y - bar.size().y * axis.fraction(tick.value));
        let to = from + DVec2::new(style.ticks()[1], 0.0);
        canvas.push(Mark::Line(vec![from, to], Stroke { color: BORDER, width: style.axis() }));
        let at = to + DVec2::new(0.3 * style.small_size, 0.36 * style.small_size);
        canvas.push(words(label.as_str(), at, style.small_size, Anchor::Start, false));
    }
    let at = DVec2::new(bar.max.x + 0.3 * style.small_size + style.ticks()[1], rect.min.y - 0.4 * style.small_size);
    canvas.push(words(axis.caption, at, style.small_size, Anchor::Middle, false));
}

fn page(scene: &Scene<'_>, axis: usize, left_out: usize) -> Page {
    let subtitle = format!("Number of bodies per metre along {} over time", axis_name(axis));
    let note = (left_out > 0).then(|| format!("{KINDS_MAX} kinds of bodies are drawn; there are more."));
    Page::new(&scene.scenario.title, subtitle, Vec::new(), note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_the_mean_number_per_metre() {
        let mut map = Map::new(Span::new(0.0, 10.0), Span::new(-1.0, 2.0), 4, 40);
        assert_eq!((map.columns, map.rows), (4, 6));
        // Two instants in the first column, with 6 and 2 bodies in the lowest half metre.
        map.looks[0] = 2;
        (0..8).for_each(|_| map.add(1.0, -0.9));
        map.add(1.0, 2.5);
        assert_eq!((map.density(0, 0), map.density(1, 0), map.density(0, 1)), (Some(8.0), Some(0.0), None));
        assert_eq!(map.most(), 8.0);
        map.looks[3] = 1;
        map.add(10.0, 2.0);
        assert_eq!(map.density(5, 3), Some(2.0), "both ends belong to it");
    }
}
