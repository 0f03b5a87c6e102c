//! Errors of drawing a plot.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::record::read::ReadError;

/// Why a plot could not be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
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
    /// A PNG would have more pixels than the limit.
    #[error("it would have {pixels} pixels, more than the {pixels_max} allowed; ask for a lower dpi or a smaller size")]
    TooLarge {
        /// How many pixels it would have.
        pixels: u64,
        /// How many it may have.
        pixels_max: u64,
    },
    /// Drawing has ended in a panic.
    #[error("drawing it ended in a panic, which is a fault of carom")]
    Panicked,
}
