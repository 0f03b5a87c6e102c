//! The page of a sweep: its plots, what varied, the results of all members, and those that did not end well.

use maud::{Markup, html};

use super::bundle::Bundle;
use super::document::{Document, contents, document, scrolled, sections};
use super::pictures::{Picture, of_sweep as pictures};
use super::words::{count, number, outside, whole, word, written};
use crate::record::SUMMARY_FILE;
use crate::report::ReportError;
use crate::scenario::sweep_file::{Collected, Combine, Factor};
use crate::study::{Merged, Row, SWEEP_FILE, Status, TABLE};

/// Most members that are listed, and most values of a factor.
const ROWS_MAX: usize = 1000;
const VALUES_MAX: usize = 12;

/// The page of a sweep; `name` is that of its folder.
///
/// # Errors
/// [`ReportError`] when a picture cannot be made.
pub fn of_sweep(name: &str, merged: &Merged) -> Result<String, ReportError> {
    let sweep = &merged.study.sweep;
    let (pictures, title) = (pictures(sweep, &merged.rows)?, sweep.title.clone());
    let body = body(name, merged, &pictures);
    Ok(document(&Document { title: &title, body, data: None, bundle: Bundle { player: false } }))
}

fn body(name: &str, merged: &Merged, pictures: &[Picture]) -> Markup {
    let plots = html! { div.plots { @for picture in pictures { (picture.figure()) } } };
    let bad: Vec<&Row> = merged.rows.iter().filter(|row| status(row) != Status::Done.name()).collect();
    let text = written(merged.study.base_text(), "Text of the scenario");
    let file = written(merged.study.text(), "Text of the sweep file");
    let mut parts = Vec::new();
    if !pictures.is_empty() {
        parts.push(("plots", "Plots", plots));
    }
    parts.push(("varied", "What varied", varied(merged)));
    if !bad.is_empty() {
        parts.push(("failures", "Members that did not end well", failures(merged, &bad)));
    }
    parts.push(("members", "Members", members(merged)));
    parts.push(("sweep", "Sweep file", file));
    parts.push(("scenario", "Scenario", text));
    parts.push(("again", "Run it again", again(name)));
    html! {
        a.skip href="#main" { "Skip to the results" }
        header.brief {
            h1 { (outside(&merged.study.sweep.title)) }
            (verdict(merged))
        }
        main #main {
            (contents(&parts))
            (sections(&parts))
        }
    }
}

/// How a member ended, as a word of the table.
fn status(row: &Row) -> &'static str {
    row.result.as_ref().map_or("lost", |result| result.status.name())
}

fn verdict(merged: &Merged) -> Markup {
    let all = merged.rows.len();
    let done = merged.count(Status::Done);
    let others = Status::ALL.into_iter().filter(|&status| status != Status::Done);
    let counts = others.map(|status| (merged.count(status), status.name())).chain([(merged.lost.len(), "lost")]);
    let counts: String = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!(", {} {name}", whole(count as u64)))
        .collect();
    let is_good = done == all;
    html! {
        p.status.good[is_good].bad[!is_good] {
            (count(all as u64, "member", "members")) ": " (whole(done as u64)) " done" (counts) "."
        }
    }
}

/// The factors, what all members share, and what was collected.
fn varied(merged: &Merged) -> Markup {
    let sweep = &merged.study.sweep;
    let combined = match sweep.combine {
        Combine::Grid => "Every value is combined with every other.",
        Combine::Zip => "The first values go together, then the second ones, and so on.",
        Combine::LatinHypercube { .. } => "The members are spread evenly over all ranges (Latin hypercube).",
    };
    let table = html! {
        thead { tr { th scope="col" { "path" } th.num scope="col" { "values" } th scope="col" { "which" } } }
        tbody {
            @for factor in &sweep.vary {
                tr {
                    th scope="row" { code { (outside(&factor.path)) } }
                    td.num { (whole(distinct(factor).len() as u64)) }
                    td { (outside(&values(factor))) }
                }
            }
            @for setting in &sweep.set {
                tr { th scope="row" colspan="3" { "in all members: " code { (outside(&setting.label)) } } }
            }
        }
    };
    html! {
        @if sweep.vary.len() > 1 { p { (combined) } }
        (scrolled("Table of what varied", &table))
    }
}

