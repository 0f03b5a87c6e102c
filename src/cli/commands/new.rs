//! `carom new`: a scenario to start with.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, bad, failed, path, say, word};

/// A ball that is thrown into a room.
const BEGINNING: &str = include_str!("new.ron");

pub(crate) fn command(file: &Path) -> Result<Exit, Exit> {
    let file = named(file)?;
    create(&[(file.clone(), BEGINNING.as_bytes())])?;
    let (shown, word) = (path(&file), word(&file));
    say(&format!("{shown}: written; carom check {word} validates it, carom run {word} runs it"))?;
    Ok(Exit::Success)
}

/// The file of a new scenario: `.ron` is added to a name without an ending.
pub(crate) fn named(file: &Path) -> Result<PathBuf, Exit> {
    match file.extension() {
        Some(ending) if ending == "ron" => Ok(file.to_owned()),
        None if file.file_name().is_some() && file != Path::new("-") => Ok(file.with_extension("ron")),
        _ => Err(bad(&format!("the name of a scenario ends in .ron, as in my.ron; found {}", path(file)))),
    }
}

/// Writes new files, all or none: none if one of them is there already, or cannot be written.
pub(crate) fn create(files: &[(PathBuf, &[u8])]) -> Result<(), Exit> {
    for (row, (file, bytes)) in files.iter().enumerate() {
        let made = File::create_new(file);
        let begun = row + usize::from(made.is_ok());
        if let Err(error) = made.and_then(|mut open| open.write_all(bytes).and_then(|()| open.sync_all())) {
            // Leave nothing incomplete behind.
            files[..begun].iter().for_each(|(file, _)| drop(fs::remove_file(file)));
            let advice = match error.kind() {
                ErrorKind::AlreadyExists => "; choose another name: existing files are kept",
                ErrorKind::NotFound => "; make its folder first",
                _ => "",
            };
            return Err(failed(&format!("cannot write {}: {error}{advice}", path(file))));
        }
    }
    Ok(())
}
