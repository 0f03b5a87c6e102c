//! Checkpoints: the data of a run besides the state of its world, to continue it after an interruption.
//!
//! A snapshot in a recording and the checkpoint beside it are all that is needed: how much of each table was written by
//! then, and the state of the observers of the run.

use serde::{Deserialize, Serialize};

use crate::dynamics::EventKind;
use crate::record::gas::MeterState;
use crate::record::run_balance::OpenBalance;
use crate::record::summary::Coarsest;
use crate::record::tables::write::{Approaches, SheetsState};

/// The data of a run besides the state of its world, after a step of full length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub(crate) sheets: SheetsState,
    pub(crate) watchers: Watchers,
}

/// The state of the observers of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Watchers {
    pub(in crate::record) balance: OpenBalance,
    pub(crate) coarsest: Option<Coarsest>,
    pub(in crate::record) gas: Option<MeterState>,
    /// For each expectation: the number of events, and the time of the last one, s.
    pub(crate) expectations: Vec<(u64, Option<f64>)>,
    /// Events so far, by kind.
    pub(crate) events: [u64; EventKind::ALL.len()],
    /// Impacts since the last look.
    pub(crate) approaches: Approaches,
    /// The last step at which the tables got rows, and the table of energy.
    pub(crate) looked: Option<u64>,
    pub(crate) weighed: Option<u64>,
}
