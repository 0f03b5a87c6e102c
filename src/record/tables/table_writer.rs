//! A table that is being written, in either format.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::Table;
use super::checksummed_file::{ChecksummedFile, Extent};
use super::csv::CsvWriter;
use super::heading::{Heading, file_name};
use super::parquet::{self, ParquetWriter};
use crate::record::files::WriteError;
use crate::scenario::Format;
use crate::scenario::text::source::open_file;

/// A table that is being written.
pub struct Sheet {
    file: PathBuf,
    pen: Pen,
}

enum Pen {
    Csv(Box<CsvWriter>),
    Parquet(Box<ParquetWriter>),
}

impl Sheet {
    /// Begins a table in `folder`.
    ///
    /// # Errors
    /// [`WriteError`] when the file cannot be made.
    pub fn create<T: Table>(folder: &Path, format: Format, heading: &Heading) -> Result<Self, WriteError> {
        let file = folder.join(file_name::<T>(format));
        let begin = |open| {
            Ok(match format {
                Format::Csv => Pen::Csv(Box::new(CsvWriter::begin(open, T::COLUMNS)?)),
                Format::Parquet => Pen::Parquet(Box::new(parquet::begin(open, (T::NAME, T::COLUMNS), heading)?)),
            })
        };
        let open = File::options().read(true).write(true).create(true).truncate(true).open(&file);
        match open.and_then(begin) {
            Ok(pen) => Ok(Self { file, pen }),
            Err(source) => Err(WriteError { file, source }),
        }
    }

    /// Continues a table after its first `extent`; anything after that is cut off.
    ///
    /// # Errors
    /// [`WriteError`] when the file does not begin with what was written, or the format is not text.
    pub(super) fn go_on<T: Table>(folder: &Path, format: Format, extent: Extent) -> Result<Self, WriteError> {
        let file = folder.join(file_name::<T>(format));
        match beginning(&file, extent).and_then(ChecksummedFile::cut) {
            Ok(summed) => Ok(Self { file, pen: Pen::Csv(Box::new(CsvWriter::go_on(summed))) }),
            Err(source) => Err(WriteError { file, source }),
        }
    }

    /// Passes everything to the system, and returns how much that is by now; `None` for a format that cannot be cut
    /// back.
    pub(super) fn extent(&mut self) -> Result<Option<(String, Extent)>, WriteError> {
        let Pen::Csv(pen) = &mut self.pen else { return Ok(None) };
        let extent = pen.extent().map_err(|source| WriteError { file: self.file.clone(), source })?;
        Ok(Some((self.name(), extent)))
    }

    /// Puts on the disk what was passed to the system, in a format that can be cut back to it.
    pub(crate) fn sync(&self) -> Result<(), WriteError> {
        let Pen::Csv(pen) = &self.pen else { return Ok(()) };
        pen.sync().map_err(|source| WriteError { file: self.file.clone(), source })
    }

    /// Writes one more row of the table that was begun.
    ///
    /// # Errors
    /// [`WriteError`] when the disk is full, at the latest when the table is finished.
    pub fn put<T: Table>(&mut self, row: &T::Row<'_>) -> Result<(), WriteError> {
        let put = match &mut self.pen {
            Pen::Csv(pen) => pen.put(|line| T::put(row, line)),
            Pen::Parquet(pen) => pen.put(|line| T::put(row, line)),
        };
        put.map_err(|source| WriteError { file: self.file.clone(), source })
    }

    /// Puts everything on the disk, and returns the name of the file and its number of bytes.
    ///
    /// # Errors
    /// [`WriteError`] when the disk is full.
    pub fn finish(self) -> Result<(String, u64), WriteError> {
        let name = self.name();
        let finished = match self.pen {
            Pen::Csv(pen) => pen.finish(),
            Pen::Parquet(pen) => pen.finish(),
        };
        let synced: io::Result<u64> = finished.and_then(|file| {
            file.sync_all()?;
            Ok(file.metadata()?.len())
        });
        match synced {
            Ok(bytes) => Ok((name, bytes)),
            Err(source) => Err(WriteError { file: self.file, source }),
        }
    }

    /// The name of its file.
    fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The beginning of a file, if it is what was written.
pub(super) fn beginning(file: &Path, extent: Extent) -> io::Result<ChecksummedFile> {
    let open = open_file(file, File::options().read(true).write(true))?;
    ChecksummedFile::beginning(open, extent)?
        .ok_or_else(|| io::Error::other("it was shortened or changed after it was written"))
}
