//! Files that are written as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;
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

/// Writes a whole small file and puts it on the disk. It is written beside its place and then moved, so that the file
/// is either complete or unchanged.
///
/// # Errors
/// [`WriteError`] when the file cannot be made or the disk is full.
pub fn write_file(file: &Path, content: &[u8]) -> Result<(), WriteError> {
    replace(file, |mut open| {
        open.write_all(content)?;
        open.sync_all()
    })
}

/// The same, but the system decides when the file goes to the disk. A power failure may damage it, so its content must
/// reveal damage.
///
/// # Errors
/// [`WriteError`], likewise.
pub fn persist_file(file: &Path, content: &[u8]) -> Result<(), WriteError> {
    replace(file, |mut open| open.write_all(content))
}

/// The file that may be written for a path that a user has named: the path itself if nothing is there or a regular file
/// that may be written, or where a link leads to. What is written is moved over it.
///
/// # Errors
/// For all else: devices, pipes, sockets, folders, write-protected files, and links that lead nowhere.
pub fn replaceable(file: &Path) -> io::Result<PathBuf> {
    let found = match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(file.to_owned()),
        found => found?,
    };
    if found.is_symlink() {
        let astray = |_| io::Error::other("it is a link that leads nowhere; name another file");
        return replaceable(&fs::canonicalize(file).map_err(astray)?);
    }
    if found.is_dir() {
        return Err(io::Error::other("it is a folder; name a file"));
    }
    if !found.is_file() {
        return Err(io::Error::other("it is a device or a pipe, not a file; name another file"));
    }
    if found.permissions().readonly() {
        return Err(io::Error::other("it is write-protected; name another file, or make it writable"));
    }
    Ok(file.to_owned())
}

/// Writes plain data as a file of JSON.
pub(crate) fn write_json(file: &Path, data: &impl Serialize) -> Result<(), WriteError> {
    match serde_json::to_vec_pretty(data) {
        Ok(json) => write_file(file, &json),
        Err(error) => Err(WriteError { file: file.to_owned(), source: error.into() }),
    }
}

/// Makes a new file beside its place, which `write` fills and closes, and moves it there.
pub(super) fn replace(file: &Path, write: impl FnOnce(File) -> io::Result<()>) -> Result<(), WriteError> {
    let failed = |source| WriteError { file: file.to_owned(), source };
    let place = replaceable(file).map_err(failed)?;
    let (making, open) = beside(&place).map_err(failed)?;
    write(open).and_then(|()| fs::rename(&making, &place)).map_err(|source| {
        // Remove the incomplete file: if the disk is full, it would keep space for nothing.
        let _ = fs::remove_file(&making);
        failed(source)
    })
}

/// A new file in the folder of `file`. Its name is short, because the name of `file` may already be as long as names
/// may be.
fn beside(file: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let making = file.with_file_name(format!(".{}.{count}.new", std::process::id()));
        match File::create_new(&making) {
            // A killed process with the same number has left this file.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            open => return open.map(|open| (making, open)),
        }
    }
}

/// Whether this is a folder with nothing in it.
#[cfg(feature = "study")]
pub(crate) fn is_empty_folder(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// How long ago a process has last written to a file that it has abandoned, s. Writing takes seconds, and the clocks of
/// two machines may differ.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// Removes the files in a folder that [`beside`] has named and that are abandoned. What cannot be removed stays.
pub(crate) fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(".new")?.split_once('.'));
        let is_ours = number.is_some_and(|(process, count)| {
            [process, count].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        });
        let age = fs::symlink_metadata(entry.path())
            .ok()
            .filter(fs::Metadata::is_file)
            .and_then(|found| found.modified().ok()?.elapsed().ok());
        if is_ours && age.is_some_and(|age| age > ABANDONED_AFTER) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes files that a scenario names into a folder, where a copy of the scenario will look for them.
///
/// # Errors
/// [`WriteError`] when a file cannot be made or the disk is full.
pub fn keep_files(files: &[MeshFile], folder: &Path) -> Result<(), WriteError> {
    for file in files {
        let place = folder.join(&file.name);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(|source| WriteError { file: parent.to_owned(), source })?;
        }
        write_file(&place, &file.bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_as_long_as_names_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("n".repeat(255));
        for content in ["first", "second"] {
            write_file(&file, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_file(&folder.path().join("missing/file"), b"").is_err());
    }

    #[test]
    fn only_what_is_ours_and_abandoned_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let rows =
            [(".12.0.new", 7200, false), (".12.1.new", 60, true), (".12.a.new", 7200, true), ("12.0.new", 7200, true)];
        for (name, age, _) in rows {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        remove_abandoned(folder.path());
        for (name, age, stays) in rows {
            assert_eq!(folder.path().join(name).exists(), stays, "{name} of {age} s ago");
        }
    }
}
