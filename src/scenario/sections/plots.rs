//! The plots of a scenario and their styles.

use super::colors::COLOR_WORDS;
use super::requests::is_packing_observed;
use super::settings;
use crate::scenario::names::{self, Roll};
use crate::scenario::numbers::Range;
use crate::scenario::planar::PlanarFault;
use crate::scenario::plot::Plot;
use crate::scenario::plot::formula::{Formula, NoFormula};
use crate::scenario::plot::overlay::{Course, Overlay, POINTS_MAX};
use crate::scenario::plot::schema as written;
use crate::scenario::plot::style::{
    FONT_SIZES, Figure, LETTER_WORDS, PlotStyle, RESOLUTIONS, Rgb, SIZES, Width, letter,
};
use crate::scenario::problem::error_kinds::Fault;
use crate::scenario::problem::{Entry, Report, Site};
use crate::scenario::request_types::Observation;
use crate::scenario::schema;
use crate::scenario::text::{locate, syntax};

/// The ranges of a style, in words for messages.
const SIZE_WORDS: &str = "a length from 30 to 400 mm";
const FONT_SIZE_WORDS: &str = "a size from 7 to 30 pt";
const EXPOSURE_WORDS: &str = "a positive span that divides the run into at most 500 parts";
const AZIMUTH_WORDS: &str = "an angle from −360 to 360 degrees";
const ELEVATION_WORDS: &str = "an angle from −90 to 90 degrees";
const RESOLUTION_WORDS: &str = "a number of pixels per inch from 50 to 1200";
const POINTS_WORDS: &str = "from 1 to 100000 points";
/// Most positions of one body in a picture.
const EXPOSURES_MAX: f64 = 500.0;
const _: () = assert!(SIZES.0 == 30.0 && SIZES.1 == 400.0);
const _: () = assert!(FONT_SIZES.0 == 7.0 && FONT_SIZES.1 == 30.0);
const _: () = assert!(POINTS_MAX == 100_000);
const _: () = assert!(RESOLUTIONS.0 == 50 && RESOLUTIONS.1 == 1200);

/// Reads the plots. Plots of what is measured come after all others, unless they are in the list.
pub(crate) fn plots<'a>(
    top: &schema::Top<'a>,
    roll: &Roll<'_>,
    observations: &[Observation],
    duration: Option<f64>,
    report: &mut Report<'a>,
) -> Vec<Figure> {
    let base = settings::field("style", top.style).and_then(|entry| {
        let raw = syntax::read(entry, report)?;
        Some(base_style(&raw, entry, Some(roll), report))
    });
    let base = base.unwrap_or_default();
    let mut figures = Vec::new();
    for (place, raw) in top.plots.iter().enumerate() {
        let entry = Entry { site: Site::Item("plots", place), text: raw.get_ron() };
        figures.extend(figure(entry, roll, &base, (observations, duration), report));
    }
    if observations.contains(&Observation::Gas) {
        for plot in [Plot::Gas, Plot::Speeds] {
            if figures.iter().all(|figure| figure.plot != plot) {
                figures.push(Figure { plot, style: base.clone() });
            }
        }
    }
    if is_packing_observed(observations) && figures.iter().all(|figure| figure.plot != Plot::Profile) {
        figures.push(Figure { plot: Plot::Profile, style: base });
    }
    figures
}

/// One item of the list.
fn figure<'a>(
    entry: Entry<'a>,
    roll: &Roll<'_>,
    base: &PlotStyle,
    (observations, duration): (&[Observation], Option<f64>),
    report: &mut Report<'a>,
) -> Option<Figure> {
    let (plot, raw) = read(entry, roll, duration, report)?;
    if matches!(plot, Plot::Gas | Plot::Speeds) && !observations.contains(&Observation::Gas) {
        report.add(entry, "", Fault::GasNotObserved);
    }
    if matches!(plot, Plot::BoundaryMap { .. }) && !report.is_planar {
        report.add(entry, "", Fault::Planar(PlanarFault::OnlyPlanar { shape: "a `BoundaryMap`" }));
    }
    if plot == Plot::Profile && !is_packing_observed(observations) {
        report.add(entry, "", Fault::PackingNotObserved);
    }
    let style = style(&raw, (entry, "style."), Some(roll), report).over(base);
    if plot.is_to_scale() && (raw.log_x.is_some() || raw.log_y.is_some()) {
        let path = if raw.log_x.is_some() { "style.log_x" } else { "style.log_y" };
        report.out_of_range(entry, path, "left out, because this plot is drawn to scale");
    }
    if !(raw.over.is_empty() || plot.takes_overlays()) {
        report.out_of_range(entry, "style.over", "left out, because nothing can be laid over this plot");
    }
    Some(Figure { plot, style })
}

