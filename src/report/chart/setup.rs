//! How one plot is to be drawn: what was asked for, and what follows for its axes and curves.

use std::collections::BTreeMap;

use super::axes::{Axis, Span};
use crate::report::drawing::ink::{Color, Ink, ink};
use crate::report::drawing::style::Style;
use crate::scenario::PlotStyle;
use crate::scenario::plot_style::Rgb;

/// Most decades of a logarithmic axis whose lower end nobody chose.
const DECADES_MAX: i32 = 9;
/// How many decades a logarithmic axis of time shows that begins at zero.
const TIME_DECADES: i32 = 4;

/// What was asked for, and the sizes that follow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup<'a> {
    /// What the scenario and the command line say.
    pub(crate) asked: &'a PlotStyle,
    /// How large things are drawn.
    pub(crate) style: Style,
    /// The colours that the scenario gives bodies, beneath those of the style.
    colors: Option<&'a BTreeMap<String, Rgb>>,
}

/// What an upward axis shows unless a range is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// What is shown where equal distances are equal differences.
    pub(crate) span: Span,
    /// The least and the greatest positive value, for a logarithmic axis.
    pub(crate) positive: Span,
    /// How many ticks there are, about.
    pub(crate) count: f64,
}

impl<'a> Setup<'a> {
    /// For a plot of which this is said.
    pub(crate) fn new(asked: &'a PlotStyle) -> Self {
        Self { asked, style: Style::of(asked), colors: None }
    }

    /// The same, in which bodies have these colours unless the style says otherwise.
    pub(crate) fn with_colors(self, colors: &'a BTreeMap<String, Rgb>) -> Self {
        Self { colors: Some(colors), ..self }
    }

    /// The time that is shown, s: what was asked for, or `whole`.
    pub(crate) fn time(&self, whole: Span) -> Span {
        self.asked.time.map_or(whole, |[low, high]| Span::new(low, high))
    }

    /// The axis of time under a frame this wide, pixels; `whole` is what is shown unless a range is asked for, s.
    pub(crate) fn time_axis(&self, whole: Span, width: f64) -> Axis {
        let span = self.time(whole);
        let least = span.high / 10_f64.powi(TIME_DECADES);
        Axis::of(self.is_log_x(), span, least, self.style.ticks_along(width), "time", "s")
    }

    /// An upward axis; the range asked for and a logarithm are for it alone.
    pub(crate) fn y_axis(&self, shown: Shown, quantity: &str, unit: &str) -> Axis {
        let Shown { mut span, positive, count } = shown;
        let least = positive.low.max(positive.high / 10_f64.powi(DECADES_MAX));
        if self.is_log_y() && !positive.is_empty() {
            // A margin, as a factor.
            span = Span::new(least / 1.5, positive.high * 1.5);
        }
        if let Some([low, high]) = self.asked.y {
            span = Span::new(low, high);
        }
        Axis::of(self.is_log_y(), span, least, count, quantity, unit)
    }

    /// Whether equal distances to the right are to be equal ratios.
    pub(crate) fn is_log_x(&self) -> bool {
        self.asked.log_x == Some(true)
    }

    /// Whether equal distances upwards are to be equal ratios.
    pub(crate) fn is_log_y(&self) -> bool {
        self.asked.log_y == Some(true)
    }

    /// The colour chosen for a body.
    pub(crate) fn color(&self, body: &str) -> Option<Color> {
        let found = self.asked.colors.iter().rfind(|(name, _)| name == body);
        let own = || self.colors?.get(body).copied();
        found.map(|&(_, rgb)| rgb).or_else(own).map(|rgb| ink(Ink::Own(rgb)))
    }

    /// What the legend calls a body or a group: what was chosen for it, or its own name.
    pub(crate) fn label<'n>(&'n self, name: &'n str) -> &'n str {
        let found = self.asked.labels.iter().rfind(|(known, _)| known == name);
        found.map_or(name, |(_, label)| label)
    }
}
