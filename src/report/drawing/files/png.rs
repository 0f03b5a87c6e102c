//! A picture as a PNG, with its pixels per inch.

use std::io;
use std::ops::Range;
use std::path::Path;

use plotters::backend::BitMapBackend;
use plotters::drawing::IntoDrawingArea;

use super::sheet::Sheet;
use crate::report::drawing::canvas::Canvas;
use crate::report::error::ReportError;

/// Pixels drawn along one pixel of the PNG; they are averaged, so that edges are smooth.
const GRAIN: u32 = 2;

/// Most pixels of a PNG, which take 12 bytes each while it is drawn.
const PIXELS_MAX: u64 = 100_000_000;

/// Metres per inch.
const METRES_PER_INCH: f64 = 0.0254;

impl Canvas {
    /// The picture as the bytes of a PNG, to be written to `file`.
    ///
    /// # Errors
    /// When it would have too many pixels.
    pub(crate) fn png(&self, file: &Path, packing: Packing) -> Result<Vec<u8>, ReportError> {
        let resolution = self.style.resolution();
        let [width, height] = [self.size.x, self.size.y].map(|side| (side * resolution).round() as u32);
        let pixels = u64::from(width) * u64::from(height);
        if pixels > PIXELS_MAX {
            return Err(ReportError::TooLarge { pixels, pixels_max: PIXELS_MAX });
        }
        let sheet = (width * GRAIN, height * GRAIN);
        let mut large = vec![0; 3 * sheet.0 as usize * sheet.1 as usize];
        let view = Sheet::of_bitmap(self.style.theme, resolution * f64::from(GRAIN));
        let drawn = view.draw(&BitMapBackend::with_buffer(&mut large, sheet).into_drawing_area(), true, &self.marks);
        drawn.expect("drawing in memory succeeds");
        let small = averaged(&large, sheet.0 as usize, GRAIN as usize);
        let failed = |source| ReportError::Write { file: file.to_owned(), source };
        encoded(&small, (width, height), self.style.dpi, packing).map_err(|error| failed(io::Error::other(error)))
    }
}

/// How much work is done for a small file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Little.
    Fast,
    /// All that pays off for lines on paper: without filters, whose differences look less alike than the pixels.
    Small,
}

/// The file of an RGB picture.
pub(super) fn encoded(
    pixels: &[u8],
    (width, height): (u32, u32),
    dpi: f64,
    packing: Packing,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    match packing {
        Packing::Fast => encoder.set_compression(png::Compression::Fast),
        Packing::Small => {
            encoder.set_compression(png::Compression::High);
            encoder.set_filter(png::Filter::NoFilter);
        }
    }
    let density = (dpi / METRES_PER_INCH).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: density, yppu: density, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// An RGB picture `width` pixels wide, made smaller by averaging blocks of `grain` × `grain` pixels.
fn averaged(large: &[u8], width: usize, grain: usize) -> Vec<u8> {
    let mut small = vec![0; large.len() / (grain * grain)];
    let rows = small.len() / (3 * width / grain);
    average(large, width, grain, [0..width / grain, 0..rows], &mut small);
    small
}

/// The same for the pixels of the small picture in some columns and rows.
pub(super) fn average(large: &[u8], width: usize, grain: usize, [columns, rows]: [Range<usize>; 2], small: &mut [u8]) {
    let mut sums = vec![0_u32; 3 * columns.len()];
    for row in rows {
        sums.fill(0);
        for line in row * grain..(row + 1) * grain {
            let from = 3 * (line * width + columns.start * grain);
            let line = &large[from..from + 3 * columns.len() * grain];
            for (sum, block) in sums.chunks_exact_mut(3).zip(line.chunks_exact(3 * grain)) {
                for pixel in block.chunks_exact(3) {
                    sum.iter_mut().zip(pixel).for_each(|(sum, &value)| *sum += u32::from(value));
                }
            }
        }
        let from = 3 * (row * (width / grain) + columns.start);
        let line = small[from..].iter_mut().zip(&sums);
        line.for_each(|(value, sum)| *value = (sum / (grain * grain) as u32) as u8);
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::report::drawing::canvas::{Anchor, Label, Mark};
    use crate::report::drawing::ink::TEXT;
    use crate::report::drawing::style::Style;
    use crate::report::drawing::typeface::STAND_IN;
    use crate::scenario::PlotStyle;

    #[test]
    fn a_block_of_pixels_becomes_its_mean() {
        // Two blocks of 2 × 2 pixels side by side.
        let rows = [[10, 0, 0, 20, 0, 0, 0, 8, 0, 0, 8, 0], [30, 0, 0, 40, 0, 0, 0, 8, 0, 0, 8, 4]].concat();
        assert_eq!(averaged(&rows, 4, 2), [25, 0, 0, 0, 8, 1]);
    }

    #[test]
    fn what_the_typeface_lacks_is_seen() {
        let ink = |text: &str| {
            let mut canvas = Canvas::new(Style::of(&PlotStyle::default()), DVec2::new(60.0, 30.0));
            let (words, at) = (text.into(), DVec2::new(10.0, 20.0));
            canvas.push(Mark::Label(Label {
                words,
                at,
                size: 16.0,
                color: TEXT,
                anchor: Anchor::Start,
                upwards: false,
            }));
            let bytes = canvas.png(Path::new("ink.png"), Packing::Fast).unwrap();
            let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            pixels.iter().filter(|&&value| value < 128).count()
        };
        let stand_in = ink(&STAND_IN.to_string());
        assert!(stand_in > 100, "{stand_in}");
        for text in ["漢", "م", "\u{1f600}", "\u{1b}"] {
            assert_eq!(ink(text), stand_in, "{text:?}");
        }
        assert_ne!(ink("é"), stand_in);
    }
}
