//! `carom new`: a scenario to start with.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, complain, path, say};

/// A ball that is thrown into a room.
const BEGINNING: &str = include_str!("new.ron");

pub(crate) fn command(file: &Path) -> Result<Exit, Exit> {
    let file = named(file)?;
    let mut open = File::create_new(&file).map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AlreadyExists => "; choose another name, for what is there is kept",
            ErrorKind::NotFound => "; make its folder first",
            _ => "",
        };
        complain(&format!("cannot write {}: {error}{advice}", path(&file)));
        Exit::Io
    })?;
    if let Err(error) = open.write_all(BEGINNING.as_bytes()).and_then(|()| open.sync_all()) {
        drop(open);
        // Leave no incomplete file behind.
        let _ = fs::remove_file(&file);
        complain(&format!("cannot write {}: {error}", path(&file)));
        return Err(Exit::Io);
    }
    let file = path(&file);
    say(&format!("{file}: written; carom check {file} validates it, carom run {file} runs it"))?;
    Ok(Exit::Success)
}

/// The file of a new scenario: `.ron` is added to a name without an ending.
pub(crate) fn named(file: &Path) -> Result<PathBuf, Exit> {
    match file.extension() {
        Some(ending) if ending == "ron" => Ok(file.to_owned()),
        None if file.file_name().is_some() => Ok(file.with_extension("ron")),
        _ => {
            complain(&format!("the name of a scenario ends in .ron, as in my.ron; found {}", path(file)));
            Err(Exit::BadInput)
        }
    }
}
