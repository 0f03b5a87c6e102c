//! The folder of a run: runs a scenario into a folder, reads its tables, makes its page.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf, absolute};
use std::time::{Duration, Instant};

use carom::cli::staging::{Staging, StagingError};
use carom::record::read::{ReadError, each_row};
use carom::record::tables::{self, Counts, Energy, Events, Gas, Paths, Profile, SCENARIO_FILE, Speeds, Trajectory};
use carom::record::{Halt, Job, Outcome, Summary, file_name, tables_left};
use carom::report::draw;
use carom::report::page::{self, Results, ResultsError};
use carom::scenario::{Format, Scenario, Setting, Source, parse};
use carom::world::World;
use pyo3::exceptions::{
    PyFileExistsError, PyFileNotFoundError, PyKeyError, PyKeyboardInterrupt, PyOSError, PyValueError,
};
use pyo3::prelude::*;

use crate::errors::{Raised, misplaced, released};
use crate::origin::Origin;
use crate::tables::{Rows, Table};

/// How often Python is asked whether there are signals.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A table of a run.
#[pyfunction]
pub(crate) fn read_table(py: Python<'_>, folder: PathBuf, name: &str) -> PyResult<Table> {
    released(py, || match name {
        "events" => read::<Events>(&folder),
        "counts" => read::<Counts>(&folder),
        "trajectory" => read::<Trajectory>(&folder),
        "paths" => read::<Paths>(&folder),
        "energy" => read::<Energy>(&folder),
        "gas" => read::<Gas>(&folder),
        "speeds" => read::<Speeds>(&folder),
        "profile" => read::<Profile>(&folder),
        _ => Err(PyKeyError::new_err(format!(
            "no table is called {name:?}: there are events, counts, trajectory, paths, energy, gas, speeds and profile"
        ))),
    })
}

fn read<T: tables::Table>(folder: &Path) -> PyResult<Table> {
    check_sizes::<T>(folder)?;
    let mut rows = Rows::new(T::NAME, T::COLUMNS);
    let read = each_row::<T>(folder, |row| {
        rows.put(|line| T::put(&row, line));
        Ok(())
    });
    read.map_err(Raised::raised)?;
    rows.finish()
}

/// Refuses the file of a table that has not the size that the summary of its run gives. One of another version of carom
/// gives none.
fn check_sizes<T: tables::Table>(folder: &Path) -> PyResult<()> {
    let Ok(summary) = Summary::read(folder) else { return Ok(()) };
    for name in [Format::Csv, Format::Parquet].map(file_name::<T>) {
        let (file, wanted) = (folder.join(&name), summary.tables.get(&name));
        if let (Some(wanted), Ok(found)) = (wanted, fs::metadata(&file))
            && found.len() != *wanted
        {
            return Err(PyOSError::new_err(format!(
                "{} has {} bytes, and had {wanted} when its run ended: run the scenario again",
                file.display(),
                found.len()
            )));
        }
    }
    Ok(())
}

impl Raised for ReadError {
    fn raised(self) -> PyErr {
        match &self {
            Self::Io { file, source } if source.kind() == ErrorKind::NotFound => {
                PyFileNotFoundError::new_err(format!("the run has no table {}", file.display()))
            }
            Self::Io { source, .. } => PyOSError::new_err(format!("{self}: {source}")),
            _ => PyOSError::new_err(self.to_string()),
        }
    }
}

/// The scenario of a run, with the timestep and the duration of that run.
pub(crate) fn scenario_of(folder: &Path) -> PyResult<Origin> {
    let summary = Summary::read(folder).map_err(|error| PyOSError::new_err(error.to_string()))?;
    let source = Source::read(folder.join(SCENARIO_FILE)).map_err(Raised::raised)?;
    let parsed = parse(&source).map_err(Raised::raised)?.scenario;
    let scenario = parsed.with_times(Some(summary.timestep), Some(summary.duration));
    let scenario = scenario.map_err(|error| PyValueError::new_err(error.to_string()))?;
    // A scenario without a title is named after its file, but the copy in the folder has another file name.
    Ok(Origin::read(Scenario { title: summary.title, ..scenario }, source))
}

