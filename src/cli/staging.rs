//! Where results are made before they are put in their place.
//!
//! A run writes into a folder beside its own, `.NAME.partial`; when everything is on the disk the folder is moved into place. So a
//! run that is killed, or that finds the disk full, leaves earlier results as they were, and nothing half-written under a
//! name that could be taken for a result. What it leaves in that folder can be continued, and no other run of that name
//! takes it away unless it is told to. One process at a time writes there: it holds the lock on a file in it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::record::recording::RECORDING_FILE;
use crate::record::{SUMMARY_FILE, holds_run};

/// Results that cannot be put in their place.
#[derive(Debug, Error, Diagnostic)]
pub(super) enum StagingError {
    /// The system refuses.
    #[error("cannot {action} {}: {error}", path.display())]
    #[diagnostic(help("check that the folder exists, that you may write to it, and that the disk has room"))]
    Io {
        /// What was tried.
        action: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    /// Something else is in the way.
    #[error("{} is in the way and was not written by carom", path.display())]
    #[diagnostic(help("move it away, or choose another folder with --output"))]
    NotOurs { path: PathBuf },
    /// Another process is at it.
    #[error("another run is writing {} just now", path.display())]
    #[diagnostic(help("wait for it to end, or choose another folder with --output"))]
    Busy { path: PathBuf },
    /// What an earlier run has left can still be continued.
    #[error("an earlier run was interrupted before it could put its results in {}", path.display())]
    #[diagnostic(help(
        "carom run --resume {}\ngoes on with it; --restart begins anew and throws away what there is of it", path.display()
    ))]
    Interrupted { path: PathBuf },
    /// Nothing to go on with.
    #[error("there is neither a run in {} nor an interrupted one beside it", path.display())]
    #[diagnostic(help("name the folder of a run, such as output/newtons_cradle"))]
    NothingThere { path: PathBuf },
}

/// A file in the folder in the making, locked by the process that writes there.
const LOCK_FILE: &str = ".lock";

/// A folder in the making.
pub(super) struct Staging {
    making: PathBuf,
    place: PathBuf,
    /// Locked as long as it is open.
    lock: Option<File>,
    /// Whether the folder may have what the user has put beside earlier results.
    is_shared: bool,
}

impl Staging {
    /// Begins results that will stand at `parent`/`name`. What an interrupted run has left is refused, or goes on a restart.
    pub(super) fn open(parent: &Path, name: &str, is_restart: bool) -> Result<Self, StagingError> {
        let place = parent.join(name);
        fs::create_dir_all(parent).map_err(failed("create the folder", parent))?;
        recover(&place).map_err(failed("put back", &place))?;
        if place.exists() && !is_ours(&place) {
            return Err(StagingError::NotOurs { path: place });
        }
        let staging = Self::claim(place)?;
        if !is_restart && holds_run(&staging.making) {
            return Err(StagingError::Interrupted { path: staging.place.clone() });
        }
        clear(&staging.making).map_err(failed("write to", &staging.making))?;
        Ok(staging)
    }

    /// Goes on with what an interrupted run has left beside `place`, or else with the finished run at `place`, of which
    /// [`fill`](Self::fill) makes a copy.
    pub(super) fn reopen(place: &Path) -> Result<Self, StagingError> {
        // What has no name of its own, as `.` has none, has one from the top.
        let named = if place.file_name().is_some() { None } else { fs::canonicalize(place).ok() };
        let place = named.unwrap_or_else(|| place.to_owned());
        recover(&place).map_err(failed("put back", &place))?;
        let is_interrupted = making(&place).join(RECORDING_FILE).is_file();
        if !is_interrupted && !place.join(RECORDING_FILE).is_file() {
            return Err(StagingError::NothingThere { path: place });
        }
        Self::claim(place)
    }

    /// Where the run is that is continued.
    pub(super) fn origin(&self) -> &Path {
        if self.is_interrupted() { &self.making } else { &self.place }
    }

    /// Copies the finished run that is continued.
    pub(super) fn fill(&self) -> Result<(), StagingError> {
        if self.is_interrupted() {
            return Ok(());
        }
        clear(&self.making).map_err(failed("write to", &self.making))?;
        copy(&self.place, &self.making).map_err(failed("copy", &self.place))
    }

    fn is_interrupted(&self) -> bool {
        self.making.join(RECORDING_FILE).is_file()
    }

