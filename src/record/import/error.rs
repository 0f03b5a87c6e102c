//! Errors of an import.

use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

/// Why a file cannot be imported.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum ImportError {
    /// The system refuses.
    #[error("cannot read {}: {error}", file.display())]
    #[diagnostic(help("check that the path is right and that you may read it"))]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not of its format, or has what a scenario cannot have.
    #[error("{}{place}: {problem}", file.display())]
    #[diagnostic(help("{remedy}"))]
    Unfit {
        /// The file.
        file: PathBuf,
        /// Where in it, such as `, line 3`; empty for the whole.
        place: String,
        /// What is wrong.
        problem: String,
        /// What to do about it.
        remedy: String,
    },
}

/// What is wrong with a file, whose name is still to be added.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) place: String,
    pub(super) problem: String,
    pub(super) remedy: String,
}

impl Trouble {
    /// Something that is wrong with the whole file.
    pub(super) fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place: String::new(), problem: problem.into(), remedy: remedy.into() }
    }

    #[must_use]
    pub(super) fn at(self, place: impl AsRef<str>) -> Self {
        Self { place: format!(", {}", place.as_ref()), ..self }
    }

    #[must_use]
    pub(super) fn at_line(self, line: usize) -> Self {
        self.at(format!("line {line}"))
    }

    /// What is wrong with text that is no JSON of the kind `what`.
    pub(super) fn json(error: &serde_json::Error, what: &str) -> Self {
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        let place = format!("line {}, column {}", error.line(), error.column());
        Self::new(words, format!("it is not {what}: save it again from the program that made it")).at(place)
    }

    pub(super) fn of(self, file: &Path) -> ImportError {
        let Self { place, problem, remedy } = self;
        ImportError::Unfit { file: file.to_owned(), place, problem, remedy }
    }
}
