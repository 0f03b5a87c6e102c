//! Recordings: how the state of a world went, step by step, so that it can be checked whether it goes so again.
//!
//! A recording begins with its version and a [`Header`], and goes on with one frame per step: its number, its instant, a hash of all of the physical
//! state, the commands that were carried out. Now and then comes a whole snapshot, and at the end comes one. Every frame has its
//! length and a checksum. [`Recorder`] writes one, [`Reader`] reads it, [`Verifier`] compares a world with it.

mod differ;
mod format;
mod frame;
mod hashing;
mod reader;
mod recorder;
mod verifier;

pub use differ::{Difference, difference};
pub use format::{Cadence, FileSeal, Hash, Header, Mark, RECORDING_FILE, RECORDING_SCHEMA, Script};
pub use frame::RecordingError;
pub use reader::{Noted, Reader};
pub use recorder::Recorder;
pub(super) use verifier::divergence;
pub use verifier::{Divergence, Verifier, VerifyError};
