//! Reading a table column by column, some thousand rows at a time.
//!
//! Before anything in a file is believed, its metadata must describe the table, its columns must lie within it, and
//! the bytes before the metadata must have the hash that stands in them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;

use super::{HASH_KEY, instant, schema};
use crate::motion::SimTime;
use crate::record::read::{Problem, ReadError};
use crate::record::tables::{Fields, Table};

/// Rows that are read at once.
const BATCH_ROWS: usize = 1 << 13;

/// Bytes that are hashed at once.
const CHUNK: usize = 1 << 18;

/// Length of the metadata and the four letters at the end of every file, bytes.
const TAIL: usize = 8;

/// Hands every row of the table in `file` to `take`, in order.
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

/// Opens a file and makes sure that it is whole and the table wanted.
fn open<T: Table>(file: &Path) -> Result<SerializedFileReader<File>, ReadError> {
    let failed = |source| ReadError::Io { file: file.to_owned(), source };
    let refused = |problem: &str| ReadError::Damaged { file: file.to_owned(), problem: problem.to_owned() };
    let mut opened = File::open(file).map_err(failed)?;
    let data = data_length(&mut opened).map_err(failed)?.ok_or_else(|| refused("its end is missing"))?;
    let hash = hash_of(&mut opened, data).map_err(failed)?;
    let reader = SerializedFileReader::new(opened).map_err(|error| damaged(file, &error))?;
    let metadata = reader.metadata();
    check_columns::<T>(file, metadata.file_metadata().schema_descr())?;
    if !metadata.row_groups().iter().all(|group| lies_within(group, data)) || !counts_agree(metadata) {
        return Err(refused("its metadata contradict themselves"));
    }
    let pairs = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    let wanted = pairs.into_iter().find(|pair| pair.key == HASH_KEY).and_then(|pair| pair.value.as_deref());
    match wanted {
        Some(wanted) if wanted == hash => Ok(reader),
        Some(_) => Err(refused("its content is not what was written")),
        None => Err(refused("it was not written by carom")),
    }
}

/// How many bytes stand before the metadata; `None` if the file does not end like one.
fn data_length(file: &mut File) -> std::io::Result<Option<u64>> {
    let length = file.metadata()?.len();
    if length < 2 * TAIL as u64 {
        return Ok(None);
    }
    let mut tail = [0; TAIL];
    file.seek(SeekFrom::End(-(TAIL as i64)))?;
    file.read_exact(&mut tail)?;
    file.rewind()?;
    let (count, letters) = tail.split_at(4);
    let metadata = count.try_into().map_or(u64::MAX, |count| u64::from(u32::from_le_bytes(count)));
    let data = length.checked_sub(TAIL as u64 + metadata);
    Ok(data.filter(|&data| data >= 4 && letters == b"PAR1"))
}

/// The hash of the first `length` bytes.
fn hash_of(file: &mut File, length: u64) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; CHUNK];
    let mut left = file.take(length);
    loop {
        match left.read(&mut buffer)? {
            0 => break,
            count => hasher.update(&buffer[..count]),
        };
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Whether the columns of the file are those of the table: their names, types, and which may be empty.
fn check_columns<T: Table>(file: &Path, found: &SchemaDescriptor) -> Result<(), ReadError> {
    let words = |schema: &SchemaDescriptor| {
        let column = |column: &parquet::schema::types::ColumnDescPtr| {
            let optional = if column.max_def_level() > 0 { "optional " } else { "" };
            format!("{optional}{} {}", column.physical_type(), column.path().string())
        };
        schema.columns().iter().map(column).collect::<Vec<_>>().join(", ")
    };
    let wanted = schema::<T>().map_err(|error| damaged(file, &error))?;
    let wanted = words(&SchemaDescriptor::new(wanted.into()));
    let found: String = words(found).chars().take(400).collect();
    if wanted == found { Ok(()) } else { Err(ReadError::Columns { file: file.to_owned(), wanted, found }) }
}

/// Whether the columns of a group lie between the first letters of a file and its metadata.
fn lies_within(group: &RowGroupMetaData, data: u64) -> bool {
    group.columns().iter().all(|column| {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let first = start.min(column.data_page_offset());
        let (first, length) = (u64::try_from(first), u64::try_from(column.compressed_size()));
        let end = first.ok().zip(length.ok()).and_then(|(first, length)| first.checked_add(length));
        start >= 4 && end.is_some_and(|end| end <= data)
    })
}

/// Whether every column of a group has as many values as it has rows, and the file as many as its groups.
fn counts_agree(metadata: &ParquetMetaData) -> bool {
    let even = |group: &RowGroupMetaData| group.columns().iter().all(|column| column.num_values() == group.num_rows());
    let rows = metadata.row_groups().iter().try_fold(0_i64, |sum, group| sum.checked_add(group.num_rows()));
    metadata.row_groups().iter().all(even) && rows == Some(metadata.file_metadata().num_rows())
}

/// A column and the values of it that were read last.
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

/// The numbers that are there, each in its row.
fn spread(numbers: &[f64], levels: &[i16]) -> Values {
    let mut numbers = numbers.iter().copied();
    Values::RealOrNone(levels.iter().map(|&level| if level > 0 { numbers.next() } else { None }).collect())
}

/// The values of one row, taken from left to right.
struct RowFields<'a> {
    columns: &'a [Column],
    /// Which column of the file is next.
    next: usize,
    /// How many of the table's columns were taken.
    taken: usize,
    /// Which of the rows that were read last.
    place: usize,
}

impl<'a> RowFields<'a> {
    fn values(&mut self) -> Option<&'a Values> {
        self.next += 1;
        Some(&self.columns.get(self.next - 1)?.values)
    }

    fn number(&mut self) -> Result<f64, String> {
        let place = self.place;
        match self.values() {
            Some(Values::Real(values)) => Ok(values[place]),
            _ => Err("no number".to_owned()),
        }
    }
}

impl<'a> Fields<'a> for RowFields<'a> {
    fn whole(&mut self) -> Result<u64, String> {
        self.taken += 1;
        let place = self.place;
        match self.values() {
            Some(Values::Whole(values)) => Ok(values[place].cast_unsigned()),
            _ => Err("no whole number".to_owned()),
        }
    }

    fn real(&mut self) -> Result<f64, String> {
        self.taken += 1;
        self.number()
    }

    fn real_or_none(&mut self) -> Result<Option<f64>, String> {
        self.taken += 1;
        let place = self.place;
        match self.values() {
            Some(Values::RealOrNone(values)) => Ok(values[place]),
            _ => Err("no number".to_owned()),
        }
    }

    fn instant(&mut self) -> Result<SimTime, String> {
        self.taken += 1;
        instant((self.number()?, self.number()?))
    }

    fn word(&mut self) -> Result<&'a str, String> {
        self.taken += 1;
        let place = self.place;
        match self.values() {
            Some(Values::Word(values)) => values[place].as_utf8().map_err(|_| "not UTF-8 text".to_owned()),
            _ => Err("no word".to_owned()),
        }
    }
}
