//! The file layer of GSD: what exports write and imports read.
//!
//! Source: the pages *File layer* and *HOOMD schema* of <https://gsd.readthedocs.io>. A file has a head of 256 bytes,
//! chunks of numbers, an index with an entry for each chunk, and a list of the names of chunks. All numbers are
//! little-endian.

/// The first eight bytes of a file.
pub(super) const MAGIC: u64 = 0x65DF_65DF_65DF_65DF;
/// The bytes of the head: five numbers of 64 bits, two versions of 32 bits, two names and a reserve.
pub(super) const HEAD: usize = 256;
/// The bytes of a name in the head.
pub(super) const WORD: usize = 64;
/// The bytes of an entry of the index.
pub(super) const ENTRY: usize = 32;

/// The types of numbers in a chunk.
pub(super) const U8: u8 = 1;
pub(super) const U32: u8 = 3;
pub(super) const U64: u8 = 4;
pub(super) const I8: u8 = 5;
pub(super) const I32: u8 = 7;
pub(super) const F32: u8 = 9;
pub(super) const F64: u8 = 10;

/// The bytes of a number.
pub(super) const fn size(kind: u8) -> u64 {
    match kind {
        2 | 6 => 2,
        U32 | I32 | F32 => 4,
        U64 | 8 | F64 => 8,
        _ => 1,
    }
}

/// The chunks of a frame that are written and read, by their rows in the list of names.
pub(super) const CHUNKS: [(&str, u8); 12] = [
    ("configuration/step", U64),
    ("configuration/dimensions", U8),
    ("configuration/box", F32),
    ("particles/N", U32),
    ("particles/types", I8),
    ("particles/typeid", U32),
    ("particles/mass", F32),
    ("particles/diameter", F32),
    ("particles/position", F32),
    ("particles/velocity", F32),
    ("particles/image", I32),
    ("log/time", F64),
];

/// An entry of the index: a chunk with rows and columns of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) frame: u64,
    pub(super) rows: u64,
    /// The first byte of the chunk in the file; 0 for an entry that is not in use.
    pub(super) place: u64,
    pub(super) columns: u32,
    /// The row of its name in the list of names.
    pub(super) name: u16,
    pub(super) kind: u8,
}

impl Entry {
    /// As it stands in the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let rest = u64::from(self.columns) | u64::from(self.name) << 32 | u64::from(self.kind) << 48;
        [self.frame, self.rows, self.place, rest].iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
