//! Errors in a table of another program.

use std::io;
use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

use crate::record::tables::in_column;

/// Most rows of a table; each takes a hundred bytes.
pub const ROWS_MAX: usize = 50_000_000;

/// Why a table of another program could not be read, or cannot be used.
#[derive(Debug, Error, Diagnostic)]
pub enum ForeignError {
    /// The file could not be opened or read.
    #[error("cannot read `{}`: {cause}", file.display())]
    #[diagnostic(help("check that the path is right and that you may read it"))]
    Io {
        /// Which file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A column is not there.
    #[error("`{}` has no column {missing}; its columns are `{found}`", file.display())]
    #[diagnostic(help("wanted are the columns {wanted}, in any order; others are passed over"))]
    Columns {
        /// Which file.
        file: PathBuf,
        /// Which columns.
        missing: String,
        /// The columns of the file.
        found: String,
        /// The columns that such a table has.
        wanted: String,
    },
    /// A row has a wrong value.
    #[error("`{}`, {unit} {place}{}: {problem}", file.display(), in_column(column))]
    #[diagnostic(help("{wanted}"))]
    Content {
        /// Which file.
        file: PathBuf,
        /// `line` or `row`.
        unit: &'static str,
        /// The number of the line or row, from 1.
        place: u64,
        /// The name of the column.
        column: String,
        /// What is wrong.
        problem: String,
        /// The rules for the rows, in words.
        wanted: &'static str,
    },
    /// The file is not a table of its format, or has a form that carom does not read.
    #[error("`{}`: {problem}", file.display())]
    Damaged {
        /// Which file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// More rows than are read.
    #[error("`{}` has more than {ROWS_MAX} rows", file.display())]
    #[diagnostic(help("write fewer instants: the judge needs the steps around impacts, and some hundred others"))]
    TooLong {
        /// Which file.
        file: PathBuf,
    },
}

impl ForeignError {
    /// Whether the file itself could not be read.
    pub const fn is_unreadable(&self) -> bool {
        matches!(self, Self::Io { .. })
    }
}
