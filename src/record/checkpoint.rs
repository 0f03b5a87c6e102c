//! Checkpoints: what a run has besides the state of its world, so that it can be gone on with after it was interrupted.
//!
//! A snapshot in a recording and the checkpoint beside it are all that is needed: how much of each table was written by
//! then, and what those who watch the run have seen.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::books::Ledger;
use super::gas::MeterState;
use super::summary::Coarsest;
use super::write::{Approaches, SheetsState};
use crate::dynamics::EventKind;

/// What a run has besides the state of its world, after a step that its end did not cut short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub(super) sheets: SheetsState,
    pub(super) watchers: Watchers,
}

/// What those who watch a run have seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Watchers {
    pub(super) ledger: Ledger,
    pub(super) coarsest: Option<Coarsest>,
    pub(super) gas: Option<MeterState>,
    /// Of each expectation: how many events, and when the last was, s.
    pub(super) expectations: Vec<(u64, Option<f64>)>,
    /// Events so far, by kind.
    pub(super) events: [u64; EventKind::ALL.len()],
    /// Impacts since the last look.
    pub(super) approaches: Approaches,
    /// The last step at which the tables got rows, and the table of energy.
    pub(super) looked: Option<u64>,
    pub(super) weighed: Option<u64>,
}

impl Checkpoint {
    /// Whether the tables in `folder` have what they had then, and maybe more.
    pub(super) fn stands_in(&self, folder: &Path) -> bool {
        self.sheets.stands_in(folder)
    }
}
