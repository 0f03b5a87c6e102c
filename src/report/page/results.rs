//! The files of a run that are read before its page is made.

use std::path::PathBuf;

use crate::record::Summary;
use crate::record::recording::{Hash, Header};
use crate::scenario::Scenario;

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
