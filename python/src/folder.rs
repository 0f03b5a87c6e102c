//! The folder of a run: runs a scenario into a folder, reads its tables, and draws its plots.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom::record::read::each_row;
use carom::record::tables::{self, Counts, Energy, Events, Gas, Paths, Profile, SCENARIO_FILE, Speeds, Trajectory};
use carom::record::{Halt, Job, Outcome, Summary};
use carom::report::{draw, draw_only, stems};
use carom::scenario::plot::style::PictureFormat;
use carom::scenario::{Scenario, Setting, Source, parse};
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::errors::{Raised, misplaced};
use crate::tables::{Rows, Table};

/// How often Python is asked whether there are signals.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A table of a run.
#[pyfunction]
pub(crate) fn read_table(py: Python<'_>, folder: PathBuf, name: &str) -> PyResult<Table> {
    py.detach(|| match name {
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

/// Draws one of the plots that the scenario of a run requests, as SVG, into the folder `into`.
#[pyfunction]
pub(crate) fn plot(py: Python<'_>, folder: PathBuf, name: String, into: PathBuf) -> PyResult<()> {
    py.detach(|| {
        let mut scenario = scenario_of(&folder)?;
        let names = stems(&scenario);
        if !names.contains(&name) {
            let message = format!("no plot is called {name:?}: the scenario has {}", names.join(", "));
            return Err(PyKeyError::new_err(message));
        }
        scenario.plots.iter_mut().for_each(|figure| figure.style.formats = vec![PictureFormat::Svg]);
        let drawn = draw_only(&[name], &scenario, &folder, &into);
        drawn.map(|_| ()).map_err(|error| PyOSError::new_err(error.to_string()))
    })
}

/// The scenario of a run, with the timestep and the duration of that run.
fn scenario_of(folder: &Path) -> PyResult<Scenario> {
    let summary = Summary::read(folder).map_err(|error| PyOSError::new_err(error.to_string()))?;
    let source = Source::read(folder.join(SCENARIO_FILE)).map_err(Raised::raised)?;
    let parsed = parse(&source).map_err(Raised::raised)?.scenario;
    let scenario = parsed.with_times(Some(summary.timestep), Some(summary.duration));
    let scenario = scenario.map_err(|error| PyValueError::new_err(error.to_string()))?;
    // A scenario without a title is named after its file, but the copy in the folder has another file name.
    Ok(Scenario { title: summary.title, ..scenario })
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
    py.detach(|| {
        let settings = settings.iter().map(|(path, text)| Setting::new(format!("set[{path:?}]"), path, text));
        let settings = settings.collect::<Result<Vec<_>, _>>().map_err(Raised::raised)?;
        let source = Source::read(path).map_err(Raised::raised)?.with(&settings).map_err(Raised::raised)?;
        let parsed = parse(&source).map_err(Raised::raised)?;
        let world = parsed.scenario.world().map_err(|error| misplaced(error, &parsed))?;
        let scenario = &parsed.scenario;
        let (last, interrupt) = (Cell::new(Instant::now()), RefCell::new(None));
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is not general enough over lifetimes"
        )]
        let is_asked = || {
            if last.get().elapsed() > LOOK_EVERY {
                last.set(Instant::now());
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    interrupt.replace(Some(error));
                }
            }
            interrupt.borrow().is_some()
        };
        let halt = Halt { until: None, asked: Some(&is_asked) };
        let job = Job { scenario, source: &source, folder: &folder, halt };
        let outcome = job.run(world, |_| ());
        match outcome.map_err(Raised::raised)? {
            Outcome::Halted { .. } => Err(interrupt.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))),
            Outcome::Finished(summary) => {
                draw(scenario, &folder, &folder).map_err(|error| PyOSError::new_err(error.to_string()))?;
                summary.write(&folder).map_err(Raised::raised)?;
                Ok(summary.is_success())
            }
        }
    })
}
