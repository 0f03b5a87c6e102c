//! A log of events: which bodies met, and when.

use super::layout::{Cells, Layout, Origin, Ranks, Rows};
use crate::dynamics::EventKind;
use crate::motion::SimTime;

/// The columns that a log of events must have.
pub const EVENT_COLUMNS: [&str; 4] = ["time", "kind", "a", "b"];

/// One event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignEvent {
    /// The line of a CSV file, or the row of a Parquet file, from 1.
    pub place: u64,
    /// When.
    pub time: SimTime,
    /// What happened.
    pub kind: EventKind,
    /// The index of the body among those of the log.
    pub a: usize,
    /// The index of the other body; `None` for an event of one body.
    pub b: Option<usize>,
}

/// A whole log.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignEvents {
    /// Where its rows come from.
    pub origin: Origin,
    /// The names of its bodies, each once, in the order in which they come.
    pub bodies: Vec<String>,
    /// Its rows, in the order of the file.
    pub rows: Vec<ForeignEvent>,
}

/// A log that is being read.
pub(super) struct Reading {
    pub(super) events: ForeignEvents,
    ranks: Ranks,
}

impl Rows for Reading {
    const LAYOUT: Layout = Layout {
        wanted: &EVENT_COLUMNS,
        optional: &[],
        rows: "wanted is one row for each impact: its time (s), the kind `impact`, and the names of the two bodies",
    };

    fn new(origin: Origin, _: &[bool]) -> Self {
        let events = ForeignEvents { origin, bodies: Vec::new(), rows: Vec::new() };
        Self { events, ranks: Ranks::default() }
    }

    fn put(&mut self, place: u64, cells: &impl Cells) -> Result<(), (&'static str, String)> {
        let name = |at: usize| EVENT_COLUMNS[at];
        let time = cells.instant(0).map_err(|problem| (name(0), problem))?;
        let word = |at: usize| cells.word(at).map_err(|problem| (name(at), problem));
        let body = |at: usize| cells.body(at).map_err(|problem| (name(at), problem));
        let kind: EventKind =
            word(1)?.parse().map_err(|error| (name(1), format!("{error}; that of an impact is `impact`")))?;
        let (a, b) = (body(2)?, if kind.has_one_body() { word(3)? } else { body(3)? });
        let mut rank = |word: &str| self.ranks.of(word, &mut self.events.bodies);
        let (a, b) = (rank(a), (!b.is_empty()).then(|| rank(b)));
        self.events.rows.push(ForeignEvent { place, time, kind, a, b });
        Ok(())
    }
}
