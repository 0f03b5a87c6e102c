//! The arguments of `carom film`.

use std::path::PathBuf;

use super::plot::{THEMES, color, font_size, label, range};
use super::words::{Word, Words};
use crate::cli::numbers;
use crate::report::film::{FPS_MAX, FilmFormat, FilmRequest, FilmView, SIDES, Slow};
use crate::scenario::plot::style::Rgb;
use crate::scenario::{Plane2, PlotStyle, Theme};

/// The arguments of `carom film`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct FilmArguments {
    /// The folder of a run, such as output/belt.
    #[arg(value_name = "OUTPUT_DIR")]
    pub(in crate::cli) folder: PathBuf,
    /// The format.
    #[arg(long, value_name = "FORMAT", value_parser = Words(FORMATS))]
    pub(in crate::cli) to: FilmFormat,
    /// The file to write, or the folder if it is for frames; without it, one in the present folder with the name of the
    /// run.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Where it is seen from; as in the first plot of the scenario that shows places, if it is not given.
    #[arg(long, value_name = "VIEW", value_parser = Words(VIEWS))]
    view: Option<FilmView>,
    /// Direction of an oblique view around z, from x towards y, in degrees.
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, value_parser = azimuth)]
    azimuth: Option<f64>,
    /// Direction of an oblique view above the xy plane, in degrees.
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, value_parser = elevation)]
    elevation: Option<f64>,
    /// The first instant, in seconds.
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_hyphen_values = true, value_parser = numbers::instant)]
    pub(in crate::cli) from: f64,
    /// The last instant, in seconds; the end of the run, if it is not given.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::instant)]
    pub(in crate::cli) until: Option<f64>,
    /// Seconds of the run in a second of the film; without it, such that the film lasts about 8 seconds.
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true, value_parser = numbers::positive)]
    speed: Option<f64>,
    /// Slow motion around impacts by this factor, such as 8; after a comma, for how many seconds of the run before and
    /// after each.
    #[arg(long, value_name = "FACTOR[,S]", allow_hyphen_values = true, value_parser = slow)]
    slow: Option<Slow>,
    /// Frames per second.
    #[arg(long, value_name = "N", default_value_t = 25, allow_hyphen_values = true, value_parser = fps)]
    fps: u32,
    /// Width and height in pixels, such as 1280x720; without it, 640 wide and as high as needed.
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = size)]
    size: Option<[u32; 2]>,
    /// Length of the paths behind bodies, in seconds of the run; 0 is none.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::instant)]
    trail: Option<f64>,
    /// Keep this body in the middle of the picture.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) follow: Option<String>,
    /// Only these bodies; a name that ends in * means all that begin so.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) bodies: Vec<String>,
    /// The look.
    #[arg(long, value_name = "THEME", value_parser = Words(THEMES))]
    theme: Option<Theme>,
    /// Whether title and notes stand on the picture.
    #[arg(long, value_name = "BOOL")]
    title: Option<bool>,
    /// Whether there is a clock.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    clock: bool,
    /// Whether there is a legend.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    legend: bool,
    /// Size of captions and legend in points.
    #[arg(long, value_name = "PT", allow_hyphen_values = true, value_parser = font_size)]
    font_size: Option<f64>,
    /// Range of the axis to the right, seen along an axis.
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = range)]
    x: Option<[f64; 2]>,
    /// Range of the upward axis, seen along an axis.
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = range)]
    y: Option<[f64; 2]>,
    /// The colour of a body, such as cue=#0072B2.
    #[arg(long, value_name = "NAME=#RRGGBB", value_parser = color)]
    pub(in crate::cli) color: Vec<(String, Rgb)>,
    /// What the legend calls a body, such as 'ball 1=steel'.
    #[arg(long, value_name = "NAME=WORDS", value_parser = label)]
    label: Vec<(String, String)>,
    /// No progress bar, and nothing to say if all is well; errors are still shown.
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

