//! `carom report`: the page of a run or of a sweep, from its tables.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::check::{Loaded, load, read};
use super::sweep::refused;
use crate::cli::arguments::report::ReportArguments;
use crate::cli::exit::{self, Exit, hand_over, show, show_plain};
use crate::cli::progress::Progress;
use crate::cli::staging::{REPORT_FILE, holds_unfinished};
use crate::record::recording::{RECORDING_FILE, Reader, RecordingError};
use crate::record::tables::SCENARIO_FILE;
use crate::record::{SUMMARY_FILE, Summary, SummaryError, text_hash, write_file};
use crate::report::ReportError;
use crate::report::page::{self, Recorded, Results};
use crate::scenario::parse;
use crate::study::{Folder, SWEEP_FILE, merge};

/// Approximate number of hashes of steps on a page.
const HASHES: u64 = 200;

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
    #[error("{} is not the scenario that was run: its hash is another", path.display())]
    #[diagnostic(help("put the scenario back as it was, or run it again"))]
    OtherScenario { path: PathBuf },
    #[error("{} is the folder of a sweep, which is not compared with others", path.display())]
    #[diagnostic(help("name it alone: a sweep has a page of its own"))]
    SweepAmongOthers { path: PathBuf },
    #[error("the page of several runs is not that of one folder")]
    #[diagnostic(help("name a file for it, such as --output compared.html"))]
    NoOutput,
    #[error("the name of a page ends in .html, as in report.html; found {}", path.display())]
    #[diagnostic(help("give --output another name"))]
    NotHtml { path: PathBuf },
    #[error("{} is a folder, so the page cannot be written there", path.display())]
    #[diagnostic(help("name a file for it, such as --output report.html"))]
    OutputIsFolder { path: PathBuf },
}

impl Refusal {
    /// Shows the reason.
    fn shown(&self) -> Exit {
        show(self);
        match self {
            Self::NoFolder { .. } | Self::OutputIsFolder { .. } => Exit::Io,
            _ => Exit::BadInput,
        }
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
    write_file(&file, page.as_bytes()).map_err(|error| {
        show_plain(&error);
        Exit::Io
    })?;
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
        (Some(file), ..) => file.clone(),
        (None, Some(scenario), _) => scenario.with_extension("playground.html"),
        (None, None, [folder]) => folder.join(REPORT_FILE),
        (None, None, _) => return Err(Refusal::NoOutput),
    };
    if file.is_dir() { Err(Refusal::OutputIsFolder { path: file }) } else { Ok(file) }
}

fn playground(file: &Path) -> Result<String, Exit> {
    let Loaded { source, parsed, .. } = load(file, &[], false)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(page::playground(&name, &source.text, &parsed.scenario))
}

fn is_sweep(folder: &Path) -> bool {
    folder.join(SWEEP_FILE).is_file()
}

fn of_sweep(folder: &Path) -> Result<String, Exit> {
    let merged = merge(&[Folder::new(folder)]).map_err(|error| refused(&error))?;
    let name = names(&[folder.to_owned()]).swap_remove(0);
    drawn(&name, || page::of_sweep(&name, &merged))
}

/// Makes a page, and shows progress meanwhile.
fn drawn(name: &str, page: impl FnOnce() -> Result<String, ReportError>) -> Result<String, Exit> {
    let progress = Progress::new(name, false);
    progress.drawing();
    let page = page();
    progress.finish();
    page.map_err(|error| {
        show_plain(&error);
        Exit::Io
    })
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

/// Reads the files of a run.
pub(crate) fn results(folder: &Path, name: String) -> Result<Results, Exit> {
    let summary = summary(folder)?;
    let file = folder.join(SCENARIO_FILE);
    let source = read(&file)?;
    if text_hash(&source.text) != summary.scenario_hash {
        return Err(Refusal::OtherScenario { path: file }.shown());
    }
    let parsed = parse(&source).map_err(|problems| {
        show(&problems);
        Exit::BadInput
    })?;
    let mut scenario = parsed.scenario.with_times(Some(summary.timestep), Some(summary.duration)).map_err(|error| {
        show(&error);
        Exit::BadInput
    })?;
    // The default title is the name of the scenario's file, which is another one in the folder of the run.
    scenario.title.clone_from(&summary.title);
    let recorded = recorded(&folder.join(RECORDING_FILE), summary.steps)?;
    Ok(Results { name, folder: folder.to_owned(), summary, scenario, text: source.text, recorded })
}

fn summary(folder: &Path) -> Result<Summary, Exit> {
    let path = folder.to_owned();
    if !folder.join(SUMMARY_FILE).exists() {
        let refusal = match (holds_unfinished(folder), folder.is_dir(), folder.exists()) {
            (true, ..) => Refusal::Unfinished { path },
            (_, true, _) | (_, _, true) => Refusal::NotARun { path },
            _ => Refusal::NoFolder { path },
        };
        return Err(refusal.shown());
    }
    Summary::read(folder).map_err(|error| {
        show(&error);
        if matches!(error, SummaryError::Io { .. }) { Exit::Io } else { Exit::BadInput }
    })
}

/// The data of the recording of a run with so many steps, if there is one.
fn recorded(file: &Path, steps: u64) -> Result<Option<Recorded>, Exit> {
    let read = || {
        let reader = Reader::open(file)?;
        let header = reader.header().clone();
        Ok(Recorded { header, hashes: reader.hashes(steps.div_ceil(HASHES).max(1))? })
    };
    match read() {
        Ok(recorded) => Ok(Some(recorded)),
        Err(RecordingError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            show(&error);
            Err(if matches!(error, RecordingError::Io { .. }) { Exit::Io } else { Exit::BadInput })
        }
    }
}
