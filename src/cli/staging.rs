//! The folder in which results are made before they are moved to their place.
//!
//! A run writes into a folder beside its own, `.NAME.partial`. When everything is on the disk, the folder is moved into
//! place. So a run that is killed, or that finds the disk full, leaves earlier results unchanged, and no incomplete
//! file under a name that could be taken for a result. Such a run can be continued from that folder, and no other run
//! of that name removes it without `--restart`. Only one process at a time writes there: it holds the lock on a file in
//! it.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::exit;
use crate::record::recording::RECORDING_FILE;
use crate::record::tables::SCENARIO_FILE;
use crate::record::{SUMMARY_FILE, file_names, holds_run, is_empty_folder, tables_left, tables_of};
use crate::report;
use crate::scenario::plot::style::PictureFormat;
use crate::scenario::{Format, Source, parse};

/// Why results cannot be moved to their place.
#[derive(Debug, Error, Diagnostic)]
pub enum StagingError {
    /// The system refuses.
    #[error("cannot {action} {}: {error}", path.display())]
    #[diagnostic(help(
        "check that the folder exists and is no mount point, that you may write to it, and that the disk has room"
    ))]
    Io {
        /// The action that failed.
        action: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    /// Something else is in the way.
    #[error("{} is in the way and was not written by carom", path.display())]
    #[diagnostic(help("move it away, or choose another folder with --output"))]
    NotOurs { path: PathBuf },
    /// Another process is writing there.
    #[error("another run is writing {} now", path.display())]
    #[diagnostic(help("wait for it to end, or choose another folder with --output"))]
    Busy { path: PathBuf },
    /// The results of an interrupted run are still there.
    #[error("an earlier run was interrupted before it could put its results in {}", path.display())]
    #[diagnostic(help("{}", ways_on(path, *tables)))]
    Interrupted {
        path: PathBuf,
        /// The format of its tables, if this version of carom can read its scenario.
        tables: Option<Format>,
    },
    /// There is nothing to continue.
    #[error("there is neither a run in {} nor an interrupted one beside it", path.display())]
    #[diagnostic(help("name the folder of a run, such as output/newtons_cradle"))]
    NothingThere { path: PathBuf },
}

/// The page of a run, in its folder.
pub(super) const REPORT_FILE: &str = "report.html";

/// A file in the folder in the making, locked by the process that writes there.
const LOCK_FILE: &str = ".lock";

/// The ending of the name of the folder in the making.
const PARTIAL: &str = ".partial";

/// A folder in which results are made.
pub struct Staging {
    making: PathBuf,
    place: PathBuf,
    /// Locked as long as it is open.
    lock: Option<File>,
    /// Whether all results in it were made by this process, so that they may be removed if the run fails. Results of an
    /// earlier run may not, nor, from the delivery on, the files that the user has put beside earlier results.
    is_own: bool,
}

impl Staging {
    /// Begins results with such tables, which will stand at `parent`/`name`. The results of an interrupted run are an
    /// error, or are removed on a restart.
    ///
    /// # Errors
    /// [`StagingError`] when something else is there, another process writes there, or the system refuses.
    pub fn open(parent: &Path, name: &str, is_restart: bool, tables: Format) -> Result<Self, StagingError> {
        fs::create_dir_all(parent).map_err(failed("create the folder", parent))?;
        let place = followed(parent.join(name))?;
        recover(&place)?;
        if place.exists() && !is_ours(&place) {
            return Err(StagingError::NotOurs { path: place });
        }
        if let Some(path) = table_of_user(&place, tables) {
            return Err(StagingError::NotOurs { path });
        }
        let mut staging = Self::claim(place)?;
        if !is_restart && has_recording(&staging.making) {
            let tables = tables_of(&staging.making);
            return Err(StagingError::Interrupted { path: staging.place.clone(), tables });
        }
        staging.clear()?;
        Ok(staging)
    }

    /// Continues the interrupted run beside `place`, or else the finished run at `place`, which [`fill`](Self::fill)
    /// copies.
    pub(super) fn reopen(place: &Path) -> Result<Self, StagingError> {
        // `.` has no file name; its absolute path has one.
        let named = if place.file_name().is_some() { None } else { fs::canonicalize(place).ok() };
        let place = followed(made_in(&named.unwrap_or_else(|| place.to_owned())))?;
        recover(&place)?;
        let making = making(&place);
        if !has_recording(&making) && !has_recording(&place) {
            return Err(StagingError::NothingThere { path: place });
        }
        let is_own = !making.exists();
        let mut staging = Self::claim(place)?;
        staging.is_own = is_own;
        Ok(staging)
    }

