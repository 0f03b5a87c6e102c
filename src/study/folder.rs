//! The folder of a study.
//!
//! `sweep.ron` and `base.ron` are copies of what is run, with the mesh files beside them, so that the folder can be merged
//! anywhere. `members/ab/cdef...` are the results. Everything is written beside its place and moved there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StudyError;
use super::member::MemberResult;
use crate::record::{WriteError, hand_over_file, write_file};

/// The copy of the sweep file.
pub(super) const SWEEP_FILE: &str = "sweep.ron";

/// The copy of the scenario at its base.
pub(super) const BASE_FILE: &str = "base.ron";

/// Largest file of a result, bytes: a thousand results and a long message.
const RESULT_BYTES_MAX: u64 = 1 << 20;

/// Where the results of a study are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

/// What stands in the place of a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stored {
    /// A result.
    Whole(MemberResult),
    /// Something that is none.
    Damaged,
    /// Nothing.
    Nothing,
}

impl Folder {
    /// The folder at `path`, as it is.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it for a sweep, with copies of what is run; results that are there stay.
    ///
    /// # Errors
    /// [`StudyError::NotOurs`] for a folder of something else, [`StudyError::Write`] when a file cannot be written.
    pub(super) fn begin(&self, sweep: &str, base: &str) -> Result<(), StudyError> {
        if self.path.exists() && !self.path.join(SWEEP_FILE).is_file() && !self.is_begun() {
            return Err(StudyError::NotOurs { folder: self.path.clone() });
        }
        make(&self.path)?;
        for (name, text) in [(BASE_FILE, base), (SWEEP_FILE, sweep)] {
            let file = self.path.join(name);
            if fs::read_to_string(&file).ok().as_deref() != Some(text) {
                write_file(&file, text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Whether there is nothing but what another process has begun to write there.
    fn is_begun(&self) -> bool {
        let is_ours = |name: &str| name == BASE_FILE || name.ends_with(".new");
        fs::read_dir(&self.path).is_ok_and(|mut entries| {
            entries.all(|entry| entry.is_ok_and(|entry| is_ours(&entry.file_name().to_string_lossy())))
        })
    }

    /// What stands in the place of the result of the member `key`.
    pub(super) fn stored(&self, key: &str) -> Stored {
        let file = self.file(key);
        match fs::metadata(&file) {
            Ok(found) if found.len() > RESULT_BYTES_MAX || !found.is_file() => Stored::Damaged,
            Ok(_) => match fs::read(&file) {
                Ok(bytes) => MemberResult::decoded(&bytes, key).map_or(Stored::Damaged, Stored::Whole),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Stored::Nothing,
                Err(_) => Stored::Damaged,
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stored::Nothing,
            Err(_) => Stored::Damaged,
        }
    }

    /// Puts a result in its place.
    ///
    /// # Errors
    /// [`WriteError`] when the disk is full.
    pub(super) fn store(&self, key: &str, result: &MemberResult) -> Result<(), WriteError> {
        let file = self.file(key);
        make(file.parent().unwrap_or(&self.path))?;
        hand_over_file(&file, &result.encoded(key))
    }

    /// Where the result of the member `key` stands. The folders keep lists of files short.
    fn file(&self, key: &str) -> PathBuf {
        let (first, rest) = key.split_at(2);
        self.path.join("members").join(first).join(rest)
    }
}

fn make(folder: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(folder).map_err(|source| WriteError { file: folder.to_owned(), source })
}
