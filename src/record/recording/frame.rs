//! Frames in a file: length, compression, content, checksum.
//!
//! A file begins with eight bytes that no text has, and the version of the format. Each frame has its length (u32), 1
//! if its content is compressed with LZ4 and else 0, the content, and half of XXH3 (128 bits) over all of these. The
//! hash is seeded with the number of the frame, so that a frame that is damaged, missing or moved is always noticed.
//! Numbers are little-endian. The content of a frame is in the format of `postcard`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::format::{Frame, RECORDING_SCHEMA};
use crate::scenario::text::source::{Obstacle, open_file};

const MAGIC: [u8; 8] = *b"\x8ecarom\r\n";

/// Bytes of a frame besides its content: length, compression and checksum.
const FRAME_BESIDES: u64 = 13;

/// Content longer than this is compressed, bytes.
const PACKED_FROM: usize = 1024;

/// LZ4 compresses by at most this factor, so a content that claims more is damaged.
const PACKING_MAX: usize = 256;

/// A recording that cannot be read, or not to its end.
#[derive(Debug, Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum RecordingError {
    #[error("{} cannot be read: {error}", file.display())]
    #[diagnostic(help("check that the path is right and that you may read it"))]
    Io { file: PathBuf, error: io::Error },
    #[error("{} is {found}, not a recording", file.display())]
    #[diagnostic(help("a recording is a file in the folder of a run, such as output/hard_spheres/recording.carom"))]
    NotAFile { file: PathBuf, found: &'static str },
    #[error("{} is not a recording of carom: its first bytes are different", file.display())]
    NotARecording { file: PathBuf },
    #[error("{} has a header and no step", file.display())]
    Empty { file: PathBuf },
    #[error("{} is a recording of format {found}; this carom reads format {RECORDING_SCHEMA}", file.display())]
    OtherSchema { file: PathBuf, found: u32 },
    #[error("{} is damaged in frame {frame} at byte {byte}, after step {step}: {problem}", file.display())]
    Damaged { file: PathBuf, frame: u64, byte: u64, step: u64, problem: String },
    #[error("{} ends in frame {frame} at byte {byte}, after step {step}: it was cut short, or its run was killed", file.display())]
    #[diagnostic(help("an interrupted run can be continued: carom run --resume, with the folder of its results"))]
    CutShort { file: PathBuf, frame: u64, byte: u64, step: u64 },
}

/// Writes frames one after the other.
pub(super) struct FrameWriter {
    into: BufWriter<File>,
    frames: u64,
}

impl FrameWriter {
    /// Begins a file, and replaces an existing one.
    pub(super) fn create(file: &Path) -> io::Result<Self> {
        let mut into = BufWriter::new(File::create(file)?);
        into.write_all(&MAGIC)?;
        into.write_all(&RECORDING_SCHEMA.to_le_bytes())?;
        Ok(Self { into, frames: 0 })
    }

    pub(super) fn put(&mut self, frame: &Frame) -> io::Result<()> {
        let plain = postcard::to_stdvec(frame).map_err(io::Error::other)?;
        let packed = plain.len() > PACKED_FROM;
        let content = if packed { lz4_flex::block::compress_prepend_size(&plain) } else { plain };
        let Ok(length) = u32::try_from(content.len()) else {
            return Err(io::Error::other("a snapshot of more than 4 GiB cannot be recorded"));
        };
        let mut bytes = Vec::with_capacity(content.len() + 5);
        bytes.extend(length.to_le_bytes());
        bytes.push(u8::from(packed));
        bytes.extend(content);
        let sum = checksum(self.frames, &bytes);
        self.into.write_all(&bytes)?;
        self.into.write_all(&sum)?;
        self.frames += 1;
        Ok(())
    }

    /// Passes everything to the system, so that it stays when the process is killed.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.into.flush()
    }

    /// Puts everything on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.into.flush()?;
        self.into.get_ref().sync_all()
    }
}

/// Reads frames one after the other.
pub(super) struct FrameReader {
    file: PathBuf,
    from: BufReader<File>,
    frames: u64,
    /// Where the next frame begins, bytes.
    byte: u64,
    /// The last step that was read.
    pub(super) step: Option<u64>,
}

