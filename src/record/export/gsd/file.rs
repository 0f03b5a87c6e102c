//! A file of GSD that is being written, chunk by chunk; the index follows at the end.

use std::path::Path;

use crate::record::export::pen::Pen;
use crate::record::files::WriteError;
use crate::record::gsd::{CHUNKS, ENTRY, Entry, HEAD, MAGIC, WORD, size};

/// Version 2.0 of the file layer, and 1.4 of the schema.
const LAYER: u32 = 2 << 16;
const SCHEMA: u32 = 1 << 16 | 4;

pub(super) struct Writer {
    pen: Pen,
    /// The bytes so far.
    end: u64,
    frames: u64,
    index: Vec<u8>,
    /// The chunks of the first frame.
    first: [Vec<u8>; CHUNKS.len()],
}

impl Writer {
    pub(super) fn begin(place: &Path) -> Result<Self, WriteError> {
        let mut pen = Pen::create(place)?;
        pen.put(&[0; HEAD])?;
        Ok(Self { pen, end: HEAD as u64, frames: 0, index: Vec::new(), first: Default::default() })
    }

    /// The frames so far.
    pub(super) fn frames(&self) -> u64 {
        self.frames
    }

    /// Writes a frame: for each chunk its columns and its bytes. What is as in the first frame, or has no bytes, is
    /// left out: readers take it from there. So are images of zeros, their default, unless the first frame has others.
    pub(super) fn frame(&mut self, chunks: [(u32, Vec<u8>); CHUNKS.len()]) -> Result<(), WriteError> {
        for (row, (columns, bytes)) in chunks.into_iter().enumerate() {
            let (name, kind) = CHUNKS[row];
            let is_default = name == "particles/image" && bytes.iter().all(|&byte| byte == 0);
            if bytes.is_empty() || bytes == self.first[row] || is_default && self.first[row].is_empty() {
                continue;
            }
            let rows = bytes.len() as u64 / size(kind) / u64::from(columns);
            let entry = Entry { frame: self.frames, rows, place: self.end, columns, name: row as u16, kind };
            self.index.extend(entry.bytes());
            self.pen.put(&bytes)?;
            self.end += bytes.len() as u64;
            if self.frames == 0 {
                self.first[row] = bytes;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Writes the list of names, the index, each with a free place at its end, and the head.
    pub(super) fn finish(mut self) -> Result<(), WriteError> {
        let mut names: Vec<u8> = CHUNKS.iter().flat_map(|(name, _)| [name.as_bytes(), b"\0"].concat()).collect();
        names.resize((names.len() + 1).next_multiple_of(WORD), 0);
        self.index.extend([0; ENTRY]);
        let numbers = [
            MAGIC,
            self.end + names.len() as u64,
            (self.index.len() / ENTRY) as u64,
            self.end,
            (names.len() / WORD) as u64,
        ];
        let mut head: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        head.extend([SCHEMA, LAYER].iter().flat_map(|version| version.to_le_bytes()));
        for word in [concat!("carom ", env!("CARGO_PKG_VERSION")), "hoomd"] {
            head.extend(word.as_bytes());
            head.resize(head.len() + WORD - word.len(), 0);
        }
        head.resize(HEAD, 0);
        self.pen.put(&names)?;
        self.pen.put(&self.index)?;
        self.pen.finish_with_head(&head)
    }
}
