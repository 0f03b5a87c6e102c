//! Reading a table column by column, some thousand rows at a time.
//!
//! Before anything in a file is used, its hash is checked, and its columns must be those of the table.

use std::fs::File;
use std::path::Path;

use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;

use super::{file_hash, instant, schema};
use crate::motion::SimTime;
use crate::record::tables::read_error::{Problem, ReadError};
use crate::record::tables::{Fields, Table};
use crate::scenario::text::source::open_file;

/// Rows that are read at once.
const BATCH_ROWS: usize = 1 << 13;

/// Passes every row of the table in `file` to `take`, in order.
pub(in crate::record) fn each_row<T: Table>(
    file: &Path,
    mut take: impl FnMut(T::Row<'_>) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let damaged = |error: ParquetError| damaged(file, &error);
    let reader = open::<T>(file)?;
    let mut row = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(damaged)?;
        let columns = (0..group.num_columns()).map(|column| group.get_column_reader(column));
        let mut columns: Vec<Column> =
            columns.map(|reader| reader.and_then(Column::new)).collect::<Result<_, _>>().map_err(damaged)?;
        let mut left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        while left > 0 {
            let rows = left.min(BATCH_ROWS);
            columns.iter_mut().try_for_each(|column| column.read(rows)).map_err(damaged)?;
            for place in 0..rows {
                row += 1;
                one_row::<T>(&columns, place, &mut take).map_err(|problem| ReadError::Row {
                    file: file.to_owned(),
                    row,
                    column: problem.column.to_owned(),
                    problem: problem.text,
                })?;
            }
            left -= rows;
        }
    }
    Ok(())
}

fn one_row<T: Table>(
    columns: &[Column],
    place: usize,
    take: &mut impl FnMut(T::Row<'_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut fields = RowFields { columns, next: 0, taken: 0, place };
    match T::take(&mut fields) {
        Ok(row) => take(row),
        Err(text) => Err(Problem { column: T::COLUMNS[fields.taken - 1].name, text }),
    }
}

fn damaged(file: &Path, error: &ParquetError) -> ReadError {
    ReadError::Damaged { file: file.to_owned(), problem: error.to_string() }
}

/// Opens a file and checks that it is whole and is the wanted table.
fn open<T: Table>(file: &Path) -> Result<SerializedFileReader<File>, ReadError> {
    let failed = |source| ReadError::Io { file: file.to_owned(), source };
    let mut opened = open_file(file, File::options().read(true)).map_err(|obstacle| failed(obstacle.into()))?;
    if let Err(problem) = file_hash::check(&mut opened).map_err(failed)? {
        return Err(ReadError::Damaged { file: file.to_owned(), problem: problem.to_owned() });
    }
    let reader = SerializedFileReader::new(opened).map_err(|error| damaged(file, &error))?;
    check_columns::<T>(file, reader.metadata().file_metadata().schema_descr())?;
    Ok(reader)
}

/// Checks that the columns of the file are those of the table: their names, their types, and which may be empty.
fn check_columns<T: Table>(file: &Path, found: &SchemaDescriptor) -> Result<(), ReadError> {
    let words = |schema: &SchemaDescriptor| {
        let column = |column: &parquet::schema::types::ColumnDescPtr| {
            let optional = if column.max_def_level() > 0 { "optional " } else { "" };
            format!("{optional}{} {}", column.physical_type(), column.path().string())
        };
        schema.columns().iter().map(column).collect::<Vec<_>>().join(", ")
    };
    let wanted = schema(T::NAME, T::COLUMNS).map_err(|error| damaged(file, &error))?;
    let wanted = words(&SchemaDescriptor::new(wanted.into()));
    let found: String = words(found).chars().take(400).collect();
    if wanted == found { Ok(()) } else { Err(ReadError::Columns { file: file.to_owned(), wanted, found }) }
}

/// A column and the values that were read last.
struct Column {
    reader: ColumnReader,
    values: Values,
}

enum Values {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    RealOrNone(Vec<Option<f64>>),
    Word(Vec<ByteArray>),
}

impl Column {
    fn new(reader: ColumnReader) -> Result<Self, ParquetError> {
        let values = match &reader {
            ColumnReader::Int64ColumnReader(_) => Values::Whole(Vec::new()),
            ColumnReader::DoubleColumnReader(_) => Values::Real(Vec::new()),
            ColumnReader::ByteArrayColumnReader(_) => Values::Word(Vec::new()),
            _ => return Err(ParquetError::General("a column of another type".to_owned())),
        };
        Ok(Self { reader, values })
    }

    /// Reads the next `rows` values, in place of those read before.
    fn read(&mut self, rows: usize) -> Result<(), ParquetError> {
        let mut levels = Vec::new();
        let found = match (&mut self.reader, &mut self.values) {
            (ColumnReader::Int64ColumnReader(reader), Values::Whole(values)) => {
                values.clear();
                reader.read_records(rows, None, None, values)?.0
            }
            (ColumnReader::ByteArrayColumnReader(reader), Values::Word(values)) => {
                values.clear();
                reader.read_records(rows, None, None, values)?.0
            }
            (ColumnReader::DoubleColumnReader(reader), values) => {
                let mut numbers = Vec::with_capacity(rows);
                let found = reader.read_records(rows, Some(&mut levels), None, &mut numbers)?.0;
                *values = if levels.is_empty() { Values::Real(numbers) } else { spread(&numbers, &levels) };
                found
            }
            _ => 0,
        };
        if found == rows { Ok(()) } else { Err(ParquetError::EOF(format!("{rows} values wanted, {found} found"))) }
    }
}

/// The numbers that are present, each in its row.
fn spread(numbers: &[f64], levels: &[i16]) -> Values {
    let mut numbers = numbers.iter().copied();
    Values::RealOrNone(levels.iter().map(|&level| if level > 0 { numbers.next() } else { None }).collect())
}

/// The values of one row, taken from left to right.
struct RowFields<'a> {
    columns: &'a [Column],
    /// The next column of the file.
    next: usize,
    /// How many columns of the table were taken.
    taken: usize,
    /// The index of the row among those that were read last.
    place: usize,
}

impl<'a> RowFields<'a> {
    fn values(&mut self) -> Option<&'a Values> {
        self.next += 1;
        Some(&self.columns.get(self.next - 1)?.values)
    }

    fn number(&mut self) -> Result<f64, String> {
        match self.values() {
            Some(Values::Real(values)) => Ok(values[self.place]),
            _ => Err("no number".to_owned()),
        }
    }
}

impl<'a> Fields<'a> for RowFields<'a> {
    fn whole(&mut self) -> Result<u64, String> {
        self.taken += 1;
        match self.values() {
            Some(Values::Whole(values)) => Ok(values[self.place].cast_unsigned()),
            _ => Err("no whole number".to_owned()),
        }
    }

    fn real(&mut self) -> Result<f64, String> {
        self.taken += 1;
        self.number()
    }

    fn real_or_none(&mut self) -> Result<Option<f64>, String> {
        self.taken += 1;
        match self.values() {
            Some(Values::RealOrNone(values)) => Ok(values[self.place]),
            _ => Err("no number".to_owned()),
        }
    }

    fn instant(&mut self) -> Result<SimTime, String> {
        self.taken += 1;
        instant((self.number()?, self.number()?))
    }

    fn word(&mut self) -> Result<&'a str, String> {
        self.taken += 1;
        match self.values() {
            Some(Values::Word(values)) => values[self.place].as_utf8().map_err(|_| "not UTF-8 text".to_owned()),
            _ => Err("no word".to_owned()),
        }
    }
}
