//! `carom replay` and `carom bisect`: whether a recorded run gives the same bits again, and if not, from where on.

use std::path::Path;

use crate::cli::arguments::ReplayArguments;
use crate::cli::exit::{self, Exit, say, show};
use crate::cli::progress::{Progress, while_busy};
use crate::cli::terminal::Look;
use crate::record::recording::RecordingError;
use crate::record::{self, Bisection, Comparison, ReplayError, ReplayReport, replay};
use crate::scenario::text::printable::printable;

pub(crate) fn command(arguments: &ReplayArguments) -> Result<Exit, Exit> {
    if let Some(other) = &arguments.against {
        return against(&arguments.recording, other, arguments.quiet);
    }
    let progress = Progress::new(&arguments.recording.to_string_lossy(), arguments.quiet);
    let report = replay(&arguments.recording, arguments.from, arguments.heavy, |glimpse| progress.show(glimpse));
    progress.finish();
    let report = report.map_err(|error| refused(&error))?;
    if !report.is_same() {
        return Ok(differing(&differences(&report)));
    }
    if !arguments.quiet {
        say(&good(&same(&report)))?;
    }
    Ok(Exit::Success)
}

/// Compares two recordings without running them.
fn against(first: &Path, second: &Path, quiet: bool) -> Result<Exit, Exit> {
    let comparison = while_busy((&first.to_string_lossy(), quiet), "comparing", || record::compare(first, second));
    let comparison = comparison.map_err(|error| refused(&error))?;
    if !comparison.is_same() {
        return Ok(differing(&between(&comparison)));
    }
    if !quiet {
        say(&good(&alike(&comparison)))?;
    }
    Ok(Exit::Success)
}

/// `carom bisect`.
pub(crate) fn bisect(first: &Path, second: &Path) -> Result<Exit, Exit> {
    let bisection = while_busy((&first.to_string_lossy(), false), "comparing", || record::bisect(first, second));
    let bisection = bisection.map_err(|error| refused(&error))?;
    if !bisection.comparison.is_same() {
        return Ok(differing(&[between(&bisection.comparison), runs(&bisection)].concat()));
    }
    say(&good(&alike(&bisection.comparison)))?;
    Ok(Exit::Success)
}

/// Words that say that all is the same, with their mark.
fn good(words: &str) -> String {
    Look::of_stdout().marked(true, words)
}

fn differing(lines: &[String]) -> Exit {
    lines.iter().for_each(|line| exit::complain(line));
    Exit::Unmet
}

fn alike(comparison: &Comparison) -> String {
    format!("the same, to the bit, in {} steps that both have", comparison.steps)
}

fn between(comparison: &Comparison) -> Vec<String> {
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
fn runs(bisection: &Bisection) -> Vec<String> {
    let Some(from) = bisection.from else { return Vec::new() };
    let mut lines = match &bisection.events {
        Some([first, second]) => vec![
            format!("run again from {from} s, the first event that differs is in the one: {first}"),
            format!("in the other: {second}"),
        ],
        None => vec![format!("run again from {from} s, both have the same events up to that step")],
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

fn refused(error: &ReplayError) -> Exit {
    show(error);
    match error {
        ReplayError::Recording(RecordingError::Io { .. }) => Exit::Io,
        _ => Exit::BadInput,
    }
}

fn same(report: &ReplayReport) -> String {
    let ReplayReport { title, steps: [first, last], times: [from, to], .. } = report;
    let title = printable(title);
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