const FORMATS: &[Word<FilmFormat>] = &[
    ("gif", FilmFormat::Gif, "An animated GIF, for everywhere"),
    ("apng", FilmFormat::Apng, "An animated PNG, with all colours: browsers"),
    ("frames", FilmFormat::Frames, "A folder of PNG files, and a table of their instants"),
    ("mp4", FilmFormat::Mp4, "H.264 in MP4, by ffmpeg"),
    ("webm", FilmFormat::Webm, "VP9 in WebM, by ffmpeg"),
];

const VIEWS: &[Word<FilmView>] = &[
    ("xz", FilmView::Plane(Plane2::XZ), "From the side, along y"),
    ("xy", FilmView::Plane(Plane2::XY), "From above"),
    ("yz", FilmView::Plane(Plane2::YZ), "From the side, along x"),
    ("oblique", FilmView::Oblique { azimuth: None, elevation: None }, "Obliquely from afar"),
];

const EXAMPLES: &str = "\
Examples:
  carom film output/newtons_cradle --to gif                   writes newtons_cradle.gif
  carom film output/two_ball_drop --to gif --slow 8           slow motion around each impact
  carom film output/belt --to mp4 --view oblique --size 1280x720 --theme dark
  carom film output/marble_run --to apng --follow marble/blue --trail 0.5
  carom film output/belt --to frames --from 0.5 --until 1 --fps 50 --output belt_frames

The recorded scenario is run again for it, so that all bodies are on their exact paths, and in the end the state is compared with the recording.

Exit codes: 0 all is well; 1 the scenario does not run as it was recorded; 2 bad input;
3 a file could not be read or written, or there is no ffmpeg; 130 interrupted by Ctrl-C; 143 by another process.";

impl FilmArguments {
    /// Whether a direction is given for a view along an axis.
    pub(in crate::cli) fn has_idle_direction(&self) -> bool {
        (self.azimuth.is_some() || self.elevation.is_some()) && !matches!(self.view, Some(FilmView::Oblique { .. }))
    }

    /// The request for a film of the chosen bodies.
    pub(in crate::cli) fn request(&self, bodies: Vec<String>) -> FilmRequest {
        let view = self.view.map(|view| match view {
            FilmView::Oblique { .. } => FilmView::Oblique { azimuth: self.azimuth, elevation: self.elevation },
            plane => plane,
        });
        let style = PlotStyle {
            theme: self.theme,
            title: self.title,
            font_size: self.font_size,
            x: self.x,
            y: self.y,
            colors: self.color.clone(),
            labels: self.label.clone(),
            ..PlotStyle::default()
        };
        FilmRequest {
            view,
            speed: self.speed,
            slow: self.slow,
            fps: self.fps,
            size: self.size,
            trail: self.trail,
            follow: self.follow.clone(),
            clock: self.clock,
            legend: self.legend,
            bodies,
            style,
        }
    }
}

fn azimuth(text: &str) -> Result<f64, String> {
    angle(text, 360.0)
}

fn elevation(text: &str) -> Result<f64, String> {
    angle(text, 90.0)
}

fn angle(text: &str, most: f64) -> Result<f64, String> {
    let degrees = numbers::number(text)?;
    if degrees.abs() <= most { Ok(degrees) } else { Err(format!("it must be from -{most} to {most} degrees")) }
}

fn slow(text: &str) -> Result<Slow, String> {
    let (factor, seconds) = text.split_once(',').map_or((text, None), |(factor, seconds)| (factor, Some(seconds)));
    let factor = numbers::positive(factor)?;
    if factor <= 1.0 {
        return Err("the factor must be more than 1".to_owned());
    }
    Ok(Slow { factor, seconds: seconds.map(numbers::span).transpose()? })
}

fn fps(text: &str) -> Result<u32, String> {
    let fitting = text.trim().parse().ok().filter(|fps| (1..=FPS_MAX).contains(fps));
    fitting.ok_or_else(|| format!("it must be a whole number from 1 to {FPS_MAX}"))
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (low, high) = SIDES;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (low..=high).contains(side));
    let sides = text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| format!("two whole numbers from {low} to {high} are wanted, such as 1280x720"))
}
