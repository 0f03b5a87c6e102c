//! Labels at the ends of curves, in place of a legend.

use glam::DVec2;

use super::setup::Setup;
use crate::report::drawing::{
    Anchor, Canvas, Color, Dash, Face, Label, Mark, Rect, Stroke, faded, patterned, text_width,
};
use crate::scenario::plot::style::Legend;

/// From the frame to the labels, pixels.
const GAP: f64 = 16.0;
/// From the frame to the line that leads to a label, and from there to the label, pixels.
const LEAD: f64 = 3.0;
/// Height of a label, over the size of its words.
const ROW: f64 = 1.15;
/// Widest label, over the width of the picture.
const WIDE: f64 = 0.22;

/// A label and its colour.
pub(crate) type Name<'a> = (&'a str, Color);

/// How wide a column to the right of the frames the labels need, pixels, if they are asked for, or if there are more of
/// them than `many` and no legend is asked for; 0 where they have no room.
pub(crate) fn column(names: &[Name<'_>], many: usize, inner: DVec2, setup: Setup<'_>) -> f64 {
    let style = setup.style;
    let is_wanted = match setup.asked.legend {
        None => names.len() > many,
        Some(legend) => legend == Legend::Direct,
    };
    let width = |name: &Name<'_>| text_width(name.0, Face::Upright, style.small_size);
    let column = GAP + names.iter().map(width).fold(0.0, f64::max);
    let size = style.planned(inner);
    let fits = column < WIDE * size.x.max(1.0) && names.len() as f64 * ROW * style.small_size < size.y;
    if is_wanted && fits && !names.is_empty() { column } else { 0.0 }
}

/// Writes the names to the right of a frame, each at the height at which its curve ends, or as near as others allow.
pub(crate) fn draw(canvas: &mut Canvas, rect: Rect, ends: &[(Name<'_>, DVec2)]) {
    let size = canvas.style.small_size;
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&a, &b| ends[a].1.y.total_cmp(&ends[b].1.y).then(a.cmp(&b)));
    let wanted: Vec<f64> = order.iter().map(|&index| ends[index].1.y).collect();
    let heights = spread(&wanted, ROW * size, [rect.min.y, rect.max.y]);
    for (&index, height) in order.iter().zip(heights) {
        let ((name, color), end) = ends[index];
        canvas.begin_around(&format!("legend: {name}"));
        let lead = [DVec2::new(end.x + LEAD, end.y), DVec2::new(rect.max.x + GAP - LEAD, height)];
        let stroke = Stroke { color: faded(color, 0.6), width: canvas.style.fine(0.8) };
        // Where a curve ends early, a line from there through the frame must not look like more of it.
        let dash = if end.x + LEAD < rect.max.x { Dash::DOTTED } else { Dash::SOLID };
        patterned(canvas, &lead, stroke, dash);
        let at = DVec2::new(rect.max.x + GAP, height + 0.36 * size);
        canvas.push(Mark::Label(Label { words: name.into(), at, size, color, anchor: Anchor::Start, upwards: false }));
    }
}

/// Heights in order, at least `row` apart and within the limits, near those that are wanted: neighbours that are too
/// close stand around their common middle.
fn spread(wanted: &[f64], row: f64, [top, bottom]: [f64; 2]) -> Vec<f64> {
    // Each block has its number of rows and the sum of the middles that its rows want.
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    let middle = |(rows, sum): (f64, f64)| {
        let half = 0.5 * row * rows;
        (sum / rows).clamp(top + half, (bottom - half).max(top + half))
    };
    for &height in wanted {
        let mut block = (1.0, height);
        while let Some(&last) = blocks.last() {
            if middle(last) + 0.5 * row * last.0 <= middle(block) - 0.5 * row * block.0 {
                break;
            }
            block = (last.0 + block.0, last.1 + block.1);
            blocks.pop();
        }
        blocks.push(block);
    }
    let rows = |block: (f64, f64)| {
        let first = middle(block) - 0.5 * row * (block.0 - 1.0);
        (0..block.0 as usize).map(move |place| first + row * place as f64)
    };
    blocks.into_iter().flat_map(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_apart_within_the_frame_and_near_their_curves() {
        let rows: [(&[f64], &[f64]); 5] = [
            (&[20.0, 60.0], &[20.0, 60.0]),
            (&[50.0, 50.0], &[45.0, 55.0]),
            (&[48.0, 50.0, 52.0, 90.0], &[40.0, 50.0, 60.0, 90.0]),
            (&[0.0, 0.0, 2.0], &[5.0, 15.0, 25.0]),
            (&[99.0, 100.0], &[85.0, 95.0]),
        ];
        for (wanted, heights) in rows {
            assert_eq!(spread(wanted, 10.0, [0.0, 100.0]), heights, "{wanted:?}");
        }
    }
}
