//! A layer of solid tiles as one body.
//!
//! In a map x points to the right and y downwards, in pixels. In a scenario x points to the right, z upwards, and the
//! map lies in the plane y = 0, as deep to both sides.

use std::fmt::Write;

use glam::DVec3;

use super::super::error::Trouble;
use super::super::request::ImportRequest;
use super::super::ron::{number, quoted, triple};
use crate::numeric::quantity::is_positive;

/// Most cells of a layer.
pub(super) const CELLS_MAX: usize = 1 << 25;

/// From pixels to metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// The pixels of a metre, or the metres of a pixel.
    unit: Result<f64, f64>,
    /// m.
    depth: f64,
}

impl Scale {
    /// The scale that is asked for, or else that of one metre for each tile.
    pub(super) fn new(request: &ImportRequest, tile: f64) -> Result<Self, Trouble> {
        if !is_positive(tile) {
            return Err(Trouble::new(
                format!("its tiles must have a size, found {tile}"),
                "save it again from the editor",
            ));
        }
        let unit = request.scale.map_or(Ok(tile), Err);
        let scale = Self { unit, depth: 0.0 };
        Ok(Self { depth: request.depth.unwrap_or_else(|| scale.metres(tile)), ..scale })
    }

    pub(super) fn metres(&self, pixels: f64) -> f64 {
        match self.unit {
            Ok(per_metre) => pixels / per_metre,
            Err(metres) => pixels * metres,
        }
    }

    /// The place of a point of the map.
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> DVec3 {
        // No negative zero.
        DVec3::new(self.metres(x), 0.0, 0.0 - self.metres(y))
    }

    /// A place as a reader of comments sees it.
    pub(super) fn shown(&self, at: [f64; 2]) -> String {
        triple(self.place(at))
    }

    /// Half the edges of a box of this size.
    pub(super) fn half(&self, [width, height]: [f64; 2]) -> DVec3 {
        DVec3::new(self.metres(width) / 2.0, self.depth / 2.0, self.metres(height) / 2.0)
    }
}

/// Which cells of a layer are solid, row by row from the top.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Grid {
    /// The column and the row of the first cell.
    pub(super) first: [i64; 2],
    pub(super) width: usize,
    pub(super) solid: Vec<bool>,
}

impl Grid {
    /// The same cells without empty rows and columns around them; `None` if all are empty.
    fn trimmed(&self) -> Option<Self> {
        let rows = || self.solid.chunks(self.width.max(1));
        let is_full = |row: &[bool]| row.contains(&true);
        let [top, bottom] = [rows().position(is_full)?, rows().rposition(is_full)?];
        let used = |column: &usize| rows().any(|row| row[*column]);
        let (left, right) = ((0..self.width).find(used)?, (0..self.width).rfind(used)?);
        let solid = rows().skip(top).take(bottom - top + 1).flat_map(|row| &row[left..=right]).copied().collect();
        let first = [self.first[0] + left as i64, self.first[1] + top as i64];
        Some(Self { first, width: right - left + 1, solid })
    }

    /// The solid cells as a body called `name`; `None` if there are none. `tile` is the size of a cell and `offset` the
    /// corner of the cell (0, 0), both in pixels.
    pub(super) fn body(&self, name: &str, tile: [f64; 2], offset: [f64; 2], scale: &Scale) -> Option<String> {
        let grid = self.trimmed()?;
        let rows: Vec<&[bool]> = grid.solid.chunks(grid.width).collect();
        let corner = [
            offset[0] + grid.first[0] as f64 * tile[0],
            offset[1] + (grid.first[1] + rows.len() as i64) as f64 * tile[1],
        ];
        let [width, height] = tile.map(|edge| scale.metres(edge));
        let cell = if width == height { number(width) } else { format!("({}, {})", number(width), number(height)) };
        let depth = if width == height && scale.depth == width {
            String::new()
        } else {
            format!(", depth: {}", number(scale.depth))
        };
        let mut text = format!("(name: {}, shape: Tiles(cell: {cell}{depth}, rows: [\n", quoted(name));
        for row in rows {
            let row: String = row.iter().map(|&solid| if solid { '#' } else { '.' }).collect();
            let _ = writeln!(text, "            \"{row}\",");
        }
        let position = scale.place(corner) - DVec3::Y * (scale.depth / 2.0);
        let _ = write!(text, "        ]), position: {})", triple(position));
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::import::request::ImportFormat;

    #[test]
    fn a_layer_is_one_body_without_the_empty_cells_around_it() {
        let solid = "....  ..#.  .##.  ....".split("  ").flat_map(|row| row.chars()).map(|cell| cell == '#').collect();
        let grid = Grid { first: [-1, 2], width: 4, solid };
        let scale = Scale::new(&ImportRequest::all(ImportFormat::Tiled), 16.0).unwrap();
        let wanted = "(name: \"a\", shape: Tiles(cell: 1.0, rows: [\n            \".#\",\n            \"##\",\n        ]), position: (0.5, -0.5, -5.0))";
        assert_eq!(grid.body("a", [16.0, 16.0], [8.0, 0.0], &scale).unwrap(), wanted);
        let request = ImportRequest { scale: Some(0.25), depth: Some(3.0), ..ImportRequest::all(ImportFormat::Tiled) };
        let body = grid.body("a", [16.0, 8.0], [0.0, 0.0], &Scale::new(&request, 16.0).unwrap()).unwrap();
        assert!(
            body.contains("Tiles(cell: (4.0, 2.0), depth: 3.0, rows") && body.ends_with("(0.0, -1.5, -10.0))"),
            "{body}"
        );
        assert_eq!(Grid { solid: vec![false; 8], ..grid }.body("a", [1.0, 1.0], [0.0, 0.0], &scale), None);
    }
}
