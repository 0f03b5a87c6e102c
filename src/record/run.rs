//! A run: the loop that steps a world and writes down what it sees.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::books::Ledger;
use super::checkpoint::{Checkpoint, Watchers};
use super::chosen::{followed, ids, moving};
use super::gas::Meter;
use super::hash::{state_hash, text_hash};
use super::recording::{Header, RECORDING_FILE, Recorder};
use super::sheet::Heading;
use super::summary::{SCHEMA, Summary, Timing};
use super::tables::SCENARIO_FILE;
use super::verdict::{Findings, Watch};
use super::write::{Approaches, Sheets, SheetsState, WriteError, write_file};
use crate::dynamics::{BodyId, EventKind, Progress};
use crate::motion::SimTime;
use crate::scenario::{MeshFile, Observation, Scenario, Source};
use crate::world::{RunError, World};

/// Events taken between two looks at the clock on the wall, and held in memory at most.
const EVENTS_AT_ONCE: usize = 4096;

/// A snapshot after so long a time on the wall since the last goes to the disk at once, with the tables, so that it outlives the power;
/// one in between outlives the process. A disk takes some ten milliseconds for each of a few files: less than a hundredth of that time.
const ON_DISK_EVERY: Duration = Duration::from_secs(10);

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glimpse {
    /// Simulated time, s.
    pub time: f64,
    /// Length of the run, s.
    pub duration: f64,
    /// Impacts so far.
    pub impacts: u64,
}

/// What is to be run, and where to.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// What.
    pub scenario: &'a Scenario,
    /// The text that it was read from.
    pub source: &'a Source,
    /// Where the results go.
    pub folder: &'a Path,
    /// At the first step at or after this instant the run is halted, s; `None` lets it come to its end.
    pub until: Option<f64>,
}

/// How a job came out.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The run is over. The summary is the caller's to [`write`](Summary::write), who may have more to say of the time.
    Finished(Box<Summary>),
    /// The run was halted, and can be gone on with: [`Unfinished`](super::Unfinished).
    Halted {
        /// Simulated time, s.
        time: f64,
    },
}

/// Runs `world`, made from `scenario`, to its end, and writes tables, a recording, a copy of `text` and the mesh files that it
/// names into `folder`. The summary is the caller's to [`write`](Summary::write), who may have more to say of the time.
///
/// `watch` is told every now and then how far the run is. A run that ends with an error has its tables up to there,
/// and the error in its summary.
///
/// # Errors
/// [`WriteError`] when a file cannot be written.
pub fn run(
    scenario: &Scenario,
    text: &str,
    world: World,
    folder: &Path,
    watch: impl FnMut(Glimpse),
) -> Result<Summary, WriteError> {
    let source = Source::new(SCENARIO_FILE, text);
    let mut run = Job { scenario, source: &source, folder, until: None }.begin(world, watch)?;
    let stop = run.all_steps(None)?;
    run.finish(stop)
}

impl<'a> Job<'a> {
    /// Runs `world`, made from the scenario, as [`run()`] does.
    ///
    /// # Errors
    /// [`WriteError`] when a file cannot be written.
    pub fn run(&self, world: World, watch: impl FnMut(Glimpse)) -> Result<Outcome, WriteError> {
        self.begin(world, watch)?.into_outcome(self.until)
    }

    /// Goes on with `world`, which is where `step` led to, with a recording and tables that have all up to there.
    pub(super) fn go_on(
        &self,
        world: World,
        recorder: Recorder,
        (step, checkpoint): (u64, &Checkpoint),
        watch: impl FnMut(Glimpse),
    ) -> Result<Outcome, WriteError> {
        let mut run = Run::new(self, world, recorder, Some(&checkpoint.sheets), watch)?;
        run.take_up(step, &checkpoint.watchers);
        run.into_outcome(self.until)
    }

    fn begin<W: FnMut(Glimpse)>(&self, world: World, watch: W) -> Result<Run<'a, W>, WriteError> {
        write_file(&self.folder.join(SCENARIO_FILE), self.source.text.as_bytes())?;
        for file in &self.scenario.files {
            keep(file, self.folder)?;
        }
        let recorder = Recorder::begin(&self.folder.join(RECORDING_FILE), &Header::of(self.scenario, self.source))?;
        Run::new(self, world, recorder, None, watch)
    }
}

/// Why no more steps are taken.
enum Stop {
    Over,
    Failed(RunError),
    Halted,
}

struct Run<'a, W> {
    scenario: &'a Scenario,
    scenario_hash: String,
    world: World,
    watch: W,
    sheets: Sheets,
    recorder: Recorder,
    recorded: Vec<BodyId>,
    ledger: Ledger,
    gas: Option<Meter>,
    expectations: Vec<Watch<'a>>,
    /// Events so far, by kind.
    events: [u64; EventKind::ALL.len()],
    /// Impacts since the last look.
    approaches: Approaches,
    steps: u64,
    /// The last steps at which the tables got rows, and the table of energy.
    looked: Option<u64>,
    weighed: Option<u64>,
    /// Time spent on stepping, and on everything else.
    stepping: Duration,
    writing: Duration,
    /// Until when time is accounted for.
    clock: Instant,
    /// When a snapshot last went to the disk.
    on_disk: Instant,
}

