//! The page of a judgement: the findings for each trajectory, and how its error grows.

mod curve;

use maud::{Markup, html};

use super::bundle::Bundle;
use super::document::{Document, contents, document, sections};
use super::words::{outside, to_digits, with_unit};
use crate::oracle::{Finding, Judged, Judgement, Metric, Verdict};

/// The page of a judgement, one HTML file; `heading` names what was judged.
pub fn of_judgement(heading: &str, judgement: &Judgement) -> String {
    document(&Document { title: heading, body: body(heading, judgement), data: None, bundle: Bundle { player: false } })
}

fn body(heading: &str, judgement: &Judgement) -> Markup {
    let parts = [
        ("findings", "Findings", findings(judgement)),
        ("failed", "What is beyond its limit", failures(judgement)),
        ("error", "Error over time", curve::figure(judgement)),
        ("terms", "What is measured", terms(judgement)),
    ];
    html! {
        a.skip href="#main" { "Skip to the findings" }
        header {
            p.kind { "Judged by the oracle of carom" }
            h1 { (outside(heading)) }
            (status(judgement))
        }
        (contents(&parts))
        main #main { (sections(&parts)) }
    }
}

fn status(judgement: &Judgement) -> Markup {
    let failed = judgement.judged.iter().filter(|judged| judged.failures().next().is_some()).count();
    let all = judgement.judged.len();
    let words = match (judgement.passed, all) {
        (true, 1) => "The trajectory is within all limits.".to_owned(),
        (true, all) => format!("All {all} trajectories are within all limits."),
        (false, 1) if failed == 1 => "The trajectory is beyond some limits.".to_owned(),
        (false, _) if failed == 0 => "The order of convergence is below its limit.".to_owned(),
        (false, all) => format!("{failed} of {all} trajectories are beyond some limits."),
    };
    html! { p.status.good[judgement.passed].bad[!judgement.passed] { (words) } }
}

fn findings(judgement: &Judgement) -> Markup {
    html! {
        p {
            (scope(judgement)) " A size is " (with_unit(judgement.size, "m")) ", half the width of the smallest free body."
        }
        div.scroll tabindex="0" role="region" aria-label="Findings" {
            table.compared {
                thead { tr {
                    th scope="col" { "metric" }
                    th scope="col" { "limit" }
                    @for judged in &judgement.judged {
                        th scope="col" { (outside(&judged.name)) br; span.quiet { "h = " (with_unit(judged.timestep, "s")) } }
                    }
                } }
                tbody {
                    @for metric in judgement.measured() { (row(judgement, metric)) }
                }
            }
        }
        @let left = judgement.unmeasured();
        @if !left.is_empty() {
            h3 { "Not judged" }
            ul.quiet {
                @for (why, metrics) in left {
                    li { (metrics.into_iter().map(Metric::title).collect::<Vec<_>>().join(", ")) ": " (why) }
                }
            }
        }
    }
}

fn scope(judgement: &Judgement) -> Markup {
    html! {
        @match judgement.horizon_reason {
            None => { "Paths are judged over the whole course of " (with_unit(judgement.duration, "s")) "." }
            Some(why) => {
                "Paths are judged up to " (with_unit(judgement.horizon, "s")) " of " (with_unit(judgement.duration, "s")) ", where " (why) "; beyond that by means over time."
            }
        }
    }
}

fn row(judgement: &Judgement, metric: Metric) -> Markup {
    let found = judgement.findings(metric);
    // There is one order of convergence for all trajectories.
    let span = judgement.judged.len() / found.len();
    html! {
        tr {
            th scope="row" { (metric.title()) }
            td.limit { @if metric.is_least() { "≥ " } @else { "≤ " } (with_unit(found[0].limit, found[0].unit)) }
            @for finding in &found { (cell(finding, span)) }
        }
    }
}

fn cell(finding: &Finding, span: usize) -> Markup {
    let words = finding.value.map(|value| value_words(value, finding.unit));
    html! {
        @match (finding.verdict, words) {
            (Verdict::Pass, Some(words)) => td.good colspan=(span) title=(finding.note) { "✓ " (words) },
            (Verdict::Fail, Some(words)) => td.bad colspan=(span) title=(finding.note) { "✗ " (words) },
            _ => td.quiet colspan=(span) title=(finding.note) { "–" },
        }
    }
}

/// A value to three digits.
fn value_words(value: f64, unit: &str) -> String {
    to_digits(value, 3, unit)
}

fn failures(judgement: &Judgement) -> Markup {
    html! {
        @if judgement.passed { p { "Nothing." } }
        @for judged in judgement.judged.iter().filter(|judged| judged.failures().next().is_some()) { (failures_of(judged)) }
        @if judgement.order.verdict == Verdict::Fail {
            h3 { "All timesteps together" }
            p { "The order of convergence is " (value_words(judgement.order.value.unwrap_or_default(), "")) ", " (judgement.order.note) "." }
        }
    }
}

fn failures_of(judged: &Judged) -> Markup {
    html! {
        h3 { (outside(&judged.name)) span.quiet { ", h = " (with_unit(judged.timestep, "s")) } }
        @if let Some(left) = &judged.departure {
            p {
                "It leaves the exact path at " (with_unit(left.time, "s")) ": " code { (outside(&left.body)) } ", " (told(&left.since)) "."
            }
        }
        ul {
            @for finding in judged.failures() {
                li {
                    strong { (finding.metric.title()) } " " (value_words(finding.value.unwrap_or_default(), finding.unit))
                    @if !finding.note.is_empty() { ": " (told(&finding.note)) }
                }
            }
        }
    }
}

/// Text with the names between backquotes marked.
fn told(words: &str) -> Markup {
    html! {
        @for (place, part) in words.split('`').enumerate() {
            @if place % 2 == 1 { code { (outside(part)) } } @else { (outside(part)) }
        }
    }
}

/// The meaning of each metric that is judged, in a sentence.
fn terms(judgement: &Judgement) -> Markup {
    html! {
        div.scroll { table { tbody {
            @for metric in judgement.measured() {
                tr { th scope="row" { (metric.title()) } td { (metric.meaning()) } }
            }
        } } }
    }
}
