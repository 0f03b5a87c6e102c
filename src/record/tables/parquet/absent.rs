//! The replacement for tables in Parquet in a build without them: an error that says so.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::record::tables::heading::Heading;
use crate::record::tables::read_error::{Problem, ReadError};
use crate::record::tables::{Column, Table};

/// None ever begins, so the writer of text serves as its type.
pub(super) use crate::record::tables::csv::CsvWriter as ParquetWriter;

pub(super) fn begin(_: File, _: (&str, &[Column<'_>]), _: &Heading) -> io::Result<ParquetWriter> {
    Err(unsupported())
}

pub(super) fn each_row<T: Table>(
    file: &Path,
    _: impl FnMut(T::Row<'_>) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    Err(ReadError::Io { file: file.to_owned(), source: unsupported() })
}

fn unsupported() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "this carom was built without Parquet, its feature `parquet`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tables::Energy;
    use crate::record::{Sheet, read};
    use crate::scenario::Format;

    #[test]
    fn a_build_without_parquet_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let error = Sheet::create::<Energy>(folder.path(), Format::Parquet, &Heading::default()).err().unwrap();
        assert!(error.source.to_string().contains("without Parquet"), "{error}: {}", error.source);
        let error = read::each_row::<Energy>(folder.path(), |_| Ok(())).unwrap_err();
        assert!(matches!(error, ReadError::Io { .. }), "{error}");
    }
}
