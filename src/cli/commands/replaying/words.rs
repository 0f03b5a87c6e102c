//! What is said of two runs side by side.

use crate::cli::exit::{self, Exit};
use crate::cli::summary::instant;
use crate::cli::terminal::Look;
use crate::record::recording::RecordingError;
use crate::record::{Bisection, Comparison, ReplayError};
use crate::scenario::Change;

/// Words that say that all is the same, with their mark.
pub(super) fn good(words: &str) -> String {
    Look::of_stdout().marked(true, words)
}

pub(super) fn differing(lines: &[String]) -> Exit {
    lines.iter().for_each(|line| exit::complain(line));
    Exit::Unmet
}

/// If two recordings differ: what is different in their scenarios, and in their steps.
pub(super) fn differing_in(comparison: &Comparison) -> Vec<String> {
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
    let from = instant(from.seconds());
    let part = bisection.comparison.divergence.as_ref().map_or(0, |divergence| divergence.step);
    let is_later = bisection.step.is_some_and(|step| step > part);
    let up_to_there = if is_later { "both have the same events up to that step; after it " } else { "" };
    let mut lines = match &bisection.events {
        Some([first, second]) => vec![
            format!("run again from {from} s, {up_to_there}the first event that differs is in the one: {first}"),
            format!("in the other: {second}"),
        ],
        None => vec![format!("run again from {from} s, both have the same events")],
    };
    for (which, reproduced) in ["first", "second"].into_iter().zip(bisection.reproduced) {
        if !reproduced {
            lines.push(format!("run again on this machine, the {which} does not come to the state that was recorded"));
        }
    }
    lines
}

pub(super) fn ending(error: &Option<String>) -> &str {
    error.as_deref().unwrap_or("no error")
}

pub(super) fn refused(error: &ReplayError) -> Exit {
    exit::refused(error, matches!(error, ReplayError::Recording(RecordingError::Io { .. })))
}
