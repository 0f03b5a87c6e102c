//! Files that are written as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::scenario::MeshFile;

/// A file that could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}", file.display())]
pub struct WriteError {
    /// Which.
    pub file: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Writes a whole small file and puts it on the disk: first beside its place, so that it is there whole or as it was.
///
/// # Errors
/// [`WriteError`] when the file cannot be made or the disk is full.
pub fn write_file(file: &Path, content: &[u8]) -> Result<(), WriteError> {
    let mut making = file.as_os_str().to_owned();
    making.push(".new");
    let written = File::create(&making).and_then(|mut open| {
        open.write_all(content)?;
        open.sync_all()
    });
    written.and_then(|()| fs::rename(&making, file)).map_err(|source| {
        // A disk that is full has no room for half a file, either.
        let _ = fs::remove_file(&making);
        WriteError { file: file.to_owned(), source }
    })
}

/// Writes a file that the scenario names to where the copy of the scenario will look for it.
pub(crate) fn keep(file: &MeshFile, folder: &Path) -> Result<(), WriteError> {
    let place = folder.join(&file.name);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(|source| WriteError { file: parent.to_owned(), source })?;
    }
    write_file(&place, &file.bytes)
}
