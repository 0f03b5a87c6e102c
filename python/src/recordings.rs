//! Recordings: how to write one, how to compare with one, and the simulation at any of its instants.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use carom::motion::SimTime;
use carom::record::recording::{Divergence, Header, Reader, VerifyError, changed};
use carom::record::{self, Cadence, Hash, ScriptError, Verifier, recorded_scenario, sealed, unsealed};
use carom::scenario::Change;
use carom::world::{Snapshot, World};
use numpy::PyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyRange;
use serde::{Deserialize, Serialize};

use crate::deeds::{Deeds, Given};
use crate::drive::Goal;
use crate::errors::{Raised, broken, diverged, refused, released, unfit_recording, with_changes};
use crate::origin::Origin;
use crate::simulation::Simulation;
use crate::state::{Clock, State, Writing, resumed};
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

/// The files to which this process writes recordings.
static WRITTEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The right to write a recording to a file, which only one simulation has.
pub(crate) struct Claim(PathBuf);

impl Claim {
    fn of(file: &Path) -> PyResult<Self> {
        // The folder of a new file can be followed, the file cannot.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let place = folder.join(file.file_name().unwrap_or_default());
        if !WRITTEN.lock().map_err(|_| broken())?.insert(place.clone()) {
            return Err(refused(&format!(
                "another simulation is being recorded to {}: give another file",
                file.display()
            )));
        }
        Ok(Self(place))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Ok(mut written) = WRITTEN.lock() {
            written.remove(&self.0);
        }
    }
}

impl State {
    /// Starts to record each step.
    fn record(&mut self, file: &Path, cadence: Cadence) -> PyResult<()> {
        if self.recorder.is_some() {
            return Err(refused("it is being recorded already"));
        }
        let source = if self.is_at_start() { self.origin.scripted(&self.deeds)?.ok() } else { None };
        let claim = Claim::of(file)?;
        let (origin, world) = self.parts()?;
        let (noted, has_script) = (world.now(), source.is_some());
        let recorder = match source {
            // A recording with the whole scenario can be run by itself.
            Some(source) => record::Recorder::create_for(file, (&origin.scenario, &source), world, cadence),
            None => record::Recorder::create(file, &origin.scenario.title, world, cadence),
        };
        let mut recorder = recorder.map_err(Raised::raised)?;
        if !has_script && !self.deeds.is_empty() {
            recorder.note_deed(None, sealed(&Deed::Before(self.deeds.clone()))).map_err(Raised::raised)?;
        }
        self.recorder = Some(Writing { noted, recorder, _claim: claim });
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

/// What a recording says about what was done from Python.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Deed {
    /// All that was done before it began.
    Before(Deeds),
    Given(Given),
}

/// What is different between the scenario of a simulation and that of a recording, in words.
#[pyfunction]
pub(crate) fn changes(py: Python<'_>, path: PathBuf, sim: &Bound<'_, Simulation>) -> PyResult<Vec<String>> {
    if released(py, || Ok(Reader::open(&path).map_err(Raised::raised)?.header().script.is_none()))? {
        let words =
            "has no scenario to compare: it began later, or what was done cannot be written into one; use verify";
        return Err(unfit_recording(&format!("{} {words}", path.display())));
    }
    Ok(Change::lines(&since_recorded(py, &path, sim.get())?))
}

fn since_recorded(py: Python<'_>, file: &Path, sim: &Simulation) -> PyResult<Vec<Change>> {
    let now = sim.detached(py, |state| {
        let source = state.origin.scripted(&state.deeds)?.unwrap_or_else(|_| state.origin.source());
        Ok(Header::of(&state.origin.scenario, &source))
    })?;
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
    let last = released(py, || Ok(steps(path)?.0.last().map_or(SimTime::ZERO, |step| step.time)))?;
    let (mut verifier, mut noted) = simulation.detached(py, |state| {
        let world = state.world()?;
        Ok((Verifier::open(path, world).map_err(Raised::raised)?, world.now()))
    })?;
    let mut first = None;
    let mut compare_step = |sim: &Bound<'_, Simulation>| {
        sim.get().detached(py, |state| {
            let world = state.world()?;
            if world.now() > noted {
                noted = world.now();
                compare(&mut verifier, world, &mut first)?;
            }
            Ok(true)
        })
    };
    simulation.go(sim, Goal { each_step: true, ..Goal::at(last) }, &mut compare_step)?;
    // The recording may have ended within a step.
    compare_step(sim)?;
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
#[derive(Debug)]
struct Step {
    number: u64,
    time: SimTime,
    hash: Hash,
    has_snapshot: bool,
    /// What was done after it and before the next step.
    deeds: Vec<Given>,
}

/// The steps of a recording, and what was done before it began.
fn steps(file: &Path) -> PyResult<(Vec<Step>, Deeds)> {
    let mut reader = Reader::open(file).map_err(Raised::raised)?;
    let (mut steps, mut before) = (Vec::new(), Deeds::default());
    while let Some(noted) = reader.next_step().map_err(Raised::raised)? {
        let mut deeds = Vec::new();
        for bytes in &noted.deeds {
            match unsealed(bytes).map_err(|error| unfit_recording(&error))? {
                Deed::Before(all) => before = all,
                Deed::Given(given) => deeds.push(given),
            }
        }
        let has_snapshot = noted.mark.is_some();
        steps.push(Step { number: noted.step, time: noted.time, hash: noted.hash, has_snapshot, deeds });
    }
    Ok((steps, before))
}

/// A recording that gives the simulation at any of its instants.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Recording {
    file: PathBuf,
    like: Option<Py<Simulation>>,
    title: String,
    steps: Vec<Step>,
    before: Deeds,
}

