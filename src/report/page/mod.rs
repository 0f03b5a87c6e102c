//! The page of a run: one HTML file that holds all that it shows and needs no network.
//!
//! It is made from the tables and the summary alone, so that it is the same whenever it is made. Wall times are left out for
//! that reason. Texts of a scenario are text whatever they contain: maud escapes them, characters that are obeyed rather than
//! shown become escapes, and the page forbids itself by a content security policy to run or load anything but its own parts.
//! The player in `bundle/` computes the run once more; without it, or without scripts, the page shows all else.

mod bundle;
mod comparison;
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
mod words;

use crate::report::ReportError;
use crate::scenario::Scenario;
use bundle::Bundle;
use document::{Document, document};

#[cfg(feature = "oracle")]
pub use judged::of_judgement;
pub use results::{Recorded, Results};

/// The page of one run, or of several with a comparison of them.
///
/// # Errors
/// [`ReportError`] when a table cannot be read.
pub fn of_runs(runs: &[Results]) -> Result<String, ReportError> {
    let parts: Vec<run::Part> =
        runs.iter().enumerate().map(|(rank, run)| run::Part::new(run, rank, runs.len())).collect::<Result<_, _>>()?;
    let is_carried = runs.iter().any(data::is_carried);
    let bundle = Bundle { player: is_carried };
    let player = if is_carried { run::player(runs) } else { run::no_player() };
    let (title, body) = match parts.as_slice() {
        [only] => (run::title(&runs[0]), only.alone(&player)),
        _ => (comparison::title(runs), comparison::body(runs, &parts, &player)),
    };
    Ok(document(&Document { title: &title, body, data: is_carried.then(|| data::of_runs(runs)), bundle }))
}

/// The page on which a scenario is edited and run; `name` is what it is called, `text` its file.
pub fn playground(name: &str, text: &str, scenario: &Scenario) -> String {
    let (title, body) = playground::body(scenario, text);
    let data = Some(data::of_playground(name, text, scenario));
    document(&Document { title: &title, body, data, bundle: Bundle { player: true } })
}
