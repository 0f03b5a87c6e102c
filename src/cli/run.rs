//! `carom run`: scenarios in, folders of results out.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::check::{Loaded, load};
use super::exit::{Exit, path, say, show, show_plain, warn};
use super::outbox::Outbox;
use super::progress::Progress;
use super::{RunArguments, TableFormat};
use crate::record::recording::RecordingError;
use crate::record::{Coarsest, Job, Outcome, ResumeError, Summary, Unfinished};
use crate::report;
use crate::scenario::printable::printable;
use crate::scenario::{Format, Scenario};

/// How many missing characters are named.
const CHARACTERS_MAX: usize = 20;

/// Longest run, s.
const TIME_MAX: f64 = 1e15;

pub(super) fn command(arguments: &RunArguments) -> Exit {
    if let Some(until) = arguments.until.filter(|until| !(0.0..=TIME_MAX).contains(until)) {
        show_plain(&io::Error::other(format!("--until must be from 0 to {TIME_MAX} s, found {until}")));
        return Exit::BadInput;
    }
    if let Some(place) = &arguments.resume {
        return resume(place, arguments).unwrap_or_else(|exit| exit);
    }
    if let Some([first, second]) = same_stem(&arguments.files) {
        show_plain(&io::Error::other(format!(
            "{} and {} would write to one folder; run them one by one with different --output",
            first.display(),
            second.display()
        )));
        return Exit::BadInput;
    }
    let outcomes = arguments.files.iter().map(|file| one(file, arguments));
    outcomes.map(|outcome| outcome.unwrap_or_else(|exit| exit)).max().unwrap_or(Exit::Success)
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
    let outbox = Outbox::open(&arguments.output, &stem).map_err(|error| failed_at(&error))?;
    let progress = Progress::new(&stem, arguments.quiet);
    let job = Job { scenario: &scenario, source: &source, folder: outbox.folder(), until: arguments.until };
    let outcome = job.run(world, |glimpse| progress.show(glimpse)).map_err(|error| io_error(&error))?;
    match outcome {
        Outcome::Halted { time } => Ok(halted(outbox, time, progress, arguments)),
        Outcome::Finished(summary) => {
            finished(*summary, &scenario, Ending { outbox, progress, making, label: file }, arguments)
        }
    }
}

/// Goes on with a run.
fn resume(place: &Path, arguments: &RunArguments) -> Result<Exit, Exit> {
    let began = Instant::now();
    let outbox = Outbox::reopen(place).map_err(|error| failed_at(&error))?;
    let unfinished = Unfinished::find(outbox.folder(), arguments.duration).map_err(|error| refused(&error))?;
    let making = began.elapsed();
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !arguments.quiet {
        say(&format!("{}: goes on from {} s", printable(&name), unfinished.time()));
    }
    let progress = Progress::new(&name, arguments.quiet);
    let outcome =
        unfinished.go_on(arguments.until, |glimpse| progress.show(glimpse)).map_err(|error| refused(&error))?;
    match outcome {
        Outcome::Halted { time } => Ok(halted(outbox, time, progress, arguments)),
        Outcome::Finished(summary) => {
            finished(*summary, &unfinished.scenario, Ending { outbox, progress, making, label: place }, arguments)
        }
    }
}

fn halted(outbox: Outbox, time: f64, progress: Progress, arguments: &RunArguments) -> Exit {
    progress.finish();
    let place = outbox.leave();
    if !arguments.quiet {
        say(&format!("halted at {time} s; to go on: carom run --resume {}", path(&place)));
    }
    Exit::Success
}

/// What it takes to end a run.
struct Ending<'a> {
    outbox: Outbox,
    progress: Progress,
    /// Time spent on making the world.
    making: Duration,
    /// What messages call the run by.
    label: &'a Path,
}

/// Draws, writes the summary and puts everything in its place.
fn finished(
    mut summary: Summary,
    scenario: &Scenario,
    ending: Ending<'_>,
    arguments: &RunArguments,
) -> Result<Exit, Exit> {
    let Ending { outbox, progress, making, label } = ending;
    let began = Instant::now();
    progress.drawing();
    let plots = report::draw(scenario, outbox.folder(), outbox.folder()).map_err(|error| io_error(&error))?;
    progress.finish();
    if let Some(text) = typeface_lacks(scenario) {
        warn(&text);
    }
    summary.timing = summary.timing.with(making, began.elapsed());
    summary.write(outbox.folder()).map_err(|error| io_error(&error))?;
    let place = outbox.deliver().map_err(|error| failed_at(&error))?;
    if !arguments.quiet {
        say(&super::summary::text(&summary, &place, &plots));
    }
    if arguments.stats {
        say(&super::summary::stats(&summary));
    }
    Ok(verdict(&summary, label))
}

fn refused(error: &ResumeError) -> Exit {
    show(error);
    match error {
        ResumeError::Write { .. } | ResumeError::Recording(RecordingError::Io { .. }) => Exit::Io,
        _ => Exit::BadInput,
    }
}

fn io_error(error: &dyn Error) -> Exit {
    show_plain(error);
    Exit::Io
}

fn failed_at(error: &super::outbox::OutboxError) -> Exit {
    show(error);
    Exit::Io
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
pub(super) fn typeface_lacks(scenario: &Scenario) -> Option<String> {
    let missing = report::missing_characters(scenario);
    if scenario.plots.is_empty() || missing.is_empty() {
        return None;
    }
    let first: Vec<String> = missing.iter().take(CHARACTERS_MAX).map(|character| format!("`{character}`")).collect();
    let more = if missing.len() > CHARACTERS_MAX { ", ..." } else { "" };
    let list = first.join(", ");
    Some(format!("the typeface of the plots lacks {list}{more}: in PNG `\u{fffd}` stands for each; SVG has them"))
}

/// What went wrong is said even to those who want it quiet, and what to be warned of.
fn verdict(summary: &Summary, file: &Path) -> Exit {
    if let Some(error) = &summary.error {
        show_plain(&io::Error::other(format!("{}: {error}", file.display())));
    }
    if let Some(coarsest) = summary.coarsest.as_ref().filter(|coarsest| coarsest.is_coarse() && coarsest.time > 0.0) {
        warn(&far_away(coarsest, file));
    }
    for unmet in summary.expectations.iter().filter(|verdict| !verdict.met) {
        let text = format!("{}: expected {}, found {}", file.display(), unmet.expected, unmet.found);
        show_plain(&io::Error::other(text));
    }
    if summary.is_success() { Exit::Success } else { Exit::Unmet }
}
