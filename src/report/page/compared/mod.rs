//! Several runs side by side.

pub(super) mod overlay;

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::facts::{Fact, Group};
use super::pictures::Picture;
use super::results::Results;
use super::run::{Part, outcome};
use super::words::{outside, with_unit};

/// Most lines shown that only one of two scenarios has.
const LINES_MAX: usize = 40;

/// A row of the table: a property, and its value for each run.
struct Row<'a> {
    label: &'a str,
    cells: Vec<Option<&'a str>>,
    is_hash: bool,
    /// The numbers that the values show, with their unit.
    measured: Vec<Option<(f64, &'static str)>>,
}

impl<'a> Row<'a> {
    fn words(label: &'a str, cells: Vec<Option<&'a str>>) -> Self {
        Row { label, cells, is_hash: false, measured: Vec::new() }
    }
}

/// The title of the page.
pub(super) fn title(runs: &[Results]) -> String {
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    format!("Runs compared: {}", names.join(", "))
}

/// The body of the page.
pub(super) fn body(runs: &[Results], parts: &[Part<'_>], (player, together): (&Markup, &[Picture])) -> Markup {
    html! {
        a.skip href="#main" { "Skip to the results" }
        header {
            p.kind { "Runs of carom" }
            h1 { (runs.len()) " runs compared" }
        }
        nav aria-label="Parts of the page" {
            ul {
                li { a href="#compared" { "Side by side" } }
                li { a href="#watch" { "Watch" } }
                @for (run, part) in runs.iter().zip(parts) { li { a href={ "#" (part.place()) } { (outside(&run.name)) } } }
            }
        }
        main #main {
            section.part #compared aria-labelledby="compared-title" {
                h2 #compared-title { "Side by side" }
                div.plots { @for picture in together { (picture.figure()) } }
                p { "What differs between the runs is marked ≠." }
                (table(runs, parts))
                (scenarios(runs))
            }
            (player)
            @for part in parts { (part.among_others()) }
        }
    }
}

fn table(runs: &[Results], parts: &[Part<'_>]) -> Markup {
    let is_one_scenario = runs.iter().all(|run| run.text == runs[0].text);
    html! {
        div.scroll tabindex="0" role="region" aria-label="The runs side by side" {
            table.compared {
                thead { tr {
                    th scope="col" { "of each run" }
                    th scope="col" { span.quiet { "differs" } }
                    @for run in runs { th scope="col" { (outside(&run.name)) } }
                    th.num scope="col" { @if runs.len() == 2 { "second less first" } @else { "largest less least" } }
                } }
                tbody {
                    (Row::words("title", runs.iter().map(|run| Some(run.summary.title.as_str())).collect()).markup(is_one_scenario))
                    (outcomes(runs, is_one_scenario))
                }
                @for (title, rows) in facts(parts) {
                    tbody {
                        (heading(title, runs.len()))
                        @for row in rows { (row.markup(is_one_scenario)) }
                    }
                }
                (expectations(runs, is_one_scenario))
            }
        }
    }
}

fn heading(title: &str, runs: usize) -> Markup {
    html! { tr { th.group colspan=(runs + 3) scope="colgroup" { (title) } } }
}

fn outcomes(runs: &[Results], is_one_scenario: bool) -> Markup {
    let words: Vec<String> = runs.iter().map(|run| outcome(run).words).collect();
    Row::words("outcome", words.iter().map(|words| Some(words.as_str())).collect()).markup(is_one_scenario)
}

/// The facts of all runs by group and label, in the order of the first run that has them.
fn facts<'a>(parts: &'a [Part<'_>]) -> Vec<(&'static str, Vec<Row<'a>>)> {
    let mut groups: Vec<(&'static str, Vec<Row<'a>>)> = Vec::new();
    for (rank, part) in parts.iter().enumerate() {
        for Group { title, facts } in &part.groups {
            let place = groups.iter().position(|(known, _)| known == title).unwrap_or_else(|| {
                groups.push((title, Vec::new()));
                groups.len() - 1
            });
            let rows = &mut groups[place].1;
            for Fact { label, value, is_hash, measured } in facts {
                let row = rows.iter().position(|row| row.label == label).unwrap_or_else(|| {
                    let (cells, measured) = (vec![None; parts.len()], vec![None; parts.len()]);
                    rows.push(Row { label, cells, is_hash: *is_hash, measured });
                    rows.len() - 1
                });
                rows[row].cells[rank] = Some(value);
                rows[row].measured[rank] = *measured;
            }
        }
    }
    groups
}

impl Row<'_> {
    /// Its markup; hashes are compared only between runs of one scenario.
    fn markup(&self, is_one_scenario: bool) -> Markup {
        // Other scenarios have other hashes.
        let is_told = !self.is_hash || is_one_scenario;
        let differs = is_told && self.cells.iter().any(|cell| *cell != self.cells[0]);
        html! {
            tr.differs[differs] {
                th scope="row" { (outside(self.label)) }
                td { @if differs { span title="differs" { "≠" } } }
                @for cell in &self.cells {
                    td {
                        @match cell {
                            Some(hash) if self.is_hash => code.hash { (outside(hash)) },
                            Some(text) => (outside(text)),
                            None => "–",
                        }
                    }
                }
                td.num { @if differs { (self.difference().unwrap_or_default()) } }
            }
        }
    }

    /// The second number less the first, or of more runs the largest less the least.
    fn difference(&self) -> Option<String> {
        let numbers: Vec<(f64, &str)> = self.measured.iter().copied().collect::<Option<_>>()?;
        let (&(first, unit), others) = numbers.split_first()?;
        let difference = match others {
            [(second, _)] => second - first,
            _ => {
                let fold = |pick: fn(f64, f64) -> f64| numbers.iter().map(|number| number.0).fold(first, pick);
                fold(f64::max) - fold(f64::min)
            }
        };
        let sign = if difference > 0.0 && others.len() == 1 { "+" } else { "" };
        Some(format!("{sign}{}", with_unit(difference, unit)))
    }
}

