//! A run: the loop that steps a world and writes down what it sees.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::books::Ledger;
use super::gas::Meter;
use super::hash::{state_hash, text_hash};
use super::summary::{SCHEMA, SUMMARY_FILE, Summary, Timing};
use super::tables::SCENARIO_FILE;
use super::verdict::{Findings, Watch};
use super::write::{Sheets, WriteError, write_file};
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

/// Runs `world`, made from `scenario`, to its end, and writes tables, a copy of `text`, the mesh files that it names and
/// the summary into `folder`.
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
    let mut run = Run::new(scenario, world, folder, watch)?;
    let outcome = run.all_steps()?;
    let summary = run.finish(text, outcome)?;
    let json = serde_json::to_vec_pretty(&summary).map_err(std::io::Error::from);
    let file = folder.join(SUMMARY_FILE);
    let json = json.map_err(|source| WriteError { file: file.clone(), source })?;
    write_file(&file, &json)?;
    Ok(summary)
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
    impacts: u64,
    steps: u64,
    began: Instant,
}

impl<'a, W: FnMut(Glimpse)> Run<'a, W> {
    fn new(scenario: &'a Scenario, mut world: World, folder: &Path, watch: W) -> Result<Self, WriteError> {
        let began = Instant::now();
        let moving = moving(scenario, &world);
        for id in followed(&scenario.record, &world, &moving) {
            world.track(id);
        }
        let Scenario { settings, bodies, .. } = scenario;
        let has_gas = scenario.observe.contains(&Observation::Gas);
        Ok(Self {
            scenario,
            watch,
            sheets: Sheets::create(folder, scenario.record.paths_max, has_gas)?,
            recorded: if scenario.record.bodies.is_empty() { moving } else { ids(&scenario.record.bodies, &world) },
            ledger: Ledger::open(world.balance()),
            gas: has_gas.then(|| Meter::new(settings, bodies, &world, scenario.gas_since())),
            expectations: scenario.expect.iter().map(|expectation| Watch::new(expectation, scenario, &world)).collect(),
            world,
            impacts: 0,
            steps: 0,
            began,
        })
    }

    /// Takes every step; an error of the run is an outcome, not a failure to write.
    fn all_steps(&mut self) -> Result<Result<(), RunError>, WriteError> {
        self.look()?;
        let Scenario { timestep, duration, .. } = *self.scenario;
        while self.world.now() < SimTime::from_seconds(duration) {
            self.steps += 1;
            // Counted from the start, so that roundings do not add up.
            let time = (self.steps as f64 * timestep).min(duration);
            if let Err(error) = self.one_step(SimTime::from_seconds(time))? {
                self.look()?;
                return Ok(Err(error));
            }
            if time >= duration || self.steps.is_multiple_of(self.scenario.record.stride) {
                self.look()?;
            }
        }
        Ok(Ok(()))
    }

    fn one_step(&mut self, target: SimTime) -> Result<Result<(), RunError>, WriteError> {
        loop {
            let progress = self.world.advance(target, EVENTS_AT_ONCE);
            self.take_notes()?;
            match progress {
                Ok(Progress::BufferFull) => {}
                Ok(Progress::Reached) => return Ok(Ok(())),
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// Writes down what has happened.
    fn take_notes(&mut self) -> Result<(), WriteError> {
        for event in self.world.take_events() {
            self.impacts += u64::from(event.kind == EventKind::Impact);
            self.expectations.iter_mut().for_each(|expectation| expectation.see(&event));
            self.gas.iter_mut().for_each(|gas| gas.see(&event));
            self.sheets.event(&self.world, &event)?;
        }
        for knot in self.world.take_knots() {
            self.sheets.knot(&self.world, &knot)?;
        }
        let (time, duration) = (self.world.now().seconds(), self.scenario.duration);
        (self.watch)(Glimpse { time, duration, impacts: self.impacts });
        Ok(())
    }

    /// Writes down where everything is.
    fn look(&mut self) -> Result<(), WriteError> {
        for &id in self.recorded.iter().filter(|&&id| self.world.is_present(id)) {
            self.sheets.state(&self.world, self.steps, id)?;
        }
        if let Some(gas) = &mut self.gas {
            let figures = gas.look(&self.world);
            self.sheets.gas(self.steps, self.world.now(), figures)?;
        }
        let balance = self.world.balance();
        self.ledger.note(&balance);
        self.sheets.energy(self.steps, self.world.now(), &balance, &self.world.audit())
    }

    fn finish(mut self, text: &str, outcome: Result<(), RunError>) -> Result<Summary, WriteError> {
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
        let wall_seconds = self.began.elapsed().as_secs_f64();
        let summary = Summary {
            schema: SCHEMA,
            carom: env!("CARGO_PKG_VERSION"),
            title: scenario.title.clone(),
            scenario_hash: text_hash(text),
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
            paths_full_at: self.sheets.paths_full.map(SimTime::seconds),
            expectations,
            error: outcome.err().map(|error| error.to_string()),
            timing: Timing { wall_seconds, impacts_per_second: self.impacts as f64 / wall_seconds },
        };
        self.sheets.finish()?;
        Ok(summary)
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
        None => moving.iter().copied().take(PATHS_DEFAULT).collect(),
    }
}

fn ids(names: &[String], world: &World) -> Vec<BodyId> {
    let mut ids: Vec<BodyId> = names.iter().filter_map(|name| world.foreseen(name)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
