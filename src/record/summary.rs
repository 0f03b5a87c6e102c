//! The summary of a run: `summary.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use glam::DVec3;
use miette::Diagnostic;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::files::{WriteError, write_json};
use super::gas::GasReport;
use super::packing::PackingReport;
use super::run_balance::RunBalance;
use super::verdict::Verdict;
use crate::dynamics::{Coarseness, SteppingTotals};
use crate::numeric::tolerance::COARSENESS_MAX;
use crate::scenario::text::source::read_bytes;
use crate::world::Coarse;

/// Name of the file.
pub const SUMMARY_FILE: &str = "summary.json";

/// No summary is as large as this, bytes.
const SUMMARY_MAX: u64 = 1 << 28;

/// Version of the format of all files in a run's folder. It increases with each change that matters to a reader.
pub const SCHEMA: u32 = 5;

/// The results of a run, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// [`SCHEMA`] of the folder.
    pub schema: u32,
    /// Version of carom.
    pub carom: String,
    /// Title of the scenario.
    pub title: String,
    /// BLAKE3 of the scenario's text.
    pub scenario_hash: String,
    /// Length of a step, s.
    pub timestep: f64,
    /// Length of the run, s.
    pub duration: f64,
    /// The instant that the run reached, s: the duration, or the time of the error.
    pub reached: f64,
    /// Steps taken.
    pub steps: u64,
    /// Bodies of all kinds, with those that came during the run and those that were removed.
    pub bodies: usize,
    /// Bodies that gravity and impacts move.
    pub free_bodies: usize,
    /// Events by kind.
    pub events: BTreeMap<String, u64>,
    /// Energy, momentum and overlap.
    pub audit: RunBalance,
    /// How much of the run was advanced by time steps.
    pub time_stepping: Stepped,
    /// The body that had the coarsest numbers relative to its size, of those seen at the rows of the table of energy.
    pub coarsest: Option<Coarsest>,
    /// Temperature, pressure and rate of impacts, where the scenario observes its gas.
    pub gas: Option<GasReport>,
    /// How full the vessel is, where the scenario observes its packing.
    #[serde(default)]
    pub packing: Option<PackingReport>,
    /// Hash of the final state.
    pub state_hash: String,
    /// The tables by their files, and how many bytes each has.
    pub tables: BTreeMap<String, u64>,
    /// The time at which the table of paths had all the rows it may have, s.
    pub paths_full_at: Option<f64>,
    /// What the scenario expected.
    pub expectations: Vec<Verdict>,
    /// Why the run ended early, if it did.
    pub error: Option<String>,
    /// Wall times: the only part that differs between two runs of one scenario.
    pub timing: Timing,
}

/// How much of a run was advanced by time steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stepped {
    /// Number of time steps, each of one island.
    pub time_steps: u64,
    /// Time of all free bodies under time stepping, over the number of free bodies times the length of the run; no
    /// unit.
    pub share: f64,
    /// Largest number of bodies that one time step advanced.
    pub largest_island: u64,
    /// Bodies that sleep at the end.
    pub asleep: u64,
}

impl Stepped {
    /// The totals of a run of `free` bodies over `seconds`.
    pub(super) fn of(totals: &SteppingTotals, free: usize, seconds: f64) -> Self {
        let SteppingTotals { time_steps, body_seconds, largest_island, asleep } = *totals;
        let share = if body_seconds > 0.0 { body_seconds / (free as f64 * seconds) } else { 0.0 };
        Self { time_steps, share, largest_island, asleep }
    }
}

/// A body, and how coarse the numbers were at its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coarsest {
    /// Its name.
    pub body: String,
    /// When, s.
    pub time: f64,
    /// Where, m.
    pub position: [f64; 3],
    /// Distance of the largest coordinate there from the next floating-point number, m.
    pub spacing: f64,
    /// Least width of the body, m; for a mesh the greatest.
    pub size: f64,
}

impl Coarsest {
    pub(super) fn of(coarse: Coarse, time: f64) -> Self {
        let Coarse { body, found: Coarseness { place, spacing, size } } = coarse;
        Self { body, time, position: place.to_array(), spacing, size }
    }

    /// The same without its time, in the form that prints a message.
    pub fn coarse(&self) -> Coarse {
        Coarse { body: self.body.clone(), found: self.found() }
    }

    /// The spacing over the size, no unit.
    pub fn ratio(&self) -> f64 {
        self.found().ratio()
    }

    fn found(&self) -> Coarseness {
        Coarseness { place: DVec3::from_array(self.position), spacing: self.spacing, size: self.size }
    }

    /// Whether that is coarse enough for a warning: more than a millionth.
    pub fn is_coarse(&self) -> bool {
        self.ratio() > COARSENESS_MAX
    }
}

