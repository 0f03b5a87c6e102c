//! Errors of a film.

use std::io;

use thiserror::Error;

/// Why there is no film.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum FilmError {
    #[error(
        "there is no body to be shown: none that is named, or none that is free to move, is there in this time; name \
         others with --bodies, or show another time with --from and --until"
    )]
    NoBodies,
    #[error("`{body}` is not there in the time that is shown; follow another body, or show another time")]
    NotThere { body: String },
    #[error("a film needs a span of time, and it would be from {at} s until {at} s; give --until a later instant")]
    NoSpan { at: f64 },
    #[error(
        "the film would have {frames:.0} frames, more than {most}; ask for a higher --speed, a lower --fps, a weaker \
         --slow, or a part of the run with --from and --until"
    )]
    TooLong { frames: f64, most: usize },
    #[error(
        "{width} × {height} pixels have no room for title, legend and axes, which need a height of {least}; ask for a \
         larger --size, or leave words out: --title false, --legend false, --clock false"
    )]
    TooSmall { width: usize, height: usize, least: usize },
    #[error("a GIF has at most 50 frames per second, and {fps} are asked for; choose --to apng for more")]
    TooFast { fps: u32 },
    #[error("mp4 and webm need an even width and height, not {width} × {height}: give --size others")]
    Odd { width: usize, height: usize },
    /// The program that encodes MP4 and WebM is missing or has failed, in words.
    #[error("{0}")]
    Encoder(String),
    /// The film could not be written.
    #[error("cannot write the film: {0}")]
    Write(#[from] io::Error),
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}
