//! `carom replay` and `carom bisect`: whether a recorded run gives the same bits again, and if not, from where on.

use std::path::Path;

use super::tables;
use super::words::{alike, differing, differing_in, ending, good, refused, runs};
use crate::cli::arguments::replay::{BisectArguments, ReplayArguments};
use crate::cli::commands::report::ready;
use crate::cli::exit::{Exit, bad, hand_over, say};
use crate::cli::progress::{Progress, while_busy};
use crate::cli::summary::instant;
use crate::record::answers::{ComparisonAnswer, ReportAnswer, as_json};
use crate::record::{self, ReplayReport, replay};
use crate::scenario::text::printable::printable;

pub(crate) fn command(arguments: &ReplayArguments) -> Result<Exit, Exit> {
    if let Some(other) = &arguments.against {
        return against(&arguments.recording, other, arguments);
    }
    if !arguments.recording.exists() {
        arguments.recording.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), ready)?;
    }
    let progress = Progress::new(&arguments.recording.to_string_lossy(), arguments.quiet);
    let report = replay(&arguments.recording, arguments.from, arguments.heavy, |glimpse| progress.show(glimpse));
    progress.finish();
    let report = report.map_err(|error| refused(&error))?;
    let answer = arguments.json.then(|| as_json(&ReportAnswer::new(report.is_same(), &report)));
    ended(answer.as_deref(), &differences(&report), (!arguments.quiet).then(|| same(&report)))
}

/// Compares two recordings without running them.
fn against(first: &Path, second: &Path, arguments: &ReplayArguments) -> Result<Exit, Exit> {
    let quiet = arguments.quiet;
    let comparison = while_busy((&first.to_string_lossy(), quiet), "comparing", || record::compare(first, second));
    let comparison = comparison.map_err(|error| refused(&error))?;
    let answer = arguments.json.then(|| as_json(&ComparisonAnswer::from(&comparison)));
    ended(answer.as_deref(), &differing_in(&comparison), (!quiet).then(|| alike(&comparison)))
}

/// `carom bisect`.
pub(crate) fn bisect(arguments: &BisectArguments) -> Result<Exit, Exit> {
    let BisectArguments { first, second, within, json } = arguments;
    if [first, second].iter().all(|file| tables::is_table(file)) {
        return tables::command(arguments);
    }
    if within.is_some() || [first, second].iter().any(|file| tables::is_table(file)) {
        return Err(bad("two recordings are wanted, or two tables (.csv or .parquet); --within is for tables"));
    }
    let bisection = while_busy((&first.to_string_lossy(), false), "comparing", || record::bisect(first, second));
    let bisection = bisection.map_err(|error| refused(&error))?;
    let answer = json.then(|| as_json(&ComparisonAnswer::from(&bisection)));
    let comparison = &bisection.comparison;
    ended(answer.as_deref(), &[differing_in(comparison), runs(&bisection)].concat(), Some(alike(comparison)))
}

/// Tells how a comparison ended: in JSON; or the differences, or else that all is the same.
fn ended(answer: Option<&str>, differences: &[String], same: Option<String>) -> Result<Exit, Exit> {
    if let Some(answer) = answer {
        hand_over(answer)?;
    }
    if !differences.is_empty() {
        return Ok(differing(differences));
    }
    if let Some(words) = same.filter(|_| answer.is_none()) {
        say(&good(&words))?;
    }
    Ok(Exit::Success)
}

fn same(report: &ReplayReport) -> String {
    let ReplayReport { title, steps: [first, last], times: [from, to], .. } = report;
    let (title, [from, to]) = (printable(title), [from, to].map(|time| instant(time.seconds())));
    format!("{title}: the same, to the bit, from step {first} at {from} s to step {last} at {to} s")
}

fn differences(report: &ReplayReport) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(report.divergence.iter().map(ToString::to_string));
    lines.extend(report.detail.iter().map(|detail| format!("at the next snapshot: {detail}")));
    if let Some([recorded, found]) = &report.errors {
        lines.push(format!("the run ended with {}, and now with {}", ending(recorded), ending(found)));
    }
    lines
}
