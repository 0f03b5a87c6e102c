//! The loop of a run: it steps a world and records what it sees.

use std::time::{Duration, Instant};

use super::job::{Halt, Job, Outcome, RunProgress};
use super::moments::Moments;
use super::observers::Observers;
use super::portion::{EVENTS_AT_ONCE, Go};
use super::selection::{followed, ids, moving};
use crate::dynamics::{BodyId, EventKind, Progress};
use crate::motion::SimTime;
use crate::record::files::WriteError;
use crate::record::hash::text_hash;
use crate::record::recording::Recorder;
use crate::record::recording::checkpoint::{Checkpoint, Watchers};
use crate::record::summary::{SCHEMA, Stepped, Summary, Timing};
use crate::record::tables::heading::Heading;
use crate::record::tables::write::{Sheets, SheetsState};
use crate::record::verdict::Found;
use crate::scenario::Scenario;
use crate::world::{RunError, World};

/// After this wall time since the last, a snapshot goes to the disk at once, with the tables, so that it outlives a
/// power failure. A snapshot in between outlives only the process. A disk takes some ten milliseconds for each of a few
/// files, which is less than a hundredth of this time.
const ON_DISK_EVERY: Duration = Duration::from_secs(10);

/// Why the run takes no more steps.
pub(crate) enum Stop {
    Over,
    Failed(RunError),
    /// Between two instants, where it can be continued.
    Halted,
    /// Amid the events of an instant: it can be continued from an earlier step.
    BrokenOff,
}

/// A run that is under way.
pub(crate) struct Run<'a, W> {
    scenario: &'a Scenario,
    scenario_hash: String,
    world: World,
    watch: W,
    sheets: Sheets,
    recorder: Recorder,
    recorded: Vec<BodyId>,
    observers: Observers<'a>,
    steps: u64,
    /// Impacts in earlier processes.
    impacts_before: u64,
    moments: Moments<'a>,
    /// The last steps at which the tables got rows, and the table of energy.
    looked: Option<u64>,
    weighed: Option<u64>,
    /// Time spent on stepping, and on everything else.
    stepping: Duration,
    writing: Duration,
    /// The instant up to which time is accounted for.
    clock: Instant,
    /// When a snapshot last went to the disk.
    on_disk: Instant,
}

impl<'a, W: FnMut(RunProgress)> Run<'a, W> {
    pub(crate) fn new(
        job: &Job<'a>,
        mut world: World,
        recorder: Recorder,
        sheets: Option<&SheetsState>,
        watch: W,
    ) -> Result<Self, WriteError> {
        let clock = Instant::now();
        let Job { scenario, source, folder, .. } = *job;
        let record = &scenario.record;
        let future_names = world.future_names();
        let moving = moving(scenario, &future_names);
        let followed = followed(record, &future_names, &moving);
        let recorded = if record.bodies.is_empty() { moving } else { ids(&record.bodies, &future_names) };
        followed.into_iter().for_each(|id| world.track(id));
        let scenario_hash = text_hash(&source.text);
        let heading = Heading { scenario_hash: scenario_hash.clone() };
        Ok(Self {
            scenario,
            scenario_hash,
            watch,
            sheets: Sheets::open(folder, record, &scenario.observe, &heading, sheets)?,
            recorder,
            recorded,
            observers: Observers::new(scenario, &world),
            world,
            steps: 0,
            impacts_before: 0,
            moments: Moments::new(&scenario.record.at),
            looked: None,
            weighed: None,
            stepping: Duration::ZERO,
            writing: Duration::ZERO,
            clock,
            on_disk: clock,
        })
    }

    /// Continues from the state of the observers at `step`.
    pub(crate) fn take_up(&mut self, step: u64, seen: &Watchers) {
        // The first knots of the followed bodies have been written.
        self.world.take_knots();
        self.steps = step;
        self.impacts_before = seen.events[EventKind::Impact as usize];
        (self.looked, self.weighed) = (seen.looked, seen.weighed);
        let is_step_end = self.world.now() == self.step_end();
        self.moments.go_on(&self.world, seen.looked == Some(step) && is_step_end);
        self.observers.take_up(seen);
        if is_step_end {
            self.observers.begin_means(self.steps, &self.world);
        }
    }

