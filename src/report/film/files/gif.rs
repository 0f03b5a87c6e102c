//! An animated GIF with one palette. Each frame has only the part that changes, and within it only pixels that change.
//!
//! The palette is known when the last picture is drawn. Until then the parts are kept in memory, packed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use lz4_flex::block::{compress_prepend_size, decompress_size_prepended};

use super::change::Part;
use super::delay::delay;
use super::palette::Palette;
use crate::report::film::error::FilmError;

/// Parts of a second in which a GIF counts.
const PARTS: u64 = 100;

/// Most frames per second: programs show a frame of a hundredth of a second for longer.
const FPS_MAX: u32 = 50;

/// A GIF that is being collected.
pub(super) struct Gif {
    size: [usize; 2],
    fps: u32,
    /// The latest picture; empty before the first.
    picture: Vec<u8>,
    parts: Vec<(Part, Vec<u8>)>,
    /// How often colours occur.
    counts: HashMap<[u8; 3], u64>,
}

impl Gif {
    pub(super) fn new(size: [usize; 2], fps: u32) -> Result<Self, FilmError> {
        if fps > FPS_MAX {
            return Err(FilmError::TooFast { fps });
        }
        Ok(Self { size, fps, picture: Vec::new(), parts: Vec::new(), counts: HashMap::new() })
    }

    /// Adds the next picture.
    pub(super) fn add(&mut self, picture: Vec<u8>) {
        let wide = self.size[0];
        let part = Part::to_show(&self.picture, &picture, self.size);
        let pixels = part.cut(&picture, wide);
        for same in pixels.as_chunks::<3>().0.chunk_by(|a, b| a == b) {
            *self.counts.entry(same[0]).or_default() += same.len() as u64;
        }
        self.parts.push((part, compress_prepend_size(&pixels)));
        self.picture = picture;
    }

    /// Writes the film, which begins again when it is over.
    pub(super) fn write(self, file: impl Write) -> Result<(), FilmError> {
        let palette = Palette::new(&self.counts);
        let same = palette.colors.len() as u8;
        let table = [palette.colors.as_flattened(), &[0; 3]].concat();
        let [width, height] = self.size.map(|side| side as u16);
        let mut encoder = Encoder::new(file, width, height, &table).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let mut shown: Vec<Option<[u8; 3]>> = vec![None; self.size[0] * self.size[1]];
        let frames = self.parts.len();
        for (frame, (part, packed)) in self.parts.into_iter().enumerate() {
            let pixels = decompress_size_prepended(&packed).expect("it was packed here");
            let mut colors = pixels.as_chunks::<3>().0.iter();
            let mut buffer = Vec::with_capacity(part.width * part.height);
            for row in part.rows(self.size[0]) {
                for (known, &color) in shown[row.start / 3..row.end / 3].iter_mut().zip(&mut colors) {
                    let is_same = *known == Some(color);
                    buffer.push(if is_same { same } else { palette.place(color) });
                    *known = Some(color);
                }
            }
            let [left, top, width, height] = [part.left, part.top, part.width, part.height].map(|side| side as u16);
            let frame = Frame {
                delay: delay(frame, frames, self.fps, PARTS) as u16,
                dispose: DisposalMethod::Keep,
                transparent: Some(same),
                left,
                top,
                width,
                height,
                buffer: Cow::Owned(buffer),
                ..Frame::default()
            };
            encoder.write_frame(&frame).map_err(failed)?;
        }
        Ok(encoder.into_inner().map_err(failed)?.flush()?)
    }
}

fn failed(error: EncodingError) -> FilmError {
    FilmError::Write(match error {
        EncodingError::Io(error) => error,
        other => std::io::Error::other(other),
    })
}
