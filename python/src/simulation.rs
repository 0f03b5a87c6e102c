//! The class `Simulation`: loading, saving and copying, and what all other parts of the class use.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::sleep;
use std::time::{Duration, Instant};

use carom::record::{keep_files, state_hash, write_file};
use carom::scenario::{Setting, Source, parse};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};

use crate::drive::Filter;
use crate::errors::{Raised, broken, misplaced, refused, released};
use crate::origin::Origin;
use crate::state::State;
use crate::text::value;
use crate::time::fraction;

/// The longest time that a run lets other threads go first.
const WAY: Duration = Duration::from_millis(5);

/// A simulation of bodies that move and collide.
#[pyclass(frozen, weakref, module = "carom")]
pub(crate) struct Simulation {
    state: Mutex<State>,
    /// The number of threads that wait for the state.
    awaited: AtomicUsize,
    pub(crate) listeners: Mutex<Vec<Arc<Listener>>>,
    is_running: AtomicBool,
    pub(crate) is_stopped: AtomicBool,
}

/// A function that is called at events.
pub(crate) struct Listener {
    pub(crate) filter: Filter,
    pub(crate) function: Py<PyAny>,
}

/// While this value exists, the simulation advances and nothing else may change it.
pub(crate) struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Simulation {
    pub(crate) fn of(state: State) -> Self {
        Self {
            state: Mutex::new(state),
            awaited: AtomicUsize::new(0),
            listeners: Mutex::new(Vec::new()),
            is_running: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// The locked state. Other Python threads can run while this thread waits for the lock.
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        self.awaited.fetch_add(1, Ordering::Relaxed);
        let state = self.state.lock_py_attached(py);
        self.awaited.fetch_sub(1, Ordering::Relaxed);
        state.map_err(|_| broken())
    }

    /// Calls `work` with the state, while other Python threads can run.
    pub(crate) fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        released(py, || {
            self.awaited.fetch_add(1, Ordering::Relaxed);
            let state = self.state.lock();
            self.awaited.fetch_sub(1, Ordering::Relaxed);
            work(&mut *state.map_err(|_| broken())?)
        })
    }

    /// The same for a part of a run: after the threads that wait for the state, since a thread that locks it again at
    /// once would keep it. `work` gets the number of those that wait meanwhile.
    pub(crate) fn after_others<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State, &AtomicUsize) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        released(py, || {
            let begun = Instant::now();
            while self.awaited.load(Ordering::Relaxed) > 0 && begun.elapsed() < WAY {
                sleep(Duration::from_micros(50));
            }
            work(&mut *self.state.lock().map_err(|_| broken())?, &self.awaited)
        })
    }

    /// The functions that are called at events.
    pub(crate) fn listening(&self) -> PyResult<MutexGuard<'_, Vec<Arc<Listener>>>> {
        self.listeners.lock().map_err(|_| broken())
    }

    /// Marks the simulation as running.
    pub(crate) fn begin(&self) -> PyResult<Running<'_>> {
        if self.is_running.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err(
                "the simulation is running: neither a callback nor another thread can move it meanwhile; use its `copy()`",
            ));
        }
        Ok(Running(&self.is_running))
    }
}

