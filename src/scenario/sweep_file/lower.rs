//! From the text of a sweep file to a checked sweep.

use super::design::{self, Values};
use super::schema::{self, Collect, Top};
use super::units::units;
use super::{COLUMNS, Collected, Combine, EventQuantity, Factor, Measure, Sweep, SweepPlot, column};
use crate::numeric::quantity::is_moderate;
use crate::scenario::error_kinds::{Fault, SweepFault};
use crate::scenario::limits::MEMBERS_MAX;
use crate::scenario::names::NameTable;
use crate::scenario::problem::syntax;
use crate::scenario::problem::{Entry, Problems, Report, Site};
use crate::scenario::schema::Raw;
use crate::scenario::sections::plots;
use crate::scenario::sections::requests::{check_number, is_packing_observed};
use crate::scenario::sections::settings::field;
use crate::scenario::text::locate;
use crate::scenario::text::nearest::nearest;
use crate::scenario::{Observation, PlotStyle, ReadError, Scenario, Setting, Source, heading};

/// Most results of a series. Each is a column of the table.
const SERIES_MAX: u64 = 256;

/// Longest name of a result, bytes. Files of plots are named after results, and systems limit the length of such names.
const NAME_LENGTH_MAX: usize = 100;

/// Reads and checks a sweep file; the scenario that it names is not read.
///
/// # Errors
/// [`Problems`] with everything that is wrong, or with the one place where the text is not RON.
pub fn read_sweep(source: &Source) -> Result<Sweep, Problems> {
    let mut report = Report::new(source);
    let sweep = lower(source, &mut report);
    report.outcome(sweep)
}

/// Reads a style for the plots of sweeps, written as in a sweep file.
///
/// # Errors
/// [`Problems`] with everything that is wrong.
pub fn read_style(source: &Source) -> Result<PlotStyle, Problems> {
    let mut report = Report::new(source);
    let entry = Entry { site: Site::Top, text: &source.text };
    let style = plots::base_style(entry, None, &mut report);
    report.outcome(style)
}

/// What is wrong with a sweep file whose base scenario cannot be read.
pub fn unread_base(source: &Source, error: &ReadError) -> Problems {
    let mut report = Report::new(source);
    let fault = SweepFault::Base { wrong: error.to_string() };
    report.add(Entry { site: Site::Top, text: &source.text }, "base", Fault::Sweep(fault));
    report.finish()
}

impl Sweep {
    /// Checks what the sweep file `source` says of its base scenario. `base` is its text and `scenario` that scenario,
    /// with the values of the first member.
    ///
    /// # Errors
    /// [`Problems`] with every body that does not exist, with means of a gas that is not measured, and with factors
    /// that vary the same value.
    #[doc(hidden)]
    pub fn check(&self, source: &Source, base: &Source, scenario: &Scenario) -> Result<(), Problems> {
        let mut report = Report::new(source);
        self.check_factors(source, base, &mut report);
        let table = NameTable::new(scenario.all_bodies().map(|named| named.name.as_str()), true);
        for collected in &self.collect {
            let (name, measure) = (collected.written(), &collected.measure);
            let text = locate::value(&source.text, &format!("collect.{name}")).unwrap_or(&source.text);
            let entry = Entry { site: Site::Key("collect", name), text };
            match measure {
                Measure::Count { bodies, .. } | Measure::Nth { bodies, .. } => {
                    table.many(&mut report, entry, "bodies", bodies);
                }
                Measure::Final { body, .. } => _ = table.one(&mut report, entry, "body", body),
                Measure::Gas(_) if !scenario.observe.contains(&Observation::Gas) => {
                    report.add(entry, "", Fault::GasNotObserved);
                }
                Measure::Packing(_) if !is_packing_observed(&scenario.observe) => {
                    report.add(entry, "", Fault::PackingNotObserved);
                }
                _ => {}
            }
        }
        report.outcome(Some(()))
    }

    /// Two factors must not vary the same value, nor one a part of the other: the last one would undo the other.
    fn check_factors<'a>(&'a self, source: &'a Source, base: &Source, report: &mut Report<'a>) {
        let settings: Vec<Setting> =
            self.vary.iter().filter_map(|factor| Setting::new("", &factor.path, "0").ok()).collect();
        for (place, (factor, setting)) in self.vary.iter().zip(&settings).enumerate() {
            if let Some(other) = settings[..place].iter().position(|other| base.is_one_value(other, setting)) {
                let text = locate::value(&source.text, "vary").and_then(|vary| locate::entry(vary, &factor.path));
                let text = text.unwrap_or(&source.text);
                let fault = SweepFault::OneValue { found: factor.path.clone(), other: self.vary[other].path.clone() };
                report.add(Entry { site: Site::Key("vary", &factor.path), text }, "", Fault::Sweep(fault));
            }
        }
    }
}

