//! A frame: the rectangle that data is drawn in, with its two axes.
//!
//! Everything outside the rectangle is cut off before it is drawn, because the file formats do not do so. On a screen
//! there is a grid, and ticks point outwards. In print, ticks point inwards on all four sides.

use glam::DVec2;

use super::axes::{Axis, Span};
use super::gaps::Gaps;
use crate::report::drawing::{
    Anchor, BORDER, Canvas, Color, Dash, GRID, Label, Mark, Rect, Scales, Stroke, TEXT, Words, area_inside,
    line_inside, patterned,
};

/// Between the parts of a frame, pixels.
const GAP: f64 = 24.0;

/// A rectangle with axes.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Where it is.
    pub(crate) rect: Rect,
    /// The horizontal axis.
    pub(crate) x: Axis,
    /// The vertical axis.
    pub(crate) y: Axis,
}

impl Frame {
    /// The parts of a frame in `rect`, side by side: one for each span of the horizontal axis, which `axis` makes for a
    /// width, pixels.
    pub(crate) fn parts(rect: Rect, spans: &[Span], y: &Axis, axis: impl Fn(Span, f64) -> Axis) -> Vec<Self> {
        let count = spans.len() as f64;
        let width = (rect.size().x - GAP * (count - 1.0)) / count;
        let part = |(index, &span): (usize, &Span)| {
            let left = rect.min.x + (width + GAP) * index as f64;
            let rect = Rect { min: DVec2::new(left, rect.min.y), max: DVec2::new(left + width, rect.max.y) };
            Self { rect, x: axis(span, width), y: y.clone() }
        };
        spans.iter().enumerate().map(part).collect()
    }

    /// Marks the axes between the parts of a frame as interrupted.
    pub(crate) fn break_marks(parts: &[Self], canvas: &mut Canvas) {
        canvas.begin_around("axes");
        let stroke = Stroke { color: BORDER, width: canvas.style.axis() };
        let half = DVec2::new(canvas.style.fine(2.5), -canvas.style.fine(5.0));
        for pair in parts.windows(2) {
            for x in [pair[0].rect.max.x, pair[1].rect.min.x] {
                for at in [pair[0].rect.min.y, pair[0].rect.max.y].map(|y| DVec2::new(x, y)) {
                    canvas.push(Mark::Line(vec![at - half, at + half], stroke));
                }
            }
        }
    }

    /// The place of a point of the data in the picture.
    pub(crate) fn place(&self, x: f64, y: f64) -> DVec2 {
        let size = self.rect.size();
        DVec2::new(self.rect.min.x + size.x * self.x.fraction(x), self.rect.max.y - size.y * self.y.fraction(y))
    }

    /// Draws a line through points of the picture, cut at the edge.
    pub(crate) fn line(&self, canvas: &mut Canvas, points: &[DVec2], stroke: Stroke) {
        self.curve(canvas, points, stroke, Dash::SOLID);
    }

    /// The same with a dash pattern. Where a point has no place on a logarithmic axis, the line is interrupted.
    pub(crate) fn curve(&self, canvas: &mut Canvas, points: &[DVec2], stroke: Stroke, dash: Dash) {
        curve_within(canvas, self.rect, points, (stroke, dash));
    }

    /// Fills a convex polygon of the picture, cut at the edge.
    pub(crate) fn area(&self, canvas: &mut Canvas, points: &[DVec2], color: Color) {
        // What has no place on a logarithmic axis is far beyond its lower end.
        let beyond = DVec2::new(self.rect.min.x - self.rect.size().x, self.rect.max.y + self.rect.size().y);
        let placed = |at: &DVec2| DVec2::select(at.is_nan_mask(), beyond, *at);
        let inside = area_inside(&points.iter().map(placed).collect::<Vec<_>>(), self.rect);
        if inside.len() > 2 {
            canvas.push(Mark::Area(inside, color));
        }
    }

    /// Draws grid lines, under the data; none in print.
    pub(crate) fn grid(&self, canvas: &mut Canvas) {
        if canvas.style.is_print() {
            return;
        }
        canvas.begin_around("grid");
        let stroke = Stroke { color: GRID, width: 0.8 };
        let Rect { min, max } = self.rect;
        for tick in self.x.ticks.iter().filter(|tick| tick.label.is_some()) {
            let x = self.place(tick.value, self.y.span.low).x;
            self.line(canvas, &[DVec2::new(x, min.y), DVec2::new(x, max.y)], stroke);
        }
        for tick in self.y.ticks.iter().filter(|tick| tick.label.is_some()) {
            let y = self.place(self.x.span.low, tick.value).y;
            self.line(canvas, &[DVec2::new(min.x, y), DVec2::new(max.x, y)], stroke);
        }
    }

