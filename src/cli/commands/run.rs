//! `carom run`: scenarios in, folders of results out.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use miette::Diagnostic;

use super::check::{Loaded, load};
use crate::cli::arguments::RunArguments;
use crate::cli::arguments::plot::formats;
use crate::cli::exit::{self, Exit, bad, complain, hand_over, invalid, note, say, warn, with_causes};
use crate::cli::progress::{Progress, while_busy};
use crate::cli::signals::Attention;
use crate::cli::staging::{Staging, StagingError};
use crate::cli::summary::{self, End, Ended};
use crate::cli::terminal::Look;
use crate::record::answers::{ANSWER_SCHEMA, RunAnswer, as_json};
use crate::record::recording::RecordingError;
use crate::record::{Coarsest, Halt, Job, Outcome, ResumeError, Summary, Unfinished};
use crate::report::{self, Drawn, ReportError};
use crate::scenario::text::printable::printable;
use crate::scenario::{Format, Scenario};

/// Most missing characters that are listed.
const CHARACTERS_MAX: usize = 20;

pub(crate) fn command(arguments: &RunArguments) -> Result<Exit, Exit> {
    if let Some(place) = &arguments.resume {
        return resume(place, arguments);
    }
    if let Some(file) = arguments.files.iter().find(|file| !names_a_folder(file)) {
        let words = "its name leads to no folder of its own in the output; give the file another";
        return Err(bad(&format!("{}: {words}", exit::path(file))));
    }
    if let Some([first, second]) = same_stem(&arguments.files) {
        let [first, second] = [first, second].map(|file| exit::path(file));
        let words = "would write to one folder; run them one by one with different --output";
        return Err(bad(&format!("{first} and {second} {words}")));
    }
    let mut gravest = Exit::Success;
    let mut ends = Vec::new();
    for file in &arguments.files {
        let (exit, end) = one(file, arguments).unwrap_or_else(|exit| (exit, End::None));
        gravest = gravest.max(exit);
        let is_stopped = matches!(exit, Exit::Interrupted | Exit::Terminated);
        ends.push(Ended { file: exit::path(file), name: printable(&stem(file)).into_owned(), exit, end });
        if is_stopped {
            break;
        }
    }
    let is_whole = ends.len() == arguments.files.len() && !matches!(gravest, Exit::Interrupted | Exit::Terminated);
    if ends.len() > 1 && is_whole && arguments.speaks() {
        say(&format!("\n{}", summary::overview(&ends, Look::of_stdout())))?;
    }
    told(ends, arguments)?;
    Ok(gravest)
}

/// Prints the answer as JSON, if that is wanted.
fn told(ends: Vec<Ended>, arguments: &RunArguments) -> Result<(), Exit> {
    if !arguments.json {
        return Ok(());
    }
    let runs = ends.into_iter().map(Ended::entry).collect();
    hand_over(&as_json(&RunAnswer { schema: ANSWER_SCHEMA, runs }))
}