impl FrameReader {
    pub(super) fn open(file: &Path) -> Result<Self, RecordingError> {
        let failed = |error| RecordingError::Io { file: file.to_owned(), error };
        let open = open_file(file, File::options().read(true)).map_err(|obstacle| match obstacle {
            Obstacle::NotAFile(found) => RecordingError::NotAFile { file: file.to_owned(), found },
            other => failed(other.into()),
        })?;
        let mut from = BufReader::new(open);
        let mut start = Vec::new();
        from.by_ref().take(12).read_to_end(&mut start).map_err(failed)?;
        let Some((schema, start)) =
            start.split_last_chunk::<4>().filter(|(start, _)| *start == MAGIC).map(|(m, s)| (s, m))
        else {
            return Err(RecordingError::NotARecording { file: file.to_owned() });
        };
        let found = u32::from_le_bytes(*schema);
        if found != RECORDING_SCHEMA {
            return Err(RecordingError::OtherSchema { file: file.to_owned(), found });
        }
        let byte = (start.len() + schema.len()) as u64;
        Ok(Self { file: file.to_owned(), from, frames: 0, byte, step: None })
    }

    /// The next frame. The end of the file is an error here; [`end`](Self::end) expects it.
    pub(super) fn next(&mut self) -> Result<Frame, RecordingError> {
        // If the content is not a frame, the error names the place of this frame, not that of the next.
        let place = (self.frames, self.byte);
        let content = self.next_content()?;
        postcard::from_bytes(&content).map_err(|error| {
            (self.frames, self.byte) = place;
            self.damaged(format!("its content is no frame: {error}"))
        })
    }

    fn next_content(&mut self) -> Result<Vec<u8>, RecordingError> {
        let mut bytes = self.take(5)?;
        let length = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        bytes.extend(self.take(u64::from(length))?);
        if self.take(8)? != checksum(self.frames, &bytes) {
            return Err(self.damaged("its checksum is another"));
        }
        let content = match bytes[4] {
            0 => bytes.split_off(5),
            _ => unpack(&bytes[5..]).map_err(|problem| self.damaged(problem))?,
        };
        self.frames += 1;
        self.byte += FRAME_BESIDES + u64::from(length);
        Ok(content)
    }

    /// Refuses anything after the last frame.
    pub(super) fn end(&mut self) -> Result<(), RecordingError> {
        match self.from.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err(self.damaged("there is more after the last frame")),
            Err(error) => Err(RecordingError::Io { file: self.file.clone(), error }),
        }
    }

    pub(super) fn damaged(&self, problem: impl Into<String>) -> RecordingError {
        let (file, step, problem) = (self.file.clone(), self.step.unwrap_or_default(), problem.into());
        RecordingError::Damaged { file, frame: self.frames, byte: self.byte, step, problem }
    }

    fn take(&mut self, count: u64) -> Result<Vec<u8>, RecordingError> {
        let mut bytes = Vec::new();
        let read = self.from.by_ref().take(count).read_to_end(&mut bytes);
        let read = read.map_err(|error| RecordingError::Io { file: self.file.clone(), error })?;
        if (read as u64) < count {
            let (file, step) = (self.file.clone(), self.step.unwrap_or_default());
            return Err(RecordingError::CutShort { file, frame: self.frames, byte: self.byte, step });
        }
        Ok(bytes)
    }
}

/// The lower half of the hash of a frame.
fn checksum(frame: u64, bytes: &[u8]) -> [u8; 8] {
    (XxHash3_128::oneshot_with_seed(frame, bytes) as u64).to_le_bytes()
}

fn unpack(content: &[u8]) -> Result<Vec<u8>, String> {
    let claim = content.first_chunk::<4>().map_or(0, |size| u32::from_le_bytes(*size) as usize);
    if claim / PACKING_MAX > content.len() {
        return Err("its content claims to be larger than it can be".to_owned());
    }
    lz4_flex::block::decompress_size_prepended(content).map_err(|error| format!("it cannot be unpacked: {error}"))
}
