//! Writing a table column by column, a group of rows at a time.

use std::fs::File;
use std::io;
use std::mem::take;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::ColumnPath;

use super::{GROUP_ROWS, REST, file_hash, schema};
use crate::motion::SimTime;
use crate::record::summary::SCHEMA;
use crate::record::tables::heading::Heading;
use crate::record::tables::{Column, Kind, Line};

/// A table that is being written.
pub(in crate::record) struct ParquetWriter {
    writer: SerializedFileWriter<File>,
    /// The group that is being filled, with one entry for each column of the file.
    columns: Vec<Values>,
    /// The next column.
    next: usize,
    rows: usize,
}

/// Where a column may have no number: for each row 1 if there is one, else 0.
type Levels = Option<Vec<i16>>;

/// The values of a column.
enum Values {
    Whole(Vec<i64>, Levels),
    Real(Vec<f64>, Levels),
    /// All words one after the other, and where each ends.
    Word(Vec<u8>, Vec<usize>),
}

/// Begins a table of this name and these columns.
pub(in crate::record) fn begin(
    into: File,
    (name, columns): (&str, &[Column<'_>]),
    heading: &Heading,
) -> io::Result<ParquetWriter> {
    let properties = Arc::new(properties(name, columns, heading));
    let writer = SerializedFileWriter::new(into, Arc::new(schema(name, columns)?), properties)?;
    let columns = columns.iter().flat_map(|column| match column.kind {
        Kind::Whole => vec![Values::Whole(Vec::new(), None)],
        Kind::WholeOrNone => vec![Values::Whole(Vec::new(), Some(Vec::new()))],
        Kind::Real => vec![Values::Real(Vec::new(), None)],
        Kind::RealOrNone => vec![Values::Real(Vec::new(), Some(Vec::new()))],
        Kind::Instant => vec![Values::Real(Vec::new(), None), Values::Real(Vec::new(), None)],
        Kind::Word => vec![Values::Word(Vec::new(), Vec::new())],
    });
    Ok(ParquetWriter { writer, columns: columns.collect(), next: 0, rows: 0 })
}

impl ParquetWriter {
    /// Writes a row of the values that `put` provides.
    pub(in crate::record) fn put(&mut self, put: impl FnOnce(&mut Self)) -> io::Result<()> {
        self.next = 0;
        put(self);
        self.rows += 1;
        if self.rows == GROUP_ROWS { Ok(self.write_group()?) } else { Ok(()) }
    }

    /// Returns the complete file.
    pub(in crate::record) fn finish(mut self) -> io::Result<File> {
        self.write_group()?;
        let mut file = self.writer.into_inner()?;
        file_hash::seal(&mut file)?;
        Ok(file)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if take(&mut self.rows) == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for values in &mut self.columns {
            let Some(column) = group.next_column()? else { continue };
            values.write(column)?;
        }
        group.close().map(drop)
    }

    fn column(&mut self) -> &mut Values {
        self.next += 1;
        &mut self.columns[self.next - 1]
    }
}

impl Values {
    /// Writes the values of a group, and clears them.
    fn write(&mut self, mut column: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match self {
            Self::Whole(values, levels) => {
                column.typed::<Int64Type>().write_batch(values, levels.as_deref(), None)?;
                values.clear();
                levels.iter_mut().for_each(Vec::clear);
            }
            Self::Real(values, levels) => {
                column.typed::<DoubleType>().write_batch(values, levels.as_deref(), None)?;
                values.clear();
                levels.iter_mut().for_each(Vec::clear);
            }
            Self::Word(letters, ends) => {
                let all = ByteArray::from(take(letters));
                let starts = std::iter::once(0).chain(ends.iter().copied());
                let words: Vec<_> = starts.zip(&*ends).map(|(start, &end)| all.slice(start, end - start)).collect();
                column.typed::<ByteArrayType>().write_batch(&words, None, None)?;
                ends.clear();
            }
        }
        column.close()
    }
}

impl Line for ParquetWriter {
    fn whole_or_none(&mut self, value: Option<u64>) {
        if let Values::Whole(values, levels) = self.column() {
            values.extend(value.map(u64::cast_signed));
            levels.iter_mut().for_each(|levels| levels.push(i16::from(value.is_some())));
        }
    }

    fn real_or_none(&mut self, value: Option<f64>) {
        if let Values::Real(values, levels) = self.column() {
            values.extend(value);
            levels.iter_mut().for_each(|levels| levels.push(i16::from(value.is_some())));
        }
    }

    fn instant(&mut self, value: SimTime) {
        let (seconds, rest) = value.seconds_and_rest();
        self.real(seconds);
        self.real(rest);
    }

    fn word(&mut self, value: &str) {
        if let Values::Word(letters, ends) = self.column() {
            letters.extend_from_slice(value.as_bytes());
            ends.push(letters.len());
        }
    }
}

/// How columns are encoded. Words have a dictionary, or, if there are too many of them, only the part that differs from
/// the word before. Whole numbers are stored as differences. Numbers are stored byte by byte, so that signs and
/// exponents, which hardly differ, lie together.
fn properties(name: &str, columns: &[Column<'_>], heading: &Heading) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_created_by(format!("{}{}", file_hash::PROGRAM, env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata(name, columns, heading)))
        .set_compression(Compression::LZ4_RAW)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT);
    for column in columns {
        // A name with a dot is one name, not a path.
        let path = ColumnPath::new(vec![column.name.to_owned()]);
        builder = match column.kind {
            Kind::Whole | Kind::WholeOrNone => builder.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Kind::Word => builder
                .set_column_dictionary_enabled(path.clone(), true)
                .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY),
            Kind::Real | Kind::RealOrNone | Kind::Instant => builder,
        };
    }
    builder.build()
}

fn metadata(name: &str, columns: &[Column<'_>], heading: &Heading) -> Vec<KeyValue> {
    let mut units = serde_json::Map::new();
    for column in columns {
        units.insert(column.name.to_owned(), column.unit.into());
        if column.kind == Kind::Instant {
            units.insert(format!("{}{REST}", column.name), column.unit.into());
        }
    }
    let pairs = [
        ("carom.table", name.to_owned()),
        ("carom.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("carom.schema", SCHEMA.to_string()),
        ("carom.scenario_hash", heading.scenario_hash.clone()),
        ("carom.units", serde_json::Value::Object(units).to_string()),
        (file_hash::KEY, file_hash::BLANK.to_owned()),
    ];
    pairs.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect()
}
