//! The hash that shows whether a file is as it was written.
//!
//! It is stored in the metadata as 64 digits, and is the hash of the whole file with zeros in their place. So a file in
//! which a single bit has changed is recognised before anything in it is used. Otherwise a decoder of damaged bytes
//! could find other rows, or fail.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use blake3::Hasher;

/// Key of the hash among the metadata.
pub(super) const KEY: &str = "carom.hash";

/// The beginning of the name of the program in the metadata; its version comes next.
pub(super) const PROGRAM: &str = "carom version ";

/// The digits in the file while the hash is not known.
pub(super) const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Bytes between the key and its value: the type and the length of the value.
const GAP: usize = 2;

/// Bytes that are hashed at once.
const CHUNK: usize = 1 << 18;

/// Bytes at the end of every file: the length of the metadata, and four letters.
const TAIL: usize = 8;

/// These letters.
const LETTERS: &[u8] = b"PAR1";

/// Longest metadata that are read, bytes: those of a hundred thousand groups of rows.
const METADATA_MAX: u64 = 1 << 28;

/// A file with a valid end.
struct Sealed {
    /// Where the digits are, bytes from the start.
    place: u64,
    /// The digits in the file.
    digits: Vec<u8>,
    /// The digits that it should have.
    hash: String,
    /// Whether carom is named as the program. Another one may copy the digits into a file that it writes.
    is_named: bool,
}

impl Sealed {
    fn check(&self) -> Result<(), &'static str> {
        let is_whole = self.digits == self.hash.as_bytes();
        if is_whole { Ok(()) } else { Err("its content is not what was written") }
    }
}

/// Puts the hash into a file that is otherwise complete.
pub(super) fn seal(file: &mut File) -> io::Result<()> {
    let found = examine(file)?.map_err(io::Error::other)?;
    file.seek(SeekFrom::Start(found.place))?;
    file.write_all(found.hash.as_bytes())
}

/// Says what is wrong with a file that is not as it was written.
pub(super) fn check(file: &mut File) -> io::Result<Result<(), &'static str>> {
    let found = examine(file)?;
    file.rewind()?;
    Ok(found.and_then(|found| found.check()))
}

/// The same for a file of any program: only what carom has written is checked.
pub(in crate::record) fn check_own(file: &mut File) -> io::Result<Result<(), &'static str>> {
    let found = examine(file)?;
    file.rewind()?;
    Ok(found.ok().filter(|found| found.is_named).map_or(Ok(()), |found| found.check()))
}

fn examine(file: &mut File) -> io::Result<Result<Sealed, &'static str>> {
    let length = file.metadata()?.len();
    let mut tail = [0; TAIL];
    if length < 2 * TAIL as u64 {
        return Ok(Err("it is cut short"));
    }
    file.seek(SeekFrom::Start(length - TAIL as u64))?;
    file.read_exact(&mut tail)?;
    let [a, b, c, d, letters @ ..] = tail;
    let metadata = u64::from(u32::from_le_bytes([a, b, c, d]));
    let start = (length - TAIL as u64).checked_sub(metadata).filter(|_| metadata <= METADATA_MAX);
    let Some(start) = start.filter(|_| letters == LETTERS) else { return Ok(Err("it is cut short")) };
    file.rewind()?;
    let mut hasher = Hasher::new();
    hash_some(file, start, &mut hasher)?;
    let mut metadata = vec![0; (length - start) as usize];
    file.read_exact(&mut metadata)?;
    let Some(first) = digits_in(&metadata) else { return Ok(Err("it was not written by carom")) };
    let is_named = metadata.windows(PROGRAM.len()).any(|letters| letters == PROGRAM.as_bytes());
    let digits = metadata[first..first + BLANK.len()].to_vec();
    metadata[first..first + BLANK.len()].copy_from_slice(BLANK.as_bytes());
    hasher.update(&metadata);
    let hash = hasher.finalize().to_hex().to_string();
    Ok(Ok(Sealed { place: start + first as u64, digits, hash, is_named }))
}

/// Where the digits begin in the metadata.
fn digits_in(metadata: &[u8]) -> Option<usize> {
    let key = metadata.windows(KEY.len()).rposition(|letters| letters == KEY.as_bytes())?;
    let first = key + KEY.len() + GAP;
    (first + BLANK.len() <= metadata.len()).then_some(first)
}

/// Hashes the next `length` bytes.
fn hash_some(file: &mut File, length: u64, hasher: &mut Hasher) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    let mut left = file.take(length);
    loop {
        match left.read(&mut buffer)? {
            0 => return Ok(()),
            count => hasher.update(&buffer[..count]),
        };
    }
}
