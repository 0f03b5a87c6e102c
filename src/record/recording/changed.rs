//! What is different between the scenarios of two recordings.

use super::format::{Header, Script};
use crate::scenario::{Change, ChangeKind, Setting, Source, changes};

/// What is different in the scenario of `after`, in the files that it names, and in the version of carom. Nothing if
/// one of them has no scenario.
pub fn changed(before: &Header, after: &Header) -> Vec<Change> {
    let (Some(was), Some(is)) = (&before.script, &after.script) else { return Vec::new() };
    let mut found = Vec::new();
    if before.carom != after.carom {
        found.push(change("carom", ChangeKind::Value, [&before.carom, &after.carom]));
    }
    found.extend(changes(&source(was), &source(is)));
    let is_other = |name: &str, hash: &str| was.files.iter().any(|file| file.name == name && file.hash != hash);
    let others = is.files.iter().filter(|file| is_other(&file.name, &file.hash));
    found.extend(others.map(|file| Change {
        before: None,
        after: None,
        ..change(&file.name, ChangeKind::Content, [""; 2])
    }));
    found
}

fn change(path: &str, kind: ChangeKind, [before, after]: [&str; 2]) -> Change {
    Change { path: path.to_owned(), kind, before: Some(before.to_owned()), after: Some(after.to_owned()) }
}

/// The text of a scenario as it was run, with the times of the command line in it.
fn source(script: &Script) -> Source {
    let source = Source::new(script.name.as_str(), &script.text);
    let time = |(path, seconds): (&str, f64)| Setting::new(path, path, &format!("{seconds:?}"));
    let times = [("timestep", script.timestep), ("duration", script.duration)]
        .map(time)
        .into_iter()
        .collect::<Result<Vec<_>, _>>();
    times.and_then(|times| source.with(&times)).unwrap_or(source)
}
