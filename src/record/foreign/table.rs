//! The rows of such a table, whatever its format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::error::{ForeignError, ROWS_MAX, WANTED};
use crate::motion::SimTime;
use crate::scenario::limits::DURATION_MAX;

/// One row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignRow {
    /// Where it stands: the line of a CSV file, or the row of a Parquet file, from 1.
    pub place: u64,
    /// The number of the step after which it was written.
    pub step: u64,
    /// When.
    pub time: SimTime,
    /// Which of the table's bodies.
    pub body: usize,
    /// m, world frame.
    pub position: DVec3,
    /// m/s, world frame.
    pub velocity: DVec3,
}

/// A whole table.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignTable {
    /// Its file.
    pub file: PathBuf,
    /// The names of its bodies, each once, in the order in which they come.
    pub bodies: Vec<String>,
    /// Its rows, in the order of the file.
    pub rows: Vec<ForeignRow>,
    /// What a place is called: `line` or `row`.
    pub unit: &'static str,
}

/// Collects rows, whatever the format.
pub(super) struct Collector {
    pub(super) table: ForeignTable,
    ranks: BTreeMap<String, usize>,
}

/// The values of one row.
pub(super) struct Values<'a> {
    pub(super) place: u64,
    pub(super) step: u64,
    pub(super) time: SimTime,
    pub(super) body: &'a str,
    pub(super) numbers: [f64; 6],
}

impl Collector {
    pub(super) fn new(file: &Path, unit: &'static str) -> Self {
        let table = ForeignTable { file: file.to_owned(), bodies: Vec::new(), rows: Vec::new(), unit };
        Self { table, ranks: BTreeMap::new() }
    }

    pub(super) fn put(&mut self, row: &Values<'_>) -> Result<(), ForeignError> {
        if self.table.rows.len() == ROWS_MAX {
            return Err(ForeignError::TooLong { file: self.table.file.clone() });
        }
        let body = self.ranks.get(row.body).copied().unwrap_or_else(|| {
            self.table.bodies.push(row.body.to_owned());
            self.ranks.insert(row.body.to_owned(), self.table.bodies.len() - 1);
            self.table.bodies.len() - 1
        });
        let [x, y, z, vx, vy, vz] = row.numbers;
        let (position, velocity) = (DVec3::new(x, y, z), DVec3::new(vx, vy, vz));
        let Values { place, step, time, .. } = *row;
        self.table.rows.push(ForeignRow { place, step, time, body, position, velocity });
        Ok(())
    }

    pub(super) fn wrong(&self, place: u64, column: &str, problem: String) -> ForeignError {
        self.table.wrong(place, column, problem)
    }

    /// Where each column stands.
    pub(super) fn columns(&self, found: &[String]) -> Result<[usize; 9], ForeignError> {
        let mut places = [0; 9];
        let mut missing = Vec::new();
        for (place, name) in places.iter_mut().zip(WANTED) {
            match found.iter().position(|column| column == name) {
                Some(at) => *place = at,
                None => missing.push(name),
            }
        }
        if missing.is_empty() {
            return Ok(places);
        }
        let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let (missing, found) = (list(&missing), found.join(",").chars().take(200).collect());
        Err(ForeignError::Columns { file: self.table.file.clone(), missing, found })
    }
}

/// A number that a simulation can have reached.
pub(super) fn number(value: f64) -> Result<f64, String> {
    let is_moderate = value.is_finite() && value.abs() <= 1e70;
    if is_moderate { Ok(value) } else { Err(format!("{value} is not a finite number of at most 1e70 in size")) }
}

/// An instant.
pub(super) fn instant(seconds: f64) -> Result<SimTime, String> {
    let is_instant = (0.0..=DURATION_MAX).contains(&seconds);
    if is_instant {
        Ok(SimTime::from_seconds(seconds))
    } else {
        Err(format!("{seconds} s is no time from 0 to 1e12 s"))
    }
}

impl ForeignTable {
    /// What is wrong with a row.
    pub fn wrong(&self, place: u64, column: &str, problem: String) -> ForeignError {
        ForeignError::Content { file: self.file.clone(), unit: self.unit, place, column: column.to_owned(), problem }
    }
}
