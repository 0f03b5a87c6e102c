//! Files that a scenario names: meshes, and tables of bodies.
//!
//! A file lies in the folder of the scenario or below. It is read once, however often it is named, and its bytes are
//! kept with the scenario, so that a run can be stored completely.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::printable::{HIDDEN, is_hidden};
use super::source::{Obstacle, Source, read_bytes};
use crate::scenario::limits::BESIDE_BYTES_MAX;
use crate::scenario::request_types::MeshFile;

/// Why a file that a scenario names cannot be had.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FileFault {
    /// A file named in a text that has no folder.
    #[error("a file beside the scenario needs a scenario that is itself a file: this one is text without a folder")]
    NoFolder,
    /// A path that leads out of the folder.
    #[error("a file must lie beside the scenario or below, found `{file}`")]
    Outside {
        /// The path as it is written.
        file: String,
    },
    /// A link, which may lead out of the folder.
    #[error("`{}` is a link, which could lead out of the scenario's folder", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// A path with characters that a terminal would not show but obey.
    #[error("the name of a file {HIDDEN}")]
    HiddenCharacters,
    /// The system could not read the file.
    #[error("`{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// Where it was looked for.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
    /// A folder, a device, a pipe.
    #[error("`{}` is {found}, not a file", path.display())]
    NotAFile {
        /// Where it was looked for.
        path: PathBuf,
        /// What it is, with its article.
        found: &'static str,
    },
    /// A file larger than the limit.
    #[error("`{}` is larger than {} MiB, the most that a file of a scenario may be", path.display(), BESIDE_BYTES_MAX >> 20)]
    TooLarge {
        /// Where it was looked for.
        path: PathBuf,
    },
}

impl FileFault {
    /// What to do about it, in a sentence.
    pub(in crate::scenario) const fn help(&self) -> &'static str {
        match self {
            Self::NoFolder => "save the scenario as a file beside it",
            Self::Outside { .. } => {
                "put the file into the scenario's folder, so that a run can be kept whole, and name it as in \"meshes/track.obj\", with `/` between folders"
            }
            Self::Link { .. } => "put the file itself there, so that a run can be kept whole",
            Self::HiddenCharacters => "give the file a name that can be printed",
            Self::Unreadable { .. } | Self::NotAFile { .. } => {
                "check the name; it is looked for from the folder of the scenario"
            }
            Self::TooLarge { .. } => "divide it into several files, one for each body or entry",
        }
    }
}

/// The files of a scenario that were read so far.
pub(crate) struct Files {
    folder: Option<PathBuf>,
    at_hand: Vec<MeshFile>,
    read: Vec<MeshFile>,
}

impl Files {
    /// None yet.
    pub(crate) fn new(source: &Source) -> Self {
        Self { folder: source.folder.clone(), at_hand: source.files.clone(), read: Vec::new() }
    }

    /// Those that were read, in the order of the scenario.
    pub(crate) fn into_list(self) -> Vec<MeshFile> {
        self.read
    }

    /// Whether a scenario may name a file so.
    pub(crate) fn check_name(file: &str) -> Result<(), FileFault> {
        if file.chars().any(is_hidden) {
            return Err(FileFault::HiddenCharacters);
        }
        if stays_below(file) { Ok(()) } else { Err(FileFault::Outside { file: file.to_owned() }) }
    }

    /// The bytes of a file: of one that is given in memory, or else from the disk.
    pub(crate) fn read(&mut self, file: &str) -> Result<Arc<[u8]>, FileFault> {
        Self::check_name(file)?;
        if let Some(known) = self.read.iter().find(|known| known.name == file) {
            return Ok(Arc::clone(&known.bytes));
        }
        let at_hand = self.at_hand.iter().find(|at_hand| at_hand.name == file);
        let bytes = at_hand.map_or_else(|| self.on_disk(file), |at_hand| Ok(Arc::clone(&at_hand.bytes)))?;
        self.read.push(MeshFile { name: file.to_owned(), bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }

    fn on_disk(&self, file: &str) -> Result<Arc<[u8]>, FileFault> {
        let folder = self.folder.as_ref().ok_or(FileFault::NoFolder)?;
        if let Some(path) = link_below(folder, file) {
            return Err(FileFault::Link { path });
        }
        let path = folder.join(file);
        let read = read_bytes(&path, BESIDE_BYTES_MAX).map_err(|obstacle| match obstacle {
            Obstacle::Refused(error) => FileFault::Unreadable { path, error: error.to_string() },
            Obstacle::NotAFile(found) => FileFault::NotAFile { path, found },
            Obstacle::TooLarge => FileFault::TooLarge { path },
        })?;
        Ok(read.into())
    }
}

/// Whether a path stays below its folder, on every system.
pub(crate) fn stays_below(file: &str) -> bool {
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    !file.is_empty() && !file.contains(['\\', ':']) && Path::new(file).components().all(plain)
}

/// The first part of the way from a folder to a file below it that is a link.
fn link_below(folder: &Path, file: &str) -> Option<PathBuf> {
    let mut ways = Path::new(file).components().scan(folder.to_owned(), |way, part| {
        way.push(part);
        Some(way.clone())
    });
    ways.find(|way| way.is_symlink())
}
