//! Pictures seen along an axis, drawn as plots of paths are.

use glam::{DVec2, DVec3};

use super::Lens;
use super::shot::{Shot, Solid, centred};
use crate::dynamics::Period;
use crate::report::chart::{Setup, Span};
use crate::report::drawing::{Canvas, Dash, Mark, Rect, Stroke, line_inside, pale};
use crate::report::motion::curve::image;
use crate::report::motion::view::View;
use crate::report::paths::path::{outline_of, stage};
use crate::report::paths::path_pieces::along_legs;
use crate::report::paths::periodic::within;
use crate::report::solids::{Look, Stage};

/// Largest deviation of a chord from the true path, pixels.
const STRAY_MAX: f64 = 0.1;

/// Share of its colour in the filling of a body.
pub(in crate::report::film) const FILL: f64 = 0.6;

/// A picture seen along an axis.
pub(in crate::report::film) struct Flat<'a> {
    stage: Stage,
    view: View,
    /// The periods of the world, and those around the view.
    cell: [Option<Period>; 2],
    periods: [Option<Period>; 2],
    setup: Setup<'a>,
}

impl<'a> Flat<'a> {
    pub(in crate::report::film) fn new(
        (view, axes, rect): (View, [usize; 2], Rect),
        cell: [Option<Period>; 2],
        setup: Setup<'a>,
    ) -> Self {
        Self { stage: stage((&view, axes), rect, setup), view, cell, periods: cell, setup }
    }

    fn flat(&self, point: DVec3) -> DVec2 {
        DVec2::new(point[self.stage.axes[0]], point[self.stage.axes[1]])
    }

    /// The image of a point that is in view.
    fn home(&self, point: DVec3) -> DVec3 {
        within(self.periods, self.stage.axes, point)
    }
}

impl Lens for Flat<'_> {
    fn behind(&self, canvas: &mut Canvas) {
        self.stage.frame.grid(canvas);
        outline_of(self.cell, &self.stage, canvas);
    }

    fn shot(&self, canvas: &mut Canvas, mut shot: Shot<'_>) {
        for prop in &mut shot.props {
            prop.start = self.home(prop.start);
            prop.end = prop.start;
        }
        self.stage.scenery(canvas, shot.props, &self.view);
        for (legs, color) in &shot.trails {
            let stroke = Stroke { color: *color, width: canvas.style.curve(1.7) };
            for part in along_legs(&self.stage, legs, self.periods, STRAY_MAX) {
                line_inside(&part, self.stage.frame.rect, |part| canvas.push(Mark::Line(part, stroke)));
            }
        }
        shot.solids.sort_by(|a, b| self.stage.nearness(a.place).total_cmp(&self.stage.nearness(b.place)));
        let (style, theme) = (canvas.style, canvas.style.theme);
        for Solid { shape, place, color } in shot.solids {
            let edge = Stroke { color, width: style.fine(1.2) };
            let look = Look { fill: Some(pale(color, FILL, theme)), edge, dash: Dash::SOLID };
            self.stage.solid(canvas, shape, self.home(place), look);
        }
    }

    fn before(&self, canvas: &mut Canvas, with_axes: bool) {
        self.stage.frame.edge(canvas);
        if with_axes {
            self.stage.frame.x_axis(canvas);
            self.stage.frame.y_axis(canvas);
        }
    }

    fn place(&self, point: DVec3) -> Option<DVec2> {
        let at = self.stage.place(self.home(point));
        self.stage.frame.rect.holds(at, 0.0).then_some(at)
    }

    fn around(&self, place: DVec3) -> Box<dyn Lens + '_> {
        let axes = self.stage.axes;
        let shift = image(self.flat(place), self.cell);
        let middle = (self.flat(place) - shift).to_array();
        let spans = [0, 1].map(|side| {
            let half = 0.5 * self.view.spans[side].length();
            Span::new(middle[side] - half, middle[side] + half)
        });
        let view = View { spans, motion: spans, leavers: Vec::new() };
        let flat = Self::new((view, axes, self.stage.frame.rect), self.cell, self.setup);
        Box::new(Self { periods: centred(self.cell, middle), ..flat })
    }
}
