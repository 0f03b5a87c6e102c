//! A job: what is to be run, where to, how far, and how it comes out.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::motion::SimTime;
use crate::record::summary::Summary;
use crate::scenario::{Scenario, Source};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glimpse {
    /// Simulated time, s.
    pub time: f64,
    /// Length of the run, s.
    pub duration: f64,
    /// Impacts so far.
    pub impacts: u64,
}

/// What is to be run, and where to.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// What.
    pub scenario: &'a Scenario,
    /// The text that it was read from.
    pub source: &'a Source,
    /// Where the results go.
    pub folder: &'a Path,
    /// What may halt it before its end.
    pub halt: Halt<'a>,
}

/// What halts a run before its end; nothing, unless it is said.
#[derive(Debug, Clone, Copy, Default)]
pub struct Halt<'a> {
    /// The first step at or after this instant, s.
    pub until: Option<f64>,
    /// The end of the step during which this becomes true.
    pub asked: Option<&'a AtomicBool>,
}

impl Halt<'_> {
    /// Whether a run that has come to `now` is to halt there.
    pub(crate) fn is_due(&self, now: SimTime) -> bool {
        self.until.is_some_and(|until| now.seconds() >= until)
            || self.asked.is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}

/// How a job came out.
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
