//! `carom check`: whether scenarios are valid.

use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, path, say, show};
use crate::cli::progress::Progress;
use crate::cli::terminal::Look;
use crate::scenario::text::printable::printable;
use crate::scenario::{Parsed, ReadError, Setting, SettingError, Source, parse};
use crate::world::{SetupError, World};

pub(crate) fn command(files: &[PathBuf], set: &[String]) -> Result<Exit, Exit> {
    let mut gravest = Exit::Success;
    let mut bad = Vec::new();
    for file in files {
        let exit = one(file, set)?;
        if exit != Exit::Success {
            bad.push(path(file));
        }
        gravest = gravest.max(exit);
    }
    if files.len() > 1 {
        say(&overview(files.len(), &bad))?;
    }
    Ok(gravest)
}

/// The verdict on several files.
fn overview(all: usize, bad: &[String]) -> String {
    let words = match bad {
        [] => format!("{all} of {all} files are valid"),
        _ => format!("{} of {all} files are not valid: {}", bad.len(), bad.join(", ")),
    };
    Look::of_stdout().marked(bad.is_empty(), &words)
}

fn one(file: &Path, set: &[String]) -> Result<Exit, Exit> {
    match load(file, set, false) {
        Ok(loaded) => {
            let scenario = &loaded.parsed.scenario;
            let (file, title, count) = (path(file), printable(&scenario.title), scenario.bodies.len());
            say(&Look::of_stdout().marked(true, &format!("{file}: ok, {title} ({count} bodies)")))?;
            Ok(Exit::Success)
        }
        Err(exit) => Ok(exit),
    }
}

/// A scenario that has been read, checked and made into a world.
pub(crate) struct Loaded {
    pub(crate) source: Source,
    pub(crate) parsed: Parsed,
    pub(crate) world: World,
}

/// Reads, checks and builds a scenario with the settings `set`, and shows its errors and warnings. Progress is shown unless
/// `quiet`.
pub(crate) fn load(file: &Path, set: &[String], quiet: bool) -> Result<Loaded, Exit> {
    let source = changed(&read(file)?, set).map_err(|error| {
        show(&error);
        Exit::BadInput
    })?;
    let progress = Progress::new(&file.file_stem().unwrap_or_default().to_string_lossy(), quiet);
    progress.making();
    let made = parse(&source).map(|parsed| {
        let world = parsed.scenario.world();
        (parsed, world)
    });
    progress.finish();
    let (parsed, world) = made.map_err(|problems| {
        show(&problems);
        Exit::BadInput
    })?;
    match world {
        Ok(world) => {
            if let Some(warnings) = parsed.warnings() {
                show(&warnings);
            }
            Ok(Loaded { source, parsed, world })
        }
        Err(SetupError::Overlap { a, b, depth }) => {
            show(&parsed.overlap(&a, &b, depth));
            Err(Exit::BadInput)
        }
        Err(error) => {
            crate::cli::exit::show_plain(&error);
            Err(Exit::BadInput)
        }
    }
}

/// The scenario with the settings of the options, each `PATH=VALUE`.
fn changed(source: &Source, set: &[String]) -> Result<Source, SettingError> {
    let settings: Vec<Setting> = set.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    source.with(&settings)
}

/// Reads the text of a scenario, and shows the error if that is not possible.
pub(crate) fn read(file: &Path) -> Result<Source, Exit> {
    Source::read(file).map_err(|error: ReadError| {
        show(&error);
        if error.is_unreadable() { Exit::Io } else { Exit::BadInput }
    })
}
