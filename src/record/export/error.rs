//! Errors of an export.

use miette::Diagnostic;
use thiserror::Error;

use crate::motion::SimTime;
use crate::record::files::WriteError;
use crate::record::recording::{Divergence, RecordingError};
use crate::record::replay::ReplayError;
use crate::world::RunError;

/// Why a run cannot be exported.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ExportError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Replay(#[from] ReplayError),
    /// A file could not be written.
    #[error("{error}: {}", error.source)]
    Write { error: WriteError },
    #[error("from {from} s until {until} s there is nothing: the run is from 0 s until {reached} s")]
    #[diagnostic(help("ask for instants of the run, --from before --until"))]
    NoTime { from: f64, until: f64, reached: SimTime },
    #[error("{frames:.0} frames are asked for, more than {most}")]
    #[diagnostic(help("ask for a longer --every, or for a part of the run: --from, --until"))]
    TooManyFrames { frames: f64, most: u64 },
    #[error("the paths have more than {most} beginnings, too many for one file of glTF")]
    #[diagnostic(help("ask for fewer bodies or a part of the run: --bodies, --from, --until"))]
    TooManyKeys { most: usize },
    #[error("the bodies have more than {most} paths, too many to be kept in memory")]
    #[diagnostic(help("ask for a part of the run: --from, --until"))]
    TooManyPaths { most: usize },
    #[error("none of these bodies can be in this format")]
    #[diagnostic(help(
        "a frame of XYZ has balls and boxes; name some of them with --bodies, or choose another format"
    ))]
    NoBodies,
    #[error("this format has balls only, and `{body}` is {found}")]
    #[diagnostic(help(
        "leave it out: name the balls with --bodies, such as --bodies 'gas/*'; or choose another format: --to xyz"
    ))]
    NotABall { body: String, found: &'static str },
    #[error("a snapshot of EDMD is of a space that is periodic in x, y and z, and {axes} of this one {verb} open")]
    #[diagnostic(help("choose another format: --to xyz"))]
    NotPeriodic { axes: String, verb: &'static str },
    #[error("{what} does not fit into a number of 32 bits")]
    #[diagnostic(help("choose a format whose numbers have all digits: --to xyz"))]
    NoSingle { what: String },
    #[error("run again, the scenario ends at {time} s with an error that the recorded run did not have")]
    Failed { time: SimTime, source: RunError },
    #[error("run again, the scenario does not come to the state that was recorded: {0}")]
    #[diagnostic(help(
        "carom replay shows where it differs; the recording is of another machine or of another version of carom"
    ))]
    OtherState(Box<Divergence>),
    /// The user interrupted the export.
    #[error("interrupted")]
    Interrupted,
}

impl From<WriteError> for ExportError {
    fn from(error: WriteError) -> Self {
        Self::Write { error }
    }
}

impl From<RecordingError> for ExportError {
    fn from(error: RecordingError) -> Self {
        Self::Replay(error.into())
    }
}
