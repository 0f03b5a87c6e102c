//! `carom check`: whether scenarios are valid.

use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, path, say, show};
use crate::cli::progress::Progress;
use crate::scenario::text::printable::printable;
use crate::scenario::{Parsed, ReadError, Setting, SettingError, Source, parse};
use crate::world::{SetupError, World};

pub(crate) fn command(files: &[PathBuf], set: &[String]) -> Result<Exit, Exit> {
    files.iter().try_fold(Exit::Success, |gravest, file| Ok(gravest.max(one(file, set)?)))
}

fn one(file: &Path, set: &[String]) -> Result<Exit, Exit> {
    match load(file, set, false) {
        Ok(loaded) => {
            let scenario = &loaded.parsed.scenario;
            let (file, title, count) = (path(file), printable(&scenario.title), scenario.bodies.len());
            say(&format!("{file}: ok, {title} ({count} bodies)"))?;
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
    let parsed = parse(&source);
    progress.finish();
    let parsed = parsed.map_err(|problems| {
        show(&problems);
        Exit::BadInput
    })?;
    match parsed.scenario.world() {
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
