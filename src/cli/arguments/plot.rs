//! The arguments of `carom plot`.

use std::path::{Path, PathBuf};

use super::words::{Word, Words};
use crate::cli::numbers::{self, Numbers};
use crate::numeric::shown;
use crate::scenario::plot::formula::NoFormula;
use crate::scenario::plot::overlay::{Course, Overlay};
use crate::scenario::plot::style::{
    FONT_SIZES, LETTER_WORDS, Legend, PictureFormat, RESOLUTIONS, Rgb, SIZES, Theme, Width, letter,
};
use crate::scenario::{Axis, PlotStyle};

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PlotArguments {
    /// Folder of a run or of a sweep, such as output/newtons_cradle.
    #[arg(value_name = "OUTPUT_DIR")]
    pub(in crate::cli) folder: PathBuf,
    /// More runs, whose curves are laid over those of the first.
    #[arg(value_name = "MORE")]
    pub(in crate::cli) others: Vec<PathBuf>,
    /// Folder for the pictures, in place of that of the run.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Draw only these pictures, by the names of their files without endings, such as energy,path_xz.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) only: Vec<String>,
    /// The look.
    #[arg(long, value_name = "THEME", value_parser = Words(THEMES))]
    theme: Option<Theme>,
    /// Width: single (85 mm), double (178 mm), or so many millimetres.
    #[arg(long, value_name = "MM", allow_hyphen_values = true, value_parser = width)]
    width: Option<Width>,
    /// Height in millimetres.
    #[arg(long, value_name = "MM", allow_hyphen_values = true, value_parser = size)]
    height: Option<f64>,
    /// Whether title, subtitle and notes stand on the picture.
    #[arg(long, value_name = "BOOL")]
    title: Option<bool>,
    /// Where the legend stands.
    #[arg(long, value_name = "PLACE", value_parser = Words(LEGENDS))]
    legend: Option<Legend>,
    /// The letter of the first panel; the next panels have those that follow.
    #[arg(long, value_name = "LETTER", value_parser = panel)]
    letter: Option<char>,
    /// Size of captions and legend in points.
    #[arg(long, value_name = "PT", allow_hyphen_values = true, value_parser = font_size)]
    font_size: Option<f64>,
    /// From when to when, in seconds.
    #[arg(long, value_name = "S,S", allow_hyphen_values = true, value_parser = range)]
    time: Option<[f64; 2]>,
    /// Range of the axis to the right.
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = range)]
    x: Option<[f64; 2]>,
    /// Range of the upward axis.
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = range)]
    y: Option<[f64; 2]>,
    /// Logarithmic axes; paths and strobe pictures are drawn to scale in any case.
    #[arg(long, value_name = "AXES", value_delimiter = ',', value_parser = Words(AXES))]
    log: Vec<Axis>,
    /// Only these bodies in plots of motion; a name that ends in * means all that begin so.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) bodies: Vec<String>,
    /// The colour of a body, such as cue=#0072B2.
    #[arg(long, value_name = "NAME=#RRGGBB", value_parser = color)]
    color: Vec<(String, Rgb)>,
    /// What the legend calls a body, such as 'ball 1=steel'.
    #[arg(long, value_name = "NAME=WORDS", value_parser = label)]
    label: Vec<(String, String)>,
    /// Lay points of a table over the picture: a CSV file and its columns for both axes, such as measured.csv:t,z.
    #[arg(long, value_name = "FILE:X,Y", value_parser = points)]
    points: Vec<Overlay>,
    /// Lay a curve over the picture: its words and a formula of x, such as 'theory=1 - 9.81/2*x^2'.
    #[arg(long, value_name = "WORDS=FORMULA", value_parser = curve)]
    curve: Vec<Overlay>,
    /// Kinds of files.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = Words(FORMATS))]
    format: Vec<PictureFormat>,
    /// Pixels of a PNG per inch.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = dpi)]
    dpi: Option<u32>,
}

const EXAMPLES: &str = "\
Examples:
  carom plot output/belt
  carom plot output/belt --theme print --width single --format pdf --output figures
  carom plot output/rest_time --theme print --format pdf        the plots of a sweep
  carom plot output/belt --only energy --time 0,2 --log y
  carom plot output/belt --only energy --curve 'theory=12 + 3*t'
  carom plot output/belt output/newtons_cradle --only energy    two runs in one frame
  carom plot output/newtons_cradle --bodies 'ball 1,ball 5' --label 'ball 1=first' --color 'ball 1=#D55E00'";

pub(super) const THEMES: &[Word<Theme>] = &[
    ("screen", Theme::Screen, "For a page on a screen"),
    ("dark", Theme::Dark, "The same on a dark page"),
    ("print", Theme::Print, "For a journal"),
];