    /// The end of the last step, if all steps are of full length.
    fn step_end(&self) -> SimTime {
        SimTime::from_seconds(self.steps as f64 * self.scenario.timestep)
    }

    /// The data besides the state of the world, if the run can be continued from here. It cannot after a step that the
    /// end of the run cut short, nor if the tables cannot be cut back.
    fn checkpoint(&mut self) -> Result<Option<Checkpoint>, WriteError> {
        if self.world.now() < self.step_end() {
            return Ok(None);
        }
        let Some(sheets) = self.sheets.state()? else { return Ok(None) };
        let watchers = self.observers.seen(self.looked, self.weighed);
        Ok(Some(Checkpoint { sheets, watchers }))
    }

    /// Takes every step up to the end, or until it is to halt. An error of the run is an outcome, not a failure to
    /// write.
    pub(crate) fn all_steps(&mut self, halt: Halt<'_>) -> Result<Stop, WriteError> {
        if self.looked.is_none() {
            // Write the first paths of the followed bodies.
            self.take_notes()?;
            self.step_is_done()?;
        }
        let Scenario { timestep, duration, .. } = *self.scenario;
        while self.world.now() < SimTime::from_seconds(duration) {
            if halt.is_due(self.world.now()) {
                return Ok(Stop::Halted);
            }
            self.steps += 1;
            // Counted from the start, so that rounding errors do not add up.
            let time = SimTime::from_seconds((self.steps as f64 * timestep).min(duration));
            if let Some(stop) = self.one_step(time, halt)? {
                // A step that is not done does not count, unless an error ends the run in it.
                self.steps -= u64::from(!matches!(stop, Stop::Failed(_)));
                return Ok(stop);
            }
            self.step_is_done()?;
        }
        Ok(Stop::Over)
    }

