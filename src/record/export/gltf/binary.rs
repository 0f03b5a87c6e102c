//! Numbers as bytes, and the container of document and bytes.

use glam::Vec3;

use super::document::{Accessor, Buffer, BufferView, Document, FLOAT, UNSIGNED_INT};

/// The data of a document.
#[derive(Default)]
pub(super) struct Binary {
    bytes: Vec<u8>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) views: Vec<BufferView>,
}

impl Binary {
    /// Adds vectors, with their bounds if `bounded`, and returns their accessor.
    pub(super) fn vectors(&mut self, vectors: &[Vec3], target: Option<u32>, bounded: bool) -> usize {
        let bound = |pick: fn(Vec3, Vec3) -> Vec3| {
            let found = vectors.iter().copied().reduce(pick)?;
            Some(found.to_array().map(f64::from).to_vec())
        };
        let [min, max] = if bounded { [bound(Vec3::min), bound(Vec3::max)] } else { [None, None] };
        let accessor =
            Accessor { component_type: FLOAT, count: vectors.len(), kind: "VEC3", min, max, ..Accessor::default() };
        self.add(vectors.iter().flat_map(Vec3::to_array).flat_map(f32::to_le_bytes), target, accessor)
    }

    /// Adds times in increasing order.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let end = |time: Option<&f32>| time.map(|&time| vec![f64::from(time)]);
        let (min, max) = (end(times.first()), end(times.last()));
        let accessor =
            Accessor { component_type: FLOAT, count: times.len(), kind: "SCALAR", min, max, ..Accessor::default() };
        self.add(times.iter().flat_map(|time| time.to_le_bytes()), None, accessor)
    }

    /// Adds indices of corners.
    pub(super) fn rows(&mut self, rows: &[u32], target: u32) -> usize {
        let accessor =
            Accessor { component_type: UNSIGNED_INT, count: rows.len(), kind: "SCALAR", ..Accessor::default() };
        self.add(rows.iter().flat_map(|row| row.to_le_bytes()), Some(target), accessor)
    }

    fn add(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>, accessor: Accessor) -> usize {
        let byte_offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(BufferView { buffer: 0, byte_offset, byte_length: self.bytes.len() - byte_offset, target });
        self.accessors.push(Accessor { buffer_view: self.views.len() - 1, ..accessor });
        self.accessors.len() - 1
    }

    /// Adds the description of the data to a document, and returns the data.
    pub(super) fn into_document(self, document: &mut Document) -> Vec<u8> {
        document.accessors = self.accessors;
        document.buffer_views = self.views;
        if !self.bytes.is_empty() {
            document.buffers = vec![Buffer { byte_length: self.bytes.len() }];
        }
        self.bytes
    }
}

/// The file: a header of 12 bytes, the document filled up with blanks to a multiple of four bytes, and the data. All
/// its numbers have four bytes.
pub(super) fn container(document: &Document, bytes: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(document).expect("a document is plain data");
    text.resize(text.len().next_multiple_of(4), b' ');
    let data = if bytes.is_empty() { 0 } else { 8 + bytes.len() };
    let mut file = Vec::with_capacity(20 + text.len() + data);
    file.extend(b"glTF");
    file.extend(2_u32.to_le_bytes());
    file.extend(((20 + text.len() + data) as u32).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(&text);
    if !bytes.is_empty() {
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(b"BIN\0");
        file.extend(bytes);
    }
    file
}
