//! `carom report`: the page of a run or of a sweep, from its tables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::check::{Loaded, load};
use super::sweep::{is_sweep, results_of};
use crate::cli::arguments::report::ReportArguments;
use crate::cli::exit::{self, Exit, hand_over, unwritten};
use crate::cli::progress::while_busy;
use crate::cli::staging::{REPORT_FILE, holds_unfinished};
use crate::record::{RecordingError, SUMMARY_FILE, SummaryError, write_file};
use crate::report::ReportError;
use crate::report::page::{self, Results, ResultsError};

/// Why no page can be made.
#[derive(Debug, Error, Diagnostic)]
enum Refusal {
    #[error("there is no folder {}", path.display())]
    #[diagnostic(help("name the folder of a run, such as output/newtons_cradle"))]
    NoFolder { path: PathBuf },
    #[error("{} is not the folder of a run: it has no {SUMMARY_FILE}", path.display())]
    #[diagnostic(help("name the folder of a run or of a sweep, such as output/newtons_cradle"))]
    NotARun { path: PathBuf },
    #[error("the run in {} has not come to its end, so there is nothing to report yet", path.display())]
    #[diagnostic(help("carom run --resume goes on with it"))]
    Unfinished { path: PathBuf },
    #[error("{} is the folder of a sweep, which is not compared with others", path.display())]
    #[diagnostic(help("name it alone: a sweep has a page of its own"))]
    SweepAmongOthers { path: PathBuf },
    #[error("the page of several runs is not that of one folder")]
    #[diagnostic(help("name a file for it, such as --output compared.html"))]
    NoOutput,
    #[error("the name of a page ends in .html, as in report.html; found {}", path.display())]
    #[diagnostic(help("give --output another name"))]
    NotHtml { path: PathBuf },
    #[error("{} is in the way and is no page of carom", path.display())]
    #[diagnostic(help("move it away, or name another file with --output"))]
    InTheWay { path: PathBuf },
    #[error("{} is a folder, so the page cannot be written there", path.display())]
    #[diagnostic(help("name a file for it, such as --output report.html"))]
    OutputIsFolder { path: PathBuf },
}

impl Refusal {
    /// Shows the reason.
    fn shown(&self) -> Exit {
        let is_io = matches!(self, Self::NoFolder { .. } | Self::OutputIsFolder { .. } | Self::InTheWay { .. });
        exit::refused(self, is_io)
    }
}

pub(crate) fn command(arguments: &ReportArguments) -> Result<Exit, Exit> {
    let file = output(arguments).map_err(|refusal| refusal.shown())?;
    let page = match &arguments.playground {
        Some(scenario) => playground(scenario)?,
        None => match arguments.folders.as_slice() {
            [only] if is_sweep(only) => of_sweep(only)?,
            folders => match folders.iter().find(|folder| is_sweep(folder)) {
                Some(path) => return Err(Refusal::SweepAmongOthers { path: path.clone() }.shown()),
                None => of_runs(folders)?,
            },
        },
    };
    write_file(&file, page.as_bytes()).map_err(|error| unwritten(&error))?;
    hand_over(&exit::path(&file))?;
    Ok(Exit::Success)
}

/// The file of the page.
fn output(arguments: &ReportArguments) -> Result<PathBuf, Refusal> {
    let file = match (&arguments.output, &arguments.playground, arguments.folders.as_slice()) {
        (Some(file), ..) if file.is_dir() => return Err(Refusal::OutputIsFolder { path: file.clone() }),
        (Some(file), ..) if file.extension().is_none_or(|ending| ending != "html") => {
            return Err(Refusal::NotHtml { path: file.clone() });
        }
        (Some(file), ..) => return Ok(file.clone()),
        (None, Some(scenario), _) => scenario.with_extension("playground.html"),
        (None, None, [folder]) => folder.join(REPORT_FILE),
        (None, None, _) => return Err(Refusal::NoOutput),
    };
    match file {
        path if path.is_dir() => Err(Refusal::OutputIsFolder { path }),
        path if path.exists() && !page::is_page(&path) => Err(Refusal::InTheWay { path }),
        file => Ok(file),
    }
}

fn playground(file: &Path) -> Result<String, Exit> {
    let Loaded { source, parsed, .. } = load(file, &[], false)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(page::playground(&name, &source.text, &parsed.scenario))
}

fn of_sweep(folder: &Path) -> Result<String, Exit> {
    let merged = results_of(folder, false)?;
    let name = names(&[folder.to_owned()]).swap_remove(0);
    drawn(&name, || page::of_sweep(&name, &merged))
}

/// Makes a page, and shows progress meanwhile.
fn drawn(name: &str, page: impl FnOnce() -> Result<String, ReportError>) -> Result<String, Exit> {
    while_busy((name, false), "drawing plots", page).map_err(|error| unwritten(&error))
}

fn of_runs(folders: &[PathBuf]) -> Result<String, Exit> {
    let names = names(folders);
    let runs = folders.iter().zip(names).map(|(folder, name)| results(folder, name)).collect::<Result<Vec<_>, _>>()?;
    drawn(&runs[0].name, || page::of_runs(&runs))
}

/// The name of each run on the page: that of its folder, or the path if two folders have the same name.
fn names(folders: &[PathBuf]) -> Vec<String> {
    let short = |folder: &PathBuf| {
        let named = if folder.file_name().is_some() { None } else { folder.canonicalize().ok() };
        let folder = named.as_ref().unwrap_or(folder);
        folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    };
    let names: Vec<String> = folders.iter().map(short).collect();
    let distinct: BTreeSet<&String> = names.iter().collect();
    if distinct.len() == names.len() {
        return names;
    }
    folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect()
}

/// Refuses a folder that is not there, or whose run has not come to its end.
pub(crate) fn ready(folder: &Path) -> Result<(), Exit> {
    let path = folder.to_owned();
    match (holds_unfinished(folder) && !folder.join(SUMMARY_FILE).exists(), folder.exists()) {
        (true, _) => Err(Refusal::Unfinished { path }.shown()),
        (_, true) => Ok(()),
        _ => Err(Refusal::NoFolder { path }.shown()),
    }
}

/// Reads the files of a run.
pub(crate) fn results(folder: &Path, name: String) -> Result<Results, Exit> {
    ready(folder)?;
    if !folder.join(SUMMARY_FILE).exists() {
        return Err(Refusal::NotARun { path: folder.to_owned() }.shown());
    }
    let shown = exit::path(folder);
    while_busy((&shown, false), "reading the run", || Results::read(folder, name)).map_err(|error| unread(&error))
}

/// Shows why the files of a run cannot be read.
fn unread(error: &ResultsError) -> Exit {
    let is_io = match error {
        ResultsError::Summary(error) => matches!(error, SummaryError::Io { .. }),
        ResultsError::Scenario(error) => error.is_unreadable(),
        ResultsError::Recording(error) => matches!(error, RecordingError::Io { .. }),
        _ => false,
    };
    exit::refused(error, is_io)
}
