//! The files of a run that are read before its page is made.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::record::recording::{Hash, Header, RECORDING_FILE, Reader, RecordingError};
use crate::record::tables::SCENARIO_FILE;
use crate::record::{Summary, SummaryError, text_hash};
use crate::scenario::{OverrideError, Problems, ReadError, Scenario, Source, parse};

/// Approximate number of hashes of steps on a page.
const HASHES: u64 = 200;

/// The results of one run.
#[derive(Debug)]
pub struct Results {
    /// Its name on the page, such as the name of its folder.
    pub name: String,
    /// The folder of its tables.
    pub folder: PathBuf,
    /// Its summary.
    pub summary: Summary,
    /// The scenario that was run, with the timestep and the duration that it was run with.
    pub scenario: Scenario,
    /// The text of the scenario.
    pub text: String,
    /// The data of its recording, if it has one.
    pub recorded: Option<Recorded>,
}

/// The data of a recording.
#[derive(Debug)]
pub struct Recorded {
    /// Its header.
    pub header: Header,
    /// The hashes of some of its steps, the first and the last among them.
    pub hashes: Vec<(u64, Hash)>,
}

/// Why the results of a run cannot be read.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ResultsError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Summary(#[from] SummaryError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Scenario(#[from] ReadError),
    #[error("{} is not the scenario that was run: its hash is another", path.display())]
    #[diagnostic(help("put the scenario back as it was, or run it again"))]
    OtherScenario { path: PathBuf },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Wrong(#[from] Problems),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Times(#[from] OverrideError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Recording(#[from] RecordingError),
}

impl Results {
    /// Reads the files of a run that is over; the page calls it `name`.
    ///
    /// # Errors
    /// [`ResultsError`] when one of them is missing, damaged or not of this run.
    pub fn read(folder: &Path, name: String) -> Result<Self, ResultsError> {
        let summary = Summary::read(folder)?;
        let path = folder.join(SCENARIO_FILE);
        let source = Source::read(&path)?;
        if text_hash(&source.text) != summary.scenario_hash {
            return Err(ResultsError::OtherScenario { path });
        }
        let scenario = parse(&source)?.scenario;
        let mut scenario = scenario.with_times(Some(summary.timestep), Some(summary.duration))?;
        // The default title is the name of the scenario's file, which is another one in the folder of the run.
        scenario.title.clone_from(&summary.title);
        let recorded = Recorded::read(&folder.join(RECORDING_FILE), summary.steps)?;
        Ok(Self { name, folder: folder.to_owned(), summary, scenario, text: source.text, recorded })
    }
}

impl Recorded {
    /// The data of the recording of a run with so many steps, if there is one.
    fn read(file: &Path, steps: u64) -> Result<Option<Self>, RecordingError> {
        let read = || {
            let reader = Reader::open(file)?;
            let header = reader.header().clone();
            Ok(Self { header, hashes: reader.hashes(steps.div_ceil(HASHES).max(1))? })
        };
        match read() {
            Ok(recorded) => Ok(Some(recorded)),
            Err(RecordingError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