    /// Draws the outline, over the data; in print with its ticks.
    pub(crate) fn edge(&self, canvas: &mut Canvas) {
        canvas.begin_around("axes");
        let (rect, axes) = (self.rect, [&self.x, &self.y]);
        let ends = axes.map(Axis::ends);
        let (measures, takes_more) = (axes.map(|axis| axis.measure.clone()), self.y.takes_more);
        canvas.scales.push(Scales { rect, ends, measures, takes_more });
        canvas.push(Mark::Line(rect.corners().to_vec(), Stroke { color: BORDER, width: canvas.style.axis() }));
        if canvas.style.is_print() {
            self.inward_ticks(canvas);
        }
    }

    /// Draws ticks, labels and caption of the horizontal axis.
    pub(crate) fn x_axis(&self, canvas: &mut Canvas) {
        let (style, gaps, base) = (canvas.style, Gaps::of(canvas.style), self.rect.max.y);
        for tick in &self.x.ticks {
            let x = self.place(tick.value, self.y.span.low).x;
            if !style.is_print() {
                tick_mark(canvas, DVec2::new(x, base), DVec2::Y, tick.label.is_some());
            }
            if let Some(text) = &tick.label {
                let at = DVec2::new(x, base + gaps.tick_below);
                canvas.push(words(text.as_str(), at, style.small_size, Anchor::Middle, false));
            }
        }
        let middle = 0.5 * (self.rect.min.x + self.rect.max.x);
        let at = DVec2::new(middle, base + gaps.caption_below);
        canvas.push(words(self.x.caption.clone(), at, style.label_size, Anchor::Middle, false));
    }

    /// Draws ticks, labels and caption of the vertical axis.
    pub(crate) fn y_axis(&self, canvas: &mut Canvas) {
        let (style, gaps, base) = (canvas.style, Gaps::of(canvas.style), self.rect.min.x);
        for tick in &self.y.ticks {
            let y = self.place(self.x.span.low, tick.value).y;
            if !style.is_print() {
                tick_mark(canvas, DVec2::new(base, y), DVec2::NEG_X, tick.label.is_some());
            }
            if let Some(text) = &tick.label {
                let at = DVec2::new(base - gaps.tick_left, y + 0.36 * style.small_size);
                canvas.push(words(text.as_str(), at, style.small_size, Anchor::End, false));
            }
        }
        let middle = 0.5 * (self.rect.min.y + self.rect.max.y);
        let labels = self.y.widest(style.small_size).max(canvas.labels);
        let at = DVec2::new(base - gaps.caption_left - labels, middle);
        canvas.push(words(self.y.caption.clone(), at, style.label_size, Anchor::Middle, true));
    }

    /// Draws the outline and both axes, over the data.
    pub(crate) fn finish(&self, canvas: &mut Canvas) {
        self.edge(canvas);
        self.x_axis(canvas);
        self.y_axis(canvas);
    }

    fn inward_ticks(&self, canvas: &mut Canvas) {
        let Rect { min, max } = self.rect;
        let stops = |axis: &Axis| -> Vec<(f64, bool)> {
            let major = axis.ticks.iter().map(|tick| (tick.value, tick.label.is_some()));
            major.chain(axis.minor.iter().map(|&value| (value, false))).collect()
        };
        for (value, labelled) in stops(&self.x) {
            let x = self.place(value, self.y.span.low).x;
            tick_mark(canvas, DVec2::new(x, max.y), DVec2::NEG_Y, labelled);
            tick_mark(canvas, DVec2::new(x, min.y), DVec2::Y, labelled);
        }
        for (value, labelled) in stops(&self.y) {
            let y = self.place(self.x.span.low, value).y;
            tick_mark(canvas, DVec2::new(min.x, y), DVec2::X, labelled);
            tick_mark(canvas, DVec2::new(max.x, y), DVec2::NEG_X, labelled);
        }
    }
}

/// Draws a line through points of the picture, cut at the edge of a rectangle and interrupted where a point has no
/// place.
pub(super) fn curve_within(canvas: &mut Canvas, rect: Rect, points: &[DVec2], (stroke, dash): (Stroke, Dash)) {
    for part in points.split(|point| point.is_nan()).filter(|part| part.len() > 1) {
        line_inside(part, rect, |piece| patterned(canvas, &piece, stroke, dash));
    }
}

fn tick_mark(canvas: &mut Canvas, from: DVec2, along: DVec2, labelled: bool) {
    let [long, short] = canvas.style.ticks();
    let to = from + along * if labelled { long } else { short };
    canvas.push(Mark::Line(vec![from, to], Stroke { color: BORDER, width: canvas.style.axis() }));
}

/// A line of text in the usual colour.
pub(crate) fn words(words: impl Into<Words>, at: DVec2, size: f64, anchor: Anchor, upwards: bool) -> Mark {
    Mark::Label(Label { words: words.into(), at, size, color: TEXT, anchor, upwards })
}
