//! Where results are made before they are put in their place.
//!
//! A run writes into a folder beside its own; when everything is on the disk the folder is moved into place. So a
//! run that is killed, or that finds the disk full, leaves earlier results as they were, and nothing half-written under a
//! name that could be taken for a result.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use tempfile::TempDir;
use thiserror::Error;

use crate::record::SUMMARY_FILE;

/// Results that cannot be put in their place.
#[derive(Debug, Error, Diagnostic)]
pub(super) enum OutboxError {
    /// The system refuses.
    #[error("cannot {action} {}: {source}", path.display())]
    #[diagnostic(help("check that the folder exists, that you may write to it, and that the disk has room"))]
    Io {
        /// What was tried.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// Something else is in the way.
    #[error("{} is in the way and was not written by carom", path.display())]
    #[diagnostic(help("move it away, or choose another folder with --output"))]
    NotOurs { path: PathBuf },
}

/// A folder in the making.
pub(super) struct Outbox {
    making: TempDir,
    place: PathBuf,
}

impl Outbox {
    /// Begins results that will stand at `parent`/`name`.
    pub(super) fn open(parent: &Path, name: &str) -> Result<Self, OutboxError> {
        let place = parent.join(name);
        let failed = |action, path: &Path| {
            let path = path.to_owned();
            move |source| OutboxError::Io { action, path, source }
        };
        fs::create_dir_all(parent).map_err(failed("create the folder", parent))?;
        recover(&place).map_err(failed("put back", &place))?;
        if place.exists() && !is_ours(&place) {
            return Err(OutboxError::NotOurs { path: place });
        }
        let prefix = format!(".{name}.");
        let making = tempfile::Builder::new().prefix(&prefix).suffix(".partial").tempdir_in(parent);
        Ok(Self { making: making.map_err(failed("write to", parent))?, place })
    }

    /// Where to write.
    pub(super) fn folder(&self) -> &Path {
        self.making.path()
    }

    /// Moves everything into place, and says where that is.
    ///
    /// Files in the earlier folder that carom did not write are carried over.
    pub(super) fn deliver(self) -> Result<PathBuf, OutboxError> {
        let place = self.place;
        let failed = |source| OutboxError::Io { action: "move the results to", path: place.clone(), source };
        open_to_all(self.making.path()).map_err(failed)?;
        let aside = aside(&place);
        let replaces = place.exists();
        if replaces {
            carry_over(&place, self.making.path()).map_err(failed)?;
            fs::rename(&place, &aside).map_err(failed)?;
        }
        if let Err(source) = fs::rename(self.making.path(), &place) {
            // Rather the old results than none.
            let _ = if replaces { fs::rename(&aside, &place) } else { Ok(()) };
            return Err(failed(source));
        }
        // It is in its place; nothing is left to clean up.
        let _ = self.making.keep();
        if replaces {
            fs::remove_dir_all(&aside).map_err(failed)?;
        }
        Ok(place)
    }
}

/// Where the earlier results stand for the instant in which the new ones are moved.
fn aside(place: &Path) -> PathBuf {
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    place.with_file_name(format!(".{name}.previous"))
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
    name.rsplit_once('.').is_some_and(|(_, ending)| ["csv", "parquet", "svg", "png"].contains(&ending))
        || name == SUMMARY_FILE
        || name == crate::record::tables::SCENARIO_FILE
}

/// A temporary folder is closed to everyone else; results are as open as any folder.
#[cfg(unix)]
fn open_to_all(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) -> io::Result<()> {
    Ok(())
}
