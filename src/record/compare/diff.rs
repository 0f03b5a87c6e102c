//! What is different between two scenarios, and between the runs of them where these were recorded.

use std::path::PathBuf;

use super::ends::{Ends, ends};
use super::steps::{Bisection, bisect, compare};
use crate::record::recording::{Header, Reader, changed};
use crate::record::replay::ReplayError;
use crate::scenario::Change;

/// One of two scenarios.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// The scenario as it was run, or would be.
    pub header: Header,
    /// The recording of its run, if there is one.
    pub recording: Option<PathBuf>,
}

/// What is different.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    /// Between the scenarios.
    pub changes: Vec<Change>,
    /// Between the runs, step by step, if both were recorded with steps of one length.
    pub bisection: Option<Bisection>,
    /// Between the ends of the runs, if both were recorded.
    pub ends: Option<Ends>,
}

impl Diff {
    /// Whether nothing is different.
    pub fn is_same(&self) -> bool {
        let same_steps = self.bisection.as_ref().is_none_or(|bisection| bisection.comparison.is_same());
        let same_ends = self.ends.as_ref().is_none_or(|ends| ends.other.is_empty() && ends.times[0] == ends.times[1]);
        self.changes.is_empty() && same_steps && same_ends
    }
}

/// Compares two scenarios and their runs.
///
/// # Errors
/// [`ReplayError`] when a recording is damaged or cannot be run.
pub fn diff(before: &Side, after: &Side) -> Result<Diff, ReplayError> {
    let changes = changed(&before.header, &after.header);
    let (Some(first), Some(second)) = (&before.recording, &after.recording) else {
        for file in [&before.recording, &after.recording].into_iter().flatten() {
            // Damage anywhere in it is an error.
            let mut recording = Reader::open(file)?;
            while recording.next_step()?.is_some() {}
        }
        return Ok(Diff { changes, bisection: None, ends: None });
    };
    let compared = if before.header.script.is_some() && after.header.script.is_some() {
        bisect(first, second)
    } else {
        compare(first, second).map(Bisection::without_runs)
    };
    let bisection = match compared {
        Err(ReplayError::Timesteps { .. }) => None,
        other => Some(other?),
    };
    Ok(Diff { changes, bisection, ends: Some(ends(first, second)?) })
}
