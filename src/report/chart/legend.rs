//! The legend, which stands outside the frame so that it never covers data.

use glam::DVec2;

use super::frame::words;
use crate::report::drawing::{
    Anchor, Canvas, Color, Dash, Face, Ink, Mark, PAPER, Rect, SHADES, Stroke, Style, Words, ink, patterned, text_width,
};

/// Height of an entry, pixels if captions have their usual size.
const ROW: f64 = 21.0;

/// Width of the sample before the words, in the same pixels.
const SAMPLE: f64 = 34.0;

/// Width of the scale of a map, in the same pixels.
const SCALE: f64 = 120.0;

/// Distance between the sample and the words, in the same pixels.
const GAP: f64 = 8.0;

/// Distance between entries side by side, in the same pixels.
const BETWEEN: f64 = 18.0;

/// Width of the line of a ring, over its radius.
const RING: f64 = 0.35;

/// Widest label, in the same pixels.
const LABEL_MAX: f64 = 190.0;

/// The sample before the words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Swatch {
    /// A piece of line with its pattern.
    Line(Color, Dash),
    /// A dot with its radius, pixels.
    Dot(Color, f64),
    /// A ring with its radius, pixels on a screen.
    Ring(Color, f64),
    /// The shades of a map, from the fewest to the most.
    Shades,
    /// Space for the scale of a map, which is drawn with the map when its numbers are known.
    Scale,
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
    /// Its sample.
    pub(crate) swatch: Swatch,
    /// Its words.
    pub(crate) label: Words,
}

/// The place of the legend.
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

    /// A dot and its words.
    pub(crate) fn dot(color: Color, radius: f64, label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Dot(color, radius), label: label.into() }
    }

    /// A ring and its words.
    pub(crate) fn ring(color: Color, radius: f64, label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Ring(color, radius), label: label.into() }
    }

    /// A line and its words.
    pub(crate) fn line(color: Color, dash: Dash, label: impl Into<Words>) -> Self {
        Self { swatch: Swatch::Line(color, dash), label: label.into() }
    }

    /// How wide it is, pixels.
    fn width(&self, style: Style, place: Place) -> f64 {
        self.sample(style) + style.scaled(GAP) + self.shortened(style, place).width(style.label_size)
    }

    /// Its label, cut to fit beside the frame or above it. A label with an index is short anyway.
    fn shortened(&self, style: Style, place: Place) -> Words {
        let most = style.scaled(LABEL_MAX);
        let widest = match place {
            Place::Beside => most,
            Place::Above(width) => most.min(width - self.sample(style) - style.scaled(GAP)),
        };
        if self.label.width(style.label_size) <= widest {
            return self.label.clone();
        }
        let mut kept = String::new();
        for letter in self.label.plain().chars() {
            if text_width(&kept, Face::Upright, style.label_size) > widest - style.scaled(20.0) {
                break;
            }
            kept.push(letter);
        }
        format!("{}…", kept.trim_end()).into()
    }

    /// Width of the sample before the words, pixels.
    fn sample(&self, style: Style) -> f64 {
        style.scaled(if self.swatch == Swatch::Scale { SCALE } else { SAMPLE })
    }

    /// How many rows it takes.
    fn rows(&self) -> f64 {
        if self.swatch == Swatch::Scale { 1.8 } else { 1.0 }
    }
}

/// How wide and how high the legend is, pixels.
pub(crate) fn size(entries: &[Entry], style: Style, place: Place) -> DVec2 {
    let corners = places(entries, style, place);
    let ends = entries
        .iter()
        .zip(corners)
        .map(|(entry, corner)| corner + DVec2::new(entry.width(style, place), entry.rows() * row(style, place)));
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
    // The number of rows in the present line.
    let mut rows: f64 = 1.0;
    for entry in entries {
        match place {
            Place::Beside => {
                corners.push(corner);
                corner.y += entry.rows() * row(style, place);
            }
            Place::Above(widest) => {
                let width = entry.width(style, place);
                if corner.x > 0.0 && corner.x + width > widest {
                    corner = DVec2::new(0.0, corner.y + rows * row(style, place));
                    rows = 1.0;
                }
                rows = rows.max(entry.rows());
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
        canvas.begin_around(&format!("legend: {}", entry.label.plain()));
        let at = corner + offset + DVec2::new(0.0, 0.5 * row(style, place));
        swatch(canvas, entry.swatch, at);
        let at = at + DVec2::new(entry.sample(style) + style.scaled(GAP), 0.36 * style.label_size);
        canvas.push(words(entry.shortened(style, place), at, style.label_size, Anchor::Start, false));
    }
}

fn swatch(canvas: &mut Canvas, swatch: Swatch, at: DVec2) {
    let style = canvas.style;
    let long = style.scaled(SAMPLE);
    match swatch {
        Swatch::Line(color, dash) => {
            let line = [at, at + DVec2::new(long, 0.0)];
            patterned(canvas, &line, Stroke { color, width: style.curve(2.0) }, dash);
        }
        Swatch::Dot(color, radius) => canvas.push(Mark::Disc(at + DVec2::new(0.5 * long, 0.0), radius, color)),
        Swatch::Ring(color, radius) => ring(canvas, at + DVec2::new(0.5 * long, 0.0), style.fine(radius), color),
        Swatch::Scale => {
            let half = DVec2::new(0.0, style.scaled(5.0));
            canvas.scale = Some(Rect { min: at - half, max: at + half + DVec2::new(style.scaled(SCALE), 0.0) });
        }
        Swatch::Shades => {
            let half = DVec2::new(0.0, style.scaled(6.0));
            shades(canvas, Rect { min: at - half, max: at + half + DVec2::new(long, 0.0) });
        }
        Swatch::Patch { fill, edge, dash } => {
            let (half, inset) = (style.scaled(6.0), style.scaled(5.0));
            let [min, max] = [DVec2::new(inset, -half), DVec2::new(long - inset, half)].map(|corner| at + corner);
            let corners = Rect { min, max }.corners();
            canvas.push(Mark::Area(corners[..4].to_vec(), fill));
            patterned(canvas, &corners, Stroke { color: edge, width: 1.0 }, dash);
        }
    }
}

/// Draws a ring that hides what is under it.
pub(in crate::report) fn ring(canvas: &mut Canvas, at: DVec2, radius: f64, color: Color) {
    canvas.push(Mark::Disc(at, radius, PAPER));
    canvas.push(Mark::Ring(at, radius, Stroke { color, width: RING * radius }));
}

/// The shades of a map from left to right.
pub(super) fn shades(canvas: &mut Canvas, rect: Rect) {
    let step = rect.size().x / f64::from(SHADES);
    for shade in 0..SHADES {
        let min = rect.min + DVec2::new(step * f64::from(shade), 0.0);
        // A little larger, so that there are no gaps.
        let max = DVec2::new((min.x + step + 0.2).min(rect.max.x), rect.max.y);
        canvas.push(Mark::Area(Rect { min, max }.corners()[..4].to_vec(), ink(Ink::Shade(shade + 1))));
    }
}