const LEGENDS: &[Word<Legend>] = &[
    ("right", Legend::Right, "To the right of the frame"),
    ("top", Legend::Top, "Above the frame"),
    ("inside", Legend::Inside, "Within the frame, where it covers least"),
    ("direct", Legend::Direct, "Names at the right ends of curves, in plots over time"),
    ("hidden", Legend::Hidden, "Nowhere; the scale of a map stays"),
];

const AXES: &[Word<Axis>] = &[("x", Axis::X, "The one to the right"), ("y", Axis::Y, "The upward one")];

pub(super) const FORMATS: &[Word<PictureFormat>] = &[
    ("svg", PictureFormat::Svg, "Lines and words that scale"),
    ("png", PictureFormat::Png, "Pixels"),
    ("pdf", PictureFormat::Pdf, "A page with its typeface embedded"),
    ("csv", PictureFormat::Csv, "The numbers that are drawn, as NAME.data.csv"),
];

impl PlotArguments {
    /// The style that the command line gives plots.
    pub(in crate::cli) fn style(&self) -> PlotStyle {
        PlotStyle {
            theme: self.theme,
            width: self.width,
            height: self.height,
            title: self.title,
            legend: self.legend,
            letter: self.letter,
            font_size: self.font_size,
            time: self.time,
            x: self.x,
            y: self.y,
            log_x: self.log.contains(&Axis::X).then_some(true),
            log_y: self.log.contains(&Axis::Y).then_some(true),
            colors: self.color.clone(),
            labels: self.label.clone(),
            formats: formats(&self.format),
            dpi: self.dpi,
            over: [self.points.as_slice(), &self.curve].concat(),
        }
    }
}

/// The formats of a command line, each once.
pub(in crate::cli) fn formats(given: &[PictureFormat]) -> Vec<PictureFormat> {
    let mut formats = given.to_vec();
    formats.sort_unstable();
    formats.dedup();
    formats
}

fn width(text: &str) -> Result<Width, String> {
    match text {
        "single" => Ok(Width::Single),
        "double" => Ok(Width::Double),
        text => size(text).map(Width::Mm).map_err(|wrong| format!("{wrong}; or `single` or `double`")),
    }
}

fn size(text: &str) -> Result<f64, String> {
    within(numbers::number(text)?, SIZES, "mm")
}

pub(super) fn font_size(text: &str) -> Result<f64, String> {
    within(numbers::number(text)?, FONT_SIZES, "pt")
}

fn within(value: f64, (low, high): (f64, f64), unit: &str) -> Result<f64, String> {
    let fits = (low..=high).contains(&value);
    if fits { Ok(value) } else { Err(format!("it must be from {} to {} {unit}", shown(low), shown(high))) }
}

fn dpi(text: &str) -> Result<u32, String> {
    let (low, high) = RESOLUTIONS;
    let fitting = text.trim().parse().ok().filter(|dpi| (low..=high).contains(&u64::from(*dpi)));
    fitting.ok_or_else(|| format!("it must be a whole number from {low} to {high}"))
}

pub(super) fn range(text: &str) -> Result<[f64; 2], String> {
    let Numbers([low, high]) = numbers::numbers(text)?;
    if low < high { Ok([low, high]) } else { Err("the lower end must come first".to_owned()) }
}

pub(super) fn color(text: &str) -> Result<(String, Rgb), String> {
    let (name, color) = pair(text.rsplit_once('='))?;
    color.parse().map(|color| (name, color)).map_err(|error: crate::scenario::plot::style::NoColor| error.to_string())
}

pub(super) fn label(text: &str) -> Result<(String, String), String> {
    pair(text.split_once('=')).map(|(name, words)| (name, words.to_owned()))
}

fn panel(text: &str) -> Result<char, String> {
    letter(text).ok_or_else(|| format!("it must be {LETTER_WORDS}"))
}

/// Points of a table.
fn points(text: &str) -> Result<Overlay, String> {
    let parted = text.rsplit_once(':').and_then(|(file, columns)| Some((file, columns.split_once(',')?)));
    let (file, (x, y)) = parted.ok_or("a file, `:` and two columns are wanted, such as measured.csv:t,z")?;
    let file = Path::new(file);
    let label = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Overlay::measured(file, [x, y], label).map_err(|error| error.to_string())
}

/// A formula and its words.
fn curve(text: &str) -> Result<Overlay, String> {
    let (label, formula) = pair(text.split_once('='))?;
    let formula = formula.parse().map_err(|error: NoFormula| format!("this is no formula: {error}"))?;
    Ok(Overlay { label, color: None, course: Course::Formula(formula) })
}

/// A name and its value.
fn pair<'a>(parted: Option<(&'a str, &'a str)>) -> Result<(String, &'a str), String> {
    let pair = parted.filter(|(name, value)| !name.is_empty() && !value.is_empty());
    pair.map(|(name, value)| (name.to_owned(), value)).ok_or_else(|| "a name, `=` and a value are wanted".to_owned())
}
