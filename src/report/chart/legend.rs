//! The legend, which stands outside the frame so that it never covers data.

use glam::DVec2;

use super::frame::words;
use crate::report::drawing::canvas::{Anchor, Canvas, Mark, Stroke};
use crate::report::drawing::clip::dashes;
use crate::report::drawing::style::{Color, LABEL_SIZE, text_width};

/// Height of an entry, pixels.
const ROW: f64 = 21.0;

/// Width of the sample before the words, pixels.
const SAMPLE: f64 = 24.0;

/// Widest label, pixels.
const LABEL_MAX: f64 = 190.0;

/// What stands before the words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Swatch {
    /// A piece of line.
    Line {
        /// Its colour.
        color: Color,
        /// Whether it is dashed.
        dashed: bool,
    },
    /// A dot.
    Dot {
        /// Its colour.
        color: Color,
        /// Its radius, pixels.
        radius: f64,
    },
    /// A filled patch with an edge.
    Patch {
        /// Its filling.
        fill: Color,
        /// Its edge.
        edge: Color,
        /// Whether the edge is dashed.
        dashed: bool,
    },
}

/// A line of the legend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// What it looks like.
    pub(crate) swatch: Swatch,
    /// What it is.
    pub(crate) label: String,
}

impl Entry {
    /// A patch and its words.
    pub(crate) fn patch(fill: Color, edge: Color, dashed: bool, label: &str) -> Self {
        Self { swatch: Swatch::Patch { fill, edge, dashed }, label: label.to_owned() }
    }

    /// A dot and its words.
    pub(crate) fn dot(color: Color, radius: f64, label: &str) -> Self {
        Self { swatch: Swatch::Dot { color, radius }, label: label.to_owned() }
    }

    /// A line and its words.
    pub(crate) fn line(color: Color, dashed: bool, label: &str) -> Self {
        Self { swatch: Swatch::Line { color, dashed }, label: label.to_owned() }
    }
}

/// How wide and how high the legend is, pixels.
pub(crate) fn size(entries: &[Entry]) -> DVec2 {
    if entries.is_empty() {
        return DVec2::ZERO;
    }
    let widest = entries.iter().map(|entry| text_width(&shortened(&entry.label), LABEL_SIZE)).fold(0.0, f64::max);
    DVec2::new(SAMPLE + 8.0 + widest, ROW * entries.len() as f64)
}

/// Draws the legend with its upper left corner at `corner`.
pub(crate) fn draw(canvas: &mut Canvas, entries: &[Entry], corner: DVec2) {
    for (index, entry) in entries.iter().enumerate() {
        let middle = corner.y + ROW * (index as f64 + 0.5);
        swatch(canvas, entry.swatch, DVec2::new(corner.x, middle));
        let at = DVec2::new(corner.x + SAMPLE + 8.0, middle + 0.36 * LABEL_SIZE);
        canvas.push(words(&shortened(&entry.label), at, LABEL_SIZE, Anchor::Start, false));
    }
}

fn swatch(canvas: &mut Canvas, swatch: Swatch, at: DVec2) {
    match swatch {
        Swatch::Line { color, dashed } => {
            let line = [at, at + DVec2::new(SAMPLE, 0.0)];
            outline(canvas, &line, Stroke { color, width: 2.0 }, dashed);
        }
        Swatch::Dot { color, radius } => canvas.push(Mark::Disc(at + DVec2::new(0.5 * SAMPLE, 0.0), radius, color)),
        Swatch::Patch { fill, edge, dashed } => {
            let (low, high) = (at + DVec2::new(2.0, -6.0), at + DVec2::new(SAMPLE - 2.0, 6.0));
            let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y), low];
            canvas.push(Mark::Area(corners[..4].to_vec(), fill));
            outline(canvas, &corners, Stroke { color: edge, width: 1.0 }, dashed);
        }
    }
}

/// Draws a line, whole or in dashes.
pub(crate) fn outline(canvas: &mut Canvas, points: &[DVec2], stroke: Stroke, dashed: bool) {
    if dashed {
        for dash in dashes(points, 5.0, 3.5) {
            canvas.push(Mark::Line(dash, stroke));
        }
    } else {
        canvas.push(Mark::Line(points.to_vec(), stroke));
    }
}

/// A label that fits beside the frame.
fn shortened(label: &str) -> String {
    if text_width(label, LABEL_SIZE) <= LABEL_MAX {
        return label.to_owned();
    }
    let mut kept = String::new();
    for letter in label.chars() {
        if text_width(&kept, LABEL_SIZE) > LABEL_MAX - 20.0 {
            break;
        }
        kept.push(letter);
    }
    format!("{}…", kept.trim_end())
}
