//! How plots are drawn: theme, size, files, ranges, colours and labels.
//!
//! A setting that is not given takes the default of the theme. Settings of one plot override those of the scenario, and
//! those of a command line override both.

use serde::Deserialize;

use super::Plot;
use super::overlay::Overlay;

pub use super::rgb::{NoColor, Rgb};

/// The look of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[non_exhaustive]
pub enum Theme {
    /// For a page on a screen: a title, a grid, a legend beside the frame.
    #[default]
    Screen,
    /// The same on a dark page.
    Dark,
    /// For a journal: sizes in points at the final width, ticks inwards on four sides, no grid, no title.
    Print,
}

/// How wide a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub enum Width {
    /// One column of a journal, 85 mm.
    Single,
    /// Two columns of a journal, 178 mm.
    Double,
    /// A width in millimetres.
    Mm(f64),
}

impl Width {
    /// The width in mm.
    pub const fn millimetres(self) -> f64 {
        match self {
            Self::Single => 85.0,
            Self::Double => 178.0,
            Self::Mm(width) => width,
        }
    }
}

/// Where the legend stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub enum Legend {
    /// To the right of the frame.
    Right,
    /// Above the frame.
    Top,
    /// Within the frame, where it covers least.
    Inside,
    /// Names of bodies at the right ends of their curves, in plots over time; else as without a choice.
    Direct,
    /// Nowhere; the scale of a map stays.
    Hidden,
}

/// The kind of a picture's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[non_exhaustive]
pub enum PictureFormat {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Network Graphics.
    Png,
    /// Portable Document Format, with the typeface embedded.
    Pdf,
    /// The numbers that are drawn, as a table.
    Csv,
}

impl PictureFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Svg, Self::Png, Self::Pdf, Self::Csv];

    /// The ending of its file names, without the dot.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
            // The tables of a run end in `.csv`.
            Self::Csv => "data.csv",
        }
    }
}

/// Least and greatest width or height of a picture, mm.
pub const SIZES: (f64, f64) = (30.0, 400.0);
/// Smallest and largest font, pt.
pub const FONT_SIZES: (f64, f64) = (7.0, 30.0);
/// Least and most pixels of a PNG per inch.
pub const RESOLUTIONS: (u64, u64) = (50, 1200);

/// What the letter of a panel may be, in words for messages.
pub(crate) const LETTER_WORDS: &str = "a letter from a to z";

/// The letter of a panel, as it is written.
pub(crate) fn letter(text: &str) -> Option<char> {
    let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
    (text.len() == 1).then_some(letter)
}

/// Settings of a plot; `None` or an empty list where a setting is not given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlotStyle {
    /// The theme.
    pub theme: Option<Theme>,
    /// Its width. Without one, a picture for a screen is as wide as the plot needs, and a printed one has one column.
    pub width: Option<Width>,
    /// Its height, mm, within [`SIZES`].
    pub height: Option<f64>,
    /// Whether title, subtitle and notes are drawn. The file has them as a description in any case.
    pub title: Option<bool>,
    /// Where the legend stands. Without one, to the right, or above where there is no room and in print.
    pub legend: Option<Legend>,
    /// The letter of its first panel, from `a` to `z`; the next panels have those that follow.
    pub letter: Option<char>,
    /// Size of captions and legend, pt, within [`FONT_SIZES`].
    pub font_size: Option<f64>,
    /// The range of time, s; the first is the lesser.
    pub time: Option<[f64; 2]>,
    /// The range of the horizontal axis, in its unit; the first is the lesser. Plots over time use `time` instead.
    pub x: Option<[f64; 2]>,
    /// The range of the vertical axis of the first panel that has the quantity, in its unit; the first is the lesser.
    pub y: Option<[f64; 2]>,
    /// Whether the horizontal axis is logarithmic. Plots with equal scales ignore this and the next field.
    pub log_x: Option<bool>,
    /// Whether the vertical axis is logarithmic.
    pub log_y: Option<bool>,
    /// Colours of bodies by name; if a name occurs several times, the last one counts.
    pub colors: Vec<(String, Rgb)>,
    /// Labels of bodies, or of groups of them, in the legend; if a name occurs several times, the last one counts.
    pub labels: Vec<(String, String)>,
    /// Which files are written, each kind once; empty means an SVG and a PNG.
    pub formats: Vec<PictureFormat>,
    /// Pixels of a PNG per inch, within [`RESOLUTIONS`].
    pub dpi: Option<u32>,
    /// What is laid over the data, in the panel to which `y` applies.
    pub over: Vec<Overlay>,
}

impl PlotStyle {
    /// These settings; where one is not given, that of `base`.
    #[must_use]
    pub fn over(&self, base: &Self) -> Self {
        let formats = if self.formats.is_empty() { &base.formats } else { &self.formats };
        Self {
            theme: self.theme.or(base.theme),
            width: self.width.or(base.width),
            height: self.height.or(base.height),
            title: self.title.or(base.title),
            legend: self.legend.or(base.legend),
            letter: self.letter.or(base.letter),
            font_size: self.font_size.or(base.font_size),
            time: self.time.or(base.time),
            x: self.x.or(base.x),
            y: self.y.or(base.y),
            log_x: self.log_x.or(base.log_x),
            log_y: self.log_y.or(base.log_y),
            colors: [base.colors.as_slice(), &self.colors].concat(),
            labels: [base.labels.as_slice(), &self.labels].concat(),
            formats: formats.clone(),
            dpi: self.dpi.or(base.dpi),
            over: [base.over.as_slice(), &self.over].concat(),
        }
    }

    /// The files that are written.
    pub fn files(&self) -> &[PictureFormat] {
        if self.formats.is_empty() { &[PictureFormat::Svg, PictureFormat::Png] } else { &self.formats }
    }
}

/// A picture to draw after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The plot.
    pub plot: Plot,
    /// The style in which it is drawn.
    pub style: PlotStyle,
}

/// With the defaults of its theme.
impl From<Plot> for Figure {
    fn from(plot: Plot) -> Self {
        Self { plot, style: PlotStyle::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_later_goes_before() {
        let base = PlotStyle {
            theme: Some(Theme::Print),
            dpi: Some(300),
            colors: vec![("a".to_owned(), Rgb([0; 3]))],
            ..PlotStyle::default()
        };
        let own = PlotStyle { dpi: Some(600), formats: vec![PictureFormat::Pdf], ..PlotStyle::default() };
        let both = own.over(&base);
        assert_eq!((both.theme, both.dpi, both.files()), (Some(Theme::Print), Some(600), &[PictureFormat::Pdf][..]));
        assert_eq!(both.colors, base.colors);
        assert_eq!(PlotStyle::default().files(), [PictureFormat::Svg, PictureFormat::Png]);
    }
}
