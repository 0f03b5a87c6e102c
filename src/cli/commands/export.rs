//! `carom export`: a run in the formats of other programs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::arguments::export::ExportArguments;
use crate::cli::exit::{Exit, complain, path, say, show, show_plain};
use crate::cli::names::bodies;
use crate::cli::progress::Progress;
use crate::cli::signals::Attention;
use crate::record::recording::RecordingError;
use crate::record::{ExportError, ExportFormat, ExportReport, Exporter, ReplayError, is_series_file, replaceable};

pub(crate) fn command(arguments: &ExportArguments) -> Result<Exit, Exit> {
    let format = arguments.format();
    if arguments.has_idle_span() {
        return Err(bad("--every is for formats of several frames, and this one has none or one; leave --every out"));
    }
    let named = arguments.output.clone().unwrap_or_else(|| named_after(&arguments.folder, format));
    let place = checked(named, format)?;
    let exporter = Exporter::open(&arguments.folder).map_err(|error| refused(&error))?;
    let chosen = bodies(exporter.scenario(), &arguments.bodies).map_err(|words| bad(&words))?;
    let report = write(&exporter, arguments, chosen, &place)?;
    if !arguments.quiet {
        say(&told(&report, format, &place))?;
    }
    Ok(Exit::Success)
}

/// The name of the folder of a run with the ending of a format, in the present folder.
fn named_after(folder: &Path, format: ExportFormat) -> PathBuf {
    let absolute = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = absolute.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned());
    PathBuf::from(format!("{name}{}", format.ending()))
}

fn bad(words: &str) -> Exit {
    complain(words);
    Exit::BadInput
}

/// The place of an export, where a link leads to; refuses one where something else exists.
fn checked(place: PathBuf, format: ExportFormat) -> Result<PathBuf, Exit> {
    let shown = path(&place);
    if place.file_name().is_none() {
        return Err(bad(&format!("{shown} is no name of an export: give --output a new name")));
    }
    let obstructed = |words: &str| {
        complain(words);
        Exit::Io
    };
    let failed = |error: io::Error| obstructed(&format!("cannot write {shown}: {error}"));
    if format != ExportFormat::Vtk {
        return replaceable(&place).map_err(failed);
    }
    let is_ours = || {
        let mut entries = fs::read_dir(&place).ok()?;
        Some(entries.all(|entry| entry.is_ok_and(|entry| is_series_file(&entry.file_name().to_string_lossy()))))
    };
    let found = fs::symlink_metadata(&place);
    if found.is_ok() && is_ours() != Some(true) {
        let advice = "name another folder with --output";
        return Err(obstructed(&format!("{shown} is in the way and is no export of carom: {advice}")));
    }
    if found.is_ok_and(|found| found.is_symlink()) { fs::canonicalize(&place).map_err(failed) } else { Ok(place) }
}

/// Writes into a folder of its own beside the place, and then moves the whole export to its place.
fn write(
    exporter: &Exporter,
    arguments: &ExportArguments,
    chosen: Vec<String>,
    place: &Path,
) -> Result<ExportReport, Exit> {
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_new = !parent.exists();
    let failed = |error: io::Error| {
        complain(&format!("cannot write {}: {error}", path(place)));
        Exit::Io
    };
    fs::create_dir_all(parent).map_err(failed)?;
    let making = tempfile::Builder::new().prefix(".export.").tempdir_in(parent).map_err(failed)?;
    let attention = Attention::new();
    let progress = Progress::new(&path(place), arguments.quiet);
    let request = arguments.request(chosen);
    let made = making.path().join("whole");
    let report = exporter.export(&request, &made, Some(attention.flag()), |glimpse| progress.show(glimpse));
    progress.finish();
    let report = report.map_err(|error| attention.asked().unwrap_or_else(|| refused(&error)));
    let delivered = report.and_then(|report| {
        deliver(&made, place, making.path()).map_err(failed)?;
        Ok(report)
    });
    drop(making);
    if delivered.is_err() && is_new {
        // The folder is removed only if it is empty.
        let _ = fs::remove_dir(parent);
    }
    delivered
}

/// Moves an export into place. The folder of an earlier export is moved aside first, and moved back if the move fails.
fn deliver(made: &Path, place: &Path, making: &Path) -> io::Result<()> {
    let aside: PathBuf = making.join("previous");
    let replaces = place.is_dir();
    if replaces {
        fs::rename(place, &aside)?;
    }
    fs::rename(made, place).inspect_err(|_| {
        if replaces {
            // Keep the earlier export if the new one cannot be moved.
            let _ = fs::rename(&aside, place);
        }
    })
}

fn refused(error: &ExportError) -> Exit {
    if let ExportError::Failed { source, .. } = error {
        show_plain(source);
    }
    show(error);
    match error {
        ExportError::Write { .. } | ExportError::Replay(ReplayError::Recording(RecordingError::Io { .. })) => Exit::Io,
        ExportError::OtherState(_) | ExportError::Failed { .. } => Exit::Unmet,
        _ => Exit::BadInput,
    }
}

/// What an export contains, and where it is.
fn told(report: &ExportReport, format: ExportFormat, place: &Path) -> String {
    let ExportReport { bodies, frames, events, compared_at } = report;
    let content = if format.has_frames() {
        format!("{frames} {} of {bodies} bodies", if *frames == 1 { "frame" } else { "frames" })
    } else {
        format!("{bodies} bodies, {events} events")
    };
    let same =
        compared_at.map_or_else(String::new, |step| format!("; the same as recorded, to the bit, at step {step}"));
    format!("{}: {content}{same}", path(place))
}
