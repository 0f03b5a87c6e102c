//! `carom plot`: the pictures of a run, from its tables.

use std::fs;
use std::path::{Path, PathBuf};

use super::check::read;
use super::report::ready;
use super::run::{undrawn, warn_of_missing};
use super::sweep::{is_sweep, results_of, warn_of_lost};
use crate::cli::arguments::plot::PlotArguments;
use crate::cli::exit::{Exit, bad, hand_over, invalid, path, show, unwritten};
use crate::cli::names::bodies;
use crate::cli::progress::Progress;
use crate::cli::signals::Attention;
use crate::numeric::shown;
use crate::record::recording::{RECORDING_FILE, Reader};
use crate::record::tables::SCENARIO_FILE;
use crate::record::{Summary, SummaryError, replaceable};
use crate::report::{self, Drawn, OtherRun, ReportError};
use crate::scenario::{Scenario, parse};

pub(crate) fn command(arguments: &PlotArguments) -> Result<Exit, Exit> {
    let into = arguments.output.as_ref().unwrap_or(&arguments.folder);
    let (files, exit) = if is_sweep(&arguments.folder) { of_sweep(arguments, into)? } else { of_run(arguments, into)? };
    files.iter().try_for_each(|file| hand_over(&path(&into.join(file))))?;
    Ok(exit)
}

/// The pictures of a sweep.
fn of_sweep(arguments: &PlotArguments, into: &Path) -> Result<(Vec<PathBuf>, Exit), Exit> {
    let style = arguments.style();
    if !arguments.bodies.is_empty() || style.time.is_some() {
        return Err(bad("a sweep has neither bodies nor a time; leave out --bodies and --time"));
    }
    if !arguments.others.is_empty() {
        return Err(bad("a sweep is drawn alone; name one folder"));
    }
    let merged = results_of(&arguments.folder, false)?;
    warn_of_lost(&merged);
    let mut sweep = merged.study.sweep.clone();
    sweep.plots.iter_mut().for_each(|plot| plot.style = style.over(&plot.style));
    let stems = report::study_stems(&sweep);
    let names = pictures(stems, (!style.over.is_empty(), |_| true), arguments).map_err(|words| bad(&words))?;
    drawn_into(into, &arguments.folder, |making, _| report::draw_study_only(&names, &sweep, &merged.rows, making))
}

/// The pictures of a run.
fn of_run(arguments: &PlotArguments, into: &Path) -> Result<(Vec<PathBuf>, Exit), Exit> {
    let folder = &arguments.folder;
    ready(folder)?;
    let mut scenario = saved(folder)?;
    let names = asked(&mut scenario, arguments).map_err(|words| bad(&words))?;
    let reached = Summary::read(folder).map_or(f64::INFINITY, |summary| summary.reached);
    if let Some([from, _]) = arguments.style().time.filter(|time| time[0] >= reached) {
        let words = format!("the run ends at {} s, and --time begins at {} s", shown(reached), shown(from));
        return Err(bad(&words));
    }
    let other = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(OtherRun { name, scenario: saved(folder)?, folder: folder.clone() })
    };
    let others = arguments.others.iter().map(other).collect::<Result<Vec<_>, Exit>>()?;
    drawn_into(into, folder, |making, watch| report::draw_watched(&names, &scenario, [folder, making], &others, watch))
}

/// The scenario of the run in a folder.
fn saved(folder: &Path) -> Result<Scenario, Exit> {
    if let Err(error @ SummaryError::OtherSchema { .. }) = Summary::read(folder) {
        show(&error);
        return Err(Exit::BadInput);
    }
    let source = read(&folder.join(SCENARIO_FILE))?;
    let mut parsed = parse(&source).map_err(|problems| invalid(&problems))?;
    // The default title is the name of the scenario's file, which is another one in the folder of the run.
    if let Ok(recording) = Reader::open(&folder.join(RECORDING_FILE)) {
        parsed.scenario.title.clone_from(&recording.header().title);
    }
    Ok(parsed.scenario)
}

/// Draws into a folder of its own, and then moves each picture into place.
fn drawn_into(
    into: &Path,
    folder: &Path,
    draw: impl FnOnce(&Path, &(dyn Fn(usize, usize) + Sync)) -> Result<Drawn, ReportError>,
) -> Result<(Vec<PathBuf>, Exit), Exit> {
    let failed = |error: std::io::Error| unwritten(&error);
    fs::create_dir_all(into).map_err(failed)?;
    let making = tempfile::Builder::new().prefix(".plots.").tempdir_in(into).map_err(failed)?;
    // On Ctrl-C, unfinished files are removed.
    let attention = Attention::new();
    let progress = Progress::new(&path(folder), false);
    progress.busy("drawing plots");
    let drawn = draw(making.path(), &progress.pictures());
    progress.finish();
    let drawn = drawn.map_err(|error| unwritten(&in_place(error, into)))?;
    warn_of_missing(&drawn.missing);
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
    let stems = report::stems(scenario);
    let drawn: Vec<_> = scenario.plots.iter().zip(&stems).filter(|(_, stem)| is_drawn(stem, arguments)).collect();
    let is_log = style.log_x.is_some() || style.log_y.is_some();
    let to_scale = drawn.iter().filter(|(figure, _)| figure.plot.is_to_scale());
    let names: Vec<&str> = to_scale.map(|(_, stem)| &***stem).collect();
    // Where all plots are drawn again, those to scale stay as they are.
    if is_log && !names.is_empty() && (!arguments.only.is_empty() || names.len() == drawn.len()) {
        return Err(format!("{}: drawn to scale, without logarithmic axes; leave out --log", names.join(", ")));
    }
    let takes = |place: usize| scenario.plots[place].plot.takes_overlays();
    pictures(stems, (!style.over.is_empty(), takes), arguments)
}

fn is_drawn(stem: &str, arguments: &PlotArguments) -> bool {
    arguments.only.is_empty() || arguments.only.iter().any(|name| name == stem)
}

/// Those of the pictures with these names that the command line asks for. An error is a text.
///
/// If something is `laid` over them, there must be one picture, of a plot that takes it.
fn pictures(
    stems: Vec<String>,
    (laid, takes): (bool, impl Fn(usize) -> bool),
    arguments: &PlotArguments,
) -> Result<Vec<String>, String> {
    if stems.is_empty() {
        return Err("the scenario of the run asks for no plots; add some to it, such as plots: [Energy]".to_owned());
    }
    match arguments.only.iter().find(|name| !stems.contains(name)) {
        Some(name) => Err(format!("there is no picture `{name}`; there are {}", stems.join(", "))),
        None if laid && arguments.only.len() != 1 && stems.len() != 1 => {
            Err(format!("--points and --curve are for one picture; add --only with one of {}", stems.join(", ")))
        }
        None if laid && !(0..stems.len()).all(|place| takes(place) || !is_drawn(&stems[place], arguments)) => {
            Err("nothing can be laid over this plot; leave out --points and --curve".to_owned())
        }
        None if arguments.only.is_empty() => Ok(stems),
        None => Ok(arguments.only.clone()),
    }
}
