//! The result of one member: its name, its content, and its file format.
//!
//! The file has a line with its format, the name of the member, its result in the format of `postcard`, and a BLAKE3
//! hash of all this. If the hash or the name does not match, the file is damaged, and counts as missing.

use serde::{Deserialize, Serialize};

use crate::record::SCHEMA;
use crate::scenario::MeshFile;
use crate::scenario::sweep_file::Collected;

/// Version of the results of members. It increases when a change of carom gives other results, so that old results are
/// not used.
pub const RESULTS_VERSION: u32 = 1;

/// The beginning of the file of a result.
const MARK: &[u8] = b"carom member 1\n";

/// Bytes of a hash.
const HASH: usize = 32;

/// How a member ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    /// The run came to its end and met the expectations of its scenario.
    Done,
    /// It came to its end, but an expectation was not met.
    Unmet,
    /// The run ended with an error.
    Failed,
    /// No world can be made with these values: bodies overlap, a region is too full, or a number is out of its range.
    Refused,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Done, Self::Unmet, Self::Failed, Self::Refused];

    /// Its word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Unmet => "unmet",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

/// The stored result of a member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberResult {
    /// How it ended.
    pub status: Status,
    /// Why it did not end well; empty if it ended well.
    pub message: String,
    /// The collected values, in the order of the sweep; `None` for a value that does not exist.
    pub values: Vec<Option<f64>>,
    /// Hash of the final state; empty if there was no final state.
    pub state_hash: String,
}

/// The name of a member, as 64 hexadecimal digits. It is the hash of all that determines its result: the text of its
/// scenario, the files that the text names, and what is collected.
pub(super) fn key(text: &str, files: &[MeshFile], collect: &[Collected]) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    add(format!("carom {} {SCHEMA} {RESULTS_VERSION}", env!("CARGO_PKG_VERSION")).as_bytes());
    add(text.as_bytes());
    let measures: Vec<String> = collect.iter().map(|collected| format!("{:?}", collected.measure)).collect();
    add(measures.join("\n").as_bytes());
    for file in files {
        add(file.name.as_bytes());
        add(&file.bytes);
    }
    hasher.finalize().to_hex().to_string()
}

impl MemberResult {
    /// The bytes of the file of the member `key`.
    ///
    /// # Panics
    /// Never: plain data can always be written.
    pub(super) fn encoded(&self, key: &str) -> Vec<u8> {
        let mut bytes = [MARK, key.as_bytes()].concat();
        bytes.extend(postcard::to_stdvec(self).expect("plain data can be written"));
        let sum = blake3::hash(&bytes);
        bytes.extend_from_slice(sum.as_bytes());
        bytes
    }

    /// The content of `bytes`, if they are complete and belong to the member `key`.
    pub(super) fn decoded(bytes: &[u8], key: &str) -> Option<Self> {
        let (content, sum) = bytes.split_at_checked(bytes.len().checked_sub(HASH)?)?;
        if blake3::hash(content).as_bytes() != sum {
            return None;
        }
        let result = content.strip_prefix(MARK)?.strip_prefix(key.as_bytes())?;
        postcard::from_bytes(result).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_result_is_guarded() {
        let key = "0".repeat(64);
        let result = MemberResult {
            status: Status::Unmet,
            message: "why".to_owned(),
            values: vec![Some(0.1), None, Some(f64::MIN_POSITIVE)],
            state_hash: "ab".to_owned(),
        };
        let bytes = result.encoded(&key);
        assert_eq!(MemberResult::decoded(&bytes, &key), Some(result.clone()));
        assert_eq!(MemberResult::decoded(&bytes, &"1".repeat(64)), None, "that of another member");
        for place in 0..bytes.len() {
            assert_eq!(MemberResult::decoded(&bytes[..place], &key), None, "cut at {place}");
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert_eq!(MemberResult::decoded(&damaged, &key), None, "bit {bit} of byte {place}");
            }
        }
    }
}