    /// The name of the run, which is the name of the folder of its results.
    pub(super) fn name(&self) -> String {
        self.place.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The folder of the run that is continued.
    pub(super) fn origin(&self) -> &Path {
        if self.is_interrupted() { &self.making } else { &self.place }
    }

    /// Copies the finished run that is continued. The recording is copied last, so that an incomplete copy is not taken
    /// for an interrupted run. In the folder of an interrupted run, only the files that it had begun to write are
    /// removed.
    pub(super) fn fill(&mut self) -> Result<(), StagingError> {
        if self.is_interrupted() {
            return remove(&self.making, is_begun).map_err(failed("write to", &self.making));
        }
        self.clear()?;
        // The page would not be that of the longer run.
        let others = [RECORDING_FILE, LOCK_FILE, REPORT_FILE].map(|name| self.place.join(name));
        let copied = copy(&self.place, &self.making, &|path| others.iter().all(|other| path != other))
            .and_then(|()| copy_file(&others[0], &self.making.join(RECORDING_FILE)));
        copied.map_err(failed("copy", &self.place))
    }

    /// Removes the files of carom. After that all results are of this process.
    fn clear(&mut self) -> Result<(), StagingError> {
        remove(&self.making, is_result).map_err(failed("write to", &self.making))?;
        self.is_own = true;
        Ok(())
    }

    fn is_interrupted(&self) -> bool {
        has_recording(&self.making)
    }

    /// Makes the folder if it is not there, and locks it.
    fn claim(place: PathBuf) -> Result<Self, StagingError> {
        let making = making(&place);
        let lock_file = making.join(LOCK_FILE);
        // A link would lead to another folder. A run that is moved to its place has a recording and no lock.
        let is_ours = |found: fs::Metadata| {
            let has_parts = [&lock_file, &making.join(RECORDING_FILE)].map(|part| fs::symlink_metadata(part).is_ok());
            found.is_dir() && (has_parts != [false; 2] || is_empty_folder(&making))
        };
        if fs::symlink_metadata(&making).is_ok_and(|found| !is_ours(found)) {
            return Err(StagingError::NotOurs { path: making });
        }
        fs::create_dir_all(&making).map_err(failed("write to", &making))?;
        // Opening a pipe would wait for its other end, and a link may lead to a file of the user.
        if fs::symlink_metadata(&lock_file).is_ok_and(|found| !found.is_file()) {
            return Err(StagingError::NotOurs { path: lock_file });
        }
        let lock = File::options().write(true).create(true).truncate(false).open(lock_file);
        let lock = lock.map_err(failed("write to", &making))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { making, place, lock: Some(lock), is_own: false }),
            Err(TryLockError::WouldBlock) => Err(StagingError::Busy { path: place }),
            Err(TryLockError::Error(error)) => Err(StagingError::Io { action: "lock", path: making, error }),
        }
    }

    /// The place of the results, if the run can be continued.
    pub(super) fn resumable(&self) -> Option<&Path> {
        holds_run(&self.making).then_some(&*self.place)
    }

    /// The folder to write into.
    pub fn folder(&self) -> &Path {
        &self.making
    }

    /// Moves everything into place, and returns the place.
    ///
    /// Files in the earlier folder that are not from carom are kept. A warning tells what of it cannot be removed.
    ///
    /// # Errors
    /// [`StagingError`] when the system refuses; the earlier results are then unchanged.
    pub fn deliver(&mut self) -> Result<PathBuf, StagingError> {
        let place = self.place.clone();
        let failed = |error| StagingError::Io { action: "move the results to", path: place.clone(), error };
        self.is_own = false;
        self.lock = None;
        fs::remove_file(self.making.join(LOCK_FILE)).map_err(failed)?;
        let aside = aside(&place);
        let replaces = place.exists();
        if replaces {
            carry_over(&place, &self.making, &files_left(&place)).map_err(failed)?;
            fs::rename(&place, &aside).map_err(failed)?;
        }
        if let Err(error) = fs::rename(&self.making, &place) {
            // Keep the old results if the new ones cannot be moved.
            let _ = if replaces { fs::rename(&aside, &place) } else { Ok(()) };
            return Err(failed(error));
        }
        if let Err(error) = recover(&place) {
            let error = exit::with_causes(&error);
            exit::warn(&format!("the results are in {}, but the next run is refused: {error}", exit::path(&place)));
        }
        Ok(place)
    }
}

impl Drop for Staging {
    /// A run that did not even begin leaves nothing behind, and removes nothing that it did not make. An error here
    /// cannot be shown.
    fn drop(&mut self) {
        if self.is_own && !holds_run(&self.making) {
            let _ = fs::remove_dir_all(&self.making);
        }
    }
}

/// The ways to continue after an interrupted run with tables of this format.
fn ways_on(place: &Path, tables: Option<Format>) -> String {
    let place = exit::word(place);
    let anew = "--restart begins anew and throws away what there is of it";
    match tables {
        Some(Format::Csv) => format!("to go on with it:\ncarom run --resume {place}\n{anew}"),
        Some(Format::Parquet) => format!("Parquet tables cannot be continued: {anew}"),
        None => format!("this carom cannot tell what it was a run of: {anew}"),
    }
}

/// Whether a run that has not come to its end is in a folder, or beside it where its results would stand.
pub(super) fn holds_unfinished(place: &Path) -> bool {
    has_recording(place) || has_recording(&making(place))
}

