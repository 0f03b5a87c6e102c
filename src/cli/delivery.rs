//! Files and folders that are made beside their place and moved there as a whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{Exit, bad, failed, path, word};
use crate::record::replaceable;

/// The name of the folder of a run with this ending, in the present folder.
pub(super) fn named_after(folder: &Path, ending: &str) -> PathBuf {
    let absolute = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = absolute.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned());
    PathBuf::from(format!("{name}{ending}"))
}

/// Endings of what runs are made of.
const OF_RUNS: [&str; 4] = ["ron", "carom", "csv", "parquet"];

/// The place of a file, or of a folder whose files have the names in `is_ours`, where a link leads to: the `named` one,
/// or `otherwise`. One where something else exists is refused; a file is replaced only if it was named, and has not the
/// name of a part of a run. `kind` is what the thing is called.
pub(super) fn checked(
    named: Option<&Path>,
    otherwise: PathBuf,
    kind: &str,
    is_ours: Option<fn(&str) -> bool>,
) -> Result<PathBuf, Exit> {
    let place = named.map_or(otherwise, Path::to_owned);
    let shown = path(&place);
    if place.file_name().is_none() || place == Path::new("-") {
        return Err(bad(&format!("{shown} is no name of {kind}: give --output a new name")));
    }
    let unwritten = |error: io::Error| failed(&format!("cannot write {shown}: {error}"));
    let Some(is_ours) = is_ours else {
        if named.is_none() && fs::symlink_metadata(&place).is_ok() {
            let advice = format!("name it with --output {} to replace it, or name another file", word(&place));
            return Err(failed(&format!("{shown} is there already: {advice}")));
        }
        if place.extension().is_some_and(|ending| OF_RUNS.iter().any(|of_run| ending == *of_run)) {
            let advice = "give --output a name with another ending";
            return Err(bad(&format!("{shown} has the ending of a scenario or of the files of a run: {advice}")));
        }
        return replaceable(&place).map_err(unwritten);
    };
    let all_ours = || {
        let mut entries = fs::read_dir(&place).ok()?;
        Some(entries.all(|entry| entry.is_ok_and(|entry| is_ours(&entry.file_name().to_string_lossy()))))
    };
    let found = fs::symlink_metadata(&place);
    if found.is_ok() && all_ours() != Some(true) {
        let advice = "name another folder with --output";
        return Err(failed(&format!("{shown} is in the way and is no {} of carom: {advice}", bare(kind))));
    }
    if found.is_ok_and(|found| found.is_symlink()) { fs::canonicalize(&place).map_err(unwritten) } else { Ok(place) }
}

/// A noun without its article.
fn bare(kind: &str) -> &str {
    kind.split_once(' ').map_or(kind, |(_, noun)| noun)
}

/// Makes something in a folder of its own beside the place, and moves the whole of it to its place. `make` gets the
/// path at which it is to be made.
pub(super) fn delivered<T>(place: &Path, make: impl FnOnce(&Path) -> Result<T, Exit>) -> Result<T, Exit> {
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_new = !parent.exists();
    let unwritten = |error: io::Error| failed(&format!("cannot write {}: {error}", path(place)));
    fs::create_dir_all(parent).map_err(unwritten)?;
    let making = tempfile::Builder::new().prefix(".carom.").tempdir_in(parent).map_err(unwritten)?;
    let made = making.path().join("whole");
    let delivered = make(&made).and_then(|made_of| {
        deliver(&made, place, making.path()).map_err(unwritten)?;
        Ok(made_of)
    });
    drop(making);
    if delivered.is_err() && is_new {
        // The folder is removed only if it is empty.
        let _ = fs::remove_dir(parent);
    }
    delivered
}

/// Moves a file or a folder into place. An earlier folder is moved aside first, and moved back if the move fails.
fn deliver(made: &Path, place: &Path, making: &Path) -> io::Result<()> {
    let aside: PathBuf = making.join("previous");
    let replaces = place.is_dir();
    if replaces {
        fs::rename(place, &aside)?;
    }
    fs::rename(made, place).inspect_err(|_| {
        if replaces {
            // Keep the earlier one if the new one cannot be moved.
            let _ = fs::rename(&aside, place);
        }
    })
}
