//! `carom run`: scenarios in, folders of results out.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use miette::Diagnostic;

use super::check::{Loaded, load};
use crate::cli::arguments::{RunArguments, TableFormat};
use crate::cli::exit::{Exit, complain, note, say, show, warn, with_causes};
use crate::cli::progress::Progress;
use crate::cli::signals::Attention;
use crate::cli::staging::{Staging, StagingError};
use crate::record::recording::RecordingError;
use crate::record::{Coarsest, Glimpse, Halt, Job, Outcome, ResumeError, Summary, Unfinished};
use crate::report;
use crate::scenario::{Format, Scenario};

/// How many missing characters are named.
const CHARACTERS_MAX: usize = 20;

pub(crate) fn command(arguments: &RunArguments) -> Result<Exit, Exit> {
    if let Some(place) = &arguments.resume {
        return resume(place, arguments, &Attention::new());
    }
    if let Some(file) = arguments.files.iter().find(|file| !names_a_folder(file)) {
        complain(&format!(
            "{}: its name leads to no folder of its own in the output; give the file another",
            file.display()
        ));
        return Err(Exit::BadInput);
    }
    if let Some([first, second]) = same_stem(&arguments.files) {
        let [first, second] = [first, second].map(|file| file.display());
        complain(&format!(
            "{first} and {second} would write to one folder; run them one by one with different --output"
        ));
        return Err(Exit::BadInput);
    }
    let mut gravest = Exit::Success;
    for file in &arguments.files {
        let exit = one(file, arguments).unwrap_or_else(|exit| exit);
        gravest = gravest.max(exit);
        if matches!(exit, Exit::Interrupted | Exit::Terminated) {
            break;
        }
    }
    Ok(gravest)
}

/// Whether the name of a file without its ending can be that of a folder: that of `...ron` is the folder above.
fn names_a_folder(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default();
    // What has no name at all is no file, which reading it will tell.
    stem.is_empty() || Path::new(stem).file_name() == Some(stem)
}

/// Two files whose results would go to one folder.
fn same_stem(files: &[PathBuf]) -> Option<[&PathBuf; 2]> {
    let mut stems: BTreeMap<OsString, &PathBuf> = BTreeMap::new();
    files.iter().find_map(|file| {
        let earlier = stems.insert(file.file_stem().unwrap_or_default().to_owned(), file)?;
        Some([earlier, file])
    })
}

fn one(file: &Path, arguments: &RunArguments) -> Result<Exit, Exit> {
    let began = Instant::now();
    let Loaded { source, parsed, world } = load(file)?;
    let making = began.elapsed();
    let scenario = with_overrides(parsed.scenario, arguments)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let attention = Attention::new();
    let staging = Staging::open(&arguments.output, &stem, arguments.restart).map_err(|error| told(&error))?;
    let progress = Progress::new(&stem, arguments.quiet);
    let halt = Halt { until: arguments.until, asked: Some(attention.flag()) };
    let job = Job { scenario: &scenario, source: &source, folder: staging.folder(), halt };
    let outcome = job
        .run(world, |glimpse| watch(glimpse, &progress, &attention))
        .map_err(|error| broken_off(&staging, &scenario, &error))?;
    let ending = Ending { scenario: &scenario, staging, progress, attention: &attention, making, label: file };
    match outcome {
        Outcome::Halted { time } => halted(time, ending, arguments),
        Outcome::Finished(summary) => finished(*summary, ending, arguments),
    }
}

/// Goes on with a run.
fn resume(place: &Path, arguments: &RunArguments, attention: &Attention) -> Result<Exit, Exit> {
    let began = Instant::now();
    let staging = Staging::reopen(place).map_err(|error| told(&error))?;
    let unfinished = Unfinished::find(staging.origin(), arguments.duration).map_err(|error| refused(&error))?;
    staging.fill().map_err(|error| told(&error))?;
    let making = began.elapsed();
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !arguments.quiet {
        say(&format!("{name}: goes on from {} s", unfinished.time()))?;
    }
    let progress = Progress::new(&name, arguments.quiet);
    let halt = Halt { until: arguments.until, asked: Some(attention.flag()) };
    let outcome = unfinished.go_on(staging.folder(), halt, |glimpse| watch(glimpse, &progress, attention));
    let outcome = outcome.map_err(|error| match error {
        ResumeError::Write { error } => broken_off(&staging, &unfinished.scenario, &error),
        error => refused(&error),
    })?;
    let ending = Ending { scenario: &unfinished.scenario, staging, progress, attention, making, label: place };
    match outcome {
        Outcome::Halted { time } => halted(time, ending, arguments),
        Outcome::Finished(summary) => finished(*summary, ending, arguments),
    }
}

fn watch(glimpse: Glimpse, progress: &Progress, attention: &Attention) {
    progress.show(glimpse);
    if attention.is_late() {
        progress.tell("halts after this step; Ctrl-C again ends it at once, and then it goes on from an earlier one");
    }
}

/// Says how to go on with a run that was to halt, or was asked to.
fn halted(time: f64, ending: Ending<'_>, arguments: &RunArguments) -> Result<Exit, Exit> {
    let Ending { scenario, staging, progress, attention, .. } = ending;
    progress.finish();
    let way = way_on(&staging, scenario).map_or_else(String::new, |way| format!("; {way}"));
    if let Some(exit) = attention.asked() {
        note(&format!("interrupted at {time} s{way}"));
        return Err(exit);
    }
    if !arguments.quiet {
        say(&format!("halted at {time} s{way}"))?;
    }
    Ok(Exit::Success)
}

