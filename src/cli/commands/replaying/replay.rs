//! `carom replay` and `carom bisect`: whether a recorded run gives the same bits again, and if not, from where on.

use std::path::Path;

use crate::cli::arguments::replay::{BisectArguments, ReplayArguments};
use crate::cli::exit::{self, Exit, hand_over, say, show};
use crate::cli::progress::{Progress, while_busy};
use crate::cli::summary::instant;
use crate::cli::terminal::Look;
use crate::record::answers::{ComparisonAnswer, ReplayAnswer, as_json};
use crate::record::recording::RecordingError;
use crate::record::{self, Bisection, Comparison, ReplayError, ReplayReport, replay};
use crate::scenario::Change;
use crate::scenario::text::printable::printable;

pub(crate) fn command(arguments: &ReplayArguments) -> Result<Exit, Exit> {
    if let Some(other) = &arguments.against {
        return against(&arguments.recording, other, arguments);
    }
    let progress = Progress::new(&arguments.recording.to_string_lossy(), arguments.quiet);
    let report = replay(&arguments.recording, arguments.from, arguments.heavy, |glimpse| progress.show(glimpse));
    progress.finish();
    let report = report.map_err(|error| refused(&error))?;
    let answer = arguments.json.then(|| as_json(&ReplayAnswer::from(&report)));
    ended(answer, &differences(&report), (!arguments.quiet).then(|| same(&report)))
}

/// Compares two recordings without running them.
fn against(first: &Path, second: &Path, arguments: &ReplayArguments) -> Result<Exit, Exit> {
    let quiet = arguments.quiet;
    let comparison = while_busy((&first.to_string_lossy(), quiet), "comparing", || record::compare(first, second));
    let comparison = comparison.map_err(|error| refused(&error))?;
    let answer = arguments.json.then(|| as_json(&ComparisonAnswer::from(&comparison)));
    ended(answer, &differing_in(&comparison), (!quiet).then(|| alike(&comparison)))
}

/// `carom bisect`.
pub(crate) fn bisect(arguments: &BisectArguments) -> Result<Exit, Exit> {
    let BisectArguments { first, second, json, .. } = arguments;
    let bisection = while_busy((&first.to_string_lossy(), false), "comparing", || record::bisect(first, second));
    let bisection = bisection.map_err(|error| refused(&error))?;
    let answer = json.then(|| as_json(&ComparisonAnswer::from(&bisection)));
    let comparison = &bisection.comparison;
    ended(answer, &[differing_in(comparison), runs(&bisection)].concat(), Some(alike(comparison)))
}

/// Tells how a comparison ended: in JSON; or the differences, or else that all is the same.
fn ended(answer: Option<String>, differences: &[String], same: Option<String>) -> Result<Exit, Exit> {
    if let Some(answer) = &answer {
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

/// Words that say that all is the same, with their mark.
pub(super) fn good(words: &str) -> String {
    Look::of_stdout().marked(true, words)
}

fn differing(lines: &[String]) -> Exit {
    lines.iter().for_each(|line| exit::complain(line));
    Exit::Unmet
}

/// If two recordings differ: what is different in their scenarios, and in their steps.
fn differing_in(comparison: &Comparison) -> Vec<String> {
    let changes = Change::lines(&comparison.changes);
    let changes = changes.iter().filter(|_| !comparison.is_same()).map(|line| format!("in the scenario: {line}"));
    changes.chain(between(comparison)).collect()
}

pub(super) fn alike(comparison: &Comparison) -> String {
    format!("the same, to the bit, in {} steps that both have", comparison.steps)
}

pub(super) fn between(comparison: &Comparison) -> Vec<String> {
    let Comparison { divergence, detail, last: [first, second], errors, .. } = comparison;
    let mut lines = Vec::new();
    match divergence {
        Some(divergence) => lines.push(format!("the second beside the first: {divergence}")),
        None if first != second => lines.push(format!("one ends after step {first}, the other after step {second}")),
        None => {}
    }
    lines.extend(detail.iter().map(|detail| format!("at the next snapshot of both: {detail}")));
    if errors[0] != errors[1] {
        lines.push(format!("one run ended with {}, the other with {}", ending(&errors[0]), ending(&errors[1])));
    }
    lines
}

/// The result of running both again.
pub(super) fn runs(bisection: &Bisection) -> Vec<String> {
    let Some(from) = bisection.from else { return Vec::new() };
    let mut lines = match &bisection.events {
        Some([first, second]) => vec![
            format!(
                "run again from {} s, the first event that differs is in the one: {first}",
                instant(from.seconds())
            ),
            format!("in the other: {second}"),
        ],
        None => {
            vec![format!("run again from {} s, both have the same events up to that step", instant(from.seconds()))]
        }
    };
    for (which, reproduced) in ["first", "second"].into_iter().zip(bisection.reproduced) {
        if !reproduced {
            lines.push(format!("run again on this machine, the {which} does not come to the state that was recorded"));
        }
    }
    lines
}

fn ending(error: &Option<String>) -> &str {
    error.as_deref().unwrap_or("no error")
}

pub(super) fn refused(error: &ReplayError) -> Exit {
    show(error);
    match error {
        ReplayError::Recording(RecordingError::Io { .. }) => Exit::Io,
        _ => Exit::BadInput,
    }
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
