//! The table of a study: one row for each member, in the order of the design.

use std::path::Path;

use super::member::MemberResult;
use crate::record::tables::free::{Value, write_table};
use crate::record::tables::{Column, Kind};
use crate::record::{Heading, WriteError, text_hash};
use crate::scenario::Format;
use crate::scenario::sweep_file::{COLUMNS, Collected, Factor, Sweep};

/// The name of the table's file, without its ending.
pub const TABLE: &str = "table";

/// A member with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number, from 0.
    pub member: u64,
    /// The value of each factor, in RON.
    pub parameters: Vec<String>,
    /// The name of its result.
    pub key: String,
    /// Its result; `None` for a member that is lost.
    pub result: Option<MemberResult>,
}

/// Writes the table into a folder, as CSV and, if this build has it, as Parquet; returns the names of the files.
///
/// # Errors
/// [`WriteError`] when the disk is full.
pub fn write_tables(folder: &Path, sweep: &Sweep, text: &str, rows: &[Row]) -> Result<Vec<String>, WriteError> {
    let names = columns(sweep);
    let columns: Vec<Column<'_>> = names.iter().map(|(name, kind)| Column { name, kind: *kind, unit: "" }).collect();
    let rows: Vec<Vec<Value>> = rows.iter().map(|row| values(&names, row)).collect();
    let heading = Heading { scenario_hash: text_hash(text) };
    let formats: &[(Format, &str)] = if cfg!(feature = "parquet") {
        &[(Format::Csv, "csv"), (Format::Parquet, "parquet")]
    } else {
        &[(Format::Csv, "csv")]
    };
    let mut files = Vec::new();
    for &(format, ending) in formats {
        let name = format!("{TABLE}.{ending}");
        write_table(&folder.join(&name), format, (TABLE, &columns), &heading, &rows)?;
        files.push(name);
    }
    Ok(files)
}

/// The names and the kinds of the columns of the table.
pub fn columns(sweep: &Sweep) -> Vec<(String, Kind)> {
    let factor = |factor: &Factor| (factor.column(), kind(factor));
    let result = |collected: &Collected| {
        (collected.name.clone(), if collected.measure.is_whole() { Kind::WholeOrNone } else { Kind::RealOrNone })
    };
    let results = sweep.collect.iter().map(result);
    let [member, words @ ..] = COLUMNS.map(str::to_owned);
    let first = std::iter::once((member, Kind::Whole));
    let words = words.into_iter().map(|name| (name, Kind::Word));
    first.chain(sweep.vary.iter().map(factor)).chain(results).chain(words).collect()
}

/// The kind of the values of a factor.
fn kind(factor: &Factor) -> Kind {
    if factor.is_whole() {
        Kind::WholeOrNone
    } else if factor.numbers().is_some() {
        Kind::RealOrNone
    } else {
        Kind::Word
    }
}

/// A row of the table, with a value for each of its [`columns`].
pub fn values(columns: &[(String, Kind)], row: &Row) -> Vec<Value> {
    let mut kinds = columns.iter().map(|(_, kind)| *kind).skip(1);
    let mut values = vec![Value::Whole(row.member)];
    values.extend(row.parameters.iter().zip(kinds.by_ref()).map(|(text, kind)| match kind {
        Kind::WholeOrNone => Value::WholeOrNone(text.parse().ok()),
        Kind::RealOrNone => Value::RealOrNone(text.parse().ok()),
        _ => Value::Word(text.clone()),
    }));
    let none = vec![None; columns.len() - values.len() - (COLUMNS.len() - 1)];
    let (found, status, message, state_hash) = match &row.result {
        Some(result) => (&result.values, result.status.name(), result.message.as_str(), result.state_hash.as_str()),
        None => (&none, "lost", "", ""),
    };
    values.extend(found.iter().zip(kinds).map(|(value, kind)| {
        // A table holds finite numbers only.
        let value = value.filter(|value| value.is_finite());
        match kind {
            Kind::WholeOrNone => Value::WholeOrNone(value.map(|value| value as u64)),
            _ => Value::RealOrNone(value),
        }
    }));
    values.extend([status, message, state_hash, &row.key].map(|word| Value::Word(word.to_owned())));
    values
}
