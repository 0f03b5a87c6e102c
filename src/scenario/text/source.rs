//! The text of a scenario and where it came from.
//!
//! Only reading shows that a path is a folder, a device without end, or a file that is not text. Such a path is bad
//! input. A file that the system cannot read is another error, and callers can distinguish the two.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::scenario::limits::FILE_BYTES_MAX;
use crate::scenario::request_types::MeshFile;

/// A scenario's text, with the name that messages call it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path as it was given, or any name for text that comes from elsewhere.
    pub name: String,
    /// The text, without a byte order mark.
    pub text: String,
    /// The folder of the files that the text names; `None` for text that is not a file. Such text can name only
    /// `files`.
    pub folder: Option<PathBuf>,
    /// Files in memory, by the paths that the text has for them. They are used before those on the disk.
    pub files: Vec<MeshFile>,
    /// The values that were set from outside, in the order in which they were set.
    pub(crate) placed: Vec<Placed>,
}

/// A value in a text that was set from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    /// The name of the setting in messages.
    pub(crate) label: String,
    /// The place of the value, in bytes.
    pub(crate) range: Range<usize>,
}

/// Why a text could not be read.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum ReadError {
    /// The system refused: no such file, no permission, a failing disk.
    #[error("{} cannot be read: {error}", path.display())]
    #[diagnostic(help("check that the path is right and that you may read it"))]
    Unreadable {
        /// The path that was to be read.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A folder, a device, a pipe.
    #[error("{} is {found}, not a file", path.display())]
    #[diagnostic(help("give the path of a scenario file, such as scenarios/newtons_cradle.ron"))]
    NotAFile {
        /// The path that was to be read.
        path: PathBuf,
        /// What it is, with its article.
        found: &'static str,
    },
    /// A file larger than the limit.
    #[error("{} is larger than {} MiB, the most that a scenario may be", path.display(), FILE_BYTES_MAX >> 20)]
    #[diagnostic(help("let `fill` generate bodies instead of writing each one out"))]
    TooLarge {
        /// The path that was to be read.
        path: PathBuf,
    },
    /// Bytes that are not UTF-8.
    #[error("{} is not UTF-8 text: the byte at offset {offset} (line {line}) belongs to no character", path.display())]
    #[diagnostic(help("save the file as UTF-8"))]
    NotText {
        /// The path that was to be read.
        path: PathBuf,
        /// The number of valid bytes before.
        offset: usize,
        /// Line of the bad byte, from 1.
        line: usize,
    },
}

impl ReadError {
    /// Whether the system failed to read; otherwise there is something at the path that is not a scenario.
    #[doc(hidden)]
    pub const fn is_unreadable(&self) -> bool {
        matches!(self, Self::Unreadable { .. })
    }
}

impl Source {
    /// Text in memory that belongs to no folder. A byte order mark at its start is dropped. A carriage return that ends
    /// a line alone becomes a line feed, because RON and messages count lines by line feeds.
    pub fn new(name: impl Into<String>, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { name: name.into(), text: with_line_feeds(text), folder: None, files: Vec::new(), placed: Vec::new() }
    }

    /// The same text as if it were a file in `folder`, so that it may name mesh files beside it.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// The same text with mesh files in memory, where there is no disk.
    #[doc(hidden)]
    #[must_use]
    pub fn with_files(self, files: Vec<MeshFile>) -> Self {
        Self { files, ..self }
    }

    /// The setting that the byte `place` of the text comes from, the last one if it is in several.
    pub(crate) fn setting_at(&self, place: usize) -> Option<&str> {
        let within = |placed: &&Placed| placed.range.contains(&place);
        self.placed.iter().rev().find(within).map(|placed| placed.label.as_str())
    }

    /// Reads a regular file; the files that it names are looked for from its folder.
    ///
    /// # Errors
    /// [`ReadError::Unreadable`] when the system refuses; the other kinds when there is something at `path` that cannot
    /// be a scenario.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let bytes = read_bytes(path, FILE_BYTES_MAX).map_err(|obstacle| {
            let path = path.to_owned();
            match obstacle {
                Obstacle::Refused(error) => ReadError::Unreadable { path, error },
                Obstacle::NotAFile(found) => ReadError::NotAFile { path, found },
                Obstacle::TooLarge => ReadError::TooLarge { path },
            }
        })?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(path.to_string_lossy(), &text).in_folder(path.parent().unwrap_or(Path::new("")))),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let before = with_line_feeds(&String::from_utf8_lossy(&error.as_bytes()[..offset]));
                let line = 1 + before.matches('\n').count();
                Err(ReadError::NotText { path: path.to_owned(), offset, line })
            }
        }
    }
}

/// The text with a line feed in place of every carriage return that has none after it.
fn with_line_feeds(text: &str) -> String {
    let ends_line = |place: usize| text.as_bytes().get(place + 1) != Some(&b'\n');
    let fed = |(place, character)| if character == '\r' && ends_line(place) { '\n' } else { character };
    text.char_indices().map(fed).collect()
}

/// Why the bytes of a file cannot be read.
#[derive(Debug)]
pub enum Obstacle {
    /// The system refuses.
    Refused(io::Error),
    /// What it is instead, with its article.
    NotAFile(&'static str),
    /// It has more bytes than it may.
    TooLarge,
}

impl From<io::Error> for Obstacle {
    fn from(error: io::Error) -> Self {
        Self::Refused(error)
    }
}

impl From<Obstacle> for io::Error {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Refused(error) => error,
            Obstacle::NotAFile(found) => Self::new(io::ErrorKind::InvalidInput, format!("it is {found}, not a file")),
            Obstacle::TooLarge => Self::new(io::ErrorKind::FileTooLarge, "it is larger than it may be"),
        }
    }
}

/// Opens a regular file as `options` say.
///
/// The kind of file is checked first: opening a pipe would wait for its other end, and some devices never end.
///
/// # Errors
/// [`Obstacle`] when the system refuses, or for something that is no regular file.
pub fn open_file(path: &Path, options: &OpenOptions) -> Result<File, Obstacle> {
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(Obstacle::NotAFile(if found.is_dir() { "a folder" } else { "a device or a pipe" }));
    }
    Ok(options.open(path)?)
}

/// The bytes of a regular file of at most `bytes_max` bytes.
pub(crate) fn read_bytes(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Obstacle> {
    let file = open_file(path, File::options().read(true))?;
    if file.metadata()?.len() > bytes_max {
        return Err(Obstacle::TooLarge);
    }
    let mut bytes = Vec::new();
    // The size that the system states is a hint only: some files state none and never end.
    file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max { Err(Obstacle::TooLarge) } else { Ok(bytes) }
}
