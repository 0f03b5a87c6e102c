//! A frame: the rectangle that data is drawn in, with its two axes.
//!
//! What leaves the rectangle is cut at its edge before it is drawn, since neither backend does so.

use glam::DVec2;

use super::axes::Axis;
use crate::report::drawing::canvas::{Anchor, Canvas, Label, Mark, Stroke};
use crate::report::drawing::clip::{area_inside, line_inside};
use crate::report::drawing::rect::Rect;
use crate::report::drawing::style::{BORDER, Color, GRID, LABEL_SIZE, SMALL_SIZE, TEXT, text_width};

/// A rectangle with axes.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Where it is.
    pub(crate) rect: Rect,
    /// To the right.
    pub(crate) x: Axis,
    /// Upwards.
    pub(crate) y: Axis,
}

impl Frame {
    /// Where a point of the data is on the picture.
    pub(crate) fn place(&self, x: f64, y: f64) -> DVec2 {
        let size = self.rect.size();
        DVec2::new(self.rect.min.x + size.x * self.x.fraction(x), self.rect.max.y - size.y * self.y.fraction(y))
    }

    /// Draws a line through points of the picture, cut at the edge.
    pub(crate) fn line(&self, canvas: &mut Canvas, points: &[DVec2], stroke: Stroke) {
        line_inside(points, self.rect, |piece| canvas.push(Mark::Line(piece, stroke)));
    }

    /// Fills a convex polygon of the picture, cut at the edge.
    pub(crate) fn area(&self, canvas: &mut Canvas, points: &[DVec2], color: Color) {
        let inside = area_inside(points, self.rect);
        if inside.len() > 2 {
            canvas.push(Mark::Area(inside, color));
        }
    }

    /// Draws grid lines, under the data.
    pub(crate) fn grid(&self, canvas: &mut Canvas) {
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

    /// Draws the outline, over the data.
    pub(crate) fn edge(&self, canvas: &mut Canvas) {
        let Rect { min, max } = self.rect;
        let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y), min];
        canvas.push(Mark::Line(corners.to_vec(), Stroke { color: BORDER, width: 1.0 }));
    }

    /// Draws ticks, labels and caption of the axis to the right.
    pub(crate) fn x_axis(&self, canvas: &mut Canvas) {
        let base = self.rect.max.y;
        for tick in &self.x.ticks {
            let x = self.place(tick.value, self.y.span.low).x;
            tick_mark(canvas, DVec2::new(x, base), DVec2::new(0.0, tick_length(tick.label.is_some())));
            if let Some(text) = &tick.label {
                let at = DVec2::new(x, base + 18.0);
                canvas.push(words(text, at, SMALL_SIZE, Anchor::Middle, false));
            }
        }
        let middle = 0.5 * (self.rect.min.x + self.rect.max.x);
        let at = DVec2::new(middle, base + 38.0);
        canvas.push(words(&self.x.caption, at, LABEL_SIZE, Anchor::Middle, false));
    }

    /// Draws ticks, labels and caption of the upward axis.
    pub(crate) fn y_axis(&self, canvas: &mut Canvas) {
        let base = self.rect.min.x;
        let mut widest: f64 = 0.0;
        for tick in &self.y.ticks {
            let y = self.place(self.x.span.low, tick.value).y;
            tick_mark(canvas, DVec2::new(base, y), DVec2::new(-tick_length(tick.label.is_some()), 0.0));
            if let Some(text) = &tick.label {
                let at = DVec2::new(base - 8.0, y + 0.36 * SMALL_SIZE);
                canvas.push(words(text, at, SMALL_SIZE, Anchor::End, false));
                widest = widest.max(text_width(text, SMALL_SIZE));
            }
        }
        let middle = 0.5 * (self.rect.min.y + self.rect.max.y);
        let at = DVec2::new(base - 18.0 - widest, middle);
        canvas.push(words(&self.y.caption, at, LABEL_SIZE, Anchor::Middle, true));
    }
}

fn tick_length(labelled: bool) -> f64 {
    if labelled { 5.0 } else { 2.5 }
}

fn tick_mark(canvas: &mut Canvas, from: DVec2, along: DVec2) {
    canvas.push(Mark::Line(vec![from, from + along], Stroke { color: BORDER, width: 1.0 }));
}

/// A line of text in the usual colour.
pub(crate) fn words(text: &str, at: DVec2, size: f64, anchor: Anchor, upwards: bool) -> Mark {
    Mark::Label(Label { text: text.to_owned(), at, size, color: TEXT, anchor, upwards })
}
