//! The settings of one plot, and what follows from them for its axes and curves.

use std::collections::BTreeMap;

use glam::DVec2;

use super::axes::{Axis, Span};
use super::laid::Laid;
use crate::report::drawing::{Color, Ink, Style, ink};
use crate::scenario::plot::style::Rgb;
use crate::scenario::{PlotStyle, Scenario};

/// Most decades of a logarithmic axis if nobody chose its lower end.
const DECADES_MAX: i32 = 9;
/// How far the axis goes on beyond a value that is laid over the data, over its distance from the middle.
const OVER_MARGIN: f64 = 0.04;
/// Number of decades of a logarithmic axis of time that begins at zero.
const TIME_DECADES: i32 = 4;

/// The settings of a plot, and the sizes that follow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup<'a> {
    /// The settings of the scenario and of the command line.
    pub(crate) asked: &'a PlotStyle,
    /// The sizes of all parts.
    pub(crate) style: Style,
    /// The colours that the scenario gives bodies; those of the style go before them.
    colors: Option<&'a BTreeMap<String, Rgb>>,
    /// What round bodies are called.
    pub(crate) round: &'static str,
    /// What is laid over the data.
    pub(crate) over: &'a [Laid],
    /// Whether the frame is shared with something else, so that it must be one that all can share.
    pub(crate) is_shared: bool,
}

/// The default range of a vertical axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// The range of a linear axis.
    pub(crate) span: Span,
    /// The least and the greatest positive value, for a logarithmic axis.
    pub(crate) positive: Span,
    /// The approximate number of ticks.
    pub(crate) count: f64,
}

/// What the round bodies of a scenario are called.
pub(crate) const fn round(scenario: &Scenario) -> &'static str {
    if scenario.settings.space.is_planar { "discs" } else { "spheres" }
}

impl<'a> Setup<'a> {
    /// The setup of a plot with these settings.
    pub(crate) fn new(asked: &'a PlotStyle) -> Self {
        Self { asked, style: Style::of(asked), colors: None, round: "spheres", over: &[], is_shared: false }
    }

    /// The same for a scenario: bodies have its colours unless the style has others, and are discs if it is planar.
    pub(crate) fn of_scenario(self, scenario: &'a Scenario) -> Self {
        Self { colors: Some(&scenario.colors), round: round(scenario), ..self }
    }

    /// The same with something laid over the data, and perhaps in the frame of another run.
    pub(crate) fn shared(self, over: &'a [Laid], is_guest: bool) -> Self {
        Self { over, is_shared: is_guest || !over.is_empty(), ..self }
    }

    /// The same with other sizes.
    pub(crate) fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// The same with other settings.
    pub(crate) fn with(self, asked: &'a PlotStyle) -> Self {
        Self { asked, style: Style::of(asked), ..self }
    }

    /// The range of time, s: the one requested, or `whole`.
    pub(crate) fn time(&self, whole: Span) -> Span {
        self.asked.time.map_or(whole, |[low, high]| Span::new(low, high))
    }

    /// The range of a horizontal axis that is not of time: the one requested, or `whole`.
    pub(crate) fn along(&self, whole: Span) -> Span {
        self.asked.x.map_or(whole, |[low, high]| Span::new(low, high))
    }

    /// The horizontal axis under a frame of this width, pixels; `whole` is the default range. A logarithmic axis begins
    /// at `least` if its range begins at zero or below.
    pub(crate) fn x_axis(&self, (whole, least): (Span, f64), width: f64, quantity: &str, unit: &str) -> Axis {
        Axis::of(self.is_log_x(), self.along(whole), least, self.style.ticks_along(width), quantity, unit)
    }

    /// The approximate number of ticks on a vertical axis of frames that take `inner` pixels on a screen, where it has
    /// `count` of them.
    pub(crate) fn ticks_up(&self, count: f64, inner: DVec2) -> f64 {
        self.style.ticks_up(count, inner.y, self.style.planned(inner).y)
    }

    /// The axis of time under a frame of this width, pixels; `whole` is the default range, s.
    pub(crate) fn time_axis(&self, whole: Span, width: f64) -> Axis {
        let span = self.time(whole);
        let least = span.high / 10_f64.powi(TIME_DECADES);
        Axis::of(self.is_log_x(), span, least, self.style.ticks_along(width), "time", "s")
    }

    /// The vertical axis to which the requested range and logarithm apply.
    pub(crate) fn y_axis(&self, shown: Shown, quantity: &str, unit: &str) -> Axis {
        let Shown { mut span, mut positive, count } = shown;
        for &[_, y] in self.over.iter().flat_map(Laid::places) {
            // A margin, so that nothing stands on the edge.
            if !span.contains(y) {
                span.include(y + OVER_MARGIN * (y - span.middle()));
            }
            if y > 0.0 {
                positive.include(y);
            }
        }
        let least = positive.low.max(positive.high / 10_f64.powi(DECADES_MAX));
        if self.is_log_y() && !positive.is_empty() {
            // A margin, as a factor.
            span = Span::new(least / 1.5, positive.high * 1.5);
        }
        if let Some([low, high]) = self.asked.y {
            span = Span::new(low, high);
        }
        Axis::of(self.is_log_y(), span, least, count, quantity, unit).taking_more()
    }

    /// Whether the horizontal axis is requested to be logarithmic.
    pub(crate) fn is_log_x(&self) -> bool {
        self.asked.log_x == Some(true)
    }

    /// Whether the vertical axis is requested to be logarithmic.
    pub(crate) fn is_log_y(&self) -> bool {
        self.asked.log_y == Some(true)
    }

    /// The colour chosen for a body.
    pub(crate) fn color(&self, body: &str) -> Option<Color> {
        let found = self.asked.colors.iter().rfind(|(name, _)| name == body);
        let own = || self.colors?.get(body).copied();
        found.map(|&(_, rgb)| rgb).or_else(own).map(|rgb| ink(Ink::Own(rgb)))
    }

    /// The label of a body or a group in the legend: the one chosen for it, or its own name.
    pub(crate) fn label<'n>(&'n self, name: &'n str) -> &'n str {
        let found = self.asked.labels.iter().rfind(|(known, _)| known == name);
        found.map_or(name, |(_, label)| label)
    }
}
