//! A picture as a PNG, with its pixels per inch.

use std::io;
use std::path::Path;

use plotters::backend::BitMapBackend;
use plotters::drawing::IntoDrawingArea;

use super::sheet::Sheet;
use crate::report::drawing::canvas::Canvas;
use crate::report::drawing::typeface::FONT_HEIGHT;
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
    pub(crate) fn png(&self, file: &Path) -> Result<Vec<u8>, ReportError> {
        let resolution = self.style.resolution();
        let [width, height] = [self.size.x, self.size.y].map(|side| (side * resolution).round() as u32);
        let pixels = u64::from(width) * u64::from(height);
        if pixels > PIXELS_MAX {
            return Err(ReportError::TooLarge { pixels, pixels_max: PIXELS_MAX });
        }
        let sheet = (width * GRAIN, height * GRAIN);
        let mut large = vec![0; 3 * sheet.0 as usize * sheet.1 as usize];
        // plotters sets the height of the font, and starts half of it below the given point.
        let (scale, font) = (resolution * f64::from(GRAIN), FONT_HEIGHT);
        let theme = self.style.theme;
        let view = Sheet {
            theme,
            scale,
            font,
            rise: 0.5 * FONT_HEIGHT,
            text: |text, face| face.drawable(text),
            piecewise: true,
        };
        let drawn = view.draw(&BitMapBackend::with_buffer(&mut large, sheet).into_drawing_area(), true, &self.marks);
        drawn.expect("drawing in memory succeeds");
        let small = averaged::<{ GRAIN as usize }>(&large, sheet.0 as usize);
        let failed = |source| ReportError::Write { file: file.to_owned(), source };
        encoded(&small, (width, height), self.style.dpi).map_err(|error| failed(io::Error::other(error)))
    }
}

/// The file of an RGB picture.
fn encoded(pixels: &[u8], (width, height): (u32, u32), dpi: f64) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let density = (dpi / METRES_PER_INCH).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: density, yppu: density, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// An RGB picture `width` pixels wide, made smaller by averaging blocks of `N` × `N` pixels.
fn averaged<const N: usize>(large: &[u8], width: usize) -> Vec<u8> {
    let mut small = vec![0; large.len() / (N * N)];
    let mut sums = vec![0_u16; 3 * width];
    for (rows, small) in large.chunks_exact(3 * width * N).zip(small.chunks_exact_mut(3 * width / N)) {
        sums.fill(0);
        for row in rows.chunks_exact(3 * width) {
            sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum += u16::from(value));
        }
        for (block, pixel) in sums.chunks_exact(3 * N).zip(small.chunks_exact_mut(3)) {
            for (channel, value) in pixel.iter_mut().enumerate() {
                let sum: u16 = block.iter().skip(channel).step_by(3).sum();
                *value = (sum / (N * N) as u16) as u8;
            }
        }
    }
    small
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
        assert_eq!(averaged::<2>(&rows, 4), [25, 0, 0, 0, 8, 1]);
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
            let bytes = canvas.png(Path::new("ink.png")).unwrap();
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