/// Whether a run has left a recording in a folder. An empty recording does not count: it has nothing to lose.
fn has_recording(folder: &Path) -> bool {
    fs::metadata(folder.join(RECORDING_FILE)).is_ok_and(|found| found.is_file() && found.len() > 0)
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StagingError {
    let path = path.to_owned();
    move |error| StagingError::Io { action, path, error }
}

/// The folder in which results are made.
fn making(place: &Path) -> PathBuf {
    beside(place, PARTIAL)
}

/// The place of the results that are made in a folder, or the folder itself.
fn made_in(folder: &Path) -> PathBuf {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_prefix('.').and_then(|name| name.strip_suffix(PARTIAL));
    name.map_or_else(|| folder.to_owned(), |name| folder.with_file_name(name))
}

/// Where a link leads to, so that results come to the folder that the user has chosen for them.
fn followed(place: PathBuf) -> Result<PathBuf, StagingError> {
    if fs::symlink_metadata(&place).is_ok_and(|found| found.is_symlink()) {
        return fs::canonicalize(&place).map_err(failed("follow the link", &place));
    }
    Ok(place)
}

/// The place of the earlier results while the new ones are moved.
fn aside(place: &Path) -> PathBuf {
    beside(place, ".previous")
}

fn beside(place: &Path, ending: &str) -> PathBuf {
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    place.with_file_name(format!(".{name}{ending}"))
}

/// Removes the files and links of a folder that have `unwanted` names.
fn remove(folder: &Path, unwanted: fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if unwanted(&entry.file_name().to_string_lossy()) && !entry.path().is_dir() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Copies the `wanted` files of a folder and of the folders in it. Files of an earlier incomplete copy are replaced.
/// Anything that is not a file, such as a pipe, is left out.
fn copy(from: &Path, to: &Path, wanted: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (path, target) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&path, &target, wanted)?;
        } else if path.is_file() && wanted(&path) {
            copy_file(&path, &target)?;
        }
    }
    Ok(())
}

/// Copies a file completely or not at all. A link at its place is replaced, not followed.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new(""));
    let making = tempfile::Builder::new().prefix(".").suffix(".new").tempfile_in(folder)?;
    fs::copy(from, &making)?;
    making.persist(to)?;
    Ok(())
}

/// Moves earlier results back that a killed run had moved aside, or removes them if there are new ones.
fn recover(place: &Path) -> Result<(), StagingError> {
    let aside = aside(place);
    match (aside.exists(), place.exists()) {
        (true, false) => fs::rename(&aside, place).map_err(failed("put back", place)),
        (true, true) => fs::remove_dir_all(&aside).map_err(failed("remove the earlier results in", &aside)),
        (false, _) => Ok(()),
    }
}

/// Whether a folder has a run of carom, or nothing.
fn is_ours(place: &Path) -> bool {
    tables_left(place).is_some() || is_empty_folder(place)
}

/// A file of the user that has the name of a table in the format of a new run.
fn table_of_user(place: &Path, tables: Format) -> Option<PathBuf> {
    let left = tables_left(place)?;
    let names = file_names(tables).filter(|name| !left.contains(name));
    names.map(|name| place.join(name)).find(|file| file.exists())
}

/// The names of the files of the run in a folder: what its summary lists, and the pictures that its scenario names.
fn files_left(place: &Path) -> BTreeSet<String> {
    let fixed = [SUMMARY_FILE, SCENARIO_FILE, RECORDING_FILE].map(str::to_owned);
    let page = report::page::is_page(&place.join(REPORT_FILE)).then(|| REPORT_FILE.to_owned());
    let scenario = Source::read(place.join(SCENARIO_FILE)).ok().and_then(|source| parse(&source).ok());
    let stems = scenario.map_or_else(Vec::new, |parsed| report::stems(&parsed.scenario));
    let pictures = stems.iter().flat_map(|stem| PictureFormat::ALL.map(|format| format!("{stem}.{}", format.ending())));
    fixed.into_iter().chain(page).chain(tables_left(place).unwrap_or_default()).chain(pictures).collect()
}

/// Moves what is not among the files `left` from the earlier results to the new ones, also within folders that both
/// have.
fn carry_over(from: &Path, to: &Path, left: &BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if target.is_dir() && entry.path().is_dir() {
            carry_over(&entry.path(), &target, &BTreeSet::new())?;
        } else if !left.contains(&*entry.file_name().to_string_lossy()) && fs::symlink_metadata(&target).is_err() {
            fs::rename(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Whether carom writes files of this name into the folder in which it makes results.
fn is_result(name: &str) -> bool {
    let pictures = PictureFormat::ALL.map(PictureFormat::ending);
    name.rsplit_once('.').is_some_and(|(_, it)| pictures.contains(&it) || ["csv", "parquet", "carom"].contains(&it))
        || is_begun(name)
        || [SUMMARY_FILE, REPORT_FILE].contains(&name)
        || name == SCENARIO_FILE
}

/// Whether carom gives a file this name until it is complete.
fn is_begun(name: &str) -> bool {
    name.ends_with(".new")
}
