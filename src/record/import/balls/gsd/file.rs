//! The chunks of a file of GSD. No number of the file is trusted: each place is looked up within its bytes.

use super::super::super::error::Trouble;
use crate::numeric::quantity::is_moderate;
use crate::record::gsd::{ENTRY, Entry, F32, F64, HEAD, I32, MAGIC, U32, U64, WORD, size};

/// The advice for a file that cannot be read.
pub(super) const REMEDY: &str = "wanted is a whole file of GSD with the schema `hoomd`, as HOOMD-blue, gsd.hoomd or `carom export --to gsd` write it";

pub(super) struct File<'a> {
    bytes: &'a [u8],
    names: Vec<String>,
    entries: Vec<Entry>,
}

/// A table of numbers.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'a> {
    pub(super) rows: u64,
    pub(super) columns: u32,
    kind: u8,
    pub(super) bytes: &'a [u8],
}

impl<'a> File<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, Trouble> {
        let wrong = |problem: String| Trouble::new(problem, REMEDY);
        if word(bytes, 0) != Some(MAGIC) || bytes.len() < HEAD {
            return Err(wrong("it is no file of GSD".to_owned()));
        }
        let head = |row: usize| word(bytes, 8 * row).unwrap_or_default();
        // Of both versions the upper half is the main number; that of the schema comes first.
        let [schema, layer] = [head(5) >> 16 & 0xffff, head(5) >> 48];
        if !(1..=2).contains(&layer) {
            return Err(wrong(format!("it is of version {layer} of the file layer, and 1 and 2 are read")));
        }
        let name = text(&bytes[48 + WORD..48 + 2 * WORD]);
        if name != "hoomd" || schema > 2 {
            return Err(wrong(format!(
                "its schema is `{name}`, version {schema}, and `hoomd` up to version 2 is read"
            )));
        }
        let block = |place: u64, count: u64, size: usize, what: &str| {
            let part = count.checked_mul(size as u64).and_then(|size| part(bytes, place, size));
            part.ok_or_else(|| wrong(format!("the file ends before {what}, which its head places at byte {place}")))
        };
        let entries = block(head(1), head(2), ENTRY, "the end of its index")?.chunks_exact(ENTRY).map(entry);
        let names = block(head(3), head(4), WORD, "the end of its names")?.split(|&byte| byte == 0);
        Ok(Self {
            bytes,
            names: names.filter(|name| !name.is_empty()).map(text).collect(),
            entries: entries.take_while(|entry| entry.place != 0).collect(),
        })
    }

    pub(super) fn frames(&self) -> usize {
        let last = self.entries.iter().map(|entry| entry.frame).max();
        last.map_or(0, |last| usize::try_from(last.saturating_add(1)).unwrap_or(usize::MAX))
    }

    /// The names of the chunks of a frame.
    pub(super) fn names(&self, frame: u64) -> impl Iterator<Item = &str> {
        let within = self.entries.iter().filter(move |entry| entry.frame == frame);
        within.filter_map(|entry| self.names.get(usize::from(entry.name))).map(String::as_str)
    }

    /// A chunk of a frame.
    pub(super) fn chunk(&self, frame: u64, name: &str) -> Result<Option<Chunk<'a>>, Trouble> {
        let row = self.names.iter().position(|known| known == name);
        let is_it = |entry: &&Entry| entry.frame == frame && Some(usize::from(entry.name)) == row;
        let Some(&Entry { rows, place, columns, kind, .. }) = self.entries.iter().find(is_it) else { return Ok(None) };
        let length = rows.checked_mul(u64::from(columns)).and_then(|count| count.checked_mul(size(kind)));
        let bytes = length.and_then(|length| part(self.bytes, place, length)).ok_or_else(|| {
            Trouble::new(format!("the file ends before the end of `{name}`, {rows} × {columns} numbers"), REMEDY)
        })?;
        Ok(Some(Chunk { rows, columns, kind, bytes }))
    }
}

impl Chunk<'_> {
    /// Its numbers, row by row. The error is what is wrong with one of them.
    pub(super) fn numbers(&self) -> Result<Vec<f64>, String> {
        let width = size(self.kind) as usize;
        let numbers = self.bytes.chunks_exact(width).enumerate().map(|(at, bytes)| {
            let mut wide = [0; 8];
            wide[..width].copy_from_slice(bytes);
            let four = [wide[0], wide[1], wide[2], wide[3]];
            let number = match self.kind {
                1 => f64::from(wide[0]),
                U32 => f64::from(u32::from_le_bytes(four)),
                U64 => u64::from_le_bytes(wide) as f64,
                I32 => f64::from(i32::from_le_bytes(four)),
                F32 => f64::from(f32::from_le_bytes(four)),
                F64 => f64::from_le_bytes(wide),
                other => return Err(format!("numbers of the type {other} are not read")),
            };
            let row = at as u64 / u64::from(self.columns.max(1));
            let wild = || format!("row {row}: a number of at most 1e70 is wanted, found {number}");
            if is_moderate(number) { Ok(number) } else { Err(wild()) }
        });
        numbers.collect()
    }
}

/// A part of the bytes, if it is there.
fn part(bytes: &[u8], place: u64, length: u64) -> Option<&[u8]> {
    bytes.get(usize::try_from(place).ok()?..usize::try_from(place.checked_add(length)?).ok()?)
}

/// A number of 64 bits.
fn word(bytes: &[u8], place: usize) -> Option<u64> {
    bytes.get(place..)?.first_chunk().map(|&bytes| u64::from_le_bytes(bytes))
}

fn entry(bytes: &[u8]) -> Entry {
    let [frame, rows, place, rest] = [0, 8, 16, 24].map(|place| word(bytes, place).unwrap_or_default());
    Entry { frame, rows, place, columns: rest as u32, name: (rest >> 32) as u16, kind: (rest >> 48) as u8 }
}

/// The text before the first zero.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned()
}
