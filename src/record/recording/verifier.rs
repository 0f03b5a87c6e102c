//! Comparing a world with a recording: it is called with the world after each step.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use thiserror::Error;

use super::format::Hash;
use super::readable;
use super::{Difference, Noted, Reader, RecordingError, difference};
use crate::motion::SimTime;
use crate::numeric::rounded;
use crate::world::World;

/// Significant digits of an instant in words.
const TIME_DIGITS: usize = 12;

/// Compares the states of a world with recorded ones.
pub struct Verifier {
    recording: Reader,
    step: u64,
    /// The next step that the recording has.
    next: Option<Noted>,
}

/// Why a world differs from its recording, or cannot be compared.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum VerifyError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The state differs.
    #[error("{0}")]
    Divergence(Box<Divergence>),
    /// The recording has fewer or more steps.
    #[error("the recording has {recorded} steps, the run {found}")]
    Steps { recorded: u64, found: u64 },
}

/// A step after which the state differs from the recorded one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// Its number; 0 is the beginning.
    pub step: u64,
    /// The instant of the recording.
    #[serde(serialize_with = "readable::seconds")]
    pub time: SimTime,
    /// The recorded hash of the state, or that of the first recording.
    #[serde(serialize_with = "readable::words")]
    pub recorded: Hash,
    /// The hash of the state that was found.
    #[serde(serialize_with = "readable::words")]
    pub found: Hash,
    /// The first number that differs; `None` where the recording has no snapshot at this step.
    pub difference: Option<Difference>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, time, recorded, found, difference } = self;
        let time = rounded(time.seconds(), TIME_DIGITS);
        write!(f, "the state after step {step}, at {time} s, is not the recorded one: ")?;
        match difference {
            Some(difference) => write!(f, "{difference}"),
            None => write!(f, "its hash was {recorded} and is {found}; the recording has no snapshot at this step"),
        }
    }
}

impl Verifier {
    /// Begins to compare with a recording; `world` must be in its first state.
    ///
    /// # Errors
    /// [`VerifyError`] when the recording cannot be read, or the state differs.
    pub fn open(file: &Path, world: &World) -> Result<Self, VerifyError> {
        let mut recording = Reader::open(file)?;
        let next = recording.next_step()?;
        let mut verifier = Self { recording, step: 0, next };
        verifier.compare(world)?;
        Ok(verifier)
    }

    /// Compares the state after a step; to be called after each step. If it differs at a step without a snapshot, the
    /// first number that differs is reported at the next step that has one.
    ///
    /// # Errors
    /// [`VerifyError`] when the state differs, or the recording is over or damaged.
    pub fn note(&mut self, world: &World) -> Result<(), VerifyError> {
        self.step += 1;
        if self.next.is_none() {
            self.next = self.recording.next_step()?;
        }
        self.compare(world)
    }

    /// Ends the comparison when the run is over.
    ///
    /// # Errors
    /// [`VerifyError`] when the recording has more steps, or is damaged.
    pub fn finish(mut self) -> Result<(), VerifyError> {
        let mut last = self.next.map(|noted| noted.step);
        while let Some(noted) = self.recording.next_step()? {
            last = Some(noted.step);
        }
        match last {
            Some(recorded) => Err(VerifyError::Steps { recorded, found: self.step }),
            None => Ok(()),
        }
    }

    fn compare(&mut self, world: &World) -> Result<(), VerifyError> {
        let found = self.step;
        let Some(noted) = self.next.take() else { return Err(VerifyError::Steps { recorded: found - 1, found }) };
        if noted.step > found {
            self.next = Some(noted);
            return Ok(());
        }
        match divergence(&noted, world) {
            Some(divergence) => Err(VerifyError::Divergence(Box::new(divergence))),
            None => Ok(()),
        }
    }
}

/// The difference between `world` and a recorded step.
pub(in crate::record) fn divergence(noted: &Noted, world: &World) -> Option<Divergence> {
    let snapshot = world.snapshot();
    let found = Hash::of(&snapshot, &mut Vec::new());
    if found == noted.hash {
        return None;
    }
    let name = |id| world.name(id).to_owned();
    let difference = noted.mark.as_ref().and_then(|mark| difference(&mark.snapshot, &snapshot, name));
    Some(Divergence { step: noted.step, time: noted.time, recorded: noted.hash, found, difference })
}
