//! Replay tests: a scenario that must give the same bits as when it was recorded.
//!
//! They are for the tests of a project that uses carom. The first run records. Later runs compare each step, and fail
//! with the first number that differs. Keep the recordings in the repository of the project.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::rerun::Rerun;
use crate::record::files::{WriteError, replaceable};
use crate::record::recording::{Cadence, Header, Reader, Recorder, Verifier, VerifyError, changed};
use crate::scenario::{Change, Problems, ReadError, Scenario, Source, parse};
use crate::world::{RunError, SetupError};

/// The environment variable that accepts the present results.
const ACCEPT: &str = "CAROM_UPDATE";

/// The environment variable that hosts of continuous integration set.
const CI: &str = "CI";

/// Up to this number of bodies times steps, a recording has a snapshot at each step, so that every difference is
/// reported to the number.
const STATES_MAX: f64 = 1e5;

/// Which recordings a replay test makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordWhen {
    /// None: without a recording the test fails, as it should in continuous integration.
    Never,
    /// One that is missing.
    Missing,
    /// Any: what is there is replaced.
    Always,
}

impl RecordWhen {
    /// What the environment says, of which `variable` gives the values: [`Always`](Self::Always) if `CAROM_UPDATE` is
    /// `1`; else [`Never`](Self::Never) if `CI` is set to anything but nothing, `false` or `0`; else
    /// [`Missing`](Self::Missing).
    #[doc(hidden)]
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        if variable(ACCEPT).is_some_and(|value| value == "1") {
            return Self::Always;
        }
        let is_off = |value: &OsString| ["", "false", "0"].iter().any(|off| value.eq_ignore_ascii_case(off));
        if variable(CI).is_none_or(|value| is_off(&value)) { Self::Missing } else { Self::Never }
    }
}

/// The result of a replay test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replayed {
    /// There was no recording, or it was to be replaced.
    Recorded,
    /// All steps are as they were recorded.
    Same,
}

/// A replay test that has failed.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ReplayTestError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreadable(#[from] ReadError),
    #[error("{problems}{}", listed(problems))]
    #[diagnostic(transparent)]
    Problems { problems: Problems },
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There is nothing to compare with, and none may be made.
    #[error("{}: its recording {} is missing, and none is made where {CI} is set", scenario.display(), recording.display())]
    #[diagnostic(help(
        "run the test once on your own machine, or with the environment variable {ACCEPT}=1; it writes the recording; then commit it"
    ))]
    Missing { scenario: PathBuf, recording: PathBuf },
    #[error("{error}: {}", error.source)]
    Write { error: WriteError },
    #[error(transparent)]
    Run(#[from] RunError),
    /// What was changed in the scenario, and the first step that differs. If the recording has no snapshot of it,
    /// `detail` is the next step that has one.
    #[error("{}: {}{error}{}", scenario.display(), Change::since_recorded(changes), detail.as_ref().map_or_else(String::new, |detail| format!("\n{detail}")))]
    #[diagnostic(help(
        "if this is meant to be so, run the test with the environment variable {ACCEPT}=1 to record it again"
    ))]
    Different { scenario: PathBuf, changes: Vec<Change>, error: Box<VerifyError>, detail: Option<Box<VerifyError>> },
}

/// Each problem on a line of its own.
fn listed(problems: &Problems) -> String {
    problems.list().iter().map(|problem| format!("\n{problem}")).collect()
}

impl From<WriteError> for ReplayTestError {
    fn from(error: WriteError) -> Self {
        Self::Write { error }
    }
}

/// Fails a test unless the scenario in the file `scenario` gives the bits of the recording beside it, which has the
/// same name with the ending `carom`. Records it where there is none, or where the environment variable `CAROM_UPDATE`
/// is `1`. Where the variable `CI` is set, as in continuous integration, a missing recording fails the test.
///
/// ```no_run
/// #[test]
/// fn break_shot() {
///     carom::record::assert_replays("tests/scenarios/break.ron");
/// }
/// ```
///
/// # Panics
/// When a step differs from the recorded one; the message has what was changed in the scenario, and of the step its
/// number, its instant, the body, the field and the distance in ulps. When the scenario or the recording cannot be
/// read, and when the run ends with an error.
#[track_caller]
pub fn assert_replays(scenario: impl AsRef<Path>) {
    let scenario = scenario.as_ref();
    let when = RecordWhen::of(|name| env::var_os(name));
    if let Err(error) = check_replay(scenario, &scenario.with_extension("carom"), when) {
        let help = error.help().map_or_else(String::new, |help| format!("\nhelp: {help}"));
        panic!("{error}{help}");
    }
}

