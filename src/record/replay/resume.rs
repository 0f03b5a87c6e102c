//! Runs that were interrupted, or are to be longer: where they stopped, and how to continue them.
//!
//! Everything needed is in the folder of the run. The recording has the scenario, the last whole snapshot and its
//! checkpoint, and the tables have at least what they had then. They are cut back to that, and the run goes on. The
//! results have the bytes that they would have had without the interruption.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::rerun::{ScriptError, recorded_scenario, resumed};
use crate::motion::SimTime;
use crate::record::files::{WriteError, write_file};
use crate::record::recording::checkpoint::Checkpoint;
use crate::record::recording::{Header, Mark, RECORDING_FILE, Reader, Recorder, RecordingError};
use crate::record::run::job::{Halt, Job, Outcome, RunProgress};
use crate::record::summary::{Summary, SummaryError};
use crate::record::tables::SCENARIO_FILE;
use crate::scenario::{Format, Observation, OverrideError, ReadError, Scenario, Source};
use crate::world::{RestoreError, SetupError, Snapshot};

/// A run that can be continued.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// The scenario, with its new duration.
    pub scenario: Scenario,
    source: Source,
    place: Option<Place>,
}

/// The point from which a run can continue.
#[derive(Debug, Clone)]
struct Place {
    step: u64,
    snapshot: Snapshot,
    checkpoint: Checkpoint,
}

/// Why a run cannot be continued.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum ResumeError {
    /// There is no recording, or not even its header.
    #[error(transparent)]
    #[diagnostic(help(
        "this version of carom finds nothing to continue from; to run the scenario again: carom run FILE --restart"
    ))]
    Recording(#[from] RecordingError),
    /// The scenario in the recording cannot be run.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Script(#[from] ScriptError),
    /// The copy of the scenario in the folder differs from the scenario in the recording.
    #[error("{} was changed after the run began", file.display())]
    #[diagnostic(help(
        "delete it to go on with the scenario as it was: the recording has that, and it is written again; or run the changed one \
         from its beginning"
    ))]
    Changed {
        /// The copy.
        file: PathBuf,
    },
    /// The copy of the scenario cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreadable(#[from] ReadError),
    /// The tables are of another version of carom.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Tables(SummaryError),
    /// The new duration is not allowed.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Duration(#[from] OverrideError),
    /// The run is already longer than its new duration.
    #[error("the run has already reached {reached} s, more than the new duration of {duration} s")]
    #[diagnostic(help("give a longer --duration; for a shorter run, run the scenario anew with another --output"))]
    Shorter {
        /// The new duration, s.
        duration: f64,
        /// The end of what is recorded, s.
        reached: f64,
    },
    /// The snapshot does not belong to that scenario.
    #[error("the run cannot continue from the snapshot: {0}")]
    Restore(#[from] RestoreError),
    /// The world cannot be made.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A file cannot be written.
    #[error("{error}: {}", error.source)]
    Write {
        /// The file, and the reason.
        error: WriteError,
    },
}

impl From<WriteError> for ResumeError {
    fn from(error: WriteError) -> Self {
        Self::Write { error }
    }
}

impl Unfinished {
    /// The run in `folder`, with the duration `duration`, s, or with its own.
    ///
    /// # Errors
    /// [`ResumeError`] when the run cannot be continued.
    pub fn find(folder: &Path, duration: Option<f64>) -> Result<Self, ResumeError> {
        if let Err(error @ SummaryError::OtherSchema { .. }) = Summary::read(folder) {
            return Err(ResumeError::Tables(error));
        }
        let file = folder.join(RECORDING_FILE);
        let header = Reader::open(&file)?.header().clone();
        let (source, scenario) = recorded_scenario(&header, &file)?;
        check_copy(folder, &source)?;
        let before = scenario.duration;
        let scenario = scenario.with_times(None, duration)?;
        // The means of a gas begin at a step that depends on the duration, so the run must continue from before that
        // step, by the old duration and by the new one.
        let observes = scenario.observe.contains(&Observation::Gas) && scenario.duration != before;
        let latest =
            if observes { 0.5 * (scenario.duration.min(before) - scenario.timestep) } else { scenario.duration };
        let (place, reached) = last_place(&file, folder, latest, scenario.timestep)?;
        let Scenario { duration, .. } = scenario;
        if duration < before && duration < reached {
            return Err(ResumeError::Shorter { duration, reached });
        }
        Ok(Self { scenario, source, place })
    }

    /// The time up to which the run is done, s; 0 if it begins anew.
    pub fn time(&self) -> f64 {
        self.place.as_ref().map_or(0.0, |place| place.snapshot.now().seconds())
    }

