//! What keeps a plot from being drawn.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::record::read::ReadError;

/// Why a plot could not be drawn.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A table of the run could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A picture could not be written.
    #[error("cannot write `{}`", file.display())]
    Write {
        /// Which file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
