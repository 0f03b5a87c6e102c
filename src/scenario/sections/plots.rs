//! The plots of a scenario and their styles.

use super::colors::COLOR_WORDS;
use super::requests::is_packing_observed;
use super::settings;
use crate::scenario::error_kinds::{Fault, PlanarFault};
use crate::scenario::names::{self, NameTable};
use crate::scenario::numbers::Range;
use crate::scenario::plot::Plot;
use crate::scenario::plot::formula::Formula;
use crate::scenario::plot::overlay::{Course, Overlay, POINTS_MAX};
use crate::scenario::plot::schema as written;
use crate::scenario::plot::style::{FONT_SIZES, Figure, LETTER_WORDS, PlotStyle, RESOLUTIONS, Rgb, SIZES, letter};
use crate::scenario::problem::syntax;
use crate::scenario::problem::{Entry, Report, Site};
use crate::scenario::request_types::Observation;
use crate::scenario::schema;

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
    table: &NameTable<'_>,
    observations: &[Observation],
    duration: Option<f64>,
    report: &mut Report<'a>,
) -> Vec<Figure> {
    let base = settings::field("style", top.style).and_then(|entry| base_style(entry, Some(table), report));
    let base = base.unwrap_or_default();
    let mut figures = Vec::new();
    for (place, raw) in top.plots.iter().enumerate() {
        let entry = Entry { site: Site::Item("plots", place), text: raw.get_ron() };
        figures.extend(figure(entry, table, &base, (observations, duration), report));
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
    table: &NameTable<'_>,
    base: &PlotStyle,
    (observations, duration): (&[Observation], Option<f64>),
    report: &mut Report<'a>,
) -> Option<Figure> {
    let (plot, raw) = read(entry, table, duration, report)?;
    if matches!(plot, Plot::Gas | Plot::Speeds) && !observations.contains(&Observation::Gas) {
        report.add(entry, "", Fault::GasNotObserved);
    }
    if matches!(plot, Plot::BoundaryMap { .. }) && !report.is_planar {
        report.add(entry, "", Fault::Planar(PlanarFault::OnlyPlanar { shape: "a `BoundaryMap`" }));
    }
    if plot == Plot::Profile && !is_packing_observed(observations) {
        report.add(entry, "", Fault::PackingNotObserved);
    }
    let style = style(&raw, (entry, "style."), Some(table), report).over(base);
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
    table: &NameTable<'_>,
    duration: Option<f64>,
    report: &mut Report<'a>,
) -> Option<(Plot, written::Style)> {
    let (plot, style) = syntax::read_word::<written::Plot>(entry, report)?.parts();
    let bodies = plot.bodies().map(|names| table.many(report, entry, "bodies", names));
    let plot = if let Some(bodies) = bodies { plot.of(&bodies) } else { plot };
    match &plot {
        Plot::Separation { bodies, .. } if bodies.len() != 2 => {
            report.out_of_range(entry, "bodies", "the names of two bodies");
        }
        Plot::Strobe { every, .. } | Plot::Oblique { every: Some(every), .. } if !is_span(*every, duration) => {
            report.out_of_range(entry, "every", EXPOSURE_WORDS);
        }
        _ => {}
    }
    if let Plot::Oblique { azimuth, elevation, .. } = plot {
        for (field, angle, most, words) in
            [("azimuth", azimuth, 360.0, AZIMUTH_WORDS), ("elevation", elevation, 90.0, ELEVATION_WORDS)]
        {
            if !(-most..=most).contains(&angle) {
                report.out_of_range(entry, field, words);
            }
        }
    }
    Some((plot, style))
}

/// Whether a run has so few of these spans that a picture can show them.
fn is_span(every: f64, duration: Option<f64>) -> bool {
    every > 0.0 && duration.is_none_or(|duration| duration / every <= EXPOSURES_MAX)
}

/// Reads the style of all plots. What is laid over a plot belongs to that plot alone.
pub(in crate::scenario) fn base_style<'a>(
    entry: Entry<'a>,
    table: Option<&NameTable<'_>>,
    report: &mut Report<'a>,
) -> Option<PlotStyle> {
    let raw: written::Style = syntax::read(entry, report)?;
    if !raw.over.is_empty() {
        report.out_of_range(entry, "over", "in the `style` of a plot");
    }
    Some(style(&raw, (entry, ""), table, report))
}

/// Reads a style from a path of an entry. Where there is no table of bodies, as in a sweep, any word may have a colour.
pub(in crate::scenario) fn style<'a>(
    raw: &written::Style,
    (entry, path): (Entry<'a>, &'static str),
    table: Option<&NameTable<'_>>,
    report: &mut Report<'a>,
) -> PlotStyle {
    Reader { report, table, entry, path }.style(raw)
}

