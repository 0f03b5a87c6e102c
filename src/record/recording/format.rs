//! The content of a recording: its header, and its frames.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use super::checkpoint::Checkpoint;
use crate::motion::SimTime;
use crate::record::hash::{bytes_hash, text_hash};
use crate::scenario::{Format, MeshFile, Scenario, Source};
use crate::world::Snapshot;

/// Name of the file in a run's folder.
pub const RECORDING_FILE: &str = "recording.carom";

/// Version of the format: of the frames, and of the order, meaning and types of all fields. Only this one is read.
pub const RECORDING_SCHEMA: u32 = 17;

/// The header of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of carom that began it.
    pub carom: String,
    /// One line that says what it shows.
    pub title: String,
    /// The scenario that was run, where there was one.
    pub script: Option<Script>,
    /// How often there are hashes and snapshots.
    pub cadence: Cadence,
}

impl Header {
    /// The header of a run of a scenario.
    pub fn of(scenario: &Scenario, source: &Source) -> Self {
        let seal = |file: &MeshFile| FileSeal { name: file.name.clone(), hash: bytes_hash(&file.bytes) };
        let script = Script {
            // The name alone, so that the bytes do not depend on the folder.
            name: source.name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
            text: source.text.clone(),
            hash: text_hash(&source.text),
            timestep: scenario.timestep,
            duration: scenario.duration,
            tables: scenario.record.format,
            files: scenario.files.iter().map(seal).collect(),
        };
        let cadence = Cadence { hashes: scenario.record.hashes, snapshots: scenario.record.snapshots };
        let (carom, title) = (env!("CARGO_PKG_VERSION").to_owned(), scenario.title.clone());
        Self { carom, title, script: Some(script), cadence }
    }
}

/// A scenario as it was run: everything that is needed to run it again, except the mesh files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Script {
    /// Its name in messages.
    pub name: String,
    /// Its text as it was read.
    pub text: String,
    /// BLAKE3 of the text, as 64 hexadecimal digits.
    pub hash: String,
    /// Length of a step, s, from the text or from the command line.
    pub timestep: f64,
    /// Length of the run, s, from the text or from the command line.
    pub duration: f64,
    /// The format of tables, from the text or from the command line.
    pub tables: Format,
    /// The mesh files that the scenario names.
    pub files: Vec<FileSeal>,
}

/// A file that a scenario names, and the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSeal {
    /// Its path from the folder of the scenario.
    pub name: String,
    /// BLAKE3 of its bytes, as 64 hexadecimal digits.
    pub hash: String,
}

/// The steps at which a recording has hashes and snapshots. The first and the last step always have both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cadence {
    /// Every how many steps there is a hash of the state; at least 1.
    pub hashes: u64,
    /// Every how many steps there is a whole snapshot. `None` means at growing intervals: at the beginning, and from
    /// step 16 on four times in each doubling of their number. So a run of any length has few of them, and none is far
    /// from the one before.
    pub snapshots: Option<u64>,
}

impl Default for Cadence {
    fn default() -> Self {
        Self { hashes: 1, snapshots: None }
    }
}

impl Cadence {
    /// A hash and a whole snapshot at each step: for worlds of a few bodies.
    pub const EACH: Self = Self { hashes: 1, snapshots: Some(1) };

    /// Whether a step has a snapshot.
    pub(in crate::record) fn has_snapshot(&self, step: u64) -> bool {
        match self.snapshots {
            Some(stride) => step.is_multiple_of(stride.max(1)),
            None => step == 0 || (step >= 16 && step.is_multiple_of(1 << (u64::BITS - step.leading_zeros() - 3))),
        }
    }

    /// Whether a step has a hash, and so a frame.
    pub(in crate::record) fn has_hash(&self, step: u64) -> bool {
        step.is_multiple_of(self.hashes.max(1)) || self.has_snapshot(step)
    }
}

/// One frame of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Frame {
    Header(Header),
    Step(Step),
    /// A snapshot at the step of the previous frame.
    Snapshot(Box<Mark>),
    /// The end, at the step of the previous frame.
    End(Ending),
    /// What was done to the world after the step of the previous frames, in bytes of the program that did it.
    Deed(Vec<u8>),
}

/// The data of every step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) step: u64,
    pub(super) time: SimTime,
    pub(super) hash: Hash,
    /// The commands that were carried out since the previous frame, in words.
    pub(super) commands: Vec<String>,
}

/// The complete state of a world at a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// All of the physical state.
    pub snapshot: Snapshot,
    /// The further data that is needed to continue the run, if it can be continued from here.
    pub checkpoint: Option<Checkpoint>,
}

/// The end of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Ending {
    /// The complete state, if the previous frame does not have it: that of the step, or a later one if the run was
    /// halted within the next step.
    pub(super) mark: Option<Box<Mark>>,
    /// The error that ended the run, if there was one.
    pub(super) error: Option<String>,
}

/// The hash of a state: XXH3 with 128 bits over its snapshot in the format of `postcard`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hash([u8; 16]);

impl Hash {
    /// The hash of a snapshot; `buffer` is working memory.
    ///
    /// # Panics
    /// Never: a snapshot is plain data, which can be written.
    #[doc(hidden)]
    pub fn of(snapshot: &Snapshot, buffer: &mut Vec<u8>) -> Self {
        buffer.clear();
        let bytes = postcard::to_extend(snapshot, std::mem::take(buffer)).expect("plain data can be written");
        *buffer = bytes;
        Self(XxHash3_128::oneshot(buffer).to_be_bytes())
    }
}

impl std::fmt::Display for Hash {
    /// 32 hexadecimal digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_become_rare() {
        let cadence = Cadence::default();
        let steps: Vec<u64> = (0..=64).filter(|&step| cadence.has_snapshot(step)).collect();
        assert_eq!(steps, [0, 16, 20, 24, 28, 32, 40, 48, 56, 64]);
        assert_eq!((0..1_000_000).filter(|&step| cadence.has_snapshot(step)).count(), 65);
    }
}
