//! The sliders of a playground. They do not affect the run.

use std::ops::Range;

use serde::Deserialize;

use super::requests::each;
use crate::numeric::quantity::is_moderate;
use crate::scenario::error_kinds::{Fault, PlayFault};
use crate::scenario::limits::SLIDERS_MAX;
use crate::scenario::names::{unfit_title, unfit_word};
use crate::scenario::problem::{Entry, Report, Site};
use crate::scenario::text::locate;
use crate::scenario::{Setting, Source, schema};

/// A slider of the playground, and the number of the scenario that it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Slider {
    /// The path of the number, as `--set` and sweeps take it.
    pub path: String,
    /// What it is called.
    pub label: String,
    /// The unit of the number, as text; empty if it has none.
    pub unit: String,
    /// From where to where it can be moved, the lower end first.
    pub range: [f64; 2],
    /// The difference of two neighbouring values, or their ratio if it is logarithmic; `None` for a fine one.
    pub step: Option<f64>,
    /// Whether equal ways are equal ratios. Then the range is positive.
    pub is_log: bool,
    /// The number as the text has it.
    pub value: f64,
    /// Where the text has it, in bytes.
    pub place: Range<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Slider")]
struct RawSlider {
    path: String,
    label: Option<String>,
    #[serde(default)]
    unit: String,
    range: (f64, f64),
    step: Option<f64>,
    #[serde(default)]
    log: bool,
}

/// Reads the sliders. Their paths are followed only if nothing else is wrong.
pub(crate) fn play<'a>(top: &schema::Top<'a>, source: &'a Source, report: &mut Report<'a>) -> Vec<Slider> {
    if top.play.len() > SLIDERS_MAX {
        let entry = Entry { site: Site::Field("play"), text: top.play[SLIDERS_MAX].get_ron() };
        report.add(entry, "", Fault::Play(PlayFault::TooMany { found: top.play.len() }));
    }
    let mut known: Vec<(String, Setting)> = Vec::new();
    each("play", &top.play, report, |report, entry, raw: RawSlider| {
        report.check_name((entry, "label"), "label", raw.label.as_deref().and_then(unfit_word));
        report.check_name((entry, "unit"), "unit", unfit_title(&raw.unit));
        let range = check_range(&raw, entry, report);
        let mut wrong = |fault| report.add(entry, "path", Fault::Play(fault));
        let setting = Setting::new("", &raw.path, "0").map_err(|error| wrong(PlayFault::Path(error))).ok()?;
        let (place, value) = number(source, &setting).map_err(&mut wrong).ok()?;
        if let Some((other, _)) = known.iter().find(|(_, other)| source.is_one_value(other, &setting)) {
            wrong(PlayFault::OneNumber { found: raw.path.clone(), other: other.clone() });
        }
        known.push((raw.path.clone(), setting));
        let label = raw.label.unwrap_or_else(|| raw.path.clone());
        let (path, unit, step, is_log) = (raw.path, raw.unit, raw.step, raw.log);
        Some(Slider { path, label, unit, range: range?, step, is_log, value, place })
    })
}

/// The number to which a setting leads, and its place in the text.
fn number(source: &Source, setting: &Setting) -> Result<(Range<usize>, f64), PlayFault> {
    let found = source.value_at(setting).map_err(PlayFault::Path)?.ok_or(PlayFault::NotWritten)?;
    let number = locate::number(found).filter(|&number| is_moderate(number));
    let value = number.ok_or_else(|| PlayFault::NoNumber { found: locate::one_line(found) })?;
    Ok((locate::range_in(&source.text, found), value))
}

fn check_range(raw: &RawSlider, entry: Entry<'_>, report: &mut Report<'_>) -> Option<[f64; 2]> {
    let (from, to) = raw.range;
    let (least, most) = if raw.log { (1.0, to / from) } else { (0.0, to - from) };
    let (path, fault) = match raw.step {
        _ if !(from < to && is_moderate(from) && is_moderate(to)) => ("range", PlayFault::EmptyRange { from, to }),
        _ if raw.log && from <= 0.0 => ("range", PlayFault::LogOfNothing { from }),
        Some(found) if !(found > least && found <= most) => ("step", PlayFault::UnfitStep { least, most, found }),
        _ => return Some([from, to]),
    };
    report.fail(entry, path, Fault::Play(fault))
}

/// Warns of each number that is outside of the range of its slider.
pub(crate) fn warn_of_ranges(sliders: &[Slider], source: &Source, report: &mut Report<'_>) {
    for (place, slider) in sliders.iter().enumerate() {
        let [from, to] = slider.range;
        if (from..=to).contains(&slider.value) || source.setting_at(slider.place.start).is_some() {
            continue;
        }
        let Some(text) = locate::value(&source.text, &format!("play[{place}]")) else { continue };
        let fault = PlayFault::Outside { path: slider.path.clone(), value: slider.value, from, to };
        report.add(Entry { site: Site::Item("play", place), text }, "range", Fault::Play(fault));
    }
}
