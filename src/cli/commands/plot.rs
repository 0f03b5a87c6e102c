//! `carom plot`: the pictures of a run, from its tables.

use std::fs;
use std::path::Path;

use super::check::read;
use super::run::typeface_lacks;
use crate::cli::exit::{Exit, path, say, show, show_plain, warn};
use crate::cli::progress::Progress;
use crate::cli::signals::Attention;
use crate::record::recording::{RECORDING_FILE, Reader};
use crate::record::tables::SCENARIO_FILE;
use crate::report::{self, Drawn};
use crate::scenario::parse;

pub(crate) fn command(folder: &Path) -> Result<Exit, Exit> {
    for file in draw_again(folder)? {
        say(&path(&folder.join(file)))?;
    }
    Ok(Exit::Success)
}

/// Draws into a folder of its own and then moves each picture into place.
fn draw_again(folder: &Path) -> Result<Vec<std::path::PathBuf>, Exit> {
    let source = read(&folder.join(SCENARIO_FILE))?;
    let mut parsed = parse(&source).map_err(|problems| {
        show(&problems);
        Exit::BadInput
    })?;
    // A scenario without a title has that of its file's name, and the file in the folder has another name.
    if let Ok(recording) = Reader::open(&folder.join(RECORDING_FILE)) {
        parsed.scenario.title.clone_from(&recording.header().title);
    }
    let failed = |error: std::io::Error| {
        show_plain(&error);
        Exit::Io
    };
    let making = tempfile::Builder::new().prefix(".plots.").tempdir_in(folder).map_err(failed)?;
    // What is in the making goes, whenever it ends.
    let attention = Attention::new();
    let progress = Progress::new(&path(folder), false);
    progress.drawing();
    let drawn = report::draw(&parsed.scenario, folder, making.path());
    progress.finish();
    let Drawn { files, missing } = drawn.map_err(|error| {
        show_plain(&error);
        Exit::Io
    })?;
    if let Some(text) = typeface_lacks(&missing) {
        warn(&text);
    }
    if let Some(exit) = attention.asked() {
        return Err(exit);
    }
    for file in &files {
        fs::rename(making.path().join(file), folder.join(file)).map_err(failed)?;
    }
    Ok(files)
}
