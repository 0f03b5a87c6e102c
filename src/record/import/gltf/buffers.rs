//! The bytes of a model: within its binary file, within its text, or in files beside it.

use std::borrow::Cow;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::beside::read_beside;
use super::super::error::Trouble;
use super::document::{Accessor, Document, REMEDY};

/// The text of a file and its binary part: a binary file has a head of 12 bytes and parts, each with its length and its
/// kind before it.
pub(super) fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Trouble> {
    let Some(mut rest) = bytes.strip_prefix(b"glTF").and_then(|rest| rest.get(8..)) else { return Ok((bytes, None)) };
    let (mut text, mut binary) = (None, None);
    let cut = || Trouble::new("the file ends too early", REMEDY);
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let (part, others) = after.split_at_checked(length).ok_or_else(cut)?;
        match &head[4..] {
            b"JSON" => text = text.or(Some(part)),
            b"BIN\0" => binary = binary.or(Some(part)),
            _ => {}
        }
        rest = others;
    }
    Ok((text.ok_or_else(cut)?, binary))
}

/// A document with all its buffers.
pub(super) struct Loaded<'a> {
    document: &'a Document,
    buffers: Vec<Cow<'a, [u8]>>,
}

/// The bytes at an address in `file`.
fn bytes_at(uri: &str, file: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("its address has data in another form than base64")?;
        return STANDARD.decode(text).map_err(|error| format!("it is no base64: {error}"));
    }
    let name = uri.replace("%20", " ");
    read_beside(file, "the model", &name).map_err(|problem| format!("its file `{name}`: {problem}"))
}

impl<'a> Loaded<'a> {
    /// The document of `file`, and the binary part of that, if it has one.
    pub(super) fn new(document: &'a Document, file: &Path, binary: Option<&'a [u8]>) -> Result<Self, Trouble> {
        let buffers = document.buffers.iter().enumerate().map(|(row, buffer)| {
            let read = match &buffer.uri {
                None => binary.map(Cow::Borrowed).ok_or_else(|| "it has no bytes and no address".to_owned()),
                Some(uri) => bytes_at(uri, file).map(Cow::Owned),
            };
            read.map_err(|problem| {
                Trouble::new(problem, "keep the files of a model together").at(format!("buffers[{row}]"))
            })
        });
        Ok(Self { document, buffers: buffers.collect::<Result<_, _>>()? })
    }

    pub(super) fn accessor(&self, row: usize) -> Result<&'a Accessor, Trouble> {
        let found = self.document.accessors.get(row);
        found.ok_or_else(|| Trouble::new(format!("there is no accessors[{row}]"), REMEDY))
    }

    /// The elements of an accessor, each of `size` bytes.
    pub(super) fn elements(&self, accessor: &Accessor, size: usize) -> Result<Vec<&[u8]>, Trouble> {
        let wrong = |problem: &str| Trouble::new(problem, REMEDY);
        let view = accessor.buffer_view.and_then(|row| self.document.buffer_views.get(row));
        let view = view.ok_or_else(|| wrong("an accessor has no bytes"))?;
        let buffer = self.buffers.get(view.buffer).ok_or_else(|| wrong("a view has no buffer"))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| buffer.get(view.byte_offset..end));
        let bytes = bytes.ok_or_else(|| wrong("a buffer ends before its view"))?;
        let stride = view.byte_stride.unwrap_or(size).max(size);
        let element = |place: usize| {
            let from = place.checked_mul(stride)?.checked_add(accessor.byte_offset)?;
            bytes.get(from..from.checked_add(size)?)
        };
        // The last one first, so that a wrong count takes no memory.
        if accessor.count > 0 && element(accessor.count - 1).is_none() {
            return Err(wrong("a view ends before its accessor"));
        }
        Ok((0..accessor.count).filter_map(element).collect())
    }
}