struct Reader<'r, 'a, 's> {
    report: &'r mut Report<'a>,
    table: Option<&'r NameTable<'s>>,
    entry: Entry<'a>,
    path: &'static str,
}

impl Reader<'_, '_, '_> {
    fn style(&mut self, raw: &written::Style) -> PlotStyle {
        let width = raw.width.filter(|width| self.within("width", width.millimetres(), SIZES, SIZE_WORDS).is_some());
        let height =
            raw.height.and_then(|written::Height::Mm(height)| self.within("height", height, SIZES, SIZE_WORDS));
        let font_size = raw.font_size.and_then(|size| self.within("font_size", size, FONT_SIZES, FONT_SIZE_WORDS));
        let dpi = raw.dpi.and_then(|dpi| self.within("dpi", dpi, RESOLUTIONS, RESOLUTION_WORDS));
        let mut formats = raw.formats.clone();
        formats.sort_unstable();
        formats.dedup();
        PlotStyle {
            theme: raw.theme,
            width,
            height,
            title: raw.title,
            legend: raw.legend,
            letter: raw.letter.as_ref().and_then(|text| letter(text).or_else(|| self.refuse("letter", LETTER_WORDS))),
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

    fn overlay(&mut self, place: usize, raw: &written::Overlay) -> Option<Overlay> {
        use written::Overlay as Raw;
        let path = format!("over[{place}]");
        let (label, color, course) = match raw {
            Raw::Points { label, points, color } => (label, color, self.points(&path, points).map(Course::Points)),
            Raw::Curve { label, points, color } => (label, color, self.points(&path, points).map(Course::Curve)),
            Raw::Formula { label, y, color } => (label, color, self.formula(&path, y).map(Course::Formula)),
        };
        self.check_label(&format!("{path}.label"), label);
        let color = color.as_ref().and_then(|text| self.color(&format!("{path}.color"), text));
        Some(Overlay { label: label.clone(), color, course: course? })
    }

    fn points(&mut self, path: &str, points: &[[f64; 2]]) -> Option<Vec<[f64; 2]>> {
        if points.is_empty() || points.len() > POINTS_MAX {
            return self.refuse(&format!("{path}.points"), POINTS_WORDS);
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
        text.parse()
            .map_err(|fault| self.report.add(self.entry, &format!("{}{path}.y", self.path), Fault::Formula(fault)))
            .ok()
    }

    fn color(&mut self, field: &str, text: &str) -> Option<Rgb> {
        text.parse().map_or_else(|_| self.refuse(field, COLOR_WORDS), Some)
    }

    fn colors(&mut self, raw: &written::Style) -> Vec<(String, Rgb)> {
        let mut colors = Vec::new();
        for (name, text) in &raw.colors {
            let path = format!("colors.{name}");
            let Some(color) = self.color(&path, text) else { continue };
            let path = format!("{}{path}", self.path);
            let bodies = match self.table {
                Some(table) => table.named(self.report, self.entry, &path, name),
                None => vec![name.clone()],
            };
            colors.extend(bodies.into_iter().map(|body| (body, color)));
        }
        colors
    }

    /// Labels may be those of groups, so any word may have one.
    fn labels(&mut self, raw: &written::Style) -> Vec<(String, String)> {
        for (name, label) in &raw.labels {
            self.check_label(&format!("labels.{name}"), label);
        }
        raw.labels.clone().into_iter().collect()
    }

    fn check_label(&mut self, field: &str, label: &str) {
        self.report.check_name((self.entry, &format!("{}{field}", self.path)), "label", names::unfit_word(label));
    }

    fn range(&mut self, field: &str, range: Option<Range>, logarithmic: bool) -> Option<Range> {
        let [low, high] = range?;
        let path = format!("{}{field}", self.path);
        self.report.number(self.entry, &format!("{path}[0]"), low)?;
        self.report.number(self.entry, &format!("{path}[1]"), high)?;
        if logarithmic && low <= 0.0 {
            return self.refuse(&format!("{field}[0]"), "positive on a logarithmic axis");
        }
        if low < high { range } else { self.refuse(field, "a range, the lower end first") }
    }

    fn within<N: PartialOrd>(&mut self, field: &str, value: N, (low, high): (N, N), words: &'static str) -> Option<N> {
        if low <= value && value <= high { Some(value) } else { self.refuse(field, words) }
    }

    fn refuse<T>(&mut self, field: &str, allowed: &'static str) -> Option<T> {
        self.report.refuse(self.entry, &format!("{}{field}", self.path), allowed)
    }
}