impl<'a, W: FnMut(Glimpse)> Run<'a, W> {
    fn new(
        job: &Job<'a>,
        mut world: World,
        recorder: Recorder,
        sheets: Option<&SheetsState>,
        watch: W,
    ) -> Result<Self, WriteError> {
        let clock = Instant::now();
        let Job { scenario, source, folder, .. } = *job;
        let Scenario { settings, bodies, record, expect, .. } = scenario;
        let foresight = world.foresight();
        let moving = moving(scenario, &foresight);
        let followed = followed(record, &foresight, &moving);
        let recorded = if record.bodies.is_empty() { moving } else { ids(&record.bodies, &foresight) };
        let expectations = expect.iter().map(|expected| Watch::new(expected, scenario, &foresight)).collect();
        followed.into_iter().for_each(|id| world.track(id));
        let scenario_hash = text_hash(&source.text);
        let heading = Heading { scenario_hash: scenario_hash.clone() };
        let has_gas = scenario.observe.contains(&Observation::Gas);
        Ok(Self {
            scenario,
            scenario_hash,
            watch,
            sheets: Sheets::open(folder, record, has_gas, &heading, sheets)?,
            recorder,
            recorded,
            ledger: Ledger::open(world.balance()),
            gas: has_gas.then(|| Meter::new(settings, bodies, &world, scenario.gas_since())),
            expectations,
            world,
            events: [0; EventKind::ALL.len()],
            approaches: Approaches::default(),
            steps: 0,
            looked: None,
            weighed: None,
            stepping: Duration::ZERO,
            writing: Duration::ZERO,
            clock,
            on_disk: clock,
        })
    }

    /// Takes up what was seen up to `step`.
    fn take_up(&mut self, step: u64, seen: &Watchers) {
        // The first knots of those who are followed have been written.
        self.world.take_knots();
        self.steps = step;
        (self.ledger, self.events, self.approaches) = (seen.ledger, seen.events, seen.approaches);
        (self.looked, self.weighed) = (seen.looked, seen.weighed);
        if let (Some(gas), Some(state)) = (&mut self.gas, &seen.gas) {
            gas.go_on(state);
        }
        self.expectations.iter_mut().zip(&seen.expectations).for_each(|(watch, seen)| watch.go_on(*seen));
    }

    /// All that there is besides the state of the world, if the run can be gone on with from here: not from a step that the
    /// end of the run cut short, nor where the tables cannot be cut back.
    fn checkpoint(&mut self) -> Result<Option<Checkpoint>, WriteError> {
        if self.world.now() != SimTime::from_seconds(self.steps as f64 * self.scenario.timestep) {
            return Ok(None);
        }
        let Some(sheets) = self.sheets.state()? else { return Ok(None) };
        let watchers = Watchers {
            ledger: self.ledger,
            gas: self.gas.as_ref().map(Meter::state),
            expectations: self.expectations.iter().map(Watch::state).collect(),
            events: self.events,
            approaches: self.approaches,
            looked: self.looked,
            weighed: self.weighed,
        };
        Ok(Some(Checkpoint { sheets, watchers }))
    }

    /// Takes every step up to the end or to `until`; an error of the run is no failure to write.
    fn all_steps(&mut self, until: Option<f64>) -> Result<Stop, WriteError> {
        if self.looked.is_none() {
            // The paths on which those who are followed begin.
            self.take_notes()?;
            self.step_is_done()?;
        }
        let Scenario { timestep, duration, .. } = *self.scenario;
        while self.world.now() < SimTime::from_seconds(duration) {
            if until.is_some_and(|until| self.world.now() >= SimTime::from_seconds(until)) {
                return Ok(Stop::Halted);
            }
            self.steps += 1;
            // Counted from the start, so that roundings do not add up.
            let time = (self.steps as f64 * timestep).min(duration);
            if let Err(error) = self.one_step(SimTime::from_seconds(time))? {
                return Ok(Stop::Failed(error));
            }
            self.step_is_done()?;
        }
        Ok(Stop::Over)
    }

    /// Writes down what it is time for after a step.
    fn step_is_done(&mut self) -> Result<(), WriteError> {
        if self.steps.is_multiple_of(self.scenario.record.stride) {
            self.look()?;
        }
        if self.steps.is_multiple_of(self.scenario.record.energy_stride) {
            self.weigh()?;
        }
        let is_due = self.recorder.begin_step(self.steps);
        let checkpoint = if is_due { self.checkpoint()? } else { None };
        self.recorder.note_state(&self.world, checkpoint)?;
        if is_due && self.on_disk.elapsed() >= ON_DISK_EVERY {
            self.sheets.sync()?;
            self.recorder.sync()?;
            self.on_disk = Instant::now();
        }
        Ok(())
    }