/// The values of a factor, each once.
fn distinct(factor: &Factor) -> Vec<&str> {
    let mut values: Vec<&str> = Vec::new();
    for value in &factor.values {
        if values.last() != Some(&value.as_str()) {
            values.push(value);
        }
    }
    values
}

/// All of few values, and the two ends of many.
fn values(factor: &Factor) -> String {
    let shown: Vec<String> = distinct(factor).into_iter().map(rounded).collect();
    match shown.as_slice() {
        [first, .., last] if shown.len() > VALUES_MAX => format!("{first} … {last}"),
        few => few.join(", "),
    }
}

/// A value of the design: numbers to seven digits, all else as it is written.
fn rounded(value: &str) -> String {
    value.parse().map_or_else(|_| value.to_owned(), number)
}

/// The results that have a column on the page: those of series are in the files.
fn columns(merged: &Merged) -> Vec<(usize, &Collected)> {
    merged.study.sweep.collect.iter().enumerate().filter(|(_, collected)| collected.series.is_none()).collect()
}

fn members(merged: &Merged) -> Markup {
    let (columns, sweep, shown) = (columns(merged), &merged.study.sweep, merged.rows.len().min(ROWS_MAX));
    let table = html! {
        thead { tr {
            th.num scope="col" { "member" }
            @for factor in &sweep.vary { th.num[factor.numbers().is_some()] scope="col" { (outside(&factor.path)) } }
            @for (_, collected) in &columns { th.num scope="col" { (outside(&collected.name)) } }
            th scope="col" { "status" }
        } }
        tbody { @for row in &merged.rows[..shown] { (member(merged, row, &columns)) } }
    };
    html! {
        p {
            @if shown < merged.rows.len() { "The first " (whole(shown as u64)) " of " (count(merged.rows.len() as u64, "member", "members")) ". " }
            "All digits" @if columns.len() < sweep.collect.len() { ", and the numbers of series," } " are in " code { (TABLE) ".csv" }
            "; the points of the plots with their standard errors are in " code { (SUMMARY_FILE) } "."
        }
        div.events.members data-search="value or status" { (scrolled("Table of the members", &table)) }
    }
}

fn member(merged: &Merged, row: &Row, columns: &[(usize, &Collected)]) -> Markup {
    let result = |place: usize| row.result.as_ref()?.values.get(place).copied()?;
    html! {
        tr {
            td.num { (row.member) }
            @for (factor, value) in merged.study.sweep.vary.iter().zip(&row.parameters) {
                td.num[factor.numbers().is_some()] { (outside(&rounded(value))) }
            }
            @for &(place, _) in columns { td.num { (result(place).map_or_else(|| "–".to_owned(), number)) } }
            td { (status(row)) }
        }
    }
}

fn failures(merged: &Merged, bad: &[&Row]) -> Markup {
    let sweep = &merged.study.sweep;
    let message = |row: &Row| row.result.as_ref().map_or_else(String::new, |result| result.message.clone());
    let table = html! {
        thead { tr { th.num scope="col" { "member" } th scope="col" { "values" } th scope="col" { "status" } th scope="col" { "why" } } }
        tbody {
            @for row in bad.iter().take(ROWS_MAX) {
                tr {
                    td.num { (row.member) }
                    td {
                        @for (factor, value) in sweep.vary.iter().zip(&row.parameters) {
                            div { (outside(&format!("{} = {}", factor.path, rounded(value)))) }
                        }
                    }
                    td { (status(row)) }
                    td { @if row.result.is_none() { "it has no result" } @else { (outside(&message(row))) } }
                }
            }
        }
    };
    html! {
        @if bad.len() > ROWS_MAX { p { "The first " (whole(ROWS_MAX as u64)) " of " (whole(bad.len() as u64)) "." } }
        (scrolled("Table of those members", &table))
    }
}

fn again(name: &str) -> Markup {
    html! {
        p { "With the two texts above in files, the scenario where " code { "base" } " of the sweep file says:" }
        pre.code.command { "\ncarom sweep " (word(SWEEP_FILE)) }
        p { "To draw the plots in other styles from the results in the folder " code { (outside(name)) } ":" }
        pre.code.command { "\ncarom plot " (word(name)) " --theme print" }
    }
}