/// What it takes to end a run.
struct Ending<'a> {
    scenario: &'a Scenario,
    staging: Staging,
    progress: Progress,
    attention: &'a Attention,
    /// Time spent on making the world.
    making: Duration,
    /// What messages call the run by.
    label: &'a Path,
}

/// Draws, writes the summary and puts everything in its place.
fn finished(mut summary: Summary, ending: Ending<'_>, arguments: &RunArguments) -> Result<Exit, Exit> {
    let Ending { scenario, staging, progress, making, label, attention } = ending;
    let began = Instant::now();
    progress.drawing();
    let plots = report::draw(scenario, staging.folder(), staging.folder())
        .map_err(|error| broken_off(&staging, scenario, &error))?;
    if attention.asked().is_some() {
        return halted(summary.reached, Ending { scenario, staging, progress, making, label, attention }, arguments);
    }
    progress.finish();
    if let Some(text) = typeface_lacks(scenario) {
        warn(&text);
    }
    summary.timing = summary.timing.with(making, began.elapsed());
    summary.write(staging.folder()).map_err(|error| broken_off(&staging, scenario, &error))?;
    let place = staging.deliver().map_err(|error| told(&error))?;
    let text = (!arguments.quiet).then(|| crate::cli::summary::text(&summary, &place, &plots));
    let stats = arguments.stats.then(|| crate::cli::summary::stats(&summary));
    let said = text.into_iter().chain(stats).try_for_each(|text| say(&text));
    // What went wrong in the run is said even if nothing else can be.
    let exit = verdict(&summary, label);
    said.map(|()| exit)
}

/// A run that could not be written to its end.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{problem}")]
struct BrokenOff {
    problem: String,
    #[help]
    way: Option<String>,
}

/// Says why a run could not be written to its end, and how to go on with what there is of it.
fn broken_off(staging: &Staging, scenario: &Scenario, error: &dyn Error) -> Exit {
    let way = way_on(staging, scenario);
    let way = way.map(|way| format!("what there is of the run is kept; make room for the rest\n{way}"));
    show(&BrokenOff { problem: with_causes(error), way });
    Exit::Io
}

/// How to go on with a run that has not come to its end, if that can be.
fn way_on(staging: &Staging, scenario: &Scenario) -> Option<String> {
    let place = staging.resumable()?.display();
    Some(match scenario.record.format {
        Format::Csv => format!("to go on: carom run --resume {place}"),
        Format::Parquet => {
            format!("Parquet tables cannot be continued; to begin anew: carom run --resume {place}")
        }
    })
}

fn refused(error: &ResumeError) -> Exit {
    show(error);
    match error {
        ResumeError::Write { .. } | ResumeError::Recording(RecordingError::Io { .. }) => Exit::Io,
        _ => Exit::BadInput,
    }
}

fn told(error: &StagingError) -> Exit {
    show(error);
    if matches!(error, StagingError::Interrupted { .. }) { Exit::BadInput } else { Exit::Io }
}

fn with_overrides(scenario: Scenario, arguments: &RunArguments) -> Result<Scenario, Exit> {
    let mut scenario = scenario.with_times(arguments.timestep, arguments.duration).map_err(|error| {
        show(&error);
        Exit::BadInput
    })?;
    if let Some(format) = arguments.format {
        scenario.record.format = match format {
            TableFormat::Csv => Format::Csv,
            TableFormat::Parquet => Format::Parquet,
        };
    }
    Ok(scenario)
}

/// What is said of a body that has come to where numbers are coarse. Of one that began there it was said at the start.
fn far_away(coarsest: &Coarsest, file: &Path) -> String {
    let Coarsest { body, time, position: [x, y, z], spacing, size } = coarsest;
    format!(
        "{}: at {time} s `{body}` was at ({x:e}, {y:e}, {z:e}) m, where numbers are {spacing:.1e} m apart, {:.1e} of its \
         size of {size:e} m: overlaps and impact times are no finer there; move the scene near the origin, or choose \
         other units",
        file.display(),
        coarsest.ratio()
    )
}

/// What is said of characters that pictures cannot show.
pub(crate) fn typeface_lacks(scenario: &Scenario) -> Option<String> {
    let missing = report::missing_characters(scenario);
    if scenario.plots.is_empty() || missing.is_empty() {
        return None;
    }
    let first: Vec<String> = missing.iter().take(CHARACTERS_MAX).map(|character| format!("`{character}`")).collect();
    let more = if missing.len() > CHARACTERS_MAX { ", ..." } else { "" };
    let list = first.join(", ");
    Some(format!("the typeface of the plots lacks {list}{more}: in PNG `\u{fffd}` stands for each; SVG has them"))
}

/// Errors and warnings are said even when the run is to be quiet.
fn verdict(summary: &Summary, file: &Path) -> Exit {
    if let Some(error) = &summary.error {
        complain(&format!("{}: {error}", file.display()));
    }
    if let Some(coarsest) = summary.coarsest.as_ref().filter(|coarsest| coarsest.is_coarse() && coarsest.time > 0.0) {
        warn(&far_away(coarsest, file));
    }
    for unmet in summary.expectations.iter().filter(|verdict| !verdict.met) {
        complain(&format!("{}: expected {}, found {}", file.display(), unmet.expected, unmet.found));
    }
    if summary.is_success() { Exit::Success } else { Exit::Unmet }
}