/// Runs a scenario to its end, and leaves in the folder of a run all that the command line leaves there.
#[pyfunction]
pub(crate) fn run_scenario(
    py: Python<'_>,
    path: PathBuf,
    folder: PathBuf,
    settings: Vec<(String, String)>,
) -> PyResult<()> {
    released(py, || {
        let settings = settings.iter().map(|(path, text)| Setting::new(format!("set[{path:?}]"), path, text));
        let settings = settings.collect::<Result<Vec<_>, _>>().map_err(Raised::raised)?;
        let source = Source::read(path).map_err(Raised::raised)?.with(&settings).map_err(Raised::raised)?;
        let parsed = parse(&source).map_err(Raised::raised)?;
        let world = parsed.scenario.world().map_err(|error| misplaced(error, &parsed))?;
        in_place(&folder, parsed.scenario.record.format, |folder| {
            let summary = run_into(folder, (&parsed.scenario, &source), world)?;
            draw(&parsed.scenario, folder, folder).map_err(Raised::raised)?;
            summary.write(folder).map_err(Raised::raised)
        })
    })
}

/// Makes the results of a run beside their folder, and moves them there when they are whole, as the command line does.
/// The tables are in the format `tables`. `make` gets the folder in which it makes them.
pub(crate) fn in_place(folder: &Path, tables: Format, make: impl FnOnce(&Path) -> PyResult<()>) -> PyResult<()> {
    let place = absolute(folder)?;
    let name = place.file_name().and_then(|name| name.to_str());
    let (Some(name), Some(parent)) = (name, place.parent()) else {
        return Err(PyValueError::new_err(format!("{} is no name of a folder", folder.display())));
    };
    let mut staging = Staging::open(parent, name, false, tables).map_err(Raised::raised)?;
    let making = staging.folder().to_owned();
    match make(&making) {
        Ok(()) => staging.deliver().map(|_| ()).map_err(Raised::raised),
        Err(error) => {
            // Nothing is left of a run that is not whole, since Python cannot go on with it.
            drop(staging);
            let _ = fs::remove_dir_all(making);
            Err(error)
        }
    }
}

/// Whether a folder has the summary of a run.
#[pyfunction]
pub(crate) fn is_run(folder: PathBuf) -> bool {
    tables_left(&folder).is_some()
}

impl Raised for StagingError {
    fn raised(self) -> PyErr {
        match &self {
            Self::NotOurs { .. } => PyFileExistsError::new_err(format!("{self}: move it away, or name another folder")),
            Self::Interrupted { path, .. } => PyFileExistsError::new_err(format!(
                "{self}: `carom run --resume` with this folder goes on with it; or remove {}",
                path.with_file_name(format!(".{}.partial", path.file_name().unwrap_or_default().to_string_lossy()))
                    .display()
            )),
            _ => PyOSError::new_err(self.to_string()),
        }
    }
}

/// Runs a world to the end of its scenario, and writes the tables and the recording into a folder. Signals end it.
pub(crate) fn run_into(
    folder: &Path,
    (scenario, source): (&Scenario, &Source),
    world: World,
) -> PyResult<std::boxed::Box<Summary>> {
    let (last, interrupt) = (Cell::new(Instant::now()), RefCell::new(None));
    let is_asked = || {
        if last.get().elapsed() > LOOK_EVERY {
            last.set(Instant::now());
            if let Err(error) = signals() {
                interrupt.replace(Some(error));
            }
        }
        interrupt.borrow().is_some()
    };
    let halt = Halt { until: None, asked: Some(&is_asked) };
    match (Job { scenario, source, folder, halt }).run(world, |_| ()).map_err(Raised::raised)? {
        Outcome::Halted { .. } => Err(interrupt.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))),
        Outcome::Finished(summary) => Ok(summary),
    }
}

/// Lets Python handle its signals. One such as Ctrl-C gives an error.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method is not general enough over lifetimes")]
pub(crate) fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// The page of runs, each with its name.
#[pyfunction]
pub(crate) fn report_page(py: Python<'_>, runs: Vec<(String, PathBuf)>) -> PyResult<String> {
    released(py, || {
        let read = |(name, folder): (String, PathBuf)| Results::read(&folder, name).map_err(Raised::raised);
        let runs = runs.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
        page::of_runs(&runs).map_err(Raised::raised)
    })
}

impl Raised for ResultsError {
    fn raised(self) -> PyErr {
        match self {
            Self::Scenario(error) => error.raised(),
            Self::Wrong(problems) => problems.raised(),
            Self::Recording(error) => error.raised(),
            Self::OtherScenario { .. } | Self::Times(_) => PyValueError::new_err(self.to_string()),
            other => PyOSError::new_err(other.to_string()),
        }
    }
}