/// The name of a run.
fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether the name of a file without its ending can be the name of a folder. For `...ron` it would be the folder
/// above.
fn names_a_folder(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default();
    // A path without a file name gives an error when it is read.
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

fn one(file: &Path, arguments: &RunArguments) -> Result<(Exit, End), Exit> {
    let began = Instant::now();
    let Loaded { source, parsed, world } = load(file, &arguments.set, arguments.quiet)?;
    let making = began.elapsed();
    let scenario = with_overrides(parsed.scenario, arguments)?;
    let stem = stem(file);
    let attention = Attention::new();
    let staging = Staging::open(&arguments.output, &stem, arguments.restart, scenario.record.format);
    let staging = staging.map_err(|error| obstructed(&error))?;
    let progress = Progress::new(&stem, arguments.quiet);
    let is_asked = || attention.asked().is_some();
    let halt = Halt { until: arguments.until, asked: Some(&is_asked) };
    let job = Job { scenario: &scenario, source: &source, folder: staging.folder(), halt };
    let mut begins = true;
    let outcome = job
        .run(world, |glimpse| {
            progress.show(glimpse);
            if std::mem::take(&mut begins) {
                attention.may_end_with(last_words(&staging, &scenario));
            }
        })
        .map_err(|error| broken_off(&staging, &scenario, &progress, &error))?;
    ended(outcome, Ending { scenario: &scenario, staging, progress, attention, making, label: file }, arguments)
}

fn ended(outcome: Outcome, ending: Ending<'_>, arguments: &RunArguments) -> Result<(Exit, End), Exit> {
    match outcome {
        Outcome::Halted { time } => Ok((halted(time, ending, arguments)?, End::Halted)),
        Outcome::Finished(summary) => finished(*summary, ending, arguments),
    }
}

/// Continues a run.
fn resume(place: &Path, arguments: &RunArguments) -> Result<Exit, Exit> {
    let began = Instant::now();
    let mut staging = Staging::reopen(place).map_err(|error| obstructed(&error))?;
    let name = staging.name();
    let (unfinished, filled) = while_busy((&name, arguments.quiet), "reading what there is", || {
        let unfinished = Unfinished::find(staging.origin(), arguments.duration);
        let filled = if unfinished.is_ok() { staging.fill() } else { Ok(()) };
        (unfinished, filled)
    });
    let mut unfinished = unfinished.map_err(|error| refused(&error))?;
    with_pictures(&mut unfinished.scenario, arguments);
    filled.map_err(|error| obstructed(&error))?;
    // Until here Ctrl-C ends the program at once.
    let attention = Attention::new();
    let making = began.elapsed();
    if arguments.speaks() {
        say(&format!("{}: goes on from {} s", printable(&name), summary::instant(unfinished.time())))?;
    }
    let progress = Progress::new(&name, arguments.quiet);
    let is_asked = || attention.asked().is_some();
    let halt = Halt { until: arguments.until, asked: Some(&is_asked) };
    attention.may_end_with(last_words(&staging, &unfinished.scenario));
    let outcome = unfinished.go_on(staging.folder(), halt, |glimpse| progress.show(glimpse));
    let outcome = outcome.map_err(|error| match error {
        ResumeError::Write { error } => broken_off(&staging, &unfinished.scenario, &progress, &error),
        error => {
            progress.finish();
            refused(&error)
        }
    })?;
    let ending = Ending { scenario: &unfinished.scenario, staging, progress, attention, making, label: place };
    let (exit, end) = ended(outcome, ending, arguments)?;
    told(vec![Ended { file: exit::path(place), name, exit, end }], arguments)?;
    Ok(exit)
}

/// Says how to continue a run that was halted.
fn halted(time: f64, ending: Ending<'_>, arguments: &RunArguments) -> Result<Exit, Exit> {
    let Ending { scenario, staging, progress, attention, .. } = ending;
    progress.finish();
    let time = summary::instant(time);
    let way = way_on(&staging, scenario).map_or_else(String::new, |(what, command)| format!("; {what}: {command}"));
    if let Some(exit) = attention.asked() {
        note(&format!("interrupted at {time} s{way}"));
        return Err(exit);
    }
    if arguments.speaks() {
        say(&format!("halted at {time} s{way}"))?;
    }
    Ok(Exit::Success)
}

/// What is said if a run has to end amid an event.
fn last_words(staging: &Staging, scenario: &Scenario) -> String {
    let way = way_on(staging, scenario).map_or_else(String::new, |(what, command)| format!("; {what}: {command}"));
    format!("interrupted amid an event, so it goes on from the last snapshot{way}")
}

/// The parts needed to end a run.
struct Ending<'a> {
    scenario: &'a Scenario,
    staging: Staging,
    progress: Progress,
    attention: Attention,
    /// Time spent on making the world.
    making: Duration,
    /// The name of the run in messages.
    label: &'a Path,
}

/// Draws, writes the summary and puts everything in its place.
fn finished(mut summary: Summary, ending: Ending<'_>, arguments: &RunArguments) -> Result<(Exit, End), Exit> {
    if ending.attention.asked().is_some() {
        return Ok((halted(summary.reached, ending, arguments)?, End::Halted));
    }
    let Ending { scenario, mut staging, progress, making, label, attention } = ending;
    // Drawing may take long. Ctrl-C ends it at once, and --resume draws again.
    drop(attention);
    let began = Instant::now();
    progress.busy("drawing plots");
    let broken_off = |error: &(dyn Error + 'static)| broken_off(&staging, scenario, &progress, error);
    let (names, watch) = (report::stems(scenario), progress.pictures());
    let drawn = report::draw_watched(&names, scenario, [staging.folder(); 2], &[], &watch);
    let drawn = drawn.map_err(|error| broken_off(&error))?;
    progress.finish();
    warn_of_missing(&drawn.missing);
    summary.timing = summary.timing.with(making, began.elapsed());
    summary.write(staging.folder()).map_err(|error| broken_off(&error))?;
    let name = staging.name();
    let place = staging.deliver().map_err(|error| {
        let exit = obstructed(&error);
        way_on(&staging, scenario).inspect(|(what, command)| note(&format!("{what}: {command}")));
        exit
    })?;
    let look = Look::of_stdout();
    let text = arguments.speaks().then(|| summary::text(&summary, &place, &drawn.files, look));
    let stats = arguments.stats.then(|| summary::stats(&summary));
    let said = text.into_iter().chain(stats).try_for_each(|text| say(&text));
    // Show the errors of the run even if the output before failed, and the verdict after all else.
    let exit = verdict(&summary, label, !arguments.speaks()).max(undrawn(&drawn));
    said?;
    if arguments.speaks() {
        say(&summary::verdict(&name, &summary, exit, look))?;
    }
    Ok((exit, End::Summary { summary: Box::new(summary), folder: exit::path(&place) }))
}

/// A run that could not be written to its end.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{problem}")]
struct BrokenOff {
    problem: String,
    #[help]
    way: Option<String>,
}

/// Says why a run could not be written to its end, and how to continue it.
fn broken_off(staging: &Staging, scenario: &Scenario, progress: &Progress, error: &(dyn Error + 'static)) -> Exit {
    progress.finish();
    let advice = if lacks_room(error) { "; make room for the rest" } else { "" };
    let way = way_on(staging, scenario)
        .map(|(what, command)| format!("what there is of the run is kept{advice}; {what}:\n{command}"));
    exit::refused(&BrokenOff { problem: with_causes(error), way }, true)
}

/// Whether a write failed because there is no space.
fn lacks_room(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes.any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(kind, Some(ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded))
    })
}

