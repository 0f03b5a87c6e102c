//! An animated PNG. Each frame has only the part that changes.

use std::io::{self, Write};

use png::{BlendOp, ColorType, Compression, DisposeOp, Encoder, EncodingError, Filter, Writer};

use super::change::Part;
use super::delay::delay;
use crate::report::film::error::FilmError;

/// An animated PNG that is being written.
pub(super) struct Apng<W: Write> {
    writer: Writer<W>,
    size: [usize; 2],
    fps: u32,
    frames: usize,
    /// The number of frames that are written.
    written: usize,
    /// The latest picture.
    picture: Vec<u8>,
}

impl<W: Write> Apng<W> {
    pub(super) fn new(file: W, size: [usize; 2], fps: u32, frames: usize) -> Result<Self, FilmError> {
        let mut encoder = Encoder::new(file, size[0] as u32, size[1] as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_compression(Compression::Balanced);
        // Surfaces of one colour are smallest as they are.
        encoder.set_filter(Filter::NoFilter);
        // It begins again when it is over.
        encoder.set_animated(frames as u32, 0).map_err(failed)?;
        encoder.set_dispose_op(DisposeOp::None).map_err(failed)?;
        encoder.set_blend_op(BlendOp::Source).map_err(failed)?;
        let writer = encoder.write_header().map_err(failed)?;
        Ok(Self { writer, size, fps, frames, written: 0, picture: Vec::new() })
    }

    /// Writes the next picture.
    pub(super) fn add(&mut self, picture: Vec<u8>) -> io::Result<()> {
        let part = Part::to_show(&self.picture, &picture, self.size);
        self.write(part, &part.cut(&picture, self.size[0])).map_err(io::Error::other)?;
        self.picture = picture;
        Ok(())
    }

    fn write(&mut self, part: Part, pixels: &[u8]) -> Result<(), EncodingError> {
        // Counted in frames, so that nothing is rounded.
        let delay = delay(self.written, self.frames, self.fps, u64::from(self.fps));
        self.writer.set_frame_delay(delay as u16, self.fps as u16)?;
        let [left, top, width, height] = [part.left, part.top, part.width, part.height].map(|side| side as u32);
        if self.written > 0 {
            self.writer.reset_frame_position()?;
            self.writer.set_frame_dimension(width, height)?;
            self.writer.set_frame_position(left, top)?;
        }
        self.written += 1;
        self.writer.write_image_data(pixels)
    }

    pub(super) fn finish(self) -> Result<(), FilmError> {
        self.writer.finish().map_err(failed)
    }
}

fn failed(error: EncodingError) -> FilmError {
    FilmError::Write(error.into())
}
