//! A trajectory: where each body is at each time.

use std::path::{Path, PathBuf};

use glam::DVec3;

use super::error::ForeignError;
use super::layout::{Cells, Layout, Ranks, Rows};
use crate::motion::SimTime;

/// The columns that a trajectory must have.
pub const WANTED: [&str; 9] = ["step", "time", "body", "x", "y", "z", "vx", "vy", "vz"];

/// The columns of the spin: a trajectory has all three or none.
pub const SPIN: [&str; 3] = ["wx", "wy", "wz"];

/// One row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignRow {
    /// The line of a CSV file, or the row of a Parquet file, from 1.
    pub place: u64,
    /// The number of the step after which it was written.
    pub step: u64,
    /// When.
    pub time: SimTime,
    /// The index of the body among those of the table.
    pub body: usize,
    /// m, world frame.
    pub position: DVec3,
    /// m/s, world frame.
    pub velocity: DVec3,
    /// rad/s, world frame; zero where the table has no spins.
    pub spin: DVec3,
}

/// A whole trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignTable {
    /// Its file.
    pub file: PathBuf,
    /// The word for a place in the file: `line` or `row`.
    pub unit: &'static str,
    /// The names of its bodies, each once, in the order in which they come.
    pub bodies: Vec<String>,
    /// Whether it has spins.
    pub has_spins: bool,
    /// Its rows, in the order of the file.
    pub rows: Vec<ForeignRow>,
}

impl ForeignTable {
    /// What is wrong with a row.
    pub fn wrong(&self, place: u64, column: &str, problem: String) -> ForeignError {
        Reading::LAYOUT.wrong(&self.file, self.unit, place, column, problem)
    }
}

/// A trajectory that is being read.
pub(super) struct Reading {
    pub(super) table: ForeignTable,
    ranks: Ranks,
}

impl Rows for Reading {
    const LAYOUT: Layout = Layout {
        wanted: &WANTED,
        optional: &SPIN,
        rows: "wanted is one row for each free body at each time that is written: its step, time (s), name, position (m) and velocity (m/s)",
    };

    fn new(file: &Path, unit: &'static str, has_spins: bool) -> Self {
        let table = ForeignTable { file: file.to_owned(), unit, bodies: Vec::new(), has_spins, rows: Vec::new() };
        Self { table, ranks: Ranks::default() }
    }

    fn put(&mut self, place: u64, cells: &impl Cells) -> Result<(), (&'static str, String)> {
        let name = |at: usize| if at < WANTED.len() { WANTED[at] } else { SPIN[at - WANTED.len()] };
        let vector = |from: usize| -> Result<DVec3, (&'static str, String)> {
            let mut vector = DVec3::ZERO;
            for axis in 0..3 {
                vector[axis] = cells.real(from + axis).map_err(|problem| (name(from + axis), problem))?;
            }
            Ok(vector)
        };
        let step = cells.whole(0).map_err(|problem| (name(0), problem))?;
        let time = cells.instant(1).map_err(|problem| (name(1), problem))?;
        let body = cells.body(2).map_err(|problem| (name(2), problem))?;
        let (position, velocity) = (vector(3)?, vector(6)?);
        let spin = if self.table.has_spins { vector(9)? } else { DVec3::ZERO };
        let body = self.ranks.of(body, &mut self.table.bodies);
        self.table.rows.push(ForeignRow { place, step, time, body, position, velocity, spin });
        Ok(())
    }
}