fn lower<'a>(source: &'a Source, report: &mut Report<'a>) -> Option<Sweep> {
    let entry = heading::top(source, report)?;
    let top: Top<'a> = syntax::read(entry, report)?;
    let is_titled = top.title.is_some();
    let title = heading::title([top.format, top.title], source, report);
    let base = field("base", Some(top.base)).and_then(|entry| {
        let base = syntax::read::<String>(entry, report)?;
        if base.is_empty() {
            let wrong = "it names no scenario".to_owned();
            report.add(entry, "", Fault::Sweep(SweepFault::Base { wrong }));
        }
        Some(base)
    });
    let set = settings(&top, source, report);
    let combine = combine(&top, report);
    let vary = factors(&top, combine, source, report);
    let collect = collected(&top, &vary, report);
    let plots = sweep_plots(&top, (&vary, combine, &collect), report);
    let sweep = Sweep { title, is_titled, base: base?, set, vary, combine, collect, plots };
    if report.is_empty() && sweep.count().is_none_or(|count| count > MEMBERS_MAX) {
        let found = sweep.count().map_or_else(|| "more than 2^64".to_owned(), |count| count.to_string());
        report.add(entry, "vary", Fault::Sweep(SweepFault::TooManyMembers { found }));
    }
    Some(sweep)
}

/// How messages call the value of an entry: by its place in the file, and by its path.
fn label(entry: Entry<'_>, source: &Source) -> String {
    let place = locate::range_in(&source.text, locate::trim(entry.text)).start;
    let (line, column) = locate::line_column(&source.text, place);
    format!("{}:{line}:{column}: {}", source.name, entry.site)
}

fn settings<'a>(top: &Top<'a>, source: &Source, report: &mut Report<'a>) -> Vec<Setting> {
    let mut set = Vec::new();
    for (path, raw) in &top.set.0 {
        let entry = Entry { site: Site::Key("set", path), text: raw.get_ron() };
        let value = locate::trim(entry.text);
        match Setting::new(format!("{} = {value}", label(entry, source)), path, value) {
            Ok(setting) => set.push(setting),
            Err(error) => report.add(entry, "", Fault::Sweep(SweepFault::Setting(error))),
        }
    }
    set
}

fn combine<'a>(top: &Top<'a>, report: &mut Report<'a>) -> Combine {
    let Some(entry) = field("combine", top.combine) else { return Combine::default() };
    let combine = syntax::read(entry, report).unwrap_or_default();
    let fault = match combine {
        Combine::LatinHypercube { count: 0, .. } => SweepFault::NoValues,
        Combine::LatinHypercube { count, .. } if count > MEMBERS_MAX => {
            SweepFault::TooManyMembers { found: count.to_string() }
        }
        _ => return combine,
    };
    report.add(entry, "count", Fault::Sweep(fault));
    Combine::default()
}

fn factors<'a>(top: &Top<'a>, combine: Combine, source: &Source, report: &mut Report<'a>) -> Vec<Factor> {
    let mut factors: Vec<Factor> = Vec::new();
    let mut first: Option<(String, u64)> = None;
    let mut spread = match combine {
        Combine::LatinHypercube { count, seed } => Some((count, design::draws(seed))),
        _ => None,
    };
    for (path, raw) in &top.vary.0 {
        let entry = Entry { site: Site::Key("vary", path), text: raw.get_ron() };
        let Some(values) = values(entry, report) else { continue };
        let fault = unfit(&values, combine, &first)
            .or_else(|| {
                factors.iter().any(|other| other.path == *path).then(|| SweepFault::Twice { found: path.clone() })
            })
            .or_else(|| {
                let other = factors.iter().find(|other| other.column() == column(path));
                other.map(|other| SweepFault::OneColumn { found: path.clone(), other: other.path.clone() })
            })
            .or_else(|| Setting::new("", path, "0").err().map(SweepFault::Setting));
        if let Some(fault) = fault {
            report.add(entry, "", Fault::Sweep(fault));
            continue;
        }
        if !matches!(values, Values::Seeds { .. }) {
            first.get_or_insert((path.clone(), values.count().unwrap_or(0)));
        }
        factors.push(design::factor(
            path,
            label(entry, source),
            &values,
            spread.as_mut().map(|(count, draws)| (*count, draws)),
        ));
    }
    factors
}

