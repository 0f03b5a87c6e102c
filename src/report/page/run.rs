//! The part of a page that belongs to one run.

use maud::{Markup, html};

use super::document::{Section, contents, scrolled, sections};
use super::events::{EventTable, events};
use super::facts::{Group, groups};
use super::pictures::{Picture, pictures};
use super::results::Results;
use super::words::{count, outside, whole, word, written};
use crate::numeric::shown;
use crate::record::SUMMARY_FILE;
use crate::record::recording::RECORDING_FILE;
use crate::record::tables::SCENARIO_FILE;
use crate::report::ReportError;
use crate::scenario::text::printable::printable;

/// All parts of the page for one run.
pub(super) struct Part<'a> {
    run: &'a Results,
    /// Its number on the page, from 0, and the beginning of the names of its anchors.
    rank: usize,
    prefix: String,
    pub(super) groups: Vec<Group>,
    pictures: Vec<Picture>,
    events: Option<EventTable>,
}

/// The outcome of a run.
pub(super) struct Outcome {
    pub(super) is_good: bool,
    pub(super) words: String,
}

/// The place of the player, with a title for screen readers; it begins with the first run.
pub(super) fn player() -> Markup {
    html! {
        section #watch aria-labelledby="watch-title" {
            h2.unseen #watch-title { "Watch and check" }
            div #carom-player data-run="0" {}
            noscript { p.note { "The player needs JavaScript. The rest of the page does not." } }
        }
    }
}

/// The replacement for the player if the scenario is too large for the page.
pub(super) fn no_player() -> Markup {
    html! {
        section.part #watch aria-labelledby="watch-title" {
            h2 #watch-title { "Watch and check" }
            p.note { "There is no player on this page: the scenario with its meshes is larger than a page carries." }
        }
    }
}

pub(super) fn outcome(run: &Results) -> Outcome {
    let summary = &run.summary;
    let unmet = summary.expectations.iter().filter(|verdict| !verdict.met).count();
    let all = summary.expectations.len();
    let words = match (&summary.error, unmet, all) {
        (Some(_), ..) => "The run ended early, with an error.".to_owned(),
        (None, 0, 0) => "The run came to its end. The scenario has no expectations.".to_owned(),
        (None, 0, 1) => "The run came to its end and met its expectation.".to_owned(),
        (None, 0, all) => format!("The run came to its end and met all {all} expectations."),
        (None, unmet, all) => format!("The run came to its end. Expectations not met: {unmet} of {all}."),
    };
    Outcome { is_good: summary.is_success(), words }
}

impl<'a> Part<'a> {
    /// The part of one of `runs` runs; `rank` is counted from 0.
    pub(super) fn new(run: &'a Results, rank: usize, runs: usize) -> Result<Self, ReportError> {
        let prefix = if runs == 1 { String::new() } else { format!("run{}-", rank + 1) };
        let (pictures, events) = (pictures(run)?, events(run, runs)?);
        Ok(Self { run, rank, prefix, groups: groups(run), pictures, events })
    }