    /// Writes what is due after a step.
    fn step_is_done(&mut self) -> Result<(), WriteError> {
        if self.steps.is_multiple_of(self.scenario.record.stride) {
            self.look()?;
        } else if self.moments.is_now(&self.world) {
            self.write_bodies(self.steps)?;
        }
        if self.steps.is_multiple_of(self.scenario.record.energy_stride) {
            self.weigh()?;
        }
        self.observers.begin_means(self.steps, &self.world);
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

    /// Goes to the end of a step, and writes the bodies at each chosen instant on the way. Returns why the run stops
    /// before, if it does.
    fn one_step(&mut self, end: SimTime, halt: Halt<'_>) -> Result<Option<Stop>, WriteError> {
        while let Some(instant) = self.moments.next(&self.world, end) {
            if let Some(stop) = self.go_to(instant, World::pause_until, halt)? {
                return Ok(Some(stop));
            }
            self.write_bodies(self.steps - 1)?;
        }
        self.go_to(end, World::advance_until, halt)
    }

    fn go_to(&mut self, target: SimTime, go: Go, halt: Halt<'_>) -> Result<Option<Stop>, WriteError> {
        loop {
            let spent = self.lap();
            self.writing += spent;
            let progress = go(&mut self.world, target, EVENTS_AT_ONCE, &|| halt.is_asked());
            let spent = self.lap();
            self.stepping += spent;
            self.take_notes()?;
            match progress {
                Ok(Progress::BufferFull { .. }) => {}
                Ok(Progress::Reached) => return Ok(None),
                Ok(Progress::Stopped { between_instants: true }) => return Ok(Some(Stop::Halted)),
                Ok(Progress::Stopped { between_instants: false }) => return Ok(Some(Stop::BrokenOff)),
                Err(error) => return Ok(Some(Stop::Failed(error))),
            }
        }
    }

    /// The time since the last lap.
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.clock, now)
    }

    /// Writes the events and knots since the last call.
    fn take_notes(&mut self) -> Result<(), WriteError> {
        for event in self.world.take_events() {
            self.observers.see(&event);
            self.sheets.event(&self.world, &event)?;
        }
        for knot in self.world.take_knots() {
            self.sheets.knot(&self.world, &knot)?;
        }
        let (time, duration) = (self.world.now().seconds(), self.scenario.duration);
        let impacts = self.observers.events[EventKind::Impact as usize];
        (self.watch)(RunProgress { time, duration, impacts });
        Ok(())
    }

    /// Writes the recorded bodies, and what has happened since the last look.
    fn look(&mut self) -> Result<(), WriteError> {
        self.looked = Some(self.steps);
        self.write_bodies(self.steps)?;
        if let Some(figures) = self.observers.look(&self.world) {
            self.sheets.gas(self.steps, self.world.now(), figures)?;
        }
        let approaches = std::mem::take(&mut self.observers.approaches);
        self.sheets.counts(self.steps, self.world.now(), self.observers.events, approaches)
    }

    /// Writes the recorded bodies at the present, unless that is done. `step` is the last step that was taken.
    fn write_bodies(&mut self, step: u64) -> Result<(), WriteError> {
        if !self.moments.claim(&self.world) {
            return Ok(());
        }
        let present = self.recorded.iter().filter(|&&id| self.world.is_present(id));
        present.into_iter().try_for_each(|&id| self.sheets.body(&self.world, step, id))
    }

    /// Writes the energy of all bodies, which takes a pass over them.
    fn weigh(&mut self) -> Result<(), WriteError> {
        self.weighed = Some(self.steps);
        let balance = self.observers.weigh(&self.world);
        self.sheets.energy(self.steps, self.world.now(), &balance, &self.world.audit())
    }

    pub(crate) fn into_outcome(mut self, halt: Halt<'_>) -> Result<Outcome, WriteError> {
        match self.all_steps(halt)? {
            Stop::Halted => {
                let checkpoint = self.checkpoint()?;
                self.sheets.sync()?;
                if self.world.now() == self.step_end() {
                    self.recorder.end(&self.world, checkpoint, None)?;
                } else {
                    self.recorder.end_amid_step(&self.world, checkpoint)?;
                }
                Ok(Outcome::Halted { time: self.world.now().seconds() })
            }
            Stop::BrokenOff => {
                self.sheets.sync()?;
                self.recorder.sync()?;
                Ok(Outcome::Halted { time: self.world.now().seconds() })
            }
            stop => Ok(Outcome::Finished(Box::new(self.finish(stop)?))),
        }
    }

    /// Writes the rows that only the end requires, and ends all files.
    pub(crate) fn finish(mut self, stop: Stop) -> Result<Summary, WriteError> {
        let error = if let Stop::Failed(error) = stop { Some(error) } else { None };
        let checkpoint = if error.is_none() { self.checkpoint()? } else { None };
        if self.looked != Some(self.steps) {
            self.look()?;
        }
        if self.weighed != Some(self.steps) {
            self.weigh()?;
        }
        let (world, scenario) = (&self.world, self.scenario);
        let audit = world.audit();
        let Found { reached, balance, gas, packing, state_hash, expectations } = self.observers.close(world);
        let free_bodies = scenario.all_bodies().filter(|named| named.body.is_free()).count();
        self.observers.gas.iter().try_for_each(|gas| self.sheets.speeds(gas))?;
        packing.iter().try_for_each(|packing| self.sheets.profile(&packing.profile))?;
        let paths_full_at = self.sheets.paths_full.map(SimTime::seconds);
        let tables = self.sheets.finish()?;
        self.recorder.begin_step(self.steps);
        self.recorder.end(world, checkpoint, error.as_ref().map(RunError::cause))?;
        Ok(Summary {
            schema: SCHEMA,
            carom: env!("CARGO_PKG_VERSION").to_owned(),
            title: scenario.title.clone(),
            scenario_hash: self.scenario_hash,
            timestep: scenario.timestep,
            duration: scenario.duration,
            reached,
            steps: self.steps,
            bodies: scenario.all_bodies().count(),
            free_bodies,
            events: EventKind::ALL.iter().map(|&kind| (kind.name().to_owned(), audit.count(kind))).collect(),
            audit: balance,
            time_stepping: Stepped::of(&world.stepping_totals(), free_bodies, reached),
            coarsest: self.observers.coarsest,
            gas,
            packing: packing.map(|packing| packing.report),
            state_hash,
            tables,
            paths_full_at,
            expectations,
            error: error.map(|error| error.to_string()),
            timing: Timing::of_run(
                audit.count(EventKind::Impact).saturating_sub(self.impacts_before),
                self.stepping,
                self.writing + self.clock.elapsed(),
            ),
        })
    }
}
