//! `carom sweep`: one scenario many times, one table out.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::run::warn_of_missing;
use crate::cli::arguments::sweep::{SweepAction, SweepArguments};
use crate::cli::exit::{self, Exit, complain, failed, note, path, say, warn, with_causes, word};
use crate::cli::progress::{Members, while_busy};
use crate::cli::signals::Attention;
use crate::cli::staging::REPORT_FILE;
use crate::cli::terminal::Look;
use crate::numeric::shown;
use crate::record::SUMMARY_FILE;
use crate::report::draw_study;
use crate::report::page::is_page;
use crate::scenario::text::printable::printable;
use crate::study::{Ended, Folder, Lost, Merged, Status, Study, StudyError, Summary, Workload, merge, write_tables};

/// Most lost members that are listed.
const LOST_MAX: usize = 10;

pub(crate) fn command(arguments: &SweepArguments) -> Result<Exit, Exit> {
    match (&arguments.action, &arguments.file) {
        (Some(SweepAction::Merge { folders, output, partial }), _) => merged(folders, output.as_deref(), *partial),
        (None, Some(file)) => run(file, arguments),
        (None, None) => unreachable!("clap asks for one of the two"),
    }
}

fn run(file: &Path, arguments: &SweepArguments) -> Result<Exit, Exit> {
    let study = Study::read(file).map_err(|error| refused(&error))?;
    let folder = Folder::new(match &arguments.output {
        Some(output) => output.clone(),
        None => Path::new("output").join(file.file_stem().unwrap_or_default()),
    });
    let shard = arguments.shard.unwrap_or_default();
    let attention = Attention::new();
    attention.may_end_with("interrupted; the same command goes on".to_owned());
    let bar = Members::new(&study.sweep.title, arguments.quiet);
    let workload = Workload { shard, jobs: arguments.jobs.unwrap_or(0), asked: Some(attention.flag()) };
    let shared = Mutex::new(&bar);
    let ended = study.run(&folder, workload, |pace| {
        if let Ok(bar) = shared.lock() {
            bar.show(pace);
        }
    });
    bar.finish();
    let ended = ended.map_err(|error| refused(&error))?;
    if ended.repaired > 0 {
        note(&format!("{} damaged: run again", results(ended.repaired)));
    }
    if let Some(exit) = attention.asked() {
        let Ended { all, run, kept, .. } = ended;
        note(&format!("interrupted with {} of {all} members done; the same command goes on", run + kept));
        return Err(exit);
    }
    drop(attention);
    if ended.lost > 0 {
        complain(&format!("{} ended in a panic, which is a fault of carom", members(ended.lost)));
    }
    if (shard.of == 1 && ended.is_complete()) || study.is_complete(&folder) {
        let merged = merge(std::slice::from_ref(&folder)).map_err(|error| refused(&error))?;
        deliver(&merged, folder.path(), arguments.quiet)?;
    } else if !arguments.quiet {
        say(&format!(
            "{} of this part done; others of the sweep have no result yet; when they have: carom sweep merge {}",
            members(ended.run + ended.kept),
            word(folder.path())
        ))?;
    }
    Ok(if ended.is_complete() { Exit::Success } else { Exit::Unmet })
}

fn merged(folders: &[PathBuf], output: Option<&Path>, is_partial: bool) -> Result<Exit, Exit> {
    let folders: Vec<Folder> = folders.iter().map(Folder::new).collect();
    let merged = merge(&folders).map_err(|error| refused(&error))?;
    if !merged.lost.is_empty() {
        complain(&lost(&merged.lost, merged.rows.len(), is_partial));
    }
    if merged.lost.is_empty() || is_partial {
        let place = output.map_or_else(|| folders[0].clone(), Folder::new);
        place.begin_table().map_err(|error| refused(&error))?;
        deliver(&merged, place.path(), false)?;
    }
    Ok(if merged.lost.is_empty() { Exit::Success } else { Exit::Unmet })
}

