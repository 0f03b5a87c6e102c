//! Checkpoints: what a run has besides the state of its world, so that it can be continued after it was interrupted.
//!
//! A snapshot in a recording and the checkpoint beside it are all that is needed: how much of each table was written by
//! then, and what the observers of the run have seen.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::dynamics::EventKind;
use crate::record::energy_book::Ledger;
use crate::record::gas::MeterState;
use crate::record::summary::Coarsest;
use crate::record::tables::write::{Approaches, SheetsState};

/// What a run has besides the state of its world, after a step that its end did not cut short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub(crate) sheets: SheetsState,
    pub(crate) watchers: Watchers,
}

/// What the observers of a run have seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Watchers {
    pub(in crate::record) ledger: Ledger,
    pub(crate) coarsest: Option<Coarsest>,
    pub(in crate::record) gas: Option<MeterState>,
    /// Of each expectation: how many events, and when the last was, s.
    pub(crate) expectations: Vec<(u64, Option<f64>)>,
    /// Events so far, by kind.
    pub(crate) events: [u64; EventKind::ALL.len()],
    /// Impacts since the last look.
    pub(crate) approaches: Approaches,
    /// The last step at which the tables got rows, and the table of energy.
    pub(crate) looked: Option<u64>,
    pub(crate) weighed: Option<u64>,
}

impl Checkpoint {
    /// Whether the tables in `folder` have what they had then, and maybe more.
    pub(crate) fn stands_in(&self, folder: &Path) -> bool {
        self.sheets.stands_in(folder)
    }
}
