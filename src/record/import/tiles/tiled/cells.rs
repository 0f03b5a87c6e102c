//! The cells of a tile layer: numbers of tiles, in several encodings.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};

use super::super::grid::{CELLS_MAX, Grid};

/// The upper bits of a number, which say how a tile is turned.
pub(super) const TURNS: u32 = 0xf000_0000;

/// A part of a layer: a rectangle of cells.
pub(super) struct Chunk {
    /// Column and row of its first cell.
    pub(super) first: [i64; 2],
    pub(super) size: [usize; 2],
    pub(super) cells: Vec<u32>,
}

/// A layer of these parts.
pub(super) fn grid(chunks: &[Chunk]) -> Result<Grid, String> {
    let ends = |axis: usize| {
        let low = chunks.iter().map(|chunk| chunk.first[axis]).min().unwrap_or_default();
        let high = chunks.iter().map(|chunk| chunk.first[axis].saturating_add(chunk.size[axis] as i64)).max();
        (low, usize::try_from(high.unwrap_or_default().saturating_sub(low)).unwrap_or(usize::MAX))
    };
    let ((left, width), (top, height)) = (ends(0), ends(1));
    let mut grid = Grid { first: [left, top], width, solid: vec![false; area([width, height])?] };
    for chunk in chunks.iter().filter(|chunk| chunk.size[0] > 0) {
        let [column, row] = [chunk.first[0] - left, chunk.first[1] - top].map(|place| place as usize);
        for (line, cells) in chunk.cells.chunks(chunk.size[0]).enumerate() {
            let from = (row + line) * width + column;
            for (solid, cell) in grid.solid[from..].iter_mut().zip(cells) {
                *solid = cell & !TURNS != 0;
            }
        }
    }
    Ok(grid)
}

/// A chunk of cells that are numbers already.
pub(super) fn chunk(first: [i64; 2], size: [usize; 2], cells: Vec<u32>) -> Result<Chunk, String> {
    let wanted = area(size)?;
    if cells.len() == wanted {
        return Ok(Chunk { first, size, cells });
    }
    Err(format!("{wanted} cells wanted, {} × {}, {} found", size[0], size[1], cells.len()))
}

fn area([width, height]: [usize; 2]) -> Result<usize, String> {
    let area = width.checked_mul(height).filter(|&area| area <= CELLS_MAX);
    area.ok_or_else(|| format!("the layer has {width} × {height} cells, more than {CELLS_MAX}"))
}

/// The cells in a text.
pub(super) fn decoded(text: &str, encoding: &str, compression: &str, size: [usize; 2]) -> Result<Vec<u32>, String> {
    match (encoding, compression) {
        ("csv", "") => {
            let words =
                text.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|word| !word.is_empty());
            words.map(|word| word.parse().map_err(|_| format!("`{word}` is no number of a tile"))).collect()
        }
        ("base64", _) => {
            let plain: String = text.split_whitespace().collect();
            let packed = STANDARD.decode(plain).map_err(|error| format!("it is no base64: {error}"))?;
            let bytes = unpacked(&packed, compression, 4 * area(size)? as u64)?;
            let (numbers, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return Err(format!("its cells have {} bytes, and a cell has 4", bytes.len()));
            }
            Ok(numbers.iter().map(|&number| u32::from_le_bytes(number)).collect())
        }
        _ => Err(format!("cells in the encoding `{encoding}`{} are not read", compression_of(compression))),
    }
}

fn compression_of(compression: &str) -> String {
    if compression.is_empty() { String::new() } else { format!(", compressed by {compression},") }
}

fn unpacked(packed: &[u8], compression: &str, size: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    // One more than wanted is enough to see that there are too many.
    let read = match compression {
        "" => return Ok(packed.to_vec()),
        "zlib" => ZlibDecoder::new(packed).take(size + 1).read_to_end(&mut bytes),
        "gzip" => GzDecoder::new(packed).take(size + 1).read_to_end(&mut bytes),
        other => {
            return Err(format!(
                "cells compressed by {other} are not read: in Tiled, choose zlib or CSV as the format of tile layers"
            ));
        }
    };
    read.map_err(|error| format!("its cells cannot be unpacked: {error}"))?;
    Ok(bytes)
}
