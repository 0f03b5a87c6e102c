//! `carom plot`: the pictures of a run, from its tables.

use std::fs;
use std::path::{Path, PathBuf};

use super::check::read;
use super::run::{typeface_lacks, undrawn};
use super::sweep::refused;
use crate::cli::arguments::plot::PlotArguments;
use crate::cli::exit::{Exit, complain, hand_over, path, show, show_plain, warn};
use crate::cli::names::bodies;
use crate::cli::progress::Progress;
use crate::cli::signals::Attention;
use crate::record::recording::{RECORDING_FILE, Reader};
use crate::record::replaceable;
use crate::record::tables::SCENARIO_FILE;
use crate::report::{self, Drawn, ReportError};
use crate::scenario::{Scenario, parse};
use crate::study::{Folder, SWEEP_FILE, merge};

pub(crate) fn command(arguments: &PlotArguments) -> Result<Exit, Exit> {
    let into = arguments.output.as_ref().unwrap_or(&arguments.folder);
    let is_sweep = arguments.folder.join(SWEEP_FILE).is_file();
    let (files, exit) = if is_sweep { of_sweep(arguments, into)? } else { of_run(arguments, into)? };
    files.iter().try_for_each(|file| hand_over(&path(&into.join(file))))?;
    Ok(exit)
}

/// The pictures of a sweep.
fn of_sweep(arguments: &PlotArguments, into: &Path) -> Result<(Vec<PathBuf>, Exit), Exit> {
    let bad = |words: &str| {
        complain(words);
        Exit::BadInput
    };
    let style = arguments.style();
    if !arguments.bodies.is_empty() || style.time.is_some() {
        return Err(bad("a sweep has neither bodies nor a time; leave out --bodies and --time"));
    }
    let merged = merge(&[Folder::new(&arguments.folder)]).map_err(|error| refused(&error))?;
    if !merged.lost.is_empty() {
        warn(&format!("{} members have no result yet and are left out", merged.lost.len()));
    }
    let mut sweep = merged.study.sweep.clone();
    sweep.plots.iter_mut().for_each(|plot| plot.style = style.over(&plot.style));
    let names = pictures(report::study_stems(&sweep), arguments).map_err(|words| bad(&words))?;
    drawn_into(into, &arguments.folder, |making, _| report::draw_study_only(&names, &sweep, &merged.rows, making))
}

/// The pictures of a run.
fn of_run(arguments: &PlotArguments, into: &Path) -> Result<(Vec<PathBuf>, Exit), Exit> {
    let folder = &arguments.folder;
    let source = read(&folder.join(SCENARIO_FILE))?;
    let mut parsed = parse(&source).map_err(|problems| {
        show(&problems);
        Exit::BadInput
    })?;
    // The default title is the name of the scenario's file, which is another one in the folder of the run.
    if let Ok(recording) = Reader::open(&folder.join(RECORDING_FILE)) {
        parsed.scenario.title.clone_from(&recording.header().title);
    }
    let names = asked(&mut parsed.scenario, arguments).map_err(|words| {
        complain(&words);
        Exit::BadInput
    })?;
    drawn_into(into, folder, |making, watch| report::draw_watched(&names, &parsed.scenario, [folder, making], watch))
}

/// Draws into a folder of its own, and then moves each picture into place.
fn drawn_into(
    into: &Path,
    folder: &Path,
    draw: impl FnOnce(&Path, &(dyn Fn(usize, usize) + Sync)) -> Result<Drawn, ReportError>,
) -> Result<(Vec<PathBuf>, Exit), Exit> {
    let failed = |error: std::io::Error| {
        show_plain(&error);
        Exit::Io
    };
    fs::create_dir_all(into).map_err(failed)?;
    let making = tempfile::Builder::new().prefix(".plots.").tempdir_in(into).map_err(failed)?;
    // On Ctrl-C, unfinished files are removed.
    let attention = Attention::new();
    let progress = Progress::new(&path(folder), false);
    progress.drawing();
    let drawn = draw(making.path(), &progress.pictures());
    progress.finish();
    let drawn = drawn.map_err(|error| {
        show_plain(&in_place(error, into));
        Exit::Io
    })?;
    if let Some(text) = typeface_lacks(&drawn.missing) {
        warn(&text);
    }
    if let Some(exit) = attention.asked() {
        return Err(exit);
    }
    let Drawn { files, .. } = &drawn;
    let places: std::io::Result<Vec<PathBuf>> = files.iter().map(|file| replaceable(&into.join(file))).collect();
    for (file, place) in files.iter().zip(places.map_err(failed)?) {
        fs::rename(making.path().join(file), place).map_err(failed)?;
    }
    let exit = undrawn(&drawn);
    Ok((drawn.files, exit))
}

/// The error of a picture that was written into another folder first.
fn in_place(error: ReportError, into: &Path) -> ReportError {
    match error {
        ReportError::Write { file, source } => {
            ReportError::Write { file: into.join(file.file_name().unwrap_or_default()), source }
        }
        other => other,
    }
}

/// Applies the command line to the plots of a scenario, and returns the names of those to be drawn. An error is a text.
fn asked(scenario: &mut Scenario, arguments: &PlotArguments) -> Result<Vec<String>, String> {
    let style = arguments.style();
    let chosen = bodies(scenario, &arguments.bodies)?;
    for (name, _) in &style.colors {
        bodies(scenario, std::slice::from_ref(name))?;
    }
    for figure in &mut scenario.plots {
        figure.style = style.over(&figure.style);
        if !chosen.is_empty() {
            figure.plot = figure.plot.clone().of(&chosen);
        }
    }
    pictures(report::stems(scenario), arguments)
}

/// Those of the pictures with these names that the command line asks for. An error is a text.
fn pictures(stems: Vec<String>, arguments: &PlotArguments) -> Result<Vec<String>, String> {
    if stems.is_empty() {
        return Err("the scenario of the run asks for no plots; add some to it, such as plots: [Energy]".to_owned());
    }
    match arguments.only.iter().find(|name| !stems.contains(name)) {
        Some(name) => Err(format!("there is no picture `{name}`; there are {}", stems.join(", "))),
        None if arguments.only.is_empty() => Ok(stems),
        None => Ok(arguments.only.clone()),
    }
}