    /// The whole page, if there is no other run.
    pub(super) fn alone(&self, player: &Markup) -> Markup {
        let parts = self.sections();
        html! {
            a.skip href="#main" { "Skip to the results" }
            header.brief {
                h1 { (outside(&self.run.summary.title)) }
                (self.status())
            }
            main #main {
                (player)
                (contents(&parts))
                (sections(&parts))
            }
        }
    }

    /// The part of this run on a page of several runs.
    pub(super) fn among_others(&self) -> Markup {
        html! {
            article.part id=(self.place()) data-run=(self.rank) aria-labelledby={ (self.prefix) "title" } {
                h2 id={ (self.prefix) "title" } { (outside(&self.run.name)) }
                p { (outside(&self.run.summary.title)) }
                (self.status())
                @for (place, title, body) in self.sections() {
                    div id={ (self.prefix) (place) } { h3 { (title) } (body) }
                }
            }
        }
    }

    /// The name of the anchor where it begins.
    pub(super) fn place(&self) -> String {
        format!("{}part", self.prefix)
    }

    /// What a part is called for screen readers; each part of a page has a name of its own.
    fn label(&self, what: &str) -> String {
        format!("{what} of {}", printable(&self.run.name))
    }

    fn status(&self) -> Markup {
        let outcome = outcome(self.run);
        html! {
            p class=(if outcome.is_good { "status good" } else { "status bad" }) { (outcome.words) }
            @if let Some(error) = &self.run.summary.error { p.note { (outside(error)) } }
        }
    }

    fn sections(&self) -> Vec<Section> {
        let mut sections = Vec::new();
        let mut add = |place, title, body| sections.push((place, title, body));
        if !self.run.summary.expectations.is_empty() {
            add("expectations", "Expectations", self.expectations());
        }
        if !self.pictures.is_empty() {
            add("plots", "Plots", html! { div.plots { @for picture in &self.pictures { (picture.figure()) } } });
        }
        add("figures", "Settings and audit", html! { div.groups { @for group in &self.groups { (of_group(group)) } } });
        add("events", "Events", self.events());
        add("scenario", "Scenario", written(&self.run.text, &self.label("Text of the scenario")));
        add("again", "Run it again", self.again());
        add("sources", "Where the numbers come from", self.sources());
        sections
    }

    fn expectations(&self) -> Markup {
        let table = html! {
            thead { tr { th scope="col" { "expected" } th scope="col" { "found" } th scope="col" { "met" } } }
            tbody {
                @for verdict in &self.run.summary.expectations {
                    tr {
                        th scope="row" { (outside(&verdict.expected)) }
                        td { (outside(&verdict.found)) }
                        td class=(if verdict.met { "good" } else { "bad" }) {
                            @if verdict.met { "✓ met" } @else { "✗ not met" }
                        }
                    }
                }
            }
        };
        scrolled(&self.label("Expectations"), &table)
    }

    fn events(&self) -> Markup {
        let all: u64 = self.run.summary.events.values().sum();
        let label = self.label("Events");
        html! {
            p { "There were " (count(all, "event", "events")) "." }
            @match &self.events {
                Some(table) => (table.section(&label)),
                None => p { "This run counted its events and wrote none of them down." },
            }
        }
    }

    fn again(&self) -> Markup {
        let Results { summary, recorded, name, .. } = self.run;
        let script = recorded.as_ref().and_then(|recorded| recorded.header.script.as_ref());
        let file = script.map_or(SCENARIO_FILE, |script| script.name.rsplit(['/', '\\']).next().unwrap_or_default());
        let [timestep, duration] = [summary.timestep, summary.duration].map(shown);
        html! {
            p { "With carom " (outside(&summary.carom)) " and the scenario above, word for word, in a file:" }
            pre.code.command { "\ncarom run " (word(file)) " --timestep " (timestep) " --duration " (duration) }
            p { "The final state then has the hash " code.hash { (outside(&summary.state_hash)) } ", on every machine." }
            @if recorded.is_some() {
                p { "To compare every step with the recording in the folder of the results:" }
                pre.code.command { "\ncarom replay " (word(&format!("{name}/{RECORDING_FILE}"))) }
            }
        }
    }

    fn sources(&self) -> Markup {
        let table = html! {
            thead { tr { th scope="col" { "table" } th.num scope="col" { "bytes" } th scope="col" { "what it has" } } }
            tbody {
                @for (file, bytes) in &self.run.summary.tables {
                    tr { th scope="row" { (outside(file)) } td.num { (whole(*bytes)) } td { (about(file)) } }
                }
            }
        };
        html! {
            p {
                "Everything on this page was read from the files that the run left behind. Figures are rounded here; the files have all their digits. "
                "Expectations, settings and audit are from " code { (SUMMARY_FILE) } ", the text of the scenario is from "
                code { (SCENARIO_FILE) } ", and plots and events are from the tables:"
            }
            (scrolled(&self.label("Tables"), &table))
        }
    }
}

/// Facts as a table of two columns.
fn of_group(group: &Group) -> Markup {
    html! {
        table {
            caption { (group.title) }
            tbody {
                @for fact in &group.facts {
                    tr {
                        th scope="row" { (outside(&fact.label)) }
                        td { @if fact.is_hash { code.hash { (outside(&fact.value)) } } @else { (outside(&fact.value)) } }
                    }
                }
            }
        }
    }
}

/// The description of a table, by the name of its file.
fn about(file: &str) -> &'static str {
    match file.split('.').next().unwrap_or_default() {
        "events" => "every event",
        "counts" => "how many events there were up to each recorded step",
        "trajectory" => "positions and velocities at recorded steps",
        "paths" => "the exact paths, piece by piece",
        "energy" => "energy and momentum at recorded steps",
        "gas" => "temperature, pressure and rate of impacts",
        "speeds" => "how speeds were spread",
        "profile" => "how full the vessel is at each distance from its walls",
        _ => "",
    }
}
