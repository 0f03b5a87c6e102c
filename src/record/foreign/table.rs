//! A trajectory: where each body is at each time.

use glam::DVec3;

use super::layout::{Cells, Layout, Origin, Ranks, Rows};
use crate::motion::SimTime;

/// The columns that an engine is asked for.
pub const COLUMNS: [&str; 9] = ["step", "time", "body", "x", "y", "z", "vx", "vy", "vz"];

/// The columns of the spin: a trajectory has all three or none.
pub const SPIN: [&str; 3] = ["wx", "wy", "wz"];

/// The columns that a trajectory must have.
const WANTED: [&str; 5] = ["time", "body", "x", "y", "z"];
/// The column of the number of the step.
const STEP: [&str; 1] = ["step"];
/// The columns of the velocity: a trajectory has all three or none.
const VELOCITY: [&str; 3] = ["vx", "vy", "vz"];

/// One row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignRow {
    /// The line of a CSV file, or the row of a Parquet file, from 1.
    pub place: u64,
    /// The number of the step after which it was written. In a table without steps, each time is one.
    pub step: u64,
    /// When.
    pub time: SimTime,
    /// The index of the body among those of the table.
    pub body: usize,
    /// m, world frame.
    pub position: DVec3,
    /// m/s, world frame; zero where the table has no velocities.
    pub velocity: DVec3,
    /// rad/s, world frame; zero where the table has no spins.
    pub spin: DVec3,
}

/// A whole trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignTable {
    /// Where its rows come from.
    pub origin: Origin,
    /// The names of its bodies, each once, in the order in which they come.
    pub bodies: Vec<String>,
    /// Whether it has velocities.
    pub has_velocities: bool,
    /// Whether it has spins.
    pub has_spins: bool,
    /// Its rows, in the order of the file.
    pub rows: Vec<ForeignRow>,
}

/// A trajectory that is being read.
pub(super) struct Reading {
    table: ForeignTable,
    has_steps: bool,
    ranks: Ranks,
}

impl Reading {
    /// The whole table.
    pub(super) fn finished(mut self) -> ForeignTable {
        if !self.has_steps {
            let mut times: Vec<SimTime> = self.table.rows.iter().map(|row| row.time).collect();
            times.sort_unstable();
            times.dedup();
            // The beginning is step 0, whether it has rows or not.
            let before = u64::from(times.first().is_some_and(|&first| first > SimTime::ZERO));
            for row in &mut self.table.rows {
                row.step = before + times.partition_point(|&time| time < row.time) as u64;
            }
        }
        self.table
    }
}

impl Rows for Reading {
    const LAYOUT: Layout = Layout {
        wanted: &WANTED,
        optional: &[&STEP, &VELOCITY, &SPIN],
        rows: "wanted is one row for each free body at each time that is written: its time (s), name and position (m)",
    };

    fn new(origin: Origin, has: &[bool]) -> Self {
        let (has_steps, has_velocities, has_spins) = (has[0], has[1], has[2]);
        let table = ForeignTable { origin, bodies: Vec::new(), has_velocities, has_spins, rows: Vec::new() };
        Self { table, has_steps, ranks: Ranks::default() }
    }

    fn put(&mut self, place: u64, cells: &impl Cells) -> Result<(), (&'static str, String)> {
        let names = || WANTED.iter().chain(&STEP).chain(&VELOCITY).chain(&SPIN);
        let wrong = |at: usize| move |problem: String| (names().nth(at).copied().unwrap_or_default(), problem);
        let vector = |from: usize| -> Result<DVec3, (&'static str, String)> {
            let mut vector = DVec3::ZERO;
            for axis in 0..3 {
                vector[axis] = cells.real(from + axis).map_err(wrong(from + axis))?;
            }
            Ok(vector)
        };
        let optional = |is_there: bool, from: usize| if is_there { vector(from) } else { Ok(DVec3::ZERO) };
        let time = cells.instant(0).map_err(wrong(0))?;
        let body = cells.body(1).map_err(wrong(1))?;
        let position = vector(2)?;
        let step = if self.has_steps { cells.whole(5).map_err(wrong(5))? } else { 0 };
        let velocity = optional(self.table.has_velocities, 6)?;
        let spin = optional(self.table.has_spins, 9)?;
        let body = self.ranks.of(body, &mut self.table.bodies);
        self.table.rows.push(ForeignRow { place, step, time, body, position, velocity, spin });
        Ok(())
    }
}
