//! Files that are being written, and numbers as text.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::record::files::WriteError;

/// Bytes written at once.
const BUFFER: usize = 1 << 18;

/// A file that is being written.
pub(super) struct Pen {
    file: PathBuf,
    into: BufWriter<File>,
}

impl Pen {
    /// Begins a file, and replaces an existing one.
    pub(super) fn create(file: &Path) -> Result<Self, WriteError> {
        let opened = File::create(file).map_err(|source| WriteError { file: file.to_owned(), source })?;
        Ok(Self { file: file.to_owned(), into: BufWriter::with_capacity(BUFFER, opened) })
    }

    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.into.write_all(bytes).map_err(|source| WriteError { file: self.file.clone(), source })
    }

    /// Writes over the first bytes, and passes everything to the system.
    pub(super) fn finish_with_head(mut self, head: &[u8]) -> Result<(), WriteError> {
        self.into.rewind().map_err(|source| WriteError { file: self.file.clone(), source })?;
        self.put(head)?;
        self.finish()
    }

    /// Passes everything to the system.
    pub(super) fn finish(mut self) -> Result<(), WriteError> {
        self.into.flush().map_err(|source| WriteError { file: self.file, source })
    }
}

/// Adds a number in the shortest form that reads back to the same bits.
pub(super) fn push_number(text: &mut String, number: f64) {
    text.push_str(ryu::Buffer::new().format(number));
}

/// Adds numbers with a blank before each.
pub(super) fn push_numbers(text: &mut String, numbers: impl IntoIterator<Item = f64>) {
    for number in numbers {
        text.push(' ');
        push_number(text, number);
    }
}
