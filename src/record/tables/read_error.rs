//! Errors in a table that is read.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a table could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be opened or read; its content was not judged.
    #[error("cannot read `{}`", file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The first line is not that of the table.
    #[error("`{}` must begin with the line `{wanted}`, found `{found}`", file.display())]
    Header {
        /// Which file.
        file: PathBuf,
        /// The columns of the table.
        wanted: String,
        /// The first line of the file.
        found: String,
    },
    /// The file does not end with a line break, so its last row may lack digits.
    #[error("`{}` was cut short: its last line does not end", file.display())]
    Truncated {
        /// Which file.
        file: PathBuf,
    },
    /// A line has a wrong value.
    #[error("`{}`, line {line}{}: {problem}", file.display(), in_column(column))]
    Content {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1; the line of columns is the first.
        line: u64,
        /// The name of the column, or `all` when the line as a whole is wrong.
        column: String,
        /// What is wrong.
        problem: String,
    },
    /// The columns of a Parquet file are not those of the table.
    #[error("`{}` must have the columns `{wanted}`, found `{found}`", file.display())]
    Columns {
        /// Which file.
        file: PathBuf,
        /// The columns of the table.
        wanted: String,
        /// The columns of the file.
        found: String,
    },
    /// A Parquet file has changed since it was written.
    #[error("`{}` is damaged: {problem}; run the scenario again", file.display())]
    Damaged {
        /// Which file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A row of a Parquet file has a wrong value.
    #[error("`{}`, row {row}{}: {problem}", file.display(), in_column(column))]
    Row {
        /// Which file.
        file: PathBuf,
        /// Which row, from 1.
        row: u64,
        /// The name of the column.
        column: String,
        /// What is wrong.
        problem: String,
    },
    /// A table is there in both formats.
    #[error("`{}` and `{}` are one table; move one of them away", one.display(), other.display())]
    Twice {
        /// The file in one format.
        one: PathBuf,
        /// The file in the other.
        other: PathBuf,
    },
}

/// The column in a message; nothing for `all`, the line as a whole.
pub(in crate::record) fn in_column(column: &str) -> String {
    if column == "all" { String::new() } else { format!(", column `{column}`") }
}

/// An error that a reader of rows finds in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The column at fault.
    pub column: &'static str,
    /// What is wrong with it.
    pub text: String,
}
