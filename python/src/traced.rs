//! What a simulation has done, as the folder of a run: it is run again from its start to its present, and what it
//! leaves is what `carom run` leaves. The state at the end must be that of the simulation, to the bit.

use std::path::{Path, PathBuf};

use carom::motion::SimTime;
use carom::record::state_hash;
use carom::report::draw;
use carom::scenario::{Scenario, Source};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tempfile::TempDir;

use crate::deeds::{Deeds, Unwritten};
use crate::errors::{Raised, refused};
use crate::folder::{in_place, run_into};
use crate::pictures::Picture;
use crate::plots::{drawn, figure};
use crate::simulation::Simulation;
use crate::state::State;

/// The folder of a simulation's run up to an instant.
pub(crate) struct Trace {
    folder: TempDir,
    /// Its end, s, and the hash of the state there.
    end: f64,
    hash: String,
    /// What was done to the simulation.
    deeds: Deeds,
    /// Why the scenario in it has not all that was done, if it has not.
    unwritten: Option<Unwritten>,
}

#[pymethods]
impl Simulation {
    /// Draws a plot of what the simulation has done: one that it asks for, or any other, such as `path_xz`. The options
    /// are the fields of the plot and of its style.
    ///
    /// The simulation is run again for it, with what its `record` says. Further plots of the same instant need no run.
    #[pyo3(signature = (name, **options))]
    fn plot(&self, py: Python<'_>, name: &str, options: Option<Bound<'_, PyDict>>) -> PyResult<Picture> {
        let options = options.unwrap_or_else(|| PyDict::new(py));
        // What is wrong with the words is said before it is run.
        let mut origin = self.detached(py, |state| {
            state.settled()?;
            let end = state.world()?.now().seconds();
            // Bodies that came meanwhile may be named.
            let scenario = if end > 0.0 { state.done_until(end)? } else { state.origin.scenario.clone() };
            Ok(state.origin.of(scenario))
        })?;
        let figure = figure(&origin, name, &options)?;
        let _running = self.begin()?;
        self.detached(py, |state| {
            let (folder, scenario) = state.traced()?;
            origin.scenario = scenario;
            drawn(&figure, &origin, &folder, &[])
        })
    }

    /// A moving picture of what the simulation has done, as `Run.film` makes it.
    #[pyo3(signature = (path = None, **options))]
    fn film<'py>(
        &self,
        py: Python<'py>,
        path: Option<Bound<'py, PyAny>>,
        options: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.results(py)?.call_method("film", (path,), options.as_ref())
    }

    /// The page of what the simulation has done, as `carom report` makes it.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.results(py)?.call_method0("report")
    }

    /// Writes what the simulation has done for another program, as `Run.export` does.
    #[pyo3(signature = (format, path, **options))]
    fn export<'py>(
        &self,
        py: Python<'py>,
        format: Bound<'py, PyAny>,
        path: Bound<'py, PyAny>,
        options: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.results(py)?.call_method("export", (format, path), options.as_ref())
    }

    /// Runs a simulation that has not begun to its end, into a folder.
    fn _run_into(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let _running = self.begin()?;
        if !self.listening()?.is_empty() {
            return Err(refused(
                "it has callbacks, which a run into a folder does not call: take them off with `off`, or use `run` and then \
                 `plot`, `film`, `report` and `export`",
            ));
        }
        self.detached(py, |state| {
            if !state.is_at_start() {
                return Err(refused(
                    "it has begun already, or something was done to it at once; make it again, or use its `plot`, `film`, `report` \
                     and `export`",
                ));
            }
            state.settled()?;
            let (world, source) = (state.world()?.clone(), state.scripted()?);
            let scenario = state.done_until(state.clock.duration)?;
            in_place(&folder, scenario.record.format, |folder| {
                let summary = run_into(folder, (&scenario, &source), world)?;
                draw(&scenario, folder, folder).map_err(Raised::raised)?;
                summary.write(folder).map_err(Raised::raised)
            })
        })
    }
}

impl Simulation {
    /// What it has done, as a `Run`.
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let _running = self.begin()?;
        let folder = self.detached(py, |state| {
            let (folder, _) = state.traced()?;
            match state.trace.as_ref().and_then(|trace| trace.unwritten.as_ref()) {
                None => Ok(folder),
                Some(unwritten) => Err(refused(&format!(
                    "what was done to it cannot be written as commands of its scenario, which films, pages and exports need; \
                     plots can be drawn: {unwritten}"
                ))),
            }
        })?;
        py.import("carom._run")?.getattr("Run")?.call1((folder,))
    }
}

impl State {
    /// The folder of the run up to the present, and the scenario of that run.
    fn traced(&mut self) -> PyResult<(PathBuf, Scenario)> {
        self.settled()?;
        let now = self.world()?.now();
        if now == SimTime::ZERO {
            return Err(refused("it has not run yet, so there is nothing to show: call its `run()` first"));
        }
        // A run ends at a number of seconds: the first that is not before the present.
        let end = if SimTime::from_seconds(now.seconds()) < now { now.seconds().next_up() } else { now.seconds() };
        let mut twin = self.twin()?;
        let world = twin.world()?;
        if now < SimTime::from_seconds(end) {
            world.advance_until(SimTime::from_seconds(end), usize::MAX, &|| false).map_err(Raised::raised)?;
        }
        let hash = state_hash(world);
        let scenario = self.done_until(end)?;
        let is_same = |trace: &&Trace| trace.end == end && trace.hash == hash && trace.deeds == self.deeds;
        if let Some(trace) = self.trace.as_ref().filter(is_same) {
            return Ok((trace.folder.path().to_owned(), scenario));
        }
        let folder = tempfile::Builder::new().prefix("carom.").tempdir().map_err(|error| unwritten(&error))?;
        let (source, unwritten) = match self.origin.source_with(&self.deeds, end)? {
            Ok(source) => (source, None),
            Err(unwritten) => (self.origin.source(), Some(unwritten)),
        };
        run_again(folder.path(), (&scenario, &source), &hash)?;
        let trace = self.trace.insert(Trace { folder, end, hash, deeds: self.deeds.clone(), unwritten });
        Ok((trace.folder.path().to_owned(), scenario))
    }

    /// The scenario with all commands from outside, until an instant, s.
    fn done_until(&mut self, end: f64) -> PyResult<Scenario> {
        if self.deeds.are_some_forgotten {
            return Err(refused(&format!("it cannot be run again from its start: {}", Unwritten::Forgotten)));
        }
        let mut commands = self.world()?.scheduled().to_vec();
        for (at, order) in &self.deeds.done {
            commands.push(order.timed(*at, &self.origin)?);
        }
        commands.sort_by_key(|timed| timed.at);
        let scenario = Scenario { commands, ..self.origin.scenario.clone() };
        scenario.with_times(None, Some(end)).map_err(|error| refused(&error.to_string()))
    }
}

/// Runs the scenario into a folder, to a state with this hash.
fn run_again(folder: &Path, (scenario, source): (&Scenario, &Source), hash: &str) -> PyResult<()> {
    let world = scenario.world().map_err(Raised::raised)?;
    let summary = run_into(folder, (scenario, source), world)?;
    if summary.state_hash != hash {
        return Err(refused(
            "run again from its start, it does not come to its present state: it was reversed, taken back to a snapshot of \
             another run, or changed by a callback between two events of one instant",
        ));
    }
    summary.write(folder).map_err(Raised::raised)
}

fn unwritten(error: &std::io::Error) -> PyErr {
    PyOSError::new_err(format!("a folder for the run cannot be made: {error}"))
}
