//! The folder of a run: runs a scenario into a folder, reads its tables, makes its page.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom::record::read::each_row;
use carom::record::tables::{self, Counts, Energy, Events, Gas, Paths, Profile, SCENARIO_FILE, Speeds, Trajectory};
use carom::record::{Halt, Job, Outcome, Summary};
use carom::report::draw;
use carom::report::page::{self, Results, ResultsError};
use carom::scenario::{Scenario, Setting, Source, parse};
use carom::world::World;
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyOSError, PyValueError};
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
    let mut rows = Rows::new(T::NAME, T::COLUMNS);
    let read = each_row::<T>(folder, |row| {
        rows.put(|line| T::put(&row, line));
        Ok(())
    });
    read.map_err(|error| PyOSError::new_err(error.to_string()))?;
    rows.finish()
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

/// Runs a scenario to its end, and writes all that the command line writes into the folder of a run. Returns whether
/// all expectations of the scenario were met.
#[pyfunction]
pub(crate) fn run_scenario(
    py: Python<'_>,
    path: PathBuf,
    folder: PathBuf,
    settings: Vec<(String, String)>,
) -> PyResult<bool> {
    released(py, || {
        let settings = settings.iter().map(|(path, text)| Setting::new(format!("set[{path:?}]"), path, text));
        let settings = settings.collect::<Result<Vec<_>, _>>().map_err(Raised::raised)?;
        let source = Source::read(path).map_err(Raised::raised)?.with(&settings).map_err(Raised::raised)?;
        let parsed = parse(&source).map_err(Raised::raised)?;
        let world = parsed.scenario.world().map_err(|error| misplaced(error, &parsed))?;
        let summary = run_into(&folder, (&parsed.scenario, &source), world)?;
        draw(&parsed.scenario, &folder, &folder).map_err(Raised::raised)?;
        summary.write(&folder).map_err(Raised::raised)?;
        Ok(summary.is_success())
    })
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