/// The plot, and its settings as they are written.
fn read<'a>(
    entry: Entry<'a>,
    roll: &Roll<'_>,
    duration: Option<f64>,
    report: &mut Report<'a>,
) -> Option<(Plot, written::Style)> {
    use written::Plot as Raw;
    if let Some(plot) = word(locate::trim(entry.text)) {
        return Some((plot, written::Style::default()));
    }
    let raw = syntax::read(entry, report)?;
    let mut named = |bodies: &[String]| roll.many(report, entry, "bodies", bodies);
    Some(match raw {
        Raw::Path { plane, bodies, style } => (Plot::Path { plane, bodies: named(&bodies) }, style),
        Raw::Height { axis, bodies, style } => (Plot::Height { axis, bodies: named(&bodies) }, style),
        Raw::Strobe { plane, every, bodies, style } => {
            let bodies = named(&bodies);
            if !is_span(every, duration) {
                report.out_of_range(entry, "every", EXPOSURE_WORDS);
            }
            (Plot::Strobe { plane, every, bodies }, style)
        }
        Raw::SpaceTime { axis, bodies, style } => (Plot::SpaceTime { axis, bodies: named(&bodies) }, style),
        Raw::Speed { bodies, style } => (Plot::Speed { bodies: named(&bodies) }, style),
        Raw::Phase { axis, bodies, style } => (Plot::Phase { axis, bodies: named(&bodies) }, style),
        Raw::Passages { bodies, style } => (Plot::Passages { bodies: named(&bodies) }, style),
        Raw::Energy { style } => (Plot::Energy, style),
        Raw::Oblique { azimuth, elevation, every, bodies, style } => {
            let bodies = named(&bodies);
            if every.is_some_and(|every| !is_span(every, duration)) {
                report.out_of_range(entry, "every", EXPOSURE_WORDS);
            }
            for (field, angle, most, words) in
                [("azimuth", azimuth, 360.0, AZIMUTH_WORDS), ("elevation", elevation, 90.0, ELEVATION_WORDS)]
            {
                if !(-most..=most).contains(&angle) {
                    report.out_of_range(entry, field, words);
                }
            }
            (Plot::Oblique { azimuth, elevation, every, bodies }, style)
        }
        Raw::RadialDistribution { bodies, style } => (Plot::RadialDistribution { bodies: named(&bodies) }, style),
        Raw::Displacement { bodies, style } => (Plot::Displacement { bodies: named(&bodies) }, style),
        Raw::Autocorrelation { bodies, style } => (Plot::Autocorrelation { bodies: named(&bodies) }, style),
        Raw::Separation { bodies, plane, style } => {
            let bodies = named(&bodies);
            if bodies.len() != 2 {
                report.out_of_range(entry, "bodies", "the names of two bodies");
            }
            (Plot::Separation { plane, bodies }, style)
        }
        Raw::BoundaryMap { bodies, style } => (Plot::BoundaryMap { bodies: named(&bodies) }, style),
        Raw::Concentration { axis, bodies, style } => (Plot::Concentration { axis, bodies: named(&bodies) }, style),
        Raw::Impacts { bodies, style } => (Plot::Impacts { bodies: named(&bodies) }, style),
        Raw::Gas { style } => (Plot::Gas, style),
        Raw::Speeds { style } => (Plot::Speeds, style),
        Raw::Profile { style } => (Plot::Profile, style),
    })
}