/// The wall times of this process. A run that was continued has taken more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// All of it, s.
    pub wall_seconds: f64,
    /// Impacts of this process over its seconds of stepping; 0 where it made no step.
    pub impacts_per_second: f64,
    /// Reading the scenario and making its world, s.
    pub making_seconds: f64,
    /// Finding and resolving events, s.
    pub stepping_seconds: f64,
    /// Looking at the world and writing tables, s.
    pub writing_seconds: f64,
    /// Drawing plots, s.
    pub drawing_seconds: f64,
}

impl Timing {
    /// The times that a run measures itself, without making its world and drawing.
    pub(super) fn of_run(impacts: u64, stepping: Duration, writing: Duration) -> Self {
        let [stepping_seconds, writing_seconds] = [stepping, writing].map(|span| span.as_secs_f64());
        Self {
            wall_seconds: stepping_seconds + writing_seconds,
            impacts_per_second: if stepping.is_zero() { 0.0 } else { impacts as f64 / stepping_seconds },
            making_seconds: 0.0,
            stepping_seconds,
            writing_seconds,
            drawing_seconds: 0.0,
        }
    }

    /// The same with the times before and after the run.
    #[must_use]
    pub fn with(self, making: Duration, drawing: Duration) -> Self {
        let [making_seconds, drawing_seconds] = [making, drawing].map(|span| span.as_secs_f64());
        let wall_seconds = self.stepping_seconds + self.writing_seconds + making_seconds + drawing_seconds;
        Self { wall_seconds, making_seconds, drawing_seconds, ..self }
    }
}

/// A summary that cannot be read.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum SummaryError {
    /// The system refuses.
    #[error("{} cannot be read: {error}", file.display())]
    #[diagnostic(help("check that the path is right and that you may read it"))]
    Io {
        /// Which file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not as it was written.
    #[error("{} is not the summary of a run: {error}", file.display())]
    #[diagnostic(help("run the scenario again"))]
    Damaged {
        /// Which file.
        file: PathBuf,
        /// What is wrong, and where.
        error: serde_json::Error,
    },
    /// Another version of carom wrote the folder.
    #[error("{} is of format {found}; this carom reads format {SCHEMA}", file.display())]
    #[diagnostic(help("run the scenario again, or use the carom that wrote it"))]
    OtherSchema {
        /// Which file.
        file: PathBuf,
        /// The format of the folder.
        found: u32,
    },
}

/// The part that every version of the summary has.
#[derive(Deserialize)]
struct Version {
    schema: u32,
}

/// The part by which the summary of a run, of any version, is known.
#[derive(Deserialize)]
struct OfRun {
    #[serde(rename = "carom")]
    _carom: String,
    #[serde(rename = "scenario_hash")]
    _scenario_hash: String,
    #[serde(rename = "state_hash")]
    _state_hash: String,
    tables: BTreeMap<String, serde::de::IgnoredAny>,
}

/// The files of the tables of the run in a folder, by its summary; `None` if the folder has no summary of a run.
pub fn tables_left(folder: &Path) -> Option<Vec<String>> {
    summary_left::<OfRun>(folder).map(|summary| summary.tables.into_keys().collect())
}

/// Those parts of the summary in a folder that every version has; `None` if the folder has no such summary.
pub fn summary_left<T: DeserializeOwned>(folder: &Path) -> Option<T> {
    serde_json::from_slice(&read_bytes(&folder.join(SUMMARY_FILE), SUMMARY_MAX).ok()?).ok()
}

impl Summary {
    /// Reads [`SUMMARY_FILE`] in a folder.
    ///
    /// # Errors
    /// [`SummaryError`] when it cannot be read, or another version of carom wrote it.
    pub fn read(folder: &Path) -> Result<Self, SummaryError> {
        let file = folder.join(SUMMARY_FILE);
        let bytes = read_bytes(&file, SUMMARY_MAX);
        let bytes = bytes.map_err(|error| SummaryError::Io { file: file.clone(), error: error.into() })?;
        let damaged = |error| SummaryError::Damaged { file: file.clone(), error };
        match serde_json::from_slice::<Version>(&bytes).map_err(damaged)?.schema {
            SCHEMA => serde_json::from_slice(&bytes).map_err(damaged),
            found => Err(SummaryError::OtherSchema { file: file.clone(), found }),
        }
    }

    /// Writes [`SUMMARY_FILE`] into a folder.
    ///
    /// # Errors
    /// [`WriteError`] when it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        write_json(&folder.join(SUMMARY_FILE), self)
    }

    /// Whether the run came to its end and met every expectation.
    pub fn is_success(&self) -> bool {
        self.error.is_none() && self.expectations.iter().all(|verdict| verdict.met)
    }
}
