//! Two trajectories of other programs side by side: the first row that differs, and the rows that are farthest apart.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::Serialize;

use super::error::ForeignError;
use super::table::{ForeignRow, ForeignTable};
use crate::motion::SimTime;
use crate::record::recording::readable;

/// The columns of numbers, in their order.
const NUMBERS: [&str; 9] = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"];

/// How two tables compare.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableComparison {
    /// How many rows of a body at a time both have.
    pub rows: usize,
    /// How many rows differ, those included that only one table has.
    pub other: usize,
    /// The first of these, in order of time.
    pub first: Option<RowDifference>,
    /// The row at which the places of a body are farthest apart.
    pub farthest: Option<Farthest>,
}

/// A row that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowDifference {
    /// When, s.
    #[serde(serialize_with = "readable::seconds")]
    pub time: SimTime,
    /// Whose row.
    pub body: String,
    /// The first column that differs; `None` if only one table has the row.
    pub column: Option<&'static str>,
    /// The numbers there.
    pub values: Option<[f64; 2]>,
    /// The lines in the files, or the rows in Parquet, from 1; `None` where there is none.
    pub places: [Option<u64>; 2],
}

/// A body that has two places at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Farthest {
    /// When, s.
    #[serde(serialize_with = "readable::seconds")]
    pub time: SimTime,
    /// Which.
    pub body: String,
    /// How far its places are apart, m.
    pub distance: f64,
}

/// Compares two tables row by row. Numbers that are at most `within` apart are the same. Velocities and spins are
/// compared if both tables have them.
///
/// # Errors
/// [`ForeignError`] when a table has two rows of one body at one time.
pub fn compare_tables(a: &ForeignTable, b: &ForeignTable, within: f64) -> Result<TableComparison, ForeignError> {
    let mut rows: BTreeMap<(SimTime, &str), [Option<&ForeignRow>; 2]> = BTreeMap::new();
    for (side, table) in [a, b].into_iter().enumerate() {
        for row in &table.rows {
            let name = table.bodies[row.body].as_str();
            if let Some(earlier) = rows.entry((row.time, name)).or_default()[side].replace(row) {
                let problem =
                    format!("`{name}` has a row at {} s already, in {} {}", row.time, table.origin.unit, earlier.place);
                return Err(table.origin.wrong(row.place, "body", problem));
            }
        }
    }
    let has = [true, a.has_velocities && b.has_velocities, a.has_spins && b.has_spins];
    let mut found = TableComparison { rows: 0, other: 0, first: None, farthest: None };
    for ((time, name), pair) in rows {
        let places = pair.map(|row| row.map(|row| row.place));
        let body = || name.to_owned();
        let (column, values) = match pair {
            [Some(a), Some(b)] => {
                found.rows += 1;
                let distance = a.position.distance(b.position);
                if found.farthest.as_ref().is_none_or(|farthest| distance > farthest.distance) {
                    found.farthest = Some(Farthest { body: body(), time, distance });
                }
                let Some((column, values)) = first_column(a, b, has, within) else { continue };
                (Some(column), Some(values))
            }
            _ => (None, None),
        };
        found.other += 1;
        found.first.get_or_insert_with(|| RowDifference { time, body: body(), column, values, places });
    }
    Ok(found)
}

/// The first column of two rows with numbers that are farther apart than `within`, and the numbers.
fn first_column(a: &ForeignRow, b: &ForeignRow, has: [bool; 3], within: f64) -> Option<(&'static str, [f64; 2])> {
    let numbers =
        |row: &ForeignRow| [row.position, row.velocity, row.spin].map(|vector: DVec3| vector.to_array()).concat();
    let both = numbers(a).into_iter().zip(numbers(b)).zip(NUMBERS).enumerate();
    let is_other = |(column, ((a, b), _)): &(usize, ((f64, f64), &str))| has[column / 3] && (a - b).abs() > within;
    both.filter(is_other).map(|(_, ((a, b), name))| (name, [a, b])).next()
}
