//! A job: the scenario to run, the folder of its results, when to halt, and the outcome.

use std::path::Path;

use crate::motion::SimTime;
use crate::record::summary::Summary;
use crate::scenario::{Scenario, Source};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunProgress {
    /// Simulated time, s.
    pub time: f64,
    /// Length of the run, s.
    pub duration: f64,
    /// Impacts so far.
    pub impacts: u64,
}

/// A scenario to run, and the folder of its results.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The text that it was read from.
    pub source: &'a Source,
    /// Where the results go.
    pub folder: &'a Path,
    /// What may halt it before its end.
    pub halt: Halt<'a>,
}

/// The conditions that halt a run before its end; none by default.
#[derive(Clone, Copy, Default)]
pub struct Halt<'a> {
    /// Halts at the end of the first step at or after this instant, s.
    pub until: Option<f64>,
    /// Halts at the end of the instant at which this becomes true. It is asked after each event.
    pub asked: Option<&'a dyn Fn() -> bool>,
}

impl Halt<'_> {
    /// Whether a run that has come to `now` is to halt there.
    pub(crate) fn is_due(&self, now: SimTime) -> bool {
        self.until.is_some_and(|until| now.seconds() >= until) || self.is_asked()
    }

    /// Whether the run is to halt wherever it is.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.is_some_and(|asked| asked())
    }
}

/// The outcome of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The run is over. The caller [writes](Summary::write) the summary, and may add to its times.
    Finished(Box<Summary>),
    /// The run was halted, and can be continued: [`Unfinished`](crate::record::Unfinished).
    Halted {
        /// Simulated time, s.
        time: f64,
    },
}
