//! The legend, which stands outside the frame so that it never covers data.

use glam::DVec2;

use super::frame::words;
use crate::report::drawing::canvas::{Anchor, Canvas, Mark, Stroke};
use crate::report::drawing::dash::{Dash, patterned};
use crate::report::drawing::ink::{Color, Ink, SHADES, ink};
use crate::report::drawing::style::Style;
use crate::report::drawing::typeface::text_width;
use crate::report::drawing::words::Words;

/// Height of an entry, pixels where captions have their usual size.
const ROW: f64 = 21.0;

/// Width of the sample before the words, likewise.
const SAMPLE: f64 = 34.0;

/// Between the sample and the words, likewise.
const GAP: f64 = 8.0;

/// Between entries side by side, likewise.
const BETWEEN: f64 = 18.0;

/// Widest label, likewise.
const LABEL_MAX: f64 = 190.0;

/// What stands before the words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Swatch {
    /// A piece of line.
    Line {
        /// Its colour.
        color: Color,
        /// Its pattern.
        dash: Dash,
    },
    /// A dot.
    Dot {
        /// Its colour.
        color: Color,
        /// Its radius, pixels.
        radius: f64,
    },
    /// The shades of a map, from the fewest to the most.
    Shades,
    /// Nothing: the words belong to the entry before.
    Nothing,
    /// A filled patch with an edge.
    Patch {
        /// Its filling.
        fill: Color,
        /// Its edge.
        edge: Color,
        /// The pattern of the edge.
        dash: Dash,
    },
}

/// A line of the legend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// What it looks like.
    pub(crate) swatch: Swatch,
    /// What it is.
    pub(crate) label: Words,
}

/// Where the legend stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Place {
    /// To the right of the frame, one entry below the other.
    Beside,
    /// Above a frame of this width, pixels, in rows.
    Above(f64),
}

impl Entry {
    /// A patch and its words.
    pub(crate) fn patch(fill: Color, edge: Color, dash: Dash, label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Patch { fill, edge, dash }, label: label.into() }
    }

    /// The shades of a map and its words.
    pub(crate) fn shades(label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Shades, label: label.into() }
    }

    /// More words for the entry before.
    pub(crate) fn more(label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Nothing, label: label.into() }
    }

    /// A dot and its words.
    pub(crate) fn dot(color: Color, radius: f64, label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Dot { color, radius }, label: label.into() }
    }

    /// A line and its words.
    pub(crate) fn line(color: Color, dash: Dash, label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Line { color, dash }, label: label.into() }
    }

    /// How wide it is, pixels.
    fn width(&self, style: Style) -> f64 {
        style.scaled(SAMPLE + GAP) + shortened(&self.label, style).width(style.label_size)
    }
}

/// How wide and how high the legend is, pixels.
pub(crate) fn size(entries: &[Entry], style: Style, place: Place) -> DVec2 {
    let corners = places(entries, style, place);
    let ends =
        entries.iter().zip(corners).map(|(entry, corner)| corner + DVec2::new(entry.width(style), row(style, place)));
    ends.fold(DVec2::ZERO, DVec2::max)
}

/// Height of an entry, pixels.
fn row(style: Style, place: Place) -> f64 {
    match place {
        Place::Beside => style.scaled(ROW),
        Place::Above(_) => 1.5 * style.label_size,
    }
}

/// The upper left corners of the entries, from that of the legend.
fn places(entries: &[Entry], style: Style, place: Place) -> Vec<DVec2> {
    let (mut corner, mut corners) = (DVec2::ZERO, Vec::new());
    for entry in entries {
        match place {
            Place::Beside => {
                corners.push(corner);
                corner.y += row(style, place);
            }
            Place::Above(widest) => {
                let width = entry.width(style);
                if corner.x > 0.0 && corner.x + width > widest {
                    corner = DVec2::new(0.0, corner.y + row(style, place));
                }
                corners.push(corner);
                corner.x += width + style.scaled(BETWEEN);
            }
        }
    }
    corners
}

/// Draws the legend with its upper left corner at `corner`.
pub(crate) fn draw(canvas: &mut Canvas, entries: &[Entry], place: Place, corner: DVec2) {
    let style = canvas.style;
    for (entry, offset) in entries.iter().zip(places(entries, style, place)) {
        canvas.begin(&format!("legend: {}", entry.label.plain()));
        let at = corner + offset + DVec2::new(0.0, 0.5 * row(style, place));
        swatch(canvas, entry.swatch, at);
        let at = at + DVec2::new(style.scaled(SAMPLE + GAP), 0.36 * style.label_size);
        canvas.push(words(shortened(&entry.label, style), at, style.label_size, Anchor::Start, false));
    }
}

fn swatch(canvas: &mut Canvas, swatch: Swatch, at: DVec2) {
    let style = canvas.style;
    let long = style.scaled(SAMPLE);
    match swatch {
        Swatch::Line { color, dash } => {
            let line = [at, at + DVec2::new(long, 0.0)];
            patterned(canvas, &line, Stroke { color, width: style.curve(2.0) }, dash);
        }
        Swatch::Dot { color, radius } => canvas.push(Mark::Disc(at + DVec2::new(0.5 * long, 0.0), radius, color)),
        Swatch::Nothing => {}
        Swatch::Shades => {
            let (step, half) = (long / f64::from(SHADES), style.scaled(6.0));
            for shade in 0..SHADES {
                let low = at + DVec2::new(step * f64::from(shade), -half);
                // A little larger, so that no seam shows.
                let high = low + DVec2::new(step + 0.2, 2.0 * half);
                let corners = vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
                canvas.push(Mark::Area(corners, ink(Ink::Shade(shade + 1))));
            }
        }
        Swatch::Patch { fill, edge, dash } => {
            let (half, inset) = (style.scaled(6.0), style.scaled(5.0));
            let (low, high) = (at + DVec2::new(inset, -half), at + DVec2::new(long - inset, half));
            let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y), low];
            canvas.push(Mark::Area(corners[..4].to_vec(), fill));
            patterned(canvas, &corners, Stroke { color: edge, width: 1.0 }, dash);
        }
    }
}

/// A label that fits beside the frame. One with an index is short.
fn shortened(label: &Words, style: Style) -> Words {
    let widest = style.scaled(LABEL_MAX);
    if label.width(style.label_size) <= widest {
        return label.clone();
    }
    let mut kept = String::new();
    for letter in label.plain().chars() {
        if text_width(&kept, style.label_size) > widest - style.scaled(20.0) {
            break;
        }
        kept.push(letter);
    }
    format!("{}…", kept.trim_end()).into()
}
