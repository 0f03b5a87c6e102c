//! What is laid over a plot: measured points, curves from elsewhere, formulas.

use super::formula::Formula;
use super::rgb::Rgb;

/// Most points of one.
pub const POINTS_MAX: usize = 100_000;

/// Points or a curve beside what a run or a sweep shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// What the legend calls it.
    pub label: String,
    /// Its colour; without one, that of text.
    pub color: Option<Rgb>,
    /// Where it is.
    pub course: Course,
}

/// The course of an [`Overlay`], in the units of the axes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Course {
    /// Separate points.
    Points(Vec<[f64; 2]>),
    /// A line through points.
    Curve(Vec<[f64; 2]>),
    /// The values of a formula, along the whole axis.
    Formula(Formula),
}

impl Course {
    /// Whether it is a line, not points.
    pub const fn is_line(&self) -> bool {
        !matches!(self, Self::Points(_))
    }
}