/// How to continue a run that has not come to its end, if that is possible: the purpose, and the command.
fn way_on(staging: &Staging, scenario: &Scenario) -> Option<(&'static str, String)> {
    let command = format!("carom run --resume {}", exit::word(staging.resumable()?));
    Some(match scenario.record.format {
        Format::Csv => ("to go on", command),
        Format::Parquet => ("Parquet tables cannot be continued; to begin anew", command),
    })
}

fn refused(error: &ResumeError) -> Exit {
    let is_io = match error {
        ResumeError::Unreadable(error) => error.is_unreadable(),
        error => matches!(error, ResumeError::Write { .. } | ResumeError::Recording(RecordingError::Io { .. })),
    };
    exit::refused(error, is_io)
}

/// Results cannot be moved to their place: the system refuses, or something else is there.
fn obstructed(error: &StagingError) -> Exit {
    exit::refused(error, true)
}

fn with_overrides(scenario: Scenario, arguments: &RunArguments) -> Result<Scenario, Exit> {
    let mut scenario = scenario.with_times(arguments.timestep, arguments.duration).map_err(|error| invalid(&error))?;
    with_pictures(&mut scenario, arguments);
    if let Some(format) = arguments.format {
        scenario.record.format = format;
    }
    if scenario.record.format == Format::Parquet && !cfg!(feature = "parquet") {
        return Err(bad("this carom was built without Parquet tables; ask for CSV: --format csv"));
    }
    Ok(scenario)
}

/// Draws only what the command line asks for.
fn with_pictures(scenario: &mut Scenario, arguments: &RunArguments) {
    if arguments.no_pictures {
        scenario.plots.clear();
    }
    for figure in scenario.plots.iter_mut().filter(|_| !arguments.pictures.is_empty()) {
        figure.style.formats = formats(&arguments.pictures);
    }
}

/// The warning for a body that has come to a place where numbers are coarse. For one that began there, the warning was
/// shown at the start.
fn far_away(coarsest: &Coarsest, file: &Path) -> String {
    format!(
        "{}: at {} s {}: overlaps and impact times are no finer there; move the scene near the origin, or make the bodies larger",
        exit::path(file),
        coarsest.time,
        coarsest.coarse()
    )
}

/// Says which pictures could not be drawn, and why.
pub(crate) fn undrawn(drawn: &Drawn) -> Exit {
    let one = |(name, error): &(String, ReportError)| {
        complain(&format!("there is no picture {name}: {error}"));
        if matches!(error, ReportError::Panicked) { Exit::Unmet } else { Exit::BadInput }
    };
    drawn.failures.iter().map(one).max().unwrap_or(Exit::Success)
}

/// Warns of characters that pictures cannot show.
pub(crate) fn warn_of_missing(missing: &BTreeSet<char>) {
    if missing.is_empty() {
        return;
    }
    let first: Vec<String> = missing.iter().take(CHARACTERS_MAX).map(|character| format!("`{character}`")).collect();
    let more = if missing.len() > CHARACTERS_MAX { ", ..." } else { "" };
    let list = first.join(", ");
    warn(&format!("the typeface of the plots lacks {list}{more}: in PNG `\u{fffd}` stands for each; SVG has them"));
}

/// Shows errors and warnings, even if the run is quiet. Expectations that were not met are not shown twice on one
/// screen.
fn verdict(summary: &Summary, file: &Path, is_quiet: bool) -> Exit {
    if let Some(error) = &summary.error {
        complain(&format!("{}: {error}", exit::path(file)));
    }
    if let Some(coarsest) = summary.coarsest.as_ref().filter(|coarsest| coarsest.is_coarse() && coarsest.time > 0.0) {
        warn(&far_away(coarsest, file));
    }
    let is_shown = !is_quiet && exit::is_one_screen();
    for unmet in summary.expectations.iter().filter(|verdict| !verdict.met && !is_shown) {
        complain(&format!("{}: expected {}, found {}", exit::path(file), unmet.expected, unmet.found));
    }
    if summary.is_success() { Exit::Success } else { Exit::Unmet }
}