/// The fault of values that cannot be those of a factor; `first` is the path of the first factor and its number of
/// values.
fn unfit(values: &Values, combine: Combine, first: &Option<(String, u64)>) -> Option<SweepFault> {
    let is_hypercube = matches!(combine, Combine::LatinHypercube { .. });
    match *values {
        Values::Range { from, to, is_log: true, .. } if from <= 0.0 || to <= 0.0 => {
            return Some(SweepFault::LogOfNothing { from, to });
        }
        Values::Range { from, to, .. } if from == to || !is_moderate(from) || !is_moderate(to) => {
            return Some(SweepFault::EmptyRange { from, to });
        }
        Values::Range { count: None, .. } if !is_hypercube => return Some(SweepFault::CountMissing),
        Values::Range { count: Some(_), .. } if is_hypercube => return Some(SweepFault::CountUseless),
        _ => {}
    }
    match (values.count(), first) {
        _ if values.is_beyond_seeds() => Some(SweepFault::SeedTooLarge),
        (Some(0), _) => Some(SweepFault::NoValues),
        (Some(found), _) if found > MEMBERS_MAX => Some(SweepFault::TooManyMembers { found: found.to_string() }),
        (Some(found), Some((other, wanted)))
            if combine == Combine::Zip && found != *wanted && !matches!(values, Values::Seeds { .. }) =>
        {
            Some(SweepFault::OtherLength { found, other: other.clone(), wanted: *wanted })
        }
        _ => None,
    }
}

fn values<'a>(entry: Entry<'a>, report: &mut Report<'_>) -> Option<Values> {
    let range =
        |range: schema::Range, is_log| Values::Range { from: range.from, to: range.to, count: range.count, is_log };
    Some(match syntax::read::<schema::Values<'a>>(entry, report)? {
        schema::Values::List(values) => {
            Values::List(values.into_iter().map(|raw: Raw<'_>| locate::trim(raw.get_ron()).to_owned()).collect())
        }
        schema::Values::Range(raw) => range(raw, false),
        schema::Values::LogRange(raw) => range(raw, true),
        schema::Values::Seeds { count, first } => Values::Seeds { count, first },
    })
}

fn collected<'a>(top: &Top<'a>, vary: &[Factor], report: &mut Report<'a>) -> Vec<Collected> {
    let mut collect: Vec<Collected> = Vec::new();
    for (name, raw) in &top.collect.0 {
        let entry = Entry { site: Site::Key("collect", name), text: raw.get_ron() };
        let is_letter = |c: char| c.is_ascii_alphabetic();
        if !name.starts_with(is_letter) || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            report.add(entry, "", Fault::Sweep(SweepFault::UnfitName { found: name.clone() }));
        }
        if name.len() > NAME_LENGTH_MAX {
            report.add(entry, "", Fault::Sweep(SweepFault::LongName { length: name.len() }));
        }
        if COLUMNS.contains(&name.as_str()) || vary.iter().any(|factor| factor.column() == *name) {
            report.add(entry, "", Fault::Sweep(SweepFault::ColumnTaken { found: name.clone() }));
        }
        let found = syntax::read(entry, report).and_then(|raw| results(raw, name, entry, report)).unwrap_or_default();
        if let Some(twice) = found.iter().find(|result| collect.iter().any(|other| other.is_called(&result.name))) {
            report.add(entry, "", Fault::Sweep(SweepFault::Twice { found: twice.name.clone() }));
        }
        collect.extend(found);
    }
    collect
}

/// The result that a file calls `name`, or those of its series.
fn results(raw: Collect, name: &str, entry: Entry<'_>, report: &mut Report<'_>) -> Option<Vec<Collected>> {
    let measure = match raw {
        Collect::Count { kind, bodies } => {
            check_number(report, entry, kind, &bodies)?;
            Measure::Count { kind, bodies }
        }
        Collect::Time(nth) => return events(name, (EventQuantity::Time, nth), entry, report),
        Collect::ApproachSpeed(nth) => return events(name, (EventQuantity::ApproachSpeed, nth), entry, report),
        Collect::Final { body, quantity } => Measure::Final { body, quantity },
        Collect::Audit(figure) => Measure::Audit(figure),
        Collect::Gas(figure) => Measure::Gas(figure),
        Collect::Packing(figure) => Measure::Packing(figure),
        Collect::Met => Measure::Met,
    };
    Some(vec![Collected { name: name.to_owned(), series: None, measure }])
}

/// A number of the nth event, or a series of those of this event and the next ones.
fn events(
    name: &str,
    (quantity, raw): (EventQuantity, schema::Nth),
    entry: Entry<'_>,
    report: &mut Report<'_>,
) -> Option<Vec<Collected>> {
    let schema::Nth { kind, nth, count, bodies } = raw;
    check_number(report, entry, kind, &bodies)?;
    let first = report.count(entry, "nth", nth.unwrap_or(1))?;
    let measure = |nth| Measure::Nth { quantity, kind, nth, bodies: bodies.clone() };
    let Some(count) = count else {
        return Some(vec![Collected { name: name.to_owned(), series: None, measure: measure(first) }]);
    };
    if !(1..=SERIES_MAX).contains(&count) {
        return report.refuse(entry, "count", "from 1 to 256");
    }
    let of_series = |place| {
        let nth = first.saturating_add(place);
        Collected { name: format!("{name}_{nth}"), series: Some(name.to_owned()), measure: measure(nth) }
    };
    Some((0..count).map(of_series).collect())
}

