//! Replays: a recorded run is run again from the recording alone, and every step is compared with the recorded one.

use std::path::{Path, PathBuf};

use miette::Diagnostic;
use serde::Serialize;
use thiserror::Error;

use crate::dynamics::{Event, EventKind, Progress};
use crate::motion::SimTime;
use crate::numeric::shown;
use crate::record::hash::{bytes_hash, text_hash};
use crate::record::recording::{Divergence, Header, Noted, Reader, RecordingError, divergence, readable};
use crate::record::rollback::BytesError;
use crate::record::run::job::RunProgress;
use crate::record::run::portion::EVENTS_AT_ONCE;
use crate::scenario::{OverrideError, Problems, Scenario, Source, parse};
use crate::world::{RestoreError, RunError, SetupError, Snapshot, World};

/// A recording whose scenario cannot be run.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ScriptError {
    #[error("{} has no scenario: it was recorded by a program, which can compare with it, see `record::Verifier`", file.display())]
    NoScript { file: PathBuf },
    #[error("the scenario in {} does not match its hash", file.display())]
    OtherText { file: PathBuf },
    /// Mesh files are looked for beside the recording.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Problems(Problems),
    #[error("{} is not what it was when {} was recorded", name.display(), file.display())]
    OtherFile { file: PathBuf, name: PathBuf },
    #[error(transparent)]
    Times(#[from] OverrideError),
}

/// Why a replay is not possible.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ReplayError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Script(#[from] ScriptError),
    #[error("the world of the scenario cannot be created: {0}")]
    Setup(#[from] SetupError),
    #[error("a snapshot in the recording does not match its scenario: {0}")]
    Restore(#[from] RestoreError),
    #[error("the state after step {step} cannot be restored from its bytes: {error}")]
    Heavy { step: u64, error: BytesError },
    #[error("the recording ends at {} s, before {} s, where the replay is to begin (--from)", shown(*end), shown(*from))]
    Beyond { from: f64, end: f64 },
    #[error(
        "the timesteps are {first} s and {second} s, and only steps of one length can be compared; carom diff compares the ends"
    )]
    Timesteps { first: f64, second: f64 },
}

/// How a replay went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayReport {
    /// The title of the scenario.
    pub title: String,
    /// The first step and the last that were compared.
    pub steps: [u64; 2],
    /// Their instants.
    #[serde(serialize_with = "readable::both_seconds")]
    pub times: [SimTime; 2],
    /// The first step with a different state.
    pub divergence: Option<Divergence>,
    /// The first step from there on that has a snapshot, if it is a later step.
    #[serde(rename = "next_snapshot")]
    pub detail: Option<Divergence>,
    /// The error that ended the recorded run, and the one that ends it now, if they differ.
    pub errors: Option<[Option<String>; 2]>,
}

impl ReplayReport {
    /// Whether everything is as it was recorded.
    pub fn is_same(&self) -> bool {
        self.divergence.is_none() && self.errors.is_none()
    }
}

/// Runs the scenario of a recording again and compares every step. It begins at the last snapshot not after `from`, s,
/// or at the beginning. If a step differs, it goes on to the next snapshot, which has the complete state. If `heavy`,
/// the state is saved into bytes after each step, and the run goes on in another world that is restored from them.
/// `watch` receives the progress.
///
/// # Errors
/// [`ReplayError`] when the recording is damaged, or cannot be run.
pub fn replay(
    file: &Path,
    from: Option<f64>,
    heavy: bool,
    mut watch: impl FnMut(RunProgress),
) -> Result<ReplayReport, ReplayError> {
    let (mut recording, noted) = beginning(file, from)?;
    let header = recording.header().clone();
    let mut again = Rerun::new(recorded_scenario(&header, file)?.1, &noted)?;
    let mut relay = if heavy { Some(Relay { start: again.scenario.world()?, bytes: Vec::new() }) } else { None };
    let (mut next, step, time) = (Some(noted), again.step, again.world.now());
    let (mut first, mut detail, mut errors) = (None, None, None);
    let mut last = (step, time);
    while let Some(noted) = next {
        let error = match &mut relay {
            Some(relay) => relay.go_to(&mut again, noted.step)?,
            None => again.go_to(noted.step, |_, _| ()).err(),
        };
        let error = error.map(|error| error.cause());
        last = (noted.step, noted.time);
        if error != noted.error {
            errors = Some([noted.error.clone(), error]);
        }
        if let Some(found) = divergence(&noted, &again.world) {
            let complete = found.difference.is_some();
            if first.is_none() {
                first = Some(found);
            } else if complete {
                detail = Some(found);
            }
            if complete {
                break;
            }
        }
        if errors.is_some() {
            break;
        }
        watch(again.glimpse());
        next = recording.next_step()?;
    }
    let (steps, times) = ([step, last.0], [time, last.1]);
    Ok(ReplayReport { title: header.title, steps, times, divergence: first, detail, errors })
}

/// Hands a run over from world to world.
struct Relay {
    /// The world of the scenario at its start.
    start: World,
    bytes: Vec<u8>,
}

