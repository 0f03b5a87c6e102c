//! Answers to casts: how far each shape got.

use glam::DVec3;

use super::layout::{Cells, Layout, Origin, Rows};

/// The columns that a table of answers must have, and those of normals.
const CAST_COLUMNS: [&str; 6] = ["cast", "hit", "fraction", "nx", "ny", "nz"];

/// The answer to one cast.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignCast {
    /// The line of a CSV file, or the row of a Parquet file, from 1.
    pub place: u64,
    /// The name of the cast.
    pub cast: String,
    /// The part of the motion up to the hit; `None` if nothing was hit.
    pub fraction: Option<f64>,
    /// The normal of the contact, out of the target, if the table has it.
    pub normal: Option<DVec3>,
}

/// A whole table of answers.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignCasts {
    /// Where its rows come from.
    pub origin: Origin,
    /// Its rows, in the order of the file.
    pub rows: Vec<ForeignCast>,
}

/// A table that is being read.
pub(super) struct Reading {
    pub(super) casts: ForeignCasts,
    has_normals: bool,
}

impl Rows for Reading {
    const LAYOUT: Layout = Layout {
        wanted: &[CAST_COLUMNS[0], CAST_COLUMNS[1], CAST_COLUMNS[2]],
        optional: &[&[CAST_COLUMNS[3], CAST_COLUMNS[4], CAST_COLUMNS[5]]],
        rows: "wanted is one row for each cast: its name, 1 for a hit or 0, and for a hit the part of its motion up to it",
    };

    fn new(origin: Origin, has: &[bool]) -> Self {
        Self { casts: ForeignCasts { origin, rows: Vec::new() }, has_normals: has[0] }
    }

    fn put(&mut self, place: u64, cells: &impl Cells) -> Result<(), (&'static str, String)> {
        let at = |column: usize| move |problem: String| (CAST_COLUMNS[column], problem);
        let cast = cells.word(0).map_err(at(0))?.to_owned();
        let is_hit = match cells.whole(1).map_err(at(1))? {
            0 => false,
            1 => true,
            other => return Err(at(1)(format!("{other} is neither 1, for a hit, nor 0"))),
        };
        let number = |column: usize| cells.real(column).map_err(at(column));
        let fraction = if is_hit { Some(number(2)?) } else { None };
        let normal =
            if is_hit && self.has_normals { Some(DVec3::new(number(3)?, number(4)?, number(5)?)) } else { None };
        self.casts.rows.push(ForeignCast { place, cast, fraction, normal });
        Ok(())
    }
}
