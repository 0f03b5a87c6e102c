//! The box around everything shown: its three far faces with their grid, and its axes along near edges.

use glam::{DVec2, DVec3};

use super::camera::{Camera, Sight};
use crate::report::chart::{Axis, Span, words};
use crate::report::coordinates::axis_symbol;
use crate::report::drawing::{Anchor, BORDER, Canvas, GRID, Mark, Rect, Stroke, Style, Words};

/// Width of a tick label with its distance, pixels if captions have their usual size.
const TICK: f64 = 46.0;

/// A box along the axes, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report) struct Room {
    pub(in crate::report) min: DVec3,
    pub(in crate::report) max: DVec3,
}

impl Room {
    /// The box with these spans.
    pub(in crate::report) fn new(spans: [Span; 3]) -> Self {
        Self { min: DVec3::from(spans.map(|span| span.low)), max: DVec3::from(spans.map(|span| span.high)) }
    }

    /// Its eight corners.
    pub(in crate::report) fn corners(self) -> [DVec3; 8] {
        std::array::from_fn(|corner| DVec3::from([0, 1, 2].map(|axis: usize| self.end(axis, corner >> axis & 1 == 1))))
    }

    /// One of its two ends along an axis.
    pub(in crate::report) fn end(self, axis: usize, high: bool) -> f64 {
        if high { self.max[axis] } else { self.min[axis] }
    }

