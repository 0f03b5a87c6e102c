//! A file that counts the bytes written and keeps their checksum, so that it can be cut back later.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

/// Bytes read at once.
const BUFFER: usize = 1 << 16;

/// Length and checksum of a file at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Extent {
    bytes: u64,
    /// The lower half of XXH3 with 128 bits over these bytes.
    sum: u64,
}

/// A file that is only written at its end.
pub(super) struct ChecksummedFile {
    file: File,
    bytes: u64,
    sum: XxHash3_128,
}

impl ChecksummedFile {
    /// An empty file.
    pub(super) fn new(file: File) -> Self {
        Self { file, bytes: 0, sum: XxHash3_128::new() }
    }

    /// The beginning of an existing file; `None` if it is not what was written.
    pub(super) fn beginning(mut file: File, extent: Extent) -> io::Result<Option<Self>> {
        let mut summed = XxHash3_128::new();
        let (mut left, mut buffer) = (extent.bytes, vec![0; BUFFER]);
        while left > 0 {
            let wanted = usize::try_from(left).unwrap_or(BUFFER).min(BUFFER);
            let read = file.read(&mut buffer[..wanted])?;
            if read == 0 {
                return Ok(None);
            }
            summed.write(&buffer[..read]);
            left -= read as u64;
        }
        let same = summed.finish_128() as u64 == extent.sum;
        Ok(same.then_some(Self { file, bytes: extent.bytes, sum: summed }))
    }

    /// Cuts off what comes after the beginning.
    pub(super) fn cut(mut self) -> io::Result<Self> {
        self.file.set_len(self.bytes)?;
        self.file.seek(SeekFrom::End(0))?;
        Ok(self)
    }

    /// The present length and checksum.
    pub(super) fn extent(&self) -> Extent {
        Extent { bytes: self.bytes, sum: self.sum.finish_128() as u64 }
    }

    /// Puts everything on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    pub(super) fn into_file(self) -> File {
        self.file
    }
}

impl Write for ChecksummedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.write(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
