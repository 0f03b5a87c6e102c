//! Tables whose columns are known only when they are written, such as that of a sweep.

use std::fs::File;
use std::io;
use std::path::Path;

use super::csv::CsvWriter;
use super::heading::Heading;
use super::parquet;
use super::{Column, Line};
use crate::record::files::{WriteError, replace};
use crate::scenario::Format;

/// A value in one column of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// In a column of [`Kind::Whole`](super::Kind::Whole).
    Whole(u64),
    /// In a column of [`Kind::WholeOrNone`](super::Kind::WholeOrNone).
    WholeOrNone(Option<u64>),
    /// In a column of [`Kind::RealOrNone`](super::Kind::RealOrNone).
    RealOrNone(Option<f64>),
    /// In a column of [`Kind::Word`](super::Kind::Word).
    Word(String),
}

impl Value {
    /// Passes it to `line`.
    pub fn put(&self, line: &mut impl Line) {
        match self {
            Self::Whole(value) => line.whole(*value),
            Self::WholeOrNone(value) => line.whole_or_none(*value),
            Self::RealOrNone(value) => line.real_or_none(*value),
            Self::Word(value) => line.word(value),
        }
    }
}

/// Writes a whole table called `name` to `file`. It is written beside its place and then moved, so that the file is
/// either complete or unchanged. Names of columns have no blanks and none of `;{}()=,`. Each row has a value of the
/// right kind for each column.
///
/// # Errors
/// [`WriteError`] when the file cannot be made or the disk is full.
pub fn write_table(
    file: &Path,
    format: Format,
    (name, columns): (&str, &[Column<'_>]),
    heading: &Heading,
    rows: &[Vec<Value>],
) -> Result<(), WriteError> {
    replace(file, |open| {
        let written = match format {
            Format::Csv => csv(open, columns, rows),
            Format::Parquet => parquet(open, (name, columns), heading, rows),
        };
        written?.sync_all()
    })
}

fn csv(open: File, columns: &[Column<'_>], rows: &[Vec<Value>]) -> io::Result<File> {
    let mut pen = CsvWriter::begin(open, columns)?;
    rows.iter().try_for_each(|row| pen.put(|line| row.iter().for_each(|value| value.put(line))))?;
    pen.finish()
}

fn parquet(open: File, table: (&str, &[Column<'_>]), heading: &Heading, rows: &[Vec<Value>]) -> io::Result<File> {
    let mut pen = parquet::begin(open, table, heading)?;
    rows.iter().try_for_each(|row| pen.put(|line| row.iter().for_each(|value| value.put(line))))?;
    pen.finish()
}
