//! `carom export`: a run in the formats of other programs.

use std::collections::BTreeMap;
use std::path::Path;

use super::report::ready;
use super::sweep::{is_sweep, results_of, warn_of_lost};
use crate::cli::arguments::export::ExportArguments;
use crate::cli::delivery::{checked, delivered, named_after};
use crate::cli::exit::{Exit, bad, path, say, show, show_plain, unwritten};
use crate::cli::names::bodies;
use crate::cli::progress::Progress;
use crate::cli::signals::Attention;
use crate::record::recording::RecordingError;
use crate::record::{ExportError, ExportFormat, ExportReport, Exporter, ReplayError, is_series_file, write_file};
use crate::report::colors;
use crate::study::latex;

pub(crate) fn command(arguments: &ExportArguments) -> Result<Exit, Exit> {
    let Some(format) = arguments.to else { return table(arguments) };
    if arguments.has_idle_span() {
        return Err(bad("--every is for formats of several frames, and this one has none or one; leave --every out"));
    }
    let is_text = |output: &Path| output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf"));
    if format == ExportFormat::Gltf && arguments.output.as_deref().is_some_and(is_text) {
        return Err(bad("--to gltf writes one binary file, whose name ends in .glb; .gltf is that of the text form"));
    }
    let is_ours: Option<fn(&str) -> bool> = if format == ExportFormat::Vtk { Some(is_series_file) } else { None };
    let place =
        checked(arguments.output.as_deref(), named_after(&arguments.folder, format.ending()), "an export", is_ours)?;
    ready(&arguments.folder)?;
    let exporter = Exporter::open(&arguments.folder).map_err(|error| refused(&error))?;
    let chosen = bodies(exporter.scenario(), &arguments.bodies).map_err(|words| bad(&words))?;
    let report = delivered(&place, |made| {
        let attention = Attention::new();
        let progress = Progress::new(&path(&place), arguments.quiet);
        let colors = if format == ExportFormat::Gltf { colors(exporter.scenario()) } else { BTreeMap::new() };
        let request = arguments.request(format, chosen, colors);
        let report = exporter.export(&request, made, Some(attention.flag()), |glimpse| progress.show(glimpse));
        progress.finish();
        report.map_err(|error| attention.asked().unwrap_or_else(|| refused(&error)))
    })?;
    if !arguments.quiet {
        say(&told(&report, format, &place))?;
    }
    Ok(Exit::Success)
}

/// The table of a sweep in LaTeX.
fn table(arguments: &ExportArguments) -> Result<Exit, Exit> {
    let folder = &arguments.folder;
    if !is_sweep(folder) {
        return Err(bad(
            "--to latex is the table of a sweep, and this is not the folder of one; name a folder that carom sweep has written",
        ));
    }
    if arguments.has_span() || !arguments.bodies.is_empty() {
        return Err(bad(
            "a table of a sweep has neither bodies nor times; leave out --bodies, --every, --from and --until",
        ));
    }
    let place = checked(arguments.output.as_deref(), named_after(folder, ".tex"), "an export", None)?;
    let merged = results_of(folder, arguments.quiet)?;
    warn_of_lost(&merged);
    delivered(&place, |made| {
        write_file(made, latex(&merged.study.sweep, &merged.rows).as_bytes()).map_err(|error| unwritten(&error))
    })?;
    if !arguments.quiet {
        say(&format!("{}: the means of {} members", path(&place), merged.rows.len() - merged.lost.len()))?;
    }
    Ok(Exit::Success)
}

pub(super) fn refused(error: &ExportError) -> Exit {
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
    let counted = |count: u64, [one, more]: [&str; 2]| format!("{count} {}", if count == 1 { one } else { more });
    let bodies = counted(*bodies as u64, ["body", "bodies"]);
    let content = match format {
        _ if format.has_frames() => format!("{} of {bodies}", counted(*frames, ["frame", "frames"])),
        ExportFormat::Jsonl => format!("{} of {bodies}", counted(*events, ["event", "events"])),
        _ => bodies,
    };
    let same =
        compared_at.map_or_else(String::new, |step| format!("; the same as recorded, to the bit, at step {step}"));
    format!("{}: {content}{same}", path(place))
}
