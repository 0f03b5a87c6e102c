//! The table of events on the page: the first events of the run.

use maud::{Markup, PreEscaped, html};

use super::document::scrolled;
use super::results::Results;
use super::words::{count, whole};
use crate::numeric::rounded;
use crate::record::tables::Events;
use crate::record::tables::read::ReadError;
use crate::report::rows::every_row;
use crate::scenario::EventLog;
use crate::scenario::text::printable::printable;

/// Most events on a page.
const EVENTS_MAX: usize = 5000;

/// Digits of an instant, and of all other numbers.
const TIME_DIGITS: usize = 12;
const DIGITS: usize = 6;

/// The events of a run that are on the page.
pub(super) struct EventTable {
    rows: Vec<Row>,
    /// How many events there were.
    all: u64,
}

struct Row {
    cells: [String; 7],
    kind: &'static str,
    a: String,
    b: Option<String>,
}

/// Titles of the columns, and whether they have numbers.
const COLUMNS: [(&str, bool); 10] = [
    ("time, s", true),
    ("kind", false),
    ("a", false),
    ("b", false),
    ("x, m", true),
    ("y, m", true),
    ("z, m", true),
    ("approach speed, m/s", true),
    ("impulse, N·s", true),
    ("loss, J", true),
];

/// The events of a run whose page has `runs` of them; `None` where events were only counted.
pub(super) fn events(run: &Results, runs: usize) -> Result<Option<EventTable>, ReadError> {
    if run.scenario.record.events == EventLog::Counted {
        return Ok(None);
    }
    let most = EVENTS_MAX / runs.max(1);
    let mut table = EventTable { rows: Vec::new(), all: 0 };
    every_row::<Events>(&run.folder, |event| {
        table.all += 1;
        if table.rows.len() < most {
            let [x, y, z] = event.point.to_array();
            let numbers = [x, y, z, event.approach_speed, event.impulse, event.loss].map(|it| rounded(it, DIGITS));
            let [x, y, z, approach, impulse, loss] = numbers;
            let time = rounded(event.time.seconds(), TIME_DIGITS);
            table.rows.push(Row {
                cells: [time, x, y, z, approach, impulse, loss],
                kind: event.kind.name(),
                a: event.a.to_owned(),
                b: event.b.map(str::to_owned),
            });
        }
    })?;
    Ok(Some(table))
}

impl EventTable {
    /// The table; `label` describes it for screen readers.
    pub(super) fn section(&self, label: &str) -> Markup {
        let shown = self.rows.len();
        let table = html! {
            thead { tr { @for (title, is_number) in COLUMNS { th.num[is_number] scope="col" { (title) } } } }
            tbody { @for row in &self.rows { (row.markup()) } }
        };
        html! {
            @if self.all > shown as u64 {
                p { "The first " (whole(shown as u64)) " of " (count(self.all, "event", "events")) "; the table of events has all of them." }
            }
            @if shown > 0 {
                div.events { (scrolled(label, &table)) }
            }
        }
    }
}

impl Row {
    /// Rows and cells without end tags, which HTML allows: they would be a fifth of the page.
    fn markup(&self) -> Markup {
        let [time, numbers @ ..] = &self.cells;
        let names = [self.a.as_str(), self.b.as_deref().unwrap_or_default()].map(printable);
        let words = [time.as_str(), self.kind].into_iter().chain(names.iter().map(AsRef::as_ref));
        let cells = words.chain(numbers.iter().map(String::as_str));
        html! { (PreEscaped("<tr>")) @for cell in cells { (PreEscaped("<td>")) (cell) } }
    }
}
