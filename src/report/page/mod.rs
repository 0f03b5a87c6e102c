//! The page of a run: one HTML file that contains everything it shows and needs no network.
//!
//! It is made from the tables and the summary alone, so it is the same whenever it is made. For that reason it has no
//! wall times. Any text of a scenario stays text: maud escapes it, and hidden characters become escapes. By its content
//! security policy the page runs and loads nothing but its own parts. The player in `bundle/` runs the scenario again;
//! without it, or without scripts, the page shows all the rest.

mod bundle;
mod compared;
mod data;
mod document;
mod events;
mod facts;
#[cfg(feature = "oracle")]
mod judged;
mod pictures;
mod playground;
mod results;
mod run;
#[cfg(feature = "study")]
mod sweep;
mod words;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::report::ReportError;
use crate::scenario::Scenario;
use bundle::Bundle;
use document::{Document, document};

#[cfg(feature = "oracle")]
pub use judged::of_judgement;
pub use results::{Recorded, Results, ResultsError};
#[cfg(feature = "study")]
pub use sweep::of_sweep;

/// Bytes of a page within which it says what made it.
const HEAD: u64 = 4096;

/// Whether a file is a page of carom, of any version.
pub fn is_page(file: &Path) -> bool {
    let mut head = Vec::new();
    let is_file = fs::metadata(file).is_ok_and(|found| found.is_file());
    let mut read = || File::open(file)?.take(HEAD).read_to_end(&mut head);
    is_file && read().is_ok() && String::from_utf8_lossy(&head).contains("<meta name=\"generator\" content=\"carom ")
}

/// The page of one run, or of several with a comparison of them.
///
/// # Errors
/// [`ReportError`] when a table cannot be read.
pub fn of_runs(runs: &[Results]) -> Result<String, ReportError> {
    let parts: Vec<run::Part> =
        runs.iter().enumerate().map(|(rank, run)| run::Part::new(run, rank, runs.len())).collect::<Result<_, _>>()?;
    let is_carried = runs.iter().any(data::is_carried);
    let bundle = Bundle { player: is_carried };
    let player = if is_carried { run::player() } else { run::no_player() };
    let (title, body) = match parts.as_slice() {
        [only] => (runs[0].summary.title.clone(), only.alone(&player)),
        _ => (compared::title(runs), compared::body(runs, &parts, (&player, &compared::overlay::pictures(runs)?))),
    };
    Ok(document(&Document { title: &title, body, data: is_carried.then(|| data::of_runs(runs)), bundle }))
}

/// The page on which a scenario is edited and run; `name` is what it is called, `text` its file.
pub fn playground(name: &str, text: &str, scenario: &Scenario) -> String {
    let (title, body) = playground::body(scenario, text);
    let data = Some(data::of_playground(name, text, scenario));
    document(&Document { title: &title, body, data, bundle: Bundle { player: true } })
}