#[pymethods]
impl Recording {
    #[new]
    #[pyo3(signature = (path, *, like = None))]
    fn new(py: Python<'_>, path: PathBuf, like: Option<Py<Simulation>>) -> PyResult<Self> {
        let (title, (steps, before)) = released(py, || {
            let title = Reader::open(&path).map_err(Raised::raised)?.header().title.clone();
            Ok((title, steps(&path)?))
        })?;
        Ok(Self { file: path, like, title, steps, before })
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

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, steps) = (slf.py(), slf.get().steps.len() as isize);
        py.import("builtins")?.call_method1("map", (slf.getattr("__getitem__")?, PyRange::new(py, 0, steps)?))
    }

    /// The simulation at the end of a step.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, Simulation>> {
        let place = if index < 0 { self.steps.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
        let place = place.filter(|place| *place < self.steps.len());
        let place =
            place.ok_or_else(|| PyIndexError::new_err(format!("the recording has {} steps", self.steps.len())))?;
        let sim = self.simulation(py, self.steps[place].time, place)?;
        let snapshot = sim.get().detached(py, |state| Ok(state.world()?.snapshot()))?;
        if Hash::of(&snapshot, &mut Vec::new()) != self.steps[place].hash {
            return Err(unfit_recording(
                &"run again from its last snapshot, it does not come to this step: it was changed by a callback between two \
                  events of one instant, or what it is `like` is another simulation",
            ));
        }
        Ok(sim)
    }

    /// The simulation at an instant. It is advanced from the last snapshot before that instant, and the result is
    /// exact.
    fn at<'py>(&self, py: Python<'py>, time: Instant) -> PyResult<Bound<'py, Simulation>> {
        let [first, last] =
            [self.steps.first(), self.steps.last()].map(|step| step.map_or(SimTime::ZERO, |step| step.time));
        // A float may be the instant of a step, rounded.
        let rounded = self.steps.iter().map(|step| step.time).filter(|&step| time.may_be(step));
        let time = rounded.min_by_key(|&step| step != time.time).unwrap_or(time.time);
        if time < first || time > last {
            return Err(PyIndexError::new_err(format!("the recording goes from {first} s to {last} s")));
        }
        // At the instant of a step it is the state of that step, to which nothing has been done yet.
        let later = self.steps.partition_point(|step| step.time <= time);
        let is_step = self.steps[later - 1].time == time;
        self.simulation(py, time, if is_step { later - 1 } else { later })
    }

    fn __repr__(&self) -> String {
        format!("<carom.Recording {:?}: {} steps>", self.title, self.steps.len())
    }
}

impl Recording {
    /// The simulation at an instant, to which all was done that was done before the step at the index `end`.
    fn simulation<'py>(&self, py: Python<'py>, time: SimTime, end: usize) -> PyResult<Bound<'py, Simulation>> {
        let fits = |step: &Step| step.has_snapshot && step.time <= time;
        let base = self.steps.iter().take(end + 1).rposition(fits);
        let base = base.ok_or_else(|| unfit_recording(&"the recording has no snapshot before that time"))?;
        let done = |steps: &[Step]| steps.iter().flat_map(|step| step.deeds.clone()).collect::<Vec<_>>();
        let origin = self.origin(py)?;
        let state = released(py, || {
            let (step, mut deeds) = (&self.steps[base], self.before.clone());
            for given in done(&self.steps[..base]) {
                let knots = given.order.knots(given.at.unwrap_or(given.now), &origin)?;
                deeds.add(given, knots, true);
            }
            let world = resumed(&origin, &deeds, &snapshot(&self.file, step.number)?)?;
            let clock = Clock::new(&origin.scenario).at(step.time, step.number);
            Ok(State { clock, deeds, has_begun: true, ..State::new(origin, Some(world)) })
        })?;
        let sim = Bound::new(py, Simulation::of(state))?;
        for given in done(&self.steps[base..end]).into_iter().filter(|given| given.now <= time) {
            sim.get().go_to(&sim, given.now)?;
            sim.get().detached(py, |state| state.give(given.at, given.order))?;
        }
        sim.get().go_to(&sim, time)?;
        sim.get().detached(py, |state| {
            state.events.clear();
            Ok(())
        })?;
        Ok(sim)
    }

    /// The origin of the simulation that was recorded: that of another one, or the scenario in the header.
    fn origin(&self, py: Python<'_>) -> PyResult<Origin> {
        match &self.like {
            Some(like) => like.get().detached(py, |state| Ok(state.parts()?.0.clone())),
            None => released(py, || {
                let reader = Reader::open(&self.file).map_err(Raised::raised)?;
                let recorded = recorded_scenario(reader.header(), &self.file);
                let (source, scenario) = recorded.map_err(unscripted)?;
                Ok(Origin::read(scenario, source))
            }),
        }
    }
}

fn unscripted(error: ScriptError) -> PyErr {
    match error {
        ScriptError::Problems(problems) => problems.raised(),
        ScriptError::NoScript { file } => unfit_recording(&format!(
            "{} has no scenario: give a simulation of the same one, carom.Recording(file, like=sim)",
            file.display()
        )),
        error => unfit_recording(&error),
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
