//! Errors of a film.

use std::io;

use miette::Diagnostic;
use thiserror::Error;

/// Why there is no film.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum FilmError {
    #[error("there is no body to be shown: none is free to move in this time, and none is named")]
    #[diagnostic(help("name some with --bodies, or show another time: --from, --until"))]
    NoBodies,
    #[error("`{body}` is not there in the time that is shown")]
    #[diagnostic(help("follow another body, or show another time: --from, --until"))]
    NotThere { body: String },
    #[error("a film needs a span of time, and it would be from {at} s until {at} s")]
    #[diagnostic(help("ask for a time after --from with --until"))]
    NoSpan { at: f64 },
    #[error("the film would have {frames:.0} frames, more than {most}")]
    #[diagnostic(help("ask for a higher --speed, a lower --fps, a weaker --slow, or a part of the run: --from, --until"))]
    TooLong { frames: f64, most: usize },
    #[error("{width} × {height} pixels have no room for title, legend and axes, which need {least} pixels of height")]
    #[diagnostic(help("ask for a larger --size, or leave words out: --title false, --clock false"))]
    TooSmall { width: usize, height: usize, least: usize },
    #[error("a GIF has at most 50 frames per second, and {fps} are asked for")]
    #[diagnostic(help("ask for --fps 50 or less, or for another format: --to apng"))]
    TooFast { fps: u32 },
    /// The film could not be written.
    #[error("cannot write the film: {0}")]
    Write(#[from] io::Error),
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}
