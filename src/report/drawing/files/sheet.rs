//! The sheet for plotters. Its pixels are whole numbers, so it draws on a sheet that is larger than the picture.

use glam::DVec2;
use plotters::backend::DrawingBackend;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, PathElement, Polygon, Text};
use plotters::prelude::{FontTransform, RGBAColor, RGBColor, ShapeStyle, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::report::drawing::canvas::{Anchor, Label, Mark, Stroke};
use crate::report::drawing::ink::{Color, Ink};
use crate::report::drawing::typeface::{FONT_HEIGHT, Face, font};
use crate::scenario::plot::style::Theme;

/// The area on which plotters draws.
pub(super) type Area<DB> = DrawingArea<DB, plotters::coord::Shift>;

/// The errors of plotters.
pub(super) type Failure<DB> = plotters::drawing::DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;

/// How a backend maps the layout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sheet {
    /// The colours.
    pub(super) theme: Theme,
    /// Units of the backend along one pixel.
    pub(super) scale: f64,
    /// The font size given to plotters, over the size of an em in its units.
    pub(super) font: f64,
    /// How far above the baseline plotters places a text, in ems.
    pub(super) rise: f64,
    /// The function that prepares a text.
    pub(super) text: fn(&str, Face) -> String,
    /// Whether each straight piece of a line is drawn alone. The bitmap backend fills the outline of a whole line as
    /// one polygon, which has holes where the line crosses itself.
    pub(super) piecewise: bool,
}

impl Sheet {
    /// The sheet of a bitmap with `scale` pixels along one of the layout.
    pub(super) fn of_bitmap(theme: Theme, scale: f64) -> Self {
        // plotters sets the height of the font, and starts half of it below the given point.
        let (font, rise) = (FONT_HEIGHT, 0.5 * FONT_HEIGHT);
        Self { theme, scale, font, rise, text: |text, face| face.drawable(text), piecewise: true }
    }

    /// Draws every mark with plotters, on the paper of the theme if `paper` is true.
    pub(super) fn draw<DB: DrawingBackend>(
        self,
        area: &Area<DB>,
        paper: bool,
        marks: &[Mark],
    ) -> Result<(), Failure<DB>> {
        if paper {
            let [red, green, blue] = Ink::Paper.rgb(self.theme);
            area.fill(&RGBColor(red, green, blue))?;
        }
        for mark in marks {
            match mark {
                Mark::Line(points, stroke) if self.piecewise => {
                    for piece in pieces(points, stroke.width) {
                        area.draw(&Polygon::new(self.points(&piece), self.color(stroke.color)))?;
                    }
                }
                Mark::Line(points, stroke) => {
                    area.draw(&PathElement::new(self.points(points), self.pen(*stroke)))?;
                }
                Mark::Area(points, color) => area.draw(&Polygon::new(self.points(points), self.color(*color)))?,
                Mark::Disc(center, radius, color) => {
                    let style = ShapeStyle { color: self.color(*color), filled: true, stroke_width: 0 };
                    area.draw(&Circle::new(self.point(*center), self.length(*radius), style))?;
                }
                Mark::Ring(center, radius, stroke) => {
                    area.draw(&Circle::new(self.point(*center), self.length(*radius), self.pen(*stroke)))?;
                }
                Mark::Label(label) => {
                    for (text, face, part) in label.parts() {
                        let style = self.text_style(&part, face);
                        area.draw(&Text::new((self.text)(text, face), self.baseline(&part), style))?;
                    }
                }
            }
        }
        area.present()
    }

    fn point(self, at: DVec2) -> (i32, i32) {
        ((at.x * self.scale).round() as i32, (at.y * self.scale).round() as i32)
    }

    fn points(self, points: &[DVec2]) -> Vec<(i32, i32)> {
        points.iter().map(|&at| self.point(at)).collect()
    }

    fn length(self, length: f64) -> u32 {
        (length * self.scale).round().max(1.0) as u32
    }

    fn color(self, color: Color) -> RGBAColor {
        let [red, green, blue] = color.ink.rgb(self.theme);
        RGBAColor(red, green, blue, color.alpha)
    }

    fn pen(self, stroke: Stroke) -> ShapeStyle {
        ShapeStyle { color: self.color(stroke.color), filled: false, stroke_width: self.length(stroke.width) }
    }

    /// The point to pass to plotters so that the text stands on its baseline.
    fn baseline(self, label: &Label) -> (i32, i32) {
        let rise = self.rise * label.size;
        self.point(label.at - if label.upwards { DVec2::new(rise, 0.0) } else { DVec2::new(0.0, rise) })
    }

    fn text_style(self, label: &Label, face: Face) -> TextStyle<'static> {
        let h_pos = match label.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let turn = if label.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let font = font(face, label.size * self.font * self.scale).transform(turn);
        let color = plotters::style::Color::to_backend_color(&self.color(label.color));
        TextStyle { font, color, pos: Pos::new(h_pos, VPos::Top) }
    }
}

/// The straight pieces of a line of this `width`, each as a polygon that reaches a quarter width past its ends, so that
/// there are no notches at bends.
fn pieces(points: &[DVec2], width: f64) -> impl Iterator<Item = [DVec2; 4]> + '_ {
    points.windows(2).filter(|ends| ends[0] != ends[1]).map(move |ends| {
        let along = (ends[1] - ends[0]).normalize() * (0.5 * width);
        let (across, reach) = (along.perp(), 0.5 * along);
        [ends[0] - reach + across, ends[1] + reach + across, ends[1] + reach - across, ends[0] - reach - across]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_as_wide_as_its_pen() {
        let line = [DVec2::ZERO, DVec2::new(10.0, 0.0), DVec2::new(10.0, 0.0), DVec2::new(10.0, 5.0)];
        let pieces: Vec<_> = pieces(&line, 2.0).collect();
        assert_eq!(pieces.len(), 2, "a point drawn twice is no piece");
        assert_eq!(pieces[0][0], DVec2::new(-0.5, 1.0));
        assert_eq!(pieces[0][2], DVec2::new(10.5, -1.0));
    }
}
