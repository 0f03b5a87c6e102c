//! A table of another program as Parquet; pandas, polars and others write it.

use std::fs::File;
use std::path::Path;

use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::error::{ForeignError, ROWS_MAX};
use super::layout::{Cells, Rows, instant, number, whole as whole_number};
use crate::motion::SimTime;
use crate::record::tables::check_own;
use crate::scenario::text::source::open_file;

pub(super) fn read<T: Rows>(file: &Path) -> Result<T, ForeignError> {
    let failed = |cause| ForeignError::Io { file: file.to_owned(), cause };
    let mut opened = open_file(file, File::options().read(true)).map_err(|obstacle| failed(obstacle.into()))?;
    let damaged = |problem: String| ForeignError::Damaged { file: file.to_owned(), problem };
    if let Err(problem) = check_own(&mut opened).map_err(failed)? {
        return Err(damaged(format!("it is damaged: {problem}; run the scenario again")));
    }
    let damaged = |error: ParquetError| damaged(format!("not a Parquet table that can be read: {error}"));
    let reader = SerializedFileReader::new(opened).map_err(damaged)?;
    check_packing(file, reader.metadata())?;
    let metadata = reader.metadata().file_metadata();
    if usize::try_from(metadata.num_rows()).is_ok_and(|rows| rows > ROWS_MAX) {
        return Err(ForeignError::TooLong { file: file.to_owned() });
    }
    let fields = metadata.schema_descr().root_schema().get_fields();
    let found: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
    let (columns, has) = T::LAYOUT.places(file, &found)?;
    let origin = T::LAYOUT.origin(file, "row");
    let mut table = T::new(origin.clone(), &has);
    for (place, row) in (1..).zip(reader.get_row_iter(None).map_err(damaged)?) {
        let row = row.map_err(damaged)?;
        let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let field = |at: &Option<usize>| at.and_then(|at| fields.get(at).copied()).unwrap_or(&Field::Null);
        let record = Record(columns.iter().map(field).collect());
        table.put(place, &record).map_err(|(column, problem)| origin.wrong(place, column, problem))?;
    }
    Ok(table)
}

/// The fields of a row, in the order of the layout.
struct Record<'a>(Vec<&'a Field>);

impl Record<'_> {
    fn other(&self, at: usize, wanted: &str) -> String {
        format!("{wanted} is wanted, found {}", self.0[at])
    }
}

impl Cells for Record<'_> {
    fn whole(&self, at: usize) -> Result<u64, String> {
        let number = match self.0[at] {
            Field::Double(value) => whole_number(*value),
            Field::Float(value) => whole_number(f64::from(*value)),
            field => whole(field),
        };
        number.ok_or_else(|| self.other(at, "a whole number"))
    }

    fn real(&self, at: usize) -> Result<f64, String> {
        number(match self.0[at] {
            Field::Double(value) => *value,
            Field::Float(value) => f64::from(*value),
            field => whole(field).ok_or_else(|| self.other(at, "a number"))? as f64,
        })
    }

    fn instant(&self, at: usize) -> Result<SimTime, String> {
        instant(self.real(at)?)
    }

    fn word(&self, at: usize) -> Result<&str, String> {
        match self.0[at] {
            Field::Str(word) => Ok(word),
            // A column of names may have empty cells.
            Field::Null => Ok(""),
            _ => Err(self.other(at, "a name")),
        }
    }
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

/// Refuses a table with a compression that carom does not read.
fn check_packing(file: &Path, metadata: &ParquetMetaData) -> Result<(), ForeignError> {
    let columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    for packing in columns.map(ColumnChunkMetaData::compression) {
        if !matches!(packing, Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::LZ4 | Compression::LZ4_RAW)
        {
            let name = packing.to_string().to_lowercase();
            let name = name.split('(').next().unwrap_or_default();
            let problem = format!("it is packed with {name}; write it with compression snappy or lz4, or with none");
            return Err(ForeignError::Damaged { file: file.to_owned(), problem });
        }
    }
    Ok(())
}