/// Writes table, summary and plots, and reports the results.
fn deliver(merged: &Merged, place: &Path, is_quiet: bool) -> Result<(), Exit> {
    let sweep = &merged.study.sweep;
    let write_error = |error: crate::record::WriteError| refused(&StudyError::from(error));
    // A page shows the results that it was made from.
    let page = place.join(REPORT_FILE);
    if is_page(&page) {
        std::fs::remove_file(page).map_err(|error| unwritten(place, &error))?;
    }
    let mut files = write_tables(place, sweep, merged.study.text(), &merged.rows).map_err(write_error)?;
    Summary::of(merged).write(place).map_err(write_error)?;
    files.push(SUMMARY_FILE.to_owned());
    let drawn = while_busy((&sweep.title, is_quiet), "drawing plots", || draw_study(sweep, &merged.rows, place));
    let drawn = drawn.map_err(|error| unwritten(place, &error))?;
    warn_of_missing(&drawn.missing);
    files.extend(drawn.files.iter().map(|file| file.display().to_string()));
    if is_quiet {
        return Ok(());
    }
    let counts = Status::ALL.into_iter().filter(|&status| status != Status::Done && merged.count(status) > 0);
    let others: String =
        counts.map(|status| format!(", {} {}", shown(merged.count(status) as f64), status.name())).collect();
    let (title, done) = (printable(&sweep.title), merged.count(Status::Done));
    let verdict = format!("{title}: {}, {done} done{others}", members(merged.rows.len() as u64));
    let verdict = Look::of_stdout().marked(done == merged.rows.len(), &verdict);
    say(&format!("{}: {}\n{verdict}", path(place), files.join(", ")))
}

/// The message about members without a result.
fn lost(lost: &[Lost], all: usize, is_partial: bool) -> String {
    let line = |lost: &Lost| {
        let damaged = if lost.is_damaged { ", damaged" } else { "" };
        format!("member {} ({}){damaged}", lost.member, lost.values.join(", "))
    };
    let first: Vec<String> = lost.iter().take(LOST_MAX).map(line).collect();
    let more = if lost.len() > LOST_MAX { ", ..." } else { "" };
    let otherwise = if is_partial { "" } else { ", or merge with --partial" };
    format!(
        "{} of {all} have no result: {}{more}; run the sweep again{otherwise}",
        members(lost.len() as u64),
        first.join("; ")
    )
}

fn unwritten(place: &Path, error: &(dyn std::error::Error + 'static)) -> Exit {
    failed(&format!("{}: {}", path(place), with_causes(error)))
}

/// Whether this is the folder of a sweep.
pub(super) fn is_sweep(folder: &Path) -> bool {
    Folder::new(folder).is_sweep()
}

/// The results of the sweep in a folder.
pub(super) fn results_of(folder: &Path, is_quiet: bool) -> Result<Merged, Exit> {
    let merged = while_busy((&path(folder), is_quiet), "reading the sweep", || merge(&[Folder::new(folder)]));
    merged.map_err(|error| refused(&error))
}

/// Warns of members that have no result yet.
pub(super) fn warn_of_lost(merged: &Merged) {
    if !merged.lost.is_empty() {
        warn(&format!("{} members have no result yet and are left out", merged.lost.len()));
    }
}

fn refused(error: &StudyError) -> Exit {
    use StudyError::{Base, NotOurs, Threads, Unreadable, Write};
    let is_io = match error {
        Unreadable(error) => error.is_unreadable(),
        error => matches!(error, Write { .. } | NotOurs { .. } | Threads { .. } | Base(_)),
    };
    exit::refused(error, is_io)
}

fn members(count: u64) -> String {
    format!("{count} member{}", if count == 1 { "" } else { "s" })
}

fn results(count: u64) -> String {
    if count == 1 { "1 result was".to_owned() } else { format!("{count} results were") }
}
