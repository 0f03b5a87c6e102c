//! Such a table as Parquet, as pandas, polars and others write it.

use std::fs::File;
use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::error::{ForeignError, WANTED};
use super::table::{Collector, ForeignTable, Values, instant, number};
use crate::scenario::text::source::open_file;

pub(super) fn read(file: &Path) -> Result<ForeignTable, ForeignError> {
    let opened = open_file(file, File::options().read(true))
        .map_err(|obstacle| ForeignError::Io { file: file.to_owned(), source: obstacle.into() })?;
    let damaged = |error: ParquetError| ForeignError::Damaged { file: file.to_owned(), problem: advice(&error) };
    let reader = SerializedFileReader::new(opened).map_err(damaged)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let found: Vec<String> = schema.root_schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let mut collector = Collector::new(file, "row");
    let columns = collector.columns(&found)?;
    for (place, row) in (1..).zip(reader.get_row_iter(None).map_err(damaged)?) {
        let row = row.map_err(damaged)?;
        let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let fields = columns.map(|column| fields.get(column).copied().unwrap_or(&Field::Null));
        let values = values(place, fields).map_err(|(column, problem)| collector.wrong(place, column, problem))?;
        collector.put(&values)?;
    }
    Ok(collector.table)
}

fn values(place: u64, fields: [&Field; 9]) -> Result<Values<'_>, (&'static str, String)> {
    let found = |at: usize, wanted: &str| (WANTED[at], format!("{wanted} is wanted, found {}", fields[at]));
    let real = |at: usize| {
        let value = match fields[at] {
            Field::Double(value) => *value,
            Field::Float(value) => f64::from(*value),
            _ => whole(fields[at]).ok_or_else(|| found(at, "a number"))? as f64,
        };
        number(value).map_err(|problem| (WANTED[at], problem))
    };
    let step = whole(fields[0]).ok_or_else(|| found(0, "a whole number"))?;
    let time = instant(real(1)?).map_err(|problem| (WANTED[1], problem))?;
    let Field::Str(body) = fields[2] else { return Err(found(2, "the name of a body")) };
    let mut numbers = [0.0; 6];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = real(3 + place)?;
    }
    Ok(Values { place, step, time, body, numbers })
}

fn whole(field: &Field) -> Option<u64> {
    match *field {
        Field::Byte(value) => u64::try_from(value).ok(),
        Field::Short(value) => u64::try_from(value).ok(),
        Field::Int(value) => u64::try_from(value).ok(),
        Field::Long(value) => u64::try_from(value).ok(),
        Field::UByte(value) => Some(value.into()),
        Field::UShort(value) => Some(value.into()),
        Field::UInt(value) => Some(value.into()),
        Field::ULong(value) => Some(value),
        _ => None,
    }
}

/// What the library says, and what to do where a table is packed in a way that is not read.
fn advice(error: &ParquetError) -> String {
    let hint = "; write it with compression snappy or lz4, or with none";
    format!(
        "not a Parquet table that can be read: {error}{}",
        if matches!(error, ParquetError::NYI(_) | ParquetError::General(_)) { hint } else { "" }
    )
}
