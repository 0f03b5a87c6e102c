//! The sizes of everything drawn. A pixel of the layout is 1/96 inch, as in CSS, so that 0.75 pt is one pixel.

use glam::DVec2;

use crate::scenario::plot::style::{Legend, PlotStyle, Theme, Width};

/// Pixels per inch.
const PIXELS_PER_INCH: f64 = 96.0;
/// Millimetres per inch.
const MM_PER_INCH: f64 = 25.4;
/// Points per inch.
const POINTS_PER_INCH: f64 = 72.0;

/// Size of captions and legends on a screen, pixels per em.
const SCREEN_SIZE: f64 = 13.5;
/// The same in print, pt.
const PRINT_SIZE: f64 = 8.0;
/// Smallest words in print, pt.
const PRINT_SIZE_MIN: f64 = 7.0;
/// Size of titles if captions have [`SCREEN_SIZE`].
const TITLE_SIZE: f64 = 17.0;
/// Size of tick labels, subtitles and notes if captions have [`SCREEN_SIZE`].
const SMALL_SIZE: f64 = 12.0;
/// Pixels of a PNG per inch.
const SCREEN_DPI: f64 = 192.0;
const PRINT_DPI: f64 = 600.0;
/// Widths of lines in print, pt: curves and axes.
const PRINT_CURVE: f64 = 1.0;
const PRINT_AXIS: f64 = 0.5;
/// Lengths of ticks in print, pt.
const PRINT_TICKS: [f64; 2] = [3.0, 1.5];
/// Dots and dashes in print, over those on a screen.
const PRINT_FINE: f64 = 0.65;
/// Approximate space beside a frame, and above and below it, pixels if captions have [`SCREEN_SIZE`].
const BESIDE_FRAME: f64 = 70.0;
/// Least height of a narrow frame, over that on a screen.
const FLATTEST: f64 = 0.6;
/// Least width and height of frames, pixels.
const LEAST: f64 = 60.0;
/// Least width of a column in which a legend stands beside the frame, ems of captions.
const BESIDE_MIN: f64 = 50.0;

/// The same if the legend is asked to stand there.
const ASKED_MIN: f64 = 14.0;

/// The sizes of one picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Style {
    pub(crate) theme: Theme,
    /// Width of the picture, pixels; `None` if the plot decides.
    pub(crate) width: Option<f64>,
    /// Height of the picture, pixels; `None` if the plot decides.
    pub(crate) height: Option<f64>,
    /// Whether title, subtitle and notes are drawn.
    pub(crate) titled: bool,
    /// Where the legend stands; `None` if the room decides.
    pub(crate) legend: Option<Legend>,
    /// Size of titles, pixels per em.
    pub(crate) title_size: f64,
    /// Size of axis captions and legends, pixels per em.
    pub(crate) label_size: f64,
    /// Size of tick labels, subtitles and notes, pixels per em.
    pub(crate) small_size: f64,
    /// Pixels of a PNG per inch.
    pub(crate) dpi: f64,
}

impl Style {
    /// The requested style, completed by the defaults of the theme.
    pub(crate) fn of(asked: &PlotStyle) -> Self {
        let theme = asked.theme.unwrap_or_default();
        let print = theme == Theme::Print;
        let width = asked.width.or(print.then_some(Width::Single));
        let default = if print { pixels(PRINT_SIZE) } else { SCREEN_SIZE };
        let label_size = asked.font_size.map_or(default, pixels);
        let least = if print { pixels(PRINT_SIZE_MIN) } else { 0.0 };
        Self {
            theme,
            width: width.map(|width| width.millimetres() / MM_PER_INCH * PIXELS_PER_INCH),
            height: asked.height.map(|height| height / MM_PER_INCH * PIXELS_PER_INCH),
            titled: asked.title.unwrap_or(!print),
            legend: asked.legend,
            title_size: TITLE_SIZE * (label_size / SCREEN_SIZE),
            label_size,
            small_size: (SMALL_SIZE * (label_size / SCREEN_SIZE)).max(least),
            dpi: asked.dpi.map_or(if print { PRINT_DPI } else { SCREEN_DPI }, f64::from),
        }
    }

