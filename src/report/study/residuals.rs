//! What is measured less what a theory says, in a frame below.

use super::lines::{draw_line, lines};
use crate::report::chart::{Axis, Frame, Laid, Setup, Span};
use crate::report::drawing::{BORDER, Canvas, Stroke};
use crate::scenario::sweep_file::{Compared, SweepPlot};
use crate::study::Point;

/// Margin at both ends of the axis, over its length.
const MARGIN: f64 = 0.1;

/// The points of a plot as differences from a theory.
pub(super) struct Residuals {
    compared: Compared,
    /// Those without a value of the theory are not a number.
    points: Vec<Point>,
}

impl Residuals {
    /// The differences of `points` from the first line among what is laid over them, if the plot asks for them.
    pub(super) fn of(plot: &SweepPlot, points: &[Point], over: &[Laid]) -> Option<Self> {
        let (compared, theory) = (plot.residuals?, theory(over)?);
        let residual = |point: &Point| {
            let expected = theory.value(point.x).unwrap_or(f64::NAN);
            let scale = match compared {
                Compared::Absolute => 1.0,
                Compared::Relative => expected,
            };
            let error = point.error.map(|error| error / scale.abs());
            Point { mean: (point.mean - expected) / scale, error, ..point.clone() }
        };
        Some(Self { compared, points: points.iter().map(residual).collect() })
    }

    /// The vertical axis with about so many ticks; `unit` is that of what is measured.
    pub(super) fn axis(&self, unit: &str, count: f64) -> Axis {
        let mut span = Span::new(0.0, 0.0);
        for point in self.points.iter().filter(|point| point.mean.is_finite()) {
            let error = point.error.unwrap_or(0.0);
            [point.mean - error, point.mean + error].into_iter().for_each(|end| span.include(end));
        }
        let span = if span.length() > 0.0 { span.widened(MARGIN * span.length()) } else { Span::new(-1.0, 1.0) };
        match self.compared {
            Compared::Absolute => Axis::linear(span, count, "residual", unit),
            Compared::Relative => Axis::linear(span, count, "rel. residual", ""),
        }
    }

    /// Draws them in their frame.
    pub(super) fn draw(&self, frame: &Frame, canvas: &mut Canvas, (shows, setup): ((&SweepPlot, bool), Setup<'_>)) {
        frame.grid(canvas);
        frame.edge(canvas);
        let zero = [frame.x.span.low, frame.x.span.high].map(|x| frame.place(x, 0.0));
        frame.line(canvas, &zero, Stroke { color: BORDER, width: canvas.style.axis() });
        lines(&self.points, setup).iter().for_each(|line| draw_line(line, frame, canvas, shows));
        frame.x_axis(canvas);
        frame.y_axis(canvas);
    }
}

/// What the frame below shows, for the words above.
pub(super) fn words(plot: &SweepPlot, over: &[Laid]) -> String {
    match plot.residuals.zip(theory(over)) {
        Some((Compared::Absolute, theory)) => format!("; below, residuals from {}", theory.label()),
        Some((Compared::Relative, theory)) => format!("; below, relative residuals from {}", theory.label()),
        None => String::new(),
    }
}

/// The first line.
fn theory(over: &[Laid]) -> Option<&Laid> {
    over.iter().find(|laid| laid.is_line())
}
