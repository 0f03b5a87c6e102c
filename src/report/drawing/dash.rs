//! Dash patterns of lines, to distinguish curves where colours do not.

use glam::DVec2;

use super::canvas::{Canvas, Mark, Stroke};
use super::clip::dashes;

/// Lengths of dashes and gaps in turn, pixels. The ends of dashes are round and reach into the gaps.
const PATTERNS: [&[f64]; 14] = [
    &[],
    &[6.0, 4.5],
    &[0.6, 4.2],
    &[8.0, 4.2, 0.6, 4.2],
    &[13.0, 5.0],
    &[8.0, 4.2, 0.6, 4.2, 0.6, 4.2],
    &[13.0, 4.2, 4.0, 4.2],
    &[3.0, 4.2, 0.6, 4.2],
    &[20.0, 5.0],
    &[13.0, 4.2, 0.6, 4.2],
    &[13.0, 4.2, 0.6, 4.2, 0.6, 4.2],
    &[8.0, 4.2, 4.0, 4.2, 0.6, 4.2],
    &[20.0, 4.2, 0.6, 4.2],
    &[3.0, 4.2],
];

/// The dash pattern of a line, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dash(usize);

impl Dash {
    /// The number of patterns.
    pub(crate) const COUNT: usize = PATTERNS.len();
    /// No gaps.
    pub(crate) const SOLID: Self = Self(0);
    /// Equal dashes.
    pub(crate) const DASHED: Self = Self(1);

    /// Dots.
    pub(crate) const DOTTED: Self = Self(2);

    /// The pattern of the line with this index in a plot.
    pub(crate) const fn nth(place: usize) -> Self {
        Self(place % Self::COUNT)
    }

    /// Whether there are no gaps.
    pub(crate) fn is_solid(self) -> bool {
        self == Self::SOLID
    }
}

/// Draws a line with a dash pattern.
pub(crate) fn patterned(canvas: &mut Canvas, points: &[DVec2], stroke: Stroke, dash: Dash) {
    if dash.is_solid() {
        canvas.push(Mark::Line(points.to_vec(), stroke));
        return;
    }
    let pattern: Vec<f64> = PATTERNS[dash.0].iter().map(|&length| canvas.style.fine(length)).collect();
    let first = canvas.marks.len();
    for part in dashes(points, &pattern) {
        canvas.push(Mark::Line(part, stroke));
    }
    if canvas.marks.len() > first {
        canvas.dashed.push((first, canvas.marks.len(), points.to_vec()));
    }
}