fn sweep_plots<'a>(
    top: &Top<'a>,
    (vary, combine, collect): (&[Factor], Combine, &[Collected]),
    report: &mut Report<'a>,
) -> Vec<SweepPlot> {
    let style = field("style", top.style).and_then(|entry| plots::base_style(entry, None, report)).unwrap_or_default();
    if top.plots.is_empty() {
        let mut results: Vec<&str> = collect.iter().map(Collected::written).collect();
        results.dedup();
        return results.into_iter().filter_map(|name| plain(name, (vary, combine, collect), &style)).collect();
    }
    let mut plots = Vec::new();
    for (place, raw) in top.plots.iter().enumerate() {
        let entry = Entry { site: Site::Item("plots", place), text: raw.get_ron() };
        let of = (vary, combine, collect);
        plots.extend(syntax::read(entry, report).and_then(|raw| plot(raw, entry, (of, &style), report)));
    }
    plots
}

/// The plot of a result over the first factor with numbers, with lines for the next two; `None` if no factor has
/// numbers.
fn plain(
    name: &str,
    (vary, combine, collect): (&[Factor], Combine, &[Collected]),
    style: &PlotStyle,
) -> Option<SweepPlot> {
    let x = vary.iter().find(|factor| !factor.is_seed && factor.numbers().is_some())?.path.clone();
    Some(SweepPlot {
        y: name.to_owned(),
        lines: others(vary, combine, &x),
        labels: None,
        units: units(&x, name, collect),
        x,
        scale: [1.0; 2],
        residuals: None,
        style: style.clone(),
    })
}

/// The first two factors of a grid besides `x` that are not seeds. In other designs all factors change together.
fn others(vary: &[Factor], combine: Combine, x: &str) -> Vec<String> {
    let vary = if combine == Combine::Grid { vary } else { &[] };
    vary.iter().filter(|factor| !factor.is_seed && factor.path != x).take(2).map(|factor| factor.path.clone()).collect()
}

fn plot<'a>(
    raw: schema::Plot,
    entry: Entry<'a>,
    ((vary, combine, collect), style): ((&[Factor], Combine, &[Collected]), &PlotStyle),
    report: &mut Report<'a>,
) -> Option<SweepPlot> {
    let mut known = |what, path: &str, found: &str, names: &[&str]| {
        if !names.contains(&found) {
            let nearest = nearest(found, names.iter().copied()).map(str::to_owned);
            let fault = SweepFault::Unknown { what, found: found.to_owned(), nearest };
            report.add(entry, path, Fault::Sweep(fault));
        }
    };
    let results: Vec<&str> = collect.iter().flat_map(|result| [result.name.as_str(), result.written()]).collect();
    let paths: Vec<&str> = vary.iter().map(|factor| factor.path.as_str()).collect();
    known("result", "y", &raw.y, &results);
    raw.x.iter().for_each(|x| known("varied value", "x", x, &paths));
    raw.lines.iter().flatten().for_each(|line| known("varied value", "lines", line, &paths));
    let scale = raw.scale.map_or([1.0; 2], |(x, y)| [x, y]);
    if scale.into_iter().any(|factor| !(factor.is_finite() && factor > 0.0)) {
        report.out_of_range(entry, "scale", "two positive numbers");
    }
    let own = plots::style(&raw.style, (entry, "style."), None, report).over(style);
    if raw.residuals.is_some() && !own.over.iter().any(|overlay| overlay.course.is_line()) {
        report.add(entry, "residuals", Fault::Sweep(SweepFault::NoLine));
    }
    let plain = plain(&raw.y, (vary, combine, collect), style)?;
    let x = raw.x.unwrap_or(plain.x);
    // Captions and factors of the file's own may be in other units.
    let is_plain = raw.labels.is_none() && raw.scale.is_none();
    let known = if is_plain { units(&x, &raw.y, collect) } else { <(String, String)>::default() };
    Some(SweepPlot {
        y: raw.y,
        lines: raw.lines.unwrap_or_else(|| others(vary, combine, &x)),
        x,
        labels: raw.labels,
        units: raw.units.unwrap_or(known),
        scale,
        residuals: raw.residuals,
        style: own,
    })
}
