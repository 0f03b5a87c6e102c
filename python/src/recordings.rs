//! Recordings: how to write one, how to compare with one, and the simulation at any of its instants.

use std::path::{Path, PathBuf};

use carom::motion::SimTime;
use carom::record::recording::{Divergence, Header, Reader, VerifyError, changed};
use carom::record::{self, Cadence, Verifier, recorded_scenario};
use carom::scenario::Change;
use carom::world::{Snapshot, World};
use numpy::PyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::drive::{Goal, Stop};
use crate::errors::{Raised, diverged, refused, released, unfit_recording, with_changes};
use crate::origin::Origin;
use crate::simulation::Simulation;
use crate::state::{Clock, State, Writing};
use crate::time::Instant;

/// Records each step of a simulation until the end of the `with` block.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Recorder {
    file: PathBuf,
    sim: Py<Simulation>,
    cadence: Cadence,
}

#[pymethods]
impl Recorder {
    #[new]
    #[pyo3(signature = (path, sim, *, hashes = 1, snapshots = None))]
    fn new(path: PathBuf, sim: Py<Simulation>, hashes: u64, snapshots: Option<u64>) -> Self {
        Self { file: path, sim, cadence: Cadence { hashes: hashes.max(1), snapshots } }
    }

    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let Self { file, sim, cadence } = slf.get();
        sim.get().detached(slf.py(), |state| state.record(file, *cadence))?;
        Ok(slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.sim.get().detached(py, State::end_recording)
    }
}

impl State {
    /// Starts to record each step.
    fn record(&mut self, file: &Path, cadence: Cadence) -> PyResult<()> {
        if self.recorder.is_some() {
            return Err(refused("it is being recorded already"));
        }
        let source = self.is_at_start().then(|| self.origin.source());
        self.world()?;
        let Self { origin, made, .. } = self;
        let Some(world) = made.as_ref() else { return Ok(()) };
        let recorder = match source {
            // A recording with the whole scenario can be run by itself.
            Some(source) => record::Recorder::create_for(file, (&origin.scenario, &source), world, cadence),
            None => record::Recorder::create(file, &origin.scenario.title, world, cadence),
        };
        self.recorder = Some(Writing { noted: world.now(), recorder: recorder.map_err(Raised::raised)? });
        Ok(())
    }

    /// Ends the recording, with the present state as its last step.
    fn end_recording(&mut self) -> PyResult<()> {
        let now = self.world()?.now();
        if self.recorder.as_ref().is_some_and(|writing| writing.noted < now) {
            self.note()?;
        }
        let Some(writing) = self.recorder.take() else { return Ok(()) };
        writing.recorder.finish(self.world()?).map_err(Raised::raised)
    }
}

/// What is different between the scenario of a simulation and that of a recording, in words.
#[pyfunction]
pub(crate) fn changes(py: Python<'_>, path: PathBuf, sim: &Bound<'_, Simulation>) -> PyResult<Vec<String>> {
    Ok(Change::lines(&since_recorded(py, &path, sim.get())?))
}

fn since_recorded(py: Python<'_>, file: &Path, sim: &Simulation) -> PyResult<Vec<Change>> {
    let now = sim.detached(py, |state| Ok(Header::of(&state.origin.scenario, &state.origin.source())))?;
    released(py, || Ok(changed(Reader::open(file).map_err(Raised::raised)?.header(), &now)))
}

/// Advances a simulation over the steps of a recording, and compares each step.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, path: PathBuf, sim: &Bound<'_, Simulation>) -> PyResult<()> {
    advance(py, &path, sim).map_err(|error| {
        // What is wrong with the recording is the error itself.
        let changes = since_recorded(py, &path, sim.get()).unwrap_or_default();
        with_changes(error, &changes, py)
    })
}

fn advance(py: Python<'_>, path: &Path, sim: &Bound<'_, Simulation>) -> PyResult<()> {
    let simulation = sim.get();
    let _running = simulation.begin()?;
    let last = released(py, || Ok(steps(path)?.last().map_or(SimTime::ZERO, |step| step.time)))?;
    let (mut verifier, mut noted) = simulation.detached(py, |state| {
        let world = state.world()?;
        Ok((Verifier::open(path, world).map_err(Raised::raised)?, world.now()))
    })?;
    let mut goal = Goal { until: Some(last), events: None, each_step: true, filters: Vec::new() };
    let mut first = None;
    loop {
        let is_over = simulation.detached(py, |state| {
            let stop = state.drive(&mut goal)?;
            let now = state.world()?.now();
            if matches!(stop, Stop::Step) || matches!(stop, Stop::Done) && now > noted {
                noted = now;
                compare(&mut verifier, state.world()?, &mut first)?;
            }
            Ok(matches!(stop, Stop::Done))
        })?;
        py.check_signals()?;
        if is_over {
            break;
        }
    }
    match first {
        Some(first) => Err(diverged(&first, None)),
        None => verifier.finish().map_err(Raised::raised),
    }
}

