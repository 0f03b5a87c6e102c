//! What a run left behind, as far as it is read before its page is made.

use std::path::PathBuf;

use crate::record::Summary;
use crate::record::recording::{Hash, Header};
use crate::scenario::Scenario;

/// The results of one run.
#[derive(Debug)]
pub struct Results {
    /// What the page calls it, such as the name of its folder.
    pub name: String,
    /// Where its tables are.
    pub folder: PathBuf,
    /// Its summary.
    pub summary: Summary,
    /// The scenario that was run, with the timestep and the duration that it was run with.
    pub scenario: Scenario,
    /// The text of the scenario.
    pub text: String,
    /// What its recording says, if it has one.
    pub recorded: Option<Recorded>,
}

/// What a recording says of a run.
#[derive(Debug)]
pub struct Recorded {
    /// What it is of.
    pub header: Header,
    /// The hashes of some of its steps, the first and the last among them.
    pub hashes: Vec<(u64, Hash)>,
}