/// The expectations of the scenarios, and their results in each run.
fn expectations(runs: &[Results], is_one_scenario: bool) -> Markup {
    let mut expected: Vec<&str> = Vec::new();
    for verdict in runs.iter().flat_map(|run| &run.summary.expectations) {
        if !expected.contains(&verdict.expected.as_str()) {
            expected.push(&verdict.expected);
        }
    }
    let of = |run: &Results, expected: &str| {
        let verdict = run.summary.expectations.iter().find(|verdict| verdict.expected == expected)?;
        Some(format!("{} {}", if verdict.met { "✓ met:" } else { "✗ not met:" }, verdict.found))
    };
    html! {
        @if !expected.is_empty() {
            tbody {
                (heading("Expectations", runs.len()))
                @for expected in expected {
                    @let found: Vec<Option<String>> = runs.iter().map(|run| of(run, expected)).collect();
                    (Row::words(expected, found.iter().map(Option::as_deref).collect()).markup(is_one_scenario))
                }
            }
        }
    }
}

/// The lines in which the scenarios of later runs differ from that of the first.
fn scenarios(runs: &[Results]) -> Markup {
    let (first, others) = (&runs[0], &runs[1..]);
    html! {
        h3 { "The scenarios" }
        @for other in others {
            @if other.text == first.text {
                p { (outside(&other.name)) " has the scenario of " (outside(&first.name)) "." }
            } @else {
                p { "Lines that only one of " (outside(&first.name)) " (−) and " (outside(&other.name)) " (+) has:" }
                pre.code tabindex="0" role="region" aria-label="Lines that differ" {
                    "\n"
                    @for line in only_in(&first.text, &other.text) { "− " (outside(line)) "\n" }
                    @for line in only_in(&other.text, &first.text) { "+ " (outside(line)) "\n" }
                }
            }
        }
    }
}

/// The lines of `one` that `other` lacks or has fewer times, in order, up to the limit.
fn only_in<'a>(one: &'a str, other: &str) -> Vec<&'a str> {
    let mut there: BTreeMap<&str, usize> = BTreeMap::new();
    other.lines().for_each(|line| *there.entry(line.trim()).or_default() += 1);
    let lacking = one.lines().map(str::trim).filter(|line| match there.get_mut(line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    lacking.take(LINES_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted() {
        assert_eq!(only_in("a\nb\n  a\nc", "a\nc\nd"), ["b", "a"]);
        assert_eq!(only_in("a", "a\n"), [""; 0]);
    }
}
