//! The folder of a study.
//!
//! `sweep.ron` and `base.ron` are copies of the sweep and its scenario, with the mesh files beside them, so that the
//! folder can be merged anywhere. `members/ab/cdef...` are the results. Every file is written beside its place and then
//! moved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::error::StudyError;
use super::member::MemberResult;
use crate::record::{WriteError, is_empty_folder, persist_file, remove_abandoned, summary_left, write_file};
use crate::scenario::limits::FILE_BYTES_MAX;
use crate::scenario::text::source::{Obstacle, read_bytes};

/// The copy of the sweep file.
pub const SWEEP_FILE: &str = "sweep.ron";

/// The copy of the base scenario.
pub(super) const BASE_FILE: &str = "base.ron";

/// The folder of the results.
const MEMBERS: &str = "members";

/// Largest file of a result, bytes: a thousand results and a long message.
const RESULT_BYTES_MAX: u64 = 1 << 20;

/// The folder of the results of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

/// The state of the file of a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stored {
    /// A result.
    Whole(MemberResult),
    /// A file that is not a valid result.
    Damaged,
    /// No file.
    Nothing,
}

/// The part by which the summary of a study, of any version, is known.
#[derive(Deserialize)]
struct OfStudy {
    #[serde(rename = "carom")]
    _carom: String,
    #[serde(rename = "sweep_hash")]
    _sweep_hash: String,
    #[serde(rename = "base_hash")]
    _base_hash: String,
}

impl Folder {
    /// The folder at `path`; nothing is changed there.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the folder for a sweep, with copies of the sweep and its scenario; existing results stay.
    ///
    /// # Errors
    /// [`StudyError::NotOurs`] if the folder contains something else, [`StudyError::Write`] when a file cannot be
    /// written.
    pub(super) fn begin(&self, sweep: &str, base: &str) -> Result<(), StudyError> {
        // The tasks of an array begin at the same moment. Whatever one of them has written after the copies, the copies
        // are there by then, so they are looked for last.
        if !self.is_free() && !self.is_begun() && !self.is_sweep() {
            return Err(StudyError::NotOurs { folder: self.path.clone() });
        }
        // The folder of the results comes first: by it the folder is known.
        make(&self.path.join(MEMBERS))?;
        self.sweep_up();
        for (name, text) in [(BASE_FILE, base), (SWEEP_FILE, sweep)] {
            let file = self.path.join(name);
            if read_bytes(&file, FILE_BYTES_MAX).ok().as_deref() != Some(text.as_bytes()) {
                write_file(&file, text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Creates the folder for the table of a merge, beside a sweep, in place of an earlier table, or alone.
    ///
    /// # Errors
    /// [`StudyError`], as for the folder of a sweep.
    #[doc(hidden)]
    pub fn begin_table(&self) -> Result<(), StudyError> {
        if !self.is_free() && !self.is_sweep() && summary_left::<OfStudy>(&self.path).is_none() {
            return Err(StudyError::NotOurs { folder: self.path.clone() });
        }
        Ok(make(&self.path)?)
    }

    /// Whether there is a sweep in the folder. A `sweep.ron` alone may be a file of the user.
    pub(crate) fn is_sweep(&self) -> bool {
        self.path.join(SWEEP_FILE).is_file() && self.path.join(MEMBERS).is_dir()
    }

    /// Whether nothing is there, or an empty folder.
    fn is_free(&self) -> bool {
        !self.path.exists() || is_empty_folder(&self.path)
    }

    /// Whether the folder has only what another process has begun to write.
    fn is_begun(&self) -> bool {
        let is_ours = |name: &str| [MEMBERS, BASE_FILE].contains(&name) || name.ends_with(".new");
        self.path.join(MEMBERS).is_dir()
            && fs::read_dir(&self.path).is_ok_and(|mut entries| {
                entries.all(|entry| entry.is_ok_and(|entry| is_ours(&entry.file_name().to_string_lossy())))
            })
    }

    /// Removes the files that killed processes have left incomplete. What cannot be removed stays.
    fn sweep_up(&self) {
        let folders = fs::read_dir(self.path.join(MEMBERS)).into_iter().flatten().flatten().map(|entry| entry.path());
        folders.chain([self.path.clone()]).for_each(|folder| remove_abandoned(&folder));
    }

    /// The state of the result of the member `key`.
    pub(super) fn stored(&self, key: &str) -> Stored {
        match read_bytes(&self.file(key), RESULT_BYTES_MAX) {
            Ok(bytes) => MemberResult::decoded(&bytes, key).map_or(Stored::Damaged, Stored::Whole),
            Err(Obstacle::Refused(error)) if error.kind() == io::ErrorKind::NotFound => Stored::Nothing,
            Err(_) => Stored::Damaged,
        }
    }

    /// Writes a result into its file.
    ///
    /// # Errors
    /// [`WriteError`] when the disk is full.
    pub(super) fn store(&self, key: &str, result: &MemberResult) -> Result<(), WriteError> {
        let file = self.file(key);
        make(file.parent().unwrap_or(&self.path))?;
        persist_file(&file, &result.encoded(key))
    }

    /// The file of the result of the member `key`. The folders keep directory listings short.
    fn file(&self, key: &str) -> PathBuf {
        let (first, rest) = key.split_at(2);
        self.path.join(MEMBERS).join(first).join(rest)
    }
}

fn make(folder: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(folder).map_err(|source| WriteError { file: folder.to_owned(), source })
}
