//! A run: the loop that steps a world and writes down what it sees.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::books::Ledger;
use super::gas::Meter;
use super::hash::{state_hash, text_hash};
use super::sheet::Heading;
use super::summary::{SCHEMA, Summary, Timing};
use super::tables::SCENARIO_FILE;
use super::verdict::{Findings, Watch};
use super::write::{Approaches, Sheets, WriteError, write_file};
use crate::dynamics::{BodyId, EventKind, Motion, Progress};
use crate::motion::SimTime;
use crate::scenario::{MeshFile, Observation, Recording, Scenario};
use crate::world::{RunError, World};

/// Events taken between two looks at the clock on the wall, and held in memory at most.
const EVENTS_AT_ONCE: usize = 4096;

/// How many moving bodies have their paths written if the scenario does not say.
const PATHS_DEFAULT: usize = 64;

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

/// Runs `world`, made from `scenario`, to its end, and writes tables, a copy of `text` and the mesh files that it names
/// into `folder`. The summary is the caller's to [`write`](Summary::write), who may have more to say of the time.
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
    write_file(&folder.join(SCENARIO_FILE), text.as_bytes())?;
    for file in &scenario.files {
        keep(file, folder)?;
    }
    let hash = text_hash(text);
    let mut run = Run::new(scenario, world, folder, &hash, watch)?;
    let outcome = run.all_steps()?;
    run.finish(hash, outcome)
}

struct Run<'a, W> {
    scenario: &'a Scenario,
    world: World,
    watch: W,
    sheets: Sheets,
    recorded: Vec<BodyId>,
    ledger: Ledger,
    gas: Option<Meter>,
    expectations: Vec<Watch<'a>>,
    /// Events so far, by kind.
    events: [u64; EventKind::ALL.len()],
    /// Impacts since the last look.
    approaches: Approaches,
    steps: u64,
    /// Time spent on stepping, and on everything else.
    stepping: Duration,
    writing: Duration,
    /// Until when time is accounted for.
    clock: Instant,
}

impl<'a, W: FnMut(Glimpse)> Run<'a, W> {
    fn new(scenario: &'a Scenario, mut world: World, folder: &Path, hash: &str, watch: W) -> Result<Self, WriteError> {
        let clock = Instant::now();
        let moving = moving(scenario, &world);
        for id in followed(&scenario.record, &world, &moving) {
            world.track(id);
        }
        let Scenario { settings, bodies, .. } = scenario;
        let heading = Heading { scenario_hash: hash.to_owned() };
        let has_gas = scenario.observe.contains(&Observation::Gas);
        Ok(Self {
            scenario,
            watch,
            sheets: Sheets::create(folder, &scenario.record, has_gas, &heading)?,
            recorded: if scenario.record.bodies.is_empty() { moving } else { ids(&scenario.record.bodies, &world) },
            ledger: Ledger::open(world.balance()),
            gas: has_gas.then(|| Meter::new(settings, bodies, &world, scenario.gas_since())),
            expectations: scenario.expect.iter().map(|expectation| Watch::new(expectation, scenario, &world)).collect(),
            world,
            events: [0; EventKind::ALL.len()],
            approaches: Approaches::default(),
            steps: 0,
            stepping: Duration::ZERO,
            writing: Duration::ZERO,
            clock,
        })
    }

    /// Takes every step; an error of the run is an outcome, not a failure to write.
    fn all_steps(&mut self) -> Result<Result<(), RunError>, WriteError> {
        self.look()?;
        self.weigh()?;
        let Scenario { timestep, duration, .. } = *self.scenario;
        let (stride, energy_stride) = (self.scenario.record.stride, self.scenario.record.energy_stride);
        while self.world.now() < SimTime::from_seconds(duration) {
            self.steps += 1;
            // Counted from the start, so that roundings do not add up.
            let time = (self.steps as f64 * timestep).min(duration);
            if let Err(error) = self.one_step(SimTime::from_seconds(time))? {
                self.look()?;
                self.weigh()?;
                return Ok(Err(error));
            }
            if time >= duration || self.steps.is_multiple_of(stride) {
                self.look()?;
            }
            if time >= duration || self.steps.is_multiple_of(energy_stride) {
                self.weigh()?;
            }
        }
        Ok(Ok(()))
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
        for &id in self.recorded.iter().filter(|&&id| self.world.is_present(id)) {
            self.sheets.state(&self.world, self.steps, id)?;
        }
        if let Some(gas) = &mut self.gas {
            let figures = gas.look(&self.world);
            self.sheets.gas(self.steps, self.world.now(), figures)?;
        }
        self.sheets.counts(self.steps, self.world.now(), self.events, std::mem::take(&mut self.approaches))
    }

    /// Writes down the energy of all bodies, which takes a walk over them.
    fn weigh(&mut self) -> Result<(), WriteError> {
        let balance = self.world.balance();
        self.ledger.note(&balance);
        self.sheets.energy(self.steps, self.world.now(), &balance, &self.world.audit())
    }

    fn finish(mut self, scenario_hash: String, outcome: Result<(), RunError>) -> Result<Summary, WriteError> {
        self.take_notes()?;
        let (world, scenario) = (&self.world, self.scenario);
        let audit = world.audit();
        let reached = world.now().seconds();
        let books = self.ledger.close(&world.balance(), &audit, scenario.settings.gravity, reached);
        let hash = state_hash(world);
        let gas = self.gas.as_ref().map(Meter::report);
        let findings = Findings { books: &books, gas: gas.as_ref(), hash: &hash };
        let expectations = self.expectations.iter().map(|e| e.judge(world, &findings)).collect();
        self.gas.iter().try_for_each(|gas| self.sheets.speeds(gas))?;
        let paths_full_at = self.sheets.paths_full.map(SimTime::seconds);
        let tables = self.sheets.finish()?;
        Ok(Summary {
            schema: SCHEMA,
            carom: env!("CARGO_PKG_VERSION"),
            title: scenario.title.clone(),
            scenario_hash,
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
            error: outcome.err().map(|error| error.to_string()),
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

/// The bodies that can move, those that are yet to come included, in the order of their ids.
fn moving(scenario: &Scenario, world: &World) -> Vec<BodyId> {
    let moves = scenario.all_bodies().filter(|named| named.body.motion != Motion::Fixed);
    let mut moving: Vec<BodyId> = moves.filter_map(|named| world.foreseen(&named.name)).collect();
    moving.sort_unstable();
    moving
}

/// The bodies whose paths are written.
fn followed(record: &Recording, world: &World, moving: &[BodyId]) -> Vec<BodyId> {
    match &record.paths {
        Some(names) => ids(names, world),
        None => spread(moving, PATHS_DEFAULT).collect(),
    }
}

/// At most `count` of the bodies, from all parts of the list: neighbours in it tend to be neighbours in space.
fn spread(bodies: &[BodyId], count: usize) -> impl Iterator<Item = BodyId> {
    let kept = count.min(bodies.len());
    (0..kept).map(move |rank| bodies[rank * bodies.len() / kept])
}

fn ids(names: &[String], world: &World) -> Vec<BodyId> {
    let mut ids: Vec<BodyId> = names.iter().filter_map(|name| world.foreseen(name)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
