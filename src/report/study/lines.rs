//! The lines of a plot of a study: dots with error bars, joined where nothing else tells their course.

use std::collections::BTreeSet;

use glam::DVec2;

use crate::report::chart::{Frame, Setup, ring};
use crate::report::drawing::{Canvas, Color, Dash, Mark, PALETTE, Stroke};
use crate::scenario::sweep_file::SweepPlot;
use crate::study::Point;

/// Radius of a dot, pixels on a screen.
pub(super) const DOT: f64 = 3.4;

/// Radius of a dot of a series.
pub(super) const FINE_DOT: f64 = 1.3;

/// Half the width of the end of an error bar, pixels.
const CAP: f64 = 3.5;

/// The radius of a dot over half the length of its error bar, at most.
const HIDDEN: f64 = 0.6;

/// Most lines; more could not be distinguished.
const LINES_MAX: usize = 12;

/// The points of one line.
pub(super) struct Line<'a> {
    /// The values that distinguish it from other lines; empty if there is only one.
    pub(super) label: String,
    /// Whether the style has another label for these values.
    pub(super) is_renamed: bool,
    pub(super) color: Color,
    pub(super) dash: Dash,
    marker: Marker,
    pub(super) points: Vec<&'a Point>,
}

/// The shape of the dots of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
}

impl Marker {
    const ALL: [Self; 5] = [Self::Disc, Self::Square, Self::Triangle, Self::Diamond, Self::Ring];

    /// Draws it around a place; all have about the area of a disc of this radius.
    fn draw(self, canvas: &mut Canvas, at: DVec2, radius: f64, color: Color) {
        let polygon = |corners: &[(f64, f64)]| {
            Mark::Area(corners.iter().map(|&corner| at + radius * DVec2::from(corner)).collect(), color)
        };
        let mark = match self {
            Self::Disc => Mark::Disc(at, radius, color),
            Self::Square => polygon(&[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)]),
            Self::Triangle => polygon(&[(0.0, -1.45), (1.26, 0.73), (-1.26, 0.73)]),
            Self::Diamond => polygon(&[(0.0, -1.3), (1.2, 0.0), (0.0, 1.3), (-1.2, 0.0)]),
            Self::Ring => return ring(canvas, at, radius, color),
        };
        canvas.push(mark);
    }
}

pub(super) fn draw_line(line: &Line<'_>, frame: &Frame, canvas: &mut Canvas, (plot, is_series): (&SweepPlot, bool)) {
    let style = canvas.style;
    let stroke = Stroke { color: line.color, width: style.curve(1.2) };
    canvas.begin(if line.label.is_empty() { &plot.y } else { &line.label });
    let places: Vec<DVec2> = line.points.iter().map(|point| frame.place(point.x, point.mean)).collect();
    if has_line(plot, is_series) {
        frame.curve(canvas, &places, stroke, line.dash);
    }
    let radius = style.scaled(if is_series { FINE_DOT } else { DOT });
    let mut seen = BTreeSet::new();
    for (point, &place) in line.points.iter().zip(&places) {
        let ends = |error: f64| [point.mean - error, point.mean + error].map(|y| frame.place(point.x, y));
        let (min, max) = (frame.rect.min, frame.rect.max);
        // Where a series repeats itself, one dot shows all.
        let is_new = seen.insert((8.0 * place).round().to_array().map(f64::to_bits));
        if is_new && place.cmpge(min).all() && place.cmple(max).all() {
            line.marker.draw(canvas, place, dot(radius, half(point, frame)), line.color);
        }
        if let Some(error) = point.error.filter(|&error| error > 0.0) {
            // On a logarithmic axis a bar that reaches zero goes down to the edge.
            let foot = |end: DVec2| if end.is_nan() { DVec2::new(place.x, max.y) } else { end };
            frame.line(canvas, &ends(error).map(foot), stroke);
            let cap = DVec2::new(style.scaled(CAP), 0.0);
            ends(error).iter().for_each(|&end| frame.line(canvas, &[end - cap, end + cap], stroke));
        }
    }
}

/// Whether dots are joined: those of a series and those beside a curve from elsewhere are not.
pub(super) fn has_line(plot: &SweepPlot, is_series: bool) -> bool {
    !is_series && !plot.style.over.iter().any(|overlay| overlay.course.is_line())
}

/// Half the length of the error bar of a point in the picture, pixels; infinite without one.
fn half(point: &Point, frame: &Frame) -> f64 {
    let height = |error: f64| (frame.place(point.x, point.mean).y - frame.place(point.x, point.mean + error).y).abs();
    point.error.map_or(f64::INFINITY, height)
}

/// The radius of a dot with such an error bar: smaller where the bar would hide behind it. Where the bar is much
/// shorter than the dot, the dot shows both.
fn dot(radius: f64, half: f64) -> f64 {
    if half < HIDDEN * radius { radius } else { radius.min(HIDDEN * half) }
}

/// The lines, in the order of the design.
pub(super) fn lines<'a>(points: &'a [Point], setup: Setup<'_>) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut last: Option<&[String]> = None;
    for point in points {
        if last != Some(&point.line) {
            let (place, label) = (lines.len(), point.line.join(", "));
            lines.push(Line {
                color: setup.color(&label).unwrap_or(PALETTE[place % PALETTE.len()]),
                is_renamed: setup.label(&label) != label,
                label: setup.label(&label).to_owned(),
                dash: if setup.style.is_print() { Dash::nth(place) } else { Dash::SOLID },
                marker: Marker::ALL[place % Marker::ALL.len()],
                points: Vec::new(),
            });
            last = Some(&point.line);
        }
        if let Some(line) = lines.last_mut() {
            line.points.push(point);
        }
    }
    lines.truncate(LINES_MAX);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_does_not_hide_its_error_bar() {
        assert_eq!(dot(3.0, f64::INFINITY), 3.0, "without a bar");
        assert_eq!((dot(3.0, 10.0), dot(3.0, 4.0)), (3.0, HIDDEN * 4.0));
        assert_eq!(dot(3.0, 1.0), 3.0, "one that is hardly longer than thick");
    }
}
