//! The summary of a run: `summary.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::books::Books;
use super::gas::GasReport;
use super::verdict::Verdict;

/// Name of the file.
pub const SUMMARY_FILE: &str = "summary.json";

/// Version of the shape of all files in a run's folder. It grows when a reader has to know.
pub const SCHEMA: u32 = 2;

/// What a run did, in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// [`SCHEMA`] of the folder.
    pub schema: u32,
    /// Version of carom.
    pub carom: &'static str,
    /// Title of the scenario.
    pub title: String,
    /// BLAKE3 of the scenario's text.
    pub scenario_hash: String,
    /// Span between two looks, s.
    pub timestep: f64,
    /// Length of the run, s.
    pub duration: f64,
    /// Instant up to which it came, s: the duration, or that of the error.
    pub reached: f64,
    /// Steps taken.
    pub steps: u64,
    /// Bodies of all kinds, those that came during the run and those that went included.
    pub bodies: usize,
    /// Bodies that gravity and impacts move.
    pub free_bodies: usize,
    /// Events by kind.
    pub events: BTreeMap<&'static str, u64>,
    /// Energy, momentum and overlap.
    pub audit: Books,
    /// Temperature, pressure and rate of impacts, where the scenario observes its gas.
    pub gas: Option<GasReport>,
    /// Hash of the final state.
    pub state_hash: String,
    /// When `paths.csv` had all the rows it may have, s.
    pub paths_full_at: Option<f64>,
    /// What the scenario expected.
    pub expectations: Vec<Verdict>,
    /// Why the run ended early, if it did.
    pub error: Option<String>,
    /// Wall times: the only part that differs between two runs of one scenario.
    pub timing: Timing,
}

/// How long it took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Timing {
    /// Making the world, stepping and writing tables, s.
    pub wall_seconds: f64,
    /// Impacts over that.
    pub impacts_per_second: f64,
}

impl Summary {
    /// Whether the run came to its end and met every expectation.
    pub fn is_success(&self) -> bool {
        self.error.is_none() && self.expectations.iter().all(|verdict| verdict.met)
    }
}
