//! Tables as CSV, read so that the number of a line is right.
//!
//! The reader of CSV counts lines wrongly if they end with two characters, and gives a row after empty lines the number
//! of the first of these. So it gets lines that all end with a line feed alone, and a row is known by its end.

use std::io::{self, Read};

/// Bytes of a table without carriage returns and with a line feed at the end.
pub(crate) fn plain(bytes: impl Read) -> impl Read {
    WithoutReturns(bytes).chain(&b"\n"[..])
}

/// A reader of a table that may have comments, lines that begin with `#`.
pub(crate) fn commented<R: Read>(bytes: R) -> csv::Reader<impl Read> {
    csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(plain(bytes))
}

/// The line that was read last, from 1; of a row of several lines it is the last.
pub(crate) fn line_of<R: Read>(reader: &csv::Reader<R>) -> u64 {
    (reader.position().line() - 1).max(1)
}

struct WithoutReturns<R>(R);

impl<R: Read> Read for WithoutReturns<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let found = self.0.read(buffer)?;
            let mut kept = 0;
            for place in 0..found {
                buffer[kept] = buffer[place];
                kept += usize::from(buffer[place] != b'\r');
            }
            if kept > 0 || found == 0 {
                return Ok(kept);
            }
        }
    }
}
