//! `carom list`: the scenarios in a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use textwrap::core::display_width;

use crate::cli::exit::{Exit, failed, path, say};
use crate::cli::terminal::columns::padded;
use crate::scenario::text::printable::printable;
use crate::scenario::{Source, parse};

/// The default folder of scenarios.
const FOLDER: &str = "scenarios";

pub(crate) fn command(folder: Option<&Path>) -> Result<Exit, Exit> {
    if folder.is_none() && !Path::new(FOLDER).exists() {
        say(
            "there is no folder `scenarios` here; carom list DIR looks into another one, carom new FILE begins a scenario",
        )?;
        return Ok(Exit::Success);
    }
    let folder = folder.unwrap_or(Path::new(FOLDER));
    let files = scenarios(folder).map_err(|error| failed(&format!("cannot list {}: {error}", path(folder))))?;
    if files.is_empty() {
        say(&format!("no scenario (*.ron) in {}", path(folder)))?;
    }
    let names: Vec<String> = files.iter().map(|file| path(Path::new(file.file_name().unwrap_or_default()))).collect();
    let width = names.iter().map(|name| display_width(name)).max().unwrap_or(0);
    if !files.is_empty() {
        say(&format!("{}:", path(folder)))?;
    }
    for (name, file) in names.iter().zip(&files) {
        say(&format!("  {}  {}", padded(name, width), printable(&title(file))))?;
    }
    Ok(Exit::Success)
}

fn scenarios(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ron"));
    files.sort();
    Ok(files)
}

/// The title, or why it is not known. So a bad file does not hide the others.
fn title(file: &Path) -> String {
    match Source::read(file) {
        Ok(source) => match parse(&source) {
            Ok(parsed) => parsed.scenario.title,
            Err(problems) => format!("(not valid: {problems}; try carom check)"),
        },
        Err(error) => format!("({error})"),
    }
}
