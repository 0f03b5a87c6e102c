//! `carom diff`: what was changed from one scenario, run or recording to another, and what follows from it.

use std::path::Path;

use super::words::{alike, between, good, refused, runs};
use crate::cli::arguments::replay::DiffArguments;
use crate::cli::commands::check::{Loaded, load};
use crate::cli::commands::report::{ready, results};
use crate::cli::exit::{Exit, hand_over, say};
use crate::cli::progress::while_busy;
use crate::cli::staging::holds_unfinished;
use crate::cli::summary::instant;
use crate::cli::terminal::Look;
use crate::record::answers::{ComparisonAnswer, as_json};
use crate::record::recording::{Header, RECORDING_FILE, Reader};
use crate::record::{Diff, Ends, ReplayError, ScriptError, Side, diff};
use crate::scenario::{Change, Source};

/// Most bodies that are listed.
const BODIES_LISTED: usize = 6;

pub(crate) fn command(arguments: &DiffArguments) -> Result<Exit, Exit> {
    let DiffArguments { first, second, json } = arguments;
    let [before, after] = [side(first)?, side(second)?];
    let is_recorded = before.recording.is_some() && after.recording.is_some();
    for (side, file) in [(&before, first), (&after, second)] {
        if side.header.script.is_none() && !is_recorded {
            return Err(refused(&ReplayError::Script(ScriptError::NoScript { file: file.clone() })));
        }
    }
    let found = while_busy((&first.to_string_lossy(), false), "comparing", || diff(&before, &after));
    let found = found.map_err(|error| refused(&error))?;
    if *json {
        hand_over(&as_json(&ComparisonAnswer::from(&found)))?;
    } else {
        say(&words(&found))?;
    }
    Ok(if found.is_same() { Exit::Success } else { Exit::Unmet })
}

/// Reads a scenario, the folder of a run, or a recording.
fn side(file: &Path) -> Result<Side, Exit> {
    let recorded = |file: &Path| {
        let reader = Reader::open(file).map_err(|error| refused(&error.into()))?;
        Ok(Side { header: reader.header().clone(), recording: Some(file.to_owned()) })
    };
    if file.extension().is_some_and(|ending| ending == "carom") {
        return recorded(file);
    }
    if !file.exists() && holds_unfinished(file) {
        ready(file)?;
    }
    if !file.is_dir() {
        let Loaded { source, parsed, .. } = load(file, &[], false)?;
        return Ok(Side { header: Header::of(&parsed.scenario, &source), recording: None });
    }
    let results = results(file, file.to_string_lossy().into_owned())?;
    match results.recorded {
        Some(_) => recorded(&file.join(RECORDING_FILE)),
        None => {
            let source = Source::new(file.to_string_lossy(), &results.text);
            Ok(Side { header: Header::of(&results.scenario, &source), recording: None })
        }
    }
}

fn words(found: &Diff) -> String {
    if found.is_same() {
        let runs = found.bisection.as_ref().map(|bisection| format!("; {}", alike(&bisection.comparison)));
        return good(&format!("the scenarios are the same{}", runs.unwrap_or_default()));
    }
    let mut lines = Change::lines(&found.changes);
    if let Some(bisection) = &found.bisection {
        match bisection.comparison.is_same() {
            true => lines.push(format!("the runs are {}", alike(&bisection.comparison))),
            false => lines.extend([between(&bisection.comparison), runs(bisection)].concat()),
        }
    }
    lines.extend(found.ends.iter().flat_map(at_the_end));
    let count = match found.changes.len() {
        0 => "the scenarios are the same, and their runs are not".to_owned(),
        1 => "1 change in the scenario".to_owned(),
        count => format!("{count} changes in the scenario"),
    };
    lines.push(Look::of_stdout().marked(false, &count));
    lines.join("\n")
}

/// Where bodies end that do not end in the same way.
fn at_the_end(ends: &Ends) -> Vec<String> {
    let Ends { times: [first, second], bodies, other } = ends;
    let mut lines = Vec::new();
    if first != second {
        let [first, second] = [first, second].map(|time| instant(time.seconds()));
        lines.push(format!("one run ends at {first} s, the other at {second} s"));
    }
    lines.extend(other.iter().take(BODIES_LISTED).map(ToString::to_string));
    if other.len() > BODIES_LISTED {
        lines.push(format!(
            "and {} more; in all {} of {bodies} bodies end differently",
            other.len() - BODIES_LISTED,
            other.len()
        ));
    }
    lines
}