    /// Whether the picture is for a journal.
    pub(crate) fn is_print(self) -> bool {
        self.theme == Theme::Print
    }

    /// A length that scales with the size of captions: this many pixels on a screen.
    pub(crate) fn scaled(self, pixels: f64) -> f64 {
        pixels * (self.label_size / SCREEN_SIZE)
    }

    /// Width of a curve that has this width on a screen, pixels.
    pub(crate) fn curve(self, screen: f64) -> f64 {
        if self.is_print() { pixels(PRINT_CURVE) } else { screen }
    }

    /// Width of axes and ticks, pixels.
    pub(crate) fn axis(self) -> f64 {
        if self.is_print() { pixels(PRINT_AXIS) } else { 1.0 }
    }

    /// Radius of a dot, or length of a dash, that has this size on a screen, pixels.
    pub(crate) fn fine(self, screen: f64) -> f64 {
        if self.is_print() { PRINT_FINE * screen } else { screen }
    }

    /// Lengths of a tick with a label and of one without, pixels.
    pub(crate) fn ticks(self) -> [f64; 2] {
        if self.is_print() { PRINT_TICKS.map(pixels) } else { [5.0, 2.5] }
    }

    /// The approximate number of ticks on a horizontal axis of this length.
    pub(crate) fn ticks_along(self, length: f64) -> f64 {
        (length / (7.5 * self.small_size) * self.dense()).clamp(2.0, 12.0)
    }

    /// The approximate number of ticks on a vertical axis that is `shown` pixels long. One of `length` pixels has
    /// `count` of them on a screen.
    pub(crate) fn ticks_up(self, count: f64, length: f64, shown: f64) -> f64 {
        (count * (shown / length) * (SMALL_SIZE / self.small_size) * self.dense()).clamp(1.0, 12.0)
    }

    /// The factor by which print has more ticks, because it has no grid lines.
    pub(crate) fn dense(self) -> f64 {
        if self.is_print() { 1.3 } else { 1.0 }
    }

    /// The approximate size of frames that take `inner` pixels on a screen.
    pub(crate) fn planned(self, inner: DVec2) -> DVec2 {
        let wide = self.width.map_or(inner.x, |width| width - self.scaled(BESIDE_FRAME));
        let high = inner.y * if self.width.is_some() { (wide / inner.x).clamp(FLATTEST, 1.0) } else { 1.0 };
        let high = self.height.map_or(high, |height| height - self.scaled(BESIDE_FRAME));
        DVec2::new(wide, high).max(DVec2::splat(LEAST))
    }

    /// Whether a legend `width` pixels wide stands beside the frame.
    pub(crate) fn is_beside(self, width: f64) -> bool {
        let has_room = || self.width.is_none_or(|whole| whole - width > BESIDE_MIN * self.label_size);
        match self.legend {
            Some(Legend::Right) => self.width.is_none_or(|whole| whole - width > ASKED_MIN * self.label_size),
            Some(Legend::Top) => false,
            _ => !self.is_print() && has_room(),
        }
    }

    /// The same for a picture of this width in pixels of its file, and of this height if one is given. `resolution` of
    /// them are one pixel of the layout.
    pub(crate) fn in_pixels(self, width: f64, height: Option<f64>, resolution: f64) -> Self {
        let (width, height) = (Some(width / resolution), height.map(|height| height / resolution));
        Self { width, height, dpi: resolution * PIXELS_PER_INCH, ..self }
    }

    /// Pixels of a PNG along a pixel of the layout.
    pub(crate) fn resolution(self) -> f64 {
        self.dpi / PIXELS_PER_INCH
    }
}

/// A size in pt as pixels.
pub(crate) fn pixels(points: f64) -> f64 {
    points / POINTS_PER_INCH * PIXELS_PER_INCH
}

/// A length in pixels as pt.
pub(crate) fn points(pixels: f64) -> f64 {
    pixels / PIXELS_PER_INCH * POINTS_PER_INCH
}

/// A length in pixels as mm.
pub(crate) fn millimetres(pixels: f64) -> f64 {
    pixels / PIXELS_PER_INCH * MM_PER_INCH
}
