//! `carom list`: what is in a folder of scenarios?

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{Exit, path, say, show_plain};
use crate::scenario::{Source, parse};

pub(super) fn command(folder: &Path) -> Exit {
    match scenarios(folder) {
        Ok(files) if files.is_empty() => {
            say(&format!("no scenario (*.ron) in {}", path(folder)));
            Exit::Success
        }
        Ok(files) => {
            let width = files.iter().map(|file| path(file).len()).max().unwrap_or(0);
            files.iter().for_each(|file| say(&format!("{:width$}  {}", path(file), title(file))));
            Exit::Success
        }
        Err(error) => {
            show_plain(&Unreadable { folder: folder.to_owned(), source: error });
            Exit::Io
        }
    }
}

/// A folder that cannot be listed.
#[derive(Debug, thiserror::Error)]
#[error("cannot list {}", folder.display())]
struct Unreadable {
    folder: PathBuf,
    source: io::Error,
}

fn scenarios(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ron"));
    files.sort();
    Ok(files)
}

/// The title, or what keeps it from being known: one bad file does not hide the others.
fn title(file: &Path) -> String {
    match Source::read(file) {
        Ok(source) => match parse(&source) {
            Ok(parsed) => parsed.scenario.title,
            Err(problems) => format!("(not valid: {problems}; try carom check)"),
        },
        Err(error) => format!("({error})"),
    }
}
