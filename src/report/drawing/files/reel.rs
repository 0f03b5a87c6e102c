//! Pictures of one size over one backdrop, as pixels.
//!
//! The backdrop is drawn once. A picture changes only some tiles of it, and only these are drawn, averaged and
//! restored.

use std::ops::Range;

use glam::DVec2;
use plotters::backend::BitMapBackend;
use plotters::drawing::IntoDrawingArea;

use super::png::{Packing, average, encoded};
use super::sheet::Sheet;
use crate::report::drawing::canvas::{Canvas, Label, Mark};

/// Width and height of a tile, pixels of the picture.
const TILE: usize = 16;

/// Pixels drawn along one pixel of a small picture, and of a large one: a slow body moves by fractions of a pixel.
const GRAINS: [usize; 2] = [4, 2];

/// Most pixels of a small picture.
const SMALL_MAX: usize = 1_000_000;

/// Pictures over a backdrop.
pub(crate) struct Reel {
    sheet: Sheet,
    dpi: f64,
    /// Pixels drawn along one pixel of the picture.
    grain: usize,
    /// Width and height of a picture, pixels.
    size: [usize; 2],
    /// The pixels of the backdrop that are drawn, and their averages.
    backdrop: Vec<u8>,
    still: Vec<u8>,
    /// The same as `backdrop` between two pictures.
    large: Vec<u8>,
    /// For each tile, whether the picture differs from the backdrop there.
    touched: Vec<bool>,
}

impl Reel {
    /// Pictures of `size` pixels over the marks of `canvas`.
    pub(crate) fn new(canvas: &Canvas, size: [usize; 2]) -> Self {
        let grain = GRAINS[usize::from(size[0] * size[1] > SMALL_MAX)];
        let sheet = Sheet::of_bitmap(canvas.style.theme, canvas.style.resolution() * grain as f64);
        let tiles = size.map(|side| side.div_ceil(TILE));
        let mut reel = Self {
            sheet,
            dpi: canvas.style.dpi,
            grain,
            size,
            backdrop: vec![0; 3 * size[0] * size[1] * grain * grain],
            still: vec![0; 3 * size[0] * size[1]],
            large: Vec::new(),
            touched: vec![false; tiles[0] * tiles[1]],
        };
        draw(sheet, size.map(|side| side * grain), &mut reel.backdrop, (true, &canvas.marks));
        average(&reel.backdrop, size[0] * grain, grain, size.map(|side| 0..side), &mut reel.still);
        reel.large.clone_from(&reel.backdrop);
        reel
    }

    /// The picture with these marks over the backdrop, as red, green and blue of each pixel. `again` are marks of the
    /// backdrop that are to cover them; elsewhere they change nothing.
    pub(crate) fn picture(&mut self, marks: &[Mark], again: &[Mark]) -> Vec<u8> {
        for marks in [marks, again] {
            draw(self.sheet, self.size.map(|side| side * self.grain), &mut self.large, (false, marks));
        }
        self.touched.fill(false);
        marks.iter().for_each(|mark| self.touch(mark));
        let shown = self.touched.clone();
        again.iter().for_each(|mark| self.touch(mark));
        let mut picture = self.still.clone();
        let wide = self.size[0] * self.grain;
        for tile in (0..self.touched.len()).filter(|&tile| self.touched[tile]) {
            let [columns, rows] = self.tile(tile);
            if shown[tile] {
                average(&self.large, wide, self.grain, [columns.clone(), rows.clone()], &mut picture);
            }
            for row in rows.start * self.grain..rows.end * self.grain {
                let line = [columns.start, columns.end].map(|column| 3 * (row * wide + column * self.grain));
                self.large[line[0]..line[1]].copy_from_slice(&self.backdrop[line[0]..line[1]]);
            }
        }
        picture
    }

    /// A picture as the bytes of a PNG.
    pub(crate) fn png(&self, picture: &[u8]) -> Vec<u8> {
        let size = self.size.map(|side| side as u32);
        encoded(picture, (size[0], size[1]), self.dpi, Packing::Fast).expect("writing into memory succeeds")
    }

    /// The columns and rows of a tile, pixels of the picture.
    fn tile(&self, tile: usize) -> [Range<usize>; 2] {
        let across = self.size[0].div_ceil(TILE);
        let range = |place: usize, side: usize| place * TILE..((place + 1) * TILE).min(side);
        [range(tile % across, self.size[0]), range(tile / across, self.size[1])]
    }

