//! Errors of a study.

use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

use crate::record::WriteError;
use crate::scenario::{Problems, ReadError, SettingError};

/// A study that cannot be run or merged.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum StudyError {
    /// The sweep file or the scenario cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreadable(#[from] ReadError),
    /// The sweep file has errors, or the scenario with the values of the first member has.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Wrong(#[from] Problems),
    /// The system cannot read the base scenario.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Base(Problems),
    /// A path leads nowhere.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Setting(#[from] SettingError),
    /// A result cannot be written.
    #[error("{error}: {}", error.source)]
    #[diagnostic(help("what there is of the sweep is kept; make room, and run the same command again to go on"))]
    Write {
        /// The file, and the reason.
        error: WriteError,
    },
    /// The system starts no more threads.
    #[error("cannot start {jobs} threads: {error}")]
    #[diagnostic(help("give a smaller --jobs"))]
    Threads {
        /// How many were to be started.
        jobs: usize,
        /// What the system said.
        error: String,
    },
    /// The folder contains something else.
    #[error("{} is in the way and was not written by a sweep", folder.display())]
    #[diagnostic(help("move it away, or choose another folder with --output"))]
    NotOurs {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no sweep in the folder.
    #[error("there is no sweep in {}", folder.display())]
    #[diagnostic(help("name the folder that `carom sweep FILE --output` wrote"))]
    NothingThere {
        /// The folder.
        folder: PathBuf,
    },
    /// Two folders have different sweeps.
    #[error("{} and {} are of different sweeps", first.display(), second.display())]
    #[diagnostic(help("merge only folders of one sweep file and one scenario"))]
    Different {
        /// The one folder.
        first: PathBuf,
        /// The other folder.
        second: PathBuf,
    },
}

impl From<WriteError> for StudyError {
    fn from(error: WriteError) -> Self {
        Self::Write { error }
    }
}
