//! The replacement for tables in Parquet in a build without them: an error that says so.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::motion::SimTime;
use crate::record::tables::heading::Heading;
use crate::record::tables::read_error::{Problem, ReadError};
use crate::record::tables::{Column, Line, Table};

/// There is no value of this type.
pub(super) enum ParquetWriter {}

impl ParquetWriter {
    pub(super) fn begin(_: File, _: (&str, &[Column<'_>]), _: &Heading) -> io::Result<Self> {
        Err(unsupported())
    }

    pub(super) fn put(&mut self, _: impl FnOnce(&mut Self)) -> io::Result<()> {
        match *self {}
    }

    pub(super) fn finish(self) -> io::Result<File> {
        match self {}
    }
}

impl Line for ParquetWriter {
    fn whole(&mut self, _: u64) {
        match *self {}
    }

    fn whole_or_none(&mut self, _: Option<u64>) {
        match *self {}
    }

    fn real(&mut self, _: f64) {
        match *self {}
    }

    fn real_or_none(&mut self, _: Option<f64>) {
        match *self {}
    }

    fn instant(&mut self, _: SimTime) {
        match *self {}
    }

    fn word(&mut self, _: &str) {
        match *self {}
    }
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
        let error = Sheet::<Energy>::create(folder.path(), Format::Parquet, &Heading::default()).err().unwrap();
        assert!(error.source.to_string().contains("without Parquet"), "{error}: {}", error.source);
        let error = read::each_row::<Energy>(folder.path(), |_| Ok(())).unwrap_err();
        assert!(matches!(error, ReadError::Io { .. }), "{error}");
    }
}