    /// Whether it holds a point.
    pub(in crate::report) fn holds(self, point: DVec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// The corners of the part of a plane within the box, in order around that part: at most six.
    pub(in crate::report) fn section(self, normal: DVec3, offset: f64) -> Vec<DVec3> {
        let mut found: Vec<DVec3> = Vec::new();
        for axis in 0..3 {
            let [b, c] = others(axis);
            for place in 0..4 {
                let mut from = DVec3::ZERO;
                from[axis] = self.min[axis];
                from[b] = self.end(b, place & 1 == 1);
                from[c] = self.end(c, place & 2 == 2);
                let mut to = from;
                to[axis] = self.max[axis];
                let (near, far) = (normal.dot(from) - offset, normal.dot(to) - offset);
                if near != far && near.min(far) <= 0.0 && near.max(far) >= 0.0 {
                    found.push(from + (to - from) * (near / (near - far)));
                }
            }
        }
        let middle = found.iter().sum::<DVec3>() / found.len().max(1) as f64;
        let across = normal.any_orthonormal_vector();
        let up = normal.cross(across);
        let angle = |point: &DVec3| (*point - middle).dot(up).atan2((*point - middle).dot(across));
        found.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        found.dedup();
        found
    }
}

/// The two other axes.
pub(in crate::report) const fn others(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// The axis along an edge of the box.
pub(in crate::report) fn axis(room: Room, axis: usize, (camera, scale): (Camera, f64), style: Style) -> Axis {
    let mut along = DVec3::ZERO;
    along[axis] = room.max[axis] - room.min[axis];
    let length = scale * camera.flat(along).length();
    let count = (length / style.scaled(TICK)).clamp(2.0, 7.0);
    Axis::linear(Span::new(room.min[axis], room.max[axis]), count, axis_symbol(axis), "m")
}

/// Draws the far faces with their grid.
pub(in crate::report) fn far_faces(canvas: &mut Canvas, room: Room, sight: &Sight, axes: &[Axis; 3]) {
    canvas.begin_around("grid");
    let style = canvas.style;
    let thin = Stroke { color: GRID, width: style.axis().min(0.8) };
    let edge = Stroke { color: BORDER, width: style.axis() };
    for face in 0..3 {
        // A face is far where its outward normal points away from the viewer.
        let far = room.end(face, sight.camera.towards[face] < 0.0);
        let at = |a: (usize, f64), b: (usize, f64)| {
            let mut point = DVec3::ZERO;
            point[face] = far;
            (point[a.0], point[b.0]) = (a.1, b.1);
            sight.place(point)
        };
        let [b, c] = others(face);
        for (along, across) in [(b, c), (c, b)] {
            for tick in &axes[along].ticks {
                let ends = [room.min[across], room.max[across]];
                let line = ends.map(|end| at((along, tick.value), (across, end)));
                canvas.push(Mark::Line(line.to_vec(), thin));
            }
        }
        let corners = [(false, false), (true, false), (true, true), (false, true), (false, false)];
        let outline = corners.map(|(high, above)| at((b, room.end(b, high)), (c, room.end(c, above))));
        canvas.push(Mark::Line(outline.to_vec(), edge));
    }
}

/// Draws ticks, numbers and captions: for x and y along the lower near edges, for z along the edge farthest to the
/// left.
pub(in crate::report) fn edges(canvas: &mut Canvas, room: Room, sight: &Sight, axes: &[Axis; 3]) {
    canvas.begin_around("axes");
    let towards = sight.camera.towards;
    let (middle, first) = (sight.place(0.5 * (room.min + room.max)), canvas.marks.len());
    for (along, axis) in axes.iter().enumerate() {
        let [b, c] = others(along);
        let mut foot = DVec3::ZERO;
        if along == 2 {
            let right = |corner: &DVec3| sight.place(*corner).x;
            foot = room.corners().into_iter().min_by(|a, b| right(a).total_cmp(&right(b))).unwrap_or(foot);
        } else {
            let across = if b == 2 { c } else { b };
            foot[across] = room.end(across, towards[across] >= 0.0);
            foot[2] = room.end(2, towards[2] < 0.0);
        }
        let at = |value: f64| {
            let mut point = foot;
            point[along] = value;
            sight.place(point)
        };
        let (low, high) = (at(room.min[along]), at(room.max[along]));
        // An axis that points towards the viewer has no space for numbers.
        if low.distance(high) < canvas.style.label_size {
            continue;
        }
        one_edge((canvas, first), axis, [low, high], middle, at);
    }
}

/// How far the numbers and captions of a box reach over its picture: to the left and upwards, to the right and
/// downwards, pixels. `size` is about that of the picture.
pub(in crate::report) fn overhang(camera: Camera, room: Room, style: Style, size: DVec2) -> [DVec2; 2] {
    let rect = Rect { min: DVec2::ZERO, max: size };
    let sight = Sight::new(camera, &room.corners(), rect);
    let axes = [0, 1, 2].map(|along| axis(room, along, (camera, sight.scale), style));
    let mut canvas = Canvas::new(style, size);
    edges(&mut canvas, room, &sight, &axes);
    let corners = room.corners().map(|corner| sight.place(corner));
    let (low, high) = corners.iter().fold((DVec2::MAX, DVec2::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
    let least = DVec2::splat(0.5 * style.small_size);
    let ends = canvas.marks.iter().filter_map(covered);
    ends.fold([least; 2], |[before, after], Rect { min, max }| [before.max(low - min), after.max(max - high)])
}

/// The rectangle that words take.
fn covered(mark: &Mark) -> Option<Rect> {
    let Mark::Label(label) = mark else { return None };
    let wide = label.words.width(label.size);
    let min = label.at + DVec2::new(label.anchor.begin(wide), -0.8 * label.size);
    Some(Rect { min, max: min + DVec2::new(wide, 1.1 * label.size) })
}

/// Draws one axis; the marks of all of them begin at `first`.
fn one_edge(
    (canvas, first): (&mut Canvas, usize),
    axis: &Axis,
    [low, high]: [DVec2; 2],
    middle: DVec2,
    at: impl Fn(f64) -> DVec2,
) {
    let style = canvas.style;
    let stroke = Stroke { color: BORDER, width: style.axis() };
    canvas.push(Mark::Line(vec![low, high], stroke));
    let along = (high - low).normalize_or_zero();
    let center = 0.5 * (low + high);
    let outward = if along.perp().dot(center - middle) >= 0.0 { along.perp() } else { -along.perp() };
    let long = style.ticks()[0];
    let mut last: Option<DVec2> = None;
    for tick in &axis.ticks {
        let foot = at(tick.value);
        canvas.push(Mark::Line(vec![foot, foot + outward * long], stroke));
        if let Some(label) = &tick.label {
            // Numbers that would overlap are left out.
            let room = along.abs().dot(DVec2::new(axis.widest(style.small_size), style.small_size));
            if last.is_some_and(|last| foot.distance(last) < 1.1 * room) {
                continue;
            }
            let at = foot + outward * (long + 0.35 * style.small_size);
            let number = beside(label.as_str().into(), at, outward, style.small_size);
            let meets = |other: Rect| covered(&number).is_some_and(|own| own.meets(other));
            if !canvas.marks[first..].iter().filter_map(covered).any(meets) {
                last = Some(foot);
                canvas.push(number);
            }
        }
    }
    let away = long + 0.8 * style.small_size + axis.widest(style.small_size) * outward.x.abs() + 1.1 * style.label_size;
    canvas.push(beside(axis.caption.clone(), center + outward * away, outward, style.label_size));
}

/// Words on the outer side of a point.
fn beside(text: Words, at: DVec2, outward: DVec2, size: f64) -> Mark {
    let anchor = match outward.x {
        x if x < -0.35 => Anchor::End,
        x if x > 0.35 => Anchor::Start,
        _ => Anchor::Middle,
    };
    // The point is at the baseline: half a line lower for words beside it, a whole line for words below.
    words(text, at + DVec2::new(0.0, (0.36 + 0.4 * outward.y) * size), size, anchor, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_of_a_cube_has_three_to_six_corners() {
        let cube = Room { min: DVec3::ZERO, max: DVec3::ONE };
        let rows = [
            (DVec3::Z, 0.5, 4),
            (DVec3::Z, 2.0, 0),
            (DVec3::ONE.normalize(), 0.5 / 3.0_f64.sqrt(), 3),
            (DVec3::ONE.normalize(), 1.5 / 3.0_f64.sqrt(), 6),
        ];
        for (normal, offset, corners) in rows {
            let section = cube.section(normal, offset);
            assert_eq!(section.len(), corners, "{normal} {offset}: {section:?}");
            assert!(section.iter().all(|corner| (normal.dot(*corner) - offset).abs() < 1e-15));
        }
    }
}
