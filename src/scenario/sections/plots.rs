//! What is to be drawn, and how.

use super::colors::COLOR_WORDS;
use super::settings;
use crate::scenario::names::{self, Roll};
use crate::scenario::numbers::Range;
use crate::scenario::plot_style::{FONT_SIZES, Figure, PlotStyle, RESOLUTIONS, Rgb, SIZES, Width};
use crate::scenario::problem::error_kinds::Fault;
use crate::scenario::problem::{Entry, Report, Site};
use crate::scenario::request_types::{Observation, Plot};
use crate::scenario::schema;
use crate::scenario::text::{locate, syntax};

/// What the ranges in `plot_style` are in words, as messages have them.
const SIZE_WORDS: &str = "a length from 30 to 400 mm";
const FONT_SIZE_WORDS: &str = "a size from 7 to 30 pt";
const RESOLUTION_WORDS: &str = "a number of pixels per inch from 50 to 1200";
const _: () = assert!(SIZES.0 == 30.0 && SIZES.1 == 400.0);
const _: () = assert!(FONT_SIZES.0 == 7.0 && FONT_SIZES.1 == 30.0);
const _: () = assert!(RESOLUTIONS.0 == 50 && RESOLUTIONS.1 == 1200);

/// Reads what is to be drawn. What is measured is drawn too, after all else, unless it stands in the list.
pub(crate) fn plots<'a>(
    top: &schema::Top<'a>,
    roll: &Roll<'_>,
    observations: &[Observation],
    report: &mut Report<'a>,
) -> Vec<Figure> {
    let base = settings::field("style", top.style).and_then(|entry| {
        let raw = syntax::read(entry, report)?;
        Some(Reader { report, roll, entry, path: "" }.style(&raw))
    });
    let base = base.unwrap_or_default();
    let mut figures = Vec::new();
    for (place, raw) in top.plots.iter().enumerate() {
        let entry = Entry { site: Site::Item("plots", place), text: raw.get_ron() };
        figures.extend(figure(entry, roll, &base, observations, report));
    }
    if observations.contains(&Observation::Gas) {
        for plot in [Plot::Gas, Plot::Speeds] {
            if figures.iter().all(|figure| figure.plot != plot) {
                figures.push(Figure { plot, style: base.clone() });
            }
        }
    }
    figures
}

/// One item of the list.
fn figure<'a>(
    entry: Entry<'a>,
    roll: &Roll<'_>,
    base: &PlotStyle,
    observations: &[Observation],
    report: &mut Report<'a>,
) -> Option<Figure> {
    // A plot without settings is a word alone.
    let word = match locate::trim(entry.text) {
        "Energy" => Some(Plot::Energy),
        "Impacts" => Some(Plot::Impacts),
        "Gas" => Some(Plot::Gas),
        "Speeds" => Some(Plot::Speeds),
        _ => None,
    };
    let (plot, raw) = match word {
        Some(plot) => (plot, schema::Style::default()),
        None => match syntax::read(entry, report)? {
            schema::Plot::Path { plane, bodies, style } => {
                (Plot::Path { plane, bodies: roll.many(report, entry, "bodies", &bodies) }, style)
            }
            schema::Plot::Height { axis, bodies, style } => {
                (Plot::Height { axis, bodies: roll.many(report, entry, "bodies", &bodies) }, style)
            }
            schema::Plot::Energy { style } => (Plot::Energy, style),
            schema::Plot::Impacts { style } => (Plot::Impacts, style),
            schema::Plot::Gas { style } => (Plot::Gas, style),
            schema::Plot::Speeds { style } => (Plot::Speeds, style),
        },
    };
    if matches!(plot, Plot::Gas | Plot::Speeds) && !observations.contains(&Observation::Gas) {
        report.add(entry, "", Fault::GasNotObserved);
    }
    let style = Reader { report, roll, entry, path: "style." }.style(&raw).over(base);
    if matches!(plot, Plot::Path { .. }) && (raw.log_x.is_some() || raw.log_y.is_some()) {
        let path = if raw.log_x.is_some() { "style.log_x" } else { "style.log_y" };
        report.out_of_range(entry, path, "left out, because a path is drawn to scale");
    }
    Some(Figure { plot, style })
}

/// Reads a style from `path` of an entry.
struct Reader<'r, 'a, 's> {
    report: &'r mut Report<'a>,
    roll: &'r Roll<'s>,
    entry: Entry<'a>,
    path: &'static str,
}

impl Reader<'_, '_, '_> {
    fn style(&mut self, raw: &schema::Style) -> PlotStyle {
        let width = raw.width.and_then(|width| match width {
            schema::Width::Single => Some(Width::Single),
            schema::Width::Double => Some(Width::Double),
            schema::Width::Mm(width) => self.within("width", width, SIZES, SIZE_WORDS).map(Width::Mm),
        });
        let height = raw.height.and_then(|schema::Height::Mm(height)| self.within("height", height, SIZES, SIZE_WORDS));
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
        }
    }

    fn colors(&mut self, raw: &schema::Style) -> Vec<(String, Rgb)> {
        let mut colors = Vec::new();
        for (name, text) in &raw.colors {
            let path = format!("colors.{name}");
            let Ok(color) = text.parse() else {
                self.refuse(&path, COLOR_WORDS);
                continue;
            };
            let path = format!("{}{path}", self.path);
            let bodies = self.roll.named(self.report, self.entry, &path, name);
            colors.extend(bodies.into_iter().map(|body| (body, color)));
        }
        colors
    }

    /// Labels may be those of groups, so that any word may have one.
    fn labels(&mut self, raw: &schema::Style) -> Vec<(String, String)> {
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