#[pymethods]
impl Simulation {
    /// The simulation of a scenario file.
    #[staticmethod]
    #[pyo3(signature = (path, *, set = None, timestep = None, duration = None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        set: Option<Bound<'_, PyDict>>,
        timestep: Option<f64>,
        duration: Option<f64>,
    ) -> PyResult<Self> {
        let settings = settings(set.as_ref(), timestep, duration)?;
        released(py, || loaded(Source::read(path).map_err(Raised::raised)?, &settings))
    }

    /// The simulation of a scenario given as text.
    #[staticmethod]
    #[pyo3(signature = (text, *, name = "text", set = None))]
    fn parse(py: Python<'_>, text: &str, name: &str, set: Option<Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = settings(set.as_ref(), None, None)?;
        released(py, || loaded(Source::new(name, text), &settings))
    }

    /// Writes the initial scenario to a file, with the commands that were scheduled, and the mesh files to which it
    /// refers beside it.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.detached(py, |state| {
            state.settled()?;
            let folder = path.parent().unwrap_or(std::path::Path::new(""));
            let source = state.scripted()?;
            keep_files(state.origin.files(), folder).map_err(Raised::raised)?;
            write_file(&path, source.text.as_bytes()).map_err(Raised::raised)
        })
    }

    /// The text of the initial scenario, with the commands that were scheduled.
    #[getter]
    fn scenario(&self, py: Python<'_>) -> PyResult<String> {
        self.detached(py, |state| Ok(state.scripted()?.text))
    }

    /// A line that describes the scenario.
    #[getter]
    fn title(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.lock(py)?.origin.scenario.title.clone())
    }

    /// Length of a step, s.
    #[getter]
    fn timestep(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.clock.timestep)
    }

    /// The end of the scenario, s.
    #[getter]
    fn duration(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.clock.duration)
    }

    /// Simulated time, s.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.world()?.now().seconds())
    }

    /// Simulated time, s, as a `fractions.Fraction`.
    #[getter]
    fn time_exact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let now = self.lock(py)?.world()?.now();
        fraction(now, py)
    }

    /// Number of completed steps.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.clock.steps)
    }

    /// Number of bodies.
    #[getter]
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.world()?.count())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.count(py)
    }

    /// The hash of the state, as in the summary of a run: 64 hexadecimal digits.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<String> {
        self.detached(py, |state| Ok(state_hash(state.world()?)))
    }

    /// Another simulation in the same state, with the same future. It has no callbacks and no recorder.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        self.detached(py, |state| Ok(Self::of(state.twin()?)))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let bytes = slf.get().detached(py, State::bytes)?;
        Ok((slf.get_type().getattr("_from_bytes")?, (PyBytes::new(py, &bytes),)))
    }

    #[staticmethod]
    fn _from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        released(py, || State::from_bytes(bytes).map(Self::of))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut state = self.lock(py)?;
        let title = state.origin.scenario.title.clone();
        let world = state.world()?;
        Ok(format!("<carom.Simulation {title:?}: {} bodies at {} s>", world.count(), world.now().seconds()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // A locked list is in use, so it is not garbage.
        let listeners = self.listeners.try_lock();
        listeners.iter().flat_map(|list| list.iter()).try_for_each(|listener| visit.call(&listener.function))
    }

    fn __clear__(&self) {
        if let Ok(mut listeners) = self.listeners.try_lock() {
            listeners.clear();
        }
    }
}

impl State {
    /// The text of the scenario with the commands that were scheduled.
    pub(crate) fn scripted(&self) -> PyResult<Source> {
        let words = "the commands that were scheduled cannot be written into its scenario";
        self.origin.scripted(&self.deeds)?.map_err(|unwritten| refused(&format!("{words}: {unwritten}")))
    }
}

/// The settings of the arguments `set`, `timestep` and `duration`.
fn settings(set: Option<&Bound<'_, PyDict>>, timestep: Option<f64>, duration: Option<f64>) -> PyResult<Vec<Setting>> {
    let mut settings = Vec::new();
    for (path, given) in set.into_iter().flatten() {
        let (path, text) = (path.extract::<String>()?, value(&given)?);
        settings.push(Setting::new(format!("set[{path:?}] = {text}"), &path, &text).map_err(Raised::raised)?);
    }
    for (name, seconds) in [("timestep", timestep), ("duration", duration)] {
        if let Some(seconds) = seconds {
            let text = crate::text::number(seconds);
            settings.push(Setting::new(format!("{name}={text}"), name, &text).map_err(Raised::raised)?);
        }
    }
    Ok(settings)
}

fn loaded(source: Source, settings: &[Setting]) -> PyResult<Simulation> {
    let source = if settings.is_empty() { source } else { source.with(settings).map_err(Raised::raised)? };
    let parsed = parse(&source).map_err(Raised::raised)?;
    let world = parsed.scenario.world().map_err(|error| misplaced(error, &parsed))?;
    Ok(Simulation::of(State::new(Origin::read(parsed.scenario, source), Some(world))))
}