    fn one_step(&mut self, target: SimTime) -> Result<Result<(), RunError>, WriteError> {
        loop {
            let spent = self.lap();
            self.writing += spent;
            let progress = self.world.advance(target, EVENTS_AT_ONCE);
            let spent = self.lap();
            self.stepping += spent;
            self.take_notes()?;
            match progress {
                Ok(Progress::BufferFull) => {}
                Ok(Progress::Reached) => return Ok(Ok(())),
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// The time since the last lap.
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.clock, now)
    }

    /// Writes down what has happened.
    fn take_notes(&mut self) -> Result<(), WriteError> {
        for event in self.world.take_events() {
            self.events[event.kind as usize] += 1;
            if event.kind == EventKind::Impact {
                self.approaches.add(event.approach_speed);
            }
            self.expectations.iter_mut().for_each(|expectation| expectation.see(&event));
            self.gas.iter_mut().for_each(|gas| gas.see(&event));
            self.sheets.event(&self.world, &event)?;
        }
        for knot in self.world.take_knots() {
            self.sheets.knot(&self.world, &knot)?;
        }
        let (time, duration) = (self.world.now().seconds(), self.scenario.duration);
        let impacts = self.events[EventKind::Impact as usize];
        (self.watch)(Glimpse { time, duration, impacts });
        Ok(())
    }

    /// Writes down where what is recorded is, and what has happened since the last look.
    fn look(&mut self) -> Result<(), WriteError> {
        self.looked = Some(self.steps);
        for &id in self.recorded.iter().filter(|&&id| self.world.is_present(id)) {
            self.sheets.body(&self.world, self.steps, id)?;
        }
        if let Some(gas) = &mut self.gas {
            let figures = gas.look(&self.world);
            self.sheets.gas(self.steps, self.world.now(), figures)?;
        }
        self.sheets.counts(self.steps, self.world.now(), self.events, std::mem::take(&mut self.approaches))
    }

    /// Writes down the energy of all bodies, which takes a walk over them.
    fn weigh(&mut self) -> Result<(), WriteError> {
        self.weighed = Some(self.steps);
        let balance = self.world.balance();
        self.ledger.note(&balance);
        self.sheets.energy(self.steps, self.world.now(), &balance, &self.world.audit())
    }

    fn into_outcome(mut self, until: Option<f64>) -> Result<Outcome, WriteError> {
        match self.all_steps(until)? {
            Stop::Halted => {
                let checkpoint = self.checkpoint()?;
                self.sheets.sync()?;
                self.recorder.end(&self.world, checkpoint, None)?;
                Ok(Outcome::Halted { time: self.world.now().seconds() })
            }
            stop => Ok(Outcome::Finished(Box::new(self.finish(stop)?))),
        }
    }

    /// Writes the rows that there are only because it is the end, and ends all files.
    fn finish(mut self, stop: Stop) -> Result<Summary, WriteError> {
        let error = if let Stop::Failed(error) = stop { Some(error.to_string()) } else { None };
        let checkpoint = if error.is_none() { self.checkpoint()? } else { None };
        if self.looked != Some(self.steps) {
            self.look()?;
        }
        if self.weighed != Some(self.steps) {
            self.weigh()?;
        }
        let (world, scenario) = (&self.world, self.scenario);
        let audit = world.audit();
        let reached = world.now().seconds();
        let books = self.ledger.close(&world.balance(), &audit, &scenario.settings, reached);
        let hash = state_hash(world);
        let gas = self.gas.as_ref().map(Meter::report);
        let findings = Findings { books: &books, gas: gas.as_ref(), hash: &hash };
        let expectations = self.expectations.iter().map(|e| e.judge(world, &findings)).collect();
        self.gas.iter().try_for_each(|gas| self.sheets.speeds(gas))?;
        let paths_full_at = self.sheets.paths_full.map(SimTime::seconds);
        let tables = self.sheets.finish()?;
        self.recorder.begin_step(self.steps);
        self.recorder.end(world, checkpoint, error.clone())?;
        Ok(Summary {
            schema: SCHEMA,
            carom: env!("CARGO_PKG_VERSION"),
            title: scenario.title.clone(),
            scenario_hash: self.scenario_hash,
            timestep: scenario.timestep,
            duration: scenario.duration,
            reached,
            steps: self.steps,
            bodies: scenario.all_bodies().count(),
            free_bodies: scenario.all_bodies().filter(|named| named.body.is_free()).count(),
            events: EventKind::ALL.iter().map(|&kind| (kind.name(), audit.count(kind))).collect(),
            audit: books,
            gas,
            state_hash: hash,
            tables,
            paths_full_at,
            expectations,
            error,
            timing: Timing::of_run(audit.count(EventKind::Impact), self.stepping, self.writing + self.clock.elapsed()),
        })
    }
}

/// Writes a file that the scenario names to where the copy of the scenario will look for it.
fn keep(file: &MeshFile, folder: &Path) -> Result<(), WriteError> {
    let place = folder.join(&file.name);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(|source| WriteError { file: parent.to_owned(), source })?;
    }
    write_file(&place, &file.bytes)
}
