//! Tables as CSV: a line of column names, then one line per row.
//!
//! A number is written in the shortest form that reads back to the same bits, an instant as [`SimTime`] prints it, and
//! nothing as an empty field. A file that was cut short, damaged or edited by hand gives an error that names the line
//! and the column.

use std::fmt::{Display, Write};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::str::FromStr;

use super::checksummed_file::{ChecksummedFile, Extent};
use super::read_error::{Problem, ReadError};
use super::{Column, Fields, Line, Table};
use crate::motion::SimTime;
use crate::scenario::text::source::open_file;

/// Bytes read or written at once.
const BUFFER: usize = 1 << 18;

/// A table that is being written.
pub(super) struct CsvWriter {
    writer: csv::Writer<ChecksummedFile>,
    line: csv::StringRecord,
    /// The field being written.
    field: String,
}

impl CsvWriter {
    pub(super) fn begin(into: File, columns: &[Column<'_>]) -> io::Result<Self> {
        let mut pen = Self::go_on(ChecksummedFile::new(into));
        pen.writer.write_record(names(columns))?;
        Ok(pen)
    }

    /// Continues a table that has a heading, and maybe rows.
    pub(super) fn go_on(into: ChecksummedFile) -> Self {
        let writer = csv::WriterBuilder::new().has_headers(false).buffer_capacity(BUFFER).from_writer(into);
        Self { writer, line: csv::StringRecord::new(), field: String::new() }
    }

    /// Passes everything to the system, and returns how much that is by now.
    pub(super) fn extent(&mut self) -> io::Result<Extent> {
        self.writer.flush()?;
        Ok(self.writer.get_ref().extent())
    }

    /// Puts on the disk what was passed to the system.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.writer.get_ref().sync()
    }

    /// Writes a row of the values that `put` provides.
    pub(super) fn put(&mut self, put: impl FnOnce(&mut Self)) -> io::Result<()> {
        self.line.clear();
        put(self);
        Ok(self.writer.write_record(&self.line)?)
    }

    /// Returns the complete file.
    pub(super) fn finish(self) -> io::Result<File> {
        self.writer.into_inner().map(ChecksummedFile::into_file).map_err(csv::IntoInnerError::into_error)
    }

    fn print(&mut self, value: impl Display) {
        self.field.clear();
        // Writing into a string cannot fail.
        let _ = write!(self.field, "{value}");
        self.line.push_field(&self.field);
    }
}

impl Line for CsvWriter {
    fn whole_or_none(&mut self, value: Option<u64>) {
        match value {
            Some(value) => self.print(value),
            None => self.line.push_field(""),
        }
    }

    fn real_or_none(&mut self, value: Option<f64>) {
        match value {
            Some(value) => self.line.push_field(ryu::Buffer::new().format(value)),
            None => self.line.push_field(""),
        }
    }

    fn instant(&mut self, value: SimTime) {
        self.print(value);
    }

    fn word(&mut self, value: &str) {
        self.line.push_field(value);
    }
}

/// Passes every row of the table in `file` to `take`, in order.
pub(super) fn each_row<T: Table>(
    file: &Path,
    mut take: impl FnMut(T::Row<'_>) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let mut reader = open::<T>(file)?;
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| refused::<T>(file, error))? {
        let mut fields = LineFields { record: &record, taken: 0 };
        let outcome = match T::take(&mut fields) {
            Ok(row) => take(row),
            Err(text) => Err(Problem { column: T::COLUMNS[fields.taken - 1].name, text }),
        };
        outcome.map_err(|problem| ReadError::Content {
            file: file.to_owned(),
            line: record.position().map_or(0, csv::Position::line),
            column: problem.column.to_owned(),
            problem: problem.text,
        })?;
    }
    Ok(())
}

/// Opens a table and checks its first line and its last byte.
fn open<T: Table>(file: &Path) -> Result<csv::Reader<File>, ReadError> {
    let failed = |source| ReadError::Io { file: file.to_owned(), source };
    let mut opened = open_file(file, File::options().read(true)).map_err(|obstacle| failed(obstacle.into()))?;
    let complete = ends_with_line_break(&mut opened).map_err(failed)?;
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(BUFFER).from_reader(opened);
    let found = reader.headers().map_err(|error| refused::<T>(file, error))?;
    if !found.iter().eq(names(T::COLUMNS)) {
        let found = found.iter().collect::<Vec<_>>().join(",").chars().take(200).collect();
        let wanted = names(T::COLUMNS).collect::<Vec<_>>().join(",");
        return Err(ReadError::Header { file: file.to_owned(), wanted, found });
    }
    if complete { Ok(reader) } else { Err(ReadError::Truncated { file: file.to_owned() }) }
}

fn names<'a>(columns: &'a [Column<'a>]) -> impl Iterator<Item = &'a str> {
    columns.iter().map(|column| column.name)
}

/// Looks at the last byte and goes back to the first. An empty file counts as complete: the error about its missing
/// columns is clearer.
fn ends_with_line_break(file: &mut File) -> io::Result<bool> {
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        file.rewind()?;
    }
    Ok(last == [b'\n'])
}

/// An error of the CSV reader, in the words of this module.
fn refused<T: Table>(file: &Path, error: csv::Error) -> ReadError {
    let line = error.position().map_or(1, csv::Position::line);
    let content = |column: Option<usize>, problem: String| ReadError::Content {
        file: file.to_owned(),
        line,
        column: column.and_then(|index| T::COLUMNS.get(index)).map_or("all", |column| column.name).to_owned(),
        problem,
    };
    match error.into_kind() {
        csv::ErrorKind::Io(source) => ReadError::Io { file: file.to_owned(), source },
        csv::ErrorKind::Utf8 { err, .. } => content(Some(err.field()), "not UTF-8 text".to_owned()),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            content(None, format!("{expected_len} fields wanted, {len} found"))
        }
        other => content(None, format!("{other:?}")),
    }
}

/// The fields of one line, taken from left to right.
struct LineFields<'a> {
    record: &'a csv::StringRecord,
    /// How many were taken.
    taken: usize,
}

impl<'a> LineFields<'a> {
    /// The next field as it stands. A missing one is empty.
    fn next(&mut self) -> &'a str {
        self.taken += 1;
        self.record.get(self.taken - 1).unwrap_or_default()
    }

    fn parsed<T: FromStr<Err: Display>>(&mut self) -> Result<T, String> {
        let word = self.next();
        word.parse().map_err(|error| format!("`{word}`: {error}"))
    }
}

impl<'a> Fields<'a> for LineFields<'a> {
    fn whole(&mut self) -> Result<u64, String> {
        self.parsed()
    }

    fn real(&mut self) -> Result<f64, String> {
        self.parsed()
    }

    fn real_or_none(&mut self) -> Result<Option<f64>, String> {
        if self.record.get(self.taken) == Some("") {
            self.taken += 1;
            return Ok(None);
        }
        self.parsed().map(Some)
    }

    fn instant(&mut self) -> Result<SimTime, String> {
        self.parsed()
    }

    fn word(&mut self) -> Result<&'a str, String> {
        Ok(self.next())
    }
}
