//! Recordings of the state of a world, step by step, to check whether a run gives the same states again.
//!
//! A recording begins with its version and a [`Header`]. Then it has one frame per step: its number, its instant, a
//! hash of the whole physical state, and the commands that were carried out. Some steps also have a whole snapshot, and
//! the last one always has. Every frame has its length and a checksum. [`Recorder`] writes a recording, [`Reader`]
//! reads it, [`Verifier`] compares a world with it.

mod changed;
pub(super) mod checkpoint;
mod differ;
mod format;
mod frame;
mod hashing;
pub(super) mod readable;
mod reader;
mod recorder;
mod verifier;

pub use changed::changed;
pub use differ::{Difference, difference};
pub use format::{Cadence, FileSeal, Hash, Header, Mark, RECORDING_FILE, RECORDING_SCHEMA, Script};
pub use frame::RecordingError;
pub use reader::{Noted, Reader};
pub use recorder::Recorder;
pub(super) use verifier::divergence;
pub use verifier::{Divergence, Verifier, VerifyError};
