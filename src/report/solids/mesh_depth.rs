//! The depth map of a mesh seen along an axis: for every small cell of the frame, the distance of its nearest triangle.
//!
//! This is the depth buffer of Catmull, *A Subdivision Algorithm for Computer Display of Curved Surfaces*, 1974. It
//! shows where the mesh covers the picture, and which of its edges lie behind it.

use glam::{DVec2, DVec3};

use super::stage::Stage;
use crate::geometry::{Mesh, Triangle};
use crate::report::drawing::Rect;

/// Edge of a cell, pixels.
pub(crate) const CELL: f64 = 0.5;

/// The visible surface of a mesh.
pub(crate) struct DepthMap {
    pub(crate) rect: Rect,
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Row by row from the top, m towards the viewer; −∞ in cells without the mesh.
    nearest: Vec<f64>,
    /// How much nearer an edge may seem than it is, m.
    slack: f64,
}

/// Three corners in the picture: the place, in cells, and the distance towards the viewer.
type Corners = [(DVec2, f64); 3];

impl DepthMap {
    /// The depth map of the mesh of a body at `position`.
    pub(crate) fn new(stage: &Stage, mesh: &Mesh, position: DVec3) -> Self {
        let rect = stage.frame.rect;
        let size = (rect.size() / CELL).ceil();
        let (columns, rows) = (size.x as usize, size.y as usize);
        let nearest = vec![f64::NEG_INFINITY; columns * rows];
        let mut depths = Self { rect, columns, rows, nearest, slack: CELL / stage.scale() };
        for Triangle { a, b, c } in mesh.triangles() {
            depths.add([a, b, c].map(|&corner| {
                let corner = corner + position;
                ((stage.place(corner) - rect.min) / CELL, stage.nearness(corner))
            }));
        }
        depths
    }

    /// Whether the mesh covers a cell.
    pub(crate) fn is_covered(&self, column: usize, row: usize) -> bool {
        self.nearest[row * self.columns + column] > f64::NEG_INFINITY
    }

    /// The number of covered cells.
    pub(crate) fn covered(&self) -> usize {
        self.nearest.iter().filter(|&&nearness| nearness > f64::NEG_INFINITY).count()
    }

    /// Whether one of the cells around a corner is not covered, so that the mesh ends there in the picture.
    pub(crate) fn ends_at(&self, [column, row]: [i32; 2]) -> bool {
        let [columns, rows] = [self.columns as i32, self.rows as i32];
        let around = (-2..2).flat_map(|down| (-2..2).map(move |right| (column + right, row + down)));
        let mut inside = around.filter(|&(x, y)| (0..columns).contains(&x) && (0..rows).contains(&y));
        inside.any(|(column, row)| !self.is_covered(column as usize, row as usize))
    }

    /// Whether it covers the picture between two corners completely; parts outside the frame are ignored.
    pub(crate) fn covers(&self, min: DVec2, max: DVec2) -> bool {
        let [from, to] = [min, max].map(|corner| ((corner - self.rect.min) / CELL).max(DVec2::ZERO));
        let columns = from.x as usize..(to.x as usize).min(self.columns);
        let mut rows = from.y as usize..(to.y as usize).min(self.rows);
        rows.all(|row| columns.clone().all(|column| self.is_covered(column, row)))
    }

    /// Whether a point of the mesh at this place in the picture, and at this distance, is not hidden. The cells around
    /// it count, too, because an edge borders on the surface that hides it.
    pub(crate) fn shows(&self, at: DVec2, nearness: f64) -> bool {
        let cell = ((at - self.rect.min) / CELL).floor();
        let around = |middle: f64, count: usize| {
            let first = (middle - 1.0).clamp(0.0, count as f64) as usize;
            first..((middle + 2.0).clamp(0.0, count as f64) as usize)
        };
        let (columns, mut rows) = (around(cell.x, self.columns), around(cell.y, self.rows));
        let reaches = |place: usize| nearness + self.slack >= self.nearest[place];
        rows.any(|row| columns.clone().any(|column| reaches(row * self.columns + column)))
    }

    /// Keeps the triangle where it is nearer than the ones before.
    fn add(&mut self, corners: Corners) {
        let Some(slope) = slope(corners) else { return };
        let [low, high] = span(corners.map(|(at, _)| at.y), self.rows);
        for row in low..high {
            let y = row as f64 + 0.5;
            let [from, to] = span_at(corners, y, self.columns);
            for column in from..to {
                let away = DVec2::new(column as f64 + 0.5, y) - corners[0].0;
                let nearness = corners[0].1 + slope.dot(away);
                let place = &mut self.nearest[row * self.columns + column];
                *place = place.max(nearness);
            }
        }
    }
}

/// The change of distance to the right and downwards, m per cell; `None` for a triangle that is seen as a line.
fn slope([a, b, c]: Corners) -> Option<DVec2> {
    let (u, v) = (b.0 - a.0, c.0 - a.0);
    let (rise_u, rise_v) = (b.1 - a.1, c.1 - a.1);
    let area = u.perp_dot(v);
    // A sliver below a millionth of a cell covers the centre of a cell only by rounding.
    (area.abs() > 1e-6).then(|| DVec2::new(rise_u * v.y - rise_v * u.y, rise_v * u.x - rise_u * v.x) / area)
}

/// The cells whose centres lie between the least and the largest coordinate.
fn span(coordinates: [f64; 3], count: usize) -> [usize; 2] {
    let low = coordinates.into_iter().fold(f64::INFINITY, f64::min);
    let high = coordinates.into_iter().fold(f64::NEG_INFINITY, f64::max);
    [low, high].map(|end| (end - 0.5).ceil().clamp(0.0, count as f64) as usize)
}

/// The cells whose centres lie in a triangle at the height `y`.
fn span_at(corners: Corners, y: f64, count: usize) -> [usize; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for side in 0..3 {
        let ends = (corners[side].0, corners[(side + 1) % 3].0);
        // Always from top to bottom, so that two triangles get the same place for their common side, and no gap opens.
        let (from, to) = if ends.0.y <= ends.1.y { ends } else { (ends.1, ends.0) };
        if from.y <= y && y < to.y {
            let x = from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y));
            (low, high) = (low.min(x), high.max(x));
        }
    }
    if low > high { [0, 0] } else { [low, high].map(|end| (end - 0.5).ceil().clamp(0.0, count as f64) as usize) }
}