/// A plot without settings, which is a single word.
fn word(text: &str) -> Option<Plot> {
    match text {
        "Energy" => Some(Plot::Energy),
        "Impacts" => Some(Plot::Impacts { bodies: Vec::new() }),
        "RadialDistribution" => Some(Plot::RadialDistribution { bodies: Vec::new() }),
        "Displacement" => Some(Plot::Displacement { bodies: Vec::new() }),
        "Autocorrelation" => Some(Plot::Autocorrelation { bodies: Vec::new() }),
        "Oblique" => {
            let (azimuth, elevation) = (written::AZIMUTH, written::ELEVATION);
            Some(Plot::Oblique { azimuth, elevation, every: None, bodies: Vec::new() })
        }
        "Gas" => Some(Plot::Gas),
        "Speeds" => Some(Plot::Speeds),
        "Profile" => Some(Plot::Profile),
        "BoundaryMap" => Some(Plot::BoundaryMap { bodies: Vec::new() }),
        "Speed" => Some(Plot::Speed { bodies: Vec::new() }),
        "Passages" => Some(Plot::Passages { bodies: Vec::new() }),
        _ => None,
    }
}

/// Whether a run has so few of these spans that a picture can show them.
fn is_span(every: f64, duration: Option<f64>) -> bool {
    every > 0.0 && duration.is_none_or(|duration| duration / every <= EXPOSURES_MAX)
}

/// Reads the style of all plots. What is laid over a plot belongs to that plot alone.
pub(in crate::scenario) fn base_style<'a>(
    raw: &written::Style,
    entry: Entry<'a>,
    roll: Option<&Roll<'_>>,
    report: &mut Report<'a>,
) -> PlotStyle {
    if !raw.over.is_empty() {
        report.out_of_range(entry, "over", "in the `style` of a plot");
    }
    style(raw, (entry, ""), roll, report)
}

/// Reads a style from a path of an entry. Where there is no roll of bodies, as in a sweep, any word may have a colour.
pub(in crate::scenario) fn style<'a>(
    raw: &written::Style,
    (entry, path): (Entry<'a>, &'static str),
    roll: Option<&Roll<'_>>,
    report: &mut Report<'a>,
) -> PlotStyle {
    Reader { report, roll, entry, path }.style(raw)
}

struct Reader<'r, 'a, 's> {
    report: &'r mut Report<'a>,
    roll: Option<&'r Roll<'s>>,
    entry: Entry<'a>,
    path: &'static str,
}

