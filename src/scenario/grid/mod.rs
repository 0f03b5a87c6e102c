//! Grids of a scenario: tiles as rows of characters, and voxels as lists of cells and blocks.

pub(super) mod schema;

use glam::DVec3;

use self::schema::{Tiles, Voxels};
use super::error_kinds::{Fault, GridFault};
use super::limits::CELLS_MAX;
use super::numbers::PerAxis;
use super::problem::{Entry, Report};
use crate::geometry::{Grid, GridError};

/// The grid of rows of characters.
pub(super) fn tiles(report: &mut Report<'_>, entry: Entry<'_>, raw: &Tiles) -> Option<Grid> {
    let [across, up] = raw.cell.each();
    let cell = DVec3::new(across, raw.depth.unwrap_or(across), up);
    let cells: usize = raw.rows.iter().map(|row| row.chars().count()).sum();
    limited(report, entry, cells as u64)?;
    let path = |error: &GridError| match error {
        GridError::Row { row, .. } | GridError::Character { row, .. } => format!("shape.rows[{row}]"),
        GridError::Cell { .. } if raw.depth.is_some() && matches!(raw.cell, PerAxis::Same(edge) if edge > 0.0) => {
            "shape.depth".to_owned()
        }
        GridError::Cell { .. } => "shape.cell".to_owned(),
        _ => "shape.rows".to_owned(),
    };
    Grid::tiles(cell, &raw.rows).map_err(|error| add(report, entry, &path(&error), GridFault::NoGrid(error))).ok()
}

/// The grid of listed cells and blocks.
pub(super) fn voxels(report: &mut Report<'_>, entry: Entry<'_>, raw: &Voxels) -> Option<Grid> {
    let cell = DVec3::from_array(raw.cell.each());
    let count = raw.size.iter().try_fold(1u64, |count, &n| count.checked_mul(u64::from(n)));
    limited(report, entry, count.unwrap_or(u64::MAX))?;
    let has = |cell: [u32; 3]| (0..3).all(|axis| cell[axis] < raw.size[axis]);
    for (row, &cell) in raw.cells.iter().enumerate().filter(|&(_, &cell)| !has(cell)) {
        add(report, entry, &format!("shape.cells[{row}]"), GridFault::NoSuchCell { cell, size: raw.size });
    }
    for (row, &(first, last)) in raw.blocks.iter().enumerate() {
        let path = format!("shape.blocks[{row}]");
        if !has(first) || !has(last) {
            let cell = if has(first) { last } else { first };
            add(report, entry, &path, GridFault::NoSuchCell { cell, size: raw.size });
        } else if (0..3).any(|axis| first[axis] > last[axis]) {
            add(report, entry, &path, GridFault::Inverted { first, last });
        }
    }
    if !report.is_empty() {
        return None;
    }
    let place = |[x, y, z]: [u32; 3]| ((z * raw.size[1] + y) * raw.size[0] + x) as usize;
    let mut solid = vec![false; count.unwrap_or(0) as usize];
    raw.cells.iter().for_each(|&cell| solid[place(cell)] = true);
    for &([x0, y0, z0], [x1, y1, z1]) in &raw.blocks {
        for row in (z0..=z1).flat_map(|z| (y0..=y1).map(move |y| [x0, y, z])).map(place) {
            solid[row..=row + (x1 - x0) as usize].fill(true);
        }
    }
    let path = |error: &GridError| match error {
        GridError::Cell { .. } => "shape.cell",
        _ => "shape.size",
    };
    let made = Grid::voxels(cell, raw.size, |cell| solid[place(cell)]);
    made.map_err(|error| add(report, entry, path(&error), GridFault::NoGrid(error))).ok()
}

fn limited(report: &mut Report<'_>, entry: Entry<'_>, found: u64) -> Option<()> {
    if found <= CELLS_MAX {
        return Some(());
    }
    add(report, entry, "shape", GridFault::TooManyCells { found });
    None
}

fn add(report: &mut Report<'_>, entry: Entry<'_>, path: &str, fault: GridFault) {
    report.add(entry, path, Fault::Grid(fault));
}