/// Compares a step. If the recording has no snapshot of a step that differs, the difference is kept until a step with a
/// snapshot.
fn compare(verifier: &mut Verifier, world: &World, first: &mut Option<Divergence>) -> PyResult<()> {
    match (verifier.note(world), first) {
        (Ok(()), _) => Ok(()),
        (Err(VerifyError::Divergence(found)), first) if found.difference.is_none() => {
            first.get_or_insert(*found);
            Ok(())
        }
        (Err(VerifyError::Divergence(found)), Some(first)) => Err(diverged(first, Some(&found))),
        (Err(error), _) => Err(error.raised()),
    }
}

/// A step of a recording.
#[derive(Debug, Clone, Copy)]
struct Step {
    number: u64,
    time: SimTime,
    has_snapshot: bool,
}

fn steps(file: &Path) -> PyResult<Vec<Step>> {
    let (mut reader, mut steps) = (Reader::open(file).map_err(Raised::raised)?, Vec::new());
    while let Some(noted) = reader.next_step().map_err(Raised::raised)? {
        steps.push(Step { number: noted.step, time: noted.time, has_snapshot: noted.mark.is_some() });
    }
    Ok(steps)
}

/// A recording that gives the simulation at any of its instants.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Recording {
    file: PathBuf,
    like: Option<Py<Simulation>>,
    title: String,
    steps: Vec<Step>,
}

#[pymethods]
impl Recording {
    #[new]
    #[pyo3(signature = (path, *, like = None))]
    fn new(py: Python<'_>, path: PathBuf, like: Option<Py<Simulation>>) -> PyResult<Self> {
        let (title, steps) = released(py, || {
            let title = Reader::open(&path).map_err(Raised::raised)?.header().title.clone();
            Ok((title, steps(&path)?))
        })?;
        Ok(Self { file: path, like, title, steps })
    }

    /// A line that describes the scenario.
    #[getter]
    fn title(&self) -> &str {
        &self.title
    }

    /// The instants of its steps, s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.steps.iter().map(|step| step.time.seconds()))
    }

    fn __len__(&self) -> usize {
        self.steps.len()
    }

    /// The simulation at the end of a step.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, Simulation>> {
        let place = if index < 0 { self.steps.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
        let step = place.and_then(|place| self.steps.get(place));
        let step =
            step.ok_or_else(|| PyIndexError::new_err(format!("the recording has {} steps", self.steps.len())))?;
        self.simulation(py, step.time)
    }

    /// The simulation at an instant. It is advanced from the last snapshot before that instant, and the result is
    /// exact.
    fn at<'py>(&self, py: Python<'py>, time: Instant) -> PyResult<Bound<'py, Simulation>> {
        let [first, last] =
            [self.steps.first(), self.steps.last()].map(|step| step.map_or(SimTime::ZERO, |step| step.time));
        if time.0 < first || time.0 > last {
            return Err(PyIndexError::new_err(format!("the recording goes from {first} s to {last} s")));
        }
        self.simulation(py, time.0)
    }

    fn __repr__(&self) -> String {
        format!("<carom.Recording {:?}: {} steps>", self.title, self.steps.len())
    }
}

impl Recording {
    fn simulation<'py>(&self, py: Python<'py>, time: SimTime) -> PyResult<Bound<'py, Simulation>> {
        let step = self.steps.iter().rev().find(|step| step.has_snapshot && step.time <= time);
        let step = *step.ok_or_else(|| unfit_recording(&"the recording has no snapshot before that time"))?;
        let snapshot = released(py, || snapshot(&self.file, step.number))?;
        let state = match &self.like {
            Some(like) => like.get().detached(py, |state| {
                let mut state = state.twin()?;
                state.world()?.restore(&snapshot).map_err(Raised::raised)?;
                Ok(state)
            })?,
            None => released(py, || scripted(&self.file, &snapshot))?,
        };
        let state =
            State { clock: Clock::at(&state.origin.scenario, step.time, step.number), events: Vec::new(), ..state };
        let sim = Bound::new(py, Simulation::of(state))?;
        sim.get().go_to(&sim, time)?;
        Ok(sim)
    }
}

/// The snapshot of a step in a recording.
fn snapshot(file: &Path, step: u64) -> PyResult<Snapshot> {
    let mut reader = Reader::open(file).map_err(Raised::raised)?;
    while let Some(noted) = reader.next_step().map_err(Raised::raised)? {
        if let Some(mark) = noted.mark.filter(|_| noted.step == step) {
            return Ok(mark.snapshot);
        }
    }
    Err(unfit_recording(&"the recording was changed while it was read"))
}

/// The simulation of the scenario in the header of a recording, in the state of a snapshot.
fn scripted(file: &Path, snapshot: &Snapshot) -> PyResult<State> {
    let reader = Reader::open(file).map_err(Raised::raised)?;
    let (source, scenario) = recorded_scenario(reader.header(), file).map_err(|error| unfit_recording(&error))?;
    let bodies = scenario.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
    let world = World::resume(scenario.settings.clone(), bodies, scenario.commands.iter().cloned(), snapshot);
    Ok(State::new(Origin::read(scenario, source), Some(world.map_err(Raised::raised)?)))
}