impl Relay {
    /// Takes all steps up to `step`, each in another world. An error ends the run.
    fn go_to(&mut self, again: &mut Rerun, step: u64) -> Result<Option<RunError>, ReplayError> {
        loop {
            again.world.save_into(&mut self.bytes);
            again.world = self.start.clone();
            let restored = again.world.restore_from(&self.bytes);
            restored.map_err(|error| ReplayError::Heavy { step: again.step, error })?;
            if again.step >= step {
                return Ok(None);
            }
            if let Err(error) = again.go_to(again.step + 1, |_, _| ()) {
                return Ok(Some(error));
            }
        }
    }
}

/// A recording at its last snapshot not after `from`, s, and the data of that step.
pub(in crate::record) fn beginning(file: &Path, from: Option<f64>) -> Result<(Reader, Noted), ReplayError> {
    let from = from.unwrap_or_default();
    let (mut step, mut end) = (0, 0.0);
    let mut recording = Reader::open(file)?;
    while let Some(noted) = recording.next_step()? {
        end = noted.time.seconds();
        if end > from {
            break;
        }
        if noted.mark.is_some() {
            step = noted.step;
        }
    }
    if end < from {
        return Err(ReplayError::Beyond { from, end });
    }
    let mut recording = Reader::open(file)?;
    while let Some(noted) = recording.next_step()? {
        if noted.step == step {
            return Ok((recording, noted));
        }
    }
    Err(RecordingError::Empty { file: file.to_owned() }.into())
}

/// A scenario that is run again.
pub(in crate::record) struct Rerun {
    pub(in crate::record) scenario: Scenario,
    pub(in crate::record) world: World,
    step: u64,
}

impl Rerun {
    /// The scenario at a step of which `noted` has the snapshot, or at its beginning.
    pub(in crate::record) fn new(scenario: Scenario, noted: &Noted) -> Result<Self, ReplayError> {
        match &noted.mark {
            Some(mark) if noted.step > 0 => {
                Ok(Self { world: resumed(&scenario, &mark.snapshot)?, scenario, step: noted.step })
            }
            _ => Ok(Self::new_at_start(scenario)?),
        }
    }

    /// The scenario at its beginning.
    pub(in crate::record) fn new_at_start(scenario: Scenario) -> Result<Self, SetupError> {
        Ok(Self { world: scenario.world()?, scenario, step: 0 })
    }

    /// The number of the last step that was taken.
    pub(in crate::record) fn step(&self) -> u64 {
        self.step
    }

    /// Counts the next step, which the caller then takes.
    pub(in crate::record) fn begin_step(&mut self) {
        self.step += 1;
    }

    /// The end of the last step that was counted.
    pub(in crate::record) fn step_end(&self) -> SimTime {
        let Scenario { timestep, duration, .. } = self.scenario;
        SimTime::from_seconds((self.step as f64 * timestep).min(duration))
    }

    /// Takes all steps up to `step`, as the run did, and calls `see` for each event.
    pub(in crate::record) fn go_to(&mut self, step: u64, mut see: impl FnMut(&World, &Event)) -> Result<(), RunError> {
        while self.step < step {
            self.begin_step();
            let target = self.step_end();
            loop {
                let progress = self.world.advance(target, EVENTS_AT_ONCE);
                self.world.take_events().iter().for_each(|event| see(&self.world, event));
                if progress? == Progress::Reached {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes the next step; false if the scenario is at its end.
    pub(in crate::record) fn take_step(&mut self) -> Result<bool, RunError> {
        if self.world.now() >= SimTime::from_seconds(self.scenario.duration) {
            return Ok(false);
        }
        self.go_to(self.step + 1, |_, _| ())?;
        Ok(true)
    }

    fn glimpse(&self) -> RunProgress {
        let impacts = self.world.audit().count(EventKind::Impact);
        RunProgress { time: self.world.now().seconds(), duration: self.scenario.duration, impacts }
    }
}

/// The world of a scenario as it was when `snapshot` was taken.
pub(in crate::record) fn resumed(scenario: &Scenario, snapshot: &Snapshot) -> Result<World, RestoreError> {
    let bodies = scenario.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
    World::resume(scenario.settings.clone(), bodies, scenario.commands.iter().cloned(), snapshot)
}

/// The scenario that the recording in `file` has in its header, with the mesh files beside it, and its text.
///
/// # Errors
/// [`ScriptError`] when there is none, or when it differs from what was run.
pub fn recorded_scenario(header: &Header, file: &Path) -> Result<(Source, Scenario), ScriptError> {
    let script = header.script.as_ref().ok_or_else(|| ScriptError::NoScript { file: file.to_owned() })?;
    let folder = file.parent().unwrap_or(Path::new(""));
    if text_hash(&script.text) != script.hash {
        return Err(ScriptError::OtherText { file: file.to_owned() });
    }
    let source = Source::new(script.name.as_str(), &script.text).in_folder(folder);
    let scenario = parse(&source).map_err(ScriptError::Problems)?.scenario;
    for seal in &script.files {
        let same = scenario.files.iter().any(|file| file.name == seal.name && bytes_hash(&file.bytes) == seal.hash);
        if !same {
            return Err(ScriptError::OtherFile { file: file.to_owned(), name: folder.join(&seal.name) });
        }
    }
    let mut scenario = scenario.with_times(Some(script.timestep), Some(script.duration))?;
    scenario.record.format = script.tables;
    Ok((source, scenario))
}
