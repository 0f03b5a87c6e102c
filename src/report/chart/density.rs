//! Many points as a map of their number in each small cell of a frame. Lines or dots would make a black area of them.

use glam::DVec2;

use super::frame::words;
use super::legend::{Entry, Swatch, shades};
use super::numbers::grouped;
use crate::report::drawing::{Anchor, BORDER, Canvas, Face, Ink, Mark, Rect, SHADES, Stroke, ink, text_width};

/// Least and largest edge of a cell, pixels.
const EDGE: (f64, f64) = (3.0, 12.0);

/// How many points a cell should hold on average, so that random variation is not visible.
const POINTS_A_CELL: f64 = 12.0;

/// Distance between two labels of the scale, over the width of a digit.
const LABEL_GAP: f64 = 1.5;

/// Counts of points in the cells of a frame.
#[derive(Debug, Clone)]
pub(crate) struct Density {
    rect: Rect,
    cell: DVec2,
    columns: usize,
    rows: usize,
    counts: Vec<u32>,
    is_scenery: bool,
}

impl Density {
    /// A map without points, for about `expected` of them.
    pub(crate) fn new(rect: Rect, expected: u64) -> Self {
        let size = rect.size();
        let edge = (POINTS_A_CELL * size.x * size.y / expected.max(1) as f64).sqrt();
        Self::with_cells(rect, DVec2::splat(edge.clamp(EDGE.0, EDGE.1)))
    }

    /// A map without points, for those of scenery. Its cells are so small that things behind can be seen between them.
    pub(crate) fn of_scenery(rect: Rect) -> Self {
        Self { is_scenery: true, ..Self::with_cells(rect, DVec2::splat(EDGE.0)) }
    }

    fn with_cells(rect: Rect, cell: DVec2) -> Self {
        let size = (rect.size() / cell).ceil();
        let (columns, rows) = (size.x as usize, size.y as usize);
        Self { rect, cell, columns, rows, counts: vec![0; columns * rows], is_scenery: false }
    }

    /// Adds a point of the picture; points outside the frame are left out.
    pub(crate) fn add(&mut self, at: DVec2) {
        let cell = ((at - self.rect.min) / self.cell).floor();
        let (column, row) = (cell.x as usize, cell.y as usize);
        if self.rect.holds(at, 0.0) && at.y < self.rect.max.y && column < self.columns {
            let count = &mut self.counts[row * self.columns + column];
            *count = count.saturating_add(1);
        }
    }

    /// Draws the map, and in the legend its scale: the number of points for each shade. Shades follow the square root
    /// of the number, so that few points can be seen beside many.
    pub(crate) fn draw(&self, canvas: &mut Canvas) {
        let most = self.counts.iter().copied().max().unwrap_or(0);
        if !self.is_scenery
            && let Some(rect) = canvas.scale.take()
        {
            scale(canvas, rect, most.max(1));
            canvas.begin("map");
        }
        let shade = |count: u32| match count {
            0 => 0,
            _ => 1 + ((f64::from(count) / f64::from(most)).sqrt() * f64::from(SHADES - 1)).round() as u8,
        };
        for row in 0..self.rows {
            let shades: Vec<_> = self.counts[row * self.columns..][..self.columns].iter().map(|&n| shade(n)).collect();
            let mut column = 0;
            for run in shades.chunk_by(|a, b| a == b) {
                if run[0] > 0 {
                    canvas.push(Mark::Area(
                        self.run(row, column, run.len()),
                        ink(if self.is_scenery { Ink::StillShade(run[0]) } else { Ink::Shade(run[0]) }),
                    ));
                }
                column += run.len();
            }
        }
    }

    /// Its lines in the legend: the label, and the scale, which is drawn with the map.
    pub(crate) fn entries(label: &str) -> [Entry; 2] {
        [(Swatch::Shades, label), (Swatch::Scale, "per cell")]
            .map(|(swatch, label)| Entry { swatch, label: label.into() })
    }

    /// The corners of `length` cells side by side, a little larger so that there are no gaps between them.
    fn run(&self, row: usize, column: usize, length: usize) -> Vec<DVec2> {
        let corner = self.rect.min + self.cell * DVec2::new(column as f64, row as f64);
        let far = (corner + self.cell * DVec2::new(length as f64, 1.0) + 0.25).min(self.rect.max);
        Rect { min: corner, max: far }.corners()[..4].to_vec()
    }
}

/// The shades, and below them their numbers.
fn scale(canvas: &mut Canvas, rect: Rect, most: u32) {
    let style = canvas.style;
    canvas.begin_around("scale of the map");
    shades(canvas, rect);
    canvas.push(Mark::Line(rect.corners().to_vec(), Stroke { color: BORDER, width: style.axis() }));
    let gap = LABEL_GAP * text_width("0", Face::Upright, style.small_size);
    let mut free = f64::INFINITY;
    for count in round_numbers(most) {
        let label = grouped(u64::from(count));
        let half = 0.5 * text_width(&label, Face::Upright, style.small_size);
        let x = rect.min.x + rect.size().x * (f64::from(count) / f64::from(most)).sqrt();
        if x + half + gap > free {
            continue;
        }
        let foot = DVec2::new(x, rect.max.y);
        let tick = vec![foot, foot + DVec2::new(0.0, style.ticks()[1])];
        canvas.push(Mark::Line(tick, Stroke { color: BORDER, width: style.axis() }));
        let at = foot + DVec2::new(0.0, style.ticks()[1] + style.small_size);
        canvas.push(words(label, at, style.small_size, Anchor::Middle, false));
        free = x - half;
    }
}

/// `most`, and 1, 2 and 5 times the powers of ten below it, from the greatest down.
fn round_numbers(most: u32) -> Vec<u32> {
    let powers = (0..10).map(|power| 10_u32.pow(power));
    let round = powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)));
    let mut numbers: Vec<u32> = round.filter(|&number| number < most).chain([most]).collect();
    numbers.reverse();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::drawing::Style;
    use crate::scenario::PlotStyle;

    #[test]
    fn cells_with_points_are_drawn_and_others_are_not() {
        let rect = Rect { min: DVec2::splat(10.0), max: DVec2::splat(40.0) };
        let mut density = Density::new(rect, 1000);
        for at in [(11.0, 11.0), (14.0, 11.0), (39.9, 39.9), (5.0, 20.0), (41.0, 20.0), (f64::NAN, 20.0)] {
            density.add(DVec2::from(at));
        }
        let mut canvas = Canvas::new(Style::of(&PlotStyle::default()), DVec2::splat(50.0));
        density.draw(&mut canvas);
        assert_eq!(canvas.marks.len(), 2, "two neighbours in one run, one alone");
    }

    #[test]
    fn a_scale_ends_with_the_most() {
        assert_eq!(round_numbers(57), [57, 50, 20, 10, 5, 2, 1]);
        assert_eq!(round_numbers(1), [1]);
        assert_eq!(round_numbers(u32::MAX)[..2], [u32::MAX, 2_000_000_000]);
    }
}
