//! Imports: what is made of small files of each format, what is refused, and exports that read back.

mod balls;
mod levels;
mod meshes;
mod there_and_back;
mod tiles;
mod trajectories;
mod worlds;

use std::fs;
use std::path::PathBuf;

use carom::record::{ImportError, ImportFormat, ImportRequest, Imported, import};
use carom::scenario::{Scenario, Source, parse};
use tempfile::TempDir;

/// A folder with the files of another program.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(name, bytes)| fs::write(folder.path(name), bytes).unwrap());
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn import(&self, name: &str, request: &ImportRequest) -> Result<Imported, ImportError> {
        import(&self.path(name), request, Some("made"))
    }
}

/// What is made of one file with everything in itself.
fn imported(name: &str, bytes: &[u8], request: &ImportRequest) -> Imported {
    let folder = Folder::new(&[(name, bytes)]);
    import(&folder.path(name), request, None).unwrap_or_else(|error| panic!("{error:?}"))
}

fn scenario(imported: &Imported) -> Scenario {
    let source = Source::new("made.ron", &imported.text).with_files(imported.files.clone());
    parse(&source).unwrap_or_else(|problems| panic!("{}\n{:#?}", imported.text, problems.list())).scenario
}

fn all(format: ImportFormat) -> ImportRequest {
    ImportRequest::all(format)
}

/// Each row: the content of a file, and what the error says.
fn refused(name: &str, request: &ImportRequest, rows: &[(&[u8], &str)]) {
    for (bytes, wanted) in rows {
        let folder = Folder::new(&[(name, bytes)]);
        let text = String::from_utf8_lossy(bytes);
        match folder.import(name, request) {
            Ok(imported) => panic!("accepted: {text}\n{}", imported.text),
            Err(error) => assert!(error.to_string().contains(wanted), "{text}: `{wanted}` is missing in {error}"),
        }
    }
}

/// A text after a byte order mark is the same text.
fn may_have_a_mark(name: &str, text: &str, request: &ImportRequest) {
    let marked = format!("\u{feff}{text}");
    assert_eq!(imported(name, marked.as_bytes(), request), imported(name, text.as_bytes(), request));
}

/// No part of a file, and no changed byte of it, makes an import panic.
fn survives(name: &str, bytes: &[u8], request: &ImportRequest) {
    let folder = Folder::new(&[]);
    let place = folder.path(name);
    let mut row = 0_usize;
    for end in (0..bytes.len()).step_by(1 + bytes.len() / 150) {
        for changed in [None, Some(0xff), Some(b'9'), Some(b'-')] {
            let mut part = bytes[..if changed.is_none() { end } else { bytes.len() }].to_vec();
            if let Some(byte) = changed {
                // A step that has no factor in common with the length comes to other places each time.
                row = (row + 7_919) % bytes.len();
                part[row] = byte;
            }
            fs::write(&place, &part).unwrap();
            let _ = import(&place, request, None);
        }
    }
}