    /// Continues to the end, or until it is halted, in `folder`, which contains the run that was found or a copy of it.
    /// `watch` receives the progress from time to time.
    ///
    /// # Errors
    /// [`ResumeError`] when a file cannot be read or written.
    pub fn go_on(&self, folder: &Path, halt: Halt<'_>, watch: impl FnMut(RunProgress)) -> Result<Outcome, ResumeError> {
        let Self { scenario, source, place } = self;
        let job = Job { scenario, source, folder, halt };
        let Some(Place { step, snapshot, checkpoint }) = place else {
            return Ok(job.run(scenario.world()?, watch)?);
        };
        let world = resumed(scenario, snapshot)?;
        let copy = folder.join(SCENARIO_FILE);
        if !copy.exists() {
            write_file(&copy, source.text.as_bytes())?;
        }
        let recorder = self.recorder(folder, *step)?;
        Ok(job.go_on(world, recorder, (*step, checkpoint), watch)?)
    }

    /// Writes the recording anew up to a step, and puts it in the place of the old one.
    fn recorder(&self, folder: &Path, step: u64) -> Result<Recorder, ResumeError> {
        let file = folder.join(RECORDING_FILE);
        let making = file.with_extension("carom.new");
        let mut recorder = Recorder::begin(&making, &Header::of(&self.scenario, &self.source))?;
        let mut reader = Reader::open(&file)?;
        // After the last step the recording may be incomplete, so nothing is read there.
        while let Some(noted) = reader.next_step()? {
            let last = noted.step >= step;
            recorder.copy(noted)?;
            if last {
                break;
            }
        }
        recorder.sync()?;
        fs::rename(&making, &file).map_err(|source| WriteError { file: file.clone(), source })?;
        Ok(recorder)
    }
}

/// Whether `folder` has a recording with its scenario, which can be continued or begun anew. A recording of another
/// version of carom counts, because that version can continue it. A recording that cannot be read just now counts, too.
pub fn holds_run(folder: &Path) -> bool {
    match Reader::open(&folder.join(RECORDING_FILE)) {
        Ok(recording) => recording.header().script.is_some(),
        Err(RecordingError::Io { error, .. }) => error.kind() != ErrorKind::NotFound,
        Err(error) => matches!(error, RecordingError::OtherSchema { .. }),
    }
}

/// The format of the tables of the run in `folder`, if its recording can be read.
pub fn tables_of(folder: &Path) -> Option<Format> {
    let recording = Reader::open(&folder.join(RECORDING_FILE)).ok()?;
    recording.header().script.as_ref().map(|script| script.tables)
}

/// Refuses a copy of the scenario that differs from the one in the recording; a missing copy is accepted.
fn check_copy(folder: &Path, recorded: &Source) -> Result<(), ResumeError> {
    let file = folder.join(SCENARIO_FILE);
    match Source::read(&file) {
        Ok(copy) if copy.text == recorded.text => Ok(()),
        Err(ReadError::Unreadable { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error @ ReadError::Unreadable { .. }) => Err(error.into()),
        _ => Err(ResumeError::Changed { file }),
    }
}

/// The last point, not after `latest` seconds, from which the run can continue with the tables in `folder`; and the
/// instant that it has reached, s. The search ends at a damaged or incomplete frame of the recording.
fn last_place(file: &Path, folder: &Path, latest: f64, timestep: f64) -> Result<(Option<Place>, f64), RecordingError> {
    let mut candidates: Vec<(SimTime, Checkpoint)> = Vec::new();
    let mut reached = SimTime::ZERO;
    let mut reader = Reader::open(file)?;
    while let Ok(Some(noted)) = reader.next_step() {
        reached = noted.time;
        for Mark { snapshot, checkpoint } in [noted.mark, noted.halted].into_iter().flatten().map(|mark| *mark) {
            let now = snapshot.now();
            reached = reached.max(now);
            candidates.extend(checkpoint.filter(|_| now.seconds() <= latest).map(|found| (now, found)));
        }
    }
    let reached = reached.seconds();
    let Some((time, checkpoint)) =
        candidates.into_iter().rev().find(|(_, checkpoint)| checkpoint.sheets.stands_in(folder))
    else {
        return Ok((None, reached));
    };
    let mut reader = Reader::open(file)?;
    while let Some(noted) = reader.next_step()? {
        let mut marks = [noted.mark, noted.halted].into_iter().flatten();
        if let Some(mark) = marks.find(|mark| mark.snapshot.now() == time) {
            let step = steps_until(time, timestep);
            return Ok((Some(Place { step, snapshot: mark.snapshot, checkpoint }), reached));
        }
    }
    Ok((None, reached))
}

/// Number of whole steps up to an instant.
fn steps_until(time: SimTime, timestep: f64) -> u64 {
    let end = |steps: u64| SimTime::from_seconds(steps as f64 * timestep);
    // The quotient is rounded.
    let mut steps = (time.seconds() / timestep) as u64 + 1;
    while end(steps) > time {
        steps -= 1;
    }
    steps
}