impl Reader<'_, '_, '_> {
    fn style(&mut self, raw: &written::Style) -> PlotStyle {
        let width = raw.width.and_then(|width| match width {
            written::Width::Single => Some(Width::Single),
            written::Width::Double => Some(Width::Double),
            written::Width::Mm(width) => self.within("width", width, SIZES, SIZE_WORDS).map(Width::Mm),
        });
        let height =
            raw.height.and_then(|written::Height::Mm(height)| self.within("height", height, SIZES, SIZE_WORDS));
        let font_size = raw.font_size.and_then(|size| self.within("font_size", size, FONT_SIZES, FONT_SIZE_WORDS));
        let dpi = raw.dpi.filter(|&dpi| {
            let fits = (RESOLUTIONS.0..=RESOLUTIONS.1).contains(&dpi);
            if !fits {
                self.refuse("dpi", RESOLUTION_WORDS);
            }
            fits
        });
        let mut formats = raw.formats.clone();
        formats.sort_unstable();
        formats.dedup();
        PlotStyle {
            theme: raw.theme,
            width,
            height,
            title: raw.title,
            legend: raw.legend,
            letter: raw.letter.as_ref().and_then(|text| self.letter(text)),
            font_size,
            time: self.range("time", raw.time, false),
            x: self.range("x", raw.x, raw.log_x == Some(true)),
            y: self.range("y", raw.y, raw.log_y == Some(true)),
            log_x: raw.log_x,
            log_y: raw.log_y,
            colors: self.colors(raw),
            labels: self.labels(raw),
            formats,
            dpi: dpi.and_then(|dpi| u32::try_from(dpi).ok()),
            over: raw.over.iter().enumerate().filter_map(|(place, raw)| self.overlay(place, raw)).collect(),
        }
    }

    fn letter(&mut self, text: &str) -> Option<char> {
        let letter = letter(text);
        if letter.is_none() {
            self.refuse("letter", LETTER_WORDS);
        }
        letter
    }

    fn overlay(&mut self, place: usize, raw: &written::Overlay) -> Option<Overlay> {
        use written::Overlay as Raw;
        let path = format!("over[{place}]");
        let (label, color, course) = match raw {
            Raw::Points { label, points, color } => (label, color, self.points(&path, points).map(Course::Points)),
            Raw::Curve { label, points, color } => (label, color, self.points(&path, points).map(Course::Curve)),
            Raw::Formula { label, y, color } => (label, color, self.formula(&path, y).map(Course::Formula)),
        };
        if let Some(must) = names::unfit_word(label) {
            self.report.add(
                self.entry,
                &format!("{}{path}.label", self.path),
                Fault::UnfitName { what: "label", must },
            );
        }
        let color = color.as_ref().and_then(|text| {
            let color = text.parse().ok();
            if color.is_none() {
                self.refuse(&format!("{path}.color"), COLOR_WORDS);
            }
            color
        });
        Some(Overlay { label: label.clone(), color, course: course? })
    }

    fn points(&mut self, path: &str, points: &[[f64; 2]]) -> Option<Vec<[f64; 2]>> {
        if points.is_empty() || points.len() > POINTS_MAX {
            self.refuse(&format!("{path}.points"), POINTS_WORDS);
            return None;
        }
        for (place, point) in points.iter().enumerate() {
            for (side, &value) in point.iter().enumerate() {
                let path = format!("{}{path}.points[{place}][{side}]", self.path);
                self.report.number(self.entry, &path, value)?;
            }
        }
        Some(points.to_vec())
    }

    fn formula(&mut self, path: &str, text: &str) -> Option<Formula> {
        let read = text.parse();
        if let Err(fault) = &read {
            let path = format!("{}{path}.y", self.path);
            self.report.add(self.entry, &path, Fault::Formula(NoFormula::clone(fault)));
        }
        read.ok()
    }

    fn colors(&mut self, raw: &written::Style) -> Vec<(String, Rgb)> {
        let mut colors = Vec::new();
        for (name, text) in &raw.colors {
            let path = format!("colors.{name}");
            let Ok(color) = text.parse() else {
                self.refuse(&path, COLOR_WORDS);
                continue;
            };
            let path = format!("{}{path}", self.path);
            let bodies = match self.roll {
                Some(roll) => roll.named(self.report, self.entry, &path, name),
                None => vec![name.clone()],
            };
            colors.extend(bodies.into_iter().map(|body| (body, color)));
        }
        colors
    }

    /// Labels may be those of groups, so any word may have one.
    fn labels(&mut self, raw: &written::Style) -> Vec<(String, String)> {
        for (name, label) in &raw.labels {
            if let Some(must) = names::unfit_word(label) {
                let path = format!("{}labels.{name}", self.path);
                self.report.add(self.entry, &path, Fault::UnfitName { what: "label", must });
            }
        }
        raw.labels.clone().into_iter().collect()
    }

    fn range(&mut self, field: &str, range: Option<Range>, logarithmic: bool) -> Option<Range> {
        let [low, high] = range?;
        let path = format!("{}{field}", self.path);
        self.report.number(self.entry, &format!("{path}[0]"), low)?;
        self.report.number(self.entry, &format!("{path}[1]"), high)?;
        if logarithmic && low <= 0.0 {
            self.refuse(&format!("{field}[0]"), "positive on a logarithmic axis");
            return None;
        }
        if low < high {
            return range;
        }
        self.refuse(field, "a range, the lower end first");
        None
    }

    fn within(&mut self, field: &str, value: f64, (low, high): (f64, f64), words: &'static str) -> Option<f64> {
        let fits = (low..=high).contains(&value);
        if !fits {
            self.refuse(field, words);
        }
        fits.then_some(value)
    }

    fn refuse(&mut self, field: &str, allowed: &'static str) {
        self.report.out_of_range(self.entry, &format!("{}{field}", self.path), allowed);
    }
}