/// Compares a run of the scenario in the file `scenario` with `recording`, or makes the recording, as `when` says. The
/// file of the recording is always complete: it is replaced as a whole.
///
/// # Errors
/// [`ReplayTestError`] when a step differs, the scenario cannot be run, or the recording is missing and none is made.
pub fn check_replay(scenario: &Path, recording: &Path, when: RecordWhen) -> Result<Replayed, ReplayTestError> {
    let source = Source::read(scenario)?;
    let parsed = parse(&source).map_err(|problems| ReplayTestError::Problems { problems })?.scenario;
    let mut again = Rerun::new_at_start(parsed)?;
    match (when, recording.exists()) {
        (RecordWhen::Always, _) | (RecordWhen::Missing, false) => {
            record(&mut again, &source, recording)?;
            return Ok(Replayed::Recorded);
        }
        (RecordWhen::Never, false) => {
            let (scenario, recording) = (scenario.to_owned(), recording.to_owned());
            return Err(ReplayTestError::Missing { scenario, recording });
        }
        (_, true) => {}
    }
    match compare(&mut again, recording)? {
        None => Ok(Replayed::Same),
        Some((error, detail)) => {
            let (error, detail) = (Box::new(error), detail.map(Box::new));
            let now = Header::of(&again.scenario, &source);
            // A recording that cannot be read is the error itself.
            let changes = Reader::open(recording).map_or_else(|_| Vec::new(), |before| changed(before.header(), &now));
            Err(ReplayTestError::Different { scenario: scenario.to_owned(), changes, error, detail })
        }
    }
}

fn record(again: &mut Rerun, source: &Source, recording: &Path) -> Result<(), ReplayTestError> {
    let failed = |source| WriteError { file: recording.to_owned(), source };
    let place = replaceable(recording).map_err(failed)?;
    let mut making = place.as_os_str().to_owned();
    making.push(".new");
    let making = PathBuf::from(making);
    let cadence = cadence(&again.scenario);
    let mut recorder = Recorder::create_for(&making, (&again.scenario, source), &again.world, cadence)?;
    let mut steps = || {
        while again.take_step()? {
            recorder.note(&again.world)?;
        }
        Ok(())
    };
    let placed = steps().and_then(|()| {
        recorder.finish(&again.world)?;
        fs::rename(&making, &place).map_err(|source| failed(source).into())
    });
    if placed.is_err() {
        let _ = fs::remove_file(&making);
    }
    placed
}

/// How often hashes and snapshots are recorded. In a small run each step has a snapshot, unless the scenario sets the
/// interval.
fn cadence(scenario: &Scenario) -> Cadence {
    let states = scenario.duration / scenario.timestep * scenario.bodies.len() as f64;
    let snapshots = scenario.record.snapshots.or((states <= STATES_MAX).then_some(1));
    Cadence { hashes: scenario.record.hashes, snapshots }
}

/// The first step that differs, and the next step that has a snapshot, if that is a later one.
type Difference = (VerifyError, Option<VerifyError>);

fn compare(again: &mut Rerun, recording: &Path) -> Result<Option<Difference>, ReplayTestError> {
    let is_vague = |error: &VerifyError| matches!(error, VerifyError::Divergence(found) if found.difference.is_none());
    let mut first = None;
    let mut verifier = match Verifier::open(recording, &again.world) {
        Ok(verifier) => verifier,
        Err(error) => return Ok(Some((error, None))),
    };
    loop {
        match again.take_step() {
            Ok(true) => {}
            Err(error) if first.is_none() => return Err(error.into()),
            Ok(false) | Err(_) => break,
        }
        match (verifier.note(&again.world), first) {
            (Ok(()), before) => first = before,
            (Err(error), before) if is_vague(&error) => first = before.or(Some(error)),
            (Err(detail), Some(before)) => return Ok(Some((before, Some(detail)))),
            (Err(error), None) => return Ok(Some((error, None))),
        }
    }
    Ok(first.or_else(|| verifier.finish().err()).map(|error| (error, None)))
}
