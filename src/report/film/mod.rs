//! Films of a run: pictures at instants, drawn from the exact paths as plots are.
//!
//! The view is the same in all pictures, or has one body in the middle. What does not change is drawn once. Nothing is
//! simulated here: the paths of all bodies are given ([`RunPaths`](crate::record::RunPaths)). MP4 and WebM are encoded
//! by an installed ffmpeg.

mod actor;
mod clock;
mod dial;
mod encoder;
mod error;
mod files;
mod lens;
mod page;
mod pictures;
mod play;
mod request;

pub use error::FilmError;
pub use pictures::Film;
pub use request::{FilmFormat, FilmRequest, FilmView, Slow};
#[doc(hidden)]
pub use {
    files::is_film_file,
    request::{FPS_MAX, SIDES},
};