    /// Marks the tiles that a mark may change.
    fn touch(&mut self, mark: &Mark) {
        match mark {
            Mark::Line(points, stroke) => {
                points.windows(2).for_each(|ends| self.touch_around(ends, stroke.width));
            }
            Mark::Area(points, _) => self.touch_around(points, 0.0),
            Mark::Disc(center, radius, _) => self.touch_around(&[*center], *radius),
            Mark::Ring(center, radius, stroke) => self.touch_around(&[*center], radius + stroke.width),
            Mark::Label(label) => self.touch_around(&corners(label), label.size),
        }
    }

    /// Marks the tiles within the box around points, which is wider by `margin` pixels of the layout on each side.
    fn touch_around(&mut self, points: &[DVec2], margin: f64) {
        let low = points.iter().fold(DVec2::MAX, |low, &point| low.min(point)) - margin;
        let high = points.iter().fold(DVec2::MIN, |high, &point| high.max(point)) + margin;
        // A pixel more on each side, because plotters rounds.
        let pixels = self.sheet.scale / self.grain as f64;
        let range = |low: f64, high: f64, side: usize| {
            let last = (side - 1) as f64;
            let [low, high] = [low * pixels - 1.0, high * pixels + 1.0].map(|end| end.clamp(0.0, last) as usize / TILE);
            low..=high
        };
        let across = self.size[0].div_ceil(TILE);
        for row in range(low.y, high.y, self.size[1]) {
            for column in range(low.x, high.x, self.size[0]) {
                self.touched[row * across + column] = true;
            }
        }
    }
}

/// Draws marks with plotters, over the paper if `with_paper` is true.
fn draw(sheet: Sheet, [wide, high]: [usize; 2], pixels: &mut [u8], (with_paper, marks): (bool, &[Mark])) {
    let area = BitMapBackend::with_buffer(pixels, (wide as u32, high as u32)).into_drawing_area();
    sheet.draw(&area, with_paper, marks).expect("drawing in memory succeeds");
}

/// Two points whose box holds the baseline of a label, however it is aligned.
fn corners(label: &Label) -> [DVec2; 2] {
    let width = label.words.width(label.size);
    let along = if label.upwards { DVec2::new(0.0, width) } else { DVec2::new(width, 0.0) };
    [label.at - along, label.at + along]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::drawing::canvas::{Anchor, Stroke};
    use crate::report::drawing::ink::{PALETTE, TEXT, faded};
    use crate::report::drawing::style::Style;
    use crate::scenario::PlotStyle;

    /// What is drawn in tiles is what would be drawn as a whole, and no picture leaves traces in the next.
    #[test]
    fn a_picture_is_the_same_in_tiles_and_as_a_whole() {
        let mut style = Style::of(&PlotStyle::default());
        style.dpi = 120.0;
        let mut backdrop = Canvas::new(style, DVec2::new(80.0, 60.0));
        let line = vec![DVec2::new(5.0, 50.0), DVec2::new(70.0, 8.0), DVec2::new(75.0, 40.0)];
        backdrop.push(Mark::Line(line.clone(), Stroke { color: TEXT, width: 1.3 }));
        let size = [100, 75];
        let mut reel = Reel::new(&backdrop, size);
        let label = |at, upwards| {
            let (words, color, anchor) = ("12.5 s".into(), TEXT, Anchor::End);
            Mark::Label(Label { words, at, size: 12.0, color, anchor, upwards })
        };
        let pictures = [
            vec![Mark::Disc(DVec2::new(20.0, 20.0), 7.3, PALETTE[0]), label(DVec2::new(70.0, 58.0), false)],
            vec![Mark::Ring(DVec2::new(61.0, 31.0), 15.9, Stroke { color: PALETTE[1], width: 3.0 })],
            vec![Mark::Area(line.clone(), faded(PALETTE[2], 0.4)), label(DVec2::new(12.0, 20.0), true)],
            vec![Mark::Line(line, Stroke { color: PALETTE[3], width: 5.0 }), Mark::Disc(DVec2::ZERO, 9.0, TEXT)],
        ];
        for marks in pictures {
            let mut whole = backdrop.clone();
            whole.marks.extend(marks.iter().cloned());
            reel.picture(&marks, &backdrop.marks);
            assert!(reel.picture(&marks, &[]) == Reel::new(&whole, size).still, "{marks:?}");
        }
        assert!(reel.large == reel.backdrop);
    }
}