    /// Makes the folder if it is not there, and locks it.
    fn claim(place: PathBuf) -> Result<Self, StagingError> {
        let making = making(&place);
        // A link would lead to another folder than that of the results.
        if fs::symlink_metadata(&making).is_ok_and(|found| !found.is_dir()) {
            return Err(StagingError::NotOurs { path: making });
        }
        fs::create_dir_all(&making).map_err(failed("write to", &making))?;
        let lock_file = making.join(LOCK_FILE);
        if lock_file.exists() && !lock_file.is_file() {
            // Opening a pipe would wait for its other end.
            return Err(StagingError::NotOurs { path: lock_file });
        }
        let lock = File::create(lock_file).map_err(failed("write to", &making))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { making, place, lock: Some(lock), is_shared: false }),
            Err(TryLockError::WouldBlock) => Err(StagingError::Busy { path: place }),
            Err(TryLockError::Error(error)) => Err(StagingError::Io { action: "lock", path: making, error }),
        }
    }

    /// Where the results will stand, if what there is by now can be continued.
    pub(super) fn resumable(&self) -> Option<&Path> {
        holds_run(&self.making).then_some(&*self.place)
    }

    /// Where to write.
    pub(super) fn folder(&self) -> &Path {
        &self.making
    }

    /// Moves everything into place, and says where that is.
    ///
    /// Files in the earlier folder that carom did not write are carried over.
    pub(super) fn deliver(mut self) -> Result<PathBuf, StagingError> {
        let place = self.place.clone();
        let failed = |error| StagingError::Io { action: "move the results to", path: place.clone(), error };
        self.is_shared = true;
        self.lock = None;
        fs::remove_file(self.making.join(LOCK_FILE)).map_err(failed)?;
        let aside = aside(&place);
        let replaces = place.exists();
        if replaces {
            carry_over(&place, &self.making).map_err(failed)?;
            fs::rename(&place, &aside).map_err(failed)?;
        }
        if let Err(error) = fs::rename(&self.making, &place) {
            // Rather the old results than none.
            let _ = if replaces { fs::rename(&aside, &place) } else { Ok(()) };
            return Err(failed(error));
        }
        if replaces {
            fs::remove_dir_all(&aside).map_err(failed)?;
        }
        Ok(place)
    }
}

impl Drop for Staging {
    /// A run that did not even begin leaves nothing behind; an error here has no place to be shown.
    fn drop(&mut self) {
        if !self.is_shared && !holds_run(&self.making) {
            let _ = fs::remove_dir_all(&self.making);
        }
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StagingError {
    let path = path.to_owned();
    move |error| StagingError::Io { action, path, error }
}

/// Where results are made.
fn making(place: &Path) -> PathBuf {
    beside(place, "partial")
}

/// Where the earlier results stand for the instant in which the new ones are moved.
fn aside(place: &Path) -> PathBuf {
    beside(place, "previous")
}

fn beside(place: &Path, ending: &str) -> PathBuf {
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    place.with_file_name(format!(".{name}.{ending}"))
}

/// Takes out of a folder what carom has written.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_result(&entry.file_name().to_string_lossy()) && !entry.path().is_dir() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Copies what carom has written, with the files that the scenario names, and nothing that is in the folder already.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (path, target) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&path, &target)?;
        } else if !target.exists() {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Puts earlier results back that a killed run had just moved aside.
fn recover(place: &Path) -> io::Result<()> {
    let aside = aside(place);
    match (aside.exists(), place.exists()) {
        (true, false) => fs::rename(aside, place),
        (true, true) => fs::remove_dir_all(aside),
        (false, _) => Ok(()),
    }
}

fn is_ours(place: &Path) -> bool {
    place.is_dir()
        && (place.join(SUMMARY_FILE).is_file() || fs::read_dir(place).is_ok_and(|mut it| it.next().is_none()))
}

/// Moves what the user has put beside the earlier results to the new ones, also in folders that both have.
fn carry_over(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if target.is_dir() && entry.path().is_dir() {
            carry_over(&entry.path(), &target)?;
        } else if !is_result(&entry.file_name().to_string_lossy()) && !target.exists() {
            fs::rename(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Whether carom writes files of this name.
fn is_result(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ["csv", "parquet", "svg", "png", "carom", "new"].contains(&ending))
        || name == SUMMARY_FILE
        || name == crate::record::tables::SCENARIO_FILE
}
